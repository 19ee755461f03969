"""Connections to checked addresses only, all of one request within one time limit."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

import httpcore

from structce.rendering.network.reach import Reach, resolve

_MOST_TRIED = 4  # addresses of one host; our choice


class CheckedNetwork(httpcore.NetworkBackend):
    """Resolves a host, checks its addresses, and connects to what was checked.

    The host is not looked up a second time, so that it cannot point elsewhere meanwhile (DNS
    rebinding); for TLS it keeps its name. Used by several threads, one request at a time in each.
    """

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._inner = httpcore.SyncBackend()
        self._thread = threading.local()

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Give all that this thread asks of the network inside the block one time limit.

        Time limits of HTTP libraries hold between two pieces of an answer, so that a server which
        drips one byte a second keeps a reader for hours.
        """
        self._thread.end = monotonic() + seconds
        try:
            yield
        finally:
            del self._thread.end

    def left(self) -> float:
        """Return the seconds that this thread has left.

        Raises
        ------
        httpcore.TimeoutException
            If there are none.
        """
        seconds: float = self._thread.end - monotonic()
        if seconds <= 0:
            raise httpcore.TimeoutException
        return seconds

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """Return a connection to the first address of a host that may be asked and answers."""
        addresses = self._reach.among(host, port, resolve(host, port, self.left()))[:_MOST_TRIED]
        failure: Exception = httpcore.ConnectError()
        for n_tried, address in enumerate(addresses):
            seconds = self.left() / (len(addresses) - n_tried)
            try:
                stream = self._inner.connect_tcp(
                    str(address), port, seconds, local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
            else:
                return _TimedStream(stream, self)
        raise failure


class _TimedStream(httpcore.NetworkStream):
    """A connection whose every step ends when the time of the thread that uses it is over."""

    def __init__(self, inner: httpcore.NetworkStream, network: CheckedNetwork) -> None:
        self._inner = inner
        self._network = network

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, self._network.left())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, self._network.left())

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        inner = self._inner.start_tls(ssl_context, server_hostname, self._network.left())
        return _TimedStream(inner, self._network)

    def get_extra_info(self, info: str) -> Any:  # as httpcore declares it
        return self._inner.get_extra_info(info)
