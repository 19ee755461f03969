"""Source spans: where the regions of a page are in its HTML source.

A page is aligned with its source as two sequences. Regions are numbered in page order, matches (of
their texts and media) in source order; the content of a region, its attributes and the elements
around it determine which matches it may have, and the order of both sequences which it has.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import accumulate, repeat

import numpy as np
from msgspec.structs import replace

from structce import kernels
from structce.arrays import Integers, Integers32
from structce.language import unescape
from structce.page import Page
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

_LOOSE = tuple("table tbody thead tfoot tr colgroup html head body".split())
"""Elements that distinguish no matches: their tags may be omitted, or text moved out of them, as a
browser moves text inside a table before it."""

_NAMES = (*_LOOSE, "iframe", "frame", "p")
"""Names of elements whose codes are known: their places here."""

_WRAPPERS = (_NAMES.index("body"), _NAMES.index("p"))  # libxml2 wraps text in a paragraph
_FRAME = _NAMES.index("iframe")
_MAX_CODE = 1023  # of a name; six nearest ancestors must match, as the source may omit outer ones

# Bounds on the time for a page that repeats one text over and over.
_MOST_MATCHES = 8
_MOST_LEVELS = 32
_MOST_ROUNDS = 4
_MOST_LOOSE = 512  # elements around a text

_Group = tuple[list[int], list[int]]
"""Regions, and the matches of which each has one; both ascending."""


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
        match_of = search.run()
        regions = (match_of >= 0).nonzero()[0]
        found = search.matches[match_of[regions]]
        places[regions] = found[:, :2]
        for i in regions[found[:, 4] > 0].tolist():
            places[i] = trim_references(html, *places[i].tolist())
    return replace(page, spans=places)


class _Search:
    """Search for the match of each region of a page in its source."""

    def __init__(self, page: Page, markup: Markup, html: str) -> None:
        self.page, self.markup, self.groups = page, markup, list[_Group]()
        n, parent, above = len(page.elements), page.elements.parent, np.array(markup.above, "i4")
        names = [*_NAMES, *page.elements.tag, *markup.names]
        codes = kernels.number_values(names)[len(_NAMES) :]
        is_frame = (codes[:n] == _FRAME) | (codes[:n] == _FRAME + 1)
        is_inside = kernels.counts_above(parent, is_frame) > is_frame
        own = np.where(is_inside, -1, codes[:n])[page.element]
        rules = len(_LOOSE), _WRAPPERS, _MOST_LOOSE
        sources = html, markup.texts, markup.media
        find_texts = kernels.find_texts or _find_texts
        self.contents, times, self.matches = find_texts(
            *sources, page.text, own, codes[n:], above, rules, _read
        )
        parents = np.concatenate((parent, np.where(above < 0, -1, above + n)))
        # A page of more names than any has confuses the rarest.
        codes = np.where(codes < len(_LOOSE), 0, np.minimum(codes, _MAX_CODE))
        around = kernels.packed_paths(parents.astype(np.int32), codes)
        # The names around each element, and around each start tag and, at the end, the tag -1.
        self.around, self.written_around = around[:n], np.append(around[n:], 0)
        self._pair(times, html)

    def _pair(self, times: Integers32, html: str) -> None:
        """Pair the regions and matches of each content in order; compare them if a pair differs."""
        contents, found, n = self.contents, self.matches[:, 3], len(times)
        n_regions, n_matches = np.bincount(contents, minlength=n), np.bincount(found, minlength=n)
        is_even = n_regions == n_matches
        regions, matches = contents.argsort(kind="stable"), found.argsort(kind="stable")
        self.is_sure = (is_even & (n_regions == 1) & (times == 1))[contents]
        self.match_of = np.full(len(contents), -1, dtype=np.int64)
        even = regions[is_even[contents[regions]]]
        self.match_of[even] = matches[is_even[found[matches]]]
        even = even[~self.is_sure[even]]
        is_even[self._unwritten(even, html)] = False
        self.match_of[~is_even[contents]] = -1
        self.even = even[is_even[contents[even]]]
        last_region, last_match = n_regions.cumsum(), n_matches.cumsum()
        for content in (~is_even & (n_matches > 0)).nonzero()[0].tolist():
            own = regions[last_region[content] - n_regions[content] : last_region[content]]
            options = matches[last_match[content] - n_matches[content] : last_match[content]]
            self._compare(own.tolist(), options.tolist())

    def _unwritten(self, regions: Integers, html: str) -> list[int]:
        """Return the contents of regions whose match has other ancestors or attributes."""
        elements, openings = self.page.element[regions], self.matches[self.match_of[regions], 2]
        contents, starts, ends = self.contents[regions], self.markup.starts, self.markup.ends
        has_other_names = self.around[elements] != self.written_around[openings]
        unwritten: list[int] = contents[has_other_names].tolist()
        rows = zip(contents.tolist(), elements.tolist(), openings.tolist(), strict=True)
        for content, element, opening in rows:
            tag = html[starts[opening] : ends[opening]] if opening >= 0 else ""
            attributes = self.page.elements.attributes[element]
            for value in attributes.values():
                if value not in tag:
                    unwritten.append(content)
                    break
            if not attributes and "=" in tag:
                unwritten.append(content)
        return unwritten

    def _compare(self, regions: list[int], matches: list[int], *, by_names: bool = False) -> None:
        """Record which of the matches, equal so far, each of the regions may have.

        Attributes are compared, and, if they leave a choice, the names of ancestors as well.
        """
        elements, openings = self.page.element[regions], self.matches[matches, 2]
        groups: defaultdict[Hashable, _Group] = defaultdict(lambda: ([], []))
        seen: list[Hashable] = self.around[elements].tolist()
        written: list[Hashable] = self.written_around[openings].tolist()
        if not by_names:
            rows = self.page.elements.attributes
            seen = [comparable(rows[i]) for i in elements.tolist()]
            written = [*map(self.markup.attributes, openings.tolist())]
        for key, i in zip(seen, regions, strict=True):
            groups[key][0].append(i)
        for key, match in zip(written, matches, strict=True):
            groups[key][1].append(match)
        for key, (same, options) in groups.items():
            if len(same) == len(options) == 1 and (key or by_names):
                self.is_sure[same[0]], self.match_of[same[0]] = True, options[0]
            elif same and options and not by_names:
                self._compare(same, options, by_names=True)
            elif same and options:
                self.groups.append((same, options))

    def run(self) -> Integers:
        """Return the match of each region, -1 for none, shape (n_regions,)."""
        if all(len(same) == len(options) for same, options in self.groups):
            for same, options in self.groups:
                self.match_of[same] = options
            chosen = self.match_of[self.match_of >= 0]
            if (chosen[1:] > chosen[:-1]).all():
                return self.match_of
        return self._search_in_order()

    def _search_in_order(self) -> Integers:
        """Return the match of each region, of which those not sure follow from the order."""
        options = {i: matches for same, matches in self.groups for i in same}
        for places in kernels.places_of(self.contents[self.even].tolist()).values():
            same = self.even[places]
            options |= dict.fromkeys(same.tolist(), self.match_of[same].tolist())
        sure = self.is_sure.nonzero()[0]
        fixed = longest_rising(sure.tolist(), self.match_of[sure].tolist())
        for _ in range(_MOST_ROUNDS):
            first, last = bounding_matches(options, fixed, len(self.matches))
            choices = {}
            for i in sorted(first.keys() & last.keys()):
                match = self._most_alike(i, options[i], first[i], last[i])
                if match is not None:
                    choices[i] = match
            decided = without_crossings(choices)
            fixed |= decided
            if not decided or len(decided) == len(first.keys() | last.keys()):
                break
        self.match_of[~self.is_sure] = -1
        self.match_of[[*fixed]] = [*fixed.values()]
        return self.match_of

    def _most_alike(self, i: int, options: list[int], first: int, last: int) -> int | None:
        """Return the match whose ancestors are most similar to the region's; None on a tie."""
        if first == last:
            return first
        rivals = options[bisect_left(options, first) : bisect_right(options, last)]
        if not 0 < len(rivals) <= _MOST_MATCHES:
            return None
        element = int(self.page.element[i])
        scores = [self._agreement(element, int(self.matches[n, 2])) for n in rivals]
        best = max(scores)
        return rivals[scores.index(best)] if scores.count(best) == 1 else None

    def _agreement(self, element: int, opening: int) -> int:
        """Return the number of ancestors, whose names are equal, that have equal attributes."""
        elements, markup = self.page.elements, self.markup
        tag, parent = elements.tag, elements.parents
        n_alike = 0
        for _ in range(_MOST_LEVELS):
            while element >= 0 and tag[element] in _LOOSE:
                element = parent[element]
            while opening >= 0 and markup.names[opening] in _LOOSE:
                opening = markup.above[opening]
            if element < 0 or opening < 0:
                break
            n_alike += comparable(elements.attributes[element]) == markup.attributes(opening)
            element, opening = parent[element], markup.above[opening]
        return n_alike


