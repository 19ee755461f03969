"""Overlay page: labels over the picture of a page, with a list and an explanation of each."""

from __future__ import annotations

import base64
import struct
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from structce.article import Reading
from structce.errors import LearnerError, RenderError
from structce.features import column_meaning
from structce.labelling import (
    Explanation,
    Labelling,
    Share,
    answer_sentence,
    changes_sentence,
    format_signed,
    largest_difference,
    share_name,
)
from structce.language import printable
from structce.page import Page, Region
from structce.visualisation.base import has_area, render_template
from structce.visualisation.page_picture import picture_top

N_COLUMNS = 12
"""Columns in the explanation of a region: as many as fit beside a picture."""

MAX_EXPLAINED = 200_000
"""Explained regions times regions of their page, since each is decided anew with its page: some 5
seconds. News pages stay below it; of larger pages the first regions are explained."""

MAX_BACKGROUND = 3_000
"""Regions of the background in the file, the first of the page; each takes about 1 kB."""

_NAME_COLUMNS = 40  # of a column's name, as many as fit beside its bar

_Values = dict[str, Any]  # of a part of the template

_PNG = b"\x89PNG\r\n\x1a\n"


def overlay_page(reading: Reading, picture: bytes, *, source: str) -> str:
    """Return an HTML page of labels over a page's picture, with an explanation of each.

    The panel shows the article first. The labels are those of the reading, each explained by what
    the labeller gave its region.

    Parameters
    ----------
    picture
        PNG of the page without marks, from :func:`structce.visualisation.screenshot` for the same
        labels.
    source
        Name of the page's source.

    Raises
    ------
    RenderError
        If the picture is no PNG.
    """
    answer, article = reading.labelling, reading.article
    page, background = answer.page, answer.label_set.background
    names = [None if name == background else name for name in answer.labels]
    marked = [i for i, name in enumerate(names) if name is not None]
    others = [i for i, name in enumerate(names) if name is None][:MAX_BACKGROUND]
    explained = marked[: MAX_EXPLAINED // max(len(page), 1)]
    reasons, notes = {}, []
    try:
        reasons = {
            i: _reason(reading.initial.explain(i, n_columns=N_COLUMNS), answer.labels[i])
            for i in explained
        }
    except LearnerError as error:
        notes = [printable(str(error))]
    else:
        if len(explained) < len(marked):
            notes.append(
                f"The page is large: only the first {len(explained):,} regions are explained."
            )
        if len(others) + len(marked) < len(page):
            notes.append(f"Only the first {MAX_BACKGROUND:,} regions of the background are listed.")
    if not picture.startswith(_PNG) or len(picture) < 24:
        raise RenderError(f"{source}: expected a PNG picture, got {picture[:8]!r}")
    width, height = struct.unpack(">II", picture[16:24])
    crop = Crop(picture_top(page, names), width, height)
    boxes = _crop_boxes(page, crop)
    date = article.date and replace(article.date, value=article.date.value.replace("T", " "))
    fields = [("Title", article.title), *(("Author", author) for author in article.authors)]
    return render_template(
        "overlay.html",
        script="overlay.js",
        title=printable(page.title, 120) or "Page without a title",
        source=source,
        crop=crop,
        picture=base64.b64encode(picture).decode("ascii"),
        fields=[(name, value) for name, value in [*fields, ("Date", date)] if value is not None],
        entries=[
            _entry(answer, i, boxes.get(i), reasons.get(i)) for i in sorted([*others, *marked])
        ],
        labels=sorted(Counter(answer.labels[i] for i in marked).items()),
        n_regions=len(page),
        n_marked=len(marked),
        n_background=len(others),
        notes=notes,
    )


class Crop(NamedTuple):
    """Part of a page that a picture shows, in CSS pixels."""

    top: int
    width: int
    height: int


def _reason(explanation: Explanation, answer: str) -> _Values:
    """Return an explanation in groups: columns for either label, strongest first, then the rest."""
    largest = largest_difference(explanation)
    ordered = sorted(explanation.columns, key=lambda share: -share.difference)
    n_for = sum(share.difference >= 0 for share in ordered)
    others = (explanation.others,) if explanation.n_others else ()
    groups: dict[str, Sequence[Share]] = {
        f"Columns for {explanation.label}": ordered[:n_for],
        f"Columns for {explanation.runner_up}": ordered[n_for:][::-1],
        "Other columns and regions": [*others, *explanation.context],
    }
    return {
        "label": explanation.label,
        "runner_up": explanation.runner_up,
        "margin": _signed(explanation.margin, max(largest, abs(explanation.margin))),
        "groups": [
            (name, [_bar(share, explanation, largest) for share in shares])
            for name, shares in groups.items()
            if shares
        ],
        "sentences": [
            answer_sentence(explanation.label, answer),
            explanation.sentence,
            changes_sentence(explanation),
        ],
    }


def _bar(share: Share, whole: Explanation, largest: float) -> _Values:
    """Return the bar of a share of the margin; `length` in per cent of the longest."""
    length = min(1.0, abs(share.difference) / largest) if largest else 0.0
    return {
        "name": share_name(share, whole, _NAME_COLUMNS),
        "full": share_name(share, whole, 300),
        "meaning": column_meaning(share.name) if share.value is not None else "",
        "number": _signed(share.difference, largest),
        "length": round(100 * length, 1),
        "is_against": share.difference < 0,
    }


def _signed(value: float, largest: float) -> str:
    """Return a number with its sign, the minus as a minus sign instead of a hyphen."""
    return format_signed(value, largest, 3).replace("-", "−")


def _crop_boxes(page: Page, crop: Crop) -> dict[int, _Values]:
    """Return the boxes of the regions that a picture shows, by region.

    In per cent of the picture's sides; boxes of less area have a higher level.
    """
    shown = np.flatnonzero(has_area(page))
    areas = page.boxes[shown, 2] * page.boxes[shown, 3]
    levels = np.argsort(np.argsort(-areas, kind="stable"), kind="stable") + 1
    boxes = {}
    for i, level in zip(shown.tolist(), levels.tolist(), strict=True):
        left, top, width, height = page.boxes[i].tolist()
        right, bottom = min(left + width, crop.width), min(top - crop.top + height, crop.height)
        left, top = max(left, 0.0), max(top - crop.top, 0.0)
        if left < right and top < bottom:
            boxes[i] = {
                "level": level,
                "left": round(100 * left / crop.width, 4),
                "width": round(100 * (right - left) / crop.width, 4),
                "top": round(100 * top / crop.height, 4),
                "height": round(100 * (bottom - top) / crop.height, 4),
            }
    return boxes


def _entry(labelling: Labelling, i: int, box: _Values | None, reason: _Values | None) -> _Values:
    """Return a region of the list; the template cleans, cuts and escapes its text."""
    page, label = labelling.page, labelling.labels[i]
    region = Region(page, i)
    return {
        "number": i,
        "label": label,
        "is_background": label == labelling.label_set.background,
        "confidence": float(labelling.confidence[i]),
        "text": region.text or f"<{region.tag}> {page.attributes[i].get('alt', '')}".strip(),
        "region": region,
        "box": box,
        "reason": reason,
    }


class OverlayLink(NamedTuple):
    """Line of the index of a folder of overlay pages; after an error its file is empty."""

    source: str
    title: str
    file: str
    labels: tuple[tuple[str, int], ...] = ()
    error: str = ""


def overlay_index(links: Sequence[OverlayLink]) -> str:
    """Return an HTML page that leads to the overlay pages of a folder."""
    return render_template("overlay_index.html", links=links)
