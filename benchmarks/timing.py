"""The speed lines of compare.py: what is timed, and how."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Final

import turbohtml
from labelled_pages import data_folder

from dehusk.blocks.segmentation import segment
from dehusk.cleaning import clean
from dehusk.deciding.decisions import label_blocks
from dehusk.errors import DehuskError
from dehusk.lab.evaluation.other_tools import OtherTool, decoded_html
from dehusk.lab.gold.corpora import Corpus, take
from dehusk.methods import DEFAULT_METHOD, find_method
from dehusk.methods.base import Method, Model
from dehusk.methods.page_network.trained_weights import load_trained
from dehusk.outputs.page_records import RecordOptions
from dehusk.page.page_columns import Page
from dehusk.page.page_reading import read_page
from dehusk.sources.raw_page import RawPage
from dehusk.workers.guard import guarded

PARSE_STR: Final = "turbohtml.parse(str)"
PARSE_BYTES: Final = "turbohtml.parse(bytes)"
PARSE_LEXBOR: Final = "lexbor, bare parse (bytes)"
"""Through selectolax: the fastest parser that builds a whole tree."""
READ: Final = "dehusk read_page(bytes)"
READ_AND_SEGMENT: Final = "dehusk read_page(bytes) + segment"
SCORED: Final = "dehusk ... + features and network"
LABELLED: Final = "dehusk ... + decision"
CLEANED: Final = "dehusk clean(bytes).text"
"""With the default method, and nothing known of the site."""
RECORDED: Final = "dehusk clean(bytes).to_record(), Markdown"
"""A record as batches write it: Markdown and metadata."""

SCRIPTS_EMPTIED: Final = frozenset(
    "wcxb fundus-tests magic-html msv-big9-chaos google-trends-2017 daniel-waddle dragnet-2012 "
    "crawl-to-the-future".split()
)
"""Data sets whose scripts and styles were emptied to save space: lighter than real pages, so never timed."""
SITES: Final = "shop-cloudchemistry news-90minutos forum-gbadev docs-postgresql swde-camera".split()
"""Sites timed along with the gold: a shop, news, a forum, documentation, product pages."""
PAGES_A_SET: Final = 20
_IN_MARKDOWN: Final = RecordOptions(content="markdown")


@dataclass(frozen=True, slots=True)
class TimedPage:
    """A page with all that any line needs, so that nothing is prepared while the clock runs."""

    raw: RawPage
    html: str
    language: str
    site: str


@dataclass(frozen=True, slots=True)
class Timing:
    """The best round of one line."""

    seconds: float
    pages: int
    failures: int

    @property
    def milliseconds(self) -> float:
        """Per page."""
        return 1000 * self.seconds / self.pages


Work = Callable[[TimedPage], object]


def site_corpora() -> list[Corpus]:
    """Those of the sites that are there."""
    files = [data_folder() / "sites" / f"{name}.parquet" for name in SITES]
    return [Corpus(str(file)) for file in files if file.exists()]


def timed_pages(corpora: Sequence[Corpus]) -> list[TimedPage]:
    """Some pages of each set, evenly spread over it, except of sets that are not as collected."""
    chosen = [corpus for corpus in corpora if corpus.name not in SCRIPTS_EMPTIED]
    return [
        TimedPage(page.raw, decoded_html(page.raw.body), page.language, page.site)
        for corpus in chosen
        for page in take(corpus, PAGES_A_SET)
    ]


def speed_lines(methods: Sequence[str], tools: Sequence[OtherTool], pages: Sequence[TimedPage]) -> dict[str, Work]:
    """Name -> what to do with a page: bare parsers first, then dehusk stage by stage, then the other tools.

    Methods that learn are given the pages before the clock starts.
    """
    network, default = load_trained().network, find_method(DEFAULT_METHOD).fit()
    return {
        PARSE_STR: lambda page: turbohtml.parse(page.html),
        PARSE_BYTES: lambda page: turbohtml.parse(page.raw.body),
        **_other_parsers(),
        READ: lambda page: read_page(page.raw),
        READ_AND_SEGMENT: lambda page: segment(read_page(page.raw)),
        SCORED: lambda page: network.read_blocks(segment(read_page(page.raw))),
        LABELLED: lambda page: label_blocks(segment(read_page(page.raw)), default),
        CLEANED: lambda page: clean(page.raw).text,
        RECORDED: lambda page: clean(page.raw).to_record(_IN_MARKDOWN),
        **{method_line(name): _clean_line(name, pages) for name in methods},
        **{tool_line(tool.name): _tool_line(tool) for tool in tools},
    }


def method_line(method: str) -> str:
    """The name of the line that times a method of ours, bytes to text; those that learn have learnt the site."""
    return f"{CLEANED}, {method}"


def tool_line(tool: str) -> str:
    """The name of the line that times another tool, decoded html to text."""
    return f"{tool} (str)"


def time_lines(lines: Mapping[str, Work], pages: Sequence[TimedPage], repeat: int) -> dict[str, Timing]:
    """The best of `repeat` rounds; every round runs all lines, so that noise of the machine hits all alike."""
    for work in lines.values():
        guarded(work, pages[0], "warm-up")
    # What the tools keep after loading is not looked through on behalf of the others at each garbage collection.
    gc.collect()
    gc.freeze()
    rounds = [{name: _time(work, pages) for name, work in lines.items()} for _ in range(repeat)]
    return {name: min((times[name] for times in rounds), key=lambda timing: timing.seconds) for name in lines}


def _time(work: Work, pages: Sequence[TimedPage]) -> Timing:
    """Processor time, not the clock on the wall: every line runs on one thread and none waits for anything."""
    gc.collect()
    begun = time.process_time()
    failures = sum(isinstance(guarded(work, page, page.raw.label), DehuskError) for page in pages)
    return Timing(time.process_time() - begun, len(pages), failures)


def _other_parsers() -> dict[str, Work]:
    lines: dict[str, Work] = {}
    if find_spec("selectolax"):
        lexbor = import_module("selectolax.lexbor").LexborHTMLParser
        lines[PARSE_LEXBOR] = lambda page: lexbor(page.raw.body)
    if find_spec("lxml"):
        lxml_html = import_module("lxml.html")
        lines["lxml.html (str)"] = lambda page: lxml_html.document_fromstring(page.html)
    if find_spec("resiliparse"):
        tree = import_module("resiliparse.parse.html").HTMLTree
        lines["resiliparse HTMLTree (str)"] = lambda page: tree.parse(page.html)
    return lines


def _clean_line(name: str, pages: Sequence[TimedPage]) -> Work:
    models = _site_models(find_method(name), pages)
    return lambda page: clean(page.raw, models[page.site]).text


def _site_models(method: Method, pages: Sequence[TimedPage]) -> dict[str, Model]:
    """A model for every site, learnt from its timed pages if the method learns."""
    sites: dict[str, list[Page]] = {page.site: [] for page in pages}
    for page in pages if method.learns else ():
        sites[page.site].append(read_page(page.raw))
    return {site: method.fit(of_site) for site, of_site in sites.items()}


def _tool_line(tool: OtherTool) -> Work:
    return lambda page: tool(page.html, page.language)
