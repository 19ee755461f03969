"""Application of the service: routes, access, limits, and answers as JSON, NDJSON and documents."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from structce.errors import SourceError
from structce.extraction import EXTRACTORS, load_extractors
from structce.extras import check_extras
from structce.io import json_line
from structce.rendering import MAX_PAGE_BYTES
from structce.runtime import HEADERS, LOOPBACK, foreign_request, is_same_secret, read_body
from structce.service.observation import ENTRY, ClientGoneError, RequestEntry, observed
from structce.service.openapi import openapi_document
from structce.service.queue import PageQueue, Slot
from structce.service.requests import (
    BATCHES,
    SINGLE,
    ErrorAnswer,
    PageTask,
    RequestReader,
    ServiceError,
    media_kind,
)
from structce.service.work import HTML, JSON, WorkSetup
from structce.version import __version__

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route
    from starlette.types import ASGIApp, Receive, Scope, Send

LOOPBACKS = (LOOPBACK, "localhost", "::1")
"""Addresses that only programs on this machine can reach."""

EXTRAS = ("starlette", "uvicorn", "prometheus_client")
"""Modules that the service requires."""

_NDJSON = "application/x-ndjson"  # lines of JSON

_PAGE_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-scripts"
)
"""Policy of HTML answers: they load nothing, and their script has no access to this server."""

_NODE_METHODS = ("readability-js", "defuddle")
"""Extractors that start a program per page, which the service never does."""

_NO_ROUTE = {
    404: ("not_found", "there is nothing at this path"),
    405: ("method_not_allowed", "this path needs another method"),
}

_Handler = Callable[["Request"], Awaitable["ASGIApp"]]
_T = TypeVar("_T")


@dataclass(frozen=True)
class ServiceOptions:
    """Options of a server.

    Parameters
    ----------
    host, port
        Address to listen on; port 0 for a free one.
    workers, queue
        Number of processes, and of further pages that may wait.
    token
        Secret that requests must contain, except those for the state of the server; required for
        any address except this machine's.
    origins
        Sites whose scripts may send requests (CORS).
    max_bytes
        Longest body of a request.
    stop_seconds
        Time for requests in progress to finish when the server is told to end.
    body_seconds, patience
        Times that a client may take to send the body, and to read a piece of an answer.
    """

    setup: WorkSetup = field(default_factory=WorkSetup)
    host: str = LOOPBACK
    port: int = 0
    workers: int = 1
    queue: int = 16
    token: str = ""
    origins: tuple[str, ...] = ()
    max_bytes: int = MAX_PAGE_BYTES
    stop_seconds: int = 30
    body_seconds: float = 30.0
    patience: float = 30.0


def build_app(queue: PageQueue, options: ServiceOptions, hosts: frozenset[str] | None) -> ASGIApp:
    """Return the service as an ASGI application, which starts and ends the queue's workers.

    ``hosts`` are the allowed values of the ``Host`` header; None for any, which is safe only with a
    token.
    """
    check_extras(EXTRAS, "the service", "serve")
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.middleware.cors import CORSMiddleware

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        queue.start()
        yield
        queue.stop()  # requests in progress have had their time

    app: ASGIApp = Starlette(
        routes=list(_Api(queue, options, hosts).routes()),
        lifespan=lifespan,
        exception_handlers={HTTPException: _answer_no_route, Exception: _answer_fault},
    )
    if options.origins:
        app = CORSMiddleware(
            app,
            allow_origins=options.origins,
            allow_methods=("GET", "POST"),
            allow_headers=("authorization", "content-type"),
            expose_headers=("retry-after",),
        )
    return observed(app, queue.metrics, patience=options.patience)


class _Api:
    """Handlers of all requests."""

    def __init__(
        self, queue: PageQueue, options: ServiceOptions, hosts: frozenset[str] | None
    ) -> None:
        self._queue, self._options, self._hosts = queue, options, hosts
        load_extractors()
        methods = sorted(set(EXTRACTORS) - {*_NODE_METHODS})
        self._reader = RequestReader(options.setup.settings.network, methods)
        self._description = json_line(openapi_document(methods)).encode()

    def routes(self) -> Iterator[Route]:
        """Yield the routes: those for the state of the server are open to all."""
        yield self._route("/health", "GET", self.health, is_open=True)
        yield self._route("/ready", "GET", self.ready, is_open=True)
        yield self._route("/v1/capacity", "GET", self.capacity)
        yield self._route("/metrics", "GET", self.metrics)
        yield self._route("/openapi.json", "GET", self.openapi)
        for task in SINGLE:
            yield self._route(f"/v1/{task}", "POST", partial(self.single, task))
        for task in BATCHES:
            yield self._route(f"/v1/{task}/batch", "POST", partial(self.batch, task))

    def _route(self, path: str, method: str, handler: _Handler, *, is_open: bool = False) -> Route:
        from starlette.routing import Route

        async def handle(request: Request) -> ASGIApp:
            entry = _entry(request)
            entry.path = path
            try:
                self._check_access(request, is_open=is_open)
                return await handler(request)
            except ServiceError as error:
                entry.code = error.answer.code
                self._queue.metrics.refusals.labels(entry.code).inc()
                return _error_response(error.answer, error.retry_after)

        return Route(path, handle, methods=[method])

    def _check_access(self, request: Request, *, is_open: bool) -> None:
        token, headers = self._options.token, request.headers
        reason = foreign_request(
            request.method, headers, hosts=self._hosts, origins=self._options.origins
        )
        if reason:
            step = "ask from the server's own address, or allow the site"
            raise ServiceError(403, "foreign_request", reason, step)
        kind, _, secret = headers.get("authorization", "").partition(" ")
        has_token = kind.lower() == "bearer" and is_same_secret(token, secret.strip())
        if token and not is_open and not has_token:
            step = "send Authorization: Bearer TOKEN"
            raise ServiceError(401, "no_token", "no token, or a wrong one", step)

    async def health(self, request: Request) -> Response:
        return _json_response({"status": "alive", "version": __version__})

    async def ready(self, request: Request) -> Response:
        """Answer whether the model is loaded and workers respond."""
        if self._queue.is_ready():
            return _json_response({"status": "ready"})
        reason = "the workers are not ready"
        raise ServiceError(503, "not_ready", reason, "ask again", retry_after=1)

    async def capacity(self, request: Request) -> Response:
        queue, setup, mean = self._queue, self._options.setup, self._queue.mean_seconds
        return _json_response(
            {
                "version": __version__,
                "renderer": setup.renderer,
                "model": setup.model_name,
                "workers": queue.workers,
                "queue": queue.queue,
                "in_flight": queue.n_in_flight,
                "waiting": queue.n_waiting,
                "free": queue.n_free,
                "mean_seconds": None if mean is None else round(mean, 4),
                "max_bytes": self._options.max_bytes,
                "network": setup.settings.network,
            }
        )

    async def metrics(self, request: Request) -> Response:
        return _response(*self._queue.metrics.text())

    async def openapi(self, request: Request) -> Response:
        return _response(self._description, JSON)

    async def single(self, task: str, request: Request) -> Response:
        """Answer a request about one page."""
        self._check_head(request)
        slot = self._queue.take_slot()
        try:
            body, content_type = await self._body(request), request.headers["content-type"]
            page_task = self._reader.single(task, body, content_type, request.url.query)
            answer = await _unless_gone(request, self._queue.answer(page_task, slot))
        finally:
            slot.release()
        _entry(request).add(answer)
        if answer.error is not None:
            return _error_response(answer.error)
        return _response(answer.body, answer.media_type)

    async def batch(self, task: str, request: Request) -> ASGIApp:
        """Answer a request about several pages: in their order, or as they finish."""
        if self._check_head(request) != "json":
            step = "Content-Type: application/json"
            raise ServiceError(415, "unsupported_media_type", "a batch is JSON", step)
        slot = self._queue.take_slot()
        is_stream = False
        try:
            items, is_stream = self._reader.batch(task, await self._body(request))
            results = self._results(items, slot, _entry(request))
            if is_stream:
                return partial(_stream, results, slot)
            by_number = dict(await _unless_gone(request, _listed(results)))
        finally:
            if not is_stream:
                slot.release()
        parts = b", ".join(by_number[number] for number in range(len(items)))
        return _response(b'{"results": [' + parts + b"]}", JSON)

    async def _results(
        self, items: Sequence[PageTask | ErrorAnswer], slot: Slot, entry: RequestEntry
    ) -> AsyncGenerator[tuple[int, bytes], None]:
        """Yield the number of each page of a batch, and its entry: its answer, or its error."""
        async with aclosing(self._queue.answers(items, slot)) as answers:
            async for number, answer in answers:
                entry.add(answer)
                head = f'{{"index": {number}, '.encode()
                if answer.error is not None:
                    yield number, head + json_line(answer.error.as_dict()).encode()[1:]
                else:
                    yield number, head + b'"result": ' + answer.body + b"}"

    def _check_head(self, request: Request) -> str:
        """Return the kind of a body, before any of it is read."""
        headers = request.headers
        if headers.get("content-encoding", "identity").lower() not in ("", "identity"):
            reason = "compressed bodies are not accepted"
            raise ServiceError(415, "unsupported_encoding", reason, "send it uncompressed")
        length = headers.get("content-length", "")
        if length.isascii() and length.isdecimal() and int(length[:20]) > self._options.max_bytes:
            raise self._too_large()
        return media_kind(headers.get("content-type", ""))

    async def _body(self, request: Request) -> bytes:
        from starlette.requests import ClientDisconnect

        try:
            async with asyncio.timeout(self._options.body_seconds):
                body = await read_body(request, self._options.max_bytes)
        except TimeoutError as error:
            reason = "the body did not arrive in time"
            raise ServiceError(408, "slow_body", reason, "send it again") from error
        except SourceError as error:
            raise self._too_large() from error
        except ClientDisconnect as error:
            raise ClientGoneError from error
        _entry(request).bytes_in = len(body)
        if not body:
            raise ServiceError(400, "no_body", "the body is empty", "send JSON, or a page of HTML")
        return body

    def _too_large(self) -> ServiceError:
        reason = f"the body is longer than {self._options.max_bytes:,} bytes"
        return ServiceError(413, "too_large", reason, "send a smaller page, or fewer of them")


def _entry(request: Request) -> RequestEntry:
    entry: RequestEntry = request.scope[ENTRY]
    return entry


async def _listed(results: AsyncGenerator[_T, None]) -> list[_T]:
    async with aclosing(results):
        return [result async for result in results]


async def _stream(
    results: AsyncGenerator[tuple[int, bytes], None],
    slot: Slot,
    scope: Scope,
    receive: Receive,
    send: Send,
) -> None:
    """Send entries as lines until all are sent or the client is gone, and release the slot."""
    from starlette.requests import Request

    headers = HEADERS | {"content-type": _NDJSON}
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    request = Request(scope, receive)
    try:
        await send({"type": "http.response.start", "status": 200, "headers": pairs})
        while (result := await _unless_gone(request, anext(results, None))) is not None:
            line = result[1] + b"\n"
            await send({"type": "http.response.body", "body": line, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
    finally:
        await results.aclose()
        slot.release()


async def _unless_gone(request: Request, work: Awaitable[_T]) -> _T:
    """Return the result of the work; give it up if the client does not wait for it."""
    task = asyncio.ensure_future(work)
    disconnect = asyncio.ensure_future(request.receive())
    try:
        await asyncio.wait((task, disconnect), return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise ClientGoneError
        return task.result()
    finally:
        for future in (task, disconnect):
            future.cancel()
        await asyncio.wait((task, disconnect))


def _response(body: bytes, media_type: str, status: int = 200) -> Response:
    from starlette.responses import Response

    headers = HEADERS | ({"content-security-policy": _PAGE_POLICY} if media_type == HTML else {})
    return Response(body, status, headers, media_type)


def _json_response(value: object, status: int = 200) -> Response:
    return _response(json_line(value).encode(), JSON, status)


def _error_response(error: ErrorAnswer, retry_after: int | None = None) -> Response:
    response = _json_response(error.as_dict(), error.status)
    if retry_after is not None:
        response.headers["retry-after"] = str(retry_after)
    if error.status == 401:
        response.headers["www-authenticate"] = "Bearer"
    return response


async def _answer_no_route(request: Request, error: Exception) -> Response:
    """Answer a request that no route accepts."""
    status = getattr(error, "status_code", 404)
    code, message = _NO_ROUTE.get(status, ("bad_request", "the request cannot be read"))
    _entry(request).code = code
    step = "see /openapi.json for all paths"
    response = _error_response(ErrorAnswer(status, code, message, step))
    response.headers.update(getattr(error, "headers", None) or {})
    return response


async def _answer_fault(request: Request, error: Exception) -> Response:
    """Answer after an unexpected error, whose details are in the log."""
    step = "send it again later; the fault is ours"
    answer = ErrorAnswer(500, "internal_error", "an unexpected error occurred", step)
    return _error_response(answer)
