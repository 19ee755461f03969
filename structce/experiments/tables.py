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
    Scores,
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

DIFFERS, CERTAIN = "*", "‡"
"""Mark a difference that a test over pages finds, and one that is certain."""

UNDEFINED = "†"  # marks a share that is 0 by convention

_MARKS = (
    f"{DIFFERS} p up to {LEVEL} in Wilcoxon's matched-pairs signed-ranks test over test pages; "
    f"{CERTAIN} {CERTAIN_RULE}."
)
_KINDS = ("precision", "recall", "f1")
_MAIN = {"Macro F1": "macro_f1", "Macro F1 fg": "macro_f1_foreground", "Accuracy": "accuracy"}


def report_tables(report: Report) -> dict[str, pd.DataFrame]:
    """Return the tables that have rows, by their keys: ``learners news by site``."""
    if report.kind == "extractors":
        tables = _extraction_tables(report)
    else:
        tables = {"studies": _studies_table(report)}
        for study in report.studies:
            own = _study_tables(report, study)
            tables |= {f"{name} {study.name}": frame for name, frame in own.items()}
        tables["contrasts"] = _contrast_table(report)
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


def _studies_table(report: Report) -> pd.DataFrame:
    """Return one row per study; with several, the macro F1 of each learner."""
    rows: list[Row] = []
    names = report.subjects if len(report.studies) > 1 else ()
    for study in report.studies:
        about: dict[str, Cell] = {
            "Study": study.name,
            "Corpus": study.corpus + (" (invented)" if study.is_invented else ""),
            "Pages": study.n_pages,
            "Sites": study.n_sites,
            "Renderer": study.renderer,
        }
        rows.append({**about, **{name: report.value(study.name, name) for name in names}})
    return table("Studies; macro F1 of learners in per cent" if names else "Study", rows)


def _study_tables(report: Report, study: Study) -> dict[str, pd.DataFrame]:
    scores = Scores.of(report, study.name)
    pairs = [pair for pair in report.pairs if pair.study == study.name]
    both = [pair for pair in pairs if pair.kind == "subjects"]
    fits = [fit for fit in report.fits if fit.study == study.name]
    names = scores.having("macro_f1")
    tables = {
        "learners": _learner_table(study, scores, both, fits),
        "pairs": _pair_table(study, both),
        "calibration": _calibration_table(study, scores),
        "learning": _learning_table(report, study, scores),
    }
    for name in names:
        own = [pair for pair in pairs if (pair.kind, pair.subject) == ("features", name)]
        tables[f"features of {name}"] = _ablation_table(study, scores, name, own)
    tables |= {f"labels of {name}": _label_table(study, scores, name) for name in names}
    return tables | {"tuning": _tuning_table(study, fits)}


def _learner_table(
    study: Study, scores: Scores, pairs: Sequence[Pair], fits: Sequence[Fit]
) -> pd.DataFrame:
    """Return one row per learner, as in Table 2 of Spengler et al. (2010), with additions."""
    columns = {
        "Micro F1": "weighted_f1",
        "Macro F1": "macro_f1",
        "Accuracy": "accuracy",
        "Pooled F1 fg": "micro_f1_foreground",
        "Macro F1 fg": "macro_f1_foreground",
        "Macro F1 seg": "macro_f1_segments",
        "Exact pages": "page_exactness",
    }
    rows: list[Row] = []
    for name in scores.having("macro_f1"):
        against = [pair for pair in pairs if {pair.first, pair.second} == {name, study.reference}]
        own = (largest_gap(fit) for fit in fits if fit.subject == name)
        more = {
            "": _marks(against[0]) if against else "",
            "Between": scores.between(name, "macro_f1"),
            "Gap": short(max((gap for gap in own if gap is not None), default=None)),
        }
        rows.append({"Learner": name, **scores.cells(name, columns), **more})
    notes = [
        "Micro F1: the mean over labels weighted by their regions, as the paper's. Pooled: of the "
        "counts of all labels. Between: 95 per cent interval of macro F1, from resampling whole "
        "sites. Gap: by which part its objective can be above the optimum.",
        f"fg: without the background label {study.background}. seg: by segment, neighbouring "
        "regions of one label in one block. Exact pages: those without a wrong region.",
    ]
    notes += [f"Against {study.reference}: {_MARKS}"] if pairs else []
    title = f"Table 2. {study.name}: learners over all labels, in per cent"
    return table(title, rows, highest=columns if rows else (), notes=notes)


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
    return DIFFERS + CERTAIN if is_certain(pair) else DIFFERS


