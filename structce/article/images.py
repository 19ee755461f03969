"""Images of a page: an address that can be opened, and the alternative text."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from urllib.parse import quote

from structce.addresses import join_address, split_address
from structce.article.blocks import Image
from structce.page import Page
from structce.patterns import lazy_pattern

# The image that a script loads in place of a placeholder comes first.
_SINGLE = ("data-src", "data-lazy-src", "data-original", "src")
_SETS = ("data-srcset", "data-lazy-srcset", "srcset")
_SIZE = lazy_pattern(r"(\d{1,6}(?:\.\d{1,6})?)[wx](?:,(.*))?")
_PLAIN = lazy_pattern(  # a host or the root of the page's own, a path, a query and a fragment
    r"(https?://[a-z0-9.-]+(?=[/?#]|$)|(?=/(?!/)))"
    r"[A-Za-z0-9/._~%,:@!$&'()*+=-]*(?:\?[A-Za-z0-9/._~%,:@!$&'()*+=;?-]+)?"
    r"(?:#[A-Za-z0-9/._~%,:@!$&'()*+=;?-]+)?"
)
_ROOT = lazy_pattern(r"https?://[a-z0-9.-]+(?::[0-9]+)?(?=[/?#]|$)")
_UNSAFE = lazy_pattern('[\x00-\x20\x7f-\xa0<>"`\\\\{}|^\u2028\u2029\ud800-\udfff\ufffe\uffff]')


def image_of(page: Page, i: int) -> Image | None:
    """Return the image of a region of media: an ``img``, or the still of a ``video``.

    None for other media, and for an image without a safe address.
    """
    attributes = page.attributes[i]
    if page.tag[i] == "video":
        address = checked_address(attributes.get("poster", ""), page.url)
    elif page.tag[i] == "img":
        single = (checked_address(attributes[n], page.url) for n in _SINGLE if n in attributes)
        sets = (_largest(attributes[n], page.url) for n in _SETS if n in attributes)
        address = next(filter(None, chain(single, sets)), "")
    else:
        return None
    alt = " ".join((attributes.get("alt") or attributes.get("title") or "").split())
    return Image(address, alt, i) if address else None


def checked_address(address: str, base: str = "") -> str:
    """Return an address that is safe to write into a document; an empty string for any other.

    Safe are ``http`` and ``https``, and relative addresses if the address of the page is unknown.
    Characters that are not allowed in an address are percent-encoded.
    """
    if (plain := _PLAIN.fullmatch(address)) is not None:  # most are, and need not be taken apart
        if plain[1]:
            return address
        if (root := _ROOT.match(base)) is not None and "/." not in address:
            return root[0] + address
    if not address.strip():
        return ""
    whole = join_address(base, address.strip())
    scheme = split_address(whole).scheme.lower()
    is_safe = scheme in ("http", "https") or (not scheme and ":" not in whole.split("/")[0])
    if not whole or not is_safe:
        return ""
    return _UNSAFE.sub(lambda mark: quote(mark[0], safe="", errors="replace"), whole)


def safe_images(images: Iterable[Image]) -> list[tuple[str, str]]:
    """Return the addresses of images that are safe to write, each with its alternative text."""
    addresses = ((checked_address(image.address), image.alt) for image in images)
    return [(address, alt) for address, alt in addresses if address]


def _largest(candidates: str, base: str) -> str:
    sized: list[tuple[float, str]] = []
    address = ""
    for token in candidates.split():
        size = _SIZE.fullmatch(token) if address else None
        if address:
            sized.append((float(size[1]) if size else 1.0, address))
        address = (size[2] or "") if size else token
        if address.endswith(","):  # no size follows
            sized.append((1.0, address.rstrip(",")))
            address = ""
    sized += [(1.0, address)] if address else []
    ordered = sorted(sized, key=lambda row: -row[0])
    checked = (checked_address(address, base) for _, address in ordered)
    return next(filter(None, checked), "")
