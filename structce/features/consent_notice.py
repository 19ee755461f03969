"""Consent notices: dialogs that ask for cookies and cover the article."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache, lru_cache

import numpy as np

from structce.arrays import Flags
from structce.features.class_names import distinct_names, naming_values, read_names
from structce.features.dom_tree import elements_called, elements_with, ends, regions_below
from structce.features.registry import once_a_page
from structce.features.tables import pattern, text_table, word_set
from structce.page import Page

_CMP = "cmp"  # consent management platform, or merely a component of the page
_NOTICE_TAGS = frozenset("div section aside form dialog footer header nav ul p iframe".split())
_DIALOG_ROLES = frozenset({"dialog", "alertdialog"})
_MAX_SHARE = 0.5  # of a page's regions: an element that contains more wraps the page itself
_SMALL = 10  # regions; an element with no more may be a notice even on a short page
_MAX_TEXT = 4_000  # characters of a notice known by its words alone; longer ones are policies
_SURE, _MAYBE, _NONE = 2, 1, 0


@once_a_page
def consent(page: Page) -> Flags:
    """Return which regions are inside a cookie consent notice, shape (n_regions,).

    A notice is running text like an article's, and comes first or last in the page. It is
    recognised by the names of the few platforms that serve most notices, or by its words.
    """
    is_notice = np.zeros(len(page), dtype=bool)
    if not len(page):
        return is_notice
    first, counts = regions_below(page)
    most = max(_MAX_SHARE * len(page), _SMALL)
    for i, strength in _candidates(page).items():
        start, n = int(first[i]), int(counts[i])
        if n > most or is_notice[start : start + n].all() or _holds_article(page, i):
            continue
        if strength == _SURE or _asks_for_consent(page.text[start : start + n]):
            is_notice[start : start + n] = True
    return is_notice


def _candidates(page: Page) -> dict[int, int]:
    """Return elements that may be a notice, with the certainty of their names, outermost first."""
    rows, tags = page.elements.attributes, page.elements.tag
    candidates = dict.fromkeys(_dialogs(page), _MAYBE)
    is_other = _notice_vocabulary().isdisjoint
    read = distinct_names(page).items()
    wanted = {names for names, (tokens, _) in read if not is_other(tokens)}
    likely = [i for i, names in enumerate(naming_values(page)) if names in wanted] if wanted else []
    for i in (i for i in likely if tags[i] in _NOTICE_TAGS):
        strength = max(_certainty(rows[i].get("id", "")), _certainty(rows[i].get("class", "")))
        if strength:
            candidates[i] = max(strength, candidates.get(i, _NONE))
    return dict(sorted(candidates.items()))


def _dialogs(page: Page) -> set[int]:
    """Return the elements that are dialogs, by mark-up or by a fixed position over the page."""
    rows, having = page.elements.attributes, elements_with(page)
    dialogs = set(elements_called(page).get("dialog", ()))
    dialogs |= {i for i in having.get("role", ()) if rows[i]["role"].lower() in _DIALOG_ROLES}
    dialogs |= {i for i in having.get("aria-modal", ()) if rows[i]["aria-modal"] == "true"}
    if "position" in page.elements.styles:
        fixed = np.flatnonzero(page.elements.styles["position"] == "fixed")
        dialogs |= set(fixed.tolist())
    return dialogs


@lru_cache(maxsize=4096)
def _certainty(names: str) -> int:
    """Return the highest certainty with which a name in an attribute is that of a notice."""
    return max((_certainty_of_name(name) for name in names.split()), default=_NONE)


@lru_cache(maxsize=4096)
def _certainty_of_name(name: str) -> int:
    words, _ = read_names(name)
    if words.isdisjoint(_notice_vocabulary()):  # settles most names quickly
        return _NONE
    if words & word_set("consent_notice", "not-notice"):
        return _NONE
    subjects = words & word_set("consent_notice", "subjects")
    parts = words & word_set("consent_notice", "notice-words")
    is_platform = not words.isdisjoint(word_set("consent_notice", "platforms"))
    if is_platform or (subjects and parts) or any(map(words.issuperset, _platform_phrases())):
        return _SURE
    may_be_platform = _CMP in words and (parts or "container" in words)
    return _MAYBE if subjects or may_be_platform else _NONE


@cache
def _notice_vocabulary() -> frozenset[str]:
    """Return the words of which every name of a notice or platform contains at least one."""
    listed = (word_set("consent_notice", key) for key in ("platforms", "subjects"))
    return frozenset({_CMP}).union(*listed, *_platform_phrases())


@cache
def _platform_phrases() -> list[frozenset[str]]:
    lines = text_table("consent_notice")["platform-phrases"].splitlines()
    return [frozenset(line.split()) for line in lines]


@once_a_page
def _article_elements(page: Page) -> list[int]:
    """Return the elements that contain the main content of the page, in document order."""
    called = elements_called(page)
    return sorted(i for name in ("main", "article", "body") for i in called.get(name, ()))


def _holds_article(page: Page, i: int) -> bool:
    """Return whether an element is, or contains, an element with the main content of the page."""
    articles = _article_elements(page)
    n_before = bisect_right(articles, i - 1)
    return n_before < len(articles) and articles[n_before] < ends(page)[i]


def _asks_for_consent(texts: tuple[str, ...]) -> bool:
    """Return whether texts mention cookies, and accepting or refusing them."""
    text = " ".join(texts)
    words = (pattern("consent_notice", key) for key in ("cookies", "answers"))
    return len(text) <= _MAX_TEXT and all(word.search(text) for word in words)
