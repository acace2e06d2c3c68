"""Which page next."""

from __future__ import annotations

from collections import Counter

import pytest

from dehusk.sites.frontier import MOST_SHAPES, Frontier, is_same, normalise, shape_of

SITE = "https://a.example"


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        ("HTTPS://A.Example:443/a?b=1#part", "https://a.example/a?b=1"),
        ("http://a.example", "http://a.example/"),
        ("http://a.example:8080/", "http://a.example:8080/"),
        ("http://a.example/x?utm_source=y&id=3&fbclid=z", "http://a.example/x?id=3"),
        ("http://a.example/x;jsessionid=12AB?a=b", "http://a.example/x?a=b"),
        ("http://a.example/x?plain", "http://a.example/x?plain"),
        ("mailto:a@a.example", ""),
        ("http://[", ""),
        ("http://a.example:99999999/", ""),
        ("http://a.example/photo.JPG", ""),
        ("http://a.example/feed.xml?x", ""),
        ("http://a.example/" + "x" * 600, ""),
        ("http://a.example" + "/d" * 20, ""),
        ("http://a.example/a/b/a/b/a/b", ""),
        ("http://a.example/?a=1&b=2&c=3&d=4&e=5", ""),
        ("", ""),
    ],
)
def test_one_address_for_one_page(url: str, normal: str) -> None:
    assert normalise(url) == normal


def test_addresses_of_the_same_page() -> None:
    assert is_same("http://www.a.example/x/", "https://a.example/x")
    assert not is_same("http://a.example/x", "http://a.example/x?y=1")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("/news/2024/05/a-storm-is-coming", "/news/2023/11/the-storm-is-over", True),
        ("/product.php?id=17", "/product.php?id=4", True),
        ("/product.php?id=17", "/product.php?id=17&review=2", False),
        ("/calendar/2024-05", "/calendar/1999-12", True),
        ("/news/1", "/shop/1", False),
        ("/item/5f2b8c0e9d1a4b7c", "/item/00112233445566778899", False),
        ("/item/5f2b8c0e9d1a4b7c", "/item/9d1a4b7c5f2b8c0e", True),
        ("/about", "/contact", True),
        ("/wiki/tea", "/wiki/coffee", True),
        ("/", "/about", False),
        ("/a.html", "/a.php", False),
    ],
)
def test_shapes(one: str, other: str, same: bool) -> None:
    assert (shape_of(SITE + one) == shape_of(SITE + other)) is same


def taken(frontier: Frontier, most: int = 10_000) -> list[str]:
    urls: list[str] = []
    while len(urls) < most and (url := frontier.next()):
        urls.append(url)
    return urls


def test_pages_are_spread_over_shapes() -> None:
    frontier = Frontier("a.example", 40)
    frontier.add(f"{SITE}/calendar/{day}" for day in range(1000))
    frontier.add(f"{SITE}/news/story/{number}" for number in range(30))
    frontier.add([f"{SITE}/about", f"{SITE}/contact"])
    shapes = Counter(url.split("/")[3] for url in taken(frontier, 30))
    assert shapes == {"calendar": 14, "news": 14, "about": 1, "contact": 1}


def test_an_endless_shape_gets_its_share_and_no_more() -> None:
    frontier = Frontier("a.example", 40)
    frontier.add(f"{SITE}/calendar/{day}" for day in range(1000))
    assert len(taken(frontier)) == 20


def test_the_same_seed_chooses_the_same_pages() -> None:
    def chosen(seed: int) -> list[str]:
        frontier = Frontier("a.example", 100, seed)
        frontier.add(f"{SITE}/{section}/{number}" for section in "abc" for number in range(50))
        return taken(frontier, 20)

    assert chosen(1) == chosen(1)
    assert chosen(1) != chosen(2)


def test_no_page_twice_and_none_of_other_sites() -> None:
    frontier = Frontier("a.example", 100)
    urls = ["https://a.example/x", "http://www.a.example/x/", "https://b.example/y", "ftp://a.example/z", "nonsense"]
    frontier.add(urls)
    frontier.add(urls)
    assert taken(frontier) == ["https://a.example/x"]
    assert frontier.is_done("http://a.example/x")
    frontier.add(urls)
    assert taken(frontier) == []


def test_what_is_marked_or_excluded_is_not_given() -> None:
    frontier = Frontier("a.example", 100)
    frontier.add([f"{SITE}/x/1", f"{SITE}/x/2", f"{SITE}/x/3"])
    frontier.mark(f"{SITE}/x/1")
    frontier.exclude(f"{SITE}/x/2")
    assert taken(frontier) == [f"{SITE}/x/3"]


def test_of_any_number_of_addresses_a_bounded_one_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dehusk.sites.frontier.MOST_WAITING", 3000)
    frontier = Frontier("a.example", 1000)
    frontier.add(f"{SITE}/u{number % 5000}x/{number}?k{number % 7000}=1" for number in range(5000))
    assert len(frontier._known) == 3000
    assert MOST_SHAPES <= len(frontier._waiting) < MOST_SHAPES + 20
    assert len(taken(frontier)) == MOST_SHAPES + 500  # one of each shape, and the share of all others together


@pytest.mark.parametrize("address", ["http://]", "http://[::1", "x://[", "http://\u2100.example/"])
def test_what_is_no_address_is_the_same_as_itself_alone(address: str) -> None:
    assert is_same(address, address)
    assert not is_same(address, "http://a.example/")


def test_what_grows_beyond_the_longest_address_is_not_asked_for() -> None:
    assert normalise("http://a.example/?" + "/" * 400 + "=1&utm_source=x") == ""


def test_lone_surrogates_in_a_query_are_replaced() -> None:
    assert normalise("http://tea.example/?\udce3&utm_source=x") == "http://tea.example/?%3F="