def _macro_cells(pair: Pair) -> dict[str, Cell]:
    return {
        "Change": percentage_points(pair.macro_difference or 0.0),
        "Between": interval(pair.macro_low, pair.macro_high, percentage_points),
    }


def _page_cells(pair: Pair) -> dict[str, Cell]:
    if pair.difference is None:
        return {}
    return {
        "By page": percentage_points(pair.difference),
        "Between ": interval(pair.low, pair.high, percentage_points),
        "p": p_value(pair.p),
        "p Holm": p_value(pair.p_holm),
        "": _marks(pair),
        "Effect": f"{pair.effect + 0.0:+.2f}",
        "Pages that differ": f"{pair.n_differ}/{pair.n_units}",
    }


def _pair_table(study: Study, pairs: Sequence[Pair]) -> pd.DataFrame:
    note = (
        "Change: of macro F1; by page: of accuracy. Between: 95 per cent interval, from "
        "resampling whole sites. p Holm: corrected for the number of pairs in this table. Effect: "
        "matched-pairs rank-biserial correlation."
    )
    rows: list[Row] = [
        {"First": pair.first, "Second": pair.second, **_macro_cells(pair), **_page_cells(pair)}
        for pair in pairs
    ]
    title = f"{study.name}: every two learners, first minus second, in points"
    return table(title, rows, n_names=2, notes=(note, _MARKS))


def _calibration_table(study: Study, scores: Scores) -> pd.DataFrame:
    columns = {
        f"{words}{after}": f"{measure}_{when}"
        for measure, words in (("calibration_error", "Error"), ("brier", "Brier"))
        for when, after in (("before", ""), ("after", " after"))
    }
    rows: list[Row] = [
        {"Learner": name, **{h: short(value) for h, value in scores.cells(name, columns).items()}}  # type: ignore[arg-type]
        for name in scores.having("brier_before")
    ]
    note = "Error: mean distance of confidence from the share of right labels."
    return table(f"{study.name}: confidence before and after calibration", rows, notes=(note,))


def _learning_table(report: Report, study: Study, scores: Scores) -> pd.DataFrame:
    """Return one row for each share of the training pages; the last of a learner is all pages."""
    shares = dict.fromkeys(part for *_, part in scores if part.startswith("share"))
    rows: list[Row] = []
    for name in scores.having("macro_f1") if shares else ():
        for part in (*shares, ""):
            n_pages = scores.value(name, "n_pages", part=part) or all_pages(report, study)
            share = part.removeprefix("share ") or "all"
            about = {"Learner": name, "Part of the sites": share, "Pages": f"{n_pages:.0f}"}
            between = scores.between(name, "macro_f1", part=part)
            rows.append({**about, **scores.cells(name, _MAIN, part), "Between": between})
    title = f"{study.name}: with fewer training pages, in per cent"
    return table(title, rows, n_names=2, notes=("Hyper-parameters are those of all pages.",))


def all_pages(report: Report, study: Study) -> float:
    """Return the number of pages that models of a study were fitted on, the mean over splits."""
    refit = report.experiment.get("refit", True)
    sizes = [
        len(split.train) + (len(split.validation) if refit else 0)
        for split in report.splits
        if split.study == study.name
    ]
    return fmean(sizes) if sizes else 0.0


