"""Addresses of pages, split and joined without an error, whatever a page puts into them.

``urllib.parse`` raises ValueError for brackets in the name of a host and for characters that turn
into others under NFKC. Pages and archives hold such addresses, and one of them is no reason to lose
the page that it stands in.
"""

from __future__ import annotations

from urllib.parse import SplitResult, urljoin, urlsplit

_NOWHERE = SplitResult("", "", "", "", "")


def split_address(address: str) -> SplitResult:
    """Return the parts of an address; one that cannot be read has no part that holds anything.

    >>> split_address("http://[bad/page").hostname is None
    True
    """
    try:
        return urlsplit(address)
    except ValueError:
        return _NOWHERE


def join_address(base: str, address: str) -> str:
    """Return an address as it is meant on a page; empty where that is no address.

    >>> join_address("http://[bad/", "https://news.example/a")
    'https://news.example/a'
    """
    try:
        return urljoin(base, address)
    except ValueError:
        return address if split_address(address).netloc else ""


def without_fragment(address: str) -> str:
    """Return an address up to its first ``#``."""
    return address.partition("#")[0]
