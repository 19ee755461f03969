"""Web server of one document, in a thread, from which a proxy under test fetches it."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from time import perf_counter
from typing import Self

LOOPBACK = "127.0.0.1"
"""Address that only programs on this machine can reach."""

_PATH = "/document.html"
_STEP = 0.05  # seconds between checks whether the server should stop
_PATIENCE = 10.0  # seconds for a connection that sends nothing


class DocumentServer:
    """Web server thread that serves exactly one document, once, and then closes.

    Other paths are not found, and do not count. Used in a ``with`` block.

    Parameters
    ----------
    data
        Bytes of the document.
    content_type
        Content type in the header; without it the proxy must find the encoding in the document.
    address
        Address to listen at; a proxy on another machine needs one that it can reach.

    References
    ----------
    T. Gottron (2007). Evaluating content extraction on HTML documents. Proc. Internet Technologies
    and Applications, section 4.2.
    """

    def __init__(self, data: bytes, content_type: str = "", address: str = LOOPBACK) -> None:
        self.data = data
        self.content_type = content_type or "text/html"
        self.is_asked = False
        self._served = threading.Event()
        self._served_at = 0.0
        self._server = _Server((address, 0), self)
        self._thread = threading.Thread(target=self._run, name="document-server", daemon=True)

    @property
    def url(self) -> str:
        """Address of the document."""
        host, port = self._server.server_address[:2]
        return f"http://{host!s}:{port}{_PATH}"

    def served_at(self, seconds: float = 1.0) -> float | None:
        """Return when the last byte was sent, in seconds of :func:`time.perf_counter`.

        None if the document was not requested, or not completely sent within ``seconds``.
        """
        if not self.is_asked or not self._served.wait(seconds):
            return None
        return self._served_at

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.hang_up()
        self._thread.join()

    def finish(self) -> None:
        """Record that the document has been sent."""
        self._served_at = perf_counter()
        self._served.set()

    def _run(self) -> None:
        with self._server:
            while not self._server.is_closing and not self._served.is_set():
                self._server.handle_request()


class _Server(HTTPServer):
    timeout = _STEP

    def __init__(self, address: tuple[str, int], owner: DocumentServer) -> None:
        self.owner = owner
        self._lock = threading.Lock()
        self._connection: socket.socket | None = None
        self.is_closing = False
        super().__init__(address, _Handler)

    def server_bind(self) -> None:
        """Bind without asking for the host's name, which may take seconds."""
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()

    def meet(self, connection: socket.socket | None) -> None:
        """Record the connection that is being served; None when it is finished."""
        with self._lock:
            self._connection = connection
            self._disconnect_if_closing()

    def hang_up(self) -> None:
        """Close the connection that is being served, whose reader may have stalled."""
        with self._lock:
            self.is_closing = True
            self._disconnect_if_closing()

    def _disconnect_if_closing(self) -> None:
        if self.is_closing and self._connection is not None:
            with suppress(OSError):
                self._connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, *_: object) -> None:
        """Ignore errors: the proxy's faults show in its answer."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = _PATIENCE

    def setup(self) -> None:
        super().setup()
        self.server.meet(self.connection)

    def finish(self) -> None:
        self.server.meet(None)
        super().finish()

    def do_GET(self) -> None:
        owner = self.server.owner
        if self.path != _PATH:
            self.send_error(404)
            return
        owner.is_asked = True
        self._send_head()
        self.wfile.write(owner.data)
        self.wfile.flush()
        owner.finish()

    def do_HEAD(self) -> None:
        self._send_head()

    def _send_head(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", self.server.owner.content_type)
        self.send_header("Content-Length", str(len(self.server.owner.data)))
        self.send_header("Connection", "close")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Log nothing, since a run may have thousands of requests."""
