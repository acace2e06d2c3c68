"""Patterns of URLs, dates, times and list items: the only language-dependent part of the features.

The patterns run over the beginnings of all candidate text runs at once, joined by newlines, so none may match a
newline: no `\\s`, no negated sets. There are no nested repetitions and none at the start of a pattern, so the time is
linear in any text. Most patterns begin with a rare character and look back from there: `re` skips to such a character
five times faster than it tries a boundary everywhere.
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
"""Stands for any month name (a private-use character): one character is found faster than 300 names."""
_FORMS_OF_MONTH: Final = ("{}", "{}.", "{},", "({}", "({}.")
_SIGN_OF_MONTH: Final = {
    form.format(month): _MONTH for months in MONTHS.values() for month in months.split() for form in _FORMS_OF_MONTH
}


def _after(*contexts: str) -> str:
    """A look-behind for any of some contexts, each of fixed length."""
    return f"(?:{'|'.join(f'(?<={context})' for context in contexts)})"


_OF_NUMBER: Final = _after(r"\d.", r"\d .")
"""The last character follows a number, or a number and a space."""
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
"""Texts are in lower case, with one space for any white space; for dates and times, hyphens have spaces around them and
`_MONTH` stands for month names. Earlier patterns win, except for bullets, where every combination of matching patterns
is a separate value."""

_BEGINNING: Final = 160
"""Characters searched at the start of a text run. Lines with the date of an article are shorter; in a long paragraph,
the first one or two sentences are as informative as the rest."""
_BEFORE_DIGIT: Final = 24
_AFTER_DIGIT: Final = 48
"""Characters before and after the first digit that are searched for dates and times."""
_BULLET_LENGTH: Final = 8


def _lines(texts: Iterable[str]) -> list[str]:
    """Texts in lower case, with white space collapsed to single spaces."""
    return [" ".join(text.lower().split()) for text in texts]


def first_url(texts: Sequence[str]) -> NDArray[np.uint8]:
    """uint8: the 1-based number of the first of `URLS` that each text matches; 0 for none."""
    return _first(_matching(URLS, _lines(text[:_BEGINNING] for text in texts)), len(texts))


def first_date_and_time(
    texts: Sequence[str], first_digit: Sequence[int]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """uint8: the 1-based number of the first of `DATES`, and of `TIMES`, that each text matches; 0 for none.

    Takes texts with digits and the offset of the first digit in each.
    """
    around_digit = [
        text[max(digit - _BEFORE_DIGIT, 0) : digit + _AFTER_DIGIT] if digit < _BEGINNING else ""
        for text, digit in zip(texts, first_digit, strict=True)
    ]
    lines = _lines_with_sign_for_months(around_digit)
    matching = _matching(DATES + TIMES, lines)
    return _first(matching[: len(DATES)], len(lines)), _first(matching[len(DATES) :], len(lines))


def bullet_combination(texts: Sequence[str]) -> NDArray[np.uint8]:
    """uint8: a bit mask of the `BULLETS` that each text matches."""
    lines = _lines(text[:_BULLET_LENGTH] for text in texts)
    combination = np.zeros(len(lines), dtype=np.uint8)
    for position, lines_found in enumerate(_matching(BULLETS, lines)):
        combination[lines_found] |= np.uint8(1 << position)
    return combination


def _lines_with_sign_for_months(texts: Sequence[str]) -> list[str]:
    sign = _SIGN_OF_MONTH.get
    # With spaces around hyphens the month in 12-May-2007 is a word as well.
    words = (text.lower().replace("-", " - ").split() for text in texts)
    return [" ".join([sign(word, word) for word in line]) for line in words]


def _first(matching: list[NDArray[np.intp]], size: int) -> NDArray[np.uint8]:
    """uint8: the 1-based number of the first pattern that each line matches; 0 for none."""
    number = np.zeros(size, dtype=np.uint8)
    for value, lines_found in reversed(list(enumerate(matching, start=1))):
        if len(lines_found):
            number[lines_found] = value
    return number


def _matching(patterns: tuple[str, ...], lines: Sequence[str]) -> list[NDArray[np.intp]]:
    """The indices of the matching lines, for each pattern."""
    joined = "\n".join(lines)
    ends = np.cumsum([len(line) + 1 for line in lines], dtype=np.intp)
    found = ([match.start() for match in _compiled(pattern).finditer(joined)] for pattern in patterns)
    return [ends.searchsorted(offsets, side="right") if offsets else ends[:0] for offsets in found]


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    # Compiled on first use: every program imports this module, few use sequence labels.
    return re.compile(pattern, re.MULTILINE)
