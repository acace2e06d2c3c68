"""Learnt models as files: a JSON header and arrays. Data only: reading one never executes anything.

A model file is a zip archive of `header.json` and one `.npy` file an array, written without pickle and read without it.
What it holds is checked before anything is believed: the format's name and version, the size of every member, and that
each array can be read. The header says which method and settings made it, from how many pages, and when (a date that is
passed in, so that the same counts give the same file).
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import zipfile

from dehusk.errors import ModelError
from dehusk.workers.whole_files import written_whole

FORMAT: Final = "dehusk-model"
VERSION: Final = 1
"""Raised when older code could not read newer files; code reads its own version and all before it."""

_HEADER: Final = "header.json"
_LARGEST_MEMBER: Final = 200_000_000
"""Bytes of one array, unpacked: far above what the caps on counts allow, far below what would hurt."""
_MOST_MEMBERS: Final = 100
_LARGEST_HEADER: Final = 1_000_000
_FIXED_TIME: Final = (1980, 1, 1, 0, 0, 0)
"""The same model gives the same bytes."""
_LONGEST_SHOWN: Final = 200
"""Characters of a file, or of what a library says of it, that messages show."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """What a file says: which method with which settings, from how many pages of which site, and its arrays."""

    method: str
    settings: Mapping[str, Any]
    pages: int
    site: str
    created: str
    arrays: Mapping[str, NDArray[Any]]


def write_model_file(path: str | os.PathLike[str], model: ModelFile) -> None:
    """Write whole or not at all."""
    import zipfile  # here and below: most runs neither read nor write a model, and it is dear to import

    target = Path(path)
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
        with written_whole(target) as temporary, zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
            _write_member(archive, _HEADER, json.dumps(header, indent=1, sort_keys=True).encode())
            for name, array in sorted(model.arrays.items()):
                content = io.BytesIO()
                np.save(content, array, allow_pickle=False)
                _write_member(archive, f"{name}.npy", content.getvalue())
    except OSError as error:
        cause = (error.strerror or str(error)).lower()
        raise ModelError(str(path), f"cannot be written: {cause}", "choose another file") from error


def read_model_file(path: str | os.PathLike[str]) -> ModelFile:
    """Read and check; whatever is wrong with the file is a ModelError."""
    import zipfile
    import zlib

    damage = (zipfile.BadZipFile, zlib.error, KeyError, TypeError, ValueError, EOFError, ArithmeticError, RuntimeError)
    label = os.fspath(path)
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            _check_sizes(label, members)
            header = json.loads(archive.read(_HEADER)[:_LARGEST_HEADER])
            _check_header(label, header)
            arrays = {
                member.filename.removesuffix(".npy"): np.load(io.BytesIO(archive.read(member)), allow_pickle=False)
                for member in members
                if member.filename != _HEADER
            }
        return ModelFile(
            str(header["method"]),
            dict(header["settings"]),
            int(header["pages"]),
            str(header["site"]),
            str(header["created"]),
            arrays,
        )
    except OSError as error:
        raise ModelError(
            label, f"cannot be read: {(error.strerror or str(error)).lower()}", "check the path"
        ) from error
    except (*damage, MemoryError) as error:  # an array may claim any size
        # numpy repeats the header of an array, which may be as long as the file.
        raise ModelError(label, f"not a sound model file ({_shown(error)})", "learn the site again") from error


def _shown(found: object) -> str:
    """What stands in a file as a message can show it: not endless, and in characters that can be written."""
    return str(found)[:_LONGEST_SHOWN].encode("utf-8", "backslashreplace").decode()


def _write_member(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    import zipfile

    archive.writestr(zipfile.ZipInfo(name, _FIXED_TIME), content, zipfile.ZIP_DEFLATED)


def _check_sizes(label: str, members: list[zipfile.ZipInfo]) -> None:
    if len(members) > _MOST_MEMBERS or any(member.file_size > _LARGEST_MEMBER for member in members):
        raise ModelError(label, "larger than any model can be", "learn the site again")


def _check_header(label: str, header: Any) -> None:
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise ModelError(label, "not a dehusk model", "give a file that `dehusk learn` wrote")
    version = header.get("version")
    if not isinstance(version, int) or not 1 <= version <= VERSION:
        cause = f"version {_shown(version)} of the format; this dehusk reads up to {VERSION}"
        raise ModelError(label, cause, "update dehusk")
