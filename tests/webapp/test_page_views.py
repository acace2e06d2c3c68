"""In a page view every block stays where it was, marked as kept or noise."""

from __future__ import annotations

import pytest
from app_tab import Tab, story
from lxml import html as independent

from dehusk.blocks.segmentation import segment
from dehusk.deciding.decisions import label_blocks
from dehusk.methods import METHODS
from dehusk.page.page_reading import read_page
from dehusk.webapp.page_views import original_view

PAGES = {
    "paragraphs": "<title>Title</title><h1>Heading</h1><p>One <b>two</b> three</p><div>loose<p>inner</p>behind</div>",
    "breaks": "<div>first<br><br>second<br>same</div>",
    "lists": "<ul><li>a<ul><li>b</li></ul>c</li><li><p>d</p></li></ul><dl><dt>e<dd>f</dl>",
    "tables": "<table><caption>c</caption><tr><th colspan=2>h</table><table><tr><td>a<td>b<table><tr><td>n</table>",
    "forms": "<form><label>l</label><select><option>a<option>b</select><textarea>t</textarea><button>go</button>",
    "hidden": "<p>shown <span hidden>not</span> again</p><div hidden>nothing</div><noscript>alternative</noscript>",
    "preformatted": "<pre>\n\n  code\n    here</pre><xmp><b>bold?</b></xmp>",
    "svg and math": "<p>before <svg><title>icon</title><text>label</text></svg> after</p><math><mi>x</mi></math>",
    "misnested": "<p><b>bold<p>still</b> plain<a href=/x>one<a href=/y>two</a>",
    "paragraph around blocks": "<p>a<object><p>b</p></object>c",
    "table parts out of place": "<div><td>cell</td><tr>row</tr></div><template><td>x</td></template>",
    "signs": "<p>a &lt;b&gt; &amp;amp; c &quot;d&quot; \u202e e \x1f f</p>",
    "bare": "just text",
    "nothing": "",
}


def shown_texts(view: str) -> dict[int, str]:
    """The text of each block, as it is marked in the shown page."""
    found: dict[int, str] = {}
    tree = independent.document_fromstring(view)
    for element in tree.iter():
        if isinstance(element.tag, str) and "data-block" in element.attrib:
            number = int(element.attrib["data-block"])
            found[number] = found.get(number, "") + "".join(element.itertext())
    return found


def plain(text: str) -> str:
    return "".join(sign for sign in text if sign.isprintable() and not sign.isspace())


@pytest.mark.parametrize("name", PAGES)
def test_every_block_is_marked_in_its_position(name: str) -> None:
    blocks = segment(read_page(PAGES[name]))
    labelled = label_blocks(blocks, METHODS["satisfiable-subtree"]().fit())
    found = shown_texts(original_view(labelled, "0" * 20, images=False))
    assert sorted(found) == list(range(len(blocks)))
    for index, text in enumerate(blocks.texts):
        assert plain(found[index]) == plain(text), index


def test_every_block_of_the_sample_site_is_marked(cleaned_sample: Tab) -> None:
    for page in cleaned_sample.workspace()["pages"][:31:5]:
        blocks = cleaned_sample.get(f"/api/pages/{page['id']}/blocks")["blocks"]
        view = cleaned_sample.get(f"/view/{page['id']}/original").text
        assert sorted(shown_texts(view)) == [block["index"] for block in blocks]
        for element in independent.document_fromstring(view).iter():
            if isinstance(element.tag, str) and "data-block" in element.attrib:
                block = blocks[int(element.attrib["data-block"])]
                wanted = "dehusk-kept" if block["kept"] else "dehusk-noise"
                assert wanted in element.attrib["class"].split()
                assert ("dehusk-hidden" in element.attrib["class"].split()) == block["hidden"]
                inside = {
                    inner.attrib["data-block"] for inner in element.iterdescendants() if "data-block" in inner.attrib
                }
                assert inside <= {element.attrib["data-block"]}


def test_the_cleaned_view_holds_what_is_kept(cleaned_sample: Tab) -> None:
    page = next(page for page in cleaned_sample.workspace()["pages"] if "hard-water" in page["name"])
    view = cleaned_sample.get(f"/view/{page['id']}/cleaned").text
    blocks = cleaned_sample.get(f"/api/pages/{page['id']}/blocks")["blocks"]
    shown = plain("".join(independent.document_fromstring(view).itertext()))
    for block in blocks:
        if len(block["text"]) > 60:
            assert (plain(block["text"]) in shown) == block["kept"]


def test_a_view_follows_the_threshold(cleaned_sample: Tab) -> None:
    page = cleaned_sample.workspace()["pages"][0]["id"]
    nothing = cleaned_sample.get(f"/view/{page}/original", value="1").text
    everything = cleaned_sample.get(f"/view/{page}/original", value="0").text
    assert everything.count("dehusk-kept") > nothing.count("dehusk-kept")
    assert "dehusk-noise" not in everything.replace("dehusk-noise dehusk-hidden", "")


def test_endless_pages_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dehusk.webapp.page_views._MOST_ROWS", 1_000)
    blocks = segment(read_page("<p>a</p>" * 5_000))
    labelled = label_blocks(blocks, METHODS["satisfiable-subtree"]().fit())
    view = original_view(labelled, "0" * 20, images=False)
    assert "is not shown" in view
    assert len(shown_texts(view)) < 1_000


KINDS = ("original", "styled", "cleaned")


def told(tab: Tab, path: str, status: int) -> str:
    """The text of an error that is shown as a page."""
    answer = tab.get(path, status)
    assert answer.headers["content-type"].startswith("text/html")
    assert "default-src 'none'; style-src 'self'" in answer.headers["content-security-policy"]
    document = independent.document_fromstring(answer.text)
    assert document.attrib["data-view"] == "error"
    return " ".join(document.text_content().split())


@pytest.mark.parametrize("kind", KINDS)
def test_a_view_of_a_removed_page_says_so(tab: Tab, kind: str) -> None:
    assert "no such page reload" in told(tab, f"/view/{'0' * 20}/{kind}", 404)


@pytest.mark.parametrize("kind", KINDS)
def test_a_view_of_a_page_that_is_not_read_says_why(tab: Tab, kind: str) -> None:
    (page,) = tab.send(("<b>&amp;.html", b"<a>" * 2_000_001))["added"]
    assert "<b>&amp;.html: 2,000,001 tags, 2,000,000 allowed" in told(tab, f"/view/{page['id']}/{kind}", 413)


@pytest.mark.parametrize("kind", KINDS)
def test_a_fault_in_a_view_is_shown_there_without_its_details(
    tab: Tab, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*given: object) -> str:
        raise KeyError("detail of the fault")

    (page,) = tab.send(("a.html", story(1)))["added"]
    monkeypatch.setattr("dehusk.webapp.result_routes.style_sheet", lambda *given: "p { color: red }")
    monkeypatch.setattr(f"dehusk.webapp.result_routes.{kind}_view", fail)
    message = told(tab, f"/view/{page['id']}/{kind}", 500)
    assert "internal server error see the server's log" in message
    assert "detail" not in message


def test_style_sheets_and_the_api_answer_errors_as_before(tab: Tab) -> None:
    for path in (f"/view/{'0' * 20}/style.css", f"/api/pages/{'0' * 20}/result", "/view/other"):
        assert tab.get(path, 404)["error"]["code"] == "not-found"
