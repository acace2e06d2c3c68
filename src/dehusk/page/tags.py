"""The one table of tags and attributes: what each means for reading, segmenting and rendering.

Known tags have a fixed code (their position in `TAGS`), so that whole pages can be asked about at once with
a table look-up: `page.tagged(TagSet.BLOCK)`. Tags outside the table get codes from `len(TAGS)` up, per page, and
behave as inline elements, which is what browsers make of them.
"""

from __future__ import annotations

from enum import Flag, auto
from typing import Final

TEXT: Final = "#text"

_SECTIONS = "html body article section nav aside header footer main address hgroup search div center"
_HEADINGS = "h1 h2 h3 h4 h5 h6"
_PARAGRAPHS = "p blockquote pre listing xmp plaintext figure figcaption hr details summary dialog"
_LISTS = "ul ol menu dir li dl dt dd"
_TABLES = "table caption colgroup col thead tbody tfoot tr td th"
_FORMS = "form fieldset legend button select optgroup option datalist textarea"
_INLINE = (
    "a abbr acronym b bdi bdo big blink cite code data del dfn em font i img input ins kbd label map mark marquee "
    "math meter nobr output picture progress q rb rp rt rtc ruby s samp slot small span strike strong sub sup svg "
    "time tt u var wbr br"
)
_EMBEDDED = "area audio canvas embed frame frameset iframe noembed noframes noscript object param source track video"
_HEAD = "head title base link meta script style template"

TAGS: Final = (
    TEXT,
    *f"{_SECTIONS} {_HEADINGS} {_PARAGRAPHS} {_LISTS} {_TABLES} {_FORMS} {_INLINE} {_EMBEDDED} {_HEAD}".split(),
)
TAG_CODES: Final = {name: code for code, name in enumerate(TAGS)}


class TagSet(Flag):
    """Sets of tags; `Page.flags` has all that a tag belongs to, so one look-up serves every question."""

    BLOCK = auto()
    """Elements that start a new block and end it. Form controls are inline boxes to a browser, but each holds a
    text of its own: `<option>Red<option>Blue` is two texts."""

    LINK = auto()
    LINE_BREAK = auto()
    HEADING = auto()
    LIST = auto()
    TABLE = auto()
    TABLE_ROW = auto()
    CELL = auto()

    PREFORMATTED = auto()
    """Elements whose white space is shown as written."""

    RAW_TEXT = auto()
    """Elements whose text is neither markup nor content: it is taken out of the Page."""

    HIDDEN = auto()
    """Elements whose text a browser with script does not show as running text: alternatives (`noscript`, `object`,
    `rp`), inert parts (`template`, `datalist`) and drawings (`svg`: titles and labels of icons)."""


MEMBERS: Final = {
    TagSet.BLOCK: frozenset(
        f"{_SECTIONS} {_HEADINGS} {_PARAGRAPHS} {_LISTS} {_TABLES} {_FORMS} "
        "frame frameset iframe noframes noscript object video audio canvas head title".split()
    ),
    TagSet.LINK: frozenset({"a", "area"}),
    TagSet.LINE_BREAK: frozenset({"br"}),
    TagSet.HEADING: frozenset(_HEADINGS.split()),
    TagSet.LIST: frozenset("ul ol menu dir dl".split()),
    TagSet.TABLE: frozenset({"table"}),
    TagSet.TABLE_ROW: frozenset({"tr"}),
    TagSet.CELL: frozenset({"td", "th"}),
    TagSet.PREFORMATTED: frozenset("pre listing xmp plaintext textarea".split()),
    TagSet.RAW_TEXT: frozenset("script style iframe noembed noframes".split()),
    TagSet.HIDDEN: frozenset("noscript template svg datalist noembed noframes rp audio video canvas object".split()),
}


_ARIA = (
    "activedescendant atomic autocomplete braillelabel brailleroledescription busy checked colcount colindex "
    "colindextext colspan controls current describedby description details disabled dropeffect errormessage "
    "expanded flowto grabbed haspopup hidden invalid keyshortcuts label labelledby level live modal multiline "
    "multiselectable orientation owns placeholder posinset pressed readonly relevant required roledescription "
    "rowcount rowindex rowindextext rowspan selected setsize sort valuemax valuemin valuenow valuetext"
)

DISPLAY_ATTRIBUTES: Final = (
    *"class style align valign bgcolor background color face size width height border cellpadding cellspacing".split(),
    *"nowrap noshade hspace vspace clear compact frame rules text link alink vlink leftmargin topmargin".split(),
)
"""Attributes that change how an element looks (its presentation style, in Yi, Liu and Li 2003); ids do not count."""

ATTRIBUTES: Final = (
    *DISPLAY_ATTRIBUTES,
    *"id hidden href src srcset data-src data-srcset data-original data-lazy-src".split(),
    *"data-lazy-srcset data-lazy data-orig-file data-large-file data-actualsrc data-hi-res-src data-echo".split(),
    *"data-image poster videoid playlabel data-instgrm-permalink data-callout data-callout-type data-type".split(),
    *"data-footnote-ref data-footnote-backref alt title lang dir datetime".split(),
    *"rel itemprop itemtype itemscope itemid property typeof vocab name content http-equiv charset".split(),
    *"type value role colspan rowspan scope headers start reversed cite hreflang media open placeholder for".split(),
    *"encoding display alttext data-lang data-language".split(),
    *"x-show ng-show ng-hide [hidden] data-amp-bind-hidden".split(),  # binds whether an element is shown to a script
    *(f"aria-{name}" for name in _ARIA.split()),
    *"checked data-math data-tex data-latex data-formula data-mathml data-math-style data-attrs data-task".split(),
    *"data-enlighter-language mathvariant linethickness close separators notation accent accentunder".split(),
    *"data-mml-node data-c data-mjx-variant data-mode-id data-node-type".split(),
    *"data-syntaxhighlighter-params language syntax data-syntax".split(),
    *"data-cfsrc data-pagespeed-lazy-src data-delayed-url data-lazyload".split(),
    *"nitro-lazy-src nitro-lazy-srcset data-orig-src data-src-large data-src-medium data-wpfc-original-src".split(),
    *"data-delay-src data-image-src data-flickity-lazyload data-splide-lazy data-ezsrc data-opt-src lazy-src".split(),
    *"load-src data-url data-default-src data-src-delay data-lazyload-src data-lazysrc ix-src data-pin-media".split(),
    *"data-lazy-img real_src zoomfile data-breeze data-sf-src data-nectar-img-src data-lzl-src data-old-hires".split(),
    *"data-src-pc data-embed data-videoid data-video-id data-youtube-id data-tweetid data-href".split(),
    *"data-cookieblock-src data-src-cmplz suppressedsrc data-plyr-embed-id".split(),
    *"data data-expr data-katex data-equation".split(),
)
"""The attributes a Page keeps; event handlers and everything else are left behind by the reader."""
ATTRIBUTE_CODES: Final = {name: code for code, name in enumerate(ATTRIBUTES)}
