"""Pages of a small shop, written for these tests."""

from __future__ import annotations

from typing import Final

_MENU: Final = "<nav><ul><li><a href=/tea>All teas</a></li><li><a href=/pots>Pots and cups</a></li></ul></nav>"
_FOOTER: Final = "<footer><p>Imprint, privacy and terms of delivery</p></footer>"
NOTICE: Final = (
    "All our teas come from gardens that we have seen with our own eyes, and the people who pick them are paid a fair "
    "price. We travel there every spring, taste what was picked, and buy nothing that we would not drink ourselves."
)
"""Reads like content, but every page of the shop has it."""

_TEAS: Final = (
    "Sencha is steamed soon after it was picked, which keeps its leaves green and its cup bright and grassy.",
    "Oolong rests in baskets until the edges of its leaves turn brown, and is rolled while it is still warm.",
    "Darjeeling grows on slopes so steep that the pickers tie themselves to trees during the second harvest.",
    "Lapsang is dried over fires of pine, and people who dislike the smell of smoke should buy another one.",
    "Mate is no tea at all but a holly, which does not keep anybody from drinking it all day in Montevideo.",
    "Genmaicha has roasted rice in it, once added by the poor to make the leaves last through a long winter.",
)


def tea_page(number: int, notice: str = NOTICE) -> str:
    """A page of the shop."""
    text = _TEAS[number]
    return (
        f"<html><head><title>Tea {number}</title></head><body>{_MENU}<main><h1>Tea number {number}</h1>"
        f"<p>{text} {text}</p></main><div class=notice><p>{notice}</p></div>{_FOOTER}</body></html>"
    )


def tea_of(number: int) -> str:
    """What a page of the shop says of its own."""
    return _TEAS[number]


TEA_PAGES: Final = tuple(tea_page(number) for number in range(len(_TEAS)))
MENU_TEXT: Final = "Pots and cups"
TOO_LARGE: Final = "<" * 2_000_001
"""One tag more than `Limits` allow."""


def _sentences(word: str) -> str:
    return " ".join(f"{word} number {number} was steeped for {number + 2} minutes." for number in range(12))


PAGE_WITH_HIDDEN_TEXT: Final = (
    f"<title>Tea</title><article><h1>Tea</h1><p>{_sentences('Leaf')}</p><p>{_sentences('Bud')}</p>"
    f"<p style='display:none'>{_sentences('Cup')}</p><p>{_sentences('Pot')}</p></article>"
)
