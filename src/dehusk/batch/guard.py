"""The one place where any exception at all is caught: a batch never dies of one bad page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from dehusk.errors import DehuskError, PageError

Task = TypeVar("Task")
Result = TypeVar("Result")


def guarded(step: Callable[[Task], Result], task: Task, label: str) -> Result | DehuskError:
    """The result of the step, or the error that stopped it; a fault of our own becomes a PageError."""
    try:
        return step(task)
    except DehuskError as error:
        return error
    except Exception as error:  # noqa: BLE001 - that is what this module is for
        cause = f"unexpected {type(error).__name__}: {error}"
        return PageError(label, cause, "this is a fault in dehusk: please report it with the page")
