import numpy as np
import pytest
from scipy import optimize, sparse

from structce.arrays import UNKNOWN_INDEX
from structce.errors import LearnerError
from structce.learners.crf import CRF_ENGINES, LinearChainCRF
from structce.learners.solvers.lbfgs import chain_objective

both_engines = pytest.mark.parametrize("engine", CRF_ENGINES)


def flat_objective(weights, X, y, n_labels, lambda_):
    n_columns = X[0].shape[1]
    emissions, transitions = np.split(weights, [n_columns * n_labels])
    value, gradients = chain_objective(
        X, y, emissions.reshape(n_columns, -1), transitions.reshape(n_labels, -1), lambda_
    )
    return value, np.concatenate([gradient.ravel() for gradient in gradients])


def test_the_objective_is_minus_the_log_probability_of_the_right_sequences(
    chain_pages, all_sequences
):
    longest = int(np.argmax([len(labels) for labels in chain_pages[1]]))
    X, y = [chain_pages[0][longest][:3]], [chain_pages[1][longest][:3]]
    random = np.random.default_rng(0)
    emissions, transitions = random.normal(size=(12, 3)), random.normal(size=(3, 3))
    scores = X[0] @ emissions

    def weight(z):
        return np.exp(
            scores[np.arange(3), z].sum() + transitions[z[0], z[1]] + transitions[z[1], z[2]]
        )

    probability = weight(y[0]) / sum(map(weight, all_sequences(3, 3)))
    norm = (emissions**2).sum() + (transitions**2).sum()
    value, _ = chain_objective(X, y, emissions, transitions, 0.5)
    assert value == pytest.approx(0.25 * norm - np.log(probability))


def test_the_gradient_equals_finite_differences(chain_pages):
    X, y = chain_pages
    weights = np.random.default_rng(0).normal(size=12 * 3 + 9)
    _, gradient = flat_objective(weights, X, y, 3, 0.3)
    numeric = optimize.approx_fprime(
        weights, lambda w: flat_objective(w, X, y, 3, 0.3)[0], epsilon=1e-6
    )
    assert np.allclose(gradient, numeric, atol=1e-4)


@both_engines
@pytest.mark.parametrize("lambda_", [0.1, 1.0])
def test_the_gradient_is_zero_at_the_stop(chain_pages, engine, lambda_):
    X, y = chain_pages
    fitted = LinearChainCRF(lambda_=lambda_, engine=engine, tol=1e-9).fit(X, y, n_labels=3)
    _, gradients = chain_objective(X, y, fitted.emissions_, fitted.transitions_, lambda_)
    assert max(np.abs(gradient).max() for gradient in gradients) < 1e-3
    assert fitted.gradient_norm_ < 5e-3


@both_engines
def test_the_optimum_is_that_of_another_optimiser_with_a_label_that_never_occurs(
    chain_pages, engine
):
    X, y = chain_pages
    fitted = LinearChainCRF(lambda_=0.2, engine=engine, tol=1e-9).fit(X, y, n_labels=4)
    best = optimize.minimize(
        flat_objective, np.zeros(12 * 4 + 16), args=(X, y, 4, 0.2), jac=True, tol=1e-10
    )
    emissions, transitions = np.split(best.x, [48])
    assert fitted.objective_ == pytest.approx(best.fun, rel=1e-6)
    assert np.allclose(fitted.emissions_, emissions.reshape(12, 4), atol=1e-3)
    assert np.allclose(fitted.transitions_, transitions.reshape(4, 4), atol=1e-3)
    assert (fitted.transitions_[:, 3] < 0).all()


def test_the_engines_agree_in_objective_probabilities_and_labels(make_pages, accuracy):
    X, y = make_pages(60, n_labels=5, n_columns=40, stay=0.5, noise=0.3)
    own, other = (
        LinearChainCRF(lambda_=0.05, engine=engine, tol=1e-8).fit(X[:40], y[:40], n_labels=5)
        for engine in CRF_ENGINES
    )
    assert own.objective_ == pytest.approx(other.objective_, rel=1e-6)
    assert accuracy(own.predict(X), other.predict(X)) > 0.99
    for first, two in zip(own.marginals(X), other.marginals(X), strict=True):
        assert np.allclose(first, two, atol=1e-3)


