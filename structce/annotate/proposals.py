"""Proposed labels: a model's labels of a page, given what a person has already labelled.

Regions that a person labelled are fixed, regions with several possible labels may only have these,
and the rest is decoded again under both constraints: the best sequence by constrained Viterbi, its
confidence by forward-backward. Any model will do; one that labels regions independently gives its
log probabilities.

Given labels are remembered for similar regions, on the same page and on its site. Regions are
similar in three ways: the same names and classes from the root down; the same, and the same label
proposed by the model alone (so that one correction fixes a mistake made twenty times); and the same
text. For each, the labels that people gave are counted; the counts, smoothed, multiply the
probabilities of the model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.special import softmax

from structce.arrays import Floats, Integers, Labels, allowed_labels
from structce.article import PageReader
from structce.labelling import ModelChoice, RegionLabeller
from structce.labels import UNKNOWN_INDEX, LabelSet
from structce.learners import Chain, forward_backward_batch, viterbi
from structce.page import Page, region_files, region_paths, region_texts
from structce.rendering import StaticRenderer

_ABSENT = -8.0
"""Approximate log probability of a label that the model does not know: proposed only where nothing
else is allowed."""

_N_OTHERS = 3  # next likely labels of a region: past the third, the key of a label is shorter


@dataclass(frozen=True)
class Proposal:
    """Labels that a model proposes for a page.

    ``confidence`` is the probability of the label, in [0, 1], shape (n_regions,); ``others`` are
    the indices of the next likely labels of each region, the most probable first, shape
    (n_regions, at most 3).
    """

    labels: tuple[str, ...]
    confidence: Floats
    others: Labels


class PageScores(NamedTuple):
    """Scores of a model for an unlabelled page, as natural logarithms."""

    emissions: Floats  # shape (n_regions, n_labels)
    transitions: Floats  # shape (n_labels, n_labels)


@dataclass(frozen=True)
class PreparedPage:
    """A page prepared for proposals: computed once, independent of given labels."""

    scores: PageScores
    keys: list[Keys]

    @cached_property
    def regions_by_key(self) -> dict[tuple[int, str], Integers]:
        """Regions that have a key, by kind of key and key."""
        regions: dict[tuple[int, str], list[int]] = {}
        for i, keys in enumerate(self.keys):
            for kind, key in enumerate(keys):
                if key:
                    regions.setdefault((kind, key), []).append(i)
        return {key: np.array(indices) for key, indices in regions.items()}


class Proposer:
    """Proposer of labels of a set by a model, which has this name in trails.

    Without a labeller it proposes the background for everything, with almost no confidence. Labels
    that the model does not know are practically never proposed. The log probabilities of a
    ``first`` proposer are added, which gives the joint opinion of two experts.
    """

    def __init__(
        self,
        labeller: RegionLabeller | None,
        name: str,
        label_set: LabelSet,
        first: Proposer | None = None,
    ) -> None:
        self.labeller, self.name, self.label_set = labeller, name, label_set
        self._first = first

    def prepare(self, page: Page) -> PreparedPage:
        """Return the model's scores of a page, and the keys of similar regions."""
        scores = self.scores(page)
        if not len(page):
            return PreparedPage(scores, [])
        alone = self.label_set.decode(decode(*scores)[0])
        rows = zip(region_paths(page), alone, region_texts(page), region_files(page), strict=True)
        keys = [
            (path, f"{label} {path}", (text or file) if len(text) <= _MAX_TEXT else "")
            for path, label, text, file in rows
        ]
        return PreparedPage(scores, keys)

    def scores(self, page: Page) -> PageScores:
        """Return the scores of a page without given labels."""
        emissions, transitions = self._model_scores(page)
        if self._first is not None:
            first = self._first.scores(page)
            return PageScores(first.emissions + emissions, first.transitions + transitions)
        return PageScores(emissions, transitions)

    def _model_scores(self, page: Page) -> PageScores:
        n = len(self.label_set)
        if self.labeller is None:
            emissions = np.zeros((len(page), n))
            emissions[:, self.label_set.index(self.label_set.background)] = 0.1
            return PageScores(emissions, np.zeros((n, n)))
        learner = self.labeller.learner
        if self.labeller.trees:
            return self._renamed(*_read_scores(self.labeller, page))
        X = [self.labeller.features.transform(page)]
        if isinstance(learner, Chain):
            (emissions,) = learner.scores(X)
            emissions = emissions / learner.temperature_
            steps = learner.transitions_ / learner.temperature_
        else:
            (emissions,) = learner.predict_marginals(X)
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
        return PageScores(wide, steps)


