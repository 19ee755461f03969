"""One GET after another through one door: checked, limited, unpacked, recorded."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

import httpcore
import httpx

from structce.errors import SourceError
from structce.rendering.base import Limits
from structce.rendering.document import Resource
from structce.rendering.network.ssrf_guard import CheckedNetwork, Reach
from structce.version import __version__

MAX_ADDRESS = 8_000
"""Characters of an address; our choice, what servers take at least (RFC 9110, section 4.1)."""

MAX_REDIRECTS = 10
"""Redirects from one address; more are an error. Our choice, half of what browsers follow."""

_MOST_AT_ONCE = 20  # connections of one page; our choice
_IDLE = 5.0  # seconds that a connection is kept for the next file of the page; our choice
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_PACKED = frozenset({"gzip", "x-gzip", "deflate"})
_HEADERS = (
    ("User-Agent", f"structce/{__version__}"),
    ("Accept", "*/*"),
    # Others, such as Brotli, unpack without a bound: a kilobyte could fill the memory.
    ("Accept-Encoding", "gzip"),
)
_FAILURES = (
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.UnsupportedProtocol,
    httpx.InvalidURL,
    zlib.error,
    OSError,
    ValueError,
)
"""What goes wrong between two machines, and with addresses that are none."""


class Recorder(Protocol):
    """Keeps every answer as it came, so that a page can be shown again without the network."""

    def add(
        self,
        url: str,
        resource: Resource,
        *,
        headers: Mapping[str, str] | None = None,
        is_page: bool = True,
    ) -> None:
        """Keep the answer of an address; called from several threads at once.

        Parameters
        ----------
        headers
            ``Location`` of a redirect; None for everything else.
        is_page
            Whether it is the page itself, not a redirect to it or a file of it.
        """
        ...


class Answer(NamedTuple):
    """What an address gave.

    Parameters
    ----------
    data
        Unpacked.
    content_type
        As HTTP wrote it; empty where it did not.
    url
        Address behind all redirects.
    status
        Of HTTP.
    """

    data: bytes
    content_type: str
    url: str
    status: int = 200


class Fetcher:
    """Gets addresses for one page: only GET, without cookies, referrer and proxies.

    Parameters
    ----------
    reach
        Who may be asked.
    limits
        Of requests and bytes, which all addresses share, and of seconds, which each has.
    recorder
        Keeps every answer, also those that redirect.
    """

    def __init__(self, reach: Reach, limits: Limits, recorder: Recorder | None = None) -> None:
        self._reach = reach
        self._limits = limits
        self._recorder = recorder
        self._network = CheckedNetwork(reach)
        self._pool = httpcore.ConnectionPool(
            ssl_context=httpx.create_ssl_context(),
            max_connections=_MOST_AT_ONCE,
            keepalive_expiry=_IDLE,
            network_backend=self._network,
        )
        self._lock = threading.Lock()
        self._n_requests = self._n_bytes = 0

    @property
    def close(self) -> Callable[[], None]:
        """Closes all connections; a function that does not keep the fetcher alive."""
        return self._pool.close

    def fetch(self, url: str, most: int, *, is_page: bool = False) -> Answer:
        """Return the answer of an address, of at most so many bytes; redirects are followed.

        Raises
        ------
        SourceError
            For whatever reason there is none; the message does not repeat the address.
        """
        if len(url) > MAX_ADDRESS:
            raise SourceError(f"the address is longer than {MAX_ADDRESS:,} characters")
        seconds = self._limits.request_seconds
        try:
            with self._network.within(seconds):
                return self._follow(httpx.URL(url).copy_with(fragment=None), most, is_page)
        except httpcore.TimeoutException as error:
            raise SourceError(f"no whole answer within {seconds:g} seconds") from error
        except _FAILURES as error:
            raise SourceError(str(error) or type(error).__name__) from error

    def _follow(self, url: httpx.URL, most: int, is_page: bool) -> Answer:
        for _ in range(MAX_REDIRECTS + 1):
            self._reach.check(url)
            answer, location = self._exchange(url, most)
            target = None
            if answer.status in _REDIRECTS and location:
                target = url.join(location).copy_with(fragment=None)
            self._record(answer, target, is_page)
            if target is None:
                return answer
            url = target
        raise SourceError(f"more than {MAX_REDIRECTS} redirects")

    def _exchange(self, url: httpx.URL, most: int) -> tuple[Answer, str]:
        """Return the answer of an address, and where it leads on to."""
        self._count_request()
        target = httpcore.URL(
            scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
        )
        headers = [("Host", url.netloc.decode("ascii")), *_HEADERS]
        limits = {"timeout": {"pool": self._network.left()}}
        with self._pool.stream("GET", target, headers=headers, extensions=limits) as answer:
            fields = {name.lower(): value for name, value in answer.headers}
            packing = fields.get(b"content-encoding", b"").decode("latin-1").strip().lower()
            data = self._read(answer, packing, most)
            kind = fields.get(b"content-type", b"").decode("latin-1")
            location = fields.get(b"location", b"").decode("utf-8", errors="replace")
            return Answer(data, kind, str(url), answer.status), location

    def _read(self, answer: httpcore.Response, packing: str, most: int) -> bytes:
        """Return the body, unpacked, never holding much more than is allowed."""
        if packing not in _PACKED | {"", "identity"}:
            raise SourceError(f"packed as {packing!r}, which was not asked for")
        unpacker = zlib.decompressobj(zlib.MAX_WBITS | 32) if packing in _PACKED else None
        data, n_sent = bytearray(), 0
        for piece in answer.iter_stream():
            new = unpacker.decompress(piece, most + 1 - len(data)) if unpacker else piece
            data += new
            n_sent += len(piece)
            if max(len(data), n_sent) > most:
                raise SourceError(f"over {most:,} bytes, which is the limit of a file")
            self._count_bytes(max(len(new), len(piece)))
        if unpacker and n_sent and not unpacker.eof:
            raise SourceError("the packed answer breaks off")
        return bytes(data)

    def _record(self, answer: Answer, target: httpx.URL | None, is_page: bool) -> None:
        if self._recorder is None:
            return
        resource = Resource(answer.data, answer.content_type, answer.status)
        headers = None if target is None else {"Location": str(target)}
        is_page = is_page and is_success(answer.status)
        try:
            self._recorder.add(answer.url, resource, headers=headers, is_page=is_page)
        except (OSError, ValueError) as error:
            raise SourceError(f"the answer was not recorded: {error}") from error

    def _count_request(self) -> None:
        with self._lock:
            if self._n_requests >= self._limits.requests:
                raise too_many(self._limits)
            self._n_requests += 1

    def _count_bytes(self, n_new: int) -> None:
        with self._lock:
            self._n_bytes += n_new
            if self._n_bytes > self._limits.total_bytes:
                most = self._limits.total_bytes
                raise SourceError(f"over {most:,} bytes, which is the limit of a page's files")


def too_many(limits: Limits) -> SourceError:
    """Return the error for a page that asks too often."""
    return SourceError(f"over {limits.requests:,} requests, which is the limit of a page")


def is_success(status: int) -> bool:
    """Return whether a status of HTTP says that the answer is what was asked for."""
    return 200 <= status < 300
