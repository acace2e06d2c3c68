"""Metadata of dehusk and trafilatura: how much each finds, how often they agree, and which is right.

Correctness is measured on pages with one article as JSON-LD. An independent reader takes the reference from it; then
both tools read the page as it is, and again without its JSON-LD. With `--gold`, titles and languages are compared with
those that people noted, and the rest with JSON-LD that no tool sees, on pages of the sites that are kept aside
(`--tuning`: of the others).
"""

from __future__ import annotations

import argparse
import html as html_entities
import json
import logging
import random
import re
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from labelled_pages import gold_corpora, positive, run
from metadata_gold import gold_table, labelled_pages, missed_titles, tools_with_extruct
from timing import SCRIPTS_EMPTIED

from dehusk.lab.evaluation.other_tools import decoded_html
from dehusk.lab.gold.corpora import Corpus, is_kept_aside, site_of_labelled
from dehusk.metadata.metadata_finding import find_metadata
from dehusk.page.page_reading import read_page

Values = dict[str, list[str]]
"""Field -> its values; none is an empty list."""
Tool = Callable[[str, str], Values]
"""(html, address) -> what it finds."""

FIELDS: Final = "title authors published language site_name url categories tags description image licence".split()
JUDGED: Final = "title authors published site_name description".split()
MOST_OF_A_SITE: Final = 3
"""Pages of a site with a reference that are judged: fifty of one template are one observation."""

_JSON_LD = re.compile(r"<script\b[^>]*application/ld\+json[^>]*>(.*?)</script\s*>", re.IGNORECASE | re.DOTALL)
_ARTICLES: Final = {
    "Article",
    "NewsArticle",
    "BlogPosting",
    "ReportageNewsArticle",
    "OpinionNewsArticle",
    "TechArticle",
}
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_TAG = re.compile(r"</?[a-z][^<>]*>", re.IGNORECASE)
_LEAST_PREFIX: Final = 40
"""Characters that descriptions must share to be the same one, cut off at different places."""


@dataclass(frozen=True, slots=True)
class Sampled:
    """One page, ready for both tools."""

    label: str
    corpus: str
    site: str
    address: str
    html: str


def main() -> int:
    options = _options()
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    corpora = gold_corpora(options.paths)
    tools: dict[str, Tool] = {"dehusk": ours, "trafilatura": trafilatura_values}
    if options.gold:
        return gold_figures(corpora, tools_with_extruct(tools), options)
    pages = sample(corpora, options.pages, options.seed)
    told = {name: [tool(page.html, page.address) for page in pages] for name, tool in tools.items()}
    print(f"{len(pages)} pages of {len(corpora)} sets\n\n{found_table(told)}\n")
    print(time_line([page for page in pages if page.corpus not in SCRIPTS_EMPTIED]) + "\n")
    referenced = list(islice(with_reference(corpora, options.seed), options.skip, options.skip + options.pages))
    for title, change in {"as it is": str, "without its JSON-LD": without_json_ld}.items():
        answers = {
            name: [tool(change(page.html), page.address) for page, _ in referenced] for name, tool in tools.items()
        }
        references = [reference for _, reference in referenced]
        print(f"{len(referenced)} pages with an article in JSON-LD, {title}\n\n{judged_table(answers, references)}\n")
        if options.show:
            show_wrong([page.label for page, _ in referenced], answers, references, options.show)
    return 0


def gold_figures(corpora: Sequence[Corpus], tools: dict[str, Tool], options: argparse.Namespace) -> int:
    """Print how often each tool is right."""
    aside = not options.tuning
    sites = "kept aside" if aside else "not kept aside"
    pages = list(labelled_pages(corpora, aside))
    titled = [page for page in pages if page.title]
    others = [page for page in pages if not page.title]
    judged = [*titled, *random.Random(options.seed).sample(others, min(len(others), options.pages))]
    print(f"{len(judged)} pages of sites {sites}: equal to gold\n\n{gold_table(judged, tools)}\n")
    found = (pair for pair in with_reference(corpora, options.seed) if is_kept_aside(pair[0].site) == aside)
    referenced = list(islice(found, options.pages))
    references = [reference for _, reference in referenced]
    answers = {
        name: [tool(without_json_ld(page.html), page.address) for page, _ in referenced] for name, tool in tools.items()
    }
    print(f"{len(referenced)} pages of sites {sites}, without their JSON-LD\n\n{judged_table(answers, references)}")
    if options.show == "title":
        print("\n".join(["", *missed_titles(titled, tools["dehusk"])]))
    elif options.show:
        show_wrong([page.label for page, _ in referenced], answers, references, options.show)
    return 0


