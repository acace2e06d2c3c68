"""What one rule says of a page, through the decision that applies it."""

from __future__ import annotations

import numpy as np

import dehusk
from dehusk.blocks.block_columns import BlockMask, Blocks
from dehusk.deciding.decisions import Decision, JudgedBlocks, decide
from dehusk.deciding.verdicts import DROP
from dehusk.methods.base import Judgement


def dropped_by(rule: str, blocks: Blocks, keep: BlockMask, page_type: str) -> BlockMask:
    """bool: the blocks that a rule drops from a page of a type, if some blocks are kept."""
    scores = keep.astype(np.float32)
    judgement = Judgement(scores, 0.5, np.zeros_like(scores), page_type, 1.0, True)
    judged = JudgedBlocks(blocks, dehusk.Hybrid().fit(), scores, 0.5, judgement)
    labelled = decide(judged, Decision(rules=[rule]))
    verdicts = labelled.moved.get(rule, np.zeros(len(blocks), dtype=np.int8))
    assert (labelled.keep == (keep & (verdicts != DROP))).all()
    return verdicts == DROP
