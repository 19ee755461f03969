"""Evidence of a page for its fields: label probabilities, blocks, headings and their places.

The candidates of all fields come from the same page; what several fields need is computed here
once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice, repeat
from typing import TypeVar

import msgspec
import numpy as np

from structce import kernels
from structce.arrays import Flags, Floats, Floats32, Integers, Integers32
from structce.article.regions import join_regions
from structce.article.tuned import patterns
from structce.bylines import hints_of_elements
from structce.features import dom_tree, text
from structce.labelling import Labelling
from structce.language import TEXTS, WORDS, normalise, normalise_texts
from structce.page import Page, Statement, stated_dates
from structce.patterns import lazy_pattern

HEADINGS: Mapping[str, int] = {f"h{level}": level for level in range(1, 7)}
"""Level of each heading element."""

LANDMARKS: Mapping[str, int] = {
    tag: n
    for n, tag in enumerate("main article header nav footer aside form dialog figure".split(), 1)
}
"""Number of each element that states the purpose of a part of a page; the innermost counts."""

SURROUNDINGS: Mapping[str, str] = patterns("surroundings")
"""Kinds of parts of a page, by regular expressions for their class names and ids."""

_KIND_BIT = {kind: 1 << n for n, kind in enumerate(SURROUNDINGS)}
_AROUND = tuple(f"in_{name}" for name in SURROUNDINGS)
_NAMED = {f"named_{hint}": hint for hint in ("author", "date", "title")}
_MOST_COMPARED = 200  # characters; longer texts are not compared with others
_NEAR = 3  # elements above a region whose names describe the region itself
_KINDS = "|".join(f"({pattern})" for pattern in SURROUNDINGS.values())
_HINT = lazy_pattern(patterns("hint")["surroundings"], re.MULTILINE)
_KIND = lazy_pattern(_KINDS, re.MULTILINE)
"""Where a kind may begin, and the kinds, of which no two begin at the same place, as groups."""
_WHOLE = frozenset({"html", "body"})  # their names describe the page, not a part of it
_BODY = ("Paragraph", "Subtitle")


class Evidence(msgspec.Struct, frozen=True, eq=False, dict=True):
    """Evidence of a labelled page for the values of its fields."""

    page: Page
    marginals: Floats  # probability of each label at each region, shape (n_regions, n_labels)
    labels: Sequence[str]  # names of the labels, in the order of the columns

    def probability(self, label: str) -> Floats:
        """Return the probability of a label at each region, shape (n_regions,); 0 if unknown."""
        if label not in self.labels:
            return np.zeros(len(self.page))
        return self.marginals[:, self.labels.index(label)]

    @cached_property
    def p_body(self) -> Floats:
        """Probability that each region is text of the body, shape (n_regions,)."""
        return sum((self.probability(label) for label in _BODY), np.zeros(len(self.page)))

    @cached_property
    def block_starts(self) -> Integers:
        """First region of each block, shape (n_blocks,)."""
        return np.flatnonzero(text.block_starts(self.page))

    @cached_property
    def block_chars(self) -> Floats:
        """Characters of each block, shape (n_blocks,)."""
        return np.add.reduceat(self.chars, self.block_starts) if self.n_blocks else np.zeros(0)

    @cached_property
    def n_blocks(self) -> int:
        """Number of blocks."""
        return len(self.block_starts)

    def regions_of(self, block: int) -> range:
        """Return the regions of a block."""
        return range(self._block_borders[block], self._block_borders[block + 1])

    @cached_property
    def _block_borders(self) -> list[int]:
        return [*self.block_starts.tolist(), len(self.page)]

    def block_max(self, values: Floats) -> Floats:
        """Return the highest value among the regions of each block, shape (n_blocks,)."""
        return np.maximum.reduceat(values, self.block_starts) if self.n_blocks else np.zeros(0)

    def text_of(self, regions: Sequence[int] | range) -> str:
        """Return the text of neighbouring regions in one line."""
        is_single = len(regions) == 1
        return self.page.text[regions[0]] if is_single else join_regions(self.page, regions)

    @cached_property
    def chars(self) -> Floats:
        """Characters of each region's text, shape (n_regions,)."""
        return text.lengths(self.page).astype(np.float64)

    def tag_codes(self, codes: Mapping[str, int]) -> Integers:
        """Return the code of each element's tag, else 0; shape (n_elements + 1,), the last is 0."""
        of_tags = [*map(codes.get, dom_tree.elements_called(self.page), repeat(0)), 0]
        return np.array(of_tags, dtype=np.int64)[self._tag_numbers]

    @cached_property
    def _tag_numbers(self) -> Integers32:
        return np.append(dom_tree.tag_numbers(self.page), -1)

    def nearest_codes(self, codes: Mapping[str, int]) -> Integers:
        """Return the code, from 1, of the nearest tag with one at or above each element; else 0."""
        own = self.tag_codes(codes)
        nearest: Integers = own[dom_tree.nearest_marked(self.page, own[:-1] > 0)]
        return nearest

    def shared_with(self, element: int) -> Integers:
        """Return the innermost element around each element and a given one; else -1."""
        marks = np.zeros(len(self.page.elements), dtype=bool)
        marks[[*self.page.elements.ancestors(element)]] = True
        return dom_tree.nearest_marked(self.page, marks)

    @cached_property
    def level(self) -> Integers:
        """Level of the heading that each region is in, 0 if none, shape (n_regions,)."""
        return self.nearest_codes(HEADINGS)[self.page.element]

    @cached_property
    def in_link(self) -> Flags:
        """Whether each region is inside a link, shape (n_regions,)."""
        links = dom_tree.elements_called(self.page).get("a", ())
        return dom_tree.inside_any(self.page, links)

    @cached_property
    def landmark(self) -> Integers:
        """Number of the landmark that each element is in, 0 if none, shape (n_elements,)."""
        return self.nearest_codes(LANDMARKS)

    @cached_property
    def names(self) -> list[tuple[int, str]]:
        """Elements with classes, and these as written, then elements with an id, and this."""
        attributes, having = self.page.elements.attributes, dom_tree.elements_with(self.page)
        return [(i, attributes[i][key]) for key in ("class", "id") for i in having.get(key, ())]

    @cached_property
    def surroundings(self) -> Integers:
        """Kinds of ``SURROUNDINGS`` that each element is in, one bit per kind, (n_elements,)."""
        kinds = [0] * len(self.page.elements)
        of_names = surroundings_of(names for _, names in self.names)
        for i, names in self.names:
            if bits := of_names[names]:
                kinds[i] |= bits
        for tag in _WHOLE:
            for i in dom_tree.elements_called(self.page).get(tag, ()):
                kinds[i] = 0
        return kernels.bits_down(self.page.elements.parent, np.array(kinds, dtype=np.int64))

    def is_in_surroundings(self, region: int, kind: str) -> bool:
        """Return whether a region is in a named part of the page that excludes title and text.

        ``kind`` is one of ``SURROUNDINGS``, such as ``comment``.
        """
        bit, element, kinds = _KIND_BIT[kind], self.page.element, self.surroundings
        if not kinds[element[region]] & bit:
            return False
        others = [i for i in (self.title_region, self.body_begin) if i < len(self.page)]
        return not any(kinds[element[i]] & bit for i in others)

    def surrounding_rows(self, elements: Integers | Integers32) -> Integers:
        """Return whether elements are in each kind of ``SURROUNDINGS``, as rows of 0 and 1."""
        return self.surroundings[elements] >> np.arange(len(SURROUNDINGS))[:, None] & 1

    @cached_property
    def path_numbers(self) -> tuple[Integers, Integers]:
        """Number of each element's path, with classes and without; shapes (n_elements,)."""
        return dom_tree.path_numbers(self.page)

    @cached_property
    def region_ranges(self) -> tuple[Integers, Integers]:
        """First region inside each element, and the one after its last, shapes (n_elements,).

        Regions are in the order of the document, so those of an element are neighbours. Both are
        0 for an element without regions.
        """
        first, n_regions = dom_tree.regions_below(self.page)
        starts = np.where(n_regions > 0, first, 0)
        return starts, starts + n_regions

    @cached_property
    def body_begin(self) -> int:
        """First region of the body's first long run of text; the number of regions if none."""
        return self._at_share(0.05)

    @cached_property
    def body_end(self) -> int:
        """Region by which nearly all of the body has ended."""
        return self._at_share(0.98)

    @cached_property
    def _mass(self) -> Floats:
        """Expected characters of the body up to each region, shape (n_regions,)."""
        return (self.p_body * np.minimum(self.chars, 400)).cumsum()

    def _at_share(self, share: float) -> int:
        total = float(self._mass[-1]) if len(self._mass) else 0.0
        return len(self.page) if total < 1 else int(self._mass.searchsorted(share * total))

    @cached_property
    def title_region(self) -> int:
        """Region that is most likely the title; the first on a tie."""
        p = self.probability("Title")
        return int(np.argmax(p)) if len(p) else 0

    def nearest_attributes(self, region: int, tag: str) -> Mapping[str, str] | None:
        """Return the attributes of the innermost of five elements around a region with a tag."""
        elements = self.page.elements
        for above in islice(elements.ancestors(int(self.page.element[region])), 5):
            if elements.tag[above] == tag:
                return elements.attributes[above]
        return None

    def name_features(self, region: int) -> dict[str, float]:
        """Return features from the names of the elements around a region, each 0 or 1.

        ``named_author`` and the like consider only the nearest elements; ``in_comment`` and the
        like, one for each of ``SURROUNDINGS``, consider all of them.
        """
        element, elements = int(self.page.element[region]), self.page.elements
        if element not in self._features_by_element:
            above = [*islice(elements.ancestors(element), _NEAR)]
            hints = hints_of_elements(self.page, above)
            self._features_by_element[element] = {
                **_kind_features(int(self.surroundings[element])),
                **{name: float(hint in hints) for name, hint in _NAMED.items()},
                "in_time": float(any(elements.tag[n] == "time" for n in above)),
            }
        return self._features_by_element[element]

    @cached_property
    def _features_by_element(self) -> dict[int, dict[str, float]]:
        return {}

    @cached_property
    def normalised(self) -> list[str]:
        """Normalised text of each region of at most 200 characters; empty for longer ones."""
        letters = list(self.page.letters)
        for i in np.flatnonzero(self.chars > _MOST_COMPARED).tolist():
            letters[i] = ""
        return letters

    @cached_property
    def _lines(self) -> str:
        return "\n".join([*self.normalised, ""])

    def n_regions_with(self, part: str) -> int:
        """Return the number of regions whose normalised text contains a part, which is not ''."""
        n, at = 0, self._lines.find(part)
        while at >= 0:
            n += 1
            at = self._lines.find(part, self._lines.find("\n", at))
        return n

    @cached_property
    def stated_dates(self) -> tuple[Statement, ...]:
        """Days and moments that the page's metadata state."""
        return stated_dates(self.page.metadata, self.page.url)

    @cached_property
    def publishers(self) -> frozenset[str]:
        """Normalised names of the site as its metadata states them."""
        return frozenset(normalise_texts(self.page.metadata.publishers)) - {""}


