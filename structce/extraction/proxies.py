"""HTTP proxies: our extractors served as a proxy, and documents served to a proxy under test.

The on-the-fly use of Gottron (2007): a browser, or a test, requests a page from the proxy, which
fetches it, applies an extractor, and returns the rest. Everything is fetched through
:mod:`structce.rendering.network`, with its checks of addresses and its limits.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import perf_counter
from typing import Any, Self

import numpy as np

from structce.addresses import split_address
from structce.errors import SourceError, StructceError, page_faults
from structce.extraction.parsed_document import Extraction, ParsedDocument
from structce.extraction.registry import Extractor
from structce.numbers import whole_number
from structce.rendering import Limits, NetworkResources, Resource, decode

LOOPBACK = "127.0.0.1"
"""Address that only programs on this machine can reach."""

MAX_REQUESTS = 16
"""Maximum number of requests that a proxy answers at once; further ones wait."""

MAX_CONNECTIONS = 256
"""Maximum number of connections, including those of slow browsers; further ones are rejected."""

IDLE_SECONDS = 30.0
"""Time limit for a connection that sends nothing, in seconds."""

SEND_SECONDS = 120.0
"""Time limit for a browser to receive its whole answer, in seconds."""

_PATH = "/document.html"
_MAX_KIND = 200  # characters of a content type
_MAX_FORM = 1_000_000  # bytes that are read before a form is refused, so that the answer arrives
_HTML = ("text/html", "application/xhtml+xml")
_THIS_MACHINE = ("127.0.0.1", "::1", "localhost")  # addresses that say nothing about a page
_log = logging.getLogger(__name__)

Fetch = Callable[[str], Resource]


class _Listener(ThreadingHTTPServer):
    """Server in a thread of its own, with a thread for each of a limited number of connections.

    Readers that stall do not keep it open.
    """

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128  # connections waiting to be accepted

    def __init__(self, place: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self._connections = threading.BoundedSemaphore(MAX_CONNECTIONS)
        super().__init__(place, handler)
        self._thread = threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True)

    @property
    def address(self) -> str:
        """``HOST:PORT`` that it listens at."""
        host, port = self.server_address[:2]
        return f"{host!s}:{port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()

    def server_bind(self) -> None:
        """Bind without asking for the host's name, which may take seconds."""
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread of its own, or reject the connection if there are too many."""
        if self._connections.acquire(blocking=False):
            super().process_request(request, client_address)
            return
        with suppress(OSError):
            request.sendall(b"HTTP/1.0 503 Service Unavailable\r\n\r\ntoo many connections\n")
        self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._connections.release()

    def handle_error(self, *_: object) -> None:
        """Log a connection that was lost: the proxy's faults show in its answer."""
        _log.debug("a connection was lost", exc_info=True)


class DocumentServer(_Listener):
    """Web server thread that serves exactly one document, once.

    Other paths are not found, and do not count. Used in a ``with`` block. Without a content type in
    the header, the proxy must find the encoding in the document. A proxy on another machine needs
    an ``address`` that it can reach. Source: Gottron (2007), section 4.2.
    """

    def __init__(self, data: bytes, content_type: str = "", address: str = LOOPBACK) -> None:
        super().__init__((address, 0), _DocumentHandler)
        self.data = data
        self.content_type = content_type or "text/html"
        self.is_asked = False
        self.served = threading.Event()
        self.seconds = 0.0
        self.url = f"http://{self.address}{_PATH}"

    def served_at(self, seconds: float = 1.0) -> float | None:
        """Return when the last byte was sent, in seconds of :func:`time.perf_counter`.

        None if the document was not requested, or not completely sent within ``seconds``.
        """
        return self.seconds if self.is_asked and self.served.wait(seconds) else None


