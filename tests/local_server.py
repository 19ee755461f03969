"""A server of this machine, which tests of the network ask for files."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from structce.runtime import bind, server_config

HTML = {"Content-Type": "text/html; charset=utf-8"}


class LocalServer(ThreadingHTTPServer):
    """Server of files by their path, with a status and headers each; it notes all requests."""

    protocol = "HTTP/1.0"
    daemon_threads = True

    def __init__(self, files=None):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.files = dict(files or {})
        self.seen: list[tuple[str, dict[str, str]]] = []
        self.url = f"http://127.0.0.1:{self.server_port}"

    @property
    def asked(self):
        """Paths of all requests."""
        return [path for path, _ in self.seen]

    def put(self, name, html, headers=None):
        """Serve a page; return its address."""
        self.files[f"/{name}"] = (200, html.encode(), HTML | dict(headers or {}))
        return f"{self.url}/{name}"

    def answer(self, request):
        """Answer a request with its file; other servers may answer otherwise."""
        send(request, *self.files.get(request.path.partition("?")[0], (404, b"", {})))

    def handle_error(self, *_):
        """Say nothing of readers that leave early."""

    def __enter__(self):
        self._thread = threading.Thread(target=self.serve_forever, args=(0.01,))
        self._thread.start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self._thread.join()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: LocalServer

    @property
    def protocol_version(self):
        return self.server.protocol

    def do_GET(self):
        self.server.seen.append((self.path, dict(self.headers)))
        self.server.answer(self)

    def log_message(self, *_):
        """Say nothing."""


def send(request, status, data, headers):
    """Send a whole answer."""
    request.send_response(status)
    for name, value in headers.items():
        request.send_header(name, value)
    if status != 204:
        request.send_header("Content-Length", str(len(data)))
    request.end_headers()
    request.wfile.write(data)


@contextmanager
def served(app, listener=None, **settings):
    """Serve an ASGI application with settings of uvicorn in a thread; give its ``HOST:PORT``."""
    uvicorn = pytest.importorskip("uvicorn")
    with listener or bind("127.0.0.1", 0) as opened:
        server = uvicorn.Server(server_config(app, stop_seconds=1, **settings))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [opened]})
        thread.start()
        try:
            yield f"127.0.0.1:{opened.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
