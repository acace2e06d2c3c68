"""JSON-LD as it is written, and which of its nodes a page is about."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.metadata import people, schema_org
from dehusk.metadata.metadata_finding import find_metadata
from dehusk.metadata.page_candidates import collect_candidates
from dehusk.metadata.values import Metadata
from dehusk.metadata.vocabularies import SCHEMA_ORG
from dehusk.page.json_ld import json_ld_nodes, read_script
from dehusk.page.page_reading import read_page


def script(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'


def of(value: object, html: str = "", address: str = "https://tea.example/own") -> Metadata:
    return find_metadata(read_page(script(json.dumps(value)) + html, address))


def article(headline: str, **more: object) -> dict[str, object]:
    return {"@type": "Article", "headline": headline, **more}


@pytest.mark.parametrize(
    "text",
    [
        '{"headline": "Tea"}',
        '//<![CDATA[\n{"headline": "Tea"}\n//]]>',
        '<!-- {"headline": "Tea"} -->',
        '/* data */ {"headline": "Tea"};',
        '{"headline": "Tea",}',
        '{"headline": "Tea", "tags": ["a", "b",],}',
        '{"name": "two\nlines"\n"headline": "Tea"}',
        '{\n// a comment\n"headline": "Tea"}',
        "{&quot;headline&quot;: &quot;Tea&quot;}",
        '\ufeff{"headline": "Tea", "n": ' + "9" * 5000 + "}",
    ],
)
def test_scripts_are_repaired(text: str) -> None:
    assert [value["headline"] for value in read_script(text)] == ["Tea"]


def test_several_objects_and_what_cannot_be_repaired() -> None:
    assert read_script('{"a": "1"}\n{"b": "2"} [3]') == [{"a": "1"}, {"b": "2"}, [3.0]]
    assert read_script('{"a": "1"} {"b": oops}') == [{"a": "1"}]
    assert read_script("no json") == []


def test_nodes_of_graphs_and_lists() -> None:
    page = read_page(script('[{"@graph": [{"name": "a"}, [{"name": "b"}]]}, {"mainEntity": {"name": "c"}}, 7, null]'))
    assert [node["name"] for node in json_ld_nodes(page) if "name" in node] == ["a", "b", "c"]


def test_references_are_followed() -> None:
    graph = [
        article("Tea", author={"@id": "#ann"}, publisher={"@id": "#post"}),
        {"@type": "Person", "@id": "#ann", "name": "Ann Bee"},
        {"@type": "Organization", "@id": "#post", "name": "Tea Post", "logo": "x"},
        {"@id": "#loop", "author": {"@id": "#loop"}},
    ]
    found = of({"@graph": graph}).to_dict()
    assert (found["authors"], found["site_name"]) == (["Ann Bee"], "Tea Post")


def test_the_article_with_the_own_address_wins() -> None:
    others = [article(f"Other {number}", url=f"https://tea.example/{number}") for number in range(3)]
    assert of([*others, article("Own", url="http://www.tea.example/own/#article")]).to_dict()["title"] == "Own"
    assert (
        of([*others, article("Own", mainEntityOfPage={"@id": "https://tea.example/own"})]).to_dict()["title"] == "Own"
    )


def test_several_articles_of_which_none_is_the_page_are_links() -> None:
    teasers = [article(f"Other {number}", author="Ann Bee") for number in range(3)]
    found = of([*teasers, {"@type": "WebPage", "name": "All posts"}])
    assert found.to_dict()["title"] == "All posts"
    assert found.authors == []
    assert of(teasers, "<title>Other 2</title>").to_dict()["authors"] == ["Ann Bee"]


def test_organisations_and_sites_are_not_what_a_page_is_about() -> None:
    found = of(
        [{"@type": "Organization", "name": "Tea Ltd", "description": "We sell."}, {"@type": "WebSite", "name": "Tea"}]
    )
    assert found.to_dict()["site_name"] == "Tea"
    assert (found.title, found.description) == (None, None)


def test_the_web_page_fills_what_the_article_leaves_open() -> None:
    found = of([article("Tea"), {"@type": "WebPage", "name": "Tea | Post", "description": "It rained."}]).to_dict()
    assert (found["title"], found["description"]) == ("Tea", "It rained.")


def test_trails_are_categories_without_home_and_the_page() -> None:
    steps = [
        {"@type": "ListItem", "position": position, "item": {"@id": f"/{position}", "name": name}}
        for position, name in ((3, "Tea"), (1, "Home"), (2, "Drinks"))
    ]
    found = of([article("Tea"), {"@type": "BreadcrumbList", "itemListElement": steps}]).to_dict()
    assert found["categories"] == ["Drinks"]


def test_a_headline_that_only_describes_gives_way_to_the_name() -> None:
    wiki = article("country in Europe", name="Malta")
    assert of(wiki, "<title>Malta - An encyclopedia</title><h1>Malta</h1>").to_dict()["title"] == "Malta"
    shop = article("Deals", name="Malta", publisher={"name": "Malta"})
    assert of(shop, "<title>Deals of the week | Malta</title><h1>Malta</h1>").to_dict()["title"] == "Deals"


QUESTION = {"@type": "Question", "name": "When is it packed?", "acceptedAnswer": {"@type": "Answer", "text": "Soon."}}
OWN = "<title>Delivery of tea</title><h1>Delivery of tea</h1>"


@pytest.mark.parametrize(
    "part",
    [
        {"@type": "FAQPage", "mainEntity": [QUESTION]},
        {"@graph": [{"@type": "FAQPage", "mainEntity": [{"@id": "#q"}]}, {**QUESTION, "@id": "#q"}]},
        {**QUESTION, "isPartOf": {"@type": "FAQPage"}},
        {"@type": "HowTo", "name": "Packing in paper", "step": [{"@type": "HowToStep", "name": "Fold"}]},
        {"@type": "Product", "name": "Paper, brown"},
    ],
)
def test_a_part_of_the_page_does_not_name_it(part: dict[str, object]) -> None:
    assert of(part, OWN).title == "Delivery of tea"


def test_a_question_of_an_faq_makes_no_forum() -> None:
    assert of({"@type": "FAQPage", "mainEntity": [QUESTION]}, OWN).page_type is None
    asked = of({"@type": "QAPage", "mainEntity": QUESTION}, "<h1>When is it packed?</h1>")
    assert (asked.title, asked.page_type) == ("When is it packed?", "forum")


def test_a_thing_that_the_page_shows_as_its_title_names_it() -> None:
    product = {"@type": "Product", "name": "Green tea"}
    assert of(product, "<title>Green tea, 100 g - Buy now</title>").sources["title"] == "json-ld"
    assert of(product).title == "Green tea"


def test_teasers_in_microdata_are_not_the_page() -> None:
    teaser = (
        '<h1>Own heading</h1><div itemscope itemtype="https://schema.org/Article"><b itemprop="headline">Other</b>'
        '<i itemprop="author">Ann Bee</i></div>'
    )
    found = find_metadata(read_page(teaser))
    assert found.title == "Own heading"
    assert found.sources.get("authors") != "microdata"


def test_deep_and_long_json_is_survived() -> None:
    deep = script('{"@type":"Article","headline":"Tea","x":' + "[" * 200_000 + "]" * 200_000 + "}")
    long = script(json.dumps(article("x" * 5_000_000)))
    nested: Any = "Tea"
    for _ in range(300):
        nested = {"@graph": [nested]}
    assert find_metadata(read_page(deep + long + script(json.dumps(article("Tea", author=nested))))).title is not None
    assert find_metadata(read_page(deep)).title is None
    assert find_metadata(read_page(long)).title is None


_LEAVES = (
    st.none()
    | st.booleans()
    | st.floats(allow_nan=True)
    | st.integers()
    | st.text()
    | st.sampled_from(
        [
            "Article",
            "WebPage",
            "BreadcrumbList",
            "https://tea.example/own",
            "2024-05-17",
            "#a",
            "\ud800",
            "\0\x1b[31m",
            "en",
        ]
    )
)
_KEYS = (
    st.sampled_from([*SCHEMA_ORG, "@type", "@id", "@graph", "@value", "itemListElement", "position", "item"])
    | st.text()
)
_JSON = st.recursive(_LEAVES, lambda inner: st.lists(inner) | st.dictionaries(_KEYS, inner), max_leaves=30)


@given(_JSON, st.dictionaries(_KEYS, _JSON))
def test_no_json_makes_it_fail(anything: object, properties: dict[str, object]) -> None:
    texts = [json.dumps(anything), json.dumps({"@type": "Article", **properties})]
    html = "".join(script(text.replace("</", "<\\/")) for text in texts)
    found = find_metadata(read_page(html, "https://tea.example/own")).to_dict()
    json.dumps(found, ensure_ascii=False).encode("utf-8")
    assert not any(character in json.dumps(found, ensure_ascii=False) for character in "\0\x1b\x07")


@pytest.mark.parametrize(
    ("name", "property_"),
    [("n" * 100_000, "headline"), (["n" * 900] * 100, "headline"), (["n" * 900] * 100, "name"), ("n" * 190, "author")],
)
def test_what_many_nodes_refer_to_is_not_compared_again_and_again(
    name: str | list[str], property_: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = 0

    def counted(compare: Callable[[str], str]) -> Callable[[str], str]:
        def counting(text: str) -> str:
            nonlocal compared
            compared += len(text)
            return compare(text)

        return counting

    monkeypatch.setattr(schema_org, "comparable", counted(schema_org.comparable))
    monkeypatch.setattr(people, "publisher_key", counted(people.publisher_key))
    person = {"@type": "Person", "@id": "x", "name": name}
    nodes = [person, *({"@type": "Article", property_: [{"@id": "x"}] * 20} for _ in range(300))]
    of(nodes)
    assert compared <= 10 * len(json.dumps(nodes))


@pytest.mark.parametrize("name", SCHEMA_ORG)
def test_microdata_has_every_property_that_is_read(name: str) -> None:
    candidates = collect_candidates(read_page(f"<div itemscope itemtype=Article><p itemprop={name}>text</p></div>"))
    assert schema_org.microdata_nodes(candidates) == [{"@type": ["Article"], name: ["text"]}]
