"""``structce compare --ablation`` as a user runs it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from structce.corpora import write_sample

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample") / "corpus"
    write_sample(folder, 6, 1, seed=3)
    return folder


def test_an_ablation_of_named_learners_is_printed_and_written(
    run: Run, sample: Path, tmp_path: Path
) -> None:
    out = tmp_path / "report"
    code, printed, err = run(
        *("compare", sample, "--renderer", "static", "--out", out),
        *("--learners", "multiclass-svm", "--ablation"),
    )
    assert code == 0, err
    assert "Families of features: multiclass-svm" in printed
    assert "without text" in printed
    assert "only task" in printed
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert list(report["ablation"]) == ["multiclass-svm"]
    parts = [(one["features"], one["family"]) for one in report["ablation"]["multiclass-svm"]]
    families = ("text", "dom", "style", "task")
    assert parts == [(kind, family) for kind in ("without", "only") for family in families]
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "--learners multiclass-svm --by site --seed 0 --ablation --renderer static" in page


def test_an_experiment_file_says_itself_whether_it_has_an_ablation(
    run: Run, sample: Path, tmp_path: Path
) -> None:
    spec = tmp_path / "question.toml"
    spec.write_text(f'question = "?"\ncorpus = "{sample}"\n[learner.multiclass-svm]\n')
    code, _, err = run("compare", spec, "--ablation", "--out", tmp_path / "report")
    assert code == 2
    assert "'ablation = true' below [features]" in " ".join(err.split())
    assert not (tmp_path / "report").exists()


def test_a_feature_that_is_not_known_is_one_line_with_the_nearest(
    run: Run, sample: Path, tmp_path: Path
) -> None:
    spec = tmp_path / "question.toml"
    spec.write_text(
        f'question = "?"\ncorpus = "{sample}"\n[features]\nexclude = ["dom.tga"]\n'
        "[learner.multiclass-svm]\n"
    )
    code, _, err = run("compare", spec, "--out", tmp_path / "report")
    assert code == 1
    assert "unknown 'dom.tga' in features.exclude; did you mean 'dom.tag'?" in err
