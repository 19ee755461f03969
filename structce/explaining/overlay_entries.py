"""Regions as the page of an overlay tells them: texts cleaned and cut, places in per cent."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from structce.explaining.region import Explanation, Share
from structce.explaining.telling import changes_sentence, largest_difference, name_of
from structce.explaining.words import signed, visible
from structce.page import Page, Region
from structce.rendering.overlay import colour_of, has_area, percent

TEXT, LIST_TEXT, NAME = 280, 70, 40
"""Columns of a region's text, of it in the list, and of a column's name; our choice."""


@dataclass(frozen=True)
class Frame:
    """The part of a page that a picture shows, in CSS pixels."""

    top: int
    width: int
    height: int


@dataclass(frozen=True)
class Box:
    """A place on a picture, in per cent of its sides; boxes of less area lie higher."""

    left: float
    top: float
    width: float
    height: float
    level: int


@dataclass(frozen=True)
class Row:
    """A part of the margin: `length` of its bar in per cent of the longest."""

    name: str
    full: str
    number: str
    length: float
    is_against: bool


@dataclass(frozen=True)
class Reason:
    """Why a region has its label, as told."""

    runner_up: str
    margin: str
    groups: tuple[tuple[str, tuple[Row, ...]], ...]
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Entry:
    """One region as told; `box` is None where the picture does not show it."""

    number: int
    label: str
    colour: str
    is_background: bool
    confidence: str
    text: str
    short: str
    xpath: str
    span: tuple[int, int] | None
    place: tuple[float, ...] | None
    box: Box | None
    reason: Reason | None


def reason_of(one: Explanation) -> Reason:
    """Return an explanation as told: columns for either label, strongest first, then all else."""
    largest = largest_difference(one)
    ordered = sorted(one.columns, key=lambda share: -share.difference)
    others = (one.others,) if one.n_others else ()
    groups = (
        (f"Columns for {one.label}", [share for share in ordered if share.difference >= 0]),
        (f"Columns for {one.runner_up}", [s for s in reversed(ordered) if s.difference < 0]),
        ("Other columns and regions", [*others, *one.context]),
    )
    return Reason(
        runner_up=one.runner_up,
        margin=_number(one.margin, max(largest, abs(one.margin))),
        groups=tuple(
            (name, tuple(_row(share, one, largest) for share in shares))
            for name, shares in groups
            if shares
        ),
        sentences=tuple(visible(text) for text in (one.sentence, changes_sentence(one)) if text),
    )


def _row(share: Share, whole: Explanation, largest: float) -> Row:
    length = min(1.0, abs(share.difference) / largest) if largest else 0.0
    return Row(
        name=name_of(share, whole, NAME),
        full=name_of(share, whole, 300),
        number=_number(share.difference, largest),
        length=round(100 * length, 1),
        is_against=share.difference < 0,
    )


def _number(value: float, largest: float) -> str:
    """Return a number with its sign; a minus is a minus sign, not a hyphen."""
    return signed(value, largest, 3).replace("-", "−")


def boxes_of(page: Page, frame: Frame) -> dict[int, Box]:
    """Return the places of the regions that a picture shows."""
    shown = np.flatnonzero(has_area(page))
    areas = page.boxes[shown, 2] * page.boxes[shown, 3]
    levels = np.argsort(np.argsort(-areas, kind="stable"), kind="stable") + 1
    found = {}
    for i, level in zip(shown.tolist(), levels.tolist(), strict=True):
        left, top, width, height = (float(value) for value in page.boxes[i])
        top -= frame.top
        right, bottom = min(left + width, frame.width), min(top + height, frame.height)
        left, top = max(left, 0.0), max(top, 0.0)
        if left < right and top < bottom:
            found[i] = Box(
                left=_per_cent(left, frame.width),
                top=_per_cent(top, frame.height),
                width=_per_cent(right - left, frame.width),
                height=_per_cent(bottom - top, frame.height),
                level=level,
            )
    return found


def _per_cent(part: float, whole: int) -> float:
    return round(100 * part / whole, 4)


def entry_of(
    region: Region,
    label: str,
    confidence: float,
    *,
    is_background: bool,
    box: Box | None,
    reason: Reason | None,
) -> Entry:
    """Return a region as told: what comes from its page is cleaned and cut, not yet escaped."""
    alternative = region.page.attributes[region.index].get("alt", "")
    text = region.text or f"<{region.tag}> {alternative}".strip()
    return Entry(
        number=region.index,
        label=label,
        colour=colour_of(label),
        is_background=is_background,
        confidence=percent(confidence),
        text=visible(text, TEXT),
        short=visible(text, LIST_TEXT),
        xpath=visible(region.xpath),
        span=region.span,
        place=None if region.box is None else tuple(round(side) for side in region.box),
        box=box,
        reason=reason,
    )
