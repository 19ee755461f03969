"""Explanations told to people: what the parts of a margin are called, and what would change."""

from __future__ import annotations

from structce.explaining.region import ColumnShare, ContextShare, Explanation, Share
from structce.explaining.words import visible

NAMED = 3
"""At most this many regions are named that would take other labels; our choice."""


def name_of(share: Share, whole: Explanation, columns: int | None = None) -> str:
    """Return what a part of the margin is called: a column, or a context with its labels.

    Parameters
    ----------
    whole
        The explanation that the share belongs to.
    columns
        A column's name is cut to at most this many columns of text.
    """
    if isinstance(share, ColumnShare):
        return visible(share.name, columns, tail=8)
    if not isinstance(share, ContextShare):
        return f"{whole.n_others} {share.name}"
    if share.labels is None:
        return share.name
    chosen, runner_up = share.labels
    other = "" if chosen == runner_up else f", beside {whole.runner_up}: {runner_up}"
    return f"{share.name}: {chosen}{other}"


def largest_difference(whole: Explanation) -> float:
    """Return the largest absolute difference of the parts near the region; 0 without any.

    The rest of the page is left aside: it may be many times the others, and hide them.
    """
    near = [share for share in whole.shares if getattr(share, "labels", ()) is not None]
    return max((abs(share.difference) for share in near), default=0.0)


def changes_sentence(whole: Explanation) -> str:
    """Return what else would change if the region had the runner-up's label; empty if nothing."""
    if not whole.changes:
        return ""
    named = [f"region {c.region} {c.instead} instead of {c.label}" for c in whole.changes[:NAMED]]
    more = len(whole.changes) - len(named)
    rest = f", and {more} more would change" if more else ""
    return f"Beside {whole.runner_up}, the best labels elsewhere are: {', '.join(named)}{rest}."
