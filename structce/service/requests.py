"""Requests of the service: strict types of their fields, and their parsing.

A body is JSON of one of the types here, or plain HTML, with the other fields in the address.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, NamedTuple, TypeVar
from urllib.parse import parse_qsl

import msgspec
from msgspec import Meta, Struct

from structce.article import Favour
from structce.rendering import Document, decode, is_url
from structce.service.errors import ServiceError

MAX_BATCH = 1_000
"""Largest number of pages in one request."""

MAX_ADDRESS = 8_000
"""Longest address, in characters: the minimum that servers accept (RFC 9110, section 4.1)."""

_MAX_FIELDS = 50  # in the query of an address
_JSON_TYPES = ("application/json", "text/json")
_HTML_TYPES = ("text/html", "application/xhtml+xml", "application/xml", "text/xml")

Html = Annotated[str, Meta(description="HTML of the page. With it, nothing is fetched.")]
Url = Annotated[
    str,
    Meta(
        max_length=MAX_ADDRESS,
        description="Address of the page. Without html it is fetched, if the server may do so.",
    ),
]
RegionNumber = Annotated[int, Meta(ge=0, le=1_000_000)]
AnswerFormat = Literal["json", "zyte", "markdown", "html", "tei"]


class PageInput(Struct, forbid_unknown_fields=True, kw_only=True):
    """One page: its HTML, its address, or both."""

    html: Html | None = None
    url: Url | None = None


Pages = Annotated[list[PageInput], Meta(min_length=1, max_length=MAX_BATCH)]
Stream = Annotated[
    bool, Meta(description="Answer in lines of JSON (NDJSON), each page as it finishes.")
]


class LabelOptions(Struct, forbid_unknown_fields=True, kw_only=True):
    """Options of labelling."""

    favour: Annotated[
        Favour, Meta(description="Keep in the text what surely belongs to it, or all that may.")
    ] = "balance"
    min_confidence: Annotated[
        float, Meta(ge=0, le=1, description="Leave out values with a lower confidence.")
    ] = 0.0
    blocks: Annotated[bool, Meta(description="List the blocks of the text.")] = False
    all_regions: Annotated[bool, Meta(description="List regions of the background.")] = False
    context: Annotated[
        bool,
        Meta(description="Read access, next page, comments and items, too."),
    ] = False
    format: Annotated[
        AnswerFormat,
        Meta(description="Our record, an object of Zyte's article schema, or a document."),
    ] = "json"


class ExtractOptions(Struct, forbid_unknown_fields=True, kw_only=True):
    """Options of extraction."""

    method: Annotated[
        str, Meta(max_length=40, description="Name of an extractor without parameters.")
    ] = "regions"


class RenderOptions(Struct, forbid_unknown_fields=True, kw_only=True):
    """Options of rendering and overlays: none."""


class ExplainOptions(Struct, forbid_unknown_fields=True, kw_only=True):
    """Options of explanations."""

    regions: Annotated[
        list[RegionNumber],
        Meta(max_length=100, description="Numbers of regions, as in the answer of label."),
    ] = []
    label: Annotated[
        str,
        Meta(max_length=100, description="Without regions: all of this label, by default Title."),
    ] = ""
    columns: Annotated[int, Meta(ge=0, le=1_000, description="Columns listed per region.")] = 10


Options = LabelOptions | ExtractOptions | RenderOptions | ExplainOptions


class LabelRequest(LabelOptions):
    """A page to be labelled."""

    html: Html | None = None
    url: Url | None = None


class ExtractRequest(ExtractOptions):
    """A page whose main content is to be extracted."""

    html: Html | None = None
    url: Url | None = None


class RenderRequest(RenderOptions):
    """A page whose regions are to be listed."""

    html: Html | None = None
    url: Url | None = None


class OverlayRequest(RenderOptions):
    """A page whose labels are to be drawn."""

    html: Html | None = None
    url: Url | None = None


class ExplainRequest(ExplainOptions):
    """A page whose labels are to be explained."""

    html: Html | None = None
    url: Url | None = None


class LabelBatch(LabelOptions):
    """Pages to be labelled; their format is ``json`` or ``zyte``."""

    pages: Pages
    stream: Stream = False


class ExtractBatch(ExtractOptions):
    """Pages whose main content is to be extracted."""

    pages: Pages
    stream: Stream = False


class RenderBatch(RenderOptions):
    """Pages whose regions are to be listed."""

    pages: Pages
    stream: Stream = False


class ExplainBatch(ExplainOptions):
    """Pages whose labels are to be explained."""

    pages: Pages
    stream: Stream = False


PageRequest = LabelRequest | ExtractRequest | RenderRequest | OverlayRequest | ExplainRequest
BatchRequest = LabelBatch | ExtractBatch | RenderBatch | ExplainBatch

SINGLE: Mapping[str, type[PageRequest]] = {
    "label": LabelRequest,
    "extract": ExtractRequest,
    "render": RenderRequest,
    "overlay": OverlayRequest,
    "explain": ExplainRequest,
}
"""Request of one page, by task."""

BATCHES: Mapping[str, type[BatchRequest]] = {
    "label": LabelBatch,
    "extract": ExtractBatch,
    "render": RenderBatch,
    "explain": ExplainBatch,
}
"""Request of several pages, by task."""

_Request = TypeVar("_Request", bound=Struct)


def read_json(body: bytes, kind: type[_Request]) -> _Request:
    """Return the request in a JSON body; refuse any other body."""
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        raise _wrong_field(error) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, OverflowError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else _short(error)
        raise ServiceError(
            400, "malformed_json", f"the body is not JSON: {reason}", "send JSON in UTF-8"
        ) from error


def read_query(query: str, kind: type[_Request]) -> _Request:
    """Return the request in the query of an address, without its HTML.

    A field that takes a list is repeated for each item; an unknown or repeated field is refused.
    """
    try:
        pairs = parse_qsl(query, keep_blank_values=True, max_num_fields=_MAX_FIELDS)
    except ValueError as error:
        reason = f"the query cannot be read: {_short(error)}"
        raise ServiceError(400, "malformed_query", reason, "see /openapi.json") from error
    values: dict[str, object] = {}
    for name, value in pairs:
        if name == "regions":
            values[name] = [*_list(values.get(name)), value]
        elif name in values:
            reason = f"{name[:40]!r} is given twice"
            raise ServiceError(400, "invalid_field", reason, "give it once")
        else:
            values[name] = value
    try:
        return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError as error:
        raise _wrong_field(error) from error


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _wrong_field(error: Exception) -> ServiceError:
    step = "see /openapi.json for the fields, their types and limits"
    return ServiceError(400, "invalid_field", _short(error), step)


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:300]


def body_kind(content_type: str) -> str:
    """Return ``json`` or ``html``, the kind of a Content-Type; refuse any other."""
    name = content_type.partition(";")[0].strip().lower()
    if name in _JSON_TYPES:
        return "json"
    if name in _HTML_TYPES:
        return "html"
    reason = f"Content-Type {name[:60]!r} is neither JSON nor HTML" if name else "no Content-Type"
    step = "send the header Content-Type: application/json, or text/html with the page as the body"
    raise ServiceError(415, "unsupported_media_type", reason, step)


class RawPage(NamedTuple):
    """Page as the bytes received; its encoding is detected as for any page."""

    data: bytes
    content_type: str
    url: str

    def decode(self) -> Document:
        """Return the document; raise SourceError if the bytes are not HTML."""
        return decode(self.data, name="page", url=self.url, content_type=self.content_type)


Page = Document | RawPage | str
"""Page to process: a document, its bytes, or the address to fetch it from."""


def page_of(page: PageInput | PageRequest, *, may_fetch: bool) -> Document | str:
    """Return the document of a page, or the address to fetch it from if that is allowed."""
    if page.html is not None:
        return Document(page.html, page.url or "", name="page")
    if page.url is None:
        raise ServiceError(400, "no_page", "neither html nor url is given", "give one of them")
    if not is_url(page.url.lower()):
        reason = "the address does not begin with http:// or https://"
        raise ServiceError(400, "invalid_address", reason, "give an absolute web address")
    if not may_fetch:
        step = "send the page as html, or start the server with --network"
        raise ServiceError(403, "network_off", "this server fetches no addresses", step)
    return page.url


def options_of(request: PageRequest | BatchRequest) -> Options:
    """Return the options of a request, without its pages."""
    for kind in (LabelOptions, ExtractOptions, RenderOptions, ExplainOptions):
        if isinstance(request, kind):
            return kind(**{name: getattr(request, name) for name in kind.__struct_fields__})
    raise TypeError(type(request).__name__)


def check_options(options: Options, methods: Sequence[str], *, is_batch: bool) -> None:
    """Refuse what the types cannot: an unknown method, or a batch in a form for single pages."""
    if isinstance(options, ExtractOptions) and options.method not in methods:
        step = f"one of {', '.join(methods)}"
        raise ServiceError(400, "unknown_method", f"no method {options.method!r}", step)
    if isinstance(options, ExplainOptions) and options.regions and options.label:
        reason = "regions and label exclude each other"
        raise ServiceError(400, "invalid_field", reason, "give one of them")
    if is_batch and isinstance(options, LabelOptions) and options.format not in ("json", "zyte"):
        reason = f"format {options.format!r} is for single pages"
        raise ServiceError(400, "invalid_field", reason, "json or zyte for a batch")
