"""HTTP clients of the package, files of pages, downloads: ``GET`` requests to checked addresses.

They send no cookies and no referrer, and ignore proxies of the environment, behind which addresses
cannot be checked.
"""

from __future__ import annotations

import sys
import threading
import weakref
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from http.client import responses
from itertools import chain
from pathlib import Path
from time import perf_counter
from typing import NamedTuple, Self
from urllib.parse import urlsplit

import httpcore
import httpx
from tqdm import tqdm

from structce.errors import RequestError, SourceError
from structce.numbers import whole_number
from structce.rendering.base import Limits
from structce.rendering.document import MAX_PAGE_BYTES, Resource
from structce.rendering.network.ssrf_guard import AddressPolicy, CheckedBackend
from structce.version import __version__

MAX_ADDRESS = 8_000
"""Maximum length of an address in characters, which all servers support (RFC 9110, section 4.1)."""

MAX_REDIRECTS = 10  # maximum number of redirects from one address: half of what browsers follow
RULES = tuple(
    """
    content-security-policy x-content-type-options x-frame-options content-disposition
    referrer-policy permissions-policy cross-origin-opener-policy cross-origin-embedder-policy
    cross-origin-resource-policy
    """.split()
)
"""Headers that restrict what a browser does with a file; if one is repeated, all values apply."""

MAX_DOWNLOAD = 2_000_000_000  # bytes of the largest file, so that no disk is filled unnoticed
MAX_SECONDS = 7200.0  # for the download of one file
MAX_FAILURES = 1_000  # failures of one page that are kept with their reasons

_MAX_CONNECTIONS = 20  # of one client: a page requests its files in parallel
_KEEP_ALIVE = 5.0  # seconds that a connection is kept for the next file of the page
_DOWNLOAD_STEP = 60.0  # seconds without a byte after which a download counts as lost
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_AGENT = ("User-Agent", f"structce/{__version__}")
_PLAIN, _GZIP = ("Accept-Encoding", "identity"), ("Accept-Encoding", "gzip")
_PACKED = frozenset({"gzip", "x-gzip", "deflate"})
"""Encodings that unpack within a bound; with others, such as Brotli, a kilobyte could fill the
memory."""


Response = tuple[Resource, str]
"""Decompressed response of an address, and the final address after all redirects."""


class StreamedResponse(NamedTuple):
    """Response whose body is still to be read."""

    url: httpx.URL  # requested address
    status: int
    headers: Mapping[str, str]  # names in lower case
    body: Iterator[bytes]  # still compressed if content-encoding says so


class HttpClient:
    """Client of one page or one data set; may be used from several threads.

    The policy applies to every requested address and every redirect.
    """

    def __init__(self, policy: AddressPolicy) -> None:
        self._policy = policy
        self._backend = CheckedBackend(policy)
        self._pool = httpcore.ConnectionPool(
            ssl_context=httpx.create_ssl_context(),
            max_connections=_MAX_CONNECTIONS,
            keepalive_expiry=_KEEP_ALIVE,
            network_backend=self._backend,
        )
        self.close = self._pool.close  # does not keep the client alive

    @contextmanager
    def get(
        self,
        address: str,
        *headers: tuple[str, str],
        seconds: float,
        step: float | None = None,
        before_request: Callable[[], None] = lambda: None,
    ) -> Iterator[StreamedResponse]:
        """Open the response, after following all redirects.

        RequestError if no complete response arrives; the message does not repeat the address.
        SourceError if an address may not be requested, or there are too many redirects.

        ``seconds`` limit the time from the call to the last byte that is read inside the ``with``
        block, and ``step`` that of connecting or the next piece. ``before_request`` is called
        before each request, which it may stop by an error.
        """
        if len(address) > MAX_ADDRESS:
            raise SourceError(f"the address is longer than {MAX_ADDRESS:,} characters")
        with source_errors():
            url = httpx.URL(address).copy_with(fragment=None)
        with self._backend.time_limit(seconds, step):
            for _ in range(MAX_REDIRECTS + 1):
                with ExitStack() as opened:
                    with source_errors():
                        self._policy.check(url)
                    before_request()
                    with source_errors():
                        response = opened.enter_context(self._request(url, headers))
                        values = _header_values(response)
                        target = values.get("location")
                        if response.status in _REDIRECTS and target:
                            url = url.join(target).copy_with(fragment=None)
                            continue
                    yield StreamedResponse(url, response.status, values, _pieces(response))
                    return
        raise SourceError(f"more than {MAX_REDIRECTS} redirects")

    @contextmanager
    def _request(
        self, url: httpx.URL, headers: Sequence[tuple[str, str]]
    ) -> Iterator[httpcore.Response]:
        target = httpcore.URL(
            scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
        )
        fields = [("Host", url.netloc.decode("ascii")), _AGENT, ("Accept", "*/*"), *headers]
        limits = {"timeout": {"pool": self._backend.seconds_left()}}
        with self._pool.stream("GET", target, headers=fields, extensions=limits) as response:
            yield response


