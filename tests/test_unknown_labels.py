"""A corpus with holes: where nobody knows a label, nothing is learnt and nothing is counted."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from structce.cli import main
from structce.corpus import Corpus
from structce.experiments import Experiment, Grid, Result, run, to_json
from structce.experiments.html import render_html
from structce.experiments.spec import FRACTIONS
from structce.experiments.tables import summary
from structce.features import FeatureSet
from structce.labeller import RegionLabeller
from structce.labels import NEWS, UNKNOWN
from structce.learners import LEARNERS
from structce.model_card import model_card
from structce.trying.trial import try_features
from structce.trying.values import Observed

Make = Callable[..., Corpus]
Run = Callable[..., tuple[int, str, str]]

QUICK: dict[str, dict[str, object]] = {
    "linear-chain-crf": {"max_iterations": 5},
    "multiclass-svm": {"max_epochs": 3},
    "greedy-svm": {"max_epochs": 3},
    "structured-svm": {"max_epochs": 3},
}


@pytest.fixture(scope="module")
def holed(make_corpus: Make) -> Corpus:
    """Twelve pages of twelve sites; the label of every third region is unknown."""
    pages = []
    for n, one in enumerate(make_corpus(12)):
        labels = (UNKNOWN if i % 3 == n % 3 else label for i, label in enumerate(one.labels))
        pages.append(replace(one, labels=tuple(labels)))
    return Corpus("holed", tuple(pages), licence="MIT")


@pytest.fixture(scope="module")
def result(holed: Corpus) -> Result:
    """All learners, on one split."""
    experiment = Experiment(
        question="Do holes harm?",
        corpus="holed",
        learners=tuple(
            Grid(name, {key: (value,) for key, value in settings.items()})
            for name, settings in QUICK.items()
        ),
        min_count=1,
        seed=7,
    )
    return run(experiment, holed, progress=False)


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command; return exit code, standard output and standard error."""

    def command(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["structce", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            main()
        out, err = capsys.readouterr()
        return (stop.value.code if isinstance(stop.value.code, int) else 1), out, err

    return command


def test_every_learner_is_in_the_comparison() -> None:
    assert set(QUICK) == set(LEARNERS)


def test_a_comparison_counts_known_regions_alone(result: Result, holed: Corpus) -> None:
    assert result.failed == ()
    tested = holed.subset(result.splits[0].test.pages)
    n_known = sum(page.n_known for page in tested)
    assert 0 < n_known < sum(len(page.labels) for page in tested)
    for row in result.succeeded:
        assert int(row.confusion.sum()) == n_known
        assert {one.name: one.support for one in row.scores.labels} == tested.counts
        assert sum(one.n_predicted for one in row.scores.labels) == n_known


def test_accuracy_and_calibration_are_those_of_known_regions(result: Result, holed: Corpus) -> None:
    tested = holed.subset(result.splits[0].test.pages)
    gold = [NEWS.encode(page.labels) for page in tested]
    for row in result.succeeded:
        (trial,) = row.trials
        assert trial.confidence is not None
        assert row.calibration is not None
        known = [y >= 0 for y in gold]
        right = [
            found[k] == y[k] for found, y, k in zip(trial.predictions, gold, known, strict=True)
        ]
        shares = dict(zip((page.id for page in tested), map(np.mean, right), strict=True))
        assert row.page_accuracy == pytest.approx(shares)
        said = [page[k] for page, k in zip(trial.confidence.after, known, strict=True)]
        squares = (np.concatenate(said) - np.concatenate(right)) ** 2
        assert row.calibration.after.brier == pytest.approx(squares.mean())
        bins = row.calibration.after.bins
        assert sum(one.n_regions for one in bins) == sum(map(len, right))


def test_a_report_says_how_many_regions_are_not_counted(result: Result, holed: Corpus) -> None:
    n = holed.n_unknown
    corpus = to_json(result)["corpus"]
    assert isinstance(corpus, dict)
    assert corpus["n_unknown"] == n
    assert f"{n:,} regions of unknown label are not counted" in summary(result)
    assert f"not counted</dt><dd>{n:,}</dd>" in render_html(result, {}, "")


def test_a_report_of_a_corpus_without_holes_does_not_speak_of_them(
    result: Result, make_corpus: Make
) -> None:
    whole = replace(result, source=replace(result.source, n_unknown=0))
    assert "unknown label" not in summary(whole)
    assert "unknown label" not in render_html(whole, {}, "")


def test_a_feature_is_tried_on_known_regions_alone(holed: Corpus) -> None:
    (trial,) = try_features(["dom.depth"], holed)
    train, validation, _ = holed.split(FRACTIONS, seed=0)
    counts = Counter(train.counts) + Counter(validation.counts)
    assert +Counter(trial.support) == counts
    share = counts["Paragraph"] / counts.total()
    entropy = -(share * np.log2(share) + (1 - share) * np.log2(1 - share))
    assert trial.entropy["Paragraph"] == pytest.approx(entropy)
    assert 0 <= trial.information["Paragraph"] <= entropy
    assert 0 <= trial.macro.before <= 1


def test_information_is_that_of_the_known_regions() -> None:
    codes, labels = np.array([0, 1, 0, 1, 5, 0]), np.array([0, 1, 0, 1, -1, -1])
    seen = Observed(regions=1, pages=1, milliseconds=0, codes=(codes,))
    known = Observed(regions=1, pages=1, milliseconds=0, codes=(codes[:4],))
    assert seen.information(labels, 2) == known.information(labels[:4], 2) == [1.0, 1.0]
    nothing = np.full(6, -1)
    assert seen.information(nothing, 2) == [0.0, 0.0]


def test_a_model_of_a_corpus_with_holes_predicts_no_unknown_label(holed: Corpus) -> None:
    features = FeatureSet(("text", "dom"), min_count=1)
    labeller = RegionLabeller(features, LEARNERS["multiclass-svm"](max_epochs=3))
    labeller.fit(holed, calibrate="isotonic")
    assert labeller.card["regions"] == sum(page.n_known for page in holed)
    assert labeller.card["unknown_regions"] == holed.n_unknown
    text = model_card({"card": labeller.card}, "model")
    assert f"| besides, regions of unknown label | {holed.n_unknown}" in text
    assert UNKNOWN not in labeller.label(holed.pages[0].page).labels


def test_the_card_of_a_corpus_without_holes_is_as_ever(make_corpus: Make) -> None:
    labeller = RegionLabeller(
        FeatureSet(("dom",), min_count=1), LEARNERS["multiclass-svm"](max_epochs=1)
    ).fit(make_corpus(3))
    assert "unknown_regions" not in labeller.card
    assert "unknown label" not in model_card({"card": labeller.card}, "model")


def test_commands_train_measure_compare_and_try(call: Run, holed: Corpus, tmp_path: Path) -> None:
    holed.save(tmp_path / "holed")
    model = tmp_path / "model"
    quick = ("--learner", "multiclass-svm", "--set", "max-epochs=3", "--families", "text,dom")
    assert call("train", tmp_path / "holed", "--out", model, *quick)[0] == 0
    code, out, err = call("evaluate", model, tmp_path / "holed", "--format", "json")
    assert code == 0
    assert f"{holed.n_unknown} regions of unknown label are not counted" in err
    rows = {row["label"]: row["support"] for row in json.loads(out)}
    assert {name: rows[name] for name in NEWS.names} == holed.counts
    compared = ("--learners", "linear-chain-crf", "--out", tmp_path / "report")
    assert call("compare", tmp_path / "holed", *compared)[0] == 0
    report = json.loads((tmp_path / "report" / "report.json").read_bytes())
    (row,) = report["learners"].values()
    assert sum(map(sum, row["confusion"])) == sum(report["n_test"].values())
    code, out, _ = call("features", "try", "dom.depth", "--corpus", tmp_path / "holed")
    assert code == 0
    assert "Paragraph" in out
