"""Link targets: absolute, and safe to follow. The compiled part resolves them, `native/src/addresses`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from dehusk.native.calculations import Question, ask
from dehusk.native.calls import Lendable, Outcome, call, joined
from dehusk.native.lazy_numpy import np
from dehusk.native.library import lib
from dehusk.page.characters import encodable
from dehusk.page.page_columns import Page
from dehusk.page.tags import TagSet


def base_url(page: Page) -> str:
    """The base of relative links: the page's `<base href>`, resolved against its URL.

    A page from a file has no URL; its canonical URL serves as well.
    """
    return ask(Question.BASE_ADDRESS, (_utf8(page.url),), page.native, subject=page.label).text(0)


def declared_canonical(page: Page) -> str:
    """The target of `<link rel=canonical>`, as written; empty if there is none."""
    return ask(Question.CANONICAL, (), page.native, subject=page.label).text(0)


def out_links(page: Page) -> Iterator[str]:
    """The absolute link targets of a page, with repetitions; without `nofollow` links."""
    if _asks_not_to_follow(page):
        return
    links = map(page.attributes, np.flatnonzero(page.tagged(TagSet.LINK)).tolist())
    followed = (link for link in links if "href" in link and "nofollow" not in link.get("rel", "").lower().split())
    yield from safe_urls([link["href"] for link in followed], base_url(page))


def _asks_not_to_follow(page: Page) -> bool:
    """Whether the page has `<meta name=robots content=nofollow>`."""
    return any(
        value.strip().lower() == "robots" and "nofollow" in page.attributes(row).get("content", "").lower()
        for row, value in page.with_attribute("name")
    )


_PLAIN: Final = re.compile(r"https?://[A-Za-z0-9.-]+(?:[/?#][A-Za-z0-9%/:=&?~#+!$,;@_.*()-]*)?")


def is_plain_url(address: str) -> bool:
    """Whether an address is absolute and safe as it is, as most declared ones are: to resolve them takes a call."""
    return _PLAIN.fullmatch(address) is not None


def safe_url(address: str, base: str) -> str:
    """The absolute, percent-encoded URL, or the empty string if following it could do harm."""
    return safe_urls([address], base)[0]


def safe_urls(addresses: Sequence[str], base: str) -> list[str]:
    """The same for several addresses, which takes hardly longer than for one."""
    return _texts(call(lib.dehusk_addresses, _arrays(base, addresses), base)) if addresses else []


def safe_urls_on(page: Page, addresses: Sequence[str]) -> tuple[str, list[str]]:
    """The URL of a page itself, and addresses on it as seen from there."""
    own, *others = _texts(ask(Question.PAGE_ADDRESSES, _arrays(page.url, addresses), page.native, subject=page.label))
    return own, others


def _arrays(first: str, addresses: Sequence[str]) -> tuple[Lendable, ...]:
    """An address, others, and where each of them ends."""
    return _utf8(first), *joined([_utf8(address) for address in addresses])


def _texts(resolved: Outcome) -> list[str]:
    utf8 = resolved.bytes(0)
    return [utf8[begin:stop].decode() for begin, stop in pairwise([0, *resolved.entries(1)])]


def _utf8(address: str) -> bytes:
    return (address if address.isascii() else encodable(address)).encode()
