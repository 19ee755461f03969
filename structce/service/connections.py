"""Connections of the service: silent and slow ones are closed, refusals cost next to nothing.

Imported when a server starts, since uvicorn is an extra.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

from structce.extras import load_extra
from structce.io import json_line
from structce.runtime import HEADERS

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp
    from uvicorn.protocols.http.h11_impl import H11Protocol

    from structce.service.queue import PageQueue
else:
    H11Protocol = load_extra("uvicorn.protocols.http.h11_impl", "the service", "serve").H11Protocol

HEAD_SECONDS = 5.0
"""Time that a client may take to send the head of a request, from the connection's begin."""

BODY_SECONDS = 2.0
"""Time that a body may still take to arrive when the server is told to end."""

_LINGER_SECONDS = 2.0  # for which a refused client may go on sending
_MOST_FILES, _OTHER_FILES = 8_192, 256  # of the process; all others are connections
_MORE_REQUESTS = 16  # in progress beyond those with a slot: they ask for the state, or end
_PAGES = b"POST /v1/"  # begin of all requests that need a slot


class LimitedConnection(H11Protocol):
    """Connection that is closed unless the head of a request arrives in time.

    If all slots are taken, a request for one is refused before it is parsed, so that a server under
    load has time for its work. The oldest silent connection makes room for a new one.
    """

    def __init__(
        self, queue: PageQueue, silent: dict[LimitedConnection, None], most: int, **rest: Any
    ) -> None:
        super().__init__(**rest)
        self._queue = queue
        self._silent, self._most = silent, most  # in the order of their beginning
        self._timer: asyncio.TimerHandle | None = None
        self._is_refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._close_after(HEAD_SECONDS)
        if len(self._silent) > self._most:
            next(iter(self._silent)).transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Pass on what a client sent, or refuse it."""
        if self._is_refused:
            return
        is_new = self.cycle is None or self.cycle.response_complete
        if is_new and data.startswith(_PAGES) and self._is_full():
            self._refuse()
            return
        if is_new and self._timer is None:
            self._close_after(HEAD_SECONDS)
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_waiting()

    def shutdown(self) -> None:
        """End after the request in progress, which must be complete soon."""
        super().shutdown()
        if self.cycle is not None and self.cycle.more_body:
            self.loop.call_later(BODY_SECONDS, self._end_without_body)

    def _end_without_body(self) -> None:
        if self.cycle.more_body:
            self.transport.close()

    def _close_after(self, seconds: float) -> None:
        self._silent[self] = None
        self._timer = self.loop.call_later(seconds, self.transport.close)

    def _stop_waiting(self) -> None:
        self._silent.pop(self, None)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _is_full(self) -> bool:
        queue = self._queue
        most = queue.workers + queue.queue + _MORE_REQUESTS
        return queue.n_free <= 0 or len(self.tasks) >= most

    def _refuse(self) -> None:
        """Answer 503, and read on for a moment: closed at once, the answer might be lost."""
        self._stop_waiting()
        self._is_refused = True
        self.transport.write(refusal_bytes(self._queue))
        self.transport.write_eof()
        self._close_after(_LINGER_SECONDS)


def refusal_bytes(queue: PageQueue) -> bytes:
    """Return the whole answer to a request that is refused unread, and count it."""
    error = queue.refusal()
    metrics, code = queue.metrics, error.answer.code
    metrics.refusals.labels(code).inc()
    metrics.requests.labels("other", str(error.answer.status)).inc()
    body = json_line(error.answer.as_dict()).encode()
    headers = HEADERS | {"content-type": "application/json", "content-length": str(len(body))}
    headers |= {"retry-after": str(error.retry_after), "connection": "close"}
    lines = [f"{name}: {value}\r\n" for name, value in headers.items()]
    head = f"HTTP/1.1 {error.answer.status} Service Unavailable\r\n{''.join(lines)}\r\n"
    return head.encode() + body


def build_server(app: ASGIApp, queue: PageQueue, *, stop_seconds: int) -> uvicorn.Server:
    """Return a server, whose running requests have ``stop_seconds`` to finish when it ends."""
    import uvicorn  # late, as an extra

    most = max(_OTHER_FILES, _file_limit() - _OTHER_FILES - queue.workers - queue.queue)
    config = uvicorn.Config(
        app, log_level="warning", log_config=None, access_log=False, server_header=False,
        ws="none", proxy_headers=False, timeout_graceful_shutdown=stop_seconds,
        http=partial(LimitedConnection, queue, {}, most),  # type: ignore[arg-type]  # makes them
    )  # fmt: skip
    return uvicorn.Server(config)


def _file_limit() -> int:
    """Return how many files and connections this process may open, after raising the limit."""
    try:
        import resource
    except ImportError:  # Windows
        return _MOST_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return _MOST_FILES
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return wanted
