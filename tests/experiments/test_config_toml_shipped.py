"""The questions that come with structce, and what the documentation says of questions."""

import itertools
import re
import shlex
from pathlib import Path

import pytest

import structce.experiments
from structce.errors import ExperimentError
from structce.experiments.config import MEASURES
from structce.experiments.config_toml import _TABLES, read_experiment
from structce.learners import LEARNERS, BiLSTMCRF, registry

FOLDER = Path(structce.experiments.__file__).parent
EVERY = sorted(path for path in FOLDER.glob("*.toml"))
READY = [path.name for path in EVERY if "[learner" in path.read_text("utf-8")]
PAPERS = ["multiclass-svm", "greedy-svm", "linear-chain-crf", "structured-svm"]
DOCS = FOLDER.parents[1] / "docs" / "experiments.md"


def keys_of(table):
    return [key for key in table.__struct_fields__ if key not in ("splits", "features", "learner")]


def test_all_shipped_questions_of_learners_are_there():
    wanted = "ablation four_learners greedy_context learning_curve neighbours renderer"
    more = "six_learners spengler2010 structured_or_log_loss weighted_loss"
    assert [f"{name}.toml" for name in f"{wanted} {more}".split()] == READY


@pytest.mark.parametrize("name", READY)
def test_a_shipped_question_can_be_read_and_asks_the_sample(name):
    experiment = read_experiment(FOLDER / name)
    assert experiment.corpora == ("data/sample",)
    assert experiment.question.endswith("?")
    assert experiment.candidates


@pytest.mark.parametrize("name", READY)
def test_a_shipped_question_says_what_it_asks_whom_it_follows_and_how_it_chooses(name):
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    comment = " ".join(itertools.takewhile(lambda line: line.startswith("#"), lines))
    assert "?" in comment
    assert "(2010" in comment or "(2013" in comment
    assert "The first of equals is chosen" in comment


def test_the_question_of_the_paper_has_its_splits_and_its_contexts():
    experiment = read_experiment(FOLDER / "spengler2010.toml")
    assert experiment.splits.fractions == pytest.approx((300 / 604, 100 / 604, 204 / 604), abs=0.01)
    assert experiment.splits.by == ("page", "site")
    assert experiment.presets == ("spengler2010",)
    assert experiment.windows == experiment.strengths == {}
    assert not experiment.unit_norm
    assert not experiment.refit
    assert experiment.min_count == 3
    by_name = {candidate.name: candidate.values for candidate in experiment.candidates}
    assert by_name["greedy-svm"]["context"] == (1, 2, 5, 7, 10, 13, 15, 25)
    assert by_name["greedy-svm"]["train_context"] == ("gold", "predicted", "paper")
    assert (experiment.renderers, experiment.encoding) == (("chromium",), "value")
    assert [candidate.learner for candidate in experiment.candidates] == PAPERS


def test_the_rivals_of_the_papers_learners_stand_beside_them_with_our_features():
    experiment = read_experiment(FOLDER / "six_learners.toml")
    assert experiment.presets == ("all",)
    assert [candidate.learner for candidate in experiment.candidates[:5]] == [
        *PAPERS,
        "boosted-trees",
    ]
    by_name = {candidate.name: candidate.values for candidate in experiment.candidates}
    assert ("bilstm-crf" in by_name) == ("bilstm-crf" in LEARNERS) == (not experiment.left_out)


