"""Observation of requests: one log line and one count per request, and no traceback to clients."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from time import perf_counter
from typing import TYPE_CHECKING

from structce.service.errors import Failure
from structce.service.logs import LOGGER, RequestEntry, fault_place
from structce.service.metrics import Metrics

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

ENTRY = "structce.entry"
"""Key of a request's entry in its scope."""

FAULT = Failure(
    500, "internal_error", "an unexpected error occurred", "send it again later; the fault is ours"
)
_METHODS = frozenset("GET HEAD POST PUT PATCH DELETE OPTIONS".split())
_CLIENT_GONE = 499  # as other servers log a client that has gone


class Observed:
    """ASGI application around another, which observes requests and answers.

    Parameters
    ----------
    patience
        Seconds that a client may take to read one piece of an answer; then the answer ends.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics, *, patience: float) -> None:
        self._app = app
        self._metrics = metrics
        self._patience = patience

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start = perf_counter()
        entry = scope[ENTRY] = RequestEntry()
        status = 0
        fault = ""

        async def observed_send(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            entry.bytes_out += len(message.get("body", b""))
            async with asyncio.timeout(self._patience):
                await send(message)

        try:
            await self._app(scope, receive, observed_send)
        except ClientGoneError:
            status = _CLIENT_GONE
        except TimeoutError:  # from a client that does not read
            entry.code = entry.code or "client_too_slow"
        except Exception as error:  # no traceback leaves the server, no page enters its log
            fault, entry.code = fault_place(error), FAULT.code
        finally:
            self._note(scope, entry, status, perf_counter() - start, fault)

    def _note(
        self, scope: Scope, entry: RequestEntry, status: int, seconds: float, fault: str
    ) -> None:
        method = scope["method"] if scope["method"] in _METHODS else "OTHER"
        fields: dict[str, object] = {"event": "request", "method": method, "status": status}
        fields |= {"seconds": round(seconds, 4), **asdict(entry)}
        fields |= {"wait": round(entry.wait, 4), "work": round(entry.work, 4)}
        if fault:
            fields["fault"] = fault
        (LOGGER.error if fault else LOGGER.info)("request", extra={"fields": fields})
        self._metrics.count_request(entry.path, status)


class ClientGoneError(Exception):
    """A client has closed its connection before its answer was ready."""
