"""Layout of a wireframe: how labels compare, and which bands of the page are shown."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from structce.arrays import Flags
from structce.errors import LabelError
from structce.labels import UNKNOWN, allowed_names
from structce.language import printable
from structce.page import Page
from structce.visualisation.base import label_colour

Outcome = Literal["wrong", "unknown", "right", "background"]
"""Of a region: ``unknown`` where the gold label is, ``background`` where both labels are."""

_OUTCOMES: tuple[Outcome, ...] = ("wrong", "unknown", "right", "background")
"""What matters most first, where not everything can be shown."""

_N_PAIRS = 8
"""Kinds of mistakes, and of right labels, that a description names before it sums up."""

_NAME_COLUMNS = 24
"""Columns of a label's name: longer than any name of the label sets in use."""

SHEET_WIDTH = 640.0
"""Of a drawing, in its own units; places of the page are CSS pixels."""

MAX_SHEET_HEIGHT = 1_800.0
"""Of a drawing, in its own units: some three screens."""

CUT_HEIGHT = 30.0
"""Height of the stripe that stands for what was cut, in units."""

_MARGIN = 26.0  # pixels above and below a marked region
_NEAR = 110.0  # a gap of fewer pixels is not worth a cut
_TALL = 300.0  # pixels of one region that are shown
_USUAL_WINDOW = 1280.0  # where a page has no viewport
_FURTHEST = 33_600_000.0  # browsers place nothing beyond 2 ** 25 pixels

_Span = tuple[float, float]


@dataclass(frozen=True, eq=False)
class LabelComparison:
    """A page with gold and predicted labels, one each per region.

    Raises
    ------
    LabelError
        If the number of labels is not that of regions.
    """

    page: Page
    gold: Sequence[str]
    predicted: Sequence[str]
    background: str

    def __post_init__(self) -> None:
        if not len(self.page) == len(self.gold) == len(self.predicted):
            raise LabelError(
                f"{self.page.url or 'page'}: expected one gold and one predicted label for each of "
                f"{len(self.page)} regions, got {len(self.gold)} and {len(self.predicted)}"
            )

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """One a region."""
        return tuple(map(self._outcome, self.gold, self.predicted))

    @cached_property
    def marked(self) -> tuple[int, ...]:
        """Regions with a gold or predicted label that is known and not the background."""
        pairs = zip(self.gold, self.predicted, self.outcomes, strict=True)
        return tuple(
            i
            for i, (gold, predicted, outcome) in enumerate(pairs)
            if outcome == "wrong" or self._is_marked(gold) or self._is_marked(predicted)
        )

    def _is_marked(self, label: str) -> bool:
        names = allowed_names(label)
        return bool(names) and self.background not in names

    @cached_property
    def by_importance(self) -> tuple[int, ...]:
        """All regions: marked ones first, then by outcome, then in page order."""
        rank = {outcome: n for n, outcome in enumerate(_OUTCOMES)}
        is_marked = set(self.marked)
        rows = range(len(self.outcomes))
        return tuple(sorted(rows, key=lambda i: (i not in is_marked, rank[self.outcomes[i]], i)))

    def kind(self, i: int) -> tuple[Outcome, str, str]:
        """Return a region's outcome, gold and predicted label."""
        return self.outcomes[i], self.gold[i], self.predicted[i]

    def regions(self, outcome: Outcome) -> list[int]:
        """Return the regions of one outcome, in page order."""
        return [i for i, one in enumerate(self.outcomes) if one == outcome]

    def caption(self, i: int) -> str:
        """Return the tag of a region: its label if right, or else ``gold → predicted``."""
        gold, predicted = display_name(self.gold[i]), display_name(self.predicted[i])
        is_right = self.outcomes[i] in ("right", "background")
        return predicted if is_right else f"{gold} → {predicted}"

    def text(self, i: int, columns: int) -> str:
        """Return a region's text as one printable line; of media tag and alternative text."""
        text = self.page.text[i]
        if not text:
            text = f"[{self.page.tag[i]}] {self.page.attributes[i].get('alt') or ''}"
        return printable(text[: 2 * columns], columns).strip()

    @cached_property
    def description(self) -> str:
        """Numbers of regions and of mistakes, as text."""
        wrong = self.regions("wrong")
        parts = [f"{count_noun(len(self.outcomes), 'region')}, {len(wrong):,} of them wrong."]
        if wrong:
            mistakes = Counter((self.gold[i], self.predicted[i]) for i in wrong).most_common()
            said = [
                f"{n:,} {display_name(gold)} labelled {display_name(predicted)}"
                for (gold, predicted), n in mistakes[:_N_PAIRS]
            ]
            if len(mistakes) > _N_PAIRS:
                said.append(f"{len(mistakes) - _N_PAIRS:,} other kinds of mistakes")
            parts.append(f"Wrong: {', '.join(said)}.")
        if right := Counter(self.gold[i] for i in self.regions("right")).most_common():
            said = [f"{n:,} {display_name(label)}" for label, n in right[:_N_PAIRS]]
            parts.append(f"Right: {', '.join(said)}.")
        if unknown := self.regions("unknown"):
            parts.append(f"The gold label of {len(unknown):,} is unknown.")
        return " ".join(parts)

    def _outcome(self, gold: str, predicted: str) -> Outcome:
        if gold == UNKNOWN:
            return "unknown"
        if predicted not in allowed_names(gold):
            return "wrong"
        return "background" if predicted == self.background else "right"


