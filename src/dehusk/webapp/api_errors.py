"""Errors of the API: what is told, with which status. The table is in docs/webapp.md."""

from __future__ import annotations

from typing import Final

from dehusk.errors import DehuskError, PageTooLarge


class Refusal(DehuskError):
    """A request that is not answered as it was meant."""

    def __init__(self, status: int, code: str, message: str, remedy: str = "") -> None:
        super().__init__("the request", message, remedy)
        self.status = status
        self.code = code

    @property
    def message(self) -> str:
        """What is wrong."""
        return self.cause

    def __str__(self) -> str:
        return f"{self.message}; {self.remedy}" if self.remedy else self.message

    def as_dict(self) -> dict[str, object]:
        """The body of the answer."""
        return {"error": {"code": self.code, "message": self.message, "remedy": self.remedy}}


_NAMES: Final = {
    400: ("invalid", "the request is not what it has to be"),
    404: ("not-found", "no such address"),
    405: ("method", "this address does not take that verb"),
    413: ("too-large", "more than is taken"),
}


def of_status(status: int, detail: str = "") -> Refusal:
    """What the framework refused."""
    code, message = _NAMES.get(status, ("invalid", "the request was refused"))
    # Its own words are for programmers, and may repeat what was sent.
    return Refusal(status, code, message if status != 400 or not detail else f"{message}: {detail[:200]}")


def of_error(error: DehuskError) -> Refusal:
    """What dehusk cannot do."""
    too_large = isinstance(error, PageTooLarge)
    message = f"{error.subject}: {error.cause}"
    return Refusal(413 if too_large else 422, "too-large" if too_large else "refused", message, error.remedy)


def invalid(message: str, remedy: str = "") -> Refusal:
    """A parameter or body that is not what it has to be."""
    return Refusal(400, "invalid", message, remedy)


def not_found(what: str) -> Refusal:
    """A page, site, block, node, job or correction that is not there (any more)."""
    return Refusal(404, "not-found", f"no such {what}", "load the list again: it may have been removed")


def too_large(message: str, remedy: str = "") -> Refusal:
    """More than is taken."""
    return Refusal(413, "too-large", message, remedy)
