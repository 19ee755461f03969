"""Study of learners: the jobs of its splits, and records of their outcomes."""

from __future__ import annotations

import csv
import hashlib
import io
import itertools
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from typing import Any

import msgspec
import numpy as np

from structce.corpus import Corpus
from structce.evaluation import is_wrong
from structce.experiments.backends import Backend
from structce.experiments.config import Candidate, Experiment, Learners
from structce.experiments.fit import EncodedSplit, Job, Outcome, can_calibrate, encode_split
from structce.experiments.journal import (
    JobBar,
    Journal,
    Key,
    code_digest,
    digest_of_values,
    source_digest,
)
from structce.experiments.report import (
    Confusion,
    Failure,
    Fit,
    Mistake,
    Pair,
    Record,
    Score,
    Split,
    Study,
    Unit,
)
from structce.experiments.splits import SplitPages, StudyPlan, draw_splits
from structce.experiments.statistics import (
    EvaluatedPages,
    Pooled,
    calibration,
    choose_reference,
    compare_learners,
    corrected,
    estimate_power,
    learner_scores,
    pool,
)
from structce.features import REGISTRY, FeatureSet
from structce.labels import UNKNOWN, UNKNOWN_INDEX
from structce.page import pack_page
from structce.visualisation import draw_comparison

CODE_PATHS = tuple(
    """
    addresses.py arrays.py evaluation/calibration.py evaluation/metrics.py experiments/config.py
    experiments/fit.py features labelling/training.py labels.py language learners neural page
    """.split()
)
"""Code, below the package, that outcomes depend on; a change in it makes all of them stale."""

LIBRARIES = ("numpy", "scipy", "scikit-learn", "python-crfsuite")
"""Packages that outcomes depend on; those of other versions are stale."""

ALL = "all features"
"""Name of a candidate with all features in its comparison with a part of them."""

_N_WORST = 20
_N_CHARACTERS = 120


@dataclass
class _Split:
    """One split of a study: its pages, outcomes, and matrices once a job needs them."""

    number: int
    pages: SplitPages
    key: Key
    outcomes: list[tuple[Job, Outcome]] = field(default_factory=list)
    data: EncodedSplit | None = None

    def tested(self, candidate: str, part: str = "") -> Outcome | None:
        """Return the outcome of the test of a candidate; None if it raised or was not run."""
        place = candidate, "test", part
        return next(
            (
                outcome
                for job, outcome in self.outcomes
                if (job.candidate, job.step, job.part) == place and not outcome.error
            ),
            None,
        )


