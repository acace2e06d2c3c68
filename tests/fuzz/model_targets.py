"""Target that takes a model file: what loads can be used, and what cannot be used does not load."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from pathlib import Path

from page_targets import magnitude
from source_targets import check_message

import dehusk
from dehusk.deciding.decisions import label_blocks


@cache
def _pages() -> tuple[dehusk.Page, ...]:
    import seed_files

    return (*seed_files.site()[:1], *map(dehusk.read_page, seed_files.pages()[1:3]))


def loading(data: bytes, folder: Path) -> Hashable:
    """Load, clean, match, update, add and save: only our errors, whatever the file holds."""
    path = folder / "model.dehusk"
    path.write_bytes(data)
    try:
        model = dehusk.load_model(path)
        used = _use(model, folder)
    except dehusk.DehuskError as error:
        check_message(error)
        return type(error).__name__, "".join(letter for letter in error.cause if letter.isalpha())[:60]
    return used


def _use(model: object, folder: Path) -> Hashable:
    kept = 0
    for page in _pages():
        blocks = dehusk.segment(page)
        labelled = label_blocks(blocks, model)  # type: ignore[arg-type]
        assert len(labelled.scores) == len(labelled.blocks)
        assert len(labelled.reasons) == len(labelled.scores)
        kept += int(labelled.keep.sum())
    if hasattr(model, "match"):
        assert 0 <= model.match(_pages()[0]) <= 1
    if hasattr(model, "update"):
        label_blocks(dehusk.segment(_pages()[1]), model.update(_pages()[:2]) + model)
    if hasattr(model, "save"):
        model.save(folder / "again.dehusk")
        dehusk.load_model(folder / "again.dehusk")
    return type(model).__name__, magnitude(kept), getattr(model, "pages", None) in (0, None)
