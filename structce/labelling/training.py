"""Training of a learner on labelled pages: encode the pages, create the learner, fit it.

:class:`structce.labelling.RegionLabeller`, the jobs of an experiment and the trials of features all
use these functions, so that they cannot diverge.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from structce.arrays import Labels, without_background_sets
from structce.features import FeatureSet
from structce.labels import LabelSet
from structce.learners import Callback, Learner

if TYPE_CHECKING:  # importing it takes 0.6 s, and labelling does not need it
    import scipy

    from structce.corpus import LabelledPage

LearnerFactory = Callable[..., Learner]
"""Creates a learner from its hyper-parameters: usually its class."""


def encode_pages(
    features: FeatureSet, pages: Iterable[LabelledPage], label_set: LabelSet
) -> tuple[list[scipy.sparse.csr_matrix], list[Labels]]:
    """Return the matrix and the label indices of each page, given a fitted feature set.

    Matrices have the shape (n_regions, n_columns), arrays of labels (n_regions,).
    """
    pages = list(pages)
    X = [features.transform(page.page) for page in pages]
    return X, [label_set.encode(page.labels) for page in pages]


def make_learner(
    factory: LearnerFactory, parameters: Mapping[str, object], *, seed: int
) -> Learner:
    """Return a learner with the given hyper-parameters, not fitted.

    The seed becomes its ``random_state`` if it has one and the parameters do not set it.
    """
    seeded = {"random_state": seed} if _takes(factory, "random_state") else {}
    return factory(**{**seeded, **parameters})


def fit_learner(
    learner: Learner,
    X: Sequence[scipy.sparse.csr_matrix],
    y: Sequence[Labels],
    *,
    label_set: LabelSet,
    callback: Callback | None = None,
) -> Learner:
    """Fit a learner on encoded pages and return it.

    Sets of labels that include the background are learnt as unknown: nobody annotated these
    regions, and a learner would only confirm what it already believes. (On nine data sets, five
    folds, a multi-class SVM that resolved them labelled twice as many pictures of Fundus as
    content as there are.)

    Parameters
    ----------
    callback
        Called after every epoch; a user's own learner that takes no callback is fitted without.
    """
    background = label_set.index(label_set.background)
    gold = [without_background_sets(labels, background) for labels in y]
    if callback is not None and _takes(learner.fit, "callback"):
        return learner.fit(X, gold, classes=label_set.names, callback=callback)
    return learner.fit(X, gold, classes=label_set.names)


def _takes(function: Callable[..., object], parameter: str) -> bool:
    return parameter in inspect.signature(function).parameters
