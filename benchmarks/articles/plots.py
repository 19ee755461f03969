"""Plot of a leaderboard: how right each field is against processor time a page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.articles.board import Section, is_ours
from benchmarks.articles.scores import MEASURES, SystemScores, value_of
from structce.extras import load_extra

PANELS = ("title", "authors", "date", "text")
_TICKS = (1, 3, 10, 30, 100, 300, 1000)  # milliseconds
_MARKERS = {"stated": "o", "bare": "v"}


def accuracy_and_time(
    sections: Sequence[Section], measure: str, view: str
) -> dict[str, tuple[float, float]]:
    """Return mean milliseconds a page and the mean of a measure over corpora, by system.

    Only corpora that every system with this field has answered count, so that all points are of
    the same pages. A system without a known time has no point, nor has a published one.
    """
    kept = [section for section in sections if section.view == view and _timed(section, measure)]
    names = {name for section in kept for name in _timed(section, measure)}
    found = {}
    for name in sorted(names):
        own = [system for section in kept if (system := _timed(section, measure).get(name))]
        if len(own) == len(kept):
            values = [value_of(one.having(measure), MEASURES[measure]) for one in own]
            times = np.concatenate([one.milliseconds for one in own])
            found[name] = float(times.mean()), float(np.mean(values))
    return found


def _timed(section: Section, measure: str) -> dict[str, SystemScores]:
    """Return the systems that were run here and have the measure."""
    return {
        system.system: system
        for system in section.systems
        if system.having(measure) and not system.is_published and len(system.milliseconds)
    }


def save_plot(sections: Sequence[Section], path: Path) -> None:
    """Write the plot, as PNG or SVG by the name's ending.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    pyplot = load_extra("matplotlib.pyplot", "the plot of the leaderboard", "plots")
    figure, axes = pyplot.subplots(2, 2, figsize=(11, 8), layout="constrained")
    colours = _colours(sections)
    for axis, measure in zip(axes.flat, PANELS, strict=True):
        for view, marker in _MARKERS.items():
            for name, (ms, value) in accuracy_and_time(sections, measure, view).items():
                _draw(axis, name, ms, value, colours[name], marker)
        axis.set(title=measure, xscale="log", xlim=(_TICKS[0], _TICKS[-1]), ylim=(0, 1))
        axis.set_xticks(_TICKS, map(str, _TICKS), minor=False)
        axis.minorticks_off()
        axis.set(xlabel="processor time a page, ms", ylabel="mean over corpora")
    figure.suptitle("Circles: pages as they are; triangles: without metadata")
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    pyplot.close(figure)


def _draw(axis: Any, name: str, ms: float, value: float, colour: str, marker: str) -> None:
    weight = "bold" if is_ours(name) else "normal"
    axis.scatter([ms], [value], color=colour, marker=marker, s=60 if is_ours(name) else 30)
    if marker == "o":
        axis.annotate(name, (ms, value), xytext=(4, 4), textcoords="offset points", size=8,
                      weight=weight)  # fmt: skip


def _colours(sections: Sequence[Section]) -> dict[str, str]:
    names = dict.fromkeys(system.system for section in sections for system in section.systems)
    return {name: f"C{n % 10}" for n, name in enumerate(names)}
