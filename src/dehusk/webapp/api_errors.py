"""API errors and their HTTP status. docs/webapp.md has the table."""

from __future__ import annotations

from typing import Final

from dehusk.errors import DehuskError, PageTooLarge


class ApiError(DehuskError):
    """A request that fails with an HTTP status, a code, a message and a remedy."""

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
        """The body of the response."""
        return {"error": {"code": self.code, "message": self.message, "remedy": self.remedy}}


_BY_STATUS: Final = {
    400: ("invalid", "invalid request"),
    404: ("not-found", "no such URL"),
    405: ("method", "this URL does not support that HTTP method"),
    413: ("too-large", "request too large"),
}


def of_status(status: int, detail: str = "") -> ApiError:
    """An error raised by the web framework."""
    code, message = _BY_STATUS.get(status, ("invalid", "request refused"))
    # Its own messages are for programmers, and may repeat what the client sent.
    return ApiError(status, code, message if status != 400 or not detail else f"{message}: {detail[:200]}")


def of_error(error: DehuskError) -> ApiError:
    """An error raised by dehusk itself."""
    too_large = isinstance(error, PageTooLarge)
    message = f"{error.subject}: {error.cause}"
    return ApiError(413 if too_large else 422, "too-large" if too_large else "refused", message, error.remedy)


def invalid(message: str, remedy: str = "") -> ApiError:
    """An invalid parameter or body."""
    return ApiError(400, "invalid", message, remedy)


def not_found(what: str) -> ApiError:
    """A page, site, block, node, job or correction that does not exist (any more)."""
    return ApiError(404, "not-found", f"no such {what}", "reload: it may have been removed")


def too_large(message: str, remedy: str = "") -> ApiError:
    """More than the server accepts."""
    return ApiError(413, "too-large", message, remedy)
