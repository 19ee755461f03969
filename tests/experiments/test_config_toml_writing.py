"""What is written is read as the same."""

from dataclasses import replace
from pathlib import Path

import pytest

import structce.experiments
from structce.experiments.config import Candidate, Experiment, Splits
from structce.experiments.config_toml import quick, read_experiment, to_toml

FOLDER = Path(structce.experiments.__file__).parent
READY = sorted(path.name for path in FOLDER.glob("*.toml") if "[learner" in path.read_text("utf-8"))

NASTY = 'a "quoted" \\ text\n[\n    "x",\n]\n# = \t\x01 \u2028 Ü 😀'

PLAIN = Experiment("?", ("c",), (Candidate("background"),))

HYPOTHETICAL = {
    "plain": PLAIN,
    "two corpora": replace(PLAIN, corpora=("a", "b/ü"), renderers=("static",)),
    "renderers": replace(PLAIN, renderers=("chromium", "static")),
    "question": replace(PLAIN, question=NASTY, corpora=(NASTY,)),
    "fractions": replace(PLAIN, splits=Splits((0.1, 0.2, 0.7), ("page", "time"))),
    "numbers": replace(PLAIN, splits=Splits((300, 100, 204), ("page", "site"))),
    "odd fractions": replace(PLAIN, splits=Splits((1 / 3, 1 / 3, 1 / 3), repeats=4)),
    "folds": replace(PLAIN, splits=Splits(by=("page", "site"), folds=7, repeats=2)),
    "file": replace(PLAIN, splits=Splits(by=("page",), file="a b.split.json")),
    "curve": replace(PLAIN, learning_curve=(0.1, 1e-05, 1), measure="micro_f1", seed=2**70),
    "features": replace(
        PLAIN,
        families=(),
        include=("dom.tag", "text.length"),
        exclude=("dom.depth",),
        min_count=9,
        min_pages=8,
        ablation=("text",),
    ),
    "preset": replace(PLAIN, presets=("spengler2010", "all"), windows={}, strengths={}),
    "windows": replace(
        PLAIN,
        windows={"text.token": (-1, 2), "task": (1,)},
        strengths={"dom": 2.0},
        unit_norm=False,
        refit=False,
    ),
    "optional family": replace(PLAIN, families=("site", "text"), ablation=("text", "site")),
    "candidates": replace(
        PLAIN,
        candidates=(
            Candidate("background", {"lambda_": (1e-300, 2, 1e22), "random_state": (3,)}),
            Candidate("background", {"random_state": tuple(range(60))}, 'named "x". [y]'),
            Candidate("centroids", {}, name="plain.one"),
            Candidate("centroids", {}, name="own", neighbours=False),
        ),
    ),
}


@pytest.mark.parametrize("name", READY)
def test_a_shipped_question_is_read_and_written_and_read_as_the_same(name, write):
    experiment = read_experiment(FOLDER / name)
    again = read_experiment(write(to_toml(experiment)))
    assert again == experiment
    assert [candidate.points for candidate in again.candidates] == [
        candidate.points for candidate in experiment.candidates
    ]


@pytest.mark.parametrize("name", HYPOTHETICAL)
def test_any_experiment_is_written_and_read_as_the_same(name, write, checked_learners):
    experiment = HYPOTHETICAL[name]
    again = read_experiment(write(to_toml(experiment)), known=checked_learners)
    assert again == experiment
    assert [candidate.points for candidate in again.candidates] == [
        candidate.points for candidate in experiment.candidates
    ]


def test_the_default_experiment_is_written_and_read_as_the_same(write):
    experiment = quick("news", ablation=True, learning_curve=(0.5, 1.0))
    assert read_experiment(write(to_toml(experiment))) == experiment


def test_a_short_list_stands_in_one_line_and_a_long_one_does_not():
    text = to_toml(HYPOTHETICAL["candidates"])
    assert "lambda = [1e-300, 2, 1e+22]\n" in text
    assert "random_state = [\n    0,\n    1,\n" in text


def test_writing_is_repeatable():
    assert len({to_toml(experiment) for experiment in HYPOTHETICAL.values()}) == len(HYPOTHETICAL)
    assert to_toml(HYPOTHETICAL["candidates"]) == to_toml(HYPOTHETICAL["candidates"])
