"""Addresses of the web, written the same way by whoever wrote them."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

_DEFAULT_PORTS = (":80", ":443")


def is_url(name: str) -> bool:
    """Return whether a name is an address of the web."""
    return name.startswith(("http://", "https://"))


def address_key(url: str) -> str:
    """Return what two spellings of one address have in common; never raises.

    Without scheme, fragment, user, default port and percent-encoding: a browser spells an address
    in its own way, and a crawl that met a file at ``http`` has what a page asks for at ``https``.
    """
    try:
        parts = urlsplit(url.strip("<> \t\r\n"))  # Wget 1.x put addresses into angle brackets
    except ValueError:
        return url
    host = parts.netloc.rpartition("@")[2].lower()
    for port in _DEFAULT_PORTS:
        host = host.removesuffix(port)
    query = f"?{unquote(parts.query)}" if parts.query else ""
    return f"{host}{unquote(parts.path) or '/'}{query}"
