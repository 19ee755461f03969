"""Regions that may have a label that the gold does not cover, and so stay unlabelled.

If a data set does not cover captions, a region that could be one must not be learnt as background.
In case of doubt, a rule takes a region for possible; no rule sees a label.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import groupby

import numpy as np
from rapidfuzz import fuzz

from structce.alignment.body import in_heading
from structce.alignment.location import inside
from structce.alignment.values import MAX_DATE, is_signed
from structce.arrays import Flags
from structce.errors import LabelError
from structce.labels import allowed_names
from structce.language import NUMBER, calendar, date_tokens, find_dates, language_code, normalise
from structce.page import Page

_LIKE_TITLE = 80.0  # per cent; a headline may lack the site that a window's title names
_NEAR_IMAGE = 3  # regions after an image: its caption, credit and description
_MAX_CAPTION = 600  # characters, twice a long caption of real news pages
_CAPTION = re.compile(r"caption|legend|credit|bildunter|bildtext|foto|photo", re.IGNORECASE)
_ADVERTISEMENT = re.compile(
    r"(?:^|[^a-z])(?:ad|ads|adv|advert\w*|sponsor\w*|werbung|anzeige\w*|publicidad|reklam\w*)"
    r"(?:$|[^a-z])",
    re.IGNORECASE,
)
_FEW_WORDS = 8  # of a line that gives a relative date; longer lines are sentences
_FRAME = frozenset({"nav", "footer", "button", "select", "label", "form", "option", "menu"})
_MIN_COPY = 40  # characters in a row that are not chance; a link to a heading has fewer
_BODY_LABELS = frozenset({"Paragraph", "Subtitle"})
_FRAMES = frozenset({"iframe", "frame", "embed", "object"})


def possible_regions(page: Page, label: str) -> Flags:
    """Return whether each region could have a label of the news label set, shape (n_regions,).

    Raises LabelError for any other label.
    """
    if label not in _RULES:
        raise LabelError(
            f"no rule for regions that could be {label!r}; expected {', '.join(_RULES)}"
        )
    return _RULES[label](page)


def repeated_regions(page: Page, labels: Mapping[int, str]) -> Flags:
    """Return whether each region is in a second copy of the main text, shape (n_regions,).

    Pages made for several window widths contain their text once for each. A copy is a run of
    regions without a label whose texts, in elements of the same name, are labelled as main text
    elsewhere.
    """
    kinds = list(zip(page.tag, page.text, strict=True))
    labelled = {kinds[i] for i, label in labels.items() if allowed_names(label) & _BODY_LABELS}
    is_copy = [
        bool(kind[1]) and kind in labelled and i not in labels for i, kind in enumerate(kinds)
    ]
    result = np.zeros(len(page), dtype=bool)
    for copied, run in groupby(range(len(page)), key=is_copy.__getitem__):
        regions = list(run)
        if copied and sum(len(page.text[i]) for i in regions) >= _MIN_COPY:
            result[regions] = True
    return result


def _title(page: Page) -> Flags:
    """Possible are headings and texts like the title that the page states."""
    titles = [
        normalise(text)
        for text in (page.metadata.title, *page.metadata.meta.get("og:title", ()))
        if text
    ]
    result = in_heading(page)
    for i, text in enumerate(page.text):
        if text and not result[i] and len(text) <= 2 * max(map(len, titles), default=0):
            line = normalise(text)
            result[i] = any(fuzz.ratio(line, title, score_cutoff=_LIKE_TITLE) for title in titles)
    return result & ~page.is_media


def _author(page: Page) -> Flags:
    """Possible are short texts whose mark-up names a byline."""
    return np.fromiter((is_signed(page, i) for i in range(len(page))), dtype=bool)


def _date(page: Page) -> Flags:
    """Possible are short texts with a date or relative date, or in a ``time`` element."""
    timed = inside(page, {"time"})
    has_date = [
        0 < len(text) <= MAX_DATE
        and (bool(timed[i]) or _is_relative(text, page.lang) or bool(find_dates(text, page.lang)))
        for i, text in enumerate(page.text)
    ]
    return np.array(has_date, dtype=bool)


def _is_relative(text: str, lang: str) -> bool:
    """Return whether a text is short and has words such as "3 hours ago" or "yesterday"."""
    names = calendar(language_code(lang))
    words = tuple(NUMBER if word.isdigit() else word for word in date_tokens(text))
    if not 0 < len(words) <= _FEW_WORDS:
        return False
    runs = (words[i:j] for i in range(len(words)) for j in range(i + 1, len(words) + 1))
    return any(run in names.ago or run in names.days for run in runs)


def _caption(page: Page) -> Flags:
    """Possible are texts in a figure, with mark-up that names captions, or close to media."""
    result = named_captions(page)
    for i in np.flatnonzero(page.is_media):
        result[i + 1 : i + 1 + _NEAR_IMAGE] = True
    lengths = np.array([len(text) for text in page.text], dtype=np.int64)
    return result & (lengths > 0) & (lengths <= _MAX_CAPTION)


def named_captions(page: Page) -> Flags:
    """Return whether each region is in a figure or in mark-up that names captions."""
    return inside(page, {"figure", "figcaption"}, _CAPTION)


def _body(page: Page) -> Flags:
    """Possible are all texts outside navigation, footers and forms."""
    return np.array([bool(text) for text in page.text], dtype=bool) & ~inside(page, _FRAME)


_RULES: Mapping[str, Callable[[Page], Flags]] = {
    "Advertisement": lambda page: inside(page, _FRAMES, _ADVERTISEMENT),
    "Author": _author,
    "Caption": _caption,
    "Date": _date,
    "Multimedia": lambda page: page.is_media.copy(),
    "Paragraph": _body,
    "Subtitle": _body,
    "Title": _title,
}