def _ablation_table(study: Study, scores: Scores, name: str, pairs: Sequence[Pair]) -> pd.DataFrame:
    """Return one row for all features, each family left out, and each family alone.

    Yao and Zuo (2013), Figures 2 and 3, compare sets of features in the same way; leaving out one
    family at a time is an addition.
    """
    rows: list[Row] = [{"Features": "all", **scores.cells(name, _MAIN)}] if pairs else []
    for pair in pairs:
        columns = short(scores.value(name, "n_columns", part=pair.first))
        more = {**_macro_cells(pair), "": _marks(pair), "Columns": columns}
        rows.append({"Features": pair.first, **scores.cells(name, _MAIN, pair.first), **more})
    note = (
        "Every row is fitted at the hyper-parameters that were chosen with all features. Change: "
        f"of macro F1 against all, in points. {_MARKS}"
    )
    title = f"{study.name}: families of features, {name}, in per cent"
    return table(title, rows, notes=(note,))


def _label_table(study: Study, scores: Scores, name: str) -> pd.DataFrame:
    """Return one row per label and the averages, as in Table 3 of Spengler et al. (2010).

    The last three columns are additions. The background has no segments and no exact pages.
    """
    rows: list[Row] = []
    for label in study.labels:
        cells: dict[str, Cell] = {
            kind.capitalize(): scores.value(name, kind, label) for kind in _KINDS
        }
        for header, whole in (("Precision", "n_predicted"), ("Recall", "n_test")):
            if cells[header] is not None and not scores.value(name, whole, label):
                cells[header] = percent(0.0) + UNDEFINED
        n_pages, n_exact = (scores.value(name, n, label) for n in ("n_pages", "n_exact_pages"))
        rows.append(
            {
                "Label": label,
                "n train": short(scores.value(name, "n_train", label)),
                "n test": short(scores.value(name, "n_test", label)),
                **cells,
                "F1 between": scores.between(name, "f1", label),
                "F1 seg": scores.value(name, "segment_f1", label),
                "Exact pages": f"{n_exact:.0f}/{n_pages:.0f}" if n_pages else DASH,
            }
        )
    for words, average, segments in (
        ("Micro average", "weighted_{}", ""),
        ("Macro average", "macro_{}", ""),
        ("Pooled fg", "micro_{}_foreground", "micro_f1_segments"),
        ("Macro average fg", "macro_{}_foreground", "macro_f1_segments"),
    ):
        means = scores.cells(name, {kind.capitalize(): average.format(kind) for kind in _KINDS})
        between, by_segment = (
            scores.between(name, average.format("f1")),
            scores.value(name, segments),
        )
        rows.append({"Label": words, **means, "F1 between": between, "F1 seg": by_segment})
    note = (
        "n train: regions that the tested model was fitted on. Exact pages: those on which exactly "
        "the right regions have the label, of those that have it in gold or prediction. "
        f"{UNDEFINED} not defined, counted as 0. Labels without a tested region are in no macro "
        "average."
    )
    title = f"Table 3. {study.name}: {name} label by label, in per cent"
    return table(title, rows, notes=(note,))


def _tuning_table(study: Study, fits: Sequence[Fit]) -> pd.DataFrame:
    """Return one row for each learner and split: what was chosen, where it stopped, its cost."""
    rows: list[Row] = []
    for fit in (fit for fit in fits if fit.step == "test" and not fit.part):
        place = fit.subject, fit.split, "tuning"
        tuned = [one for one in fits if (one.subject, one.split, one.step) == place]
        chosen = [one.value for one in tuned if one.parameters == fit.parameters]
        seconds, megabytes = fit.costs.get("training", (0.0, 0.0))
        rows.append(
            {
                "Learner": fit.subject,
                "Split": str(fit.split + 1),
                "Chosen": _settings(fit),
                "On validation": chosen[0] if chosen else None,
                "Objective": short(fit.stop.get("objective")),
                **_stop_cells(fit),
                "Temperature": short(fit.temperature, 3),
                "Tuning s": f"{sum(one.costs['tuning'][0] for one in tuned):.1f}",
                "Training s": f"{seconds:.1f}",
                "Memory MB": f"{megabytes:.0f}",
                "Warnings": "; ".join(fit.warnings),
            }
        )
    return table(f"{study.name}: what was chosen, and what it took", rows, n_names=3)


