"""Names that clients give to pages and sites. They are shown and stored as text; no file is ever called so by us."""

from __future__ import annotations

import hashlib
import re
from typing import Final

from dehusk.page.characters import encodable

LONGEST: Final = 300
"""Characters of a name."""
UNSORTED: Final = "unsorted pages"
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
"""Also marks that turn the direction of text: they make a name look like another."""
_UNSAFE: Final = re.compile(r"[^\w.()+ -]")


def page_name(given: str) -> str:
    """A relative name with slashes, without steps up, drives and control characters."""
    cleaned = _CONTROLS.sub("", encodable(given)).replace("\\", "/")
    steps = [step.strip() for step in cleaned.split("/")]
    return "/".join(step for step in steps if step and step not in {".", ".."})[-LONGEST:].lstrip("/") or "page.html"


def site_name(given: str) -> str:
    """One line."""
    return " ".join(_CONTROLS.sub(" ", encodable(given)).split())[:LONGEST] or UNSORTED


def page_id(name: str, url: str, body: bytes) -> str:
    """20 hex digits: the same for the same page under the same name."""
    digest = hashlib.sha256()
    for part in (name.encode("utf-8", "replace"), url.encode("utf-8", "replace"), body):
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()[:20]


def site_id(name: str) -> str:
    """12 hex digits."""
    return hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:12]


def member_name(name: str, suffix: str, taken: dict[str, int]) -> str:
    """What a page's result is called in an archive: harmless on every system, and unlike all before it."""
    steps = [_UNSAFE.sub("_", step).strip(" .") or "_" for step in page_name(name).split("/")]
    stem = re.sub(r"\.(x?html?|xht|shtml|mht|mhtml)$", "", "/".join(step[-80:] for step in steps), flags=re.I) or "page"
    wanted = stem
    while (key := f"{wanted}{suffix}".lower()) in taken:
        taken[stem.lower()] = number = taken.get(stem.lower(), 1) + 1
        wanted = f"{stem}-{number}"
    taken[key] = 1
    return f"{wanted}{suffix}"
