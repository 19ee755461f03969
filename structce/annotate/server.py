"""Server of the labelling page: Starlette routes over a session.

A session begins with a link that contains a secret token; the browser then keeps a cookie that no
script can read and no request of another site carries. Besides, a request must name this host, and
come from this page: see :meth:`AccessRules.refusal`.
"""

from __future__ import annotations

import errno
import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib import resources
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from structce.annotate.session import Session
from structce.annotate.workspace import StaleError
from structce.errors import StructceError
from structce.extras import check_extras
from structce.runtime import HEADERS, foreign_request, is_same_secret, new_token, read_body

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send

_TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}

HEADER = "x-structce"
"""Header that changing requests carry; a form of another site cannot send it."""

MAX_BODY = 4_000_000
"""Largest body of a request in bytes; labels of 20,000 regions take less."""

APP_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src "
    "'self'; frame-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
"""Content security policy of the labelling page itself."""

FRAME_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin"
)
"""Policy of the page in the frame: no script runs, nothing is loaded, no form is sent; the
labelling page around it may measure the positions of its texts."""

_Handler = Callable[["Request"], Awaitable["Response"]]
_Work = Callable[["Request", Any], object]
_Short = Annotated[str, msgspec.Meta(max_length=200)]


class _Act(msgspec.Struct, forbid_unknown_fields=True):
    action: _Short
    labels: dict[int, str] = {}
    base: int | None = None
    key: _Short = ""
    by: _Short = ""


class _Resolve(msgspec.Struct, forbid_unknown_fields=True):
    labels: dict[int, str]


def build_app(session: Session, access: AccessRules) -> ASGIApp:
    """Return the labelling page as an ASGI application."""
    check_extras(("starlette", "uvicorn"), "the labelling page", "annotate")
    from starlette.routing import Route, Router

    handlers: list[tuple[str, str, _Handler]] = [
        ("GET", "/", partial(_home, access)),
        ("GET", "/agreement", partial(_asset, name="agreement.html")),
        ("GET", "/app/{name}", _asset),
        ("GET", "/frame/{name}", partial(_frame, session)),
    ]
    for path, kind, work in _api(session):
        handlers.append(("POST" if kind else "GET", f"/api{path}", partial(_answer, kind, work)))
    routes = [Route(path, _guarded(work), methods=[method]) for method, path, work in handlers]
    router = Router(routes, redirect_slashes=False)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        """Check host, origin and session before anything else is looked at."""
        from starlette.requests import Request

        if scope["type"] != "http":
            return
        request = Request(scope)
        request.state.who = who = access.sessions.get(request.cookies.get(access.cookie, ""))
        path = request.url.path
        is_open = path == "/" or path.startswith("/app/")
        if reason := access.refusal(request.method, request.headers):
            await _json({"error": reason}, 403)(scope, receive, send)
        elif who is None and not is_open:
            reason = "sign in first: open the link that the command printed"
            await _json({"error": reason}, 401)(scope, receive, send)
        else:
            await router(scope, receive, send)

    return app


def _api(session: Session) -> Iterator[tuple[str, type[msgspec.Struct] | None, _Work]]:
    """Yield path, type of the body (None for queries) and work of each request of the page."""

    def of_page(function: Callable[..., object]) -> _Work:
        def work(request: Request, body: Any) -> object:
            name, who = request.path_params["name"], request.state.who
            return function(name, who, **msgspec.structs.asdict(body) if body else {})

        return work

    def queue(request: Request, _: object) -> object:
        order = request.query_params.get("order", session.order)
        return session.queue(request.state.who, order)

    yield "/start", None, lambda request, _: session.start(request.state.who)
    yield "/queue", None, queue
    yield "/progress", None, lambda *_: session.progress()
    yield "/agreement", None, lambda *_: session.agreement()
    yield "/pages/{name}", None, of_page(session.page)
    yield "/pages/{name}/state", None, of_page(session.state)
    yield "/pages/{name}/act", _Act, of_page(session.act)
    yield "/pages/{name}/resolve", _Resolve, of_page(session.resolve)


async def _answer(kind: type[msgspec.Struct] | None, work: _Work, request: Request) -> Response:
    from starlette.concurrency import run_in_threadpool

    body = None
    if kind is not None:
        body = msgspec.json.decode(await read_body(request, MAX_BODY), type=kind)
    return _json(await run_in_threadpool(work, request, body))


async def _frame(session: Session, request: Request) -> Response:
    from starlette.concurrency import run_in_threadpool
    from starlette.responses import HTMLResponse

    html = await run_in_threadpool(session.document, request.path_params["name"])
    headers = HEADERS | {"content-security-policy": FRAME_POLICY}
    return HTMLResponse(html.encode("utf-8", errors="replace"), headers=headers)


def _json(value: object, status: int = 200) -> Response:
    from starlette.responses import Response

    data = json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return Response(data, status, HEADERS, "application/json")


def _guarded(handler: _Handler) -> _Handler:
    """Return a handler that answers errors in JSON."""

    async def handle(request: Request) -> Response:
        try:
            return await handler(request)
        except StaleError as error:
            return _json({"error": str(error)}, 409)
        except (StructceError, msgspec.DecodeError, UnicodeDecodeError) as error:
            return _json({"error": str(error)}, 400)
        except OSError as error:
            reason = "the disk is full" if error.errno == errno.ENOSPC else str(error.strerror)
            return _json({"error": f"not saved: {reason}"}, 507)

    return handle


async def _home(access: AccessRules, request: Request) -> Response:
    token = request.query_params.get("token", "")
    names = (who for secret, who in access.tokens.items() if is_same_secret(secret, token))
    who = next(names, None)
    answer = _file("index.html" if who or request.state.who else "sign-in.html")
    if who is not None:  # the page takes the token out of its address
        access.begin(who, answer)
    return answer


async def _asset(request: Request, name: str = "") -> Response:
    return _file(name or request.path_params["name"])


def _file(name: str) -> Response:
    """Return a file of the labelling page; names are looked up, so they lead nowhere else."""
    from starlette.responses import Response

    files = {item.name: item for item in (resources.files(__package__) / "app").iterdir()}
    suffix = "." + name.rpartition(".")[2]
    if name not in files or suffix not in _TYPES:
        return _json({"error": "no such file"}, 404)
    headers = HEADERS | {"content-security-policy": APP_POLICY}
    return Response(files[name].read_bytes(), 200, headers, _TYPES[suffix])


@dataclass
class AccessRules:
    """Rules on who may send requests.

    ``hosts`` are the allowed values of the ``Host`` header, with port; ``tokens`` are annotators by
    the secret of their link. The ``cookie``, of which ``sessions`` has the annotator, has another
    name for each port, since the ports of a host share cookies.
    """

    hosts: frozenset[str]
    tokens: Mapping[str, str]
    cookie: str = "structce_session"
    sessions: dict[str, str] = field(default_factory=dict, repr=False)

    def begin(self, who: str, answer: Response) -> None:
        """Begin a session, and let the answer set its cookie."""
        session = new_token()
        self.sessions[session] = who
        answer.set_cookie(self.cookie, session, httponly=True, samesite="strict", path="/")

    def refusal(self, method: str, headers: Mapping[str, str]) -> str:
        """Return why a request is refused, whoever sent it; empty if it is not.

        The headers are given by their names in lower case.
        """
        if reason := foreign_request(method, headers, hosts=self.hosts):
            return reason
        return "" if method == "GET" or HEADER in headers else f"the header {HEADER} is missing"
