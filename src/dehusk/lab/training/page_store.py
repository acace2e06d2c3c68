"""Prepared pages in the memory of the device that trains, and batches of them.

A batch is put together by index arithmetic on the device: an accelerator would wait longer for batches that the
processor makes than it takes to compute with them.

Pages of a batch are concatenated in one sequence, with gaps of zeros as wide as the reach of the widest convolution: no
padding to the longest page, and no page sees another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from dehusk.lab.training.prepared_pages import WITH_COMMENTS, PreparedPage, known_type
from dehusk.methods.page_network.inference import HEADING, KERNEL, LAYERS
from dehusk.methods.page_network.page_types import PAGE_TYPES

GAP: Final = max(dilation for kind, dilation in LAYERS if kind == "convolution") * (KERNEL // 2)


@dataclass(frozen=True, slots=True)
class Batch:
    """Pages in one sequence of t positions."""

    dense: Tensor
    is_block: Tensor
    """float32, t x 1: 0 in the gaps."""
    page: Tensor
    """int64, t: number of the page in the batch."""
    policy: Tensor
    """int64, one entry per page."""
    names: Tensor
    names_start: Tensor
    levels: Tensor
    words: Tensor
    words_start: Tensor
    heading: Tensor
    """int64, t: the position of the last heading up to this one."""
    has_heading: Tensor
    """float32, t x 1: 0 above the first heading of a page."""
    part_first: Tensor
    part_last: Tensor
    """int64, t x PARTS: the positions of the parts around each position are `part_first : part_last`."""
    target: Tensor
    weight: Tensor
    """float32, t: certainty of the target; 0 in the gaps."""
    length: Tensor
    """float32, t: words of the block."""
    comment: Tensor
    """float32, t: the share of words in readers' comments."""
    comments_known: Tensor
    """float32, one entry per page: 1 if its comments are annotated."""
    page_type: Tensor
    """int64, one entry per page: its `known_type`."""
    is_soft: Tensor
    """float32, one entry per page: 1 if it is trained on what teachers say of it, instead of on its gold."""
    soft_content: Tensor
    soft_comment: Tensor
    """float32, t: log-odds by the teachers; 0 without any."""
    soft_types: Tensor
    """float32, pages x types: the probability of each type by the teachers; 0 for pages trained on gold."""


@dataclass(frozen=True, slots=True)
class Taught:
    """What teachers say of all pages of a store: n blocks, one page after the other."""

    content: Tensor
    comment: Tensor
    """float32, n: log-odds."""
    page_type: Tensor
    """float32, pages x types: probabilities."""


@dataclass(frozen=True, slots=True)
class _Ragged:
    """Rows of pages, one page after the other."""

    values: Tensor
    first: Tensor
    count: Tensor
    """int64, one entry per page: its rows are `first : first + count`."""

    @classmethod
    def of(cls, arrays: Sequence[NDArray[Any]], device: str) -> _Ragged:
        count = torch.tensor([len(array) for array in arrays], device=device)
        values = torch.from_numpy(np.concatenate(arrays)).to(device)
        return cls(values, count.cumsum(0) - count, count)

    def rows(self, pages: Tensor) -> Tensor:
        """The rows of these pages, in this order."""
        count = self.count[pages]
        total = int(count.sum())
        number = torch.repeat_interleave(torch.arange(len(pages), device=pages.device), count, output_size=total)
        start = count.cumsum(0) - count
        return self.values[self.first[pages][number] + torch.arange(total, device=pages.device) - start[number]]


