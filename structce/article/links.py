"""Links in the text of a page: where they begin and end in a line, and where they lead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from structce.addresses import without_fragment
from structce.article.images import checked_address
from structce.article.values import Link
from structce.page import Elements, Page

_NONE = -1


def elements_of_links(elements: Elements) -> list[int]:
    """Return the innermost link around each element or at it, ``-1`` where there is none."""
    found: list[int] = []
    rows = zip(elements.parent.tolist(), elements.tag, elements.attributes, strict=True)
    for n, (parent, tag, stated) in enumerate(rows):
        if tag == "a" and stated.get("href"):
            found.append(n)
        else:
            found.append(found[parent] if parent >= 0 else _NONE)
    return found


def links_in(
    page: Page, regions: Sequence[int], line: str, link_around: Sequence[int]
) -> tuple[Link, ...]:
    """Return the links in a line of text, in order; none to a place on the page itself.

    Parameters
    ----------
    regions
        Of the line, in order.
    line
        Their texts, some of them with a space between.
    link_around
        What :func:`elements_of_links` gives of the page.
    """
    places: list[tuple[int, int, int]] = []  # of each link: its element, start and end
    end = 0
    for i in regions:
        text = page.text[i]
        if not text:
            continue
        start = end + (line[end : end + 1] == " ")
        end = start + len(text)
        element = link_around[int(page.element[i])]
        if places and element == places[-1][0]:
            places[-1] = (element, places[-1][1], end)
        else:
            places.append((element, start, end))
    found = (Link(a, b, _address(page, element)) for element, a, b in places if element != _NONE)
    return tuple(link for link in found if link.address)


def _address(page: Page, element: int) -> str:
    """Return where a link leads, if that is a page of the web and not the page it is on."""
    stated = page.elements.attributes[element]["href"]
    address = checked_address(stated, page.url)
    if not address.lower().startswith(("http://", "https://")):
        return ""
    return "" if without_fragment(address) == without_fragment(page.url) else address


def split_links(text: str, links: Sequence[Link]) -> Iterator[tuple[str, str]]:
    """Yield the pieces of a line and the address of each, empty where it is no link."""
    end = 0
    for link in links:
        if text[end : link.start]:
            yield text[end : link.start], ""
        yield text[link.start : link.end], link.address
        end = link.end
    if text[end:]:
        yield text[end:], ""
