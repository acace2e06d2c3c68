"""Golden pages: `<slug>/source.html` and what each format makes of it.

`python tests/golden/generate.py [slug...]` rewrites the expected files from the current code and says which changed.
Read the changes as a reader would before they go in: a golden file is right because somebody looked at it.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any, Final

import dehusk

FOLDER: Final = Path(__file__).parent
SOURCE: Final = "source.html"
EXPECTED: Final[dict[str, str]] = {
    "text": "expected.txt",
    "markdown": "expected.md",
    "html": "expected.html",
    "xml": "expected.xml",
    "tei": "expected.tei.xml",
    "json": "expected.json",
    "jsonl": "expected.jsonl",
    "csv": "expected.csv",
    "cleaneval": "expected.cleaneval.txt",
}
METHOD: Final = dehusk.SatisfiableSubtree()
"""Rendering is what is golden. This method is a rule that stays; the default is trained, and may change its mind."""
# Reasons are off by default, and would go untested.
_OPTIONS: Final[dict[str, Any]] = {"json": dehusk.JsonOptions(reasons=True)}
_OWN_VERSION: Final = f'version="{dehusk.__version__}"'


def slugs() -> list[str]:
    """The golden pages: every folder here, whether it is complete or not."""
    return sorted(entry.name for entry in FOLDER.iterdir() if entry.is_dir() and entry.name != "__pycache__")


def render(slug: str, format_name: str) -> str:
    """What the current code makes of a page. It is read as bytes: the encoding is part of the behaviour."""
    # TEI names the version that wrote it; a release changes no page.
    return _cleaned(slug).render(format_name, _OPTIONS.get(format_name)).replace(_OWN_VERSION, 'version="0"')


@cache
def _cleaned(slug: str) -> dehusk.CleanedPage:
    source = (FOLDER / slug / SOURCE).read_bytes()
    return dehusk.clean(source, METHOD.fit(), url=f"https://golden.example/{slug}/")


def main(chosen: list[str]) -> int:
    known = slugs()
    unknown = [slug for slug in chosen if slug not in known]
    if unknown:
        print(f"no such golden page: {', '.join(unknown)}; choose from {', '.join(known)}", file=sys.stderr)
        return 2
    changed = [
        path
        for slug in chosen or known
        for format_name, name in EXPECTED.items()
        if _write(path := FOLDER / slug / name, render(slug, format_name))
    ]
    for path in changed:
        print(f"changed {path.relative_to(FOLDER)}")
    print(f"{len(changed)} of {len(chosen or known) * len(EXPECTED)} files changed")
    return 0


def _write(path: Path, text: str) -> bool:
    """Whether the file is different now. Bytes, so that no platform's line ends get in."""
    content = text.encode()
    if path.exists() and path.read_bytes() == content:
        return False
    path.write_bytes(content)
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
