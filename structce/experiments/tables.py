"""Tables of a report: those of Spengler et al. (2010) and of Gottron (2007), and further ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING

from structce.evaluation import LEVEL
from structce.experiments.frames import (
    DASH,
    Cell,
    Row,
    interval,
    p_value,
    percent,
    percentage_points,
    short,
    table,
)
from structce.experiments.report import Fit, Pair, Ranking, Report, Study
from structce.experiments.statistics import CERTAIN_RULE, is_certain, turned
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
_CALIBRATION = {
    "Error": "calibration_error_before",
    "Error after": "calibration_error_after",
    "Brier": "brier_before",
    "Brier after": "brier_after",
}
_LEAVES = {
    f"{header} {words}": f"pooled_{leaf}_{kind}"
    for leaf, words in (("leaf-boilerplate", "boilerplate"), ("leaf", "content"))
    for header, kind in _KINDS.items()
}
_AVERAGES = {
    "Micro average": ("weighted_{}", ""),
    "Macro average": ("macro_{}", ""),
    "Pooled fg": ("micro_{}_foreground", "micro_f1_segments"),
    "Macro average fg": ("macro_{}_foreground", "macro_f1_segments"),
}

_LEARNER_NOTE = (
    "Micro F1: the mean over labels weighted by their regions, as the paper's. Pooled: of the "
    "counts of all labels. fg: without the background label. seg: by segment, neighbouring regions "
    "of one label in one block. Exact pages: those without a wrong region. Between: 95 per cent "
    "interval of macro F1, from resampling whole sites. Gap: by which part its objective can be "
    "above the optimum."
)
_PAIR_NOTE = (
    "First minus second, in points. Change: of macro F1; by page: of the mean over pages. Between: "
    "95 per cent interval, from resampling whole sites. p Holm: corrected for the pairs that were "
    "compared together. Effect: matched-pairs rank-biserial correlation."
)
_LABEL_NOTE = (
    "n train: regions that the tested model was fitted on. Exact pages: those on which exactly the "
    "right regions have the label, of those that have it in gold or prediction. "
    f"{UNDEFINED} not defined, counted as 0. Labels without a tested region are in no "
    "macro average."
)
_METHOD_NOTE = (
    "Means over the pages of a source, then over sources; a page that a method fails on counts as "
    "if nothing had been extracted. Precision, recall and deviation over pages: by the first "
    "measure. ms per kB: from the bytes of a page to the text."
)
_LEARNT_NOTE = (
    "Seen: pages that the method learnt from, as Debnath et al. (2005) measured; others: further "
    "pages of the same classes. Milliseconds per page. Tokens of id and class that trained methods "
    "look for, with the number of models."
)


def report_tables(report: Report) -> dict[str, pd.DataFrame]:
    """Return the tables that have rows, by their keys: ``learners news by site``."""
    if report.kind == "extractors":
        tables = _extraction_tables(report)
    else:
        tables = {"studies": _studies_table(report)}
        for study in report.studies:
            own = _study_tables(report, study)
            tables |= {f"{name} {study.name}": frame for name, frame in own.items()}
        pairs = [turned(pair) for pair in report.pairs if pair.kind == "studies"]
        title = "One learner in two studies that differ in one setting"
        tables["contrasts"] = _pair_table(title, pairs)
    for i, ranking in enumerate(report.rankings, start=1):
        tables[f"ranking {i}"] = _ranking_table(ranking)
    rows: list[Row] = [
        {
            "Name": one.subject,
            "Job": one.job or one.study or "to make it",
            "Error": " ".join(one.error.split())[:300],
            "Times": one.n_units,
        }
        for one in report.failures
    ]
    tables["failures"] = table("What failed", rows, n_names=3)
    return {name: frame for name, frame in tables.items() if len(frame)}


def _cells(
    report: Report, place: tuple[str, str], measures: Mapping[str, str], label: str = "",
    part: str = "",
) -> dict[str, Cell]:  # fmt: skip
    """Return the scores of a subject in a study by the headers that are given with measures."""
    return {h: report.value(*place, measure, label, part) for h, measure in measures.items()}


def _between(
    report: Report, place: tuple[str, str], measure: str, label: str = "", part: str = ""
) -> str:
    score = report.score(*place, measure, label, part)
    return interval(score.low, score.high) if score else DASH


def _studies_table(report: Report) -> pd.DataFrame:
    """Return one row per study; with several, the macro F1 of each learner."""
    names = report.subjects if len(report.studies) > 1 else ()
    rows: list[Row] = [
        {
            "Study": study.name,
            "Corpus": study.corpus + (" (invented)" if study.is_invented else ""),
            "Pages": study.n_pages,
            "Sites": study.n_sites,
            "Renderer": study.renderer,
            **{name: report.value(study.name, name) for name in names},
        }
        for study in report.studies
    ]
    return table("Studies; macro F1 of learners in per cent" if names else "Study", rows)


def _study_tables(report: Report, study: Study) -> dict[str, pd.DataFrame]:
    """Return the tables of a study of learners, by short names."""
    pairs = [pair for pair in report.pairs if pair.study == study.name]
    both = [pair for pair in pairs if pair.kind == "subjects"]
    fits = [fit for fit in report.fits if fit.study == study.name]
    names = report.having(study.name)
    calibration = {
        name: _cells(report, (study.name, name), _CALIBRATION)
        for name in report.having(study.name, "brier_before")
    }
    rows: list[Row] = [
        {"Learner": name} | {header: short(value) for header, value in own.items()}  # type: ignore[arg-type]
        for name, own in calibration.items()
    ]
    note = "Error: mean distance of confidence from the share of right labels."
    return {
        "learners": _learner_table(report, study, both, fits),
        "pairs": _pair_table(f"{study.name}: every two learners", both),
        "calibration": table(
            f"{study.name}: confidence before and after calibration", rows, notes=(note,)
        ),
        "learning": _learning_table(report, study),
        **{f"features of {name}": _ablation_table(report, study, name, pairs) for name in names},
        **{f"labels of {name}": _label_table(report, study, name) for name in names},
        "tuning": _fit_table(f"{study.name}: what was chosen, and what it took", fits, "test"),
        "grid": _fit_table(f"{study.name}: every point of every grid", fits, "tuning"),
    }


def _learner_table(
    report: Report, study: Study, pairs: Sequence[Pair], fits: Sequence[Fit]
) -> pd.DataFrame:
    """Return one row per learner, as in Table 2 of Spengler et al. (2010), with additions."""
    rows: list[Row] = []
    for name in report.having(study.name):
        against = [pair for pair in pairs if {pair.first, pair.second} == {name, study.reference}]
        gaps = [largest_gap(fit) for fit in fits if fit.subject == name]
        gap = max((gap for gap in gaps if gap is not None), default=None)
        between = _between(report, (study.name, name), "macro_f1")
        more = {"": "".join(map(_marks, against)), "Between": between, "Gap": short(gap)}
        rows.append({"Learner": name, **_cells(report, (study.name, name), _LEARNER), **more})
    notes = [_LEARNER_NOTE, *([f"Against {study.reference}: {_MARKS}"] if pairs else [])]
    title = f"Table 2. {study.name}: learners over all labels, in per cent"
    return table(title, rows, highest=_LEARNER, notes=notes)


def largest_gap(fit: Fit) -> float | None:
    """Return the relative gap at which a tested model stopped, in [0, 1].

    Of an SVM the duality gap; of a CRF what the norm of its gradient allows an objective that
    ``lambda`` makes strongly convex. None for a learner that has neither, and for other fits.
    """
    if fit.step != "test" or fit.part:
        return None
    gap, norm, objective = map(fit.stop.get, ("gap", "gradient_norm", "objective"))
    lambda_ = fit.parameters.get("lambda_")
    if gap is None and norm is not None and objective and isinstance(lambda_, int | float):
        return min(1.0, norm**2 / (2 * lambda_ * objective))
    return gap


def _marks(pair: Pair) -> str:
    """Return the marks of a difference: none, found by the test, or certain."""
    if pair.difference is None or pair.p > LEVEL:
        return ""
    return "*‡" if is_certain(pair) else "*"


def _pair_cells(pair: Pair) -> dict[str, Cell]:
    cells: dict[str, Cell] = {}
    if pair.macro_difference is not None:
        cells["Change"] = percentage_points(pair.macro_difference)
        cells["Between"] = interval(pair.macro_low, pair.macro_high, percentage_points)
    if pair.difference is not None:
        cells["By page"] = percentage_points(pair.difference)
        cells["Between "] = interval(pair.low, pair.high, percentage_points)
        cells |= {"p": p_value(pair.p), "p Holm": p_value(pair.p_holm), "": _marks(pair)}
        cells["Effect"] = f"{pair.effect + 0.0:+.2f}"
        cells["Pages that differ"] = f"{pair.n_differ}/{pair.n_units}"
    return cells


def _pair_table(title: str, pairs: Sequence[Pair], *, by_study: bool = False) -> pd.DataFrame:
    """Return one row per pair, named by what is compared, and the study or learner."""
    rows: list[Row] = []
    for pair in pairs:
        names = {"Learner": pair.subject, "Source": pair.study if by_study else ""}
        names = {header: name for header, name in names.items() if name}
        rows.append(names | {"First": pair.first, "Second": pair.second} | _pair_cells(pair))
    n_names = len(rows[0].keys() & {"Learner", "Source", "First", "Second"}) if rows else 1
    return table(title, rows, n_names=n_names, notes=(_PAIR_NOTE, _MARKS))


def _learning_table(report: Report, study: Study) -> pd.DataFrame:
    """Return one row for each share of the training pages; the last of a learner is all pages."""
    rows: list[Row] = []
    for name in report.having(study.name):
        for part in curve_parts(report, study):
            place = study.name, name
            share, pages = part.removeprefix("share ") or "all", n_learnt(report, study, name, part)
            about = {"Learner": name, "Part of the sites": share, "Pages": f"{pages:.0f}"}
            between = {"Between": _between(report, place, "macro_f1", part=part)}
            rows.append(about | _cells(report, place, _MAIN, part=part) | between)
    title = f"{study.name}: with fewer training pages, in per cent"
    return table(title, rows, n_names=2, notes=("Hyper-parameters are those of all pages.",))


def curve_parts(report: Report, study: Study) -> list[str]:
    """Return the parts of a learning curve, the last without a name; empty without a curve."""
    parts = dict.fromkeys(score.part for score in report.scores if score.study == study.name)
    shares = [part for part in parts if part.startswith("share")]
    return [*shares, ""] if shares else []


def n_learnt(report: Report, study: Study, name: str, part: str) -> float:
    """Return the number of pages that a learner was fitted on, the mean over splits."""
    if n_pages := report.value(study.name, name, "n_pages", part=part):
        return n_pages
    refit = report.experiment.get("refit", True)
    splits = [split for split in report.splits if split.study == study.name]
    return fmean(len(own.train) + (len(own.validation) if refit else 0) for own in splits)


def _ablation_table(report: Report, study: Study, name: str, pairs: Sequence[Pair]) -> pd.DataFrame:
    """Return one row for all features, each family left out, and each family alone.

    Yao and Zuo (2013), Figures 2 and 3, compare sets of features in the same way; leaving out one
    family at a time is an addition.
    """
    own = [pair for pair in pairs if (pair.kind, pair.subject) == ("features", name)]
    place = study.name, name
    rows: list[Row] = [{"Features": "all"} | _cells(report, place, _MAIN)] if own else []
    for pair in own:
        columns = short(report.value(*place, "n_columns", part=pair.first))
        scores = _cells(report, place, _MAIN, part=pair.first) | _pair_cells(pair)
        rows.append({"Features": pair.first} | scores | {"Columns": columns})
    note = "Every row is fitted at the hyper-parameters that were chosen with all features."
    title = f"{study.name}: families of features, {name}, in per cent"
    return table(title, rows, notes=(note, _PAIR_NOTE, _MARKS))


def _label_table(report: Report, study: Study, name: str) -> pd.DataFrame:
    """Return one row per label and the averages, as in Table 3 of Spengler et al. (2010).

    The last three columns are additions. The background has no segments and no exact pages.
    """
    place, rows = (study.name, name), list[Row]()
    for label in study.labels:
        cells = _cells(report, place, _KINDS, label)
        n_train, n_test, n_predicted, n_pages, n_exact = (
            report.value(*place, measure, label)
            for measure in "n_train n_test n_predicted n_pages n_exact_pages".split()
        )
        for header, whole in (("Precision", n_predicted), ("Recall", n_test)):
            if cells[header] is not None and not whole:
                cells[header] = percent(0.0) + UNDEFINED
        counts = {"n train": short(n_train), "n test": short(n_test)}
        more: dict[str, Cell] = {
            "F1 between": _between(report, place, "f1", label),
            "F1 seg": report.value(*place, "segment_f1", label),
            "Exact pages": f"{n_exact:.0f}/{n_pages:.0f}" if n_pages else DASH,
        }
        rows.append({"Label": label} | counts | cells | more)
    for words, (average, segments) in _AVERAGES.items():
        means = {header: average.format(kind) for header, kind in _KINDS.items()}
        cells = {"Label": words, **_cells(report, place, means)}
        cells["F1 between"] = _between(report, place, average.format("f1"))
        cells["F1 seg"] = report.value(*place, segments) if segments else None
        rows.append(cells)
    title = f"Table 3. {study.name}: {name} label by label, in per cent"
    return table(title, rows, notes=(_LABEL_NOTE,))


def _fit_table(title: str, fits: Sequence[Fit], step: str) -> pd.DataFrame:
    """Return one row per fit of a step: where the solver stopped, and what it cost."""
    whole = [fit for fit in fits if not fit.part]
    tuned = {_point(fit): fit.value for fit in whole if fit.step == "tuning"}
    rows: list[Row] = []
    for fit in (fit for fit in whole if fit.step == step):
        seconds, megabytes = fit.costs.get("tuning") or fit.costs.get("training", (0.0, 0.0))
        subject, split, settings = _point(fit)
        rows.append(
            {
                "Learner": subject,
                "Split": str(split + 1),
                "Hyper-parameters": settings,
                "On validation": tuned.get(_point(fit)),
                "Objective": short(fit.stop.get("objective")),
                "Gap or gradient": short(fit.stop.get("gap", fit.stop.get("gradient_norm"))),
                "Epochs": short(fit.stop.get("n_epochs", fit.stop.get("n_iterations"))),
                "Temperature": short(fit.temperature, 3),
                "Seconds": f"{seconds:.1f}",
                "Memory MB": f"{megabytes:.0f}",
                "Warnings": "; ".join(fit.warnings),
            }
        )
    return table(title, rows, n_names=3)


def _point(fit: Fit) -> tuple[str, int, str]:
    settings = [f"{written_name(name)} = {value}" for name, value in fit.parameters.items()]
    return fit.subject, fit.split, ", ".join(settings) or "defaults"


def _ranking_table(ranking: Ranking) -> pd.DataFrame:
    """Return one row per subject, the best first, with Nemenyi's p-values against the others."""
    names = sorted(ranking.ranks, key=ranking.ranks.__getitem__)
    others = names if ranking.p_pairs and len(names) <= 8 else []
    rows: list[Row] = []
    for name in names:
        p_values = ranking.p_pairs.get(name, {})
        cells = {f"p {one}": DASH if name == one else p_value(p_values[one]) for one in others}
        rows.append({"Name": name, "Mean rank": f"{ranking.ranks[name]:.2f}", **cells})
    notes = [f"Studies: {', '.join(ranking.studies)}."]
    if ranking.p_friedman is not None:
        notes.append(
            f"Friedman's test: p {p_value(ranking.p_friedman)}. Nemenyi's test: ranks differ that "
            f"are {ranking.critical_difference:.2f} apart."
        )
    where = f" on {ranking.source}" if ranking.source else ""
    measure = ranking.measure.replace("_", " ").replace("f1", "F1")
    title = f"Mean ranks over {len(ranking.studies)} studies{where} by {measure}; 1 is best"
    return table(title, rows, notes=notes)


