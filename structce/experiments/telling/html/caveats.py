"""What a reader of a report should keep in mind."""

from __future__ import annotations

from collections.abc import Iterator

from structce.experiments.asking.spec import Experiment
from structce.experiments.finding.report import Report, Study


def caveats(report: Report) -> tuple[str, ...]:
    """Return what was left out and what else bounds the results, each once.

    What holds for some studies alone begins with their names.
    """
    studies_of: dict[str, list[str]] = {}
    for study in report.studies:
        for said in _of_study(study):
            studies_of.setdefault(said, []).append(study.name)
    found = [
        said if len(names) == len(report.studies) else f"{', '.join(names)}: {said}"
        for said, names in studies_of.items()
    ]
    return (*found, *_of_experiment(report))


def features_note(report: Report) -> str:
    """Return which features the experiment took, and what their columns come from."""
    experiment = report.experiment
    least = experiment.min_pages
    pages = f", or on fewer than {least} pages," if least > 1 else ""
    return (
        f"{_chosen(experiment)}; columns set in fewer than {experiment.min_count} regions{pages} "
        "of the training part were left out. Columns come from training pages alone, "
        "hyper-parameters and temperatures from validation pages, and each model saw its test "
        "pages once."
    )


def _of_study(study: Study) -> Iterator[str]:
    left_out: dict[tuple[str, ...], list[str]] = {}
    for arm in study.arms:
        left_out.setdefault(arm.row.scores.left_out, []).append(arm.name)
    for labels, arms in left_out.items():
        if labels:
            yield (
                f"In no average of {', '.join(arms)}, as neither gold nor predicted: "
                f"{', '.join(labels)}."
            )
    if silent := [arm.name for arm in study.arms if arm.calibration is None]:
        yield f"How sure they are is not known of {', '.join(silent)}."
    for one in study.failures:
        yield f"{one.unit} failed; what hangs on it has no numbers."
    if study.power and study.power.is_small:
        yield "The test pages are too few, or too unlike, to show a difference of a point."
    if len(study.splits) == 1:
        yield "One split: another seed gives other numbers. Folds test every page."
    if study.by == "page":
        yield "Pages of one site stand on both sides of the split, which flatters every learner."
    if study.source.n_unknown:
        n = study.source.n_unknown
        yield f"{n:,} regions of unknown label are in no score, and nothing was learnt from them."


def _of_experiment(report: Report) -> Iterator[str]:
    if report.experiment.feature_set().needs_sites:
        yield (
            "What the pages of a site have in common was counted over all of them, without looking "
            "at labels."
        )
    yield "Tests over pages take pages for independent; pages of one site are not."
    yield "Pages without regions of known label count in no page-wise comparison."


def _chosen(experiment: Experiment) -> str:
    """Return which features an experiment took, in words."""
    parts = (
        ("of the families ", experiment.families),
        ("besides " if experiment.families else "", experiment.include),
        ("without ", experiment.exclude),
    )
    return f"Features {', '.join(start + ', '.join(names) for start, names in parts if names)}"