def grid_table(study: Study, fits: Sequence[Fit], name: str) -> pd.DataFrame:
    """Return every grid point of a learner, split by split."""
    own = [fit for fit in fits if fit.subject == name and not fit.part]
    tested = {fit.split: fit.parameters for fit in own if fit.step == "test"}
    rows: list[Row] = [
        {
            "Split": str(fit.split + 1),
            "Hyper-parameters": _settings(fit),
            "On validation": fit.value,
            **_stop_cells(fit),
            "": "chosen" if tested.get(fit.split) == fit.parameters else "",
        }
        for fit in own
        if fit.step == "tuning"
    ]
    title = f"{study.name}: {name}, every point of its grid, in per cent on validation pages"
    return table(title, rows, n_names=2)


def _settings(fit: Fit) -> str:
    pairs = [f"{written_name(name)} = {value}" for name, value in fit.parameters.items()]
    return ", ".join(pairs) or "defaults"


def _stop_cells(fit: Fit) -> dict[str, Cell]:
    return {
        "Gap or gradient": short(fit.stop.get("gap", fit.stop.get("gradient_norm"))),
        "Epochs": short(fit.stop.get("n_epochs", fit.stop.get("n_iterations"))),
    }


def _contrast_table(report: Report) -> pd.DataFrame:
    """Return one row for each learner in two studies that differ in one setting."""
    rows: list[Row] = [
        {
            "Learner": pair.subject,
            "First": pair.second,
            "Second": pair.first,
            "Macro F1 first": report.value(pair.second, pair.subject),
            "Macro F1 second": report.value(pair.first, pair.subject),
            **_macro_cells(pair),
            **_page_cells(pair),
        }
        for pair in (turned(pair) for pair in report.pairs if pair.kind == "studies")
    ]
    title = "One learner in two studies that differ in one setting, in per cent"
    note = "Changes are second minus first, in points; by page where both tested the same pages."
    return table(title, rows, n_names=3, notes=(note,))


def _ranking_table(ranking: Ranking) -> pd.DataFrame:
    """Return one row per subject, the best first, with Nemenyi's p-values against the others."""
    names = sorted(ranking.ranks, key=ranking.ranks.__getitem__)
    others = names if ranking.p_pairs and len(names) <= 8 else []
    rows: list[Row] = [
        {
            "Name": name,
            "Mean rank": f"{ranking.ranks[name]:.2f}",
            **{
                f"p {other}": DASH if name == other else p_value(ranking.p_pairs[name][other])
                for other in others
            },
        }
        for name in names
    ]
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
    wholes = [study for study in report.studies if study.is_whole]
    scores = {study.name: Scores.of(report, study.name) for study in report.studies}
    own = {study.name: scores[study.name] for study in wholes}
    measures = report.experiment["measures"]
    lines = [name for name in measures if name.endswith(("lines", "line", "present"))]
    presence = {f"{name} {kind}": f"{name}_{kind}" for name in lines for kind in _KINDS[:2]}
    leaves = {
        f"{kind.capitalize()} {words}": f"pooled_{leaf}_{kind}"
        for leaf, words in (("leaf-boilerplate", "boilerplate"), ("leaf", "content"))
        for kind in _KINDS
    }
    title = "Text nodes of all pages together, in per cent"  # Leonhardt et al. (2020), Table 1
    return {
        "overall": _overall_table(report, list(own.values())),
        "pairs": _reference_table(report, wholes),
        "f1": _package_scores(report, scores),
        "leaves": _source_table(title, own, leaves),
        "presence": _source_table("Lines that are present, in per cent", own, presence),
        "page classes": _class_table(report, own),
        "folds": _fold_table(report, own),
        "tokens": _token_table(report),
        **{
            f"package {study.name}": _package_table(report, study, scores[study.name])
            for study in report.studies
        },
    }