def _extraction_tables(report: Report) -> dict[str, pd.DataFrame]:
    """Return the tables of extractors; sources as wholes are compared, then each package."""
    wholes = [study.name for study in report.studies if study.is_whole]
    measures = report.experiment["measures"]
    lines = [name for name in measures if name.endswith(("lines", "line", "present"))]
    presence = {
        f"{name} {kind}": f"{name}_{kind}" for name in lines for kind in ("precision", "recall")
    }
    ranks = next((ranking.ranks for ranking in report.rankings if not ranking.source), {})
    names = [n for n in report.subjects if all(report.score(study, n) for study in wholes)]
    names.sort(key=lambda name: ranks.get(name, 0.0))
    pairs = [pair for pair in report.pairs if pair.study in wholes]
    title = "Text nodes of all pages together, in per cent"  # Leonhardt et al. (2020), Table 1
    return {
        "overall": _method_table(
            report, f"Methods over {len(wholes)} sources", names, wholes, ranks
        ),
        "pairs": _pair_table("Methods against the reference", pairs, by_study=True),
        "f1": _package_scores(report),
        "leaves": _source_table(report, title, wholes, _LEAVES),
        "presence": _source_table(report, "Lines that are present, in per cent", wholes, presence),
        "learnt": _learnt_table(report),
        **{
            f"package {one.name}": _method_table(
                report, one.name, report.having(one.name), [one.name]
            )
            for one in report.studies
        },
    }


