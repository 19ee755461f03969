"""Features made for news: what the page states about itself, bylines, dates, the main text."""

from __future__ import annotations

import re
from collections.abc import Callable
from posixpath import basename
from urllib.parse import unquote, urlsplit

import numpy as np
from numpy.typing import NDArray

from structce.dates import parse_iso
from structce.features import cues
from structce.features.landmarks import (
    block_texts,
    heading_region,
    is_running,
    main_element,
    main_mask,
    title_similarities,
)
from structce.features.registry import feature
from structce.features.text import words
from structce.page import Page
from structce.text import fold_digits, normalise

_SHORT = 200  # characters; cues of bylines and dates say nothing in longer texts
_DISTANCES = (-40, -20, -10, -5, -3, -2, -1, 0, 1, 2, 3, 4, 6, 9, 13, 20, 40, 80)
_LIKENESS = (0.3, 0.5, 0.7, 0.85, 0.95)
Floats = NDArray[np.float64]


@feature("task", bins=_LIKENESS)
def title_likeness(page: Page) -> Floats:
    """Edit similarity of the block with the page's stated headline, from 0 to 1."""
    return title_similarities(page)


@feature("task", bins=(0.01, 0.2, 0.4, 0.6, 0.8, 0.99))
def title_word_match(page: Page) -> Floats:
    """Share of the region's words that occur in the stated headlines."""
    stated = {word for headline in page.metadata.headlines for word in words(headline)}
    matches = [[word in stated for word in words(text)] for text in page.text]
    return np.array([np.mean(m) if m else np.nan for m in matches], dtype=np.float64)


@feature("task")
def is_heading(page: Page) -> NDArray[np.bool_]:
    """Region of the block that is likest to the stated headline, or of the first h1."""
    i = heading_region(page)
    return page.blocks == page.blocks[i] if i >= 0 else np.zeros(len(page), dtype=bool)


@feature("task", bins=_DISTANCES)
def from_heading(page: Page) -> Floats:
    """Number of regions since the headline, negative above it."""
    i = heading_region(page)
    return _since(page, i)


@feature("task", bins=_DISTANCES)
def from_text(page: Page) -> Floats:
    """Number of regions since the main text began, negative above it."""
    inside = np.flatnonzero(main_mask(page) & is_running(page))
    return _since(page, int(inside[0]) if len(inside) else -1)


@feature("task", bins=_DISTANCES)
def after_text(page: Page) -> Floats:
    """Number of regions since the main text ended, negative inside and above it."""
    inside = np.flatnonzero(main_mask(page) & is_running(page))
    return _since(page, int(inside[-1]) if len(inside) else -1)


def _since(page: Page, i: int) -> Floats:
    """Return the number of regions since region ``i``; unknown when there is none (-1)."""
    start = float(i) if i >= 0 else np.nan
    return np.arange(len(page), dtype=np.float64) - start


@feature("task")
def in_main(page: Page) -> NDArray[np.bool_]:
    """Region lies in the deepest element that holds most of the running text."""
    return main_mask(page)


@feature("task", bins=(1, 2, 3, 4, 6, 8))
def depth_in_main(page: Page) -> Floats:
    """Depth below the element of the main text; unknown outside it."""
    main = main_element(page)
    if main < 0:
        return np.full(len(page), np.nan)
    below = page.elements.depth[page.element].astype(float) - page.elements.depth[main]
    return np.where(main_mask(page), below, np.nan)


@feature("task")
def running_text(page: Page) -> NDArray[np.bool_]:
    """Region belongs to a block of at least 80 unlinked characters, most of the block."""
    return is_running(page)


@feature("task", bins=_LIKENESS)
def author_match(page: Page) -> Floats:
    """Longest stated author's name found in the region, as a share of the region's text."""
    names = {name for author in page.metadata.authors if 4 <= len(name := normalise(author)) <= 60}
    texts = [normalise(text) if len(text) <= _SHORT else "" for text in page.text]
    return np.array(
        [max((len(n) for n in names if n in text), default=0) / max(len(text), 1) for text in texts]
    )


@feature("task")
def date_match(page: Page) -> list[str | None]:
    """Region shows the numbers of a stated date: day, month and year, or day and year."""
    moments = {m.date() for text in page.metadata.dates if (m := parse_iso(text)) is not None}
    kinds: list[str | None] = []
    for text in page.text:
        numbers = {int(n) for n in re.findall(r"\d{1,4}", fold_digits(text[:_SHORT]))}
        kind = None
        if len(text) <= _SHORT and numbers:
            for moment in moments:
                shown = {moment.year, moment.year % 100} & numbers
                if moment.day in numbers and shown:
                    kind = "full" if moment.month in numbers else "day-year"
        kinds.append(kind)
    return kinds


