"""Separate titles and site names: `Tea - The Daily`."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Set
from functools import lru_cache
from typing import Final
from urllib.parse import unquote, urlsplit

from dehusk.metadata.value_texts import comparable, folded, without_marks

_BETWEEN_PARTS = re.compile(r"(\s(?:[|\-–—»«·•/>‹›~]{1,2}\s|[|｜»_]\s?)|[|｜»_]\s?)")
"""Alternatives begin with what has to be there: with something that may be left out, splitting takes twice as long."""
_BEFORE_SITE_NAME = re.compile(r"(\s(?:[|\-–—»«·•/>‹›~]{1,2}\s|[|｜»_：]\s?)|[|｜»_：]\s?|:\s)")
"""Colons are part of titles, except next to the site name."""
_SEPARATING = re.compile(r"[|｜\-–—»«·•/>‹›~_：:]")
"""One of these is in each separator."""
_PLAIN_HOST = re.compile(r"https?://([A-Za-z\d.:-]+)(?![^/?#])", re.ASCII)
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")
_GOES_ON = re.compile(r"[:,]?\s[\w&\"'“„«‘]")
_LEAST_OF_WORD: Final = 4
"""Letters; shorter words are mostly articles and prepositions."""
_LEAST_SHARED: Final = 0.6
"""Share of the words of a heading or a title, whichever has fewer. With these, 109 of 1,291 titles become those that
people noted, and 36 become others; from .5 on, and with words of three letters, it is 118 and 46."""
_MOST_OF_HEADING: Final = 18
"""Different words of a heading; one with more is a paragraph."""
_LEAST_OF_HEADING: Final = 2
_LEAST_IN_PATH: Final = 0.6
"""Share of the words of a heading."""
_LEAST_BEFORE_BAR: Final = 10
"""Letters of a title before a bar; with fewer, both are parts of it."""
_LONGEST_HEADING: Final = 300
"""Characters; a longer one is a paragraph."""
_LEAST_OF_HOST: Final = 3
_MOST_BESIDE_HOST: Final = 10
"""Letters of a site name that may be missing in its host: `The`, `News`, `Magazine`."""
_OTHER_NAMES: Final = {"news.ycombinator.com": "hackernews", "t.me": "telegram"}
"""Names of sites, comparable, that their hosts do not tell, and no element of the page either."""
_KINDS_OF_SITES: Final = frozenset("com org net gov edu".split())
"""Labels before the country code, as in `com.au`; two-letter ones, as in `co.uk`, are ignored anyway."""
_MOST_PARTS: Final = 41
"""Parts and separators of a title; a text with more is a list."""


def document_title(titles: Iterable[str]) -> str:
    """The text of the first title element that has one."""
    # Remaining entities were escaped twice by mistake.
    return next(filter(None, map(folded, map(html.unescape, titles))), "")


def main_headings(headings: Iterable[str]) -> list[str]:
    """Those headings that could be titles."""
    # Entities as in titles; soft hyphens and the like, which show nothing.
    plain = (text if text.isascii() and "&" not in text else folded(html.unescape(text)) for text in headings)
    return [text for text in plain if 1 < len(text) <= _LONGEST_HEADING]


def best_heading(headings: list[str], title: str) -> str:
    """The longest heading contained in the title element, or the only heading; without a title, the first."""
    whole = comparable(title)
    repeated = [heading for heading in headings if (spelled := comparable(heading)) and spelled in whole]
    if repeated:
        return max(repeated, key=len)
    return headings[0] if headings and (len(headings) == 1 or not title) else ""


def heading_of_title(headings: list[str], title: str, address: str) -> str:
    """The heading that says what a declared title says, in the words that the page shows; or nothing.

    Sites write titles for search engines, and headings for readers.
    """
    whole = comparable(title)
    if is_home_page(address):
        return ""  # where headings are slogans
    if longer := [heading for heading in headings if whole in comparable(heading)]:
        # Further words belong to the title; a count, a label or a name set apart by a mark does not.
        goes_on = len(headings) == 1 and longer[0].casefold().startswith(title.casefold())
        return longer[0] if goes_on and _GOES_ON.match(longer[0], len(title)) else ""
    words, path = _words(title), comparable(unquote(_path(address)))
    return next((heading for heading in headings if _is_said(heading, words, path)), "")


def is_name_of_whole(heading: str, title: str, address: str) -> bool:
    """Whether a heading is the last part of a title whose other part is in the path: the name of a book or a site."""
    if not _may_have_parts(title):
        return False
    path, spelled = comparable(unquote(_path(address))), comparable(heading)
    ends = (rest for rest, part in _cuts(title, _BEFORE_SITE_NAME) if comparable(part) == spelled)
    rest = _words(next((rest for rest in ends if title.startswith(rest)), ""))
    return bool(rest) and _in_path(rest, path) and not _in_path(_words(heading), path)


def _in_path(words: Set[str], path: str) -> bool:
    return sum(word in path for word in words) >= _LEAST_IN_PATH * len(words)


def _is_said(heading: str, words: Set[str], path: str) -> bool:
    """Whether a title of these words, or the path of the page, says what a heading says."""
    own = _words(heading)
    if not _LEAST_OF_HEADING <= len(own) <= _MOST_OF_HEADING:
        return False
    return len(own & words) >= _LEAST_SHARED * min(len(own), len(words)) or _in_path(own, path)


def _words(text: str) -> Set[str]:
    """The words of a text that tell it from others; of scripts without blanks, their characters."""
    return {word for word in _WORD.findall(text.casefold()) if len(word) >= _LEAST_OF_WORD or not word.isascii()}


def without_last_part(title: str) -> str:
    """The title without what follows its last bar: the name of a site, or of a section of it."""
    rest, bar, _ = title.rpartition(" | ")
    return rest.strip() if bar and len(comparable(rest)) >= _LEAST_BEFORE_BAR else title


def without_site_name(title: str, site_names: Set[str], headings: list[str]) -> str:
    """The title without a site name (comparable) at its start or end."""
    if not _may_have_parts(title):
        return title
    for rest, part in _cuts(title, _BEFORE_SITE_NAME) if site_names else ():
        if (name := comparable(part)) and name in site_names:
            return rest
    if not (known := {comparable(heading) for heading in headings} - {""}):
        return title
    return next((rest for rest, _ in _cuts(title, _BETWEEN_PARTS) if comparable(rest) in known), title)


def site_name_in_title(title: str, address: str) -> str:
    """The part at either end of a title that matches the host: `Tea - The Daily` on thedaily.com."""
    if not _may_have_parts(title) or not (host := _host(address)):
        return ""
    name = registered_name(address)
    other = _OTHER_NAMES.get(host, "")
    for _, part in _cuts(title, _BEFORE_SITE_NAME):
        spelled = comparable(without_marks(part))
        if spelled == other:
            return part
        # `Daily` on thedaily.com, or `BBC News` on bbc.co.uk.
        has_host = len(name) >= _LEAST_OF_HOST and name in spelled and len(spelled) <= len(name) + _MOST_BESIDE_HOST
        if len(spelled) >= _LEAST_OF_HOST and (spelled in host or has_host):
            return part
    return ""


def section_in_title(title: str, address: str) -> str:
    """The part at the end of a title that is a folder of the address: `Starter : Bread` in /r/Bread/1/starter."""
    if not _may_have_parts(title):
        return ""
    folders = {comparable(folder) for folder in _path(address).split("/")[:-2] if len(folder) >= _LEAST_OF_HOST}
    ends = (part for rest, part in _cuts(title, _BEFORE_SITE_NAME) if title.startswith(rest))
    return next((part for part in ends if comparable(part) in folders), "")


@lru_cache(maxsize=1)  # of one page, whose address several steps ask about
def registered_name(address: str) -> str:
    """The registered name in a URL's host, comparable: `bbc` of news.bbc.co.uk."""
    labels = [label for label in _host(address).split(".")[:-1] if len(label) > 2 and label not in _KINDS_OF_SITES]
    return labels[-1] if labels else ""


