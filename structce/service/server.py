"""Server of the service: its gate before uvicorn, its workers, and a shutdown that finishes work.

Imported when a server starts, since uvicorn is an extra.
"""

from __future__ import annotations

import asyncio
import logging
import re
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from structce.extras import load_extra
from structce.io import json_line
from structce.runtime import HEADERS, WorkerPool, bind, host_headers, server_config
from structce.service.app import LOOPBACKS, ServiceApp, fault_place
from structce.service.queue import PageQueue
from structce.service.requests import ErrorAnswer
from structce.service.work import WorkSetup, start_work

if TYPE_CHECKING:
    import uvicorn
    from uvicorn.protocols.http.h11_impl import H11Protocol
else:
    uvicorn = load_extra("uvicorn", "the service", "serve")
    H11Protocol = load_extra("uvicorn.protocols.http.h11_impl", "the service", "serve").H11Protocol

HEAD_SECONDS = 5.0
"""Time that a client may take to send the head of a request, from the connection's begin."""

BODY_SECONDS = 2.0
"""Time that a body may still take to arrive when the server is told to end."""

_STOP_SECONDS = 30  # for requests in progress to finish when the server is told to end
_LINGER_SECONDS = 2.0  # for which a refused client may go on sending
_MAX_HEAD = 65_536  # bytes, as h11 has it
_MOST_FILES = 8_192  # that the process may open, connections included
_BACKLOG, _ACCEPTED = 2_048, 32  # connections that the system holds, and that one turn accepts
_MORE_REQUESTS = 16  # in progress beyond those with a slot: they ask for the state, or end
_SWITCH_SECONDS = 0.0005  # after which the event loop lets threads give workers their next page
_PAGES = b"POST /v1/"  # begin of all requests that need a slot
_HEAD_END = re.compile(rb"\n\r?\n")
_LENGTH = re.compile(rb"\ncontent-length: ?(\d{1,9})\r?\n", re.IGNORECASE)
_log = logging.getLogger("structce.service")
_ATTEMPTS = 2  # processes for one page: one that was killed while idle costs no answer


