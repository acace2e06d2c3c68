"""Crawls of a site on this machine."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from local_server import Answer, LocalSite, redirect, serving
from noting_backend import NotingBackend, invented
from small_web_site import answer, html

import dehusk
from dehusk.sites.crawling import refresh
from dehusk.sites.frontier import SAMPLE, CrawlScope
from dehusk.sources.fetching import FetchLimits, HttpFetcher
from dehusk.sources.raw_page import RawPage


def with_base(site: LocalSite, path: str) -> Answer | None:
    """Sitemaps name whole addresses, which have the server's port in them."""
    found = answer(path)
    if found and b"BASE" in found.body:
        return Answer(found.body.replace(b"BASE", site.url.encode()), content_type=found.content_type)
    return found


@pytest.fixture
def site() -> Iterator[LocalSite]:
    with serving(answer) as site:
        site.routes = lambda path: with_base(site, path)
        yield site


@pytest.fixture
def fetcher() -> Iterator[HttpFetcher]:
    limits = FetchLimits(read_seconds=0.3, total_seconds=0.5)
    with HttpFetcher(limits, allow_private=True) as fetcher:
        yield fetcher


def crawled(
    site: LocalSite, fetcher: HttpFetcher, pages: int = 40, seed: int = 0, known: tuple[RawPage, ...] = ()
) -> tuple[list[RawPage], list[dehusk.DehuskError]]:
    failures: list[dehusk.DehuskError] = []
    options = {"fetcher": fetcher, "known": known, "on_failure": failures.append, "scope": SAMPLE}
    found = list(dehusk.crawl(site.url + "/", pages, seed=seed, delay=0.0, **options))  # type: ignore[arg-type]
    return found, failures


def paths(pages: list[RawPage], site: LocalSite) -> list[str]:
    return [page.url.removeprefix(site.url) for page in pages]


def test_a_crawl_finds_every_kind_of_page_once(site: LocalSite, fetcher: HttpFetcher) -> None:
    pages, failures = crawled(site, fetcher)
    found = paths(pages, site)
    assert found[0] == "/"
    assert len(set(found)) == len(found)
    assert {"/about", "/hidden/page", *(f"/news/{number}" for number in (0, 1, 2, 5, 11))} <= set(found)
    kinds = Counter(path.split("/")[1] for path in found)
    # The calendar has no end, but it does get no more than its share.
    assert kinds["calendar"] == 20
    assert len(site.asked) == len(set(site.asked))
    outcomes = {str(failure.subject).removeprefix(site.url): type(failure).__name__ for failure in failures}
    assert outcomes["/private/diary"] == "RobotsRefused"
    assert outcomes["/report"] == "NotAPage"
    assert outcomes["/slow-down"] == "ServerFailed"
    assert outcomes["/moved-away"] == "NotServed"
    assert "/private/diary" not in site.asked
    assert "/photo.jpg" not in site.asked


def test_a_page_is_kept_once_whatever_its_addresses(site: LocalSite, fetcher: HttpFetcher) -> None:
    pages, _ = crawled(site, fetcher)
    found = set(paths(pages, site))
    assert len({"/print/3", "/news/3"} & found) == 1  # by its canonical address
    assert len({"/copy/4", "/news/4"} & found) == 1  # by its words
    assert sorted(site.pages_asked()).count("/about") == 1  # by the redirect of /moved


def test_a_small_crawl_is_spread_over_the_site(site: LocalSite, fetcher: HttpFetcher) -> None:
    pages, _ = crawled(site, fetcher, pages=8)
    kinds = Counter(path.split("/")[1] for path in paths(pages, site))
    assert len(pages) == 8
    assert max(kinds.values()) <= 3
    assert {"news", "calendar"} <= set(kinds)


def test_the_same_seed_fetches_the_same_pages(site: LocalSite, fetcher: HttpFetcher) -> None:
    one, same, other = (paths(crawled(site, fetcher, 12, seed)[0], site) for seed in (1, 1, 2))
    assert one == same
    assert one != other


