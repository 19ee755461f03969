"""Where the page's text agrees with its metadata: publishers, keywords, description, images."""

from __future__ import annotations

from posixpath import basename
from urllib.parse import unquote, urlsplit

import numpy as np
from numpy.typing import NDArray

from structce.features.landmarks import block_texts
from structce.features.lines import Floats, plain, plain_texts, share_of_text
from structce.features.registry import feature
from structce.page import Page
from structce.text import normalise

_LIKENESS = (0.3, 0.5, 0.7, 0.85, 0.95)
_LEAST_STATED = 3  # letters of a stated publisher or keyword that is looked for
_LEAST_BLOCK = 20  # letters of a block that may be the description
_FILE_NAME = 8  # characters of an image's name; shorter ones are the same in many places


@feature("task", source="Spengler et al. (2010)")
def publisher_cue(page: Page) -> NDArray[np.bool_]:
    """Region names the publisher as stated: bylines of agencies and staff, footers."""
    return publisher_match(page) > 0


@feature("task", bins=_LIKENESS)
def publisher_match(page: Page) -> Floats:
    """Longest stated publisher's name found in the region, as a share of the region's text."""
    stated = map(plain, page.metadata.publishers)
    return share_of_text(page, {name for name in stated if len(name) >= _LEAST_STATED})


@feature("task", source="schema.org")
def keyword_match(page: Page) -> list[str | None]:
    """Text that is a stated ``keyword`` of the page, or the ``section`` it belongs to.

    Keywords stand in lists of topics below the article, the section above the headline.
    """
    kinds = {"section": page.metadata.sections, "keyword": page.metadata.keywords}
    stated = {key: kind for kind, texts in kinds.items() for text in texts if (key := plain(text))}
    known = {key: kind for key, kind in stated.items() if len(key) >= _LEAST_STATED}
    return [known.get(text) for text in plain_texts(page)]


@feature("task", bins=_LIKENESS)
def description_match(page: Page) -> Floats:
    """Share of the block's letters that stand in the page's description: standfirsts."""
    stated = normalise(page.metadata.description)
    texts = block_texts(page)
    found = {text: _common_start(text, stated) for text in set(texts) if len(text) >= _LEAST_BLOCK}
    return np.array([found.get(text, 0.0) for text in texts], dtype=np.float64)


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
    stated = {name for url in page.metadata.images if len(name := _file_name(url)) >= _FILE_NAME}
    found = np.zeros(len(page), dtype=bool)
    for i in np.flatnonzero(page.is_media).tolist() if stated else ():
        values = "\n".join(page.attributes[i].values())
        plain = unquote(values) if "%" in values else values
        found[i] = any(name in plain for name in stated)
    return found


def _file_name(url: str) -> str:
    try:
        return basename(unquote(urlsplit(url).path))
    except ValueError:
        return ""
