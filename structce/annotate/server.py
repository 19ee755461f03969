"""Server of the labelling page: Starlette routes over a session.

A session begins with a link that contains a secret token, or with a name and the password; the
browser then keeps a cookie that no script can read and no request of another site carries. Besides,
a request must name this host, and come from this page: see :meth:`AccessRules.refusal`.
"""

from __future__ import annotations

import asyncio
import errno
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib import resources
from typing import TYPE_CHECKING, Any

import msgspec

from structce.annotate.session import Session
from structce.annotate.workspace import StaleError
from structce.errors import StructceError
from structce.extras import check_extras
from structce.runtime import HEADERS, foreign_request, is_same_secret, new_token, read_body

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

_TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}

_Handler = Callable[["Request"], Awaitable["Response"]]


class _Act(msgspec.Struct, forbid_unknown_fields=True):
    action: str
    labels: dict[int, str] = {}
    base: int | None = None
    key: str = ""
    by: str = ""


class _Resolve(msgspec.Struct, forbid_unknown_fields=True):
    labels: dict[int, str]


class _Alike(msgspec.Struct, forbid_unknown_fields=True):
    region: int
    label: str


def build_app(session: Session, access: AccessRules) -> Starlette:
    """Return the labelling page as an ASGI application."""
    check_extras(("starlette", "uvicorn"), "the labelling page", "annotate")
    from starlette.applications import Starlette
    from starlette.routing import Route

    gets: dict[str, _Handler] = {
        "/": _home(access),
        "/agreement": _agreement_page,
        "/frame/{name}": partial(_frame, session),
        **{path: partial(_answer_get, work) for path, work in _gets(session).items()},
    }
    posts = {
        path: partial(_answer_post, kind, work) for path, (kind, work) in _posts(session).items()
    }
    guarded = partial(_guarded, access)
    return Starlette(
        routes=[
            Route("/sign-in", guarded(_sign_in(access), is_open=True), methods=["POST"]),
            Route("/app/{name}", guarded(_asset, is_open=True)),
            *(Route(path, guarded(handler)) for path, handler in gets.items()),
            *(Route(path, guarded(handler), methods=["POST"]) for path, handler in posts.items()),
        ]
    )


def _gets(session: Session) -> dict[str, Callable[[Request], object]]:
    """Return the queries of the labelling page by path."""
    return {
        "/api/start": lambda request: session.start(request.state.who),
        "/api/queue": lambda request: session.queue(
            request.state.who, request.query_params.get("order", session.order)
        ),
        "/api/pages/{name}": lambda request: session.page(*_page_and_annotator(request)),
        "/api/pages/{name}/state": lambda request: session.state(*_page_and_annotator(request)),
        "/api/progress": lambda _: session.progress(),
        "/api/agreement": lambda _: session.agreement(),
    }


def _posts(
    session: Session,
) -> dict[str, tuple[type[msgspec.Struct], Callable[[Request, Any], object]]]:
    """Return the actions of the labelling page by path, each with the type of its body."""
    return {
        "/api/pages/{name}/act": (
            _Act,
            lambda request, body: session.act(
                *_page_and_annotator(request),
                body.action,
                body.labels,
                base=body.base,
                key=body.key,
                by=body.by,
            ),
        ),
        "/api/pages/{name}/alike": (
            _Alike,
            lambda request, body: session.label_alike(
                *_page_and_annotator(request), body.region, body.label
            ),
        ),
        "/api/pages/{name}/resolve": (
            _Resolve,
            lambda request, body: session.resolve(*_page_and_annotator(request), body.labels),
        ),
    }


def _page_and_annotator(request: Request) -> tuple[str, str]:
    return request.path_params["name"], request.state.who


async def _answer_get(work: Callable[[Request], object], request: Request) -> Response:
    from starlette.concurrency import run_in_threadpool

    return _json(await run_in_threadpool(work, request))


async def _answer_post(
    kind: type[msgspec.Struct], work: Callable[[Request, Any], object], request: Request
) -> Response:
    from starlette.concurrency import run_in_threadpool

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


