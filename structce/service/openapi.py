"""OpenAPI description of the service, generated from the types of its requests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from structce.service.requests import BATCHES, REQUESTS, ErrorAnswer
from structce.version import __version__

_Schema = dict[str, Any]

PAGE = (
    "<!doctype html><html lang='en'><title>Ferry to stop in June</title><h1>Ferry to stop in June"
    "</h1><p>By Ann Lee, 3 May 2026</p><p>The ferry will stop in June, the company said on Monday."
    "</p></html>"
)
"""Page in the examples."""

_OPTIONS: Mapping[str, _Schema] = {
    "label": {"blocks": True},
    "extract": {"method": "bte"},
}
EXAMPLES: Mapping[str, _Schema] = {
    **{task: {"html": PAGE, **options} for task, options in _OPTIONS.items()},
    **{f"{task}/batch": {"pages": [{"html": PAGE}], **x} for task, x in _OPTIONS.items()},
}
"""Body of a request by the path after ``/v1/``; each is sent in a test."""

_SUMMARIES = {
    "label": "Title, authors, dates, text and labelled regions of a page",
    "extract": "Main content of a page, by one of many methods",
    "/health": "The process is alive",
    "/ready": "The model is loaded and workers answer",
    "/metrics": "Metrics in the format of Prometheus",
    "/openapi.json": "This description",
}
OPEN_PATHS = ("/health", "/ready")
"""Paths that need no token."""

_JSON, NDJSON = "application/json", "application/x-ndjson"
_MEDIA = {"label": [_JSON, "text/markdown"], "/metrics": ["text/plain"]}
"""Media types of answers, where they are not only JSON."""


def openapi_document(methods: Sequence[str]) -> _Schema:
    """Return the description, an object of OpenAPI 3.1, with the methods that requests may name."""
    types = [*REQUESTS.values(), *BATCHES.values()]
    _, schemas = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    for name in ("ExtractRequest", "ExtractBatch"):
        schemas[name]["properties"]["method"]["enum"] = list(methods)
    error = _object(ErrorAnswer._fields[1:4], {"type": "string"})
    schemas["Error"] = _object(["error"], error)
    paths: _Schema = {}
    for path, summary in _SUMMARIES.items():
        media = _MEDIA.get(path, [_JSON])
        if path[0] == "/":
            operation = _operation(summary, media)
            paths[path] = {"get": operation | ({"security": []} if path in OPEN_PATHS else {})}
            continue
        paths[f"/v1/{path}"] = {"post": _posted(path, REQUESTS[path], summary, media)}
        summary = f"{summary}: several pages, in order or as they finish"
        operation = _posted(f"{path}/batch", BATCHES[path], summary, [_JSON, NDJSON])
        paths[f"/v1/{path}/batch"] = {"post": operation}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "structce",
            "version": __version__,
            "description": "Labels the regions of web pages.",
        },
        "paths": paths,
        "security": [{}, {"token": []}],
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _posted(path: str, kind: type[Any], summary: str, media: Sequence[str]) -> _Schema:
    schema = {"$ref": f"#/components/schemas/{kind.__name__}"}
    body = {"required": True, "content": {_JSON: {"schema": schema, "example": EXAMPLES[path]}}}
    operation = _operation(summary, media)
    return {"operationId": path.replace("/", "_"), "requestBody": body, **operation}


def _operation(summary: str, media: Sequence[str]) -> _Schema:
    content = {x: {"schema": {"type": "object" if "json" in x else "string"}} for x in media}
    error = {_JSON: {"schema": {"$ref": "#/components/schemas/Error"}}}
    answers = {
        "200": {"description": summary, "content": content},
        "default": {"description": "An error, with its reason and next step", "content": error},
    }
    return {"summary": summary, "responses": answers}


def _object(names: Iterable[str], kind: _Schema) -> _Schema:
    return {"type": "object", "required": [*names], "properties": dict.fromkeys(names, kind)}
