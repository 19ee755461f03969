"""Places of values: spans and boxes of several regions, and fields with their places."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from structce.article.blocks import Box, Span
from structce.article.values import FieldValue, LabelledRegion
from structce.labelling import Labelling
from structce.page import Page


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
    if not len(regions):
        return FieldValue(value, confidence, None, source, raw=raw, clock_source=clock_source)
    spans = [span for span in all_spans(page, regions) if span is not None]
    return FieldValue(
        value,
        confidence,
        page.xpath[regions[0]],
        source,
        span=(spans[0][0], max(end for _, end in spans)) if spans else None,
        box=box_around(page, regions),
        region=int(regions[0]),
        raw=raw,
        clock_source=clock_source,
    )


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
    """Return the regions that have a label, in document order.

    Parameters
    ----------
    all_regions
        Whether regions of the background are included.
    """
    page, background = labelling.page, labelling.label_set.background
    chosen = [i for i, label in enumerate(labelling.labels) if all_regions or label != background]
    spans = all_spans(page, chosen)
    confidence = labelling.confidence.tolist()
    return tuple(
        LabelledRegion(
            i,
            labelling.labels[i],
            confidence[i],
            page.text[i],
            page.xpath[i],
            span,
            box_around(page, (i,)),
        )
        for i, span in zip(chosen, spans, strict=True)
    )
