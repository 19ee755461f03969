"""Source spans: where the regions of a page are in its HTML source.

A page is aligned with its source as two sequences. Regions are numbered in page order, matches (of
their texts and media) in source order; the content of a region, its attributes and the elements
around it determine which matches it may have, and the order of both sequences which it has.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from operator import lt

import numpy as np
from msgspec.structs import replace

from structce import kernels
from structce.language import unescape
from structce.page import Elements, Page
from structce.rendering.html_rules import collapse
from structce.rendering.html_scanner import (
    Markup,
    comparable,
    scan_markup,
    swallows_most,
    trim_references,
    without_empty_elements,
)
from structce.runtime import without_collection

_TABLE = frozenset(("table", "tbody", "thead", "tfoot", "tr", "colgroup"))
"""Elements that may not contain text; a browser moves it before the table."""

_LOOSE = _TABLE | {"html", "head", "body"}
"""Elements that distinguish no matches: their tags may be omitted, or text moved out of them."""

_MAX_CODE = 1023  # of a name; six nearest ancestors must match, as the source may omit outer ones
_FRAMES = frozenset(("iframe", "frame"))

# Bounds on the time for a page that repeats one text over and over.
_MOST_MATCHES = 8
_MOST_LEVELS = 32
_MOST_ROUNDS = 4

_Content = tuple[str, str]
"""Text, empty for media, and name of the element."""

_Match = tuple[int, int, int]
"""Start, end (exclusive), and number of the start tag around a text or of a medium."""


@without_collection
def with_spans(page: Page, html: str) -> Page:
    """Return the page with the spans of its regions in its source, as in :class:`Page`.

    Regions also have no span if several matches cannot be distinguished, if they are in a
    frame, or if tags interrupt their text in the source but not on the page.
    """
    places = np.full((len(page), 2), -1, dtype=np.int32)
    if len(page):
        markup = scan_markup(html)
        # Written as XML, as the renderers see it.
        if not markup.texts or (markup.may_swallow and swallows_most(html)):
            markup = scan_markup(without_empty_elements(html))
        search = _Search(page, markup, html)
        chosen = search.run()
        found: list[int] = []
        for i, match in chosen.items():
            start, end, _ = search.matches[match]
            if page.text[i] and html.find("&", start, end) >= 0:
                start, end = trim_references(html, start, end)
            found += (start, end)
        places[list(chosen)] = np.array(found, dtype=np.int32).reshape(-1, 2)
    return replace(page, spans=places)


class _Search:
    """Search for the match of each region of a page in its source."""

    def __init__(self, page: Page, markup: Markup, html: str) -> None:
        self.elements = page.elements
        self.element: list[int] = page.element.tolist()
        self.markup = markup
        self.around, self.written_around = _names_around(page.elements, markup)
        regions = _regions_by_content(page, self.element)
        matches, times = _matches_by_content(markup, html, regions)
        self.matches = sorted(match for same in matches.values() for match in same)
        number = {match[0]: n for n, match in enumerate(self.matches)}
        self.sure: dict[int, int] = {}
        self.options: dict[int, list[int]] = {}
        for content, same_matches in matches.items():
            same = regions[content]
            if len(same) == len(same_matches) == 1 == times.get(content[0]):
                self.sure[same[0]] = number[same_matches[0][0]]
                continue
            candidates = [number[match[0]] for match in same_matches]
            if len(same) == len(candidates) and self._are_written(same, same_matches):
                self.options |= dict.fromkeys(same, candidates)  # the order decides
            else:
                self._compare(same, candidates)

    def _are_written(self, regions: list[int], matches: list[_Match]) -> bool:
        """Return whether each match has exactly the ancestors and attributes of its region."""
        markup, rows = self.markup, self.elements.attributes
        for i, (_, _, opening) in zip(regions, matches, strict=True):
            element = self.element[i]
            if self.around[element] != self.written_around[opening]:
                return False
            tag, attributes = markup.tag(opening), rows[element]
            if attributes:
                for value in attributes.values():
                    if value not in tag:
                        return False
            elif "=" in tag:
                return False
        return True

    def _compare(self, regions: list[int], matches: list[int], *, by_names: bool = False) -> None:
        """Record which of the matches, equal so far, each of the regions may have.

        Attributes are compared, and, if they leave a choice, the names of ancestors as well.
        """
        groups: defaultdict[Hashable, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        attributes, markup = self.elements.attributes, self.markup
        for i in regions:
            element = self.element[i]
            seen = self.around[element] if by_names else comparable(attributes[element])
            groups[seen][0].append(i)
        for match in matches:
            opening = self.matches[match][2]
            written = self.written_around[opening] if by_names else markup.attributes(opening)
            groups[written][1].append(match)
        for key, (same, options) in groups.items():
            if len(same) == len(options) == 1 and (key or by_names):
                self.sure[same[0]] = options[0]
            elif same and options and not by_names:
                self._compare(same, options, by_names=True)
            elif options:
                self.options |= dict.fromkeys(same, options)

    def run(self) -> dict[int, int]:
        """Return the match of each region that has one."""
        fixed = longest_rising(self.sure)
        for _ in range(_MOST_ROUNDS):
            first, last = bounding_matches(self.options, fixed, len(self.matches))
            choices = {}
            for i in sorted(first.keys() & last.keys()):
                match = first[i] if first[i] == last[i] else self._most_alike(i, first[i], last[i])
                if match is not None:
                    choices[i] = match
            decided = without_crossings(choices)
            fixed |= decided
            if not decided or len(decided) == len(first.keys() | last.keys()):
                break
        return self.sure | fixed

    def _most_alike(self, i: int, first: int, last: int) -> int | None:
        """Return the match whose ancestors are most similar to the region's; None on a tie."""
        options = self.options[i]
        rivals = options[bisect_left(options, first) : bisect_right(options, last)]
        if not 0 < len(rivals) <= _MOST_MATCHES:
            return None
        scores = [self._agreement(self.element[i], self.matches[n][2]) for n in rivals]
        best = max(scores)
        return rivals[scores.index(best)] if scores.count(best) == 1 else None

    def _agreement(self, element: int, opening: int) -> int:
        """Return the number of ancestors, whose names are equal, that have equal attributes."""
        tag, parent, markup = self.elements.tag, self.elements.parents, self.markup
        n_alike = 0
        for _ in range(_MOST_LEVELS):
            while element >= 0 and tag[element] in _LOOSE:
                element = parent[element]
            while opening >= 0 and markup.names[opening] in _LOOSE:
                opening = markup.above[opening]
            if element < 0 or opening < 0:
                break
            attributes = comparable(self.elements.attributes[element])
            n_alike += attributes == markup.attributes(opening)
            element, opening = parent[element], markup.above[opening]
        return n_alike


