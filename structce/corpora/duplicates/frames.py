"""Text that many pages have for other reasons than being copies of one another.

A pitch for subscribers or a notice about cookies is running text, too. Two short pages of one
site would be duplicates by it alone.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

import numpy as np

from structce.corpora.duplicates.shingles import Shingles
from structce.corpus import LabelledPage
from structce.text import normalise

LEAST = 3
"""Headlines of a site, or groups of pages that are no copies, that share a frame's text. Two may
be a story and its sequel. Our choice."""


def without_site_frames(texts: Sequence[Shingles], pages: Sequence[LabelledPage]) -> list[Shingles]:
    """Return the shingles of each page that stand under few headlines of its site.

    Copies of a page have its headline, so that they count once, however many there are.
    """
    members: dict[str, list[int]] = {}
    for i, page in enumerate(pages):
        members.setdefault(page.site, []).append(i)
    result = list(texts)
    for rows in members.values():
        frame = _common([texts[i] for i in rows], [_headline(pages[i]) for i in rows])
        for i in rows:
            result[i] = _without(texts[i], frame)
    return result


def without_common_texts(texts: Sequence[Shingles], groups: Iterable[int]) -> list[Shingles]:
    """Return the shingles of each page that stand in few groups of pages.

    Parameters
    ----------
    groups
        Number of each page's group; pages of one group may be copies of one another.
    """
    frame = _common(texts, groups)
    return [_without(text, frame) for text in texts]


def _common(texts: Sequence[Shingles], groups: Iterable[Hashable]) -> Shingles:
    """Return the shingles that at least ``LEAST`` groups have."""
    members: dict[Hashable, list[Shingles]] = {}
    for text, group in zip(texts, groups, strict=True):
        members.setdefault(group, []).append(text)
    if len(members) < LEAST:
        return np.zeros(0, dtype=np.uint64)
    once = [rows[0] if len(rows) == 1 else _union(rows) for rows in members.values()]
    found, counts = np.unique(np.concatenate(once), return_counts=True)
    common: Shingles = found[counts >= LEAST]
    return common


def _union(texts: Sequence[Shingles]) -> Shingles:
    return np.unique(np.concatenate(texts))


def _without(text: Shingles, frame: Shingles) -> Shingles:
    return np.setdiff1d(text, frame, assume_unique=True) if len(frame) else text


def _headline(page: LabelledPage) -> str:
    return normalise(next(iter(page.page.metadata.headlines), ""))
