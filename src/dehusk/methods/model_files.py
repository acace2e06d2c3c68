"""Model files: a JSON header and arrays. They hold only data: reading one never executes anything.

A model file is a zip archive of `header.json` and one `.npy` file per array, written and read without pickle.
Everything is checked before it is used: the format's name and version, the size of every member, and that each array
can be read. The header says which method and settings made it, from how many pages, and when (a date that is
passed in, so that the same counts give the same file).
"""

from __future__ import annotations

import io
import json
import math
import os
import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final

from dehusk.native.lazy_numpy import np

if TYPE_CHECKING:
    import zipfile

    from numpy.typing import NDArray

from dehusk.errors import ModelError

FORMAT: Final = "dehusk-model"
VERSION: Final = 1
"""Raised when older code could not read newer files; code reads its own version and all before it."""

_HEADER: Final = "header.json"
_LARGEST_MEMBER: Final = 200_000_000
"""Bytes of one array, unpacked: far above what the caps on counts allow, far below what would hurt."""
_MOST_MEMBERS: Final = 100
_LARGEST_MODEL: Final = 400_000_000
"""Bytes of all of them: ten tables of 400,000 counts, the most that a site may have, take 260 MB."""
_LARGEST_HEADER: Final = 1_000_000
_ARRAY_START: Final = b"\x93NUMPY\x01\x00"
"""Version 1.0 of numpy's format, which it writes for all types that models have."""
_ARRAY: Final = re.compile(
    rb"\{'descr': '([<>|](?:[iu][1248]|f[248]))', 'fortran_order': (True|False), "
    rb"'shape': \(((?:[0-9]{1,10},? ?){0,4})\), \} *\n"
)
"""The header as `numpy.save` writes it for arrays of numbers."""
_WORTH_UNPACKING: Final = 0.8
"""Share of its size from which on a member is stored as it is. Weights of networks shrink to 0.9, and unpacking those
shipped with dehusk would take 9 ms, a twentieth of the time to start and clean one page."""
_TRIED: Final = 8192
"""Bytes of a member that show how far it shrinks: arrays are alike from beginning to end."""
_LEVEL: Final = 1
"""How hard members are compressed. A batch writes a model for each site: level 6 takes two to three times as long, for
models that are a tenth smaller."""
_FIXED_TIME: Final = (1980, 1, 1, 0, 0, 0)
"""The same model gives the same bytes."""
_LONGEST_SHOWN: Final = 200
"""Characters of a file, or of a library's message about it, that our messages show."""
_KINDS_OF_SETTINGS: Final = (bool, int, (int, float), str)


@dataclass(frozen=True, slots=True)
class StoredArray:
    """An array as a file has it, which was checked."""

    code: str
    """The type of its entries, as numpy writes it: `<f2`."""
    shape: tuple[int, ...]
    by_columns: bool
    """Whether it is stored column after column, instead of row after row."""
    values: bytes

    def array(self) -> NDArray[Any]:
        """The array, in the order of bytes of this machine."""
        dtype = np.dtype(self.code)
        order: Any = "F" if self.by_columns else "C"
        array = np.frombuffer(self.values, dtype).reshape(self.shape, order=order)
        return array.astype(dtype.newbyteorder("="))


class StoredArrays(Mapping[str, "NDArray[Any]"]):
    """The arrays of a file by name, made when they are asked for: cleaning a page needs none of them in Python."""

    def __init__(self, stored: Mapping[str, StoredArray]) -> None:
        self.stored: Final = stored

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self.stored[name].array()

    def __contains__(self, name: object) -> bool:
        return name in self.stored  # by default the array would be made to find out

    def __iter__(self) -> Iterator[str]:
        return iter(self.stored)

    def __len__(self) -> int:
        return len(self.stored)


@dataclass(frozen=True, slots=True)
class ModelFile:
    """The content of a model file: method and settings, what it was learnt from, and its arrays."""

    method: str
    settings: Mapping[str, Any]
    pages: int
    site: str
    created: str
    arrays: Mapping[str, NDArray[Any]]


def write_model_file(path: str | os.PathLike[str], model: ModelFile) -> None:
    """Write a model file, completely or not at all."""
    import zipfile  # here and below: expensive to import, and most runs write no model
    from pathlib import Path

    from dehusk.workers.whole_files import cause_of, remedies, remedy_of, written_whole

    header = {
        "format": FORMAT,
        "version": VERSION,
        "method": model.method,
        "settings": dict(model.settings),
        "pages": model.pages,
        "site": model.site,
        "created": model.created,
    }
    try:
        with written_whole(Path(path)) as temporary, zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
            _write_member(archive, _HEADER, json.dumps(header, indent=1, sort_keys=True).encode())
            for name, array in sorted(model.arrays.items()):
                content = io.BytesIO()
                np.save(content, array, allow_pickle=False)
                _write_member(archive, f"{name}.npy", content.getvalue())
    except OSError as error:
        remedy = remedy_of(error, remedies("another file"))
        raise ModelError(str(path), f"cannot be written: {cause_of(error)}", remedy) from error


