"""A feature tried: measured on the pages for training and validation, never on those for tests."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from scipy.special import entr

from structce.corpus import Corpus
from structce.errors import FeatureError
from structce.features import FAMILIES, REGISTRY, Feature, FeatureSet
from structce.features.contract import check_feature
from structce.labels import UNKNOWN_INDEX
from structce.learners.progress import quiet
from structce.trying.bench import (
    LEARNER,
    MIN_COUNT,
    N_FOLDS,
    Bench,
    Tell,
    Work,
    beside,
    encode,
)
from structce.trying.gain import Change, changes
from structce.trying.values import Observed, observe

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
    observed: Observed
    support: Mapping[str, int]
    information: Mapping[str, float]
    entropy: Mapping[str, float]
    n_columns: int
    n_sites: int
    macro: Change
    labels: Mapping[str, Change]

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
    learner: str = LEARNER,
    seed: int = 0,
    n_folds: int = N_FOLDS,
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
    work = Work.of(corpus, seed=seed, n_folds=n_folds, needs_sites=needs_sites)
    tell("checking the contract")
    for feature in tried:
        check_feature(feature, work.pages[:CHECKED])
    tell("describing pages")
    base = encode(FeatureSet(FAMILIES, exclude=names, min_count=MIN_COUNT), work.pages, bias=True)
    bench = Bench(work, learner, seed, tell)
    trials = []
    with quiet():
        before = bench.counts(base, "without")
        for feature in tried:
            alone = FeatureSet((), include=[feature.name], min_count=MIN_COUNT)
            added = encode(alone, work.pages, bias=False)
            n_columns = added[0].shape[1]
            after = before
            if n_columns:
                after = bench.counts(beside(base, added), f"with {feature.name}")
            macro, labels = changes(before, after, seed=seed)
            trials.append(_told(feature, n_columns, work, macro, labels))
    return trials


def count_steps(n_features: int, n_folds: int) -> int:
    """Return how many steps a trial has."""
    return 2 + n_folds * (1 + n_features)


def _told(
    feature: Feature, n_columns: int, work: Work, macro: Change, labels: Sequence[Change]
) -> FeatureTrial:
    """Return a trial, with what the values alone tell."""
    gold, names = np.concatenate(work.y), work.label_set.names
    observed = observe(feature, work.pages)
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


def _written(change: Change) -> dict[str, object]:
    values = asdict(change) | {"difference": change.difference}
    plain = {name: None if np.isnan(value) else value for name, value in values.items()}
    return {**plain, "verdict": change.verdict}
