"""Requests and errors of the service: strict types, of which each body is the JSON of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Meta, Struct, defstruct

from structce.article import Favour
from structce.errors import (
    BrowserError,
    ExtractionError,
    MissingExtraError,
    PageError,
    RenderError,
    RequestError,
    SourceError,
    StructceError,
    TimeLimitError,
    describe_fault,
)
from structce.rendering import Document, is_url

MAX_BATCH = 1_000
"""Largest number of pages in one request."""

_MAX_ADDRESS = 8_000  # characters: the minimum that servers accept (RFC 9110, section 4.1)


class ErrorAnswer(NamedTuple):
    """Answer that reports an error: HTTP status, code for programs, message, and next step.

    The request may be repeated after ``retry_after`` seconds, if they are given.
    """

    status: int
    code: str
    message: str
    next: str
    retry_after: int | None = None

    def as_dict(self) -> dict[str, object]:
        """Return the body of the answer."""
        return {"error": {"code": self.code, "message": self.message, "next": self.next}}


class ServiceError(StructceError):
    """Refusal of a request; the arguments are those of its answer."""

    def __init__(self, *given: Any, **options: Any) -> None:
        self.answer = ErrorAnswer(*given, **options)
        super().__init__(self.answer.message)


_PAGE_ERRORS: tuple[tuple[type[StructceError], int, str, str], ...] = (
    (TimeLimitError, 504, "time_limit", "send a smaller page, or start the server with more time"),
    (BrowserError, 503, "browser_failed", "send it again later; see the server's log"),
    (RequestError, 502, "fetch_failed", "send it again later, or send the page as html"),
    (SourceError, 422, "unreadable_page", "send the HTML of one page"),
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
    _, status, code, step = next(row for row in _PAGE_ERRORS if isinstance(described, row[0]))
    return ErrorAnswer(status, code, message, step)


class PageInput(Struct, forbid_unknown_fields=True, kw_only=True):
    """One page: its HTML, its address, or both."""

    html: Annotated[
        str | None, Meta(description="HTML of the page. With it, nothing is fetched.")
    ] = None
    url: Annotated[
        Annotated[str, Meta(max_length=_MAX_ADDRESS)] | None,
        Meta(description="Address of the page. Without html it is fetched, if that is allowed."),
    ] = None


class LabelRequest(PageInput):
    """Labelling of a page."""

    favour: Annotated[
        Favour, Meta(description="Keep in the text what surely belongs to it, or all that may.")
    ] = "balance"
    min_confidence: Annotated[
        float, Meta(ge=0, le=1, description="Leave out values with a lower confidence.")
    ] = 0.0
    blocks: Annotated[bool, Meta(description="List the blocks of the text.")] = False
    all_regions: Annotated[bool, Meta(description="List regions of the background.")] = False
    context: Annotated[bool, Meta(description="Read access, next page and comments, too.")] = False
    format: Annotated[Literal["json", "markdown"], Meta(description="A record, or a document.")] = (
        "json"
    )


class ExtractRequest(PageInput):
    """Extraction of the main content of a page."""

    method: Annotated[
        str, Meta(max_length=40, description="Name of an extractor without parameters.")
    ] = "regions"


Request = LabelRequest | ExtractRequest

REQUESTS: Mapping[str, type[Request]] = {"label": LabelRequest, "extract": ExtractRequest}
"""Type of a request about one page, by task."""

Pages = Annotated[list[PageInput], Meta(min_length=1, max_length=MAX_BATCH)]
Stream = Annotated[
    bool, Meta(description="Answer in lines of JSON (NDJSON), each page as it finishes.")
]


def _option_names(kind: type[Struct]) -> list[str]:
    return [name for name in kind.__struct_fields__ if name not in PageInput.__struct_fields__]


def _batch_type(task: str, kind: type[Request]) -> type[Struct]:
    """Return the type of a request of several pages: the pages, and the options of the task."""
    fields: list[tuple[str, Any, Any]] = [("pages", Pages, msgspec.NODEFAULT)]
    fields.append(("stream", Stream, False))
    for field in msgspec.structs.fields(kind):
        if field.name in _option_names(kind):
            fields.append((field.name, field.type, field.default))
    name = f"{task.title()}Batch"
    return defstruct(name, fields, kw_only=True, forbid_unknown_fields=True, module=__name__)


BATCHES = {task: _batch_type(task, kind) for task, kind in REQUESTS.items()}
"""Type of a request of several pages, by task."""


class PageTask(NamedTuple):
    """One page and what to do with it: a document, or the address to fetch it from."""

    task: str
    page: Document | str
    options: Request


class RequestReader:
    """Reader of requests, with what a server allows: addresses, and methods of extraction."""

    def __init__(self, may_fetch: bool, methods: Sequence[str]) -> None:
        self._may_fetch, self._methods = may_fetch, methods

    def single(self, task: str, body: bytes) -> PageTask:
        """Return the task in a request of one page; refuse a malformed one."""
        request = _read_json(body, REQUESTS[task])
        return PageTask(task, self._page(request), self._options(task, request))

    def batch(self, task: str, body: bytes) -> tuple[list[PageTask | ErrorAnswer], bool]:
        """Return the tasks in a request of several pages, and whether they are streamed.

        A page that is not given as it should be is the error of this page alone.
        """
        batch: Any = _read_json(body, BATCHES[task])
        options = self._options(task, batch)
        if isinstance(options, LabelRequest) and options.format != "json":
            reason = f"format {options.format!r} is for single pages"
            raise _invalid(reason, "json for a batch")
        items: list[PageTask | ErrorAnswer] = []
        for page in batch.pages:
            try:
                items.append(PageTask(task, self._page(page), options))
            except ServiceError as error:
                items.append(error.answer)
        return items, batch.stream

    def _page(self, page: PageInput) -> Document | str:
        """Return the document of a page, or the address to fetch it from if that is allowed."""
        if page.html is not None:
            return Document(page.html, page.url or "", name="page")
        if page.url is None:
            raise ServiceError(400, "no_page", "neither html nor url is given", "give one of them")
        if not is_url(page.url.lower()):
            reason = "the address does not begin with http:// or https://"
            raise ServiceError(400, "invalid_address", reason, "give an absolute web address")
        if not self._may_fetch:
            step = "send the page as html, or start the server with --network"
            raise ServiceError(403, "network_off", "this server fetches no addresses", step)
        return page.url

    def _options(self, task: str, given: Struct) -> Request:
        """Return a request without its page; refuse options that contradict each other."""
        kind = REQUESTS[task]
        options = kind(**{name: getattr(given, name) for name in _option_names(kind)})
        if isinstance(options, ExtractRequest) and options.method not in self._methods:
            step = f"one of {', '.join(self._methods)}"
            raise ServiceError(400, "unknown_method", f"no method {options.method!r}", step)
        return options


_S = TypeVar("_S", bound=Struct)


def _read_json(body: bytes, kind: type[_S]) -> _S:
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        raise _invalid(" ".join(str(error).split())[:300]) from error
    except RecursionError as error:
        reason = "the body is not JSON: nested too deeply"
        raise ServiceError(400, "malformed_json", reason, "send flat JSON") from error
    except (msgspec.DecodeError, UnicodeDecodeError, OverflowError) as error:
        reason = f"the body is not JSON: {' '.join(str(error).split())[:300]}"
        raise ServiceError(400, "malformed_json", reason, "send JSON in UTF-8") from error


def _invalid(reason: str, step: str = "see /openapi.json for its limits") -> ServiceError:
    return ServiceError(400, "invalid_field", reason, step)