def longest_rising(matches: Mapping[int, int]) -> dict[int, int]:
    """Return a largest subset of the regions whose matches rise with them.

    A longest increasing subsequence, found by patience sorting.
    """
    regions = sorted(matches)
    rising = [matches[i] for i in regions]
    if all(map(lt, rising, rising[1:])):
        return dict(zip(regions, rising, strict=True))
    ends: list[int] = []  # lowest match at the end of a chain of each length
    chains: list[int] = []  # region at that match
    before: dict[int, int] = {}
    for i, match in zip(regions, rising, strict=True):
        k = bisect_left(ends, match)
        before[i] = chains[k - 1] if k else -1
        ends[k : k + 1] = [match]
        chains[k : k + 1] = [i]
    result = {}
    i = chains[-1] if chains else -1
    while i >= 0:
        result[i] = matches[i]
        i = before[i]
    return result


def bounding_matches(
    options: Mapping[int, list[int]], fixed: Mapping[int, int], end: int
) -> tuple[dict[int, int], dict[int, int]]:
    """Return the first match of each region after those of the regions before it, and the last one.

    The last one is that before the matches of the regions after it. A region without such a match
    between those of the nearest fixed regions is left out. ``options`` contains the possible
    matches of each region, ascending, ``fixed`` the matches already decided, which rise with their
    regions; ``end`` is the number of matches.
    """
    regions = sorted(fixed)
    rising = [-1, *map(fixed.__getitem__, regions), end]
    rows: list[tuple[int, list[int], int, int]] = []
    for i in sorted(options.keys() - fixed.keys()):
        k = bisect_left(regions, i)
        rows.append((i, options[i], rising[k], rising[k + 1]))
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    before = -1
    for i, matches, low, high in rows:
        k = bisect_right(matches, max(before, low))
        if k < len(matches) and matches[k] < high:
            before = first[i] = matches[k]
    after = end
    for i, matches, low, high in reversed(rows):
        k = bisect_left(matches, min(after, high)) - 1
        if k >= 0 and matches[k] > low:
            after = last[i] = matches[k]
    return first, last


