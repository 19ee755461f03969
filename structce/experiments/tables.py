"""Tables of a report: those of Spengler et al. (2010) and of Gottron (2007), and further ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any

from structce.evaluation import LEVEL
from structce.experiments.frames import (
    DASH,
    Cell,
    TextRow,
    interval,
    p_value,
    percent,
    percentage_points,
    short,
    table,
)
from structce.experiments.report import Report
from structce.experiments.statistics import CERTAIN_RULE, is_certain
from structce.experiments.toml_tables import written_name

if TYPE_CHECKING:
    import pandas as pd

UNDEFINED = "†"  # marks a share that is 0 by convention

_MARKS = (
    f"* p up to {LEVEL} in Wilcoxon's matched-pairs signed-ranks test over test pages; "
    f"‡ {CERTAIN_RULE}."
)
_KINDS = {"Precision": "precision", "Recall": "recall", "F1": "f1"}
_MAIN = {"Macro F1": "macro_f1", "Macro F1 fg": "macro_f1_foreground", "Accuracy": "accuracy"}
_LEARNER = {
    "Micro F1": "weighted_f1",
    **_MAIN,
    "Pooled F1 fg": "micro_f1_foreground",
    "Macro F1 seg": "macro_f1_segments",
    "Exact pages": "page_exactness",
}
_PART = {"Columns": "n_columns 6", "Pages": "n_pages 6", **_MAIN}
_LABEL = {
    "n train": "n_train 6",
    "n test": "n_test 6",
    **_KINDS,
    "F1 between": "f1 between",
    "F1 seg": "segment_f1",
}
_CALIBRATION = {
    "Error": "calibration_error_before 4",
    "Error after": "calibration_error_after 4",
    "Brier": "brier_before 4",
    "Brier after": "brier_after 4",
}
_LEAVES = {
    f"{header} {words}": f"pooled_{leaf}_{kind}"
    for leaf, words in (("leaf-boilerplate", "boilerplate"), ("leaf", "content"))
    for header, kind in _KINDS.items()
}
_AVERAGES = {
    words: {h: average.format(kind) for h, kind in _KINDS.items()}
    | {"F1 between": f"{average.format('f1')} between"}
    | ({"F1 seg": segments} if segments else {})
    for words, average, segments in (
        ("Micro average", "weighted_{}", ""),
        ("Macro average", "macro_{}", ""),
        ("Pooled fg", "micro_{}_foreground", "micro_f1_segments"),
        ("Macro average fg", "macro_{}_foreground", "macro_f1_segments"),
    )
}
"""Columns of tables with their measures; after it ``between`` for its interval, or the digits of a
number that is not a share."""

_LEARNER_NOTE = (
    "Micro F1: the mean over labels weighted by their regions, as the paper's. Pooled: of the "
    "counts of all labels. fg: without the background label. seg: by segment, neighbouring regions "
    "of one label in one block. Exact pages: those without a wrong region. Between: 95 per cent "
    "interval of macro F1, from resampling whole sites."
)
_PAIR_NOTE = (
    "First minus second, in points. Change: of macro F1; by page: of the mean over pages. Between: "
    "95 per cent interval, from resampling whole sites. p Holm: corrected for the pairs that were "
    "compared together. Effect: matched-pairs rank-biserial correlation."
)
_LABEL_NOTE = (
    "n train: regions that the tested model was fitted on. "
    f"{UNDEFINED} not defined, counted as 0. Labels without a tested region are in no "
    "macro average."
)
_METHOD_NOTE = (
    "Means over the pages of a source, then over sources; a page that a method fails on counts as "
    "if nothing had been extracted. Precision, recall and deviation over pages: by the first "
    "measure. ms per kB: from the bytes of a page to the text."
)


def report_tables(report: Report) -> dict[str, pd.DataFrame]:
    """Return the tables that have rows, by their keys: ``learners news by site``."""
    if report.kind == "extractors":
        tables = _extraction_tables(report)
    else:
        tables = {"studies": _studies_table(report)}
        for study in report.rows("studies"):
            own = _study_tables(report, study)
            tables |= {f"{name} {study.name}": frame for name, frame in own.items()}
    for i, ranking in enumerate(report.rows("rankings"), start=1):
        tables[f"ranking {i}"] = _ranking_table(ranking)
    rows: list[TextRow] = [
        {
            "Name": one.subject,
            "Job": one.job or one.study or "to make it",
            "Error": " ".join(one.error.split())[:300],
            "Times": one.n_units,
        }
        for one in report.rows("failures")
    ]
    tables["failures"] = table("What failed", rows, n_names=3)
    return {name: frame for name, frame in tables.items() if len(frame)}


def _cells(
    report: Report, place: tuple[str, str], columns: Mapping[str, str], label: str = "",
    part: str = "",
) -> dict[str, Cell]:  # fmt: skip
    """Return the scores of a subject in a study by the headers that are given with measures."""
    cells: dict[str, Cell] = {}
    for header, column in columns.items():
        measure, _, form = column.partition(" ")
        score = report.score(*place, measure, label, part)
        value = float(score.value) if score else None
        if form == "between":
            cells[header] = interval(score.low, score.high) if score else DASH
        else:
            cells[header] = short(value, int(form)) if form else value
    return cells


def _studies_table(report: Report) -> pd.DataFrame:
    """Return one row per study; with several, the macro F1 of each learner."""
    studies = report.rows("studies")
    names = report.subjects if len(studies) > 1 else ()
    rows: list[TextRow] = [
        {
            "Study": study.name,
            "Corpus": study.corpus + (" (invented)" if study.is_invented else ""),
            "Pages": study.n_pages,
            "Sites": study.n_sites,
            "Renderer": study.renderer,
            **{name: report.value(study.name, name) for name in names},
        }
        for study in studies
    ]
    return table("Studies; macro F1 of learners in per cent" if names else "Study", rows)


def _study_tables(report: Report, study: Any) -> dict[str, pd.DataFrame]:
    """Return the tables of a study of learners, by short names."""
    where, names = study.name, report.having(study.name)
    calibration: list[TextRow] = [
        {"Learner": name, **_cells(report, (where, name), _CALIBRATION)}
        for name in report.having(where, "brier_before")
    ]
    pairs = report.rows("pairs", study=where, subject="")
    fits = report.rows("fits", study=where, part="")
    tables = {
        "learners": _learner_table(report, study, pairs),
        "pairs": _pair_table(f"{where}: every two learners", pairs),
        "parts": _part_table(report, where, names),
        "tuning": _fit_table(f"{where}: what was chosen, and what it took", fits),
        "calibration": table(
            f"{where}: confidence before and after calibration",
            calibration,
            notes=["Error: mean distance of confidence from the share of right labels."],
        ),
    }
    tables |= {f"labels of {name}": _label_table(report, study, name) for name in names}
    for confusion in report.rows("confusions", study=where):
        tables[f"confusion of {confusion.subject}"] = _confusion_table(study, confusion)
    return tables


def _learner_table(report: Report, study: Any, pairs: Sequence[Any]) -> pd.DataFrame:
    """Return one row per learner, as in Table 2 of Spengler et al. (2010), with additions."""
    rows: list[TextRow] = []
    for name in report.having(study.name):
        place = study.name, name
        marks = [_marks(p) for p in pairs if {p.first, p.second} == {name, study.reference}]
        between = _cells(report, place, {"Between": "macro_f1 between"})
        cells = _cells(report, place, _LEARNER) | {"": "".join(marks)} | between
        rows.append({"Learner": name, **cells})
    notes = [_LEARNER_NOTE, *([f"Against {study.reference}: {_MARKS}"] if pairs else [])]
    title = f"Table 2. {study.name}: learners over all labels, in per cent"
    return table(title, rows, highest=_LEARNER, notes=notes)


def _marks(pair: Any) -> str:
    """Return the marks of a difference: none, found by the test, or certain."""
    return "" if pair.p > LEVEL else "*‡" if is_certain(pair) else "*"


def _pair_cells(pair: Any) -> dict[str, Cell]:
    cells: dict[str, Cell] = {}
    if pair.macro_difference is not None:
        cells["Change"] = percentage_points(pair.macro_difference)
        cells["Between"] = interval(pair.macro_low, pair.macro_high, percentage_points)
    return cells | {
        "By page": percentage_points(pair.difference),
        "Between ": interval(pair.low, pair.high, percentage_points),
        "p": p_value(pair.p),
        "p Holm": p_value(pair.p_holm),
        "": _marks(pair),
        "Effect": f"{pair.effect + 0.0:+.2f}",
        "Pages that differ": f"{pair.n_differ}/{pair.n_units}",
    }


def _pair_table(title: str, pairs: Sequence[Any], *, by_study: bool = False) -> pd.DataFrame:
    rows: list[TextRow] = [
        ({"Source": pair.study} if by_study else {})
        | {"First": pair.first, "Second": pair.second}
        | _pair_cells(pair)
        for pair in pairs
    ]
    return table(title, rows, n_names=3 if by_study else 2, notes=(_PAIR_NOTE, _MARKS))


def _part_table(report: Report, study: str, names: Sequence[str]) -> pd.DataFrame:
    """Return one row for all features and pages, and for each part of either.

    Yao and Zuo (2013), Figures 2 and 3, compare sets of features in the same way; leaving out one
    family at a time, and fewer sites, are additions.
    """
    rows: list[TextRow] = []
    for name in names:
        place = study, name
        pairs = {pair.first: pair for pair in report.rows("pairs", study=study, subject=name)}
        for part in part_names(report, study):
            about = {"Learner": name, "Trained on": part or "all"}
            cells = _cells(report, place, {**_PART, "Macro between": "macro_f1 between"}, "", part)
            rows.append(about | cells | (_pair_cells(pairs[part]) if part in pairs else {}))
    note = "Every row is fitted at the hyper-parameters that were chosen with all."
    title = f"{study}: parts of the features and of the training sites, in per cent"
    return table(title, rows, n_names=2, notes=(note, _PAIR_NOTE, _MARKS))


def part_names(report: Report, study: str, kind: str = "") -> list[str]:
    """Return the parts that learners were fitted on, after the whole, or only those of a kind.

    A kind begins their names. Empty without any part.
    """
    scores = report.tables["scores"]
    names = dict.fromkeys(scores[scores.study == study].part)
    parts = [part for part in names if part and part.startswith(kind)]
    return ["", *parts] if parts else []


def _confusion_table(study: Any, confusion: Any) -> pd.DataFrame:
    """Return a confusion matrix, each cell shaded by its share of the gold label's regions."""
    rows: list[TextRow] = []
    shades = {}
    for i, (gold, counts) in enumerate(zip(study.labels, confusion.counts, strict=True)):
        cells = dict(zip(study.labels, counts, strict=True))
        rows.append({"Label": gold, **{label: n or "" for label, n in cells.items()}})
        for label in filter(cells.get, cells):
            kind, share = "good" if label == gold else "bad", cells[label] / sum(counts)
            shades[i, label] = f"background: rgba(var(--{kind}-rgb), {0.06 + 0.56 * share:.2f})"
    title = f"{study.name}: labels of {confusion.subject}, gold in rows, predicted in columns"
    frame = table(title, rows)
    frame.attrs["shades"] = shades
    return frame


