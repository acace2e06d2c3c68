"""Pages and blocks tell what the site changed: the decision with it beside the one without it."""

from __future__ import annotations

from typing import Any

from app_tab import Tab, story


def blocks_changed(tab: Tab, page: str, **query: Any) -> list[bool | None]:
    return [block["changed_by_site"] for block in tab.get(f"/api/pages/{page}/blocks", **query)["blocks"]]


def test_the_site_changed_what_page_evidence_alone_decides_otherwise(cleaned_sample: Tab) -> None:
    pages = [page for page in cleaned_sample.workspace()["pages"] if page["name"].startswith("sample site/")]
    assert len(pages) == 31
    for page in pages:
        address = f"/api/pages/{page['id']}/decision"
        with_site, alone = (cleaned_sample.get(address, **query)["kept"] for query in ({}, {"method": "page-evidence"}))
        changed = [one != other for one, other in zip(with_site, alone, strict=True)]
        assert blocks_changed(cleaned_sample, page["id"]) == changed
        assert page["result"]["changed_by_site"] == sum(changed)
    assert 0 < sum(page["result"]["changed_by_site"] > 0 for page in pages) < 31


def test_another_threshold_is_compared_with_itself(cleaned_sample: Tab) -> None:
    page = cleaned_sample.workspace()["pages"][0]["id"]
    assert not any(blocks_changed(cleaned_sample, page, value=0))


def test_corrections_do_not_count(tab: Tab) -> None:
    tab.send(*((f"{number}.html", story(number)) for number in range(6)))
    tab.eliminate()
    page, site = tab.workspace()["pages"][0]["id"], tab.workspace()["sites"][0]["id"]
    before = blocks_changed(tab, page)
    tab.post(f"/api/sites/{site}/corrections", {"page": page, "block": 1, "keep": True})
    assert blocks_changed(tab, page) == before


def test_without_a_learnt_site_or_an_opinion_of_the_page_nothing_is_told(tab: Tab) -> None:
    page = tab.send(("a.html", story(1)))["added"][0]
    assert set(blocks_changed(tab, page["id"])) == {None}
    tab.put(f"/api/sites/{page['site']}/settings", {"method": "style-tree"})
    tab.eliminate()
    assert tab.workspace()["pages"][0]["result"]["changed_by_site"] is None
    assert set(blocks_changed(tab, page["id"])) == {None}
