"""HTTP proxies: our extractors served as a proxy, and documents served to a proxy under test.

The on-the-fly use of Gottron (2007): a browser, or a test, requests a page from the proxy, which
fetches it, applies an extractor, and returns the rest. Everything is fetched through
:mod:`structce.rendering.network`, with its checks of addresses and its limits.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Mapping
from html import escape
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from time import perf_counter
from typing import Any, Self

import numpy as np

from structce.addresses import split_address
from structce.errors import SourceError, StructceError, page_faults
from structce.extraction.parsed_document import Extraction, ParsedDocument
from structce.extraction.registry import Extractor
from structce.rendering import Limits, NetworkResources, Resource, decode
from structce.runtime import LOOPBACK

SERVER_SETTINGS = {"http": "h11", "lifespan": "off", "limit_concurrency": 256}
"""Settings of uvicorn for `ExtractionProxy`; its other parser loses the host of an address."""

_PATH = "/document.html"
_HTML = ("text/html", "application/xhtml+xml")
_THIS_MACHINE = ("127.0.0.1", "::1", "localhost")  # addresses that say nothing about a page


class DocumentServer(ThreadingTCPServer):
    """Web server thread that serves exactly one document, once.

    Other paths are not found, and do not count. Used in a ``with`` block. Without a content type in
    the header, the proxy must find the encoding in the document. Source: Gottron (2007), section
    4.2.
    """

    daemon_threads, block_on_close = True, False  # a reader that stalls does not keep it open

    def __init__(self, data: bytes, content_type: str = "") -> None:
        super().__init__((LOOPBACK, 0), _DocumentHandler)
        self.data, self.content_type = data, content_type or "text/html"
        self.is_asked, self.served, self.seconds = False, threading.Event(), 0.0
        self.url = f"http://{LOOPBACK}:{self.server_address[1]}{_PATH}"

    def served_at(self, seconds: float = 1.0) -> float | None:
        """Return when the last byte was sent (`perf_counter`); None if not within ``seconds``."""
        return self.seconds if self.is_asked and self.served.wait(seconds) else None

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()

    def handle_error(self, *_: object) -> None:
        """Ignore a connection that was lost: the proxy's faults show in its answer."""


class _DocumentHandler(BaseHTTPRequestHandler):
    """Handler that serves the document of a server at the first request for it."""

    server: DocumentServer
    timeout = 30.0  # seconds without data

    def do_GET(self) -> None:
        server = self.server
        if self.path != _PATH or server.is_asked:
            self.send_error(404)
            return
        server.is_asked = True
        self.send_response(200)
        self.send_header("Content-Type", server.content_type)
        self.send_header("Content-Length", str(len(server.data)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(server.data)
        server.seconds = perf_counter()
        server.served.set()

    def log_message(self, *_: object) -> None:
        """Log nothing, since a run may have thousands of requests."""


def rewrite(document: ParsedDocument, extraction: Extraction) -> str:
    """Return the HTML of a document in which a space replaces every word that is not extracted.

    Without positions, a new page is returned, with a paragraph per line.
    """
    if extraction.text and not extraction.spans:
        lines = (f"<p>{escape(line)}</p>" for line in extraction.text.splitlines() if line.strip())
        head = f'<!doctype html>\n<html><head><meta charset="utf-8"><title>{escape(document.url)}'
        return "\n".join([f"{head}</title></head><body>", *lines, "</body></html>"])
    words = document.words
    dropped = np.flatnonzero(~document.words_in(extraction.spans))
    pieces, position = list[str](), 0
    for start, end in zip(words.start[dropped].tolist(), words.end[dropped].tolist(), strict=True):
        pieces += (document.html[position:start], " ")
        position = end
    return "".join((*pieces, document.html[position:]))


class ExtractionProxy:
    """HTTP proxy that rewrites every page with an extractor, as an ASGI application.

    Other files are passed on. Only unencrypted addresses can be requested, but the proxy follows a
    server from ``http`` to ``https``. uvicorn serves it, with `SERVER_SETTINGS`. ``fetch`` returns
    the file at an address, by default from the network, within `limits`; machines of the private
    network, including this one, are accessed only with ``allow_private``.
    """

    def __init__(
        self,
        extractor: Extractor,
        *,
        limits: Limits | None = None,
        fetch: Callable[[str], Resource] | None = None,
        allow_private: bool = False,
    ) -> None:
        self.extractor, self.fetch = extractor, fetch or self._from_network
        self._limits, self._allow_private = limits or Limits(), allow_private

    async def __call__(
        self, scope: Mapping[str, Any], receive: object, send: Callable[[Any], Awaitable[None]]
    ) -> None:
        """Answer a request."""
        target = b"?".join(filter(None, (scope["raw_path"], scope["query_string"])))
        found = await asyncio.to_thread(self._answer, scope["method"], target.decode("latin-1"))
        length = str(len(found.data))
        about = ("content-type", found.content_type or "application/octet-stream")
        named = (about, ("content-length", length), ("connection", "close"), *found.rules)
        headers = [(name.encode("latin-1"), _header(value)) for name, value in named]
        await send({"type": "http.response.start", "status": found.status, "headers": headers})
        await send({"type": "http.response.body", "body": found.data})

    def _answer(self, method: str, url: str) -> Resource:
        """Return the answer to a request, or the reason for refusing it."""
        address = split_address(url)
        if method not in ("GET", "HEAD"):
            return _refusal(501, "this proxy supports only GET and HEAD at http://")
        if address.scheme != "http" or not address.hostname:
            return _refusal(400, "this is a proxy: set it as the HTTP proxy of a browser")
        try:
            with page_faults(url):
                found = self.fetch(url)
                kind = found.content_type.partition(";")[0].strip().lower()
                if kind not in _HTML or not found.data.strip() or found.status >= 300:
                    return found
                known = "" if address.hostname in _THIS_MACHINE else url
                page = decode(found.data, name=url, url=known, content_type=found.content_type)
                document = ParsedDocument.of(page)
                html = rewrite(document, self.extractor.extract(document))
        except StructceError as error:
            return _refusal(502 if isinstance(error, SourceError) else 500, str(error))
        data = html.encode("utf-8", errors="replace")
        return Resource(data, "text/html; charset=utf-8", found.status, found.rules)

    def _from_network(self, url: str) -> Resource:
        with NetworkResources(url, limits=self._limits, allow_private=self._allow_private) as files:
            if answer := files.get(url):
                return answer
            raise SourceError(next(iter(files.failures.values()), "no answer"))


def _refusal(status: int, reason: str) -> Resource:
    return Resource(f"{reason}\n".encode(errors="replace"), "text/plain; charset=utf-8", status)


def _header(value: str) -> bytes:
    """Return the value of a header on one line, in characters that headers allow."""
    printable = "".join(c if c.isprintable() else " " for c in value)
    return " ".join(printable.split()).encode("latin-1", "replace")
