"""Proposed labels: what a model says of a page, given what a person has said of it already.

Regions with a label of their own are fixed, regions with several possible labels may have these
alone, and the rest is decoded anew under both: the best sequence by constrained Viterbi, its
confidence by forward-backward. Any model will do; one that labels each region on its own gives its
log probabilities.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from structce.arrays import Flags, Floats
from structce.labeller import RegionLabeller
from structce.labels import LabelSet, allowed_names
from structce.learners import LinearChain, constrained_viterbi, forward_backward_batch
from structce.page import Page

_ABSENT = -8.0
"""Log probability, about, of a label that the model does not know: proposed where nothing else may
be."""


@dataclass(frozen=True)
class Proposal:
    """Labels that a model proposes for a page.

    Parameters
    ----------
    labels
        One label name a region.
    confidence : shape (n_regions,)
        Probability of the label, in [0, 1].
    by
        Name of the model.
    """

    labels: tuple[str, ...]
    confidence: Floats
    by: str


@dataclass(frozen=True)
class PageScores:
    """What a model says of a page before anybody labelled it, as natural logarithms.

    Parameters
    ----------
    emissions : shape (n_regions, n_labels)
    transitions : shape (n_labels, n_labels)
    by
        Name of the model.
    """

    emissions: Floats
    transitions: Floats
    by: str


class Proposer:
    """A model as it proposes labels of a set.

    Parameters
    ----------
    labeller
        None proposes the background for everything, at no confidence to speak of.
    name
        What trails call the model.
    label_set
        Labels to propose; those that the model does not know are as good as never proposed.
    """

    def __init__(self, labeller: RegionLabeller | None, name: str, label_set: LabelSet) -> None:
        self.labeller = labeller
        self.name = name
        self.label_set = label_set

    def scores(self, page: Page) -> PageScores:
        """Return what the model says of a page by itself."""
        n = len(self.label_set)
        if self.labeller is None:
            emissions = np.zeros((len(page), n))
            emissions[:, self.label_set.index(self.label_set.background)] = 0.1
            return PageScores(emissions, np.zeros((n, n)), self.name)
        learner = self.labeller.learner
        X = [self.labeller.features.transform(page)]
        if isinstance(learner, LinearChain):
            (found,) = learner.scores(X)
            found = found / learner.temperature_
            steps = learner.transitions_ / learner.temperature_
        else:
            (found,) = learner.marginals(X)
            found = np.log(np.maximum(found, np.exp(_ABSENT)))
            steps = np.zeros((len(self.labeller.label_set),) * 2)
        return self._renamed(found, steps)

    def _renamed(self, emissions: Floats, transitions: Floats) -> PageScores:
        """Return scores of the model's labels as scores of the labels to propose."""
        theirs = self.labeller.label_set.names if self.labeller else ()
        common = [name for name in self.label_set.names if name in theirs]
        ours = [self.label_set.index(name) for name in common]
        columns = [theirs.index(name) for name in common]
        n = len(self.label_set)
        least = emissions.min(axis=1, initial=0.0, keepdims=True)
        wide = np.full((len(emissions), n), _ABSENT) + np.minimum(least, 0.0)
        wide[:, ours] = emissions[:, columns]
        steps = np.zeros((n, n))
        steps[np.ix_(ours, ours)] = transitions[np.ix_(columns, columns)]
        return PageScores(wide, steps, self.name)


def propose(scores: PageScores, label_set: LabelSet, given: Mapping[int, str]) -> Proposal:
    """Return the best labels of a page among those that people allow.

    Parameters
    ----------
    given
        Label of some regions, or several of which one is right; ``UNKNOWN`` allows all.

    Returns
    -------
    One exact label a region, also where several are allowed.
    """
    if not len(scores.emissions):
        return Proposal((), np.zeros(0), scores.by)
    emissions = np.where(
        allowed_mask(len(scores.emissions), label_set, given), scores.emissions, -np.inf
    )
    found = constrained_viterbi(emissions, scores.transitions)
    _, (marginals,), _ = forward_backward_batch([emissions], scores.transitions)
    confidence = marginals[np.arange(len(found)), found]
    return Proposal(label_set.decode(found), np.clip(confidence, 0.0, 1.0), scores.by)


def allowed_mask(n_regions: int, label_set: LabelSet, given: Mapping[int, str]) -> Flags:
    """Return which labels each region may have, shape (n_regions, n_labels)."""
    mask = np.ones((n_regions, len(label_set)), dtype=bool)
    for i, label in given.items():
        names: Sequence[str] = sorted(allowed_names(label))
        if names:
            mask[i] = False
            mask[i, [label_set.index(name) for name in names]] = True
    return mask
