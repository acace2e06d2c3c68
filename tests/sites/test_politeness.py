"""Pauses and permissions, with an invented clock: nothing here sleeps."""

from __future__ import annotations

import pytest

import dehusk
from dehusk.sites.politeness import LONGEST_PAUSE, Pace, PoliteFetcher
from dehusk.sources.fetching import PAGES, Check, Expected, no_check
from dehusk.sources.raw_page import RawPage


class Clock:
    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


class Pages:
    """A fetcher of invented answers; each takes two seconds."""

    def __init__(self, clock: Clock, answers: dict[str, bytes | dehusk.FetchError]) -> None:
        self._clock = clock
        self._answers = answers
        self.asked: list[tuple[str, float]] = []

    def fetch(self, url: str, expected: Expected = PAGES, check: Check = no_check) -> RawPage:
        check(url)
        self.asked.append((url, self._clock.now))
        self._clock.now += 2
        answer = self._answers.get(url, dehusk.NotServed(url, "status 404"))
        if isinstance(answer, dehusk.FetchError):
            raise answer
        return RawPage(answer, url)


def test_a_pause_between_two_requests_to_a_host_counted_from_the_end_of_the_first() -> None:
    clock = Clock()
    pages = Pages(clock, {"http://a.example/1": b"1", "http://a.example/2": b"2", "http://b.example/1": b"3"})
    fetcher = PoliteFetcher(pages, Pace(5.0, clock.sleep, clock))
    for url in ("http://a.example/1", "http://b.example/1", "http://a.example/2"):
        fetcher.fetch(url)
    asked = dict(pages.asked)
    assert asked["http://a.example/1"] == 102  # robots.txt was asked for at 100
    assert asked["http://b.example/robots.txt"] == 104  # another host need not wait
    assert asked["http://a.example/2"] == 104 + 5
    assert [url for url, _ in pages.asked].count("http://a.example/robots.txt") == 1


def test_the_site_may_ask_for_a_longer_pause() -> None:
    clock = Clock()
    robots = b"User-agent: *\nCrawl-delay: 20\n"
    pages = Pages(clock, {"http://a.example/robots.txt": robots, "http://a.example/1": b"", "http://a.example/2": b""})
    fetcher = PoliteFetcher(pages, Pace(0.0, clock.sleep, clock))
    fetcher.fetch("http://a.example/1")
    fetcher.fetch("http://a.example/2")
    assert clock.slept == [20.0]


def test_a_server_that_fails_is_left_alone_for_longer_each_time() -> None:
    clock = Clock()
    pages = Pages(clock, {"http://a.example/1": dehusk.ServerFailed("x", "status 503"), "http://a.example/2": b""})
    fetcher = PoliteFetcher(pages, Pace(1.0, clock.sleep, clock))
    for _ in range(8):
        with pytest.raises(dehusk.ServerFailed):
            fetcher.fetch("http://a.example/1")
    assert clock.slept == [2.0, 4.0, 8.0, 16.0, 32.0, LONGEST_PAUSE, LONGEST_PAUSE]
    fetcher.fetch("http://a.example/2")
    fetcher.fetch("http://a.example/2")
    fetcher.fetch("http://a.example/2")
    assert clock.slept[-1] == 1.0


def test_what_robots_forbid_is_not_asked_for() -> None:
    clock = Clock()
    pages = Pages(clock, {"http://a.example/robots.txt": b"User-agent: *\nDisallow: /x", "http://a.example/y": b"y"})
    fetcher = PoliteFetcher(pages, Pace(0.0, clock.sleep, clock))
    with pytest.raises(dehusk.RobotsRefused, match=r"robots\.txt does not allow it"):
        fetcher.fetch("http://a.example/x")
    assert fetcher.fetch("http://a.example/y").body == b"y"
    assert [url for url, _ in pages.asked] == ["http://a.example/robots.txt", "http://a.example/y"]


def test_a_private_address_is_refused_by_the_name_that_was_asked_for() -> None:
    refused = dehusk.PrivateAddress("http://a.example/robots.txt", "leads to 10.0.0.1")
    fetcher = PoliteFetcher(Pages(Clock(), {"http://a.example/robots.txt": refused}), Pace(0.0))
    with pytest.raises(dehusk.PrivateAddress) as raised:
        fetcher.fetch("http://a.example/tea?cup=1")
    assert raised.value.subject == "http://a.example/tea?cup=1"
