"""Items of listings: records that each lead to another page.

A listing is written by a program, as a thread is: its items are elements with the same name, none
inside another, and each has one link that is its title. Of all sets of such elements, the one with
most text in titles and teasers is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from structce.arrays import Flags
from structce.article.evidence import LANDMARKS, SURROUNDINGS, Evidence
from structce.article.joining import join_regions
from structce.article.lines import regions_of_links, target_of
from structce.article.posts import record_sets
from structce.article.values import Item
from structce.language import find_dates
from structce.page import Page

_FRAME = list(SURROUNDINGS).index("frame")
_FRAME_LANDMARKS = (LANDMARKS["nav"], LANDMARKS["header"], LANDMARKS["footer"], LANDMARKS["form"])
_SHORTEST_TITLE = 12  # characters of a link that may be a title, unless it is in a heading
_LONGEST_TITLE = 300
_SHORTEST_TEASER = 40
_LONGEST_DATE = 60  # characters of a region that is searched for an item's day
_OTHER_LINKS = frozenset({"author", "tag"})  # kinds of links that lead to no article
_FEWEST = 3  # items of a listing
_MOST_OF_A_TITLE, _MOST_OF_A_TEASER = 80, 240  # characters that count in an item's score
_WEIGHT_OF_TEASER = 0.5
_LEAST_SHARE = 0.6  # share of a set's elements that are items


@dataclass(frozen=True)
class _Title:
    """Link that may be the title of an item: its element, regions and text."""

    link: int
    regions: tuple[int, ...]
    text: str
    is_heading: bool


_Titles = Mapping[int, _Title]


def _titles_of(evidence: Evidence, allowed: Flags) -> dict[int, _Title]:
    """Return the links that may be titles of items, by their first region."""
    page = evidence.page
    regions: dict[int, list[int]] = {}
    for i, link in enumerate(regions_of_links(page)):
        if link >= 0 and allowed[i] and page.text[i]:
            regions.setdefault(link, []).append(i)
    titles: dict[int, _Title] = {}
    for link, own in regions.items():
        is_heading = bool(evidence.level[own[0]])
        heads = [i for i in own if evidence.level[i]] or own  # a card may be one link
        text = join_regions(page, heads)
        if (is_heading or len(text) >= _SHORTEST_TITLE) and len(text) <= _LONGEST_TITLE:
            is_heading |= len(heads) < len(own)
            titles[heads[0]] = _Title(link, tuple(heads), text, is_heading)
    return titles


def _address(page: Page, title: _Title) -> str:
    """Return the address of a title; empty for a link marked as leading to an author or a tag."""
    kinds = page.elements.attributes[title.link].get("rel", "").lower().split()
    return target_of(page, title.link) if _OTHER_LINKS.isdisjoint(kinds) else ""


def read_items(evidence: Evidence) -> tuple[Item, ...]:
    """Return the items of a listing in the order of the page; none if nothing recurs on it."""
    allowed = ~_in_frame(evidence)
    titles = _titles_of(evidence, allowed)
    best: Sequence[tuple[range, _Title]] = ()
    highest = 0.0
    for records in record_sets(evidence):
        spans = [record.regions for record in records]
        titled = [(span, title) for span in spans if (title := _title_in(span, titles))]
        if len(titled) < max(_FEWEST, _LEAST_SHARE * len(spans)):
            continue
        score = sum(_worth(evidence, span, title, titles) for span, title in titled)
        if score > highest:
            best, highest = titled, score
    items = (_item(evidence, span, title, titles) for span, title in best)
    return tuple(item for item in items if item.address)


def _in_frame(evidence: Evidence) -> Flags:
    """Return which regions are in menus, headers, footers or forms of the page."""
    element = evidence.page.element
    is_named = (evidence.surroundings[element] >> _FRAME & 1).astype(bool)
    in_frame: Flags = np.isin(evidence.landmark[element], _FRAME_LANDMARKS) | is_named
    return in_frame


def _title_in(span: range, titles: _Titles) -> _Title | None:
    """Return the title of a record: its heading, else its longest link; None without one."""
    inside = [title for i in span if (title := titles.get(i)) is not None]
    return max(inside, key=lambda title: (title.is_heading, len(title.text)), default=None)


def _worth(evidence: Evidence, span: range, title: _Title, titles: _Titles) -> float:
    """Return how much an item weighs; further titles in it show that it contains several items."""
    lengths, own = evidence.lengths, set(title.regions)
    teaser = sum(int(lengths[i]) for i in _teaser(evidence, span, title, titles))
    others = (titles[i] for i in span if i in titles and i not in own)
    rivals = sum(
        other.is_heading == title.is_heading and other.text != title.text for other in others
    )
    weight = float(min(len(title.text), _MOST_OF_A_TITLE))
    weight += _WEIGHT_OF_TEASER * min(teaser, _MOST_OF_A_TEASER)
    return weight / (1 + rivals)


def _teaser(evidence: Evidence, span: range, title: _Title, titles: _Titles) -> list[int]:
    """Return the regions of an item's longest block without its title; none if it is short."""
    page, blocks = evidence.page, evidence.page.blocks
    groups: dict[int, list[int]] = {}
    for i in span:
        if page.text[i] and i not in title.regions:
            groups.setdefault(int(blocks[i]), []).append(i)

    def n_characters(regions: Sequence[int]) -> int:
        return sum(int(evidence.lengths[i]) for i in regions)

    longest = max(groups.values(), default=[], key=n_characters)
    return longest if n_characters(longest) >= _SHORTEST_TEASER else []


def _item(evidence: Evidence, span: range, title: _Title, titles: _Titles) -> Item:
    page = evidence.page
    return Item(
        title.text,
        _address(page, title),
        next(_days(evidence, span, title), ""),
        join_regions(page, _teaser(evidence, span, title, titles)),
        tuple(i for i in span if page.text[i] or page.is_media[i]),
        page.xpath[title.regions[0]],
    )


def _days(evidence: Evidence, span: range, title: _Title) -> Iterator[str]:
    """Yield the days that an item shows outside its title."""
    page = evidence.page
    for i in span:
        if 0 < len(page.text[i]) <= _LONGEST_DATE and i not in title.regions:
            yield from (day.date().isoformat() for day in find_dates(page.text[i], page.lang)[:1])
