"""Dates as pages write them -> ISO 8601; implausible dates are rejected.

Where a page declares no date, htmldate, an optional package, may guess it. It needs HTML, which is no longer in memory,
so it gets a small document of everything that may contain a date.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from dehusk.metadata.page_candidates import date_document
from dehusk.page.page_columns import Page

_EARLIEST_YEAR: Final = 1990
"""There were no web pages before; an older date is from the text, or an empty field."""
_LONGEST: Final = 80
"""Characters that are read: a date is at the start of a value."""

_ISO = re.compile(
    r"(?P<year>\d{4})(?P<between>[-/.])(?P<month>\d{1,2})(?P=between)(?P<day>\d{1,2})(?!\d)"
    r"(?:[Tt ,]*\s*(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d+)?)?"
    r"\s*(?P<zone>[Zz]|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2}(?!\d))?)?"
)
_COMPACT = re.compile(
    r"(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})[Tt]?(?:(?P<hour>\d{2}):?(?P<minute>\d{2}):?(?P<second>\d{2}))?"
    r"(?P<zone>[Zz]|[+-]\d{2}:?\d{2})?(?!\d)"
)
_CHINESE = re.compile(
    r"(?P<year>\d{4})\s*[年년]\s*(?P<month>\d{1,2})\s*[月월]\s*(?P<day>\d{1,2})\s*[日일]?"
    r"(?:\s*(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?)?"
)
_DAY_FIRST = re.compile(r"(?<!\d)(?P<day>\d{1,2})(?P<between>[./-])(?P<month>\d{1,2})(?P=between)(?P<year>\d{4})(?!\d)")
_MONTH_NAMES: Final = (
    "jan januar january janvier enero gennaio janeiro",
    "feb februar february février fevrier febrero febbraio fevereiro",
    "mar märz march mars marzo março",
    "apr april avril abril aprile",
    "may mai mayo maggio maio",
    "jun juni june juin junio giugno junho",
    "jul juli july juillet julio luglio julho",
    "aug august août aout agosto",
    "sep sept september septembre septiembre settembre setembro",
    "oct okt oktober october octobre octubre ottobre outubro",
    "nov november novembre noviembre novembro",
    "dec dez dezember december décembre decembre diciembre dicembre dezembro",
)
_MONTHS: Final = {name: month for month, names in enumerate(_MONTH_NAMES, 1) for name in names.split()}
_NAMED = re.compile(
    r"(?<!\d)(?P<first>\d{1,2})(?:st|nd|rd|th|er|\.)?,?\s+(?:de\s+)?(?P<month>[^\W\d_]{3,10})\.?,?\s+(?:de\s+)?(?P<year>\d{4})"
    r"|(?P<month_first>[^\W\d_]{3,10})\.?\s+(?P<second_day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<second_year>\d{4})"
)
_SECONDS = re.compile(r"(?P<seconds>1\d{9})(?:\d{3})?(?:\.\d+)?$")
_IN_ADDRESS = re.compile(r"/(?P<year>(?:19|20)\d{2})(?P<between>[/-]?)(?P<month>\d{2})(?P=between)(?P<day>\d{2})(?!\d)")


def iso_date(text: str) -> str:
    """The date, or date and time, at the start of a text or in it; empty if there is no plausible one."""
    text = text[:_LONGEST].strip()
    for pattern in (_COMPACT, _ISO):
        if found := pattern.match(text):
            return _written(found)
    return _from_email(text) or _from_number(text) or _anywhere(text)


def date_in_address(address: str) -> str:
    """The date in a URL such as `/2024/05/17/title`."""
    found = _IN_ADDRESS.search(address[:2000])
    return _written(found) if found else ""


def _written(found: re.Match[str]) -> str:
    parts = found.groupdict()
    if not parts.get("hour"):
        return _day(int(parts["year"]), int(parts["month"]), int(parts["day"]))
    clock = f"{int(parts['hour']):02}:{parts['minute']}:{parts['second'] or '00'}"
    return _moment(f"{parts['year']}-{int(parts['month']):02}-{int(parts['day']):02}T{clock}{_zone(parts.get('zone'))}")


def _zone(zone: str | None) -> str:
    if not zone or zone[0] not in "+-":
        return "+00:00" if zone else ""
    digits = zone[1:].replace(":", "").ljust(4, "0")
    return f"{zone[0]}{digits[:2]}:{digits[2:]}"


def _moment(text: str) -> str:
    try:
        return _plausible(datetime.fromisoformat(text))
    except ValueError:
        # The date may be valid though the time is not.
        return _day(*map(int, text[:10].split("-")))


def _day(year: int, month: int, day: int) -> str:
    try:
        return _plausible(date(year, month, day))
    except ValueError:
        return ""


def _plausible(moment: date) -> str:
    if not _EARLIEST_YEAR <= moment.year <= datetime.now(UTC).year + 1:
        return ""
    return moment.isoformat(timespec="seconds") if isinstance(moment, datetime) else moment.isoformat()


def _from_email(text: str) -> str:
    """Dates of HTTP and e-mail headers."""
    try:
        return _plausible(parsedate_to_datetime(text)) if ":" in text and "," in text[:5] else ""
    except (ValueError, IndexError, OverflowError, TypeError):
        return ""


def _from_number(text: str) -> str:
    """Seconds or milliseconds since 1970."""
    found = _SECONDS.match(text)
    return _plausible(datetime.fromtimestamp(int(found["seconds"]), UTC)) if found else ""


def _anywhere(text: str) -> str:
    if found := _CHINESE.search(text):
        return _written(found)
    if found := _NAMED.search(text):
        return _with_month_name(found)
    if found := _DAY_FIRST.search(text):
        return _day_and_month(found)
    found = _ISO.search(text)
    return _written(found) if found else ""


def _with_month_name(found: re.Match[str]) -> str:
    day, name, year = (
        found["first"] or found["second_day"],
        found["month"] or found["month_first"],
        found["year"] or found["second_year"],
    )
    month = _MONTHS.get(name.lower()) or _MONTHS.get(name.lower()[:3], 0)
    return _day(int(year), month, int(day))


def _day_and_month(found: re.Match[str]) -> str:
    """Day first with full stops; with other separators only if it cannot be a month, as the US writes months first."""
    day, month, year = int(found["day"]), int(found["month"]), int(found["year"])
    if found["between"] == "." or day > 12:
        return _day(year, month, day)
    return _day(year, day, month) if month > 12 else ""


_DAY_IN_ADDRESS = re.compile(r"(?:19|20)\d\d[/_-]\d\d?[/_-]\d")
"""What htmldate finds in an address is like this."""
_NOTHING: Final = "<html><body></body></html>"


def guessed_date(page: Page) -> str:
    """The date htmldate finds; empty if it is not installed."""
    document = date_document(page)
    if not document and not _DAY_IN_ADDRESS.search(page.url):
        return ""
    try:
        from htmldate import find_date
    except ImportError:
        return ""
    try:
        # Its extensive search is a hundred times slower and guesses: on 26 pages, 12 of its 24 dates were right, and
        # without it 11 of 15.
        found = find_date(document or _NOTHING, extensive_search=False, original_date=True, url=page.url or None)
    except (ValueError, TypeError, AttributeError, IndexError, OverflowError, SyntaxError):
        # htmldate is not hardened against malformed pages.
        return ""
    return iso_date(found or "")
