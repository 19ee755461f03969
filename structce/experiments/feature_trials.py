"""Trials of features: feature sets without a feature and with it, on the same splits."""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np
from scipy.sparse import csr_matrix, hstack
from tqdm import tqdm

from structce.arrays import Integers
from structce.corpus import Corpus
from structce.errors import FeatureError
from structce.evaluation import drawn_f1, f1_of, label_counts, macro_of
from structce.experiments.config import FRACTIONS, ParameterValue
from structce.experiments.statistics import Pooled, pool
from structce.features import (
    BIAS,
    FAMILIES,
    REGISTRY,
    Feature,
    FeatureSet,
    check_feature,
    values_of,
)
from structce.labelling import encode_pages, fit_learner, make_learner
from structce.learners import LEARNERS, suppress_solver_warnings
from structce.page import Page

TRIAL_LEARNER = "linear-chain-crf"
"""Learner of a trial: the fastest, and it has transitions, like the shipped models."""

TRIAL_PARAMETERS: Mapping[str, Mapping[str, ParameterValue]] = {
    "linear-chain-crf": {"max_iterations": 40},
    **{name: {"max_epochs": 20} for name in "multiclass-svm greedy-svm structured-svm".split()},
}
"""Hyper-parameters of a trial by learner, the same without the feature and with it."""

N_TRIAL_FOLDS = 2
"""Folds of a trial: the smallest number, as each costs a fit without and one with a feature."""

MIN_COUNT = 3
"""Columns set in fewer regions are left out, as in Spengler et al. (2010), section 4.1."""

N_CHECKED = 5  # pages on which the whole contract is checked, which takes long


def try_features(
    names: Sequence[str],
    corpus: Corpus,
    *,
    learner: str = TRIAL_LEARNER,
    seed: int = 0,
    n_folds: int = N_TRIAL_FOLDS,
    progress: bool = False,
) -> list[dict[str, Any]]:
    """Return the trial of each feature, added to all features that are not on trial.

    The pages that ``structce compare`` would test on with the same seed are not used. The others
    are divided into folds by site, and each fold is labelled by a learner fitted on the others.

    Parameters
    ----------
    progress
        Whether a bar on standard error, if it is a terminal, shows the fits.

    Returns
    -------
    :
        JSON values: ``name``; ``regions_known`` and ``pages_known``, the shares with a value;
        ``milliseconds`` per page; ``columns`` that it adds; ``sites``; the change of ``macro_f1``;
        and by label the number of ``regions`` and the change of ``f1``. A change has ``before``,
        ``after`` and ``difference``, ``low`` and ``high``, the ends of its 95 per cent interval
        from resampling whole sites, and a ``verdict``; null where it is not defined.

    Raises
    ------
    FeatureError
        If there is no feature, one is unknown, or one breaks its contract.
    CorpusError
        If there are too few sites.
    """
    tried = [REGISTRY[name] for name in dict.fromkeys(names)]
    if not tried:
        raise FeatureError("no feature to try")
    train, validation, _ = corpus.split(FRACTIONS, by="site", seed=seed)
    seen = corpus.subset(page.id for page in (*train, *validation))
    pages = [page.page for page in seen]
    for feature in tried:
        check_feature(feature, pages[:N_CHECKED])
    others = _encoded(FeatureSet(FAMILIES, exclude=names, min_count=MIN_COUNT), seen)
    folds = seen.folds(n_folds, by="site", seed=seed)
    trials = []
    bar: tqdm[NoReturn] = tqdm(
        total=n_folds * (1 + len(tried)), unit="fit", disable=None if progress else True
    )
    with bar, suppress_solver_warnings():

        def validate(X: Sequence[csr_matrix]) -> Pooled:
            return _cross_validated(seen, folds, X, learner, seed, bar)

        before = validate(others)
        for feature in tried:
            alone = FeatureSet((), include=[feature.name], min_count=MIN_COUNT)
            added, after = _encoded(alone, seen, bias=False), before
            if n_columns := added[0].shape[1]:
                X = [hstack(both, format="csr") for both in zip(others, added, strict=True)]
                after = validate(X)
            about = {"name": feature.name, **_coverage(feature, pages)}
            about |= {"columns": n_columns, "sites": len(seen.sites)}
            changes = score_changes(before.by_site, after.by_site, seen.label_set.names, seed)
            trials.append({**about, **changes})
    return trials


