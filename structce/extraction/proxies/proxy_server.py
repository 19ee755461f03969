"""HTTP proxy that shows a browser the main content of pages only.

The paper's on-the-fly use: a browser, or a test, asks the proxy for a page; the proxy fetches it,
lets an extractor work on it, and hands on what is left. Everything is fetched through
:mod:`structce.rendering.network`, with its checks of addresses and its limits.
"""

from __future__ import annotations

import io
import logging
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import monotonic
from typing import Self

from structce.addresses import split_address
from structce.errors import SourceError, StructceError, page_faults
from structce.extraction.base import Extractor
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.proxies.document_server import LOOPBACK
from structce.extraction.proxies.rewriting import rewrite
from structce.rendering import Limits, NetworkResources, Resource, decode

MAX_REQUESTS = 16
"""Requests under way at once; further ones wait."""

MAX_CONNECTIONS = 256
"""Connections at once, those of slow browsers included; further ones are turned away."""

MAX_PARSED = 40_000_000
"""Bytes of the pages that are worked on at once; further ones wait."""

MAX_HELD = 400_000_000
"""Bytes of the answers that are being sent; further ones are refused, so that browsers which read
slowly do not fill the memory."""

ASK_SECONDS = 30.0
"""Seconds for a browser to send its whole request."""

SEND_SECONDS = 120.0
"""Seconds for a browser to take its whole answer."""

_MAX_KIND = 200  # characters of a content type
_MAX_FORM = 1_000_000  # bytes that are read before they are refused, so that the answer arrives
_HTML = ("text/html", "application/xhtml+xml")
_THIS_MACHINE = ("127.0.0.1", "::1", "localhost")  # addresses that tell nothing of a page
_log = logging.getLogger(__name__)

Fetch = Callable[[str], Resource]


class ExtractionProxy:
    """HTTP proxy that rewrites every page with an extractor; other files are handed on.

    Used in a ``with`` block, or by :meth:`serve`. Only unencrypted addresses can be asked: of
    others a proxy sees nothing but encrypted bytes. Where a server sends ``http`` on to ``https``,
    the proxy follows.

    Parameters
    ----------
    address, port
        To listen at; port 0 for a free one.
    fetch
        Returns the file at an address; by default from the network, in these limits.
    allow_private
        Whether machines of the own network, this one included, may be asked.
    """

    def __init__(
        self,
        extractor: Extractor,
        *,
        address: str = LOOPBACK,
        port: int = 0,
        limits: Limits | None = None,
        fetch: Fetch | None = None,
        allow_private: bool = False,
    ) -> None:
        self.extractor = extractor
        self.slots = threading.BoundedSemaphore(MAX_REQUESTS)
        self.parsed, self.held = _ByteBudget(MAX_PARSED), _ByteBudget(MAX_HELD)
        self._limits = limits or Limits()
        self._allow_private = allow_private
        self.fetch = fetch or self._from_network
        self._server = _Server((address, port), self)
        self._thread = threading.Thread(target=self.serve, daemon=True)

    @property
    def address(self) -> str:
        """``HOST:PORT`` that the proxy listens at."""
        host, port = self._server.server_address[:2]
        return f"{host!s}:{port}"

    def serve(self) -> None:
        """Answer requests until the proxy is closed, or the program is interrupted."""
        self._server.serve_forever(poll_interval=0.05)

    def close(self) -> None:
        """Stop listening."""
        self._server.server_close()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self.close()

    def answer(self, url: str) -> Resource:
        """Return what a browser gets for an address.

        Raises
        ------
        StructceError
            If the page cannot be had, or is beyond the extractor.
        """
        found = self.fetch(url)
        kind = found.content_type.partition(";")[0].strip().lower()
        if kind not in _HTML or not found.data.strip() or found.status >= 300:
            return found
        known = "" if split_address(url).hostname in _THIS_MACHINE else url
        page = decode(found.data, name=url, url=known, content_type=found.content_type)
        with self.parsed.wait_for(len(found.data)):
            document = ParsedDocument.of(page)
            html = rewrite(document, self.extractor.extract(document))
        data = html.encode("utf-8", errors="replace")
        return Resource(data, "text/html; charset=utf-8", found.status, found.rules)

    def _from_network(self, url: str) -> Resource:
        with NetworkResources(url, limits=self._limits, allow_private=self._allow_private) as files:
            if found := files.get(url):
                return found
            raise SourceError(next(iter(files.failures.values()), "no answer"))


