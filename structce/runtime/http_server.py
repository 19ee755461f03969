"""Serving of ASGI applications: bound sockets, secrets, request bodies, refusal of requests.

Shared by the labelling page, the service and the proxy. Starlette and uvicorn are extras.
"""

from __future__ import annotations

import errno
import hmac
import secrets
import socket
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from structce.addresses import split_address
from structce.errors import SourceError

if TYPE_CHECKING:
    import uvicorn
    from starlette.requests import Request
    from starlette.types import ASGIApp

LOOPBACK = "127.0.0.1"
"""Address that only programs on this machine can reach."""

_HTTP_PORT = 80
_PORT_ERRORS = (errno.EADDRINUSE, errno.EACCES)  # all others are about the address

HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
"""Headers of every response: no content sniffing, no caching, nothing shared with other sites."""


def new_token() -> str:
    """Return a secret of 32 random bytes, as text that is safe in a URL."""
    return secrets.token_urlsafe(32)


def is_same_secret(first: str, second: str) -> bool:
    """Return whether two secrets are equal, in a time that does not reveal where they differ."""
    return hmac.compare_digest(first.encode(errors="replace"), second.encode(errors="replace"))


def host_headers(listener: socket.socket, *names: str) -> frozenset[str]:
    """Return the allowed ``Host`` headers of requests to these names of this machine."""
    port = listener.getsockname()[1]
    hosts = [f"[{name}]" if ":" in name else name for name in names]
    bare = hosts if port == _HTTP_PORT else []  # clients leave out the default port
    return frozenset([*bare, *(f"{host}:{port}" for host in hosts)])


def foreign_request(
    method: str, headers: Mapping[str, str], *, hosts: Collection[str] | None
) -> str:
    """Return why a request that a browser sends for another site is refused; empty if it is not.

    Headers are by lower-case name. ``hosts`` are allowed values of ``Host``, with port: another
    site's name can be made to resolve to this machine. None allows any, if each request has a
    secret that only we know.
    """
    host = headers.get("host", "")
    if hosts is not None and host not in hosts:
        return "the server does not answer at this address"
    origin = headers.get("origin")
    if origin is not None and split_address(origin).netloc != host:
        return "requests from other sites are refused"
    if headers.get("sec-fetch-site", "none") in ("cross-site", "same-site"):
        is_link = method == "GET" and headers.get("sec-fetch-mode") == "navigate"
        if not is_link or headers.get("sec-fetch-dest") != "document":
            return "requests from other sites are refused"
    return ""


def bind(host: str, port: int) -> socket.socket:
    """Return a bound socket, so that the port is known before the server starts.

    SourceError if the address is in use or does not belong to this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen()  # early clients then wait for the server instead of failing
    except OSError as error:
        listener.close()
        option = "--port" if error.errno in _PORT_ERRORS else "--host"
        raise SourceError(f"{host}:{port}: {error.strerror}; choose another {option}") from error
    return listener


def server_config(app: ASGIApp, *, stop_seconds: int, **others: Any) -> uvicorn.Config:
    """Return the settings of a server: its own log, HTTP alone, time for running requests to end.

    Further settings are those of uvicorn.
    """
    import uvicorn

    return uvicorn.Config(
        app, log_level="warning", log_config=None, access_log=False, server_header=False,
        ws="none", proxy_headers=False, timeout_graceful_shutdown=stop_seconds, **others,
    )  # fmt: skip


def serve(app: ASGIApp, listener: socket.socket, **others: Any) -> None:
    """Serve until interrupted; running requests then have seconds to finish.

    Further settings are those of uvicorn.
    """
    import uvicorn

    uvicorn.Server(server_config(app, stop_seconds=2, **others)).run(sockets=[listener])


async def read_body(request: Request, max_bytes: int) -> bytes:
    """Return a request's body; raise SourceError if it is too long."""
    data = bytearray()
    async for piece in request.stream():
        data += piece
        if len(data) > max_bytes:
            raise SourceError(f"the request is longer than {max_bytes:,} bytes")
    return bytes(data)
