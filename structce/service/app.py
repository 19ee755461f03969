"""Application of the service: paths, access, limits, and answers as JSON, NDJSON and documents.

It is plain ASGI: a framework would cost a refusal more than the refusal itself.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, MutableMapping, Sequence
from contextlib import aclosing
from functools import partial
from typing import Any, TypeVar

from structce.errors import innermost_line
from structce.extraction import EXTRACTORS, load_extractors
from structce.io import json_line
from structce.rendering import MAX_PAGE_BYTES
from structce.runtime import HEADERS, LOOPBACK, foreign_request, is_same_secret
from structce.service.openapi import NDJSON, OPEN_PATHS, openapi_document
from structce.service.queue import PageQueue, Slot
from structce.service.requests import (
    BATCHES,
    REQUESTS,
    ErrorAnswer,
    PageTask,
    RequestReader,
    ServiceError,
)
from structce.service.work import JSON
from structce.version import __version__

LOOPBACKS = (LOOPBACK, "localhost", "::1")
"""Addresses that only programs on this machine can reach."""

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

_BODY_SECONDS = 30.0  # that a client may take to send the body
_PATIENCE = 30.0  # seconds that a client may take to read a piece of an answer
_CLIENT_GONE = 499  # as other servers count a client that has gone
_FAULT = ErrorAnswer(
    500, "internal_error", "an unexpected error occurred", "send it again later; the fault is ours"
)

_T = TypeVar("_T")
_log = logging.getLogger("structce.service")


class ClientGoneError(Exception):
    """A client has closed its connection before its answer was ready."""


class Exchange:
    """Request and its response; the status is 0 until a response begins."""

    def __init__(self, scope: Message, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self.method: str = scope["method"]
        # A final slash is ignored: a redirect would lead to http, past the TLS of a proxy.
        self.path = scope["path"].rstrip("/") or "/"
        self.headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        self.status = 0

    async def begin(self, status: int, media_type: str, **headers: str) -> None:
        """Send the head of the response."""
        self.status = status
        head = {**HEADERS, "content-type": media_type}
        head |= {name.replace("_", "-"): value for name, value in headers.items()}
        pairs = [(name.encode(), value.encode()) for name, value in head.items()]
        await self._send_timed({"type": "http.response.start", "status": status, "headers": pairs})

    async def write(self, data: bytes, *, is_last: bool = False) -> None:
        """Send a piece of the body; TimeoutError if the client does not read it in time."""
        message = {"type": "http.response.body", "body": data, "more_body": not is_last}
        await self._send_timed(message)

    async def _send_timed(self, message: Message) -> None:
        async with asyncio.timeout(_PATIENCE):
            await self._send(message)

    async def respond(self, data: bytes, media_type: str, status: int = 200, **head: str) -> None:
        """Send a whole response."""
        await self.begin(status, media_type, content_length=str(len(data)), **head)
        await self.write(data, is_last=True)

    async def respond_error(self, error: ErrorAnswer, **head: str) -> None:
        """Send an error."""
        if error.retry_after is not None:
            head["retry_after"] = str(error.retry_after)
        if error.status == 401:
            head["www_authenticate"] = "Bearer"
        await self.respond(json_line(error.as_dict()).encode(), JSON, error.status, **head)

    async def body(self) -> bytes:
        """Return the body of the request; refuse one that is slow, too long or empty."""
        data = bytearray()
        message: Message = {"more_body": True}
        try:
            async with asyncio.timeout(_BODY_SECONDS):
                while message.get("more_body"):
                    message = await self._receive()
                    if message["type"] == "http.disconnect":
                        raise ClientGoneError
                    data += message.get("body", b"")
                    if len(data) > MAX_PAGE_BYTES:
                        raise _too_large()
        except TimeoutError as error:
            reason = "the body did not arrive in time"
            raise ServiceError(408, "slow_body", reason, "send it again") from error
        if not data:
            raise ServiceError(400, "no_body", "the body is empty", "send JSON")
        return bytes(data)

    async def unless_gone(self, work: Awaitable[_T]) -> _T:
        """Return the result of the work; give it up if the client does not wait for it."""
        task = asyncio.ensure_future(work)
        disconnect = asyncio.ensure_future(self._receive())
        try:
            await asyncio.wait((task, disconnect), return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise ClientGoneError
            return task.result()
        finally:
            for future in (task, disconnect):
                future.cancel()
            await asyncio.wait((task, disconnect))


def _too_large() -> ServiceError:
    reason = f"the body is longer than {MAX_PAGE_BYTES:,} bytes"
    return ServiceError(413, "too_large", reason, "send a smaller page, or fewer of them")


class ServiceApp:
    """ASGI application, which starts and ends the queue's workers.

    Parameters
    ----------
    hosts
        Allowed values of the ``Host`` header; None for any, which is safe only with a token.
    token
        Secret that requests must contain, except those for the state of the server.
    may_fetch
        Whether pages may be given by address.
    """

    def __init__(
        self, queue: PageQueue, hosts: frozenset[str] | None, *, token: str = "",
        may_fetch: bool = False,
    ) -> None:  # fmt: skip
        self._queue, self._hosts, self._token = queue, hosts, token
        load_extractors()
        methods = sorted(EXTRACTORS)
        self._reader = RequestReader(may_fetch, methods)
        state = {"status": "alive", "version": __version__}
        self._routes: dict[str, tuple[str, Callable[[Exchange], Awaitable[None]]]] = {
            "/health": ("GET", partial(_send_json, state)),
            "/ready": ("GET", self._ready),
            "/metrics": ("GET", lambda exchange: exchange.respond(*queue.metrics.text())),
            "/openapi.json": ("GET", partial(_send_json, openapi_document(methods))),
            **{f"/v1/{task}": ("POST", partial(self._single, task)) for task in REQUESTS},
            **{f"/v1/{task}/batch": ("POST", partial(self._batch, task)) for task in BATCHES},
        }

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request, and count it."""
        if scope["type"] == "lifespan":
            await receive()
            self._queue.start()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            self._queue.stop()  # requests in progress have had their time
            await send({"type": "lifespan.shutdown.complete"})
            return
        exchange = Exchange(scope, receive, send)
        try:
            await self._answer(exchange)
        except ClientGoneError:
            exchange.status = _CLIENT_GONE
        except TimeoutError:  # of a client that does not read
            pass
        except Exception as error:  # no traceback leaves the server, no page enters its log
            _log.error("internal error: %s", fault_place(error))
            if not exchange.status:
                await exchange.respond_error(_FAULT)
        finally:
            path = exchange.path if exchange.path in self._routes else "other"  # may be a secret
            self._queue.metrics.requests.labels(path, str(exchange.status)).inc()

    async def _answer(self, exchange: Exchange) -> None:
        step = "see /openapi.json for all paths"
        expected, handler = self._routes.get(exchange.path, ("", None))
        if handler is None:
            error = ErrorAnswer(404, "not_found", "there is nothing at this path", step)
            await exchange.respond_error(error)
        elif exchange.method != expected and (exchange.method, expected) != ("HEAD", "GET"):
            error = ErrorAnswer(405, "method_not_allowed", "this path needs another method", step)
            await exchange.respond_error(error, allow=expected)
        else:
            try:
                self._check_access(exchange)
                await handler(exchange)
            except ServiceError as error:
                self._queue.metrics.refusals.labels(error.answer.code).inc()
                await exchange.respond_error(error.answer)

    def _check_access(self, exchange: Exchange) -> None:
        token, headers = self._token, exchange.headers
        if reason := foreign_request(exchange.method, headers, hosts=self._hosts):
            step = "ask from the server's own address"
            raise ServiceError(403, "foreign_request", reason, step)
        kind, _, secret = headers.get("authorization", "").partition(" ")
        has_token = kind.lower() == "bearer" and is_same_secret(token, secret.strip())
        if token and exchange.path not in OPEN_PATHS and not has_token:
            step = "send Authorization: Bearer TOKEN"
            raise ServiceError(401, "no_token", "no token, or a wrong one", step)

    async def _ready(self, exchange: Exchange) -> None:
        if not self._queue.is_ready():
            reason = "the workers are not ready"
            raise ServiceError(503, "not_ready", reason, "ask again", retry_after=1)
        await _send_json({"status": "ready"}, exchange)

    async def _single(self, task: str, exchange: Exchange) -> None:
        self._check_head(exchange)
        with self._queue.take_slot() as slot:
            body = await exchange.body()
            work = self._queue.answer(self._reader.single(task, body), slot)
            answer = await exchange.unless_gone(work)
        if answer.error is not None:
            await exchange.respond_error(answer.error)
        else:
            await exchange.respond(answer.body, answer.media_type)

    async def _batch(self, task: str, exchange: Exchange) -> None:
        """Answer a request about several pages: in their order, or as they finish."""
        self._check_head(exchange)
        with self._queue.take_slot() as slot:
            body = await exchange.body()
            items, is_stream = self._reader.batch(task, body)
            if is_stream:
                await exchange.begin(200, NDJSON)
            by_number: dict[int, bytes] = {}
            async with aclosing(self._results(items, slot)) as results:
                while result := await exchange.unless_gone(anext(results, None)):
                    if is_stream:
                        await exchange.write(result[1] + b"\n")
                    else:
                        by_number[result[0]] = result[1]
        if is_stream:
            await exchange.write(b"", is_last=True)
        else:
            parts = b", ".join(by_number[number] for number in range(len(items)))
            await exchange.respond(b'{"results": [' + parts + b"]}", JSON)

    async def _results(
        self, items: Sequence[PageTask | ErrorAnswer], slot: Slot
    ) -> AsyncGenerator[tuple[int, bytes], None]:
        """Yield the number of each page of a batch, and its entry: its answer, or its error."""
        async with aclosing(self._queue.answers(items, slot)) as answers:
            async for number, answer in answers:
                head = f'{{"index": {number}, '.encode()
                if answer.error is not None:
                    yield number, head + json_line(answer.error.as_dict()).encode()[1:]
                else:
                    yield number, head + b'"result": ' + answer.body + b"}"

    def _check_head(self, exchange: Exchange) -> None:
        """Refuse a body that is not JSON or too long, before any of it is read."""
        headers = exchange.headers
        if headers.get("content-encoding", "identity").lower() not in ("", "identity"):
            reason = "compressed bodies are not accepted"
            raise ServiceError(415, "unsupported_encoding", reason, "send it uncompressed")
        length = headers.get("content-length", "")
        if length.isascii() and length.isdecimal() and int(length[:20]) > MAX_PAGE_BYTES:
            raise _too_large()
        if headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
            reason, step = "the body is not declared as JSON", f"send Content-Type: {JSON}"
            raise ServiceError(415, "unsupported_media_type", reason, step)


async def _send_json(value: object, exchange: Exchange) -> None:
    await exchange.respond(json_line(value).encode(), JSON)


def fault_place(error: BaseException) -> str:
    """Return the kind of an exception and the innermost line of this package that it went through.

    Its message is left out, since it may repeat the content of a page.
    """
    line = innermost_line(error)
    return type(error).__name__ + (f" at {line[0]}:{line[1]}" if line else "")
