"""WARC -> RawPage: the HTML responses of a web archive.

fastwarc finds the records. It ignores records that end too early and stops at the first damaged one. Both are handled
here: lengths are compared, and after a fault, reading continues at the next record.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, BinaryIO, Final

from dehusk.errors import SourceUnreadable, needed
from dehusk.sources.decompression import GZIP_MAGIC, ZSTD_MAGIC, Damaged, TooMuch, gunzip_members
from dehusk.sources.file_types import is_html_type, is_style_type
from dehusk.sources.http_bodies import LARGEST_HEAD, Head, decode_body, parse_head, without_chunks
from dehusk.sources.raw_page import RawPage
from dehusk.sources.source_options import Found, SourceOptions, open_binary, shown, too_large, unreadable

_PLAIN: Final = re.compile(rb"(?<=\n)WARC/1\.")
_STARTS: Final = {
    # (suffix, first bytes of the file) -> how every record begins.
    (".gz", GZIP_MAGIC): re.compile(rb"\x1f\x8b\x08[\x00-\x1f]"),
    (".zst", ZSTD_MAGIC): re.compile(rb"\x28\xb5\x2f\xfd"),
    (".lz4", b"\x04\x22\x4d\x18"): re.compile(rb"\x04\x22\x4d\x18"),
}
_CHUNK: Final = 1 << 20
_PASSES: Final = 4
_ALWAYS_ALLOWED: Final = 1 << 24
"""Bytes that may be read again to continue after faults: so many times the file, plus this. Every attempt costs a
buffer of 64 kB, so a file of nothing but record starts would take forever."""


@dataclass(slots=True)
class _Walk:
    """How far reading has got. Positions are in bytes."""

    number: int = 0
    position: int = 0
    """Start of the current record, or of the search for one."""
    behind: int = 0
    """Where to search for the next record after a fault."""
    is_within: bool = False
    """Whether the record is still being read, not what follows it."""
    is_reported: bool = False
    """Whether the fault since the last record was already reported."""


def read_warc(path: str, options: SourceOptions) -> Iterator[Found]:
    """The HTML pages of the file: responses with status 200, resources and conversions.

    A fault is reported once, with its position; records lost with it are not counted.
    """
    fastwarc = import_fastwarc()
    with open_binary(path) as stream:
        pattern = _start_pattern(path, stream)
        budget = _PASSES * os.fstat(stream.fileno()).st_size + _ALWAYS_ALLOWED
        walk = _Walk()
        start: int | None = 0
        while start is not None:
            try:
                stream.seek(start)
                walk.position, walk.behind, walk.is_within = start, start + 1, True
                for record in fastwarc.warc.ArchiveIterator(stream, parse_http=False):
                    yield from _pages_within(record, walk, path, options, is_plain=pattern is _PLAIN)
                _check_end(stream, walk.position)
                return
            except (OSError, ValueError, OverflowError) as error:
                if not walk.is_reported:
                    yield _fault(path, walk, error)
                walk.is_reported = True
            budget -= max(stream.tell() - start, 1)
            if budget < 0:
                yield SourceUnreadable(path, "too many damaged records", "what follows them is not read")
                return
            start = _next_start(stream, pattern, walk.behind)


def _pages_within(record: Any, walk: _Walk, path: str, options: SourceOptions, is_plain: bool) -> Iterator[Found]:
    walk.number += 1
    walk.position, walk.is_within, walk.is_reported = record.stream_pos, True, False
    walk.behind = walk.position + 1
    # fastwarc reads nothing of a record whose length it does not understand.
    length = str(record.headers.get("Content-Length", "")).strip()
    if length.lstrip("0") != str(record.content_length or "") or not length:
        raise OSError("it has no Content-Length")
    yield from _pages(record, f"{path}#record {walk.number}", options)
    _skip_rest(record)
    # If records are not compressed, a page may contain the start of a record.
    walk.behind += record.content_length if is_plain else 0
    walk.is_within = False


def _fault(path: str, walk: _Walk, error: Exception) -> SourceUnreadable:
    what = "damaged record" if walk.is_within else "damaged after this record"
    return unreadable(f"{path}#byte {walk.position:,}", f"{what} ({error})", "the records after it are read")


def _pages(record: Any, label: str, options: SourceOptions) -> Iterator[Found]:
    """The page of a record, if it holds one; raises OSError if the record ends too early."""
    kind = str(record.headers.get("WARC-Type", "")).lower()
    reading = {"response": _response, "resource": _stored, "conversion": _stored}.get(kind)
    if reading is None:
        return
    # A little more than the page, for its headers and the sizes of chunks.
    block = _read(record, min(record.content_length, options.limits.bytes + LARGEST_HEAD))
    found = reading(record, block, label, options)
    if found is None:
        return
    if isinstance(found, RawPage) and record.content_length > len(block):
        found = too_large(label, options.limits)
    if options.on_style and isinstance(found, RawPage) and is_style_type(found.header("content-type")):
        options.on_style(found.url, found.body)
        return
    # The archive is at fault, so it comes first, as in all faults of sources.
    url = _address(record)
    yield found.about(f"{label} ({shown(url)})") if url and not isinstance(found, RawPage) else found


def _read(record: Any, size: int) -> bytes:
    chunks: list[bytes] = []
    while size and (chunk := record.reader.read(min(size, _CHUNK))):
        chunks.append(chunk)
        size -= len(chunk)
    if size:
        raise OSError("it ends before its Content-Length")
    return b"".join(chunks)


def _response(record: Any, block: bytes, label: str, options: SourceOptions) -> Found | None:
    declared = str(record.headers.get("Content-Type", "")).lower()
    if declared and not declared.startswith("application/http"):
        return None  # another protocol, such as dns
    head = parse_head(block)
    if head is None:
        return SourceUnreadable(label, "no HTTP response in it", "leave it out")
    payload_type = head.header("content-type") or str(record.headers.get("WARC-Identified-Payload-Type", ""))
    if head.status != 200 or not _is_read(payload_type, options):
        return None
    if record.content_length > len(block):
        return too_large(label, options.limits)
    body = block[head.size :]
    if options.check_digests and (wrong := _wrong_digest(record, block, body)):
        return SourceUnreadable(label, wrong, "leave it out")
    return _decoded(record, head, body, label, options)


def _is_read(content_type: str, options: SourceOptions) -> bool:
    """Whether records of this type are read: pages, and style sheets if somebody takes them."""
    return is_html_type(content_type) or (options.on_style is not None and is_style_type(content_type))


def _decoded(record: Any, head: Head, body: bytes, label: str, options: SourceOptions) -> Found:
    try:
        page = decode_body(head, body, options.limits.bytes)
    except TooMuch:
        return too_large(label, options.limits)
    except Damaged as error:
        return unreadable(label, str(error))
    return _raw_page(record, page, head.headers, label)


def _stored(record: Any, block: bytes, label: str, options: SourceOptions) -> Found | None:
    declared = str(record.headers.get("Content-Type", ""))
    if not _is_read(declared, options):
        return None
    if len(block) > options.limits.bytes:
        return too_large(label, options.limits)
    if options.check_digests and (wrong := _wrong_digest(record, block, block)):
        return SourceUnreadable(label, wrong, "leave it out")
    return _raw_page(record, block, (("Content-Type", declared),), label)


def _raw_page(record: Any, body: bytes, headers: tuple[tuple[str, str], ...], label: str) -> RawPage:
    """The page, with the record's identifier among its headers, so that results can refer to it."""
    identifier = (("WARC-Record-ID", str(record.headers.get("WARC-Record-ID", ""))),)
    return RawPage(body, _address(record), label, headers + identifier, str(record.headers.get("WARC-Date", "")))


