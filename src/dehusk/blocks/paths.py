"""DOM paths as a tree: common beginnings are stored once.

A page of n blocks below d elements has n x d steps if each path is spelled out, but at most n + d entries here.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from dehusk.native.calculations import Question, ask
from dehusk.page.page_columns import Page

PATH_LENGTH: Final = 32
"""Steps of a formatted path. Of 96,161 blocks on 450 pages of 2023-25, 99.5 % are less deep."""
PATH_CHARACTERS: Final = 600
"""Characters of a formatted path: each block has one, so long names must not multiply the page. 99 % of the same
blocks have fewer than 550."""
_LEFT_OUT: Final = "…"
NO_PARENT: Final = -1
"""The parent of the root."""


@dataclass(frozen=True, slots=True)
class PathTree:
    """The paths to some elements of a page. Elements with the same path have the same number."""

    parents: tuple[int, ...]
    """By number, that of the path one step shorter, which is always smaller; `NO_PARENT` for the root."""
    steps: tuple[str, ...]
    """By number, the last step: the tag and its first class, `div.post`."""
    numbers: tuple[int, ...]
    """The path number of each requested element, in order."""

    def spelled_out(self, number: int) -> str:
        """`html/body/div.post/p`; the middle of a very long path is left out."""
        steps: list[str] = []
        room = PATH_CHARACTERS - len(self.steps[0]) - len(_LEFT_OUT)
        while number != NO_PARENT:
            room -= len(self.steps[number]) + 1
            if room < 0 or len(steps) == PATH_LENGTH:
                return "/".join([self.steps[0], _LEFT_OUT, *reversed(steps[: PATH_LENGTH - 2])])
            steps.append(self.steps[number])
            number = self.parents[number]
        return "/".join(reversed(steps))


def path_tree(page: Page, rows: Iterable[int]) -> PathTree:
    """The paths to some rows. The compiled part finds them: `native/src/blocks/paths.rs`."""
    found = ask(Question.PATHS, [array("i", rows)], page.native, subject=page.label)
    return PathTree(tuple(found.entries(0)), tuple(found.texts(1)), tuple(found.entries(2)))
