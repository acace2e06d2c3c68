"""Every route works as docs/webapp.md describes, and all errors have the same shape."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from app_tab import Tab, story
from local_server import Answer, serving
from small_pages import PAGE_WITH_HIDDEN_TEXT

import dehusk
from dehusk.blocks.block_columns import Blocks
from dehusk.outputs import OUTPUTS
from dehusk.sources.fetching import HttpFetcher
from dehusk.webapp.judged_pages import JudgedPages
from dehusk.webapp.routes import ROUTES
from dehusk.webapp.workspace_records import PageRecord, site_from_json

DOCUMENT = (Path(__file__).parents[2] / "docs" / "webapp.md").read_text("utf-8")


@pytest.fixture
def small(tab: Tab) -> Tab:
    """Six pages of one site, cleaned."""
    tab.send(*((f"{number}.html", story(number)) for number in range(6)))
    assert tab.eliminate()["state"] == "done"
    return tab


def first(tab: Tab) -> tuple[str, str]:
    page = tab.workspace()["pages"][0]
    return page["id"], page["site"]


def keys_in_document(heading: str) -> set[str]:
    """Field names in the first JSON example after a heading."""
    example = DOCUMENT.partition(heading)[2].partition("{")[2].partition("\n\n")[0]
    return set(re.findall(r'"(\w+)":', example))


# The description.


def test_the_description_lists_exactly_the_routes_that_exist(tab: Tab) -> None:
    described = tab.get("/api/openapi.json")
    listed = {(verb.upper(), path) for path, verbs in described["paths"].items() for verb in verbs}
    application = tab.client.app._app  # type: ignore[attr-defined]
    served = {
        (verb, route.path)
        for route in application.routes
        if route.path not in {"/", "/static"}
        for verb in route.methods - {"HEAD"}
    }
    assert listed == served
    assert len(served) == len(ROUTES) >= 40
    assert described["openapi"].startswith("3.1")
    operations = [operation for verbs in described["paths"].values() for operation in verbs.values()]
    assert len({operation["operationId"] for operation in operations}) == len(operations)
    for path, verbs in described["paths"].items():
        for operation in verbs.values():
            named = {one["name"] for one in operation["parameters"] if one["in"] == "path"}
            assert named == set(re.findall(r"\{(\w+)\}", path))
            assert operation["summary"]


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.verb} {route.path}")
def test_the_document_names_every_route(route: Any) -> None:
    path = re.sub(
        r"\{(index|correction)\}", lambda found: {"index": "{index}", "correction": "{id}"}[found[1]], route.path
    )
    assert path in DOCUMENT
    assert route.verb in DOCUMENT


# The workspace.


def test_values_have_the_names_of_the_document(small: Tab) -> None:
    page, site = first(small)
    workspace = small.workspace()
    assert set(workspace) == {"version", "allow_fetch", "job", "sites", "pages", "limits"}
    assert set(workspace["pages"][0]) == keys_in_document("**Page**")
    assert set(workspace["pages"][0]["result"]) == keys_in_document("**Result**")
    shown = workspace["sites"][0]
    assert {*shown, *shown["settings"], *shown["learnt"], *shown["totals"]} == keys_in_document("**Site**")
    job = small.get("/api/jobs")["jobs"][0]
    assert set(job) == keys_in_document("**Job**")
    block = small.get(f"/api/pages/{page}/blocks")["blocks"][0]
    assert set(block) == keys_in_document("""\"blocks\": [Block, ...]}`""")
    tree = small.get(f"/api/sites/{site}/tree")
    assert set(tree["root"]) == keys_in_document("      Node:")


def test_choices(tab: Tab) -> None:
    choices = tab.get("/api/choices")
    assert [method["name"] for method in choices["methods"]] == list(dehusk.METHODS)
    assert [method["name"] for method in choices["methods"] if method["default"]] == ["hybrid"]
    assert {method["name"] for method in choices["methods"] if method["judges_pages"]} == {"hybrid", "page-evidence"}
    assert all(method["summary"] for method in choices["methods"])
    assert choices["formats"] == list(OUTPUTS)
    assert "turbohtml" in choices["tools"]


