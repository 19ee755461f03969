"""Run an experiment: split, encode, tune, fit, test once, and again on parts of the features."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from structce.corpus import Corpus
from structce.experiments.book import Book
from structce.experiments.encoding import encode, know_sites
from structce.experiments.families import Variant
from structce.experiments.inputs import Source
from structce.experiments.names import unknown_name
from structce.experiments.pooling import against, compare, pool
from structce.experiments.results import (
    Ablation,
    Failure,
    LearnerResult,
    Result,
)
from structce.experiments.spec import Experiment, Learners
from structce.experiments.trial import Bench, count_fits
from structce.learners import LEARNERS

Parts = tuple[Corpus, Corpus, Corpus]

FULL_SET = "full set"
"""What a comparison calls a learner that was given all features."""


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

    An ablation adds to each learner a fit and a test for each part of the features, at the
    hyper-parameters that were chosen with all of them. Nothing is tuned again, and nothing
    encoded again: the columns of a part are some of the columns of the full set.

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
    # One feature set, fitted anew on each split: it describes each page once.
    features = experiment.feature_set()
    parts = _split(experiment, know_sites(corpus, features))
    book = Book()
    splits, places = [], []
    n_fits = {
        grid.learner: count_fits(grid, learners[grid.learner]) + len(experiment.variants)
        for grid in experiment.learners
    }
    n_done, n_all = 0, sum(n_fits.values()) * len(parts)
    with tqdm(total=n_all, unit="fit", disable=None if progress else True) as bar:
        for train, validation, test in parts:
            data, split = encode(features, train, validation, test)
            splits.append(split)
            places.append({part: part.places(features.columns_) for part in experiment.variants})
            for grid in experiment.learners:
                bar.set_description(grid.learner)
                bench = Bench(grid, data, learners[grid.learner], experiment.seed, bar.update)
                _fill(book, bench, places[-1])
                n_done += n_fits[grid.learner]
                bar.update(n_done - bar.n)  # a learner that raised left fits out
    tests = [test for _, _, test in parts]
    rows = _rows(experiment, book, tests)
    return Result(
        experiment=experiment,
        source=Source.of(corpus),
        splits=tuple(splits),
        learners=rows,
        n_train=_mean_counts(parts),
        n_test=_sum_counts(parts),
        ablations=_ablations(experiment, rows, book, tests, places),
    )


def _fill(book: Book, bench: Bench, places: Mapping[Variant, NDArray[np.int64]]) -> None:
    """Write down what a learner does on one split with all features, then with each part."""
    learner = bench.grid.learner
    full = book.write((learner, None), bench.trial)
    if full is None:
        return
    for variant, columns in places.items():
        book.write((learner, variant), partial(bench.repeat, full.parameters, columns))


def _rows(
    experiment: Experiment, book: Book, tests: Sequence[Corpus]
) -> tuple[LearnerResult | Failure, ...]:
    """Return a row for each learner with all features, compared with the reference learner."""
    names = [grid.learner for grid in experiment.learners]
    found = [_row(name, None, book, tests) for name in names]
    pooled = [row for row in found if isinstance(row, LearnerResult)]
    compared = {row.learner: row for row in compare(pooled, _sites(tests), experiment.seed)}
    return tuple(compared.get(row.learner, row) for row in found)


def _ablations(
    experiment: Experiment,
    rows: Sequence[LearnerResult | Failure],
    book: Book,
    tests: Sequence[Corpus],
    places: Sequence[Mapping[Variant, NDArray[np.int64]]],
) -> dict[str, tuple[Ablation, ...]]:
    """Return what each learner finds with each part of the features, compared with all of them."""
    found: dict[str, list[Ablation]] = {}
    succeeded = [row for row in rows if isinstance(row, LearnerResult)]
    for full, variant in itertools.product(succeeded, experiment.variants):
        row = _row(full.learner, variant, book, tests)
        if isinstance(row, LearnerResult):
            row = against(row, full, _sites(tests), experiment.seed, FULL_SET)
        n_columns = tuple(len(one[variant]) for one in places)
        found.setdefault(full.learner, []).append(Ablation(variant, n_columns, row))
    return {learner: tuple(ablations) for learner, ablations in found.items()}


def _row(
    learner: str, variant: Variant | None, book: Book, tests: Sequence[Corpus]
) -> LearnerResult | Failure:
    found = book.read((learner, variant))
    return Failure(learner, found) if isinstance(found, str) else pool(learner, found, tests)


def _sites(tests: Sequence[Corpus]) -> dict[str, str]:
    return {page.id: page.site for test in tests for page in test}


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
