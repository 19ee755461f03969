"""Features of what a region has in common with the other pages of its site.

All are unknown on a single page. The page itself never counts among the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from structce.arrays import Flags, Floats
from structce.features.registry import feature, once_a_page
from structce.page import Page, region_files, region_paths, region_texts

_SHARE_BINS = (0.001, 0.05, 0.34, 0.67, 0.95)
"""Borders between none, few, a third, two thirds, most and all of the other pages."""

_INVERSE_BINS = (0.095, 0.19, 0.3, 0.4, 0.6)
"""Borders between 1, 2, 3, 4 to 5, 6 to 10 and more pages."""


@once_a_page
def _content_shares(page: Page) -> Floats:
    """Return the share of the other pages with the same text, or with the same file for media."""
    texts = same_text_share(page)
    return np.where(np.isnan(texts), same_file_share(page), texts)


def _shares(page: Page, keys: Sequence[str], counts: Mapping[str, int]) -> Floats:
    """Return the share of the other pages that also have each key; NaN for an empty key."""
    if page.site is None:
        return np.full(len(keys), np.nan)
    n_others = page.site.n_pages - 1
    shares = {key: (counts.get(key, 1) - 1) / n_others for key in set(keys)}
    shares[""] = np.nan
    return np.array([shares[key] for key in keys], dtype=np.float64)


@feature("site", bins=_SHARE_BINS, needs="site", source="Debnath et al. (2005)")
@once_a_page
def same_text_share(page: Page) -> Floats:
    """Share of the site's other pages with the same text, in [0, 1]; unknown without words.

    Text that recurs on other pages belongs to a menu, a footer or the site's own advertising; an
    article's text is on one page only.
    """
    return _shares(page, region_texts(page), page.site.texts if page.site else {})


@feature("site", bins=_SHARE_BINS, needs="site", source="Debnath et al. (2005)")
@once_a_page
def same_file_share(page: Page) -> Floats:
    """Share of the site's other pages that show the same image or player, in [0, 1].

    Logos, icons and tracking pixels recur, an article's photographs do not. Unknown for texts, and
    for media without the address of a file.
    """
    return _shares(page, region_files(page), page.site.files if page.site else {})


@feature("site", bins=_SHARE_BINS, needs="site")
def same_path_share(page: Page) -> Floats:
    """Share of the site's other pages with a region at the same path of names and classes, [0, 1].

    A path that recurs belongs to the site's template, whether menu or headline; one that does not
    was made for this page, or is an advertisement.
    """
    return _shares(page, region_paths(page), page.site.paths if page.site else {})


@feature("site", bins=_INVERSE_BINS, needs="site", source="Debnath et al. (2005)")
def inverse_frequency(page: Page) -> Floats:
    """1 over the number of the site's pages, including this one, with the same text or file.

    In (0, 1]; 1 for what is on this page alone. A text on 2 of 2 pages may be chance, one on 9 of 9
    is not, though its share is the same. The paper calls it the inverse block document frequency,
    defines it up to proportionality, and counts similar blocks as one; here only equal regions
    count as one, which needs no threshold.
    """
    if page.site is None:
        return np.full(len(page), np.nan)
    return 1 / (1 + _content_shares(page) * (page.site.n_pages - 1))


@feature("site", needs="site", source="Debnath et al. (2005)")
def on_every_page(page: Page) -> Flags:
    """Same text or file on every page of the site: entries of menus and footers, logos.

    The surest sign that a region is not specific to this page.
    """
    return np.asarray(_content_shares(page) == 1)