def longest_rising(regions: Sequence[int], matches: Sequence[int]) -> dict[int, int]:
    """Return a largest subset of the regions, given in order, whose matches rise with them.

    A longest increasing subsequence, found by patience sorting.
    """
    ends: list[int] = []  # lowest match at the end of a chain of each length
    chains: list[int] = []  # place of the region at that match
    before: list[int] = []
    for place, match in enumerate(matches):
        k = bisect_left(ends, match)
        before.append(chains[k - 1] if k else -1)
        ends[k : k + 1], chains[k : k + 1] = [match], [place]
    result = {}
    place = chains[-1] if chains else -1
    while place >= 0:
        result[regions[place]] = matches[place]
        place = before[place]
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
    before, after = -1, end
    for i, matches, low, high in rows:
        k = bisect_right(matches, max(before, low))
        if k < len(matches) and matches[k] < high:
            before = first[i] = matches[k]
    for i, matches, low, high in reversed(rows):
        k = bisect_left(matches, min(after, high)) - 1
        if k >= 0 and matches[k] > low:
            after = last[i] = matches[k]
    return first, last


def without_crossings(match_of: Mapping[int, int]) -> dict[int, int]:
    """Return the regions, given in order, whose matches are above all before and below all after.

    Two that cross, or claim the same match, cannot both be right, and it is unknown which is.
    """
    matches = [*match_of.values()]
    highest = accumulate([-1, *matches], max)
    lowest = [*accumulate(reversed([*matches, max(matches, default=0) + 1]), min)][-2::-1]
    rows = zip(match_of.items(), highest, lowest, strict=False)
    return {i: match for (i, match), above, below in rows if above < match < below}


