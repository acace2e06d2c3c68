"""What a batch came to: `report.json` for programs, `report.html` for people.

The page needs nothing else: no scripts, fonts or network. Names of pages and sites come from strangers, so everything
is escaped, and a policy in the page forbids scripts and requests should anything slip through.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from heapq import nlargest
from html import escape
from typing import Any, Final

from dehusk.batch.counting import BatchCount
from dehusk.batch.folders import Folders, cannot_write, read_json, write_json, write_text
from dehusk.batch.settings import BatchSettings
from dehusk.version import __version__
from dehusk.writing import written_whole

MOST_SITES: Final = 200
"""Sites in the report, those with most pages; all are in `sites.jsonl`."""
_LONGEST_NAME: Final = 200
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_STYLE: Final = """
body { margin: 0 auto; max-width: 72rem; padding: 1rem; background: #fff; color: #1c1e21;
  font: 15px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { padding: .2rem .6rem; text-align: right; border-bottom: 1px solid #d9dde3; vertical-align: top; }
th:first-child, td:first-child { text-align: left; overflow-wrap: anywhere; }
"""


def write_report(folders: Folders, settings: BatchSettings, buckets: Sequence[int]) -> BatchCount:
    """Add up what the buckets left, and write `sites.jsonl` and both reports."""
    total = BatchCount()
    for bucket in buckets:
        total.add_count(BatchCount.from_dict(read_json(folders.cleaned_marker(bucket))))
    total.seconds = round(total.seconds, 3)
    _write_sites(folders, buckets)
    largest = nlargest(MOST_SITES, _sites(folders), key=lambda site: site["pages"])
    report = {
        "dehusk": __version__,
        "settings": asdict(settings),
        "removed": _removed(total.size_before, total.size_after),
        **total.to_dict(),
        "largest_sites": largest,
    }
    write_json(folders.report, report)
    write_text(folders.readable_report, _html(report))
    return total


def _write_sites(folders: Folders, buckets: Sequence[int]) -> None:
    try:
        with written_whole(folders.sites) as temporary, open(temporary, "wb") as written:
            for bucket in buckets:
                with open(folders.cleaned_sites(bucket), "rb") as stream:
                    written.writelines(stream)
    except OSError as error:
        raise cannot_write(folders.sites, error) from error


def _sites(folders: Folders) -> Iterator[dict[str, Any]]:
    with open(folders.sites, "rb") as stream:
        yield from map(json.loads, stream)


def _removed(before: int, after: int) -> float:
    return round(1 - after / before, 4) if before else 0.0


def _html(report: dict[str, Any]) -> str:
    totals = [
        ("pages", f"{report['pages']:,}"),
        ("not cleaned", f"{report['failed']:,}"),
        ("sites", f"{report['sites']:,}"),
        ("sites learnt", f"{report['learnt']:,}"),
        ("bytes of pages cleaned", f"{report['size_before']:,}"),
        ("bytes of their content", f"{report['size_after']:,}"),
        ("removed", f"{report['removed']:.1%}"),
        ("seconds of all processes", f"{report['seconds']:,.1f}"),
    ]
    causes = sorted(report["causes"].items(), key=lambda item: (-item[1], item[0]))
    slowest = [(name, f"{seconds:.3f}", f"{size:,}") for seconds, size, name in report["slowest"]]
    sections = [
        _section("Totals", ("", ""), totals),
        _section("Not cleaned, by cause", ("cause", "pages"), [(cause, f"{pages:,}") for cause, pages in causes]),
        _section("Not cleaned: the first", ("message",), [(message,) for message in report["messages"]]),
        _section("Slowest pages", ("page", "seconds", "bytes"), slowest),
        _section("Largest sites", _SITE_HEADINGS, map(_site_row, report["largest_sites"])),
    ]
    head = f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    title = "<title>A batch of pages</title>"
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head>{head}{title}<style>{_STYLE}</style></head>\n'
        f"<body><h1>A batch of pages</h1>\n{''.join(sections)}</body></html>\n"
    )


_SITE_HEADINGS: Final = ("site", "pages", "not cleaned", "bytes before", "after", "removed", "learnt from")


def _site_row(site: dict[str, Any]) -> tuple[str, ...]:
    before, after = site["size_before"], site["size_after"]
    learnt_from = f"{site['different']:,}" if site["model"] else "-"
    figures = (f"{site['pages']:,}", f"{site['failed']:,}", f"{before:,}", f"{after:,}")
    return (site["site"], *figures, f"{_removed(before, after):.1%}", learnt_from)


def _section(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    body = "".join(f"<tr>{''.join(f'<td>{_escaped(cell)}</td>' for cell in row)}</tr>\n" for row in rows)
    if not body:
        return ""
    head = "".join(f"<th>{_escaped(heading)}</th>" for heading in headings)
    return f'<h2>{_escaped(title)}</h2>\n<div class="scroll"><table><tr>{head}</tr>\n{body}</table></div>\n'


def _escaped(text: str) -> str:
    shown = text if len(text) <= _LONGEST_NAME else f"{text[:_LONGEST_NAME]}…"
    return escape("".join(character if character.isprintable() else "\ufffd" for character in shown))
