"""Safe names and ids for pages and sites. Client names are only shown and stored as text, never used as file names."""

from __future__ import annotations

import hashlib
import re
from typing import Final

from dehusk.page.characters import encodable

LONGEST: Final = 300
"""Characters in a name."""
UNSORTED: Final = "unsorted pages"
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
"""Control characters, and marks that change the text direction: they can disguise a name."""
_UNSAFE: Final = re.compile(r"[^\w.()+ -]")


def page_name(given: str) -> str:
    """A relative path with slashes, without `..`, empty steps and control characters."""
    cleaned = _CONTROLS.sub("", encodable(given)).replace("\\", "/")
    steps = [step.strip() for step in cleaned.split("/")]
    return "/".join(step for step in steps if step and step not in {".", ".."})[-LONGEST:].lstrip("/") or "page.html"


def site_name(given: str) -> str:
    """The name of a site, on one line."""
    return " ".join(_CONTROLS.sub(" ", encodable(given)).split())[:LONGEST] or UNSORTED


def page_id(name: str, url: str, body: bytes) -> str:
    """20 hex digits, determined by name, URL and bytes."""
    digest = hashlib.sha256()
    for part in (name.encode("utf-8", "replace"), url.encode("utf-8", "replace"), body):
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()[:20]


def site_id(name: str) -> str:
    """12 hex digits, determined by the name."""
    return hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:12]


def member_name(name: str, suffix: str, taken: dict[str, int]) -> str:
    """A file name in an archive: safe on every system, and unique among `taken`, which it extends."""
    steps = [_UNSAFE.sub("_", step).strip(" .") or "_" for step in page_name(name).split("/")]
    stem = re.sub(r"\.(x?html?|xht|shtml|mht|mhtml)$", "", "/".join(step[-80:] for step in steps), flags=re.I) or "page"
    wanted = stem
    while (key := f"{wanted}{suffix}".lower()) in taken:
        taken[stem.lower()] = number = taken.get(stem.lower(), 1) + 1
        wanted = f"{stem}-{number}"
    taken[key] = 1
    return f"{wanted}{suffix}"
