"""Features of a region's place in the document tree."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from structce.features.memo import once_a_page
from structce.features.registry import feature
from structce.features.text import block_sums
from structce.page import Page

_COUNTS = (1, 2, 3, 5, 9, 17, 33)
_DEPTHS = (4, 6, 8, 10, 12, 14, 16, 19, 22, 26)
_SPLIT = re.compile(r"[^a-zA-Z]+|(?<=[a-z])(?=[A-Z])")
_NAMED = ("class", "id", "name", "itemprop", "rel", "role", "data-testid", "data-component")


@lru_cache(maxsize=65536)
def name_tokens(value: str) -> tuple[str, ...]:
    """Return the words of a class name or id, camel case opened, one letter left out."""
    return tuple(word.lower() for word in _SPLIT.split(value) if 2 <= len(word) <= 20)


@once_a_page
def _element_tokens(page: Page) -> list[frozenset[str]]:
    return [
        frozenset(token for key in _NAMED if key in row for token in name_tokens(row[key]))
        for row in page.elements.attributes
    ]


@feature("dom")
def tag(page: Page) -> tuple[str, ...]:
    """Name of the element that holds the text, or of the media element."""
    return page.tag


@feature("dom")
def parent_tag(page: Page) -> list[str | None]:
    """Name of the element above the region's element."""
    return [_tag_above(page, int(i), 1) for i in page.element]


@feature("dom")
def grandparent_tag(page: Page) -> list[str | None]:
    """Name of the second element above the region's element."""
    return [_tag_above(page, int(i), 2) for i in page.element]


def _tag_above(page: Page, element: int, steps: int) -> str | None:
    for _ in range(steps):
        element = int(page.elements.parent[element]) if element >= 0 else -1
    return page.elements.tag[element] if element >= 0 else None


@feature("dom")
def ancestor_tag(page: Page) -> list[frozenset[str]]:
    """Names of all elements above: inside a heading, an article, a navigation, a list, a figure."""
    above: list[frozenset[str]] = []
    for name, parent in zip(page.elements.tag, page.elements.parent, strict=True):
        above.append((above[parent] if parent >= 0 else frozenset()) | {name})
    return [above[i] for i in page.element]


@feature("dom")
def token(page: Page) -> list[frozenset[str]]:
    """Words in class, id, role and kindred attributes of the region's element.

    Publishers name what they mark up; "byline" and "caption" mean the same on every site.
    """
    tokens = _element_tokens(page)
    return [tokens[i] for i in page.element]


@feature("dom")
def near_token(page: Page) -> list[frozenset[str]]:
    """The same words for the three elements above, where wrappers carry the names."""
    tokens = _element_tokens(page)
    found: list[frozenset[str]] = []
    for i in page.element:
        above = list(page.elements.ancestors(int(i)))[1:4]
        found.append(frozenset().union(*(tokens[n] for n in above)))
    return found


@feature("dom")
def far_token(page: Page) -> list[frozenset[str]]:
    """The same words for all elements higher up: sidebar, comments, footer, article."""
    tokens = _element_tokens(page)
    return [
        frozenset().union(*(tokens[n] for n in list(page.elements.ancestors(int(i)))[4:]))
        for i in page.element
    ]


@feature("dom")
def attribute(page: Page) -> list[frozenset[str]]:
    """Names of the attributes of the region's element, such as ``datetime`` or ``srcset``."""
    return [frozenset(row) for row in page.attributes]


@feature("dom")
def path(page: Page) -> list[str]:
    """Names of the last four elements down to the region."""
    tags = page.elements.tag
    chains = (list(page.elements.ancestors(int(i)))[:4] for i in page.element)
    return ["/".join(tags[n] for n in reversed(chain)) for chain in chains]


@feature("dom", bins=_DEPTHS)
def depth(page: Page) -> NDArray[np.int32]:
    """Number of elements above the region."""
    return page.elements.depth[page.element]


@feature("dom", bins=(-8, -4, -2, -1, 0, 1, 2, 3, 5, 9))
def previous_depth_difference(page: Page) -> NDArray[np.float64]:
    """Depth less that of the region before: a jump marks the border of a part of the page."""
    return np.diff(page.elements.depth[page.element].astype(float), prepend=np.nan)


