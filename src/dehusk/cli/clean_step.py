"""Clean one file: read it, clean it, write the result. Runs in worker processes."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

from dehusk.cleaning import CleanedPage, clean_blocks, model_of_no_site
from dehusk.cli.given_pages import GivenPage, ReadPage, read_given
from dehusk.cli.reporting import FileCleaned, write_parts
from dehusk.deciding.decisions import DEFAULT_DECISION, Decision
from dehusk.deciding.rules import RULES
from dehusk.deciding.shells import PROBLEMS
from dehusk.errors import DehuskError, InvalidSetting, PageSkipped
from dehusk.learning import STRANGE, load_model
from dehusk.methods.base import JudgesPages, Matches, Model
from dehusk.workers.guard import guarded
from dehusk.workers.whole_files import ANOTHER_OUTPUT, RESUMED_OUTPUT, ends_writing

if TYPE_CHECKING:
    from dehusk.filtering.page_filters import Filters


Selectors: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]
"""CSS selectors of what is kept, and of what is dropped."""
NO_SELECTORS: Final[Selectors] = ((), ())


@dataclass(frozen=True, slots=True)
class CleanFile:
    """A file to clean, how, and where the result goes: to `target`, or back to the caller if that is empty."""

    given: GivenPage
    method: str
    format_name: str
    options: object = None
    target: str = ""
    can_resume: bool = False
    """Whether `--resume` goes on from the targets that are there."""
    model_path: str = ""
    """A model file; empty for the method without any training on the site."""
    check_match: bool = False
    """Whether to check that the page belongs to the model's site."""
    decision: Decision = DEFAULT_DECISION
    read: ReadPage | None = None
    """The page itself, if it was kept when its site was learnt."""
    filters: Filters | None = None


def clean_file(task: CleanFile) -> FileCleaned:
    """Read, clean, render and write one page. Never raises: errors are returned in `failure`."""
    name = task.given.label
    result = guarded(_clean_file, task, name)
    if isinstance(result, PageSkipped):
        return FileCleaned(name, skipped=str(result))
    if isinstance(result, DehuskError):
        return FileCleaned(name, failure=str(result), ends_run=ends_writing(result))
    return result


def _clean_file(task: CleanFile) -> FileCleaned:
    begun = time.perf_counter()
    read = task.read or read_given(task.given, task.decision)
    model = model_for(task.method, task.model_path)
    cleaned = clean_blocks(read.blocks, model, task.decision)
    strange = (_mismatch(cleaned, model) if task.check_match else "") or _problem(cleaned)
    dropped, signature = _filtered(cleaned, task.filters) if task.filters else ("", b"")
    if dropped:
        return FileCleaned(task.given.label, read.size, dropped=dropped)
    if task.target and not signature:
        parts = cleaned.render_parts(task.format_name, task.options)
        text = ""
        size_after = write_parts(task.target, parts, RESUMED_OUTPUT if task.can_resume else ANOTHER_OUTPUT)
    else:
        text = cleaned.render(task.format_name, task.options)
        size_after = len(text.encode("utf-8", "replace"))
    seconds = time.perf_counter() - begun
    blocks = cleaned.labelled.blocks
    lengths = blocks.lengths
    visible = sum(length for length, is_hidden in zip(lengths, blocks.hidden_bytes, strict=True) if not is_hidden)
    kept = sum(lengths[index] for index in cleaned.labelled.kept)
    return FileCleaned(
        *(task.given.label, read.size, size_after, seconds, text),
        strange=strange,
        visible=visible,
        kept=kept,
        target=task.target,
        signature=signature,
    )


def _filtered(cleaned: CleanedPage, filters: Filters) -> tuple[str, bytes]:
    """Why the page is dropped; otherwise its signature, if it is to be compared with those of other pages."""
    from dehusk.filtering.page_filters import kept_text, reason_to_drop
    from dehusk.filtering.text_signatures import signature_of

    reason = reason_to_drop(cleaned.labelled, filters)
    return reason, signature_of(kept_text(cleaned.labelled)) if filters.drop_duplicates and not reason else b""


def _problem(cleaned: CleanedPage) -> str:
    if not cleaned.problem:
        return ""
    return f"{cleaned.page.label}: {cleaned.problem}: {PROBLEMS[cleaned.problem]}"


def _mismatch(cleaned: CleanedPage, model: Model) -> str:
    match = model.match(cleaned.page) if isinstance(model, Matches) else 1.0
    if match >= STRANGE:
        return ""
    return f"{cleaned.page.label}: only {match:.0%} of it matches the model; is it from another site?"


def decision_without(
    rules: Collection[str], favour: str, comments: bool, model: Model, selectors: Selectors = NO_SELECTORS
) -> Decision:
    """The decision settings with these rules switched off, if the model supports such settings."""
    if unknown := [name for name in rules if name not in RULES]:
        raise InvalidSetting("--without-rule", f"no rule is called {unknown[0]!r}", f"choose from {', '.join(RULES)}")
    decision = Decision(favour, comments, tuple(name for name in RULES if name not in rules), *selectors)
    if decision.needs_judgement and not isinstance(model, JudgesPages):
        option = "--without-rule" if rules else "--comments" if comments else "--favour"
        cause = f"works with the methods hybrid and page-evidence only, not with {model.method}"
        raise InvalidSetting(option, cause, "leave it out, or choose one of them with --method")
    return decision


@lru_cache(maxsize=4)
def model_for(method: str, model_path: str) -> Model:
    """The model to clean with; cached, as files do not change during a run."""
    return load_model(model_path) if model_path else model_of_no_site(method)
