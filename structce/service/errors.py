"""Errors of the service: HTTP status, code for programs, message, and next step."""

from __future__ import annotations

from dataclasses import dataclass

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
)


@dataclass(frozen=True)
class Failure:
    """Reason why there is no answer: HTTP status, code for programs, words, and next step."""

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
        self.failure = Failure(status, code, message, next)
        self.retry_after = retry_after
        super().__init__(message)


_REASONS: tuple[tuple[type[StructceError], int, str, str], ...] = (
    (TimeLimitError, 504, "time_limit", "send a smaller page, or start the server with more time"),
    (BrowserError, 503, "browser_failed", "send it again later; see the server's log"),
    (RequestError, 502, "fetch_failed", "send it again later, or send the page as html"),
    (SourceError, 422, "unreadable_page", "send the HTML of one page"),
    (RegionError, 400, "unknown_region", "take the numbers of regions from /v1/label"),
    (RenderError, 422, "not_rendered", "the page is beyond a limit; send a smaller one"),
    (ExtractionError, 422, "extraction_failed", "try another method"),
    (MissingExtraError, 501, "not_installed", "ask the server's operator to install the extra"),
)
"""Status, code and next step of each error of a page; the first match applies."""

_FAULT = (500, "internal_error", "send it again later; the fault is the server's")


def page_failure(error: StructceError) -> Failure:
    """Return why a page has no answer, given its error."""
    for kind, status, code, step in _REASONS:
        if isinstance(error, kind):
            return Failure(status, code, _message(error), step)
    return Failure(_FAULT[0], _FAULT[1], _message(error), _FAULT[2])


def _message(error: StructceError) -> str:
    """Return an error's message; for a fault of the program, only the kind of fault."""
    text = str(error)
    if isinstance(error, PageError):
        kind = text.removeprefix("page: ").partition(":")[0]
        return f"an unexpected error occurred ({kind[:80]})"
    return text[:1_000]
