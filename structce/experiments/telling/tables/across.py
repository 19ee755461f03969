"""What several studies say together."""

from __future__ import annotations

from structce.experiments.finding.report import Contrast, Ranking, Report
from structce.experiments.telling.tables.cells import (
    NOTHING,
    measure_words,
    p_value,
    p_words,
    percent,
    points,
)
from structce.experiments.telling.tables.paired import describe_pair, turned
from structce.experiments.telling.tables.table import Table

DIFFERING = {"by": "split", "corpus": "corpus", "renderer": "renderer"}
"""In what two studies of a contrast differ, in words."""


def study_table(report: Report) -> Table:
    """Return one row a learner and one column a study: macro F1 over all labels."""
    names = dict.fromkeys(arm.name for study in report.studies for arm in study.arms)
    found = {
        (arm.name, study.name): percent(arm.row.scores.macro_f1)
        for study in report.studies
        for arm in study.arms
    }
    return Table(
        title="Macro F1 of every learner in every study, in per cent",
        headers=("Learner", *(study.name for study in report.studies)),
        rows=tuple(
            (name, *(found.get((name, study.name), NOTHING) for study in report.studies))
            for name in names
        ),
    )


def contrast_table(report: Report) -> Table:
    """Return one row for each arm in two studies that differ in one thing; no rows without."""
    return Table(
        title="One learner in two studies that differ in one thing: macro F1, in per cent",
        headers=(
            "Learner",
            "Differs in",
            "First",
            "Second",
            "Macro F1 first",
            "Macro F1 second",
            "Change",
            "Accuracy of a page, change",
        ),
        rows=tuple(_contrast_row(one) for one in report.contrasts),
        notes=(
            "Changes are second minus first, in points. The last column compares the pages that "
            "both studies tested: mean difference in points, 95 per cent interval from drawing "
            "whole sites again, and Wilcoxon's test; a dash where other pages were tested.",
        )
        if report.contrasts
        else (),
        n_names=4,
    )


def ranking_table(ranking: Ranking) -> Table:
    """Return one row an arm, the best first, with Nemenyi's p-value against each other arm."""
    names = sorted(ranking.ranks, key=lambda name: ranking.ranks[name])
    others = names if ranking.p_pairs else []
    rows = [
        (name, f"{ranking.ranks[name]:.2f}", *(_nemenyi(ranking, name, other) for other in others))
        for name in names
    ]
    measure = measure_words(ranking.measure)
    return Table(
        title=f"Mean ranks over {len(ranking.studies)} studies by {measure}; 1 is best",
        headers=("Learner", "Mean rank", *(f"p {name}" for name in others)),
        rows=tuple(rows),
        notes=tuple(_ranking_notes(ranking)),
    )


def _contrast_row(one: Contrast) -> tuple[str, ...]:
    first, second = one.values
    return (
        one.arm,
        DIFFERING.get(one.what, one.what),
        one.first,
        one.second,
        percent(first),
        percent(second),
        points(second - first),
        describe_pair(turned(one.pair)) if one.pair else NOTHING,
    )


def _nemenyi(ranking: Ranking, name: str, other: str) -> str:
    p = ranking.p_pairs.get(name, {}).get(other)
    return NOTHING if p is None or name == other else p_value(p)


def _ranking_notes(ranking: Ranking) -> list[str]:
    notes = [f"Studies: {', '.join(ranking.studies)}."]
    if ranking.p_friedman is None:
        return [*notes, "Too few learners or studies to test whether the ranks differ by chance."]
    notes.append(f"Friedman's test that the ranks differ by chance alone: "
                 f"{p_words(ranking.p_friedman)}.")  # fmt: skip
    if ranking.critical_difference is not None:
        notes.append(
            f"Nemenyi's test: mean ranks differ at the 0.05 level if they are "
            f"{ranking.critical_difference:.2f} or more apart."
        )
    return notes
