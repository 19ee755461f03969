"""Overlay page: labels over the picture of a page, with a list and an explanation of each."""

from __future__ import annotations

import base64
import struct
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from structce.article import Article, FieldValue, Reading
from structce.errors import LearnerError, RenderError
from structce.features import column_meaning
from structce.labelling import (
    ColumnShare,
    Explanation,
    Labelling,
    Share,
    answer_sentence,
    changes_sentence,
    largest_difference,
    share_name,
)
from structce.language import printable
from structce.page import Page, Region
from structce.visualisation.base import (
    confidence_label,
    has_area,
    label_colour,
    render_template,
    signed_label,
)
from structce.visualisation.page_picture import picture_top

_TEXT_COLUMNS, _LIST_COLUMNS, _NAME_COLUMNS = 280, 70, 40
"""Columns of a region's text, of it in the list, and of a column's name: as many as fit there."""

N_COLUMNS = 12
"""Columns in the explanation of a region: as many as fit beside a picture."""

MAX_EXPLAINED = 200_000
"""Explained regions times regions of their page, since each is decided anew with its page: some 5
seconds. News pages stay below it; of larger pages the first regions are explained."""

MAX_BACKGROUND = 3_000
"""Regions of the background in the file, the first of the page; each takes about 1 kB."""

_SOURCES = {
    "region": "seen on the page",
    "json-ld": "stated in JSON-LD",
    "microdata": "stated in microdata",
    "og": "stated in OpenGraph",
    "meta": "stated in meta elements",
    "window": "stated in the window's title",
    "time": "stated in a time element",
    "address": "in the address",
}
"""Sources of values, in words."""

_Values = dict[str, Any]  # of a part of the template

_PNG = b"\x89PNG\r\n\x1a\n"


