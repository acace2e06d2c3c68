"""The effect of each rule of `dehusk.deciding.rules`, on labelled pages with and without it.

    python benchmarks/rules.py [PARQUET_OR_FOLDER ...]

Every page is judged once by the default method, then decided on with all rules, and without each in turn. A page is
better with a rule if its word F1 is higher by more than SAME than without, and worse if it is lower. The network was
trained on most of these pages; the rules were not, but their constants were chosen on them.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from dataclasses import replace

import numpy as np
from labelled_pages import gold_corpora, run

import dehusk
from dehusk.deciding.decisions import Decision, JudgedBlocks, LabelledBlocks, decide, judge_blocks
from dehusk.deciding.rules import RULES
from dehusk.lab.evaluation.text_scores import count_words, score_words
from dehusk.lab.gold.corpora import GoldPage
from dehusk.outputs.text import render_text

SAME = 0.001
"""F1 of pages that count as equal."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gold", nargs="*", help="labelled pages; by default those in the data folder's gold/")
    gains: defaultdict[str, list[float]] = defaultdict(list)
    pages, model = 0, dehusk.Hybrid().fit()
    for corpus in gold_corpora(parser.parse_args().gold):
        for page in corpus:
            pages += 1
            for name, gain in rule_gains(page, judge_blocks(dehusk.segment(dehusk.read_page(page.raw)), model)):
                gains[name].append(gain)
        print(f"{corpus.name}: {pages:,} pages so far", file=sys.stderr, flush=True)
    print(f"of {pages:,} labelled pages")
    for name in RULES:
        values = np.array(gains[name])
        better, worse = int((values > SAME).sum()), int((values < -SAME).sum())
        print(f"{name:<24} {better} better, {worse} worse; touched {len(values)}, F1 {values.sum():+.2f} in all")
    return 0


def rule_gains(page: GoldPage, judged: JudgedBlocks) -> list[tuple[str, float]]:
    """By how much the F1 of a page is higher with each rule than without, of rules that change anything."""
    every = Decision()
    labelled = decide(judged, every)
    gains = []
    for name in labelled.moved:
        without = decide(judged, replace(every, rules=[other for other in RULES if other != name]))
        if not np.array_equal(without.keep, labelled.keep):
            gains.append((name, f1(labelled, page.gold) - f1(without, page.gold)))
    return gains


def f1(labelled: LabelledBlocks, gold: str) -> float:
    return score_words(count_words(render_text(labelled)), count_words(gold)).f1


if __name__ == "__main__":
    run(main)
