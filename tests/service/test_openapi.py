"""The description of the service: it has every path, its examples work, its types are strict."""

import re

import pytest

from structce.service.openapi import EXAMPLES, openapi_document
from structce.service.requests import BATCHES, SINGLE

DOCUMENT = openapi_document(["bte", "regions"])


def references(value):
    if isinstance(value, dict):
        yield from ([value["$ref"]] if "$ref" in value else [])
        for part in value.values():
            yield from references(part)
    elif isinstance(value, list):
        for part in value:
            yield from references(part)


def test_every_route_is_described_and_nothing_else(client, make_service):
    from starlette.routing import Route

    routes = make_service().app._app.routes
    paths = {route.path for route in routes if isinstance(route, Route)}
    assert set(client.get("/openapi.json").json()["paths"]) == paths


def test_every_task_has_an_example():
    assert set(EXAMPLES) == {*SINGLE, *(f"{task}/batch" for task in BATCHES)}


@pytest.mark.parametrize("path", sorted(EXAMPLES))
def test_an_example_fits_its_schema_and_is_answered(client, path):
    jsonschema = pytest.importorskip("jsonschema")
    body = DOCUMENT["paths"][f"/v1/{path}"]["post"]["requestBody"]["content"]["application/json"]
    assert body["example"] == EXAMPLES[path]
    jsonschema.validate(body["example"], body["schema"] | {"components": DOCUMENT["components"]})
    assert client.post(f"/v1/{path}", json=EXAMPLES[path]).status_code == 200


def test_references_lead_to_schemas():
    addresses = set(references(DOCUMENT))
    assert addresses
    for address in addresses:
        name = re.fullmatch(r"#/components/schemas/(\w+)", address)[1]
        assert DOCUMENT["components"]["schemas"][name]


def test_options_of_a_body_of_html_stand_in_the_address():
    names = [
        parameter["name"] for parameter in DOCUMENT["paths"]["/v1/explain"]["post"]["parameters"]
    ]
    assert names == ["url", "regions", "label", "columns"]


def test_the_methods_that_may_be_asked_for_are_listed():
    for name in ("ExtractRequest", "ExtractBatch"):
        method = DOCUMENT["components"]["schemas"][name]["properties"]["method"]
        assert method["enum"] == ["bte", "regions"]