def _method_columns(report: Report) -> dict[str, str]:
    """Return the measures of F1, and precision and recall by the first, by their headers."""
    measures = report.experiment["measures"]
    columns = {f"F1 {name}": f"{name}_f1" for name in measures}
    return columns | {f"{kind.capitalize()}": f"{measures[0]}_{kind}" for kind in _KINDS[:2]}


def _method_row(report: Report, name: str, scores: Sequence[Scores]) -> Row:
    """Return the scores of a method and its time, means over one or several packages."""

    def mean(measure: str) -> float | None:
        values = [v for own in scores if (v := own.value(name, measure)) is not None]
        return fmean(values) if values else None

    main = [own.get((name, report.measure, "", "")) for own in scores]
    deviations = [one.deviation for one in main if one and one.deviation is not None]
    seconds = mean("seconds_per_kb")
    return {
        "Method": name,
        **{header: mean(measure) for header, measure in _method_columns(report).items()},
        "Deviation": fmean(deviations) if deviations else None,
        "ms per kB": short(None if seconds is None else 1_000 * seconds, 3),
    }


def _overall_table(report: Report, scores: Sequence[Scores]) -> pd.DataFrame:
    """Return one row per method, the best rank first: means over the sources as wholes."""
    names = [
        name for name in report.subjects if all(name in o.having(report.measure) for o in scores)
    ]
    ranks = next((ranking.ranks for ranking in report.rankings if not ranking.source), {})
    rows: list[Row] = []
    for name in sorted(names, key=lambda name: ranks.get(name, 0.0)):
        rank = {"Mean rank": f"{ranks[name]:.2f}"} if name in ranks else {}
        rows.append({"Method": name, **rank, **_method_row(report, name, scores)})
    note = (
        "Means over the pages of a source, then over sources. Precision, recall and deviation over "
        "pages: by the first measure. ms per kB: from the bytes of a page to the text."
    )
    best = _method_columns(report) if rows else ()
    title = f"Methods over {len(scores)} sources, in per cent"
    return table(title, rows, digits=1, highest=best, notes=(note,))


def _package_table(report: Report, study: Study, scores: Scores) -> pd.DataFrame:
    """Return one row per method, in the order of the experiment: all scores on a package."""
    rows: list[Row] = []
    for name in scores.having(report.measure):
        columns = {"Median ms": "median_milliseconds", "Failures": "n_failures"}
        more = {header: short(scores.value(name, own), 3) for header, own in columns.items()}
        rows.append({**_method_row(report, name, [scores]), **more})
    note = "A page that a method fails on counts as if nothing had been extracted."
    best = _method_columns(report) if rows else ()
    return table(f"{study.name}, in per cent", rows, digits=1, highest=best, notes=(note,))


def _package_scores(report: Report, scores: Mapping[str, Scores]) -> pd.DataFrame:
    """Return one row per package and one column per method: F1 by the first measure."""
    rows: list[Row] = [
        {
            "Package": study.name,
            "Pages": study.n_pages,
            "Sites": study.n_sites,
            "In links": percent(study.link_quota, 0),
            "Main": percent(study.main_quota, 0),
            **{name: scores[study.name].value(name, report.measure) for name in report.subjects},
        }
        for study in report.studies
    ]
    note = "In links, Main: median share of a page's text inside links, and of its main content."
    title = f"F1 of {report.experiment['measures'][0]} on every package, in per cent"
    return table(title, rows, digits=1, notes=(note,))


