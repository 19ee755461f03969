"""Odd pages, rendered without a browser, with an invented layout and without any."""

from __future__ import annotations

from structce.features import ODD_HTML, lay_out
from structce.page import Page, with_sites
from structce.rendering import Document, StaticRenderer


def odd_pages() -> list[Page]:
    """Return pages that a feature must bear: empty, endless, broken, without layout, without area.

    Each is one of two pages of a site, so that features that need other pages are asked, too.
    """
    renderer = StaticRenderer()
    pages, sites = [], []
    for name, html in ODD_HTML.items():
        url = f"https://www.harbour-post.example/{name.replace(' ', '-')}"
        pages += [renderer.render(Document(html, url=url, name=name))] * 2
        sites += [name] * 2
    known = with_sites(pages, sites)[::2]
    return [*known, *map(lay_out, known)]
