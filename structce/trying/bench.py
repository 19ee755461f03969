"""One learner fitted again and again on the same pages, with more columns or fewer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack

from structce.corpus import Corpus
from structce.experiments.asking.spec import FRACTIONS, Value
from structce.features import FeatureSet
from structce.features.cells import BIAS
from structce.labels import LabelSet
from structce.learners import LEARNERS, Learner
from structce.page import Page
from structce.trying.gain import count_by_site

LEARNER = "linear-chain-crf"
"""Learner of a trial. On 69 Fundus pages 40 of its iterations take 4 to 5 seconds, and 20 epochs of
the multi-class SVM 9; and it has transitions, as the models that are shipped."""

SETTINGS: Mapping[str, Mapping[str, Value]] = {
    "linear-chain-crf": {"max_iterations": 40},
    "multiclass-svm": {"max_epochs": 20},
    "greedy-svm": {"max_epochs": 20},
    "structured-svm": {"max_epochs": 20},
}
"""Hyper-parameters of a trial by learner, the same without the feature and with it."""

N_FOLDS = 2
"""Folds of a trial; our choice, the fastest."""

MIN_COUNT = 3
"""Columns set in fewer regions are left out; as in Spengler et al. (2010), section 4.1."""

Labels = NDArray[np.int64]
Tell = Callable[[str], object]


@dataclass(frozen=True, eq=False)
class Work:
    """The pages of a trial, with labels and sites, and the fold that each is validated in."""

    pages: list[Page]
    y: list[Labels]
    sites: list[str]
    fold: list[int]
    label_set: LabelSet

    @classmethod
    def of(cls, corpus: Corpus, *, seed: int, n_folds: int, needs_sites: bool) -> Work:
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
class Bench:
    """Fits one learner on all folds but one, and labels that one.

    Parameters
    ----------
    seed
        Goes to the learner's ``random_state``, if it has one.
    tell
        Told before each fit what it is.
    """

    work: Work
    learner: str
    seed: int
    tell: Tell

    def counts(self, X: Sequence[csr_matrix], what: str) -> NDArray[np.int64]:
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


def encode(features: FeatureSet, pages: Sequence[Page], *, bias: bool) -> list[csr_matrix]:
    """Return one matrix a page, with the column that is set in every region or without."""
    matrices = features.fit(pages).transform_all(pages)
    if bias:
        return matrices
    kept = [i for i, name in enumerate(features.columns_) if name != BIAS]
    return [matrix[:, kept] for matrix in matrices]


def beside(first: Sequence[csr_matrix], second: Sequence[csr_matrix]) -> list[csr_matrix]:
    """Return the columns of both, page by page."""
    return [hstack(pair, format="csr") for pair in zip(first, second, strict=True)]


def _frequent(matrices: Sequence[csr_matrix]) -> NDArray[np.int64]:
    """Return the columns that are set in enough regions."""
    counts = np.sum([matrix.getnnz(axis=0) for matrix in matrices], axis=0)
    return np.flatnonzero(counts >= MIN_COUNT)