class _DocumentHandler(BaseHTTPRequestHandler):
    """Handler that serves the document of a server at the first request for it."""

    server: DocumentServer
    timeout = IDLE_SECONDS

    def do_GET(self) -> None:
        server = self.server
        if self.path != _PATH or server.is_asked:
            self.send_error(404)
            return
        server.is_asked = True
        self.do_HEAD()
        self.wfile.write(server.data)
        self.wfile.flush()
        server.seconds = perf_counter()
        server.served.set()

    def do_HEAD(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", self.server.content_type)
        self.send_header("Content-Length", str(len(self.server.data)))
        self.send_header("Connection", "close")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Log nothing, since a run may have thousands of requests."""


_PAGE = """<!doctype html>
<html><head><meta charset="utf-8"><title>{title}</title></head><body>
{body}
</body></html>
"""


def rewrite(document: ParsedDocument, extraction: Extraction) -> str:
    """Return the HTML of a document with only its main content.

    If the extraction has positions, every other word is replaced by a space, and all tags stay, so
    that the page keeps its layout. Otherwise a new page is returned, with a paragraph per line.
    """
    if extraction.text and not extraction.spans:
        lines = (f"<p>{escape(line)}</p>" for line in extraction.text.splitlines() if line.strip())
        return _PAGE.format(title=escape(document.url), body="\n".join(lines))
    words = document.words
    dropped = np.flatnonzero(~document.words_in(extraction.spans))
    pieces: list[str] = []
    position = 0
    for start, end in zip(words.start[dropped].tolist(), words.end[dropped].tolist(), strict=True):
        pieces += (document.html[position:start], " ")
        position = end
    return "".join((*pieces, document.html[position:]))


class ExtractionProxy(_Listener):
    """HTTP proxy that rewrites every page with an extractor; other files are passed on.

    Used in a ``with`` block, or by `serve_forever`. Only unencrypted addresses can be requested: of
    others a proxy sees only encrypted bytes. If a server redirects ``http`` to ``https``, the proxy
    follows.

    It listens at ``address`` and ``port``, 0 for a free one. ``fetch`` returns the file at an
    address, by default from the network, within `limits`; machines of the private network,
    including this one, are accessed only with ``allow_private``.
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
        super().__init__((address, port), _ProxyHandler)
        self.extractor = extractor
        self.slots = threading.BoundedSemaphore(MAX_REQUESTS)
        self.fetch = fetch or self._from_network
        self._limits, self._allow_private = limits or Limits(), allow_private

    def answer(self, url: str) -> Resource:
        """Return the answer to a browser's request for an address.

        Raises StructceError if the page cannot be fetched, or the extractor cannot process it.
        """
        answer = self.fetch(url)
        kind = answer.content_type.partition(";")[0].strip().lower()
        if kind not in _HTML or not answer.data.strip() or answer.status >= 300:
            return answer
        address = "" if split_address(url).hostname in _THIS_MACHINE else url
        page = decode(answer.data, name=url, url=address, content_type=answer.content_type)
        document = ParsedDocument.of(page)
        html = rewrite(document, self.extractor.extract(document))
        data = html.encode("utf-8", errors="replace")
        return Resource(data, "text/html; charset=utf-8", answer.status, answer.rules)

    def _from_network(self, url: str) -> Resource:
        with NetworkResources(url, limits=self._limits, allow_private=self._allow_private) as files:
            if answer := files.get(url):
                return answer
            raise SourceError(next(iter(files.failures.values()), "no answer"))


class _ProxyHandler(BaseHTTPRequestHandler):
    """Handler of a browser's request."""

    server: ExtractionProxy
    timeout = IDLE_SECONDS

    def do_GET(self) -> None:
        address = split_address(self.path)
        if address.scheme != "http" or not address.hostname:
            self._refuse(400, "this is a proxy: set it as the HTTP proxy of a browser")
            return
        with self.server.slots:
            try:
                with page_faults(self.path):
                    answer = self.server.answer(self.path)
            except StructceError as error:
                self._refuse(502 if isinstance(error, SourceError) else 500, str(error))
            else:
                self._send(answer)

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        """Refuse requests that change data on a server: forms could be sent twice or elsewhere."""
        length = whole_number(self.headers.get("Content-Length", "0")) or 0
        self.rfile.read(min(length, _MAX_FORM))
        self._refuse(501, "forms are not passed on; this proxy supports only GET and HEAD")

    def do_CONNECT(self) -> None:
        self._refuse(501, "encrypted pages cannot be rewritten; ask for http://")

    def _refuse(self, status: int, why: str) -> None:
        data = f"{why}\n".encode(errors="replace")
        self._send(Resource(data, "text/plain; charset=utf-8", status))

    def _send(self, answer: Resource) -> None:
        self.connection.settimeout(SEND_SECONDS)  # for all data that is sent at once
        self.send_response(answer.status)
        kind = _header(answer.content_type)
        is_usable = 0 < len(kind) <= _MAX_KIND
        self.send_header("Content-Type", kind if is_usable else "application/octet-stream")
        self.send_header("Content-Length", str(len(answer.data)))
        self.send_header("Connection", "close")
        for name, value in answer.rules:
            self.send_header(name, _header(value))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.data)

    def log_message(self, template: str, *values: object) -> None:
        """Log requests at level INFO."""
        _log.info(template, *values)


def _header(value: str) -> str:
    """Return the value of a header on one line, in characters that headers allow."""
    printable = "".join(c if c.isprintable() else " " for c in value)
    return " ".join(printable.split()).encode("latin-1", "replace").decode("latin-1")
