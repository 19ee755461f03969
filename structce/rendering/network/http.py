"""HTTP clients of the package: ``GET`` requests to checked addresses, redirects included.

They send no cookies and no referrer, and ignore proxies of the environment, behind which addresses
cannot be checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.client import responses
from time import perf_counter
from urllib.parse import urlsplit

import httpcore
import httpx

from structce.errors import RequestError, SourceError
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

_MAX_CONNECTIONS = 20  # of one client: a page requests its files in parallel
_KEEP_ALIVE = 5.0  # seconds that a connection is kept for the next file of the page
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_AGENT = ("User-Agent", f"structce/{__version__}")


@dataclass(frozen=True)
class StreamedResponse:
    """Response whose body is still to be read."""

    url: httpx.URL  # requested address
    status: int
    headers: Mapping[str, str]  # names in lower case
    body: Iterator[bytes]  # still compressed if content-encoding says so

    @property
    def redirect(self) -> httpx.URL | None:
        """Address that the response redirects to; None if it does not."""
        location = self.headers.get("location")
        if self.status not in _REDIRECTS or not location:
            return None
        with source_errors():
            return self.url.join(location).copy_with(fragment=None)


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

    @property
    def close(self) -> Callable[[], None]:
        """Function that closes all connections without keeping the client alive."""
        return self._pool.close

    @contextmanager
    def get(
        self,
        address: str,
        headers: Sequence[tuple[str, str]] = (),
        *,
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
                with source_errors():
                    self._policy.check(url)
                before_request()
                with self._stream(url, headers) as response:
                    target = response.redirect
                    if target is None:
                        yield response
                        return
                url = target
        raise SourceError(f"more than {MAX_REDIRECTS} redirects")

    @contextmanager
    def _stream(
        self, url: httpx.URL, headers: Sequence[tuple[str, str]]
    ) -> Iterator[StreamedResponse]:
        with ExitStack() as opened:
            with source_errors():
                target = httpcore.URL(
                    scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
                )
                fields = [("Host", url.netloc.decode("ascii")), _AGENT, ("Accept", "*/*"), *headers]
                limits = {"timeout": {"pool": self._backend.seconds_left()}}
                response = opened.enter_context(
                    self._pool.stream("GET", target, headers=fields, extensions=limits)
                )
            body = _pieces(response)
            yield StreamedResponse(url, response.status, _header_values(response), body)


@dataclass(frozen=True)
class ProxyAnswer:
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
        fields = [_AGENT, ("Accept", "text/html, */*;q=0.5"), ("Accept-Encoding", "identity")]
        with (
            source_errors(),
            self._backend.time_limit(seconds),
            self._pool.stream("GET", address, headers=fields, extensions=limits) as response,
        ):
            headers = _header_values(response)
            if response.status != 200:
                raise RequestError(f"HTTP {describe_status(response.status)}")
            packing = headers.get("content-encoding", "identity").strip().lower()
            if packing != "identity":
                raise SourceError(f"compressed as {packing!r}, which was not requested")
            data = bytearray()
            for piece in response.iter_stream():
                data += piece
                if len(data) > max_bytes:
                    raise SourceError(f"over {max_bytes:,} bytes, which is the limit")
        return ProxyAnswer(bytes(data), headers.get("content-type", ""), perf_counter())


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
