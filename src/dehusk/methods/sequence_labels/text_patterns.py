"""Patterns of addresses, dates, times and list items: the only part of the features that knows languages.

The patterns run over the beginnings of all pieces that could match at once, joined by newlines. So none may match a
newline: no `\\s`, no negated sets. None repeats what repeats and none starts with an unbounded repetition, so that
the time is linear in the text, whatever the text. Most begin with a rare character and look back from there: `re` skips
to such a character five times faster than it tries a boundary everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
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
_MONTH: Final = "\ue000"
"""Stands for the name of any month (a character for private use): one sign is found faster than 300 names."""
_FORMS_OF_MONTH: Final = ("{}", "{}.", "{},", "({}", "({}.")
_SIGN_OF_MONTH: Final = {
    form.format(month): _MONTH for months in MONTHS.values() for month in months.split() for form in _FORMS_OF_MONTH
}


def _after(*contexts: str) -> str:
    """Matches where one of some contexts stands before; each is of one length."""
    return f"(?:{'|'.join(f'(?<={context})' for context in contexts)})"


_OF_NUMBER: Final = _after(r"\d.", r"\d .")
"""The last character stands after a number, or after a number and a blank."""
_OF_DAY: Final = rf"(?<!\d\d\d.)(?<!\d\d\d .){_OF_NUMBER}"
_OF_DAY_OF_MONTH: Final = r"(?<!\d\d\d .)" + _after(
    r"\d .",
    r"\d[.,º°] .",
    r"\d(?:st|nd|rd|th|er) .",
    r"\d - .",
    r"\d (?:de|of) .",
    r"\d de[ln] .",
    r"\d[snrt][tdh] of .",
)
_DOMAINS: Final = "com|org|net|edu|gov|info|biz|eu|uk|de|fr|es|it|nl|pl|cz|ru|jp|cn|br|in|au|ca|ch|at|se"

URLS: Final = (
    r"[hf](?<=^[hf])(?:ttps?|tp)://[!-~]+$",  # nothing else
    r"://",
    r"www\d?\.\w",
    r"@(?<=\w@)\w[\w-]*\.\w",  # electronic mail
    rf"\.(?<=\w\.)(?:{_DOMAINS})\b",
)
DATES: Final = (
    r"(?:19|20)\d\d(?<!\w\d\d\d\d) ?[-/.] ?\d{1,2} ?[-/.] ?\d{1,2}\b",
    rf"[-/.]{_OF_DAY} ?\d{{1,2}} ?[-/.] ?(?:\d{{4}}|\d\d)\b",
    rf"[年년月월]{_OF_NUMBER} ?\d{{1,2}} ?[月월日일]",
    rf"{_MONTH}{_OF_DAY_OF_MONTH}",
    rf"{_MONTH} -? ?\d{{1,2}}\b",
    rf"{_MONTH} -? ?(?:de |of |del )?(?:19|20)\d\d\b",
)
TIMES: Final = (
    r"[:.](?<=\d.)\d\d(?:[:.]\d\d)? ?[ap]\.?m\b",
    rf"[ap]{_OF_NUMBER}\.?m\b",
    rf"[uhч]{_OF_NUMBER}(?:hr|ur|od|ас)",
    r"[kg](?<!\w[kg])(?:lo?|odz)\.? ?\d{1,2}[:.]\d\d\b",
    rf"h{_OF_NUMBER} ?\d\d\b",
    rf"[時时点點시]{_OF_NUMBER}",
    r":(?<=\d:)[0-5]\d\b",
)
BULLETS: Final = (
    r"^[(\[]?\d{1,3}(?=[\]).: -]|$)",  # a number
    r"^[(\[]?[a-z](?=[\]).:])",  # a single letter
    r"^[(\[]?\w{1,4}[)\]]",  # a closing parenthesis
    r"^[(\[]?(?:\d{1,3}|[a-z])[.:](?= |$)",  # a point
    r"^[-–—−]",  # a dash
    r"^[•·*»›>▪■□●○◦‣►]",  # a sign
)
"""Texts are in lower case, with one blank for any white space; for dates and times, hyphens have blanks around them and
`_MONTH` stands for the names of months. Earlier patterns win, but for bullets, where every combination of those that
match is a value of its own."""

_BEGINNING: Final = 160
"""Characters of a piece that are searched. Lines with the date of an article are shorter; in a long paragraph, the
first one or two sentences say as much as the rest."""
_BEFORE_DIGIT: Final = 24
_AFTER_DIGIT: Final = 48
"""Characters before and after the first digit that are searched for dates and times."""
_BULLET_LENGTH: Final = 8


def _lines(texts: Iterable[str]) -> list[str]:
    """Texts in lower case, with one blank for any white space."""
    return [" ".join(text.lower().split()) for text in texts]


def first_url(texts: Sequence[str]) -> NDArray[np.uint8]:
    """uint8: number, from 1, of the first of `URLS` each text matches; 0 for none."""
    return _first(_matching(URLS, _lines(text[:_BEGINNING] for text in texts)), len(texts))


def first_date_and_time(
    texts: Sequence[str], first_digit: Sequence[int]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """uint8: number, from 1, of the first of `DATES` each text matches, and of `TIMES`; 0 for none.

    For texts with digits, and where the first digit of each is.
    """
    around_digit = [
        text[max(digit - _BEFORE_DIGIT, 0) : digit + _AFTER_DIGIT] if digit < _BEGINNING else ""
        for text, digit in zip(texts, first_digit, strict=True)
    ]
    lines = _lines_with_sign_for_months(around_digit)
    matching = _matching(DATES + TIMES, lines)
    return _first(matching[: len(DATES)], len(lines)), _first(matching[len(DATES) :], len(lines))


def bullet_combination(texts: Sequence[str]) -> NDArray[np.uint8]:
    """uint8: the sum of 2 to the position of each of `BULLETS` that a text matches."""
    lines = _lines(text[:_BULLET_LENGTH] for text in texts)
    combination = np.zeros(len(lines), dtype=np.uint8)
    for position, lines_found in enumerate(_matching(BULLETS, lines)):
        combination[lines_found] |= np.uint8(1 << position)
    return combination


def _lines_with_sign_for_months(texts: Sequence[str]) -> list[str]:
    sign = _SIGN_OF_MONTH.get
    # With blanks around hyphens the month of 12-May-2007 is a word, too.
    words = (text.lower().replace("-", " - ").split() for text in texts)
    return [" ".join([sign(word, word) for word in line]) for line in words]


def _first(matching: list[NDArray[np.intp]], size: int) -> NDArray[np.uint8]:
    """uint8: number, from 1, of the first pattern that each of some lines matches."""
    number = np.zeros(size, dtype=np.uint8)
    for value, lines_found in reversed(list(enumerate(matching, start=1))):
        if len(lines_found):
            number[lines_found] = value
    return number


def _matching(patterns: tuple[str, ...], lines: Sequence[str]) -> list[NDArray[np.intp]]:
    """Positions of the lines that match, for each pattern."""
    joined = "\n".join(lines)
    ends = np.cumsum([len(line) + 1 for line in lines], dtype=np.intp)
    found = ([match.start() for match in _compiled(pattern).finditer(joined)] for pattern in patterns)
    return [ends.searchsorted(places, side="right") if places else ends[:0] for places in found]


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    # On first use: few programs look for sequence labels, and all import this.
    return re.compile(pattern, re.MULTILINE)
