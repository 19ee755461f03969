"""Links in the text of a page: their places in a line, and their targets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from structce.addresses import without_fragment
from structce.article.images import checked_address
from structce.article.values import Link
from structce.features import dom_tree
from structce.page import Page

_NONE = -1
_WEB = ("http://", "https://")


def regions_of_links(page: Page) -> list[int]:
    """Return the element of the innermost link around each region, ``-1`` outside links."""
    attributes = page.elements.attributes
    links = dom_tree.elements_called(page).get("a", ())
    return dom_tree.innermost(page, [i for i in links if attributes[i].get("href")])


def links_in(
    page: Page, regions: Sequence[int], line: str, link_around: Sequence[int]
) -> tuple[Link, ...]:
    """Return the web links in a line of text, in order, without those to the page itself.

    Parameters
    ----------
    line
        Texts of the regions, some of them separated by a space.
    link_around
        Result of :func:`regions_of_links` for the page.
    """
    if all(link_around[i] == _NONE for i in regions):
        return ()
    places: list[tuple[int, int, int]] = []  # element, start and end of each link
    end = 0
    for i in regions:
        text = page.text[i]
        if not text:
            continue
        start = end + (line[end : end + 1] == " ")
        end = start + len(text)
        element = link_around[i]
        if places and element == places[-1][0]:
            places[-1] = (element, places[-1][1], end)
        else:
            places.append((element, start, end))
    links = (Link(a, b, target_of(page, element)) for element, a, b in places if element != _NONE)
    return tuple(link for link in links if link.address.lower().startswith(_WEB))


def target_of(page: Page, link: int) -> str:
    """Return the address that a link leads to; empty if it is not safe or on the page itself."""
    address = checked_address(page.elements.attributes[link]["href"], page.url)
    return "" if without_fragment(address) == without_fragment(page.url) else address


def split_links(text: str, links: Sequence[Link]) -> Iterator[tuple[str, str]]:
    """Yield the pieces of a line and the address of each, empty if it is not a link."""
    end = 0
    for link in links:
        if text[end : link.start]:
            yield text[end : link.start], ""
        yield text[link.start : link.end], link.address
        end = link.end
    if text[end:]:
        yield text[end:], ""