def _read_scores(labeller: RegionLabeller, page: Page) -> tuple[Floats, Floats]:
    """Return log probabilities of labels, half by the labeller, half by the article.

    A model with trees knows more than its labeller: `structce label` prints the labels that agree
    with the article.
    """
    models = ModelChoice("model", labeller)
    reading = PageReader(StaticRenderer(), models, spans=False)(page)
    n_labels, marginals = len(labeller.label_set), reading.initial.marginals
    article_labels = labeller.label_set.encode(reading.labelling.labels)
    by_labeller = np.zeros((0, n_labels)) if marginals is None else marginals
    shares = 0.5 * by_labeller + 0.5 * np.eye(n_labels)[article_labels]
    return np.log(np.maximum(shares, np.exp(_ABSENT))), np.zeros((n_labels, n_labels))


def propose(
    prepared: PreparedPage,
    label_set: LabelSet,
    given: Mapping[int, str],
    site: Memory | None = None,
) -> Proposal:
    """Return the best labels of a page among those that people allow, one exact label per region.

    ``given`` are labels of regions, or several of which one is right; ``UNKNOWN`` allows all. Exact
    ones also count for similar regions. ``site`` contains labels given on other pages of the site.
    """
    scores, n_labels = prepared.scores, len(label_set)
    if not len(scores.emissions):
        return Proposal((), np.zeros(0), np.zeros((0, 0), dtype=np.int64))
    encoded = np.full(len(scores.emissions), UNKNOWN_INDEX, dtype=np.int64)
    encoded[list(given)] = label_set.encode(given.values())
    here = Memory(n_labels)
    here.add(prepared.keys, encoded)
    emissions = scores.emissions + here.evidence(prepared, PAGE_WEIGHTS)
    if site is not None:
        emissions = emissions + site.evidence(prepared, SITE_WEIGHTS)
    constrained = np.where(allowed_labels(encoded, n_labels), emissions, -np.inf)
    labels, marginals = decode(constrained, scores.transitions)
    confidence = np.clip(marginals[np.arange(len(labels)), labels], 0.0, 1.0)
    fixed = list(given)
    marginals[fixed] = softmax(emissions[fixed], axis=1)
    marginals[np.arange(len(labels)), labels] = -1.0
    others = np.argsort(-marginals, axis=1, kind="stable")[:, : min(_N_OTHERS, n_labels - 1)]
    return Proposal(label_set.decode(labels), confidence, others)


def decode(emissions: Floats, transitions: Floats) -> tuple[Labels, Floats]:
    """Return the best labels and the probability of each label at each region.

    An emission of -inf forbids a label. Without transitions each region is decoded on its own,
    which is a hundred times as fast.
    """
    if not transitions.any():
        return emissions.argmax(axis=1), softmax(emissions, axis=1)
    _, (marginals,), _ = forward_backward_batch([emissions], transitions)
    return viterbi(emissions, transitions), marginals


Keys = tuple[str, str, str]
"""Path, path with the proposed label, and text or file of a region; empty if it has none."""

SMOOTHING = 0.2
"""Count that every label has before any was given; chosen on training sites, like the weights."""

PAGE_WEIGHTS = (0.0, 1.0, 1.0)
"""Weights of labels given on the same page, for the three ways of being similar."""

SITE_WEIGHTS = (0.5, 1.0, 1.0)
"""Weights of labels on finished pages of the same site."""

_MAX_TEXT = 80
"""Longest text that serves as a key, in characters: longer ones do not recur."""


@dataclass
class Memory:
    """Counts of the labels of a set, by key."""

    n_labels: int
    _counts: dict[tuple[int, str], Floats] = field(default_factory=dict, repr=False)

    def add(self, keys: Sequence[Keys], labels: Integers) -> None:
        """Count the exact labels among those of a page, from :meth:`LabelSet.encode`."""
        for i in np.flatnonzero((labels >= 0) & (labels < self.n_labels)).tolist():
            label = labels[i]
            for kind, key in enumerate(keys[i]):
                if key:
                    row = self._counts.get((kind, key))
                    if row is None:
                        row = self._counts[kind, key] = np.zeros(self.n_labels)
                    row[label] += 1

    def evidence(self, page: PreparedPage, weights: Sequence[float]) -> Floats:
        """Return the terms that the counts add to log probabilities, shape (n_regions, n_labels).

        0 for regions without a labelled similar one.
        """
        evidence = np.zeros((len(page.keys), self.n_labels))
        common = page.regions_by_key.keys() & self._counts.keys() if self._counts else ()
        for kind, key in sorted(common):  # sums of floats depend on their order
            if weights[kind]:
                shares = np.log(self._counts[kind, key] + SMOOTHING)
                row = weights[kind] * (shares - shares.max())
                evidence[page.regions_by_key[kind, key]] += row
        return evidence