def _method_table(
    report: Report, title: str, names: Sequence[str], studies: Sequence[str],
    ranks: Mapping[str, float] | None = None,
) -> pd.DataFrame:  # fmt: skip
    """Return one row per method: means over one or several packages."""
    measures = report.experiment["measures"]
    columns = {f"F1 {name}": f"{name}_f1" for name in measures}
    columns |= {"Precision": f"{measures[0]}_precision", "Recall": f"{measures[0]}_recall"}
    rows: list[Row] = []
    for name in names:

        def mean(measure: str, field: str = "value", name: str = name) -> float | None:
            scores = [report.score(study, name, measure) for study in studies]
            values = [getattr(score, field) for score in scores if score]
            known = [value for value in values if value is not None]
            return fmean(known) if known else None

        rank = {"Mean rank": f"{ranks[name]:.2f}"} if ranks and name in ranks else {}
        seconds, failures = mean("seconds_per_kb"), mean("n_failures")
        more: dict[str, Cell] = {
            "Deviation": mean("", "deviation"),
            "ms per kB": short(None if seconds is None else 1_000 * seconds, 3),
            "Median ms": short(mean("median_milliseconds"), 3),
            "Failures": short(failures and failures * len(studies), 3),
        }
        rows.append({"Method": name} | rank | {h: mean(own) for h, own in columns.items()} | more)
    return table(f"{title}, in per cent", rows, digits=1, highest=columns, notes=(_METHOD_NOTE,))