class _ByteBudget:
    """Bytes that all requests together may hold.

    What is larger than all of it is let in alone.
    """

    def __init__(self, total: int) -> None:
        self._total, self._used = total, 0
        self._change = threading.Condition()

    @contextmanager
    def wait_for(self, n_bytes: int) -> Iterator[None]:
        """Hold so many bytes inside the block, once there is room for them."""
        with self._change:
            self._change.wait_for(lambda: self._has_room(n_bytes))
            self._used += n_bytes
        try:
            yield
        finally:
            self._give_back(n_bytes)

    @contextmanager
    def try_for(self, n_bytes: int) -> Iterator[bool]:
        """Hold so many bytes inside the block, if there is room for them now."""
        with self._change:
            is_held = self._has_room(n_bytes)
            self._used += n_bytes if is_held else 0
        try:
            yield is_held
        finally:
            self._give_back(n_bytes if is_held else 0)

    def _has_room(self, n_bytes: int) -> bool:
        return not self._used or self._used + n_bytes <= self._total

    def _give_back(self, n_bytes: int) -> None:
        with self._change:
            self._used -= n_bytes
            self._change.notify_all()


class _TimedReader(io.RawIOBase):
    """What a connection sends, all of it in one limit of time, however small the pieces."""

    def __init__(self, connection: socket.socket, seconds: float) -> None:
        self._connection, self._end = connection, monotonic() + seconds

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        left = self._end - monotonic()
        if left <= 0:
            raise TimeoutError("the request takes too long")
        self._connection.settimeout(left)
        return self._connection.recv_into(buffer)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # connections that wait to be taken

    def __init__(self, address: tuple[str, int], owner: ExtractionProxy) -> None:
        self.owner = owner
        self._seats = threading.BoundedSemaphore(MAX_CONNECTIONS)
        super().__init__(address, _Handler)

    def process_request(self, request: socket.socket, client_address: object) -> None:  # type: ignore[override]
        """Answer in a thread of its own, or turn away whom there is no room for."""
        if self._seats.acquire(blocking=False):
            super().process_request(request, client_address)
            return
        with suppress(OSError):
            request.sendall(b"HTTP/1.0 503 Service Unavailable\r\n\r\ntoo many connections\n")
        self.shutdown_request(request)

    def process_request_thread(self, request: socket.socket, client_address: object) -> None:  # type: ignore[override]
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._seats.release()

    def server_bind(self) -> None:
        """Bind without asking for the host's name, which may take seconds."""
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()

    def handle_error(self, *_: object) -> None:
        """Note a browser that has gone away."""
        _log.debug("a connection broke off", exc_info=True)


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def setup(self) -> None:
        super().setup()
        self.rfile.close()
        self.rfile = io.BufferedReader(_TimedReader(self.connection, ASK_SECONDS))

    def do_GET(self) -> None:
        address = split_address(self.path)
        if address.scheme != "http" or not address.hostname:
            self._refuse(400, "this is a proxy: set it as the HTTP proxy of a browser")
            return
        owner = self.server.owner
        try:
            with owner.slots, page_faults(self.path):
                found = owner.answer(self.path)
        except SourceError as error:
            self._refuse(502, str(error))
        except StructceError as error:
            self._refuse(500, str(error))
        else:  # a slow browser holds no slot
            with owner.held.try_for(len(found.data)) as has_room:
                if has_room:
                    self._send(found)
                else:
                    self._refuse(503, "too many answers are being sent; try again")

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        """Refuse what changes something at a server: a form could be sent twice, or elsewhere."""
        length = self.headers.get("Content-Length", "0")
        is_number = length.isdecimal() and len(length) < 10
        self.rfile.read(min(int(length), _MAX_FORM) if is_number else 0)
        self._refuse(501, "forms are not passed on; this proxy answers GET and HEAD alone")

    def do_CONNECT(self) -> None:
        self._refuse(501, "encrypted pages cannot be rewritten; ask for http://")

    def _refuse(self, status: int, why: str) -> None:
        data = f"{why}\n".encode(errors="replace")
        self._send(Resource(data, "text/plain; charset=utf-8", status))

    def _send(self, found: Resource) -> None:
        self.connection.settimeout(SEND_SECONDS)  # of all that is sent at once
        self.send_response(found.status)
        kind = _header(found.content_type)
        is_usable = 0 < len(kind) <= _MAX_KIND
        self.send_header("Content-Type", kind if is_usable else "application/octet-stream")
        self.send_header("Content-Length", str(len(found.data)))
        self.send_header("Connection", "close")
        for name, value in found.rules:
            self.send_header(name, _header(value))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(found.data)

    def log_message(self, template: str, *values: object) -> None:
        """Log requests where somebody wants to see them."""
        _log.info(template, *values)


def _header(value: str) -> str:
    """Return the value of a header on one line, in characters that headers have."""
    shown = "".join(c if c.isprintable() else " " for c in value)
    return " ".join(shown.split()).encode("latin-1", "replace").decode("latin-1")
