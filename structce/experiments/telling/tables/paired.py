"""Two rows on the same pages: by how much they differ, and what the test could have found."""

from __future__ import annotations

from dataclasses import replace

from structce.experiments.finding.report import Study
from structce.experiments.finding.rows import Interval, Pair
from structce.experiments.telling.tables.averages import marks
from structce.experiments.telling.tables.cells import (
    between_points,
    is_known,
    p_value,
    p_words,
    points,
)
from structce.experiments.telling.tables.table import Table


def pair_table(study: Study) -> Table:
    """Return one row for every two learners; no rows with fewer than two of them."""
    return Table(
        title=f"{study.name}: every two learners on the same test pages, first minus second, "
        "in points",
        headers=(
            "First",
            "Second",
            "Accuracy of a page",
            "Between",
            "p",
            "p Holm",
            "",
            "Effect",
            "Macro F1",
            "Between",
            "Pages that differ",
        ),
        rows=tuple(_row(pair) for pair in study.pairs),
        notes=(
            "Between: 95 per cent interval, from drawing whole sites again. p: Wilcoxon "
            "matched-pairs signed-ranks test over the accuracies of test pages; p Holm: corrected "
            f"for the {len(study.pairs)} pairs of this table. Effect: matched-pairs rank-biserial "
            "correlation, from -1 (the second is always better) to 1 (the first is).",
            "The test takes pages for independent; pages of one site are not. Of the two, the "
            "interval is the more careful.",
        )
        if study.pairs
        else (),
        n_names=2,
    )


def power_note(study: Study) -> str:
    """Return how small a difference the test pages could have shown; empty if not known."""
    power = study.power
    if power is None:
        return ""
    if power.detectable is None:
        return f"With {power.n_pages} test pages nothing can be said of what the test would find."
    said = (
        f"On {power.n_pages} test pages whose difference of accuracy typically has a standard "
        f"deviation of {100 * power.spread:.2f} points, the test would find a true difference of "
        f"{100 * power.detectable:.2f} points in four experiments of five. "
    )
    if power.is_small:
        return said + "Smaller ones may well be there: that the test finds none says little."
    return said + "A difference that it does not find is likely to be smaller than that."


def describe_pair(pair: Pair) -> str:
    """Return a difference of page accuracy in words: points, interval over sites, p-value."""
    interval = f" {between_points(pair.interval)}" if is_known(pair.interval) else ""
    return f"{points(pair.difference)}{interval}, {p_words(pair.p)}"


def turned(pair: Pair) -> Pair:
    """Return the same difference as second minus first."""
    return replace(
        pair,
        first=pair.second,
        second=pair.first,
        difference=-pair.difference,
        interval=_negative(pair.interval),
        effect=-pair.effect,
        macro_difference=-pair.macro_difference,
        macro_interval=_negative(pair.macro_interval),
    )


def _negative(interval: Interval) -> Interval:
    return -interval[1], -interval[0]


def _row(pair: Pair) -> tuple[str, ...]:
    return (
        pair.first,
        pair.second,
        points(pair.difference),
        between_points(pair.interval),
        p_value(pair.p),
        p_value(pair.p_holm),
        marks(pair),
        f"{pair.effect:+.2f}",
        points(pair.macro_difference),
        between_points(pair.macro_interval),
        f"{pair.n_differ}/{pair.n_pages}",
    )
