"""Application of the service: routes, access, limits, and answers as JSON, NDJSON and documents."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from structce.errors import SourceError
from structce.extras import check_extras
from structce.io import json_line
from structce.rendering import MAX_PAGE_BYTES
from structce.runtime import HEADERS, foreign_request, is_same_secret, read_body
from structce.service.dispatch import Dispatcher, Item, Place
from structce.service.errors import Failure, ServiceError
from structce.service.observation import ENTRY, FAULT, ClientGoneError, Metrics, Observed
from structce.service.openapi import openapi_document
from structce.service.requests import (
    BATCHES,
    SINGLE,
    BatchRequest,
    PageInput,
    RawPage,
    body_kind,
    check_options,
    options_of,
    page_of,
    read_json,
    read_query,
)
from structce.service.requests import Page as GivenPage
from structce.service.work import HTML, JSON, Answer, Job
from structce.version import __version__

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from structce.service.observation import RequestEntry

EXTRAS = ("starlette", "uvicorn", "prometheus_client")
"""Modules that the service requires."""

NDJSON = "application/x-ndjson"
"""Media type of lines of JSON."""

_PAGE_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-scripts"
)
"""Policy of HTML answers: they load nothing, and their script has no access to this server."""

_Handler = Callable[["Request"], Awaitable["ASGIApp"]]
_T = TypeVar("_T")


@dataclass(frozen=True)
class ServiceRules:
    """Rules on who may send requests, and for what.

    Parameters
    ----------
    token
        Secret that requests must contain, except those for the state of the server; empty for
        none.
    hosts
        Allowed values of the ``Host`` header; None for any, which is safe only with a token.
    origins
        Sites whose scripts may send requests (CORS).
    may_fetch
        Whether pages may be given by address.
    methods
        Extractors that requests may name.
    body_seconds, patience
        Times that a client may take to send the body, and to read a piece of an answer.
    """

    token: str = ""
    hosts: frozenset[str] | None = None
    origins: tuple[str, ...] = ()
    may_fetch: bool = False
    methods: Sequence[str] = ("regions",)
    max_bytes: int = MAX_PAGE_BYTES
    body_seconds: float = 30.0
    patience: float = 30.0
    renderer: str = "static"
    model: str = ""


def build_app(dispatcher: Dispatcher, rules: ServiceRules, metrics: Metrics) -> ASGIApp:
    """Return the service as an ASGI application, which starts and ends the dispatcher."""
    check_extras(EXTRAS, "the service", "serve")
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.middleware.cors import CORSMiddleware

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        dispatcher.start()
        yield
        dispatcher.stop(is_forced=True)  # requests in progress have had their time

    app: ASGIApp = Starlette(
        routes=_Api(dispatcher, rules, metrics).routes(),
        lifespan=lifespan,
        exception_handlers={HTTPException: _http_error, Exception: _fault},
    )
    if rules.origins:
        app = CORSMiddleware(
            app,
            allow_origins=rules.origins,
            allow_methods=("GET", "POST"),
            allow_headers=("authorization", "content-type"),
            expose_headers=("retry-after",),
        )
    return Observed(app, metrics, patience=rules.patience)


class _Api:
    """Handlers of all requests."""

    def __init__(self, dispatcher: Dispatcher, rules: ServiceRules, metrics: Metrics) -> None:
        self._dispatcher, self._rules, self._metrics = dispatcher, rules, metrics
        self._document = json_line(openapi_document(rules.methods)).encode()

    def routes(self) -> list[Route]:
        """Return the routes: those for the state of the server are open to all."""
        gets: dict[str, _Handler] = {
            "/v1/capacity": self.capacity,
            "/metrics": self.metrics,
            "/openapi.json": self.openapi,
        }
        posts: dict[str, _Handler] = {
            **{f"/v1/{task}": partial(self.single, task) for task in SINGLE},
            **{f"/v1/{task}/batch": partial(self.batch, task) for task in BATCHES},
        }
        return [
            self._route("/health", "GET", self.health, is_open=True),
            self._route("/ready", "GET", self.ready, is_open=True),
            *(self._route(path, "GET", handler) for path, handler in gets.items()),
            *(self._route(path, "POST", handler) for path, handler in posts.items()),
        ]

    def _route(self, path: str, method: str, handler: _Handler, *, is_open: bool = False) -> Route:
        from starlette.routing import Route

        async def handle(request: Request) -> ASGIApp:
            entry = _entry(request)
            entry.path = path
            try:
                self._check_access(request, is_open=is_open)
                return await handler(request)
            except ServiceError as error:
                entry.code = error.failure.code
                self._metrics.count_refusal(error.failure.code)
                return _failed(error.failure, error.retry_after)

        return Route(path, handle, methods=[method])

    def _check_access(self, request: Request, *, is_open: bool) -> None:
        rules = self._rules
        reason = foreign_request(
            request.method, request.headers, hosts=rules.hosts, origins=rules.origins
        )
        if reason:
            step = "ask from the server's own address, or allow the site"
            raise ServiceError(403, "foreign_request", reason, step)
        kind, _, secret = request.headers.get("authorization", "").partition(" ")
        is_known = kind.lower() == "bearer" and is_same_secret(rules.token, secret.strip())
        if rules.token and not is_open and not is_known:
            step = "send Authorization: Bearer TOKEN"
            raise ServiceError(401, "no_token", "no token, or a wrong one", step)

    async def health(self, request: Request) -> Response:
        return _json({"status": "alive", "version": __version__})

    async def ready(self, request: Request) -> Response:
        """Answer whether the model is loaded and workers respond."""
        if await self._dispatcher.is_ready():
            return _json({"status": "ready"})
        reason = "the workers are not ready"
        raise ServiceError(503, "not_ready", reason, "ask again", retry_after=1)

    async def capacity(self, request: Request) -> Response:
        dispatcher, mean = self._dispatcher, self._dispatcher.mean_seconds
        return _json(
            {
                "version": __version__,
                "renderer": self._rules.renderer,
                "model": self._rules.model,
                "workers": dispatcher.workers,
                "queue": dispatcher.queue,
                "in_flight": dispatcher.n_in_flight,
                "waiting": dispatcher.n_waiting,
                "free": dispatcher.workers + dispatcher.queue - dispatcher.n_taken,
                "mean_seconds": None if mean is None else round(mean, 4),
                "max_bytes": self._rules.max_bytes,
                "network": self._rules.may_fetch,
            }
        )

    async def metrics(self, request: Request) -> Response:
        return _response(*self._metrics.text())

    async def openapi(self, request: Request) -> Response:
        return _response(self._document, JSON)

    async def single(self, task: str, request: Request) -> Response:
        """Answer a request about one page."""
        kind = self._check_head(request)
        place = self._dispatcher.enter()
        try:
            job = self._job(task, kind, request, await self._body(request))
            answer = await _unless_gone(request.receive, self._dispatcher.work(job, place))
        finally:
            place.leave()
        _note(_entry(request), answer)
        if answer.failure is not None:
            return _failed(answer.failure)
        return _response(answer.body, answer.media_type)

    def _job(self, task: str, kind: str, request: Request, body: bytes) -> Job:
        if kind == "json":
            if request.url.query:
                reason = "options are in the address"
                raise ServiceError(400, "invalid_field", reason, "put them into the body")
            page_request = read_json(body, SINGLE[task])
            page: GivenPage = page_of(page_request, may_fetch=self._rules.may_fetch)
        else:
            page_request = read_query(request.url.query, SINGLE[task])
            if page_request.html is not None:
                step = "leave it out of the address"
                raise ServiceError(400, "invalid_field", "html is the body", step)
            page = RawPage(body, request.headers.get("content-type", ""), page_request.url or "")
        options = options_of(page_request)
        check_options(options, self._rules.methods, is_batch=False)
        return Job(task, page, options)

    async def batch(self, task: str, request: Request) -> ASGIApp:
        """Answer a request about several pages: in their order, or as they finish."""
        if self._check_head(request) != "json":
            step = "Content-Type: application/json"
            raise ServiceError(415, "unsupported_media_type", "a batch is JSON", step)
        place = self._dispatcher.enter()
        is_left_later = False
        try:
            batch = read_json(await self._body(request), BATCHES[task])
            items = self._items(task, batch)
            entry = _entry(request)
            if batch.stream:
                is_left_later = True
                return _Lines(self._lines(items, place, entry), place)
            answers = await _unless_gone(request.receive, self._dispatcher.work_all(items, place))
        finally:
            if not is_left_later:
                place.leave()
        for answer in answers:
            _note(entry, answer)
        results = (_result(number, answer) for number, answer in enumerate(answers))
        return _response(b'{"results": [' + b", ".join(results) + b"]}", JSON)

    def _items(self, task: str, batch: BatchRequest) -> list[Item]:
        options = options_of(batch)
        check_options(options, self._rules.methods, is_batch=True)
        return [self._item(partial(Job, task, options=options), page) for page in batch.pages]

    def _item(self, make: Callable[..., Job], page: PageInput) -> Item:
        try:
            return make(page=page_of(page, may_fetch=self._rules.may_fetch))
        except ServiceError as error:
            return error.failure

    async def _lines(
        self, items: Sequence[Item], place: Place, entry: RequestEntry
    ) -> AsyncGenerator[bytes, None]:
        async with aclosing(self._dispatcher.work_through(items, place)) as answers:
            async for number, answer in answers:
                _note(entry, answer)
                yield _result(number, answer) + b"\n"

    def _check_head(self, request: Request) -> str:
        """Return the kind of a body, before any of it is read."""
        headers = request.headers
        if headers.get("content-encoding", "identity").lower() not in ("", "identity"):
            reason = "compressed bodies are not accepted"
            raise ServiceError(415, "unsupported_encoding", reason, "send it uncompressed")
        length = headers.get("content-length", "")
        if length.isascii() and length.isdecimal() and int(length[:20]) > self._rules.max_bytes:
            raise self._too_large()
        return body_kind(headers.get("content-type", ""))

    async def _body(self, request: Request) -> bytes:
        from starlette.requests import ClientDisconnect

        try:
            async with asyncio.timeout(self._rules.body_seconds):
                body = await read_body(request, self._rules.max_bytes)
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
        limit = f"the body is longer than {self._rules.max_bytes:,} bytes"
        return ServiceError(413, "too_large", limit, "send a smaller page, or fewer of them")


def _entry(request: Request) -> RequestEntry:
    entry: RequestEntry = request.scope[ENTRY]
    return entry


def _note(entry: RequestEntry, answer: Answer) -> None:
    entry.pages += 1
    entry.work += answer.seconds
    entry.wait = max(entry.wait, answer.wait)
    if answer.failure is not None:
        entry.failed += 1
        entry.code = answer.failure.code


def _result(number: int, answer: Answer) -> bytes:
    """Return the entry of a page in a batch: its unchanged answer, or its error."""
    head = f'{{"index": {number}, '.encode()
    if answer.failure is not None:
        return head + json_line(answer.failure.as_dict()).encode()[1:]
    return head + b'"result": ' + answer.body + b"}"


class _Lines:
    """Streamed response of lines, which ends with its client and gives its slot back."""

    def __init__(self, lines: AsyncGenerator[bytes, None], place: Place) -> None:
        self._lines, self._place = lines, place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = HEADERS | {"content-type": NDJSON}
        pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
        part: Message = {"type": "http.response.body"}
        try:
            await send({"type": "http.response.start", "status": 200, "headers": pairs})
            while line := await _unless_gone(receive, anext(self._lines, b"")):
                await send({**part, "body": line, "more_body": True})
            await send({**part, "body": b""})
        finally:
            await self._lines.aclose()
            self._place.leave()


async def _unless_gone(receive: Receive, work: Awaitable[_T]) -> _T:
    """Return the result of the work; give it up if the client does not wait for it."""
    task = asyncio.ensure_future(work)
    disconnect = asyncio.ensure_future(receive())
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


def _json(value: object) -> Response:
    return _response(json_line(value).encode(), JSON)


def _failed(failure: Failure, retry_after: int | None = None) -> Response:
    answer = _response(json_line(failure.as_dict()).encode(), JSON, failure.status)
    if retry_after is not None:
        answer.headers["retry-after"] = str(retry_after)
    if failure.status == 401:
        answer.headers["www-authenticate"] = "Bearer"
    return answer


async def _http_error(request: Request, error: Exception) -> Response:
    """Answer a request that no route accepts."""
    status = getattr(error, "status_code", 404)
    codes = {404: "not_found", 405: "method_not_allowed"}
    words = {404: "there is nothing at this path", 405: "this path needs another method"}
    code = _entry(request).code = codes.get(status, "bad_request")
    message = words.get(status, "the request cannot be read")
    answer = _failed(Failure(status, code, message, "see /openapi.json for all paths"))
    answer.headers.update(getattr(error, "headers", None) or {})
    return answer


async def _fault(request: Request, error: Exception) -> Response:
    """Answer after an unexpected error, whose details are in the log."""
    return _failed(FAULT)
