"""Images of a page: the address that a reader can open, and the text in place of the image."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote, urljoin, urlsplit

from structce.article.values import Image
from structce.page import Page

# What scripts load in place of a placeholder goes first.
_SINGLE = ("data-src", "data-lazy-src", "data-original", "src")
_SETS = ("data-srcset", "data-lazy-srcset", "srcset")
_CANDIDATE = re.compile(r"(\S*[^\s,])(?:\s+([\d.]+)([wx]))?\s*(?:,\s+|,?$)")
_UNSAFE = re.compile("[\x00-\x20\x7f-\xa0<>\"`\\\\{}|^\u2028\u2029\ud800-\udfff\ufffe\uffff]")


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
    try:
        whole = urljoin(base, address.strip())
        scheme = urlsplit(whole).scheme.lower()
    except ValueError:
        return ""
    if scheme not in ("http", "https", "") or (not scheme and ":" in whole.split("/")[0]):
        return ""
    return _UNSAFE.sub(lambda mark: quote(mark[0], safe="", errors="replace"), whole)


def _image_address(stated: Mapping[str, str], base: str) -> str:
    single = [checked_address(stated.get(name, ""), base) for name in _SINGLE]
    lazy, own = next(filter(None, single[:-1]), ""), single[-1]
    several = next(filter(None, (_largest(stated.get(name, ""), base) for name in _SETS)), "")
    return lazy or own or several


def _largest(candidates: str, base: str) -> str:
    """Return the address of the largest image in a ``srcset``."""
    found = [
        (float(size) if re.fullmatch(r"\d+(?:\.\d+)?", size or "") else 1.0, address)
        for address, size, _ in _CANDIDATE.findall(candidates.strip())
    ]
    checked = [(size, whole) for size, one in found if (whole := checked_address(one, base))]
    return max(checked, key=lambda row: row[0], default=(0.0, ""))[1]
