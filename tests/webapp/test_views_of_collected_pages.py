"""Every view of collected pages opens, with all blocks of the page in it, and a block can be selected."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from app_tab import Tab
from collected_pages import FOLDERS, files_of, sampled_pages
from thoroughness import THOROUGH

from dehusk.webapp.incoming import described

SAMPLED = 20 if THOROUGH else 3
"""Pages of each file."""
_COMPARED = {"repeats", "text_pages"}
"""What is known once the pages of a site are compared."""
_NUMBER = re.compile('data-block="([0-9]+)"')


@pytest.mark.data
@pytest.mark.parametrize("folder", FOLDERS)
def test_all_views_open_and_blocks_are_selected(open_tab: Callable[..., Tab], data_folder: Path, folder: str) -> None:
    tab = open_tab()
    for file in files_of(data_folder, folder):
        pages = tab.state.workspace.add([described(raw, file.stem) for raw in sampled_pages(file, SAMPLED)]).pages
        assert pages
        for page in pages:
            assert_views_open(tab, page.id)
        # To explain a block takes as long as three views.
        assert_a_block_is_selected(tab, pages[len(pages) // 2].id)


def assert_views_open(tab: Tab, page: str) -> None:
    blocks = tab.get(f"/api/pages/{page}/blocks")["blocks"]
    for view in ("original", "styled"):
        shown = tab.get(f"/view/{page}/{view}", images="1").text
        numbers = set(map(int, _NUMBER.findall(shown)))
        assert numbers == set(range(len(blocks))) or "dehusk-cut" in shown
    assert tab.get(f"/view/{page}/cleaned").text.count("<body>") == 1
    tab.get(f"/view/{page}/style.css")


def assert_a_block_is_selected(tab: Tab, page: str) -> None:
    blocks = tab.get(f"/api/pages/{page}/blocks")["blocks"]
    middle = blocks[len(blocks) // 2]
    selected = tab.get(f"/api/pages/{page}/blocks/{middle['index']}")
    assert selected["reasons"]
    assert {name: selected[name] for name in middle if name not in _COMPARED} == {
        name: value for name, value in middle.items() if name not in _COMPARED
    }
