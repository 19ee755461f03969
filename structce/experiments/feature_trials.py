"""How much better regions are labelled with a feature than without, and how sure that is."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from scipy.sparse import csr_matrix, hstack
from scipy.special import entr
from sklearn.metrics import mutual_info_score

from structce.arrays import Flags, Floats, Integers, Labels
from structce.corpus import Corpus
from structce.errors import FeatureError
from structce.evaluation import confusion, f1_of, macro_of
from structce.experiments.config import FRACTIONS, ParameterValue
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
from structce.labels import UNKNOWN_INDEX, LabelSet
from structce.learners import LEARNERS, Learner, quiet
from structce.page import Page

N_RESAMPLES = 2000
"""Bootstrap samples of sites; our choice."""


@dataclass(frozen=True)
class ScoreChange:
    """A measure without and with a feature.

    Parameters
    ----------
    before, after
        F1 in [0, 1]; NaN where the label is in neither gold nor prediction.
    low, high
        95 per cent interval of the difference, from drawing whole sites again.
    """

    before: float
    after: float
    low: float
    high: float

    @property
    def difference(self) -> float:
        """What the feature adds."""
        return self.after - self.before

    @property
    def is_noise(self) -> bool:
        """Whether the interval holds 0: other sites might as well show the opposite."""
        return not (self.low > 0 or self.high < 0)

    @property
    def verdict(self) -> str:
        """``within noise``, ``better`` or ``worse``."""
        if self.is_noise:
            return "within noise"
        return "better" if self.difference > 0 else "worse"


def count_by_site(
    gold: Sequence[Labels], found: Sequence[Labels], sites: Sequence[str], n_labels: int
) -> Integers:
    """Return right, gold and predicted regions of each label at each site.

    Parameters
    ----------
    gold, found, sites
        One of each a page.

    Returns
    -------
    shape (n_sites, 3, n_labels)
        Sites in the order of their names.
    """
    names, places = np.unique(np.array(sites, dtype=np.str_), return_inverse=True)
    counts = np.zeros((len(names), 3, n_labels), dtype=np.int64)
    for y_true, y_pred, place in zip(gold, found, places, strict=True):
        matrix = confusion(y_true, y_pred, n_labels)
        counts[place] += [np.diag(matrix), matrix.sum(axis=1), matrix.sum(axis=0)]
    return counts


def score_changes(
    before: Integers, after: Integers, *, seed: int
) -> tuple[ScoreChange, list[ScoreChange]]:
    """Return the change of macro F1 and of each label's F1.

    Sites are drawn again with replacement, the same ones before and after; pages of a site share
    a template and are right or wrong together. Macro F1 is the mean over the labels that are in
    gold or prediction, in each sample anew.

    Parameters
    ----------
    before, after : shape (n_sites, 3, n_labels)
        See :func:`count_by_site`.

    References
    ----------
    B. Efron and R. J. Tibshirani (1993). An introduction to the bootstrap, section 13 (percentile
    interval).
    """
    n_sites = len(before)
    drawn = np.random.default_rng(seed).multinomial(
        n_sites, np.full(n_sites, 1 / n_sites), size=N_RESAMPLES
    )
    samples = [np.tensordot(drawn, counts, axes=1) for counts in (before, after)]
    whole = [f1_of(counts.sum(axis=0)) for counts in (before, after)]
    spread = [f1_of(counts) for counts in samples]
    labels = [
        _change(whole[0][i], whole[1][i], spread[1][:, i] - spread[0][:, i])
        for i in range(before.shape[2])
    ]
    means = [macro_of(f1) for f1 in spread]
    macro = _change(macro_of(whole[0]), macro_of(whole[1]), means[1] - means[0])
    return macro, labels


def _change(before: Floats, after: Floats, differences: Floats) -> ScoreChange:
    known = differences[~np.isnan(differences)]
    low, high = np.quantile(known, (0.025, 0.975)) if len(known) else (np.nan, np.nan)
    return ScoreChange(float(before), float(after), float(low), float(high))


TRIAL_LEARNER = "linear-chain-crf"
"""Learner of a trial. On 69 Fundus pages 40 of its iterations take 4 to 5 seconds, and 20 epochs of
the multi-class SVM 9; and it has transitions, as the models that are shipped."""

SETTINGS: Mapping[str, Mapping[str, ParameterValue]] = {
    "linear-chain-crf": {"max_iterations": 40},
    "multiclass-svm": {"max_epochs": 20},
    "greedy-svm": {"max_epochs": 20},
    "structured-svm": {"max_epochs": 20},
}
"""Hyper-parameters of a trial by learner, the same without the feature and with it."""

N_TRIAL_FOLDS = 2
"""Folds of a trial; our choice, the fastest."""

MIN_COUNT = 3
"""Columns set in fewer regions are left out; as in Spengler et al. (2010), section 4.1."""

Tell = Callable[[str], object]


@dataclass(frozen=True, eq=False)
class TrialPages:
    """The pages of a trial, with labels and sites, and the fold that each is validated in."""

    pages: list[Page]
    y: list[Labels]
    sites: list[str]
    fold: list[int]
    label_set: LabelSet

    @classmethod
    def of(cls, corpus: Corpus, *, seed: int, n_folds: int, needs_sites: bool) -> TrialPages:
        """Return the pages that are not for tests, cut into folds by site.

        Raises
        ------
        CorpusError
            If there are too few sites.
        """
        train, validation, _ = corpus.split(FRACTIONS, by="site", seed=seed)
        seen = corpus.subset(page.id for page in (*train, *validation))
        seen = seen.with_sites() if needs_sites else seen
        folds = seen.folds(n_folds, by="site", seed=seed)
        fold_of = {page.id: n for n, fold in enumerate(folds) for page in fold}
        return cls(
            pages=[one.page for one in seen],
            y=[corpus.label_set.encode(one.labels) for one in seen],
            sites=[one.site for one in seen],
            fold=[fold_of[one.id] for one in seen],
            label_set=corpus.label_set,
        )


@dataclass(frozen=True, eq=False)
class CrossValidation:
    """Fits one learner on all folds but one, and labels that one.

    Parameters
    ----------
    seed
        Goes to the learner's ``random_state``, if it has one.
    tell
        Told before each fit what it is.
    """

    work: TrialPages
    learner: str
    seed: int
    tell: Tell

    def counts(self, X: Sequence[csr_matrix], what: str) -> Integers:
        """Return right, gold and predicted regions by site, see :func:`count_by_site`."""
        work = self.work
        found: list[Labels] = list(work.y)
        for fold in sorted(set(work.fold)):
            self.tell(f"fold {fold + 1}, {what}")
            train = [i for i, other in enumerate(work.fold) if other != fold]
            held = [i for i, other in enumerate(work.fold) if other == fold]
            kept = _frequent([X[i] for i in train])
            model = self._make()
            rows, y = [X[i][:, kept] for i in train], [work.y[i] for i in train]
            model.fit(rows, y, n_labels=len(work.label_set))
            for i, labels in zip(held, model.predict([X[i][:, kept] for i in held]), strict=True):
                found[i] = labels
        return count_by_site(work.y, found, work.sites, len(work.label_set))

    def _make(self) -> Learner:
        make = LEARNERS[self.learner]
        settings = dict(SETTINGS.get(self.learner, {}))
        if "random_state" in make().get_params():
            settings["random_state"] = self.seed
        return make(**settings)


def encode_pages(features: FeatureSet, pages: Sequence[Page], *, bias: bool) -> list[csr_matrix]:
    """Return one matrix a page, with the column that is set in every region or without."""
    matrices = features.fit(pages).transform_all(pages)
    if bias:
        return matrices
    kept = [i for i, name in enumerate(features.columns_) if name != BIAS]
    return [matrix[:, kept] for matrix in matrices]


def beside(first: Sequence[csr_matrix], second: Sequence[csr_matrix]) -> list[csr_matrix]:
    """Return the columns of both, page by page."""
    return [hstack(pair, format="csr") for pair in zip(first, second, strict=True)]


def _frequent(matrices: Sequence[csr_matrix]) -> Integers:
    """Return the columns that are set in enough regions."""
    counts = np.sum([matrix.getnnz(axis=0) for matrix in matrices], axis=0)
    return np.flatnonzero(counts >= MIN_COUNT)


N_BINS = 10
"""Intervals, equally full, of a number that has no borders of its own; our choice."""

MIN_VALUE_COUNT = 3
"""Texts that fewer regions have are one; as for columns, Spengler et al. (2010), section 4.1."""

MAX_MEMBERS = 300
"""Members of sets that are looked at, the most frequent ones; our choice."""


@dataclass(frozen=True, eq=False)
class ValueSummary:
    """A feature's values on some pages.

    Parameters
    ----------
    regions, pages
        Shares in [0, 1] of regions where it says something, and of pages where it does anywhere:
        a truth value that is true, a number, a text, a set that is not empty.
    milliseconds
        Mean time a page.
    codes
        Arrays of shape (n_regions,), over all pages: one that numbers the values, or for sets one
        a member that is 1 where the member is in.
    """

    regions: float
    pages: float
    milliseconds: float
    codes: tuple[Integers, ...]

    def information(self, labels: Integers, n_labels: int) -> list[float]:
        """Return the mutual information with each label against all others, in bits.

        Of sets that of the member that tells most. It is estimated from counts as they are, so
        many rare values look a little better than they are. 0 without regions.

        Parameters
        ----------
        labels : shape (n_regions,)
            Label indices in 0..n_labels-1; regions of unknown label (-1) do not count.
        """
        best = np.zeros(n_labels)
        known = labels != UNKNOWN_INDEX
        for codes in (codes[known] for codes in self.codes):
            n_codes = int(codes.max(initial=0)) + 1
            pairs = np.bincount(codes * n_labels + labels[known], minlength=n_codes * n_labels)
            table = pairs.reshape(n_codes, n_labels)
            best = np.maximum(best, [_bits(table, label) for label in range(n_labels)])
        return [float(bits) for bits in best]


def summarise_values(feature: Feature, pages: Sequence[Page]) -> ValueSummary:
    """Return what a feature says on pages; nothing on those that lack what it needs.

    Raises
    ------
    FeatureError
        If the feature raises or gives what it may not.
    """
    found: list[FeatureValues] = []
    seconds = 0.0
    for page in pages:
        begin = time.perf_counter()
        is_known = feature.is_known(page)
        found.append(values_of(feature, page) if is_known else [None] * len(page))
        seconds += time.perf_counter() - begin
    known = [_known(values) for values in found]
    return ValueSummary(
        regions=float(np.concatenate([*known, np.zeros(0)]).mean()) if any(map(len, known)) else 0,
        pages=float(np.mean([mask.any() for mask in known])) if known else 0,
        milliseconds=1000 * seconds / max(len(pages), 1),
        codes=_codes(feature, found),
    )


def _bits(table: Integers, label: int) -> float:
    """Return the information of codes, in rows, about one label, a column, against the others."""
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


def _codes(feature: Feature, found: Sequence[FeatureValues]) -> tuple[Integers, ...]:
    """Return the values of all pages as numbers from 0."""
    if any(isinstance(values, np.ndarray) for values in found):
        arrays = (v if isinstance(v, np.ndarray) else np.full(len(v), np.nan) for v in found)
        numbers = np.concatenate([np.zeros(0), *(array.astype(np.float64) for array in arrays)])
        return (_binned(numbers, feature.borders),)
    cells = [value for values in found for value in values]
    if any(isinstance(value, Collection) and not isinstance(value, str) for value in cells):
        return _members(cells)
    counts = Counter(str(value) for value in cells)
    frequent = [text for text, n in counts.most_common() if n >= MIN_VALUE_COUNT]
    places = {text: code for code, text in enumerate(frequent, start=1)}
    return (np.array([places.get(str(value), 0) for value in cells], dtype=np.int64),)


def _binned(numbers: Floats, borders: Sequence[float]) -> Integers:
    """Return the interval of each number, the last one for what is not known."""
    known = np.isfinite(numbers)
    if not borders:
        borders = _borders(numbers[known])
    codes = np.searchsorted(borders, np.where(known, numbers, 0), side="right")
    return np.where(known, codes, len(borders) + 1).astype(np.int64)


def _borders(numbers: Floats) -> list[float]:
    """Return borders between all values if they are few, else between tenths.

    The least value is always apart: most counts are mostly 0.
    """
    distinct = np.unique(numbers)
    if len(distinct) <= N_BINS:
        return [float(value) for value in distinct[1:]]
    inner = np.linspace(0, 1, N_BINS + 1)[1:-1]
    cuts = np.quantile(numbers, inner, method="higher")
    return [float(cut) for cut in np.unique([distinct[1], *cuts[cuts > distinct[0]]])]


def _members(cells: Sequence[object]) -> tuple[Integers, ...]:
    sets = [_names(value) for value in cells]
    rows: dict[str, list[int]] = {}
    for row, members in enumerate(sets):
        for member in members:
            rows.setdefault(member, []).append(row)
    frequent = sorted(rows, key=lambda member: (-len(rows[member]), member))[:MAX_MEMBERS]
    codes = []
    for member in frequent:
        column = np.zeros(len(cells), dtype=np.int64)
        column[rows[member]] = 1
        codes.append(column)
    return tuple(codes)


def _names(value: object) -> Iterable[str]:
    if isinstance(value, str):
        return (value,)
    return set(value) if isinstance(value, Collection) else ()


CHECKED = 5
"""Pages that the whole contract is checked on; values are checked on all. Our choice."""


@dataclass(frozen=True, eq=False)
class FeatureTrial:
    """What one feature is worth.

    Parameters
    ----------
    support
        Regions of each label.
    information, entropy
        Mutual information with each label against all others, and what there is to know about
        it at most, in bits.
    n_columns
        Columns that it adds, those of neighbouring regions included.
    n_sites
        Sites that the intervals were drawn from.
    macro, labels
        Change of macro F1, and of the F1 of each label.
    """

    feature: Feature
    observed: ValueSummary
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
            "regions_known": self.observed.regions,
            "pages_known": self.observed.pages,
            "milliseconds": self.observed.milliseconds,
            "columns": self.n_columns,
            "sites": self.n_sites,
            "macro_f1": _written(self.macro),
            "labels": {
                name: {
                    "regions": self.support[name],
                    "bits": self.information[name],
                    "entropy": self.entropy[name],
                    "f1": _written(change),
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
    tell: Tell = lambda step: None,
) -> list[FeatureTrial]:
    """Return what each feature adds to all others, which are taken without any of these.

    The pages that ``structce compare`` would test on with the same seed stay unseen. The others
    are cut into folds by site, and each fold is labelled by a learner of the other folds. All
    pages are described once; in each fold those columns stay that its training pages show often
    enough.

    Parameters
    ----------
    tell
        Told before each step what it is; there are at most :func:`count_steps` of them.

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
    work = TrialPages.of(corpus, seed=seed, n_folds=n_folds, needs_sites=needs_sites)
    tell("checking the contract")
    for feature in tried:
        check_feature(feature, work.pages[:CHECKED])
    tell("describing pages")
    base = encode_pages(
        FeatureSet(FAMILIES, exclude=names, min_count=MIN_COUNT), work.pages, bias=True
    )
    bench = CrossValidation(work, learner, seed, tell)
    trials = []
    with quiet():
        before = bench.counts(base, "without")
        for feature in tried:
            alone = FeatureSet((), include=[feature.name], min_count=MIN_COUNT)
            added = encode_pages(alone, work.pages, bias=False)
            n_columns = added[0].shape[1]
            after = before
            if n_columns:
                after = bench.counts(beside(base, added), f"with {feature.name}")
            macro, labels = score_changes(before, after, seed=seed)
            trials.append(_told(feature, n_columns, work, macro, labels))
    return trials