@feature("dom", bins=(-8, -4, -2, -1, 0, 1, 2, 3, 5, 9))
def paragraph_depth_difference(page: Page) -> NDArray[np.float64]:
    """Depth less the mean depth of text in ``p`` elements, weighted by characters.

    The main text lies at one depth; what lies elsewhere is mostly something else.
    """
    depths = page.elements.depth[page.element].astype(np.float64)
    lengths = np.array([len(text) for text in page.text], dtype=float)
    lengths *= np.array([name == "p" for name in page.tag], dtype=float)
    if lengths.sum() == 0:
        return np.full(len(page), np.nan)
    mean = float(np.average(depths, weights=lengths))
    return np.asarray(np.round(depths - mean))


@feature("dom", bins=_COUNTS)
def siblings(page: Page) -> NDArray[np.int32]:
    """Number of element children of the parent: long lists are menus."""
    return page.elements.n_siblings[page.element]


@feature("dom", bins=(1, 2, 3, 5, 9, 17))
def siblings_next(page: Page) -> NDArray[np.int32]:
    """Number of siblings after the region's element."""
    elements = page.elements
    return (elements.n_siblings - elements.position - 1)[page.element]


@feature("dom")
def inside(page: Page) -> list[frozenset[str]]:
    """Kinds of part that the region lies in, by element name or ARIA role."""
    kinds = {"a", "figure", "figcaption", "article", "main", "header", "footer", "nav", "aside"}
    kinds |= {"blockquote", "table", "form", "button", "section", "time", "address", "picture"}
    roles = {"navigation": "nav", "banner": "header", "contentinfo": "footer"}
    roles |= {"complementary": "aside", "main": "main", "article": "article"}
    above: list[frozenset[str]] = []
    for name, parent, row in zip(
        page.elements.tag, page.elements.parent, page.elements.attributes, strict=True
    ):
        own = {name} if name in kinds else set()
        own |= {roles[role]} if (role := row.get("role", "")) in roles else set()
        above.append((above[parent] if parent >= 0 else frozenset()) | own)
    return [above[i] for i in page.element]


@feature("dom", bins=(0.05, 0.2, 0.5, 0.8, 0.99))
def link_density(page: Page) -> NDArray[np.float64]:
    """Share of the block's characters that stand in links."""
    lengths = np.array([len(text) for text in page.text])
    linked = block_sums(page, lengths * in_link(page))
    total = block_sums(page, lengths)
    return np.where(total > 0, linked / np.maximum(total, 1), np.nan)


@once_a_page
def in_link(page: Page) -> NDArray[np.bool_]:
    """Return whether each region stands inside an ``a`` element, shape (n_regions,)."""
    return page.elements.lineage([name == "a" for name in page.elements.tag])[page.element]


@feature("dom", bins=(0.01, 0.05, 0.2, 0.5, 0.8))
def container_text_share(page: Page) -> NDArray[np.float64]:
    """Share of the page's unlinked characters below the element two block levels up.

    The element that holds the main text holds most of the text that is not a link.
    """
    elements = page.elements
    plain = np.zeros(len(elements))
    lengths = np.array([len(text) for text in page.text], dtype=float) * ~in_link(page)
    np.add.at(plain, page.element, lengths)
    for i in range(len(elements) - 1, 0, -1):
        plain[elements.parent[i]] += plain[i]
    held = np.array([plain[_container(page, int(i))] for i in page.block_element])
    return np.asarray(held / max(float(lengths.sum()), 1.0))


def _container(page: Page, block: int) -> int:
    above = int(page.elements.parent[block])
    while above > 0 and not page.elements.is_block[above]:
        above = int(page.elements.parent[above])
    return above if above >= 0 else block


@feature("dom", bins=(1, 2, 4, 8, 16, 32))
def path_repetitions(page: Page) -> NDArray[np.int64]:
    """How many regions of the page share the region's chain of element and class names.

    Teasers, menu entries and comments repeat; a headline stands alone.
    """
    keys: list[str] = []
    for name, parent, row in zip(
        page.elements.tag, page.elements.parent, page.elements.attributes, strict=True
    ):
        keys.append(f"{keys[parent] if parent >= 0 else ''}/{name}.{row.get('class', '')}")
    chains = [keys[i] for i in page.element]
    counts = Counter(chains)
    return np.array([counts[chain] for chain in chains], dtype=np.int64)


@feature("dom", bins=(1, 2, 3))
def line_breaks(page: Page) -> NDArray[np.int32]:
    """Number of line breaks since the region before."""
    return page.breaks


@feature("dom")
def new_block(page: Page) -> NDArray[np.bool_]:
    """Region begins a block; inline mark-up continues one."""
    return np.diff(page.blocks, prepend=-1) > 0
