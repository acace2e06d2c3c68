"""Mutations of files that hold others: what is inside is changed, and lengths and checksums are made right again.

Flipped bytes of a packed file hardly ever get past its checksum. So most mutations here unpack, change and pack; the
others change the bytes as they are, and try the checks themselves.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import tarfile
import warnings
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

from mutations import LARGEST, Chance, Mutation, mutate_bytes, mutate_html, mutate_lines

_RAW = 0.15
"""How often the packed bytes themselves are changed."""
_LARGEST_UNPACKED = 4 * LARGEST
"""Bytes of what is packed: repeated bytes pack well, and a bomb or two is to be tried."""
_BOMB = 0.01
"""How often a member becomes one: two megabytes of the same byte, which is more than the sources are allowed."""
_NAMES = (
    "a.html",
    "b.HTM",
    "../../a.html",
    "/etc/a.html",
    "a.html/",
    ".a.html",
    "a\0.html",
    "\ud800.html",
    "é\n.html",
    "a" * 300 + ".html",
    "a.txt",
    "",
)


def unpacking(inner: Callable[[bytes, Chance], bytes]) -> Mutation:
    """Change the file, or now and then its bytes; a file that cannot be unpacked gets its bytes changed."""

    def mutate(data: bytes, chance: Chance) -> bytes:
        if chance.random.random() < _RAW:
            return mutate_bytes(data, chance)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # names that are there twice
                return inner(data, chance)
        except Exception:  # noqa: BLE001 - whatever a library says of a file that an earlier mutation broke
            return mutate_bytes(data, chance)

    return mutate


def _member(content: bytes, chance: Chance, mutate: Mutation = mutate_html) -> bytes:
    if chance.random.random() < _BOMB:
        return chance.random.choice((b"<", b"\0", b"<p>a")) * 2_000_000
    return mutate(content, chance)[:_LARGEST_UNPACKED]


def _chosen(count: int, chance: Chance) -> int:
    """Which of the members is changed."""
    return chance.random.randrange(count) if count else -1


def _zip(data: bytes, chance: Chance) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [(member.filename, archive.read(member)) for member in archive.infolist()]
    at = _chosen(len(members), chance)
    name, content = members[at]
    members[at] = (name, _member(content, chance))
    if chance.random.random() < 0.2:
        members[at] = (chance.random.choice(_NAMES).replace("\ud800", "x"), content)
    if chance.random.random() < 0.2:
        members += [chance.random.choice(members)] * chance.random.choice((1, 3, 50))
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", compression=chance.random.choice((0, 8, 12, 14))) as archive:
        for name, content in members:
            archive.writestr(zipfile.ZipInfo(name), content, compress_type=chance.random.choice((0, 8, 12, 14)))
    return written.getvalue()


def _tar(data: bytes, chance: Chance) -> bytes:
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        members = [(member, _content(archive, member)) for member in archive.getmembers()]
    at = _chosen(len(members), chance)
    member, content = members[at]
    members[at] = (member, _member(content, chance))
    if chance.random.random() < 0.3:
        member.name = chance.random.choice(_NAMES)
        member.type = chance.random.choice((tarfile.REGTYPE, tarfile.SYMTYPE, tarfile.DIRTYPE, tarfile.GNUTYPE_SPARSE))
        member.linkname = chance.random.choice(("", "a.html", "/etc/passwd"))
        member.pax_headers = chance.random.choice(({}, {"path": "x.html"}, {"size": "99"}, {"GNU.sparse.size": "9"}))
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w", format=chance.random.choice((0, 1, 2))) as archive:
        for one, inside in members:
            one.size = len(inside) + chance.random.choice((0, 0, 0, 0, 0, 0, 0, 1, -1, 100_000))
            one.size = max(one.size, 0)
            archive.addfile(one, io.BytesIO(inside.ljust(one.size, b" ")))
    return written.getvalue()


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    opened = archive.extractfile(member) if member.isreg() else None
    return opened.read(_LARGEST_UNPACKED) if opened else b""


def gzipped(inner: Mutation) -> Mutation:
    """A file of one gzip member, or of a few."""

    def mutate(data: bytes, chance: Chance) -> bytes:
        unpacked = inner(gunzip(data), chance)
        at = chance.random.choice((0, 0, chance.random.randrange(len(unpacked) + 1)))
        parts = [part for part in (unpacked[:at], unpacked[at:]) if part]
        return b"".join(gzip.compress(part, 1, mtime=0) for part in parts)

    return mutate


def gunzip(data: bytes) -> bytes:
    """What is in a gzip file, no more of it than mutations handle."""
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
        return stream.read(_LARGEST_UNPACKED)


_RECORD = re.compile(rb"(?=^WARC/1\.)", re.MULTILINE)
_LENGTH = re.compile(rb"(?im)^content-length:[^\r\n]*")


def _warc(data: bytes, chance: Chance) -> bytes:
    records = [record for record in _RECORD.split(data) if record]
    at = _chosen(len(records), chance)
    records[at] = _warc_record(records[at], chance)
    if chance.random.random() < 0.1:
        records *= chance.random.choice((2, 5))
    return b"".join(records)


def _warc_record(record: bytes, chance: Chance) -> bytes:
    head, _, block = record.partition(b"\r\n\r\n")
    block = block.removesuffix(b"\r\n\r\n")
    choice = chance.random.randrange(4)
    if choice == 0:
        head = mutate_lines(head, chance)
    elif choice == 1:
        block = _http(block, chance)
    else:
        http, gap, body = block.partition(b"\r\n\r\n")
        block = http + gap + _member(body, chance)
    if chance.random.random() < 0.9:
        head = _LENGTH.sub(b"Content-Length: %d" % len(block), head)
    return head + b"\r\n\r\n" + block + b"\r\n\r\n"


_HTTP_LINES = (
    b"Transfer-Encoding: chunked",
    b"Content-Encoding: gzip",
    b"Content-Encoding: deflate, gzip",
    b"Content-Encoding: br",
    b"Content-Encoding: zstd",
    b"Content-Type: text/html; charset=replacement",
    b"Content-Type: text/html; charset=\xff\xfe",
    b":",
    b"\xff: \xff",
)


def _http(block: bytes, chance: Chance) -> bytes:
    """Other headers, and the body packed as they say, or not."""
    head, _, body = block.partition(b"\r\n\r\n")
    head += b"\r\n" + chance.random.choice(_HTTP_LINES)
    pack = chance.random.choice((bytes, _gzip, zlib.compress, _chunked))
    body = pack(body)
    return head + b"\r\n\r\n" + (mutate_bytes(body, chance) if chance.random.random() < 0.3 else body)


def _gzip(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)  # else it says when


def _chunked(body: bytes) -> bytes:
    pieces = [body[start : start + 100] for start in range(0, len(body), 100)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def _mhtml(data: bytes, chance: Chance) -> bytes:
    choice = chance.random.randrange(3)
    if choice == 0:
        return mutate_lines(data, chance)
    parts = data.split(b"\r\n\r\n")
    at = chance.random.randrange(len(parts))
    parts[at] = mutate_html(parts[at], chance) if choice == 1 else mutate_lines(parts[at], chance)
    return b"\r\n\r\n".join(parts)


def _jsonl(data: bytes, chance: Chance) -> bytes:
    lines = data.split(b"\n")
    at = chance.random.randrange(len(lines))
    if chance.random.random() < 0.2:
        return mutate_lines(data, chance)
    value = change_json(json.loads(lines[at] or b"{}"), chance)
    lines[at] = json.dumps(value, ensure_ascii=chance.random.random() < 0.5).encode("utf-8", "surrogatepass")
    return b"\n".join(lines)


_JSON_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2**31, 2**63, 2**64, 10**400, 0.5, -0.0, 1e308, float("nan"), float("inf")),
    *("", "x", "\ud800", "\0", "0", "text/html", [], {}, [[]], [None], {"": {}}, [["a", "b"]], {"name": "x"}),
)


def change_json(value: Any, chance: Chance) -> Any:
    """The value with one change somewhere in it."""
    if isinstance(value, dict) and value and chance.random.random() < 0.9:
        return _change_object(value, chance)
    if isinstance(value, list) and value and chance.random.random() < 0.8:
        at = chance.random.randrange(len(value))
        return [*value[:at], change_json(value[at], chance), *value[at + chance.random.choice((0, 1, 1)) :]]
    if isinstance(value, str) and chance.random.random() < 0.7:
        return mutate_html(value.encode("utf-8", "surrogatepass"), chance).decode("utf-8", "replace")
    if isinstance(value, int | float) and chance.random.random() < 0.4:
        return value + chance.random.choice((-1, 1, 0.5))
    return chance.random.choice(_JSON_VALUES)


def _change_object(value: dict[str, Any], chance: Chance) -> dict[str, Any]:
    key = chance.random.choice(list(value))
    choice = chance.random.randrange(10)
    if choice == 0:
        return {name: inner for name, inner in value.items() if name != key}
    if choice == 1:
        return {(name + "x" if name == key else name): inner for name, inner in value.items()}
    return {**value, key: change_json(value[key], chance)}


def _parquet(data: bytes, chance: Chance) -> bytes:
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(io.BytesIO(data))
    if table.nbytes > _LARGEST_UNPACKED or not table.num_columns:
        raise ValueError("too large to go on with")
    at = chance.random.randrange(table.num_columns)
    name, column = table.column_names[at], table.column(at)
    values = [_cell(value, chance) for value in column.to_pylist()]
    choice = chance.random.randrange(8)
    if choice == 0:
        table = table.rename_columns([chance.random.choice(("html", "url", "headers", "é")), *table.column_names[1:]])
    elif choice == 1:
        table = table.set_column(at, name, pyarrow.array([chance.random.choice((1, 2.5, None))] * table.num_rows))
    elif choice == 2:
        table = table.set_column(at, name, column.dictionary_encode())
    else:
        table = table.set_column(at, name, pyarrow.array(values, type=column.type))
    written = io.BytesIO()
    pyarrow.parquet.write_table(
        table,
        written,
        compression=chance.random.choice(("none", "snappy", "gzip", "zstd", "brotli", "lz4")),
        row_group_size=chance.random.choice((1, 2, 1000)),
        version=chance.random.choice(("1.0", "2.6")),
        data_page_version=chance.random.choice(("1.0", "2.0")),
        use_dictionary=chance.random.choice((True, False)),
    )
    return written.getvalue()


def _cell(value: Any, chance: Chance) -> Any:
    if chance.random.random() < 0.5:
        return value
    if isinstance(value, bytes):
        return _member(value, chance)
    if isinstance(value, str):
        return _member(value.encode(), chance).decode("utf-8", "replace")
    return chance.random.choice((None, value))


_SHAPES = ("()", "(0,)", "(1,)", "(-1,)", "(3, 0)", "(2, 2)", "(1000000000000,)", "(1, 1, 1)", "None", "'x'", "(2**9,)")
_TYPES = "<i4 <i8 <u8 >i8 <f4 <f8 <f2 |b1 |u1 <c16 |S5 <U5 |O <M8[s] |V8 <i4,<i4 nonsense".split()
_NUMBERS = (0, 1, -1, 2, 255, 2**15, 2**31 - 1, -(2**31), 2**63 - 1, -(2**63))


def _model(data: bytes, chance: Chance) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {member.filename: archive.read(member) for member in archive.infolist()}
    for _ in range(chance.random.choice((1, 1, 2, 4))):
        name = chance.random.choice(list(members))
        if name.endswith(".json") or chance.random.random() < 0.2:
            header = change_json(json.loads(members["header.json"]), chance)
            members["header.json"] = json.dumps(header).encode()
        else:
            members[name] = _npy(members[name], chance)
    if chance.random.random() < 0.1:
        members.pop(chance.random.choice(list(members)))
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return written.getvalue()


def _npy(data: bytes, chance: Chance) -> bytes:
    """An array with another header, other numbers, or both."""
    import numpy as np

    choice = chance.random.randrange(6)
    if choice == 0:
        return re.sub(rb"'shape': \([^)]*\)", b"'shape': " + chance.random.choice(_SHAPES).encode(), data, count=1)
    if choice == 1:
        return re.sub(rb"'descr': '[^']*'", f"'descr': '{chance.random.choice(_TYPES)}'".encode(), data, count=1)
    if choice == 2:
        return mutate_bytes(data[:128], chance) + data[128:]
    array = np.load(io.BytesIO(data), allow_pickle=False)
    flat = array.reshape(-1).copy()
    if choice == 3 and flat.size:
        _set_numbers(flat, chance)
        array = flat.reshape(array.shape)
    elif choice == 4:
        array = flat[: chance.random.randrange(flat.size + 1)]
    else:
        array = np.concatenate([flat, flat[: chance.random.randrange(flat.size + 1)]])
    content = io.BytesIO()
    np.save(content, array, allow_pickle=False)
    return content.getvalue()


def _set_numbers(flat: Any, chance: Chance) -> None:
    import numpy as np

    for _ in range(chance.random.choice((1, 3, 20))):
        at = chance.random.randrange(flat.size)
        if flat.dtype.kind in "iu":
            limits = np.iinfo(flat.dtype)
            flat[at] = min(max(chance.random.choice(_NUMBERS), int(limits.min)), int(limits.max))
        elif flat.dtype.kind == "f":
            flat[at] = chance.random.choice((0.0, -1.0, 1e30, np.nan, np.inf, -np.inf))
        else:
            flat[at] = flat[chance.random.randrange(flat.size)]


mutate_zip = unpacking(_zip)
mutate_tar = unpacking(_tar)
mutate_tar_gz = unpacking(gzipped(_tar))
mutate_warc = unpacking(_warc)
mutate_warc_gz = unpacking(gzipped(_warc))
mutate_mhtml = unpacking(_mhtml)
mutate_jsonl = unpacking(_jsonl)
mutate_jsonl_gz = unpacking(gzipped(_jsonl))
mutate_parquet = unpacking(_parquet)
mutate_model = unpacking(_model)