def _package_scores(report: Report) -> pd.DataFrame:
    """Return one row per package and one column per method: F1 by the first measure."""
    rows: list[Row] = [
        {
            "Package": study.name,
            "Pages": study.n_pages,
            "Sites": study.n_sites,
            "In links": percent(study.link_quota, 0),
            "Main": percent(study.main_quota, 0),
            **{name: report.value(study.name, name) for name in report.subjects},
        }
        for study in report.studies
    ]
    note = "In links, Main: median share of a page's text inside links, and of its main content."
    title = f"F1 of {report.experiment['measures'][0]} on every package, in per cent"
    return table(title, rows, digits=1, notes=(note,))


def _source_table(
    report: Report, title: str, wholes: Sequence[str], columns: Mapping[str, str]
) -> pd.DataFrame:
    """Return one row for each source and method; no rows without such a score."""
    rows: list[Row] = [
        {"Source": study, "Method": name} | _cells(report, (study, name), columns)
        for study in wholes
        for name in (report.having(study, next(iter(columns.values()))) if columns else ())
    ]
    return table(title, rows, n_names=2, digits=1)


def _learnt_table(report: Report) -> pd.DataFrame:
    """Return what each method learnt on a source, with scores on seen and other pages."""
    measure, rows = report.experiment["measures"][0], list[Row]()
    for one in report.learnt:
        about: Row = {"Source": one.study, "Method": one.method, "Pages": one.n_pages or DASH}
        cells: dict[str, Cell] = {"Classes": one.n_classes}
        for part, words in (("seen", "seen"), ("unseen", "others")):
            columns = {f"{header}, {words}": f"{measure}_{kind}" for header, kind in _KINDS.items()}
            cells |= _cells(report, (one.study, one.subject), columns, part=part)
        cells["Others"] = one.n_unseen
        cells["ms to learn"] = short(one.learning_milliseconds, 3)
        cells["ms to extract"] = short(one.milliseconds, 3)
        tokens = [f"{token} {n}/{one.n_classes}" for token, n in one.tokens.items()]
        rows.append({**about, **cells, "Tokens": ", ".join(tokens)})
    title = f"What methods learnt: {measure}, in per cent"
    return table(title, rows, n_names=2, digits=1, notes=(_LEARNT_NOTE,))
