"""``structce compare`` with content extractors, as a user runs it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def question(tmp_path: Path) -> Path:
    folder = tmp_path / "alpha"
    folder.mkdir()
    (folder / "description.package").write_text("name: alpha\n")
    for number in range(2):
        text = f"The ferry will stop in June, on day {number}, and a bridge takes its place."
        menu = "<ul><li><a href=/>News</a><li><a href=/s>Sport</a></ul>"
        (folder / f"{number}.html").write_text(f"<title>x</title>{menu}<p>{text}")
        (folder / f"{number}.txt").write_text(text)
    path = tmp_path / "question.toml"
    path.write_text(
        f"question = 'Which?'\ndata = '{tmp_path}'\n[package.alpha]\nreader = 'gottron'\n"
        "path = 'alpha'\n[method.plain]\n[method.link-quota-50]\n"
    )
    return path


def test_extractors_of_a_file_are_compared_printed_and_written(
    run: Run, question: Path, tmp_path: Path
) -> None:
    out = tmp_path / "report"
    code, printed, err = run("compare", question, "--out", out, "--set", "seed=3")
    assert code == 0, err
    assert "link-quota-50 has the highest characters F1, 100.00 per cent." in printed
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert report["kind"] == "extractors"
    assert report["experiment"]["seed"] == 3
    assert report["command"] == f"structce compare {question} --set seed=3"
    rows = (out / "results.tsv").read_text(encoding="utf-8").splitlines()
    assert [
        row.split("\t")[0] for row in rows
    ] == "row document document document document mean deviation mean deviation".split()
    assert (out / "report.html").stat().st_size > 10_000


@pytest.mark.usefixtures("plain_reports")
def test_a_failure_is_told_and_the_command_exits_with_1(
    run: Run, question: Path, tmp_path: Path
) -> None:
    with question.open("a") as file:
        file.write("[method.none]\nmethod = 'proxy:127.0.0.1:9'\n")
    code, printed, _ = run("compare", question, "--out", tmp_path / "report", "--format", "json")
    assert code == 1
    failures = json.loads(printed)["failures"]
    assert [(failure["subject"], failure["n_units"]) for failure in failures] == [("none", 2)]
    assert "refused" in failures[0]["error"]


@pytest.mark.parametrize(
    "option", [("--learners", "all"), ("--engine", "ray"), ("--renderer", "static")]
)
def test_options_of_learners_are_refused(run: Run, question: Path, option: tuple[str, str]) -> None:
    code, _, err = run("compare", question, *option)
    assert code == 2
    assert f"{option[0]} does not apply to content extractors" in err


def test_a_mistake_in_the_file_is_told(run: Run, question: Path) -> None:
    code, _, err = run("compare", question, "--set", "measures=bags")
    assert code == 1
    assert "--set measures=bags: measures" in err
