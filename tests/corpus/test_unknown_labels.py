"""Where nobody knows a label, nothing is learnt and nothing is counted."""

import json
from dataclasses import replace

import pytest

from structce.corpus import Corpus
from structce.features.feature_set import FeatureSet
from structce.labelling import RegionLabeller
from structce.labels import NEWS, UNKNOWN
from structce.learners.registry import LEARNERS


@pytest.fixture(scope="module")
def holed(make_corpus):
    """Twelve pages of twelve sites; the label of every third region is unknown."""
    pages = []
    for n, page in enumerate(make_corpus(12)):
        labels = (UNKNOWN if i % 3 == n % 3 else label for i, label in enumerate(page.labels))
        pages.append(replace(page, labels=tuple(labels)))
    return Corpus("holed", tuple(pages), licence="MIT")


def test_a_model_never_predicts_the_unknown_label(holed):
    features = FeatureSet(("text", "dom"), min_count=1)
    labeller = RegionLabeller(features, LEARNERS["multiclass-svm"](max_epochs=3))
    labeller.fit(holed, calibrate="isotonic")
    assert labeller.card["regions"] == sum(page.n_known for page in holed)
    assert labeller.card["unknown_regions"] == holed.n_unknown
    assert UNKNOWN not in labeller.label(holed.pages[0].page).labels


def test_commands_do_not_count_unknown_regions(run, holed, tmp_path):
    holed.save(tmp_path / "holed")
    quick = ("--learner", "multiclass-svm", "--set", "max-epochs=3")
    assert run("train", tmp_path / "holed", "--out", tmp_path / "model", *quick)[0] == 0
    code, out, err = run("evaluate", tmp_path / "model", tmp_path / "holed", "--format", "json")
    assert code == 0
    assert f"{holed.n_unknown} regions of unknown label are not counted" in err
    rows = {row["label"]: row["support"] for row in json.loads(out)}
    assert {name: rows[name] for name in NEWS.names} == holed.counts
