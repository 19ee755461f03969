"""Files of one page from the network: limited, decompressed, each fetched once."""

from __future__ import annotations

import threading
import weakref
import zlib
from collections.abc import Mapping
from concurrent.futures import Future
from typing import NamedTuple, Self

import httpx

from structce.errors import RequestError, SourceError
from structce.rendering.base import Limits
from structce.rendering.document import MAX_PAGE_BYTES, Resource
from structce.rendering.network.http import (
    MAX_ADDRESS,
    RULES,
    HttpClient,
    StreamedResponse,
    describe_status,
)
from structce.rendering.network.ssrf_guard import AddressPolicy

MAX_FAILURES = 1_000  # failures of one page that are kept with their reasons

_PACKED = frozenset({"gzip", "x-gzip", "deflate"})
"""Encodings that unpack within a bound; with others, such as Brotli, a kilobyte could fill the
memory."""


class Response(NamedTuple):
    """Response of an address: decompressed, with the final address after all redirects."""

    resource: Resource
    url: str


class NetworkResources:
    """Files of one page from the network; each address is fetched once.

    Every connection and every redirect is checked: see
    :mod:`structce.rendering.network.ssrf_guard`. Files are returned with the status of the
    server, including 404; redirected ones as if they were at the requested address.

    Parameters
    ----------
    limits
        Limits on requests and bytes, which all files share, and on the seconds of each file.
    is_named
        Whether the user gave the page's address, rather than a page or an archive. If so, one such
        as ``127.0.0.1:8000`` may be fetched, but no other private host or port.
    allow_private
        Whether hosts of the user's own network may be reached.
    """

    def __init__(
        self,
        base: str,
        *,
        limits: Limits,
        is_named: bool = False,
        allow_private: bool = False,
    ) -> None:
        try:
            policy = AddressPolicy(httpx.URL(base), is_named, allow_private)
        except (httpx.InvalidURL, ValueError) as error:
            raise SourceError(f"{base}: not an address: {error}") from error
        self.base = base  # after page(), the final one after all redirects
        self._requested = base
        self._limits = limits
        self._client = HttpClient(policy)
        self._lock = threading.Lock()
        self._responses: dict[str, Future[Response]] = {}
        self._failures: dict[str, str] = {}
        self._n_requests = self._n_bytes = 0
        # If it is not closed, its connections are closed when it is freed.
        self._closing = weakref.finalize(self, self._client.close)

    @property
    def failures(self) -> Mapping[str, str]:
        """Reasons why files are missing, by address; the first ``MAX_FAILURES`` of them."""
        with self._lock:
            return dict(self._failures)

    def page(self) -> Response:
        """Return the page itself, with the same checks as its files.

        SourceError if it cannot be fetched, or the server answers with an error.
        """
        try:
            response = self._response(self._requested, MAX_PAGE_BYTES)
            if not httpx.codes.is_success(response.resource.status):
                raise SourceError(describe_status(response.resource.status))
        except SourceError as error:
            raise SourceError(f"{self._requested}: {error}") from error
        self.base = response.url
        return response

    def get(self, url: str) -> Resource | None:
        """Return the file at an absolute address, or None; ``failures`` then states the reason."""
        try:
            return self._response(url, self._limits.request_bytes).resource
        except SourceError as error:
            with self._lock:
                if len(self._failures) < MAX_FAILURES:
                    self._failures[url[:MAX_ADDRESS]] = str(error)
            return None

    def close(self) -> None:
        """Close all connections; nothing more is fetched, and fetched files stay."""
        self._closing()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _response(self, url: str, limit: int) -> Response:
        """Return the response of an address, waiting for a request that is already in progress."""
        with self._lock:
            response = self._responses.get(url)
            is_new = response is None
            if response is None:
                if not self._closing.alive:
                    raise SourceError("the page's connections are closed")
                _check("requests", len(self._responses) + 1, self._limits.requests)
                self._responses[url] = response = Future[Response]()
        if is_new:
            try:
                response.set_result(self._fetch(url, limit))
            except BaseException as error:  # raised in every thread that waits
                response.set_exception(error)
        return response.result()

    def _fetch(self, url: str, limit: int) -> Response:
        """Return the response of an address, of limited size; redirects are followed."""
        with self._client.get(
            url,
            (("Accept-Encoding", "gzip"),),
            seconds=self._limits.request_seconds,
            before_request=self._count_request,
        ) as streamed:
            return self._read(streamed, limit)

    def _read(self, streamed: StreamedResponse, limit: int) -> Response:
        """Return a decompressed response; memory never exceeds the limit by much."""
        headers = streamed.headers
        packing = headers.get("content-encoding", "").strip().lower()
        if packing not in _PACKED | {"", "identity"}:
            raise SourceError(f"compressed as {packing!r}, which was not requested")
        unpacker = zlib.decompressobj(zlib.MAX_WBITS | 32) if packing in _PACKED else None
        data, n_sent = bytearray(), 0
        for piece in streamed.body:
            try:
                new = unpacker.decompress(piece, limit + 1 - len(data)) if unpacker else piece
            except zlib.error as error:
                raise SourceError(str(error)) from error
            data += new
            n_sent += len(piece)
            if max(len(data), n_sent) > limit:
                raise SourceError(f"over {limit:,} bytes, which is the limit of a file")
            with self._lock:
                self._n_bytes += max(len(new), len(piece))
                _check("bytes", self._n_bytes, self._limits.total_bytes)
        if unpacker and n_sent and not unpacker.eof:
            raise RequestError("the compressed answer is cut off")
        rules = tuple((name, headers[name]) for name in RULES if name in headers)
        kind = headers.get("content-type", "")
        return Response(Resource(bytes(data), kind, streamed.status, rules), str(streamed.url))

    def _count_request(self) -> None:
        with self._lock:
            _check("requests", self._n_requests + 1, self._limits.requests)
            self._n_requests += 1


def _check(what: str, number: int, limit: int) -> None:
    if number > limit:
        raise SourceError(f"over {limit:,} {what}, which is the limit of a page's files")
