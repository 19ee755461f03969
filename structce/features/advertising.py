"""Features of advertisements: names and labels, hosts, paid links."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from structce.arrays import Flags
from structce.features.class_names import distinct_names, naming_values
from structce.features.cues import page_cues
from structce.features.dom import in_elements
from structce.features.dom_tree import (
    elements_with,
    inside_any,
    nearest_marked,
    regions_below,
)
from structce.features.registry import feature, once_a_page
from structce.features.tables import pattern, word_set
from structce.language import TEXTS, cues_of_texts
from structce.page import Page
from structce.patterns import lazy_pattern

_NAMES = ("class", "id", "name")
_LABELS = ("aria-label", "title")  # the first one present counts, even if empty
_ABSOLUTE = ("https://", "http://", "//")
_ADDRESSES = ("src", "href", "data-src")
_CAMEL = lazy_pattern(r"(?<=[a-z])(?=[A-Z])")
_BETWEEN = str.maketrans(dict.fromkeys("-_:./#()0123456789", " "))
_GENERATED = lazy_pattern(
    r"[a-z]+\d+[a-wyz][a-z0-9]*"
)  # "ad8anwq" is generated, "ad300x250" is not
_MAX_SHARE = 0.2  # of a page's regions; an element that contains more is not an advertisement
_SMALL = 3  # regions; an element with no more may be an advertisement even on a short page
_NEAR_STEPS = 3  # number of elements above that count as near
_MAX_LABEL_TEXT = 30  # characters of a text that only labels what follows as an advertisement
_MAX_ANNOUNCED = 5  # regions of an element that one label announces, itself included
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_MAX_LABEL = 40  # characters of a label that announces an advertisement


@feature("task")
@once_a_page
def advertisement_name(page: Page) -> list[str | None]:
    """Where a class, id or label names an advertisement: on the element itself, ``near``, ``far``.

    Publishers wrap advertisements in elements named after them; only whole words count, so that
    "header" and "shadow" do not.
    """
    named = _named_elements(page)
    # An element that contains much of the page may be called "has-ads".
    most = max(_MAX_SHARE * len(page), _SMALL)
    marks = np.zeros(len(page.elements), dtype=bool)
    marks[list(named)] = True
    marks &= regions_below(page)[1] <= most
    if not marks.any():
        return [None] * len(page)
    nearest = nearest_marked(page, marks)[page.element]
    steps = page.elements.depth[page.element] - page.elements.depth[nearest]
    kinds = ["own", *["near"] * _NEAR_STEPS, "far"]
    rows = zip(nearest.tolist(), steps.tolist(), strict=True)
    return [kinds[min(n, _NEAR_STEPS + 1)] if i >= 0 else None for i, n in rows]


def _named_elements(page: Page) -> set[int]:
    """Return the elements whose names, label or slot announce an advertisement."""
    rows, having = page.elements.attributes, elements_with(page)
    is_word = word_set("advertising", "words")
    # A name that announces an advertisement contains such a word, which few elements have.
    read = distinct_names(page).items()
    wanted = {names for names, (tokens, _) in read if not is_word.isdisjoint(tokens)}
    likely = [i for i, own in enumerate(naming_values(page)) if own in wanted] if wanted else []
    named = {i for i in likely if any(_announces(rows[i].get(name, "")) for name in _NAMES)}
    labelled = {i for name in _LABELS for i in having.get(name, ()) if page.elements.tag[i] != "a"}
    labels = {i: next(rows[i][n] for n in _LABELS if n in rows[i]) for i in labelled - named}
    short = [label for label in {*labels.values()} if len(label) <= _MAX_LABEL]
    cues = zip(short, cues_of_texts(short, page.lang), strict=True)
    announcing = {label for label, own in cues if "advertisement-cue" in own}
    named.update(i for i, label in labels.items() if label in announcing)
    return named.union(*(having.get(name, ()) for name in word_set("advertising", "slots")))


@lru_cache(maxsize=TEXTS)
def _announces(names: str) -> bool:
    """Return whether any class or id contains a word that announces an advertisement."""
    return any(map(_has_advertisement_word, names.split()))


@lru_cache(maxsize=TEXTS)
def _has_advertisement_word(name: str) -> bool:
    opened = name if name.islower() else _CAMEL.sub(" ", name).lower()
    words = _GENERATED.sub(" ", opened).translate(_BETWEEN).split()
    return not word_set("advertising", "words").isdisjoint(words)


@feature("task")
@once_a_page
def advertisement_host(page: Page) -> Flags:
    """Image, frame or link whose address belongs to a host that serves advertisements."""
    rows, having = page.elements.attributes, elements_with(page)
    served: set[int] = set()
    for key in _ADDRESSES:
        for i in having.get(key, ()):
            address = rows[i][key]
            if address.startswith(_ABSOLUTE) and _is_ad_host(address.split("/", 3)[2]):
                served.add(i)
    return inside_any(page, list(served))


@lru_cache(maxsize=TEXTS)
def _is_ad_host(host: str) -> bool:
    return pattern("advertising", "hosts").search(host.lower()) is not None


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
    named = [i for i, names in enumerate(page_cues(page)) if "advertisement-cue" in names]
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
