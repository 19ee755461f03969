"""Guard against server-side request forgery: public addresses, and what the user named.

A page decides what is fetched for it, so it must not reach into the network of the reader:
neighbouring machines, the reader's own services, or what a cloud offers to its machines alone.
"""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from time import monotonic
from typing import Any, NamedTuple

import httpcore
import httpx

from structce.errors import RequestError, SourceError

Address = IPv4Address | IPv6Address

PORTS = frozenset({80, 443, 8080, 8443})
"""Ports of web servers, so that no page speaks to mail servers; that of the page is added."""


def _networks(blocks: str) -> tuple[IPv4Network | IPv6Network, ...]:
    return tuple(map(ip_network, blocks.split()))


_NOT_PUBLIC_4 = _networks(
    """
    0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
    192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24
    224.0.0.0/4 240.0.0.0/4 168.63.129.16/32
    """
)
"""IANA IPv4 special-purpose registry (RFC 6890), multicast, reserved addresses, and the services of
a cloud at an address that looks public (the last). What Python calls global differs by release."""

_PUBLIC_6 = ip_network("2000::/3")
_NOT_PUBLIC_6 = _networks("2001::/23 2001:db8::/32 2002::/16 3fff::/20")
"""IANA IPv6 special-purpose registry inside the global unicast addresses; with Teredo and 6to4,
tunnels that do not serve pages (RFC 7526)."""

_NAT64 = ip_network("64:ff9b::/96")  # an IPv4 address in its last four bytes (RFC 6052)
_NEVER = _networks(
    """
    169.254.0.0/16 100.100.100.200/32 168.63.129.16/32 192.0.0.192/32 fd00:ec2::254/128
    fd20:ce::254/128 fe80::/10 0.0.0.0/32 ::/128 224.0.0.0/4 255.255.255.255/32 ff00::/8
    """
)
"""Addresses that are refused even where private ones are allowed: link-local and similar addresses,
where clouds hand out credentials, and those that belong to no single machine."""

_MAX_TRIED = 4  # addresses of one host: two of each protocol as a rule


class AddressPolicy(NamedTuple):
    """Policy on the addresses that may be requested for one page or one data set."""

    base: httpx.URL  # address of the page or data set
    # Whether the user gave this address. If so, and its host is numeric or "localhost", this host
    # and port may be requested although they are not public.
    is_named: bool = False
    allow_private: bool = False  # addresses that are not public, except the dangerous ones
    https_only: bool = False

    def check(self, url: httpx.URL) -> None:
        """Raise SourceError if the form of an address is refused, before its host is looked up."""
        if self.https_only and url.scheme != "https":
            raise SourceError(f"leads to {url}; expected an address that begins with https://")
        if url.scheme not in ("http", "https"):
            scheme = url.scheme or "relative"
            raise SourceError(f"{scheme} address: only http and https are allowed")
        if url.userinfo:
            raise SourceError("the address contains a user name or a password")
        if not url.host:
            raise SourceError("the address names no host")
        port = port_of(url)
        if port not in PORTS | {port_of(self.base)}:
            expected = ", ".join(map(str, sorted(PORTS)))
            raise SourceError(f"{url.host}: port {port}; expected {expected} or the page's own")

    def allowed(self, host: str, port: int, addresses: Sequence[Address]) -> list[Address]:
        """Return the addresses of a host that may be requested; SourceError if there are none."""
        is_named = self.is_named and (host, port) == (self.base.host, port_of(self.base))
        private = self.allow_private or (is_named and _is_written_as_address(host))
        result = [a for a in addresses if is_public(a) or (private and not is_dangerous(a))]
        if not result:
            found = ", ".join(map(str, addresses)) or "no address"
            raise SourceError(f"{host} is at {found}, which is not a public address")
        return result


def _is_written_as_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return host == "localhost"
    return True


def is_public(address: Address) -> bool:
    """Return whether an address is public: the same machine for everybody."""
    if isinstance(address, IPv6Address) and (address in _NAT64 or address.ipv4_mapped):
        address = embedded_ipv4(address)
    if isinstance(address, IPv4Address):
        return not any(address in block for block in _NOT_PUBLIC_4)
    return address in _PUBLIC_6 and not any(address in block for block in _NOT_PUBLIC_6)


def is_dangerous(address: Address) -> bool:
    """Return whether an address is refused even if private ones are allowed."""
    inner = embedded_ipv4(address)
    return any(inner in block for block in _NEVER)


