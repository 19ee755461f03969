"""A corpus with holes: where nobody knows a label, nothing is learnt and nothing is counted."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from structce.cli import main
from structce.corpus.corpus import Corpus
from structce.experiments import report_page, report_text
from structce.experiments.config import FRACTIONS, Candidate, Experiment, Features
from structce.experiments.feature_trials import ValueSummary, try_features
from structce.experiments.report import Report
from structce.experiments.runner import run
from structce.features.feature_set import FeatureSet
from structce.labelling import RegionLabeller
from structce.labelling.model_card import model_card
from structce.labels import NEWS, UNKNOWN
from structce.learners.registry import LEARNERS

Make = Callable[..., Corpus]
Run = Callable[..., tuple[int, str, str]]

QUICK: dict[str, dict[str, object]] = {
    "boosted-trees": {"n_rounds": 3},
    "linear-chain-crf": {"max_iterations": 5},
    "multiclass-svm": {"max_epochs": 3},
    "greedy-svm": {"max_epochs": 3},
    "structured-svm": {"max_epochs": 3},
}


@pytest.fixture(scope="module")
def holed(make_corpus: Make) -> Corpus:
    """Twelve pages of twelve sites; the label of every third region is unknown."""
    pages = []
    for n, page in enumerate(make_corpus(12)):
        labels = (UNKNOWN if i % 3 == n % 3 else label for i, label in enumerate(page.labels))
        pages.append(replace(page, labels=tuple(labels)))
    return Corpus("holed", tuple(pages), licence="MIT")


@pytest.fixture(scope="module")
def report(holed: Corpus) -> Report:
    """All learners, on one split."""
    experiment = Experiment(
        question="Do holes harm?",
        corpus=("holed",),
        learner={
            name: Candidate(name, name, {key: (value,) for key, value in settings.items()})
            for name, settings in QUICK.items()
        },
        features=Features(min_count=1),
        seed=7,
    )
    return run(experiment, holed, progress=False).report


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


def test_a_comparison_counts_known_regions_alone(report: Report, holed: Corpus) -> None:
    assert report.failures == ()
    tested = holed.subset(report.splits[0].test)
    n_known = sum(page.n_known for page in tested)
    assert 0 < n_known < sum(len(page.labels) for page in tested)
    for confusion in report.confusions:
        assert np.sum(confusion.counts) == n_known
    study = report.studies[0].name
    for name in QUICK:
        counts = {label: report.value(study, name, "n_test", label) for label in tested.counts}
        assert counts == tested.counts
        assert (
            sum(report.value(study, name, "n_predicted", label) or 0 for label in counts) == n_known
        )


def test_accuracy_and_calibration_are_of_known_regions(report: Report, holed: Corpus) -> None:
    tested = holed.subset(report.splits[0].test)
    for confusion in report.confusions:
        n_right = np.trace(np.array(confusion.counts))
        n_known = {page.id: page.n_known for page in tested}
        shares = [one.values[confusion.subject] * n_known[one.unit] for one in report.units]
        assert sum(shares) == pytest.approx(n_right)
        for is_calibrated in (False, True):
            bins = [
                one
                for one in report.bins
                if (one.subject, one.is_calibrated) == (confusion.subject, is_calibrated)
            ]
            assert sum(one.n_regions for one in bins) == np.sum(confusion.counts)
            assert sum(one.n_regions * one.accuracy for one in bins) == pytest.approx(n_right)


def test_a_report_says_how_many_regions_are_not_counted(report: Report, holed: Corpus) -> None:
    assert report.studies[0].n_unknown == holed.n_unknown
    page = report_page(report, {})
    assert "Regions of unknown label" in page
    assert f"{holed.n_unknown:,}" in page
    assert "unknown label" not in report_text(report)


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
    seen = ValueSummary(regions=1, pages=1, milliseconds=0, codes=(codes,))
    known = ValueSummary(regions=1, pages=1, milliseconds=0, codes=(codes[:4],))
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


@pytest.mark.usefixtures("plain_reports")
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
    (confusion,) = report["confusions"]
    tested = sum(score["value"] for score in report["scores"] if score["measure"] == "n_test")
    assert sum(map(sum, confusion["counts"])) == tested
    code, out, _ = call("features", "try", "dom.depth", "--corpus", tmp_path / "holed")
    assert code == 0
    assert "Paragraph" in out
