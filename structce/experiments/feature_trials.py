"""Trials of features: their values, and how much they improve the labels of regions."""

from __future__ import annotations

import math
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix, hstack
from scipy.special import entr
from sklearn.metrics import mutual_info_score

from structce.arrays import Flags, Floats, Integers, Labels
from structce.corpus import Corpus
from structce.errors import FeatureError
from structce.evaluation import drawn_f1, f1_of, label_counts, macro_of
from structce.experiments.config import FRACTIONS
from structce.experiments.statistics import EvaluatedPages, pool
from structce.experiments.toml_tables import ParameterValue
from structce.features import (
    BIAS,
    FAMILIES,
    REGISTRY,
    Feature,
    FeatureSet,
    FeatureValues,
    check_feature,
    values_of,
)
from structce.labelling import encode_pages, fit_learner, make_learner
from structce.learners import LEARNERS, quiet
from structce.page import Page

TRIAL_LEARNER = "linear-chain-crf"
"""Learner of a trial. On 69 Fundus pages 40 of its iterations take 4 to 5 seconds, and 20 epochs of
the multi-class SVM 9; and it has transitions, like the shipped models."""

TRIAL_PARAMETERS: Mapping[str, Mapping[str, ParameterValue]] = {
    "linear-chain-crf": {"max_iterations": 40},
    "multiclass-svm": {"max_epochs": 20},
    "greedy-svm": {"max_epochs": 20},
    "structured-svm": {"max_epochs": 20},
}
"""Hyper-parameters of a trial by learner, the same without the feature and with it."""

N_TRIAL_FOLDS = 2
"""Folds of a trial: the smallest number, as each costs a fit without and one with a feature."""

MIN_COUNT = 3
"""Columns set in fewer regions are left out, as in Spengler et al. (2010), section 4.1."""

MIN_VALUE_COUNT = 3
"""Texts in fewer regions are merged; as for columns."""

N_CHECKED = 5
"""Number of pages for the full contract check, which computes each feature several times per page;
values are checked on all pages anyway."""

N_INTERVALS = 10
"""Number of equally full intervals of a number without borders of its own: enough to show a curve,
few enough that each contains a tenth of the regions."""

MAX_MEMBERS = 300
"""Number of set members that are counted, the most frequent ones; each costs a pass over all
regions."""

Notify = Callable[[str], object]


@dataclass(frozen=True)
class ScoreChange:
    """Change of a score by a feature, with its interval.

    Parameters
    ----------
    before, after
        F1 in [0, 1]; NaN where the label is in neither gold nor prediction.
    low, high
        95 per cent interval of the difference, from resampling whole sites.
    """

    before: float
    after: float
    low: float
    high: float

    @property
    def difference(self) -> float:
        """Score with the feature minus score without it."""
        return self.after - self.before

    @property
    def is_noise(self) -> bool:
        """Whether the interval contains 0: other sites might as well show the opposite."""
        return not (self.low > 0 or self.high < 0)

    @property
    def verdict(self) -> str:
        """``within noise``, ``better`` or ``worse``."""
        return "within noise" if self.is_noise else "better" if self.difference > 0 else "worse"

    def as_dict(self) -> dict[str, object]:
        """Return the change as JSON values; null where it is not defined."""
        values = asdict(self) | {"difference": self.difference}
        plain = {name: None if np.isnan(value) else value for name, value in values.items()}
        return {**plain, "verdict": self.verdict}


@dataclass(frozen=True, eq=False)
class FeatureTrial:
    """Trial of one feature: its values, and the scores without and with it.

    Parameters
    ----------
    information, entropy
        Mutual information of the values with each label against all others, and the entropy of
        that label, which bounds it; in bits.
    n_columns
        Number of columns that it adds, including those of neighbouring regions.
    """

    feature: Feature
    values: ValueSummary
    support: Mapping[str, int]
    information: Mapping[str, float]
    entropy: Mapping[str, float]
    n_columns: int
    n_sites: int
    macro: ScoreChange
    labels: Mapping[str, ScoreChange]

    def as_dict(self) -> dict[str, object]:
        """Return the trial as JSON values; null where an F1 is not defined."""
        return {
            "name": self.feature.name,
            "regions_known": self.values.regions,
            "pages_known": self.values.pages,
            "milliseconds": self.values.milliseconds,
            "columns": self.n_columns,
            "sites": self.n_sites,
            "macro_f1": self.macro.as_dict(),
            "labels": {
                name: {
                    "regions": self.support[name],
                    "bits": self.information[name],
                    "entropy": self.entropy[name],
                    "f1": change.as_dict(),
                }
                for name, change in self.labels.items()
            },
        }


