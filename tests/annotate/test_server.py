"""Attacks on the server of the labelling page, and mishaps: what each of them gets."""

import errno
import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from structce.annotate.server import AccessRules, build_app
from structce.annotate.session import Session
from structce.corpus import Corpus

testclient = pytest.importorskip("starlette.testclient")

HOST = "127.0.0.1:8000"
SEND = {"x-structce": "annotate"}


@pytest.fixture
def app(workspace, tag_proposer):
    access = AccessRules(frozenset([HOST]), {"secret": "ann"})
    return build_app(Session(workspace, tag_proposer), access)


@pytest.fixture
def stranger(app):
    return testclient.TestClient(app, base_url=f"http://{HOST}")


@pytest.fixture
def client(stranger):
    stranger.get("/?token=secret")
    return stranger


def act(client, page="page0", headers=SEND, **values):
    body = {"action": "label", "labels": {"0": "Title"}} | values
    return client.post(f"/api/pages/{page}/act", json=body, headers=headers)


def test_the_link_signs_in_with_a_protected_cookie(stranger):
    answer = stranger.get("/?token=secret")
    cookie = answer.headers["set-cookie"]
    assert all(word in cookie for word in ("HttpOnly", "SameSite=strict", "Path=/"))
    assert "secret" not in cookie
    assert stranger.get("/api/start").json()["who"] == "ann"


NO_PAGES = (
    "..%2f..%2fmanifest", "%2e%2e", "..%5c..%5cmanifest", "page0%00", "%2fetc%2fpasswd",
    "page9", "C:%5cwindows", "annotation%2flock", "page0.json", "*", "~root",
)  # fmt: skip
"""What somebody may ask for in the place of a page's name."""

PATHS = (
    "/api/start", "/api/queue", "/api/progress", "/api/agreement", "/agreement",
    "/api/pages/page0", "/api/pages/page0/state", "/frame/page0",
)  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_without_a_session_nothing_is_answered(stranger, path):
    answer = stranger.get(path)
    assert answer.status_code == 401
    assert "Ferry" not in answer.text


@pytest.mark.parametrize("token", ["", "wrong", "secre", "secret ", "SECRET", "ann", "é"])
def test_a_wrong_token_gives_no_session(stranger, token):
    answer = stranger.get("/", params={"token": token})
    assert "set-cookie" not in answer.headers
    assert "Open the link" in answer.text


@pytest.mark.parametrize(
    "path", ["/api/start", "/", "/frame/page0", "/app/main.js", "/api/start/", "/nowhere"]
)
@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},  # a name of an attacker's that leads to this machine
        {"host": "127.0.0.1:9"},
        {"origin": "https://evil.example"},
        {"origin": "null"},  # a sandboxed frame or a file
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"},
        {"sec-fetch-site": "same-site", "sec-fetch-mode": "cors"},
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"},
    ],
)
def test_requests_of_other_sites_are_refused(client, headers, path):
    assert client.get(path, headers=headers, follow_redirects=False).status_code == 403


def test_a_form_of_another_site_changes_nothing(client, workspace):
    for headers in ({}, SEND | {"origin": "https://evil.example"}):
        assert act(client, headers=headers).status_code == 403
    assert workspace.version("page0", "ann") == 0


@pytest.mark.parametrize("name", NO_PAGES)
@pytest.mark.parametrize("path", ["/api/pages/{}", "/api/pages/{}/state", "/frame/{}"])
def test_names_of_pages_lead_to_no_other_file(client, path, name):
    answer = client.get(path.format(name))
    assert answer.status_code in (400, 404)
    assert "root:" not in answer.text
    assert act(client, name).status_code in (400, 404)


@pytest.mark.parametrize(
    "name",
    ["session.py", "..%2fsession.py", "%2e%2e/session.py", "%2fetc%2fpasswd", "app.css%00", "x.js"],
)
def test_only_files_of_the_labelling_page_are_served(client, name):
    assert client.get(f"/app/{name}").status_code == 404


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b'{"action": "label", "labels": {"0": 3}}',
        b'{"action": "label", "labels": {"0": "Title"}, "who": "ben"}',
        b'{"action": "label", "labels": {"1e9": "Title"}}',
        b'{"action": "label", "labels": {"-1": "Title"}}',
        b'{"action": "label", "labels": {"0": "Headline"}}',
        b'{"action": "label", "labels": {"0": "__proto__"}}',
        b'{"action": "resolve", "labels": {"0": "Title"}}',
        b'{"action": "delete", "labels": {}}',
        b'{"action": "label", "labels": ' + b"[" * 100_000 + b"}",
        b"\xff\xfe",
        b'{"action": "label", "labels": {"0": "\xff"}}',
        b'{"action": "label", "labels": {"0": "Title"}, "key": "' + b"k" * 3_000_000 + b'"}',
        b"x" * 4_100_000,
    ],
    ids=range(15),
)
def test_malformed_bodies_change_nothing(client, workspace, body):
    answer = client.post("/api/pages/page0/act", content=body, headers=SEND)
    assert answer.status_code == 400
    assert answer.json()["error"]
    assert workspace.version("page0", "ann") == 0


def test_a_stranger_changes_nothing(stranger):
    answer = stranger.post("/api/pages/page0/act", content=b"\xff", headers=SEND)
    assert answer.status_code == 401


def test_the_frame_runs_nothing_loads_nothing_and_sends_nothing(client):
    policy = client.get("/frame/page0").headers["content-security-policy"]
    for rule in ("default-src 'none'", "form-action 'none'", "sandbox allow-same-origin"):
        assert rule in policy
    assert "allow-scripts" not in policy
    assert "'unsafe-inline'" not in policy.replace("style-src 'unsafe-inline'", "")


@pytest.mark.parametrize("path", ["/", "/app/main.js", "/agreement"])
def test_the_page_runs_only_its_own_scripts(client, path):
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("target", ["os.fsync", "structce.corpus.storage.write_atomic"])
def test_a_full_disk_is_reported_and_the_action_repeatable(client, workspace, monkeypatch, target):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    labels = workspace.page("page0").labels
    monkeypatch.setattr(target, full)
    for _ in range(2):  # neither the first nor a repeated attempt is acknowledged
        answer = act(client, key="k")
        assert answer.status_code == 507
        assert answer.json()["error"] == "not saved: the disk is full"
        assert workspace.version("page0", "ann") == 0
        assert workspace.page("page0").labels == labels
    monkeypatch.undo()
    assert act(client, key="k").json()["labels"][0] == "Title"
    assert Corpus.load(workspace.folder).pages[0].labels[0] == "Title"


def test_a_stale_window_is_refused_and_a_repetition_counts_once(client, workspace):
    for _ in range(2):
        assert act(client, base=0, key="k1").status_code == 200
    assert workspace.version("page0", "ann") == 1
    answer = act(client, base=0)
    assert answer.status_code == 409
    assert "another window" in answer.json()["error"]
    workspace.act("page0", "ben", "label", {1: "Title"}, base=0)  # others do not disturb


def test_simultaneous_actions_are_all_saved(client, workspace):
    with ThreadPoolExecutor(8) as pool:
        jobs = [pool.submit(act, client, labels={str(i): "Title"}) for i in range(16)]
        assert {job.result().status_code for job in jobs} == {200}
    assert workspace.page("page0").labels[:16] == ("Title",) * 16
    lines = (workspace.folder / "annotation/trail/page0.jsonl").read_text().splitlines()
    assert [json.loads(line)["n"] for line in lines] == list(range(1, 18))
