"""Style sheets of pages are shown without anything that loads, runs, covers or moves."""

from __future__ import annotations

import io
import zipfile

import pytest
from app_tab import Tab
from hypothesis import given
from hypothesis import strategies as st

from dehusk.webapp.harmless_styles import harmless_declarations, harmless_sheet

WORDS = "evil.example url @import @font-face expression behavior binding paint -set".split()
KEPT = "p {color: red}\n"
ATTACKS = [
    "@import 'http://evil.example/a.css';",
    "@import url(http://evil.example/a.css) screen;",
    "@font-face { font-family: x; src: url(http://evil.example/f) }",
    "a { background: url(http://evil.example/i) }",
    "a { background: URL( 'http://evil.example/i' ) }",
    r"a { background: \75rl(http://evil.example/i) }",
    "a { background-image: image-set('http://evil.example/i' 1x) }",
    "a { background-image: -webkit-image-set('http://evil.example/i' 1x) }",
    "a { background: src('http://evil.example/i') }",
    "a { --x: url(http://evil.example/i); background: var(--x) }",
    "a { width: expression(evil()) }",
    "a { behavior: url(evil.htc) }",
    "a { -moz-binding: url(evil.xml#x) }",
    "a { cursor: url(http://evil.example/c), auto }",
    "a { content: url(http://evil.example/i) }",
    "a { list-style: square url(http://evil.example/i) }",
    "a { filter: url(http://evil.example/f#x) }",
    "@media screen { a { background: url(http://evil.example/i) } }",
    "@supports (display: grid) { @import 'http://evil.example/a.css'; }",
    "a { background: url(http://evil.example/unclosed",
    'a { background: url("http://evil.example/\n bad") }',
    "@namespace x url(http://evil.example/); a { animation: x 1s } @keyframes x { to { background: url(http://e) } }",
    "a { b { background: url(http://evil.example/nested) } }",
    "a { background: paint(evil) } a { pointer-events: none; user-select: none }",
    "</style><script>evil()</script>",
    "a:has(b[c='" + "(" * 100 + "']) { color: red }",
    "@media " * 50 + "{ a { background: url(http://evil.example/i) } }",
    "a { x: " + "(" * 50_000 + " }",
]


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_is_loaded(attack: str) -> None:
    for css in (attack, KEPT + attack):
        shown = harmless_sheet(css).lower()
        assert not [word for word in WORDS if word in shown]
        assert "animation" not in shown
        assert "pointer-events" not in shown


def test_what_is_harmless_is_kept() -> None:
    css = "p { color: red } @media (max-width: 30em) { p, li > a:hover { margin: 0 auto !important } } /* c */"
    shown = harmless_sheet(css)
    assert KEPT in shown
    assert "@media (max-width: 30em)" in shown
    assert "margin: 0 auto !important" in shown
    assert harmless_sheet(css, "print").startswith("@media print {")
    assert harmless_sheet(css, "x} * {color: red") == ""


@pytest.mark.parametrize("value", ["fixed", "STICKY", "-webkit-sticky"])
def test_nothing_stays_over_the_page(value: str) -> None:
    assert harmless_declarations(f"position: {value}; top: 0") == "position: static; top: 0"
    assert harmless_declarations("position: absolute") == "position: absolute"


@given(st.text(st.sampled_from("ab{}()[];:@'\"\\/*,.#urlimport -\n")))
def test_any_sheet_gives_a_sheet_that_stays_the_same(css: str) -> None:
    shown = harmless_sheet(css)
    assert "url(" not in shown.lower()
    assert harmless_sheet(shown) == shown


def test_sheets_come_with_folders_archives_and_saved_pages(tab: Tab) -> None:
    page = '<link rel=stylesheet href="../look/a.css?v=2"><p class=x id=y style="color: blue">text</p>'
    folder = tab.send(("site/pages/one.html", page.encode()), ("site/look/a.css", b".x { color: red }"))
    assert folder["skipped"] == []
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        archive.writestr("pages/two.html", page)
        archive.writestr("look/a.css", ".x { color: green }")
    archived = tab.send(("z.zip", written.getvalue()))
    saved = (
        b'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="b"\n\n'
        b"--b\nContent-Type: text/html\nContent-Location: https://a.example/p/\n\n" + page.encode() + b"\n"
        b"--b\nContent-Type: text/css\nContent-Location: https://a.example/look/a.css?v=2\n\n"
        b".x { color: teal }\n--b--\n"
    )
    mhtml = tab.send(("saved.mhtml", saved))
    for added, colour in ((folder, "red"), (archived, "green"), (mhtml, "teal")):
        page_id = added["added"][0]["id"]
        css = tab.get(f"/view/{page_id}/style.css").text
        assert f".x {{color: {colour}}}" in css
        assert ".dehusk-style-0 {color: blue}" in css
        view = tab.get(f"/view/{page_id}/styled")
        assert ' x dehusk-style-0" id="y"' in view.text
        assert "style=" not in view.text.partition("<body")[2]
        assert "style-src 'self';" in view.headers["content-security-policy"]


def test_without_a_sheet_the_plain_view_is_shown(tab: Tab) -> None:
    page = tab.send(("a.html", b"<link rel=stylesheet href=/gone.css><p class=x>text"))["added"][0]["id"]
    assert 'data-view="original"' in tab.get(f"/view/{page}/styled").text
    assert tab.get(f"/view/{page}/style.css").text == ""
