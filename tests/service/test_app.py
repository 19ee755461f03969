"""Answers of the service: every task and format, every limit, and access."""

import json

import pytest

from structce.article import label
from structce.article.formats import to_markdown
from structce.cli import main

PAGE = "<title>Ferry</title><h1>Ferry to stop</h1><p>By Ann Lee<p>It will stop in June, they said."
JSON = {"content-type": "application/json"}
TOKEN = "a-secret-of-the-tests"


def error_of(answer):
    body = answer.json()
    assert list(body) == ["error"]
    assert list(body["error"]) == ["code", "message", "next"]
    assert all(body["error"].values())
    return body["error"]["code"]


def test_a_record_is_that_of_the_command(client, article_html, capsys, monkeypatch, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(article_html(), encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["structce", "label", str(path), "--blocks"])
    with pytest.raises(SystemExit):
        main()
    expected = json.loads(capsys.readouterr().out)
    body = {"html": article_html(), "blocks": True}
    assert client.post("/v1/label", json=body).json() == expected | {"source": "page"}


def test_markdown_is_that_of_the_package(client, article_html):
    answer = client.post("/v1/label", json={"html": article_html(), "format": "markdown"})
    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    assert answer.text == to_markdown(label(article_html()))


def test_values_below_the_confidence_are_left_out(client, article_html):
    body = {"html": article_html(), "min_confidence": 1}
    article = client.post("/v1/label", json=body).json()
    assert (article["title"], article["authors"], article["date"]) == (None, [], None)
    assert article["text"]


@pytest.mark.parametrize("method", ["command:touch x", "vote(bte, plain)", "model:/", "bte a=1"])
def test_no_method_reads_files_or_runs_programs(client, method):
    answer = client.post("/v1/extract", json={"html": PAGE, "method": method})
    assert (answer.status_code, error_of(answer)) == (400, "unknown_method")


def test_a_bad_page_is_one_entry_of_its_batch(client):
    pages = [{"html": PAGE}, {}, {"url": "https://post.example/"}, {"html": "text"}, {"html": PAGE}]
    results = client.post("/v1/label/batch", json={"pages": pages, "format": "json"}).json()
    entries = results["results"]
    assert [entry["index"] for entry in entries] == [0, 1, 2, 3, 4]
    assert entries[0]["result"] == entries[4]["result"]
    codes = [entry["error"]["code"] for entry in entries[1:4]]
    assert codes == ["no_page", "network_off", "unreadable_page"]


def test_a_streamed_batch_is_one_line_per_page(client, caplog):
    body = {"pages": [{"html": PAGE}, {"html": ""}], "stream": True}
    answer = client.post("/v1/label/batch", json=body)
    assert answer.headers["content-type"] == "application/x-ndjson"
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert [sorted(line) for line in lines] == [["index", "result"], ["error", "index"]]
    assert not caplog.records


def test_too_large_bodies_are_refused_announced_or_not(make_service, monkeypatch):
    monkeypatch.setattr("structce.service.app.MAX_PAGE_BYTES", 100)
    service = make_service()
    with service.client() as client:
        announced = client.post("/v1/label", content=b"<p>" + b"x" * 98, headers=JSON)
        dripped = client.post("/v1/label", content=iter([b"<p>x"] * 30), headers=JSON)
        for answer in (announced, dripped):
            assert (answer.status_code, error_of(answer)) == (413, "too_large")
        assert service.queue.n_taken == 0


@pytest.mark.parametrize("path", ["/v1/label", "/metrics", "/openapi.json"])
@pytest.mark.parametrize("given", ["", "Bearer wrong", f"Basic {TOKEN}", "\xe9"])
def test_without_the_token_only_health_is_answered(make_service, path, given):
    with make_service(token=TOKEN).client() as client:
        headers = {"authorization": given.encode("latin-1")} if given else {}
        send = client.post if path == "/v1/label" else client.get
        answer = send(path, headers=headers)
        assert (answer.status_code, error_of(answer)) == (401, "no_token")
        assert answer.headers["www-authenticate"] == "Bearer"
        assert client.get("/health").status_code == 200
        assert client.get("/ready").status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "127.0.0.1:9"},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://[bad"},
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "cors"},
    ],
)
def test_requests_of_other_sites_are_refused(client, headers):
    answer = client.post("/v1/label", json={"html": PAGE}, headers=headers)
    assert (answer.status_code, error_of(answer)) == (403, "foreign_request")
    assert "access-control-allow-origin" not in answer.headers


def test_unknown_paths_and_methods_are_errors_in_json(client):
    assert error_of(client.get("/v2/label")) == "not_found"
    answer = client.get("/v1/label")
    assert (answer.status_code, error_of(answer)) == (405, "method_not_allowed")
    assert answer.headers["allow"] == "POST"


def test_a_final_slash_is_no_redirect(make_service):
    client = make_service(token=TOKEN).client()
    request = {"json": {"html": "<p>One."}, "follow_redirects": False}
    assert client.post("/v1/label/", **request).status_code == 401
    answer = client.post("/v1/label/", headers={"authorization": f"Bearer {TOKEN}"}, **request)
    assert answer.status_code == 200
    assert client.get("/", follow_redirects=False).status_code == 404


def test_metrics_count_pages_failures_and_refusals(client):
    client.post("/v1/label", json={"html": PAGE})
    client.post("/v1/label", json={"html": "no markup"})
    client.post("/v1/label", json={"html": 1})
    text = client.get("/metrics").text
    for line in (
        'structce_pages_total{task="label"} 1.0',
        'structce_failures_total{reason="unreadable_page",task="label"} 1.0',
        'structce_refusals_total{reason="invalid_field"} 1.0',
        'structce_requests_total{path="/v1/label",status="422"} 1.0',
        "structce_wait_seconds_count 2.0",
        "structce_waiting_pages 0.0",
        "structce_workers 1.0",
    ):
        assert line in text, line


def test_a_fault_is_answered_and_logged_without_its_message(make_service, monkeypatch, caplog):
    service = make_service()

    def fail():
        raise ValueError("words of a page")

    monkeypatch.setattr(service.metrics, "text", fail)
    answer = service.client().get("/metrics")
    assert (answer.status_code, error_of(answer)) == (500, "internal_error")
    assert "ValueError at structce/service/app.py:" in caplog.text
    assert "words" not in answer.text + caplog.text
