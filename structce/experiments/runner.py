"""Run an experiment: split, encode, tune, fit, test once."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from tqdm import tqdm

from structce.corpus import Corpus
from structce.experiments.pooling import compare, pool
from structce.experiments.results import (
    Failure,
    LearnerResult,
    Part,
    Result,
    Source,
    Split,
    Trial,
)
from structce.experiments.spec import Experiment, Learners, unknown_name
from structce.experiments.trial import Bench, Data, Encoded, count_fits
from structce.features import FeatureSet
from structce.learners import LEARNERS

Parts = tuple[Corpus, Corpus, Corpus]


def run(
    experiment: Experiment,
    corpus: Corpus,
    *,
    learners: Learners = LEARNERS,
    progress: bool = True,
) -> Result:
    """Return what an experiment finds on a corpus.

    Columns come from the training pages of a split alone. Each point of a learner's grid is
    fitted on them and measured by macro F1, over all labels, on the validation pages; the best
    is calibrated there. It is then fitted again on training and validation pages, takes the
    calibration over, and is tested once. The columns stay those of the training pages: one
    encoding serves all, and what only the validation pages show is little. A learner with
    nothing to choose and nothing to calibrate is not measured on the validation pages.

    With folds, each fold is the test part once, the next one the validation part, and the rest
    are for training; scores are pooled over folds.

    Parameters
    ----------
    corpus
        Rendered and labelled pages; ``experiment.corpus`` is not read.
    learners
        The learners there are.
    progress
        Whether to show a bar on standard error, if that is a terminal.

    Returns
    -------
    One row a learner; one that raised is a :class:`Failure`, and the others go on.

    Raises
    ------
    CorpusError
        If there are too few sites or pages to split.
    ExperimentError
        If a learner is unknown.
    """
    for grid in experiment.learners:
        if grid.learner not in learners:
            raise unknown_name(grid.learner, learners, "learners")
    parts = _split(experiment, corpus)
    trials: dict[str, list[Trial]] = {grid.learner: [] for grid in experiment.learners}
    errors: dict[str, str] = {}
    splits = []
    # One feature set, fitted anew on each split: it describes each page once.
    features = FeatureSet(experiment.families, min_count=experiment.min_count)
    n_fits = {
        grid.learner: count_fits(grid, learners[grid.learner]) for grid in experiment.learners
    }
    n_done, n_all = 0, sum(n_fits.values()) * len(parts)
    with tqdm(total=n_all, unit="fit", disable=None if progress else True) as bar:
        for train, validation, test in parts:
            data, split = _encode(features, train, validation, test)
            splits.append(split)
            for grid in experiment.learners:
                bar.set_description(grid.learner)
                bench = Bench(grid, data, learners[grid.learner], experiment.seed, bar.update)
                _try(bench, trials, errors)
                n_done += n_fits[grid.learner]
                bar.update(n_done - bar.n)  # a learner that raised left fits out
    return Result(
        experiment=experiment,
        source=Source.of(corpus),
        splits=tuple(splits),
        learners=_rows(trials, errors, [test for _, _, test in parts], experiment.seed),
        n_train=_mean_counts(parts),
        n_test=_sum_counts(parts),
    )


def _try(bench: Bench, trials: dict[str, list[Trial]], errors: dict[str, str]) -> None:
    """Run a learner on a split, unless it failed on one before; note what comes of it."""
    name = bench.grid.learner
    if name in errors:
        return
    try:
        trials[name].append(bench.trial())
    except Exception as error:  # whatever a learner raises is one failed row of the report
        errors[name] = f"{type(error).__name__}: {error}"


def _rows(
    trials: Mapping[str, Sequence[Trial]],
    errors: Mapping[str, str],
    tests: Sequence[Corpus],
    seed: int,
) -> tuple[LearnerResult | Failure, ...]:
    pooled = [pool(name, done, tests) for name, done in trials.items() if name not in errors]
    sites = {page.id: page.site for test in tests for page in test}
    rows: dict[str, LearnerResult | Failure] = {
        row.learner: row for row in compare(pooled, sites, seed)
    }
    rows |= {name: Failure(name, error) for name, error in errors.items()}
    return tuple(rows[name] for name in trials)


def _split(experiment: Experiment, corpus: Corpus) -> list[Parts]:
    by, seed, n = experiment.by, experiment.seed, experiment.folds
    if n is None:
        train, validation, test = corpus.split(experiment.fractions, by=by, seed=seed)
        return [(train, validation, test)]
    folds = corpus.folds(n, by=by, seed=seed)
    parts = []
    for i, test in enumerate(folds):
        validation = folds[(i + 1) % n]
        held_out = {page.id for page in (*test, *validation)}
        train = corpus.subset(page.id for page in corpus if page.id not in held_out)
        parts.append((train, validation, test))
    return parts


def _mean_counts(parts: Sequence[Parts]) -> dict[str, float]:
    fitted = [(train.counts, validation.counts) for train, validation, _ in parts]
    names = parts[0][0].label_set.names
    return {name: sum(a[name] + b[name] for a, b in fitted) / len(parts) for name in names}


def _sum_counts(parts: Sequence[Parts]) -> dict[str, int]:
    counts = [test.counts for _, _, test in parts]
    return {name: sum(one[name] for one in counts) for name in counts[0]}


def _encode(
    features: FeatureSet, train: Corpus, validation: Corpus, test: Corpus
) -> tuple[Data, Split]:
    begin = time.perf_counter()
    features.fit([page.page for page in train])
    encoded = [
        Encoded(
            [features.transform(page.page) for page in part],
            [part.label_set.encode(page.labels) for page in part],
        )
        for part in (train, validation, test)
    ]
    seconds = time.perf_counter() - begin
    split = Split(
        Part.of(train), Part.of(validation), Part.of(test), len(features.columns_), seconds
    )
    return Data(encoded[0], encoded[1], encoded[2], train.label_set), split
