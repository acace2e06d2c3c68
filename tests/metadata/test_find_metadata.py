"""What the page shows, and values that must not get through."""

from __future__ import annotations

import json
import pickle
import sys
from datetime import date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from tag_soup import tag_soup
from told_metadata import told

import dehusk
from dehusk.metadata.metadata_finding import find_metadata
from dehusk.metadata.values import Metadata
from dehusk.page.page_reading import read_page

GERMAN = "<p>" + "Der Tee zieht drei Minuten, und dann wird er noch heiß getrunken, wie es sich gehört. " * 3 + "</p>"


def of(html: str, address: str = "https://thedaily.example/post") -> Metadata:
    return find_metadata(read_page(html, address))


@pytest.mark.parametrize(
    "title",
    [
        "Tea time - The Daily",
        "The Daily | Tea time",
        "Tea time — The Daily",
        "Tea time » The Daily",
        "Tea time · The Daily",
    ],
)
def test_titles_lose_the_name_of_the_site(title: str) -> None:
    named = of(f"<meta property=og:site_name content='The Daily'><title>{title}</title>", "")
    by_address = of(f"<title>{title}</title>")
    assert (named.title, by_address.title) == ("Tea time", "Tea time")
    assert told(by_address, "site_name") == ("The Daily", "html")


def test_titles_keep_marks_of_their_own() -> None:
    assert of("<title>Tea - a story: part two | The Daily</title>").title == "Tea - a story: part two"
    assert of("<title>Tea | Rain</title>").title == "Tea | Rain"
    assert of("<title>Tea | Drinks | Food</title><h1>Tea</h1>").title == "Tea"
    assert of("<title>List&lt;String&gt; explained</title>").title == "List<String> explained"


def test_a_heading_that_links_home_is_the_name_of_the_site() -> None:
    html = "<title>All about tea - Steam</title><h1><a href=/>Steam</a></h1><h3>All about tea</h3>"
    assert of(html).title == of(html, "").title == "All about tea"
    home = "<title>Steam, tea and more</title><a href=/><h1>Steam</h1></a>"
    assert of(home, "https://thedaily.example/").title == "Steam"


def test_the_logo_is_not_the_title() -> None:
    assert of("<h1>The Daily</h1><title>Tea time | The Daily</title>").title == "Tea time"


CARD = "<meta property=og:title content='{}'>"


@pytest.mark.parametrize(
    ("declared", "headings", "title"),
    [
        (
            "Green tea brewing guide: ten cups in 2026",
            ["How to brew green tea: a guide"],
            "How to brew green tea: a guide",
        ),
        ("Autumn leaves of Japan", ["Green tea brewing"], "Green tea brewing"),  # as in the path
        ("Autumn leaves of Japan", ["Leave your comment below"], "Autumn leaves of Japan"),
        ("Green tea brewing", ["Tea (9 kinds)", "Green tea brewing"], "Green tea brewing"),
        ("Green tea brewing", ["News: Green tea brewing (9)"], "Green tea brewing"),
        ("Green tea", ["Green tea: how it is brewed"], "Green tea: how it is brewed"),
        ("Green tea", ["Green tea (9 kinds)"], "Green tea"),
        ("Green tea", ["Green tea - The Daily"], "Green tea"),
        ("Green tea brewing guide", ["Tea"], "Green tea brewing guide"),
    ],
)
def test_the_heading_that_says_the_title_is_the_title(declared: str, headings: list[str], title: str) -> None:
    html = CARD.format(declared) + "".join(f"<h1>{heading}</h1>" for heading in headings)
    found = of(html, "https://thedaily.example/tips/green-tea-brewing")
    assert found.title == title
    assert found.sources["title"] == ("opengraph" if title == declared else "page")


def test_headings_of_home_pages_are_no_titles() -> None:
    html = CARD.format("Green tea from Japan") + "<h1>The green tea of your dreams, from Japan</h1>"
    assert of(html, "https://thedaily.example/").title == "Green tea from Japan"