@dataclass(frozen=True, slots=True)
class PageStore:
    """Pages on a device. Columns of blocks have one entry per block of all pages, one page after the other."""

    device: str
    blocks: _Ragged
    """Numbers of the blocks."""
    dense: Tensor
    """float16: training needs no more, and memory is short."""
    names: _Ragged
    names_count: _Ragged
    """int64: tokens of each element."""
    levels: Tensor
    words: _Ragged
    words_count: Tensor
    heading: Tensor
    """int64: how many blocks ago the last heading was; -1 if there is none."""
    part_first: Tensor
    part_last: Tensor
    """int32, n x PARTS: counted from the block."""
    target: Tensor
    certainty: Tensor
    length: Tensor
    comment: Tensor
    comments_known: Tensor
    page_type: Tensor

    @classmethod
    def of(cls, pages: Sequence[PreparedPage], device: str) -> PageStore:
        """Copy pages, each with at least one block, to a device."""

        def column(arrays: Sequence[NDArray[Any]], kind: Any) -> Tensor:
            return torch.from_numpy(np.concatenate(arrays).astype(kind, copy=False)).to(device)

        tokens = [page.inputs.tokens for page in pages]
        own = [np.arange(len(page), dtype=np.int32)[:, None] for page in pages]
        sizes = np.cumsum([0, *(len(page) for page in pages)])
        return cls(
            device,
            _Ragged.of([np.arange(first, last) for first, last in pairwise(sizes.tolist())], device),
            column([page.inputs.dense for page in pages], np.float16),
            _Ragged.of([some.element_tokens.astype(np.int32) for some in tokens], device),
            _Ragged.of([np.diff(some.element_start) for some in tokens], device),
            column([some.levels for some in tokens], np.int32),
            _Ragged.of([some.word_tokens.astype(np.int32) for some in tokens], device),
            column([np.diff(some.word_start) for some in tokens], np.int64),
            column([_since_heading(page) for page in pages], np.int64),
            column([page.inputs.part_first - block for page, block in zip(pages, own, strict=True)], np.int32),
            column([page.inputs.part_last - block for page, block in zip(pages, own, strict=True)], np.int32),
            column([page.target for page in pages], np.float32),
            column([page.certainty for page in pages], np.float32),
            column([np.diff(page.word_start) for page in pages], np.float32),
            column([page.comment for page in pages], np.float32),
            torch.tensor([float(page.corpus in WITH_COMMENTS) for page in pages], device=device),
            torch.tensor([known_type(page.corpus, page.page_type) for page in pages], device=device),
        )

    def batch(
        self, pages: Tensor, policies: Tensor, is_soft: Tensor | None = None, taught: Taught | None = None
    ) -> Batch:
        """Concatenate pages, by number, into one sequence; some may be trained on what teachers say."""
        size = self.blocks.count[pages]
        with_gap = size + GAP
        total = int(with_gap.sum())
        position = torch.arange(total, device=pages.device)
        page = torch.repeat_interleave(torch.arange(len(pages), device=pages.device), with_gap, output_size=total)
        within = position - (with_gap.cumsum(0) - with_gap)[page]
        is_block = within < size[page]
        block = torch.where(is_block, self.blocks.first[pages][page] + within, 0)
        names_count = self.names_count.rows(pages)
        elements = self.names_count.count[pages]
        levels = self.levels[block] + (elements.cumsum(0) - elements)[page][:, None]
        words_count = torch.where(is_block, self.words_count[block], 0)
        since_heading = torch.where(is_block, self.heading[block], -1)
        here, counts = position[:, None], is_block.float()
        is_soft = torch.zeros(len(pages), device=pages.device) if is_soft is None else is_soft
        none = torch.zeros(1, device=pages.device)
        return Batch(
            dense=self.dense[block].float() * counts[:, None],
            is_block=counts[:, None],
            page=page,
            policy=policies,
            names=self.names.rows(pages),
            names_start=names_count.cumsum(0) - names_count,
            levels=torch.where(is_block[:, None], levels, len(names_count) - 1),  # the last element has no names
            words=self.words.rows(pages),
            words_start=words_count.cumsum(0) - words_count,
            heading=torch.where(since_heading >= 0, position - since_heading, 0),
            has_heading=(since_heading >= 0).float()[:, None],
            part_first=torch.where(is_block[:, None], here + self.part_first[block], here),
            part_last=torch.where(is_block[:, None], here + self.part_last[block], here),
            target=self.target[block] * counts,
            weight=self.certainty[block] * counts,
            length=self.length[block] * counts,
            comment=self.comment[block] * counts,
            comments_known=self.comments_known[pages],
            page_type=self.page_type[pages],
            is_soft=is_soft,
            soft_content=taught.content[block] * counts if taught else none.expand(total),
            soft_comment=taught.comment[block] * counts if taught else none.expand(total),
            soft_types=taught.page_type[pages] * is_soft[:, None] if taught else none.expand(1, len(PAGE_TYPES)),
        )

    def in_order(self, most_blocks: int) -> Iterator[Tensor]:
        """The numbers of all pages in order, about as many at a time as have so many blocks."""
        of_run = self.blocks.first.cpu().numpy() // most_blocks
        for run in np.unique(of_run):
            yield torch.from_numpy(np.flatnonzero(of_run == run)).to(self.device)


def _since_heading(page: PreparedPage) -> NDArray[np.int64]:
    number = np.arange(len(page))
    last = np.maximum.accumulate(np.where(page.inputs.dense[:, HEADING] > 0.5, number, -1))
    return np.where(last >= 0, number - last, -1)