def is_home_page(address: str) -> bool:
    """Whether a URL has no path."""
    try:
        return bool(address) and not urlsplit(address).path.strip("/")
    except ValueError:
        return False


def _path(address: str) -> str:
    try:
        return urlsplit(address).path
    except ValueError:
        return ""


@lru_cache(maxsize=1)
def _host(address: str) -> str:
    if plain := _PLAIN_HOST.match(address):  # as nearly always, and found in a tenth of the time
        host = plain[1].lower()
    else:
        try:
            host = urlsplit(address).netloc.lower()
        except ValueError:
            return ""
    return host.partition(":")[0].replace("-", "").removeprefix("www.")


def _may_have_parts(title: str) -> bool:
    """Whether a title has a sign that may separate parts."""
    return _SEPARATING.search(title) is not None


def _cuts(title: str, separator: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """(rest, part cut off) for every separator: cuts at the end first, shortest first, then cuts at the start."""
    parts = separator.split(title)
    if len(parts) > _MOST_PARTS:
        return
    for end in range(len(parts) - 1, 0, -2):
        yield "".join(parts[: end - 1]).strip(), "".join(parts[end:]).strip()
    for start in range(2, len(parts), 2):
        yield "".join(parts[start:]).strip(), "".join(parts[: start - 1]).strip()