def test_totals_add_up(small: Tab) -> None:
    workspace = small.workspace()
    rows = [page["result"] for page in workspace["pages"]]
    totals = workspace["sites"][0]["totals"]
    assert totals["bytes_before"] == sum(row["bytes_before"] for row in rows) == workspace["sites"][0]["bytes"]
    assert totals["bytes_after"] == sum(row["bytes_after"] for row in rows)
    for name in ("characters", "characters_kept"):
        assert totals[name] == sum(row[name] for row in rows)
    assert totals["removed"] == pytest.approx(1 - totals["characters_kept"] / totals["characters"], abs=1e-4)
    assert (totals["pages"], totals["failed"], totals["stale"]) == (6, 0, 0)
    for page, row in zip(workspace["pages"], rows, strict=True):
        content = small.get(f"/api/pages/{page['id']}/result")["content"]
        assert row["bytes_after"] == len(content.encode())
        assert 0 < row["characters_kept"] < row["characters"]
        assert 0 < row["blocks_kept"] < row["blocks"]
        assert 0 <= row["confidence"] <= 1
        assert row["page_type"]


def test_a_page_moves_to_another_site(small: Tab) -> None:
    page, site = first(small)
    moved = small.patch(f"/api/pages/{page}", {"site": "other"})["page"]
    assert moved["site"] != site
    assert moved["result"] is None
    assert [shown["name"] for shown in small.workspace()["sites"]] == ["tea.example", "other"]
    assert small.workspace()["sites"][0]["learnt"]["current"] is False


def test_gold_text(small: Tab) -> None:
    page, _ = first(small)
    assert small.get(f"/api/pages/{page}/gold", 404)["error"]["code"] == "not-found"
    lone = small.client.put(f"/api/pages/{page}/gold", content=rb'{"text": "Gold \ud800 text"}')
    assert lone.json()["page"]["gold"] is True
    assert small.get(f"/api/pages/{page}/gold") == {"text": "Gold ? text"}
    assert small.delete(f"/api/pages/{page}/gold")["page"]["gold"] is False
    assert small.get(f"/api/pages/{page}/gold", 404)


# Eliminate.


def test_eliminating_learns_once_and_only_decides_again(small: Tab) -> None:
    _, site = first(small)
    again = small.eliminate(sites=[site])
    assert again["total"] == again["done"] == 6  # nothing to learn
    small.put(f"/api/sites/{site}/settings", {"threshold": 0.99})
    stale = small.workspace()
    assert stale["sites"][0]["totals"]["stale"] == 6
    assert stale["pages"][0]["result"]["stale"] is True
    assert small.eliminate()["total"] == 6
    assert small.workspace()["sites"][0]["totals"]["stale"] == 0
    small.send(("new.html", story(50)))
    assert small.eliminate()["total"] == 7 + 7 + 7  # the site, its pages, and the tree to show
    assert small.eliminate(learn_again=True)["total"] == 7 + 7 + 7


@pytest.mark.parametrize("method", list(dehusk.METHODS))
def test_every_method_eliminates(tab: Tab, method: str) -> None:
    tab.send(*((f"{number}.html", story(number)) for number in range(5)))
    page, site = first(tab)
    shown = tab.put(f"/api/sites/{site}/settings", {"method": method})["site"]
    assert shown["settings"] == {
        "method": method,
        "threshold": None,
        "favour": "balanced",
        "comments": False,
        "without_rules": [],
        "learn_from": 200,
    }
    told = tab.eliminate()
    assert [row["error"] for row in told["rows"]] == [None] * 5
    assert told["result"] == {"pages": 5, "failed": 0}
    learns = dehusk.METHODS[method].learns
    assert bool(tab.workspace()["sites"][0]["learnt"]) == learns
    content = tab.get(f"/api/pages/{page}/result")["content"]
    assert "word0x1" in content
    if learns and method != "pagelet-templates":  # which takes parts with several links for pagelets
        assert "Free delivery" not in content


def test_results_are_those_of_the_library(small: Tab, tmp_path: Path) -> None:
    page, site = first(small)
    model = tmp_path / "model.dehusk"
    model.write_bytes(small.get(f"/api/sites/{site}/model").content)
    cleaned = dehusk.clean(story(0), dehusk.load_model(model))
    for name in OUTPUTS:
        told = small.get(f"/api/pages/{page}/result", format=name, metadata=1)
        if name not in {"json", "jsonl", "chunks", "csv", "tei", "xml"}:  # these hold the name of the page
            assert told["content"] == cleaned.render(name)
    assert told["confidence"] == round(cleaned.confidence or 0, 4)
    assert told["metadata"] == cleaned.metadata.to_dict()


