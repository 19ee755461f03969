"""The same cue on the regions before and after: a shifted column, not a new computation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_BESIDE = (-1, 1)
_NEAR = (-2, -1, 1, 2)
_AROUND = (-3, -2, -1, 1, 2, 3)

_SEEN_BESIDE = (
    "text.has-text",
    "text.word-count",
    "text.all-capitals",
    "text.capitalised-share",
    "text.digit-share",
    "text.punctuation-share",
    "text.ends-sentence",
    "text.last-character",
    "text.block-length",
    "dom.parent-tag",
    "dom.token",
    "dom.meaning",
    "dom.link-density",
    "dom.path-repetitions",
    "dom.new-block",
    "dom.line-breaks",
    "style.keyword",
    "style.is-bold",
    "style.is-italic",
    "style.colour-differs",
    "style.in-text-column",
    "style.height",
    "style.width",
    "style.previous-gap",
)
_UNSEEN = (
    "task.zone",
    "task.zone-meaning",
    "task.zone-tag",
    "task.nearest-media",
    "task.from-heading",
    "task.from-text",
    "task.after-text",
    "task.in-main",
    "task.profile",
    "task.company",
)

WINDOWS: Mapping[str, tuple[int, ...]] = {
    "task": _BESIDE,
    **dict.fromkeys(_UNSEEN, ()),
    **dict.fromkeys(_SEEN_BESIDE, _BESIDE),
    "text.first-token": _NEAR,
    "text.length": _NEAR,
    "text.shape": _NEAR,
    "task.zone-text": _NEAR,
    "style.relative-font-size": _NEAR,
    "dom.tag": _AROUND,
    "task.running-text": _AROUND,
    "task.title-likeness": _AROUND,
    "task.author-match": _AROUND,
    "task.date-match": _AROUND,
}
"""Offsets by feature name or family, the name first; none where nothing is said.

Chosen on training sites of Fundus. What hardly changes from one region to the next needs no
window, and most other cues tell more of their own region than of the next.
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
