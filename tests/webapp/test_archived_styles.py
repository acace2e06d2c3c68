"""Style sheets of web archives are shown with their pages, made harmless."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from app_tab import Tab
from stored_pages import archive, http, record, small_archive

from dehusk.webapp.incoming import Skipped, pages_at
from dehusk.webapp.server_limits import DEFAULT_BOUNDS, Bounds


def web_archive(html: bytes) -> bytes:
    """A page, a style sheet it links to, and one that was not found."""
    css = b".x { color: red; background: url(https://evil.example/) }"
    found = {
        "https://a.example/p/": http(html),
        "https://a.example/look/a.css?v=2": http(css, media_type="text/css"),
        "https://a.example/b.css": http(b"p { color: red }", status="404 Not Found", media_type="text/css"),
    }
    return archive([record(one, WARC_Target_URI=address) for address, one in found.items()])


@pytest.mark.parametrize("name", ["site.warc", "Site.WARC.GZ"])
def test_sheets_come_with_web_archives(name: str, tab: Tab, tmp_path: Path) -> None:
    html = b"<link rel=stylesheet href='../look/a.css?v=2'><link rel=stylesheet href=/b.css><p class=x>A text.</p>"
    stored = web_archive(html)
    content = gzip.compress(stored) if name.endswith("GZ") else stored
    told = tab.send((name, content))
    assert (len(told["added"]), told["skipped"]) == (1, [])
    page = told["added"][0]
    assert (page["url"], tab.workspace()["sites"][0]["name"]) == ("https://a.example/p/", "a.example")
    assert tab.get(f"/view/{page['id']}/style.css").text == ".x {color: red}\n"
    # The same, named on the command line.
    (tmp_path / name.lower()).write_bytes(content)
    skipped = Skipped()
    (named,) = pages_at(str(tmp_path / name.lower()), DEFAULT_BOUNDS, skipped)
    assert named.raw.body == html
    assert list(skipped.styles) == ["https://a.example/look/a.css?v=2"]
    assert skipped.as_list() == []


def test_web_archives_are_bounded(open_tab: Callable[..., Tab]) -> None:
    tab = open_tab(bounds=Bounds(files=1))
    two = small_archive(count=2)
    assert "more than 1 pages" in tab.send(("a.warc", two), status=413)["error"]["message"]
    assert tab.send(("b.warc", b"WARC/1.1"))["skipped"]
    most = Skipped()
    for number in range(100):
        most.add_style(f"{number}.css", b" " * 2_000_000)
    most.add_style("large.css", b" " * 2_000_001)
    assert len(most.styles) == (64 << 20) // 2_000_000
