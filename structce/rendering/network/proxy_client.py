"""HTTP client that asks through one proxy: limited in time and size, redirects not followed."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from urllib.parse import urlsplit

import httpcore
import httpx

from structce.errors import RequestError, SourceError
from structce.rendering.network.http import describe_status, source_errors
from structce.rendering.network.ssrf_guard import AddressPolicy, CheckedBackend
from structce.version import __version__

_HEADERS = (
    ("User-Agent", f"structce/{__version__}"),
    ("Accept", "text/html, */*;q=0.5"),
    ("Accept-Encoding", "identity"),
)
_OK = 200


@dataclass(frozen=True)
class ProxyAnswer:
    """Answer of a proxy for an address.

    Parameters
    ----------
    content_type
        Content type in the header; empty without one.
    received_at
        Time at which the last byte arrived, in seconds of :func:`time.perf_counter`.
    """

    data: bytes
    content_type: str
    received_at: float


class ProxyClient:
    """Client of an HTTP proxy that the user named.

    A proxy may have a public address, be ``localhost``, or be written as a numeric address: the
    rule for every address that a user gives.

    Parameters
    ----------
    proxy
        ``HOST:PORT``, or its address with ``http://`` before it.

    Raises
    ------
    SourceError
        If it is not the address of a proxy.
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

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()

    def get(self, address: str, *, seconds: float, max_bytes: int) -> ProxyAnswer:
        """Return the answer of the proxy for an address of HTTP.

        Parameters
        ----------
        seconds
            Time limit from the call to the last byte.

        Raises
        ------
        RequestError
            If no complete answer arrives in time, or its status is not 200 OK.
        SourceError
            If the answer is too large, or compressed without being asked to.
        """
        with source_errors(), self._backend.time_limit(seconds):
            limits = {"timeout": {"pool": seconds}}
            with self._pool.stream("GET", address, headers=_HEADERS, extensions=limits) as response:
                headers = {
                    name.decode("latin-1").lower(): value.decode("latin-1")
                    for name, value in response.headers
                }
                if response.status != _OK:
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