def test_a_page_that_fails_gives_a_row(tab: Tab) -> None:
    tab.send(("good.html", story(1)), ("bad.html", b"<a>" * 2_000_001), site="one")
    rows = {row["page"]: row for row in tab.eliminate()["rows"]}
    errors = [rows[page["id"]]["error"] for page in tab.workspace()["pages"]]
    assert errors[0] is None
    assert "2,000,000" in errors[1]
    assert tab.workspace()["sites"][0]["totals"]["failed"] == 1
    page = tab.workspace()["pages"][1]["id"]
    assert tab.get(f"/api/pages/{page}/result", 413)["error"]["code"] == "too-large"
    assert tab.client.get(f"/view/{page}/original").status_code == 413
    assert "not-cleaned.txt" in zipfile.ZipFile(io.BytesIO(tab.get("/api/download.zip").content)).namelist()


def test_a_job_returns_rows_from_a_number_on_and_can_be_cancelled(tab: Tab) -> None:
    tab.send(*((f"{number}.html", story(number)) for number in range(80)))
    job = tab.post("/api/eliminate", {}, 202)["job"]
    assert job["state"] in {"waiting", "running"}
    tab.delete(f"/api/jobs/{job['id']}")
    told = tab.finish(job)
    assert told["state"] == "cancelled"
    assert told["done"] < told["total"] == 240
    whole = tab.eliminate()
    part = tab.get(f"/api/jobs/{whole['id']}", after=70)
    assert (len(whole["rows"]), part["rows_from"], part["rows"]) == (80, 70, whole["rows"][70:])
    assert tab.get(f"/api/jobs/{whole['id']}", after=500)["rows"] == []