class ProxyAnswer(NamedTuple):
    """Answer of a proxy, and when its last byte arrived in seconds of :func:`time.perf_counter`."""

    data: bytes
    content_type: str
    received_at: float


class ProxyClient:
    """Client of an HTTP proxy that the user named; redirects are not followed.

    A proxy may have a public address, be ``localhost``, or be written as a numeric address.
    SourceError if ``proxy`` is not ``HOST:PORT``, or that with ``http://`` before it.
    """

    def __init__(self, proxy: str) -> None:
        address = proxy if "://" in proxy else f"http://{proxy}"
        try:
            url, port = httpx.URL(address), urlsplit(address).port  # httpx drops port 80
        except (httpx.InvalidURL, ValueError) as error:
            raise SourceError(f"{proxy}: not the address of a proxy: {error}") from error
        if url.scheme != "http" or not url.host or not port:
            raise SourceError(f"{proxy}: expected HOST:PORT of an HTTP proxy")
        policy = AddressPolicy(url, is_named=True)
        policy.check(url)
        self._backend = CheckedBackend(policy)
        self._pool = httpcore.HTTPProxy(
            proxy_url=str(url), max_keepalive_connections=0, network_backend=self._backend
        )
        self.close = self._pool.close

    def get(self, address: str, *, seconds: float, max_bytes: int) -> ProxyAnswer:
        """Return the answer of the proxy for an address of HTTP, within a time limit.

        RequestError if no complete answer arrives in time, or its status is not 200 OK. SourceError
        if the answer is too large, or compressed without being asked to.
        """
        limits = {"timeout": {"pool": seconds}}
        fields = [_AGENT, ("Accept", "text/html, */*;q=0.5"), _PLAIN]
        data = bytearray()
        with (
            source_errors(),
            self._backend.time_limit(seconds),
            self._pool.stream("GET", address, headers=fields, extensions=limits) as response,
        ):
            headers = _header_values(response)
            _check_status(response.status)
            content_encoding(headers)
            for piece in response.iter_stream():
                data += piece
                if len(data) > max_bytes:
                    raise SourceError(f"over {max_bytes:,} bytes, which is the limit")
        return ProxyAnswer(bytes(data), headers.get("content-type", ""), perf_counter())