def _address(record: Any) -> str:
    return str(record.headers.get("WARC-Target-URI", "")).strip().removeprefix("<").removesuffix(">")


def _wrong_digest(record: Any, block: bytes, payload: bytes) -> str:
    """Which digest of a record is wrong, or empty. Unknown algorithms are ignored."""
    if not _agrees(str(record.headers.get("WARC-Block-Digest", "")), block):
        return "its block does not have the digest it declares"
    declared = str(record.headers.get("WARC-Payload-Digest", ""))
    # The standard leaves open whether the payload includes chunk sizes; archives of both kinds exist.
    if not _agrees(declared, payload) and not _agrees(declared, _unchunked(payload)):
        return "its payload does not have the digest it declares"
    return ""


def _unchunked(payload: bytes) -> bytes:
    try:
        return without_chunks(payload)
    except Damaged:
        return payload


def _agrees(declared: str, data: bytes) -> bool:
    name, _, value = declared.strip().partition(":")
    algorithm = name.lower().replace("-", "")
    if algorithm not in {"sha1", "sha256", "sha512", "md5"}:
        return True
    digest = hashlib.new(algorithm, data, usedforsecurity=False)
    in_base32 = base64.b32encode(digest.digest()).decode().rstrip("=")
    return value.lower() == digest.hexdigest() or value.upper().rstrip("=") == in_base32


def _skip_rest(record: Any) -> None:
    """Read to the end of the record: fastwarc would not report one that ends too early."""
    while record.reader.read(_CHUNK):
        pass
    if record.reader.tell() < record.content_length:
        raise OSError("it ends before its Content-Length")


def _check_end(stream: BinaryIO, last: int) -> None:
    """Raise OSError if a gzip file ends within a member, which fastwarc does not notice."""
    stream.seek(last)
    data = stream.read(_CHUNK)
    if not data.startswith(GZIP_MAGIC):
        return  # not compressed, or all records in one member: then the last record is too short
    for _ in gunzip_members(chain([data], iter(lambda: stream.read(_CHUNK), b""))):
        pass


def _start_pattern(path: str, stream: BinaryIO) -> re.Pattern[bytes]:
    beginning = stream.read(4)
    if beginning == b"WARC":
        return _PLAIN
    by_magic = [start for (_, magic), start in _STARTS.items() if beginning.startswith(magic)]
    by_suffix = [start for (suffix, _), start in _STARTS.items() if path.lower().endswith(suffix)]
    return next(iter(by_magic + by_suffix), _PLAIN)


def _next_start(stream: BinaryIO, pattern: re.Pattern[bytes], position: int) -> int | None:
    """Where the next possible record starts, at this position or after it."""
    offset = max(position - 1, 0)  # patterns include the byte before
    stream.seek(offset)
    kept = b""
    while chunk := stream.read(_CHUNK):
        window = kept + chunk
        if found := pattern.search(window, 0 if offset >= position else position - offset):
            return offset + found.start()
        kept = window[-8:]
        offset += len(window) - len(kept)
    return None


def import_fastwarc() -> Any:
    """The library with its modules for records and streams; Any because it has no types."""
    with needed("fastwarc", "for WARC files", "warc"):
        import fastwarc
        import fastwarc.stream_io
        import fastwarc.warc
    return fastwarc