@dataclass
class LearnerStudy:
    """One corpus under one way of splitting, on which all candidates are tuned and tested.

    The one feature set is fitted again on each split: it computes features of each page once.
    """

    experiment: Experiment
    plan: StudyPlan
    corpus: Corpus
    features: FeatureSet
    learners: Learners
    backend: Backend
    journal: Journal
    bar: JobBar
    splits: list[_Split] = field(default_factory=list)

    def run(self) -> None:
        """Run all jobs of all splits: first those that tune, then those that test.

        A candidate without a point that could be fitted is not tested.
        """
        code, digests = "", dict[str, str]()
        if self.journal.path is not None:
            code = code_digest(CODE_PATHS, LIBRARIES)
            for page in self.corpus:
                whole = page.digest.encode() + pack_page(page.page)
                digests[page.id] = hashlib.sha256(whole).hexdigest()
        for pages in draw_splits(self.experiment, self.corpus, self.plan.by):
            key = self._split_key(pages, code, digests) if code else ""
            split = _Split(len(self.splits), pages, key)
            self.splits.append(split)
            candidates = self.experiment.candidates
            tuned = [one for one in candidates if is_tuned(one, self.learners)]
            jobs = [self._job(one, split, "tuning", p) for one in tuned for p in one.points]
            self._run_jobs(split, jobs)
            tests: list[Job] = []
            for candidate in candidates:
                points = [
                    (job, outcome)
                    for job, outcome in split.outcomes
                    if job.candidate == candidate.name and not outcome.error
                ]
                if points:  # on a tie the first
                    job, best = max(points, key=lambda point: point[1].value or 0.0)
                    tests += self._tests(candidate, split, job.parameters, best.temperature)
                elif candidate not in tuned:
                    tests += self._tests(candidate, split, candidate.points[0], None)
                else:
                    self.bar.update(count_tests(self.experiment))
            self._run_jobs(split, tests)
            split.data = None

    def _job(
        self, candidate: Candidate, split: _Split, step: Any, parameters: Mapping[str, Any],
        **more: Any,
    ) -> Job:  # fmt: skip
        return Job(
            study=self.plan.name,
            split=split.number,
            candidate=candidate.name,
            learner=candidate.learner,
            parameters=parameters,
            step=step,
            seed=self.experiment.seed,
            measure=self.experiment.measure,
            neighbours=candidate.neighbours,
            refit=self.experiment.refit,
            **more,
        )

    def _tests(
        self, candidate: Candidate, split: _Split, parameters: Mapping[str, Any],
        temperature: float | None,
    ) -> Iterator[Job]:  # fmt: skip
        test = partial(self._job, candidate, split, "test", parameters)
        yield test(temperature=temperature)
        for variant in self.experiment.features.variants:
            yield test(part=variant)
        for share in self.experiment.shares:
            pages = split.pages.share(share, refit=self.experiment.refit)
            yield test(part=share_name(share), pages=pages)

    def _run_jobs(self, split: _Split, jobs: Sequence[Job]) -> None:
        def execute(missing: list[Job]) -> Iterator[tuple[int, Outcome]]:
            self.bar.set_description(missing[0].candidate)
            factories = [self.learners[job.learner] for job in missing]
            if split.data is None:
                parts = split.pages.train, split.pages.validation, split.pages.test
                split.data = encode_split(self.features, *parts)
            for i, outcome in self.backend.run(missing, factories, split.data):
                self.bar.set_description(missing[i].candidate)
                yield i, outcome

        planned = []
        for job in jobs:  # keys do not depend on the names of candidate and study
            asked = msgspec.structs.asdict(job) | {"study": "", "candidate": "", "split": 0}
            make = source_digest(self.learners[job.learner]) if split.key else ""
            values = {"base": split.key, "make": make, "asked": asked}
            planned.append((digest_of_values(values) if split.key else "", job))
        outcomes = self.journal.run(
            planned, execute, Outcome, is_final=lambda outcome: not outcome.error, bar=self.bar
        )
        split.outcomes += zip(jobs, outcomes, strict=True)

    def _split_key(self, pages: SplitPages, code: str, digests: Mapping[str, str]) -> Key:
        """Return the digest of everything that all jobs of a split depend on."""
        label_set, features, asked = pages.train.label_set, self.features, self.experiment.features
        parts = (pages.train, pages.validation, pages.test)
        return digest_of_values(
            {
                "code": code,
                "labels": [list(label_set.names), label_set.background],
                "pages": [[digests[page.id] for page in part] for part in parts],
                # What recurs on a site is counted over pages of all parts, and of none.
                "corpus": sorted(digests.values()) if features.needs_sites else [],
                "features": [
                    [asked.min_count, asked.min_pages, asked.unit_norm, asked.encoding],
                    [features.windows, features.strengths],
                    {name: source_digest(REGISTRY[name].compute) for name in features.names},
                ],
            }
        )


def share_name(share: float) -> str:
    """Return the name of a share of the training sites, as of a part: ``share 0.5``."""
    return f"share {share:g}"


def is_tuned(candidate: Candidate, learners: Learners) -> bool:
    """Return whether a candidate is fitted on the training pages only: to choose or calibrate."""
    return len(candidate.points) > 1 or can_calibrate(learners[candidate.learner])


def count_jobs(experiment: Experiment, learners: Learners) -> int:
    """Return the number of jobs of one split."""
    tuned = (candidate for candidate in experiment.candidates if is_tuned(candidate, learners))
    n_trials = sum(len(candidate.points) for candidate in tuned)
    return n_trials + count_tests(experiment) * len(experiment.candidates)


def count_tests(experiment: Experiment) -> int:
    """Return the number of tests of one candidate on one split."""
    return 1 + len(experiment.features.variants) + len(experiment.shares)


def count_unknown(features: FeatureSet, corpus: Corpus) -> int:
    """Return the number of features that need layout, if no page of the corpus has any."""
    has_layout = any(page.page.has_layout for page in corpus)
    return 0 if has_layout else len(features.needing_layout)


Records = dict[str, list[Record]]  # records of a report by the name of its field


@dataclass(frozen=True)
class StudyResult:
    """Records of a study, pooled results by candidate, and what is written beside the report."""

    study: Study
    records: Records
    pooled: dict[str, Pooled]
    pictures: dict[str, str]
    predictions: str