def test_a_crawl_that_goes_on_fetches_nothing_twice(site: LocalSite, fetcher: HttpFetcher) -> None:
    first, _ = crawled(site, fetcher, 10)
    asked = set(site.pages_asked())
    site.asked.clear()
    more, _ = crawled(site, fetcher, 25, known=tuple(first))
    assert len(first) + len(more) == 25
    assert not set(paths(first, site)) & set(paths(more, site))
    assert not {page.url.removeprefix(site.url) for page in first} & set(site.pages_asked())
    assert asked
    site.asked.clear()
    assert crawled(site, fetcher, 25, known=(*first, *more))[0] == []
    assert site.asked == []


def test_pages_that_now_lead_to_another_site_are_not_replaced(fetcher: HttpFetcher) -> None:
    routes = {"/": html("Home", "/one"), "/one": html("One", text="first")}
    with serving(routes.get) as site:
        pages, _ = crawled(site, fetcher)
        routes["/one"] = redirect("http://elsewhere.example/")
        failures: list[dehusk.DehuskError] = []
        assert list(refresh(pages, fetcher, 0.0, failures.append)) == []
    assert [type(failure) for failure in failures] == [dehusk.NotChanged, dehusk.NotServed]


def test_pages_of_another_site_are_not_gone_on_with(fetcher: HttpFetcher) -> None:
    known = RawPage(b"<p>x", "https://b.example/", "https://b.example/")
    with pytest.raises(dehusk.InvalidSetting, match=r"the known pages are from b\.example"):
        list(dehusk.crawl("https://a.example/", fetcher=fetcher, known=[known]))


def test_redirects_to_what_robots_forbid_are_not_followed(fetcher: HttpFetcher) -> None:
    routes = {
        "/robots.txt": Answer(b"User-agent: *\nDisallow: /private/", content_type="text/plain"),
        "/": html("Home", "/diary"),
        "/diary": redirect("/private/diary"),
        "/private/diary": html("Diary", text="Nobody should read this."),
    }
    with serving(routes.get) as site:
        pages, failures = crawled(site, fetcher)
    assert paths(pages, site) == ["/"]
    assert [type(failure) for failure in failures] == [dehusk.RobotsRefused]
    assert "/private/diary" not in site.asked


def test_other_addresses_of_a_page_that_was_fetched_are_repetitions(fetcher: HttpFetcher) -> None:
    routes = {
        "/": html("Home", "/tea"),
        "/tea": html("Tea", "/tea-to-print", "/old-tea", text="Three minutes"),
        "/tea-to-print": html("To print", text="Other words", head="<link rel=canonical href=/tea>"),
        "/old-tea": redirect("/tea"),
    }
    with serving(routes.get) as site:
        pages, failures = crawled(site, fetcher)
    assert paths(pages, site) == ["/", "/tea"]
    assert {str(failure).replace(site.url, "") for failure in failures} == {
        "/tea-to-print: duplicates /tea",
        "/old-tea: redirects to /tea, which was already fetched",
    }
    assert site.asked.count("/tea") == 1


def test_a_redirect_that_adds_a_slash_leads_to_the_page(fetcher: HttpFetcher) -> None:
    routes = {"/": html("Home", "/tea"), "/tea": redirect("/tea/"), "/tea/": html("Tea", text="Three minutes")}
    with serving(routes.get) as site:
        pages, failures = crawled(site, fetcher)
    assert paths(pages, site) == ["/", "/tea/"]
    assert pages[1].name == f"{site.url}/tea"
    assert failures == []


def test_only_one_page(site: LocalSite, fetcher: HttpFetcher) -> None:
    pages, _ = crawled(site, fetcher, 1)
    assert (paths(pages, site), site.asked) == (["/"], ["/robots.txt", "/"])
    with pytest.raises(dehusk.InvalidSetting):
        crawled(site, fetcher, 0)


