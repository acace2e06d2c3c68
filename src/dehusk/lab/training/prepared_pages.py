"""Labelled pages -> arrays on disk: what the network sees, what it should say, and what a score needs.

Reading, segmenting and aligning take longer than an epoch of training, so they are done once. A folder holds one
file a data set; a file that is there and of the same pages is not made again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dehusk.blocks.block_columns import Blocks
from dehusk.blocks.segmentation import segment
from dehusk.lab.gold.corpora import Corpus, GoldPage
from dehusk.lab.gold.word_matching import number_words
from dehusk.lab.training.block_targets import comment_targets, label_targets
from dehusk.lab.training.site_splits import site_of_labelled
from dehusk.methods.page_network.hashed_tokens import PageTokens
from dehusk.methods.page_network.network_inputs import PageInputs, page_inputs
from dehusk.methods.page_network.type_clues import type_clues
from dehusk.page.characters import words_of, words_of_each
from dehusk.page.page_reading import read_page
from dehusk.workers.whole_files import written_whole

_VERSION: Final = 7
"""Raised when what is prepared changes: files of another version are made anew."""

Progress = Callable[[str, int, int], None]
"""Called with a data set, the pages done and the pages in all."""


@dataclass(frozen=True, slots=True)
class PreparedPage:
    """A page of m blocks, ready for training and scoring."""

    corpus: str
    name: str
    site: str
    page_type: str
    language: str
    usable: bool
    """Whether the gold is of this page at all."""
    inputs: PageInputs
    target: NDArray[np.float32]
    certainty: NDArray[np.float32]
    words: NDArray[np.int32]
    """int32: the words of all blocks as numbers, one block after the other."""
    word_start: NDArray[np.int64]
    """int64, m + 1 entries: where the words of each block begin."""
    gold_counts: NDArray[np.int32]
    """int32: how often the word with each number is in gold."""
    subtree: NDArray[np.float32]
    """float32: a yardstick, the scores of the satisfiable sub-trees."""
    comment: NDArray[np.float32]
    """float32: share of the words of each block that readers wrote; 0 where nobody says."""
    clues: frozenset[str] = frozenset()
    """What the page says of its type."""

    def __len__(self) -> int:
        return len(self.inputs)

    @property
    def lengths(self) -> NDArray[np.float64]:
        """float64, one entry a block: its words."""
        return np.diff(self.word_start).astype(np.float64)

    def word_f1(self, keep: NDArray[np.bool_]) -> float:
        """Word F1 against gold of keeping some of the blocks."""
        kept = self.words[np.repeat(keep, np.diff(self.word_start))]
        gold = int(self.gold_counts.sum())
        if not len(kept) or not gold:
            return float(not len(kept) and not gold)
        counts = np.bincount(kept, minlength=len(self.gold_counts))
        return 2 * int(np.minimum(counts, self.gold_counts).sum()) / (len(kept) + gold)


_INPUTS: Final = ("dense", "part_first", "part_last")
_TOKENS: Final = ("element_tokens", "element_start", "levels", "word_tokens", "word_start")
_OWN: Final = ("target", "certainty", "words", "word_start", "gold_counts", "subtree", "comment")


def prepare(corpora: Sequence[Corpus], folder: Path, choose: Chooser, progress: Progress) -> list[PreparedPage]:
    """The chosen pages of all corpora, from the folder as far as they are there."""
    folder.mkdir(parents=True, exist_ok=True)
    return [page for corpus in corpora for page in _prepare_corpus(corpus, folder, choose, progress)]


Chooser = Callable[[Corpus], frozenset[int]]
"""Which pages of a corpus are taken, by number."""


def every_page(corpus: Corpus) -> frozenset[int]:
    """All pages of a corpus."""
    return frozenset(range(corpus.size()))


def some_of_each_site(most: int) -> Chooser:
    """At most this many pages of each site, evenly spread."""

    def choose(corpus: Corpus) -> frozenset[int]:
        return frozenset(
            numbers[place * len(numbers) // min(most, len(numbers))]
            for numbers in corpus.numbers_by_site().values()
            for place in range(min(most, len(numbers)))
        )

    return choose


def _prepare_corpus(corpus: Corpus, folder: Path, choose: Chooser, progress: Progress) -> list[PreparedPage]:
    path = folder / f"{corpus.name}.npz"
    chosen = choose(corpus)
    made_of = {"version": _VERSION, "digest": corpus.digest(), "pages": sorted(chosen)}
    if not path.exists() or _made_of(path) != made_of:
        pages = []
        for gold_page in corpus.pick(chosen):
            pages.append(prepare_page(corpus.name, gold_page, segment(read_page(gold_page.raw))))
            progress(corpus.name, len(pages), len(chosen))
        _save(path, made_of, pages)
    # From the file in any case, where features are in half precision: who goes on later gets the same network.
    return _load(path)


def prepare_page(corpus: str, gold_page: GoldPage, blocks: Blocks) -> PreparedPage:
    """One page."""
    from dehusk.methods.satisfiable_subtree import SatisfiableSubtree

    labels = label_targets(blocks, gold_page.gold)
    words, lengths = words_of_each(blocks.texts)
    gold = words_of(gold_page.gold)
    numbers, gold_numbers = number_words(words, gold)
    highest = int(max(numbers.max(initial=-1), gold_numbers.max(initial=-1))) + 1
    return PreparedPage(
        corpus,
        gold_page.raw.label,
        site_of_labelled(gold_page),
        gold_page.page_type,
        gold_page.language,
        labels.usable,
        page_inputs(blocks),
        labels.target,
        labels.certainty,
        numbers.astype(np.int32),
        np.concatenate(([0], np.cumsum(np.array(lengths, dtype=np.int64)))),
        np.bincount(gold_numbers, minlength=highest).astype(np.int32),
        SatisfiableSubtree().fit().score_blocks(blocks),
        comment_targets(blocks, gold_page.gold_comments),
        type_clues(blocks.page),
    )


def _save(path: Path, made_of: dict[str, Any], pages: Sequence[PreparedPage]) -> None:
    """All pages' arrays of one name, one after the other, and how long each is."""
    arrays: dict[str, NDArray[Any]] = {}
    for name, of_page in _columns(pages):
        arrays[name] = np.concatenate(of_page) if of_page else np.zeros(0)
        arrays[f"{name} lengths"] = np.array([len(array) for array in of_page], dtype=np.int64)
    described = [
        [page.name, page.site, page.page_type, page.language, page.usable, sorted(page.clues)] for page in pages
    ]
    header = json.dumps({"made_of": made_of, "pages": described})
    with written_whole(path) as temporary, open(temporary, "wb") as file:
        np.savez(file, allow_pickle=False, header=np.array(header), **arrays)