def _guarded(access: AccessRules, handler: _Handler, *, is_open: bool = False) -> _Handler:
    """Return a handler that refuses unauthorised requests, and answers errors in JSON."""

    async def handle(request: Request) -> Response:
        if reason := access.refusal(request.method, request.headers):
            return _json({"error": reason}, 403)
        who = access.annotator(request.cookies.get(access.cookie, ""))
        request.state.who = who
        if who is None and not is_open and request.url.path != "/":
            return _json({"error": "sign in first: open the link that the command printed"}, 401)
        try:
            return await handler(request)
        except StaleError as error:
            return _json({"error": str(error)}, 409)
        except (StructceError, msgspec.DecodeError) as error:
            return _json({"error": str(error)}, 400)
        except OSError as error:
            reason = "the disk is full" if error.errno == errno.ENOSPC else str(error.strerror)
            return _json({"error": f"not saved: {reason}"}, 507)

    return handle


def _home(access: AccessRules) -> _Handler:
    async def home(request: Request) -> Response:
        session = access.sign_in(request.query_params.get("token", ""))
        answer = _file("index.html" if session or request.state.who else "sign-in.html")
        if session is not None:
            _set_cookie(access, answer, session)  # the page takes the token out of its address
        return answer

    return home


def _sign_in(access: AccessRules) -> _Handler:
    async def sign_in(request: Request) -> Response:
        body = msgspec.json.decode(await read_body(request, MAX_BODY), type=dict[str, str])
        session = access.sign_in_by_password(body.get("name", ""), body.get("password", ""))
        if session is None:
            await asyncio.sleep(access.delay)
            return _json({"error": "name or password is wrong"}, 403)
        answer = _json({"signed_in": True})
        _set_cookie(access, answer, session)
        return answer

    return sign_in


def _set_cookie(access: AccessRules, answer: Response, session: str) -> None:
    answer.set_cookie(access.cookie, session, httponly=True, samesite="strict", path="/")


async def _asset(request: Request) -> Response:
    return _file(request.path_params["name"])


async def _agreement_page(request: Request) -> Response:
    return _file("agreement.html")


def _file(name: str) -> Response:
    """Return a file of the labelling page; names are looked up, so they lead nowhere else."""
    from starlette.responses import Response

    files = {item.name: item for item in (resources.files(__package__) / "app").iterdir()}
    suffix = "." + name.rpartition(".")[2]
    if name not in files or suffix not in _TYPES:
        return _json({"error": "no such file"}, 404)
    headers = HEADERS | {"content-security-policy": APP_POLICY}
    return Response(files[name].read_bytes(), 200, headers, _TYPES[suffix])


HEADER = "x-structce"
"""Header that changing requests carry; a form of another site cannot send it."""

MAX_BODY = 4_000_000
"""Largest body of a request in bytes; labels of 20,000 regions take less."""

_NAME = re.compile(r"[\w][\w .@-]{0,39}")

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


def is_annotator_name(text: str) -> bool:
    """Return whether a text can be an annotator's name in a trail."""
    return _NAME.fullmatch(text) is not None and text == text.strip()


@dataclass
class AccessRules:
    """Rules on who may send requests.

    Parameters
    ----------
    hosts
        Allowed values of the ``Host`` header, with port.
    tokens
        Annotator by the secret token of their link.
    password
        Password with which anybody may sign in under a name; empty to allow nobody.
    cookie
        Name of the cookie: different for each port, since the ports of a host share cookies.
    delay
        Seconds before a wrong password is answered.
    """

    hosts: frozenset[str]
    tokens: Mapping[str, str]
    password: str = ""
    cookie: str = "structce_session"
    delay: float = 1.0
    _sessions: dict[str, str] = field(default_factory=dict, repr=False)

    def sign_in(self, token: str) -> str | None:
        """Return a new session for a link's token; None if it is wrong."""
        for secret, who in self.tokens.items():
            if is_same_secret(secret, token):
                return self._begin(who)
        return None

    def sign_in_by_password(self, who: str, password: str) -> str | None:
        """Return a new session for a name and the password; None if either is wrong."""
        right = is_same_secret(self.password, password)
        if not self.password or not right or not is_annotator_name(who):
            return None
        return self._begin(who)

    def _begin(self, who: str) -> str:
        session = new_token()
        self._sessions[session] = who
        return session

    def annotator(self, session: str) -> str | None:
        """Return the annotator of a session; None if it is unknown."""
        return self._sessions.get(session)

    def refusal(self, method: str, headers: Mapping[str, str]) -> str:
        """Return why a request is refused, whoever sent it; empty if it is not.

        The headers are given by their names in lower case.
        """
        if reason := foreign_request(method, headers, hosts=self.hosts):
            return reason
        if method != "GET" and headers.get(HEADER) is None:
            return f"the header {HEADER} is missing"
        return ""