def _reference_table(report: Report, wholes: Sequence[Study]) -> pd.DataFrame:
    """Return one row per method and one column per source: F1 less that of the reference."""
    pairs = {(pair.first, pair.study): pair for pair in report.pairs}
    rows: list[Row] = [
        {
            "Method": name,
            **{
                study.name: percentage_points(pair.difference or 0.0, 1) + _marks(pair)
                for study in wholes
                if (pair := pairs.get((name, study.name)))
            },
        }
        for name in dict.fromkeys(pair.first for pair in report.pairs)
    ]
    reference = report.pairs[0].second if report.pairs else ""
    title = f"F1 of {report.experiment['measures'][0]} less that of {reference}, in points"
    return table(title, rows, notes=(f"{_MARKS} The correction is over the methods of a column.",))


def _source_table(
    title: str, scores: Mapping[str, Scores], columns: Mapping[str, str]
) -> pd.DataFrame:
    """Return one row for each source and method; no rows without such a score."""
    rows: list[Row] = [
        {"Source": source, "Method": name, **own.cells(name, columns)}
        for source, own in scores.items()
        for name in (own.having(next(iter(columns.values()))) if columns else ())
    ]
    return table(title, rows, n_names=2, digits=1)


def _class_table(report: Report, scores: Mapping[str, Scores]) -> pd.DataFrame:
    """Return one row for each source, method and number of pages of a class to learn from."""
    measure = report.experiment["measures"][0]
    columns = {kind.capitalize(): f"{measure}_{kind}" for kind in _KINDS}
    rows: list[Row] = []
    for one in (one for one in report.learnt if one.n_pages):
        cells: dict[str, Cell] = {}
        for part, words in (("seen", "seen"), ("unseen", "others")):
            own = scores[one.study].cells(one.subject, columns, part)
            cells |= {f"{header}, {words}": value for header, value in own.items()}
        about: dict[str, Cell] = {"Source": one.study, "Method": one.method, "Pages": one.n_pages}
        times = {
            "ms to learn": short(one.learning_milliseconds, 3),
            "ms to extract": short(one.milliseconds, 3),
        }
        rows.append({**about, "Classes": one.n_classes, **cells, "Others": one.n_unseen, **times})
    note = (
        "Seen: pages that the method learnt from, as Debnath et al. (2005) measured; others: "
        "further pages of the same classes. Milliseconds per page."
    )
    title = f"Pages of a class to learn from: {measure}, in per cent"
    return table(title, rows, n_names=2, digits=1, notes=(note,))


def _fold_table(report: Report, scores: Mapping[str, Scores]) -> pd.DataFrame:
    """Return F1 by random folds and by site, for trained methods with both."""
    ways = [", random folds", ", folds by site"]
    names = [name.removesuffix(ways[0]) for name in report.subjects if name.endswith(ways[0])]
    rows: list[Row] = []
    for name in names:
        for measure in report.experiment["measures"]:
            cells: dict[str, Cell] = {}
            for source, own in scores.items():
                first, second = (own.value(f"{name}{way}", f"{measure}_f1") for way in ways)
                if first is not None and second is not None:
                    change = percentage_points(first - second, 1)
                    cells[source] = f"{percent(first, 1)}, {percent(second, 1)} ({change})"
            rows.append({"Method": name, "Measure": measure, **cells})
    title = "F1 by random folds, by folds that keep sites whole, and their difference"
    return table(title, rows, n_names=2)


def _token_table(report: Report) -> pd.DataFrame:
    """Return the tokens of id and class that trained methods look for."""

    def text(counts: Mapping[str, int], n_models: int) -> str:
        return ", ".join(f"{token} {n}/{n_models}" for token, n in counts.items())

    header = "Tokens, with the number of models"
    rows: list[Row] = [
        {"Source": one.study, "Method": one.subject, header: text(one.tokens, one.n_classes)}
        for one in report.learnt
        if one.tokens
    ]
    return table("Tokens of id and class that trained methods look for", rows, n_names=2)
