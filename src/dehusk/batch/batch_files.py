"""Names of a batch's files in OUT: `pages/`, `models/`, `sites.jsonl`, the reports, and `.work/` to resume from."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from dehusk.sites.site_of import registered_domain

PAGES: Final = "pages"
MODELS: Final = "models"
SITES: Final = "sites.jsonl"
"""One line of JSON per site: its counts, and the file of its model."""
REPORT: Final = "report.json"
READABLE_REPORT: Final = "report.html"

PLAN: Final = ".work/plan.json"
"""The inputs and settings of the batch."""
FINISHED: Final = ".work/finished.json"
"""All slices, once they are cleaned."""
BUCKETS: Final = ".work/buckets"
PART_SUFFIX: Final = ".arrows"
"""Of files with pages of a bucket: Arrow's suffix for streams."""
BUCKETED: Final = ".work/bucketed"
"""A marker for each input that was sorted into buckets."""
LEARNT: Final = ".work/learnt"
"""For each bucket whose sites were learnt: what was learnt, and a marker."""
CLEANED: Final = ".work/cleaned"
"""For each slice that was cleaned: counts of its sites, and a marker."""
PROGRESS: Final = ".work/progress"
RECORDS: Final = ".work/records"
"""If duplicates are dropped: for each slice, the records of all pages, and the signatures of their texts."""
PAIRS: Final = ".work/pairs"
"""For each part of the comparison: pairs of pages that are duplicates, and a marker."""
DUPLICATES: Final = ".work/duplicates"
"""For each slice: the records to leave out."""
COMPARED: Final = ".work/compared.json"
"""Written when all duplicates are known."""
WRITTEN: Final = ".work/written"
"""For each slice whose duplicates were left out: counts of its sites, and a marker."""

_SUFFIXES: Final = {"jsonl": ".jsonl", "parquet": ".parquet", "chunks": ".chunks.jsonl"}
"""Of files with records, by format."""

SWEPT: Final = ("", ".work", PAGES, MODELS)
"""Where killed processes may leave incomplete files."""


def bucket_folder(bucket: int) -> str:
    return f"{BUCKETS}/{bucket:05}"


def part(bucket: int, number: int) -> str:
    """The pages of one input in a bucket."""
    return f"{bucket_folder(bucket)}/{number:09}{PART_SUFFIX}"


def bucketed_marker(number: int) -> str:
    return f"{BUCKETED}/{number:09}.json"


def learnt_marker(bucket: int) -> str:
    return f"{LEARNT}/{bucket:05}.json"


def learnt_sites(bucket: int) -> str:
    return f"{LEARNT}/{bucket:05}.sites.jsonl"


def slice_name(bucket: int, number: int) -> str:
    """A bucket is cleaned in slices, usually one."""
    return f"{bucket:05}-{number:05}"


def cleaned_marker(bucket: int, number: int) -> str:
    return f"{CLEANED}/{slice_name(bucket, number)}.json"


def cleaned_sites(bucket: int, number: int) -> str:
    return f"{CLEANED}/{slice_name(bucket, number)}.sites.jsonl"


def records(bucket: int, number: int, format_name: str) -> str:
    return f"{RECORDS}/{slice_name(bucket, number)}{_SUFFIXES[format_name]}"


def signatures(bucket: int, number: int) -> str:
    return f"{RECORDS}/{slice_name(bucket, number)}.signatures"


def pairs(band: int, shard: int) -> str:
    return f"{PAIRS}/{band:03}-{shard:05}.pairs"


def duplicates(bucket: int, number: int) -> str:
    return f"{DUPLICATES}/{slice_name(bucket, number)}.rows"


def written_marker(bucket: int, number: int) -> str:
    return f"{WRITTEN}/{slice_name(bucket, number)}.json"


def written_sites(bucket: int, number: int) -> str:
    return f"{WRITTEN}/{slice_name(bucket, number)}.sites.jsonl"


def output(bucket: int, number: int, format_name: str) -> str:
    return f"{PAGES}/{slice_name(bucket, number)}{_SUFFIXES[format_name]}"


def progress(bucket: int, number: int) -> str:
    return f"{PROGRESS}/{slice_name(bucket, number)}.json"


def model(site: str) -> str:
    """A model file, named by a hash: pages declare their own site, and could choose any name."""
    return f"{MODELS}/{_hash(site)}.dehusk"


def bucket_of(site: str, buckets: int, seed: int = 0) -> int:
    """The bucket of a site, from 0 to buckets - 1: the same for all hosts of a registered domain.

    Another seed distributes the sites differently, also those that shared a bucket.
    """
    return int(_hash(f"{seed} {registered_domain(site)}")[:16], 16) % buckets


def _hash(site: str) -> str:
    """32 hexadecimal digits."""
    return blake2b(site.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