@pytest.mark.parametrize(
    ("declared", "title"),
    [
        ("How to brew green tea | Drinks of Asia", "How to brew green tea"),
        ("Tea | Rain", "Tea | Rain"),
        ("Two cups of tea - and what became of them", "Two cups of tea - and what became of them"),
        ("緑茶のいれかた｜ザ・デイリー", "緑茶のいれかた"),
    ],
)
def test_a_bar_at_the_end_of_a_title_sets_something_else_apart(declared: str, title: str) -> None:
    site = "<meta property=og:site_name content='ザ・デイリー'>"
    assert of(site + CARD.format(declared)).title == title


def test_a_bar_that_the_heading_has_stays() -> None:
    title = "How to brew green tea | Ann Bee asks"
    assert of(CARD.format(title) + f"<h1>{title}</h1>").title == title


def test_accents_of_sites_are_not_in_their_hosts() -> None:
    found = of("<title>Zelený čaj - Denní Zprávy</title>", "https://dennizpravy.example/a")
    assert (found.title, found.site_name) == ("Zelený čaj", "Denní Zprávy")


def test_the_name_of_a_book_above_each_chapter_is_not_the_title() -> None:
    html = "<title>What is steeping? - The Tea Book</title><h1>The Tea Book</h1><h2>What is steeping?</h2>"
    assert of(html, "https://a.example/ch04-what-is-steeping.html").title == "What is steeping?"


def test_headings_have_neither_entities_nor_invisible_characters() -> None:
    assert of("<h1>Tea &amp;amp; Rain&shy;coats</h1>").title == "Tea & Raincoats"


@pytest.mark.parametrize(
    "byline",
    [
        '<a rel="author" href="/x">Ann Bee</a>',
        '<a href="/authors/ann-bee">Ann Bee</a>',
        '<div class="article__byline">By <b>Ann Bee</b> | May 17, 2024</div>',
        '<span class="ArticleAuthor_name__x1">Ann Bee</span>',
        "<p>By Ann Bee</p>",
        '<p class="post-author">Written by: Ann Bee, staff writer</p>',
    ],
)
def test_bylines_are_found(byline: str) -> None:
    assert told(of(f"<h1>Tea</h1>{byline}<p>It rained.</p>"), "authors") == (["Ann Bee"], "page")


@pytest.mark.parametrize(
    "byline",
    [
        '<div class="comments"><a rel="author">Ann Bee</a></div>',
        '<a rel="author" hidden>Ann Bee</a>',
        "<p>by the time it rained</p>",
        '<a href="/team/contact">Meet Us</a>',
        '<div class="author">ann@example.org</div>',
        '<div class="author">https://example.org/Ann Bee</div>',
        f'<div class="author">{"Ann Bee was here. " * 30}</div>',
        '<div class="author">Full Bio</div>',
    ],
)
def test_what_is_no_byline(byline: str) -> None:
    assert of(f"<h1>Tea</h1>{byline}").authors == []


DAILY = "<meta property=og:site_name content='The Daily'>"
BYLINE = "<h1>Tea</h1><p class=byline>By Ann Bee</p>"


def json_ld(**properties: object) -> str:
    node = {"@type": "Article", "headline": "Tea", **properties}
    return f'<script type="application/ld+json">{json.dumps(node)}</script>'


def party(kind: str, name: str) -> dict[str, str]:
    return {"@type": kind, "name": name}


