"""Containers of a body: the lists, tables, quotes, code and figures around its regions.

Publishers lay out whole pages with tables and lists. A container counts only if it looks like what
its tag says; others are ignored, and their content belongs to the container around them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Literal, TypeVar

import msgspec

from structce.arrays import Flags
from structce.article.evidence import HEADINGS
from structce.features import dom_tree
from structce.page import Page

ContainerKind = Literal["list", "item", "table", "row", "cell", "quote", "code", "figure", "note"]
Container = tuple[ContainerKind, int]
"""Kind of a container, and the index of its element."""

Chain = tuple[Container, ...]
"""Containers around a region, outermost first."""

_TAGS: Mapping[ContainerKind, str] = {
    "list": "ul ol menu dir dl",
    "item": "li dt dd",
    "table": "table",
    "row": "tr",
    "cell": "td th",
    "quote": "blockquote",
    "code": "pre",
    "figure": "figure",
}
_KINDS: Mapping[str, ContainerKind] = {
    tag: kind for kind, tags in _TAGS.items() for tag in tags.split()
}
_CHANGING = frozenset({*_KINDS, *HEADINGS})
_PARENTS: Mapping[ContainerKind, ContainerKind] = {"item": "list", "row": "table", "cell": "row"}
_Value = TypeVar("_Value")
_Step = Callable[[int, _Value], _Value]
_LEVELS_STATED = frozenset("123456789")

# Our choices; not tuned on any measure.
_MOST_BLOCKS_OF_AN_ITEM = 6  # directly inside; an item with more is a teaser or a part of the page
_MOST_BLOCKS_OF_A_CELL = 4  # directly inside
_MOST_OF_A_BODY = 0.8  # share of its characters that a quote may have
_MOST_LEVELS = 24  # nested containers; real pages have ten, hostile ones thousands


def inherited_values(
    page: Page,
    regions: Iterable[int],
    known: dict[int, _Value],
    value_of: _Step[_Value],
    changing: Flags | None = None,
) -> dict[int, _Value]:
    """Return a value for each region's element, computed from that of the element around it.

    ``known`` are values of elements, at least of -1, which is around the outermost; values that are
    computed are added to them. ``changing`` marks the elements whose value may be another one than
    that around them, shape (n_elements,); all by default.
    """
    elements, parents = dom_tree.holders(page), page.elements.parents
    nearest = [*range(len(parents))]
    if changing is not None:
        nearest = dom_tree.nearest_marked(page, changing).tolist()
    nearest.append(-1)  # of no element, -1
    values = {}
    for i in regions:
        unknown, above = [], nearest[elements[i]]
        while above not in known:
            unknown.append(above)
            above = nearest[parents[above]]
        value = known[above]
        for element in reversed(unknown):
            value = known[element] = value_of(element, value)
        values[i] = value
    return values


def containers_around(
    page: Page, regions: Sequence[int], notes: Collection[int] = ()
) -> tuple[dict[int, Chain], dict[int, int]]:
    """Return the containers around each region of a body, and its heading's level, 0 to 6.

    Containers used only for layout and those inside code are left out; ``notes`` are the elements
    of footnotes, which are in no other container.
    """
    rows, roles = page.elements.attributes, dom_tree.elements_with(page).get("role", ())
    changing = dom_tree.named(page, _CHANGING)
    changing[[*notes, *(n for n in roles if rows[n]["role"] == "heading")]] = True
    outside: dict[int, tuple[Chain, int]] = {-1: ((), 0)}
    around = inherited_values(page, regions, outside, partial(_inner_chain, page, notes), changing)
    n_characters = sum([len(page.text[i]) for i in regions])
    contents = _contents(page, around)
    layout = {own.element for own in contents if _is_layout(page, own, n_characters)}
    kept: dict[int, Chain] = {-1: ()}
    chains = {}
    for i, (chain, _) in around.items():
        innermost = chain[-1][1] if chain else -1
        if innermost not in kept:
            kept[innermost] = _without_layout(chain, layout)
        chains[i] = kept[innermost]
    return chains, {i: level for i, (_, level) in around.items()}


def _inner_chain(
    page: Page, notes: Collection[int], element: int, around: tuple[Chain, int]
) -> tuple[Chain, int]:
    """Return containers and heading level inside an element, given those around it."""
    chain, level = around
    tag, attributes = page.elements.tag[element], page.elements.attributes[element]
    kind = _KINDS.get(tag)
    if element in notes:
        chain = (("note", element),)
    elif kind and len(chain) < _MOST_LEVELS:
        chain = (*chain, (kind, element))
    if tag in HEADINGS:
        return chain, HEADINGS[tag]
    if attributes and attributes.get("role") == "heading":
        own = attributes.get("aria-level", "")
        return chain, min(int(own), 6) if own in _LEVELS_STATED else 2
    return chain, 0 if kind else level


class _Content(msgspec.Struct):
    kind: ContainerKind
    element: int
    around: int  # the container around it; -1 without one
    n_characters: int = 0
    has_heading: bool = False
    kinds: set[ContainerKind] = msgspec.field(default_factory=set)  # of the containers inside
    children: list[_Content] = msgspec.field(default_factory=list)  # directly inside
    blocks: set[int] = msgspec.field(default_factory=set)  # blocks of text directly inside


def _contents(page: Page, around: Mapping[int, tuple[Chain, int]]) -> Collection[_Content]:
    """Return the containers of some regions, given the chain and heading level of these."""
    contents: dict[int, _Content] = {}
    for i, (chain, level) in around.items():
        outer = -1
        for kind, element in chain:
            if element not in contents:
                contents[element] = _Content(kind, element, outer)
            outer = element
        if chain:
            content, text = contents[outer], page.text[i]
            content.n_characters += len(text)
            content.has_heading |= level > 0
            content.blocks.update([int(page.blocks[i])] if text else ())
    for element in sorted(contents, reverse=True):  # the inner ones first
        content = contents[element]
        if content.around >= 0:
            container = contents[content.around]
            container.n_characters += content.n_characters
            container.has_heading |= content.has_heading
            container.kinds |= {content.kind, *content.kinds}
            container.children.append(content)
    return contents.values()


def _without_layout(chain: Chain, layout: Collection[int]) -> Chain:
    """Return a chain without layout containers, cut after code."""
    kept: list[Container] = []
    for kind, element in chain:
        parent = _PARENTS.get(kind)
        if element in layout or (parent and (not kept or kept[-1][0] != parent)):
            continue
        kept.append((kind, element))
        if kind == "code":
            break
    return tuple(kept)


def _is_layout(page: Page, content: _Content, n_characters: int) -> bool:
    kinds, children = content.kinds, content.children
    match content.kind:
        case "quote":
            return content.n_characters > _MOST_OF_A_BODY * n_characters
        case "figure":
            return not kinds.isdisjoint(("list", "table", "quote", "code"))
        case "list":  # it has several short items, or one of a single block
            sizes = [len(item.blocks) for item in children]
            if content.has_heading or kinds & {"table", "figure"} or not sizes:
                return True
            return not 1 <= max(sizes) <= (_MOST_BLOCKS_OF_AN_ITEM if len(sizes) > 1 else 1)
        case "table":  # it has rows and columns of short cells
            elements = page.elements
            role = elements.attributes[content.element].get("role")
            has_others = content.has_heading or kinds & {"table", "code", "quote", "figure"}
            rows = [row for row in children if elements.tag[row.element] == "tr"]
            cells = [cell for row in rows for cell in row.children]
            columns = {int(elements.position[cell.element]) for cell in cells}
            if role in ("presentation", "none") or has_others or len(rows) < 2 or len(columns) < 2:
                return True
            return max([len(cell.blocks) for cell in cells]) > _MOST_BLOCKS_OF_A_CELL
    return False