def display_name(label: str) -> str:
    """Return a label's name for display; ``unknown`` for an unknown label."""
    return "unknown" if label == UNKNOWN else printable(label, _NAME_COLUMNS) or "nameless"


def display_colour(label: str) -> str:
    """Return a label's colour, ``#rrggbb``; every name has one."""
    return label_colour(label.encode(errors="replace").decode())


def count_noun(n: int, noun: str) -> str:
    """Return a number with its noun.

    >>> count_noun(1, "region"), count_noun(1200, "region")
    ('1 region', '1,200 regions')
    """
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


class Rectangle(NamedTuple):
    """A rectangle on a drawing, in its units."""

    x: float
    y: float
    width: float
    height: float


class Band(NamedTuple):
    """A visible part of the page: start and end in pixels, and its start in units."""

    start: float
    end: float
    unit: float


class Cut(NamedTuple):
    """Stripe in place of an omitted part, and its text."""

    y: float
    text: str


@dataclass(frozen=True)
class VisibleBands:
    """The bands of a page that are shown, from the top down; at least one.

    Parameters
    ----------
    scale
        Units per pixel.
    bottom
        Where the page ends, in pixels.
    """

    scale: float
    bands: tuple[Band, ...]
    bottom: float

    @property
    def height(self) -> float:
        """Of the drawing, in units."""
        last = self.bands[-1]
        end = last.unit + (last.end - last.start) * self.scale
        return end + (CUT_HEIGHT if last.end < self.bottom else 0)

    def shows(self, box: Sequence[float]) -> bool:
        """Return whether at least half of a box's height, or of what is shown of tall ones, shows.

        Parameters are those of :meth:`place`.
        """
        place = self.place(box)
        return place is not None and place.height >= 0.5 * self.scale * min(box[3], _TALL)

    def place(self, box: Sequence[float]) -> Rectangle | None:
        """Return the position of a box; None if no part of it is shown.

        Parameters
        ----------
        box
            Left, top, width and height in pixels, drawable.
        """
        x, right = (
            min(max(edge * self.scale, 0.0), SHEET_WIDTH) for edge in (box[0], box[0] + box[2])
        )
        y, bottom = self._top(box[1]), self._bottom(box[1] + box[3])
        return Rectangle(x, y, right - x, bottom - y) if right > x and bottom > y else None

    def gaps(self) -> Iterator[tuple[float, float, float]]:
        """Yield the parts that are not shown: from and to in pixels, and the stripe's unit."""
        end, unit = 0.0, 0.0
        for band in self.bands:
            if band.start > end:
                yield end, band.start, unit
            end, unit = band.end, band.unit + (band.end - band.start) * self.scale
        if end < self.bottom:
            yield end, self.bottom, unit

    @cached_property
    def _starts(self) -> list[float]:
        return [band.start for band in self.bands]

    def _top(self, y: float) -> float:
        """Return the first unit shown that is not above a place of the page."""
        n = bisect_right(self._starts, y) - 1
        if n >= 0 and y < self.bands[n].end:
            return self.bands[n].unit + (y - self.bands[n].start) * self.scale
        return self.bands[n + 1].unit if n + 1 < len(self.bands) else self.height

    def _bottom(self, y: float) -> float:
        """Return the last unit shown that is not below a place of the page."""
        n = bisect_left(self._starts, y) - 1
        if n < 0:
            return 0.0
        band = self.bands[n]
        return band.unit + (min(y, band.end) - band.start) * self.scale


