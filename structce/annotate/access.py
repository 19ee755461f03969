"""Access to the labelling page: who may send requests, and from where.

A session begins with a link that contains a secret token, or with a name and the password; the
browser then keeps a cookie that no script can read and no request of another site carries. Besides,
a request must name this host, and come from this page: see :meth:`Access.refusal`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from structce.runtime import foreign_request, is_same_secret, new_token

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
class Access:
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
        """Return why a request is refused, regardless of its sender; empty if it is not.

        Parameters
        ----------
        headers
            Headers by name in lower case.
        """
        if reason := foreign_request(method, headers, hosts=self.hosts):
            return reason
        if method != "GET" and headers.get(HEADER) is None:
            return f"the header {HEADER} is missing"
        return ""
