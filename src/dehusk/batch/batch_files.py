"""Names of a batch's files below OUT: `pages/`, `models/`, `sites.jsonl`, the reports, and `.work/` to go on from."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from dehusk.sites.site_of import registered_domain

PAGES: Final = "pages"
MODELS: Final = "models"
SITES: Final = "sites.jsonl"
"""One line of JSON a site: its counts, and the file of its model."""
REPORT: Final = "report.json"
READABLE_REPORT: Final = "report.html"

PLAN: Final = ".work/plan.json"
"""What was asked for."""
FINISHED: Final = ".work/finished.json"
"""Which slices there are, once all are cleaned."""
BUCKETS: Final = ".work/buckets"
BUCKETED: Final = ".work/bucketed"
"""A marker for each input that is in the buckets."""
LEARNT: Final = ".work/learnt"
"""For each bucket whose sites are learnt, what was learnt, and a marker."""
CLEANED: Final = ".work/cleaned"
"""For each slice that is cleaned, counts of its sites, and a marker."""
PROGRESS: Final = ".work/progress"

SWEPT: Final = (".work", PAGES, MODELS)
"""Where processes that were killed may leave something half written."""


def bucket_folder(bucket: int) -> str:
    return f"{BUCKETS}/{bucket:05}"


def part(bucket: int, number: int) -> str:
    """What an input put into a bucket."""
    return f"{bucket_folder(bucket)}/{number:09}.parquet"


def bucketed_marker(number: int) -> str:
    return f"{BUCKETED}/{number:09}.json"


def learnt_marker(bucket: int) -> str:
    return f"{LEARNT}/{bucket:05}.json"


def learnt_sites(bucket: int) -> str:
    return f"{LEARNT}/{bucket:05}.sites.jsonl"


def slice_name(bucket: int, number: int) -> str:
    """Buckets are cleaned in slices, mostly one."""
    return f"{bucket:05}-{number:05}"


def cleaned_marker(bucket: int, number: int) -> str:
    return f"{CLEANED}/{slice_name(bucket, number)}.json"


def cleaned_sites(bucket: int, number: int) -> str:
    return f"{CLEANED}/{slice_name(bucket, number)}.sites.jsonl"


def output(bucket: int, number: int, format_name: str) -> str:
    return f"{PAGES}/{slice_name(bucket, number)}.{format_name}"


def progress(bucket: int, number: int) -> str:
    return f"{PROGRESS}/{slice_name(bucket, number)}.json"


def model(site: str) -> str:
    """Named by a hash: sites name themselves, and may choose any name."""
    return f"{MODELS}/{_hash(site)}.dehusk"


def bucket_of(site: str, buckets: int, seed: int = 0) -> int:
    """From 0 to buckets - 1. All pages of a site are in one, and with them those of its owner's other hosts.

    Another seed gives another order: sites that shared a bucket are spread again.
    """
    return int(_hash(f"{seed} {registered_domain(site)}")[:16], 16) % buckets


def _hash(site: str) -> str:
    """32 hexadecimal digits."""
    return blake2b(site.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
