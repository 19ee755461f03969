"""Fits of a split: encoded pages, calibration, and what they cost."""

import msgspec
import numpy as np
import pytest

from structce.experiments.fit import EncodedSplit, Job, part_places, run_job
from structce.features.feature_set import FeatureSet
from structce.learners.svm import MulticlassSVM


@pytest.fixture(scope="module")
def data(corpus):
    features = FeatureSet(("text", "dom"), min_count=1)
    parts = (corpus.subset(page.id for page in corpus.pages[i::3]) for i in range(3))
    return EncodedSplit.of(features, *parts)


def make_job(**changes):
    parameters = {"lambda_": 1.0, "max_epochs": 5, "tol": 0.5}
    about = {"study": "compass by site", "split": 0, "candidate": "svm", "learner": "svm"}
    job = Job(**about, parameters=parameters, step="tuning", seed=0, measure="macro_f1")
    return msgspec.structs.replace(job, **changes)


def test_each_part_has_the_columns_of_the_training_pages(corpus, data):
    features = FeatureSet(("text", "dom"), min_count=1)
    pages = [corpus.pages[i::3] for i in range(3)]
    features.fit([page.page for page in pages[0]])
    assert data.columns == features.columns_
    for part, chosen in zip((data.train, data.validation, data.test), pages, strict=True):
        for x, y, page in zip(*part, chosen, strict=True):
            assert (x != features.transform(page.page)).nnz == 0
            assert corpus.label_set.decode(y) == page.labels


def test_a_split_can_keep_some_columns(data):
    places = np.array([0, 5, 7])
    taken = data.take(places)
    assert taken.columns == tuple(data.columns[i] for i in places)
    assert (taken.test[0][2] != data.test[0][2][:, places]).nnz == 0


def test_the_tested_model_takes_over_the_temperature(data):
    settings = dict(make_job().parameters)
    careful = MulticlassSVM(**settings)
    careful.fit(*data.train, classes=range(5))
    careful.calibrate(*data.validation)
    tuned = run_job(make_job(), MulticlassSVM, data)
    assert tuned.temperature == careful.temperature_ != 1

    X, y = (first + second for first, second in zip(data.train, data.validation, strict=True))
    tested = MulticlassSVM(**settings).fit(X, y, classes=range(5))
    before = tested.confidence(data.test[0])
    tested.temperature_ = careful.temperature_
    after = tested.confidence(data.test[0])
    outcome = run_job(make_job(step="test", temperature=careful.temperature_), MulticlassSVM, data)
    for given, expected in ((outcome.before, before), (outcome.after, after)):
        assert [list(page) for page in given] == [page.tolist() for page in expected]


def test_a_part_has_the_bias_and_its_columns():
    columns = ("bias", "dom.tag=p", "next.text.length", "text.length")
    assert part_places("only text", columns).tolist() == [0, 2, 3]
    assert part_places("without text", columns).tolist() == [0, 1]
    assert part_places("own", columns).tolist() == [0, 1, 3]
