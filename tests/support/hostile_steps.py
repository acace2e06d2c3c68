"""Cleaning, for pages that do the worst to whoever cleans them. Imports only what cleaning itself does: what a process
has still to import when it gets its first page counts as time of that page."""

from __future__ import annotations

import os

from small_steps import misbehave

from dehusk.batch.page_steps import CleanPage, Record, clean_page
from dehusk.filtering.page_filters import Dropped
from dehusk.sources.raw_page import RawPage


class DeadlyPage(RawPage):
    """Kills whoever reads it, if it has headers: of a page without any, none is looked for."""

    def header(self, name: str) -> str:
        os._exit(7)


def clean_or_misbehave(task: CleanPage) -> Record | Dropped:
    for spell in ("NATIVE", "DIE", "BLOAT", "RAISE"):
        if spell.encode() in task.raw.body:
            misbehave(spell)
    return clean_page(task)
