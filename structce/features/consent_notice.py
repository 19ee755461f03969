"""Consent notices: dialogs that ask for cookies and cover the article."""

from __future__ import annotations

from bisect import bisect_right

import numpy as np

from structce.arrays import Flags
from structce.features.dom_tree import elements_called, elements_with, ends, regions_below
from structce.features.element_names import MAYBE_NOTICE, NOTICE, element_bits
from structce.features.registry import once_a_page
from structce.features.tables import pattern
from structce.page import Page

_NOTICE_TAGS = frozenset("div section aside form dialog footer header nav ul p iframe".split())
_DIALOG_ROLES = frozenset({"dialog", "alertdialog"})
_MAX_SHARE = 0.5  # of a page's regions: an element that contains more wraps the page itself
_SMALL = 10  # regions; an element with no more may be a notice even on a short page
_MAX_TEXT = 4_000  # characters of a notice known by its words alone; longer ones are policies


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
    bits, tags = element_bits(page) & (NOTICE | MAYBE_NOTICE), page.elements.tag
    named = {i for i in np.flatnonzero(bits).tolist() if tags[i] in _NOTICE_TAGS}
    for i in sorted(named | _dialogs(page)):
        start, n = int(first[i]), int(counts[i])
        if n > most or is_notice[start : start + n].all() or _holds_article(page, i):
            continue
        if (i in named and bits[i] & NOTICE) or _asks_for_consent(page.text[start : start + n]):
            is_notice[start : start + n] = True
    return is_notice


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
