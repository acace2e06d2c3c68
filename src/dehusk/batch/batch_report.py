"""The results of a batch: `report.json` for programs, `report.html` for people.

Names of pages and sites are untrusted, so they are escaped (`html_report`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from heapq import nlargest
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from dehusk.batch.batch_counts import BatchCount, SiteCount
from dehusk.batch.batch_files import (
    READABLE_REPORT,
    REPORT,
    SITES,
    cleaned_marker,
    cleaned_sites,
    written_marker,
    written_sites,
)
from dehusk.batch.batch_settings import BatchSettings
from dehusk.batch.batch_storage import Storage, needed_json, write_json, write_text
from dehusk.batch.writing_slices import read_sites
from dehusk.inspection.html_report import escaped, html_report
from dehusk.outputs.block_json import json_text
from dehusk.version import __version__

MOST_SITES: Final = 200
"""Sites in the report: those with the most pages. `sites.jsonl` has all."""
_LONGEST_NAME: Final = 200


@dataclass(slots=True)
class BatchTotal:
    """Totals of a batch."""

    count: BatchCount
    sites: int = 0
    learnt: int = 0


def write_report(storage: Storage, settings: BatchSettings, slices: Sequence[tuple[int, int]]) -> BatchTotal:
    """Add up the counts of all slices (given by bucket and number), and write `sites.jsonl` and both reports."""
    total = BatchTotal(BatchCount())
    compared = settings.filters.drop_duplicates
    marker, sites_file = (written_marker, written_sites) if compared else (cleaned_marker, cleaned_sites)
    largest: list[dict[str, Any]] = []
    with storage.written(SITES) as file, open(file, "wb") as stream:
        for bucket, of_bucket in groupby(slices, key=itemgetter(0)):
            numbers = [number for _, number in of_bucket]
            for number in numbers:
                total.count.add_count(BatchCount(**needed_json(storage, marker(bucket, number))))
            sites = [asdict(site) for site in _sites(storage, [sites_file(bucket, number) for number in numbers])]
            stream.writelines(json_text(site).encode() + b"\n" for site in sites)
            total.sites += len(sites)
            total.learnt += sum(bool(site["model"]) for site in sites)
            largest = nlargest(MOST_SITES, [*largest, *sites], key=itemgetter("pages"))
    total.count.seconds = round(total.count.seconds, 3)
    report = _report(settings, total) | {"largest_sites": largest}
    write_json(storage, REPORT, report)
    write_text(storage, READABLE_REPORT, _html(report))
    return total


def _sites(storage: Storage, files: Iterable[str]) -> Iterable[SiteCount]:
    """The counts of each site of a bucket, added up over the files of its slices."""
    sites: dict[str, SiteCount] = {}
    for file in files:
        for site in read_sites(storage, file):
            if site.site in sites:
                sites[site.site].add_count(site)
            else:
                sites[site.site] = site
    return sites.values()


def _report(settings: BatchSettings, total: BatchTotal) -> dict[str, Any]:
    count = total.count
    return {
        "dehusk": __version__,
        "settings": asdict(settings),
        "removed": _removed(count.size_before, count.size_after),
        "sites": total.sites,
        "learnt": total.learnt,
        "written": count.written,
        **asdict(count),
    }


def _removed(before: int, after: int) -> float:
    return round(1 - after / before, 4) if before else 0.0


def _html(report: dict[str, Any]) -> str:
    totals = [
        ("pages read", f"{report['pages']:,}"),
        ("written", f"{report['written']:,}"),
        ("dropped by filters", f"{sum(report['dropped'].values()):,}"),
        ("not cleaned", f"{report['failed']:,}"),
        ("with text that could not be decoded", f"{report['damaged']:,}"),
        ("skipped: empty, or not html", f"{report['skipped']:,}"),
        ("sites", f"{report['sites']:,}"),
        ("sites learnt", f"{report['learnt']:,}"),
        ("bytes of pages cleaned", f"{report['size_before']:,}"),
        ("bytes of their content", f"{report['size_after']:,}"),
        ("removed", f"{report['removed']:.1%}"),
        ("seconds of all processes", f"{report['seconds']:,.1f}"),
    ]
    slowest = [(name, f"{seconds:.3f}", f"{size:,}") for seconds, size, name in report["slowest"]]
    damaged = [(name, f"{share:.2%}", encoding) for share, encoding, name in report["most_damaged"]]
    sections = [
        _section("Totals", ("", ""), totals),
        _section("Dropped, by reason", ("reason", "pages"), _counts(report["dropped"])),
        _section("Largest sites", _SITE_HEADINGS, map(_site_row, report["largest_sites"])),
        _section("Not cleaned, by cause", ("cause", "pages"), _counts(report["causes"])),
        _section("Not cleaned: the first", ("message",), [(message,) for message in report["messages"]]),
        _section("Most damaged text", ("page", "not decoded", "read as"), damaged),
        _section("Slowest pages", ("page", "seconds", "bytes"), slowest),
    ]
    return html_report("A batch of pages", sections)


def _counts(pages: dict[str, int]) -> list[tuple[str, str]]:
    """Names with numbers of pages, the most first."""
    return [(name, f"{count:,}") for name, count in sorted(pages.items(), key=lambda item: (-item[1], item[0]))]


_SITE_HEADINGS: Final = (
    "site",
    "pages",
    "not cleaned",
    "dropped",
    "bytes before",
    "after",
    "removed",
    "learnt from",
    "template",
    "trust",
    "blocks changed",
)


def _site_row(site: dict[str, Any]) -> tuple[str, ...]:
    before, after = site["size_before"], site["size_after"]
    learnt_from = f"{site['different']:,}" if site["model"] else "-"
    figures = (f"{site['pages']:,}", f"{site['failed']:,}", f"{site['dropped']:,}", f"{before:,}", f"{after:,}")
    learnt = ("-", "-", "-")
    if site["model"]:
        changed = f"{site['blocks_changed']:,} of {site['blocks_compared']:,}"
        trust = f"none: {site['distrust']}" if site["distrust"] else f"{site['trust']:.2f}"
        learnt = (f"{site['template_share']:.0%}", trust, changed)
    return (site["site"], *figures, f"{_removed(before, after):.1%}", learnt_from, *learnt)


def _section(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    body = "".join(f"<tr>{''.join(f'<td>{_escaped(cell)}</td>' for cell in row)}</tr>\n" for row in rows)
    if not body:
        return ""
    head = "".join(f"<th>{_escaped(heading)}</th>" for heading in headings)
    return f'<h2>{_escaped(title)}</h2>\n<div class="scroll"><table><tr>{head}</tr>\n{body}</table></div>\n'


def _escaped(text: str) -> str:
    return escaped(text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]}…")
