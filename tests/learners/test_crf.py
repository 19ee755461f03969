import numpy as np
import pytest
from scipy import optimize

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


@both_engines
def test_the_optimum_is_that_of_another_optimiser(chain_pages, engine):
    X, y = chain_pages
    fitted = LinearChainCRF(lambda_=0.2, engine=engine, tol=1e-9).fit(X, y, classes=range(4))
    best = optimize.minimize(
        flat_objective, np.zeros(12 * 4 + 16), args=(X, y, 4, 0.2), jac=True, tol=1e-10
    )
    emissions, transitions = np.split(best.x, [48])
    assert fitted.objective_ == pytest.approx(best.fun, rel=1e-6)
    assert np.allclose(fitted.emissions_, emissions.reshape(12, 4), atol=1e-3)
    assert np.allclose(fitted.transitions_, transitions.reshape(4, 4), atol=1e-3)
    assert (fitted.transitions_[:, 3] < 0).all()


@pytest.mark.parametrize(
    "bad", [{"engine": "pegasos"}, {"warm_start": True}, {"label_weights": "balanced"}]
)
def test_what_an_engine_cannot_do_is_refused(chain_pages, bad):
    with pytest.raises(LearnerError, match=r"lbfgs.*crfsuite|crfsuite.*lbfgs"):
        LinearChainCRF(**{"engine": "crfsuite"} | bad).fit(*chain_pages, classes=range(3))


def test_crfsuite_refuses_unknown_labels(chain_pages):
    X, y = chain_pages
    y[4][0] = UNKNOWN_INDEX
    with pytest.raises(LearnerError, match="engine='lbfgs'"):
        LinearChainCRF(engine="crfsuite").fit(X, y, classes=range(3))
    LinearChainCRF().fit(X, y, classes=range(3))
