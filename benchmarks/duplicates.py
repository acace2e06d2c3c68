"""Near-duplicates found among pages that were copied, changed, cut and put into another template on purpose.

    python benchmarks/duplicates.py --pages 300

Pages are made of random words with the frequencies of a natural language (Zipf). Each of a third has one altered copy.
Found are the copies that are dropped; wrong are originals that are. Besides dehusk, datatrove's MinHash (its defaults:
5-grams, here of words between blanks, and 14 bands of 8) gets the same cleaned texts, if it is installed; datasketch
makes the same signatures.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import accumulate
from random import Random

import dehusk
from dehusk.filtering.near_duplicates import SeenTexts
from dehusk.filtering.page_filters import kept_text
from dehusk.filtering.text_signatures import signature_of

_WORDS = 20_000
_LENGTHS = (80, 1200)
"""Words of a page, at least and at most."""

Change = Callable[[list[str], Random], list[str]]


def _changed(share: float) -> Change:
    def change(words: list[str], chance: Random) -> list[str]:
        return [f"x{_spelled(chance.randrange(10**6))}" if chance.random() < share else word for word in words]

    return change


CHANGES: dict[str, Change] = {
    "copied": lambda words, chance: words,
    "in another template": lambda words, chance: words,
    "1 % of words changed": _changed(0.01),
    "3 % of words changed": _changed(0.03),
    "cut by a tenth": lambda words, chance: words[: len(words) * 9 // 10],
    "cut by a third": lambda words, chance: words[: len(words) * 2 // 3],
    "cut by half": lambda words, chance: words[: len(words) // 2],
}
"""How a copy differs. Cut by a third or more, its similarity is below 0.7, and it counts as another page."""


@dataclass(frozen=True)
class Made:
    """A page, and what it was made by: nothing for an original."""

    html: str
    change: str = ""


def make_pages(pages: int, seed: int) -> list[Made]:
    """Originals in random order, each third followed somewhere by a copy."""
    chance = Random(seed)
    weights = list(accumulate(1 / (rank + 2.7) for rank in range(_WORDS)))
    made = []
    for number in range(pages):
        words = chance.choices(_vocabulary(), cum_weights=weights, k=chance.randint(*_LENGTHS))
        made.append(Made(_html(words, number, 0)))
        if number % 3 == 0:
            change = list(CHANGES)[number // 3 % len(CHANGES)]
            template = 1 if change == "in another template" else 0
            made.append(Made(_html(CHANGES[change](words, chance), number, template), change))
    return made


def _vocabulary() -> list[str]:
    return [_spelled(rank) for rank in range(_WORDS)]


def _spelled(number: int) -> str:
    """A word for each number; of letters, as datatrove takes all numbers for the same."""
    syllables = ("ka", "te", "lo", "mi", "su", "ra", "ne", "po", "vi", "du")
    return "".join(syllables[int(digit)] for digit in str(number))


def _html(words: list[str], number: int, template: int) -> str:
    paragraphs = [" ".join(words[start : start + 40]) for start in range(0, len(words), 40)]
    tags = ("div", "p") if template else ("article", "p")
    body = "".join(f"<{tags[1]}>{text}.</{tags[1]}>" for text in paragraphs)
    menu = "".join(f"<li><a href=/{entry}>Menu {template} entry {entry}</a>" for entry in range(12))
    head = f"<title>Page {number}</title><nav><ul>{menu}</ul></nav>"
    return f"{head}<{tags[0]} class=text{template}><h1>Page {number}</h1>{body}</{tags[0]}><footer>Imprint</footer>"


def dropped_by_dehusk(texts: list[str]) -> list[bool]:
    """What `--drop-duplicates` drops."""
    seen = SeenTexts()
    return [seen.is_repeated(signature_of(text)) for text in texts]


def dropped_by_datatrove(texts: list[str]) -> list[bool]:
    """What datatrove drops: pages that share a band with an earlier one, by its own signatures."""
    from datatrove.pipeline.dedup.minhash import MinhashConfig, MinhashDedupSignature
    from datatrove.utils.hashing import HashConfig
    from datatrove.utils.word_tokenizers import WordTokenizer

    class BetweenBlanks(WordTokenizer):  # type: ignore[misc]
        """Its own tokenizers need spaCy, and split such words no better."""

        def word_tokenize(self, text: str) -> list[str]:
            return text.split()

        sent_tokenize = span_tokenize = word_tokenize

    config = MinhashConfig(hash_config=HashConfig(hash_fc="sha1"))
    step = MinhashDedupSignature("unused", config, language=BetweenBlanks())
    seen: set[tuple[int, tuple[int, ...]]] = set()
    dropped = []
    for text in texts:
        shingles = step.get_shingles(text)
        bands = step.get_signature(shingles) if len(shingles) else []
        keys = {(band, tuple(row)) for band, row in enumerate(bands)}
        dropped.append(bool(keys & seen))
        seen |= keys
    return dropped


def signed_by_datasketch(texts: list[str]) -> None:
    """Only the signatures, with as many hashes."""
    from datasketch import MinHash

    for text in texts:
        words = re.findall(r"\w+", text.lower())
        MinHash(num_perm=120).update_batch([" ".join(words[at : at + 5]).encode() for at in range(len(words) - 4)])


def _tools() -> Iterator[tuple[str, Callable[[list[str]], list[bool]]]]:
    yield "dehusk", dropped_by_dehusk
    if find_spec("datatrove"):
        yield "datatrove", dropped_by_datatrove


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=2000, help="number of originals")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    made = make_pages(options.pages, options.seed)
    texts = [kept_text(dehusk.clean(page.html).labelled) for page in made]
    kinds = Counter(page.change for page in made)
    for name, drop in _tools():
        begun = time.perf_counter()
        dropped = drop(texts)
        seconds = time.perf_counter() - begun
        found = Counter(page.change for page, is_dropped in zip(made, dropped, strict=True) if is_dropped)
        print(f"\n{name}: {1000 * seconds / len(texts):.2f} ms a page; dropped of")
        for kind, pages in kinds.items():
            print(f"  {kind or 'originals (wrong)':<24} {found[kind]:>5} of {pages:,} ({found[kind] / pages:.1%})")
    if find_spec("datasketch"):
        begun = time.perf_counter()
        signed_by_datasketch(texts)
        print(f"\ndatasketch: {1000 * (time.perf_counter() - begun) / len(texts):.2f} ms a signature")


if __name__ == "__main__":
    main()