def test_a_job_is_cancelled_while_it_reads_pages(tab: Tab, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the first page is learnt, all are read and compared, which takes a while."""
    tab.send(*((f"{number}.html", story(number)) for number in range(20)))
    read: list[str] = []
    blocks = JudgedPages.blocks

    def cancelling(pages: JudgedPages, page: PageRecord) -> Blocks:
        read.append(page.id)
        if len(read) == 3:
            tab.state.jobs.newest_first()[0].is_cancelled.set()
        return blocks(pages, page)

    monkeypatch.setattr(JudgedPages, "blocks", cancelling)
    told = tab.finish(tab.post("/api/eliminate", {}, 202)["job"])
    assert (told["state"], told["done"], len(read)) == ("cancelled", 0, 3)


def test_fetching_is_off_unless_allowed(tab: Tab) -> None:
    refused = tab.post("/api/pages/fetch", {"url": "https://a.example/"}, 403)
    assert refused["error"]["code"] == "fetch-off"
    assert "--allow-fetch" in refused["error"]["remedy"]


def test_fetching_a_page_and_a_site(open_tab: Callable[..., Tab]) -> None:
    def routes(path: str) -> Answer | None:
        if path in {"/robots.txt", "/sitemap.xml"}:
            return Answer(status=404)
        links = "".join(f"<a href=/{number}>to {number}</a>" for number in range(3))
        return Answer(f"<title>{path}</title><p>Text of the page {path * 9}</p>{links}".encode())

    with serving(routes) as site:
        tab = open_tab(allow_fetch=True, open_fetcher=lambda: HttpFetcher(allow_private=True))
        told = tab.finish(tab.post("/api/pages/fetch", {"url": f"{site.url}/x"}, 202)["job"])
        assert told["state"] == "done", told["error"]
        assert [page["url"] for page in told["result"]["added"]] == [f"{site.url}/x"]
        told = tab.finish(tab.post("/api/pages/fetch", {"url": f"{site.url}/", "pages": 2}, 202)["job"])
        assert (told["state"], told["done"], len(told["result"]["added"])) == ("done", 2, 2)
        assert [shown["name"] for shown in tab.workspace()["sites"]] == ["127.0.0.1"]


def test_private_addresses_are_not_fetched(open_tab: Callable[..., Tab]) -> None:
    tab = open_tab(allow_fetch=True)
    for url in ("http://127.0.0.1:1/", "file:///etc/passwd", "http://user:word@a.example/", "nothing", "http://[::1]/"):
        told = tab.finish(tab.post("/api/pages/fetch", {"url": url}, 202)["job"])
        assert told["state"] == "failed"
        assert told["error"]
    assert tab.workspace()["pages"] == []


# Results.


def test_downloads(small: Tab) -> None:
    page, site = first(small)
    for name in OUTPUTS:
        answer = small.client.get(f"/api/pages/{page}/download", params={"format": name})
        assert OUTPUTS[name].suffix in answer.headers["content-disposition"]
        assert answer.content.decode("utf-8") == small.get(f"/api/pages/{page}/result", format=name)["content"]
    answer = small.client.get(f"/api/pages/{page}/download", params={"format": "markdown"})
    assert answer.headers["content-disposition"].startswith('attachment; filename="0.md"')
    assert answer.text == small.get(f"/api/pages/{page}/result", format="markdown")["content"]
    archive = zipfile.ZipFile(io.BytesIO(small.get("/api/download.zip", format="html", site=site).content))
    assert archive.namelist() == [f"{number}.html" for number in range(6)]
    assert archive.testzip() is None
    assert archive.read("0.html").startswith(b"<!doctype html>")


def test_an_empty_workspace_has_nothing_to_download(tab: Tab) -> None:
    assert tab.get("/api/download.zip", 409)["error"]["code"] == "conflict"
    assert tab.get("/api/labelled.zip", 409)["error"]["code"] == "conflict"
    assert tab.eliminate()["result"] == {"pages": 0, "failed": 0}


def test_blocks_list_the_pages_that_repeat_them(small: Tab) -> None:
    page, _ = first(small)
    blocks = small.get(f"/api/pages/{page}/blocks")["blocks"]
    menu = next(block for block in blocks if block["text"] == "Our shop of teas")
    own = next(block for block in blocks if block["text"].startswith("It begins here"))
    assert (menu["kept"], menu["repeats"], menu["text_pages"], menu["importance"]) == (False, 5, 6, 0.0)
    assert (own["kept"], own["repeats"], own["text_pages"]) == (True, 0, 1)
    assert own["importance"] > 0.5
    told = small.get(f"/api/pages/{page}/blocks/{menu['index']}")
    assert {name: told[name] for name in menu} == menu
    assert [place["name"] for place in told["where"]] == [f"{number}.html" for number in range(1, 6)]
    assert all(place["block"] == menu["index"] for place in told["where"])
    assert told["shared"] == {"place": 6, "look": 6}
    assert any("content" in reason for reason in told["reasons"])


def test_pages_are_shown_before_anything_is_learnt(tab: Tab) -> None:
    page = tab.send(("a.html", story(1)))["added"][0]["id"]
    told = tab.get(f"/api/pages/{page}/result")
    assert told["learnt"] is False
    assert "It begins here" in told["content"]
    assert tab.get(f"/api/pages/{page}/blocks")["blocks"][0]["importance"] is None


# Programs.


def test_cleaning_a_page_without_storing_it(small: Tab) -> None:
    html = story(77).decode()
    told = small.post("/api/clean", {"html": html, "url": "https://tea.example/77", "format": "markdown"})
    assert told["content"] == dehusk.clean(html, url="https://tea.example/77").render("markdown")
    assert told["learnt"] is False
    assert told["metadata"] is None
    for name in ("tea.example", small.workspace()["sites"][0]["id"]):
        with_site = small.post("/api/clean", {"html": html, "site": name})
        assert with_site["learnt"] is True
        assert "Free delivery" not in with_site["content"]
    raw = small.client.post(
        "/api/clean", params={"format": "text"}, content=story(77), headers={"Content-Type": "text/html"}
    ).json()
    assert raw["content"] == dehusk.clean(story(77)).text
    latin = "<p>Über Tee</p>".encode("latin-1")
    header = {"Content-Type": "text/html; charset=iso-8859-1"}
    assert "Über Tee" in small.client.post("/api/clean", content=latin, headers=header).json()["content"]
    assert len(small.workspace()["pages"]) == 6


def test_learning_a_site_for_programs(tab: Tab) -> None:
    pages = [{"html": story(number).decode(), "url": f"https://tea.example/{number}"} for number in range(4)]
    told = tab.post("/api/learn", {"site": "tea.example", "method": "style-tree", "pages": pages})
    assert told["added"] == 4
    ids = told["site"]["learnt"].pop("from")
    assert ids == [page["id"] for page in tab.workspace()["pages"]]
    assert told["site"]["learnt"] == {
        "method": "style-tree",
        "pages": 4,
        "knows_a_template": True,
        "distrust": "",
        "current": True,
    }
    assert tab.get(f"/api/sites/{told['site']['id']}/model").content[:2] == b"PK"
    again = tab.post("/api/learn", {"site": "tea.example", "pages": []})
    assert (again["added"], again["site"]["settings"]["method"]) == (0, "style-tree")
    tab.post("/api/learn", {"site": "tea.example", "method": "page-evidence"}, 422)


def test_a_rule_can_be_switched_off(tab: Tab) -> None:
    assert set(tab.get("/api/choices")["rules"]) == set(dehusk.RULES)
    tab.send(("a.html", PAGE_WITH_HIDDEN_TEXT.encode()))
    page, site = first(tab)

    def kept(**query: str) -> bool:
        return "Cup number" in tab.get(f"/api/pages/{page}/result", **query)["content"]

    assert (kept(), kept(without_rules="hidden-text,teasers")) == (False, True)
    assert tab.eliminate()["result"]["failed"] == 0
    changed = tab.put(f"/api/sites/{site}/settings", {"without_rules": ["hidden-text"]})["site"]
    assert changed["settings"]["without_rules"] == ["hidden-text"]
    assert changed["totals"]["stale"] == 1
    assert (kept(), kept(without_rules="")) == (True, False)
    state = tab.state.workspace.state
    assert site_from_json(json.loads(json.dumps(asdict(state.sites[site])))) == state.sites[site]
    sent = [
        tab.post("/api/clean", {"html": PAGE_WITH_HIDDEN_TEXT, "without_rules": names})
        for names in ([], ["hidden-text"])
    ]
    assert ["Cup number" in answer["content"] for answer in sent] == [False, True]


# Errors.

BAD_REQUESTS: list[tuple[str, str, Any, int]] = [
    ("GET", "/api/nothing", None, 404),
    ("PUT", "/api/workspace", {}, 405),
    ("GET", "/api/pages/x/result", None, 404),
    ("GET", "/api/pages/PAGE/result?format=nothing", None, 400),
    ("GET", "/api/pages/PAGE/result?value=x", None, 400),
    ("GET", "/api/pages/PAGE/result?value=nan", None, 400),
    ("GET", "/api/pages/PAGE/result?value=2", None, 422),
    ("GET", "/api/pages/PAGE/result?favour=nothing", None, 422),
    ("GET", "/api/pages/PAGE/result?method=nothing", None, 422),
    ("GET", "/api/pages/PAGE/result?method=style-tree&favour=recall", None, 422),
    ("GET", "/api/pages/PAGE/result?without_rules=nothing", None, 422),
    ("GET", "/api/pages/PAGE/result?method=style-tree&without_rules=teasers", None, 422),
    ("PUT", "/api/sites/SITE/settings", {"without_rules": ["nothing"]}, 422),
    ("PUT", "/api/sites/SITE/settings", {"without_rules": "teasers"}, 422),
    ("PUT", "/api/sites/SITE/settings", {"without_rules": [1]}, 422),
    ("GET", "/api/pages/PAGE/blocks/99999", None, 404),
    ("GET", "/api/pages/PAGE/blocks/-1", None, 400),
    ("GET", "/api/pages/PAGE/blocks/x", None, 400),
    ("GET", "/api/pages/PAGE/blocks/99999999999999999999", None, 400),
    ("GET", "/api/pages/PAGE/compare", None, 400),
    ("GET", "/api/pages/PAGE/compare?left=method:nothing&right=gold", None, 422),
    ("GET", "/api/pages/PAGE/compare?left=tool:nothing&right=method:hybrid", None, 422),
    ("GET", "/api/pages/PAGE/compare?left=gold&right=method:hybrid", None, 404),
    ("GET", "/api/jobs/x", None, 404),
    ("DELETE", "/api/jobs/x", None, 404),
    ("GET", "/api/sites/x/tree", None, 404),
    ("GET", "/api/sites/SITE/tree/x", None, 404),
    ("GET", "/api/sites/SITE/tree/" + "f" * 40, None, 404),
    ("GET", "/api/sites/SITE/tree/0000000000000000/blocks", None, 404),
    ("GET", "/api/sites/SITE/threshold?value=-1", None, 422),
    ("PUT", "/api/sites/SITE/settings", {"threshold": "x"}, 422),
    ("PUT", "/api/sites/SITE/settings", {"threshold": True}, 422),
    ("PUT", "/api/sites/SITE/settings", {"method": 7}, 422),
    ("PUT", "/api/sites/SITE/settings", {"comments": "x"}, 422),
    ("PUT", "/api/sites/SITE/settings", {"nothing": 1}, 400),
    ("PUT", "/api/sites/SITE/settings", [], 400),
    ("POST", "/api/sites/SITE/corrections", {}, 400),
    ("POST", "/api/sites/SITE/corrections", {"page": "x", "block": 0, "keep": True}, 404),
    ("POST", "/api/sites/SITE/corrections", {"page": "PAGE", "block": 9999, "keep": True}, 404),
    ("POST", "/api/sites/SITE/corrections", {"page": "PAGE", "block": True, "keep": True}, 400),
    ("POST", "/api/sites/SITE/corrections", {"page": "PAGE", "block": 0, "keep": 1}, 400),
    ("POST", "/api/sites/SITE/corrections", {"page": "PAGE", "block": 1, "keep": True, "scope": "x"}, 400),
    ("POST", "/api/sites/SITE/corrections/undo", None, 409),
    ("DELETE", "/api/sites/SITE/corrections/1", None, 404),
    ("POST", "/api/eliminate", {"sites": ["x"]}, 404),
    ("POST", "/api/eliminate", {"sites": "x"}, 400),
    ("POST", "/api/eliminate", {"learn_again": 1}, 400),
    ("POST", "/api/pages/remove", {}, 400),
    ("POST", "/api/pages/remove", {"pages": [1]}, 400),
    ("PATCH", "/api/pages/PAGE", {"site": 1}, 400),
    ("PUT", "/api/pages/PAGE/gold", {}, 400),
    ("POST", "/api/clean", {}, 400),
    ("POST", "/api/clean", {"html": 1}, 400),
    ("POST", "/api/clean", {"html": "x", "format": "nothing"}, 400),
    ("POST", "/api/clean", {"html": "x", "method": "nothing"}, 422),
    ("POST", "/api/clean", {"html": "x", "site": "unknown"}, 404),
    ("POST", "/api/learn", {"site": "x", "pages": [1]}, 400),
    ("POST", "/api/learn", {"site": "x", "pages": []}, 404),
]


@pytest.mark.parametrize(("verb", "path", "body", "status"), BAD_REQUESTS, ids=lambda value: str(value)[:60])
def test_errors_have_one_shape(cleaned_sample: Tab, verb: str, path: str, body: Any, status: int) -> None:
    page, site = first(cleaned_sample)
    filled = json.loads(json.dumps(body).replace("PAGE", page))
    answer = cleaned_sample.client.request(verb, path.replace("PAGE", page).replace("SITE", site), json=filled)
    assert answer.status_code == status, answer.text
    assert set(answer.json()) == {"error"}
    assert set(answer.json()["error"]) == {"code", "message", "remedy"}
    assert answer.json()["error"]["message"]
    assert "Traceback" not in answer.text
    assert ".py" not in answer.text


@pytest.mark.parametrize("body", [b"{", b"\xff", b"[" * 100_000, b'"x"', b"nul", b"{}" * 2])
def test_bodies_that_are_not_json(cleaned_sample: Tab, body: bytes) -> None:
    answer = cleaned_sample.client.post("/api/clean", content=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid")


def test_an_internal_error_reveals_no_details(tab: Tab, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("the secret of line 7")

    monkeypatch.setattr(type(tab.state.jobs), "newest_first", broken)
    answer = tab.client.get("/api/jobs")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "fault")
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text