def read_model_file(path: str | os.PathLike[str]) -> ModelFile:
    """Read and check a model file; any fault raises ModelError."""
    import zipfile
    import zlib

    damage = (
        *(zipfile.BadZipFile, zlib.error, struct.error, EOFError),
        *(LookupError, TypeError, ValueError, ArithmeticError, RuntimeError),
    )
    label = os.fspath(path)
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            _check_members(label, members)
            header = json.loads(_content(archive, archive.getinfo(_HEADER)))
            _check_header(label, header)
            stored = {
                member.filename.removesuffix(".npy"): _stored(_content(archive, member))
                for member in members
                if member.filename != _HEADER
            }
        return ModelFile(
            str(header["method"]),
            dict(header["settings"]),
            int(header["pages"]),
            str(header["site"]),
            str(header["created"]),
            StoredArrays(stored),
        )
    except OSError as error:
        raise ModelError(
            label, f"cannot be read: {(error.strerror or str(error)).lower()}", "check the path"
        ) from error
    except (*damage, MemoryError) as error:  # an array may claim any size
        # numpy repeats the header of an array, which may be as long as the file.
        raise ModelError(label, f"not a sound model file ({excerpt(error)})", "learn the site again") from error


def excerpt(found: object) -> str:
    """Content of a file for a message: truncated, and encodable."""
    return str(found)[:_LONGEST_SHOWN].encode("utf-8", "backslashreplace").decode()


def stored_settings(stored: Mapping[str, Any], like: type[Any]) -> dict[str, Any]:
    """The settings in a file for a dataclass of settings; ValueError if one is not of the type it has by default."""
    for field in fields(like):
        value = stored.get(field.name, field.default)
        # Names of enumerations are stored as text; whole numbers are numbers.
        kinds = next((kinds for kinds in _KINDS_OF_SETTINGS if isinstance(field.default, kinds)), object)
        if not isinstance(value, kinds):
            raise ValueError(f"{field.name} is {value!r}")
    return dict(stored)


def _write_member(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    import zipfile
    import zlib

    tried = content[:_TRIED]
    shrinks = len(zlib.compress(tried, _LEVEL)) < _WORTH_UNPACKING * len(tried)
    method = zipfile.ZIP_DEFLATED if shrinks else zipfile.ZIP_STORED
    archive.writestr(zipfile.ZipInfo(name, _FIXED_TIME), content, method, _LEVEL)


def _content(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """A member, unpacked no further than its declared size."""
    with archive.open(member) as stream:
        return stream.read(member.file_size)


def _stored(content: bytes) -> StoredArray:
    """The array in a `.npy` file; ValueError if it does not hold numbers.

    `numpy.load` parses the header as Python, which can raise any error, and allocates whatever the header asks for.
    """
    start = len(_ARRAY_START) + 2
    length = int.from_bytes(content[start - 2 : start], "little")
    header = _ARRAY.fullmatch(content[start : start + length])
    if not content.startswith(_ARRAY_START) or header is None:
        raise ValueError("not an array of numbers")
    code = header[1].decode()
    shape = tuple(map(int, header[3].replace(b",", b" ").split()))
    if math.prod(shape) * int(code[-1]) != len(content) - start - length:
        raise ValueError("an array whose size does not match its header")
    return StoredArray(code, shape, header[2] == b"True", content[start + length :])


def _check_members(label: str, members: list[zipfile.ZipInfo]) -> None:
    import zipfile

    sizes = [member.file_size for member in members]
    headers = [member.file_size for member in members if member.filename == _HEADER]
    if (
        len(members) > _MOST_MEMBERS
        or max(sizes, default=0) > _LARGEST_MEMBER
        or sum(sizes) > _LARGEST_MODEL
        or max(headers, default=0) > _LARGEST_HEADER
    ):
        raise ModelError(label, "larger than any model can be", "learn the site again")
    if any(member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for member in members):
        raise ModelError(label, "compressed with a method that models never use", "learn the site again")


def _check_header(label: str, header: Any) -> None:
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ModelError(label, "not a dehusk model", "give a file that `dehusk learn` wrote")
    version = header.get("version")
    if not isinstance(version, int) or not 1 <= version <= VERSION:
        cause = f"version {excerpt(version)} of the format; this dehusk reads up to {VERSION}"
        raise ModelError(label, cause, "update dehusk")
