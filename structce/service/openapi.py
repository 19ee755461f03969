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
    "render": {},
    "explain": {"label": "Title", "columns": 3},
}
EXAMPLES: Mapping[str, _Schema] = {
    **{task: {"html": PAGE, **options} for task, options in _OPTIONS.items()},
    **{f"{task}/batch": {"pages": [{"html": PAGE}], **x} for task, x in _OPTIONS.items()},
}
"""Body of a request by the path after ``/v1/``; each is sent in a test."""

_SUMMARIES = {
    "label": "Title, authors, dates, text and labelled regions of a page",
    "extract": "Main content of a page, by one of many methods",
    "render": "Regions of a page, without labels",
    "explain": "Why regions of a page have their labels",
    "/health": "The process is alive",
    "/ready": "The model is loaded and workers answer",
    "/metrics": "Metrics in the format of Prometheus",
    "/openapi.json": "This description",
}
_OPEN = ("/health", "/ready")  # without a token

_JSON = "application/json"
_MEDIA = {
    "label": [_JSON, "text/markdown", "text/html"],
    "/metrics": ["text/plain"],
}
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
        if path[0] == "/":
            operation = _operation(summary, _MEDIA.get(path, [_JSON]))
            paths[path] = {"get": operation | ({"security": []} if path in _OPEN else {})}
    for task, kind in REQUESTS.items():
        operation = _posted(task, kind, _SUMMARIES[task], _MEDIA.get(task, [_JSON]))
        paths[f"/v1/{task}"] = {"post": operation}
    for task, batch in BATCHES.items():
        summary = f"{_SUMMARIES[task]}: several pages, in order or as they finish"
        operation = _posted(f"{task}/batch", batch, summary, [_JSON, "application/x-ndjson"])
        paths[f"/v1/{task}/batch"] = {"post": operation}
    text = "Labels the regions of web pages."
    token = {"token": {"type": "http", "scheme": "bearer"}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "structce", "version": __version__, "description": text},
        "paths": paths,
        "security": [{}, {"token": []}],
        "components": {"schemas": schemas, "securitySchemes": token},
    }


def _posted(path: str, kind: type[Any], summary: str, media: Sequence[str]) -> _Schema:
    schema = {"$ref": f"#/components/schemas/{kind.__name__}"}
    content = {_JSON: {"schema": schema, "example": EXAMPLES[path]}}
    body = {"required": True, "content": content}
    name = path.replace("/", "_")
    return {"operationId": name, "requestBody": body, **_operation(summary, media)}


def _operation(summary: str, media: Sequence[str]) -> _Schema:
    content = {
        name: {"schema": {"type": "object" if "json" in name else "string"}} for name in media
    }
    error = {_JSON: {"schema": {"$ref": "#/components/schemas/Error"}}}
    answers = {
        "200": {"description": summary, "content": content},
        "default": {"description": "An error, with its reason and next step", "content": error},
    }
    return {"summary": summary, "responses": answers}


def _object(names: Iterable[str], kind: _Schema) -> _Schema:
    return {"type": "object", "required": [*names], "properties": dict.fromkeys(names, kind)}
