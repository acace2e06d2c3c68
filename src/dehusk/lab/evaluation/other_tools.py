"""Other cleaners behind one interface: (decoded html, language code) -> text.

All are optional and imported on first call. None may use the network: tools that can fetch pages get the html, with
image fetching disabled. Each gets the settings that its documentation recommends for the page's language, and html
decoded by us (`decoded_html`), so that none loses by encoding.
"""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from typing import Any, Final

from dehusk.errors import DehuskError, MissingExtra, PageError, UnknownName
from dehusk.page.decoding import decode
from dehusk.workers.guard import guarded

_XML_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*>", re.IGNORECASE)
_CHARSET = re.compile(r"(<(?:meta|script|link)\b[^<>]*?\bcharset\s*=\s*[\"']?\s*)[\w.:-]+", re.IGNORECASE)

Extract = Callable[[str, str], str]
"""(html, ISO 639-1 code of its language, or empty) -> text."""


class OtherToolFailed(PageError):
    """Another tool raised on a page; the subject is the tool."""


@dataclass(frozen=True, slots=True)
class OtherTool:
    """A cleaner that is not ours."""

    name: str
    module: str
    """The module to import."""
    distribution: str
    """The package that pip installs."""
    extract: Extract

    @property
    def installed(self) -> bool:
        """Whether it can be imported; does not import it."""
        return find_spec(self.module) is not None

    def __call__(self, html: str, language: str = "") -> str:
        outcome = guarded(lambda page: self.extract(page, language), html, self.name)
        if isinstance(outcome, DehuskError):
            raise OtherToolFailed(self.name, outcome.cause, "its text counts as empty") from outcome
        return outcome


def decoded_html(body: bytes) -> str:
    """The page as text, without declarations of another encoding.

    lxml refuses text with an XML declaration, and goose encodes text in the declared encoding, failing on characters
    that it lacks. Html parsers ignore both declarations once the page is text.
    """
    return _CHARSET.sub(r"\1utf-8", _XML_DECLARATION.sub("", decode(body).text, count=1))


def installed_tools() -> list[str]:
    """Names of the installed tools."""
    return [name for name, tool in OTHER_TOOLS.items() if tool.installed]


def find_tool(name: str) -> OtherTool:
    """A tool by name, if it is installed."""
    if name not in OTHER_TOOLS:
        raise UnknownName(name, "no such tool", f"choose one of {', '.join(OTHER_TOOLS)}")
    tool = OTHER_TOOLS[name]
    if not tool.installed:
        raise MissingExtra(name, "not installed", f"pip install {tool.distribution}")
    # Several of them log thousands of lines per data set on ordinary pages; failures they raise.
    logging.getLogger(tool.module).setLevel(logging.CRITICAL)
    return tool


def _trafilatura(html: str, language: str) -> str:
    import trafilatura

    text = trafilatura.extract(html, include_comments=False, include_tables=True, output_format="txt")
    return str(text or "")


def _readability(html: str, language: str) -> str:
    """The summary is html; turbohtml extracts its text, at little extra cost."""
    import readability
    import turbohtml

    return turbohtml.parse(readability.Document(html).summary()).to_text()


def _justext(html: str, language: str) -> str:
    import justext

    words = _stop_words(_JUSTEXT_LANGUAGES.get(language, ""))
    # Without a stop list, these thresholds make jusText independent of language (its own `-s None`).
    settings = {} if words else {"stopwords_low": 0, "stopwords_high": 0}
    paragraphs = justext.justext(html, words, **settings)
    return "\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)


@cache
def _stop_words(language: str) -> frozenset[str]:
    import justext

    return frozenset(justext.get_stoplist(language)) if language else frozenset()


def _resiliparse(html: str, language: str) -> str:
    from resiliparse.extract.html2text import extract_plain_text

    # No comments, as for trafilatura; no gold has alternative texts. Both help it: macro F1 0.731 to 0.754.
    return str(extract_plain_text(html, main_content=True, comments=False, alt_texts=False))


def _turbohtml(html: str, language: str) -> str:
    import turbohtml

    return turbohtml.parse(html).main_text()


