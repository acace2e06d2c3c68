"""One cleaned page beside its gold, as an html page: every block, what became of it, and why.

The page that was cleaned is not to be trusted: nothing of it gets in but its text, escaped (`html_reports`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from dehusk.cleaning import CleanedBlock, CleanedPage
from dehusk.errors import DehuskError
from dehusk.lab.evaluation.html_reports import escaped, html_page
from dehusk.lab.evaluation.word_f1 import WordScore
from dehusk.lab.evaluation.worst_pages import WorstPage
from dehusk.lab.gold.word_matching import match_words, number_words
from dehusk.lab.training.block_targets import label_targets
from dehusk.page.characters import words_of

IN_GOLD: Final = 0.5
"""Share of a block's words in gold that makes it content."""
_MOST_BLOCKS: Final = 2_000
_LONGEST_TEXT: Final = 1_000
"""Characters of a block that are shown; enough to recognise it."""
_MOST_RUNS: Final = 300
_MOST_GOLD: Final = 50_000
_OUTCOMES: Final = {
    # (kept, in gold): class, sign, words
    (True, True): ("right", "+", "kept, in gold"),
    (True, False): ("noise", "!", "kept, not in gold"),
    (False, True): ("lost", "✗", "dropped, in gold"),
    (False, False): ("gone", "−", "dropped, not in gold"),
}
"""Told by a sign and in words as well as by colour, for those who cannot see the colour."""
_STYLE: Final = """
.blocks td { white-space: normal; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
.blocks td.number { text-align: right; white-space: nowrap; }
.right { background: #e9f6ec; } .noise { background: #fdf3d8; } .lost { background: #fde7e4; } .gone { color: #5b616b; }
.why { display: block; color: #5b616b; font-size: .85em; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #f6f7f9; padding: .6rem; }
"""


def explained_page(worst: WorstPage, method: str) -> str:
    """The page."""
    about, score = worst.about, worst.score
    facts = [
        ("data set", about.corpus),
        ("address", worst.page.raw.url or "unknown"),
        (
            "site, type, language",
            ", ".join(part or "unknown" for part in (about.site, about.page_type, about.language)),
        ),
        ("words", _told(score.words)),
        ("words in order (LCS)", _told(score.lcs)),
        ("runs of four words", _told(score.four_grams)),
        ("cleaned by", method),
    ]
    return html_page(about.name, facts, _body(worst), _STYLE)


def missing_runs(kept: str, gold: str) -> list[str]:
    """The words of gold, in runs, that are not in the kept text in the same order."""
    numbers, kept_numbers = number_words(words := words_of(gold), words_of(kept))
    missing = (match_words(numbers, kept_numbers) < 0).tolist()
    pairs = groupby(zip(missing, words, strict=True), key=lambda pair: pair[0])
    return [" ".join(word for _, word in run) for is_missing, run in pairs if is_missing]


def _body(worst: WorstPage) -> Iterator[str]:
    if isinstance(worst.cleaned, DehuskError):
        yield f"<p>Not cleaned: {escaped(str(worst.cleaned))}</p>"
    else:
        yield from _missing(worst.cleaned, worst.page.gold)
        yield from _blocks(worst.cleaned, worst.page.gold)
    yield "<details><summary>Gold</summary>"
    yield f'<pre dir="auto">{_lines(worst.page.gold[:_MOST_GOLD])}</pre></details>'


def _missing(cleaned: CleanedPage, gold: str) -> Iterator[str]:
    runs = missing_runs(cleaned.text, gold)
    absent = Counter(words_of(gold)) - Counter(words_of("\n".join(cleaned.labelled.blocks.texts)))
    yield f"<h2>Gold that is missing ({sum(len(run.split()) for run in runs):,} words)</h2>"
    yield f"<p>{absent.total():,} words of gold are nowhere on the page.</p>"
    yield "<ul>" + "".join(f'<li dir="auto">{_short(run)}</li>' for run in runs[:_MOST_RUNS]) + "</ul>"
    if len(runs) > _MOST_RUNS:
        yield f"<p>and {len(runs) - _MOST_RUNS:,} more</p>"


def _blocks(cleaned: CleanedPage, gold: str) -> Iterator[str]:
    shares = label_targets(cleaned.labelled.blocks, gold).target.tolist()
    outcomes = Counter(_outcome(block, share)[2] for block, share in zip(cleaned, shares, strict=True))
    yield f"<h2>Blocks ({len(cleaned):,})</h2>"
    yield f"<p>{escaped('; '.join(f'{count:,} {outcome}' for outcome, count in outcomes.most_common()))}</p>"
    yield '<div class="scroll"><table class="blocks">'
    yield "<tr><th></th><th>outcome</th><th>score</th><th>in gold</th><th>block</th></tr>"
    shown = zip(cleaned, shares, range(_MOST_BLOCKS), strict=False)
    yield from (_row(block, share) for block, share, _ in shown)
    yield "</table></div>"
    if len(cleaned) > _MOST_BLOCKS:
        yield f"<p>and {len(cleaned) - _MOST_BLOCKS:,} more</p>"


def _row(block: CleanedBlock, share: float) -> str:
    style, sign, outcome = _outcome(block, share)
    kind = f"{block.kind} {block.level}" if block.level else block.kind
    why = " · ".join([kind, *(["hidden"] if block.hidden else []), *block.reasons, block.path])
    return (
        f'<tr class="{style}"><td>{sign}</td><td>{outcome}</td><td class="number">{block.score:.2f}</td>'
        f'<td class="number">{share:.0%}</td>'
        f'<td><span dir="auto">{_short(block.text)}</span><span class="why">{escaped(why)}</span></td></tr>'
    )


def _outcome(block: CleanedBlock, share: float) -> tuple[str, str, str]:
    return _OUTCOMES[block.kept, share >= IN_GOLD]


def _told(score: WordScore) -> str:
    return f"precision {score.precision:.3f}, recall {score.recall:.3f}, F1 {score.f1:.3f}"


def _short(text: str) -> str:
    folded = " ".join(text.split())
    return escaped(folded if len(folded) <= _LONGEST_TEXT else folded[:_LONGEST_TEXT] + " …")


def _lines(text: str) -> str:
    return "\n".join(escaped(line) for line in text.splitlines())
