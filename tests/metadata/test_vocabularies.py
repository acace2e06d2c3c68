"""Each vocabulary alone: what it says arrives in the right field, under its own name."""

from __future__ import annotations

import json

import pytest
from told_metadata import told

from dehusk.metadata.metadata_finding import find_metadata
from dehusk.metadata.values import Metadata
from dehusk.page.page_reading import read_page

ADDRESS = "https://tea.example/post/green"


def of(html: str, address: str = ADDRESS, page_type: str | None = None) -> Metadata:
    return find_metadata(read_page(html, address), page_type)


def json_ld(*values: object) -> str:
    return "".join(f'<script type="application/ld+json">{json.dumps(value)}</script>' for value in values)


ARTICLE = {
    "@context": "https://schema.org",
    "@type": "NewsArticle",
    "headline": "Green tea &amp; rain",
    "alternativeHeadline": "A wet year",
    "author": [{"@type": "Person", "name": "Ann Bee"}, {"@type": "Person", "name": "Carl Dee"}],
    "datePublished": "2024-05-17T10:00:00+02:00",
    "dateModified": "2024-05-18",
    "inLanguage": "en_gb",
    "publisher": {"@type": "Organization", "name": "The Tea Post"},
    "url": "https://tea.example/post/green",
    "articleSection": ["Food", "Drinks"],
    "keywords": "tea, rain",
    "description": "It <b>rained</b>.",
    "image": {"@type": "ImageObject", "url": "/rain.jpg"},
    "license": "https://creativecommons.org/licenses/by/4.0/",
}
SAID = {
    "title": "Green tea & rain",
    "subtitle": "A wet year",
    "authors": ["Ann Bee", "Carl Dee"],
    "published": "2024-05-17T10:00:00+02:00",
    "modified": "2024-05-18",
    "language": "en-GB",
    "site_name": "The Tea Post",
    "url": "https://tea.example/post/green",
    "categories": ["Food", "Drinks"],
    "tags": ["tea", "rain"],
    "description": "It rained.",
    "image": "https://tea.example/rain.jpg",
    "licence": "https://creativecommons.org/licenses/by/4.0/",
    "page_type": "article",
}


def test_json_ld_says_everything() -> None:
    assert of(json_ld(ARTICLE)).to_dict() == {**SAID, "sources": dict.fromkeys(SAID, "json-ld")}


def test_microdata_says_the_same() -> None:
    html = """<article itemscope itemtype="https://schema.org/BlogPosting"><h1 itemprop="headline">Green tea</h1>
    <meta itemprop="datePublished" content="2024-05-17"><time itemprop="dateModified" datetime="2024-05-18">now</time>
    <span itemprop="author" itemscope itemtype="https://schema.org/Person"><a itemprop="url" href="/ann">
    <span itemprop="name">Ann Bee</span></a></span>
    <div itemprop="publisher" itemscope><meta itemprop="name" content="The Tea Post"></div>
    <img itemprop="image" src="/rain.jpg"><a itemprop="keywords">tea</a><p itemprop="description">It rained.</p>
    <div itemprop="comment" itemscope itemtype="https://schema.org/Comment"><span itemprop="author">Troll Bridge</span>
    <meta itemprop="datePublished" content="2020-01-01"></div></article>"""
    found = of(html)
    assert told(found, "title") == ("Green tea", "microdata")
    assert told(found, "authors") == (["Ann Bee"], "microdata")
    assert told(found, "published") == ("2024-05-17", "microdata")
    assert told(found, "modified") == ("2024-05-18", "microdata")
    assert told(found, "site_name") == ("The Tea Post", "microdata")
    assert told(found, "image") == ("https://tea.example/rain.jpg", "microdata")
    assert told(found, "page_type") == ("article", "microdata")
    assert told(found, "tags") == (["tea"], "microdata")
    assert told(found, "description") == ("It rained.", "microdata")