def without_crossings(match_of: Mapping[int, int]) -> dict[int, int]:
    """Return the regions, given in order, whose matches are above all before and below all after.

    Two that cross, or claim the same match, cannot both be right, and it is unknown which is.
    """
    matches = np.array(list(match_of.values()), dtype=np.int64)
    if not len(matches):
        return {}
    highest = np.concatenate(([-1], np.maximum.accumulate(matches)[:-1]))
    lowest = np.concatenate((np.minimum.accumulate(matches[::-1])[::-1][1:], [matches.max() + 1]))
    keep = (highest < matches) & (matches < lowest)
    return {i: match for (i, match), good in zip(match_of.items(), keep, strict=True) if good}


def _names_around(elements: Elements, markup: Markup) -> tuple[list[int], list[int]]:
    """Return a number for the names of each element and its nearest ancestors, except loose ones.

    Then those of each start tag and, at the end, 0 for the number -1. Equal names, equal numbers.
    """
    n, above = len(elements), np.array(markup.above, dtype=np.int32)
    parents = np.concatenate((elements.parent, np.where(above < 0, -1, above + n))).astype(np.int32)
    codes = kernels.number_values([*_LOOSE, *elements.tag, *markup.names])[len(_LOOSE) :]
    codes[codes < len(_LOOSE)] = 0
    # A page of more names than any has confuses the rarest.
    around: list[int] = kernels.packed_paths(parents, np.minimum(codes, _MAX_CODE)).tolist()
    return around[:n], [*around[n:], 0]


def _regions_by_content(page: Page, element: Sequence[int]) -> dict[_Content, list[int]]:
    """Return the regions by text and element name; those of frames are left out."""
    tags = page.elements.tag
    regions: dict[_Content, list[int]]
    regions = kernels.places_of(zip(page.text, [tags[n] for n in element], strict=True))
    if _FRAMES.isdisjoint(tags):
        return regions
    framed: list[bool] = []
    for parent in page.elements.parents:
        framed.append(parent >= 0 and (framed[parent] or tags[parent] in _FRAMES))
    outside = {
        content: [i for i in same if not framed[element[i]]] for content, same in regions.items()
    }
    return {content: same for content, same in outside.items() if same}


def _matches_by_content(
    markup: Markup, html: str, regions: Mapping[_Content, list[int]]
) -> tuple[dict[_Content, list[_Match]], dict[str, int]]:
    """Return the matches by text and element name, and how often each text is in the source."""
    holders: dict[str, list[str]] = {}  # names of the elements with each text
    for text, name in regions:
        if text:
            holders.setdefault(text, []).append(name)
    find_texts = kernels.find_texts or _find_texts
    holder_of = partial(_holder, markup)
    matches, times = find_texts(html, markup.texts, holders, markup.names, _read, holder_of)
    for match in markup.media:
        if (content := ("", markup.names[match[2]])) in regions:
            matches.setdefault(content, []).append(match)
    return matches, times


def _find_texts(
    html: str,
    texts: Sequence[_Match],
    holders: Mapping[str, list[str]],
    names: Sequence[str],
    read: Callable[[str], str],
    holder_of: Callable[[int, list[str]], str],
) -> tuple[dict[_Content, list[_Match]], dict[str, int]]:
    """Return the texts that some element holds, by content, and how often each is in the source."""
    times: Counter[str] = Counter()
    matches: defaultdict[_Content, list[_Match]] = defaultdict(list)
    for match in texts:
        start, end, opening = match
        text = html[start:end]
        if "&" in text or text not in holders:
            text = read(text)
        if held := holders.get(text):
            times[text] += 1
            name = names[opening] if opening >= 0 else ""
            if name in held or (name := holder_of(opening, held)):
                matches[text, name].append(match)
    return matches, times


def _read(text: str) -> str:
    return collapse(unescape(text) if "&" in text else text)


def _holder(markup: Markup, opening: int, held: Sequence[str]) -> str:
    """Return the element name that a region with a text would have here, or an empty string.

    ``held`` are the names of the elements that hold the text on the page.
    """
    while opening >= 0:
        name = markup.names[opening]
        if name in held:
            return name
        if name not in _LOOSE:
            return ""
        opening = markup.above[opening]
    # If the source names no element: libxml2 wraps the text in a paragraph.
    return next((name for name in ("body", "p") if name in held), "")
