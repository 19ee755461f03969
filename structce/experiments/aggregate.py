"""Aggregation of a study: from the outcomes of its splits to scores, comparisons, predictions."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from structce.corpus import Corpus, LabelledPage
from structce.evaluation import is_wrong
from structce.experiments.config import Experiment
from structce.experiments.job import Failure, Job, ResourceUse, TestResult, Trial
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
from structce.experiments.significance import corrected
from structce.experiments.splits import StudyPlan
from structce.experiments.statistics import (
    PooledResult,
    TestPages,
    choose_reference,
    compare_all,
    compare_results,
    estimate_power,
    measure_calibration,
    pool,
)
from structce.features import FeatureSet
from structce.labels import UNKNOWN, UNKNOWN_INDEX, LabelSet
from structce.visualisation import draw_comparison

_FULL_SET = "full set"
"""Name of a candidate with all features in its comparison with a subset of them."""

_N_WORST = 20
_N_CHARACTERS = 120


@dataclass(frozen=True)
class StudyResult:
    """A study, with results that its record does not contain.

    Pooled results are by candidate, pictures of the worst pages by page.
    """

    study: Study
    pooled: Mapping[str, PooledResult]
    costs: tuple[Cost, ...]
    pictures: Mapping[str, str]
    predictions: str


def aggregate_study(
    experiment: Experiment, plan: StudyPlan, splits: Sequence[SplitRun], corpus: Corpus
) -> StudyResult:
    """Return the results of a study from the outcomes of all its splits."""
    tests = TestPages.of([split.pages.test for split in splits])
    outcomes = _Outcomes(experiment, splits, tests)
    names = [candidate.name for candidate in experiment.candidates]
    pooled = {name: result for name in names if (result := outcomes.pooled(name)) is not None}
    scores = {
        name: getattr(result.row.scores, experiment.measure) for name, result in pooled.items()
    }
    best = max(scores, key=scores.__getitem__, default="")
    pages, label_set = {page.id: page for page in corpus}, corpus.label_set
    worst = worst_pages(splits, best, pages, label_set) if best else ()
    fitted = [split.pages.train for split in splits]
    fitted += [split.pages.validation for split in splits] if experiment.refit else []
    study = Study(
        name=plan.name,
        source=CorpusRecord.of(corpus, plan.corpus),
        by=plan.by,
        splits=tuple(split.record for split in splits),
        n_train={name: n / len(splits) for name, n in _sum_counts(fitted).items()},
        n_test=_sum_counts([split.pages.test for split in splits]),
        candidates=tuple(outcomes.candidate(name, pooled[name]) for name in pooled),
        failures=tuple(
            FailureRecord(job.candidate, str(job), outcome.error)
            for split in splits
            for job, outcome in split.outcomes
            if isinstance(outcome, Failure)
        ),
        reference=choose_reference(
            pooled, {candidate.name: candidate.learner for candidate in experiment.candidates}
        ),
        pairs=compare_all(pooled, experiment.seed),
        power=estimate_power(pooled),
        ablations=tuple(outcomes.ablations(pooled)),
        learning=tuple(outcomes.learning_curve(pooled)),
        worst=worst,
        page_sites=dict(sorted(zip(tests.ids, tests.sites, strict=True))),
        n_unknown_features=count_unknown(experiment.feature_set(plan.preset), corpus),
    )
    return StudyResult(
        study=study,
        pooled=pooled,
        costs=tuple(_costs(plan.name, splits)),
        pictures=draw_worst(splits, worst, pages, label_set),
        predictions=prediction_table(splits, names, label_set),
    )


def count_unknown(features: FeatureSet, corpus: Corpus) -> int:
    """Return the number of features that need layout, if no page of the corpus has any."""
    has_layout = any(page.page.has_layout for page in corpus)
    return 0 if has_layout else len(features.needing_layout)


def _sum_counts(parts: Sequence[Corpus]) -> dict[str, int]:
    """Return the number of regions of each label in all parts together."""
    counts = [part.counts for part in parts]
    return {name: sum(count[name] for count in counts) for name in counts[0]}


@dataclass(frozen=True)
class _Outcomes:
    """The outcomes of a study, by candidate, part of the features and share of the pages."""

    experiment: Experiment
    splits: Sequence[SplitRun]
    tests: TestPages

    def tested(self, name: str, part: str = "", share: float = 1.0) -> list[tuple[Job, TestResult]]:
        """Return the tests of one kind, one per split; empty if a split lacks it."""
        tests = [
            (job, result)
            for split in self.splits
            for job, result in split.finished(name, TestResult)
            if (job.part, job.share) == (part, share)
        ]
        return tests if len(tests) == len(self.splits) else []

    def pooled(self, name: str, part: str = "", share: float = 1.0) -> PooledResult | None:
        """Return the pooled scores of the tests of one kind; None if a split lacks it."""
        tests = self.tested(name, part, share)
        if not tests:
            return None
        predictions = [page for _, result in tests for page in result.predictions]
        trials = [self._training(*pair) for pair in tests]
        return pool(self.tests, predictions, trials, self.experiment.seed)

    def _training(self, job: Job, result: TestResult) -> TrainingRecord:
        trials = self.splits[job.split].finished(job.candidate, Trial) if job.is_whole else ()
        return TrainingRecord(
            split=job.split,
            parameters=job.parameters,
            points=tuple(trial.point for _, trial in trials),
            stop=result.stop,
            steps=result.steps,
            warnings=result.warnings,
            temperature=job.temperature if job.is_whole else None,
        )

    def candidate(self, name: str, pooled: PooledResult) -> CandidateResult:
        """Return the scores of a candidate, and how well its confidence matches its accuracy."""
        results = [result for _, result in self.tested(name)]
        calibration = measure_calibration(
            self.tests,
            [page for result in results for page in result.predictions],
            [page for result in results for page in result.before],
            [page for result in results for page in result.after],
        )
        return CandidateResult(name, pooled.row, calibration)

    def ablations(self, pooled: Mapping[str, PooledResult]) -> Iterator[Ablation]:
        """Yield each candidate with each part of the features; those that raised are failures."""
        seed = self.experiment.seed
        for name, full in pooled.items():
            rows = {
                variant: row
                for variant in self.experiment.variants
                if (row := self.pooled(name, str(variant))) is not None
            }
            pairs = corrected(
                [compare_results(row, full, (str(v), _FULL_SET), seed) for v, row in rows.items()]
            )
            for (variant, row), pair in zip(rows.items(), pairs, strict=True):
                counts = tuple(split.columns.n_parts[str(variant)] for split in self.splits)
                yield Ablation(name, variant.kind, variant.family, counts, row.row, pair)

    def learning_curve(self, pooled: Mapping[str, PooledResult]) -> Iterator[LearningPoint]:
        """Yield each candidate with each share of the training pages."""
        refit = self.experiment.refit
        for name in pooled:
            for share in partial_shares(self.experiment):
                counts = [len(split.pages.share(share, refit=refit)) for split in self.splits]
                if (row := self.pooled(name, share=share)) is not None:
                    yield LearningPoint(name, share, sum(counts) / len(counts), row.row)


def worst_pages(
    splits: Sequence[SplitRun], name: str, pages: Mapping[str, LabelledPage], label_set: LabelSet
) -> tuple[WorstPage, ...]:
    """Return the test pages of the lowest accuracy on which a candidate has a mistake.

    A page that is tested in several splits is listed once, with its worst result.
    """
    tested = [page for split in splits for page in _wrong_pages(split, name, pages, label_set)]
    worst: dict[str, WorstPage] = {}
    for page in sorted(tested, key=lambda page: (page.accuracy, -page.n_wrong, page.page)):
        worst.setdefault(page.page, page)
    return tuple(worst.values())[:_N_WORST]


def _wrong_pages(
    split: SplitRun, name: str, pages: Mapping[str, LabelledPage], label_set: LabelSet
) -> Iterator[WorstPage]:
    (result,) = _whole_tests(split, name)
    tests = list(split.pages.test)
    for number, wrong in groupby(result.wrong, key=lambda region: region.page):
        page = pages[tests[number].id]
        gold = label_set.encode(page.labels)
        n_wrong = int(is_wrong(gold, np.array(result.predictions[number])).sum())
        n_known = int((gold != UNKNOWN_INDEX).sum())
        mistakes = tuple(
            Mistake(
                region=region.region,
                text=page.page.text[region.region][:_N_CHARACTERS],
                gold=label_set.names[region.gold],
                predicted=label_set.names[region.predicted],
                confidence=region.confidence,
                reasons=region.reasons,
            )
            for region in wrong
        )
        accuracy = 1 - n_wrong / n_known
        place = name, split.number, page.id, page.site
        yield WorstPage(*place, accuracy, n_wrong, n_known, mistakes)


def draw_worst(
    splits: Sequence[SplitRun],
    worst: Sequence[WorstPage],
    pages: Mapping[str, LabelledPage],
    label_set: LabelSet,
) -> dict[str, str]:
    """Return a drawing of each page, right and predicted labels side by side, by page."""
    drawings = {}
    for place in worst:
        page, split = pages[place.page], splits[place.split]
        number = [page.id for page in split.pages.test].index(place.page)
        (result,) = _whole_tests(split, place.candidate)
        predicted = [_name_of(k, label_set) for k in result.predictions[number]]
        drawings[place.page] = draw_comparison(
            page.page, page.labels, predicted, label_set.background
        )
    return drawings


def _whole_tests(split: SplitRun, name: str) -> list[TestResult]:
    """Return the test of a candidate with all features and pages; empty if it failed."""
    return [result for job, result in split.finished(name, TestResult) if job.is_whole]


def _name_of(index: int, label_set: LabelSet) -> str:
    """Return a predicted label; where the right one is unknown, a learner may predict any index."""
    return label_set.names[index] if 0 <= index < len(label_set) else UNKNOWN


def _costs(study: str, splits: Sequence[SplitRun]) -> Iterator[Cost]:
    """Yield the cost of every job of a study, split by split; first that of encoding its pages."""
    for split in splits:
        spent = split.columns.spent
        yield Cost(study, split.number, "", "features", spent.seconds, spent.megabytes)
        for job, outcome in split.outcomes:
            place = job.study, job.split, job.candidate
            steps: dict[str, ResourceUse] = {}
            if isinstance(outcome, Trial):
                steps = {"tuning": outcome.spent}
            elif isinstance(outcome, TestResult):
                steps = {"training": outcome.training, "prediction": outcome.prediction}
            for step, spent in steps.items():
                tried = job.parameters if step == "tuning" else {}
                yield Cost(*place, step, spent.seconds, spent.megabytes, job.subset, tried)


_PLACE = ("split", "page", "site", "region", "gold")
"""Headers of the columns before those of the learners."""


def prediction_table(
    splits: Sequence[SplitRun], learners: Sequence[str], label_set: LabelSet
) -> str:
    """Return one row for each region of a test page, separated by tabs.

    Splits are counted from 1, regions from 0, and confidences are those after calibration. A cell
    is empty where the gold label is unknown, a learner gives no confidence, or its test failed.
    """
    text = io.StringIO()
    writer = csv.writer(text, "excel-tab", lineterminator="\n")
    confidences = (f"{name} confidence" for name in learners)
    pairs = zip(learners, confidences, strict=True)
    writer.writerow([*_PLACE, *(header for pair in pairs for header in pair)])
    for split in splits:
        tests = [_whole_tests(split, learner) for learner in learners]
        for number, page in enumerate(split.pages.test):
            for region, gold in enumerate(page.labels):
                row = [split.number + 1, page.id, page.site, region]
                row.append("" if gold == UNKNOWN else gold)
                for test in tests:
                    row += _prediction_cells(test, number, region, label_set)
                writer.writerow(row)
    return text.getvalue()


def _prediction_cells(
    test: Sequence[TestResult], page: int, region: int, label_set: LabelSet
) -> tuple[str, str]:
    """Return the predicted label of a region and its confidence, empty without a prediction."""
    if not test:
        return "", ""
    (result,) = test
    confidence = f"{result.after[page][region]:.4f}" if result.after else ""
    return _name_of(result.predictions[page][region], label_set), confidence