def _columns(pages: Sequence[PreparedPage]) -> Iterator[tuple[str, list[NDArray[Any]]]]:
    for name in _INPUTS:
        columns = [getattr(page.inputs, name) for page in pages]
        # Half precision is plenty for features up to 4, and halves the memory that training needs.
        yield name, [column.astype(np.float16) for column in columns] if name == "dense" else columns
    for name in _TOKENS:
        yield f"tokens {name}", [getattr(page.inputs.tokens, name) for page in pages]
    for name in _OWN:
        yield f"own {name}", [getattr(page, name) for page in pages]


def _made_of(path: Path) -> Any:
    with np.load(path, allow_pickle=False) as file:
        return json.loads(str(file["header"]))["made_of"]


def _load(path: Path) -> list[PreparedPage]:
    """The pages of a file."""
    with np.load(path, allow_pickle=False) as file:
        header = json.loads(str(file["header"]))
        columns = {name: _split(file[name], file[f"{name} lengths"]) for name in file if f"{name} lengths" in file}
    return [_page(path.stem, number, described, columns) for number, described in enumerate(header["pages"])]


def _split(joined: NDArray[Any], lengths: NDArray[np.int64]) -> list[NDArray[Any]]:
    return np.split(joined, np.cumsum(lengths)[:-1]) if len(lengths) else []


def _page(corpus: str, number: int, described: Sequence[Any], columns: dict[str, list[NDArray[Any]]]) -> PreparedPage:
    inputs = PageInputs(
        columns["dense"][number],
        PageTokens(*(columns[f"tokens {name}"][number] for name in _TOKENS)),
        columns["part_first"][number],
        columns["part_last"][number],
    )
    name, site, page_type, language, is_usable, clues = described
    own = {column: columns[f"own {column}"][number] for column in _OWN}
    return PreparedPage(corpus, name, site, page_type, language, is_usable, inputs, **own, clues=frozenset(clues))


def unusable(pages: Iterable[PreparedPage]) -> Counter[str]:
    """How many pages of each data set have gold that is not of the page."""
    return Counter(page.corpus for page in pages if not page.usable)
