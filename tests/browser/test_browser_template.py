"""Template: the site's style tree."""

from __future__ import annotations

import re
from typing import Any

import pytest
from driving import expect, open_page, original


@pytest.fixture
def tree(sample_tab: Any) -> Any:
    sample_tab.get_by_role("link", name="Template").first.click()
    found = sample_tab.get_by_role("tree")
    expect(found.get_by_role("treeitem").first).to_be_visible()
    return found


def test_nodes_show_importance_pages_and_samples(tree: Any, sample_tab: Any) -> None:
    body = tree.locator(".node").first
    expect(body).to_contain_text(re.compile(r"0\.\d\d.*body.*mixed"))
    expect(body).to_contain_text("31 / 31")
    footer = tree.locator(".node", has_text="footer.site-footer")
    expect(footer).to_contain_text("Kettle & Quill Ltd")
    expect(footer.locator(".chip")).to_have_class(re.compile("level-0"))
    expect(sample_tab.get_by_label("Colours of importance").locator("li")).to_have_count(5)


def test_nodes_open_and_close_and_lead_to_blocks(tree: Any, sample_tab: Any) -> None:
    header = tree.get_by_role("treeitem", name=re.compile("^header.site-header"))
    expect(header).to_have_attribute("aria-expanded", "false")
    header.locator(".node").first.click()
    expect(header).to_have_attribute("aria-expanded", "true")
    inner = header.get_by_role("treeitem", name=re.compile("^nav,"))
    inner.locator(".node").first.click()
    expect(inner.get_by_role("treeitem").first).to_be_visible()
    expect(sample_tab.locator("#node h2")).to_have_text("nav")
    header.locator(".twisty").first.click()
    expect(inner).to_be_hidden()
    expect(sample_tab.locator("#node h2")).to_have_text("header.site-header")
    expect(sample_tab.locator("#node")).to_contain_text("11 pages")
    sample_tab.locator("#node .under ul a", has_text="Basket (0)").first.click()
    expect(original(sample_tab).locator(".dehusk-active").first).to_contain_text("Basket (0)")


def test_a_late_response_is_not_shown(tree: Any, sample_tab: Any) -> None:
    held: list[Any] = []
    sample_tab.route("**/tree/*/blocks", lambda route: held.append(route))
    header = tree.locator(".node", has_text="header.site-header")
    # The heading may be shown before the request that goes with it is held.
    with sample_tab.expect_request("**/tree/*/blocks"):
        tree.locator(".node", has_text="footer.site-footer").click()
    expect(sample_tab.locator("#node h2")).to_have_text("footer.site-footer")
    with sample_tab.expect_request("**/tree/*/blocks"):
        header.click()
    expect(sample_tab.locator("#node h2")).to_have_text("header.site-header")
    while len(held) < 2:
        sample_tab.wait_for_timeout(20)
    footer_answer, header_answer = held
    header_answer.continue_()
    expect(sample_tab.locator("#node .under")).to_contain_text("Basket (0)")
    with sample_tab.expect_event("requestfinished"):
        footer_answer.continue_()
    expect(header).to_be_visible()  # a round trip: the last response has been handled
    expect(sample_tab.locator("#node h2")).to_have_text("header.site-header")
    expect(sample_tab.locator("#node .under")).to_contain_text("Basket (0)")


def test_the_tree_works_with_the_keyboard(tree: Any, sample_tab: Any) -> None:
    tree.get_by_role("treeitem").first.focus()
    sample_tab.keyboard.press("ArrowDown")
    sample_tab.keyboard.press("ArrowDown")
    header = tree.get_by_role("treeitem", name=re.compile("^header.site-header"))
    expect(header).to_be_focused()
    sample_tab.keyboard.press("ArrowRight")
    expect(header).to_have_attribute("aria-expanded", "true")
    sample_tab.keyboard.press("ArrowRight")
    expect(header.get_by_role("treeitem").first).to_be_focused()
    sample_tab.keyboard.press("Enter")
    expect(sample_tab.locator("#node h2")).to_have_text("nav")
    sample_tab.keyboard.press("ArrowLeft")
    expect(header).to_be_focused()
    sample_tab.keyboard.press("ArrowLeft")
    expect(header).to_have_attribute("aria-expanded", "false")
    sample_tab.keyboard.press("Home")
    expect(tree.get_by_role("treeitem").first).to_be_focused()
    sample_tab.keyboard.press("ArrowLeft")
    expect(header).to_be_hidden()


def test_a_block_leads_to_its_node(sample_tab: Any) -> None:
    open_page(sample_tab, "magazine/hard-water-soft-tea")
    original(sample_tab).locator("[data-block='5']").click()
    sample_tab.get_by_role("link", name="Show in the template").click()
    expect(sample_tab.locator("#node h2")).to_have_text("p.site-description")
    expect(sample_tab.locator("#node")).to_contain_text("9 pages")