class NetworkResources:
    """Files of one page from the network; each address is fetched once.

    Every connection and every redirect is checked: see
    :mod:`structce.rendering.network.ssrf_guard`. Files are returned with the status of the
    server, including 404; redirected ones as if they were at the requested address.

    All files share the limits on requests and bytes; the one on seconds is for each file. A page
    whose address the user gave, rather than a page or an archive, ``is_named``: it may be at one
    such as ``127.0.0.1:8000``, and its files at no other private host or port. ``allow_private``
    lets hosts of the user's own network be reached.
    """

    def __init__(
        self, base: str, *, limits: Limits, is_named: bool = False, allow_private: bool = False
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
            resource, url = self._response(self._requested, MAX_PAGE_BYTES)
            if not httpx.codes.is_success(resource.status):
                raise SourceError(describe_status(resource.status))
        except SourceError as error:
            raise SourceError(f"{self._requested}: {error}") from error
        self.base = url
        return resource, url

    def get(self, url: str) -> Resource | None:
        """Return the file at an absolute address, or None; ``failures`` then states the reason."""
        try:
            return self._response(url, self._limits.request_bytes)[0]
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
            if (waiting := self._responses.get(url)) is None:
                if not self._closing.alive:
                    raise SourceError("the page's connections are closed")
                _check("requests", len(self._responses) + 1, self._limits.requests)
                self._responses[url] = response = Future[Response]()
        if waiting is not None:
            return waiting.result()
        seconds, count = self._limits.request_seconds, self._count_request
        try:
            with self._client.get(url, _GZIP, seconds=seconds, before_request=count) as streamed:
                response.set_result(self._read(streamed, limit))
        except BaseException as error:  # raised in every thread that waits
            response.set_exception(error)
        return response.result()

    def _read(self, streamed: StreamedResponse, limit: int) -> Response:
        """Return a decompressed response; memory never exceeds the limit by much."""
        headers = streamed.headers
        is_packed = content_encoding(headers, _PACKED)
        unpacker = zlib.decompressobj(zlib.MAX_WBITS | 32) if is_packed else None
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
        return Resource(bytes(data), kind, streamed.status, rules), str(streamed.url)

    def _count_request(self) -> None:
        with self._lock:
            _check("requests", self._n_requests + 1, self._limits.requests)
            self._n_requests += 1


def _check(what: str, number: int, limit: int) -> None:
    if number > limit:
        raise SourceError(f"over {limit:,} {what}, which is the limit of a page's files")


@dataclass(frozen=True)
class DownloadLimits:
    """Limits of a download."""

    max_bytes: int = MAX_DOWNLOAD
    seconds: float = MAX_SECONDS  # from the first request to the last byte
    allows_http: bool = False  # unencrypted addresses, such as those of a server on this machine
    shows_bar: bool = True  # on standard error, if that is a terminal


def download(address: str, path: Path, limits: DownloadLimits, *, name: str = "") -> None:
    """Download an address to a file; after an error there is no file.

    ``name`` is shown beside the bar. SourceError if the server answers with an error or too large a
    file, or redirects to an address that may not be fetched.
    """
    try:
        with source_errors():
            url = httpx.URL(address)
        policy = AddressPolicy(url, is_named=True, https_only=not limits.allows_http)
        with (
            closing(HttpClient(policy)) as client,
            client.get(address, _PLAIN, seconds=limits.seconds, step=_DOWNLOAD_STEP) as response,
        ):
            _write(response, path, limits, name or path.name)
    except BaseException as error:
        path.unlink(missing_ok=True)
        if not isinstance(error, SourceError):
            raise
        next_step = "; run the same command again later, or fetch it with a browser"
        next_step = next_step if isinstance(error, RequestError) else ""
        raise SourceError(f"{address}: {error}{next_step}") from error


def _write(response: StreamedResponse, path: Path, limits: DownloadLimits, name: str) -> None:
    _check_status(response.status)
    content_encoding(response.headers)  # the digest is that of the bytes as published
    n_bytes, length = 0, whole_number(response.headers.get("content-length", "")) or 0
    is_hidden = None if limits.shows_bar else True
    with (
        path.open("wb") as file,
        tqdm(desc=name, total=length or None, unit="B", unit_scale=True, disable=is_hidden,
             file=sys.stderr) as bar,
    ):  # fmt: skip
        for piece in chain([b""], response.body):  # the stated length is checked first
            n_bytes += len(piece)
            if (least := max(n_bytes, length)) > limits.max_bytes:
                raise SourceError(f"{least:,} bytes or more; the limit is {limits.max_bytes:,}")
            file.write(piece)
            bar.update(len(piece))


def _header_values(response: httpcore.Response) -> dict[str, str]:
    """Return headers by their names in lower case; the last of a name counts, except of RULES."""
    values: dict[str, str] = {}
    for raw_name, raw_value in response.headers:
        name = raw_name.decode("latin-1").lower()
        value = raw_value.decode("utf-8", errors="replace")
        values[name] = f"{values[name]}, {value}" if name in values and name in RULES else value
    return values


def _pieces(response: httpcore.Response) -> Iterator[bytes]:
    with source_errors():
        yield from response.iter_stream()


def content_encoding(headers: Mapping[str, str], allowed: Collection[str] = ()) -> str:
    """Return the content encoding of a body, empty if none; SourceError if it is not allowed."""
    encoding = headers.get("content-encoding", "").strip().lower()
    if encoding not in ("", "identity", *allowed):
        raise SourceError(f"compressed as {encoding!r}, which was not requested")
    return "" if encoding == "identity" else encoding


def _check_status(status: int) -> None:
    if status != 200:
        raise RequestError(f"HTTP {describe_status(status)}")


def describe_status(status: int) -> str:
    """Return an HTTP status with its name, if it has one: ``404 Not Found``."""
    return f"{status} {responses.get(status, '')}".rstrip()


@contextmanager
def source_errors() -> Iterator[None]:
    """Translate network failures and malformed addresses into request errors."""
    try:
        yield
    except httpcore.TimeoutException as error:
        raise RequestError(str(error) or "no answer in time") from error
    except (httpcore.NetworkError, httpcore.ProtocolError, OSError) as error:
        raise RequestError(str(error) or type(error).__name__) from error
    except (httpx.InvalidURL, httpcore.UnsupportedProtocol, ValueError) as error:
        raise SourceError(f"not an address: {error or type(error).__name__}") from error
