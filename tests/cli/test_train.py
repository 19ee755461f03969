"""``structce train`` and ``structce evaluate`` as a user runs them."""

import json
from collections.abc import Callable
from pathlib import Path

Run = Callable[..., tuple[int, str, str]]


def test_a_corpus_is_trained_on_and_measured(
    run: Run, small: Path, pages: Path, tmp_path: Path
) -> None:
    model = tmp_path / "model"
    settings = ("--set", "max-epochs=3", "--set", "tol=0.5", "--set", "lambda=1")
    code, _, err = run("train", small, "--out", model, *settings)
    assert code == 0
    assert "6 pages of 6 sites" in err
    code, out, err = run("evaluate", model, small, "--format", "json")
    assert code == 0
    assert "trained on" in err
    rows = {row["label"]: row for row in json.loads(out)}
    assert rows["macro"]["f1"] > 0.5
    code, out, _ = run("label", pages / "a.html", "--model", model,
                       "--renderer", "static", "--format", "text")  # fmt: skip
    assert code == 0
    assert len(out.splitlines()) > 3


def test_an_unknown_hyper_parameter_is_wrong_usage(run: Run, small: Path, tmp_path: Path) -> None:
    code, _, err = run("train", small, "--out", tmp_path / "m",
                       "--set", "lamda=1")  # fmt: skip
    assert code == 2
    assert "lambda" in err