class Gate(asyncio.Protocol):
    """Connection that waits for the head of a request, which uvicorn's protocol then gets.

    It is closed unless the head arrives in time. If all slots are taken, a request for one is
    refused unparsed, so that a server under load has time for its work.
    """

    def __init__(self, queue: PageQueue, **given: Any) -> None:
        self._queue, self._given = queue, given
        self._connections: set[Any] = given["server_state"].connections
        self._tasks: set[asyncio.Task[None]] = given["server_state"].tasks
        self._loop = asyncio.get_running_loop()
        self._inner: H11Protocol | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._head = b""
        self._is_refused = self._has_ended = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        self._transport = transport
        self.wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_waiting()
        if self._inner is not None:
            self._inner.connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Refuse a request, or hand it on once its head is complete."""
        if self._is_refused:
            return
        self._head += data
        end, queue = _HEAD_END.search(self._head), self._queue
        n_most = queue.workers + queue.queue + _MORE_REQUESTS
        is_full = queue.n_free <= 0 or len(self._tasks) >= n_most
        if self._head.startswith(_PAGES) and is_full:
            length = _LENGTH.search(self._head)
            has_body = end and length and len(self._head) >= end.end() + int(length[1])
            self._is_refused, self._has_ended, self._head = True, bool(has_body), b""
            self._transport.pause_reading()
            self._wait(queue.refusal_delay(self._loop.time()), self._refuse)
        elif end or len(self._head) >= _MAX_HEAD:
            self._stop_waiting()
            if self._inner is None:
                self._inner = _Exchange(self, **self._given)
                self._inner.connection_made(self._transport)
            data, self._head = self._head, b""
            self._transport.set_protocol(self._inner)
            self._inner.data_received(data)

    def wait(self) -> None:
        """Wait for the next request of the connection."""
        self._transport.set_protocol(self)
        self._wait(HEAD_SECONDS, self._transport.close)

    def shutdown(self) -> None:
        """End: no request is in progress."""
        self._transport.close()

    def _wait(self, seconds: float, action: Callable[[], None]) -> None:
        self._stop_waiting()
        self._connections.add(self)
        self._timer = self._loop.call_later(seconds, action)

    def _stop_waiting(self) -> None:
        self._connections.discard(self)
        if self._timer is not None:
            self._timer.cancel()

    def _refuse(self) -> None:
        """Answer 503, and read the rest of the body: closed before, the answer might be lost."""
        answer, metrics = self._queue.refusal().answer, self._queue.metrics
        metrics.refusals.labels(answer.code).inc()
        metrics.requests.labels("other", str(answer.status)).inc()
        self._transport.write(_response_bytes(answer))
        if self._has_ended:
            self._transport.close()
            return
        self._transport.write_eof()
        self._transport.resume_reading()
        self._wait(_LINGER_SECONDS, self._transport.close)


class _Exchange(H11Protocol):
    """Request and response on a connection, which the gate then gets back."""

    def __init__(self, gate: Gate, **given: Any) -> None:
        super().__init__(**given)
        self._gate = gate

    def on_response_complete(self) -> None:
        """Give the connection back, unless the client has already sent the next request."""
        super().on_response_complete()
        is_idle = self.cycle.response_complete and not self.conn.trailing_data[0]
        if is_idle and not self.transport.is_closing():
            self._gate.wait()

    def shutdown(self) -> None:
        """End after the request in progress, which must be complete soon."""
        super().shutdown()
        self.loop.call_later(
            BODY_SECONDS, lambda: self.transport.close() if self.cycle.more_body else None
        )


@lru_cache(maxsize=256)
def _response_bytes(answer: ErrorAnswer) -> bytes:
    body = json_line(answer.as_dict()).encode()
    headers = HEADERS | {"content-type": "application/json", "content-length": str(len(body))}
    headers |= {"retry-after": str(answer.retry_after), "connection": "close"}
    lines = [f"{name}: {value}\r\n" for name, value in headers.items()]
    return f"HTTP/1.1 {answer.status} Service Unavailable\r\n{''.join(lines)}\r\n".encode() + body


def _raise_file_limit() -> None:
    """Let this process have many connections, as far as the system allows it."""
    with suppress(ImportError):  # Windows has no limit
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
        if soft != resource.RLIM_INFINITY:
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))


class _Server(uvicorn.Server):
    """Server that accepts connections a few at a time, while the system holds many."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(_BACKLOG)


def build_server(app: ServiceApp, queue: PageQueue) -> uvicorn.Server:
    """Return a server behind its gate."""
    gate = partial(Gate, queue)
    return _Server(server_config(app, stop_seconds=_STOP_SECONDS, backlog=_ACCEPTED, http=gate))


class _LogFormatter(logging.Formatter):
    """Format of the log: of an exception its kind and place, never its message."""

    def formatException(self, ei: Any) -> str:  # noqa: N802
        return fault_place(ei[1])


def run_service(
    setup: WorkSetup, *, host: str, port: int, workers: int, queue: int, token: str
) -> None:
    """Serve until SIGTERM or an interruption, finish requests in progress, and end.

    Parameters
    ----------
    host, port
        Address to listen on; port 0 for a free one.
    workers, queue
        Number of processes, and of further pages that may wait.
    token
        See :class:`ServiceApp`; any address except this machine's needs a token.
    """
    # Until uvicorn handles the signal, and again after it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    handler = logging.StreamHandler()
    handler.setFormatter(_LogFormatter("%(asctime)s %(levelname)s %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    _log.setLevel(logging.INFO)
    sys.setswitchinterval(_SWITCH_SECONDS)
    _raise_file_limit()
    # Workers never fork from this process: they would inherit its socket and log.
    start = partial(start_work, setup)
    pool = WorkerPool(start, workers, seconds=setup.seconds, attempts=_ATTEMPTS)
    with bind(host, port) as listener, closing(pool), suppress(KeyboardInterrupt):
        pages = PageQueue(pool, workers=workers, queue=queue)
        _log.info("listening at %s:%d", host, listener.getsockname()[1])
        hosts, network = host_headers(listener, *LOOPBACKS), setup.settings.network
        app = ServiceApp(pages, None if token else hosts, token=token, may_fetch=network)
        try:
            build_server(app, pages).run(sockets=[listener])
        finally:
            pool.close(is_forced=True)
            _log.info("stopped")
