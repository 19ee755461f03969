"""Split and join addresses (URLs) without raising, however malformed they are.

``urllib.parse`` raises ValueError for brackets in a host name and for characters that NFKC
normalisation changes. Pages and archives contain such addresses, and one of them is no reason to
lose the page that contains it.
"""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urljoin, urlsplit

from structce.patterns import lazy_pattern

_NOWHERE = SplitResult("", "", "", "", "")
_USER = lazy_pattern(r"(https?://)[^/\s@?#]++@", re.IGNORECASE)


def split_address(address: str) -> SplitResult:
    """Return the parts of an address; all parts are empty if it cannot be parsed."""
    try:
        return urlsplit(address)
    except ValueError:
        return _NOWHERE


def join_address(base: str, address: str) -> str:
    """Resolve an address against the base address of its page; empty if the result is not one."""
    try:
        return urljoin(base, address)
    except ValueError:
        return address if split_address(address).netloc else ""


def without_fragment(address: str) -> str:
    """Return an address without its fragment, that is, up to its first ``#``."""
    return address.partition("#")[0]


def without_password(text: str) -> str:
    """Return a text without the user names and passwords of the addresses in it."""
    return _USER.sub(r"\1***@", text)