def try_features(
    names: Sequence[str],
    corpus: Corpus,
    *,
    learner: str = TRIAL_LEARNER,
    seed: int = 0,
    n_folds: int = N_TRIAL_FOLDS,
    notify: Notify = lambda step: None,
) -> list[FeatureTrial]:
    """Return the trial of each feature, added to all features that are not on trial.

    The pages that ``structce compare`` would test on with the same seed are not used. The others
    are divided into folds by site, and each fold is labelled by a learner fitted on the other
    folds. All pages are encoded once; in each fold, only columns that occur often enough on its
    training pages are kept.

    Parameters
    ----------
    notify
        Called before each step with its name; there are at most :func:`count_steps` steps.

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
    needs_sites = any(feature.needs == "site" for feature in tried)
    trial = trial_pages(corpus, seed=seed, n_folds=n_folds, needs_sites=needs_sites)
    pages = [page.page for page in trial.corpus]
    notify("checking the contract")
    for feature in tried:
        check_feature(feature, pages[:N_CHECKED])
    notify("describing pages")
    others = encoded(FeatureSet(FAMILIES, exclude=names, min_count=MIN_COUNT), trial.corpus)
    trials = []
    with quiet():
        before = cross_validate(trial, others, "without", learner, seed, notify)
        for feature in tried:
            alone = FeatureSet((), include=[feature.name], min_count=MIN_COUNT)
            added, after = encoded(alone, trial.corpus, bias=False), before
            if added[0].shape[1]:
                X = [hstack(both, format="csr") for both in zip(others, added, strict=True)]
                step = f"with {feature.name}"
                after = cross_validate(trial, X, step, learner, seed, notify)
            changes = score_changes(before, after, seed=seed)
            trials.append(_trial(feature, added[0].shape[1], trial, changes))
    return trials


def _trial(
    feature: Feature, n_columns: int, trial: TrialPages,
    changes: tuple[ScoreChange, list[ScoreChange]],
) -> FeatureTrial:  # fmt: skip
    gold, names = np.concatenate(trial.y), trial.corpus.label_set.names
    values = summarise_values(feature, [page.page for page in trial.corpus])
    support = np.bincount(gold[gold >= 0], minlength=len(names))
    shares = support / max(support.sum(), 1)
    entropy = (entr([shares, 1 - shares]).sum(axis=0) / math.log(2)).tolist()
    return FeatureTrial(
        feature=feature,
        values=values,
        support=dict(zip(names, support.tolist(), strict=True)),
        information=dict(zip(names, values.information(gold, len(names)), strict=True)),
        entropy=dict(zip(names, entropy, strict=True)),
        n_columns=n_columns,
        n_sites=len(trial.corpus.sites),
        macro=changes[0],
        labels=dict(zip(names, changes[1], strict=True)),
    )


def count_steps(n_features: int, n_folds: int) -> int:
    """Return the number of steps of trials."""
    return 2 + n_folds * (1 + n_features)


class TrialPages(NamedTuple):
    """Pages of a trial with their labels, and the fold in which each is validated."""

    corpus: Corpus
    y: list[Labels]
    fold: list[int]


def trial_pages(corpus: Corpus, *, seed: int, n_folds: int, needs_sites: bool) -> TrialPages:
    """Return the pages outside the test part, divided into folds by site."""
    train, validation, _ = corpus.split(FRACTIONS, by="site", seed=seed)
    seen = corpus.subset(page.id for page in (*train, *validation))
    seen = seen.with_sites() if needs_sites else seen
    folds = seen.folds(n_folds, by="site", seed=seed)
    fold_of = {page.id: n for n, fold in enumerate(folds) for page in fold}
    y = [seen.label_set.encode(page.labels) for page in seen]
    return TrialPages(seen, y, [fold_of[page.id] for page in seen])


def encoded(features: FeatureSet, corpus: Corpus, *, bias: bool = True) -> list[csr_matrix]:
    """Fit a feature set on all pages and return one matrix per page, with its bias or without."""
    features.fit([page.page for page in corpus])
    X, _ = encode_pages(features, corpus, corpus.label_set)
    kept = [i for i, name in enumerate(features.columns_) if bias or name != BIAS]
    return X if bias else [matrix[:, kept] for matrix in X]


def cross_validate(
    trial: TrialPages, X: Sequence[csr_matrix], what: str, learner: str, seed: int, notify: Notify
) -> Integers:
    """Label each fold by a learner fitted on the others; return the confusion matrix of each site.

    ``what`` follows the number of the fold in the call of ``notify`` before each fit.
    """
    label_set, predicted = trial.corpus.label_set, list(trial.y)
    for fold in sorted(set(trial.fold)):
        notify(f"fold {fold + 1}, {what}")
        train = [i for i, other in enumerate(trial.fold) if other != fold]
        held = [i for i, other in enumerate(trial.fold) if other == fold]
        kept = np.flatnonzero(np.sum([X[i].getnnz(axis=0) for i in train], axis=0) >= MIN_COUNT)
        model = make_learner(LEARNERS[learner], TRIAL_PARAMETERS.get(learner, {}), seed=seed)
        rows = [X[i][:, kept] for i in train]
        fit_learner(model, rows, [trial.y[i] for i in train], label_set=label_set)
        for i, labels in zip(held, model.predict([X[i][:, kept] for i in held]), strict=True):
            predicted[i] = labels
    tests = EvaluatedPages.of([trial.corpus])
    return pool(tests, [labels.tolist() for labels in predicted]).by_site


def score_changes(
    before: Integers, after: Integers, *, seed: int
) -> tuple[ScoreChange, list[ScoreChange]]:
    """Return the change of macro F1 and of each label's F1.

    Sites are resampled with replacement, the same ones before and after; pages of a site share a
    template and are right or wrong together. Macro F1 is the mean over the labels that are in gold
    or prediction, computed for each sample.

    Parameters
    ----------
    before, after : shape (n_sites, n_labels, n_labels)
        Confusion matrix of each site, gold labels in rows.

    References
    ----------
    B. Efron and R. J. Tibshirani (1993). An introduction to the bootstrap, section 13 (percentile
    interval).
    """
    counts = [label_counts(matrices) for matrices in (before, after)]
    first, second = (f1_of(own.sum(axis=0)) for own in counts)
    spread = [drawn_f1(own, seed) for own in counts]

    def change(old: Floats, new: Floats, differences: Floats) -> ScoreChange:
        known = differences[~np.isnan(differences)]
        low, high = np.quantile(known, (0.025, 0.975)) if len(known) else (np.nan, np.nan)
        return ScoreChange(float(old), float(new), float(low), float(high))

    labels = [change(*row) for row in zip(first, second, (spread[1] - spread[0]).T, strict=True)]
    means = macro_of(spread[1]) - macro_of(spread[0])
    return change(macro_of(first), macro_of(second), means), labels


@dataclass(frozen=True, eq=False)
class ValueSummary:
    """Summary of a feature's values on some pages.

    Parameters
    ----------
    regions, pages
        Shares in [0, 1] of regions where it has a value, and of pages where it has one anywhere: a
        truth value that is true, a number, a text, a set that is not empty.
    codes
        Arrays of shape (n_regions,), over all pages: one with the number of each value or, for
        sets, one per member that is 1 where the set contains the member.
    """

    regions: float
    pages: float
    milliseconds: float
    codes: tuple[Integers, ...]

    def information(self, labels: Integers, n_labels: int) -> list[float]:
        """Return the mutual information with each label against all others, in bits.

        For sets it is that of the most informative member. It is estimated from counts without
        correction, so many rare values look a little better than they are. 0 without regions.
        Regions without one known label do not count.
        """
        best, known = np.zeros(n_labels), labels >= 0
        for codes in (codes[known] for codes in self.codes):
            n_codes = int(codes.max(initial=0)) + 1
            pairs = np.bincount(codes * n_labels + labels[known], minlength=n_codes * n_labels)
            table = pairs.reshape(n_codes, n_labels)
            best = np.maximum(best, [_bits(table, label) for label in range(n_labels)])
        return best.tolist()


def summarise_values(feature: Feature, pages: Sequence[Page]) -> ValueSummary:
    """Summarise a feature's values on pages; pages that lack its requirements have none."""
    begin = time.perf_counter()
    values = [
        values_of(feature, page) if feature.is_known(page) else [None] * len(page) for page in pages
    ]
    seconds = time.perf_counter() - begin
    known = [_known(own) for own in values]
    return ValueSummary(
        regions=float(np.concatenate(known).mean()) if any(map(len, known)) else 0,
        pages=float(np.mean([mask.any() for mask in known])) if known else 0,
        milliseconds=1000 * seconds / max(len(pages), 1),
        codes=_codes(feature, values),
    )


