"""Contract of every registered learner: fitting, predicting, calibrating, storage."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from structce.arrays import UNKNOWN_INDEX, any_of
from structce.errors import LearnerError
from structce.learners import Chain
from structce.learners.registry import LEARNERS, load_learner

pytestmark = pytest.mark.parametrize("name", sorted(LEARNERS))


def same_weights(a, b):
    return all(np.array_equal(getattr(a, key), getattr(b, key)) for key in a.weight_names)


def test_it_learns_an_easy_problem(name, make_quick, make_pages, accuracy):
    X, y = make_pages(40)
    learner = make_quick(name, lambda_=0.01).fit(X[:20], y[:20], classes=range(3))
    assert accuracy(learner.predict(X[20:]), y[20:]) > 0.98


def test_it_learns_from_sets_of_labels(name, make_quick, make_pages, accuracy):
    X, y = make_pages(40)
    sets = [
        np.array([any_of({0, label}, 3) if i % 3 == 0 else label for i, label in enumerate(page)])
        for page in y[:20]
    ]
    learner = make_quick(name, lambda_=0.01).fit(X[:20], sets, classes=range(3))
    assert accuracy(learner.predict(X[20:]), y[20:]) > 0.95


@pytest.mark.parametrize("value", [0, -1.0, float("nan"), float("inf"), "0.1", None, True])
def test_a_bad_lambda_is_refused_by_fit_and_not_before(name, noisy_pages, value):
    learner = LEARNERS[name](lambda_=value)
    with pytest.raises(LearnerError, match="lambda_"):
        learner.fit(*noisy_pages, classes=range(3))


def test_every_other_hyper_parameter_is_checked_as_well(name, noisy_pages):
    for key in set(LEARNERS[name]().get_params()) - {"lambda_"}:
        with pytest.raises(LearnerError, match=key):
            LEARNERS[name](**{key: -1}).fit(*noisy_pages, classes=range(3))


def test_fitting_again_gives_the_same_result(name, make_brief, noisy_pages, make_pages):
    learner, other = make_brief(name), make_pages(5, n_columns=7, seed=9)
    assert learner.fit(*noisy_pages, classes=range(3)) is learner
    again = make_brief(name).fit(*other, classes=range(4)).fit(*noisy_pages, classes=range(3))
    assert same_weights(learner, again)
    assert same_weights(learner, clone(learner).fit(*noisy_pages, classes=range(3)))


def test_inputs_stay_as_they_were(name, make_brief, noisy_pages):
    X, y = noisy_pages
    X = [page[:, ::-1].tocsr() for page in X]  # column indices out of order
    before = [(page.data.copy(), page.indices.copy(), page.indptr.copy()) for page in X]
    labels = [labels_of_page.copy() for labels_of_page in y]
    make_brief(name).fit(X, y, classes=range(3)).confidence(X)
    for page, arrays in zip(X, before, strict=True):
        assert all(map(np.array_equal, (page.data, page.indices, page.indptr), arrays))
    assert all(map(np.array_equal, y, labels))


def test_a_page_without_regions_is_legal_everywhere(name, make_brief, noisy_pages):
    X, y = noisy_pages
    empty, none = sparse.csr_matrix((0, 12)), np.array([], dtype=np.int64)
    fitted = make_brief(name).fit([empty, *X, empty], [none, *y, none], classes=range(3))
    assert fitted.predict([empty])[0].shape == (0,)
    assert fitted.confidence([empty, X[0]])[0].shape == (0,)
    assert fitted.predict_marginals([X[0], empty])[1].shape == (0, 3)
    assert fitted.predict([]) == []
    assert fitted.confidence([]) == []


def test_pages_without_columns_or_with_one_label_are_legal(name, make_brief):
    page, y = sparse.csr_matrix((4, 0)), np.array([0, 0, 0, 0])
    fitted = make_brief(name).fit([page], [y], classes=range(1))
    assert fitted.predict([page])[0].tolist() == [0, 0, 0, 0]
    assert fitted.confidence([page])[0].tolist() == [1, 1, 1, 1]
    make_brief(name).fit([page], [y], classes=range(2)).predict([page])


def test_a_saved_and_loaded_learner_is_the_same(name, make_brief, noisy_pages, tmp_path):
    X, y = noisy_pages
    fitted = make_brief(name, lambda_=np.float64(0.5)).fit(X, y, classes=range(4))
    fitted.save(tmp_path / "new" / "model")
    loaded = load_learner(tmp_path / "new" / "model")
    assert type(loaded) is LEARNERS[name]
    assert loaded.get_params() == fitted.get_params()
    assert same_weights(fitted, loaded)
    assert all(map(np.array_equal, fitted.predict(X), loaded.predict(X)))
    assert all(map(np.array_equal, fitted.confidence(X), loaded.confidence(X)))
    for key in fitted.diagnostic_names:
        assert getattr(loaded, key) == getattr(fitted, key)
    loaded.fit(X, y, classes=range(4))
    assert same_weights(fitted, loaded)


def test_what_is_not_fitted_predicts_and_saves_nothing(name, make_brief, noisy_pages, tmp_path):
    learner = make_brief(name)
    for call in (learner.predict, learner.confidence, learner.predict_marginals, learner.scores):
        with pytest.raises(LearnerError, match="not fitted"):
            call(noisy_pages[0])
    with pytest.raises(LearnerError, match="not fitted"):
        learner.save(tmp_path)
    assert list(tmp_path.iterdir()) == []
    check_is_fitted(learner.fit(*noisy_pages, classes=range(3)))


def test_inputs_that_do_not_fit_together_are_refused(name, noisy_pages, fitted):
    X, y = noisy_pages
    nan = X[0].copy()
    nan.data[0] = np.nan
    cases = [
        (([], []), "at least one page"),
        ((X, y[1:]), "15 pages but labels for 14"),
        ((X, [y[0][1:], *y[1:]]), "page 0 has"),
        (([*X[:-1], X[-1][:, 1:]], y), "page 14 has 11 columns; expected 12"),
        ((X, [y[0] + 3, *y[1:]]), r"expected 0\.\.2"),
        ((X, [y[0] - 11, *y[1:]]), r"expected 0\.\.2"),
        ((X, [y[0] + 0.5, *y[1:]]), "expected integers"),
        (([nan, *X[1:]], y), "page 0 contains NaN"),
        ((["no matrix", *X[1:]], y), "page 0: "),
        (([{}, *X[1:]], y), "page 0: "),
    ]
    for (pages, labels), message in cases:
        with pytest.raises(LearnerError, match=message):
            LEARNERS[name]().fit(pages, labels, classes=range(3))
    with pytest.raises(LearnerError, match="classes"):
        LEARNERS[name]().fit(X, y, classes=[])
    with pytest.raises(LearnerError, match="columns"):
        fitted(name).predict([X[0][:, 1:]])


def test_known_labels_stay_and_change_others_by_the_model(name, noisy_pages, fitted):
    X, y = noisy_pages
    learner = fitted(name, n_labels=4)
    wanted = [{r: int(labels[r] + 1) % 4 for r in range(0, len(labels), 3)} for labels in y]
    for labels, known in zip(learner.predict(X, fixed=wanted), wanted, strict=True):
        assert labels.dtype == np.int64
        assert all(labels[region] == label for region, label in known.items())
    predicted = learner.predict(X)
    own = [{r: int(labels[r]) for r in range(0, len(labels), 2)} for labels in predicted]
    assert all(map(np.array_equal, learner.predict(X, fixed=own), predicted))
    n_regions = X[2].shape[0]
    for pages, known, message in (
        (X, [{}], "15 pages but fixed labels for 1"),
        (X[:3], [{}, {}, {n_regions: 0}], f"page 2: region {n_regions} "),
        (X[:3], [{}, {0: 4}, {}], r"page 1: region 0 .* expected 0\.\.3"),
        (X[:1], [{0: None}], "page 0: region 0 is fixed to label None"),
    ):
        with pytest.raises(LearnerError, match=message):
            learner.predict(pages, fixed=known)


def test_decoding_gives_labels_and_marginals_at_once(name, noisy_pages, fitted):
    learner = fitted(name)
    pages = [sparse.csr_matrix((0, 12)), *noisy_pages[0]]
    labels, marginals = learner.predict(pages), learner.predict_marginals(pages)
    confidence = learner.confidence(pages)
    decoded = learner.decode_scores(learner.scores(pages))
    assert len(decoded) == len(pages)
    for n, (own, p) in enumerate(decoded):
        assert own.dtype == np.int64
        assert np.array_equal(own, labels[n])
        assert np.array_equal(p, marginals[n])
        assert np.allclose(p.sum(axis=1), 1)
        assert np.array_equal(confidence[n], p[np.arange(len(p)), own])
    assert learner.decode_scores([]) == []
    if isinstance(learner, Chain):
        scores = learner.scores(pages)
        rows = learner.decode_rows(np.concatenate(scores), np.array([*map(len, scores)]))
        for joined, parts in zip(rows, zip(*decoded, strict=True), strict=True):
            assert np.array_equal(joined, np.concatenate(parts))


def test_calibration_changes_how_sure_it_is_and_no_label(name, make_quick, make_pages):
    X, y = make_pages(40, noise=0.4, seed=3)
    fitted = make_quick(name, lambda_=1.0).fit(X[:20], y[:20], classes=range(3))
    assert fitted.temperature_ == 1.0
    labels = fitted.predict(X[20:])

    def surprise():
        marginals = np.concatenate(fitted.predict_marginals(X[20:]))
        return -np.log(marginals[np.arange(len(marginals)), np.concatenate(y[20:])]).mean()

    before = surprise()
    fitted.calibrate(X[20:], y[20:])
    assert fitted.temperature_ > 0
    assert surprise() <= before + 1e-6
    for sequence, other in zip(labels, fitted.predict(X[20:]), strict=True):
        np.testing.assert_array_equal(sequence, other)
    temperature = fitted.temperature_
    for factor in (0.9, 1.1):
        fitted.temperature_ = temperature * factor
        worse = surprise()
        fitted.temperature_ = temperature
        assert surprise() <= worse + 1e-6


def test_unknown_labels_carry_no_loss(name, make_quick, make_brief, make_pages, accuracy):
    X, y = make_pages(40)
    hidden = [np.where(np.arange(len(labels)) % 2, labels, UNKNOWN_INDEX) for labels in y]
    learner = make_quick(name, lambda_=0.01).fit(X[:20], hidden[:20], classes=range(3))
    assert accuracy(learner.predict(X[20:]), y[20:]) > 0.98
    none = [np.full_like(labels, UNKNOWN_INDEX) for labels in y]
    untaught = make_brief(name).fit(X, none, classes=range(3))
    assert not any(getattr(untaught, key).any() for key in untaught.weight_names)


def test_a_label_that_weighs_more_gets_a_wider_margin(name):
    X = [sparse.csr_matrix(np.eye(2)[[i % 2]]) for i in range(10)]
    y = [np.array([i % 2], dtype=np.int64) for i in range(10)]
    for weights, wider in (((1.0, 3.0), 1), ((3.0, 1.0), 0)):
        fitted = LEARNERS[name](lambda_=0.01, label_weights=weights).fit(X, y, classes=range(2))
        margins = [fitted.scores(X)[label] @ [1 - 2 * label, 2 * label - 1] for label in (0, 1)]
        assert margins[wider] > margins[1 - wider] + 0.5
    with pytest.raises(LearnerError, match="label_weights"):
        LEARNERS[name](label_weights=[1.0]).fit(X, y, classes=range(2))


def test_the_callback_sees_every_epoch_and_can_stop(name, noisy_pages):
    X, y = noisy_pages
    heard = []

    def tell(progress):
        heard.append(progress)
        return progress.epoch == 2

    settings = {"tol": 1e-9} if "tol" in LEARNERS[name]().get_params() else {}
    fitted = LEARNERS[name](**settings).fit(X, y, classes=range(3), callback=tell)
    assert [progress.epoch for progress in heard] == [1, 2]
    assert all(progress.gap >= 0 for progress in heard)
    assert fitted.objective_ == pytest.approx(heard[-1].objective, rel=1e-5)


def test_a_warm_start_continues_the_last_fit(name, make_pages):
    if "warm_start" not in LEARNERS[name]().get_params():
        pytest.skip("starts anew each time")
    X, y = make_pages(10, n_regions=4, noise=0.2, stay=0.3)
    cold = LEARNERS[name](warm_start=True, tol=1e-3).fit(X, y, classes=range(3))
    count = "n_epochs_" if hasattr(cold, "n_epochs_") else "n_iterations_"
    first, objective = getattr(cold, count), cold.objective_
    again = cold.fit(X, y, classes=range(3))
    assert getattr(again, count) < first
    assert again.objective_ == pytest.approx(objective, rel=5e-3)
    again.fit(X[:7], y[:7], classes=range(3))  # other pages are no hindrance
