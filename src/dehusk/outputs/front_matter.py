"""YAML front matter for Markdown: what is known of a page, between two lines of `---`.

Every text is in double quotes, so that no parser reads a title such as `no`, `1e3` or `a: b` as anything else.
"""

from __future__ import annotations

import re
from typing import Final

from dehusk.deciding.decisions import LabelledBlocks
from dehusk.outputs.page_metadata import metadata_of
from dehusk.page.characters import encodable

_SPECIAL: Final = re.compile('["\\\\\x00-\x1f\x7f-\x9f\xa0\u2028\u2029\ufeff\ufffe\uffff]')
"""What stands for itself in no YAML text: quotes, backslashes, line ends of any kind, what no printer shows."""


def front_matter(labelled: LabelledBlocks) -> str:
    """Title, author, date, language, site, address, type and confidence, as far as they are known; or empty."""
    lines = [f"{name}: {_yaml(value)}\n" for name, value in _fields(labelled).items() if value not in ("", None, [])]
    return "".join(["---\n", *lines, "---\n"]) if lines else ""


def _fields(labelled: LabelledBlocks) -> dict[str, object]:
    known = metadata_of(labelled).to_dict()
    authors = known["authors"]
    return {
        "title": known["title"],
        "author": authors[0] if isinstance(authors, list) and len(authors) == 1 else authors,
        "published": known["published"],
        "language": known["language"],
        "site": known["site_name"],
        "address": labelled.blocks.page.url or known["url"],
        "type": labelled.page_type,
        "confidence": None if labelled.confidence is None else round(labelled.confidence, 4),
    }


def _yaml(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_yaml, value))}]"
    return repr(value) if isinstance(value, float) else f'"{_SPECIAL.sub(_escaped, encodable(str(value)))}"'


def _escaped(found: re.Match[str]) -> str:
    character = found[0]
    return f"\\{character}" if character in '"\\' else f"\\u{ord(character):04x}"
