"""What the units of a study took: time and memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from structce.corpus import Corpus, LabelledPage
from structce.experiments.config import Experiment, Variant
from structce.experiments.job import Failure, Job, ResourceUse, TestResult, Trial, WrongRegion
from structce.experiments.results import (
    Ablation,
    CandidateResult,
    CorpusRecord,
    Cost,
    FailureRecord,
    LearningPoint,
    Mistake,
    Study,
    TrainingRecord,
    WorstPage,
)
from structce.experiments.schedule import SplitRun, partial_shares
from structce.experiments.splits import StudyPlan
from structce.experiments.statistics import (
    PooledResult,
    TestPages,
    choose_reference,
    compare_all,
    compare_results,
    correct_p_values,
    estimate_power,
    measure_calibration,
    pool,
)
from structce.labels import UNKNOWN, UNKNOWN_INDEX, LabelSet
from structce.visualisation import draw_wireframe


def costs_of(study: str, benches: Sequence[SplitRun]) -> Iterator[Cost]:
    """Yield what every unit of a study took, split by split; first the features of its pages."""
    for bench in benches:
        spent = bench.columns.spent
        yield Cost(study, bench.number, "", "features", spent.seconds, spent.megabytes)
        for task, outcome in bench.outcomes:
            if isinstance(outcome, Trial):
                yield _cost(task, "tuning", outcome.spent)
            elif isinstance(outcome, TestResult):
                yield _cost(task, "training", outcome.training)
                yield _cost(task, "prediction", outcome.prediction)


def _cost(task: Job, step: str, spent: ResourceUse) -> Cost:
    return Cost(
        study=task.study,
        split=task.split,
        arm=task.arm,
        step=step,
        seconds=spent.seconds,
        megabytes=spent.megabytes,
        part=task.part or (f"{100 * task.share:g} % of the sites" if task.share < 1 else ""),
        parameters=task.parameters if step == "tuning" else {},
    )


N_WORST = 20
N_CHARACTERS = 120

Pages = Mapping[str, LabelledPage]


def worst_pages(
    arm: str, benches: Sequence[SplitRun], pages: Pages, label_set: LabelSet
) -> tuple[WorstPage, ...]:
    """Return the twenty test pages of the lowest accuracy that an arm has a mistake on.

    A page that is tested in several splits stands here once, as it came out worst.
    """
    found: dict[str, WorstPage] = {}
    for bench in benches:
        for task, outcome in bench.of(arm, "test"):
            if task.is_whole and isinstance(outcome, TestResult):
                for one in _of_split(bench, task, outcome, pages, label_set):
                    if one.page not in found or _order(one) < _order(found[one.page]):
                        found[one.page] = one
    return tuple(sorted(found.values(), key=_order)[:N_WORST])


def _order(one: WorstPage) -> tuple[float, int, str]:
    return one.accuracy, -one.n_wrong, one.page


def _of_split(
    bench: SplitRun, task: Job, tested: TestResult, pages: Pages, label_set: LabelSet
) -> Iterator[WorstPage]:
    wrong: dict[int, list[WrongRegion]] = {}
    for one in tested.wrong:
        wrong.setdefault(one.page, []).append(one)
    tests = list(bench.parts.test)
    for number, mistakes in wrong.items():
        page = pages[tests[number].id]
        gold = label_set.encode(page.labels)
        known = gold != UNKNOWN_INDEX
        n_wrong = int((gold != np.array(tested.predictions[number]))[known].sum())
        n_known = int(known.sum())
        yield WorstPage(
            arm=task.arm,
            split=bench.number,
            page=page.id,
            site=page.site,
            accuracy=1 - n_wrong / n_known,
            n_wrong=n_wrong,
            n_known=n_known,
            mistakes=tuple(_mistake(one, page, label_set) for one in mistakes),
        )


def _mistake(one: WrongRegion, page: LabelledPage, label_set: LabelSet) -> Mistake:
    return Mistake(
        region=one.region,
        text=page.page.text[one.region][:N_CHARACTERS],
        gold=label_set.names[one.gold],
        predicted=label_set.names[one.predicted],
        confidence=one.confidence,
        reasons=one.reasons,
    )


def pictures_of(
    worst: Sequence[WorstPage], benches: Sequence[SplitRun], pages: Pages, label_set: LabelSet
) -> dict[str, str]:
    """Return a drawing of each of the worst pages, by page."""
    drawn = {}
    for i, one in enumerate(worst):
        page = pages[one.page]
        predicted = [_name(k, label_set) for k in _predictions(one, benches[one.split])]
        drawn[one.page] = draw_wireframe(
            page.page, page.labels, predicted, label_set.background, id=f"worst-{i}-{one.page}"
        )
    return drawn


def _name(k: int, label_set: LabelSet) -> str:
    """Return the name of a label; where the right one is unknown a learner may give any number."""
    return label_set.names[k] if 0 <= k < len(label_set) else UNKNOWN


def _predictions(one: WorstPage, bench: SplitRun) -> tuple[int, ...]:
    number = [page.id for page in bench.parts.test].index(one.page)
    found = (
        outcome.predictions[number]
        for task, outcome in bench.of(one.arm, "test")
        if task.is_whole and isinstance(outcome, TestResult)
    )
    return next(found)


FULL_SET = "full set"
"""What a comparison calls an arm that was given all features."""


@dataclass(frozen=True)
class StudyResult:
    """A study, and what does not stand in it.

    Parameters
    ----------
    pooled
        By arm.
    pictures
        Of the worst pages, by page.
    """

    study: Study
    pooled: Mapping[str, PooledResult]
    costs: tuple[Cost, ...]
    pictures: Mapping[str, str]


def aggregate_study(
    experiment: Experiment, question: StudyPlan, benches: Sequence[SplitRun], corpus: Corpus
) -> StudyResult:
    """Return what the units of all splits of a study say together."""
    tests = TestPages.of([bench.parts.test for bench in benches])
    found = _Found(experiment, benches, tests)
    pooled = {name: one for name in found.names if (one := found.pooled(name)) is not None}
    pages = {page.id: page for page in corpus}
    best = max(pooled, key=lambda name: _value(experiment, pooled[name]), default="")
    worst = worst_pages(best, benches, pages, corpus.label_set) if best else ()
    study = Study(
        name=question.name,
        source=CorpusRecord.of(corpus, question.corpus),
        by=question.by,
        splits=tuple(bench.split for bench in benches),
        n_train=_mean_counts(benches),
        n_test=_sum_counts(benches),
        arms=tuple(found.arm(name, pooled[name]) for name in pooled),
        failures=tuple(found.failures()),
        reference=choose_reference(pooled, {arm.name: arm.learner for arm in experiment.arms}),
        pairs=compare_all(pooled, experiment.seed),
        power=estimate_power(pooled),
        ablations=tuple(found.ablations(pooled)),
        learning=tuple(found.learning(pooled)),
        worst=worst,
        page_sites=dict(sorted(zip(tests.ids, tests.sites, strict=True))),
    )
    pictures = pictures_of(worst, benches, pages, corpus.label_set)
    return StudyResult(study, pooled, tuple(costs_of(question.name, benches)), pictures)


def _value(experiment: Experiment, one: PooledResult) -> float:
    return float(getattr(one.row.scores, experiment.measure))


@dataclass(frozen=True)
class _Found:
    """The outcomes of a study, by arm, part and share."""

    experiment: Experiment
    benches: Sequence[SplitRun]
    tests: TestPages

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(arm.name for arm in self.experiment.arms)

    def tested(self, arm: str, part: str = "", share: float = 1.0) -> list[tuple[Job, TestResult]]:
        """Return what came of one kind of unit, one a split; empty if a split lacks it."""
        found = [
            (task, outcome)
            for bench in self.benches
            for task, outcome in bench.of(arm, "test")
            if (task.part, task.share) == (part, share) and isinstance(outcome, TestResult)
        ]
        return found if len(found) == len(self.benches) else []

    def pooled(self, arm: str, part: str = "", share: float = 1.0) -> PooledResult | None:
        """Return the row of one kind of unit; None if a split lacks it."""
        found = self.tested(arm, part, share)
        if not found:
            return None
        predictions = [page for _, one in found for page in one.predictions]
        trials = [self._trial(*pair) for pair in found]
        return pool(self.tests, predictions, trials, self.experiment.seed)

    def _trial(self, task: Job, tested: TestResult) -> TrainingRecord:
        points = self.benches[task.split].of(task.arm, "tune") if task.is_whole else []
        return TrainingRecord(
            split=task.split,
            parameters=task.parameters,
            points=tuple(one.point for _, one in points if isinstance(one, Trial)),
            stop=tested.stop,
            steps=tested.steps,
            warnings=tested.warnings,
            temperature=task.temperature if task.is_whole else None,
        )

    def arm(self, name: str, pooled: PooledResult) -> CandidateResult:
        found = [one for _, one in self.tested(name)]
        predictions, before, after = (
            [page for one in found for page in getattr(one, part)]
            for part in ("predictions", "before", "after")
        )
        return CandidateResult(
            name, pooled.row, measure_calibration(self.tests, predictions, before, after)
        )

    def failures(self) -> Iterator[FailureRecord]:
        for bench in self.benches:
            for task, outcome in bench.outcomes:
                if isinstance(outcome, Failure):
                    yield FailureRecord(task.arm, str(task), outcome.error)

    def ablations(self, pooled: Mapping[str, PooledResult]) -> Iterator[Ablation]:
        """Yield each arm with each part of the features; those that raised are failures."""
        for arm, full in pooled.items():
            rows = {
                variant: row
                for variant in self.experiment.variants
                if (row := self.pooled(arm, str(variant))) is not None
            }
            seed = self.experiment.seed
            pairs = [
                compare_results(row, full, (str(one), FULL_SET), seed) for one, row in rows.items()
            ]
            for (variant, row), pair in zip(rows.items(), correct_p_values(pairs), strict=True):
                counts = self._n_columns(variant)
                yield Ablation(arm, variant.kind, variant.family, counts, row.row, pair)

    def _n_columns(self, variant: Variant) -> tuple[int, ...]:
        return tuple(bench.columns.n_parts[str(variant)] for bench in self.benches)

    def learning(self, pooled: Mapping[str, PooledResult]) -> Iterator[LearningPoint]:
        """Yield each arm with each share of the training pages."""
        for arm in pooled:
            for share in partial_shares(self.experiment):
                counts = [len(bench.parts.share(share)) for bench in self.benches]
                if (row := self.pooled(arm, share=share)) is not None:
                    yield LearningPoint(arm, share, sum(counts) / len(counts), row.row)


def _mean_counts(benches: Sequence[SplitRun]) -> dict[str, float]:
    parts = [bench.parts for bench in benches]
    fitted = [(one.train.counts, one.validation.counts) for one in parts]
    names = parts[0].train.label_set.names
    return {name: sum(a[name] + b[name] for a, b in fitted) / len(parts) for name in names}


def _sum_counts(benches: Sequence[SplitRun]) -> dict[str, int]:
    counts = [bench.parts.test.counts for bench in benches]
    return {name: sum(one[name] for one in counts) for name in counts[0]}