def embedded_ipv4(address: Address) -> Address:
    """Return the IPv4 address inside an IPv6 one (mapped, NAT64, 6to4, Teredo), or the address."""
    if isinstance(address, IPv4Address):
        return address
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    tunnel = address.teredo
    return address.ipv4_mapped or address.sixtofour or (tunnel[1] if tunnel else address)


def port_of(url: httpx.URL) -> int:
    """Return the port of an address; that of its scheme if it states none."""
    return url.port or (443 if url.scheme == "https" else 80)


class CheckedBackend(httpcore.NetworkBackend):
    """Network backend that resolves a host, checks its addresses, and connects to those alone.

    The host is not looked up a second time, so that it cannot change in between (DNS rebinding);
    TLS still checks its name. Several threads may use it, each for one request at a time.
    """

    def __init__(self, policy: AddressPolicy) -> None:
        self._policy = policy
        self._inner = httpcore.SyncBackend()
        self._thread = threading.local()

    @contextmanager
    def time_limit(self, seconds: float, step: float | None = None) -> Iterator[None]:
        """Set a time limit in seconds, in all and for each step, for this thread inside the block.

        Time limits of HTTP libraries apply between two pieces of an answer, so that a server that
        sends one byte per second could hold a reader for hours.
        """
        self._thread.limits = (monotonic() + seconds, seconds, step)
        try:
            yield
        finally:
            del self._thread.limits

    def seconds_left(self) -> float:
        """Return the seconds that the thread's next step may take; a timeout if none are left."""
        end, total, step = self._thread.limits
        left: float = end - monotonic()
        if left <= 0:
            raise httpcore.TimeoutException(f"no complete answer within {total:g} seconds")
        return left if step is None else min(left, step)

    @contextmanager
    def step(self) -> Iterator[float]:
        """Limit one step to its seconds; if they run out, the error names the limit."""
        seconds = self.seconds_left()
        try:
            yield seconds
        except httpcore.TimeoutException as error:
            _, total, step = self._thread.limits
            reason = f"nothing arrived within {step:g} seconds" if seconds == step else ""
            reason = reason or f"no complete answer within {total:g} seconds"
            raise httpcore.TimeoutException(reason) from error

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """Return a connection to the first address of a host that may be requested and answers."""
        resolved = resolve(host, port, self.seconds_left())
        addresses = self._policy.allowed(host, port, resolved)[:_MAX_TRIED]
        failure: Exception = httpcore.ConnectError()
        for n_left, address in zip(range(len(addresses), 0, -1), addresses, strict=True):
            try:
                with self.step() as seconds:
                    stream = self._inner.connect_tcp(
                        str(address), port, seconds / n_left, local_address, socket_options
                    )
            except (httpcore.ConnectError, httpcore.TimeoutException) as error:
                failure = error
            else:
                return _TimedStream(stream, self)
        raise failure


class _TimedStream(httpcore.NetworkStream):
    """Connection with the time limit of the thread that uses it."""

    def __init__(self, inner: httpcore.NetworkStream, backend: CheckedBackend) -> None:
        self._inner = inner
        self._backend = backend

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        with self._backend.step() as seconds:
            return self._inner.read(max_bytes, seconds)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        with self._backend.step() as seconds:
            self._inner.write(buffer, seconds)

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        with self._backend.step() as seconds:
            inner = self._inner.start_tls(ssl_context, server_hostname, seconds)
        return _TimedStream(inner, self._backend)

    def close(self) -> None:
        self._inner.close()

    def get_extra_info(self, info: str) -> Any:  # as httpcore declares it
        return self._inner.get_extra_info(info)


def resolve(host: str, port: int, seconds: float) -> list[Address]:
    """Return the addresses of a host, each once, in the order of the system.

    RequestError if there is no such host, or the lookup takes too long.
    """
    # The system's resolver has no time limit: it runs in a thread that may be left behind.
    future: Future[list[tuple[Any, ...]]] = Future()

    def look_up() -> None:
        try:
            future.set_result(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError, ValueError) as error:
            future.set_exception(error)

    threading.Thread(target=look_up, daemon=True).start()
    try:
        rows = future.result(timeout=seconds)
    except TimeoutError as error:
        raise RequestError(f"{host}: its address was not found in time") from error
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise RequestError(f"{host}: {reason}") from error
    return [ip_address(name) for name in dict.fromkeys(row[4][0] for row in rows)]
