"""What people who cannot see, point or bear motion need: axe-core finds nothing to object to in any view."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from driving import block_with, expect, open_page
from running_app import RunningApp
from test_browser_appearance import VIEWS, show

found = find_spec("axe_playwright_python")
pytestmark = pytest.mark.skipif(found is None, reason="no axe-core: pip install axe-playwright-python")
RUN = """async () => {
  const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  // All rules on all elements; but of those in order, nobody needs to be told where they are.
  const told = { resultTypes: ["violations"], selectors: false };
  const { violations } = await axe.run(document, { runOnly: rules, iframes: false, ...told });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 160))}`);
}"""


@pytest.fixture(scope="module")
def axe() -> str:
    """The script of axe-core."""
    assert found is not None
    assert found.origin is not None
    return next(Path(found.origin).parent.rglob("axe*.js")).read_text("utf-8")


def violations(tab: Any, axe: str) -> Any:
    tab.evaluate(axe)
    return tab.evaluate(RUN)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_any_view(scheme: str, axe: str, sample_tab: Any) -> None:
    sample_tab.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    told = {}
    for view in VIEWS:
        show(sample_tab, view)
        sample_tab.wait_for_timeout(300)
        told[view] = violations(sample_tab, axe)
    assert told == {view: [] for view in VIEWS}


def test_axe_finds_nothing_where_something_is_selected_or_asked(axe: str, sample_tab: Any) -> None:
    open_page(sample_tab, "magazine/hard-water-soft-tea")
    block_with(sample_tab, "What hardness is").click()
    expect(sample_tab.locator(".effect")).to_contain_text("would apply")
    sample_tab.keyboard.press("d")
    expect(sample_tab.locator(".notice")).to_contain_text("Dropped")
    assert violations(sample_tab, axe) == []
    sample_tab.get_by_role("tab", name="About").click()
    expect(sample_tab.locator("dl.metadata")).to_be_visible()
    assert violations(sample_tab, axe) == []
    show(sample_tab, "teach")
    assert violations(sample_tab, axe) == []
    show(sample_tab, "pages")
    sample_tab.get_by_text("Remove site").click()
    expect(sample_tab.get_by_role("dialog")).to_be_visible()
    assert violations(sample_tab, axe) == []


def test_axe_finds_nothing_on_the_first_page_and_on_phones(
    axe: str, app: RunningApp, open_tab: Callable[..., Any]
) -> None:
    phone = open_tab(viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True)
    phone.goto(app.address)
    phone.wait_for_selector("#sample")
    assert violations(phone, axe) == []
    phone.tap("#sample")
    expect(phone.locator("table.pages tbody tr")).to_have_count(31)
    assert violations(phone, axe) == []
