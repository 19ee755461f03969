"""From the outcomes of all units to a study."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from structce.corpus import Corpus
from structce.experiments.asking.families import Variant
from structce.experiments.asking.spec import Experiment
from structce.experiments.finding.inputs import Source
from structce.experiments.finding.pairs import all_pairs, compare, corrected, power, reference
from structce.experiments.finding.pooling import Pooled, Tests, calibration, pool
from structce.experiments.finding.report import Cost, Study
from structce.experiments.finding.rows import Ablation, ArmResult, Failure, LearningPoint
from structce.experiments.finding.trials import Trial
from structce.experiments.running.bench import Bench
from structce.experiments.running.costs import costs_of
from structce.experiments.running.studies import Question
from structce.experiments.running.units import Raised, Task, Tested, Tuned
from structce.experiments.running.work import partial_shares
from structce.experiments.running.worst import pictures_of, worst_pages

FULL_SET = "full set"
"""What a comparison calls an arm that was given all features."""


@dataclass(frozen=True)
class Judged:
    """A study, and what does not stand in it.

    Parameters
    ----------
    pooled
        By arm.
    pictures
        Of the worst pages, by page.
    """

    study: Study
    pooled: Mapping[str, Pooled]
    costs: tuple[Cost, ...]
    pictures: Mapping[str, str]


def judge(
    experiment: Experiment, question: Question, benches: Sequence[Bench], corpus: Corpus
) -> Judged:
    """Return what the units of all splits of a study say together."""
    tests = Tests.of([bench.parts.test for bench in benches])
    found = _Found(experiment, benches, tests)
    pooled = {name: one for name in found.names if (one := found.pooled(name)) is not None}
    pages = {page.id: page for page in corpus}
    best = max(pooled, key=lambda name: _value(experiment, pooled[name]), default="")
    worst = worst_pages(best, benches, pages, corpus.label_set) if best else ()
    study = Study(
        name=question.name,
        source=Source.of(corpus, question.corpus),
        by=question.by,
        splits=tuple(bench.split for bench in benches),
        n_train=_mean_counts(benches),
        n_test=_sum_counts(benches),
        arms=tuple(found.arm(name, pooled[name]) for name in pooled),
        failures=tuple(found.failures()),
        reference=reference(pooled, {arm.name: arm.learner for arm in experiment.arms}),
        pairs=all_pairs(pooled, experiment.seed),
        power=power(pooled),
        ablations=tuple(found.ablations(pooled)),
        learning=tuple(found.learning(pooled)),
        worst=worst,
        page_sites=dict(sorted(zip(tests.ids, tests.sites, strict=True))),
    )
    pictures = pictures_of(worst, benches, pages, corpus.label_set)
    return Judged(study, pooled, tuple(costs_of(question.name, benches)), pictures)


def _value(experiment: Experiment, one: Pooled) -> float:
    return float(getattr(one.row.scores, experiment.measure))


@dataclass(frozen=True)
class _Found:
    """The outcomes of a study, by arm, part and share."""

    experiment: Experiment
    benches: Sequence[Bench]
    tests: Tests

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(arm.name for arm in self.experiment.arms)

    def tested(self, arm: str, part: str = "", share: float = 1.0) -> list[tuple[Task, Tested]]:
        """Return what came of one kind of unit, one a split; empty if a split lacks it."""
        found = [
            (task, outcome)
            for bench in self.benches
            for task, outcome in bench.of(arm, "test")
            if (task.part, task.share) == (part, share) and isinstance(outcome, Tested)
        ]
        return found if len(found) == len(self.benches) else []

    def pooled(self, arm: str, part: str = "", share: float = 1.0) -> Pooled | None:
        """Return the row of one kind of unit; None if a split lacks it."""
        found = self.tested(arm, part, share)
        if not found:
            return None
        predictions = [page for _, one in found for page in one.predictions]
        trials = [self._trial(*pair) for pair in found]
        return pool(self.tests, predictions, trials, self.experiment.seed)

    def _trial(self, task: Task, tested: Tested) -> Trial:
        points = self.benches[task.split].of(task.arm, "tune") if task.is_whole else []
        return Trial(
            split=task.split,
            parameters=task.parameters,
            points=tuple(one.point for _, one in points if isinstance(one, Tuned)),
            stop=tested.stop,
            steps=tested.steps,
            warnings=tested.warnings,
            temperature=task.temperature if task.is_whole else None,
        )

    def arm(self, name: str, pooled: Pooled) -> ArmResult:
        found = [one for _, one in self.tested(name)]
        predictions, before, after = (
            [page for one in found for page in getattr(one, part)]
            for part in ("predictions", "before", "after")
        )
        return ArmResult(name, pooled.row, calibration(self.tests, predictions, before, after))

    def failures(self) -> Iterator[Failure]:
        for bench in self.benches:
            for task, outcome in bench.outcomes:
                if isinstance(outcome, Raised):
                    yield Failure(task.arm, str(task), outcome.error)

    def ablations(self, pooled: Mapping[str, Pooled]) -> Iterator[Ablation]:
        """Yield each arm with each part of the features; those that raised are failures."""
        for arm, full in pooled.items():
            rows = {
                variant: row
                for variant in self.experiment.variants
                if (row := self.pooled(arm, str(variant))) is not None
            }
            seed = self.experiment.seed
            pairs = [compare(row, full, (str(one), FULL_SET), seed) for one, row in rows.items()]
            for (variant, row), pair in zip(rows.items(), corrected(pairs), strict=True):
                counts = self._n_columns(variant)
                yield Ablation(arm, variant.kind, variant.family, counts, row.row, pair)

    def _n_columns(self, variant: Variant) -> tuple[int, ...]:
        return tuple(bench.columns.n_parts[str(variant)] for bench in self.benches)

    def learning(self, pooled: Mapping[str, Pooled]) -> Iterator[LearningPoint]:
        """Yield each arm with each share of the training pages."""
        for arm in pooled:
            for share in partial_shares(self.experiment):
                counts = [len(bench.parts.share(share)) for bench in self.benches]
                if (row := self.pooled(arm, share=share)) is not None:
                    yield LearningPoint(arm, share, sum(counts) / len(counts), row.row)


def _mean_counts(benches: Sequence[Bench]) -> dict[str, float]:
    parts = [bench.parts for bench in benches]
    fitted = [(one.train.counts, one.validation.counts) for one in parts]
    names = parts[0].train.label_set.names
    return {name: sum(a[name] + b[name] for a, b in fitted) / len(parts) for name in names}


def _sum_counts(benches: Sequence[Bench]) -> dict[str, int]:
    counts = [bench.parts.test.counts for bench in benches]
    return {name: sum(one[name] for one in counts) for name in counts[0]}
