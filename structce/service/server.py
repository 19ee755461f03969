"""Server of the service: its gate before uvicorn, its workers, and a shutdown that finishes work.

Imported when a server starts, since uvicorn is an extra.
"""

from __future__ import annotations

import asyncio
import math
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
from structce.service.app import LOOPBACKS, ServiceApp, ServiceOptions
from structce.service.observation import Metrics, log_as_json, log_event
from structce.service.queue import PageQueue
from structce.service.requests import ErrorAnswer
from structce.service.work import start_work
from structce.version import __version__

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

_LINGER_SECONDS = 2.0  # for which a refused client may go on sending
_MAX_HEAD = 65_536  # bytes, as h11 has it
_REFUSALS = 200  # per second, after so many at once: clients that ask again at once have to wait
_TURN_SECONDS = 0.2  # between refusals that are sent together
_MAX_DELAY = 4.0  # seconds that a refusal waits at most: clients give up after five or more
_MOST_FILES = 8_192  # that the process may open, connections included
_BACKLOG, _ACCEPTED = 2_048, 32  # connections that the system holds, and that one turn accepts
_MORE_REQUESTS = 16  # in progress beyond those with a slot: they ask for the state, or end
_SWITCH_SECONDS = 0.0005  # after which the event loop lets threads give workers their next page
_PAGES = b"POST /v1/"  # begin of all requests that need a slot
_HEAD_END = re.compile(rb"\n\r?\n")
_LENGTH = re.compile(rb"\ncontent-length: ?(\d{1,9})\r?\n", re.IGNORECASE)
_ATTEMPTS = 2  # processes for one page: one that was killed while idle costs no answer


class Door:
    """What all connections share: the queue, a buffer, and when to refuse the next request.

    Refusals are spread over time. Clients that ignore ``Retry-After`` and ask again at once would
    otherwise get as many as the event loop can write, and the workers no processor.
    """

    def __init__(self, queue: PageQueue) -> None:
        self.queue = queue
        self.buffer = bytearray(_MAX_HEAD)  # of what is received, until the gate has seen it
        self._next_refusal = 0.0

    def refusal_delay(self, now: float) -> float:
        """Return the seconds until the next refusal may be sent, and reserve it.

        Those that wait are sent together, at five times a second: each turn of the event loop costs
        a worker time.
        """
        self._next_refusal = max(self._next_refusal, now - 1) + 1 / _REFUSALS
        time = min(self._next_refusal, now + _MAX_DELAY)
        return 0.0 if time <= now else math.ceil(time / _TURN_SECONDS) * _TURN_SECONDS - now


class Gate(asyncio.BufferedProtocol):
    """Connection that waits for the head of a request, which uvicorn's protocol then gets.

    It is closed unless the head arrives in time. If all slots are taken, a request for one is
    refused unparsed, so that a server under load has time for its work.
    """

    def __init__(self, door: Door, **given: Any) -> None:
        self._door, self._given = door, given
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

    def get_buffer(self, sizehint: int) -> bytearray:
        """Return the buffer for what is received next."""
        return self._door.buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Refuse a request, or hand it on once its head is complete."""
        if self._is_refused:
            return
        self._head += bytes(memoryview(self._door.buffer)[:nbytes])
        end = _HEAD_END.search(self._head)
        if self._head.startswith(_PAGES) and self._is_full():
            length = _LENGTH.search(self._head)
            has_body = end and length and len(self._head) >= end.end() + int(length[1])
            self._is_refused, self._has_ended, self._head = True, bool(has_body), b""
            self._transport.pause_reading()
            delay = self._door.refusal_delay(self._loop.time())
            self._wait(delay, self._refuse)
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

    def _is_full(self) -> bool:
        queue = self._door.queue
        most = queue.workers + queue.queue + _MORE_REQUESTS
        return queue.n_free <= 0 or len(self._tasks) >= most

    def _refuse(self) -> None:
        """Answer 503, and read the rest of the body: closed before, the answer might be lost."""
        self._transport.write(refusal_bytes(self._door.queue))
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
        self.loop.call_later(BODY_SECONDS, self._end_without_body)

    def _end_without_body(self) -> None:
        if self.cycle.more_body:
            self.transport.close()


def refusal_bytes(queue: PageQueue) -> bytes:
    """Return the whole answer to a request that is refused unread, and count it."""
    answer = queue.refusal().answer
    queue.metrics.refusals.labels(answer.code).inc()
    queue.metrics.requests.labels("other", str(answer.status)).inc()
    return _response_bytes(answer)


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


def build_server(app: ServiceApp, queue: PageQueue, *, stop_seconds: int) -> uvicorn.Server:
    """Return a server, whose running requests have ``stop_seconds`` to finish when it ends."""
    gate = partial(Gate, Door(queue))
    return _Server(server_config(app, stop_seconds=stop_seconds, backlog=_ACCEPTED, http=gate))


def run_service(options: ServiceOptions) -> None:
    """Serve until SIGTERM or an interruption, finish requests in progress, and end."""
    # Until uvicorn handles the signal, and again after it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    log_as_json()
    sys.setswitchinterval(_SWITCH_SECONDS)
    _raise_file_limit()
    # Workers never fork from this process: they would inherit its socket and log.
    setup, workers = options.setup, options.workers
    start = partial(start_work, setup)
    pool = WorkerPool(start, workers, seconds=setup.seconds, attempts=_ATTEMPTS)
    with bind(options.host, options.port) as listener, closing(pool):
        queue = PageQueue(pool, Metrics(), workers=workers, queue=options.queue)
        log_event(
            "listening", host=options.host, port=listener.getsockname()[1], version=__version__,
            workers=workers, queue=options.queue, renderer=setup.renderer, model=setup.model_name,
            network=setup.settings.network, token=bool(options.token),
        )  # fmt: skip
        hosts = None if options.token else host_headers(listener, *LOOPBACKS)
        app = ServiceApp(queue, options, hosts)
        try:
            build_server(app, queue, stop_seconds=options.stop_seconds).run(sockets=[listener])
        except KeyboardInterrupt:
            log_event("interrupted")
        finally:
            pool.close(is_forced=True)
            log_event("stopped")
