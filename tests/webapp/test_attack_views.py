"""Views of attack pages: nothing in them runs, loads, styles or links anywhere."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from app_tab import Tab
from attack_pages import ATTACKS, MARK
from lxml import html as independent

from dehusk.webapp.page_views import TAGS, sanitised

ATTRIBUTES = {
    *("lang", "dir", "title", "class", "data-block", "data-near", "data-href", "src", "alt", "width", "height"),
    *("start", "value", "colspan", "rowspan"),
}
FRAME = {"html", "head", "body", "meta", "title", "link"}


class Seen(HTMLParser):
    """A naive parser without HTML rules: it sees every possible tag."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.comments: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    def handle_pi(self, data: str) -> None:
        self.comments.append(data)

    unknown_decl = handle_comment


def elements_of(fragment: str) -> list[tuple[str, dict[str, str]]]:
    """All elements, as two different parsers see them."""
    seen = Seen(fragment)
    assert seen.comments == []
    tree = independent.document_fromstring(f"<html><body><div>{fragment}</div></body></html>")
    found = [(str(element.tag), dict(element.attrib)) for element in tree.iter() if isinstance(element.tag, str)]
    return [*seen.elements, *found]


def check_harmless(fragment: str, images: bool) -> None:
    for tag, attributes in elements_of(fragment):
        assert tag in TAGS | {"html", "body"}, tag
        assert images or tag != "img"
        assert set(attributes) <= ATTRIBUTES, (tag, attributes)
        source = attributes.get("src", "https://")
        assert source.startswith(("https://", "http://", "data:image/png;base64,")), source
        assert all(name.startswith("dehusk-") for name in attributes.get("class", "").split())


@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.parametrize("images", [False, True])
def test_the_sanitiser_alone_withstands(name: str, images: bool) -> None:
    check_harmless(sanitised(ATTACKS[name], images), images)


@pytest.fixture(scope="module")
def shown(cleaned_sample: Tab) -> dict[str, str]:
    """All attack pages, added to a site; name -> id."""
    files = [(f"{number}.html", html.encode("utf-8")) for number, html in enumerate(ATTACKS.values())]
    added = cleaned_sample.send(*files, site="evil")["added"]
    assert len(added) == len(ATTACKS)
    return dict(zip(ATTACKS, [page["id"] for page in added], strict=True))


def body_of(html: str) -> str:
    return html.partition("<body>")[2].rpartition("</body>")[0]


@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.parametrize("images", ["0", "1"])
@pytest.mark.parametrize("kind", ["original", "cleaned"])
def test_shown_pages_are_harmless(
    cleaned_sample: Tab, shown: dict[str, str], name: str, images: str, kind: str
) -> None:
    answer = cleaned_sample.get(f"/view/{shown[name]}/{kind}", images=images)
    check_harmless(body_of(answer.text), images == "1")
    head = answer.text.partition("<body>")[0]
    assert {tag for tag, _ in Seen(head).elements} <= FRAME
    assert re.findall(r'(?:href|src)="([^"]*)"', head) == ["/static/view.css"]


@pytest.mark.parametrize("name", ATTACKS)
def test_pages_with_their_own_style_are_harmless(cleaned_sample: Tab, name: str) -> None:
    """The same but for classes and ids, which load and run nothing."""
    html = "<style>p { color: red }</style>" + ATTACKS[name]
    page = cleaned_sample.send(("styled.html", html.encode("utf-8")), site="evil with style")
    identifier = page["added"][0]["id"] if page["added"] else page["known"][0]
    shown = cleaned_sample.get(f"/view/{identifier}/styled").text
    head, _, body = shown.partition("<body")
    assert {tag for tag, _ in Seen(head).elements} <= FRAME
    assert all(value.startswith(("/static/", "/view/")) for value in re.findall(r'(?:href|src)="([^"]*)"', head))
    for tag, attributes in Seen(body.partition(">")[2].rpartition("</body>")[0]).elements:
        assert tag in TAGS
        assert set(attributes) <= ATTRIBUTES | {"id"}
    css = cleaned_sample.get(f"/view/{identifier}/style.css").text.lower()
    assert MARK not in css
    assert "url" not in css


@pytest.mark.parametrize("name", [name for name in ATTACKS if name not in {"frame set", "text that looks like markup"}])
def test_the_text_of_attack_pages_is_shown(cleaned_sample: Tab, shown: dict[str, str], name: str) -> None:
    text = cleaned_sample.get(f"/view/{shown[name]}/original").text
    assert "A paragraph of harmless text" in text or "mutation" in name  # some of these swallow what follows


def test_nothing_external_is_loaded_without_images(cleaned_sample: Tab, shown: dict[str, str]) -> None:
    """A URL may be shown; nothing may fetch it."""
    for page in shown.values():
        for tag, attributes in Seen(cleaned_sample.get(f"/view/{page}/original").text).elements:
            loading = {name: value for name, value in attributes.items() if name in {"src", "href", "srcset", "poster"}}
            assert not any(MARK in value for value in loading.values()), (tag, loading)


def test_views_are_sandboxed(cleaned_sample: Tab, shown: dict[str, str]) -> None:
    for kind in ("original", "cleaned"):
        for images, sources in (("0", "'none'"), ("1", "http: https: data:")):
            headers = cleaned_sample.get(f"/view/{shown['script']}/{kind}", images=images).headers
            policy = dict(rule.strip().split(" ", 1) for rule in headers["content-security-policy"].split(";"))
            assert policy == {
                "default-src": "'none'",
                "style-src": "'self'",
                "img-src": sources,
                "base-uri": "'none'",
                "form-action": "'none'",
                "frame-ancestors": "'self'",
                "sandbox": "allow-same-origin",
            }
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"
            assert headers["content-type"] == "text/html; charset=utf-8"


def test_names_of_pages_are_harmless_everywhere(tab: Tab) -> None:
    name = "<img src=x onerror=evil()>\"'\u202egpj.html"
    page = tab.send((name, b"<p>text"))["added"][0]
    view = tab.get(f"/view/{page['id']}/original").text
    assert "<img" not in view
    assert "\u202e" not in view
    disposition = tab.get(f"/api/pages/{page['id']}/download").headers["content-disposition"]
    assert "\r" not in disposition
    assert re.fullmatch(r"attachment; filename=\"[\w.-]+\"; filename\*=UTF-8''[\w.%~-]+", disposition)
