"""Display attributes -> stable 64-bit keys.

Two elements have the same presentation style when tag, class tokens and presentational attributes agree, as the papers
define it. Keys of class names alone are for finding the same element on another page, so they are normalised: runs of
digits become `0` (`post-1234` and `post-77` are one), and tokens that a build tool generated (`css-1x2y3z`,
`sc-bdVaJa`) keep their readable head only. Class tokens have no order. Keys are the first eight bytes of BLAKE2b, so
they are the same on every machine and in every process.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from dehusk.page.tags import ATTRIBUTE_CODES, DISPLAY_ATTRIBUTES

_DISPLAY = len(DISPLAY_ATTRIBUTES)  # display attributes come first in ATTRIBUTES
_CLASS = ATTRIBUTE_CODES["class"]
_STYLE = ATTRIBUTE_CODES["style"]
_DIGITS = re.compile(r"\d+")
# A last part after - or _ that mixes letters and digits, or capitals with fewer than three small letters between them.
_GENERATED = re.compile(
    r"(?<=[-_])(?:(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{5,}|(?=.{5,8}$)[a-z]{0,2}(?:[A-Z]{1,2}[a-z]{0,2}){2,})$"
)


def style_keys(
    tag_names: Sequence[str],
    tag: NDArray[np.int32],
    attribute_start: NDArray[np.int32],
    attribute_name: NDArray[np.uint8],
    attribute_value: Sequence[str],
    *,
    classes_only: bool = False,
) -> NDArray[np.uint64]:
    """One key per row, from tag names and columns of a Page; with `classes_only`, from normalised class names alone."""
    counts = attribute_name == _CLASS if classes_only else attribute_name < _DISPLAY
    indexes = np.flatnonzero(counts)
    owners = np.searchsorted(attribute_start, indexes, side="right") - 1
    columns = (owners.tolist(), attribute_name[indexes].tolist(), indexes.tolist())
    attributes: dict[int, tuple[tuple[int, str], ...]] = {}
    for owner, name, index in zip(*columns, strict=True):
        attributes[owner] = (*attributes.get(owner, ()), (name, attribute_value[index]))
    codes = np.unique(tag)
    plain = np.zeros(len(tag_names), dtype=np.uint64)
    plain[codes] = [_key(tag_names[code], classes_only) for code in codes.tolist()]
    keys = plain[tag]
    rows = list(attributes)
    tags = tag[rows].tolist()
    styles = zip(tags, attributes.values(), strict=True)
    keys[rows] = np.array([_key(tag_names[code], classes_only, *own) for code, own in styles], dtype=np.uint64)
    return keys


def class_tokens(value: str) -> frozenset[str]:
    """The class names of an element, normalised: digits to 0, generated tails cut off."""
    return frozenset(_DIGITS.sub("0", _GENERATED.sub("", token)) for token in value.split())


@lru_cache(maxsize=20_000)  # most elements share their style with others: each style is hashed once
def _key(tag: str, normalised: bool, *attributes: tuple[int, str]) -> int:
    values = ((name, value) for name, raw in attributes for value in _values(name, raw, normalised))
    parts = [tag, *sorted(f"{name}={value}" for name, value in values)]
    digest = blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def _values(name: int, value: str, normalised: bool) -> Iterator[str]:
    if name == _CLASS:
        yield from class_tokens(value) if normalised else set(value.split())
    elif name == _STYLE:
        yield from ("".join(part.split()).lower() for part in value.split(";") if part.strip())
    else:
        yield value.strip().lower()