def sample(corpora: Sequence[Corpus], number: int, seed: int) -> list[Sampled]:
    """The same number of random pages of each set; small sets have fewer."""
    chance = random.Random(seed)
    pages = []
    for corpus in corpora:
        share = -(-number // len(corpora))
        chosen = set(chance.sample(range(corpus.size()), min(share, corpus.size())))
        pages += list(_sampled(corpus, chosen))
    return chance.sample(pages, min(number, len(pages)))


def with_reference(corpora: Sequence[Corpus], seed: int) -> Iterator[tuple[Sampled, Values]]:
    """Random pages whose JSON-LD describes one article, with its values."""
    referenced = [
        (page, reference)
        for corpus in corpora
        for page in _sampled(corpus, set(range(corpus.size())))
        if (reference := reference_values(page.html))
    ]
    random.Random(seed).shuffle(referenced)
    of_site: dict[str, int] = {}
    for page, reference in referenced:
        of_site[page.site] = of_site.get(page.site, 0) + 1
        if of_site[page.site] <= MOST_OF_A_SITE:
            yield page, reference


def _sampled(corpus: Corpus, numbers: set[int]) -> Iterator[Sampled]:
    for page in corpus.pick(numbers):
        yield Sampled(page.raw.label, corpus.name, site_of_labelled(page), page.raw.url, decoded_html(page.raw.body))


def reference_values(html: str) -> Values:
    """What the only article in a page's JSON-LD says of itself; nothing if there is none, or several."""
    nodes: list[dict[str, Any]] = []
    for script in _JSON_LD.findall(html):
        try:
            nodes += _top_nodes(json.loads(script, strict=False))
        except (ValueError, RecursionError):
            continue
    articles = [node for node in nodes if _ARTICLES & set(_list(node.get("@type")) if _plain_types(node) else [])]
    if len(articles) != 1:
        return {}
    described = {node["@id"]: node for node in nodes if isinstance(node.get("@id"), str) and "name" in node}
    article = articles[0]
    sites = [node for node in nodes if node.get("@type") == "WebSite"]
    site_names = [*_names(article.get("publisher"), described), *_names(sites, described)]
    return {
        "title": [title for name in _names(article.get("headline"), described) for title in _titles(name, site_names)],
        "authors": _names(article.get("author"), described),
        "published": [date for date in _names(article.get("datePublished"), described) if _ISO_DATE.match(date)],
        "site_name": site_names,
        "description": _names(article.get("description"), described),
    }


def _titles(headline: str, site_names: Sequence[str]) -> Iterator[str]:
    """The headline, and what it is without the site's name at its end."""
    bare = _TAG.sub("", html_entities.unescape(headline))
    yield bare
    for name in site_names:
        if bare.casefold().endswith(name.casefold()):
            yield bare[: -len(name)].rstrip(" -–—|•:")


def _plain_types(node: Mapping[str, Any]) -> bool:
    return all(isinstance(name, str) for name in _list(node.get("@type")))


def _top_nodes(value: Any) -> list[dict[str, Any]]:
    nodes = [node for node in _list(value) if isinstance(node, dict)]
    return [inner for node in nodes for inner in [node, *_list(node.get("@graph"))] if isinstance(inner, dict)]


def _names(value: Any, described: Mapping[str, Mapping[str, Any]]) -> list[str]:
    names = []
    for one in _list(value):
        node = described.get(str(one.get("@id")), one) if isinstance(one, dict) and "name" not in one else one
        names += _list(node.get("name")) if isinstance(node, Mapping) else [node]
    return [html_entities.unescape(name).strip() for name in names if isinstance(name, str) and name.strip()]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def without_json_ld(html: str) -> str:
    """The page without its JSON-LD scripts."""
    return _JSON_LD.sub("", html)


def ours(html: str, address: str) -> Values:
    """What dehusk finds."""
    plain = find_metadata(read_page(html, address)).to_dict()
    return {field: [str(one) for one in _list(plain[field])] for field in FIELDS}


def trafilatura_values(html: str, address: str) -> Values:
    """What trafilatura finds; it is given the address, too."""
    import trafilatura

    try:
        found = trafilatura.extract_metadata(html, default_url=address or None).as_dict()
    except (AttributeError, TypeError, ValueError) as error:
        print(f"trafilatura: {address}: {error}", file=sys.stderr)
        return {field: [] for field in FIELDS}
    names = {"authors": "author", "published": "date", "site_name": "sitename", "licence": "license"}
    values = {field: [str(one) for one in _list(found.get(names.get(field, field))) if one] for field in FIELDS}
    lists = {"authors": "; ", "tags": ","}
    return values | {
        field: [one for value in values[field] for one in value.split(mark)] for field, mark in lists.items()
    }


def same(field: str, one: str, other: str) -> bool:
    """Days of dates; main language; letters and digits of texts; descriptions also if one is cut off."""
    if field == "published":
        return one[:10] == other[:10]
    if field == "language":
        return one[:2] == other[:2]
    first, second = ("".join(filter(str.isalnum, text.casefold())) for text in (one, other))
    if field == "description":
        shorter = min(len(first), len(second))
        return first == second or (shorter >= _LEAST_PREFIX and first[:shorter] == second[:shorter])
    return first == second


def _number_right(field: str, values: Sequence[str], reference: Sequence[str]) -> int:
    return sum(any(same(field, value, right) for right in reference) for value in values)


def found_table(told: Mapping[str, Sequence[Values]]) -> str:
    """How often each finds something, and how often both find the same."""
    lines = ["| field | dehusk | trafilatura | both | of these equal |", "|---|---:|---:|---:|---:|"]
    for field in FIELDS:
        pairs = [(mine[field], theirs[field]) for mine, theirs in zip(*told.values(), strict=True)]
        both = [pair for pair in pairs if all(pair)]
        equal = sum(_number_right(field, mine, theirs) > 0 for mine, theirs in both)
        counts = [sum(bool(pair[side]) for pair in pairs) for side in (0, 1)]
        lines.append(f"| {field} | {counts[0]} | {counts[1]} | {len(both)} | {_share(equal, len(both))} |")
    return "\n".join(lines)


def judged_table(answers: Mapping[str, Sequence[Values]], references: Sequence[Values]) -> str:
    """Precision and recall of each tool, on the pages whose reference has the field."""
    heading = " | ".join(f"{name}: precision | recall" for name in answers)
    lines = [f"| field | pages | {heading} |", "|---|---:|" + "---:|---:|" * len(answers)]
    for field in JUDGED:
        known = [number for number, reference in enumerate(references) if reference[field]]
        cells = [_precision_and_recall(field, known, told, references) for told in answers.values()]
        lines.append(f"| {field} | {len(known)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _precision_and_recall(
    field: str, known: Iterable[int], told: Sequence[Values], references: Sequence[Values]
) -> str:
    given = right = wanted = 0
    for number in known:
        values, reference = told[number][field], references[number][field]
        given += len(values)
        right += _number_right(field, values, reference)
        # The publisher and the site are two names for one thing; authors are as many as there are.
        wanted += len(reference) if field == "authors" else 1
    return f"{_share(right, given)} | {_share(right, wanted)}"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "-"


def show_wrong(
    labels: Sequence[str], answers: Mapping[str, Sequence[Values]], references: Sequence[Values], field: str
) -> None:
    """The pages on which dehusk is not right, for looking at."""
    told = answers["dehusk"], answers["trafilatura"]
    for label, mine, theirs, reference in zip(labels, *told, references, strict=True):
        right = _number_right(field, mine[field], reference[field])
        if reference[field] and (right < len(mine[field]) or not right):
            print(
                f"{label}\n  reference   {reference[field]}\n  dehusk      {mine[field]}\n  trafilatura {theirs[field]}"
            )


def time_line(pages: Sequence[Sampled]) -> str:
    """Processor time of both beside that of reading the page."""
    seconds = {"read": 0.0, "dehusk": 0.0, "trafilatura": 0.0}
    # The tables answered before have loaded everything that is loaded once.
    for page in pages:
        begun = time.process_time()
        read = read_page(page.html, page.address)
        after_reading = time.process_time()
        find_metadata(read)
        after_finding = time.process_time()
        trafilatura_values(page.html, page.address)
        seconds["read"] += after_reading - begun
        seconds["dehusk"] += after_finding - after_reading
        seconds["trafilatura"] += time.process_time() - after_finding
    ratios = {name: seconds[name] / seconds["read"] for name in ("dehusk", "trafilatura")}
    return (
        f"Time on {len(pages)} pages as collected, reading the page = 1: "
        f"find_metadata {ratios['dehusk']:.2f}, trafilatura.extract_metadata {ratios['trafilatura']:.2f}"
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("paths", nargs="*", metavar="PARQUET_OR_FOLDER", help="labelled pages; default: DEHUSK_DATA")
    parser.add_argument("--pages", type=positive, default=200, help="pages of each part (default: 200)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--skip", type=int, default=0, help="pages with a reference to leave out first (default: 0)")
    parser.add_argument("--gold", action="store_true", help="compare with gold, on sites that are kept aside")
    parser.add_argument("--tuning", action="store_true", help="with --gold, on the sites that are not kept aside")
    parser.add_argument("--show", choices=JUDGED, help="list the pages on which this field of ours is wrong")
    return parser.parse_args()


if __name__ == "__main__":
    run(main)
