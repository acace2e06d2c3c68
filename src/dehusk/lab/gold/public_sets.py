"""Read public benchmarks in the formats in which they are published, from a folder that the user has.

| set | files in its folder |
|---|---|
| article-extraction-benchmark | `ground-truth.json` (identifier -> `articleBody`, `url`), `html/IDENTIFIER.html.gz` |
| trafilatura | `evaldata.json` (URL -> `file`, `with`, `without`), pages in `cache/` or `eval/` |
| wcxb | `ground-truth/ID.json` (`ground_truth`: `main_content`, `with`, `without`), `html/ID.html.gz` |
| cleaneval, cleanportaleval | `input/NAME.html`, `GoldStandard/NAME.txt` (marked text, first line `URL: ...`) |
| readability | `NAME/source.html`, `NAME/expected.html` |

Names in these files never lead out of the folder. A page that is missing or unreadable is a fault, which the caller
counts; files that say what the content is must be readable.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from dehusk.blocks.segmentation import segment
from dehusk.errors import DehuskError, GoldError
from dehusk.lab.gold.corpora import GoldPage, registered_domain
from dehusk.limits import DEFAULT_LIMITS
from dehusk.page.page_reading import read_page
from dehusk.sources.decompression import DECOMPRESSION_FAULTS
from dehusk.sources.raw_page import RawPage

MOST_TRUTH_BYTES: Final = 256 * 2**20
"""Size limit of a file that says what the content is. The largest of these sets has 3 MB."""


@dataclass(frozen=True, slots=True)
class BenchmarkPage:
    """A page of a benchmark, and what the benchmark says about its content."""

    page: GoldPage
    present: tuple[str, ...] = ()
    """Segments that must be in the cleaned text."""
    absent: tuple[str, ...] = ()
    """Segments that must not."""


OnFault = Callable[[DehuskError], None]
Reader = Callable[[Path, OnFault], Iterator[BenchmarkPage]]
"""(folder, what to do about a page that cannot be read) -> the pages, in the order of the benchmark."""


def article_extraction_pages(folder: Path, on_fault: OnFault) -> Iterator[BenchmarkPage]:
    """Read scrapinghub's article-extraction-benchmark."""
    for name, truth in _json_object(folder / "ground-truth.json").items():
        about = truth if isinstance(truth, dict) else {}
        page = _gold_page(folder, name, _text(about, "url"), _text(about, "articleBody"), language="en")
        yield from _readable(page, folder / "html" / f"{_safe(name)}.html.gz", on_fault)


def trafilatura_pages(folder: Path, on_fault: OnFault) -> Iterator[BenchmarkPage]:
    """Read trafilatura's evaluation."""
    for url, truth in _json_object(folder / "evaldata.json").items():
        about = truth if isinstance(truth, dict) else {}
        name = _safe(_text(about, "file"))
        page = _gold_page(folder, name, url, "")
        present, absent = _texts(about, "with"), _texts(about, "without")
        places = [folder / part / name for part in ("cache", "eval")]
        file = next((place for place in places if name and place.is_file()), places[0])
        yield from _readable(page, file, on_fault, present, absent)


def wcxb_pages(folder: Path, on_fault: OnFault) -> Iterator[BenchmarkPage]:
    """Read one part (`dev` or `test`) of WCXB. A missing type is `article`, `category` is `collection`, as there."""
    for file in sorted((folder / "ground-truth").glob("*.json")):
        about = _json_object(file)
        truth = about.get("ground_truth")
        if not isinstance(truth, dict):
            continue
        internal = about.get("_internal")
        kind = internal.get("page_type") if isinstance(internal, dict) else None
        page_type = (_text(kind, "primary") if isinstance(kind, dict) else kind) or "article"
        page_type = "collection" if page_type == "category" else str(page_type)
        page = _gold_page(folder, file.stem, _text(about, "url"), _text(truth, "main_content"), page_type, "en")
        html = folder / "html" / f"{file.stem}.html.gz"
        html = html if html.is_file() else html.with_suffix("")
        yield from _readable(page, html, on_fault, _texts(truth, "with"), _texts(truth, "without"))


_PAGE_FOLDERS: Final = ("input", "finalrun-input", "orig", "en_original")
_GOLD_FOLDERS: Final = ("GoldStandard", "clean", "en_cleaned")
"""Names that the two folders of CleanEval have in its archives and in copies of them."""
_URL_LINE: Final = re.compile(r"\A\s*URL:[ \t]*(\S+)")
_NUMBER: Final = re.compile(r"_?\d+\Z")


def cleaneval_pages(folder: Path, on_fault: OnFault) -> Iterator[BenchmarkPage]:
    """Read CleanEval, or CleanPortalEval, which has its format. A page's site is its name without its number."""
    pages, gold = _first_folder(folder, _PAGE_FOLDERS), _first_folder(folder, _GOLD_FOLDERS)
    for file in sorted(gold.glob("*.txt")):
        name = file.stem.removesuffix("-cleaned")
        marked = _read_bounded(file, MOST_TRUTH_BYTES).decode("utf-8", "replace")
        address = _URL_LINE.match(marked)
        url = address[1] if address else ""
        page = _gold_page(folder, name, url, marked, language="en", site=_NUMBER.sub("", name))
        yield from _readable(replace(page, gold_marked=marked), pages / f"{name}.html", on_fault)


