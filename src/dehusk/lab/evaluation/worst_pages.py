"""The pages on which a method scored worst, each explained on an html page: every block, its outcome, and why.

The cleaned page is untrusted: only its text gets into the report, escaped (`report_parts`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Final

from dehusk.cleaning import CleanedBlock, CleanedPage, clean
from dehusk.errors import DehuskError
from dehusk.inspection.html_report import escaped
from dehusk.lab.evaluation.gold_scoring import PageScore, fit_fold, folds_for
from dehusk.lab.evaluation.report_parts import html_page
from dehusk.lab.evaluation.text_scores import WordScore
from dehusk.lab.evaluation.tool_comparison import AboutPage, Comparison, Plan, method_of, pages_of
from dehusk.lab.gold.corpora import Corpus, GoldPage
from dehusk.lab.gold.word_matching import match_words, number_words
from dehusk.lab.training.block_targets import label_targets
from dehusk.page.characters import words_of
from dehusk.workers.guard import guarded

MOST_PER_SITE: Final = 2
"""Pages of one site fail alike: two are enough to see how."""


@dataclass(frozen=True, eq=False)
class WorstPage:
    """A page, its score, and the cleaned page or the error."""

    about: AboutPage
    score: PageScore
    page: GoldPage
    cleaned: CleanedPage | DehuskError


def choose_worst(comparison: Comparison, most: int) -> list[int]:
    """Numbers of the pages with the lowest word F1 of the first contender, lowest first.

    Skips pages whose gold is not on them, which show nothing about the method, and more than `MOST_PER_SITE` of a site.
    """
    scores = comparison.scores[comparison.first]
    ordered = sorted(range(len(scores)), key=lambda number: (scores[number].words.f1, number))
    of_site: Counter[str] = Counter()
    chosen: list[int] = []
    for number in ordered:
        site = comparison.pages[number].site
        if len(chosen) == most or not comparison.usable[number] or (site and of_site[site] == MOST_PER_SITE):
            continue
        of_site[site] += 1
        chosen.append(number)
    return chosen


def clean_worst(comparison: Comparison, plan: Plan, corpora: Sequence[Corpus], most: int) -> list[WorstPage]:
    """Clean the worst pages of the first method again."""
    chosen = choose_worst(comparison, most)
    score_of = {comparison.pages[number]: comparison.scores[comparison.first][number] for number in chosen}
    found = {
        about: WorstPage(about, score_of[about], page, cleaned)
        for corpus in corpora
        for about, page, cleaned in _clean_again(comparison.first, plan, corpus, list(score_of))
    }
    return [found[about] for about in score_of]


def _clean_again(
    method_name: str, plan: Plan, corpus: Corpus, wanted: Sequence[AboutPage]
) -> Iterator[tuple[AboutPage, GoldPage, CleanedPage | DehuskError]]:
    about_number = {about.number: about for about in wanted if about.corpus == corpus.name}
    method = method_of(method_name, plan.trained)
    for fold in folds_for(method, pages_of(plan, corpus)) if about_number else ():
        held_out = [(number, page) for number, page in fold.held_out if number in about_number]
        if not held_out:
            continue
        clean_it = partial(clean, model=fit_fold(method, fold))
        for number, page in held_out:
            yield about_number[number], page, guarded(clean_it, page.raw, page.raw.label, plan.most_seconds)


IN_GOLD: Final = 0.5
"""A block is content if this share of its words is in gold."""
_MOST_BLOCKS: Final = 2_000
_LONGEST_TEXT: Final = 1_000
"""Characters of a block to show; enough to recognise it."""
_MOST_RUNS: Final = 300
_MOST_GOLD: Final = 50_000
_OUTCOMES: Final = {
    # (kept, in gold): class, sign, words
    (True, True): ("right", "+", "kept, in gold"),
    (True, False): ("noise", "!", "kept, not in gold"),
    (False, True): ("lost", "✗", "dropped, in gold"),
    (False, False): ("gone", "−", "dropped, not in gold"),
}
"""Shown by sign and words as well as colour, for readers who cannot see the colour."""
_STYLE: Final = """
.blocks td { white-space: normal; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
.blocks td.number { text-align: right; white-space: nowrap; }
:root { --right: #e9f6ec; --noise: #fdf3d8; --lost: #fde7e4; }
@media (prefers-color-scheme: dark) { :root { --right: #16301d; --noise: #3a2f10; --lost: #40201d; } }
.right { background: var(--right); } .noise { background: var(--noise); } .lost { background: var(--lost); }
.gone { color: var(--quiet); }
.why { display: block; color: var(--quiet); font-size: .85em; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--raised); padding: .6rem; }
"""


def explained_page(worst: WorstPage, method: str) -> str:
    """The html page that explains one cleaned page."""
    about, score = worst.about, worst.score
    facts = [
        ("data set", about.corpus),
        ("address", worst.page.raw.url or "unknown"),
        (
            "site, type, language",
            ", ".join(part or "unknown" for part in (about.site, about.page_type, about.language)),
        ),
        ("words", _describe(score.words)),
        ("words in order (LCS)", _describe(score.lcs)),
        ("runs of four words", _describe(score.four_grams)),
        ("cleaned by", method),
    ]
    return html_page(about.name, facts, _body(worst), _STYLE)


def missing_runs(kept: str, gold: str) -> list[str]:
    """The runs of gold words that the kept text does not have in the same order."""
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
    yield f"<h2>Missing gold ({sum(len(run.split()) for run in runs):,} words)</h2>"
    yield f"<p>{absent.total():,} gold words are not on the page at all.</p>"
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


def _describe(score: WordScore) -> str:
    return f"precision {score.precision:.3f}, recall {score.recall:.3f}, F1 {score.f1:.3f}"


def _short(text: str) -> str:
    folded = " ".join(text.split())
    return escaped(folded if len(folded) <= _LONGEST_TEXT else folded[:_LONGEST_TEXT] + " …")


def _lines(text: str) -> str:
    return "\n".join(escaped(line) for line in text.splitlines())
