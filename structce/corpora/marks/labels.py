"""Marks and blocks of annotators to region labels.

A mark names a node of the page, so its regions are told by their addresses. A block is a stretch
of text; all blocks of a page are laid beside the page's text in one go, in document order, so that
a text that stands on the page twice is found where its neighbours are. Text that only the page
has, or only the annotation, holds nothing up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from structce.corpora.marks.laying import Laid, lay
from structce.gold import EXACT, ORDERED, PLACED, SIMILAR, Gold, Match
from structce.labels import NEWS, UNKNOWN
from structce.page import Page

MIN_SHARE = 2 / 3
"""Share of a region's judged characters that one label must have, else it is a mix; our choice."""

_MAX_VALUE = 200  # characters of a value in a match
_OF_MEDIA = frozenset({"Multimedia"})
_OF_TEXT = frozenset({"Author", "Caption", "Date", "Paragraph", "Subtitle", "Title"})


def labels_of_marks(
    page: Page, gold: Gold, background: str = NEWS.background
) -> tuple[list[str], list[Match]]:
    """Return one label a region from the marks of a gold, and where each mark stands.

    The innermost mark around a region counts; ``gold.rest`` where there is none. A mark on an
    element says what is in it, but text is never ``Multimedia``, nor an image a ``Paragraph``: such
    a region is unknown, unless the mark stands on the region itself. So are regions of which two
    marks on one node say different things.

    Parameters
    ----------
    background
        The caller's name of what gold calls ``None``.
    """
    marks: dict[str, list[int]] = {}
    for n, mark in enumerate(gold.marks):
        marks.setdefault(mark.xpath, []).append(n)
    inside: list[list[int]] = [[] for _ in gold.marks]
    labels = []
    for i, xpath in enumerate(page.xpath):
        around = [address for address in _upward(xpath) if address in marks]
        for address in around:
            for n in marks[address]:
                inside[n].append(i)
        label = gold.rest
        if around:
            said = {gold.marks[n].label for n in marks[around[0]]}
            label = said.pop() if len(said) == 1 else UNKNOWN
            if around[0] != xpath and label in (_OF_TEXT if page.is_media[i] else _OF_MEDIA):
                label = UNKNOWN
        labels.append(background if label == NEWS.background else label)
    matches = [
        Match(mark.kind, mark.xpath[-_MAX_VALUE:], PLACED, 1.0, tuple(regions))
        if regions
        else Match(mark.kind, mark.xpath[-_MAX_VALUE:])
        for mark, regions in zip(gold.marks, inside, strict=True)
    ]
    return labels, matches


def _upward(xpath: str) -> Iterator[str]:
    """Yield the address of a region and those of the elements above, innermost first."""
    while xpath:
        yield xpath
        xpath = xpath.rpartition("/")[0]


def labels_of_blocks(
    page: Page, gold: Gold, background: str = NEWS.background
) -> tuple[list[str], list[Match]]:
    """Return one label a region from the blocks of a gold, and where each block stands.

    A region has the label of most of its characters, if that is clear, else it is unknown: where
    two blocks meet inside it, or where it stands in the place of a block that was not found.
    Text on no block has ``gold.rest``. Blocks tell nothing of media, which are unknown; a region
    of punctuation alone has the label of the texts before and after it where they agree.

    Parameters
    ----------
    background
        The caller's name of what gold calls ``None``.
    """
    laid = lay(page, [block.text for block in gold.blocks])
    labels = _voted(laid, gold, len(page))
    for i in [i for i, label in enumerate(labels) if not label and not page.is_media[i]]:
        around = {_first(labels[i::-1]), _first(labels[i:])}
        labels[i] = around.pop() if len(around) == 1 else UNKNOWN
    named = [background if label == NEWS.background else label or UNKNOWN for label in labels]
    return named, list(_matches(laid, gold))


def _first(labels: Sequence[str]) -> str:
    """Return the first label that there is."""
    return next((label for label in labels if label), UNKNOWN)


def _voted(laid: Laid, gold: Gold, n_regions: int) -> list[str]:
    """Return the label that the characters of each region vote for; empty where it has none."""
    names = sorted({block.label for block in gold.blocks} | {gold.rest, UNKNOWN})
    numbers = {name: n for n, name in enumerate(names)}
    ours = np.array([numbers[block.label] for block in gold.blocks], dtype=np.int64)[laid.text]
    votes = np.full(len(laid.place), numbers[gold.rest], dtype=np.int64)
    votes[laid.stand_ins(ours != numbers[gold.rest])] = numbers[UNKNOWN]
    votes[laid.found] = ours[laid.place[laid.found]]
    counts = np.bincount(laid.region * len(names) + votes, minlength=n_regions * len(names))
    table = counts.reshape(n_regions, len(names))
    return [_elected(row, names) for row in table.tolist()]


def _elected(row: Sequence[int], names: Sequence[str]) -> str:
    if not any(row):
        return ""
    unknown = row[names.index(UNKNOWN)]
    n_known = sum(row) - unknown
    if n_known <= unknown:
        return UNKNOWN
    most, name = max((n, name) for n, name in zip(row, names, strict=True) if name != UNKNOWN)
    return name if most >= MIN_SHARE * n_known else UNKNOWN


def _matches(laid: Laid, gold: Gold) -> Iterator[Match]:
    """Yield where each block stands: the regions that it has half of, or else that it is in."""
    texts = laid.text[laid.place[laid.found]]
    borders = np.searchsorted(texts, np.arange(len(gold.blocks) + 1))
    sizes = np.bincount(laid.region, minlength=1)
    for n, block in enumerate(gold.blocks):
        places = laid.found[borders[n] : borders[n + 1]]
        value = block.text[:_MAX_VALUE]
        if not len(places):
            yield Match(block.kind, value)
            continue
        regions, counts = np.unique(laid.region[places], return_counts=True)
        most = regions[2 * counts >= sizes[regions]]
        score = float(laid.scores[n])
        is_whole = places[-1] - places[0] + 1 == len(places)
        method = SIMILAR if score < 1 else EXACT if is_whole else ORDERED
        yield Match(
            block.kind, value, method, score, tuple((most if len(most) else regions).tolist())
        )
