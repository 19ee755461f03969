"""Trials of features: feature sets without a feature and with it, on the same splits."""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Sequence
from typing import Any, NoReturn

import numpy as np
from scipy.sparse import csr_matrix, hstack
from tqdm import tqdm

from structce.arrays import Integers
from structce.corpus import Corpus
from structce.errors import FeatureError
from structce.evaluation import drawn_f1, f1_of, label_counts, macro_of
from structce.experiments.config import FRACTIONS
from structce.experiments.statistics import pool
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

LEARNER = "linear-chain-crf"
"""Learner of a trial: the fastest, and it has transitions, like the shipped models."""

MAX_ITERATIONS = 40
"""Iterations of a fit, the same without the feature and with it."""

N_FOLDS = 2
"""Folds of a trial: the smallest number, as each costs a fit without and one with a feature."""

MIN_COUNT = 3
"""Columns set in fewer regions are left out, as in Spengler et al. (2010), section 4.1."""

N_CHECKED = 5  # pages on which the whole contract is checked, which takes long


def try_features(
    names: Sequence[str], corpus: Corpus, *, seed: int = 0, progress: bool = False
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
    n_fits = N_FOLDS * (1 + len(tried))
    with (
        tqdm(total=n_fits, unit="fit", disable=None if progress else True) as bar,
        suppress_solver_warnings(),
    ):
        before = _cross_validated(seen, others, seed, bar)
        trials = []
        for feature in tried:
            alone = FeatureSet((), include=[feature.name], min_count=MIN_COUNT)
            added, after = _encoded(alone, seen, bias=False), before
            if n_columns := added[0].shape[1]:
                X = [hstack(both, format="csr") for both in zip(others, added, strict=True)]
                after = _cross_validated(seen, X, seed, bar)
            about = {"name": feature.name, **_coverage(feature, pages), "columns": n_columns}
            changes = score_changes(before, after, seen.label_set.names, seed)
            trials.append({**about, "sites": len(seen.sites), **changes})
    return trials


def _encoded(features: FeatureSet, corpus: Corpus, *, bias: bool = True) -> list[csr_matrix]:
    """Fit a feature set on all pages and return one matrix per page, with its bias or without."""
    features.fit([page.page for page in corpus])
    X, _ = encode_pages(features, corpus, corpus.label_set)
    kept = [i for i, name in enumerate(features.columns_) if bias or name != BIAS]
    return [matrix[:, kept] for matrix in X]


def _cross_validated(
    corpus: Corpus, X: Sequence[csr_matrix], seed: int, bar: tqdm[NoReturn]
) -> Integers:
    """Return confusion matrices by site, each fold labelled by a learner fitted on the others.

    Of the encoded pages only columns that occur often enough on the other folds are used.
    """
    label_set = corpus.label_set
    y = [label_set.encode(page.labels) for page in corpus]
    predicted = list(y)
    for fold in corpus.folds(N_FOLDS, by="site", seed=seed):
        bar.update()
        own = {page.id for page in fold}
        held = [i for i, page in enumerate(corpus) if page.id in own]
        train = [i for i, page in enumerate(corpus) if page.id not in own]
        kept = np.flatnonzero(np.sum([X[i].getnnz(axis=0) for i in train], axis=0) >= MIN_COUNT)
        model = make_learner(LEARNERS[LEARNER], {"max_iterations": MAX_ITERATIONS}, seed=seed)
        fit_learner(model, [X[i][:, kept] for i in train], [y[i] for i in train],
                    label_set=label_set)  # fmt: skip
        for i, labels in zip(held, model.predict([X[i][:, kept] for i in held]), strict=True):
            predicted[i] = labels
    return pool(label_set, list(corpus), [labels.tolist() for labels in predicted]).by_site


def score_changes(
    before: Integers, after: Integers, names: Sequence[str], seed: int
) -> dict[str, Any]:
    """Return the change of macro F1 and of each label's F1, over the same draws of sites.

    ``before`` and ``after`` are confusion matrices by site, shape (n_sites, n_labels, n_labels).
    """
    counts = [label_counts(matrices) for matrices in (before, after)]
    f1 = [f1_of(own.sum(axis=0)) for own in counts]
    drawn = [drawn_f1(own, seed) for own in counts]
    n_regions = counts[0][:, 1].sum(axis=0).tolist()
    rows = zip(names, n_regions, *f1, (drawn[1] - drawn[0]).T, strict=True)
    return {
        "macro_f1": _change(
            macro_of(f1[0]), macro_of(f1[1]), macro_of(drawn[1]) - macro_of(drawn[0])
        ),
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
