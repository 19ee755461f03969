"""What the page shows of one study, taken together for its template."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from structce.experiments.finding.report import Report, Study
from structce.experiments.finding.rows import ArmResult
from structce.experiments.finding.trials import WorstPage
from structce.experiments.telling.html.drawn import Drawn, those
from structce.experiments.telling.html.shading import (
    Shaded,
    best_of_columns,
    confusion_cells,
    heat,
)
from structce.experiments.telling.plots import (
    Figure,
    ablation_plot,
    convergence,
    cost_plot,
    interval_plot,
    label_plot,
    learning_curve,
    pair_plot,
    parameter_curve,
    reliability_plot,
    tuned_parameters,
)
from structce.experiments.telling.tables import (
    Table,
    ablation_notes,
    ablation_table,
    calibration_table,
    failure_table,
    grid_table,
    interval_table,
    label_notes,
    label_table,
    learner_table,
    learning_table,
    pair_table,
    power_note,
    tuning_table,
)
from structce.experiments.telling.wireframes import legend

TITLES = {
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
"""Sections of a study in their order, and what the page calls them."""


@dataclass(frozen=True)
class ArmView:
    """One learner: Table 3, its confusion matrix, every point of its grid."""

    name: str
    labels: Table
    confusion: Shaded
    grid: Table


@dataclass(frozen=True)
class PageView:
    """A page that came out badly, and how it looks with its labels, if that is known."""

    worst: WorstPage
    picture: Markup | None


@dataclass(frozen=True)
class StudyView:
    """A study as its template needs it.

    Parameters
    ----------
    id
        Begins the names of its places on the page.
    best
        Of each column of Table 2 the highest number.
    tables, plots
        By section; those without rows, and those that cannot be drawn, are there as well.
    curves, reliability, ablation_plots
        Where a section has several plots.
    legend
        Of the pictures of pages; empty without any.
    """

    id: str
    study: Study
    best: tuple[str, ...]
    intervals: Table
    tables: Mapping[str, Table]
    plots: Mapping[str, Figure | None]
    curves: tuple[Figure, ...]
    reliability: tuple[Figure, ...]
    ablations: tuple[Table, ...]
    ablation_plots: tuple[Figure, ...]
    ablation_notes: tuple[str, ...]
    label_notes: tuple[str, ...]
    power: str
    heat: Shaded
    arms: tuple[ArmView, ...]
    pages: tuple[PageView, ...]
    legend: Markup

    @property
    def sections(self) -> tuple[tuple[str, str, str], ...]:
        """Key, place and title of each section that has something to show."""
        shown = {
            "learners": True,
            "pairs": bool(self.study.pairs),
            "labels": bool(self.arms),
            "each": bool(self.arms),
            "learning": bool(self.tables["learning"].rows),
            "families": bool(self.ablations),
            "tuning": bool(self.tables["tuning"].rows),
            "confidence": bool(self.tables["confidence"].rows),
            "costs": self.plots["costs"] is not None,
            "worst": bool(self.pages),
            "failures": bool(self.tables["failures"].rows),
        }
        return tuple((key, f"{self.id}-{key}", TITLES[key]) for key in TITLES if shown[key])


def study_view(
    report: Report,
    study: Study,
    id: str,
    pictures: Mapping[tuple[str, str], str],
    drawn: Drawn,
) -> StudyView:
    """Return what the page shows of a study; see :func:`...html.page.render_html`."""
    tables = {
        "learners": learner_table(study),
        "pairs": pair_table(study),
        "learning": learning_table(study),
        "tuning": tuning_table(study, report.costs),
        "confidence": calibration_table(study),
        "failures": failure_table(study),
    }
    ablated = [arm for arm in study.arms if ablation_table(study, arm).rows]
    pages = tuple(_page_view(study, one, pictures) for one in study.worst)
    return StudyView(
        id=id,
        study=study,
        best=best_of_columns(tables["learners"]),
        intervals=interval_table(study),
        tables=tables,
        plots=_plots(report, study, drawn),
        curves=_curves(report, study, drawn),
        reliability=those(drawn.one(reliability_plot, arm) for arm in study.arms),
        ablations=tuple(ablation_table(study, arm) for arm in ablated),
        ablation_plots=those(drawn.one(ablation_plot, study, arm.name) for arm in ablated),
        ablation_notes=ablation_notes(study),
        label_notes=label_notes(study),
        power=power_note(study),
        heat=heat(study),
        arms=tuple(_arm_view(study, arm) for arm in study.arms),
        pages=pages,
        legend=_legend(study, pages),
    )


def _plots(report: Report, study: Study, drawn: Drawn) -> Mapping[str, Figure | None]:
    return {
        "learners": drawn.one(interval_plot, study),
        "pairs": drawn.one(pair_plot, study),
        "labels": drawn.one(label_plot, study),
        "learning": drawn.one(learning_curve, study),
        "tuning": drawn.one(convergence, study),
        "costs": drawn.one(cost_plot, report, study),
    }


def _curves(report: Report, study: Study, drawn: Drawn) -> tuple[Figure, ...]:
    """Return the curves of hyper-parameters, such as macro F1 by the context of a greedy SVM."""
    return those(
        drawn.one(parameter_curve, study, arm, parameter, report.experiment.measure)
        for arm, parameter in tuned_parameters(study)
    )


def _arm_view(study: Study, arm: ArmResult) -> ArmView:
    return ArmView(
        arm.name, label_table(study, arm), confusion_cells(study, arm), grid_table(study, arm)
    )


def _page_view(study: Study, worst: WorstPage, pictures: Mapping[tuple[str, str], str]) -> PageView:
    picture = pictures.get((study.name, worst.page))
    return PageView(worst, None if picture is None else Markup(picture))


def _legend(study: Study, pages: Sequence[PageView]) -> Markup:
    if not any(one.picture for one in pages):
        return Markup()
    names = [name for name in study.source.counts if name != study.source.background]
    return Markup(legend(names))
