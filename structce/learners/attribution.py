"""Attribution of a region's label to the region's columns and to the labels of other regions.

`attribute_label` splits the score of every label into its parts; `find_counterfactual` searches for
the smallest set of columns without which the region has another label.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from structce.arrays import Floats, Labels
from structce.errors import LearnerError
from structce.learners.base import Learner
from structce.learners.boosted_chain import BoostedChain
from structce.learners.greedy_svm import GreedySVM
from structce.learners.inference.greedy import greedy_decode
from structce.learners.inference.viterbi import max_marginals, sequence_score, viterbi
from structce.learners.inputs import Features, check_pages
from structce.learners.linear import LinearChain, LinearLearner

_TIE = 1e-9  # relative tolerance within which two scores may tie; absolute for scores below 1


class ContextTerm(NamedTuple):
    """Share of another region in the scores of the chosen label and of the runner-up.

    ``offset`` is its position relative to this region: -1 is the region before, 1 the next, None
    the rest of the page; 0 is this region, whose scores trees begin with before any column.
    """

    offset: int | None
    labels: tuple[int, int] | None  # its labels beside the chosen label, and beside the runner-up
    scores: tuple[float, float]  # what it adds to the scores of these two


class Attribution(NamedTuple):
    """Additive explanation of a region's label.

    ``label_scores`` has, for each label, the score of the best labelling of the page in which the
    region has it. ``columns`` are those with a non-zero value in the region or, of trees, on whose
    splits its scores depend. ``contributions``, shape (n_set, n_labels), are values times weights,
    and sum to the region's emission scores; of trees, see `BoostedChain.contributions`.
    """

    labels: Labels  # predicted labels of the page
    chosen: int  # predicted label of the region
    runner_up: int  # label with the second highest score; the lower index wins a tie
    label_scores: Floats  # shape (n_labels,)
    columns: Labels  # shape (n_set,)
    values: Floats  # of these columns
    contributions: Floats
    terms: tuple[ContextTerm, ...]  # other parts of the scores of `chosen` and `runner_up`
    flips: tuple[tuple[int, int], ...]
    """Other regions whose labels change if the region takes the runner-up, and those labels."""

    @property
    def margin(self) -> float:
        """Lead of the chosen label over the runner-up, at least 0 up to rounding (dimensionless).

        Equals the sum of the differences of all contributions and terms.
        """
        return float(self.label_scores[self.chosen] - self.label_scores[self.runner_up])


def attribute_label(learner: Learner, page: Features, i: int) -> Attribution:
    """Return the parts of the scores behind the label that a learner predicts for region `i`.

    Raises LearnerError if the learner has a single label, is neither linear nor boosted trees, is
    not fitted, or its decoding is not known here.
    """
    learner._check_fitted()
    if learner.n_labels_ < 2:
        raise LearnerError("a learner with a single label has no runner-up to compare it with")
    row = check_pages([page], learner.n_columns_, learner.vectorizer_)[0][[i]]
    emissions = learner.scores([page])[0]
    labels = learner._decode([emissions])[0]
    chosen, flips = int(labels[i]), tuple[tuple[int, int], ...]()
    is_chain = isinstance(learner, LinearChain | BoostedChain)
    if is_chain:
        label_scores: Floats = max_marginals(emissions, learner.transitions_)[i]
    else:
        context = _context_weights(learner)
        label_scores = greedy_decode(emissions, context)[1][i]
    rivals = label_scores.copy()
    rivals[chosen] = -np.inf
    runner_up = int(rivals.argmax())
    if is_chain:
        terms, flips = _chain_terms(emissions, learner.transitions_, labels, i, runner_up)
    else:
        before = enumerate(labels[:i][::-1][: len(context)].tolist())
        scores = ((k, label, context[k, label]) for k, label in before)
        terms = [
            ContextTerm(-k - 1, (label, label), (float(added[chosen]), float(added[runner_up])))
            for k, label, added in scores
        ]
    if isinstance(learner, BoostedChain):
        shares = learner.contributions(row)
        start = emissions[i] - shares.sum(axis=0)
        terms = [ContextTerm(0, None, (float(start[chosen]), float(start[runner_up]))), *terms]
        columns = np.flatnonzero(shares.any(axis=1))
        values, contributions = row.toarray()[0, columns], shares[columns]
    else:
        row.eliminate_zeros()
        columns, values = row.indices.astype(np.int64), row.data
        contributions = values[:, None] * learner.emissions_[columns]  # type: ignore[attr-defined]
    return Attribution(
        labels, chosen, runner_up, label_scores, columns, values, contributions, tuple(terms), flips
    )


def find_counterfactual(
    learner: Learner, page: Features, i: int, attribution: Attribution
) -> tuple[tuple[int, ...], int | None]:
    """Return the smallest set of columns without which region `i` has another label, and the label.

    Columns are removed from this region only, those with the largest score difference first. Of
    trees, whose columns do not act independently, every set that begins so is tried. The label is
    verified by prediction; empty and None if no set changes it.

    References
    ----------
    D. Martens, F. Provost (2014). Explaining data-driven document classifications. MIS Quarterly
    38(1): the smallest set of words whose removal changes the class of a document.
    """
    row = check_pages([page], learner.n_columns_, learner.vectorizer_)[0][[i]]
    emissions = learner.scores([page])[0]
    gains = attribution.contributions[:, [attribution.chosen]] - attribution.contributions
    gains[attribution.values == 0] = 0  # nothing to remove
    margins = attribution.label_scores[attribution.chosen] - attribution.label_scores
    order = np.argsort(-gains, axis=0, kind="stable")
    ranked = np.take_along_axis(gains, order, axis=0)
    may_lead, nearest = ranked > 0, np.broadcast_to(margins, ranked.shape)
    if not isinstance(learner, BoostedChain):  # gains add up: other sets cannot reach the lead
        nearest = margins - np.cumsum(ranked, axis=0)
        may_lead &= nearest <= _TIE * np.maximum(1.0, np.abs(margins))
    sizes, rivals = np.nonzero(may_lead)
    for k in np.lexsort((rivals, nearest[sizes, rivals], sizes)).tolist():
        columns = attribution.columns[order[: sizes[k] + 1, rivals[k]]]
        changed, without = emissions.copy(), row.copy()
        without.data[np.isin(row.indices, columns)] = 0
        changed[i] = learner.scores([without])[0][0]
        label = int(learner._decode([changed])[0][i])
        if label != attribution.chosen:
            return tuple(columns.tolist()), label
    return (), None


def _context_weights(learner: Learner) -> Floats:
    """Return the weights of the labels before a region, shape (context, n_labels, n_labels)."""
    if isinstance(learner, GreedySVM):
        return learner.context_weights_
    if isinstance(learner, LinearLearner) and learner.weight_names == ("emissions_",):
        return np.zeros((0, learner.n_labels_, learner.n_labels_))
    raise LearnerError(
        f"a {learner.name} cannot be explained: expected a linear chain, a greedy SVM, emissions "
        f"alone or boosted-trees, not weights {learner.weight_names}"
    )


def _chain_terms(
    emissions: Floats, transitions: Floats, y: Labels, i: int, rival: int
) -> tuple[list[ContextTerm], tuple[tuple[int, int], ...]]:
    """Return the parts of the scores of ``y[i]`` and `rival` besides emissions, and the flips."""
    allowed = emissions.copy()
    allowed[i, np.arange(allowed.shape[1]) != rival] = -np.inf
    z = viterbi(allowed, transitions)
    terms = []
    for offset in (-1, 1):
        if 0 <= i + offset < len(y):
            labels = int(y[i + offset]), int(z[i + offset])
            left, right = min(i, i + offset), max(i, i + offset)
            edges = [float(transitions[path[left], path[right]]) for path in (y, z)]
            terms.append(ContextTerm(offset, labels, (edges[0], edges[1])))
    if len(y) > 1:
        rest = [
            sequence_score(emissions, transitions, path)
            - float(emissions[i, path[i]])
            - sum(term.scores[side] for term in terms)
            for side, path in enumerate((y, z))
        ]
        terms.append(ContextTerm(None, None, (rest[0], rest[1])))
    others = np.setdiff1d(np.flatnonzero(y != z), [i])
    return terms, tuple(zip(others.tolist(), z[others].tolist(), strict=True))