def _label_table(report: Report, study: Any, name: str) -> pd.DataFrame:
    """Return one row per label and the averages, as in Table 3 of Spengler et al. (2010).

    The last two columns are additions. The background has no segments.
    """
    place, rows = (study.name, name), list[TextRow]()
    for label in study.labels:
        cells = _cells(report, place, _LABEL, label)
        for header, measure in (("Precision", "n_predicted"), ("Recall", "n_test")):
            if cells[header] is not None and not report.value(*place, measure, label):
                cells[header] = percent(0.0) + UNDEFINED
        rows.append({"Label": label, **cells})
    for words, columns in _AVERAGES.items():
        rows.append({"Label": words, **_cells(report, place, columns)})
    title = f"Table 3. {study.name}: {name} label by label, in per cent"
    return table(title, rows, notes=(_LABEL_NOTE,))


def _fit_table(title: str, fits: Sequence[Any]) -> pd.DataFrame:
    """Return one row per test: what was chosen, where the solver stopped, and what it cost."""

    def point(fit: Any) -> tuple[str, str, str]:
        settings = [f"{written_name(name)} = {value}" for name, value in fit.parameters.items()]
        return fit.subject, str(fit.split + 1), ", ".join(settings) or "defaults"

    tuned = {point(fit): fit.value for fit in fits if fit.step == "tuning"}
    rows: list[TextRow] = [
        {
            **dict(zip(("Learner", "Split", "Hyper-parameters"), point(fit), strict=True)),
            "On validation": tuned.get(point(fit)),
            "Objective": short(fit.stop.get("objective")),
            "Gap or gradient": short(fit.stop.get("gap", fit.stop.get("gradient_norm"))),
            "Epochs": short(fit.stop.get("n_epochs", fit.stop.get("n_iterations"))),
            "Temperature": short(fit.temperature, 3),
            "Seconds": f"{fit.seconds['training']:.1f}",
            "Warnings": "; ".join(fit.warnings),
        }
        for fit in fits
        if fit.step == "test"
    ]
    return table(title, rows, n_names=3)


