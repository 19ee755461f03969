"""Errors of the service: HTTP status, code for programs, message, and next step."""

from __future__ import annotations

from typing import NamedTuple

from structce.errors import (
    BrowserError,
    ExtractionError,
    MissingExtraError,
    PageError,
    RegionError,
    RenderError,
    RequestError,
    SourceError,
    StructceError,
    TimeLimitError,
    describe_fault,
)


class ErrorAnswer(NamedTuple):
    """Answer that reports an error: HTTP status, code for programs, message, and next step."""

    status: int
    code: str
    message: str
    next: str

    def as_dict(self) -> dict[str, object]:
        """Return the body of the answer."""
        return {"error": {"code": self.code, "message": self.message, "next": self.next}}


class ServiceError(StructceError):
    """Refusal of a request."""

    def __init__(
        self, status: int, code: str, message: str, next: str, *, retry_after: int | None = None
    ) -> None:
        self.answer = ErrorAnswer(status, code, message, next)
        self.retry_after = retry_after
        super().__init__(message)


class ClientGoneError(Exception):
    """A client has closed its connection before its answer was ready."""


_PAGE_ERRORS: tuple[tuple[type[StructceError], int, str, str], ...] = (
    (TimeLimitError, 504, "time_limit", "send a smaller page, or start the server with more time"),
    (BrowserError, 503, "browser_failed", "send it again later; see the server's log"),
    (RequestError, 502, "fetch_failed", "send it again later, or send the page as html"),
    (SourceError, 422, "unreadable_page", "send the HTML of one page"),
    (RegionError, 400, "unknown_region", "take the numbers of regions from /v1/label"),
    (RenderError, 422, "not_rendered", "the page is beyond a limit; send a smaller one"),
    (ExtractionError, 422, "extraction_failed", "try another method"),
    (MissingExtraError, 501, "not_installed", "ask the server's operator to install the extra"),
    (StructceError, 500, "internal_error", "send it again later; the fault is the server's"),
)
"""Status, code and next step of each error of a page; the first match applies."""


def page_error(name: str, error: Exception) -> ErrorAnswer:
    """Return the answer for a page that raised an error.

    Of a fault of the program only its kind is reported: its message may repeat the page.
    """
    described = describe_fault(name, error)
    message = str(described)[:1_000]
    if isinstance(described, PageError):
        kind = str(described).removeprefix("page: ").partition(":")[0]
        message = f"an unexpected error occurred ({kind[:80]})"
    rows = (row for row in _PAGE_ERRORS if isinstance(described, row[0]))
    _, status, code, step = next(rows)
    return ErrorAnswer(status, code, message, step)
