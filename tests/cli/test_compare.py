"""``structce compare`` as a user runs it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from structce.corpus.corpus import Corpus
from structce.experiments import schedule
from structce.synthetic.generate import write_sample

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample") / "corpus"
    write_sample(folder, 6, 1, seed=3)
    return folder


@pytest.fixture
def spec(sample: Path, tmp_path: Path) -> Path:
    path = tmp_path / "question.toml"
    path.write_text(
        f'question = "Who?"\ncorpus = "{sample}"\nrenderer = "static"\n'
        "[learner.multiclass-svm]\nlambda = [10.0, 1.0]\nmax_epochs = 5\n"
    )
    return path


def test_an_ablation_of_named_learners_is_printed_and_written(
    run: Run, sample: Path, tmp_path: Path
) -> None:
    out = tmp_path / "report"
    code, printed, err = run(
        *("compare", sample, "--renderer", "static", "--out", out),
        *("--learners", "multiclass-svm", "--ablation"),
    )
    assert code == 0, err
    assert "families of features, multiclass-svm" in printed
    assert "without text" in printed
    assert "only task" in printed
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    parts = [(one["kind"], one["family"]) for one in report["studies"][0]["ablations"]]
    families = ("text", "dom", "style", "task")
    assert parts == [(kind, family) for kind in ("without", "only") for family in families]
    assert report["command"] == (
        f"structce compare {sample} --learners multiclass-svm --ablation --renderer static"
    )
    for name in ("report.html", "tables.md", "tables.tex"):
        assert (out / name).stat().st_size > 1000


@pytest.mark.parametrize("option", [("--ablation",), ("--seed", "3"), ("--by", "page")])
def test_an_experiment_file_has_its_own_settings(
    run: Run, spec: Path, tmp_path: Path, option: tuple[str, ...]
) -> None:
    code, _, err = run("compare", spec, *option, "--out", tmp_path / "report")
    assert code == 2
    assert f"{option[0]} is for a corpus" in " ".join(err.split())
    assert "--set" in err
    assert not (tmp_path / "report").exists()


def test_a_value_of_a_file_is_changed_from_outside(run: Run, spec: Path, tmp_path: Path) -> None:
    out = tmp_path / "report"
    code, _, err = run(
        *("compare", spec, "--out", out, "--set", "seed=3"),
        *("--set", "learner.multiclass-svm.lambda=10.0"),
    )
    assert code == 0, err
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert report["experiment"]["seed"] == 3
    (arm,) = report["experiment"]["arms"]
    assert arm["values"]["lambda_"] == [10.0]
    assert report["command"] == (
        f"structce compare {spec} --set seed=3 --set learner.multiclass-svm.lambda=10.0"
    )


def test_a_mistake_in_a_file_is_one_line_that_names_it(
    run: Run, spec: Path, tmp_path: Path
) -> None:
    spec.write_text(spec.read_text() + '[features]\nexclude = ["dom.tga"]\n')
    code, _, err = run("compare", spec, "--out", tmp_path / "report")
    assert code == 1
    assert f"error: {spec}:8: " in err
    assert "did you mean 'dom.tag'?" in err


def test_a_stored_split_is_used_and_says_itself_how_it_was_drawn(
    run: Run, sample: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "static"
    code, _, err = run(
        *("corpus", "subset", sample, folder, "--renderer", "static", "--max-pages", "6")
    )
    corpus = Corpus.load(folder) if code == 0 else None
    assert corpus is not None, err
    shares = {"train": 0.5, "validation": 0.25, "test": 0.25}
    split = corpus.draw_split(shares, by="page", seed=5)
    split.save(tmp_path / "five.json")
    code, _, err = run(
        *("compare", folder, "--learners", "multiclass-svm", "--split", tmp_path / "five.json"),
        *("--out", tmp_path / "report"),
    )
    assert code == 0, err
    report = json.loads((tmp_path / "report" / "report.json").read_text(encoding="utf-8"))
    (study,) = report["studies"]
    assert study["by"] == "page"
    assert tuple(study["splits"][0]["test"]["pages"]) == split.parts["test"]


def test_an_interrupted_run_says_how_to_go_on_and_goes_on(
    run: Run, spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "report"
    real, n_done = schedule.Schedule._task, []

    def interrupted(*arguments: object) -> object:
        if arguments[-1] == "test":
            raise KeyboardInterrupt
        n_done.append(1)
        return real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(schedule.Schedule, "_task", interrupted)
    code, printed, err = run("compare", spec, "--out", out)
    assert (code, printed) == (130, "")
    assert f"finished units are kept in {out / 'units'}" in err
    assert not (out / "report.json").exists()
    monkeypatch.undo()
    kept = {path: path.stat().st_mtime_ns for path in (out / "units").iterdir()}
    assert len(kept) == len(n_done) + 1  # the columns, too
    monkeypatch.setattr("sys.argv", ["structce"])
    code, _, err = run("compare", spec, "--out", out)
    assert code == 0, err
    after = {path: path.stat().st_mtime_ns for path in (out / "units").iterdir()}
    assert kept.items() < after.items()


def test_units_are_done_again_if_asked(run: Run, spec: Path, tmp_path: Path) -> None:
    out = tmp_path / "report"
    assert run("compare", spec, "--out", out)[0] == 0
    first = {path: path.stat().st_mtime_ns for path in (out / "units").iterdir()}
    assert run("compare", spec, "--out", out, "--afresh", "--jobs", "2")[0] == 0
    second = {path: path.stat().st_mtime_ns for path in (out / "units").iterdir()}
    assert set(first) == set(second)
    assert all(second[path] > first[path] for path in first)


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
