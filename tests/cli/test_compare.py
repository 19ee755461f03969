"""``structce compare`` as a user runs it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from structce.corpus.corpus import Corpus
from structce.errors import ExperimentError
from structce.experiments.backends import Backend
from structce.learners.multiclass_svm import MulticlassSVM

Run = Callable[..., tuple[int, str, str]]

LEARNER = "learner.multiclass-svm"
QUICKLY = ("--set", f"{LEARNER}.lambda=1.0", "--set", f"{LEARNER}.max_epochs=2")


@pytest.fixture
def spec(small: Path, tmp_path: Path) -> Path:
    path = tmp_path / "question.toml"
    path.write_text(
        f'question = "Who?"\ncorpus = "{small}"\n'
        "[learner.multiclass-svm]\nlambda = [10.0, 1.0]\nmax_epochs = 2\n"
    )
    return path


def test_an_ablation_of_named_learners_is_printed_and_written(
    run: Run, small: Path, tmp_path: Path
) -> None:
    out = tmp_path / "report"
    code, printed, err = run(
        "compare", small, "--out", out, *QUICKLY, "--learners", "multiclass-svm", "--ablation"
    )
    assert code == 0, err
    assert "Table 2" in printed
    assert "Table 3" in printed
    assert "families of features, multiclass-svm" in printed
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    parts = [pair["first"] for pair in report["pairs"]]
    families = ("text", "dom", "style", "task")
    assert parts == [f"{kind} {family}" for kind in ("without", "only") for family in families]
    assert report["command"] == (
        f"structce compare {small} --learners multiclass-svm --ablation {' '.join(QUICKLY)}"
    )
    for name in ("report.html", "tables.md", "tables.tex"):
        assert (out / name).stat().st_size > 1000
    assert {path.suffix for path in (out / "figures").iterdir()} == {".svg", ".pdf"}
    (predictions,) = (out / "predictions").iterdir()
    header, *rows = predictions.read_text(encoding="utf-8").splitlines()
    assert header.split("\t")[-2:] == ["multiclass-svm", "multiclass-svm confidence"]
    n_test = [one["value"] for one in report["scores"] if one["measure"] == "n_test"]
    assert len(rows) == sum(n_test) / 9  # all features, and eight parts of them


@pytest.mark.parametrize("option", [("--ablation",), ("--seed", "3"), ("--by", "page")])
def test_an_experiment_file_has_its_own_settings(
    run: Run, spec: Path, tmp_path: Path, option: tuple[str, ...]
) -> None:
    code, _, err = run("compare", spec, *option, "--out", tmp_path / "report")
    assert code == 2
    assert f"{option[0]} is for a corpus" in " ".join(err.split())
    assert "--set" in err
    assert not (tmp_path / "report").exists()


@pytest.mark.usefixtures("plain_reports")
def test_a_value_of_a_file_is_changed_from_outside(run: Run, spec: Path, tmp_path: Path) -> None:
    out = tmp_path / "report"
    code, _, err = run(
        "compare",
        spec,
        "--out",
        out,
        "--set",
        "seed=3",
        "--set",
        "learner.multiclass-svm.lambda=10.0",
    )
    assert code == 0, err
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert report["experiment"]["seed"] == 3
    assert report["experiment"]["learner"]["multiclass-svm"]["lambda"] == 10.0
    assert report["command"] == (
        f"structce compare {spec} --set seed=3 --set learner.multiclass-svm.lambda=10.0"
    )


def test_a_mistake_in_a_file_is_one_line_that_names_it(
    run: Run, spec: Path, tmp_path: Path
) -> None:
    spec.write_text(spec.read_text() + '[features]\nexclude = ["dom.tga"]\n')
    code, _, err = run("compare", spec, "--out", tmp_path / "report")
    assert code == 1
    assert f"error: {spec}: features.exclude: " in err
    assert "did you mean 'dom.tag'?" in err


@pytest.mark.usefixtures("plain_reports")
def test_a_stored_split_is_used_and_says_itself_how_it_was_drawn(
    run: Run, small: Path, tmp_path: Path
) -> None:
    corpus = Corpus.load(small)
    shares = {"train": 0.5, "validation": 0.25, "test": 0.25}
    split = corpus.draw_split(shares, by="page", seed=5)
    split.save(tmp_path / "five.json")
    code, _, err = run(
        "compare",
        small,
        *QUICKLY,
        "--learners",
        "multiclass-svm",
        "--split",
        tmp_path / "five.json",
        "--out",
        tmp_path / "report",
    )
    assert code == 0, err
    report = json.loads((tmp_path / "report" / "report.json").read_text(encoding="utf-8"))
    (study,) = report["studies"]
    assert study["by"] == "page"
    assert tuple(report["splits"][0]["test"]) == split.parts["test"]


@pytest.mark.usefixtures("plain_reports")
def test_an_interrupted_run_says_how_to_go_on_and_goes_on(
    run: Run, spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "report"
    n_fits = []

    def counted(self: MulticlassSVM, *arguments: object, **options: object) -> object:
        n_fits.append(1)
        if len(n_fits) == 3:  # after two points of a grid
            raise KeyboardInterrupt
        return fit(self, *arguments, **options)

    fit = MulticlassSVM._fit
    monkeypatch.setattr(MulticlassSVM, "_fit", counted)
    code, printed, err = run("compare", spec, "--out", out)
    assert (code, printed) == (130, "")
    assert f"finished jobs are kept in {out / 'jobs.sqlite'}" in err
    assert not (out / "report.json").exists()
    code, _, err = run("compare", spec, "--out", out)
    assert code == 0, err
    assert len(n_fits) == 4  # the test alone
    assert run("compare", spec, "--out", out, "--afresh")[0] == 0
    assert len(n_fits) == 7


def test_jobs_and_engine_are_those_that_the_options_name(
    run: Run, spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **settings: object) -> None:
        raise ExperimentError(f"asked of {settings['backend']}")

    monkeypatch.setattr("structce.cli.compare.run", refuse)
    options = ("--jobs", "2", "--engine", "ray", "--out", tmp_path / "report")
    code, _, err = run("compare", spec, *options)
    assert code == 1
    assert f"asked of {Backend('ray', 2)}" in err


@pytest.mark.usefixtures("plain_reports")
def test_a_learner_that_fails_is_a_row_and_the_exit_code_says_so(
    run: Run, spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ArithmeticError("no minimum")

    monkeypatch.setattr("structce.learners.multiclass_svm.MulticlassSVM._fit", broken)
    code, printed, _ = run("compare", spec, "--out", tmp_path / "report")
    assert code == 1
    assert "ArithmeticError: no minimum" in printed
    assert (tmp_path / "report" / "report.html").exists()


def test_a_missing_extra_stops_the_run_at_once(
    run: Run, spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("structce.experiments.runner.EXTRA", ("no_such_module",))
    code, _, err = run("compare", spec, "--out", tmp_path / "report")
    assert code == 1
    assert "needs no-such-module: pip install" in err


def test_an_experiment_that_came_with_us_is_named(run: Run) -> None:
    code, _, err = run("compare", "gottron2007", "--learners", "all")
    assert code == 2  # it was found: its kind knows no learners
    assert "does not apply to content extractors" in err
    code, _, err = run("compare", "nothing-of-this-name")
    assert code == 2
    assert "one of ablation" in " ".join(err.split())
    assert "gottron2007" in err
