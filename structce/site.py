"""What the pages of one site have in common: texts and places that come back on page after page.

A menu or a legal line stands on every page of its site and an article's text on one, so how often
a text or a place comes back tells a page's frame from its content.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from urllib.parse import unquote, urlsplit

from structce.page import Elements, Page
from structce.text import normalise

MAX_TEXT = 200
"""Characters of a text, or of a file's place, that are compared; our choice."""

MAX_PATH = 2_000
"""Characters of a path; our choice, about twice the longest of real news pages."""

_SOURCES = ("data-src", "data-lazy-src", "src", "srcset", "data-srcset", "data")
_HOST = re.compile(r".*//[^/?#]*")  # up to the last host: an address may lead through others
_PLACE = re.compile(r"([^?#&]*)(\??)")
_FILE = re.compile(r"\.[a-z][a-z0-9]{1,4}$", re.IGNORECASE)


@dataclass(frozen=True)
class SiteCounts:
    """On how many pages of a site each text, each file and each place occurs.

    Parameters
    ----------
    n_pages
        Pages of the site that were counted, at least 2.
    texts
        Pages, 1 to ``n_pages``, by a text of :func:`region_texts`.
    files
        Pages, 1 to ``n_pages``, by a place of :func:`region_files`.
    paths
        Pages, 1 to ``n_pages``, by a path of :func:`region_paths`.
    """

    n_pages: int
    texts: Mapping[str, int]
    files: Mapping[str, int]
    paths: Mapping[str, int]


def with_sites(pages: Sequence[Page], sites: Sequence[str]) -> list[Page]:
    """Return the pages, each with the counts of its site's pages, itself included.

    Parameters
    ----------
    sites
        Name of each page's site. A site of one page tells nothing: its page gets None.
    """
    groups: dict[str, list[Page]] = {}
    for page, site in zip(pages, sites, strict=True):
        groups.setdefault(site, []).append(page)
    counts = {site: _count(group) for site, group in groups.items()}
    return [replace(page, site=counts[site]) for page, site in zip(pages, sites, strict=True)]


def site_of(url: str) -> str:
    """Return the registrable domain of an address, in small letters, found without network.

    Where there is none (``localhost``, an address of numbers) the whole host, without ``www.``;
    where the address names no host, an empty string.
    """
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return _registrable()(host) or host.removeprefix("www.")


@cache
def _registrable() -> Callable[[str], str]:
    import tldextract  # a quarter of a second to import, and seldom needed

    extract = tldextract.TLDExtract(suffix_list_urls=())
    return lambda host: extract(host).top_domain_under_public_suffix


def region_texts(page: Page) -> list[str]:
    """Return the first ``MAX_TEXT`` characters of each region, normalised; empty for media."""
    known = {text: normalise(text[:MAX_TEXT]) for text in set(page.text)}
    return [known[text] for text in page.text]


def region_files(page: Page) -> list[str]:
    """Return where on its server the file of each media region lies; empty for texts.

    One looks like ``/images/logo.png``: host and query differ between copies of one file. Empty,
    too, where the address holds the data itself, or where only its query tells files apart.
    """
    files = [""] * len(page)
    for i, is_media in enumerate(page.is_media.tolist()):
        if is_media:
            files[i] = _file(page.attributes[i])
    return files


def region_paths(page: Page) -> list[str]:
    """Return the names and classes from the root down to each region's element.

    One looks like ``html/body/div.main/p``; of one longer than ``MAX_PATH`` characters the inner
    end is given. Classes of ``html`` and ``body`` are left out: many name the page or its
    section. All regions of an element share one string.
    """
    paths = _element_paths(page.elements)
    return [paths[i] for i in page.element.tolist()]


def _file(attributes: Mapping[str, str]) -> str:
    """Return the place of the first address that does not hold the data itself."""
    for name in _SOURCES:
        address = attributes.get(name, "").strip().partition(" ")[0]
        if not address or address.startswith(("data:", "blob:", "about:")):
            continue
        found = _PLACE.match(_HOST.sub("", unquote(address), count=1))
        if found and (not found[2] or _FILE.search(found[1])):
            return found[1][-MAX_TEXT:]
    return ""


def _element_paths(elements: Elements) -> list[str]:
    paths: list[str] = []
    rows = zip(elements.tag, elements.attributes, elements.parent.tolist(), strict=True)
    for tag, attributes, parent in rows:
        classes = attributes.get("class") if tag not in ("html", "body") else None
        own = ".".join((tag, *classes.split())) if classes else tag
        path = f"{paths[parent]}/{own}" if parent >= 0 else own
        paths.append(path if len(path) <= MAX_PATH else path[-MAX_PATH:])
    return paths


def _count(pages: Sequence[Page]) -> SiteCounts | None:
    if len(pages) < 2:
        return None
    texts, files, paths = Counter[str](), Counter[str](), Counter[str]()
    for page in pages:
        texts.update(set(region_texts(page)) - {""})
        files.update(set(region_files(page)) - {""})
        paths.update(set(region_paths(page)))
    return SiteCounts(len(pages), texts, files, paths)