def test_a_learner_without_its_extra_is_left_out_where_it_is_optional(tmp_path, monkeypatch):
    waiting = BiLSTMCRF, "no_such_module", "neural"
    monkeypatch.setitem(registry._UNTRAINABLE, "bilstm-crf", waiting)
    monkeypatch.delitem(LEARNERS, "bilstm-crf", raising=False)
    text = 'question = "?"\ncorpus = "small"\n[learner.multiclass-svm]\n[learner.bilstm-crf]\n'
    path = tmp_path / "question.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ExperimentError, match="unknown 'bilstm-crf'"):
        read_experiment(path)
    path.write_text(f"{text}optional = true\nlambda = 0.1\n", encoding="utf-8")
    experiment = read_experiment(path)
    assert [candidate.name for candidate in experiment.candidates] == ["multiclass-svm"]
    (message,) = experiment.left_out
    assert message.startswith("bilstm-crf: ")
    assert "neural" in message
    path.write_text(f'{text}optional = "yes"\n'.replace("bilstm-crf", "structured-svm"), "utf-8")
    with pytest.raises(ExperimentError, match=r"optional: expected true or false"):
        read_experiment(path)
    path.write_text(f"{text}optional = true\n".replace("bilstm-crf", "bilstm-crv"), "utf-8")
    with pytest.raises(ExperimentError, match="unknown 'bilstm-crv'"):
        read_experiment(path)


@pytest.mark.parametrize("name", READY)
def test_grids_begin_with_the_strongest_regularisation(name):
    for candidate in read_experiment(FOLDER / name).candidates:
        lambdas = candidate.values["lambda_"]
        assert list(lambdas) == sorted(lambdas, reverse=True)


@pytest.mark.parametrize("name", READY)
def test_a_shipped_question_is_documented(name):
    assert f"`{name}`" in DOCS.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "key",
    [
        *(".".join((*table, key)) for table, kind in _TABLES.items() for key in keys_of(kind)),
        "learner.NAME.learner",
        "learner.NAME.neighbours",
        *(f"measure = {measure}" for measure in MEASURES),
    ],
)
def test_every_key_is_documented(key):
    text = DOCS.read_text(encoding="utf-8")
    table, _, name = key.rpartition(".")
    if key.startswith("measure = "):
        assert f"`{key.removeprefix('measure = ')}`" in text
        return
    heading = f"### `[{table}]`" if table else "### At the top"
    assert heading in text
    section = text.split(heading)[1].split("\n### ")[0].split("\n## ")[0]
    assert f"\n| `{name}` |" in section


def test_examples_of_the_documentation_can_be_read(tmp_path):
    asked, candidates, _ = re.findall(
        r"```toml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL
    )
    path = tmp_path / "question.toml"
    path.write_text(asked, encoding="utf-8")
    assert [candidate.name for candidate in read_experiment(path).candidates] == [
        "multiclass-svm",
        "structured-svm",
    ]
    path.write_text('question = "?"\ncorpus = "c"\n' + candidates, encoding="utf-8")
    assert {candidate.learner for candidate in read_experiment(path).candidates} == {
        "structured-svm"
    }


def test_errors_of_the_documentation_are_those_that_come(tmp_path, monkeypatch):
    text = DOCS.read_text(encoding="utf-8")
    asked = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)[0]
    monkeypatch.chdir(tmp_path)
    path = Path("question.toml")
    before, _, after = asked.rpartition("lambda")
    path.write_text(f"{before}lamda{after}", encoding="utf-8")
    with pytest.raises(ExperimentError) as caught:
        read_experiment(path)
    assert f"    {caught.value}\n" in text
    path.write_text(asked + "[learner.greedy-svm]\n", encoding="utf-8")
    with pytest.raises(ExperimentError) as caught:
        read_experiment(path, overrides=["learner.greedy-svm.contxt=5"])
    assert f"    {caught.value}\n" in text


def test_overrides_of_the_documentation_work(tmp_path):
    path = tmp_path / "question.toml"
    lines = re.findall(r"^    structce compare question.toml (.*)$", DOCS.read_text("utf-8"), re.M)
    assert len(lines) == 4
    for line in lines:
        path.write_text('question = "?"\ncorpus = "c"\n[learner.greedy-svm]\n', encoding="utf-8")
        overrides = [word for word in shlex.split(line) if word != "--set"]
        assert read_experiment(path, overrides=overrides) != read_experiment(path)