@pytest.mark.parametrize(
    ("name", "content", "field", "value", "source"),
    [
        ("og:title", "Green tea", "title", "Green tea", "opengraph"),
        ("OG:Site_Name", "The Tea Post", "site_name", "The Tea Post", "opengraph"),
        ("article:published_time", "2024-05-17T10:00Z", "published", "2024-05-17T10:00:00+00:00", "opengraph"),
        ("article:section", "Food", "categories", ["Food"], "opengraph"),
        ("article:tag", "tea", "tags", ["tea"], "opengraph"),
        ("article:author", "Ann Bee", "authors", ["Ann Bee"], "opengraph"),
        ("og:locale", "pt_BR", "language", "pt-BR", "opengraph"),
        ("og:image", "//img.example/a.png", "image", "https://img.example/a.png", "opengraph"),
        ("og:type", "product", "page_type", "product", "opengraph"),
        ("twitter:title", "Green tea", "title", "Green tea", "twitter"),
        ("twitter:image:src", "/a.png", "image", "https://tea.example/a.png", "twitter"),
        ("DC.creator", "Bee, Ann", "authors", ["Ann Bee"], "dublin core"),
        ("dc:title", "Green tea", "title", "Green tea", "dublin core"),
        ("DCTERMS.issued", "2024-05-17", "published", "2024-05-17", "dublin core"),
        ("dc.rights", "CC BY-SA 4.0", "licence", "CC BY-SA 4.0", "dublin core"),
        ("author", "By Ann Bee and Carl Dee", "authors", ["Ann Bee", "Carl Dee"], "meta"),
        ("keywords", "tea, green tea,, Tea", "tags", ["tea", "green tea"], "meta"),
        ("description", "It&nbsp;rained &amp;amp; rained", "description", "It rained & rained", "meta"),
        ("parsely-pub-date", "20240517T100000Z", "published", "2024-05-17T10:00:00+00:00", "meta"),
        ("citation_author", "Bee, Ann", "authors", ["Ann Bee"], "meta"),
        ("application-name", "The Tea Post", "site_name", "The Tea Post", "meta"),
    ],
)
def test_a_meta_element_of_each_vocabulary(name: str, content: str, field: str, value: object, source: str) -> None:
    for attribute in ("name", "property"):
        found = of(f'<meta {attribute}="{name}" content="{content}">').to_dict()
        assert found[field] == value
        assert found["sources"][field] == source  # type: ignore[index]


def test_links_and_language_of_the_document() -> None:
    found = of(
        '<html lang="zh-hans-cn"><link rel="canonical" href="../tea"><link rel=image_src href=a.png>'
        '<a rel="license nofollow" href="https://example.org/licence">free</a>'
    )
    assert told(found, "language") == ("zh-Hans-CN", "html")
    assert told(found, "url") == ("https://tea.example/tea", "html")
    assert told(found, "image") == ("https://tea.example/post/a.png", "html")
    assert told(found, "licence") == ("https://example.org/licence", "html")


def test_labelled_values_of_a_card() -> None:
    card = "<meta name=twitter:label1 content='Written by'><meta name=twitter:data1 content='Ann Bee'>"
    assert told(of(card), "authors") == (["Ann Bee"], "twitter")
    assert of(card.replace("Written by", "Reading time")).authors == []


def test_an_empty_page_has_nothing() -> None:
    assert of("", "") == Metadata()
    assert of("", "").to_dict()["sources"] == {}


def test_the_type_that_cleaning_found_is_the_only_one() -> None:
    card = '<meta property="og:type" content="product">'
    assert told(of(card, page_type="forum"), "page_type") == ("forum", "method")
    assert told(of(card), "page_type") == ("product", "opengraph")
    assert told(of(json_ld(ARTICLE), page_type="forum"), "page_type") == ("forum", "method")
    assert told(of(json_ld(ARTICLE), page_type=""), "page_type") == (None, None)
    assert told(of(json_ld(ARTICLE)), "page_type") == ("article", "json-ld")


def test_precedence_of_titles() -> None:
    element, heading = "<title>Of the title - Tea Post</title>", "<h1>Of the heading</h1>"
    card, dublin = "<meta property=og:title content='Of the card'>", "<meta name=dc.title content='Of Dublin'>"
    everything = json_ld(ARTICLE) + card + dublin + element + heading
    for title, source, part in (
        ("Green tea & rain", "json-ld", json_ld(ARTICLE)),
        ("Of the card", "opengraph", card),
        ("Of Dublin", "dublin core", dublin),
        ("Of the heading", "page", heading),
        ("Of the title", "html", element),
    ):
        assert told(of(everything), "title") == (title, source)
        everything = everything.replace(part, "")


def test_language_of_the_document_beats_a_locale_nobody_set() -> None:
    assert told(of('<html lang="de"><meta property="og:locale" content="en_US">'), "language") == ("de", "html")


def test_all_tags_come_from_one_source() -> None:
    html = (
        "<meta property=article:tag content=tea><meta property=article:tag content=wet><meta name=keywords content=a1>"
    )
    assert of(html).tags == ["tea", "wet"]
