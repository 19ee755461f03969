"""``structce model show`` as a user runs it."""

import json

import pytest

from structce.labelling import RegionLabeller
from structce.learners.linear import LinearLearner
from structce.learners.registry import LEARNERS

SHIPPED = "news-static"
BRIEFLY = {"linear-chain-crf": {"max_iterations": 5}}


def test_a_shipped_model_is_shown(run):
    code, out, err = run("model", "show", SHIPPED)
    assert (code, err) == (0, "")
    facts = dict(line.split(None, 1) for line in out.split("\n\n")[0].splitlines() if "  " in line)
    assert facts["learner"].strip() == "multiclass-svm"
    assert int(facts["pages"].split()[0]) > 2000
    assert "strongest for" in out
    assert "there are no transitions" in out


def test_json_has_the_weights_of_the_model(run):
    code, out, _ = run("model", "show", SHIPPED, "--format", "json", "--columns", 3)
    assert code == 0
    shown = json.loads(out)
    labeller = RegionLabeller.load(SHIPPED)
    assert shown["corpus_digest"] == labeller.card["corpus_digest"]
    assert list(shown["columns"]) == list(labeller.label_set.names)
    best = shown["columns"]["Title"]["for"]
    k = labeller.features.columns_.index(best[0][0])
    weights = labeller.learner.emissions_[:, labeller.label_set.index("Title")]
    assert best[0][1] == weights[k] == weights.max()
    only = ("--label", "Title", "--columns", 7, "--format", "json")
    columns = json.loads(run("model", "show", SHIPPED, *only)[1])["columns"]
    assert [len(columns["Title"]["against"]), *columns] == [7, "Title"]


@pytest.mark.parametrize(
    "name", sorted(n for n, kind in LEARNERS.items() if issubclass(kind, LinearLearner))
)
def test_a_model_of_every_linear_learner_is_shown(run, small_corpus, tmp_path, name):
    folder = tmp_path / "model"
    learner = LEARNERS[name](lambda_=1.0, **BRIEFLY.get(name, {"max_epochs": 2}))
    RegionLabeller(learner=learner).fit(small_corpus).save(folder)
    code, out, _ = run("model", "show", folder)
    assert code == 0
    assert name in out
    assert ("no transitions" in out) == (name == "multiclass-svm")
    assert ("regions before" in out) == (name == "greedy-svm")


@pytest.mark.parametrize("arguments", [(SHIPPED, "--label", "X"), ("none",)])
def test_unknown_labels_and_missing_models(run, arguments):
    assert run("model", "show", *arguments)[0] == 1
