"""The difference of two reports in words and tables, for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import shorten

from tabulate import tabulate

from structce.evaluation import LEVEL
from structce.experiments.telling.differences.changes import Change
from structce.experiments.telling.differences.side_by_side import (
    ArmDifference,
    Difference,
    Shift,
    StudyDifference,
)
from structce.experiments.telling.tables.cells import (
    NOTHING,
    between_points,
    one_line,
    p_value,
    percent,
    points,
)

WIDTH = 48
"""Characters of a value that a table shows; our choice."""

NOTE = f"""\
F1 and accuracy in per cent. By page: mean difference of page accuracy in points; its 95 per cent
interval from drawing whole sites again; Wilcoxon's p after Holm's correction over all arms; the
rank-biserial effect. Better and worse are said only where p is at most {LEVEL}, and difference,
effect and interval stand on one side of 0."""


def describe(difference: Difference) -> str:
    """Return a difference in words; ends without a line break."""
    if difference.is_same:
        return "The two reports say the same; only times, memory and command line may differ."
    return "\n\n".join(_sections(difference))


def _sections(difference: Difference) -> Iterator[str]:
    yield from _changed("Asked differently", difference.experiment)
    yield from _changed("Other versions", difference.versions)
    for study in difference.studies:
        yield from _study(study)
    for names, where in ((difference.only_before, "before"), (difference.only_after, "after")):
        if names:
            yield f"Only in the report {where}: {', '.join(names)}"
    if any(arm.pages for study in difference.studies for arm in study.arms):
        yield NOTE


def _study(study: StudyDifference) -> Iterator[str]:
    yield f"# {study.name} ({study.splits})"
    yield from _changed(
        "Another corpus; its pages may differ though their names agree", study.corpus
    )
    if study.arms:
        yield tabulate([_arm(arm) for arm in study.arms], headers="keys", disable_numparse=True)
        yield "F1 by label\n" + _labels(study.arms)
    if any(arm.pages is None for arm in study.arms):
        yield "Tested on other pages or with other labels: not comparable page by page."
    if lines := [*_lone(study), *_failures(study)]:
        yield "\n".join(lines)


def _changed(title: str, changed: Sequence[Change]) -> Iterator[str]:
    if changed:
        rows = [(one.name, _short(one.before), _short(one.after)) for one in changed]
        table = tabulate(rows, headers=("", "before", "after"), disable_numparse=True)
        yield f"{title}\n{table}"


def _arm(arm: ArmDifference) -> dict[str, str]:
    row = {"": arm.name, "macro F1": _shift(arm.macro_f1), "accuracy": _shift(arm.accuracy)}
    if test := arm.pages:
        row |= {
            "by page": points(test.difference),
            "interval": between_points(test.interval),
            "p (Holm)": p_value(test.p_holm),
            "effect": f"{test.effect:+.2f}",
            "pages differ": f"{test.n_differ} of {test.n_pages}",
        }
    return {**row, "verdict": arm.verdict}


def _labels(arms: Sequence[ArmDifference]) -> str:
    names = dict.fromkeys(name for arm in arms for name in arm.labels)
    nothing = Shift(None, None)
    rows = [(name, *(_shift(arm.labels.get(name, nothing)) for arm in arms)) for name in names]
    headers = ("", *(arm.name for arm in arms))
    return tabulate(rows, headers=headers, disable_numparse=True)


def _lone(study: StudyDifference) -> Iterator[str]:
    for names, where in ((study.only_before, "before"), (study.only_after, "after")):
        if names:
            yield f"Scores only in the report {where}: {', '.join(names)}"


def _failures(study: StudyDifference) -> Iterator[str]:
    for failures, where in ((study.failures_before, "before"), (study.failures_after, "after")):
        for one in failures:
            yield f"Failed {where}: {one.unit}: {one_line(one.error)}"


def _shift(shift: Shift) -> str:
    before, after = (
        NOTHING if one is None else percent(one) for one in (shift.before, shift.after)
    )
    return before if before == after else f"{before} -> {after}"


def _share(value: float | None) -> str:
    return NOTHING if value is None else percent(value)


def _short(text: str) -> str:
    return shorten(text, WIDTH, placeholder=" ...") or NOTHING
