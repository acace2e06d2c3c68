"""Export checked pages and gold text as labelled data for `dehusk train`: a folder of pages and texts, or a table."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dehusk.errors import DehuskError
from dehusk.page.characters import encodable
from dehusk.sinks.parquet_sink import open_rows
from dehusk.sources.parquet_source import import_pyarrow
from dehusk.sources.raw_page import RawPage
from dehusk.webapp.page_labels import gold_text, self_contained
from dehusk.webapp.responses import Member
from dehusk.webapp.safe_names import member_name
from dehusk.webapp.site_service import SiteService
from dehusk.webapp.workspace_records import PageRecord
from dehusk.workers.guard import guarded


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A page and the text to keep."""

    record: PageRecord
    site: str
    raw: RawPage
    text: str
    page_type: str


def labelled_pages(service: SiteService, pages: Iterable[PageRecord]) -> Iterator[LabelledPage]:
    """Pages that a person has checked; others would only teach what the model already does."""
    for page in pages:
        found = guarded(lambda page: _labelled(service, page), page, page.name)
        if found is not None and not isinstance(found, DehuskError):
            yield found


def _labelled(service: SiteService, page: PageRecord) -> LabelledPage | None:
    text = gold_text(service, page)
    if text is None:
        return None
    site = service.workspace.site(page.site).name
    page_type = page.label.page_type if page.label else service.labelled(page).page_type
    return LabelledPage(page, site, service.workspace.raw(page), encodable(text), page_type)


def labelled_members(pages: Iterable[LabelledPage]) -> Iterator[Member]:
    """`site/page.html` with `site/page.txt`."""
    taken: dict[str, int] = {}
    for page in pages:
        # One folder a site: the reader takes each folder for a site.
        name = f"{page.site.replace('/', '-')}/{page.record.name.replace('/', '-')}"
        member = member_name(name, "", taken)
        yield f"{member}.html", self_contained(page.raw)
        yield f"{member}.txt", page.text.encode("utf-8")


def labelled_table(pages: Iterable[LabelledPage]) -> bytes:
    """A Parquet file with the columns that `dehusk.lab.gold.corpora` reads."""
    pyarrow = import_pyarrow()
    names = ("id", "site", "url", "lang", "page_type", "html", "gold")
    kinds = dict.fromkeys(names, pyarrow.string()) | {"html": pyarrow.binary()}
    file = io.BytesIO()
    with open_rows(file, pyarrow.schema(kinds.items())) as add:
        for page in pages:
            html, url = self_contained(page.raw), encodable(page.record.url)
            values = (page.record.id, page.site, url, "", page.page_type, html, page.text)
            add(dict(zip(names, values, strict=True)), len(html) + len(page.text))
    return file.getvalue()
