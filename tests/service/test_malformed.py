"""Malformed requests and hostile pages: each is the client's mistake, never the server's."""

import json

import pytest

PAGE = "<h1>Ferry to stop</h1><p>It will stop in June, the company said."
BODIES = {
    "/v1/label": {"html": PAGE, "url": "https://a.example/", "blocks": True, "format": "json"},
    "/v1/extract": {"html": PAGE, "method": "plain"},
    "/v1/label/batch": {"pages": [{"html": PAGE}], "stream": True, "all_regions": False},
    "/v1/extract/batch": {"pages": [{"html": PAGE}], "method": "plain"},
}
JSON = {"content-type": "application/json"}
WRONG_VALUES = ([[]], {"a": 1}, -1, 10**30, 1.5e300, [None], [{"html": 7}])

CONTENTS = [
    *(b"{", b"[" * 100_000, b'{"html":' * 5_000, b"", b" ", b"\n", b"null", b"[]", b'"html"'),
    *(json.dumps(BODIES["/v1/label"]).encode(name) for name in ("utf-16", "utf-8-sig", "cp037")),
    b'{"html": "F\xe9rry"}',
    *(
        f'{{"html": "<p>a", "{field}": {number}}}'.encode()
        for field in ("context", "blocks", "pages", "method")
        for number in ("1e999", "-1", "9" * 5_000, "NaN", "Infinity", "1e-400", "0x10")
    ),
]
HEADERS = [
    *(
        {"content-type": value}
        for value in (
            *("", "multipart/form-data; boundary=x", "image/png", "application", ";;;"),
            *("text/html", b"\xff", "application/json2; charset=utf-8", "/" * 3_000),
        )
    ),
    *({"content-encoding": value} for value in ("gzip", "deflate, gzip", b"\xe9")),
    *({"host": value} for value in ("", "evil.example", "127.0.0.1:8000:80", "[::1", "x" * 5_000)),
    *({"origin": value} for value in ("null", "http://", "http://[", "file://", b"\xff")),
    *({"content-length": value} for value in ("99999999999", "9" * 5_000)),
]
PAGES = ({}, {"url": "file:///etc/passwd"}, {"url": ""}, {"url": "http://a/"})


def requests(path):
    """Yield requests to a path that are wrong in one way each."""
    body = BODIES[path]
    yield from ({"content": content, "headers": JSON} for content in CONTENTS)
    yield from ({"json": body | {name: value}} for name in body for value in WRONG_VALUES)
    yield {"json": body | {"unknown": 1}}
    yield from ({"json": body, "headers": JSON | headers} for headers in HEADERS)
    yield {"content": PAGE, "headers": {"content-type": "text/html"}}
    if "pages" not in body:
        yield from ({"json": body | {"html": html}} for html in ("\0" * 99, " \n", "no markup"))
    options = {name: body[name] for name in body if name not in ("html", "url", "pages")}
    yield from ({"json": options | page} for page in PAGES)


@pytest.mark.parametrize("path", sorted(BODIES))
def test_a_malformed_request_is_the_clients_mistake(client, path):
    for request in requests(path):
        answer = client.post(path, **request)
        assert 400 <= answer.status_code < 500, (request, answer.text)
        assert set(answer.json()["error"]) == {"code", "message", "next"}
        assert "Traceback" not in answer.text
    assert b"structce_waiting_pages 0.0" in client.get("/metrics").content


@pytest.mark.parametrize(
    "html",
    ["\ud800 <p>half", "<p>\0\0", "<p>" * 3_000, "<p a=" + "b " * 2_000, "&#99999999999;<p>"],
)
@pytest.mark.parametrize("task", ["label", "extract"])
def test_an_odd_page_is_answered_or_refused(client, html, task):
    answer = client.post(f"/v1/{task}", content=json.dumps({"html": html}), headers=JSON)
    assert answer.status_code < 500
