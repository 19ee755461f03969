"""Images of a page: the address that a reader can open, and the text in place of the image."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote

from structce.addresses import join_address, split_address
from structce.article.values import Image
from structce.page import Page

# What scripts load in place of a placeholder goes first.
_SINGLE = ("data-src", "data-lazy-src", "data-original", "src")
_SETS = ("data-srcset", "data-lazy-srcset", "srcset")
_SIZE = re.compile(r"(\d{1,6}(?:\.\d{1,6})?)[wx](?:,(.*))?")
_UNSAFE = re.compile('[\x00-\x20\x7f-\xa0<>"`\\\\{}|^\u2028\u2029\ud800-\udfff\ufffe\uffff]')


def image_of(page: Page, i: int) -> Image | None:
    """Return the image of a region of media: an ``img``, or the still of a ``video``.

    None for other media, and for an image without an address that may be opened.
    """
    stated = page.attributes[i]
    if page.tag[i] == "video":
        address = checked_address(stated.get("poster", ""), page.url)
    elif page.tag[i] == "img":
        address = _image_address(stated, page.url)
    else:
        return None
    alt = " ".join((stated.get("alt") or stated.get("title") or "").split())
    return Image(address, alt, i) if address else None


def checked_address(address: str, base: str = "") -> str:
    """Return an address that is safe to write into a document; an empty string for any other.

    Only ``http`` and ``https`` are, and addresses relative to a page whose own is not known.
    Characters that no address holds are written as their percent codes.
    """
    if not address.strip():
        return ""
    whole = join_address(base, address.strip())
    scheme = split_address(whole).scheme.lower()
    if (
        not whole
        or scheme not in ("http", "https", "")
        or (not scheme and ":" in whole.split("/")[0])
    ):
        return ""
    return _UNSAFE.sub(lambda mark: quote(mark[0], safe="", errors="replace"), whole)


def _image_address(stated: Mapping[str, str], base: str) -> str:
    for name in _SINGLE:
        if address := checked_address(stated.get(name, ""), base):
            return address
    for name in _SETS:
        if address := _largest(stated.get(name, ""), base):
            return address
    return ""


def _largest(candidates: str, base: str) -> str:
    """Return the address of the largest image in a ``srcset`` that may be opened."""
    found: list[tuple[float, str]] = []
    address = ""
    for token in candidates.split():
        size = _SIZE.fullmatch(token) if address else None
        if address:
            found.append((float(size[1]) if size else 1.0, address))
        address = (size[2] or "") if size else token
        if address.endswith(","):  # it has no size
            found.append((1.0, address.rstrip(",")))
            address = ""
    found += [(1.0, address)] if address else []
    ordered = sorted(found, key=lambda row: -row[0])
    checked = (checked_address(address, base) for _, address in ordered)
    return next(filter(None, checked), "")
