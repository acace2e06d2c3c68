"""Style sheets of fetched pages are fetched by the rules of a crawl, and shown made harmless."""

from __future__ import annotations

from collections.abc import Callable

from app_tab import Tab
from local_server import Answer, serving

from dehusk.sources.fetching import HttpFetcher
from dehusk.sources.raw_page import RawPage
from dehusk.webapp.fetched_styles import WantedSheets


def test_sheets_of_fetched_pages_are_fetched_by_the_rules_of_a_crawl(open_tab: Callable[..., Tab]) -> None:
    links = ("/a.css", "/private/b.css", "/page.css", "/away.css", "https://cdn.example/c.css", "/a.css")
    html = "".join(f"<link rel=stylesheet href='{link}'>" for link in links) + "<p class=x>Text of the page.</p>"
    answers = {
        "/robots.txt": Answer(b"User-agent: *\nDisallow: /private/", content_type="text/plain"),
        "/": Answer(html.encode()),
        "/a.css": Answer(b".x { color: red; position: fixed }", content_type="text/css; charset=utf-8"),
        "/page.css": Answer(b"<p>not a style sheet"),
        "/away.css": Answer(status=302, headers={"Location": "http://other.example/a.css"}),
    }
    with serving(answers.get) as site:
        tab = open_tab(allow_fetch=True, open_fetcher=lambda: HttpFetcher(allow_private=True))
        told = tab.finish(tab.post("/api/pages/fetch", {"url": f"{site.url}/"}, 202)["job"])
        assert told["state"] == "done", told["error"]
        assert site.pages_asked() == ["/", "/a.css", "/page.css", "/away.css"]
    page = told["result"]["added"][0]["id"]
    assert tab.get(f"/view/{page}/style.css").text == 2 * ".x {color: red; position: static}\n"
    reasons = {skipped["name"].rpartition("/")[2]: skipped["reason"] for skipped in told["result"]["skipped"]}
    assert set(reasons) == {"b.css", "page.css", "a.css"}
    assert "content type text/html" in reasons["page.css"]
    assert "is not on 127.0.0.1" in reasons["a.css"]
    assert (told["done"], told["total"]) == (5, 5)


def test_no_more_sheets_are_fetched_than_a_site_needs() -> None:
    sheets = WantedSheets(lambda address: address.endswith("/known.css"))
    many = "".join(f"<link rel=stylesheet href='/{number}.css'>" for number in range(50))
    sheets.add(RawPage(f"<link rel=stylesheet href=/known.css>{many}".encode(), "https://a.example/"))
    sheets.add(RawPage(b"<link rel=stylesheet href=/z.css>", "https://a.example/z"))
    assert sheets.addresses == [f"https://a.example/{number}.css" for number in range(20)]
