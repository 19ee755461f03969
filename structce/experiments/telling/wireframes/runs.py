"""Which regions of a drawing share a tag, and what it says."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence

from structce.experiments.telling.wireframes.bands import Place
from structce.experiments.telling.wireframes.kinds import Judged, shown_colour
from structce.experiments.telling.wireframes.tags import Tag, Wanted, placed_tags

MAX_TAGS = 100
"""Tags of a drawing; our choice."""

NEXT = 24.0  # units between wrong regions that share a tag
TAG_EVERY = {"wrong": 150.0, "right": 500.0, "unknown": 500.0}  # units of a run with one tag


def tags_of(
    judged: Judged,
    kept: Mapping[int, Place],
    size: float,
    height: float,
    stripes: Sequence[float],
    *,
    is_sparse: bool,
) -> tuple[Tag, ...]:
    """Return the tags of a drawing, those of wrong regions first.

    Parameters
    ----------
    kept
        Regions that are drawn, and their places.
    size
        Of the type, in units.
    height
        Of the drawing, in units.
    stripes
        Where the cuts begin, in units, from the top down.
    is_sparse
        Whether only the first run of each label has a tag, wrong ones apart.
    """
    runs = _runs(judged, kept, stripes)
    if is_sparse:
        runs = _sparse(judged, runs)
    wanted = sorted((_wanted(judged, kept, run) for run in runs), key=lambda one: not one.is_wrong)
    marked = [kept[i] for i in judged.marked if i in kept]
    return placed_tags(wanted[:MAX_TAGS], size, height, stripes=stripes, shy_of=marked)


def _wanted(judged: Judged, kept: Mapping[int, Place], run: Sequence[int]) -> Wanted:
    first, is_wrong = run[0], judged.kinds[run[0]] == "wrong"
    times = f" ×{len(run)}" if len(run) > 1 else ""
    colour = "" if judged.kinds[first] == "unknown" else shown_colour(judged.predicted[first])
    return Wanted(judged.pair(first) + times, kept[first], colour, is_wrong, len(run))


def _runs(
    judged: Judged, kept: Mapping[int, Place], stripes: Sequence[float]
) -> Iterator[list[int]]:
    """Yield marked regions that share a tag: neighbours with the same labels, near each other."""
    run: list[int] = []
    for i in (i for i in judged.marked if i in kept):
        if run and not _shares_tag(judged, kept, run, i, stripes):
            yield run
            run = []
        run.append(i)
    if run:
        yield run


def _sparse(judged: Judged, runs: Iterable[list[int]]) -> Iterator[list[int]]:
    """Yield the runs of wrong regions, and the first one of each other label."""
    told = set()
    for run in runs:
        name = judged.pair(run[0])
        if judged.kinds[run[0]] == "wrong" or name not in told:
            yield run
        told.add(name)


def _shares_tag(
    judged: Judged, kept: Mapping[int, Place], run: Sequence[int], i: int, stripes: Sequence[float]
) -> bool:
    """Return whether a region carries on a run: same labels, no cut between, not far away."""
    first, last, box = kept[run[0]], kept[run[-1]], kept[i]
    kind = judged.kinds[i]
    if (kind, judged.gold[i], judged.predicted[i]) != (
        judged.kinds[run[0]],
        judged.gold[run[0]],
        judged.predicted[run[0]],
    ):
        return False
    is_cut = bisect_right(stripes, first.y) != bisect_right(stripes, box.y)
    is_next = kind != "wrong" or abs(box.y - last.y) < last.height + NEXT
    return not is_cut and is_next and abs(box.y - first.y) <= TAG_EVERY[kind]
