"""Scores that are looked up are the product of a page's matrix and the weights."""

import copy
import tracemalloc

import numpy as np
import pytest

from structce import kernels
from structce.errors import FeatureError, LearnerError
from structce.features import ODD_HTML, FeatureSet, columns, lay_out
from structce.features.registry import FeatureRegistry, feature
from structce.kernels import reference
from structce.labelling import RegionLabeller
from structce.learners import LEARNERS


def weights_of(features, n_labels=4):
    """Return weights of all columns, none alike."""
    return np.random.default_rng(5).normal(size=(len(features.columns_), n_labels))


def compare(state, pages, registry=None):
    """Check the scores of pages by a set that knows their matrices not yet."""
    given = {} if registry is None else {"registry": registry}
    features = FeatureSet.from_state(state, **given)
    weights = weights_of(features)
    for page in [*pages, *pages]:
        matrix = features.transform(page)
        assert matrix.has_canonical_format or matrix.nnz == 0
        expected = matrix @ weights
        scores = features.scores(page, weights)
        assert scores.shape == (len(page), 4)
        np.testing.assert_allclose(scores, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("laid_out", [False, True])
@pytest.mark.parametrize("name", list(ODD_HTML))
def test_scores_of_odd_pages_are_those_of_the_matrix(name, laid_out, make_page, article_html):
    odd, pages = make_page(ODD_HTML[name]), [make_page(article_html(n)) for n in range(2)]
    if laid_out:
        odd, pages = lay_out(odd), [lay_out(page) for page in pages]
    features = FeatureSet(min_count=1).fit([odd, pages[0]])
    compare(features.state(), [odd, pages[1]])
    new = FeatureSet.from_state(features.state()).transform(odd)  # its cells are not known
    assert (new != features.transform(odd)).nnz == 0


def test_what_has_no_column_is_never_computed(make_page):
    registry, calls = FeatureRegistry(), []

    @feature("text", registry=registry)
    def rare(page):
        calls.append("rare")
        return list(page.text)

    @feature("dom", registry=registry)
    def tag(page):
        return page.tag

    page, other = make_page("<p>ab</p><p>cd</p><p>ef</p>"), make_page("<p>ab</p>")
    features = FeatureSet(min_count=2, registry=registry).fit([page])
    assert features.transform(other).toarray().tolist() == [[1.0, 1.0]]
    features.scores(other, weights_of(features))
    assert calls == ["rare"]


def test_columns_and_scales_of_any_choice_are_summed(make_page, article_html):
    pages = [make_page(article_html(n)) for n in range(4)]
    state = FeatureSet(min_count=1).fit(pages[:3]).state()
    names = list(state["columns"])
    chosen = np.random.default_rng(1).permutation(names)[: len(names) // 3].tolist()
    scales = dict.fromkeys(chosen[::5], 2.5)
    compare({**state, "columns": chosen, "scales": scales}, pages)
    compare({**state, "columns": chosen[:1], "scales": {}}, pages)


@pytest.fixture
def registry():
    """Numbers without bins, names that hold separators, values of several types, far neighbours."""
    registry = FeatureRegistry()

    @feature("text", registry=registry, window=(-1, 2))
    def size(page):
        return np.array([len(t) * 1.5 if len(t) > 1 else np.nan for t in page.text])

    @feature("text", registry=registry, name="size:2", bins=(1.0, 2.0, 3.5))
    def odd(page):
        return np.array([[np.nan, np.inf, 1, 2, 9][i % 5] for i in range(len(page))], np.float32)

    @feature("dom", registry=registry, window=(-2, 40))
    def mixed(page):
        return [[True, "x", None, {"", "y"}, frozenset("ab")][i % 5] for i in range(len(page))]

    @feature("task", registry=registry, window=(1,))
    def is_third(page):
        return np.arange(len(page)) % 3 == 0

    return registry


def test_all_kinds_of_values_and_far_neighbours_are_summed(make_page, registry):
    pages = [make_page("<p>ab</p><a>c</a><p>abcd</p>" * n) for n in (0, 1, 2, 20)]
    features = FeatureSet(min_count=1, registry=registry).fit(pages)
    assert {"next-40.dom.mixed=x", "next-2.text.size", "next.task.is-third"} <= {*features.columns_}
    compare(features.state(), pages, registry)


@pytest.mark.parametrize("version", [kernels, reference], ids=["chosen", "reference"])
def test_sums_take_no_more_memory_than_a_few_results(version):
    rng, n = np.random.default_rng(0), 5_000
    rows = rng.random((50, 9))
    rows[0] = 0
    chosen = rng.integers(0, 50, size=(200, n), dtype=np.int32)
    result, which = np.zeros((n, 9)), np.arange(200)
    tracemalloc.start()
    version.add_rows(result, rows, chosen, which, np.zeros(200, dtype=np.int64), 0 * which)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4 * result.nbytes  # all at once it would be 200 times as much
    np.testing.assert_allclose(result, rows[chosen].sum(axis=0))


def test_a_table_that_grows_too_large_starts_anew(make_page, article_html, monkeypatch):
    monkeypatch.setattr(columns, "_MAX_ROWS", 40)
    pages = [make_page(article_html(n)) for n in range(3)]
    compare(FeatureSet(min_count=1).fit(pages).state(), pages)


def test_other_weights_give_other_scores(make_page, article_html):
    pages = [make_page(article_html(n)) for n in range(2)]
    features = FeatureSet.from_state(FeatureSet(min_count=1).fit(pages).state())
    weights = weights_of(features)
    scores = features.scores(pages[0], weights)
    np.testing.assert_allclose(features.scores(pages[0], -2 * weights), -2 * scores)
    twin = copy.deepcopy(features)
    np.testing.assert_allclose(twin.scores(pages[0], weights), scores)


def test_weights_of_another_number_of_columns_are_an_error(make_page, article_html):
    page = make_page(article_html(0))
    features = FeatureSet(min_count=1).fit([page])
    with pytest.raises(FeatureError, match="columns, got 2"):
        features.scores(page, np.zeros((2, 3)))
    with pytest.raises(FeatureError, match="not fitted"):
        FeatureSet().scores(page, np.zeros((0, 3)))


def test_values_of_a_wrong_type_name_the_feature(make_page):
    registry = FeatureRegistry()

    @feature("text", registry=registry)
    def changing(page):
        return list(page.text) if len(page) > 1 else [3]

    features = FeatureSet(min_count=1, registry=registry).fit([make_page("<p>a</p><p>b</p>")])
    with pytest.raises(FeatureError, match=r"text\.changing returned a value of type int"):
        features.scores(make_page("<p>a</p>"), weights_of(features))


@pytest.mark.parametrize("name", ["multiclass-svm", "structured-svm", "greedy-svm"])
def test_a_labeller_says_what_its_learner_says_of_the_matrix(name, small_corpus):
    learner = LEARNERS[name](max_epochs=3)
    labeller = RegionLabeller(FeatureSet(("text", "dom")), learner)
    labeller.fit(small_corpus)
    labeller.features = FeatureSet.from_state(labeller.features.state())
    for labelled in small_corpus:
        labelling = labeller.label(labelled.page)
        scores = learner.scores([labeller.features.transform(labelled.page)])
        (expected, marginals), *_ = learner.decode_scores(scores)
        assert labelling.labels == labeller.label_set.decode(expected)
        np.testing.assert_allclose(labelling.marginals, marginals, atol=1e-9)
    with pytest.raises(LearnerError, match="page 0 has scores of shape"):
        learner.decode_scores([np.zeros((2, 99))])
    with pytest.raises(LearnerError, match="page 0 contain NaN"):
        learner.decode_scores([np.full((2, learner.n_labels_), np.nan)])
