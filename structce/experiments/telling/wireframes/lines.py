"""A page with its labels as a list in reading order: what can be told without layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from markupsafe import escape

from structce.experiments.telling.wireframes.kinds import Judged, Kind, counted

TEXT, FIRST_WORDS = 120, 60
"""Columns of a wrong region's text, and of the first region of a run; our choice."""

MOST = 300
"""Wrong regions that are told below a drawing; our choice, more do not fit anyway."""

MARK_UP = 60  # bytes around the texts of a line, at most


@dataclass(frozen=True)
class Line:
    """A region, or a run of regions with the same labels, in words.

    Parameters
    ----------
    name
        The label, or ``gold → predicted``.
    note
        How many regions if more than one, or that one is not in the picture.
    """

    kind: Kind
    name: str
    note: str
    words: str

    @property
    def n_bytes(self) -> int:
        """About how long it is as mark-up, in UTF-8."""
        return MARK_UP + sum(
            len(str(escape(text)).encode()) for text in (self.name, self.note, self.words)
        )


def lines_of(judged: Judged) -> tuple[Line, ...]:
    """Return a page as lines in reading order; empty for a page without regions.

    Each wrong region is a line; regions one after the other that are right, or of unknown gold
    label, and have the same labels are one line together.
    """
    rows = range(len(judged.kinds))
    runs = groupby(rows, key=lambda i: (judged.kinds[i], judged.gold[i], judged.predicted[i]))
    return tuple(line for (kind, _, _), run in runs for line in _lines(judged, kind, list(run)))


def wrong_lines(judged: Judged, drawn: frozenset[int]) -> tuple[Line, ...]:
    """Return the first wrong regions as lines, those outside the drawing with a note."""
    return tuple(
        _line(judged, i, "" if i in drawn else "not in the picture")
        for i in judged.rows("wrong")[:MOST]
    )


def fitting(lines: Sequence[Line], n_bytes: int, n_wrong: int) -> tuple[tuple[Line, ...], str]:
    """Return the lines that fit into so many bytes, wrong ones first, and what was left out.

    The lines keep their order; what was left out is empty if nothing was.

    Parameters
    ----------
    n_wrong
        Wrong regions of the page, whether among the lines or not.
    """
    left = n_bytes
    kept = set()
    by_worth = sorted(range(len(lines)), key=lambda n: (lines[n].kind != "wrong", n))
    for n in by_worth:
        left -= lines[n].n_bytes
        if left < 0:
            break
        kept.add(n)
    n_lost = n_wrong - sum(lines[n].kind == "wrong" for n in kept)
    n_others = sum(line.kind != "wrong" for n, line in enumerate(lines) if n not in kept)
    parts = []
    if n_lost:
        parts.append(counted(n_lost, "wrong region"))
    if n_others:
        parts.append(counted(n_others, "other line"))
    note = f"Left out for length: {' and '.join(parts)}." if parts else ""
    return tuple(line for n, line in enumerate(lines) if n in kept), note


def _lines(judged: Judged, kind: Kind, run: list[int]) -> Iterator[Line]:
    if kind == "wrong":
        yield from (_line(judged, i, "") for i in run)
    elif kind == "background":
        name, regions = judged.pair(run[0]), counted(len(run), "region")
        yield Line(kind, "", f"… {regions} of {name}, right", "")
    else:
        yield _line(judged, run[0], counted(len(run), "region") if len(run) > 1 else "")


def _line(judged: Judged, i: int, note: str) -> Line:
    kind = judged.kinds[i]
    words = judged.words(i, TEXT if kind == "wrong" else FIRST_WORDS)
    return Line(kind, judged.pair(i), note, words)
