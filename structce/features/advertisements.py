"""Signs of an advertisement: its size, its names, its host, how its link is marked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from structce.features.cues import cues_in
from structce.features.memo import once_a_page
from structce.features.registry import feature
from structce.page import Page

SIZES = frozenset(
    "728x90 300x250 160x600 300x600 320x50 320x100 970x250 970x90 336x280 250x250 468x60 120x600 "
    "300x50 320x480 300x1050 180x150 200x200 240x400 300x100 300x1250 600x500 800x250".split()
)
"""Width and height of advertisements, as the Interactive Advertising Bureau names them."""

_NAMES = frozenset(
    "ad ads adv advert adverts advertisement advertisements advertising advertorial advertise "
    "adslot adunit adbox adsense adsbygoogle adcontainer adwrapper adplacement adbanner adframe "
    "adtag adzone "
    "sponsor sponsored sponsors sponsoring sponsorship dfp gpt taboola outbrain teads criteo "
    "revcontent mgid ligatus plista adition adnxs prebid banner banners billboard skyscraper mpu "
    "anzeige anzeigen werbung werbeblock reklame reklama reklam publicidad publicite pubblicita "
    "publicidade advertentie annonse annonser annons anuncio anuncios iklan promoted paidcontent "
    "nativead".split()
)
_NOT_ALONE = frozenset({"banner", "banners"})  # "cookie-banner" and "banner-nav" are none
_OTHER_BANNERS = frozenset(
    "cookie cookies consent gdpr cmp privacy nav navigation header newsletter app login "
    "hero".split()
)
_HOSTS = re.compile(
    r"doubleclick|googlesyndication|googleadservices|adservice|taboola|outbrain|criteo|adnxs|"
    r"amazon-adsystem|adsystem|adform|adition|rubiconproject|pubmatic|openx|teads|revcontent|mgid|"
    r"ligatus|plista|smartadserver|adsrvr|casalemedia|sharethrough|yieldlab|adtech|zedo|"
    r"(?:^|\.)ads?\d*\.|adserver"
)
"""Parts of the names of hosts that serve advertisements; the list is ours."""

_SLOTS = frozenset(
    "data-ad data-ads data-ad-slot data-ad-client data-ad-unit data-ad-id data-ad-type "
    "data-google-query-id data-adunit data-ad-format".split()
)
_ABSOLUTE = ("https://", "http://", "//")
_ADDRESSES = ("src", "href", "data-src")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_BETWEEN = str.maketrans(dict.fromkeys("-_:./#()0123456789", " "))
_MOST = 0.2  # share of a page's regions that one advertisement holds at most; our choice
_FEW = 3  # regions that it may hold on any page
_NEAR = 3  # elements above that are near
_LABEL = 40  # characters of a label that announces an advertisement
Mask = NDArray[np.bool_]


@feature("task", source="IAB")
def advertisement_size(page: Page) -> Mask:
    """Frame or image in a size that the Interactive Advertising Bureau names for advertisements."""
    found = np.zeros(len(page), dtype=bool)
    for i in np.flatnonzero(page.is_media).tolist():
        row = page.attributes[i]
        found[i] = f"{row.get('width')}x{row.get('height')}" in SIZES
    return found


@feature("task", needs="layout", source="IAB")
def advertisement_box(page: Page) -> Mask:
    """Image or frame that is laid out in the size of an advertisement, to the pixel."""
    found = np.zeros(len(page), dtype=bool)
    for i in np.flatnonzero(page.is_media & np.isfinite(page.boxes).all(axis=1)).tolist():
        _, _, width, height = page.boxes[i].tolist()
        found[i] = f"{round(width)}x{round(height)}" in SIZES
    return found


@feature("task")
def advertisement_name(page: Page) -> list[str | None]:
    """Where a class, an id or a label speaks of advertisements: on the element, ``near``, ``far``.

    Publishers wrap advertisements in elements that they call so; whole words count, so that
    "header" and "shadow" do not.
    """
    steps = _steps(page)
    kinds = ["own", *["near"] * _NEAR, "far"]
    return [kinds[min(steps[i], _NEAR + 1)] if steps[i] >= 0 else None for i in page.element]


@once_a_page
def _steps(page: Page) -> list[int]:
    """Return how many elements above each element one is named for advertisements; -1 for none."""
    named = {i for i, row in enumerate(page.elements.attributes) if _is_named(row, page.lang)}
    named -= _large(page) if named else set()
    steps: list[int] = []
    for i, parent in enumerate(page.elements.parent.tolist()):
        above = steps[parent] if parent >= 0 else -1
        steps.append(0 if i in named else above + 1 if above >= 0 else -1)
    return steps


def _large(page: Page) -> set[int]:
    """Return the elements that hold much of the page: ``has-ads`` says something else of them."""
    parents = page.elements.parent.tolist()
    held = np.bincount(page.element, minlength=len(parents)).tolist()
    for i in range(len(parents) - 1, 0, -1):
        held[parents[i]] += held[i]
    most = max(_MOST * len(page), _FEW)
    return {i for i, n in enumerate(held) if n > most}


def _is_named(row: Mapping[str, str], tag: str) -> bool:
    if not row:
        return False
    if _speaks(f"{row.get('class', '')} {row.get('id', '')} {row.get('name', '')}"):
        return True
    label = row["aria-label"] if "aria-label" in row else row.get("title", "")
    if label and len(label) <= _LABEL and "advertisement-cue" in cues_in(label, tag):
        return True
    return not _SLOTS.isdisjoint(row)


@lru_cache(maxsize=16384)
def _speaks(name: str) -> bool:
    """Return whether a word of a class or id is one for advertisements."""
    opened = name if name.islower() else _CAMEL.sub(" ", name).lower()
    found = opened.translate(_BETWEEN).split()
    named = _NAMES.intersection(found)
    return bool(named - _NOT_ALONE) or (bool(named) and _OTHER_BANNERS.isdisjoint(found))


@feature("task")
def advertisement_host(page: Page) -> Mask:
    """Image, frame or link whose address is of a host that serves advertisements."""
    own = [False] * len(page.elements)
    for i, row in enumerate(page.elements.attributes):
        for key in _ADDRESSES:
            if key in row and row[key].startswith(_ABSOLUTE):
                own[i] |= _is_ad_host(row[key].split("/", 3)[2])
    return _at_or_below(page, own)


@lru_cache(maxsize=4096)
def _is_ad_host(host: str) -> bool:
    return _HOSTS.search(host.lower()) is not None


@feature("task", source="HTML")
def sponsored_link(page: Page) -> Mask:
    """Inside a link that says by ``rel`` that it is paid for: a duty of publishers."""
    rows = page.elements.attributes
    own = ["sponsored" in row["rel"].lower() if "rel" in row else False for row in rows]
    return _at_or_below(page, own)


def _at_or_below(page: Page, own: list[bool]) -> Mask:
    found = page.elements.lineage(own) if any(own) else np.zeros(len(own), dtype=bool)
    return found[page.element]
