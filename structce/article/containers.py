"""Containers of a body: the lists, tables, quotes, code and figures around its regions.

Publishers lay out whole pages with tables and lists. A container counts only where it looks like
what its name says; the others are passed over, and what they hold is part of what is around them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from structce.page import Page

ContainerKind = Literal["list", "item", "table", "row", "cell", "quote", "code", "figure"]
Container = tuple[ContainerKind, int]
"""Kind of a container, and its element."""

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
_PARENTS: Mapping[ContainerKind, ContainerKind] = {"item": "list", "row": "table", "cell": "row"}
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LEVELS_STATED = frozenset("123456789")

# Our choices; not tuned on any measure.
_MOST_BLOCKS_OF_AN_ITEM = 6  # right inside it; more is a teaser or a part of the page
_MOST_BLOCKS_OF_A_CELL = 4
_MOST_OF_A_BODY = 0.8  # share of its characters that a quote may have
_MOST_LEVELS = 24  # containers in one another; real pages have ten, and hostile ones thousands


def heading_levels(page: Page, regions: Sequence[int]) -> dict[int, int]:
    """Return the level of the heading that each region stands in, 1 to 6; 0 for none."""
    known: dict[int, int] = {}
    own, parents = page.element.tolist(), page.elements.parent.tolist()
    for i in regions:
        passed = []
        above = own[i]
        while above >= 0 and above not in known:
            passed.append(above)
            above = parents[above]
        level = known[above] if above >= 0 else 0
        for element in reversed(passed):
            level = known[element] = _own_level(page, element, level)
    return {i: known[own[i]] for i in regions}


def _own_level(page: Page, element: int, around: int) -> int:
    """Return the level of an element as a heading, given that of what is around it."""
    tag = page.elements.tag[element]
    if tag in _HEADINGS:
        return _HEADINGS[tag]
    stated = page.elements.attributes[element]
    if stated and stated.get("role") == "heading":
        level = stated.get("aria-level", "")
        return min(int(level), 6) if level in _LEVELS_STATED else 2
    return 0 if tag in _KINDS else around


def containers_around(
    page: Page, regions: Sequence[int], levels: Mapping[int, int]
) -> dict[int, Chain]:
    """Return the containers around each region of a body, those of mere layout left out.

    Nothing inside code, and nothing inside a cell of a table, has containers of its own.

    Parameters
    ----------
    levels
        Levels of the headings that regions stand in, as :func:`heading_levels` gives them.
    """
    chains: dict[int, Chain] = {}
    own, parents = page.element.tolist(), page.elements.parent.tolist()
    for i in regions:
        _add_chain(page.elements.tag, parents, own[i], chains)
    raw = {i: chains[own[i]] for i in regions}
    facts = _facts(page, raw, levels)
    n_characters = sum(len(page.text[i]) for i in regions)
    for kind, element in {container for chain in raw.values() for container in chain}:
        facts[element].is_layout = _is_layout(page, kind, element, facts, n_characters)
    known: dict[Chain, Chain] = {}
    for chain in raw.values():
        if chain not in known:
            known[chain] = _without_layout(chain, facts)
    return {i: known[chain] for i, chain in raw.items()}


def _add_chain(
    tags: Sequence[str], parents: Sequence[int], element: int, chains: dict[int, Chain]
) -> None:
    """Note the containers around an element, and around those that it stands in."""
    unknown = []
    above = element
    while above >= 0 and above not in chains:
        unknown.append(above)
        above = parents[above]
    chain = chains[above] if above >= 0 else ()
    for one in reversed(unknown):
        kind = _KINDS.get(tags[one])
        if kind and len(chain) < _MOST_LEVELS:
            chain = (*chain, (kind, one))
        chains[one] = chain


@dataclass
class _Facts:
    """What stands in a container."""

    n_characters: int = 0
    has_heading: bool = False
    is_layout: bool = False
    kinds: set[ContainerKind] = field(default_factory=set)
    children: set[int] = field(default_factory=set)  # containers right inside
    blocks: set[int] = field(default_factory=set)  # blocks of text right inside


def _facts(page: Page, chains: Mapping[int, Chain], levels: Mapping[int, int]) -> dict[int, _Facts]:
    """Return what stands in each container, by its element."""
    facts: dict[int, _Facts] = {}
    blocks = page.blocks.tolist()
    for i, chain in chains.items():
        for n, (_, container) in enumerate(chain):
            fact = facts.setdefault(container, _Facts())
            fact.n_characters += len(page.text[i])
            fact.has_heading |= levels[i] > 0
            fact.kinds.update(kind for kind, _ in chain[n + 1 :])
            if n + 1 < len(chain):
                fact.children.add(chain[n + 1][1])
            elif page.text[i]:
                fact.blocks.add(blocks[i])
    return facts


def _without_layout(chain: Chain, facts: Mapping[int, _Facts]) -> Chain:
    """Return a chain without what is there for layout, cut behind code and behind a cell."""
    kept: list[Container] = []
    for kind, element in chain:
        parent = _PARENTS.get(kind)
        if facts[element].is_layout or (parent and (not kept or kept[-1][0] != parent)):
            continue
        kept.append((kind, element))
        if kind in ("code", "cell"):
            break
    return tuple(kept)


def _is_layout(
    page: Page,
    kind: ContainerKind,
    element: int,
    facts: Mapping[int, _Facts],
    n_characters: int,
) -> bool:
    """Return whether a container is there for layout alone."""
    fact = facts[element]
    match kind:
        case "quote":
            return fact.n_characters > _MOST_OF_A_BODY * n_characters
        case "figure":
            return bool(fact.kinds & {"list", "table", "quote", "code"})
        case "list":
            return not _is_list(fact, facts)
        case "table":
            return not _is_table(page, element, fact, facts)
        case _:
            return False


def _is_list(fact: _Facts, facts: Mapping[int, _Facts]) -> bool:
    """Return whether a list is one for its reader: several short items, or one short item."""
    sizes = [len(facts[item].blocks) for item in fact.children]
    if fact.has_heading or fact.kinds & {"table", "figure"} or not sizes:
        return False
    return 1 <= max(sizes) <= _MOST_BLOCKS_OF_AN_ITEM and (len(sizes) > 1 or sizes[0] == 1)


def _is_table(page: Page, element: int, fact: _Facts, facts: Mapping[int, _Facts]) -> bool:
    """Return whether a table holds data: rows and columns of short cells."""
    if page.elements.attributes[element].get("role") in ("presentation", "none"):
        return False
    if fact.has_heading or fact.kinds & {"table", "code", "quote", "figure"}:
        return False
    rows = [facts[row] for row in fact.children if page.elements.tag[row] == "tr"]
    cells = {cell for row in rows for cell in row.children}
    columns = {int(page.elements.position[cell]) for cell in cells}
    sizes = [len(facts[cell].blocks) for cell in cells]
    return len(rows) > 1 and len(columns) > 1 and max(sizes) <= _MOST_BLOCKS_OF_A_CELL
