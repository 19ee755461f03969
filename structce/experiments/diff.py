"""Differences between two reports: settings, corpora, versions, scores and their significance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import shorten
from typing import Any

import msgspec
import numpy as np
from tabulate import tabulate

from structce.experiments.frames import interval, p_value, percent, percentage_points
from structce.experiments.report import Pair, Report, Score, Study, frame
from structce.experiments.statistics import CERTAIN_RULE, corrected, is_certain, paired_test

_KEY = ["study", "subject", "measure", "label"]
_TIMES = {"seconds_per_kb", "median_milliseconds"}
_VALUE_WIDTH = 48  # characters of a setting that a table shows, so that two fit beside each other

_NOTE = f"""\
Scores in per cent. By page: mean difference of the pages' scores in points, after minus before,
with its 95 per cent interval over sites and Wilcoxon's p after Holm's correction over all subjects.
Better and worse are said only of what is {CERTAIN_RULE}."""


def diff_reports(before: Report, after: Report) -> dict[str, Any]:
    """Compare two reports of one kind; studies and subjects are matched by name.

    Returns
    -------
    :
        Plain values: ``settings``, ``versions`` and ``corpora``, rows of name, before and after;
        ``subjects``, a row for each subject with scores in both; ``scores``, a row for each score
        of both that differs; ``only_before`` and ``only_after``, subjects with scores in one alone;
        ``failures`` of both; and ``losses``, subjects that are worse after, or failed only then.
        A subject that was not tested on the same pages has the verdict ``not comparable``.
    """
    scores = frame(before.scores, Score).merge(
        frame(after.scores, Score), on=[*_KEY, "part"], suffixes=("_before", "_after")
    )
    scores = scores[(scores.part == "") & ~scores.measure.isin(_TIMES)]
    ours, theirs = ({(s.study, s.subject) for s in one.scores} for one in (before, after))
    both = list(scores[["study", "subject"]].drop_duplicates().itertuples(index=False, name=None))
    tests = {place: test for place in both if (test := _page_test(before, after, *place))}
    tests = dict(zip(tests, corrected(list(tests.values())), strict=True))
    subjects = [
        {
            "study": study,
            "subject": subject,
            "verdict": _verdict(tests.get((study, subject))),
            "test": msgspec.to_builtins(tests.get((study, subject))),
            "before": before.value(study, subject),
            "after": after.value(study, subject),
        }
        for study, subject in both
    ]
    failed = {one.subject for one in after.failures}
    only = [
        [f"{study}: {name}" for study, name in sorted(own)]
        for own in (ours - theirs, theirs - ours)
    ]
    changed = scores[scores.value_before != scores.value_after]
    return {
        "settings": _changes(before.experiment, after.experiment),
        "versions": _changes(before.versions, after.versions),
        "corpora": _changes(_facts(before), _facts(after)),
        "subjects": subjects,
        "scores": changed[[*_KEY, "value_before", "value_after"]].to_dict("records"),
        "only_before": only[0],
        "only_after": only[1],
        "failures": {
            "before": [f"{one.subject}: {one.error}" for one in before.failures],
            "after": [f"{one.subject}: {one.error}" for one in after.failures],
        },
        "losses": [
            *(f"{s['study']}: {s['subject']}" for s in subjects if s["verdict"] == "worse"),
            *(f"{study}: {name}" for study, name in sorted(ours - theirs) if name in failed),
        ],
    }


def _page_test(before: Report, after: Report, study: str, subject: str) -> Pair | None:
    """Return the paired test of a subject on the pages of both reports, if they are the same."""
    pages = [
        {
            (one.unit, one.site): one.values[subject]
            for one in report.units
            if one.study == study and subject in one.values
        }
        for report in (before, after)
    ]
    labels = [
        {name for one in report.studies if one.name == study for name in one.labels}
        for report in (before, after)
    ]
    if not pages[0] or set(pages[0]) != set(pages[1]) or labels[0] != labels[1]:
        return None
    places = sorted(pages[0])
    old, new = (np.array([own[place] for place in places]) for own in pages)
    sites, seed = [site for _, site in places], before.experiment["seed"]
    return paired_test("subjects", study, ("after", "before"), (new, old), sites, seed)


def _verdict(test: Pair | None) -> str:
    if test is None:
        return "not comparable"
    if not is_certain(test):
        return "no difference shown"
    return "better" if (test.difference or 0.0) > 0 else "worse"


def _facts(report: Report) -> dict[str, object]:
    """Return what is known of the studies, except paths and results, by their names."""
    left_out = {"name", "source", "reference", "spread", "detectable"}
    names = [name for name in Study.__struct_fields__ if name not in left_out]
    return {one.name: {name: getattr(one, name) for name in names} for one in report.studies}


def _changes(before: Mapping[str, object], after: Mapping[str, object]) -> list[dict[str, str]]:
    """Return the values that differ as text between two nested dictionaries."""
    first, second = dict(_flat(before)), dict(_flat(after))
    rows = [(name, first.get(name, ""), second.get(name, "")) for name in {**first, **second}]
    return [{"name": name, "before": a, "after": b} for name, a, b in rows if a != b]


def _flat(values: Mapping[str, object], lead: str = "") -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{lead}{name}.")
        else:
            items = value if isinstance(value, list | tuple) else [value]
            yield f"{lead}{name}", ", ".join(map(str, items))


def difference_text(difference: Mapping[str, Any]) -> str:
    """Return a comparison as text for a terminal, without a final line break."""
    return "\n\n".join(_sections(difference)) or "The two reports say the same, except for times."


def _sections(difference: Mapping[str, Any]) -> Iterator[str]:
    for name in ("settings", "versions", "corpora"):
        rows = [[shorten(text, _VALUE_WIDTH) for text in row.values()] for row in difference[name]]
        if rows:
            yield f"Other {name}\n{_tabulated(rows, (name, 'before', 'after'))}"
    subjects = difference["subjects"]
    differ = [s["before"] != s["after"] or (s["test"] or {}).get("n_differ") for s in subjects]
    if any(differ) or difference["scores"]:
        yield _tabulated(list(map(_row, subjects)), "keys")
        rows = [
            [
                *(row[name] for name in _KEY),
                percent(row["value_before"]),
                percent(row["value_after"]),
            ]
            for row in difference["scores"]
            if row["measure"].endswith(("f1", "accuracy"))
        ]
        yield _tabulated(rows, (*_KEY, "before", "after"))
        yield _NOTE
    for name in ("only_before", "only_after"):
        if difference[name]:
            yield f"Scores {name.replace('_', ' ')}: {'; '.join(difference[name])}"
    for when, failures in difference["failures"].items():
        yield from (f"Failed {when}: {' '.join(failure.split())}" for failure in failures)


def _tabulated(rows: Any, headers: Any) -> str:
    return tabulate(rows, headers, disable_numparse=True)


def _row(subject: Mapping[str, Any]) -> dict[str, str]:
    row = {name: subject[name] for name in ("study", "subject")}
    row |= {name: percent(subject[name]) for name in ("before", "after")}
    if test := subject["test"]:
        row["by page"] = percentage_points(test["difference"])
        row["interval"] = interval(test.get("low"), test.get("high"), percentage_points)
        row["p (Holm)"] = p_value(test.get("p_holm", 1.0))
    return {**row, "verdict": subject["verdict"]}