@pytest.mark.parametrize(
    ("declared", "authors"),
    [
        (DAILY + "<meta name=author content='The Daily'>", []),
        (DAILY + "<meta name=author content='Daily News Staff'>", []),
        (DAILY + "<meta name=author content='The Daily'><meta name=dc.creator content='Ann Bee'>", ["Ann Bee"]),
        (DAILY + "<meta name=author content='The Daily'>" + BYLINE, ["Ann Bee"]),
        ("<meta name=author content=thedaily>", []),
        ("<meta name=author content=@thedaily>", []),
        ("<meta name=author content=www.thedaily.example>", []),
        ("<meta name=author content=thedaily.at>", []),
        ("<meta name=author content='Tea and Rain GmbH'>", []),
        ("<meta name=author content='Dr.Li'>", ["Dr.Li"]),
        (json_ld(author=party("NewsMediaOrganization", "BBC News")), []),
        (
            json_ld(author=party("Organization", "Tea Council"), creator=party("Person", "Ann Bee")) + BYLINE,
            ["Ann Bee"],
        ),
        (json_ld(author=[party("Organization", "Tea Council"), party("Person", "Ann Bee")]), ["Ann Bee"]),
        (json_ld(author=party("Person", "Ann Bee"), publisher=party("Organization", "Bee News")), ["Ann Bee"]),
        (json_ld(author=party("Organization", "Ann Bee")) + BYLINE, ["Ann Bee"]),
        (json_ld(author="conde nast", publisher=party("Organization", "Condé Nast Inc.")), []),
        (json_ld(author=party("Person", "Condé Nast"), publisher=party("Organization", "Condé Nast")), []),
        ("<meta name=author content='Condé Nast'>" + json_ld(publisher=party("Organization", "Condé Nast")), []),
    ],
)
def test_publishers_and_addresses_are_no_authors(declared: str, authors: list[str]) -> None:
    assert of(declared).authors == authors


@pytest.mark.parametrize(
    "declared",
    [
        json_ld(author=party("Person", "Ann Bee")),
        json_ld(author={"@type": ["Person", "Organization"], "name": "Ann Bee"}),
        "<meta name=author content='Ann Bee'>" + BYLINE,
    ],
)
def test_people_are_authors_of_their_own_sites(declared: str) -> None:
    site = "<meta property=og:site_name content='Ann Bee'>"
    assert of(site + declared, "https://annbee.example/tea").authors == ["Ann Bee"]


def test_an_address_of_two_words_is_no_evidence_against_an_author() -> None:
    author = "<meta name=author content='Ann Bee'>"
    assert of(author, "https://annbee.example/tea").authors == ["Ann Bee"]


@pytest.mark.parametrize(
    ("declared", "name"),
    [
        ("https://thedaily.example/", None),
        ("www.thedaily.example", None),
        ("www.thedaily.example ®", None),
        ("news.thedaily.co.uk", None),
        ("thedaily.example/news", None),
        ("thedaily.example:8080", None),
        ("desk@thedaily.example", None),
        ("127.0.0.1", None),
        ("thedaily.example", "thedaily.example"),
        ("TheDaily.co.uk", "TheDaily.co.uk"),
        ("Booking.com", "Booking.com"),
        ("The U.S. Daily", "The U.S. Daily"),
    ],
)
def test_addresses_are_no_names_of_sites(declared: str, name: str | None) -> None:
    assert of(f"<meta property=og:site_name content='{declared}'><title>Tea</title>").site_name == name


@pytest.mark.parametrize("address", ["www.thedaily.example", "thedaily.example"])
def test_a_name_is_better_than_an_address(address: str) -> None:
    declared = f"<meta property=og:site_name content='{address}'>"
    assert told(of(declared + "<meta name=application-name content='Daily'>"), "site_name") == ("Daily", "meta")
    by_title = of(declared + "<title>Tea time | The Daily</title>")
    assert (by_title.title, *told(by_title, "site_name")) == ("Tea time", "The Daily", "html")
    assert of(f"{declared}<title>Tea time - {address}</title>").title == "Tea time"


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ("<html lang=utf-8><meta http-equiv=Content-Language content=pt_br>", ("pt-BR", "meta")),
        (
            "<meta http-equiv=Content-Language content=utf-8><meta property=og:locale content=de_DE>",
            ("de-DE", "opengraph"),
        ),
        ("<meta http-equiv=Content-Language content=utf-8>" + GERMAN, ("de", "detected")),
        ("<meta http-equiv=Content-Language content=utf-8>", (None, None)),
    ],
)
def test_what_is_no_language_gives_way_to_the_next_source(html: str, language: tuple[str | None, str | None]) -> None:
    if "detected" in language:
        pytest.importorskip("py3langid")
    assert told(of(html), "language") == language


