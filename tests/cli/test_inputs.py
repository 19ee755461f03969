"""Pages whose files come from the network, on a local server, and from its record afterwards."""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

Run = Callable[..., tuple[int, str, str]]

FILES = {
    "/news.html": (
        "text/html",
        b"<!doctype html><link rel=stylesheet href=style.css><title>Ferry</title>"
        b"<h1>Ferry to stop</h1><p class=gone>Hidden by the style sheet</p>"
        b"<img src=boat.png><p id=late></p><script src=late.js></script>"
        b"<img src=http://127.0.0.1:{other}/spy.png>",
    ),
    "/style.css": ("text/css", b".gone { display: none } h1 { font-size: 50px }"),
    "/late.js": ("text/javascript", b"late.textContent = 'Written by a script'"),
}


@dataclass
class Server:
    """A server of this machine, and the paths it was asked for."""

    port: int
    asked: list[str] = field(default_factory=list)


@pytest.fixture
def serve() -> Iterator[Callable[[dict[str, tuple[str, bytes]]], Server]]:
    started: list[ThreadingHTTPServer] = []

    def start(files: dict[str, tuple[str, bytes]]) -> Server:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.asked.append(self.path)
                kind, data = files.get(self.path, ("text/plain", b""))
                self.send_response(200 if self.path in files else 404)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server = Server(http.server_address[1])
        threading.Thread(target=http.serve_forever).start()
        started.append(http)
        return server

    yield start
    for http in started:
        http.shutdown()
        http.server_close()


def pages(other: Server) -> dict[str, tuple[str, bytes]]:
    return {
        path: (kind, data.replace(b"{other}", str(other.port).encode()))
        for path, (kind, data) in FILES.items()
    }


def texts(out: str) -> list[str]:
    return [region["text"] for region in json.loads(out)["regions"]]


def test_a_page_gets_its_files_only_when_the_network_is_allowed(
    run: Run, serve: Callable[[dict[str, tuple[str, bytes]]], Server]
) -> None:
    other = serve({})
    server = serve(pages(other))
    label = ("label", f"http://127.0.0.1:{server.port}/news.html", "--renderer", "chromium")
    code, out, _ = run(*label, "--all-regions")
    assert code == 0
    assert "Hidden by the style sheet" in texts(out)
    assert server.asked == ["/news.html"]
    code, out, _ = run(*label, "--all-regions", "--network")
    assert code == 0
    assert "Hidden by the style sheet" not in texts(out)
    assert "Written by a script" not in texts(out)
    assert set(server.asked) == {"/news.html", "/style.css", "/boat.png"}
    assert other.asked == []


STORY = {
    f"/ferry{'' if n == 1 else f'/{n}'}": (
        "text/html",
        b"<!doctype html><html lang=en><h1>Ferry to stop</h1><p>" + text + b"</p>"
        + (f'<a rel=next href="/ferry/{n + 1}">{n + 1}</a>'.encode() if n < 3 else b""),
    )
    for n, text in enumerate(
        (
            b"The river rose in the night, and in the morning it stood in the fields.",
            b"The ferry will stop in June, the town said on Monday evening.",
            b"The bridge will not be ready before the autumn of next year.",
        ),
        start=1,
    )
}  # fmt: skip


@pytest.mark.parametrize(
    ("n_most", "asked", "options"),
    [
        (1, 1, ()),
        (2, 2, ()),
        (9, 3, ()),
        (9, 3, ("--workers", 2)),
        pytest.param(9, 3, ("--renderer", "chromium"), marks=pytest.mark.browser),
    ],
)
def test_the_pages_of_a_story_are_joined_up_to_a_number(
    run: Run,
    serve: Callable[[dict[str, tuple[str, bytes]]], Server],
    n_most: int,
    asked: int,
    options: tuple[object, ...],
) -> None:
    server = serve(STORY)
    address = f"http://127.0.0.1:{server.port}/ferry"
    code, out, _ = run("label", address, "--pages", n_most, *options)
    record = json.loads(out)
    assert code == 0
    assert server.asked == list(STORY)[:asked]
    assert len(record["text"].splitlines()) == asked
    assert len(record.get("further_pages", [])) == asked - 1
    assert "context" not in record


def test_stories_are_recorded_by_one_process_only(run: Run, tmp_path: Path) -> None:
    record = ("--network", "--record", tmp_path / "seen.warc.gz")
    code, _, err = run("label", "page.html", "--pages", 2, "--workers", 2, *record)
    assert code == 2
    assert "--workers 1" in err


def test_what_was_recorded_is_rendered_again_without_the_network(
    run: Run, serve: Callable[[dict[str, tuple[str, bytes]]], Server], tmp_path: Path
) -> None:
    pytest.importorskip("fastwarc")
    other = serve({})
    server = serve(pages(other))
    options = ("--renderer", "chromium", "--scripts", "--all-regions")
    record = tmp_path / "seen.warc.gz"
    address = f"http://127.0.0.1:{server.port}/news.html"
    code, first, _ = run("label", address, *options, "--network", "--record", record)
    assert code == 0
    assert "Written by a script" in texts(first)
    n_asked = len(server.asked)
    code, second, _ = run("label", record, *options)
    assert code == 0
    assert texts(second) == texts(first)
    assert json.loads(second)["url"] == address
    assert len(server.asked) == n_asked
    assert other.asked == []


def test_a_record_without_the_network_is_wrong_usage(run: Run, tmp_path: Path) -> None:
    code, _, err = run("label", "-", "--record", tmp_path / "seen.warc.gz")
    assert code == 2
    assert "give both" in err


@pytest.mark.parametrize("limit", ["pages=3", "seconds", "seconds=-1", "memory=much"])
def test_a_limit_that_is_none_is_wrong_usage(run: Run, limit: str) -> None:
    code, _, err = run("label", "-", "--limit", limit)
    assert code == 2
    assert "--limit" in err


def test_a_limit_is_heeded_and_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "many.html").write_text("<p>x" * 30)
    for renderer in ("static", "chromium"):
        code, _, err = run(
            "label", tmp_path / "many.html", "--limit", "regions=20", "--renderer", renderer
        )
        assert code == 1
        assert "many.html: more than 20 regions" in err


def test_the_static_renderer_runs_no_scripts(run: Run) -> None:
    code, _, err = run("label", "-", "--scripts", "--renderer", "static")
    assert code == 1
    assert "--renderer chromium" in err
