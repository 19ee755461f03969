"""The commands as a user runs them: what they print, write, and exit with."""

import csv
import io
import json
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Self

import pytest

from structce.errors import RenderError
from structce.page import Page
from structce.rendering.chromium import ChromiumRenderer
from structce.rendering.document import Document
from structce.rendering.static import StaticRenderer
from structce.synthetic.generate import write_sample

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample") / "corpus"
    write_sample(folder, 6, 1, seed=3)
    return folder


COMMANDS = (
    "label",
    "render",
    "corpus",
    "train",
    "evaluate",
    "compare",
    "features",
    "explain",
    "model",
    "doctor",
    "engines",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_every_command_shows_an_example(run: Run, command: str) -> None:
    code, out, _ = run(command, "--help")
    assert code == 0
    if command in ("corpus", "features", "model"):
        assert "Commands:" in out
    else:
        assert f"structce {command}" in " ".join(out.split("Example")[-1].split())


def test_help_lists_every_command(run: Run) -> None:
    code, out, _ = run("--help")
    assert code == 0
    assert all(f"  {command} " in out for command in COMMANDS)


def test_a_page_gives_one_json_object_a_line(run: Run, pages: Path) -> None:
    code, out, _ = run("label", pages / "a.html", "--renderer", "static")
    assert code == 0
    (line,) = out.splitlines()
    record = json.loads(line)
    assert list(record) == [
        *("source", "url", "renderer", "model", "title", "authors", "date", "text", "regions")
    ]
    assert record["title"]["value"] == "Ferry to stop in June, part 0"
    assert set(record["title"]) == {"value", "confidence", "xpath", "span"}
    assert {region["label"] for region in record["regions"]} >= {"Title", "Paragraph"}
    assert "None" not in {region["label"] for region in record["regions"]}
    assert list(record["regions"][0]) == [
        *("index", "label", "confidence", "text", "xpath", "span", "box")
    ]


def test_all_regions_include_the_background(run: Run, pages: Path) -> None:
    _, out, _ = run("label", pages / "a.html", "--renderer", "static", "--all-regions")
    regions = json.loads(out)["regions"]
    assert [region["index"] for region in regions] == list(range(len(regions)))
    assert "None" in {region["label"] for region in regions}


def test_a_broken_file_is_a_row_and_the_others_go_on(run: Run, pages: Path) -> None:
    code, out, err = run("label", pages, "--renderer", "static")
    assert code == 1
    records = [json.loads(line) for line in out.splitlines()]
    assert ["error" in record for record in records] == [False, True, False]
    assert "PNG" in records[1]["error"]
    assert "b.html" in err


@pytest.mark.parametrize("form", ["json", "text", "csv"])
def test_other_forms_hold_the_same(run: Run, pages: Path, form: str) -> None:
    code, out, _ = run("label", pages, "--renderer", "static", "--format", form)
    assert code == 1
    if form == "json":
        assert len(json.loads(out)) == 3
    elif form == "csv":
        rows = list(csv.DictReader(io.StringIO(out)))
        assert [bool(row["error"]) for row in rows] == [False, True, False]
        assert rows[0]["title"] == "Ferry to stop in June, part 0"
    else:
        assert "Ferry to stop in June, part 0" in out


def test_wrong_usage_exits_with_2_and_a_missing_model_with_1(run: Run, pages: Path) -> None:
    assert run("label")[0] == 2
    assert run("label", pages, "--renderer", "netscape")[0] == 2
    code, _, err = run("label", pages, "--renderer", "static", "--model", "nothing")
    assert code == 1
    assert "no model here" in err


def test_a_corpus_is_trained_on_and_measured(run: Run, sample: Path, tmp_path: Path) -> None:
    model = tmp_path / "model"
    settings = ("--set", "max-epochs=5", "--set", "tol=0.5", "--set", "lambda=1")
    code, _, err = run("train", sample, "--renderer", "static", "--out", model, *settings)
    assert code == 0
    assert "6 pages of 6 sites" in err
    code, out, err = run("evaluate", model, sample, "--format", "json")
    assert code == 0
    assert "trained on" in err
    rows = {row["label"]: row for row in json.loads(out)}
    assert rows["macro"]["f1"] > 0.5
    code, out, _ = run("label", next((sample / "pages").glob("*.html")), "--model", model,
                       "--renderer", "static", "--format", "text")  # fmt: skip
    assert code == 0
    assert len(out.splitlines()) > 3


def test_an_unknown_hyper_parameter_is_wrong_usage(run: Run, sample: Path, tmp_path: Path) -> None:
    code, _, err = run("train", sample, "--renderer", "static", "--out", tmp_path / "m",
                       "--set", "lamda=1")  # fmt: skip
    assert code == 2
    assert "lambda" in err


def test_learners_are_compared_and_the_report_written(
    run: Run, sample: Path, tmp_path: Path
) -> None:
    spec = tmp_path / "quick.toml"
    spec.write_text(
        f'question = "Which?"\ncorpus = "{sample}"\nseed = 1\n'
        "splits = { train = 0.5, validation = 0.25, test = 0.25, by = 'site' }\n"
        "[learner.structured-svm]\nlambda = 1.0\nmax_epochs = 3\n"
        "[learner.multiclass-svm]\nlambda = 1.0\nmax_epochs = 3\n"
    )
    code, out, err = run("compare", spec, "--renderer", "static", "--out", tmp_path / "report")
    assert code == 0, err
    assert "Table 2" in out
    assert "Table 3" in out
    report = json.loads((tmp_path / "report" / "report.json").read_text())
    (study,) = report["studies"]
    assert [one["name"] for one in study["arms"]] == ["structured-svm", "multiclass-svm"]
    assert (tmp_path / "report" / "report.html").is_file()


def test_a_corpus_is_described(run: Run, sample: Path) -> None:
    code, out, _ = run("corpus", "info", sample, "--renderer", "static", "--format", "json")
    assert code == 0
    (row,) = json.loads(out)
    assert (row["pages"], row["sites"]) == (6, 6)
    assert sum(row["labels"].values()) == row["regions"]
    code, out, _ = run("corpus", "info", sample, "--renderer", "static")
    assert "Advertisement" in out


def test_no_corpus_is_a_clear_error(run: Run, tmp_path: Path) -> None:
    code, _, err = run("corpus", "info", tmp_path)
    assert code == 1
    assert "no corpus here" in err


def test_pages_are_synthesised(run: Run, tmp_path: Path) -> None:
    code, _, err = run("corpus", "synthesise", tmp_path / "s", "--sites", 1, "--pages", 2)
    assert code == 0
    assert "2 pages of 1 sites" in err
    assert len(list((tmp_path / "s" / "pages").glob("*.html"))) == 2


def test_features_are_listed(run: Run) -> None:
    code, out, _ = run("features", "list", "--family", "style", "--format", "json")
    assert code == 0
    rows = json.loads(out)
    assert {row["family"] for row in rows} == {"style"}
    assert any(row["needs"] == "layout" for row in rows)


def test_the_doctor_answers_in_json(run: Run) -> None:
    code, out, _ = run("doctor", "--format", "json")
    assert code == 0
    assert {"python", "numpy", "browser"} <= {row["name"] for row in json.loads(out)}


class _NoBrowser(ChromiumRenderer):
    """A chromium renderer in name; renders without a browser."""

    def __enter__(self) -> Self:
        return self

    def submit(self, document: Document) -> Future[Page]:
        return StaticRenderer().submit(document)


def test_a_picture_that_fails_costs_no_record(
    run: Run, pages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> bytes:
        raise RenderError("a.html: the picture is too large")

    monkeypatch.setattr("structce.visualisation.page_picture.draw_labels", fail)
    monkeypatch.setattr("structce.rendering.renderers.start_renderer", lambda *_, **__: _NoBrowser())
    code, out, err = run("label", pages / "a.html", pages / "c.html", "--overlay", tmp_path / "p")
    assert code == 1
    assert [bool(json.loads(line)["title"]) for line in out.splitlines()] == [True, True]
    assert err.count("no picture") == 2
