"""HTML page of a report on learners: what its templates show of each study, and the caveats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from markupsafe import Markup

from structce.evaluation import LabelScore
from structce.experiments.report.page import PlotDrawer, ReportPage, render_page
from structce.experiments.report.plots.scores import (
    ablation_plot,
    contrast_plot,
    interval_plot,
    label_plot,
    pair_plot,
    rank_plot,
    reliability_plot,
)
from structce.experiments.report.plots.training import (
    convergence_plot,
    cost_plot,
    learning_plot,
    parameter_plot,
    tuned_parameters,
)
from structce.experiments.report.tables.base import DASH, percent
from structce.experiments.report.tables.scores import (
    failed_jobs,
    failures_by_kind,
    label_notes,
    learner_table,
    power_note,
)
from structce.experiments.report.tables.studies import (
    ablation_notes,
    contrast_table,
    grid_table,
    ranking_table,
    study_table,
)
from structce.experiments.report.text import report_findings, site_caveat, source_line, study_tables
from structce.experiments.results import CandidateResult, Mistake, Report, Study, WorstPage
from structce.visualisation import comparison_css, comparison_legend

_SECTION_TITLES = {
    "learners": "Which learner is best",
    "pairs": "Is the difference more than chance?",
    "labels": "Which learner finds which region",
    "each": "Each learner, label by label",
    "learning": "What more training pages would bring",
    "families": "What each family of features contributes",
    "tuning": "How the learners were tuned",
    "confidence": "How far confidence can be believed",
    "costs": "Time against accuracy",
    "worst": "The worst pages",
    "failures": "What failed",
}
"""Titles of the sections of a study, in their order."""

_ShadedRows = list[tuple[str, list[tuple[str, float, bool]]]]
"""Rows of a shaded table, each a name and its cells: text, strength of the colour in [0, 1], and
whether it is the colour of right labels or that of wrong ones."""


def learner_page(
    report: Report, pictures: Mapping[tuple[str, str], str] | None = None
) -> ReportPage:
    """Draw a report on learners as an HTML page.

    Pictures by study and page are safe mark-up, such as a drawing by
    :func:`structce.visualisation.draw_comparison`, and inserted as it is. All else is escaped.
    """
    drawer = PlotDrawer()
    studies = [
        _study_values(report, study, f"study-{number}", pictures or {}, drawer)
        for number, study in enumerate(report.studies, start=1)
    ]
    return render_page(
        "learners.html",
        report,
        report_findings(report),
        caveats(report),
        drawer,
        style=comparison_css(),
        studies=studies,
        across=_cross_study_values(report, drawer),
        features_note=features_note(report),
        source_line=source_line,
    )


def _cross_study_values(report: Report, drawer: PlotDrawer) -> dict[str, object]:
    """Return what the page shows of several studies together; nothing if there is nothing."""
    if not (len(report.studies) > 1 or report.contrasts or report.rankings):
        return {}
    return {
        "studies": study_table(report),
        "contrasts": contrast_table(report),
        "contrast_plots": drawer.draw_each(contrast_plot, [(report.contrasts,)]),
        "rankings": [
            (ranking_table(ranking), drawer.draw(rank_plot, ranking)) for ranking in report.rankings
        ],
    }


def _study_values(
    report: Report,
    study: Study,
    id: str,
    pictures: Mapping[tuple[str, str], str],
    drawer: PlotDrawer,
) -> dict[str, object]:
    """Return what the page shows of a study; ``id`` begins the ids of its sections."""
    tables = {"learners": learner_table(study), **study_tables(study, report)}
    ablated = [
        candidate for candidate in study.candidates if f"ablation-{candidate.name}" in tables
    ]
    plots = {
        "learners": drawer.draw(interval_plot, study),
        "pairs": drawer.draw(pair_plot, study),
        "labels": drawer.draw(label_plot, study),
        "learning": drawer.draw(learning_plot, study),
        "tuning": drawer.draw(convergence_plot, study),
        "costs": drawer.draw(cost_plot, report, study),
    }
    measure = report.experiment.measure
    tuned = [(study, *names, measure) for names in tuned_parameters(study)]
    curves = drawer.draw_each(parameter_plot, tuned)
    shown = {
        "learners": True,
        "pairs": study.pairs,
        "labels": study.candidates,
        "each": study.candidates,
        "learning": "learning" in tables,
        "families": ablated,
        "tuning": "tuning" in tables,
        "confidence": "calibration" in tables,
        "costs": plots["costs"],
        "worst": study.worst,
        "failures": "failures" in tables,
    }
    worst = [
        (page, mistakes_by_kind(page), Markup(pictures.get((study.name, page.page), "")))
        for page in study.worst
    ]
    legend = comparison_legend([n for n in study.source.counts if n != study.source.background])
    return {
        "id": id,
        "study": study,
        "sections": [
            (key, f"{id}-{key}", title) for key, title in _SECTION_TITLES.items() if shown[key]
        ],
        "tables": tables,
        "plots": plots,
        "curves": curves,
        "reliability": drawer.draw_each(
            reliability_plot, [(candidate, study.name) for candidate in study.candidates]
        ),
        "ablations": [tables[f"ablation-{candidate.name}"] for candidate in ablated],
        "ablation_plots": drawer.draw_each(
            ablation_plot, [(study, candidate.name) for candidate in ablated]
        ),
        "ablation_notes": ablation_notes(study),
        "label_notes": label_notes(study),
        "power": power_note(study),
        "f1_cells": _f1_cells(study),
        "candidates": [
            {
                "name": candidate.name,
                "labels": tables[f"labels-{candidate.name}"],
                "confusion": _confusion_cells(study, candidate),
                "grid": grid_table(study, candidate),
            }
            for candidate in study.candidates
        ],
        "pages": worst,
        "legend": Markup(legend if any(picture for _, _, picture in worst) else ""),
    }


def mistakes_by_kind(page: WorstPage) -> list[list[Mistake]]:
    """Return the mistakes of a page by right and predicted label, the most frequent kind first."""
    groups: dict[tuple[str, str], list[Mistake]] = {}
    for mistake in page.mistakes:
        groups.setdefault((mistake.gold, mistake.predicted), []).append(mistake)
    return sorted(groups.values(), key=len, reverse=True)


def _f1_cells(study: Study) -> _ShadedRows:
    """Return the F1 of each label by learner; shades are cubed, to separate good from better."""

    def cell(label: LabelScore) -> tuple[str, float, bool]:
        f1 = label.measures.f1
        return (percent(f1), f1**3, True) if label.occurs else (DASH, 0.0, True)

    return [
        (name, [cell(candidate.row.scores.labels[i]) for candidate in study.candidates])
        for i, name in enumerate(study.n_test)
    ]


def _confusion_cells(study: Study, candidate: CandidateResult) -> _ShadedRows:
    """Return a confusion matrix, each cell shaded by its share of the gold label's regions.

    Cells without regions are empty.
    """
    rows: _ShadedRows = []
    for name, counts in zip(study.n_test, candidate.row.confusion, strict=True):
        cells = [(str(n), n / sum(counts)) if n else ("", 0.0) for n in counts]
        rows.append((name, [(*cell, j == len(rows)) for j, cell in enumerate(cells)]))
    return rows


def caveats(report: Report) -> tuple[str, ...]:
    """Return the limits of the results, each once.

    Those that apply only to some studies begin with the names of these.
    """
    studies_of: dict[str, list[str]] = {}
    for study in report.studies:
        for caveat in _study_caveats(study):
            studies_of.setdefault(caveat, []).append(study.name)
    limits = [
        caveat if len(names) == len(report.studies) else f"{', '.join(names)}: {caveat}"
        for caveat, names in studies_of.items()
    ]
    if report.experiment.feature_set().needs_sites:
        limits.append(
            "What the pages of a site have in common was counted over all of them, without looking "
            "at labels."
        )
    return (
        *limits,
        "Tests over pages assume independent pages; those of one site are not.",
        "Pages without regions of known label count in no page-wise comparison.",
    )


def features_note(report: Report) -> str:
    """Return in words which features the experiment used, and how their columns were chosen."""
    experiment = report.experiment
    least = experiment.min_pages
    pages = f", or on fewer than {least} pages," if least > 1 else ""
    choice = (
        ("of the families ", experiment.families),
        ("besides " if experiment.families else "", experiment.include),
        ("without ", experiment.exclude),
    )
    features = ", ".join(start + ", ".join(names) for start, names in choice if names)
    return (
        f"Features {features}; columns set in fewer than {experiment.min_count} regions"
        f"{pages} of the training part were left out. Columns come from training pages alone, "
        "hyper-parameters and temperatures from validation pages, and each model saw its test "
        "pages once."
    )


def _study_caveats(study: Study) -> Iterator[str]:
    left_out: dict[tuple[str, ...], list[str]] = {}
    for candidate in study.candidates:
        left_out.setdefault(candidate.row.scores.left_out, []).append(candidate.name)
    for labels, candidates in left_out.items():
        if labels:
            yield (
                f"In no macro average of {', '.join(candidates)}, as gold does not have them: "
                f"{', '.join(labels)}."
            )
    if silent := [learner.name for learner in study.candidates if learner.calibration is None]:
        yield f"The confidence of {', '.join(silent)} is not known."
    for jobs in failures_by_kind(study.failures):
        yield f"{failed_jobs(jobs)} failed; what depends on it has no numbers."
    if study.power and study.power.is_small:
        yield "The test pages are too few, or too unlike, to show a difference of a point."
    if len(study.splits) == 1:
        yield "One split: another seed gives other numbers. Folds test every page."
    if study.by == "page":
        yield "Pages of one site are on both sides of the split, which flatters every learner."
    if study.source.is_invented:
        yield "The pages are invented, and more alike than published ones."
    if n := study.n_unknown_features:
        yield f"{n} features need layout, which the {study.source.renderer} renderer does not give."
    if said := site_caveat(study.source):
        yield said
    if n := study.source.n_unknown:
        yield f"{n:,} regions of unknown label are in no score, and nothing was learnt from them."
    if n := study.source.n_several:
        yield f"Gold of {n:,} regions is a set of labels; any counts as right."