def study_result(study: LearnerStudy) -> StudyResult:
    """Return the records of a study from the outcomes of all its splits."""
    experiment, splits, name = study.experiment, study.splits, study.plan.name
    tests = EvaluatedPages.of([split.pages.test for split in splits])
    parts = ["", *experiment.features.variants, *map(share_name, experiment.shares)]
    pooled: dict[tuple[str, str], Pooled] = {}
    for candidate, part in itertools.product(experiment.learner, parts):
        outcomes = [one for split in splits if (one := split.tested(candidate, part))]
        if len(outcomes) == len(splits) and (not part or (candidate, "") in pooled):
            predictions = [page for outcome in outcomes for page in outcome.predictions]
            pooled[candidate, part] = pool(tests, predictions)
    whole = {candidate: own for (candidate, part), own in pooled.items() if not part}
    records: Records = defaultdict(list)
    records["splits"] += [_split_record(name, split) for split in splits]
    for (candidate, part), own in pooled.items():
        records["scores"] += learner_scores(name, candidate, own, experiment.seed, part)
        records["scores"] += _size_scores(study, candidate, part)
    for candidate, own in whole.items():
        counts = tuple(tuple(row) for row in own.by_site.sum(axis=0).tolist())
        records["confusions"].append(Confusion(study=name, subject=candidate, counts=counts))
        _add_calibration(records, study, candidate, tests)
    for page in sorted(set(tests.ids)):
        site = tests.sites[tests.ids.index(page)]
        values = {one: own.accuracy[page] for one, own in whole.items() if page in own.accuracy}
        unit = Unit(study=name, unit=page, site=site, measure="accuracy", values=values)
        records["units"].append(unit)
    records["pairs"] += _pairs(study, whole, pooled)
    for split in splits:
        for job, outcome in split.outcomes:
            failed = Failure(study=name, subject=job.candidate, job=str(job), error=outcome.error)
            made = failed if outcome.error else _fit_record(job, outcome)
            records["failures" if outcome.error else "fits"].append(made)
    pictures: dict[str, str] = {}
    if whole:
        scores = {one: getattr(own.scores, experiment.measure) for one, own in whole.items()}
        pictures = _add_mistakes(records, study, max(scores, key=scores.__getitem__))
    return StudyResult(
        _study_record(study, whole), records, whole, pictures, prediction_table(study)
    )


def _study_record(study: LearnerStudy, whole: Mapping[str, Pooled]) -> Study:
    corpus, learners = study.corpus, {one.name: one.learner for one in study.experiment.candidates}
    spread, detectable = estimate_power(whole)
    return Study(
        name=study.plan.name,
        source=study.plan.corpus,
        digest=corpus.digest,
        n_pages=len(corpus),
        n_sites=len(corpus.sites),
        by=study.plan.by,
        corpus=corpus.name,
        renderer=corpus.renderer,
        background=corpus.label_set.background,
        labels=corpus.counts,
        n_unknown=corpus.n_unknown,
        n_several=corpus.n_several,
        site_rule=str(corpus.notes.get("sites", "")),
        is_invented=corpus.notes.get("invented") is True,
        n_unknown_features=count_unknown(study.features, corpus),
        reference=choose_reference(whole, learners),
        spread=spread,
        detectable=detectable,
    )


def _split_record(study: str, split: _Split) -> Split:
    pages = split.pages
    parts = {"train": pages.train, "validation": pages.validation, "test": pages.test}
    return Split(
        study=study,
        split=split.number,
        seed=pages.seed,
        **{name: tuple(sorted(page.id for page in part)) for name, part in parts.items()},
        sites={name: part.sites for name, part in parts.items()},
        n_columns=max((own.n_columns for job, own in split.outcomes if not job.part), default=0),
    )


def _fit_record(job: Job, outcome: Outcome) -> Fit:
    return Fit(
        study=job.study,
        subject=job.candidate,
        split=job.split,
        step=job.step,
        parameters=dict(job.parameters),
        part=job.part,
        value=outcome.value,
        stop=outcome.stop,
        temperature=job.temperature if job.step == "test" else outcome.temperature,
        warnings=outcome.warnings,
        epochs=outcome.epochs,
        costs=outcome.costs,
    )


def _size_scores(study: LearnerStudy, candidate: str, part: str) -> Iterator[Score]:
    """Yield the numbers of regions by label, columns and pages that a model was fitted on.

    They are means over splits.
    """
    splits, refit = study.splits, study.experiment.refit

    def mean(measure: str, counts: Sequence[int], label: str = "") -> Score:
        value = sum(counts) / len(splits)
        place: Any = {"study": study.plan.name, "subject": candidate, "part": part}
        return Score(**place, measure=measure, label=label, value=value)

    if not part:
        fitted = [split.pages.train for split in splits]
        fitted += [split.pages.validation for split in splits] if refit else []
        for label in study.corpus.label_set.names:
            yield mean("n_train", [corpus.counts[label] for corpus in fitted], label)
    elif part.startswith("share"):
        (share,) = (one for one in study.experiment.shares if share_name(one) == part)
        yield mean("n_pages", [len(split.pages.share(share, refit=refit)) for split in splits])
    else:
        tests = [split.tested(candidate, part) for split in splits]
        yield mean("n_columns", [test.n_columns for test in tests if test])


