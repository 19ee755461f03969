"""Gold and predicted labels of a page compared, for reports: a drawing, and a list in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Literal, NamedTuple

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


class _Line(NamedTuple):
    """A region, or a run of regions with the same labels, in words.

    The name is the label or ``gold → predicted``, the note the number of regions if there are
    several, and the folded texts are those of further regions with the same mistake.
    """

    outcome: Outcome
    name: str
    note: str
    words: str
    folded: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class _Comparison:
    """A page with one gold and one predicted label per region."""

    page: Page
    gold: Sequence[str]
    predicted: Sequence[str]
    background: str

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

    def regions(self, outcome: Outcome) -> list[int]:
        """Return the regions of one outcome, in page order."""
        return [i for i, other in enumerate(self.outcomes) if other == outcome]

    def caption(self, i: int) -> str:
        """Return a region's label if it is right, or else ``gold → predicted``."""
        gold, predicted = _label_name(self.gold[i]), _label_name(self.predicted[i])
        is_right = self.outcomes[i] in ("right", "background")
        return predicted if is_right else f"{gold} → {predicted}"

    def text(self, i: int, columns: int = _TEXT_COLUMNS) -> str:
        """Return a region's text on one line; for media, the tag and the alternative text."""
        text = self.page.text[i]
        if not text:
            text = f"[{self.page.tag[i]}] {self.page.attributes[i].get('alt') or ''}"
        return printable(text[: 2 * columns], columns).strip()

    def sentences(self) -> Iterator[str]:
        """Yield the numbers of regions and of mistakes, in words."""
        wrong, right = self.regions("wrong"), self.regions("right")
        yield f"{_count(len(self.outcomes), 'region')}, {len(wrong):,} of them wrong."
        if wrong:
            mistakes = Counter((self.gold[i], self.predicted[i]) for i in wrong).most_common()
            parts = [
                f"{n:,} {_label_name(gold)} labelled {_label_name(predicted)}"
                for (gold, predicted), n in mistakes[:_N_PAIRS]
            ]
            if len(mistakes) > _N_PAIRS:
                parts.append(f"{len(mistakes) - _N_PAIRS:,} other kinds of mistakes")
            yield f"Wrong: {', '.join(parts)}."
        if right:
            counts = Counter(self.gold[i] for i in right).most_common(_N_PAIRS)
            yield f"Right: {', '.join(f'{n:,} {_label_name(label)}' for label, n in counts)}."
        if unknown := self.regions("unknown"):
            yield f"The gold label of {len(unknown):,} is unknown."

    def boxes(self) -> list[Box]:
        """Return the boxes of a drawing: wrong regions first, then labelled ones."""
        if not self.page.viewport[0]:
            return []
        boxes, visible = [], has_area(self.page)
        for i in [*self.regions("wrong"), *self.regions("right")][:_MAX_BOXES]:
            if visible[i]:
                is_wrong, label = self.outcomes[i] == "wrong", self.caption(i)
                colour = _WRONG_COLOUR if is_wrong else _safe_colour(self.gold[i])
                tag = label if is_wrong else ""
                boxes.append(Box(i, colour, f"{label}: {self.text(i)}", tag, is_wrong))
        return boxes

    def lines(self, regions: Sequence[int]) -> Iterator[_Line]:
        """Yield lines of regions in reading order; equal labels in a row are one line.

        Wrong regions have a line each, unless several of one mistake in a row are folded into one.
        """
        keys = list(zip(self.outcomes, self.gold, self.predicted, strict=True))
        for (outcome, _, _), group in groupby(regions, keys.__getitem__):
            run = list(group)
            if outcome == "background":
                name = self.caption(run[0])
                yield _Line(outcome, "", f"… {_count(len(run), 'region')} of {name}, right", "")
            elif outcome != "wrong":
                yield self._line(run, _FIRST_COLUMNS)
            elif len(run) < _LEAST_FOLDED:
                yield from (self._line([i]) for i in run)
            else:
                folded = tuple(self.text(i) for i in run[1:_MAX_LINES])
                yield self._line(run)._replace(folded=folded)

    def _line(self, run: Sequence[int], columns: int = _TEXT_COLUMNS) -> _Line:
        first, note = run[0], _count(len(run), "region") if len(run) > 1 else ""
        return _Line(self.outcomes[first], self.caption(first), note, self.text(first, columns))


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
    if not len(page) == len(gold) == len(predicted):
        raise LabelError(
            f"{page.url or 'page'}: expected one gold and one predicted label for each of "
            f"{len(page)} regions, got {len(gold)} and {len(predicted)}"
        )
    comparison = _Comparison(page, gold, predicted, background)
    wrong, boxes = comparison.regions("wrong"), comparison.boxes()
    lines = list(comparison.lines(wrong if boxes else range(len(page))))
    wrong_first = sorted(range(len(lines)), key=lambda n: (lines[n].outcome != "wrong", n))
    shown = sorted(wrong_first[:_MAX_LINES])
    return render_template(
        "comparison.html",
        description=" ".join(comparison.sentences()),
        drawing=Markup("".join(draw_boxes(page, boxes))) if boxes else "",
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
    colours = [
        (_label_name(label), _safe_colour(label)) for label in labels if is_exact_label(label)
    ]
    return render_template("comparison_legend.html", labels=colours, wrong=_WRONG_COLOUR).strip()


def comparison_css() -> str:
    """Return the style sheet of lists and legend.

    It uses the variables ``--soft``, ``--line``, ``--tint``, ``--good`` and ``--bad`` of the page
    around them.
    """
    return read_asset("comparison.css")


def _label_name(label: str) -> str:
    return "unknown" if label == UNKNOWN else printable(label, _NAME_COLUMNS) or "nameless"


def _safe_colour(label: str) -> str:
    """Return a label's colour, also of a name with lone surrogates."""
    return label_colour(label.encode(errors="replace").decode())


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"
