"""The labels of a page over its picture, as one HTML file that tells why each region has its own.

The file loads nothing and runs one script, which its policy names by its hash. All that comes
from the labelled page is hostile: it is cleaned, cut and escaped.
"""

from __future__ import annotations

import base64
import hashlib
import struct
from collections import Counter
from collections.abc import Iterator
from importlib import resources
from typing import Protocol

import numpy as np
from jinja2 import Environment, StrictUndefined
from numpy.typing import NDArray

from structce.errors import LearnerError, RenderError
from structce.explaining.overlay_entries import (
    Box,
    Entry,
    Frame,
    Reason,
    boxes_of,
    entry_of,
    reason_of,
)
from structce.explaining.region import Explanation
from structce.explaining.words import visible
from structce.labels import LabelSet
from structce.page import Page, Region
from structce.rendering.overlay import colour_of, first_row

N_COLUMNS = 12
"""Columns of a region that are told; our choice, what fits beside a picture."""

MAX_EXPLAINED = 200_000
"""Explained regions times regions of their page, since each is decided anew with its page: some 5
seconds. Our choice; news pages have fewer, and of larger ones the first regions are explained."""

MAX_BACKGROUND = 3_000
"""Regions of the background in the file, the first of the page; each takes about 1 kB."""

_PNG = b"\x89PNG\r\n\x1a\n"


class Labelled(Protocol):
    """A labelled page that can tell why: what a labeller gives."""

    @property
    def page(self) -> Page:
        """What was labelled."""
        ...

    @property
    def labels(self) -> tuple[str, ...]:
        """One name a region."""
        ...

    @property
    def confidence(self) -> NDArray[np.float64]:
        """Probability of each label, shape (n_regions,)."""
        ...

    @property
    def label_set(self) -> LabelSet:
        """The labels that there are."""
        ...

    def explain(self, i: int, *, n_columns: int = 10) -> Explanation:
        """Return why region `i` has its label, with at most so many columns."""
        ...


def overlay_page(
    labelling: Labelled,
    picture: bytes,
    *,
    title: str,
    source: str,
    explains_background: bool = False,
) -> str:
    """Return an HTML page that shows labels over a page's picture, and tells why they are there.

    Parameters
    ----------
    picture
        PNG of the page without marks: what :func:`structce.rendering.overlay.picture` gives for
        the same labels.
    title, source
        Name of the page for people, and where it came from; plain text.
    explains_background
        Whether regions of the background are explained, too; takes as long for each of them.

    Raises
    ------
    RenderError
        If the picture is no PNG.
    """
    background = labelling.label_set.background
    names = [None if name == background else name for name in labelling.labels]
    is_marked = [name is not None for name in names]
    frame = Frame(first_row(labelling.page, names), *_size(picture, source))
    chosen = _chosen(is_marked)
    asked = [i for i in chosen if explains_background or is_marked[i]]
    explained = asked[: MAX_EXPLAINED // max(len(is_marked), 1)]
    reasons, trouble = _reasons(labelling, explained)
    boxes = boxes_of(labelling.page, frame)
    entries = [_entry(labelling, i, boxes.get(i), reasons.get(i)) for i in chosen]
    script = _file("overlay_page.js")
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string(_file("overlay.html")).render(
        title=visible(title, 120) or "Page without a title",
        source=visible(source, 200),
        frame=frame,
        picture=base64.b64encode(picture).decode("ascii"),
        entries=entries,
        labels=_labels(entries),
        n_regions=len(labelling.page),
        n_marked=sum(is_marked),
        n_background=sum(entry.is_background for entry in entries),
        notes=[trouble] if trouble else list(_notes(is_marked, chosen, asked, explained)),
        script=script,
        digest=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii"),
    )


def _file(name: str) -> str:
    return resources.files("structce.explaining").joinpath(name).read_text(encoding="utf-8")


def _size(picture: bytes, source: str) -> tuple[int, int]:
    """Return width and height of a PNG."""
    if not picture.startswith(_PNG) or len(picture) < 24:
        raise RenderError(f"{source}: expected a PNG picture, got {picture[:8]!r}")
    width, height = struct.unpack(">II", picture[16:24])
    return width, height


def _chosen(is_marked: list[bool]) -> list[int]:
    """Return the regions that are told, in page order: all marked ones, and the first others."""
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


def _reasons(labelling: Labelled, asked: list[int]) -> tuple[dict[int, Reason], str]:
    """Return the reasons of regions, and why there are none where there are none."""
    try:
        return {i: reason_of(labelling.explain(i, n_columns=N_COLUMNS)) for i in asked}, ""
    except LearnerError as error:
        return {}, visible(str(error))


def _entry(labelling: Labelled, i: int, box: Box | None, reason: Reason | None) -> Entry:
    label = labelling.labels[i]
    return entry_of(
        Region(labelling.page, i),
        label,
        float(labelling.confidence[i]),
        is_background=label == labelling.label_set.background,
        box=box,
        reason=reason,
    )


def _labels(entries: list[Entry]) -> list[tuple[str, str, int]]:
    """Return name, colour and number of regions of each label that occurs, but the background."""
    counts = Counter(entry.label for entry in entries if not entry.is_background)
    return [(name, colour_of(name), count) for name, count in sorted(counts.items())]