def _add_calibration(
    records: Records, study: LearnerStudy, candidate: str, tests: EvaluatedPages
) -> None:
    outcomes = [own for split in study.splits if (own := split.tested(candidate))]
    predictions = [page for outcome in outcomes for page in outcome.predictions]
    place = {"study": study.plan.name, "subject": candidate}
    for is_calibrated in (False, True):
        given = [outcome.after if is_calibrated else outcome.before for outcome in outcomes]
        pages = list(itertools.chain(*given))
        if len(pages) == len(tests.ids):
            scores, bins = calibration(
                place, tests, predictions, pages, is_calibrated=is_calibrated
            )
            records["scores"] += scores
            records["bins"] += bins


def _pairs(
    study: LearnerStudy, whole: Mapping[str, Pooled], pooled: Mapping[tuple[str, str], Pooled]
) -> list[Pair]:
    """Return the comparisons of every two candidates, and of each part of the features with all."""
    seed, name = study.experiment.seed, study.plan.name
    pairs = corrected(
        [
            compare_learners("subjects", name, (a, b), (whole[a], whole[b]), seed)
            for a, b in itertools.combinations(whole, 2)
        ]
    )
    for candidate, full in whole.items():
        parts = {part: pooled.get((candidate, part)) for part in study.experiment.features.variants}
        pairs += corrected(
            [
                compare_learners(
                    "features", name, (part, ALL), (own, full), seed, subject=candidate
                )
                for part, own in parts.items()
                if own
            ]
        )
    return pairs


def _add_mistakes(records: Records, study: LearnerStudy, candidate: str) -> dict[str, str]:
    """Add wrong regions of the test pages of the lowest accuracy, and return drawings of these.

    A page that is tested in several splits is listed once, with its worst result.
    """
    found = [own for split in study.splits for own in _wrong_pages(study, split, candidate)]
    found.sort(key=lambda own: (own[0].accuracy, -own[0].n_wrong, own[0].page))
    pages: dict[str, list[Mistake]] = {}
    for mistakes in found:
        pages.setdefault(mistakes[0].page, mistakes)
    drawings = {}
    for page, mistakes in list(pages.items())[:_N_WORST]:
        records["mistakes"] += mistakes
        split = study.splits[mistakes[0].split]
        number = [one.id for one in split.pages.test].index(page)
        test, tested = list(split.pages.test)[number], split.tested(candidate)
        labels = (
            [_label_name(study, label) for label in tested.predictions[number]] if tested else []
        )
        background = study.corpus.label_set.background
        drawings[page] = draw_comparison(test.page, test.labels, labels, background)
    return drawings


def _wrong_pages(study: LearnerStudy, split: _Split, candidate: str) -> Iterator[list[Mistake]]:
    label_set, tests, outcome = (
        study.corpus.label_set,
        list(split.pages.test),
        split.tested(candidate),
    )
    for number, wrong in groupby(outcome.wrong if outcome else (), key=lambda region: region.page):
        page = tests[number]
        gold = label_set.encode(page.labels)
        n_wrong = int(is_wrong(gold, np.array(outcome.predictions[number])).sum())  # type: ignore[union-attr]
        n_known = int((gold != UNKNOWN_INDEX).sum())
        yield [
            Mistake(
                study=study.plan.name,
                subject=candidate,
                split=split.number,
                page=page.id,
                site=page.site,
                accuracy=1 - n_wrong / n_known,
                n_wrong=n_wrong,
                n_known=n_known,
                region=region.region,
                text=page.page.text[region.region][:_N_CHARACTERS],
                gold=label_set.names[region.gold],
                predicted=label_set.names[region.predicted],
                confidence=region.confidence,
                reasons=region.reasons,
            )
            for region in wrong
        ]


def _label_name(study: LearnerStudy, index: int) -> str:
    """Return a predicted label; where the right one is unknown, a learner may predict any index."""
    names = study.corpus.label_set.names
    return names[index] if 0 <= index < len(names) else UNKNOWN


def prediction_table(study: LearnerStudy) -> str:
    """Return one row for each region of a test page, separated by tabs.

    Splits are counted from 1, regions from 0, and confidences are those after calibration. A cell
    is empty where the gold label is unknown, a learner gives no confidence, or its test failed.
    """
    learners = list(study.experiment.learner)
    text = io.StringIO()
    writer = csv.writer(text, "excel-tab", lineterminator="\n")
    headers = [header for name in learners for header in (name, f"{name} confidence")]
    writer.writerow(["split", "page", "site", "region", "gold", *headers])
    for split in study.splits:
        outcomes = [split.tested(name) or Outcome() for name in learners]
        for number, page in enumerate(split.pages.test):
            for region, gold in enumerate(page.labels):
                row = [split.number + 1, page.id, page.site, region]
                row.append("" if gold == UNKNOWN else gold)
                for outcome in outcomes:
                    labels, sure = outcome.predictions, outcome.after
                    row.append(_label_name(study, labels[number][region]) if labels else "")
                    row.append(f"{sure[number][region]:.4f}" if sure else "")
                writer.writerow(row)
    return text.getvalue()
