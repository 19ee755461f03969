"""Weights of a model: a view of the strongest ones and of the transitions, drawn as SVG or PNG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from xml.etree import ElementTree

import numpy as np

from structce.arrays import Floats
from structce.errors import LearnerError
from structce.labels import LabelSet
from structce.language import printable
from structce.learners import GreedySVM, Learner, LinearChain, LinearLearner
from structce.rendering import ChromiumRenderer, Document
from structce.visualisation.base import render_template, signed_label

_NEGLIGIBLE = 0.01
"""Weights below this part of the largest are left out: they show as zero and hardly decide."""

_PLUS, _MINUS = "#1f6f8b", "#c45520"
"""Colours of what speaks for a label and against it: dark enough for white numbers."""

_WIDTH, _LEFT = 1240.0, 40.0  # of the picture and of its margins, in CSS pixels as all lengths here
_ROW_LABELS, _TILTED = 120.0, 66.0  # room for names beside the cells, and above them
_CELL_HEIGHT, _WIDEST_CELL = 30.0, 104.0
_NARROWEST_NUMBER = 58.0  # narrower cells have colour and hatching alone
_PANEL_GAP, _BAR_HEIGHT = 40.0, 17.0
_DENSITY = 2  # pixels of the PNG picture by pixel of the SVG, for sharp text in print

_FRAME = "<!doctype html><style>body{margin:0}svg{display:block;width:100%;height:auto}</style>"


class Weight(NamedTuple):
    """A column and its weight for a label (dimensionless)."""

    column: str
    weight: float


class StrongestColumns(NamedTuple):
    """The strongest columns of a label, and its training regions if the model states them.

    Supporting columns have the highest weights above 0, opposing ones the lowest below 0, strongest
    first.
    """

    label: str
    n_regions: int | None
    supporting: tuple[Weight, ...]
    opposing: tuple[Weight, ...]

    @property
    def weights(self) -> tuple[Weight, ...]:
        """All of them, supporting ones first."""
        return self.supporting + self.opposing


@dataclass(frozen=True, eq=False)
class ModelView:
    """Strongest weights of a fitted model.

    Parameters
    ----------
    labels
        The strongest columns of each label.
    names
        All labels of the model, in the order of the axes of `transitions`.
    transitions : shape (n_labels, n_labels)
        ``[a, b]`` scores label ``b`` right after label ``a``: for chains the transitions, for the
        greedy SVM the context of one region before. None if regions are labelled independently.
    distances : shape (context,)
        For the greedy SVM the sum of absolute weights of each distance, from 1; else empty.
    """

    labels: tuple[StrongestColumns, ...]
    names: tuple[str, ...]
    transitions: Floats | None
    distances: tuple[float, ...]

    def as_dict(self) -> dict[str, object]:
        """Return the view as JSON values."""
        columns = {
            strongest.label: {
                "for": list(map(list, strongest.supporting)),
                "against": list(map(list, strongest.opposing)),
            }
            for strongest in self.labels
        }
        rows = [] if self.transitions is None else self.transitions.tolist()
        table = {
            name: dict(zip(self.names, row, strict=True))
            for name, row in zip(self.names, rows, strict=False)
        }
        return {
            "columns": columns,
            "transitions": None if self.transitions is None else table,
            "distances": list(self.distances),
        }


def view_model(
    learner: Learner,
    columns: Sequence[str],
    label_set: LabelSet,
    *,
    counts: Mapping[str, int] | None = None,
    label: str | None = None,
    n_columns: int = 5,
) -> ModelView:
    """Return the strongest columns and the transitions of a fitted learner.

    Parameters
    ----------
    columns
        Names of the learner's columns.
    counts
        Number of training regions by label, if known.
    label
        Only the columns of this label; of all labels if not given.
    n_columns
        At most this many columns for, and as many against, each label.

    Raises
    ------
    LabelError
        If there is no such label.
    LearnerError
        If the learner is a network, whose columns have no weight of their own for a label.
    """
    if not isinstance(learner, LinearLearner):
        raise LearnerError(f"a {learner.name} has no weights of columns for labels to show")
    chosen = label_set.names if label is None else (label_set.names[label_set.index(label)],)
    least = _NEGLIGIBLE * float(np.abs(learner.emissions_).max(initial=0.0))

    def strongest(weights: Floats, sign: int) -> tuple[Weight, ...]:
        order = np.argsort(-sign * weights, kind="stable")[:n_columns]
        return tuple(
            Weight(columns[k], float(weights[k])) for k in order if sign * weights[k] > least
        )

    views = []
    for name in chosen:
        weights = learner.emissions_[:, label_set.index(name)]
        sides = strongest(weights, 1), strongest(weights, -1)
        views.append(StrongestColumns(name, (counts or {}).get(name), *sides))
    transitions, distances = None, ()
    if isinstance(learner, LinearChain):
        transitions = learner.transitions_
    elif isinstance(learner, GreedySVM) and len(learner.context_weights_):
        transitions = learner.context_weights_[0]
        distances = tuple(np.abs(learner.context_weights_).sum(axis=(1, 2)).tolist())
    return ModelView(tuple(views), label_set.names, transitions, distances)


def draw_model(title: str, facts: Sequence[tuple[str, str]], view: ModelView) -> str:
    """Return a picture of a model's transitions and strongest columns, as an SVG document.

    Parameters
    ----------
    facts
        Names and values of facts to show below the title, six at most.
    """
    heat = _heat_map(view, y=196)
    panels_y = heat["y"] + heat["height"] + 46
    rows, top = [], panels_y + 42
    for n in range(0, len(view.labels), 2):  # two panels a row, as high as the higher one
        pair = view.labels[n : n + 2]
        height = 30 + _BAR_HEIGHT * max(1, *(len(panel.weights) for panel in pair))
        rows.append((top, height, pair))
        top += height + 28
    weights = [abs(weight.weight) for strongest in view.labels for weight in strongest.weights]
    picture = render_template(
        "model_weights.svg",
        title=printable(title, 60),
        facts=facts[:6],
        heat=heat,
        rows=rows,
        largest=max(weights, default=0.0),
        panels_y=panels_y,
        panel_width=(_WIDTH - 2 * _LEFT - _PANEL_GAP) / 2,
        panel_gap=_PANEL_GAP,
        cell_height=_CELL_HEIGHT,
        bar_height=_BAR_HEIGHT,
        width=_WIDTH,
        height=max((y + height for y, height, _ in rows), default=panels_y) + 36,
        left=_LEFT,
        plus=_PLUS,
        minus=_MINUS,
    )
    return picture.strip() + "\n"


def to_png(picture: str, renderer: ChromiumRenderer) -> bytes:
    """Rasterise an SVG picture to PNG by an open renderer; RenderError if the browser fails."""
    root = ElementTree.fromstring(picture)
    width, height = (round(_DENSITY * float(root.attrib[side])) for side in ("width", "height"))
    return renderer.picture(Document(_FRAME + picture), size=(width, height))


def _heat_map(view: ModelView, y: float) -> dict[str, Any]:
    """Return the heat map of transitions, or a note for a learner without them."""
    if view.transitions is None:
        note = "Regions are labelled one by one: there are no transitions."
        return {"y": y, "notes": (note,), "height": 20, "names": (), "cells": ()}
    largest = float(abs(view.transitions).max())
    room = _WIDTH - 2 * _LEFT - _ROW_LABELS - _TILTED
    cell_width = min(_WIDEST_CELL, room / len(view.names))
    notes = ["Rows: the label of a region. Columns: the label of the next one."]
    if view.distances:
        sums = ", ".join(f"{n + 1}: {value:.3g}" for n, value in enumerate(view.distances[:12]))
        notes.append(f"Sum of absolute weights by how many regions before: {sums}")
    top = y + 36 + 16 * len(notes) + _TILTED
    bottom = top + len(view.names) * _CELL_HEIGHT
    return {
        "y": y,
        "notes": notes,
        "height": bottom - y + 42,
        "left": _LEFT + _ROW_LABELS,
        "top": top,
        "bottom": bottom,
        "cell_width": cell_width,
        "has_numbers": cell_width >= _NARROWEST_NUMBER,
        "names": [printable(name, 15) for name in view.names],
        "cells": [[_cell(value, largest) for value in row] for row in view.transitions.tolist()],
        "largest": largest,
    }


def _cell(value: float, largest: float) -> dict[str, object]:
    """Return a cell of the heat map: its colour is mixed with white, nearly white for 0."""
    share = abs(value) / largest if largest > 0 else 0.0
    colour, mixed = _MINUS if value < 0 else _PLUS, 0.04 + 0.96 * share
    parts = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    fill = "#" + "".join(f"{round(255 + (part - 255) * mixed):02x}" for part in parts)
    return {"text": signed_label(value, largest), "fill": fill, "is_strong": share > 0.62}
