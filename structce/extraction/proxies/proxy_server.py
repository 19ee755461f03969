"""HTTP proxy that shows a browser the main content of pages only.

The paper's on-the-fly use: a browser, or a test, asks the proxy for a page; the proxy fetches it,
lets an extractor work on it, and hands on what is left. Everything is fetched through
:mod:`structce.rendering.network`, with its checks of addresses and its limits.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
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

_PATIENCE = 30.0  # seconds for a browser that sends nothing
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
        Whether hosts of the own network may be asked by their names, too. Those written as numbers
        may be asked where the proxy listens on this machine alone.
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
        self._limits = limits or Limits()
        self._allow_private = allow_private
        self.fetch = fetch or self._from_network
        self._server = _Server((address, port), self)
        self._is_local = address == LOOPBACK
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
        document = ParsedDocument.of(page)
        html = rewrite(document, self.extractor.extract(document))
        data = html.encode("utf-8", errors="replace")
        return Resource(data, "text/html; charset=utf-8", found.status)

    def _from_network(self, url: str) -> Resource:
        files = NetworkResources(
            url, limits=self._limits, is_named=self._is_local, allow_private=self._allow_private
        )
        with files:
            if found := files.get(url):
                return found
            raise SourceError(next(iter(files.failures.values()), "no answer"))


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], owner: ExtractionProxy) -> None:
        self.owner = owner
        super().__init__(address, _Handler)

    def server_bind(self) -> None:
        """Bind without asking for the host's name, which may take seconds."""
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()

    def handle_error(self, *_: object) -> None:
        """Note a browser that has gone away."""
        _log.debug("a connection broke off", exc_info=True)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = _PATIENCE

    def do_GET(self) -> None:
        if split_address(self.path).scheme != "http":
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
            self._send(found.status, found.content_type, found.data)

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        """Refuse what changes something at a server: a form could be sent twice, or elsewhere."""
        length = self.headers.get("Content-Length", "0")
        self.rfile.read(min(int(length), _MAX_FORM) if length.isdigit() else 0)
        self._refuse(501, "forms are not passed on; this proxy answers GET and HEAD alone")

    def do_CONNECT(self) -> None:
        self._refuse(501, "encrypted pages cannot be rewritten; ask for http://")

    def _refuse(self, status: int, why: str) -> None:
        self._send(status, "text/plain; charset=utf-8", f"{why}\n".encode(errors="replace"))

    def _send(self, status: int, content_type: str, data: bytes) -> None:
        self.send_response(status)
        kind = " ".join(content_type.split()).encode("latin-1", "replace").decode("latin-1")
        self.send_header("Content-Type", kind or "application/octet-stream")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, template: str, *values: object) -> None:
        """Log requests where somebody wants to see them."""
        _log.info(template, *values)
