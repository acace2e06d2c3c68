"""robots.txt as RFC 9309 has it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from counted_work import assert_grows_in_step
from thoroughness import sized

import dehusk
from dehusk.sites.robots import LONGEST_DELAY, Rules, parse, read_rules
from dehusk.sources.fetching import Expected
from dehusk.sources.raw_page import RawPage

SITE = "https://a.example/some/page"


def rules_of(answer: bytes | dehusk.FetchError) -> Rules:
    def fetch(url: str, expected: Expected) -> RawPage:
        assert url == "https://a.example/robots.txt"
        if isinstance(answer, dehusk.FetchError):
            raise answer
        return RawPage(answer[: expected.most_bytes], url)

    return read_rules(SITE, fetch)


def test_rules_for_us_go_before_rules_for_all() -> None:
    rules = rules_of(b"User-agent: *\nDisallow: /\n\nUser-agent: Dehusk\nDisallow: /private\nAllow: /private/open$\n")
    assert rules.allow("https://a.example/page")
    assert not rules.allow("https://a.example/private/page")
    assert rules.allow("https://a.example/private/open")
    assert not rules.allow("https://a.example/private/open/more")


def test_rules_for_others_are_not_for_us() -> None:
    rules = rules_of(
        b"\xef\xbb\xbfUser-agent: husk\nUser-agent: dehusk-bot\nDisallow: /\n\nUser-agent: *\nDisallow: /x\n"
    )
    assert rules.allow("https://a.example/page")
    assert not rules.allow("https://a.example/x")


def test_agents_in_a_row_share_their_rules() -> None:
    rules = rules_of(b"User-agent: other\nUser-agent: dehusk\nUser-agent: third\nDisallow: /x\nCrawl-delay: 2\n")
    assert not rules.allow("https://a.example/x")
    assert rules.delay == 2


def test_patterns() -> None:
    rules = rules_of(b"User-agent: *\nDisallow: /*.php$\nDisallow: /*?sort=\nDisallow: /%C3%A4\n")
    assert not rules.allow("https://a.example/a/b.php")
    assert rules.allow("https://a.example/a/b.php5")
    assert not rules.allow("https://a.example/list?sort=up")
    assert not rules.allow("https://a.example/ä")


@pytest.mark.parametrize(
    ("failure", "allowed"),
    [
        (dehusk.NotServed, True),
        (dehusk.ServerFailed, False),
        (dehusk.Unreachable, False),
        (dehusk.TooSlow, False),
    ],
)
def test_without_a_file_all_is_allowed_but_not_if_the_server_fails(
    failure: type[dehusk.FetchError], allowed: bool
) -> None:
    rules = rules_of(failure("https://a.example/robots.txt", "status 503"))
    assert rules.allow(SITE) is allowed
    assert allowed or "status 503" in rules.why_not
    assert (rules.delay, rules.sitemaps) == (0, ())


def test_a_host_that_is_refused_is_told_apart_from_robots_that_redirect_to_one() -> None:
    with pytest.raises(dehusk.AddressRefused):
        rules_of(dehusk.AddressRefused("https://a.example/robots.txt", "leads to 10.0.0.1"))
    assert not rules_of(dehusk.AddressRefused("https://b.example/robots.txt", "leads to 10.0.0.1")).allow(SITE)


def test_delays_are_bounded_and_sitemaps_absolute() -> None:
    text = (
        b"Sitemap: /map.xml\nSitemap: https://b.example/map.xml\nSitemap: http://[\nUser-agent: *\nCrawl-delay: 86400\n"
    )
    rules = rules_of(text)
    assert rules.delay == LONGEST_DELAY
    assert rules.sitemaps == ("https://a.example/map.xml", "https://b.example/map.xml")


@pytest.mark.parametrize(
    "text",
    [
        lambda size: "".join(f"User-agent: a{number}\n" for number in range(size)) + "Disallow: /x\n" * size,
        lambda size: "User-agent: *\nDisallow: /" + "a*" * 10 * size + "b$",
        lambda size: "User-agent: *\n" + "Disallow: /a*a*a*a*a*b$\n" * size,
        lambda size: "\x00\xff<html>" * size,
        lambda size: "<!DOCTYPE html><p>Not found" * size,
        lambda size: "User-agent\nDisallow\n:\n" * size,
        lambda size: "",
    ],
)
def test_any_text_takes_work_in_step_with_its_length(text: Callable[[int], str]) -> None:
    def make_work(size: int) -> Callable[[], object]:
        return lambda: allows(text(size))

    def allows(text: str) -> bool:
        return Rules(parse(text)).allow("https://a.example/" + "a" * 1000)

    assert_grows_in_step(make_work, sized(5_000))
    assert allows(text(10_000))