@pytest.mark.parametrize(
    ("html", "address", "source"),
    [
        ("<h1>Tea</h1>", "https://a.example/2024/05/17/tea", "url"),
        ("<h1>Tea</h1>", "https://a.example/2024/13/17/tea", None),
        (
            "<time class=updated datetime=2024-05-19>x</time><time class=published datetime=2024-05-17>x</time>",
            "",
            "page",
        ),
        ("<div class=comment><time datetime=2020-01-01>x</time></div><time datetime=2024-05-17>x</time>", "", "page"),
        ("<h1>Tea</h1><span class=post-date>17 May 2024</span>", "", "page"),
        ("<h1>Tea</h1><p>Friday, May 17th, 2024</p>", "", "page"),
        ("<h1>Tea</h1><p>2024年5月17日</p>", "", "page"),
        ("<h1>Tea</h1><p>17. Mai 2024</p>", "", "page"),
    ],
)
def test_dates_that_are_not_declared(html: str, address: str, source: str | None) -> None:
    assert told(of(html, address), "published") == (source and "2024-05-17", source)


@pytest.mark.parametrize(
    ("field", "item", "card"),
    [("published", "datePublished", "published_time"), ("modified", "dateModified", "modified_time")],
)
def test_the_date_of_a_teaser_is_not_the_page(field: str, item: str, card: str) -> None:
    page = f"<title>Tea</title><meta property=article:{card} content=2024-05-17>"
    teaser = f"<b itemprop=headline>Tea</b><i itemprop={item} content=2020-01-01></i>"
    found = of(f'{page}<div itemscope itemtype="https://schema.org/Article">{teaser}</div>')
    assert told(found, field) == ("2024-05-17", "opengraph")


def test_trails_tags_and_licences_that_show() -> None:
    found = of(
        '<nav class="breadcrumbs"><a href="/">Home</a> <a href="/d">Drinks</a> <a href="/d/t">Tea</a></nav><h1>Tea</h1>'
        '<h2 class="sub-title">A wet year</h2><a rel=tag href=/t>green</a><a rel=tag href=/u>wet</a>'
        '<a href="https://creativecommons.org/licenses/by-sa/2.0/">picture</a>'
        '<footer><a href="https://creativecommons.org/licenses/by/4.0/">CC</a></footer>'
    )
    assert told(found, "categories") == (["Drinks"], "page")
    assert told(found, "tags") == (["green", "wet"], "page")
    assert told(found, "licence") == ("https://creativecommons.org/licenses/by/4.0/", "page")
    assert told(found, "subtitle") == ("A wet year", "page")


def test_harmful_and_senseless_addresses_are_refused() -> None:
    found = of(
        "<link rel=canonical href='javascript:alert(1)'><meta property=og:image content='data:image/png;base64,AA'>"
        "<meta property=og:url content='java\nscript:alert(1)'><a rel=license href='vbscript:x'>x</a>",
        "javascript:alert(1)",
    )
    assert (found.url, found.image, found.licence) == (None, None, None)


def test_relative_addresses_are_resolved_against_the_base() -> None:
    found = of("<base href='https://cdn.example/a/'><link rel=canonical href='b?c=1&d=é'>")
    assert told(found, "url") == ("https://cdn.example/a/b?c=1&d=%C3%A9", "html")
    assert told(of("<link rel=canonical href=''>"), "url") == ("https://thedaily.example/post", "url")


def test_control_characters_and_markup_do_not_get_through() -> None:
    html = "<meta property=og:title content='a&#1;b\x1b[31m  &lt;b&gt;c&lt;/b&gt;\u0092s'>"
    assert of(html).title == "ab[31m c’s"


def test_overlong_values_are_refused() -> None:
    html = (
        f"<meta property=og:title content='{'x' * 6000}'><meta name=author content='{'Ann ' * 5000}'><title>Tea</title>"
    )
    found = of(html)
    assert (found.title, found.authors) == ("Tea", [])


