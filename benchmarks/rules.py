"""The effect of each rule of `dehusk.deciding.rules`, and of `favour`, on labelled pages, and what confidence is worth.

    python benchmarks/rules.py --labels labels --models FOLDER --plot docs/images/confidence.svg
    python benchmarks/rules.py --models FOLDER [--every 6] [PARQUET_OR_FOLDER ...]
    python benchmarks/rules.py --labels labels --models FOLDER --added other-products --added one-message

Every page is judged once, then decided on without rules, with each rule alone, and with all of them. A page is better
with a rule if its word F1 is higher than without any, and worse if it is lower. Words are those of the kept blocks.
`--added` shows what some rules add to all others, also on the half of the sites that they were not built on.

FOLDER is what `dehusk train hybrid --keep FOLDER` leaves: `without-fold-0.dehusk` and so on. Each page is judged by the
network that was trained without its site. The figures in `dehusk.deciding.rules` and `docs/quality.md` are those of the
first command; those on gold pages of the second one. Without `--models`, the network of the package judges pages that
it was mostly trained on. The pages that `--labels` names are in the data folder ($DEHUSK_DATA, or `shared` beside the
repository).
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice, pairwise
from pathlib import Path
from statistics import fmean

import numpy as np
from labelled_pages import data_folder, gold_corpora, positive, run
from models_by_fold import OPTION_HELP, model_without_site, models_by_fold

import dehusk
from dehusk.blocks.block_columns import BlockMask, Blocks
from dehusk.deciding.decisions import Decision, JudgedBlocks, decide, judge_blocks
from dehusk.deciding.rules import RULES
from dehusk.errors import GoldError
from dehusk.lab.evaluation.report_parts import COLOURS, as_svg, new_figure
from dehusk.lab.evaluation.text_scores import WordScore, score_words
from dehusk.lab.gold.corpora import GoldPage, site_of_labelled
from dehusk.lab.gold.policy_labels import labelled_pages, read_labels
from dehusk.lab.training.prepared_pages import POLICY, known_type
from dehusk.methods.base import Favour
from dehusk.methods.page_network.page_types import PAGE_TYPES
from dehusk.page.characters import words_of

ALL = "all"
NO_RULES, ALL_RULES, BEST_CUT = "no rules", "all rules", "best cut"
OTHER_RULES = "other rules"
BINS = (0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1.0)
SHOWN = 200
"""Pages between two messages on progress."""


@dataclass(frozen=True, eq=False)
class Case:
    """A page to decide on."""

    group: str
    """Its page type if it is labelled by the content policy, otherwise its data set."""
    gold: GoldPage
    blocks: Blocks


@dataclass(frozen=True, eq=False)
class Outcome:
    """The scores of one page."""

    group: str
    f1: dict[str, float]
    """By rule, and without rules, with all, with all but the added ones, and at the page's best threshold."""
    favours: dict[str, WordScore]
    confidence: float
    is_held_back: bool
    """Whether rules are not built on its site."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gold", nargs="*", help="gold pages; by default, without --labels, the data folder's gold/")
    parser.add_argument("--labels", type=Path, help="labels by the content policy: a file, or a folder of them")
    parser.add_argument("--models", type=Path, help=OPTION_HELP)
    parser.add_argument("--every", type=positive, default=1, help="take every n-th gold page (default: 1)")
    parser.add_argument("--added", action="append", default=[], choices=RULES, help="a rule to compare with the others")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="write confidence against word F1 as svg")
    arguments = parser.parse_args()
    models, outcomes = models_by_fold(arguments.models), []
    for case in cases(arguments.labels, arguments.gold, arguments.every):
        judged = judge_blocks(case.blocks, model_without_site(models, case.gold))
        outcomes.append(outcome(case, judged, arguments.added))
        if len(outcomes) % SHOWN == 0:
            print(f"{len(outcomes):,} pages so far", file=sys.stderr, flush=True)
    if not outcomes:
        raise GoldError("labels and gold", "name no page of the data folder", "set DEHUSK_DATA to the data folder")
    show_groups(outcomes)
    show_favours(outcomes)
    show_rules(outcomes)
    if arguments.added:
        show_added(outcomes)
        show_added([one for one in outcomes if one.is_held_back])
    show_confidence(outcomes)
    if arguments.plot:
        arguments.plot.write_text(confidence_plot(outcomes), "utf-8")
    return 0


def cases(labels_path: Path | None, gold: list[str], every: int) -> Iterator[Case]:
    """The pages labelled by the content policy, then gold pages that are not."""
    labels = read_labels(labels_path) if labels_path else ()
    for page in labelled_pages(labels, data_folder()):
        yield Case(PAGE_TYPES[known_type(POLICY, page.label.page_type)], page.gold, page.blocks)
    if labels and not gold:
        return
    labelled = {f"{label.corpus.rpartition('/')[2]}:{label.page}" for label in labels}
    for corpus in gold_corpora(gold):
        for gold_page in islice(corpus, 0, None, every):
            blocks = dehusk.segment(dehusk.read_page(gold_page.raw))
            if gold_page.raw.label not in labelled and gold_page.gold and len(blocks):
                yield Case(corpus.name, gold_page, blocks)


def outcome(case: Case, judged: JudgedBlocks, added: Sequence[str]) -> Outcome:
    """Decide on a page in all ways."""
    words = [words_of(text) for text in judged.blocks.texts]
    gold = Counter(words_of(case.gold.gold))

    def scored(keep: BlockMask) -> WordScore:
        return score_words(Counter(word for index in np.flatnonzero(keep) for word in words[index]), gold)

    decisions = {
        NO_RULES: Decision(rules=()),
        ALL_RULES: Decision(),
        OTHER_RULES: Decision(rules=[name for name in RULES if name not in added]),
        **{name: Decision(rules=[name]) for name in RULES},
    }
    f1 = {name: scored(decide(judged, decision).keep).f1 for name, decision in decisions.items()}
    f1[BEST_CUT] = best_cut(judged.scores.tolist(), words, gold)
    favours = {favour.value: scored(decide(judged, Decision(favour)).keep) for favour in Favour}
    confidence = decide(judged, Decision()).confidence or 0.0
    return Outcome(case.group, f1, favours, confidence, is_held_back(site_of_labelled(case.gold)))


def is_held_back(site: str) -> bool:
    """Whether a site is of the half on which rules are judged, not built; the same on every machine."""
    return blake2b(site.encode(), digest_size=1).digest()[0] % 2 == 1


def best_cut(scores: Sequence[float], words: Sequence[Sequence[str]], gold: Counter[str]) -> float:
    """The highest F1 that a threshold reaches on a page, without rules."""
    order = sorted(range(len(scores)), key=lambda index: -scores[index])
    left, shared, kept, best = gold.copy(), 0, 0, float(not gold)
    for place, index in enumerate(order, 1):
        for word in words[index]:
            shared += left[word] > 0
            left[word] -= 1
        kept += len(words[index])
        if place == len(order) or scores[order[place]] < scores[index]:
            best = max(best, 2 * shared / max(kept + gold.total(), 1))
    return best


def by_group(outcomes: Sequence[Outcome]) -> dict[str, Sequence[Outcome]]:
    """The pages of each group, and all of them."""
    groups: defaultdict[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        groups[one.group].append(one)
    return {**dict(sorted(groups.items())), ALL: outcomes}


def show_groups(outcomes: Sequence[Outcome]) -> None:
    columns = (NO_RULES, ALL_RULES, BEST_CUT)
    print(f"{'word F1':<24} {'pages':>6} " + " ".join(f"{name:>9}" for name in columns))
    for group, members in by_group(outcomes).items():
        means = " ".join(f"{fmean(one.f1[name] for one in members):9.3f}" for name in columns)
        print(f"{group:<24} {len(members):6,} {means}")


def show_favours(outcomes: Sequence[Outcome]) -> None:
    print(f"\n{'favour':<24} {'precision':>9} {'recall':>9}")
    for favour in Favour:
        scores = [one.favours[favour.value] for one in outcomes]
        precision, recall = fmean(one.precision for one in scores), fmean(one.recall for one in scores)
        print(f"{favour.value:<24} {precision:9.3f} {recall:9.3f}")


def show_rules(outcomes: Sequence[Outcome]) -> None:
    print(f"\nrules, of {len(outcomes):,} pages")
    for name in RULES:
        gains = [one.f1[name] - one.f1[NO_RULES] for one in outcomes]
        better, worse = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
        print(f"{name:<24} {better} better, {worse} worse; F1 {sum(gains):+.2f} in all")


def show_added(outcomes: Sequence[Outcome]) -> None:
    half = "held-back half of the sites" if all(one.is_held_back for one in outcomes) else "all sites"
    print(f"\n{half:<28} {'pages':>6} {'others':>9} {'added':>9}")
    for group, members in by_group(outcomes).items():
        before, after = (fmean(one.f1[name] for one in members) for name in (OTHER_RULES, ALL_RULES))
        gains = [one.f1[ALL_RULES] - one.f1[OTHER_RULES] for one in members]
        better, worse = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
        print(f"{group:<28} {len(members):6,} {before:9.3f} {after:9.3f}  {better} better, {worse} worse")


def show_confidence(outcomes: Sequence[Outcome]) -> None:
    print(f"\n{'confidence':<24} {'pages':>6} {'mean':>9} {'word F1':>9}")
    for low, high, members in by_confidence(outcomes):
        mean, reached = fmean(one.confidence for one in members), fmean(one.f1[ALL_RULES] for one in members)
        print(f"{low:.2f} to {high:.2f}{'':<12} {len(members):6,} {mean:9.3f} {reached:9.3f}")
    error = fmean(abs(one.confidence - one.f1[ALL_RULES]) for one in outcomes)
    print(f"mean difference between the confidence of a page and its F1: {error:.3f}")


def by_confidence(outcomes: Sequence[Outcome]) -> Iterator[tuple[float, float, list[Outcome]]]:
    """(lowest confidence, highest, pages), for bins that have any."""
    for low, high in pairwise(BINS):
        members = [one for one in outcomes if low <= one.confidence < high or one.confidence == high == BINS[-1]]
        if members:
            yield low, high, members


def confidence_plot(outcomes: Sequence[Outcome]) -> str:
    """The mean and the quartiles of each bin, as svg."""
    figure, axes = new_figure(5, 4)
    axes.plot([0, 1], [0, 1], color=COLOURS[-1], linestyle=":", label="F1 as predicted")
    means, quartiles = [], []
    for *_, members in by_confidence(outcomes):
        means.append((fmean(one.confidence for one in members), fmean(one.f1[ALL_RULES] for one in members)))
        quartiles.append(np.quantile([one.f1[ALL_RULES] for one in members], (0.25, 0.75)))
    places = [place for place, _ in means]
    axes.fill_between(places, *zip(*quartiles, strict=True), color=COLOURS[1], alpha=0.2, label="half of the pages")
    axes.plot(*zip(*means, strict=True), color=COLOURS[1], marker="o", label="mean of pages")
    axes.set(xlabel="confidence", ylabel="word F1", xlim=(0, 1), ylim=(0, 1.02))
    return as_svg(figure, axes)


if __name__ == "__main__":
    run(main)
