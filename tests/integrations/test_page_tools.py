"""What the tools for language models answer, and what they refuse to read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from local_server import Answer, LocalSite, serving
from small_web_site import answer

import dehusk
from dehusk.integrations import kept_pages
from dehusk.integrations.kept_pages import Access, KeptPages
from dehusk.integrations.page_tools import EXCERPT, MOST_BLOCKS, PART_CHARACTERS, PageTools, _relevance, end_of_part

SENTENCE = "Steep the leaves for three minutes, then pour the tea into a warm cup. "
LONG = "<h1>Tea</h1>" + "".join(f"<h2>Part {number}</h2><p>{SENTENCE * 9}" for number in range(60))
SHELL = "<title>Shop</title><div id=root></div><noscript>You need to enable JavaScript.</noscript>"
ROUTES = {
    "/long": Answer(LONG.encode()),
    "/shell": Answer(SHELL.encode()),
    "/pdf": Answer(b"%PDF-1.4", content_type="application/pdf"),
    "/forbidden": Answer(b"no", 403),
    "/broken": Answer(b"no", 503),
}


@pytest.fixture
def site() -> Iterator[LocalSite]:
    with serving(lambda path: ROUTES.get(path) or answer(path)) as site:
        yield site


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    below = tmp_path / "pages"
    below.mkdir()
    (below / "tea.html").write_text(f"<title>Tea</title><h1>Tea</h1><p>{SENTENCE * 5}")
    (tmp_path / "secret.html").write_text("<p>secret")
    (below / "link.html").symlink_to(tmp_path / "secret.html")
    (below / "within.html").symlink_to(below / "tea.html")
    (below / "pages.zip").write_bytes(b"PK")
    (below / "empty.html").write_bytes(b"")
    os.mkfifo(below / "pipe.html")
    return below


@pytest.fixture
def tools(folder: Path) -> Iterator[PageTools]:
    with KeptPages(Access(folder, allow_private=True, delay=0)) as pages:
        yield PageTools(pages)


def test_a_long_page_comes_in_parts_and_is_fetched_once(tools: PageTools, site: LocalSite) -> None:
    whole = dehusk.clean(LONG, url=f"{site.url}/long").markdown
    told = tools.clean_url(f"{site.url}/long")
    texts = [told["text"]]
    while told["next_start"] is not None:
        told = tools.clean_url(f"{site.url}/long", start=told["next_start"])
        texts.append(told["text"])
    assert "".join(texts) == whole
    assert len(texts) > 1
    assert all(len(text) <= PART_CHARACTERS for text in texts)
    assert all(text.startswith(("#", "Steep")) for text in texts)
    assert (told["characters"], told["title"]) == (len(whole), "Tea")
    assert site.asked.count("/long") == 1
    with pytest.raises(dehusk.InvalidSetting, match="beyond the text"):
        tools.clean_url(f"{site.url}/long", start=len(whole) + 1)
    with pytest.raises(dehusk.InvalidSetting, match="less than 0"):
        tools.clean_url(f"{site.url}/long", start=-1)


@pytest.mark.parametrize(
    ("path", "kind"), [("/pdf", "not-html"), ("/forbidden", "blocked"), ("/broken", "server-failed")]
)
def test_failures_have_kinds(tools: PageTools, site: LocalSite, path: str, kind: str) -> None:
    with pytest.raises(dehusk.DehuskError) as raised:
        tools.clean_url(site.url + path)
    assert raised.value.kind == kind


def test_a_shell_is_told(tools: PageTools, site: LocalSite) -> None:
    assert tools.clean_url(f"{site.url}/shell")["problem"] == "js-required"


def test_private_addresses_are_refused_unless_allowed(folder: Path, site: LocalSite) -> None:
    with KeptPages(Access(folder)) as pages:
        tools = PageTools(pages)
        for call in (tools.clean_url, tools.clean_site, lambda url: tools.search_page("tea", url), tools.explain):
            with pytest.raises(dehusk.PrivateAddress):
                call(f"{site.url}/long")
    assert site.asked == []
    with KeptPages(Access(folder)) as pages, pytest.raises(dehusk.AddressRefused, match="not an address of the web"):
        PageTools(pages).clean_url("file:///etc/passwd")


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("../secret.html", dehusk.NotFollowed),
        ("link.html", dehusk.NotFollowed),
        ("/etc/passwd", dehusk.NotFollowed),
        ("tea.html\0", dehusk.NotFollowed),
        ("pipe.html", dehusk.NotFollowed),
        (".", dehusk.NotFollowed),
        ("nowhere.html", dehusk.SourceNotFound),
        ("pages.zip", dehusk.NotHtml),
        ("empty.html", dehusk.EmptyPage),
    ],
)
def test_files_are_read_below_the_folder_alone(tools: PageTools, path: str, error: type[dehusk.DehuskError]) -> None:
    for call in (tools.clean_file, tools.explain, lambda path: tools.search_page("tea", path)):
        with pytest.raises(error) as raised:
            call(path)
        assert raised.value.subject == path


def test_files_and_html_are_cleaned(tools: PageTools, folder: Path) -> None:
    expected = dehusk.clean((folder / "tea.html").read_bytes())
    for path in ("tea.html", "within.html", str(folder / "tea.html")):
        told = tools.clean_file(path, "text")
        assert (told["text"], told["name"], told["confidence"]) == (
            expected.text,
            path,
            round(expected.confidence or 0, 4),
        )
    html = f"<p>{SENTENCE * 5}<a href=/milk>Milk and sugar</a> are for others."
    told = tools.clean_html(html, url="https://a.example/", links=True)
    assert "[Milk and sugar](https://a.example/milk)" in told["text"]
    assert tools.clean_html("a\ud800b")["text"] == "a\ufffdb\n"


def test_a_site_is_learnt_and_its_pages_are_kept(tools: PageTools, site: LocalSite) -> None:
    told = tools.clean_site(site.url, pages=6)
    assert told["learnt"]
    assert len(told["pages"]) == 6
    assert all(len(page["excerpt"]) <= EXCERPT + 1 for page in told["pages"])
    asked = len(site.asked)
    for page in told["pages"]:
        cleaned = tools.clean_url(page["url"])
        assert cleaned["text"]
        assert (cleaned["title"], cleaned["words"]) == (page["title"], page["words"])
    assert len(site.asked) == asked
    with pytest.raises(dehusk.InvalidSetting, match="not between 1 and 30"):
        tools.clean_site(site.url, pages=31)


def test_a_slow_site_is_left_when_the_time_is_over(folder: Path, site: LocalSite) -> None:
    def clock() -> float:  # fifteen seconds for each request
        return 15.0 * len(site.asked)

    with KeptPages(Access(folder, allow_private=True, delay=0), clock=clock) as pages:
        found = PageTools(pages).clean_site(site.url, pages=20)["pages"]
    assert 1 <= len(found) <= 3


def test_old_pages_are_fetched_again(folder: Path, site: LocalSite) -> None:
    now = [0.0]
    with KeptPages(Access(folder, allow_private=True, delay=0), clock=lambda: now[-1]) as pages:
        for moment in (0.0, 599.0, 601.0, 1200.0):
            now.append(moment)
            pages.page_at(f"{site.url}/shell")
    assert site.asked.count("/shell") == 2


def test_what_is_kept_is_bounded(folder: Path, site: LocalSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_pages, "KEPT_BYTES", len(LONG) + 10)
    with KeptPages(Access(folder, allow_private=True, delay=0)) as pages:
        for path in ("/long", "/shell", "/long", "/shell", "/shell"):
            pages.page_at(site.url + path)
        for number in range(20):
            pages.keep_model(f"https://{number}.example/", dehusk.SatisfiableSubtree().fit())
        assert pages.model_of("https://1.example/") is None
        assert pages.model_of("https://19.example/a") is not None
    assert site.asked.count("/long") == 2
    assert site.asked.count("/shell") == 2


def test_a_search_finds_the_part(tools: PageTools) -> None:
    html = LONG.replace("<h2>Part 40</h2><p>", "<h2>Part 40</h2><p>Limescale is what hard water leaves in a kettle. ")
    told = tools.search_page("Where does LIMESCALE come from?", html=html, results=2)
    best = told["results"][0]
    assert best["headings"][-1] == "Part 40"
    assert dehusk.clean(html).markdown[best["start"] :].startswith(best["text"])
    assert len(told["results"]) <= 2
    assert tools.search_page("zeppelin", html=html)["results"] == []
    for wrong in (
        {"query": "?", "html": html},
        {"query": "tea", "html": html, "results": 21},
        {"query": "tea"},
        {"query": "tea", "html": html, "source": "a.html"},
    ):
        with pytest.raises(dehusk.InvalidSetting):
            tools.search_page(**wrong)


def test_relevance_prefers_rare_words_and_short_documents() -> None:
    documents = ["tea milk", "tea tea sugar cup", "tea", "", "kettle cup milk sugar tea"]
    scores = _relevance(["kettle", "tea"], [text.split() for text in documents])
    assert max(scores) == scores[4]
    assert scores[2] > scores[0]
    assert scores[3] == 0
    assert _relevance(["tea"], []) == []


def test_decisions_are_explained_in_parts(tools: PageTools) -> None:
    html = "<nav><a href=/>Home</a></nav>" + "".join(f"<p>{number}. {SENTENCE * 2}</p>" for number in range(70))
    told = tools.explain(html=html)
    assert len(told["listed"]) == told["next_start"] == MOST_BLOCKS
    rest = tools.explain(html=html, start=MOST_BLOCKS)
    assert rest["next_start"] is None
    assert len(rest["listed"]) == told["blocks"] - MOST_BLOCKS
    (home,) = tools.explain(html=html, text="home")["listed"]
    assert not home["kept"]
    assert home["reasons"]


@pytest.mark.parametrize(
    ("text", "end"), [("aaaa\n\nbbbb", 6), ("aaaa\nbbbbbbb", 5), ("aaaa bbbbbbb", 5), ("a" * 20, 8), ("aaa", 3)]
)
def test_parts_end_between_blocks_lines_or_words(text: str, end: int) -> None:
    assert end_of_part(text, 0, 8) == end
