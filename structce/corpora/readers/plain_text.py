"""What readers share whose gold is a text beside the page: encodings, names, the page's site."""

from __future__ import annotations

import codecs
import re
from collections import Counter

from selectolax.lexbor import LexborHTMLParser

from structce.files import Folder
from structce.site import site_of
from structce.text import normalise

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NO_ID = re.compile(r"[^A-Za-z0-9._-]+")


def decode_text(data: bytes) -> str:
    """Return the text of an annotator's file.

    The encoding is that of the byte order mark; else UTF-8 if the bytes are valid UTF-8; else
    Windows-1252, in which editors of Western Windows saved.
    """
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return data[len(bom) :].decode(encoding, errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def files_of(folder: Folder) -> list[Folder]:
    """Return the files and folders in a folder, in the order of their names."""
    files: list[Folder] = [*folder.iterdir()]
    return sorted(files, key=lambda file: file.name)


def lines_of(text: str) -> tuple[str, ...]:
    """Return the lines that hold a letter or digit, white space collapsed."""
    lines = (" ".join(line.split()) for line in text.splitlines())
    return tuple(line for line in lines if normalise(line))


def page_id(name: str) -> str:
    """Return a name with a hyphen for all that no page's id may have.

    >>> page_id("apple (10)")
    'apple-10'
    """
    return _NO_ID.sub("-", name).strip("-")


def stated_url(data: bytes) -> str:
    """Return the address that a page gives itself, ``canonical`` or ``og:url``; empty if none.

    Only an address with a host counts.
    """
    tree = LexborHTMLParser(data)
    stated = [(node.attributes, "href") for node in tree.css("link[rel=canonical]")]
    stated += [(node.attributes, "content") for node in tree.css("meta[property='og:url']")]
    urls = [(attributes.get(name) or "").strip() for attributes, name in stated]
    return next((url for url in urls if site_of(url)), "")


def linked_site(data: bytes) -> str:
    """Return the site that more than half of a page's links to full addresses lead to, or ""."""
    nodes = LexborHTMLParser(data).css("a[href]")
    sites = Counter(site for node in nodes if (site := site_of(node.attributes["href"] or "")))
    ((site, count),) = sites.most_common(1) or [("", 0)]
    return site if 2 * count > sites.total() else ""
