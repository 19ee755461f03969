"""Studies of learners: their splits, the jobs of these, and the rows of a report."""

from __future__ import annotations

import hashlib
import itertools
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from structce.corpus import Corpus, LabelledPage, split_groups
from structce.experiments.config import ALL_FEATURES, Candidate, Experiment, Learners, Splits
from structce.experiments.fit import EncodedSplit, Job, Outcome, can_calibrate
from structce.experiments.jobs import JobRun, code_digest, digest_of_values, source_digest
from structce.experiments.statistics import (
    Pooled,
    Row,
    Rows,
    calibration_rows,
    choose_reference,
    compare_learners,
    corrected,
    learner_scores,
    pool,
    rank_studies,
)
from structce.experiments.toml_tables import unknown_name
from structce.features import REGISTRY, FeatureSet
from structce.page import pack_page

CODE_PATHS = tuple(
    """
    addresses.py arrays.py evaluation/calibration.py evaluation/metrics.py experiments/config.py
    experiments/fit.py features labelling/labeller.py labels.py language learners neural page
    """.split()
)
"""Code, below the package, that outcomes depend on; a change in it makes all of them stale."""

LIBRARIES = ("numpy", "scipy", "scikit-learn", "python-crfsuite")
"""Packages that outcomes depend on; those of other versions are stale."""

ALL = "all features"
"""Name of a candidate with all features in its comparison with a part of them."""

NO_LAYOUT = (
    "%s: the %s renderer gives no layout, so %d of %d features are unknown in every region; "
    "render with chromium to use them"
)
PARTS = ("train", "validation", "test")

_log = logging.getLogger(__name__)


class StudyPlan(NamedTuple):
    """Plan of a study: one corpus under one way of splitting, with one choice of features.

    The renderer of raw pages is empty for rendered pages, and for any available renderer.
    """

    name: str
    corpus: str
    renderer: str
    by: str
    preset: str = ALL_FEATURES


@dataclass
class TestedSplit:
    """One split of a study: its pages, and its jobs with their outcomes."""

    number: int
    seed: int
    parts: Sequence[Corpus]
    outcomes: list[tuple[Job, Outcome]] = field(default_factory=list)

    def outcome_of(self, candidate: str, part: str = "") -> Outcome | None:
        """Return the outcome of the test of a candidate; None if it raised or was not run."""
        place = candidate, "test", part
        for job, outcome in self.outcomes:
            if (job.candidate, job.step, job.part) == place and not outcome.error:
                return outcome
        return None


def add_learner_rows(
    rows: Rows, experiment: Experiment, open_corpus: Callable[[str, str], Corpus],
    learners: Learners, run: JobRun,
) -> None:  # fmt: skip
    """Run all studies, and add the rows of a report."""
    for candidate in experiment.candidates:
        if candidate.learner not in learners:
            raise unknown_name(candidate.learner, learners, "learner", candidate.name)
    plans = plan_studies(experiment)
    tuned = [one for one in experiment.candidates if _is_tuned(one, learners)]
    n_tests = len(experiment.candidates) * len(_parts(experiment))
    n_splits = (experiment.splits.folds or 1) * experiment.splits.repeats
    run.expect((sum(len(one.points) for one in tuned) + n_tests) * n_splits * len(plans))
    for plan in plans:
        corpus = open_corpus(plan.corpus, plan.renderer)
        corpus.check_known()
        features = experiment.features.feature_set(plan.preset)
        has_layout = any(page.page.has_layout for page in corpus)
        n_unknown = 0 if has_layout else len(features.needing_layout)
        if n_unknown:
            _log.warning(NO_LAYOUT, corpus.name, corpus.renderer, n_unknown, len(features.names))
        study = _Study(experiment, plan, corpus, features, learners, run)
        study.add_rows(rows, study.tested_splits(), n_unknown)
    # Ways of splitting, and renderers, have the same pages, and are not ranked together.
    paths = [(plan.by, plan.corpus) for plan in plans]
    several = {path for path in paths if paths.count(path) > 1}

    def group_of(study: Row) -> tuple[str, ...]:
        is_several = (study["by"], study["source"]) in several
        return "", study["by"], study["renderer"] if is_several else ""

    rows["rankings"] += rank_studies(rows, "macro_f1", group_of)


