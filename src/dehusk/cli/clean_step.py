"""What is done to one page of a batch. Pure but for reading the page and writing the result."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from dehusk.cleaning import CleanedPage, clean, find_method
from dehusk.deciding.decisions import DEFAULT_DECISION, Decision
from dehusk.errors import DehuskError, PageSkipped
from dehusk.learning import STRANGE, load_model
from dehusk.methods.base import Matches, Model
from dehusk.sources.files import PageFile, read_file
from dehusk.workers.guard import guarded
from dehusk.workers.whole_files import output_errors, written_whole


@dataclass(frozen=True, slots=True)
class CleanFile:
    """Clean this file with that method, and write the result to `target` or, without one, hand it back."""

    file: PageFile
    method: str
    format_name: str
    options: object = None
    target: str = ""
    model_path: str = ""
    """A model file to clean with, instead of the method with nothing learnt."""
    check_match: bool = False
    """Whether to look if the page is of the model's site."""
    decision: Decision = DEFAULT_DECISION


@dataclass(frozen=True, slots=True)
class FileCleaned:
    """What became of one file. Sizes are in bytes."""

    name: str
    size_before: int = 0
    size_after: int = 0
    seconds: float = 0.0
    text: str = ""
    failure: str = ""
    skipped: str = ""
    """Why there was nothing to clean, which is no failure."""
    strange: str = ""
    """Why the page may not be of the model's site, if it looks so."""


def clean_file(task: CleanFile) -> FileCleaned:
    """Read, clean, render and write one page. Never raises: what goes wrong is in `failure`."""
    result = guarded(_clean_file, task, task.file.path)
    if isinstance(result, PageSkipped):
        return FileCleaned(task.file.path, skipped=str(result))
    return FileCleaned(task.file.path, failure=str(result)) if isinstance(result, DehuskError) else result


def _clean_file(task: CleanFile) -> FileCleaned:
    begun = time.perf_counter()
    raw = read_file(task.file)
    model = model_for(task.method, task.model_path)
    cleaned = clean(raw, model, favour=task.decision.favour, comments=task.decision.comments)
    strange = _strangeness(cleaned, model) if task.check_match else ""
    if task.target:
        text, size_after = "", write_parts(task.target, cleaned.render_parts(task.format_name, task.options))
    else:
        text = cleaned.render(task.format_name, task.options)
        size_after = len(text.encode("utf-8", "replace"))
    seconds = time.perf_counter() - begun
    return FileCleaned(task.file.path, len(raw.body), size_after, seconds, text, strange=strange)


def _strangeness(cleaned: CleanedPage, model: Model) -> str:
    match = model.match(cleaned.page) if isinstance(model, Matches) else 1.0
    if match >= STRANGE:
        return ""
    return f"{cleaned.page.label}: {match:.0%} of it stands where the model has seen anything; is it of another site?"


@lru_cache(maxsize=4)
def model_for(method: str, model_path: str) -> Model:
    """The model to clean with. Files do not change during a run, so each process reads one once."""
    return load_model(model_path) if model_path else find_method(method).fit()


def write_whole(path: str, text: str) -> None:
    """Write a text as UTF-8, whole or not at all, in a folder that is made if need be."""
    write_parts(path, [text])


def write_parts(path: str, parts: Iterable[str]) -> int:
    """The same of a text in parts, which are asked for as they are written; returns its size in bytes."""
    target = Path(path)
    with output_errors(path):
        target.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(target) as temporary, temporary.open("wb") as stream:
            return sum(stream.write(part.encode("utf-8", "replace")) for part in parts)
