"""A server on this machine, which breaks off, lies and errs as it is told to."""

import io
import threading
import zipfile
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest


def make_archive(text: str = "gold") -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for n in range(50):
            archive.writestr(zipfile.ZipInfo(f"set-1/{n}.txt"), f"{text} {n} " * 200)
    return data.getvalue()


class _Answers(BaseHTTPRequestHandler):
    server: "Server"

    def do_GET(self) -> None:
        server = self.server
        server.seen.append(dict(self.headers))
        if self.path in server.moved:
            self.answer(302, b"", {"Location": server.moved[self.path]})
        elif server.status != 200:
            self.answer(server.status, b"", {})
        else:
            self.send_archive()

    def send_archive(self) -> None:
        data, headers = self.server.data, dict(self.server.headers)
        start = 0
        same = self.headers.get("If-Range") == headers.get("ETag")
        if "Range" in self.headers and same and not self.server.ignores_ranges:
            start = int(self.headers["Range"].removeprefix("bytes=").rstrip("-"))
        if start >= len(data):
            self.answer(416, b"", {"Content-Range": f"bytes */{len(data)}"})
            return
        if start:
            told = start if self.server.said_start is None else self.server.said_start
            headers["Content-Range"] = f"bytes {told}-{len(data) - 1}/{len(data)}"
        self.answer(206 if start else 200, data[start:], headers)

    def answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if self.server.announces:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: self.server.breaks_off])

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Server(ThreadingHTTPServer):
    """Serves one archive at every address that does not lead elsewhere."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.data = make_archive()
        self.headers = {"ETag": '"one"'}
        self.status = 200
        self.breaks_off: int | None = None
        self.announces = True
        self.ignores_ranges = False
        self.said_start: int | None = None
        self.moved: dict[str, str] = {}
        self.seen: list[dict[str, str]] = []
        self.url = f"http://127.0.0.1:{self.server_port}"


@pytest.fixture(name="archive_server")
def server_fixture(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with Server() as httpd:
        thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield httpd
        httpd.shutdown()
        thread.join()


@pytest.fixture(name="make_archive")
def make_archive_fixture() -> Callable[..., bytes]:
    return make_archive