def _find_texts(
    html: str,
    texts: Sequence[int],
    media: Sequence[int],
    own: Sequence[str],
    own_codes: Integers32,
    codes: Integers32,
    above: Integers32,
    rules: tuple[int, tuple[int, ...], int],
    read: Callable[[str], str],
) -> tuple[Integers32, Integers32, Integers32]:
    """Return the contents of regions, how often their texts are in a source, and their matches.

    Contents, texts with the name of an element, are numbered by first appearance. A row for each
    match contains its start, end, start tag, content, and whether it has character references.

    Parameters
    ----------
    own, own_codes
        Text of each region, empty for media, and code of its element's name.
    codes, above : shape (n_tags,)
        Code of the name of each start tag, and the tag around it.
    rules
        First code of elements that texts do not leave, codes of those around a text in no other,
        and the greatest number of elements looked at.
    """
    n_loose, wrappers, most = rules
    contents: dict[tuple[str, int], int] = {}
    pairs = zip(own, own_codes.tolist(), strict=True)
    numbers = [contents.setdefault(content, len(contents)) for content in pairs]
    known, times, rows = set(own) - {""}, Counter[str](), []
    names, parents = codes.tolist(), above.tolist()
    places = [*zip(texts[::3], texts[1::3], texts[2::3], repeat(True))]
    places += zip(media[::3], media[1::3], media[2::3], repeat(False))
    for start, end, tag, is_text in sorted(places):
        text = html[start:end] if is_text else ""
        has_reference = "&" in text
        if is_text and (has_reference or text not in known):
            text = read(text)
            if text not in known:
                continue
        times[text] += is_text
        held, opening = list[tuple[str, int]](), tag
        while opening >= 0 and len(held) < most:
            held.append((text, names[opening]))
            opening = parents[opening] if names[opening] < n_loose else -2
        if opening == -1:
            held += [(text, code) for code in wrappers]
        content = next((contents[place] for place in held if place in contents), -1)
        if content >= 0:
            rows.append((start, end, tag, content, has_reference))
    counts = np.array([times[text] for text, _ in contents], dtype=np.int32)
    return np.array(numbers, dtype=np.int32), counts, np.array(rows, np.int32).reshape(-1, 5)


def _read(text: str) -> str:
    return collapse(unescape(text) if "&" in text else text)