def evidence_of(labelling: Labelling) -> Evidence:
    """Return the evidence of a labelling; without marginals, labels count by their confidence."""
    marginals = labelling.marginals
    if marginals is None:
        codes = labelling.label_set.encode(labelling.labels)
        marginals = np.zeros((len(codes), len(labelling.label_set)))
        marginals[np.arange(len(codes)), codes] = labelling.confidence
    return Evidence(labelling.page, marginals, labelling.label_set.names)


word_key = lru_cache(maxsize=WORDS)(normalise)
"""Normalised form of a word, which recurs on other pages."""


def surroundings_of(values: Iterable[str]) -> dict[str, int]:
    """Return the kinds of ``SURROUNDINGS`` that class names match, one bit each, lowest first."""
    bits = dict.fromkeys(values, 0)
    rows = [*bits]
    lines = [row.removesuffix("\n").replace("\n", "\t") if "\n" in row else row for row in rows]
    joined, n, before = "\n".join(lines).lower(), 0, 0
    hint = _HINT.search(joined)
    while hint is not None:
        start = hint.start()
        if (kind := _KIND.match(joined, start)) is not None:
            n, before = n + joined.count("\n", before, start), start
            bits[rows[n]] |= 1 << ((kind.lastindex or 0) - 1)
        hint = _HINT.search(joined, start + 1)
    return bits


@lru_cache(maxsize=TEXTS)
def _kind_features(bits: int) -> dict[str, float]:
    return {name: float(bits >> n & 1) for n, name in enumerate(_AROUND)}


def likely_blocks(
    evidence: Evidence, probability: Floats, *, least: float, n_most: int
) -> list[int]:
    """Return at most ``n_most`` blocks with a probability from ``least``, the likeliest first."""
    highest = evidence.block_max(probability)
    order: list[int] = (-highest).argsort(kind="stable")[:n_most].tolist()
    return [block for block in order if highest[block] >= least]


Columns = Mapping[str, Floats]
"""Features of several blocks or regions by name, each of shape (n_rows,)."""

Rows = TypeVar("Rows", Floats, Floats32)


def named_columns(rows: Rows, columns: Sequence[str], names: Sequence[str]) -> Rows:
    """Return the named columns of rows, shape (n_rows, n_names)."""
    return rows if names == columns else rows[:, [columns.index(name) for name in names]]