def _bits(table: Integers, label: int) -> float:
    """Return the information of codes (rows) about one label (a column) against the others."""
    apart = np.stack([table[:, label], table.sum(axis=1) - table[:, label]], axis=1)
    if not apart.any(axis=0).all():
        return 0.0
    return max(0.0, float(mutual_info_score(None, None, contingency=apart)) / math.log(2))


def _known(values: FeatureValues) -> Flags:
    if isinstance(values, np.ndarray):
        numbers = values.astype(np.float64)
        known: Flags = numbers != 0 if values.dtype.kind == "b" else np.isfinite(numbers)
        return known
    return np.array([bool(value) for value in values], dtype=bool)


def _codes(feature: Feature, values_by_page: Sequence[FeatureValues]) -> tuple[Integers, ...]:
    """Return the values of all pages as numbers from 0."""
    if any(isinstance(values, np.ndarray) for values in values_by_page):
        arrays = (
            values.astype(np.float64) if isinstance(values, np.ndarray) else [np.nan] * len(values)
            for values in values_by_page
        )
        numbers = np.concatenate([np.zeros(0), *arrays])
        known = np.isfinite(numbers)
        borders = feature.borders or _borders(numbers[known])
        codes = np.searchsorted(borders, np.where(known, numbers, 0), side="right")
        return (np.where(known, codes, len(borders) + 1).astype(np.int64),)
    cells = [value for values in values_by_page for value in values]
    if any(isinstance(value, Collection) and not isinstance(value, str) for value in cells):
        return _members(cells)
    counts = Counter(str(value) for value in cells)
    frequent = [text for text, n in counts.most_common() if n >= MIN_VALUE_COUNT]
    places = {text: code for code, text in enumerate(frequent, start=1)}
    return (np.array([places.get(str(value), 0) for value in cells], dtype=np.int64),)


def _borders(numbers: Floats) -> list[float]:
    """Return borders between all values if they are few, or else between tenths.

    The smallest value is always separate: most counts are mostly 0.
    """
    distinct = np.unique(numbers)
    if len(distinct) <= N_INTERVALS:
        return list(distinct[1:])
    inner = np.linspace(0, 1, N_INTERVALS + 1)[1:-1]
    cuts = np.quantile(numbers, inner, method="higher")
    return list(np.unique([distinct[1], *cuts[cuts > distinct[0]]]))


def _members(cells: Sequence[object]) -> tuple[Integers, ...]:
    rows = defaultdict[str, list[int]](list)
    for row, value in enumerate(cells):
        several = [value] if isinstance(value, str) else value
        for member in set(several) if isinstance(several, Collection) else ():
            rows[member].append(row)
    frequent = sorted(rows, key=lambda member: (-len(rows[member]), member))[:MAX_MEMBERS]
    codes = np.zeros((len(frequent), len(cells)), dtype=np.int64)
    for code, member in zip(codes, frequent, strict=True):
        code[rows[member]] = 1
    return tuple(codes)