def _ranking_table(ranking: Any) -> pd.DataFrame:
    """Return one row per subject, the best first."""
    ranks = sorted(ranking.ranks.items(), key=lambda item: item[1])
    rows: list[TextRow] = [{"Name": name, "Mean rank": f"{rank:.2f}"} for name, rank in ranks]
    notes = [f"Studies: {', '.join(ranking.studies)}."]
    if ranking.p_friedman is not None:
        p = p_value(ranking.p_friedman)
        notes.append(f"Whether ranks differ by more than chance, by Friedman's test: p {p}.")
    where = f" on {ranking.source}" if ranking.source else ""
    measure = ranking.measure.replace("_", " ").replace("f1", "F1")
    title = f"Mean ranks over {len(ranking.studies)} studies{where} by {measure}; 1 is best"
    return table(title, rows, notes=notes)


def _extraction_tables(report: Report) -> dict[str, pd.DataFrame]:
    """Return the tables of extractors; sources as wholes are compared, then each package."""
    studies = report.rows("studies")
    wholes = [study.name for study in studies if study.name == study.source]
    names = [n for n in report.subjects if all(report.score(study, n) for study in wholes)]
    for ranking in report.rows("rankings", source=""):
        names.sort(key=lambda name: ranking.ranks.get(name, 0.0))
    pairs = [pair for pair in report.rows("pairs") if pair.study in wholes]
    first = report.experiment["measures"][0]
    packages: list[TextRow] = [
        {
            "Package": study.name,
            "Pages": study.n_pages,
            "Sites": study.n_sites,
            **{name: report.value(study.name, name) for name in report.subjects},
        }
        for study in studies
    ]
    leaves: list[TextRow] = [  # Table 1 of Leonhardt et al. (2020)
        {"Source": study, "Method": name} | _cells(report, (study, name), _LEAVES)
        for study in wholes
        for name in report.having(study, "pooled_leaf_f1")
    ]
    tables = {
        "overall": _method_table(report, "Methods over all sources", names, wholes),
        "pairs": _pair_table("Methods against the reference", pairs, by_study=True),
        "f1": table(f"F1 of {first} on every package, in per cent", packages, digits=1),
        "leaves": table(
            "Text nodes of all pages together, in per cent", leaves, n_names=2, digits=1
        ),
    }
    for study in studies:
        notes = []
        if study.trained_on:
            notes.append(f"{', '.join(study.trained_on)} learnt from it: the figures flatter.")
        if study.n_lost:
            notes.append(f"{study.n_lost:,} further pages have no main content, copies among pages "
                         "that were learnt from, or too few others of their part.")  # fmt: skip
        methods, where = report.having(study.name), [study.name]
        made = _method_table(report, study.name, methods, where, notes)
        tables[f"package {study.name}"] = made
    return tables