@pytest.mark.parametrize(
    ("robots", "error"),
    [
        (Answer(b"", 503), dehusk.RobotsRefused),
        (Answer(b"User-agent: dehusk\nDisallow: /", content_type="text/plain"), dehusk.RobotsRefused),
        (redirect("/robots.txt"), None),
        (Answer(b"\x1f\x8b broken", headers={"Content-Encoding": "gzip"}), dehusk.RobotsRefused),
        (Answer(b"", 404), None),
    ],
)
def test_robots_that_fail_or_forbid_end_the_crawl(
    fetcher: HttpFetcher, robots: Answer, error: type[dehusk.FetchError] | None
) -> None:
    with serving({"/robots.txt": robots, "/": html("Home", text="Hello")}.get) as site:
        if error:
            with pytest.raises(error):
                crawled(site, fetcher)
            assert "/" not in site.asked
        else:
            assert len(crawled(site, fetcher)[0]) == 1


@pytest.mark.parametrize("target", ["http://169.254.169.254/x", "http://127.0.0.1/x", "http://inside.a.example/x"])
def test_nothing_private_is_connected_to_wherever_a_site_points(target: str) -> None:
    """From robots.txt, a sitemap, links and redirects. Without private addresses allowed, as crawls are."""
    names = {"a.example": ["93.184.215.14"], "inside.a.example": ["10.0.0.1"]}
    routes = {
        "/robots.txt": Answer(f"Sitemap: {target}\nSitemap: /moved.xml".encode(), content_type="text/plain"),
        "/moved.xml": redirect(target),
        "/sitemap.xml": Answer(f"<sitemapindex><loc>{target}</loc></sitemapindex>".encode()),
        "/": html("Home", target, "/out", "/one"),
        "/out": redirect(target),
        "/one": html("One", text="first"),
    }
    with serving(routes.get) as site:
        backend = NotingBackend(int(site.url.rpartition(":")[2]))
        with HttpFetcher(resolver=invented(names), backend=backend) as fetcher:
            failures: list[dehusk.DehuskError] = []
            pages = list(dehusk.crawl("http://a.example/", delay=0, fetcher=fetcher, on_failure=failures.append))
    assert [page.url for page in pages] == ["http://a.example/", "http://a.example/one"]
    assert set(backend.asked) == {("93.184.215.14", 80)}
    assert len(failures) == 3


def test_robots_at_a_private_address_forbid_all() -> None:
    with serving({"/robots.txt": redirect("http://169.254.169.254/"), "/": html("Home")}.get) as site:
        backend = NotingBackend(int(site.url.rpartition(":")[2]))
        with (
            HttpFetcher(resolver=invented({"a.example": ["93.184.215.14"]}), backend=backend) as fetcher,
            pytest.raises(dehusk.RobotsRefused, match="not a public address"),
        ):
            list(dehusk.crawl("http://a.example/", delay=0, fetcher=fetcher))
    assert site.asked == ["/robots.txt"]
    assert set(backend.asked) == {("93.184.215.14", 80)}


def test_a_start_page_that_fails_raises(fetcher: HttpFetcher) -> None:
    with serving(lambda path: None) as site, pytest.raises(dehusk.NotServed):
        crawled(site, fetcher)


def test_a_server_that_keeps_failing_is_left_alone(fetcher: HttpFetcher) -> None:
    links = [f"/page/{number}" for number in range(100)]
    routes = {"/": html("Home", *links), "/robots.txt": Answer(b"", 404), "/sitemap.xml": Answer(b"", 404)}
    with serving(lambda path: routes.get(path, Answer(b"", 500))) as site:
        pages, failures = crawled(site, fetcher, 100)
    assert len(pages) == 1
    assert len(failures) == 10


def test_requests_are_bounded_where_all_pages_are_the_same(fetcher: HttpFetcher) -> None:
    """A site that makes up addresses, with the same page at each."""

    def same(path: str) -> Answer:
        number = int(path.strip("/").partition("/")[2] or 0) if re.fullmatch(r"/|/\w+/\d+", path) else 0
        links = [f"/{section}/{number * 10 + digit}" for section in "abcdefgh" for digit in range(1, 10)]
        anchors = "".join(f"<a href={link}>.</a>" for link in links)
        return Answer(f"<p>Always the same.</p>{anchors}".encode())

    with serving(lambda path: None if "." in path else same(path)) as site:
        pages, failures = crawled(site, fetcher, 8)
    assert len(pages) == 1
    assert {type(failure) for failure in failures} == {dehusk.RepeatedPage}
    assert len(site.pages_asked()) == 1 + 40


