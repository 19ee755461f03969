"""OpenAPI description of the service, generated from the types of its requests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from structce.service.requests import BATCHES, SINGLE
from structce.version import __version__

_Schema = dict[str, Any]

PAGE = (
    "<!doctype html><html lang='en'><title>Ferry to stop in June</title><h1>Ferry to stop in June"
    "</h1><p>By Ann Lee, 3 May 2026</p><p>The ferry will stop in June, the company said on Monday."
    "</p></html>"
)
"""Page in the examples."""

EXAMPLES: Mapping[str, _Schema] = {
    "label": {"html": PAGE, "url": "https://post.example/ferry", "format": "zyte"},
    "extract": {"html": PAGE, "method": "bte"},
    "render": {"html": PAGE},
    "overlay": {"html": PAGE},
    "explain": {"html": PAGE, "label": "Title", "columns": 3},
    "label/batch": {"pages": [{"html": PAGE}, {}], "stream": False},
    "extract/batch": {"pages": [{"html": PAGE}], "method": "bte", "stream": True},
    "render/batch": {"pages": [{"html": PAGE}]},
    "explain/batch": {"pages": [{"html": PAGE}], "regions": [0]},
}
"""Body of a request by the path after ``/v1/``; each is sent in a test."""

_SUMMARIES = {
    "label": "Title, authors, dates, text and labelled regions of a page",
    "extract": "Main content of a page, by one of many methods",
    "render": "Regions of a page, without labels",
    "overlay": "HTML page that shows a page's regions with their labels",
    "explain": "Why regions of a page have their labels",
}

_ERRORS = {
    "400": "The request is malformed; the message says where",
    "401": "A token is needed",
    "403": "A request of another site, or an address that may not be fetched",
    "408": "The body did not arrive in time",
    "413": "The body is too large",
    "415": "The body is neither JSON nor HTML",
    "422": "The page cannot be read, or is beyond a limit",
    "500": "An unexpected error occurred, or a worker process died",
    "501": "The server lacks an extra that the request needs",
    "502": "The page could not be fetched",
    "503": "All slots are taken, the server is stopping, or its browser failed",
    "504": "The page exceeded its time limit",
}

_ERROR_SCHEMA: _Schema = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message", "next"],
            "properties": {name: {"type": "string"} for name in ("code", "message", "next")},
        }
    },
}


def openapi_document(methods: Sequence[str]) -> _Schema:
    """Return the description, an object of OpenAPI 3.1, with the methods that requests may name."""
    kinds = [*SINGLE.values(), *BATCHES.values()]
    _, components = msgspec.json.schema_components(
        kinds, ref_template="#/components/schemas/{name}"
    )
    for name in ("ExtractRequest", "ExtractBatch"):
        components[name]["properties"]["method"]["enum"] = list(methods)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "structce",
            "version": __version__,
            "description": "Labels the regions of web pages.",
        },
        "paths": {**dict(_pages()), **dict(_batches()), **_STATE},
        "security": [{}, {"token": []}],
        "components": {
            "schemas": {**components, "Error": _ERROR_SCHEMA},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _pages() -> Iterator[tuple[str, _Schema]]:
    for task, kind in SINGLE.items():
        body = {
            "application/json": {"schema": _reference(kind), "example": EXAMPLES[task]},
            "text/html": {"schema": {"type": "string"}, "example": PAGE},
        }
        answer = ["text/html"] if task == "overlay" else ["application/json"]
        if task == "label":
            answer += ["text/markdown", "text/html", "application/tei+xml"]
        yield f"/v1/{task}", {"post": _operation(task, _SUMMARIES[task], body, answer, kind)}


def _batches() -> Iterator[tuple[str, _Schema]]:
    for task, kind in BATCHES.items():
        path = f"{task}/batch"
        body = {"application/json": {"schema": _reference(kind), "example": EXAMPLES[path]}}
        answer = ["application/json", "application/x-ndjson"]
        summary = f"{_SUMMARIES[task]}: several pages, in order or as they finish"
        yield f"/v1/{path}", {"post": _operation(f"{task}_batch", summary, body, answer)}


def _operation(
    name: str,
    summary: str,
    body: _Schema,
    answer: Sequence[str],
    options: type[msgspec.Struct] | None = None,
) -> _Schema:
    kind = {"type": "object"}
    content = {
        media: {"schema": kind if "json" in media else {"type": "string"}} for media in answer
    }
    responses: _Schema = {"200": {"description": "The answer", "content": content}}
    responses |= {status: _error(words) for status, words in _ERRORS.items()}
    return {
        "operationId": name,
        "summary": summary,
        "parameters": [] if options is None else _parameters(options),
        "requestBody": {"required": True, "content": body},
        "responses": responses,
    }


def _error(words: str) -> _Schema:
    schema = {"$ref": "#/components/schemas/Error"}
    return {"description": words, "content": {"application/json": {"schema": schema}}}


def _parameters(kind: type[msgspec.Struct]) -> list[_Schema]:
    """Return the fields that are in the address if the body is HTML."""
    properties = msgspec.json.schema_components([kind])[1][kind.__name__]["properties"]
    return [
        {"name": name, "in": "query", "description": "If the body is HTML.", "schema": schema}
        for name, schema in properties.items()
        if name != "html"
    ]


def _reference(kind: type[msgspec.Struct]) -> _Schema:
    return {"$ref": f"#/components/schemas/{kind.__name__}"}


def _state(
    summary: str,
    media_type: str = "application/json",
    *,
    is_open: bool = False,
    errors: Mapping[str, str] | None = None,
) -> _Schema:
    content = {media_type: {"schema": {"type": "string" if "plain" in media_type else "object"}}}
    statuses = ("403",) if is_open else ("401", "403")
    words = {status: _ERRORS[status] for status in statuses} | dict(errors or {})
    operation: _Schema = {
        "summary": summary,
        "responses": {
            "200": {"description": summary, "content": content},
            **{status: _error(reason) for status, reason in words.items()},
        },
    }
    return {"get": operation | ({"security": []} if is_open else {})}


_STATE: Mapping[str, _Schema] = {
    "/health": _state("The process is alive", is_open=True),
    "/ready": _state(
        "The model is loaded and workers answer; otherwise 503",
        is_open=True,
        errors={"503": "The workers are not ready; Retry-After says when to ask again"},
    ),
    "/v1/capacity": _state("Workers, queue, pages in progress, and their mean time"),
    "/metrics": _state("Metrics in the format of Prometheus", "text/plain"),
    "/openapi.json": _state("This description"),
}
