"""What people said, as labelled data that `dehusk train` reads: a folder of pages with texts, or a table."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from dehusk.cleaning import CleanedPage
from dehusk.errors import DehuskError, MissingExtra
from dehusk.page.characters import encodable
from dehusk.page.decoding import decode
from dehusk.sources.raw_page import RawPage
from dehusk.webapp.safe_names import member_name
from dehusk.webapp.site_service import Studio
from dehusk.webapp.workspace_records import PageRecord
from dehusk.webapp.zip_streaming import Member
from dehusk.workers.guard import guarded

_UTF_8_MARK: Final = "\ufeff"
"""At the beginning of a file it says how the rest is to be read, whatever the page says."""


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A page and what is to be kept of it."""

    record: PageRecord
    site: str
    raw: RawPage
    text: str
    page_type: str


def labelled_pages(studio: Studio, pages: Iterable[PageRecord]) -> Iterator[LabelledPage]:
    """Those with gold text, and those on which a correction decides; others would teach what is known already."""
    for page in pages:
        found = guarded(lambda page: _labelled(studio, page), page, page.name)
        if found is not None and not isinstance(found, DehuskError):
            yield found


def _labelled(studio: Studio, page: PageRecord) -> LabelledPage | None:
    labelled = studio.labelled(page)
    site = studio.workspace.site(page.site).name
    is_touched = labelled.corrected is not None and bool(labelled.corrected.any())
    if not page.gold and not is_touched:
        return None
    text = studio.workspace.gold(page) if page.gold else CleanedPage(labelled).text
    return LabelledPage(page, site, studio.workspace.raw(page), encodable(text), labelled.page_type)


def labelled_members(pages: Iterable[LabelledPage]) -> Iterator[Member]:
    """`site/page.html` with `site/page.txt`."""
    taken: dict[str, int] = {}
    for page in pages:
        # One folder a site: pages in a folder of their own count as one site.
        name = f"{page.site.replace('/', '-')}/{page.record.name.replace('/', '-')}"
        member = member_name(name, "", taken)
        yield Member(f"{member}.html", _self_contained(page.raw))
        yield Member(f"{member}.txt", page.text.encode("utf-8"))


def labelled_table(pages: Iterable[LabelledPage]) -> bytes:
    """A Parquet file with the columns of `dehusk.lab.gold.corpora`."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError as error:
        raise MissingExtra("pyarrow", "needed to write Parquet files", "pip install 'dehusk[parquet]'") from error
    rows = list(pages)
    text = pyarrow.string()
    columns = {
        "id": (text, [page.record.id for page in rows]),
        "site": (text, [page.site for page in rows]),
        "url": (text, [encodable(page.record.url) for page in rows]),
        "lang": (text, ["" for _ in rows]),
        "page_type": (text, [page.page_type for page in rows]),
        "html": (pyarrow.binary(), [_self_contained(page.raw) for page in rows]),
        "gold": (text, [page.text for page in rows]),
    }
    table = pyarrow.table({name: pyarrow.array(values, kind) for name, (kind, values) in columns.items()})
    file = io.BytesIO()
    pyarrow.parquet.write_table(table, file, compression="zstd")
    return file.getvalue()


def _self_contained(raw: RawPage) -> bytes:
    """The page so that it is read the same way without the header it was served with."""
    content_type = raw.header("content-type")
    if not content_type:
        return raw.body
    return (_UTF_8_MARK + encodable(decode(raw.body, content_type).text)).encode("utf-8")
