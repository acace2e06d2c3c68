"""Options: they change how the content looks, never which words there are and which blocks are kept."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace

import pytest
import turbohtml
from keep_visible import clean_visible
from lxml import etree
from markdown_it import MarkdownIt

import dehusk
from dehusk import OutputOptions

PAGE = """<title>T</title><h1>Alpha</h1><p>Beta <a href=/x>gamma</a> <b>delta</b> <code>epsilon</code></p>
<p>Pins<sup><a href=#n>[1]</a></sup> rust <img src=/i.png alt=nothing> often.</p>
<ul><li>zeta<ol start=3><li>eta</ol></ul><blockquote>theta</blockquote><pre class=lang-c>iota  kappa</pre>
<dl><dt>lambda<dd>mu</dl><table><caption>nu</caption><tr><th>xi<th>omicron<tr><td>pi<td>rho</table>
<figure><img src=/j.png alt=nothing><figcaption>sigma</figcaption></figure><p id=n>tau</p>"""
WORDS = (
    "T Alpha Beta gamma delta epsilon Pins rust often zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma "
    "tau"
)
OPTIONS = ("links", "images", "tables", "comments", "formatting", "footnotes")
FORMATS = ("text", "markdown", "html", "xml", "tei")


def _shown(format_name: str, rendered: str) -> str:
    if format_name == "markdown":
        rendered = MarkdownIt("commonmark").enable("table").render(re.sub(r"\\[\\^1\\]:?", " ", rendered))
    if format_name in {"markdown", "html"}:
        body = turbohtml.parse(re.sub("<(?=td|th|li|br|p|dd)", " <", rendered)).select_one("body")
        return body.text if body else ""
    if format_name == "text":
        return rendered
    root = etree.fromstring(rendered.encode())
    for description in list(root.iter("{*}desc")):
        description.text = ""
    parts = root.iter("{*}body", "{*}notes", "{*}back")
    return " ".join(text for part in parts for text in part.itertext())


def _words(format_name: str, rendered: str) -> list[str]:
    return re.findall("[A-Za-z]+", _shown(format_name, rendered))


def _variants() -> list[OutputOptions]:
    default = OutputOptions()
    single = [replace(default, **{name: not getattr(default, name)}) for name in OPTIONS]
    return [default, *single, OutputOptions(True, True, False, False, False, False)]


@pytest.mark.parametrize("options", _variants(), ids=str)
@pytest.mark.parametrize("format_name", FORMATS)
def test_every_option_keeps_words_and_blocks(format_name: str, options: OutputOptions) -> None:
    page = clean_visible(PAGE)
    before = [block.kept for block in page]
    assert _words(format_name, page.render(format_name, options)) == WORDS.split()
    assert [block.kept for block in page] == before


@pytest.mark.parametrize("format_name", FORMATS)
@pytest.mark.parametrize("name", [name for name in OPTIONS if name != "comments"])
def test_every_option_does_something(format_name: str, name: str) -> None:
    page = clean_visible(PAGE)
    everything = OutputOptions(links=True, images=True)
    without = replace(everything, **{name: False})
    changes = page.render(format_name, everything) != page.render(format_name, without)
    # Plain text shows neither links nor images, and of formatting only powers.
    assert changes == (format_name != "text" or name in {"tables", "footnotes"})


@pytest.mark.parametrize("content", ["text", "markdown", "html"])
def test_records_hold_the_content_in_any_format(content: str) -> None:
    page = clean_visible(PAGE)
    options = dehusk.RecordOptions(content=content)
    assert json.loads(page.render("jsonl", options))["text"] == page.render(content)
    (row,) = csv.DictReader(io.StringIO(page.render("csv", options), newline=""))
    assert row["text"] == page.render(content)


def test_csv_without_names_of_columns() -> None:
    page = clean_visible(PAGE)
    with_names = page.render("csv").split("\n", 1)
    assert page.render("csv", dehusk.RecordOptions(header=False)) == with_names[1]


def test_records_know_no_other_content() -> None:
    with pytest.raises(dehusk.DehuskError, match="tei"):
        dehusk.RecordOptions(content="tei")
