"""The OpenAPI description: every path, examples that are answered, references that resolve."""

import pytest

from structce.service.openapi import EXAMPLES, openapi_document
from structce.service.requests import BATCHES, REQUESTS

DOCUMENT = openapi_document(["bte", "regions"])


def references(value):
    if isinstance(value, dict):
        yield from ([value["$ref"]] if "$ref" in value else [])
        value = list(value.values())
    for part in value if isinstance(value, list) else ():
        yield from references(part)


def test_every_path_is_answered(client):
    for path, operations in client.get("/openapi.json").json()["paths"].items():
        assert client.request(*operations, path).status_code not in (404, 405)
    assert set(EXAMPLES) == {*REQUESTS, *(f"{task}/batch" for task in BATCHES)}


@pytest.mark.parametrize("path", sorted(EXAMPLES))
def test_an_example_fits_its_schema_and_is_answered(client, path):
    jsonschema = pytest.importorskip("jsonschema")
    body = DOCUMENT["paths"][f"/v1/{path}"]["post"]["requestBody"]["content"]["application/json"]
    jsonschema.validate(body["example"], body["schema"] | {"components": DOCUMENT["components"]})
    assert client.post(f"/v1/{path}", json=EXAMPLES[path]).status_code == 200


def test_the_methods_of_a_server_are_listed():
    for name in ("ExtractRequest", "ExtractBatch"):
        method = DOCUMENT["components"]["schemas"][name]["properties"]["method"]
        assert method["enum"] == ["bte", "regions"]