def visible_bands(comparison: LabelComparison, drawable: Flags) -> VisibleBands | None:
    """Return the visible bands of a page; None if no marked region is drawable.

    Those around marked regions, wrong ones first and then from the top, as far as the height
    allows; of a tall region the beginning.

    Parameters
    ----------
    drawable : shape (n_regions,)
        Result of :func:`drawable_regions`.
    """
    boxes = comparison.page.boxes.astype(np.float64)
    across = _page_width(comparison, drawable)
    marked = comparison.by_importance[: len(comparison.marked)]
    rows = [i for i in marked if drawable[i] and boxes[i, 0] < across]
    if not rows:
        return None
    scale = SHEET_WIDTH / across
    bottom = float((boxes[drawable, 1] + boxes[drawable, 3]).max())
    spans: list[_Span] = []
    for i in rows:
        top, height = boxes[i, 1], min(boxes[i, 3], _TALL)
        wider = merge_spans([*spans, (top - _MARGIN, top + height + _MARGIN)], bottom)
        drawn = sum(end - start for start, end in wider) * scale + CUT_HEIGHT * len(wider)
        if drawn <= MAX_SHEET_HEIGHT:
            spans = wider
    return VisibleBands(scale, tuple(_bands(spans, scale)), bottom)


def drawable_regions(comparison: LabelComparison) -> Flags:
    """Return which regions a drawing can show, shape (n_regions,).

    Those with an area, right of and below the page's corner at least in part, and not absurdly
    far away.
    """
    boxes = comparison.page.boxes.astype(np.float64)
    is_near = np.asarray((np.abs(boxes) < _FURTHEST).all(axis=1))  # False where unknown
    left, top, width, height = np.where(is_near[:, None], boxes, 0.0).T
    is_on_page = (left + width > 0) & (top + height > 0) & (width > 0) & (height > 0)
    return np.asarray(is_on_page, dtype=bool)


def cut_stripes(
    bands: VisibleBands, comparison: LabelComparison, drawable: Flags, shown: Collection[int]
) -> tuple[Cut, ...]:
    """Return the stripes of a drawing and what they say.

    Parameters
    ----------
    shown
        Regions that the drawing shows; each marked one that it does not counts in one stripe.
    """
    boxes = comparison.page.boxes.astype(np.float64)
    ends = {i: (boxes[i, 1], boxes[i, 1] + boxes[i, 3]) for i in comparison.marked if drawable[i]}
    hidden = set(ends) - set(shown)
    cuts = []
    for start, end, unit in bands.gaps():
        here = {i for i, (top, bottom) in ends.items() if top < end and bottom > start}
        lost = here & hidden
        hidden -= lost
        n_wrong = sum(comparison.outcomes[i] == "wrong" for i in lost)
        text = "of large regions left out" if here else "without labels"
        if lost:
            said = f"{n_wrong:,} wrong" if n_wrong else "none wrong"
            text = f"left out, {count_noun(len(lost), 'labelled region')}, {said}"
        cuts.append(Cut(unit, f"{end - start:,.0f} px {text}"))
    return tuple(cuts)


def merge_spans(spans: Sequence[_Span], bottom: float) -> list[_Span]:
    """Return spans of a page in order, near ones as one; the page's ends draw near ones too."""
    result: list[_Span] = []
    for start, end in sorted(spans):
        start, end = max(0.0, float(start)), min(float(end), bottom)
        if result and start - result[-1][1] < _NEAR:
            result[-1] = (result[-1][0], max(result[-1][1], end))
        else:
            result.append((start if start >= _NEAR else 0.0, end))
    if result and bottom - result[-1][1] < _NEAR:
        result[-1] = (result[-1][0], bottom)
    return result


def _bands(spans: Sequence[_Span], scale: float) -> Iterator[Band]:
    unit = 0.0
    for n, (start, end) in enumerate(spans):
        unit += CUT_HEIGHT if n or start > 0 else 0.0
        yield Band(start, end, unit)
        unit += (end - start) * scale


def _page_width(comparison: LabelComparison, drawable: Flags) -> float:
    """Return the window's width, up to twice of it where marked regions stand beside it."""
    window = float(comparison.page.viewport[0]) or _USUAL_WINDOW
    rows = [i for i in comparison.marked if drawable[i]]
    boxes = comparison.page.boxes[rows].astype(np.float64)
    beside = boxes[(boxes[:, 0] >= window) & (boxes[:, 0] < 1.8 * window)]
    if not len(beside):
        return window
    return float(min((beside[:, 0] + beside[:, 2]).max(), 2 * window))
