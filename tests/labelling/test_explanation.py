"""Explanations as data: shares add up to the margin, and a flip changes the label."""

import json

import pytest

import structce
from structce.corpus.corpus import Corpus
from structce.errors import LearnerError, RegionError
from structce.features.feature_set import FeatureSet
from structce.labelling import RegionLabeller
from structce.learners.linear import LinearLearner
from structce.learners.registry import LEARNERS


def fitted(corpus, name):
    """Return a labeller that knows little of the pages, and labels them well."""
    limit = {} if name == "linear-chain-crf" else {"max_epochs": 3}
    return RegionLabeller(FeatureSet(["dom"]), LEARNERS[name](lambda_=1.0, **limit)).fit(corpus)


@pytest.fixture(
    scope="module",
    params=sorted(name for name, kind in LEARNERS.items() if issubclass(kind, LinearLearner)),
)
def labelling(request, make_corpus):
    """An unseen page labelled by every registered linear learner in turn."""
    corpus = make_corpus(5)
    labeller = fitted(Corpus("small", corpus.pages[:4], licence="MIT"), request.param)
    return labeller.label(corpus.pages[4].page)


def title(labelling):
    return labelling.labels.index("Title")


def test_all_shares_add_up_to_the_margin(labelling):
    for i in range(len(labelling.page)):
        for n_columns in (0, 3, 10_000):
            explanation = labelling.explain(i, n_columns=n_columns)
            parts = sum(share.difference for share in explanation.shares)
            assert parts == pytest.approx(explanation.margin, abs=1e-9)
            assert explanation.margin >= -1e-9
            assert explanation.label == labelling.labels[i] != explanation.runner_up
            assert explanation.confidence == labelling.confidence[i]
            assert len(explanation.columns) <= n_columns


def test_columns_are_sorted_by_weight_and_rest_counted(labelling):
    i = title(labelling)
    whole = labelling.explain(i, n_columns=10_000)
    sizes = [abs(column.difference) for column in whole.columns]
    assert sizes == sorted(sizes, reverse=True)
    assert (whole.n_others, whole.others.difference) == (0, 0)
    assert whole.others not in whole.shares
    cut = labelling.explain(i)
    assert cut.columns == whole.columns[:10]
    assert cut.n_others == len(whole.columns) - 10
    rest = sum(column.chosen for column in whole.columns[10:])
    assert cut.others.chosen == pytest.approx(rest, abs=1e-9)


def test_an_explanation_is_data_that_json_takes(labelling):
    explanation = labelling.explain(title(labelling))
    back = json.loads(json.dumps(explanation.as_dict(), allow_nan=False))
    assert back["label"] == "Title"
    assert back["text"] == labelling.page.text[explanation.region]
    assert back["xpath"] == labelling.page.xpath[explanation.region]
    assert back["sentence"] == explanation.sentence
    assert back["flip"] == list(explanation.flip)
    assert not explanation.flip or explanation.flip[0] in explanation.sentence
    assert back["columns"][0]["difference"] == explanation.columns[0].difference
    parts = [*back["columns"], back["others"], *back["context"]]
    assert sum(part["difference"] for part in parts) == pytest.approx(back["margin"], abs=1e-9)
    assert isinstance(explanation, structce.Explanation)
    with pytest.raises(RegionError, match=f"no region 10000; the page has {len(labelling.page)}"):
        labelling.explain(10_000)


def test_refitted_labeller_refuses_old_labels(make_corpus):
    corpus = make_corpus(3)
    labeller = fitted(corpus, "multiclass-svm")
    labelling = labeller.label(corpus.pages[0].page)
    assert labelling.explain(title(labelling)).label == "Title"
    labeller.learner.emissions_ = -labeller.learner.emissions_
    with pytest.raises(LearnerError, match="explain the labelling as the labeller returned it"):
        labelling.explain(title(labelling))