def count_steps(n_features: int, n_folds: int) -> int:
    """Return how many steps a trial has."""
    return 2 + n_folds * (1 + n_features)


def _told(
    feature: Feature,
    n_columns: int,
    work: TrialPages,
    macro: ScoreChange,
    labels: Sequence[ScoreChange],
) -> FeatureTrial:
    """Return a trial, with what the values alone tell."""
    gold, names = np.concatenate(work.y), work.label_set.names
    observed = summarise_values(feature, work.pages)
    bits = observed.information(gold, len(names))
    known = gold[gold != UNKNOWN_INDEX]
    support = np.bincount(known, minlength=len(names)).tolist()
    return FeatureTrial(
        feature=feature,
        observed=observed,
        support=dict(zip(names, support, strict=True)),
        information=dict(zip(names, bits, strict=True)),
        entropy={
            name: _entropy(n / max(len(known), 1)) for name, n in zip(names, support, strict=True)
        },
        n_columns=n_columns,
        n_sites=len(set(work.sites)),
        macro=macro,
        labels=dict(zip(names, labels, strict=True)),
    )


def _entropy(share: float) -> float:
    """Return the entropy in bits of what is true of a share in [0, 1]."""
    return float(entr([share, 1 - share]).sum()) / math.log(2)


def _written(change: ScoreChange) -> dict[str, object]:
    values = asdict(change) | {"difference": change.difference}
    plain = {name: None if np.isnan(value) else value for name, value in values.items()}
    return {**plain, "verdict": change.verdict}