def _method_table(
    report: Report, title: str, names: Sequence[str], studies: Sequence[str],
    notes: Sequence[str] = (),
) -> pd.DataFrame:  # fmt: skip
    """Return one row per method: means over one or several packages."""
    measures = report.experiment["measures"]
    columns = {f"F1 {name}": f"{name}_f1" for name in measures}
    columns |= {"Precision": f"{measures[0]}_precision", "Recall": f"{measures[0]}_recall"}

    def mean(name: str, measure: str, column: str = "value") -> float | None:
        scores = [report.score(study, name, measure) for study in studies]
        values = [value for one in scores if one and (value := getattr(one, column)) is not None]
        return fmean(values) if values else None

    rows: list[TextRow] = []
    for name in names:
        seconds = mean(name, "seconds_per_kb")
        rows.append(
            {
                "Method": name,
                **{header: mean(name, measure) for header, measure in columns.items()},
                "Deviation": mean(name, report.measure, "deviation"),
                "ms per kB": short(None if seconds is None else 1_000 * seconds, 3),
                "Median ms": short(mean(name, "median_milliseconds"), 3),
                "Failures": short(sum(report.value(n, name, "n_failures") or 0 for n in studies)),
            }
        )
    title, notes = f"{title}, in per cent", (_METHOD_NOTE, *notes)
    return table(title, rows, digits=1, highest=columns, notes=notes)