def _encoded(features: FeatureSet, corpus: Corpus, *, bias: bool = True) -> list[csr_matrix]:
    """Fit a feature set on all pages and return one matrix per page, with its bias or without."""
    features.fit([page.page for page in corpus])
    X, _ = encode_pages(features, corpus, corpus.label_set)
    kept = [i for i, name in enumerate(features.columns_) if bias or name != BIAS]
    return [matrix[:, kept] for matrix in X]


def _cross_validated(
    corpus: Corpus, folds: Sequence[Corpus], X: Sequence[csr_matrix], learner: str, seed: int,
    bar: tqdm[NoReturn],
) -> Pooled:  # fmt: skip
    """Return the results of labelling each fold by a learner fitted on the others.

    Of the encoded pages only columns that occur often enough on the other folds are used.
    """
    label_set = corpus.label_set
    y = [label_set.encode(page.labels) for page in corpus]
    fold_of = {page.id: n for n, fold in enumerate(folds) for page in fold}
    numbers, predicted = [fold_of[page.id] for page in corpus], list(y)
    for fold in range(len(folds)):
        bar.update()
        train = [i for i, other in enumerate(numbers) if other != fold]
        held = [i for i, other in enumerate(numbers) if other == fold]
        kept = np.flatnonzero(np.sum([X[i].getnnz(axis=0) for i in train], axis=0) >= MIN_COUNT)
        model = make_learner(LEARNERS[learner], TRIAL_PARAMETERS.get(learner, {}), seed=seed)
        rows = [X[i][:, kept] for i in train]
        fit_learner(model, rows, [y[i] for i in train], label_set=label_set)
        for i, labels in zip(held, model.predict([X[i][:, kept] for i in held]), strict=True):
            predicted[i] = labels
    return pool(label_set, list(corpus), [labels.tolist() for labels in predicted])


def score_changes(
    before: Integers, after: Integers, names: Sequence[str], seed: int
) -> dict[str, Any]:
    """Return the change of macro F1 and of each label's F1, over the same draws of sites.

    ``before`` and ``after`` are confusion matrices by site, shape (n_sites, n_labels, n_labels).
    """
    both = [label_counts(matrices) for matrices in (before, after)]
    first, second = (f1_of(counts.sum(axis=0)) for counts in both)
    drawn = [drawn_f1(counts, seed) for counts in both]
    means = macro_of(drawn[1]) - macro_of(drawn[0])
    n_regions = both[0][:, 1].sum(axis=0).tolist()
    rows = zip(names, n_regions, first, second, (drawn[1] - drawn[0]).T, strict=True)
    return {
        "macro_f1": _change(macro_of(first), macro_of(second), means),
        "labels": {
            name: {"regions": n, "f1": _change(old, new, differences)}
            for name, n, old, new, differences in rows
        },
    }


def _change(before: Any, after: Any, differences: Any) -> dict[str, object]:
    known = differences[~np.isnan(differences)]
    low, high = np.quantile(known, (0.025, 0.975)) if len(known) else (math.nan, math.nan)
    values = {"before": before, "after": after, "low": low, "high": high}
    values["difference"] = after - before
    verdict = "better" if low > 0 else "worse" if high < 0 else "within noise"
    plain = {name: None if np.isnan(value) else float(value) for name, value in values.items()}
    return {**plain, "verdict": verdict}


def _coverage(feature: Feature, pages: Sequence[Page]) -> dict[str, float]:
    """Return the shares of regions and pages where a feature has a value, and its time per page."""
    begin = time.perf_counter()
    values = [values_of(feature, page) if feature.is_known(page) else () for page in pages]
    seconds = time.perf_counter() - begin
    n_known = [sum(map(_is_known, own)) for own in values]
    return {
        "regions_known": sum(n_known) / max(sum(map(len, pages)), 1),
        "pages_known": sum(map(bool, n_known)) / max(len(pages), 1),
        "milliseconds": 1000 * seconds / max(len(pages), 1),
    }


def _is_known(value: object) -> bool:
    """Return whether a value is true, a finite number, or a text or set that is not empty."""
    if value is None or isinstance(value, str | Collection | bool | np.bool_):
        return bool(value)
    return math.isfinite(value)  # type: ignore[arg-type]  # a number
