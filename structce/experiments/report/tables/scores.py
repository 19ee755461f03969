"""Tables of scores: learners (Table 2), labels (Table 3), intervals, pairs of learners, power."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from structce.evaluation import LEVEL, LabelScore, Measures
from structce.experiments.report.tables.base import (
    CERTAIN,
    DASH,
    DIFFERS,
    UNDEFINED,
    Table,
    is_known_interval,
    p_value,
    p_words,
    percent,
    percent_interval,
    percentage_points,
    points_interval,
    short_number,
    signed_number,
    training_warnings,
    without_line_breaks,
)
from structce.experiments.results import (
    CandidateResult,
    Comparison,
    FailureRecord,
    LearnerResult,
    Study,
)
from structce.experiments.significance import CERTAIN_RULE, is_certain_pair

_INTERVAL_MEASURES = {
    "accuracy": "Accuracy",
    "macro_f1": "Macro F1",
    "macro_f1_foreground": "Macro F1 fg",
    "page_exactness": "Exact pages",
}
"""Headers of the measures over all labels that have an interval."""

_DIGITS = re.compile(r"\d+")

_MEASURES = ("Precision", "Recall", "F1")
_AVERAGES = ("Micro average", "Macro average", "Pooled", "Pooled fg", "Macro average fg")


def learner_table(study: Study) -> Table:
    """Return one row per learner, as in Table 2 of Spengler et al. (2010).

    The columns after the marks are additions: without the background label, by segment, by page,
    and how far from its optimum the worst of the solvers stopped.
    Learners that failed come last, without numbers.
    """
    headers = ("Learner", "Micro F1", "Macro F1", "Accuracy", "", "Pooled F1 fg", "Macro F1 fg",
               "Macro F1 seg", "Exact pages", "Gap")  # fmt: skip
    rows = [_learner_row(study, candidate) for candidate in study.candidates]
    rows += [(name, *[DASH] * 3, "", *[DASH] * 5) for name in failed_learners(study)]
    return Table(
        title=f"Table 2. {study.name}: learners over all labels, in per cent",
        headers=headers,
        rows=tuple(rows),
        notes=tuple(_learner_notes(study)),
        highest=tuple(name for name in headers[1:-1] if name),
    )


def interval_table(study: Study) -> Table:
    """Return the 95 per cent intervals of the scores of Table 2; no rows if none is known."""
    rows = []
    for candidate in study.candidates:
        intervals = (candidate.row.intervals.get(name) for name in _INTERVAL_MEASURES)
        rows.append((candidate.name, *map(percent_interval, intervals)))
    return Table(
        title=f"{study.name}: 95 per cent intervals, in per cent",
        headers=("Learner", *_INTERVAL_MEASURES.values()),
        rows=tuple(row for row in rows if set(row[1:]) != {DASH}),
        notes=("From resampling whole sites: how far the numbers move on sites like these.",),
    )


def failed_learners(study: Study) -> tuple[str, ...]:
    """Return the names of the learners without scores, in the order of their failures."""
    known = {candidate.name for candidate in study.candidates}
    failed = dict.fromkeys(failure.candidate for failure in study.failures)
    return tuple(name for name in failed if name not in known)


def failures_by_kind(failures: Sequence[FailureRecord]) -> list[list[FailureRecord]]:
    """Return the jobs of each learner that raised one kind of error, the first kind first.

    Errors that differ only in numbers are of one kind.
    """
    groups: dict[tuple[str, str], list[FailureRecord]] = {}
    for failure in failures:
        groups.setdefault((failure.candidate, _DIGITS.sub("0", failure.error)), []).append(failure)
    return list(groups.values())


def failed_jobs(jobs: Sequence[FailureRecord]) -> str:
    """Return the first of some jobs in words, and how many others there are."""
    first, *others = jobs
    return f"{first.job}, and {len(others)} more" if others else first.job


def _learner_row(study: Study, candidate: CandidateResult) -> tuple[str, ...]:
    scores, segments = candidate.row.scores, candidate.row.segments
    name, reference = candidate.name, study.reference
    return (
        name,
        percent(scores.weighted_f1),
        percent(scores.macro_f1),
        percent(scores.accuracy),
        significance_marks(study.pair(name, reference) or study.pair(reference, name)),
        percent(scores.micro_f1_foreground),
        percent(scores.macro_f1_foreground),
        percent(segments.macro.f1),
        percent(candidate.row.page_exactness),
        short_number(largest_gap(candidate.row)),
    )


def largest_gap(row: LearnerResult) -> float | None:
    """Return the largest relative gap at which a tested model of a learner stopped.

    In [0, 1]: the part of the objective by which it can be above the optimum at most. Of an SVM
    the duality gap; of a CRF what the norm of its gradient allows an objective that ``lambda``
    makes strongly convex. None for learners that have neither.
    """
    gaps = []
    for trial in row.trials:
        gap, norm, objective = map(trial.stop.get, ("gap", "gradient_norm", "objective"))
        lambda_ = trial.parameters.get("lambda_")
        if gap is None and norm is not None and objective and isinstance(lambda_, int | float):
            gap = min(1.0, norm**2 / (2 * lambda_ * objective))
        gaps += [gap] if gap is not None else []
    return max(gaps, default=None)


def significance_marks(pair: Comparison | None) -> str:
    """Return the marks of a difference: none, found by the test, or certain."""
    if pair is None or pair.p > LEVEL:
        return ""
    return DIFFERS + CERTAIN if is_certain_pair(pair) else DIFFERS


def _learner_notes(study: Study) -> list[str]:
    background = study.source.background
    notes = [
        "Micro F1: the mean over labels weighted by their regions, as the paper's. Pooled: from "
        "the counts of all labels together; with the background that is the accuracy. Gap: by "
        "which part its objective can be above the optimum, the largest of all splits.",
        f"fg: without the background label {background}. seg: by segment, neighbouring regions of "
        "one label in one block, which must be found exactly. Exact pages: share of test pages "
        "without a wrong region.",
    ]
    if study.pairs:
        notes.append(
            f"{DIFFERS} differs from {study.reference}: Wilcoxon matched-pairs signed-ranks test "
            f"over the accuracies of test pages, p at most {LEVEL}; {CERTAIN} {CERTAIN_RULE}; "
            "the interval is of macro F1."
        )
    for candidate in study.candidates:
        notes += [f"{candidate.name} warned: {text}" for text in training_warnings(candidate.row)]
    notes += [
        f"{failed_jobs(jobs)} failed: {without_line_breaks(jobs[0].error)}"
        for jobs in failures_by_kind(study.failures)
    ]
    return notes


def label_table(study: Study, candidate: CandidateResult) -> Table:
    """Return one row per label and the averages, as in Table 3 of Spengler et al. (2010).

    The last three columns are additions. The background has no segments and no exact pages.
    """
    row = candidate.row
    rows = [
        (
            label.name,
            f"{study.n_train.get(label.name, 0):.0f}",
            str(study.n_test.get(label.name, 0)),
            *_label_cells(label),
            *_segment_cells(row, label),
        )
        for label in row.scores.labels
    ]
    return Table(
        title=f"Table 3. {study.name}: {candidate.name} label by label, in per cent",
        headers=("Label", "n train", "n test", *_MEASURES, "F1 between", "F1 seg", "Exact pages"),
        rows=(*rows, *_average_rows(row)),
        notes=tuple(_label_table_notes(row)),
    )


def label_notes(study: Study) -> tuple[str, ...]:
    """Return the note that Table 3 of all learners shares; empty without learners."""
    if not study.candidates:
        return ()
    of_splits = " (mean of splits)" if len(study.splits) > 1 else ""
    return (
        f"n train: regions that the tested model was fitted on{of_splits}. F1 between: 95 per cent "
        f"interval, from resampling whole sites. fg: without the background label "
        f"{study.source.background}. seg: by segment, neighbouring regions of one label in one "
        "block. Exact pages: those on which exactly the right regions have the label, of those "
        "that have it in gold or prediction.",
    )


def _label_cells(label: LabelScore) -> Sequence[str]:
    if not label.occurs:
        return [DASH] * 3
    cells = zip(_MEASURES, _measure_cells(label.measures), strict=True)
    return [cell + UNDEFINED if name.lower() in label.undefined else cell for name, cell in cells]


def _segment_cells(row: LearnerResult, label: LabelScore) -> Sequence[str]:
    segment = {score.name: score for score in row.segments.labels}.get(label.name)
    field = {score.name: score for score in row.fields}.get(label.name)
    return (
        percent_interval(row.intervals.get(f"f1.{label.name}")),
        percent(segment.measures.f1) if segment and segment.occurs else DASH,
        f"{field.n_exact}/{field.n_pages}" if field and field.n_pages else DASH,
    )


def _average_rows(row: LearnerResult) -> list[tuple[str, ...]]:
    scores, segments = row.scores, row.segments
    means = (scores.weighted, scores.macro, scores.micro, scores.micro_foreground,
             scores.macro_foreground)  # fmt: skip
    known = ("weighted_f1", "macro_f1", "accuracy", "micro_f1_foreground", "macro_f1_foreground")
    # Segments exist for foreground labels alone, so their scores are in the rows without it.
    by_segment = (DASH, DASH, DASH, percent(segments.micro.f1), percent(segments.macro.f1))
    intervals = (percent_interval(row.intervals.get(key)) for key in known)
    cells = zip(_AVERAGES, means, intervals, by_segment, strict=True)
    return [
        (name, DASH, DASH, *_measure_cells(mean), interval, f1, DASH)
        for name, mean, interval, f1 in cells
    ]


def _measure_cells(measures: Measures) -> Sequence[str]:
    return [percent(share) for share in (measures.precision, measures.recall, measures.f1)]


def _label_table_notes(row: LearnerResult) -> list[str]:
    notes = []
    if any(label.occurs and label.undefined for label in row.scores.labels):
        notes.append(
            f"{UNDEFINED} not defined, counted as 0: nothing was predicted (precision) or "
            "nothing was there to find (recall)."
        )
    if row.scores.left_out:
        names = ", ".join(row.scores.left_out)
        notes.append(f"In no macro average, as gold does not have them: {names}.")
    return notes


def pair_table(study: Study) -> Table:
    """Return one row for every pair of learners."""
    return Table.of(
        f"{study.name}: every two learners on the same test pages, first minus second, in points",
        study.pairs,
        ("First", lambda pair: pair.first),
        ("Second", lambda pair: pair.second),
        ("Accuracy of a page", lambda pair: percentage_points(pair.difference)),
        ("Between", lambda pair: points_interval(pair.interval)),
        ("p", lambda pair: p_value(pair.p)),
        ("p Holm", lambda pair: p_value(pair.p_holm)),
        ("", significance_marks),
        ("Effect", lambda pair: signed_number(pair.effect)),
        ("Macro F1", lambda pair: percentage_points(pair.macro_difference)),
        ("Between", lambda pair: points_interval(pair.macro_interval)),
        ("Pages that differ", lambda pair: f"{pair.n_differ}/{pair.n_pages}"),
        notes=(
            "Between: 95 per cent interval, from resampling whole sites. p: Wilcoxon "
            "matched-pairs signed-ranks test over the accuracies of test pages; p Holm: corrected "
            f"for the number of pairs in this table, {len(study.pairs)}. Effect: matched-pairs "
            "rank-biserial correlation, from -1 (the second is always better) to 1 (the first is).",
            "The test assumes independent pages; those of one site are not. Of the two, the "
            "interval is the more cautious.",
        ),
        n_names=2,
    )


def power_note(study: Study) -> str:
    """Return the smallest difference that the test would find; empty if not known."""
    power = study.power
    if power is None:
        return ""
    if power.detectable is None:
        return f"With {power.n_pages} test pages nothing can be said of what the test would find."
    words = (
        f"On {power.n_pages} test pages whose difference of accuracy typically has a standard "
        f"deviation of {percent(power.spread)} points, the test would find a true difference of "
        f"{percent(power.detectable)} points in four experiments of five. "
    )
    if power.is_small:
        return words + "Smaller ones may well be there: that the test finds none says little."
    return words + "A difference that it does not find is likely to be smaller than that."


def pair_words(pair: Comparison) -> str:
    """Return a difference of page accuracy: points, interval over sites, p-value."""
    interval = f" {points_interval(pair.interval)}" if is_known_interval(pair.interval) else ""
    return f"{percentage_points(pair.difference)}{interval}, {p_words(pair.p)}"


def reversed_pair(pair: Comparison) -> Comparison:
    """Return a comparison with its two learners exchanged."""
    (low, high), (macro_low, macro_high) = pair.interval, pair.macro_interval
    return replace(
        pair,
        first=pair.second,
        second=pair.first,
        difference=-pair.difference,
        interval=(-high, -low),
        effect=-pair.effect,
        macro_difference=-pair.macro_difference,
        macro_interval=(-macro_high, -macro_low),
    )