def readability_pages(folder: Path, on_fault: OnFault) -> Iterator[BenchmarkPage]:
    """Read the test pages of Mozilla's Readability. The gold is the text of the expected html."""
    for source in sorted(folder.glob("*/source.html")):
        expected = source.with_name("expected.html")
        if expected.is_file():
            try:
                raw = RawPage(_read_bounded(expected, DEFAULT_LIMITS.bytes), name=str(expected))
                gold = "\n".join(segment(read_page(raw)).texts)
            except DehuskError as error:
                on_fault(error)
                continue
            yield from _readable(_gold_page(folder, source.parent.name, "", gold), source, on_fault)


@dataclass(frozen=True, slots=True)
class PublicSet:
    """A public benchmark: how its folder looks, and how to read it."""

    name: str
    about: str
    """What it is, in a line."""
    read: Reader
    marked: bool = False
    """Whether its gold is marked as CleanEval's."""


PUBLIC_SETS: Final[Mapping[str, PublicSet]] = {
    one.name: one
    for one in (
        PublicSet(
            "article-extraction-benchmark",
            "scrapinghub/article-extraction-benchmark: article bodies; runs of four words",
            article_extraction_pages,
        ),
        PublicSet(
            "trafilatura",
            "trafilatura's evaluation: segments that must and must not be there",
            trafilatura_pages,
        ),
        PublicSet("wcxb", "WCXB: seven page types; words, and segments that should be there or not", wcxb_pages),
        PublicSet(
            "cleaneval", "CleanEval: headers, paragraphs and list items; words in order, markup", cleaneval_pages, True
        ),
        PublicSet("cleanportaleval", "CleanPortalEval: CleanEval's task on portals", cleaneval_pages, True),
        PublicSet("readability", "the test pages of Mozilla's Readability: text of expected.html", readability_pages),
    )
}


def find_public_set(folder: Path) -> tuple[PublicSet, Path]:
    """Tell by its files which benchmark a folder is; returns it and the folder with its files."""
    if not folder.is_dir():
        raise GoldError(str(folder), "no such folder", "give the folder of a public benchmark")
    for place in (folder, folder / "tests", folder / "test-pages", folder / "test" / "test-pages"):
        if name := _name_of(place):
            return PUBLIC_SETS[name], place
    if _is_wcxb(folder / "dev") or _is_wcxb(folder / "test"):
        raise GoldError(str(folder), "has several parts", f"give one of them: {folder / 'dev'} or {folder / 'test'}")
    known = ", ".join(PUBLIC_SETS)
    raise GoldError(str(folder), "is none of the public benchmarks that can be read", f"give a folder of: {known}")


def _name_of(folder: Path) -> str:
    if (folder / "evaldata.json").is_file():
        return "trafilatura"
    if (folder / "ground-truth.json").is_file():
        return "article-extraction-benchmark"
    if _is_wcxb(folder):
        return "wcxb"
    if any((folder / name).is_dir() for name in _GOLD_FOLDERS):
        names = [file.stem for file in _first_folder(folder, _GOLD_FOLDERS).glob("*.txt")]
        return (
            "cleanportaleval" if any(_NUMBER.sub("", name.removesuffix("-cleaned")) for name in names) else "cleaneval"
        )
    return "readability" if any(folder.glob("*/expected.html")) else ""


def _is_wcxb(folder: Path) -> bool:
    return (folder / "ground-truth").is_dir() and (folder / "html").is_dir()


def _first_folder(folder: Path, names: tuple[str, ...]) -> Path:
    for name in names:
        if (folder / name).is_dir():
            return folder / name
    raise GoldError(str(folder), f"has no folder {' or '.join(names)}", "unpack the whole benchmark")


def _gold_page(
    folder: Path,
    name: str,
    url: str,
    gold: str,
    page_type: str = "",
    language: str = "",
    site: str = "",
) -> GoldPage:
    """A page whose html is still to be read."""
    raw = RawPage(b"", url=url, name=f"{folder.name}:{name}")
    return GoldPage(name, site or registered_domain(url) or name, language, page_type, raw, gold)


def _readable(
    page: GoldPage,
    file: Path,
    on_fault: OnFault,
    present: tuple[str, ...] = (),
    absent: tuple[str, ...] = (),
) -> Iterator[BenchmarkPage]:
    """The page with the html of this file, if that can be read."""
    try:
        body = _read_bounded(file, DEFAULT_LIMITS.bytes)
    except GoldError as error:
        on_fault(error)
        return
    yield BenchmarkPage(replace(page, raw=replace(page.raw, body=body)), present, absent)


def _read_bounded(file: Path, most: int) -> bytes:
    """The bytes of a file, decompressed if its name ends in .gz."""
    try:
        with gzip.open(file) if file.suffix == ".gz" else open(file, "rb") as stream:
            body = stream.read(most + 1)
    except DECOMPRESSION_FAULTS as error:
        cause = getattr(error, "strerror", None) or str(error)
        raise GoldError(str(file), f"cannot be read ({cause.lower()})", "get the benchmark again") from error
    if len(body) > most:
        raise GoldError(str(file), f"has more than {most:,} bytes", "leave it out")
    return bytes(body)


def _json_object(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(_read_bounded(file, MOST_TRUTH_BYTES))
    except (ValueError, RecursionError) as error:
        raise GoldError(str(file), f"is not JSON ({error})", "get the benchmark again") from error
    if not isinstance(found, dict):
        raise GoldError(str(file), "is not a JSON object", "get the benchmark again")
    return found


def _text(about: Mapping[str, Any], name: str) -> str:
    value = about.get(name)
    return value if isinstance(value, str) else ""


def _texts(about: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = about.get(name)
    return tuple(one for one in value if isinstance(one, str) and one.strip()) if isinstance(value, list) else ()


def _safe(name: str) -> str:
    """A name from a file as the name of a file, which leads out of no folder."""
    return Path(name.replace("\0", "")).name