def plan_studies(experiment: Experiment) -> list[StudyPlan]:
    """Return the studies of an experiment, corpus by corpus."""
    names, presets = [Path(path).name for path in experiment.corpus], experiment.features.preset
    plans = []
    for path, renderer, preset, by in itertools.product(
        experiment.corpus, experiment.renderer or ("",), presets, experiment.splits.by
    ):
        name = path if names.count(Path(path).name) > 1 else Path(path).name
        words = [name, *([f"({renderer})"] if renderer else []), f"by {by}"]
        words += [f"with {preset} features"] if presets != (ALL_FEATURES,) else []
        plans.append(StudyPlan(" ".join(words), path, renderer, by, preset))
    return plans


def draw_splits(
    splits: Splits, corpus: Corpus, by: str, first_seed: int
) -> Iterator[tuple[int, Sequence[Corpus]]]:
    """Yield the seed of each split with its parts: training, validation and test."""
    for seed in range(first_seed, first_seed + splits.repeats):
        if splits.folds is None:
            yield seed, corpus.split(splits.fractions, by=by, seed=seed)
            continue
        folds = corpus.folds(splits.folds, by=by, seed=seed)
        for i, test in enumerate(folds):
            validation = folds[(i + 1) % splits.folds]
            held_out = {page.id for page in (*test, *validation)}
            train = corpus.subset(page.id for page in corpus if page.id not in held_out)
            yield seed, (train, validation, test)


def draw_share(
    parts: Sequence[Corpus], by: str, share: float, seed: int, *, refit: bool
) -> tuple[int, ...]:
    """Return indices of training and validation pages: whole groups, drawn with the seed.

    A smaller share is a subset of a larger one. At least one group; all pages for 1. Without
    ``refit`` there are no validation pages.
    """
    train, validation, _ = parts
    groups = split_groups([*train, *validation], by)
    groups = groups if refit else groups[: len(train)]
    names = sorted(set(groups))
    order = np.random.default_rng(seed).permutation(len(names))
    drawn = {names[i] for i in order[: max(1, round(share * len(names)))]}
    return tuple(i for i, group in enumerate(groups) if group in drawn)


def _parts(experiment: Experiment) -> list[str]:
    """Return the parts of features and of training sites that are tested; the whole is empty."""
    return ["", *experiment.features.parts, *experiment.shares]


def _is_tuned(candidate: Candidate, learners: Learners) -> bool:
    """Return whether a candidate is fitted on the training pages only: to choose or calibrate."""
    return len(candidate.points) > 1 or can_calibrate(learners[candidate.learner])