@feature("task")
def stated_time(page: Page) -> list[str | None]:
    """Region in a ``time`` element: whether its moment is one that the page states for itself."""
    moments = {m.date() for text in page.metadata.dates if (m := parse_iso(text)) is not None}
    elements = page.elements
    own: list[str | None] = []
    for tag, parent, row in zip(elements.tag, elements.parent, elements.attributes, strict=True):
        kind = own[parent] if parent >= 0 else None
        if tag == "time":
            moment = parse_iso(row.get("datetime", ""))
            known = moment is not None and moment.date() in moments
            kind = "stated" if known else "other"
        own.append(kind)
    return [own[i] for i in page.element]


@feature("task", bins=_LIKENESS)
def description_match(page: Page) -> Floats:
    """Share of the block's letters that stand in the page's description: standfirsts."""
    stated = normalise(page.metadata.description)
    texts = block_texts(page)
    found = [_common_start(text, stated) if len(text) >= 20 else 0.0 for text in texts]
    return np.array(found, dtype=np.float64)


def _common_start(text: str, stated: str) -> float:
    """Return how much of a text is found in another: all, or its first letters."""
    if not stated:
        return 0.0
    if text in stated:
        return 1.0
    length = next((n for n, (a, b) in enumerate(zip(text, stated, strict=False)) if a != b), 0)
    return length / len(text)


@feature("task")
def stated_image(page: Page) -> NDArray[np.bool_]:
    """Image whose file name is that of an image stated for the page."""
    stated = {name for url in page.metadata.images if len(name := _file_name(url)) >= 8}
    found = []
    for row, media in zip(page.attributes, page.is_media, strict=True):
        values = [v for k, v in row.items() if "src" in k or k.startswith("data-")] if media else []
        found.append(any(name in unquote(value) for value in values for name in stated))
    return np.array(found, dtype=bool)


def _file_name(url: str) -> str:
    try:
        return basename(unquote(urlsplit(url).path))
    except ValueError:
        return ""


@feature("task")
def publisher_cue(page: Page) -> NDArray[np.bool_]:
    """Region names the publisher as stated."""
    names = {name for text in page.metadata.publishers if len(name := normalise(text)) >= 3}
    texts = (normalise(text) if len(text) <= _SHORT else "" for text in page.text)
    return np.array([any(name in text for name in names) for text in texts], dtype=bool)


def _cue(pattern: re.Pattern[str], limit: int = _SHORT) -> Callable[[Page], NDArray[np.bool_]]:
    def find(page: Page) -> NDArray[np.bool_]:
        return np.array(
            [len(text) <= limit and pattern.search(text) is not None for text in page.text],
            dtype=bool,
        )

    return find


def _register_cue(name: str, pattern: re.Pattern[str], doc: str) -> None:
    compute = _cue(pattern)
    compute.__doc__ = doc
    feature("task", name=name)(compute)


_register_cue("author-cue", cues.AUTHOR, 'Words of a byline: "By", "Von", an agency\'s name.')
_register_cue("date-cue", cues.DATE, 'Words beside a date: "Published", "Updated", "Uhr".')
_register_cue("time-cue", cues.TIME, "A time of day.")
_register_cue("numeric-date-cue", cues.NUMERIC_DATE, "A date in digits, such as 14.03.2026.")
_register_cue("year-cue", cues.YEAR, "A year from 1980 to 2039.")
_register_cue("email-cue", cues.EMAIL, "An e-mail address.")
_register_cue("credit-cue", cues.CREDIT, "A credit of an image: a copyright sign, an agency.")
_register_cue("advertisement-cue", cues.ADVERTISEMENT, "Only the word for advertisement.")
_register_cue("comment-cue", cues.COMMENT, "A word for comments of readers.")
_register_cue("copyright-cue", cues.COPYRIGHT, "A statement of rights, as in footers.")
_register_cue("read-more-cue", cues.READ_MORE, 'Words that lead to another page: "Read also".')


@feature("task")
def month_cue(page: Page) -> NDArray[np.bool_]:
    """Name of a month in a text with a digit."""
    return _named(page, cues.month_names())


@feature("task")
def weekday_cue(page: Page) -> NDArray[np.bool_]:
    """Name of a weekday in a text with a digit."""
    return _named(page, cues.weekday_names())


def _named(page: Page, names: frozenset[str]) -> NDArray[np.bool_]:
    def has_name(text: str) -> bool:
        short = len(text) <= _SHORT and any(c.isdigit() for c in text)
        return short and any(word in names for word in words(text))

    return np.array([has_name(text) for text in page.text], dtype=bool)


@feature("task")
def advertisement_size(page: Page) -> NDArray[np.bool_]:
    """Frame or image in a size that the Interactive Advertising Bureau names for advertisements."""
    sizes = {"728x90", "300x250", "160x600", "300x600", "320x50", "320x100", "970x250", "970x90"}
    sizes |= {"336x280", "250x250", "468x60", "120x600", "300x50", "320x480", "300x1050"}
    return np.array(
        [f"{row.get('width', '')}x{row.get('height', '')}" in sizes for row in page.attributes],
        dtype=bool,
    )
