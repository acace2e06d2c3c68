"""Titles and languages against gold, on pages of sites that are kept aside; authors and dates against JSON-LD that the
tools do not see.

Nobody labelled authors and dates, so the reference is what the page's own JSON-LD says, which is then removed. extruct
is a column if it is installed; it lists what a page declares, so the first value of each vocabulary is taken. A title
is exact if its letters and digits are those of the gold, whatever their case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Final

from dehusk.lab.evaluation.other_tools import decoded_html
from dehusk.lab.gold.corpora import Corpus, GoldPage, is_kept_aside, site_of_labelled
from dehusk.metadata.value_texts import comparable, plain_text

Values = dict[str, list[str]]
Tool = Callable[[str, str], Values]

NO_LANGUAGE: Final = ("", "zxx")
_TITLES: Final = ("headline", "name")
_NO_ARTICLE: Final = ("organization", "website", "person", "breadcrumblist", "imageobject", "searchaction")


@dataclass(frozen=True, slots=True)
class GoldMetadata:
    """A page, and what people say of it."""

    label: str
    address: str
    html: str
    title: str
    language: str

    @property
    def has_title(self) -> bool:
        """Whether the html, from which the collection removed parts, still has the title anywhere."""
        return comparable(self.title) in comparable(plain_html(self.html))


def plain_html(html: str) -> str:
    """Html without the entities; in parts, as values are short."""
    return "".join(
        plain_text(html[start : start + 5000]) or html[start : start + 5000] for start in range(0, len(html), 5000)
    )


def labelled_pages(corpora: Sequence[Corpus], aside: bool) -> Iterator[GoldMetadata]:
    """Pages with a title or a language, of sites that are kept aside or of the others."""
    for corpus in corpora:
        for page, title in zip(corpus, corpus.column("title"), strict=True):
            if is_kept_aside(site_of_labelled(page)) == aside and (title or page.language not in NO_LANGUAGE):
                yield _labelled(page, title)


def _labelled(page: GoldPage, title: str) -> GoldMetadata:
    html = decoded_html(page.raw.body)
    return GoldMetadata(page.raw.label, page.raw.url, html, " ".join(title.split()), page.language)


def gold_table(pages: Sequence[GoldMetadata], tools: Mapping[str, Tool]) -> str:
    """For each set of pages, how many titles and languages of each tool are right."""
    told = {name: [tool(page.html, page.address) for page in pages] for name, tool in tools.items()}
    lines = [f"| | pages | {' | '.join(tools)} |", "|---|---:|" + "---:|" * len(tools)]
    for row, right in _ROWS.items():
        judged = [number for number, page in enumerate(pages) if right(page, None) is not None]
        shares = [sum(bool(right(pages[one], answers[one])) for one in judged) for answers in told.values()]
        cells = (f"{share / max(1, len(judged)):.3f}" for share in shares)
        lines.append(f"| {row} | {len(judged)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def missed_titles(pages: Sequence[GoldMetadata], tool: Tool) -> Iterator[str]:
    """The titles that are not exact, for looking at."""
    for page in pages:
        told = tool(page.html, page.address)
        if page.title and not _title_is_right(page, told):
            yield f"{page.label}\n  gold  {page.title}\n  found {told['title']}"


def _title_is_right(page: GoldMetadata, told: Values | None) -> bool | None:
    if not page.title:
        return None
    return told is not None and [comparable(title) for title in told["title"]] == [comparable(page.title)]


def _reachable_is_right(page: GoldMetadata, told: Values | None) -> bool | None:
    return _title_is_right(page, told) if page.title and page.has_title else None


def _language_is_right(page: GoldMetadata, told: Values | None) -> bool | None:
    if page.language in NO_LANGUAGE:
        return None
    return told is not None and [language[:2] for language in told["language"]] == [page.language[:2]]


_ROWS: Final = {
    "title": _title_is_right,
    "title, where the html has it": _reachable_is_right,
    "language": _language_is_right,
}


def tools_with_extruct(tools: dict[str, Tool]) -> dict[str, Tool]:
    """These tools, and extruct if it is installed."""
    return tools | {"extruct": extruct_values} if find_spec("extruct") else tools


def extruct_values(html: str, address: str) -> Values:
    """What the first article or thing in each vocabulary says, that with the most detail first."""
    import extruct

    kinds = ["json-ld", "microdata", "opengraph", "dublincore"]
    found = extruct.extract(html, base_url=address or None, syntaxes=kinds, uniform=True, errors="ignore")
    nodes = [node for kind in kinds for node in found.get(kind, []) if _is_about_page(node)]
    return {
        "title": _first(nodes, (*_TITLES, "og:title", "title")),
        "authors": _first(nodes, ("author", "article:author", "creator")),
        "published": _first(nodes, ("datePublished", "article:published_time", "date")),
        "language": _first(nodes, ("inLanguage", "og:locale", "language")),
        "site_name": _first(nodes, ("publisher", "og:site_name")),
        "description": _first(nodes, ("description", "og:description")),
    }


def _is_about_page(node: Any) -> bool:
    kinds = node.get("@type") if isinstance(node, dict) else "organization"
    return not any(str(kind).lower().endswith(_NO_ARTICLE) for kind in (kinds if isinstance(kinds, list) else [kinds]))


def _first(nodes: Sequence[Mapping[str, Any]], names: Sequence[str]) -> list[str]:
    for node in nodes:
        for name in names:
            if texts := _texts(node.get(name)):
                return texts if name in ("author", "creator") else texts[:1]
    return []


def _texts(value: Any) -> list[str]:
    listed = value if isinstance(value, list) else [value]
    named = (one.get("name", one.get("@value")) if isinstance(one, Mapping) else one for one in listed)
    return [one.strip() for one in named if isinstance(one, str) and one.strip()]
