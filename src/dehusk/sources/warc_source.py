"""WARC -> RawPage: the html responses of a web archive.

fastwarc finds the records. It is silent about records that end too early and stops at the first that is damaged, so
that both are looked after here: lengths are compared, and behind a fault reading goes on where the next record begins.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

from dehusk.errors import MissingExtra, SourceUnreadable
from dehusk.sources.file_types import is_html_type
from dehusk.sources.http_bodies import (
    LARGEST_HEAD,
    Head,
    decode_body,
    parse_head,
    without_chunks,
)
from dehusk.sources.raw_page import RawPage
from dehusk.sources.source_options import Found, SourceOptions, open_binary, shown, too_large, unreadable
from dehusk.sources.unpacking import GZIP_MAGIC, Damaged, TooMuch

_PLAIN: Final = re.compile(rb"(?<=\n)WARC/1\.")
_STARTS: Final = {
    # By suffix, and by what the file begins with if that is whole: what every record begins with.
    (".gz", GZIP_MAGIC): re.compile(rb"\x1f\x8b\x08[\x00-\x1f]"),
    (".zst", b"\x28\xb5\x2f\xfd"): re.compile(rb"\x28\xb5\x2f\xfd"),
    (".lz4", b"\x04\x22\x4d\x18"): re.compile(rb"\x04\x22\x4d\x18"),
}
_CHUNK: Final = 1 << 20
_PASSES: Final = 4
_ALWAYS_ALLOWED: Final = 1 << 24
"""Bytes that may be read again to go on behind faults: so many times the file, or this. Every attempt costs a buffer
of 64 kB, so that a file of nothing but beginnings would take for ever."""


@dataclass(slots=True)
class _Walk:
    """How far reading has got. Positions are in bytes of the file."""

    number: int = 0
    position: int = 0
    """Where the last record begins that was found, or where one was looked for."""
    behind: int = 0
    """From where on the next one is looked for, should there be a fault."""
    is_within: bool = False
    """Whether that record is being read; otherwise it has been, and what follows it is looked at."""
    is_reported: bool = False
    """Whether there has been no record since the last fault."""


def read_warc(path: str, options: SourceOptions) -> Iterator[Found]:
    """The html pages of the file: responses with status 200, resources and conversions.

    A fault is reported once, with its position, and records that are lost with it are not counted.
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
    # fastwarc reads nothing of a record that does not say a length it understands.
    length = str(record.headers.get("Content-Length", "")).strip()
    if length.lstrip("0") != str(record.content_length or "") or not length:
        raise OSError("it has no Content-Length")
    yield from _pages(record, f"{path}#record {walk.number}", options)
    _skip_rest(record)
    # A page may well contain what a record begins with, if that is not compressed.
    walk.behind += record.content_length if is_plain else 0
    walk.is_within = False


def _fault(path: str, walk: _Walk, error: Exception) -> SourceUnreadable:
    what = "damaged record" if walk.is_within else "damaged behind this record"
    return unreadable(f"{path}#byte {walk.position:,}", f"{what} ({error})", "what can be read behind it is")


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
    # What is at fault is the archive, so that comes first, as with all faults of sources.
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
        return None  # of another protocol, such as dns
    head = parse_head(block)
    if head is None:
        return SourceUnreadable(label, "no HTTP response in it", "leave it out")
    payload_type = head.header("content-type") or str(record.headers.get("WARC-Identified-Payload-Type", ""))
    if head.status != 200 or not is_html_type(payload_type):
        return None
    if record.content_length > len(block):
        return too_large(label, options.limits)
    body = block[head.size :]
    if options.check_digests and (wrong := _wrong_digest(record, block, body)):
        return SourceUnreadable(label, wrong, "leave it out")
    return _decoded(record, head, body, label, options)


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
    if not is_html_type(declared):
        return None
    if len(block) > options.limits.bytes:
        return too_large(label, options.limits)
    if options.check_digests and (wrong := _wrong_digest(record, block, block)):
        return SourceUnreadable(label, wrong, "leave it out")
    return _raw_page(record, block, (("Content-Type", declared),), label)


def _raw_page(record: Any, body: bytes, headers: tuple[tuple[str, str], ...], label: str) -> RawPage:
    """The page, with the record's identifier among its headers: what is made of it can refer to it."""
    identifier = (("WARC-Record-ID", str(record.headers.get("WARC-Record-ID", ""))),)
    return RawPage(body, _address(record), label, headers + identifier, str(record.headers.get("WARC-Date", "")))


def _address(record: Any) -> str:
    return str(record.headers.get("WARC-Target-URI", "")).strip().removeprefix("<").removesuffix(">")


def _wrong_digest(record: Any, block: bytes, payload: bytes) -> str:
    """Why the digests of a record are wrong, or nothing. One in an algorithm that is not known says nothing."""
    if not _agrees(str(record.headers.get("WARC-Block-Digest", "")), block):
        return "its block has another digest than it says"
    declared = str(record.headers.get("WARC-Payload-Digest", ""))
    # The standard leaves open whether chunks belong to the payload, and there are archives of both kinds.
    if not _agrees(declared, payload) and not _agrees(declared, _unchunked(payload)):
        return "its payload has another digest than it says"
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
    """Go to the end of the record here: fastwarc would do so without a word about one that ends too early."""
    while record.reader.read(_CHUNK):
        pass
    if record.reader.tell() < record.content_length:
        raise OSError("it ends before its Content-Length")


def _check_end(stream: BinaryIO, last: int) -> None:
    """Raise OSError if the gzip file ends within a member: fastwarc takes that for the end."""
    stream.seek(last)
    data = stream.read(_CHUNK)
    if not data.startswith(GZIP_MAGIC):
        return  # not compressed, or all records in one member: then the last one is too short
    decompressor = zlib.decompressobj(31)
    while data:
        try:
            decompressor.decompress(data, _CHUNK)
        except zlib.error as error:
            raise OSError(str(error)) from error
        if decompressor.eof:
            data = decompressor.unused_data or stream.read(_CHUNK)
            decompressor = zlib.decompressobj(31)
            if not data:
                return
        else:
            data = decompressor.unconsumed_tail or stream.read(_CHUNK)
    raise OSError("the file ends within it")


def _start_pattern(path: str, stream: BinaryIO) -> re.Pattern[bytes]:
    beginning = stream.read(4)
    if beginning == b"WARC":
        return _PLAIN
    by_magic = [start for (_, magic), start in _STARTS.items() if beginning.startswith(magic)]
    by_suffix = [start for (suffix, _), start in _STARTS.items() if path.lower().endswith(suffix)]
    return next(iter(by_magic + by_suffix), _PLAIN)


def _next_start(stream: BinaryIO, pattern: re.Pattern[bytes], position: int) -> int | None:
    """Where something begins that looks like a record, at that position or behind it."""
    offset = max(position - 1, 0)  # patterns look at the byte before
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
    """The library, with what it has for records and for streams; Any because it has no types."""
    try:
        import fastwarc
        import fastwarc.stream_io
        import fastwarc.warc
    except ImportError as error:
        raise MissingExtra("fastwarc", "needed for WARC files", "pip install 'dehusk[warc]'") from error
    return fastwarc
