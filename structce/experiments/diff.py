"""Differences between two reports: settings, corpora, versions, scores and their significance."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import shorten
from types import SimpleNamespace
from typing import Any

import numpy as np

from structce.experiments.frames import (
    TextRow,
    interval,
    p_value,
    percentage_points,
    table,
    to_text,
)
from structce.experiments.report import Report
from structce.experiments.statistics import CERTAIN_RULE, Row, corrected, is_certain, paired_test
from structce.extras import load_extra

_TIMES = ["seconds_per_kb", "median_milliseconds"]
_VALUE_WIDTH = 48  # characters of a setting that a table shows, so that two fit beside each other

_NOTE = f"""\
Scores in per cent. By page: mean difference of the pages' scores in points, after minus before,
with its 95 per cent interval over sites and Wilcoxon's p after Holm's correction over all subjects.
Better and worse are said only of what is {CERTAIN_RULE}.
Not comparable: the two reports tested different pages, as with another seed."""


def diff_reports(before: Report, after: Report) -> dict[str, Any]:
    """Compare two reports of one kind; studies and subjects are matched by name.

    Returns
    -------
    :
        Plain values: ``changes`` of settings, versions and corpora, rows of name, before and after;
        ``subjects``, a row for each subject; ``scores``, a row for each score of both that differs;
        ``failures``; and ``losses``, subjects that are worse after, or failed only then. A subject
        that was not tested on the same pages has the verdict ``not comparable``.
    """
    key = ["study", "subject", "measure", "label", "part"]
    both = [report.tables["scores"][[*key, "value"]] for report in (before, after)]
    scores = both[0].merge(both[1], on=key, suffixes=("_before", "_after"))
    is_other = (scores.value_before != scores.value_after) & ~scores.measure.isin(_TIMES)
    scores = scores[is_other & (scores.part == "")].drop(columns="part")
    places = dict.fromkeys((s.study, s.subject) for own in both for s in own.itertuples())
    tests = {place: test for place in places if (test := _page_test(before, after, *place))}
    tests = dict(zip(tests, corrected(list(tests.values())), strict=True))
    failed = set(after.tables["failures"].subject)
    subjects, losses = [], []
    for place in places:
        ends = {"before": before.value(*place), "after": after.value(*place)}
        missing = [f"not {when}" for when, value in ends.items() if value is None]
        verdict = missing[0] if missing else _verdict(tests.get(place))
        about = {"study": place[0], "subject": place[1], **ends}
        subjects.append({**about, "verdict": verdict, "test": tests.get(place)})
        if verdict == "worse" or (ends["after"] is None and place[1] in failed):
            losses.append(f"{place[0]}: {place[1]}")
    old, new = (_settings(report) for report in (before, after))
    changes = [
        {"name": name, "before": old.get(name, ""), "after": new.get(name, "")}
        for name in {**old, **new}
        if old.get(name, "") != new.get(name, "")
    ]
    failures = [
        f"{when}: {one.subject}: {' '.join(one.error.split())}"
        for when, report in (("before", before), ("after", after))
        for one in report.rows("failures")
    ]
    rows = scores.to_dict("records")
    return {"changes": changes, "subjects": subjects, "scores": rows, "failures": failures,
            "losses": losses}  # fmt: skip


def _page_test(before: Report, after: Report, study: str, subject: str) -> Row | None:
    """Return the paired test of a subject on the pages of both reports, if they are the same."""
    pages, labels = [], []
    for report in (before, after):
        units = report.rows("units", study=study, subject=subject)
        pages.append({(one.unit, one.site): one.value for one in units})
        labels.append([list(one.labels) for one in report.rows("studies", name=study)])
    if not pages[0] or set(pages[0]) != set(pages[1]) or labels[0] != labels[1]:
        return None
    places = sorted(pages[0])
    old, new = (np.array([own[place] for place in places], dtype=np.float64) for own in pages)
    sites = [site for _, site in places]
    test = paired_test(("after", "before"), (new, old), sites, before.experiment["seed"])
    return {**test, "macro_difference": None}


def _verdict(test: Row | None) -> str:
    if test is None:
        return "not comparable"
    if not is_certain(SimpleNamespace(**test)):
        return "no difference shown"
    return "better" if test["difference"] > 0 else "worse"


def _settings(report: Report) -> dict[str, str]:
    """Return the settings, versions and corpora of a report as text by their dotted names."""
    pandas = load_extra("pandas", "a report", "experiments")
    corpora = {
        one.name: {"digest": one.digest, "pages": one.n_pages, "renderer": one.renderer}
        for one in report.rows("studies")
    }
    every = {**report.experiment, "versions": report.versions, "corpora": corpora}
    (flat,) = pandas.json_normalize(every).to_dict("records")
    return {
        name: ", ".join(map(str, value if isinstance(value, list | tuple) else [value]))
        for name, value in flat.items()
    }


def difference_text(difference: Mapping[str, Any]) -> str:
    """Return a comparison as text for a terminal, without a final line break."""
    changes: list[TextRow] = [
        {key.title(): shorten(text, _VALUE_WIDTH) for key, text in row.items()}
        for row in difference["changes"]
    ]
    scores: list[TextRow] = [
        {key.replace("value_", "").title(): value for key, value in row.items()}
        for row in difference["scores"]
        if row["measure"].endswith(("f1", "accuracy"))
    ]
    subjects: list[TextRow] = []
    is_other = bool(difference["scores"])
    for one in difference["subjects"]:
        test = one["test"]
        is_other |= one["before"] != one["after"] or bool(test and test["n_differ"])
        subjects.append(
            {
                **{key.title(): one[key] for key in ("study", "subject", "before", "after")},
                "By page": test and percentage_points(test["difference"]),
                "Interval": test and interval(test["low"], test["high"], percentage_points),
                "p (Holm)": test and p_value(test["p_holm"]),
                "Verdict": one["verdict"],
            }
        )
    frames = [
        table("Settings", changes),
        table("Learners or extractors", subjects if is_other else [], n_names=2, notes=[_NOTE]),
        table("Scores", scores, n_names=4),
    ]
    texts = [to_text(frame) for frame in frames if len(frame)]
    texts += [f"Failed {failure}" for failure in difference["failures"]]
    return "\n\n".join(texts) or "The two reports say the same, except for times."
