"""``structce model show`` as a user runs it."""

import json
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import pytest
from lxml import etree

from structce.corpus.corpus import Corpus
from structce.labelling import RegionLabeller
from structce.learners.linear import LinearLearner
from structce.learners.registry import LEARNERS
from structce.rendering.chromium import ChromiumRenderer

Run = Callable[..., tuple[int, str, str]]
SHIPPED = "news-static"
BRIEFLY = {"linear-chain-crf": {"max_iterations": 5}}


def test_a_shipped_model_is_shown(run: Run) -> None:
    code, out, err = run("model", "show", SHIPPED)
    assert code == 0
    assert err == ""
    facts = dict(line.split(None, 1) for line in out.split("\n\n")[0].splitlines() if "  " in line)
    assert facts["learner"].strip() == "multiclass-svm"
    assert int(facts["pages"].split()[0].replace(",", "")) > 2000
    assert 0 < float(facts["gap"]) < 1
    assert "lambda = 0.1" in facts["parameters"]
    assert "strongest for" in out
    assert "task.title-word-match:6" in out
    assert "Transitions:" not in out, "labels are independent of each other"


def test_json_holds_the_same(run: Run) -> None:
    code, out, _ = run("model", "show", SHIPPED, "--json", "--columns", 3)
    assert code == 0
    shown = json.loads(out)
    labeller = RegionLabeller.load(SHIPPED)
    assert shown["card"]["corpus_digest"] == labeller.card["corpus_digest"]
    assert shown["parameters"]["lambda"] == 0.1
    assert shown["n_columns"] == len(labeller.features.columns_)
    assert list(shown["columns"]) == list(labeller.label_set.names) == shown["labels"]
    best = shown["columns"]["Title"]["for"]
    assert len(best) == 3
    k = labeller.features.columns_.index(best[0][0])
    weights = labeller.learner.emissions_[:, labeller.label_set.index("Title")]
    assert best[0][1] == weights[k] == weights.max()
    assert shown["transitions"] is None


def test_one_label_can_be_shown_alone(run: Run) -> None:
    _, out, _ = run("model", "show", SHIPPED, "--label", "Title", "--columns", 7, "--json")
    columns = json.loads(out)["columns"]
    assert list(columns) == ["Title"]
    assert len(columns["Title"]["against"]) == 7


@pytest.mark.parametrize(
    "name", sorted(n for n, kind in LEARNERS.items() if issubclass(kind, LinearLearner))
)
def test_a_model_of_every_linear_learner_is_shown_and_drawn(
    run: Run, small_corpus: Corpus, tmp_path: Path, name: str
) -> None:
    folder, picture = tmp_path / "model", tmp_path / "pictures" / "model.svg"
    RegionLabeller(learner=LEARNERS[name](lambda_=1.0, **BRIEFLY.get(name, {"max_epochs": 2}))).fit(
        small_corpus
    ).save(folder)
    code, out, err = run("model", "show", folder, "--picture", picture)
    assert code == 0
    assert f"written: {picture}" in err
    assert name in out
    assert ("no transitions" in out) == (name == "multiclass-svm")
    assert ("regions before" in out) == (name == "greedy-svm")
    root = etree.fromstring(picture.read_bytes())
    assert "Paragraph" in {element.text for element in root.iter() if isinstance(element.tag, str)}


@pytest.mark.parametrize(
    "arguments", [("--label", "Headline"), ("--picture", "model.pdf"), ("--columns", "-1")]
)
def test_wrong_usage_exits_with_2(run: Run, arguments: tuple[str, ...]) -> None:
    assert run("model", "show", SHIPPED, *arguments)[0] == 2


def test_no_model_exits_with_1(run: Run, tmp_path: Path) -> None:
    code, _, err = run("model", "show", tmp_path)
    assert code == 1
    assert "no such model" in err


def test_help_shows_an_example(run: Run) -> None:
    code, out, _ = run("model", "show", "--help")
    assert code == 0
    assert "structce model show" in " ".join(out.split("Example")[-1].split())


@pytest.mark.browser
def test_a_browser_makes_it_a_png(
    run: Run, tmp_path: Path, chromium: ChromiumRenderer, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = tmp_path / "model.png"
    monkeypatch.setattr("structce.cli.model.ChromiumRenderer", lambda _: nullcontext(chromium))
    code, _, _ = run("model", "show", SHIPPED, "--label", "Title", "--picture", picture)
    assert code == 0
    assert picture.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
