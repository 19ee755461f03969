"""Hostile servers, names and connections for tests of the network."""

import gzip
import ipaddress
import socket
import threading
import zlib
from dataclasses import dataclass, field

import httpcore
import pytest
from local_server import LocalServer

from structce.rendering.base import Limits
from structce.rendering.network.http import NetworkResources

LIMITS = Limits(request_bytes=50_000, total_bytes=120_000, request_seconds=60.0)
CSS = b"p { color: red }"
BOMB = gzip.compress(bytes(60_000))

FILES = {
    "/style.css": (200, CSS, {"Content-Type": "text/css; charset=utf-8"}),
    "/wrong.css": (200, b"<p>no style</p>", {"Content-Type": "text/html"}),
    "/none": (404, b"gone", {"Content-Type": "text/plain"}),
    "/empty": (204, b"", {}),
    "/moved": (301, b"", {"Location": "/style.css#top"}),
    "/loop": (302, b"", {"Location": "loop"}),
    "/away": (302, b"", {"Location": "http://10.0.0.1/secret"}),
    "/file": (302, b"", {"Location": "file:///etc/passwd"}),
    "/nonsense": (302, b"", {"Location": "http://[::1"}),
    "/packed": (200, gzip.compress(CSS), {"Content-Encoding": "gzip"}),
    "/zlib": (200, zlib.compress(CSS), {"Content-Encoding": "deflate"}),
    "/cut": (200, gzip.compress(CSS)[:-9], {"Content-Encoding": "gzip"}),
    "/unpackable": (200, b"no gzip", {"Content-Encoding": "gzip"}),
    "/bomb": (200, BOMB, {"Content-Encoding": "gzip"}),
    "/brotli": (200, b"\x0b", {"Content-Encoding": "br"}),
    "/twice": (200, gzip.compress(BOMB), {"Content-Encoding": "gzip, gzip"}),
    "/big": (200, bytes(50_001), {}),
    "/page": (200, b"<p>Hello</p>", {"Content-Type": "text/html; charset=utf-8"}),
    "/old-page": (308, b"", {"Location": "/page"}),
    "/cookie": (200, b"", {"Set-Cookie": "a=1"}),
}


class Server(LocalServer):
    """A server of the files above that may also send without an end."""

    protocol = "HTTP/1.1"
    daemon_threads = False

    def __init__(self):
        super().__init__(FILES)
        self.is_over = threading.Event()

    def answer(self, request):
        path = request.path.partition("?")[0]
        if path not in ("/endless", "/drip", "/slow-headers"):
            super().answer(request)
            return
        request.close_connection = True
        request.wfile.write(b"HTTP/1.1 200 OK\r\n" + (b"" if path == "/slow-headers" else b"\r\n"))
        try:
            while not self.is_over.wait(0 if path == "/endless" else 0.01):
                request.wfile.write(bytes(10_000) if path == "/endless" else b"x")
        except OSError:  # the reader has left, as it should
            return

    def __exit__(self, *error):
        self.is_over.set()
        super().__exit__(*error)


@pytest.fixture
def make_server():
    return Server


@pytest.fixture
def server():
    with Server() as server:
        yield server


@pytest.fixture
def open_resources(server):
    """Opens resources of pages of the server, and closes them before it goes."""
    opened = []

    def open_door(path="/page", **changed):
        given = {"limits": LIMITS, "is_named": True} | changed
        opened.append(NetworkResources(server.url + path, **given))
        return opened[-1]

    yield open_door
    for resources in opened:
        resources.close()


@pytest.fixture
def names(monkeypatch):
    """Addresses of hosts, to be filled by the test; other hosts do not exist."""
    known = {}
    numeric = socket.getaddrinfo

    def look_up(host, port, *rest, **options):
        try:
            ipaddress.ip_address(host)
        except ValueError:
            if host not in known:
                raise socket.gaierror(socket.EAI_NONAME, "no such host") from None
            return [row for ip in known[host] for row in numeric(ip, port, *rest, **options)]
        return list(numeric(host, port, *rest, **options))

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return known


@dataclass
class Connections:
    """Stands where connections are made, and notes to whom."""

    made: list[tuple[str, int]] = field(default_factory=list)
    tls_names: list[str | None] = field(default_factory=list)

    def connect_tcp(self, _, host, port, *__):
        self.made.append((host, port))
        return _NoTls(self.tls_names)


class _NoTls(httpcore.NetworkStream):
    def __init__(self, tls_names):
        self.tls_names = tls_names

    def start_tls(self, _, server_hostname=None, __=None):
        self.tls_names.append(server_hostname)
        raise httpcore.ConnectError("no TLS here")

    def write(self, *_):
        raise httpcore.ReadError("nobody there")

    def close(self):
        """Close nothing."""


@pytest.fixture
def connections(monkeypatch):
    made = Connections()
    monkeypatch.setattr(httpcore.SyncBackend, "connect_tcp", lambda *a: made.connect_tcp(*a))
    return made
