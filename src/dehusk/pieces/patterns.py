"""Patterns of addresses, dates, times and list items: the only part of the features that knows languages.

The patterns run over the beginnings of all pieces that could match at once, joined by newlines. So none may match a
newline: no `\\s`, no negated sets. None repeats what repeats and none starts with an unbounded repetition, so that
the time is linear in the text, whatever the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

MONTHS: Final = {
    "English": "january february march april may june july august september october november december",
    "English, short": "jan feb mar apr jun jul aug sep sept oct nov dec",
    "German": "januar jänner februar märz april mai juni juli august september oktober november dezember mrz okt dez",
    "French": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre janv févr juil déc",
    "Spanish": "enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre",
    "Portuguese": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    "Italian": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "Dutch": "januari februari maart april mei juni juli augustus september oktober november december mrt",
    "Swedish": "januari februari mars april maj juni juli augusti september oktober november december",
    "Danish": "januar februar marts april maj juni juli august september oktober november december",
    "Norwegian": "januar februar mars april mai juni juli august september oktober november desember",
    "Finnish": (
        "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta "
        "marraskuuta joulukuuta"
    ),
    "Polish": (
        "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia styczeń "
        "luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień"
    ),
    "Czech": (
        "ledna února března dubna května června července srpna září října listopadu prosince leden únor březen duben "
        "květen červen červenec srpen říjen listopad prosinec"
    ),
    "Russian": (
        "января февраля марта апреля мая июня июля августа сентября октября ноября декабря январь февраль март апрель "
        "май июнь июль август сентябрь октябрь ноябрь декабрь"
    ),
    "Ukrainian": "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
    "Greek": (
        "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου "
        "δεκεμβρίου"
    ),
    "Turkish": "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    "Indonesian": "januari februari maret april mei juni juli agustus september oktober november desember",
    "Arabic": "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
    "Hindi": "जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर",
}
_MONTHS: Final = frozenset(" ".join(MONTHS.values()).split())
_MONTH: Final = "\ue000"
"""Stands for the name of any month (a character for private use): one sign is found faster than 300 names."""
_WORD: Final = re.compile(r"([^\W\d_]+)")

_DAY: Final = r"\b\d{1,2}(?:st|nd|rd|th|er|[.º°])?"
_OF: Final = "(?:de |of |del |den )?"
_DOMAINS: Final = "com|org|net|edu|gov|info|biz|eu|uk|de|fr|es|it|nl|pl|cz|ru|jp|cn|br|in|au|ca|ch|at|se"

URLS: Final = (
    r"^(?:https?|ftp)://[!-~]+$",  # nothing else
    r"\b(?:https?|ftp)://",
    r"\bwww\d?\.\w",
    r"\w@\w[\w-]*\.\w",  # electronic mail
    rf"\w\.(?:{_DOMAINS})\b",
)
DATES: Final = (
    r"\b(?:19|20)\d\d ?[-/.] ?\d{1,2} ?[-/.] ?\d{1,2}\b",
    r"\b\d{1,2} ?[-/.] ?\d{1,2} ?[-/.] ?(?:\d{4}|\d\d)\b",
    r"\d{1,4} ?[年년] ?\d{1,2} ?[月월]|\d{1,2} ?[月월] ?\d{1,2} ?[日일]",
    rf"{_DAY}[ -]?{_OF}{_MONTH}",
    rf"{_MONTH}[.]?[ -]\d{{1,2}}\b",
    rf"{_MONTH}[.,]?[ -]{_OF}(?:19|20)\d\d\b",
)
TIMES: Final = (
    r"\b\d{1,2}[:.]\d\d(?:[:.]\d\d)? ?[ap]\.?m\b",
    r"\b\d{1,2} ?[ap]\.?m\b",
    r"\b\d{1,2}(?:[:.]\d\d)? ?(?:uhr|hod|uur|час)|\b(?:kl|godz|klo|ore)\.? ?\d{1,2}[:.]\d\d",
    r"\b\d{1,2} ?h ?\d\d\b",
    r"\d{1,2} ?[時时点點시] ?(?:\d{1,2} ?[分분]|半)?",
    r"\b(?:[01]?\d|2[0-3]):[0-5]\d\b",
)
BULLETS: Final = (
    r"^[(\[]?\d{1,3}(?=[\]).: -]|$)",  # a number
    r"^[(\[]?[a-z](?=[\]).:])",  # a single letter
    r"^[(\[]?\w{1,4}[)\]]",  # a closing parenthesis
    r"^[(\[]?(?:\d{1,3}|[a-z])[.:](?= |$)",  # a point
    r"^[-–—−]",  # a dash
    r"^[•·*»›>▪■□●○◦‣►]",  # a sign
)
"""Texts are in lower case, with one blank for any white space. Earlier patterns win, but for bullets, where every
combination of those that match is a value of its own."""

_BEGINNING: Final = 160
"""Characters of a piece that are searched. Lines with the date of an article are shorter; in a long paragraph, the
first one or two sentences say as much as the rest."""
_BULLET_LENGTH: Final = 8


@cache
def _compiled(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    # On first use: few programs look for sequence labels, and all import this.
    return tuple(re.compile(pattern, re.MULTILINE) for pattern in patterns)


def beginnings(texts: Sequence[str], length: int = _BEGINNING) -> list[str]:
    """The beginning of each text in lower case, with one blank for any white space."""
    return [" ".join(text[:length].lower().split()) for text in texts]


def first_url(texts: Sequence[str]) -> NDArray[np.uint8]:
    """uint8: number, from 1, of the first of `URLS` each text matches; 0 for none."""
    return _first_matching(_compiled(URLS), beginnings(texts))


def first_date_and_time(texts: Sequence[str]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """uint8: number, from 1, of the first of `DATES` each text matches, and of `TIMES`; 0 for none."""
    lines = _with_one_sign_for_months(beginnings(texts))
    return _first_matching(_compiled(DATES), lines), _first_matching(_compiled(TIMES), lines)


def bullet_combination(texts: Sequence[str]) -> NDArray[np.uint8]:
    """uint8: the sum of 2 to the position of each of `BULLETS` that a text matches."""
    lines = beginnings(texts, _BULLET_LENGTH)
    combination = np.zeros(len(lines), dtype=np.uint8)
    for position, lines_found in enumerate(_matching(_compiled(BULLETS), lines)):
        combination[lines_found] |= np.uint8(1 << position)
    return combination


def _with_one_sign_for_months(lines: Sequence[str]) -> list[str]:
    parts = _WORD.split("\n".join(lines))
    parts[1::2] = [_MONTH if word in _MONTHS else word for word in parts[1::2]]
    return "".join(parts).split("\n")


def _first_matching(patterns: Sequence[re.Pattern[str]], lines: Sequence[str]) -> NDArray[np.uint8]:
    number = np.zeros(len(lines), dtype=np.uint8)
    matching = list(enumerate(_matching(patterns, lines), start=1))
    for value, lines_found in reversed(matching):
        number[lines_found] = value
    return number


def _matching(patterns: Sequence[re.Pattern[str]], lines: Sequence[str]) -> list[NDArray[np.intp]]:
    """Positions of the lines that match, for each pattern."""
    joined = "\n".join(lines)
    ends = np.cumsum([len(line) + 1 for line in lines])
    places = ([match.start() for match in pattern.finditer(joined)] for pattern in patterns)
    return [np.searchsorted(ends, found, side="right") for found in places]
