"""Pages whose files may come from the network, because the user said so."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Self

import httpx

from structce.errors import SourceError
from structce.rendering.base import Limits, Settings, is_url
from structce.rendering.document import MAX_BYTES, Document, Resource, Resources, decode
from structce.rendering.network.http import (
    MAX_ADDRESS,
    Answer,
    Fetcher,
    Recorder,
    is_success,
    too_many,
)
from structce.rendering.network.ssrf_guard import Reach
from structce.rendering.sources import Source

__all__ = ["MAX_FAILURES", "Answer", "LiveResources", "Recorder"]

MAX_FAILURES = 1_000
"""Failures of one page that are kept with their reasons; all are counted. Our choice."""


class LiveResources:
    """The files of one page, from the network; each address is asked once.

    Only GET, without cookies, referrer and the environment's proxies (behind which nobody could
    tell who is asked). Every connection and every redirect is checked: see
    :mod:`structce.rendering.network.ssrf_guard`. Files are given with the status that the server
    gave, 404 included; those behind a redirect as if they stood at the address that was asked for.

    Parameters
    ----------
    base
        Address of the page.
    limits
        Of requests, bytes and seconds.
    recorder
        Keeps what came; without it nothing is kept. What it cannot keep is not given.
    is_named
        Whether the user gave ``base``; False where it was read from a page or an archive. Then a
        ``base`` at ``127.0.0.1:8000`` may be asked, but no other port or host like it.
    allow_private
        Whether hosts of the user's own network may be asked.

    Raises
    ------
    SourceError
        If ``base`` is no address.
    """

    def __init__(
        self,
        base: str,
        *,
        limits: Limits,
        recorder: Recorder | None = None,
        is_named: bool = False,
        allow_private: bool = False,
    ) -> None:
        try:
            reach = Reach(httpx.URL(base), is_named, allow_private)
        except (httpx.InvalidURL, ValueError) as error:
            raise SourceError(f"{base}: no address: {error}") from error
        self._asked = self._base = base
        self._limits = limits
        self._fetcher = Fetcher(reach, limits, recorder)
        self._lock = threading.Lock()
        self._known: dict[str, Future[Answer]] = {}
        self._failures: dict[str, str] = {}
        self._n_failures = 0
        # Whoever forgets to close it has its connections closed with it.
        self._closing = weakref.finalize(self, self._fetcher.close)

    @property
    def base(self) -> str:
        """Address of the page; after :meth:`page` that behind all redirects."""
        return self._base

    @property
    def failures(self) -> Mapping[str, str]:
        """Why files are not there, by address; the first ``MAX_FAILURES`` of them."""
        with self._lock:
            return dict(self._failures)

    @property
    def n_failures(self) -> int:
        """Number of requests that gave nothing."""
        return self._n_failures

    def page(self) -> Answer:
        """Return the page itself, through the same door as its files.

        Raises
        ------
        SourceError
            If it cannot be had, or the server answers with an error; the message names it.
        """
        try:
            answer = self._once(self._asked, MAX_BYTES, is_page=True)
        except SourceError as error:
            raise SourceError(f"{self._asked}: {error}") from error
        if not is_success(answer.status):
            raise SourceError(f"{self._asked}: {answer.status} {_phrase(answer.status)}".strip())
        self._base = answer.url
        return answer

    def get(self, url: str) -> Resource | None:
        """Return the file at an absolute address, or None; ``failures`` then tells the reason."""
        try:
            answer = self._once(url, self._limits.request_bytes)
        except SourceError as error:
            with self._lock:
                self._n_failures += 1
                if len(self._failures) < MAX_FAILURES:
                    self._failures[url[:MAX_ADDRESS]] = str(error)
            return None
        return Resource(answer.data, answer.content_type, answer.status)

    def close(self) -> None:
        """Close all connections; nothing is fetched any more, what was fetched stays."""
        self._closing()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _once(self, url: str, most: int, *, is_page: bool = False) -> Answer:
        """Return the answer of an address, waiting for whoever asks for it already."""
        with self._lock:
            answer = self._known.get(url)
            is_new = answer is None
            if answer is None:
                answer = self._new(url)
        if is_new:
            try:
                answer.set_result(self._fetcher.fetch(url, most, is_page=is_page))
            except BaseException as error:  # whoever waits must hear of it
                answer.set_exception(error)
        return answer.result()

    def _new(self, url: str) -> Future[Answer]:
        """Return the answer to come of an address that was not asked yet."""
        if not self._closing.alive:
            raise SourceError("the page's connections are closed")
        if len(self._known) >= self._limits.requests:
            raise too_many(self._limits)
        self._known[url] = answer = Future[Answer]()
        return answer


def _phrase(status: int) -> str:
    """Return what HTTP calls a status; empty for one that it does not know."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


@dataclass(frozen=True)
class Beside:
    """Files from one place, and from another where the first has none."""

    first: Resources
    second: Resources

    @property
    def base(self) -> str:
        """Address of the page, as the first place has it."""
        return self.first.base

    def get(self, url: str) -> Resource | None:
        """Return the file of the first place that has it."""
        return self.first.get(url) or self.second.get(url)


@dataclass(frozen=True)
class Network:
    """Reads sources such that their pages may ask the network for their files.

    Parameters
    ----------
    settings
        Of the renderer. Pages whose scripts run get no file of the folder or archive that they are
        in: a script that reads a file could tell the network what it holds.
    recorder
        Keeps all that came, so that the pages can be rendered again without the network.
    """

    settings: Settings
    recorder: Recorder | None = None

    def read(self, source: Source) -> Document:
        """Return the document of a source.

        A page from a file may ask for what its folder or archive does not hold, if its address is
        known.

        Raises
        ------
        SourceError
            As :meth:`Source.read`.
        """
        if is_url(source.name):
            live = LiveResources(
                source.name, limits=self.settings.limits, recorder=self.recorder, is_named=True
            )
            page = live.page()
            document = decode(
                page.data, name=source.name, url=page.url, content_type=page.content_type
            )
            return replace(document, resources=live)
        document = source.read()
        if not is_url(document.url):
            return document
        live = LiveResources(document.url, limits=self.settings.limits, recorder=self.recorder)
        local = document.resources
        if local is None or self.settings.scripts:
            return replace(document, resources=live)
        return replace(document, resources=Beside(local, live))
