"""Neural learners: what they are for beyond the contract of all learners."""

import numpy as np
import pytest
from scipy import sparse

from structce.errors import MissingExtraError
from structce.learners import BiLSTM, BiLSTMCRF, load_learner, registry

QUICK = {"n_dense": 16, "n_hidden": 8, "max_epochs": 20, "learning_rate": 0.02}

needs_torch = pytest.mark.skipif("bilstm" not in registry.LEARNERS, reason="needs the extra neural")


@pytest.fixture
def without_torch(monkeypatch):
    """A registry as it is where PyTorch is not installed."""
    before = dict(registry.LEARNERS)
    for name, kind in (("bilstm", BiLSTM), ("bilstm-crf", BiLSTMCRF)):
        registry.LEARNERS.pop(name, None)
        monkeypatch.setitem(registry._UNTRAINABLE, name, (kind, "no_such_module", "neural"))
    yield
    registry.LEARNERS.clear()
    registry.LEARNERS.update(before)


def far_pages(n_pages, seed=0):
    """Pages whose label is told by their first region alone."""
    random = np.random.default_rng(seed)
    X, y = [], []
    for n in range(n_pages):
        page = np.zeros((random.integers(4, 9), 4))
        page[:, 2] = random.random(len(page))
        page[0, n % 2] = 1
        X.append(sparse.csr_matrix(page))
        y.append(np.full(len(page), n % 2, dtype=np.int64))
    return X, y


def with_weights(learner, n_columns, n_labels, seed=0):
    """A learner with random weights, as if it were fitted."""
    random = np.random.default_rng(seed)
    learner.n_columns_, learner.classes_ = n_columns, np.arange(n_labels)
    learner.temperature_, learner.calibration_ = 1.0, None
    learner.objective_, learner.n_epochs_, learner.curve_ = 1.5, 2, [(1, 2.0, 0.5)]
    for name, shape in learner._weight_shapes().items():
        weights = random.normal(size=shape).astype(np.float32)
        setattr(learner, name, weights.astype(np.float64))
    return learner


@needs_torch
@pytest.mark.parametrize("kind", [BiLSTM, BiLSTMCRF])
def test_what_one_region_tells_reaches_all_others(kind, accuracy):
    X, y = far_pages(40)
    learner = kind(**{**QUICK, "max_epochs": 60}, batch_size=10).fit(
        X[:30], y[:30], classes=range(2)
    )
    assert accuracy(learner.predict(X[30:]), y[30:]) > 0.9


@pytest.mark.parametrize("kind", [BiLSTM, BiLSTMCRF])
@pytest.mark.parametrize("n_layers", [1, 2])
def test_weights_are_saved_and_loaded_without_pytorch(kind, n_layers, tmp_path, without_torch):
    learner = with_weights(kind(n_dense=5, n_hidden=3, n_layers=n_layers), 6, 4)
    learner.save(tmp_path)
    loaded = load_learner(tmp_path)
    X, _ = far_pages(3)
    X = [sparse.csr_matrix(np.hstack([page.toarray(), np.ones((page.shape[0], 2))])) for page in X]
    assert type(loaded) is kind
    assert loaded.curve_ == learner.curve_
    for marginal, other in zip(
        learner.predict_marginals(X), loaded.predict_marginals(X), strict=True
    ):
        assert np.array_equal(marginal, other)
        assert np.ptp(marginal) > 0


@pytest.mark.parametrize("name", ["bilstm", "bilstm-crf"])
def test_without_pytorch_the_extra_is_named(name, without_torch):
    with pytest.raises(MissingExtraError, match=r"structce\[neural\]"):
        registry.LEARNERS[name]
    assert name not in registry.LEARNERS
