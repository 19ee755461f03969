"""OpenAPI description of the service, generated from the types of its requests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from structce.service.requests import BATCHES, SINGLE, ErrorAnswer
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

_ANSWERS = {
    "label": "application/json text/markdown text/html application/tei+xml".split(),
    "overlay": ["text/html"],
}
"""Media types of the answers of a task, where they are not only JSON."""


def openapi_document(methods: Sequence[str]) -> _Schema:
    """Return the description, an object of OpenAPI 3.1, with the methods that requests may name."""
    types = [*SINGLE.values(), *BATCHES.values()]
    _, schemas = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    for name in ("ExtractRequest", "ExtractBatch"):
        schemas[name]["properties"]["method"]["enum"] = list(methods)
    error = _object(**{name: {"type": "string"} for name in ErrorAnswer._fields[1:]})
    schemas["Error"] = _object(error=error)
    paths = {
        "/health": _state("The process is alive", is_open=True),
        "/ready": _state("The model is loaded and workers answer", is_open=True),
        "/v1/capacity": _state("Workers, queue, pages in progress, and their mean time"),
        "/metrics": _state("Metrics in the format of Prometheus", "text/plain"),
        "/openapi.json": _state("This description"),
        **{f"/v1/{task}": _single(task, schemas) for task in SINGLE},
        **{f"/v1/{task}/batch": _batch(task) for task in BATCHES},
    }
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


def _single(task: str, schemas: Mapping[str, _Schema]) -> _Schema:
    """Return the path of requests of one page, whose other fields may be in the address."""
    name = SINGLE[task].__name__
    words = "If the body is HTML."
    operation = _operation(name, _SUMMARIES[task], task, _ANSWERS.get(task, ["application/json"]))
    operation["requestBody"]["content"]["text/html"] = _content("text/html") | {"example": PAGE}
    operation["parameters"] = [
        {"name": name, "in": "query", "description": words, "schema": schema}
        for name, schema in schemas[name]["properties"].items()
        if name != "html"
    ]
    return {"post": operation}


def _batch(task: str) -> _Schema:
    summary = f"{_SUMMARIES[task]}: several pages, in order or as they finish"
    media = ["application/json", "application/x-ndjson"]
    return {"post": _operation(BATCHES[task].__name__, summary, f"{task}/batch", media)}


def _operation(name: str, summary: str, path: str, media: Sequence[str]) -> _Schema:
    schema = {"$ref": f"#/components/schemas/{name}"}
    body = {"application/json": {"schema": schema, "example": EXAMPLES[path]}}
    return {
        "operationId": path.replace("/", "_"),
        "summary": summary,
        "requestBody": {"required": True, "content": body},
        "responses": _responses("The answer", media),
    }


def _state(summary: str, media: str = "application/json", *, is_open: bool = False) -> _Schema:
    operation = {"summary": summary, "responses": _responses(summary, [media])}
    return {"get": operation | ({"security": []} if is_open else {})}


def _responses(summary: str, media: Sequence[str]) -> _Schema:
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    return {
        "200": {"description": summary, "content": {name: _content(name) for name in media}},
        "default": {"description": "An error, with its reason and next step", "content": error},
    }


def _content(media: str) -> _Schema:
    return {"schema": {"type": "object" if "json" in media else "string"}}


def _object(**properties: _Schema) -> _Schema:
    return {"type": "object", "required": list(properties), "properties": properties}