def test_front_page_as_everybodys_canonical_address_is_not_believed(fetcher: HttpFetcher) -> None:
    head = "<link rel=canonical href=/>"
    routes = {
        "/": html("Home", "/one", "/two", head=head),
        "/one": html("One", text="first", head=head),
        "/two": html("Two", text="second", head=head),
    }
    with serving(routes.get) as site:
        assert len(crawled(site, fetcher)[0]) == 3


def test_links_that_ask_not_to_be_followed_are_not(fetcher: HttpFetcher) -> None:
    routes = {
        "/": Answer(b"<a href=/a rel='external nofollow'>a</a> <a href=/b>b</a> <area href=/c>"),
        "/a": html("A"),
        "/b": Answer(b"<meta name=Robots content='noindex, nofollow'><title>B</title><p>b<a href=/d>d</a>"),
        "/c": html("C"),
        "/d": html("D"),
    }
    with serving(routes.get) as site:
        assert sorted(paths(crawled(site, fetcher)[0], site)) == ["/", "/b", "/c"]


def whole(
    site: LocalSite, fetcher: HttpFetcher, pages: int | None, **scope: object
) -> tuple[list[str], dict[str, int]]:
    """The paths that a crawl in order fetches, and what it leaves out."""
    left_out: dict[str, int] = {}
    options = {"delay": 0.0, "fetcher": fetcher, "scope": CrawlScope(**scope), "on_left_out": left_out.update}  # type: ignore[arg-type]
    return paths(list(dehusk.crawl(site.url + "/", pages, **options)), site), left_out  # type: ignore[arg-type]


def test_a_crawl_fetches_as_many_as_asked_for_in_order(site: LocalSite, fetcher: HttpFetcher) -> None:
    found, left_out = whole(site, fetcher, 40)
    assert len(found) == 40, "also of a site that has one kind of pages in the end"
    assert found[:4] == ["/", "/news/0", "/news/2", "/news/4"]
    assert left_out["beyond the number of pages (--pages)"] > 1
    assert left_out["not pages, by their URLs"] == 1


def test_a_crawl_is_narrowed_down(site: LocalSite, fetcher: HttpFetcher) -> None:
    found, left_out = whole(site, fetcher, None, include=["/news/*", "/about"], exclude=["*/1?"])
    assert sorted(found) == sorted(["/", "/about", *(f"/news/{number}" for number in range(10))])
    assert left_out["excluded (--exclude)"] == 1, "only it leads to the next"
    assert left_out["not included (--include)"] > 3
    found, left_out = whole(site, fetcher, None, depth=1, exclude=["/calendar/*"])
    assert "/news/0" in found
    assert "/news/1" not in found
    assert left_out["too deep (--depth)"] == 6
    with pytest.raises(dehusk.InvalidSetting, match="depth"):
        CrawlScope(depth=-1)


def test_whole_addresses_are_patterns_too(site: LocalSite) -> None:
    scope = CrawlScope(include=["http://a.example/b?c=*"])
    assert scope.reason_against("http://a.example/b?c=1", 0) == ""
    assert scope.reason_against("http://a.example/b", 0) == "not included (--include)"


def test_a_sample_says_what_has_its_share(site: LocalSite, fetcher: HttpFetcher) -> None:
    _, left_out = whole(site, fetcher, 40, sample=True)
    assert left_out["of kinds that have their share (--sample)"] > 1


def test_a_crawl_that_was_given_up_says_why(fetcher: HttpFetcher) -> None:
    home = html("Home", *(f"/broken/{number}" for number in range(15)))
    with serving(lambda path: home if path == "/" else None if "robots" in path else Answer(b"", 500)) as site:
        found, left_out = whole(site, fetcher, 50)
    assert found == ["/"]
    assert left_out == {"after 10 failures in a row": 5}
