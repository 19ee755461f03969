"""Features of advertisements: names and labels, hosts, paid links."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from structce import kernels
from structce.arrays import Flags, Integers
from structce.features.cues import cue_column
from structce.features.dom import in_elements
from structce.features.dom_tree import (
    elements_with,
    inside_any,
    nearest_marked,
    regions_below,
)
from structce.features.element_names import ADVERTISEMENT, element_bits
from structce.features.registry import feature, once_a_page
from structce.features.tables import pattern, word_set
from structce.language import TEXTS, cues_of_texts
from structce.page import Page

_CUE = "advertisement-cue"
_LABELS = ("aria-label", "title")  # the first one present counts, even if empty
_ABSOLUTE = ("https://", "http://", "//")
_ADDRESSES = ("src", "href", "data-src")
_MAX_SHARE = 0.2  # of a page's regions; an element that contains more is not an advertisement
_SMALL = 3  # regions; an element with no more may be an advertisement even on a short page
_NEAR_STEPS = 3  # number of elements above that count as near
_MAX_LABEL_TEXT = 30  # characters of a text that only labels what follows as an advertisement
_MAX_ANNOUNCED = 5  # regions of an element that one label announces, itself included
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_MAX_LABEL = 40  # characters of a label that announces an advertisement


@feature("task")
def advertisement_name(page: Page) -> list[str | None]:
    """Where a class, id or label names an advertisement: on the element itself, ``near``, ``far``.

    Publishers wrap advertisements in elements named after them; only whole words count, so that
    "header" and "shadow" do not.
    """
    return kernels.map_codes((None, "far", "near", "own").__getitem__, named_codes(page))


@once_a_page
def named_codes(page: Page) -> Integers:
    """Return where an advertisement is named: 3 on the region's element, 2 near, 1 far, else 0."""
    marks = element_bits(page) & ADVERTISEMENT > 0
    marks[[*_labelled_elements(page)]] = True
    # An element that contains much of the page may be called "has-ads".
    marks &= regions_below(page)[1] <= max(_MAX_SHARE * len(page), _SMALL)
    if not marks.any():
        return np.zeros(len(page), dtype=np.int64)
    nearest = nearest_marked(page, marks)[page.element]
    steps = page.elements.depth[page.element] - page.elements.depth[nearest]
    return np.where(nearest < 0, 0, np.where(steps == 0, 3, 1 + (steps <= _NEAR_STEPS)))


def _labelled_elements(page: Page) -> set[int]:
    """Return the elements whose label or slot announces an advertisement."""
    rows, having = page.elements.attributes, elements_with(page)
    labelled = {i for name in _LABELS for i in having.get(name, ()) if page.elements.tag[i] != "a"}
    labels = {i: next(rows[i][n] for n in _LABELS if n in rows[i]) for i in labelled}
    short = [label for label in {*labels.values()} if len(label) <= _MAX_LABEL]
    cues = zip(short, cues_of_texts(short, page.lang), strict=True)
    announcing = {label for label, own in cues if _CUE in own}
    slots = (having.get(name, ()) for name in word_set("advertising", "slots"))
    return {i for i, label in labels.items() if label in announcing}.union(*slots)


@feature("task")
@once_a_page
def advertisement_host(page: Page) -> Flags:
    """Image, frame or link whose address belongs to a host that serves advertisements."""
    rows, having = page.elements.attributes, elements_with(page)
    served: set[int] = set()
    for key in _ADDRESSES:
        for i in having.get(key, ()):
            address = rows[i][key]
            if address.startswith(_ABSOLUTE):
                end = address.find("/", 8)
                if _is_of_ad_host(address if end < 0 else address[:end]):
                    served.add(i)
    return inside_any(page, list(served))


@lru_cache(maxsize=TEXTS)
def _is_of_ad_host(address: str) -> bool:
    host = address.split("/", 3)[2].lower()
    return pattern("advertising", "hosts").search(host) is not None


@feature("task", source="HTML")
@once_a_page
def sponsored_link(page: Page) -> Flags:
    """Inside a link whose ``rel`` declares it as paid for, which publishers are obliged to do."""
    rows = page.elements.attributes
    linked = elements_with(page).get("rel", ())
    return inside_any(page, [i for i in linked if "sponsored" in rows[i]["rel"].lower()])


@once_a_page
def announced_regions(page: Page) -> Flags:
    """Return which regions are labels of advertisements or follow one in a small element.

    Labels are short texts outside links, since links lead to a site's advertising section; the
    heading of a menu announces nothing that follows it. Shape (n_regions,).
    """
    announced = np.zeros(len(page), dtype=bool)
    parent = page.elements.parent
    named = np.flatnonzero(cue_column(page, _CUE)).tolist()
    if not named:
        return announced
    in_link, in_heading = in_elements(page, ["a"]), in_elements(page, _HEADINGS)
    first, n_regions = regions_below(page)
    for i in named:
        if in_link[i] or len(page.text[i]) > _MAX_LABEL_TEXT:
            continue
        announced[i] = True
        above = page.element[i]
        while above >= 0 and n_regions[above] == 1:
            above = parent[above]
        is_small = above >= 0 and first[above] == i and n_regions[above] <= _MAX_ANNOUNCED
        if is_small and not in_heading[i]:
            announced[i : i + n_regions[above]] = True
    return announced
