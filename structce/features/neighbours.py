"""The same cue on the regions before and after: a shifted column, not a new computation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

WINDOWS: Mapping[str, tuple[int, ...]] = {
    "text": (-1, 1),
    "dom": (-1, 1),
    "style": (-1, 1),
    "task": (-1, 1),
    "text.token": (),
    "text.first-token": (-2, -1, 1, 2),
    "text.length": (-2, -1, 1, 2),
    "text.shape": (-2, -1, 1, 2),
    "text.script": (),
    "text.output-position": (),
    "text.text-position": (),
    "dom.far-token": (),
    "dom.ancestor-tag": (),
    "dom.inside": (),
    "dom.path": (),
    "dom.far-meaning": (),
    "task.zone": (),
    "task.zone-text": (-2, -1, 1, 2),
    "task.zone-meaning": (),
    "task.zone-tag": (),
    "task.nearest-media": (),
    "dom.tag": (-3, -2, -1, 1, 2, 3),
    "style.top": (),
    "style.surface": (),
    "style.relative-font-size": (-2, -1, 1, 2),
    "task.from-heading": (),
    "task.from-text": (),
    "task.after-text": (),
    "task.in-main": (),
    "task.running-text": (-3, -2, -1, 1, 2, 3),
    "task.title-likeness": (-3, -2, -1, 1, 2, 3),
    "task.author-match": (-3, -2, -1, 1, 2, 3),
    "task.date-match": (-3, -2, -1, 1, 2, 3),
}
"""Offsets by feature name or family, the name first; chosen on training sites of Fundus.

What hardly changes from one region to the next needs no window.
"""


def offsets_of(names: Sequence[str], chosen: Mapping[str, Sequence[int]]) -> list[tuple[int, ...]]:
    """Return the offsets of each feature, from its name, else its family, else none."""
    return [tuple(chosen.get(name, chosen.get(name.split(".")[0], ()))) for name in names]


def prefix(offset: int) -> str:
    """Return how a column names an offset: ``previous.``, ``next-2.``, nothing for 0."""
    if offset == 0:
        return ""
    side = "previous" if offset < 0 else "next"
    return f"{side}." if abs(offset) == 1 else f"{side}-{abs(offset)}."
