import numpy as np
import pytest
from scipy import sparse

from structce.arrays import UNKNOWN_INDEX, any_of
from structce.learners.greedy_svm import TRAIN_CONTEXTS, GreedySVM
from structce.learners.solvers.greedy_sgd import GreedyDescent, greedy_hinge
from structce.learners.svm import MulticlassSVM


def make_faint_pages(n_pages, *, noise, seed):
    """Return pages whose labels mostly repeat, while columns tell them in noise only."""
    random = np.random.default_rng(seed)
    X, y = [], []
    for _ in range(n_pages):
        labels = random.integers(3, size=random.integers(10, 30))
        for r in range(1, len(labels)):
            if random.random() < 0.9:
                labels[r] = labels[r - 1]
        told = np.eye(3)[labels] + noise * random.normal(size=(len(labels), 3))
        X.append(sparse.csr_matrix(told))
        y.append(labels)
    return X, y


def extend(X, y, context, n_labels):
    """Return pages with context columns, the obvious way."""
    extended = []
    for page, labels in zip(X, y, strict=True):
        before = np.zeros((page.shape[0], context, n_labels))
        for r in range(page.shape[0]):
            for k in range(min(context, r)):
                before[r, k, labels[r - k - 1]] = 1
        columns = before.reshape(len(before), context * n_labels)
        extended.append(sparse.csr_matrix(np.hstack([page.toarray(), columns])))
    return extended


def test_without_context_it_is_the_multiclass_svm(make_pages):
    X, y = make_pages(20, noise=0.3)
    multiclass = MulticlassSVM().fit(X, y, classes=range(3))
    for train_context in TRAIN_CONTEXTS:
        greedy = GreedySVM(context=0, train_context=train_context).fit(X, y, classes=range(3))
        assert np.array_equal(greedy.emissions_, multiclass.emissions_)
        assert all(map(np.array_equal, greedy.predict(X), multiclass.predict(X)))


@pytest.mark.parametrize("context", [1, 4])
def test_gold_context_is_liblinear_on_extended_pages(make_pages, crammer_singer, context):
    X, y = make_pages(20, stay=0.7, noise=0.3)
    ours = GreedySVM(lambda_=0.5, context=context, tol=2e-4, max_epochs=5000)
    ours.fit(X, y, classes=range(3))
    extended = extend(X, y, context, 3)
    weights, objective = crammer_singer(extended, y, 0.5)
    assert ours.objective_ == pytest.approx(objective, rel=1e-3)
    learnt = np.concatenate([ours.emissions_, ours.context_weights_.reshape(-1, 3)])
    assert np.abs(learnt - weights).max() < 0.03


def paper_loss(emissions, context_weights, y):
    """The loss of a page as section 3.1 of the paper has it, region by region."""
    n_labels = len(context_weights[0])
    decided, total = [], 0.0
    for r, right in enumerate(y):

        def score(before, label, r=r):
            steps = range(min(len(context_weights), r))
            return emissions[r, label] + sum(
                context_weights[k, before[r - k - 1], label] for k in steps
            )

        loser = max((label != right) + score(decided, label) for label in range(n_labels))
        total += loser - score(y, right)
        decided.append(max(range(n_labels), key=lambda label: score(decided, label)))
    return total


def test_the_papers_objective_is_the_mean_of_its_losses():
    random = np.random.default_rng(3)
    for context in (1, 2, 3):
        scores = [random.normal(size=(n, 3)) for n in (1, 4, 7)]
        weights = random.normal(size=(context, 3, 3))
        labels = [random.integers(3, size=len(page)) for page in scores]
        mean = np.mean(
            [paper_loss(*pair) for pair in zip(scores, [weights] * 3, labels, strict=True)]
        )
        assert greedy_hinge(scores, labels, weights, np.ones(3)) == pytest.approx(mean)


def test_the_papers_learner_updates_after_each_decision():
    """Against the paper's recursion written out, weights and all, for every region."""
    X, y = make_faint_pages(3, noise=0.8, seed=5)
    y[1][3] = UNKNOWN_INDEX
    pages = [sparse.csr_array(page) for page in X]
    descent = GreedyDescent(pages, y, np.ones(3), 2, 0.5)
    rate = sum((labels >= 0).sum() for labels in y) / (0.5 * len(X))
    emissions, context, step = np.zeros((3, 3)), np.zeros((2, 3, 3)), 0
    mean, context_mean = np.zeros((3, 3)), np.zeros((2, 3, 3))
    for i in (2, 0, 1, 0):
        descent.pass_page(i)
        own, correct = [], []
        for r, right in enumerate(y[i]):
            row, steps = X[i].toarray()[r], range(min(2, r))
            scores = row @ emissions + sum(context[k, own[r - k - 1]] for k in steps)
            own.append(int(np.argmax(scores)))
            correct.append(right if right >= 0 else own[r])
            if right < 0:
                continue
            step += 1
            loser = int(np.argmax(scores + 1 - np.eye(3)[right]))
            emissions, context = (1 - 1 / step) * emissions, (1 - 1 / step) * context
            emissions[:, right] += rate / step * row
            emissions[:, loser] -= rate / step * row
            for k in steps:
                context[k, correct[r - k - 1], right] += rate / step
                context[k, own[r - k - 1], loser] -= rate / step
            mean, context_mean = mean + step * emissions, context_mean + step * context
    whole = step * (step + 1) / 2
    expected = np.concatenate([mean, context_mean.reshape(-1, 3)]) / whole
    np.testing.assert_allclose(descent.average(), expected, atol=1e-9)


@pytest.mark.parametrize("unknown", [UNKNOWN_INDEX, any_of([0, 1], 2)])
def test_unknown_gold_lets_no_context_weights_drift(unknown):
    """Winner and loser see the same label, the learner's own, where gold is unknown."""
    pages = [sparse.csr_array(np.eye(4)), sparse.csr_array(np.eye(4))]
    labels = [np.array([0, unknown, 1, 1]), np.array([0, 0, 1, 1])]
    settings = {"lambda_": 0.01, "context": 1, "train_context": "paper", "max_epochs": 300}
    drawn = GreedySVM(**settings).fit(pages[:1], labels[:1], classes=range(2))
    known = GreedySVM(**settings).fit(pages[1:], labels[1:], classes=range(2))
    assert 0 <= drawn.objective_ < 2 * known.objective_
    assert np.abs(drawn.context_weights_).max() < 2 * np.abs(known.context_weights_).max()
