"""Items of listings, and related links: records that each lead to another page.

A listing is written by a program, as a thread is: its items are elements with the same name, none
inside another, and each has one link that is its title. Of all sets of such elements, the one with
most text in titles and teasers is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from structce.addresses import split_address, without_fragment
from structce.arrays import Flags
from structce.article.evidence import LANDMARKS, SURROUNDINGS, Evidence
from structce.article.images import checked_address
from structce.article.joining import join_regions
from structce.article.links import regions_of_links
from structce.article.posts import record_sets
from structce.article.values import Item
from structce.language import find_dates

_RELATED = list(SURROUNDINGS).index("related")
_FRAME = list(SURROUNDINGS).index("frame")
_COMMENT = list(SURROUNDINGS).index("comment")
_FRAME_LANDMARKS = (LANDMARKS["nav"], LANDMARKS["header"], LANDMARKS["footer"], LANDMARKS["form"])
_SHORTEST_TITLE = 12  # characters of a link that may be a title, unless it is in a heading
_LONGEST_TITLE = 300
_SHORTEST_TEASER = 40
_LONGEST_DATE = 60  # characters of a region that is searched for an item's day
_OTHER_LINKS = frozenset({"author", "tag"})  # kinds of links that lead to no article
_FEWEST = 3  # items of a listing
_MOST = 300  # related links of a page
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


class _Links:
    """Links of a page that may be titles of items, by region."""

    def __init__(self, evidence: Evidence, allowed: Flags) -> None:
        page = evidence.page
        self.link_around = regions_of_links(page)
        regions: dict[int, list[int]] = {}
        for i, link in enumerate(self.link_around):
            if link >= 0 and allowed[i] and page.text[i]:
                regions.setdefault(link, []).append(i)
        self.titles: dict[int, _Title] = {}
        """Titles by their first region."""
        for link, own in regions.items():
            is_heading = bool(evidence.level[own[0]])
            heads = [i for i in own if evidence.level[i]] or own  # a card may be one link
            text = join_regions(page, heads)
            if (is_heading or len(text) >= _SHORTEST_TITLE) and len(text) <= _LONGEST_TITLE:
                self.titles[heads[0]] = _Title(link, tuple(heads), text, len(heads) < len(own) or
                                               is_heading)  # fmt: skip

    def address(self, evidence: Evidence, title: _Title) -> str:
        """Return the web address of a title; empty for others and for the page itself.

        Links that are marked as leading to an author or a subject have none either.
        """
        page = evidence.page
        attributes = page.elements.attributes[title.link]
        if not _OTHER_LINKS.isdisjoint(attributes.get("rel", "").lower().split()):
            return ""
        stated = attributes["href"]
        address = checked_address(stated, page.url)
        scheme = split_address(address).scheme.lower()
        if scheme not in ("", "http", "https") or stated.startswith("#"):
            return ""
        return "" if without_fragment(address) == without_fragment(page.url) else address


def read_items(evidence: Evidence) -> tuple[Item, ...]:
    """Return the items of a listing in the order of the page; none if nothing recurs on it."""
    allowed = ~_in_frame(evidence)
    links = _Links(evidence, allowed)
    best: Sequence[tuple[range, _Title]] = ()
    highest = 0.0
    for records in record_sets(evidence):
        spans = [record.regions for record in records]
        titled = [(span, title) for span in spans if (title := _title_in(span, links))]
        if len(titled) < max(_FEWEST, _LEAST_SHARE * len(spans)):
            continue
        score = sum(_worth(evidence, span, title, links) for span, title in titled)
        if score > highest:
            best, highest = titled, score
    items = (_item(evidence, span, title, links) for span, title in best)
    return tuple(item for item in items if item.address)


def read_related(evidence: Evidence, is_body: Flags) -> tuple[Item, ...]:
    """Return the links in the parts of a page that are named as recommendations, each once.

    Parameters
    ----------
    is_body : shape (n_regions,)
        Regions of the article's body, which contain none.
    """
    bits = evidence.surroundings[evidence.page.element]
    allowed = (bits >> _RELATED & 1).astype(bool) & ~is_body & ~_in_frame(evidence)
    allowed &= ~(bits >> _COMMENT & 1).astype(bool)
    links = _Links(evidence, allowed)
    items: dict[str, Item] = {}
    for title in links.titles.values():
        address = links.address(evidence, title)
        known = items.get(address)
        if address and (known is None or len(known.title) < len(title.text)):
            own = Item(title.text, address, "", "", title.regions,
                       evidence.page.xpath[title.regions[0]])  # fmt: skip
            items[address] = own
    return tuple(items.values())[:_MOST]


def _in_frame(evidence: Evidence) -> Flags:
    """Return which regions are in menus, headers, footers or forms of the page."""
    element = evidence.page.element
    is_named = (evidence.surroundings[element] >> _FRAME & 1).astype(bool)
    in_frame: Flags = np.isin(evidence.landmark[element], _FRAME_LANDMARKS) | is_named
    return in_frame


def _title_in(span: range, links: _Links) -> _Title | None:
    """Return the title of a record: its heading, else its longest link; None without one."""
    titles = [title for i in span if (title := links.titles.get(i)) is not None]
    return max(titles, key=lambda title: (title.is_heading, len(title.text)), default=None)


def _worth(evidence: Evidence, span: range, title: _Title, links: _Links) -> float:
    """Return how much an item weighs; further titles in it show that it contains several items."""
    lengths, own = evidence.lengths, set(title.regions)
    teaser = sum(int(lengths[i]) for i in _teaser(evidence, span, title, links))
    others = sum(i in links.titles and i not in own
                 and links.titles[i].is_heading == title.is_heading
                 and links.titles[i].text != title.text for i in span)  # fmt: skip
    weight = float(min(len(title.text), _MOST_OF_A_TITLE))
    weight += _WEIGHT_OF_TEASER * min(teaser, _MOST_OF_A_TEASER)
    return weight / (1 + others)


def _teaser(evidence: Evidence, span: range, title: _Title, links: _Links) -> list[int]:
    """Return the regions of the longest block of an item, its title left out; none if short."""
    page, blocks = evidence.page, evidence.page.blocks
    groups: dict[int, list[int]] = {}
    for i in span:
        if page.text[i] and i not in title.regions:
            groups.setdefault(int(blocks[i]), []).append(i)
    longest = max(groups.values(), default=[],
                  key=lambda own: sum(int(evidence.lengths[i]) for i in own))  # fmt: skip
    is_long = sum(int(evidence.lengths[i]) for i in longest) >= _SHORTEST_TEASER
    return longest if is_long else []


def _item(evidence: Evidence, span: range, title: _Title, links: _Links) -> Item:
    page = evidence.page
    return Item(
        title.text,
        links.address(evidence, title),
        next(_days(evidence, span, title), ""),
        join_regions(page, _teaser(evidence, span, title, links)),
        tuple(i for i in span if page.text[i] or page.is_media[i]),
        page.xpath[title.regions[0]],
    )


def _days(evidence: Evidence, span: range, title: _Title) -> Iterator[str]:
    """Yield the days that an item shows outside its title."""
    page = evidence.page
    for i in span:
        if 0 < len(page.text[i]) <= _LONGEST_DATE and i not in title.regions:
            yield from (day.date().isoformat() for day in find_dates(page.text[i], page.lang)[:1])
