"""Differences between two reports: settings, corpora, versions, scores and their significance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import shorten
from typing import Any

import msgspec
import numpy as np
from tabulate import tabulate

from structce.experiments.frames import p_value, percent, percentage_points
from structce.experiments.report import Report, Score, Study, frame
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
        frame(after.scores, Score), on=[*_KEY, "part"], how="outer", suffixes=("_before", "_after")
    )
    scores = scores[(scores.part == "") & ~scores.measure.isin(_TIMES)]
    both = scores.dropna(subset=["value_before", "value_after"])
    subjects = [
        {"study": study, "subject": subject, **_verdict(before, after, study, subject)}
        for study, subject in both[["study", "subject"]].drop_duplicates().itertuples(index=False)
    ]
    _correct(subjects)
    main = both[(both.measure == after.measure) & (both.label == "")]
    values = {(row.study, row.subject): row for row in main.itertuples()}
    for subject in subjects:
        row = values[subject["study"], subject["subject"]]
        subject |= {"before": row.value_before, "after": row.value_after}
    pairs = {(one["study"], one["subject"]) for one in subjects}
    ours, theirs = ({(s.study, s.subject) for s in one.scores} for one in (before, after))
    failed = {one.subject for one in after.failures}
    worse = [f"{s['study']}: {s['subject']}" for s in subjects if s["verdict"] == "worse"]
    lost = [f"{study}: {name}" for study, name in sorted(ours - pairs) if name in failed]
    changed = both[both.value_before != both.value_after]
    return {
        "settings": _changes(before.experiment, after.experiment),
        "versions": _changes(before.versions, after.versions),
        "corpora": _changes(_facts(before), _facts(after)),
        "subjects": subjects,
        "scores": changed[[*_KEY, "value_before", "value_after"]].to_dict("records"),
        "only_before": [f"{study}: {name}" for study, name in sorted(ours - pairs)],
        "only_after": [f"{study}: {name}" for study, name in sorted(theirs - pairs)],
        "failures": {
            "before": [f"{one.subject}: {one.error}" for one in before.failures],
            "after": [f"{one.subject}: {one.error}" for one in after.failures],
        },
        "losses": worse + lost,
    }


def _verdict(before: Report, after: Report, study: str, subject: str) -> dict[str, Any]:
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
        return {"verdict": "not comparable", "test": None}
    places = sorted(pages[0])
    old, new = (np.array([own[place] for place in places]) for own in pages)
    sites, seed = [site for _, site in places], before.experiment["seed"]
    test = paired_test("subjects", study, ("after", "before"), (new, old), sites, seed)
    return {"verdict": "", "test": test}


def _correct(subjects: list[dict[str, Any]]) -> None:
    """Correct the tests of all subjects together, and state their verdicts."""
    tested = [subject for subject in subjects if subject["test"] is not None]
    tests = corrected([subject["test"] for subject in tested])
    for subject, test in zip(tested, tests, strict=True):
        better = "better" if (test.difference or 0.0) > 0 else "worse"
        subject["verdict"] = better if is_certain(test) else "no difference shown"
        subject["test"] = msgspec.to_builtins(test)


def _facts(report: Report) -> dict[str, object]:
    """Return what is known of the studies, except paths and results, by their names."""
    left_out = {"name", "source", "reference", "spread", "detectable"}
    names = [name for name in Study.__struct_fields__ if name not in left_out]
    return {one.name: {name: getattr(one, name) for name in names} for one in report.studies}


def _changes(before: Mapping[str, object], after: Mapping[str, object]) -> list[dict[str, str]]:
    """Return the values that differ as text between two nested dictionaries."""
    first, second = dict(_flat(before)), dict(_flat(after))
    rows = [(name, first.get(name, ""), second.get(name, "")) for name in {**first, **second}]
    return [
        dict(zip(("name", "before", "after"), row, strict=True)) for row in rows if row[1] != row[2]
    ]


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
            table = tabulate(rows, (name, "before", "after"), disable_numparse=True)
            yield f"Other {name}\n{table}"
    changed = [subject for subject in difference["subjects"] if _has_changed(subject)]
    if changed or difference["scores"]:
        yield tabulate(
            list(map(_row, difference["subjects"])), headers="keys", disable_numparse=True
        )
        rows = [
            [
                *(row[name] for name in _KEY),
                *map(percent, (row["value_before"], row["value_after"])),
            ]
            for row in difference["scores"]
            if row["measure"].endswith(("f1", "accuracy"))
        ]
        yield tabulate(rows, (*_KEY, "before", "after"), disable_numparse=True)
        yield _NOTE
    for name in ("only_before", "only_after"):
        if difference[name]:
            yield f"Scores {name.replace('_', ' ')}: {'; '.join(difference[name])}"
    for when, failures in difference["failures"].items():
        yield from (f"Failed {when}: {' '.join(failure.split())}" for failure in failures)


def _has_changed(subject: Mapping[str, Any]) -> bool:
    return subject["before"] != subject["after"] or bool((subject["test"] or {}).get("n_differ"))


def _row(subject: Mapping[str, Any]) -> dict[str, str]:
    row = {name: subject[name] for name in ("study", "subject")}
    row |= {name: percent(subject[name]) for name in ("before", "after")}
    if test := subject["test"]:
        low, high = test.get("low"), test.get("high")
        row["by page"] = percentage_points(test["difference"])
        if low is not None and high is not None:
            row["interval"] = f"[{percentage_points(low)}, {percentage_points(high)}]"
        row["p (Holm)"] = p_value(test.get("p_holm", 1.0))
    return {**row, "verdict": subject["verdict"]}
