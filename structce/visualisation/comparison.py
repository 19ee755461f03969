"""Gold and predicted labels of a page compared, for reports: a drawing, and a list in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Literal

from markupsafe import Markup

from structce.errors import LabelError
from structce.labelling import Box, draw_boxes
from structce.labels import UNKNOWN, allowed_names, is_exact_label, label_colour
from structce.language import printable
from structce.page import Page
from structce.visualisation.base import has_area, read_asset, render_template

Outcome = Literal["wrong", "unknown", "right", "background"]
"""State of a region: ``unknown`` if the gold label is, ``background`` if both labels are."""

_MAX_BOXES = 400  # of a drawing; a news page has some 250 regions in all
_MAX_LINES = 300  # of a list, wrong ones first, so that a report of ten pages opens at once
_N_PAIRS = 8  # kinds of mistakes, and of right labels, that a description names
_NAME_COLUMNS = 24  # longer than any name of the label sets in use
_TEXT_COLUMNS, _FIRST_COLUMNS = 120, 60  # of a wrong region, and of the first region of a run
_LEAST_FOLDED = 3  # equal mistakes in a row, of which one is shown and the others folded
_WRONG_COLOUR = "#c62828"


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
        """One per region."""
        return tuple(map(self._outcome, self.gold, self.predicted))

    def _outcome(self, gold: str, predicted: str) -> Outcome:
        if gold == UNKNOWN:
            return "unknown"
        if predicted not in allowed_names(gold):
            return "wrong"
        return "background" if predicted == self.background else "right"

    def kind(self, i: int) -> tuple[Outcome, str, str]:
        """Return a region's outcome, gold and predicted label."""
        return self.outcomes[i], self.gold[i], self.predicted[i]

    def regions(self, outcome: Outcome) -> list[int]:
        """Return the regions of one outcome, in page order."""
        return [i for i, other in enumerate(self.outcomes) if other == outcome]

    def caption(self, i: int) -> str:
        """Return a region's label if it is right, or else ``gold → predicted``."""
        gold, predicted = _name(self.gold[i]), _name(self.predicted[i])
        is_right = self.outcomes[i] in ("right", "background")
        return predicted if is_right else f"{gold} → {predicted}"

    def text(self, i: int, columns: int) -> str:
        """Return a region's text on one line; for media, the tag and the alternative text."""
        text = self.page.text[i]
        if not text:
            text = f"[{self.page.tag[i]}] {self.page.attributes[i].get('alt') or ''}"
        return printable(text[: 2 * columns], columns).strip()

    @cached_property
    def description(self) -> str:
        """Numbers of regions and of mistakes, in words."""
        wrong, right = self.regions("wrong"), self.regions("right")
        sentences = [f"{_count(len(self.outcomes), 'region')}, {len(wrong):,} of them wrong."]
        if wrong:
            mistakes = Counter((self.gold[i], self.predicted[i]) for i in wrong).most_common()
            parts = [
                f"{n:,} {_name(gold)} labelled {_name(predicted)}"
                for (gold, predicted), n in mistakes[:_N_PAIRS]
            ]
            if len(mistakes) > _N_PAIRS:
                parts.append(f"{len(mistakes) - _N_PAIRS:,} other kinds of mistakes")
            sentences.append(f"Wrong: {', '.join(parts)}.")
        if right:
            counts = Counter(self.gold[i] for i in right).most_common(_N_PAIRS)
            sentences.append(f"Right: {', '.join(f'{n:,} {_name(label)}' for label, n in counts)}.")
        if unknown := self.regions("unknown"):
            sentences.append(f"The gold label of {len(unknown):,} is unknown.")
        return " ".join(sentences)


def draw_comparison(
    page: Page, gold: Sequence[str], predicted: Sequence[str], background: str
) -> str:
    """Return a ``figure`` that shows which regions of a page were labelled correctly.

    With layout it is a drawing of the labelled and the wrong regions, with the wrong ones in words
    below; without layout, a list of all regions in reading order. A region whose gold label is
    unknown is neither right nor wrong.

    Parameters
    ----------
    gold, predicted
        One label each per region; :data:`structce.labels.UNKNOWN` if it is not known.
    background
        Label of all regions without a label of interest.

    Raises
    ------
    LabelError
        If the number of labels is not that of regions.
    """
    comparison = LabelComparison(page, gold, predicted, background)
    wrong = comparison.regions("wrong")
    drawn = _boxes(comparison)
    lines = list(_wrong_lines(comparison, wrong) if drawn else _all_lines(comparison))
    by_worth = sorted(range(len(lines)), key=lambda n: (lines[n].outcome != "wrong", n))
    shown = sorted(by_worth[:_MAX_LINES])
    return render_template(
        "comparison.html",
        description=comparison.description,
        drawing=Markup("".join(draw_boxes(page, drawn))) if drawn else "",
        lines=[lines[n] for n in shown],
        n_hidden=len(lines) - len(shown),
        summary=f"{_count(len(wrong), 'wrong region')} in words",
    ).strip()