@both_engines
def test_marginals_of_what_happens_by_chance_are_its_frequency(engine):
    X = [sparse.csr_matrix(np.ones((1, 1)))] * 100
    y = [np.array([int(i < 30)]) for i in range(100)]
    fitted = LinearChainCRF(lambda_=1e-5, engine=engine, tol=1e-8).fit(X, y, n_labels=2)
    assert fitted.marginals(X[:1])[0][0].tolist() == pytest.approx([0.7, 0.3], abs=1e-3)


@both_engines
def test_fewer_iterations_are_an_unfinished_fit(chain_pages, engine):
    X, y = chain_pages
    short = LinearChainCRF(engine=engine, max_iterations=2).fit(X, y, n_labels=3)
    long = LinearChainCRF(engine=engine).fit(X, y, n_labels=3)
    assert short.n_iterations_ == 2
    assert long.n_iterations_ > 2
    assert short.gradient_norm_ > long.gradient_norm_
    assert short.objective_ > long.objective_
    assert [step[0] for step in long.curve_] == list(range(1, long.n_iterations_ + 1))
    assert long.curve_[-1][1] == pytest.approx(long.objective_, rel=1e-3)


def test_the_callback_of_crfsuite_is_called_once_at_the_end(chain_pages):
    heard = []
    fitted = LinearChainCRF(engine="crfsuite").fit(*chain_pages, n_labels=3, callback=heard.append)
    (progress,) = heard
    assert progress.epoch == fitted.n_iterations_
    assert progress.objective == fitted.objective_
    assert progress.gap == pytest.approx(fitted.curve_[-1][2], rel=1e-2)
    assert np.allclose(progress.weights()[0], fitted.emissions_)


@pytest.mark.parametrize(
    "bad",
    [
        {"engine": "pegasos"},
        {"engine": "crfsuite", "warm_start": True},
        {"engine": "crfsuite", "label_weights": "balanced"},
    ],
)
def test_what_an_engine_cannot_do_is_refused_and_the_other_engine_named(chain_pages, bad):
    with pytest.raises(LearnerError, match=r"lbfgs.*crfsuite|crfsuite.*lbfgs"):
        LinearChainCRF(**bad).fit(*chain_pages, n_labels=3)


def test_crfsuite_refuses_unknown_labels_and_names_the_engine_that_takes_them(chain_pages):
    X, y = chain_pages
    y[4][0] = UNKNOWN_INDEX
    with pytest.raises(LearnerError, match="use engine='lbfgs'"):
        LinearChainCRF(engine="crfsuite").fit(X, y, n_labels=3)
    LinearChainCRF().fit(X, y, n_labels=3)


def test_the_chain_runs_through_a_region_whose_label_is_unknown():
    """Labels stand in pairs, and only the first of a pair shows a column."""
    X = [sparse.csr_matrix([[1.0, 0.0], [0.0, 0.0]]), sparse.csr_matrix([[0.0, 1.0], [0.0, 0.0]])]
    y = [np.array([UNKNOWN_INDEX, 0]), np.array([UNKNOWN_INDEX, 1])]
    X, y = [*X * 20, *X], [*y * 20, np.array([0, 0]), np.array([1, 1])]
    fitted = LinearChainCRF(lambda_=0.01).fit(X, y, n_labels=2)
    assert [labels.tolist() for labels in fitted.predict(X[:2])] == [[0, 0], [1, 1]]
    assert min(page[1].max() for page in fitted.marginals(X[:2])) > 0.9


def test_a_warm_start_begins_with_the_weights_there_are_if_they_fit(make_pages):
    X, y = make_pages(20, noise=0.2)
    fitted = LinearChainCRF(warm_start=True, tol=1e-8).fit(X, y, n_labels=3)
    best = fitted.objective_
    again = fitted.set_params(max_iterations=1).fit(X, y, n_labels=3)
    assert again.objective_ == pytest.approx(best, rel=1e-5)
    wider = [sparse.csr_matrix((page.shape[0], 13)) for page in X]
    assert again.fit(wider, y, n_labels=3).emissions_.shape == (13, 3)


def test_balanced_labels_are_found_more_often(make_pages):
    X, y = make_pages(60, noise=0.5)
    y = [np.where(np.arange(len(labels)) % 3, 0, labels) for labels in y]
    shares = [
        np.bincount(
            np.concatenate(LinearChainCRF(label_weights=weights).fit(X, y, n_labels=3).predict(X)),
            minlength=3,
        )
        for weights in (None, "sqrt", "balanced")
    ]
    assert shares[0][0] > shares[1][0] > shares[2][0]
