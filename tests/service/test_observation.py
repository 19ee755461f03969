"""The log: one line of JSON per request, without contents of pages or secrets."""

import json
import logging

import pytest

from structce.service.observation import LOGGER, JsonFormatter

SECRET = "a-secret-of-the-tests"
JSON = {"content-type": "application/json"}


@pytest.fixture
def lines():
    """Collect the lines of the log as they would be written."""
    texts = []

    class Collector(logging.Handler):
        def emit(self, record):
            texts.append(self.format(record))

    handler = Collector()
    handler.setFormatter(JsonFormatter())
    level = LOGGER.level
    LOGGER.addHandler(handler)
    LOGGER.setLevel(logging.INFO)
    yield texts
    LOGGER.removeHandler(handler)
    LOGGER.setLevel(level)


def test_a_request_is_one_line_with_its_numbers(client, lines):
    client.post("/v1/render", content=b'{"html": "<p>Salt and sand."}', headers=JSON)
    (line,) = [json.loads(text) for text in lines]
    assert (line["event"], line["level"], line["method"]) == ("request", "info", "POST")
    assert (line["path"], line["status"], line["pages"]) == ("/v1/render", 200, 1)
    assert line["bytes_in"] == 29
    assert line["bytes_out"] > 100
    assert 0 < line["work"] <= line["seconds"]


def test_no_page_address_or_token_is_logged(make_service, lines):
    with make_service(token=SECRET).client() as client:
        headers = {"authorization": f"Bearer {SECRET}", "content-type": "text/html"}
        for path in ("/v1/label?url=https://hidden.example/word", "/word/hidden"):
            client.post(path, content="<p>word hidden", headers=headers)
        client.post("/v1/label", content="word hidden", headers=headers)
        client.get("/metrics", headers={"authorization": "Bearer hidden"})
    assert len(lines) == 4
    assert not [line for line in lines if "hidden" in line or "word" in line or SECRET in line]
    assert [json.loads(line)["code"] for line in lines] == [
        "",
        "not_found",
        "unreadable_page",
        "no_token",
    ]


def test_a_fault_is_answered_and_logged_without_traceback(make_service, monkeypatch, lines):
    service = make_service()

    def fail():
        raise ValueError("words of a page")

    monkeypatch.setattr(service.metrics, "text", fail)
    answer = service.client().get("/metrics")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "internal_error")
    (line,) = [json.loads(text) for text in lines]
    assert (line["status"], line["code"], line["level"]) == (500, "internal_error", "error")
    assert line["fault"].startswith("ValueError at structce/service/app.py:")
    assert "words" not in answer.text + lines[0]


def test_messages_of_libraries_are_lines_of_json():
    try:
        raise ValueError("words of a page")
    except ValueError as error:
        given = (type(error), error, error.__traceback__)
    record = logging.LogRecord("uvicorn.error", 40, "x.py", 1, "Exception\nin %s", ("it",), given)
    line = JsonFormatter().format(record)
    assert "\n" not in line
    assert "words" not in line
    entry = json.loads(line)
    assert (entry["message"], entry["fault"]) == ("Exception\nin it", "ValueError")