def comparison_legend(labels: Sequence[str]) -> str:
    """Return the legend of the drawings, as a list.

    Parameters
    ----------
    labels
        Labels in the drawings, without the background; unknown ones are skipped.
    """
    colours = [(_name(label), _colour(label)) for label in labels if is_exact_label(label)]
    return render_template("comparison_legend.html", labels=colours, wrong=_WRONG_COLOUR).strip()


def comparison_css() -> str:
    """Return the style sheet of lists and legend.

    It uses the variables ``--soft``, ``--line``, ``--tint``, ``--good`` and ``--bad`` of the page
    around them.
    """
    return read_asset("comparison.css")


def _boxes(comparison: LabelComparison) -> list[Box]:
    """Return the boxes of a drawing: wrong regions first, then labelled ones."""
    page = comparison.page
    if not page.viewport[0]:
        return []
    order = [*comparison.regions("wrong"), *comparison.regions("right")]
    visible = has_area(page)
    boxes = []
    for i in order[:_MAX_BOXES]:
        if visible[i]:
            is_wrong, label = comparison.outcomes[i] == "wrong", comparison.caption(i)
            colour = _WRONG_COLOUR if is_wrong else _colour(comparison.gold[i])
            caption = f"{label}: {comparison.text(i, _TEXT_COLUMNS)}"
            boxes.append(Box(i, colour, caption, label if is_wrong else "", is_wrong))
    return boxes


@dataclass(frozen=True)
class _Line:
    """A region, or a run of regions with the same labels, in words.

    Parameters
    ----------
    name
        The label, or ``gold → predicted``.
    note
        Number of regions if more than one.
    folded
        Text on further regions with the same mistake, which a reader may unfold.
    """

    outcome: Outcome
    name: str
    note: str
    words: str
    folded: tuple[str, ...] = ()


def _all_lines(comparison: LabelComparison) -> Iterator[_Line]:
    """Yield the lines of a page in reading order; equal labels in a row are one line."""
    for (outcome, _, _), regions in groupby(range(len(comparison.outcomes)), comparison.kind):
        run = list(regions)
        if outcome == "wrong":
            yield from _wrong_lines(comparison, run)
        elif outcome == "background":
            name = comparison.caption(run[0])
            yield _Line(outcome, "", f"… {_count(len(run), 'region')} of {name}, right", "")
        else:
            yield _run_line(comparison, run, _FIRST_COLUMNS)


def _wrong_lines(comparison: LabelComparison, wrong: Sequence[int]) -> Iterator[_Line]:
    """Yield a line per wrong region; several of one mistake in a row are folded into one."""
    for _, regions in groupby(wrong, comparison.kind):
        run = list(regions)
        if len(run) < _LEAST_FOLDED:
            yield from (_run_line(comparison, [i], _TEXT_COLUMNS) for i in run)
        else:
            yield _run_line(
                comparison,
                run,
                _TEXT_COLUMNS,
                tuple(comparison.text(i, _TEXT_COLUMNS) for i in run[1:_MAX_LINES]),
            )


def _run_line(
    comparison: LabelComparison, run: Sequence[int], columns: int, folded: tuple[str, ...] = ()
) -> _Line:
    first = run[0]
    note = _count(len(run), "region") if len(run) > 1 else ""
    words = comparison.text(first, columns)
    return _Line(comparison.outcomes[first], comparison.caption(first), note, words, folded)


def _name(label: str) -> str:
    return "unknown" if label == UNKNOWN else printable(label, _NAME_COLUMNS) or "nameless"


def _colour(label: str) -> str:
    """Return a label's colour, ``#rrggbb``; every name has one."""
    return label_colour(label.encode(errors="replace").decode())


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"
