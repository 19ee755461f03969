"""Proposed labels: a model's labels of a page, given what a person has already labelled.

Regions that a person labelled are fixed, regions with several possible labels may only have these,
and the rest is decoded again under both constraints: the best sequence by constrained Viterbi, its
confidence by forward-backward. Any model will do; one that labels regions independently gives its
log probabilities.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from structce.annotate.memory import (
    PAGE_WEIGHTS,
    SITE_WEIGHTS,
    Keys,
    Memory,
    label_indices,
    region_keys,
)
from structce.arrays import Floats, Labels, allowed_labels
from structce.article import read_labelling
from structce.errors import ModelWarning
from structce.labelling import RegionLabeller
from structce.labels import UNKNOWN_INDEX, LabelSet
from structce.learners import Chain, constrained_viterbi, forward_backward_batch
from structce.page import Page

_ABSENT = -8.0
"""Approximate log probability of a label that the model does not know: proposed only where nothing
else is allowed."""


@dataclass(frozen=True)
class Proposal:
    """Labels that a model proposes for a page.

    Parameters
    ----------
    labels
        One label name per region.
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
    """Scores of a model for an unlabelled page, as natural logarithms.

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


@dataclass(frozen=True)
class PreparedPage:
    """A page prepared for proposals: computed once, independent of given labels."""

    scores: PageScores
    keys: list[Keys]


class Proposer:
    """Proposer of labels of a set by a model.

    Parameters
    ----------
    labeller
        Model; None proposes the background for everything, with almost no confidence.
    name
        Name of the model in trails.
    label_set
        Labels to propose; those that the model does not know are practically never proposed.
    """

    def __init__(self, labeller: RegionLabeller | None, name: str, label_set: LabelSet) -> None:
        self.labeller = labeller
        self.name = name
        self.label_set = label_set

    def prepare(self, page: Page) -> PreparedPage:
        """Return the model's scores of a page, and the keys of similar regions."""
        scores = self.scores(page)
        if not len(page):
            return PreparedPage(scores, [])
        alone, _ = decode(scores.emissions, scores.transitions)
        return PreparedPage(scores, region_keys(page, self.label_set.decode(alone)))

    def scores(self, page: Page) -> PageScores:
        """Return the model's scores of a page without given labels."""
        n = len(self.label_set)
        if self.labeller is None:
            emissions = np.zeros((len(page), n))
            emissions[:, self.label_set.index(self.label_set.background)] = 0.1
            return PageScores(emissions, np.zeros((n, n)), self.name)
        learner = self.labeller.learner
        if self.labeller.trees:
            return self._renamed(*_read_scores(self.labeller, page))
        X = [self.labeller.features.transform(page)]
        if isinstance(learner, Chain):
            (emissions,) = learner.scores(X)
            emissions = emissions / learner.temperature_
            steps = learner.transitions_ / learner.temperature_
        else:
            (emissions,) = learner.marginals(X)
            emissions = np.log(np.maximum(emissions, np.exp(_ABSENT)))
            steps = np.zeros((len(self.labeller.label_set),) * 2)
        return self._renamed(emissions, steps)

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


def _read_scores(labeller: RegionLabeller, page: Page) -> tuple[Floats, Floats]:
    """Return log probabilities of labels, half by the labeller, half by the article.

    A model with trees knows more than its labeller: `structce label` prints the labels that agree
    with the article.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)  # warned once, when the model was chosen
        labelling = labeller.label(page)
    n_labels = len(labeller.label_set)
    article_labels = labeller.label_set.encode(read_labelling(labelling).labelling.labels)
    by_labeller = np.zeros((0, n_labels)) if labelling.marginals is None else labelling.marginals
    shares = 0.5 * by_labeller + 0.5 * np.eye(n_labels)[article_labels]
    return np.log(np.maximum(shares, np.exp(_ABSENT))), np.zeros((n_labels, n_labels))


def propose(
    prepared: PreparedPage,
    label_set: LabelSet,
    given: Mapping[int, str],
    site: Memory | None = None,
) -> Proposal:
    """Return the best labels of a page among those that people allow.

    Parameters
    ----------
    given
        Labels of regions, or several of which one is right; ``UNKNOWN`` allows all. Exact ones
        also count for similar regions.
    site
        Labels given on other pages of the site.

    Returns
    -------
    One exact label per region, even where several are allowed.
    """
    scores, n_labels = prepared.scores, len(label_set)
    if not len(scores.emissions):
        return Proposal((), np.zeros(0), scores.by)
    encoded = np.full(len(scores.emissions), UNKNOWN_INDEX, dtype=np.int64)
    encoded[list(given)] = label_set.encode(given.values())
    here = Memory(n_labels)
    here.add(prepared.keys, label_indices(encoded, n_labels))
    emissions = scores.emissions + here.evidence(prepared.keys, PAGE_WEIGHTS)
    if site is not None:
        emissions = emissions + site.evidence(prepared.keys, SITE_WEIGHTS)
    emissions = np.where(allowed_labels(encoded, n_labels), emissions, -np.inf)
    labels, marginals = decode(emissions, scores.transitions)
    confidence = marginals[np.arange(len(labels)), labels]
    return Proposal(label_set.decode(labels), np.clip(confidence, 0.0, 1.0), scores.by)


def decode(emissions: Floats, transitions: Floats) -> tuple[Labels, Floats]:
    """Return the best labels and the probability of each label at each region.

    Parameters
    ----------
    emissions : shape (n_regions, n_labels)
        -inf forbids a label.
    transitions : shape (n_labels, n_labels)
        If all are 0, each region is decoded on its own, which is a hundred times as fast.
    """
    if not transitions.any():
        shares = np.exp(emissions - emissions.max(axis=1, keepdims=True))
        return emissions.argmax(axis=1), shares / shares.sum(axis=1, keepdims=True)
    _, (marginals,), _ = forward_backward_batch([emissions], transitions)
    return constrained_viterbi(emissions, transitions), marginals