def overlay_page(
    labelling: Labelling,
    picture: bytes,
    *,
    title: str,
    source: str,
    reading: Reading | None = None,
    explains_background: bool = False,
) -> str:
    """Return an HTML page of labels over a page's picture, with an explanation of each.

    Parameters
    ----------
    picture
        PNG of the page without marks: what
        :func:`structce.visualisation.page_picture.screenshot` gives for the same labels.
    title, source
        Name of the page for people, and where it came from; plain text.
    reading
        Article and labels that were read from `labelling`: the panel shows the article first, and
        these labels are drawn; each is still explained by what the labeller gave its region.
    explains_background
        Whether regions of the background are explained, too; takes as long for each of them.

    Raises
    ------
    RenderError
        If the picture is no PNG.
    """
    answer = labelling if reading is None else reading.labelling
    background = labelling.label_set.background
    names = [None if name == background else name for name in answer.labels]
    is_marked = [name is not None for name in names]
    crop = Crop(picture_top(labelling.page, names), *_size(picture, source))
    chosen = _listed_regions(is_marked)
    asked = [i for i in chosen if explains_background or is_marked[i]]
    explained = asked[: MAX_EXPLAINED // max(len(is_marked), 1)]
    reasons, trouble = _reasons(labelling, answer, explained)
    boxes = _crop_boxes(labelling.page, crop)
    entries = [_entry(answer, i, boxes.get(i), reasons.get(i)) for i in chosen]
    return render_template(
        "overlay.html",
        script="overlay.js",
        title=printable(title, 120) or "Page without a title",
        source=printable(source, 200),
        crop=crop,
        picture=base64.b64encode(picture).decode("ascii"),
        fields=[] if reading is None else list(_fields(reading.article)),
        entries=entries,
        labels=_labels(entries),
        n_regions=len(labelling.page),
        n_marked=sum(is_marked),
        n_background=sum(entry["is_background"] for entry in entries),
        notes=[trouble] if trouble else list(_notes(is_marked, chosen, asked, explained)),
    )


@dataclass(frozen=True)
class Crop:
    """Part of a page that a picture shows, in CSS pixels."""

    top: int
    width: int
    height: int


def _size(picture: bytes, source: str) -> tuple[int, int]:
    """Return width and height of a PNG."""
    if not picture.startswith(_PNG) or len(picture) < 24:
        raise RenderError(f"{source}: expected a PNG picture, got {picture[:8]!r}")
    width, height = struct.unpack(">II", picture[16:24])
    return width, height


def _listed_regions(is_marked: list[bool]) -> list[int]:
    """Return the regions of the list, in page order: all marked ones and the first others."""
    others = [i for i, marked in enumerate(is_marked) if not marked][:MAX_BACKGROUND]
    return sorted([*others, *(i for i, marked in enumerate(is_marked) if marked)])


def _notes(
    is_marked: list[bool], chosen: list[int], asked: list[int], explained: list[int]
) -> Iterator[str]:
    """Yield what was left out."""
    if len(explained) < len(asked):
        yield f"The page is large: only the first {len(explained):,} regions are explained."
    if len(chosen) < len(is_marked):
        yield f"Only the first {MAX_BACKGROUND:,} regions of the background are listed."


def _reasons(
    labelling: Labelling, answer: Labelling, asked: list[int]
) -> tuple[dict[int, _Values], str]:
    """Return the explanations of regions, or none of them and the reason why not."""
    try:
        explained = {i: labelling.explain(i, n_columns=N_COLUMNS) for i in asked}
        return {i: _reason(whole, answer.labels[i]) for i, whole in explained.items()}, ""
    except LearnerError as error:
        return {}, printable(str(error))


def _fields(article: Article) -> Iterator[_Values]:
    """Yield the fields that were found, as the panel shows them."""
    date = article.date and replace(article.date, value=article.date.value.replace("T", " "))
    named = (
        ("Title", article.title),
        *(("Author", author) for author in article.authors),
        ("Date", date),
    )
    for name, field in named:
        if field is not None:
            yield {
                "name": name,
                "colour": label_colour(name),
                "value": printable(field.value, _TEXT_COLUMNS),
                "confidence": confidence_label(field.confidence),
                "source": _source_words(field),
                "region": field.region,
            }


def _source_words(field: FieldValue) -> str:
    """Return what gave a value, and what gave its time of day where that is another."""
    told = _SOURCES.get(field.source, field.source)
    if not field.clock_source:
        return told
    return f"{told}; time of day {_SOURCES.get(field.clock_source, field.clock_source)}"


def _reason(explanation: Explanation, answer: str) -> _Values:
    """Return an explanation in groups: columns for either label, strongest first, then the rest."""
    sentences = (
        answer_sentence(explanation.label, answer),
        explanation.sentence,
        changes_sentence(explanation),
    )
    largest = largest_difference(explanation)
    ordered = sorted(explanation.columns, key=lambda share: -share.difference)
    others = (explanation.others,) if explanation.n_others else ()
    groups = (
        (f"Columns for {explanation.label}", [share for share in ordered if share.difference >= 0]),
        (
            f"Columns for {explanation.runner_up}",
            [s for s in reversed(ordered) if s.difference < 0],
        ),
        ("Other columns and regions", [*others, *explanation.context]),
    )
    return {
        "label": explanation.label,
        "runner_up": explanation.runner_up,
        "margin": signed_label(explanation.margin, max(largest, abs(explanation.margin)), 3),
        "groups": [
            (name, [_bar(share, explanation, largest) for share in shares])
            for name, shares in groups
            if shares
        ],
        "sentences": [printable(text) for text in sentences if text],
    }


def _bar(share: Share, whole: Explanation, largest: float) -> _Values:
    """Return the bar of a share of the margin; `length` in per cent of the longest."""
    length = min(1.0, abs(share.difference) / largest) if largest else 0.0
    is_column = isinstance(share, ColumnShare)
    return {
        "name": share_name(share, whole, _NAME_COLUMNS),
        "full": share_name(share, whole, 300),
        "meaning": printable(column_meaning(share.name), 300) if is_column else "",
        "number": signed_label(share.difference, largest, 3),
        "length": round(100 * length, 1),
        "is_against": share.difference < 0,
    }


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
        top -= crop.top
        right, bottom = min(left + width, crop.width), min(top + height, crop.height)
        left, top = max(left, 0.0), max(top, 0.0)
        if left < right and top < bottom:
            across = {"left": left, "width": right - left}
            down = {"top": top, "height": bottom - top}
            boxes[i] = {
                "level": level,
                **{side: round(100 * part / crop.width, 4) for side, part in across.items()},
                **{side: round(100 * part / crop.height, 4) for side, part in down.items()},
            }
    return boxes


def _entry(labelling: Labelling, i: int, box: _Values | None, reason: _Values | None) -> _Values:
    """Return a region for the page; what comes from its page is cleaned and cut, not escaped."""
    page, label = labelling.page, labelling.labels[i]
    region = Region(page, i)
    text = region.text or f"<{region.tag}> {page.attributes[i].get('alt', '')}".strip()
    return {
        "number": i,
        "label": label,
        "colour": label_colour(label),
        "is_background": label == labelling.label_set.background,
        "confidence": confidence_label(float(labelling.confidence[i])),
        "text": printable(text, _TEXT_COLUMNS),
        "short": printable(text, _LIST_COLUMNS),
        "xpath": printable(region.xpath),
        "span": region.span,
        "place": None if region.box is None else [round(side) for side in region.box],
        "box": box,
        "reason": reason,
    }


def _labels(entries: list[_Values]) -> list[tuple[str, str, int]]:
    """Return name, colour and number of regions of each label that occurs, but the background."""
    counts = Counter(entry["label"] for entry in entries if not entry["is_background"])
    return [(name, label_colour(name), count) for name, count in sorted(counts.items())]


@dataclass(frozen=True)
class OverlayLink:
    """Line of the index of a folder of overlay pages.

    Parameters
    ----------
    file
        Name of the page's file, beside the index; empty after an error.
    error
        Reason why the file is missing; else empty.
    """

    source: str
    title: str
    file: str
    labels: tuple[tuple[str, int], ...] = ()
    error: str = ""


def overlay_index(links: Sequence[OverlayLink]) -> str:
    """Return an HTML page that leads to the overlay pages of a folder."""
    rows = [
        {
            "file": link.file,
            "title": printable(link.title, 120) or "Page without a title",
            "source": printable(link.source, 200),
            "error": printable(link.error, 300),
            "labels": [(name, label_colour(name), count) for name, count in link.labels],
        }
        for link in links
    ]
    return render_template("overlay_index.html", rows=rows)