def _boilerpy3(html: str, language: str) -> str:
    from boilerpy3.extractors import ArticleExtractor

    # By default it raises on end tags without a start tag: on 43 of 735 gold pages.
    return str(ArticleExtractor(raise_on_failure=False).get_content(html))


def _newspaper4k(html: str, language: str) -> str:
    import newspaper

    known = language if language in dict(newspaper.valid_languages()) else None
    article = newspaper.Article("", language=known, fetch_images=False, follow_meta_refresh=False)
    article.download(input_html=html)
    article.parse()
    return str(article.text)


def _goose3(html: str, language: str) -> str:
    with warnings.catch_warnings():
        # Without the tokenizer of a language goose warns and finds nothing: that is a failure.
        warnings.filterwarnings("error", message=".* is not installed")
        return str(_goose(language).extract(raw_html=html).cleaned_text or "")


@cache
def _goose(language: str) -> Any:
    """One per language: an instance is never freed (its finalizer refers to it)."""
    import goose3
    import goose3.text

    settings: dict[str, object] = {"enable_image_fetching": False}
    if files(goose3).joinpath("resources", "text", f"stopwords-{language}.txt").is_file():
        settings |= {"target_language": language, "use_meta_language": False}
    if language in _GOOSE_STOP_WORDS:
        settings["stopwords_class"] = getattr(goose3.text, _GOOSE_STOP_WORDS[language])
    return goose3.Goose(settings)


_GOOSE_STOP_WORDS: Final = {
    "ar": "StopWordsArabic",
    "ja": "StopWordsJapanese",
    "ko": "StopWordsKorean",
    "zh": "StopWordsChinese",
}
"""Languages with a tokenizer class of their own in goose."""

_JUSTEXT_LANGUAGES: Final = {
    "": "English",
    **dict(
        pair.split(":")
        for pair in (
            "af:Afrikaans ar:Arabic az:Azerbaijani be:Belarusian bg:Bulgarian bn:Bengali bs:Bosnian ca:Catalan "
            "cs:Czech cy:Welsh da:Danish de:German el:Greek en:English eo:Esperanto es:Spanish et:Estonian eu:Basque "
            "fa:Persian fi:Finnish fr:French ga:Irish gl:Galician gu:Gujarati he:Hebrew hi:Hindi hr:Croatian "
            "hu:Hungarian hy:Armenian id:Indonesian is:Icelandic it:Italian ka:Georgian kk:Kazakh kn:Kannada "
            "ko:Korean lb:Luxembourgish lt:Lithuanian lv:Latvian mk:Macedonian ml:Malayalam mr:Marathi ms:Malay "
            "nb:Norwegian_Bokmal ne:Nepali nl:Dutch nn:Norwegian_Nynorsk no:Norwegian_Bokmal pl:Polish pt:Portuguese "
            "ro:Romanian ru:Russian sk:Slovak sl:Slovenian sq:Albanian sr:Serbian sv:Swedish sw:Swahili ta:Tamil "
            "te:Telugu tl:Tagalog tr:Turkish uk:Ukrainian ur:Urdu uz:Uzbek vi:Vietnamese"
        ).split()
    ),
}
"""ISO 639-1 -> stop list; unknown language: English; known language without a list: none."""

OTHER_TOOLS: Final[dict[str, OtherTool]] = {
    tool.name: tool
    for tool in (
        OtherTool("trafilatura", "trafilatura", "trafilatura", _trafilatura),
        OtherTool("readability", "readability", "readability-lxml", _readability),
        OtherTool("justext", "justext", "justext", _justext),
        OtherTool("resiliparse", "resiliparse", "resiliparse", _resiliparse),
        OtherTool("turbohtml", "turbohtml", "turbohtml", _turbohtml),
        OtherTool("boilerpy3", "boilerpy3", "boilerpy3", _boilerpy3),
        OtherTool("newspaper4k", "newspaper", "newspaper4k", _newspaper4k),
        OtherTool("goose3", "goose3", "goose3", _goose3),
    )
}
"""All tools, by name."""
