"""Regions of a page: joined to one line of text, and their places in source and layout.

Inline markup cuts a line into regions, and a region's text has no white space at its ends. The page
records whether two regions were separated by white space (``Page.joins``); those of pages from
older snapshots, which do not, are always separated.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise, repeat

import numpy as np

from structce.article.blocks import Box, Span
from structce.article.values import FieldValue, LabelledRegion
from structce.features import dom_tree
from structce.labelling import Labelling
from structce.language import UNSPACED, is_european
from structce.page import Page
from structce.patterns import lazy_pattern

_LEAST_GAP = 0.15  # share of the font size; a space takes about 0.25
_UNSPACED = lazy_pattern(rf"[{UNSPACED}\u3000-\u303f\uff00-\uffef\U00020000-\U0003ffff]")
_MOST_OF_A_LINE = 2.0  # height of a box of one line, in font sizes


def field_at(
    page: Page,
    regions: Sequence[int],
    value: str,
    confidence: float,
    *,
    source: str = "region",
    raw: str = "",
    clock_source: str = "",
) -> FieldValue:
    """Return a field's value with the place of its regions; no place without regions."""
    spans = [span for span in all_spans(page, regions) if span is not None]
    span = (spans[0][0], max([end for _, end in spans])) if spans else None
    region = int(regions[0]) if len(regions) else None
    xpath, box = None if region is None else page.xpath[region], box_around(page, regions)
    return FieldValue(value, confidence, xpath, source, span, box, region, raw, clock_source)


def all_spans(page: Page, regions: Sequence[int]) -> list[Span | None]:
    """Return the place of each region in the source; None if unknown."""
    if page.spans is None or not len(regions):
        return [None] * len(regions)
    rows: list[list[int]] = page.spans[list(regions)].tolist()
    return [(start, end) if start >= 0 else None for start, end in rows]


def box_around(page: Page, regions: Sequence[int]) -> Box | None:
    """Return the smallest box around regions; None without layout."""
    if not page.has_layout or not len(regions):
        return None
    boxes = page.boxes[list(regions)].astype(np.float64)
    boxes = boxes[~np.isnan(boxes).any(axis=1)]
    if not len(boxes):
        return None
    left, top = boxes[:, :2].min(axis=0).tolist()
    right, bottom = (boxes[:, :2] + boxes[:, 2:]).max(axis=0).tolist()
    return left, top, right - left, bottom - top


def labelled_regions(
    labelling: Labelling, *, all_regions: bool = False
) -> tuple[LabelledRegion, ...]:
    """Return the regions that have a label, or all, in document order."""
    page, background = labelling.page, labelling.label_set.background
    chosen = [i for i, label in enumerate(labelling.labels) if all_regions or label != background]
    boxes = [box_around(page, (i,)) for i in chosen] if page.has_layout else repeat(None)
    rows = map(
        LabelledRegion,
        chosen,
        map(labelling.labels.__getitem__, chosen),
        labelling.confidence[chosen].tolist(),
        map(page.text.__getitem__, chosen),
        map(page.xpath.__getitem__, chosen),
        all_spans(page, chosen),
        boxes,
    )
    return tuple(rows)


def regions_below(page: Page, element: int) -> range:
    """Return the regions inside an element, which are neighbours in the order of the page."""
    first, n_regions = (int(column[element]) for column in dom_tree.regions_below(page))
    return range(first, first + n_regions)


def has_unspaced(text: str) -> bool:
    """Return whether a text has a character of a script without spaces, or of its punctuation."""
    return not is_european(text) and _UNSPACED.search(text) is not None


def join_regions(page: Page, regions: Iterable[int], *, line_end: str = " ") -> str:
    """Return the text of regions, in the order of the page, in one line with the page's spaces.

    Media and other regions without text add nothing. Two regions with text between them are
    separated by a space, and two with a line break between them by ``line_end``.
    """
    texts = [i for i in regions if page.text[i]]
    pieces = [page.text[i] for i in texts[:1]]
    for before, i in pairwise(texts):
        space = "" if is_joined(page, before, i) else " "
        if space and line_end != " " and page.breaks[before + 1 : i + 1].any():
            space = line_end
        pieces += [space, page.text[i]]
    return "".join(pieces)


def is_joined(page: Page, before: int, i: int) -> bool:
    """Return whether a region follows an earlier one of its block without a space."""
    if page.joins is None or not page.joins[i]:  # the common case, quickly decided
        return False
    between = range(before + 1, i + 1)
    if any(page.breaks[n] for n in between) or any(page.text[n] for n in between[:-1]):
        return False
    return all(page.joins[n] for n in between) and not _is_set_apart(page, before, i)


def _is_set_apart(page: Page, before: int, i: int) -> bool:
    """Return whether style alone separates two regions, like the links of a menu."""
    if page.has_layout and (gap := _gap(page, before, i)) is not None:
        return gap > _LEAST_GAP
    last, first = page.text[before][-1], page.text[i][0]
    is_new_word = last.islower() and (first.isupper() or first.isdigit())
    if not is_new_word and not (last.isdigit() and first.isupper()):
        return False
    left, right = int(page.element[before]), int(page.element[i])
    above = page.elements.ancestors
    return left not in above(right) and right not in above(left)


def _gap(page: Page, before: int, i: int) -> float | None:
    """Return the width between two regions of one line, as a share of the font size.

    Infinite if one is below the other; None if one takes several lines, or a line may break here.
    """
    size = float(page.styles["font-size"][before])
    boxes = page.boxes[[before, i]].astype(float)
    left, top, width, height = boxes.T
    if np.isnan(boxes).any() or not size > 0 or height.max() > _MOST_OF_A_LINE * size:
        return None
    if abs(top[0] + height[0] / 2 - top[1] - height[1] / 2) > size:
        last = page.text[before][-1]
        return np.inf if last.isalnum() and not has_unspaced(last) else None
    return float(max(left[1] - left[0] - width[0], left[0] - left[1] - width[1]) / size)
