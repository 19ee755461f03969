"""Boosted trees over regions: what the trees say is what scikit-learn's say."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse
from sklearn.ensemble import HistGradientBoostingClassifier

from structce.errors import LearnerError, ModelError
from structce.learners import BoostedChain, attribute_label, find_counterfactual, load_learner


def stacked(pages):
    return np.concatenate([page.toarray() for page in pages])


@pytest.mark.parametrize("n_labels", [2, 3])
def test_scores_are_those_of_scikit_learns_trees(make_pages, n_labels):
    X, y = make_pages(30, n_labels=n_labels, noise=0.3)
    learner = BoostedChain(n_rounds=25, lambda_=0.02, min_leaf=5).fit(X, y, classes=range(n_labels))
    settings = {"max_iter": 25, "max_depth": 5, "max_leaf_nodes": 32, "min_samples_leaf": 5}
    referee = HistGradientBoostingClassifier(
        **settings, l2_regularization=0.02 * 30, early_stopping=False
    ).fit(stacked(X), np.concatenate(y))
    expected = referee.predict_proba(stacked(X))
    np.testing.assert_allclose(np.exp(np.concatenate(learner.scores(X))), expected, atol=1e-4)


def test_transitions_are_counted_lifts():
    X = [sparse.csr_matrix(np.ones((5, 1)))] * 2
    y = [np.array([0, 1, 1, -1, 0]), np.array([0, 1, 0, 1, 1])]
    learner = BoostedChain(transition_weight=1.0).fit(X, y, classes=range(3))
    # Pairs 01 01 01, 11 11, 10: of six second labels one is 0 and five are 1.
    lift = [[1 / 4, (3 / (5 / 6) + 1) / 4, 1], [(6 + 1) / 4, (2 / (5 / 6) + 1) / 4, 1], [1, 1, 1]]
    np.testing.assert_allclose(learner.transitions_, np.log(lift), atol=1e-6)


@pytest.mark.parametrize("n_labels", [2, 3])
def test_contributions_are_the_changes_of_splits(make_pages, n_labels):
    X, y = make_pages(30, n_labels=n_labels, noise=0.3)
    learner = BoostedChain(n_rounds=8, min_leaf=5, most_columns=9).fit(
        X, y, classes=range(n_labels)
    )
    kept, nodes, rows = np.flatnonzero(learner.kept_), learner.nodes_, stacked(X)

    def path(node, row):
        """Nodes from a root to the leaf of a row."""
        column, threshold, *children, _ = nodes[node]
        below = int(children[int(row[kept[int(column)]] > threshold)])
        return [node] if below == node else [node, *path(below, row)]

    # Worked out by following every training region: a node is worth the mean of its regions.
    leaves = {int(root): [] for root in learner.roots_.ravel()}
    for root in list(leaves):
        for way in (path(root, row) for row in rows):
            for node in way:
                leaves.setdefault(node, []).append(nodes[way[-1], -1])
    worth = {node: np.mean(values) for node, values in leaves.items()}
    page = X[0]
    for i, row in enumerate(page.toarray()):
        expected = np.zeros((page.shape[1], n_labels))
        start = np.zeros(n_labels)
        for output, roots in enumerate(learner.roots_.astype(int), start=n_labels == 2):
            start[output] = learner.baselines_[output - (n_labels == 2)]
            for root in roots:
                start[output] += worth[root]
                for above, below in pairwise(path(root, row)):
                    expected[kept[int(nodes[above, 0])], output] += worth[below] - worth[above]
        added = learner.contributions(page[[i]])
        np.testing.assert_allclose(added, expected, atol=1e-5)
        odds = added.sum(axis=0)
        roots = nodes[learner.roots_.astype(int), -1].sum(axis=1)
        odds[-len(roots) :] += learner.baselines_ + roots
        scores = learner.scores([page])[0][i]
        np.testing.assert_allclose(scores, odds - np.logaddexp.reduce(odds), atol=1e-12)
        attribution = attribute_label(learner, page, i)
        first = attribution.terms[0]
        pair = [attribution.chosen, attribution.runner_up]
        lead = np.subtract(*start[pair])
        assert (first.offset, first.labels) == (0, None)
        assert first.scores[0] - first.scores[1] == pytest.approx(lead, abs=1e-5)


def test_removed_columns_change_the_label_as_said(make_pages):
    X, y = make_pages(40, noise=0.4, stay=0.6)
    learner = BoostedChain(n_rounds=10, min_leaf=5).fit(X, y, classes=range(3))
    n_changed = 0
    for page in X[:10]:
        for i in range(page.shape[0]):
            attribution = attribute_label(learner, page, i)
            columns, label = find_counterfactual(learner, page, i, attribution)
            dense = page.toarray()
            assert dense[i, list(columns)].all()
            dense[i, list(columns)] = 0
            other = learner.predict([sparse.csr_matrix(dense)])[0][i]
            assert other == (label if columns else attribution.chosen)
            n_changed += bool(columns)
    assert n_changed > 10


@pytest.mark.parametrize("column", [0, 2, 3])
def test_trees_that_point_outside_are_refused(make_pages, tmp_path, column):
    X, y = make_pages(20)
    learner = BoostedChain(n_rounds=5).fit(X, y, classes=range(3))
    learner.nodes_ = learner.nodes_.copy()
    learner.nodes_[:, column] = 1e6
    with pytest.raises(LearnerError, match="damaged"):
        learner.predict(X)
    learner.save(tmp_path)
    with pytest.raises(ModelError, match="damaged"):
        load_learner(tmp_path)