@dataclass(frozen=True)
class _Study:
    """A study with what its jobs need.

    The one feature set is fitted again on each split: it computes features of each page once.
    """

    experiment: Experiment
    plan: StudyPlan
    corpus: Corpus
    features: FeatureSet
    learners: Learners
    run: JobRun

    def tested_splits(self) -> list[TestedSplit]:
        """Run the jobs of all splits: first those that tune, then those that test."""
        digests, code = dict[str, str](), ""
        if self.run.journal is not None:
            code = code_digest(CODE_PATHS, LIBRARIES)
            for page in self.corpus:
                whole = page.digest.encode() + pack_page(page.page)
                digests[page.id] = hashlib.sha256(whole).hexdigest()
        splits, asked = list[TestedSplit](), self.experiment
        drawn = draw_splits(asked.splits, self.corpus, self.plan.by, asked.seed)
        for number, (seed, parts) in enumerate(drawn):
            split = TestedSplit(number, seed, parts)
            key = self._key(parts, digests, code) if code else ""
            encode = cache(partial(EncodedSplit.of, self.features, *parts))
            tuning = [
                self._job(split, candidate, step="tuning", parameters=point)
                for candidate in asked.candidates
                for point in candidate.points
                if _is_tuned(candidate, self.learners)
            ]
            self._finish(split, key, encode, tuning)
            self._finish(split, key, encode, list(self._tests(split)))
            splits.append(split)
        return splits

    def _job(self, split: TestedSplit, candidate: Candidate, **settings: Any) -> Job:
        asked = self.experiment
        return Job(
            study=self.plan.name, split=split.number, seed=asked.seed, measure=asked.measure,
            refit=asked.refit, candidate=candidate.name, learner=candidate.learner,
            neighbours=candidate.neighbours, **settings,
        )  # fmt: skip

    def _tests(self, split: TestedSplit) -> Iterator[Job]:
        """Yield the tests of the best points; none of a candidate that could not be fitted."""
        for candidate in self.experiment.candidates:
            tuned = [
                (outcome.value or 0.0, job.parameters, outcome.temperature)
                for job, outcome in split.outcomes
                if job.candidate == candidate.name and not outcome.error
            ]
            if not tuned and _is_tuned(candidate, self.learners):
                continue
            best = max(tuned, key=lambda point: point[0], default=None)  # on a tie the first
            _, point, temperature = best or (0.0, candidate.points[0], None)
            test = partial(self._job, split, candidate, step="test", parameters=point)
            yield test(temperature=temperature)
            for part in self.experiment.features.parts:
                yield test(part=part)
            for part in self.experiment.shares:
                yield test(part=part, pages=self._share(split, part))

    def _share(self, split: TestedSplit, part: str) -> tuple[int, ...]:
        share, refit = self.experiment.shares[part], self.experiment.refit
        return draw_share(split.parts, self.plan.by, share, split.seed, refit=refit)

    def _key(self, parts: Sequence[Corpus], digests: Mapping[str, str], code: str) -> str:
        """Return the digest of everything that all jobs of a split depend on."""
        label_set, asked, features = parts[0].label_set, self.experiment.features, self.features
        settings = [
            [asked.min_count, asked.min_pages, asked.unit_norm, asked.encoding],
            [features.windows, features.strengths],
            {name: source_digest(REGISTRY[name].compute) for name in features.names},
        ]
        return digest_of_values(
            {
                "code": code,
                "labels": [list(label_set.names), label_set.background],
                "pages": [[digests[page.id] for page in part] for part in parts],
                "features": settings,
            }
        )

    def _finish(
        self, split: TestedSplit, key: str, encode: Callable[[], EncodedSplit], jobs: Sequence[Job]
    ) -> None:
        """Add jobs with their outcomes to a split; it is encoded if an outcome is missing."""
        learners = self.learners

        def execute(missing: list[Job]) -> Iterator[tuple[int, Outcome]]:
            return self.run.fit([(job, learners[job.learner]) for job in missing], encode())

        def key_of(job: Job) -> str:  # does not depend on the names of candidate and study
            asked = msgspec.structs.asdict(job) | {"study": "", "candidate": "", "split": 0}
            make = source_digest(learners[job.learner])
            return digest_of_values({"base": key, "make": make, "asked": asked})

        keyed = [(key_of(job) if key else "", job) for job in jobs]
        outcomes = self.run.finish(keyed, execute, Outcome, lambda outcome: not outcome.error)
        split.outcomes += zip(jobs, outcomes, strict=True)

    def add_rows(self, rows: Rows, splits: Sequence[TestedSplit], n_unknown_features: int) -> None:
        """Add the rows of a report; only candidates tested on all splits have scores."""
        study, corpus, seed = self.plan.name, self.corpus, self.experiment.seed
        pages = [page for split in splits for page in split.parts[2]]
        results: dict[str, dict[str, Pooled]] = {}  # by candidate and part
        for name, part in itertools.product(self.experiment.learner, _parts(self.experiment)):
            outcomes = [one for split in splits if (one := split.outcome_of(name, part))]
            if len(outcomes) < len(splits) or (part and name not in results):
                continue
            predictions = [page for outcome in outcomes for page in outcome.predictions]
            own = pool(corpus.label_set, pages, predictions)
            results.setdefault(name, {})[part] = own
            place = {"study": study, "subject": name}
            scores = (*learner_scores(own, seed), *self._sizes(splits, outcomes, part))
            rows["scores"] += [{**place, "part": part, **score} for score in scores]
            if not part:
                _add_candidate(rows, place, pages, own, outcomes)
        whole = {name: own[""] for name, own in results.items()}
        learners = {one.name: one.learner for one in self.experiment.candidates}
        rows["studies"].append(
            {
                "name": study,
                "source": self.plan.corpus,
                "digest": corpus.digest,
                "n_pages": len(corpus),
                "n_sites": len(corpus.sites),
                "by": self.plan.by,
                "corpus": corpus.name,
                "renderer": corpus.renderer,
                "background": corpus.label_set.background,
                "labels": dict(corpus.counts),
                "n_unknown": corpus.n_unknown,
                "n_several": corpus.n_several,
                "n_unknown_features": n_unknown_features,
                "site_rule": str(corpus.notes.get("sites", "")),
                "is_invented": corpus.notes.get("invented") is True,
                "reference": choose_reference(whole, learners),
            }
        )
        rows["pairs"] += self._pairs("", whole, itertools.combinations(whole, 2))
        for name, by_part in results.items():
            parts = [(part, ALL) for part in self.experiment.features.parts if part in by_part]
            rows["pairs"] += self._pairs(name, {**by_part, ALL: by_part[""]}, parts)
        for split in splits:
            self._add_split(rows, split)

    def _pairs(
        self, subject: str, results: Mapping[str, Pooled], names: Iterable[tuple[str, str]]
    ) -> list[Row]:
        seed, place = self.experiment.seed, {"study": self.plan.name, "subject": subject}
        pairs = [
            compare_learners(pair, (results[pair[0]], results[pair[1]]), seed) for pair in names
        ]
        return [{**place, **pair} for pair in corrected(pairs)]

    def _sizes(
        self, splits: Sequence[TestedSplit], outcomes: Sequence[Outcome], part: str
    ) -> Iterator[Row]:
        """Yield pages, columns and regions by label that models were fitted on, means of splits."""
        n, is_share = len(splits), part in self.experiment.shares
        seen = [split.parts[: 2 if self.experiment.refit else 1] for split in splits]
        n_pages = [sum(map(len, parts)) for parts in seen]
        if is_share:
            n_pages = [len(self._share(split, part)) for split in splits]
        yield {"measure": "n_pages", "value": sum(n_pages) / n}
        yield {"measure": "n_columns", "value": sum(one.n_columns for one in outcomes) / n}
        for label in self.corpus.label_set.names if not part else ():
            counts = sum(corpus.counts[label] for parts in seen for corpus in parts)
            yield {"measure": "n_train", "label": label, "value": counts / n}

    def _add_split(self, rows: Rows, split: TestedSplit) -> None:
        study, parts = self.plan.name, dict(zip(PARTS, split.parts, strict=True))
        n_columns = [one.n_columns for job, one in split.outcomes if not job.part]
        row = {"study": study, "split": split.number, "seed": split.seed}
        row |= {name: tuple(sorted(page.id for page in part)) for name, part in parts.items()}
        row["sites"] = {name: tuple(part.sites) for name, part in parts.items()}
        rows["splits"].append({**row, "n_columns": max(n_columns, default=0)})
        for job, outcome in split.outcomes:
            place = {"study": study, "subject": job.candidate}
            if outcome.error:
                rows["failures"].append({**place, "job": str(job), "error": outcome.error})
                continue
            asked, found = msgspec.structs.asdict(job), msgspec.structs.asdict(outcome)
            row = {name: asked[name] for name in "split step parameters part".split()}
            row |= {name: found[name] for name in "value stop warnings seconds".split()}
            row["temperature"] = (job if job.step == "test" else outcome).temperature
            rows["fits"].append({**place, **row})


def _add_candidate(
    rows: Rows, place: Row, pages: Sequence[LabelledPage], own: Pooled, outcomes: Sequence[Outcome]
) -> None:
    """Add the rows of a candidate that was tested on all splits, except its scores by label."""
    counts = tuple(tuple(row) for row in own.by_site.sum(axis=0).tolist())
    rows["confusions"].append({**place, "counts": counts})
    rows["units"] += [
        {**place, "unit": page, "site": own.sites[page], "measure": "accuracy", "value": value}
        for page, value in own.accuracy.items()
    ]
    predictions = [page for outcome in outcomes for page in outcome.predictions]
    for is_calibrated in (False, True):
        given = [outcome.after if is_calibrated else outcome.before for outcome in outcomes]
        sure = [*itertools.chain(*given)]
        if len(sure) == len(pages):  # else the learner has no confidences
            found = calibration_rows(own.label_set, pages, predictions, sure, is_calibrated)
            for table, calibrated in found.items():
                rows[table] += [{**place, **row} for row in calibrated]
