"""A thousand malformed requests: each is the client's mistake, and none is the server's."""

import json
from random import Random

import pytest

PAGE = "<h1>Ferry to stop</h1><p>It will stop in June, the company said."
BODIES = {
    "/v1/label": {"html": PAGE, "favour": "recall", "blocks": True, "format": "zyte"},
    "/v1/extract": {"html": PAGE, "method": "plain"},
    "/v1/render": {"html": PAGE, "url": "https://post.example/"},
    "/v1/overlay": {"html": PAGE},
    "/v1/explain": {"html": PAGE, "regions": [0], "columns": 5},
    "/v1/label/batch": {"pages": [{"html": PAGE}], "stream": True, "all_regions": False},
    "/v1/extract/batch": {"pages": [{"html": PAGE}], "method": "plain"},
    "/v1/explain/batch": {"pages": [{"url": "https://post.example/"}], "label": "Title"},
}
JSON = {"content-type": "application/json"}
WRONG = (None, [], {}, [[]], {"a": 1}, -1, 10**30, 1.5e300, "\0", [None], [{"html": 7}], "x" * 300)
NUMBERS = ("1e999", "-1", "9" * 400, "1" + "0" * 5_000, "NaN", "Infinity", "-0.5", "1e-400", "0x10")
BINARY = (b"\x89PNG\r\n\x1a\n", b"%PDF-1.7", b"PK\x03\x04", b"\0" * 99, b" \n", b"no markup")
ODD_TYPES = (
    "",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "image/png",
    "application",
    ";;;",
    "text/html2",
    "\xff",
    "application/json2; charset=utf-8",
    "/" * 3_000,
)


def malformed(kind, random):
    """Return a path and the arguments of a request that is wrong in one way."""
    path = random.choice(sorted(BODIES))
    body = dict(BODIES[path])
    text = json.dumps(body)
    return path, globals()[f"with_{kind}"](random, body, text)


def with_broken_json(random, body, text):
    cut = random.randrange(1, len(text))
    return {"content": random.choice([text[:cut], text + text[:cut], text[cut:]]), "headers": JSON}


def with_wrong_type(random, body, text):
    name = random.choice(sorted(body))
    usual = {"html": (None, "\0", "x" * 300), "url": (None,), "label": ("\0",)}
    fits = [wrong for wrong in WRONG if not (name in usual and wrong in usual[name])]
    if name == "regions":
        fits.remove([])
    return {"json": body | {name: random.choice(fits)}}


def with_unknown_field(random, body, text):
    return {"json": body | {f"field{random.randrange(99)}": random.choice(WRONG)}}


def with_huge_number(random, body, text):
    number = random.choice(NUMBERS)
    field = random.choice(['"columns": {}', '"regions": [{}]', '"blocks": {}', '"pages": {}'])
    return {"content": f'{{"html": "<p>a", {field.format(number)}}}', "headers": JSON}


def with_odd_encoding(random, body, text):
    encoding = random.choice(["utf-16", "utf-32", "utf-8-sig", "cp037"])
    torn = text.replace("Ferry", "F\xe9rry").replace("post", "p\xf6st").encode("latin-1")
    is_torn = not torn.isascii() and random.random() < 0.5
    return {"content": torn if is_torn else text.encode(encoding), "headers": JSON}


def with_binary_page(random, body, text):
    return {"content": random.choice(BINARY), "headers": {"content-type": "text/html"}}


def with_missing_body(random, body, text):
    return {"content": random.choice([b"", b" ", b"\n"]), "headers": JSON}


def with_odd_header(random, body, text):
    name, values = random.choice(
        [
            ("content-type", ODD_TYPES),
            ("content-encoding", ("gzip", "br", "deflate, gzip", "\xe9")),
            ("host", ("", "evil.example", "127.0.0.1:8000:80", "\xff", "[::1", "x" * 5_000)),
            ("origin", ("null", "http://", "http://[", "file://", "\xff")),
            ("content-length", ("99999999999", "9" * 5_000)),
        ]
    )
    value = random.choice(values).encode("latin-1")
    return {"content": text, "headers": JSON | {name: value}}


def with_deep_nesting(random, body, text):
    depth = random.choice([600, 5_000, 100_000])
    return {"content": random.choice(["[" * depth, '{"html":' * depth]), "headers": JSON}


def with_odd_query(random, body, text):
    query = random.choice(
        [
            *"""
            html=a blocks=true&blocks=true pages=1 columns=abc favour=%00 %ff=%ff
            """.split(),
            "&".join(f"a{n}=1" for n in range(60)),
            "format=" + "x" * 9_000,
            "url=" + "x" * 9_000,
        ]
    )
    return {"content": PAGE, "params": query, "headers": {"content-type": "text/html"}}


def with_no_page(random, body, text):
    page = random.choice([{}, {"url": "file:///etc/passwd"}, {"url": ""}, {"url": "http://a/"}])
    options = {
        name: option for name, option in body.items() if name not in ("html", "url", "pages")
    }
    return {"json": options | page}


KINDS = sorted(name.removeprefix("with_") for name in list(globals()) if name.startswith("with_"))
EACH = -(-1_000 // len(KINDS))


@pytest.mark.parametrize("kind", KINDS)
def test_a_malformed_request_is_the_clients_mistake(client, kind):
    random = Random(kind)
    for _ in range(EACH):
        path, request = malformed(kind, random)
        answer = client.post(path, **request)
        assert 400 <= answer.status_code < 500, (path, request, answer.text)
        assert set(answer.json()["error"]) == {"code", "message", "next"}
        assert "Traceback" not in answer.text
    assert client.get("/v1/capacity").json()["free"] == 5


@pytest.mark.parametrize(
    "html",
    ["\ud800 <p>half", "<p>\0\0", "<p>" * 3_000, "<p a=" + "b " * 2_000, "&#99999999999;<p>"],
)
@pytest.mark.parametrize("task", ["label", "extract", "render", "overlay", "explain"])
def test_an_odd_page_is_answered_or_is_the_clients_mistake(client, html, task):
    answer = client.post(f"/v1/{task}", content=json.dumps({"html": html}), headers=JSON)
    assert answer.status_code < 500