def test_many_elements_take_little_time() -> None:
    nested = "<div class=author>" * 400 + "<p>x</p>" * 20_000
    found = of(
        nested + "<a rel=tag href=x>t</a>" * 20_000 + "<i itemprop=name itemscope>" * 2000 + "<time>1</time>" * 20_000
    )
    assert found.authors == []


def test_language_is_detected_where_none_is_declared() -> None:
    pytest.importorskip("py3langid")
    assert told(of(GERMAN), "language") == ("de", "detected")
    assert told(of("<html lang=fr>" + GERMAN), "language") == ("fr", "html")
    assert of("<p>Tee</p>").language is None


def test_htmldate_is_asked_last() -> None:
    pytest.importorskip("htmldate")
    html = "<h1>Tea</h1><div class='meta-info'><span id='date-posted'>5/17/24</span></div>"
    assert told(of(html), "published") == ("2024-05-17", "htmldate")


@given(tag_soup)
def test_any_page_has_metadata_that_can_be_written(html: str) -> None:
    json.dumps(of(html).to_dict(), ensure_ascii=False).encode("utf-8")


def test_lone_surrogates_are_survived() -> None:
    found = of(
        f"<title>\ud800 Tea</title><p class=date>1 \udfff {GERMAN}</p><meta name=author content='\ud800 Ann Bee'>"
    )
    json.dumps(found.to_dict(), ensure_ascii=False).encode("utf-8")
    assert found.title == "\ufffd Tea"


@pytest.fixture
def bare_installation(monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("htmldate", "py3langid"):
        monkeypatch.setitem(sys.modules, package, None)


@pytest.mark.usefixtures("bare_installation")
def test_nothing_fails_without_the_optional_packages() -> None:
    found = of("<h1>Tea</h1><p>in spring 1/2/24</p>" + GERMAN)
    assert (found.published, found.language) == (None, None)
    assert found.title == "Tea"


def test_a_cleaned_page_has_metadata() -> None:
    page = dehusk.clean("<title>Tea</title><p>" + "Steep the leaves for three minutes. " * 9, url="https://a.example/b")
    assert told(page.metadata, "title") == ("Tea", "html")
    assert page.metadata is page.metadata
    assert told(page.metadata, "page_type") == (page.page_type, "method")


def test_values_are_plain() -> None:
    zone = timezone(timedelta(hours=2))
    found = of(
        json_ld(author=[party("Person", "Ann Bee")], datePublished="2024-05-17", dateModified="2024-05-18T10:00+02:00")
    )
    assert (found.title, found.authors, found.tags, found.language) == ("Tea", ["Ann Bee"], [], None)
    assert (found.published, found.modified) == (date(2024, 5, 17), datetime(2024, 5, 18, 10, tzinfo=zone))
    declared = dict.fromkeys(["title", "authors", "published", "modified", "page_type"], "json-ld")
    assert found.sources == declared | {"url": "url"}
    written = found.to_dict()
    assert (written["published"], written["modified"]) == ("2024-05-17", "2024-05-18T10:00:00+02:00")
    assert pickle.loads(pickle.dumps(found)) == found


@pytest.mark.parametrize("format_name", ["jsonl", "csv", "tei", "xml", "json"])
def test_formats_write_dates_as_text(format_name: str) -> None:
    page = dehusk.clean(json_ld(datePublished="2024-05-17T10:00Z") + "<p>" + "Steep the leaves for a while. " * 9)
    assert "2024-05-17T10:00:00+00:00" in page.render(format_name)


@pytest.mark.parametrize("declared", ["Product", "Question", "NewsArticle"])
def test_a_cleaned_page_has_one_type(declared: str) -> None:
    node = json.dumps({"@type": declared, "name": "Tea"})
    script = f'<script type="application/ld+json">{node}</script>'
    page = dehusk.clean(f"<title>Tea</title>{script}<h1>Tea</h1><p>" + "Steep the leaves for three minutes. " * 9)
    assert page.page_type == page.metadata.page_type == page.to_record()["page_type"]
    assert f">{page.page_type}<" in page.render("xml")
