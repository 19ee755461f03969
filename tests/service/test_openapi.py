"""The description of the service: it has every path, its examples work, its types are strict."""

import re

import pytest

from structce import errors
from structce.service.errors import page_failure
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


def test_every_status_of_an_error_is_described():
    kinds = [getattr(errors, name) for name in vars(errors) if name.endswith("Error")]
    statuses = {str(page_failure(kind("page")).status) for kind in kinds}
    assert len(statuses) > 6
    for path in EXAMPLES:
        assert statuses <= set(DOCUMENT["paths"][f"/v1/{path}"]["post"]["responses"])


def test_the_answers_of_a_server_that_is_not_ready_or_asks_for_a_token_are_described(make_service):
    service = make_service(token="a secret of some length", hosts=None)
    service.dispatcher.is_stopping = True
    client = service.client()
    for path in ("/ready", "/v1/capacity", "/metrics", "/openapi.json"):
        status = str(client.get(path).status_code)
        assert status in ("401", "503")
        assert status in DOCUMENT["paths"][path]["get"]["responses"]
