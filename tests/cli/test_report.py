"""``structce report`` shows, draws again and compares what experiments found."""

import json
import sys
from dataclasses import replace

import jsonschema
import numpy as np
import pytest

from structce.evaluation.metrics import SegmentScores, score_confusion
from structce.experiments.config import Candidate, Experiment
from structce.experiments.extraction.config import ExtractionExperiment, PackageSource
from structce.experiments.extraction.results import (
    ExtractionReport,
    MeanDeviation,
    MeasureScores,
    MethodScores,
    PackageResult,
)
from structce.experiments.report.files import to_json
from structce.experiments.results import (
    CandidateResult,
    CorpusRecord,
    LearnerResult,
    PartRecord,
    Report,
    SplitRecord,
    Study,
)
from structce.extraction import Method
from structce.labels import LabelSet

LABELS = LabelSet(("None", "Title"), background="None")
COUNTS = {"None": 8, "Title": 2}
PAGES = tuple(f"{site}-{number}" for site in "abcde" for number in range(2))
LOW = dict.fromkeys(PAGES, 0.5)
HIGH = {page: 0.51 + 0.01 * number for number, page in enumerate(PAGES)}


def make_report(page_accuracy):
    """One learner on one split, right on so much of each page."""
    scores = score_confusion(np.array([[8, 0], [1, 1]]), LABELS)
    row = LearnerResult(
        scores=scores,
        segments=SegmentScores(scores.labels[1:], scores.macro, scores.macro),
        fields=(),
        page_exactness=0.0,
        confusion=((8, 0), (1, 1)),
        page_accuracy=page_accuracy,
        intervals={},
        trials=(),
    )
    tested = tuple(page_accuracy)
    study = Study(
        name="news by site",
        source=CorpusRecord(
            "news", "news", "ab12", 11, ("z",), "static", {"None": 8, "Title": 2}, "None"
        ),
        by="site",
        splits=(
            SplitRecord(
                0,
                PartRecord(("z-0",), ("z",)),
                PartRecord((), ()),
                PartRecord(tested, tuple("abcde")),
                9,
            ),
        ),
        n_train={"None": 8.0, "Title": 2.0},
        n_test=COUNTS,
        candidates=(CandidateResult("crf", row),),
        reference="crf",
        page_sites={page: page[0] for page in tested},
    )
    return Report(
        Experiment("Which is best?", ("news",), (Candidate("crf"),)), "", {"numpy": "2.0"}, (study,)
    )


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a report into a folder of a name."""

    def write(name, report):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "report.json").write_bytes(to_json(report))
        return folder

    return write


@pytest.fixture
def low(write):
    return write("low", make_report(LOW))


@pytest.fixture
def high(write):
    return write("high", make_report(HIGH))


def test_a_report_is_shown_as_tables(run, low):
    code, out, _ = run("report", "show", low)
    assert code == 0
    assert "Which is best?" in out
    assert "crf" in out


def test_a_report_is_printed_as_it_stands_in_its_file(run, low):
    code, out, _ = run("report", "show", low / "report.json", "--format", "json")
    assert code == 0
    assert out.encode() == (low / "report.json").read_bytes()


@pytest.mark.parametrize(("form", "sign"), [("markdown", "# Which is best?"), ("latex", "tabular")])
def test_a_report_is_printed_for_texts_and_papers(run, low, form, sign):
    code, out, _ = run("report", "show", low, "--format", form)
    assert code == 0
    assert sign in out


def test_the_page_is_drawn_again(run, low, tmp_path):
    page = tmp_path / "new" / "page.html"
    code, out, err = run("report", "html", low, "--out", page)
    assert (code, out) == (0, "")
    assert str(page) in err
    assert "Which is best?" in page.read_text(encoding="utf-8")


def test_the_figures_are_drawn_again_as_the_comparison_writes_them(run, low, tmp_path):
    pytest.importorskip("matplotlib")
    page = tmp_path / "new" / "page.html"
    code, _, err = run("report", "html", low, "--out", page)
    assert code == 0
    figures = page.parent / "figures"
    drawn = {path.name for path in figures.iterdir()}
    assert {path.suffix for path in figures.iterdir()} == {".svg", ".pdf"}
    assert len(drawn) == len(list(figures.glob("*.svg"))) * 2 > 0
    assert f"{len(drawn)} figures in {figures}" in err


def test_without_the_extra_the_page_has_tables_and_it_is_said_what_is_missing(
    run, low, tmp_path, monkeypatch
):
    for module in ("matplotlib", "scikit_posthocs"):
        monkeypatch.setitem(sys.modules, module, None)
    page = tmp_path / "page.html"
    code, _, err = run("report", "html", low, "--out", page)
    assert code == 0
    assert "warning: the report will have tables, but not all plots: " in err
    assert "[experiments]" in err
    assert "Plots are left out" in page.read_text(encoding="utf-8")
    assert not (tmp_path / "figures").exists()


def test_drawing_needs_a_place_to_write_to(run, low):
    code, _, err = run("report", "html", low)
    assert code == 2
    assert "--out" in err


def test_a_difference_is_told_with_its_verdict(run, low, high):
    code, out, _ = run("report", "diff", low, high)
    assert code == 0
    (row,) = (line for line in out.splitlines() if line.startswith("crf "))
    assert row.endswith("better")


def test_a_difference_is_told_to_programs(run, low, high):
    code, out, _ = run("report", "diff", high, low, "--format", "json")
    assert code == 0
    (candidate,) = json.loads(out)["studies"][0]["candidates"]
    assert candidate["verdict"] == "worse"
    assert candidate["pages"]["n_differ"] == 10


def test_only_what_is_worse_fails_and_only_if_asked_to(run, low, high):
    assert run("report", "diff", high, low)[0] == 0
    assert run("report", "diff", low, high, "--fail-on-worse")[0] == 0
    assert run("report", "diff", low, low, "--fail-on-worse")[0] == 0
    code, _, err = run("report", "diff", high, low, "--fail-on-worse")
    assert code == 1
    assert err == "worse: news by site: crf\n"


def test_a_check_that_compares_nothing_says_so(run, low, write):
    other = write("other", make_report({f"{page}x": share for page, share in LOW.items()}))
    code, out, err = run("report", "diff", low, other, "--fail-on-worse")
    assert code == 0
    assert "not comparable page by page" in out
    assert err == "warning: nothing could be compared page by page\n"


def test_the_schema_is_one_and_reports_are_what_it_says(run, low):
    code, out, _ = run("report", "schema")
    assert code == 0
    jsonschema.validate(json.loads((low / "report.json").read_bytes()), json.loads(out))


@pytest.mark.parametrize("command", [["show"], ["html", "--out", "x.html"], ["diff"]])
def test_what_is_no_report_is_a_clean_error(run, low, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "report.json").write_text('{"format": "structce-report", "version": 1}')
    paths = [low, tmp_path] if command == ["diff"] else [tmp_path]
    code, out, err = run("report", *command, *paths)
    assert (code, out) == (1, "")
    assert err.startswith("error: ")
    assert "version 1; this structce reads version 3" in err
    assert not (tmp_path / "x.html").exists()


def test_a_report_that_is_not_there_is_wrong_usage(run, tmp_path):
    code, _, err = run("report", "show", tmp_path / "nowhere")
    assert code == 2
    assert "does not exist" in err


def test_the_command_line_alone_is_no_difference(run, low, write):
    report = make_report(LOW)
    again = write("again", replace(report, command="structce compare other.toml"))
    other = write("other", replace(report, versions={"numpy": "2.1"}))
    assert "say the same" in run("report", "diff", low, again)[1]
    assert "say the same" not in run("report", "diff", low, other)[1]


@pytest.mark.parametrize("command", ["show", "html", "diff", "schema"])
def test_help_shows_how_a_command_is_used(run, command):
    code, out, _ = run("report", command, "--help")
    assert code == 0
    assert f"Examples: structce report {command}" in " ".join(out.split())


def test_a_report_on_extractors_is_shown_and_drawn_again(run, tmp_path):
    experiment = ExtractionExperiment(
        "Which text?",
        (PackageSource("news", "gottron"),),
        (Method("plain", "plain"),),
        measures=("sequence",),
    )
    score = MeanDeviation(0.5, None)
    plain = MethodScores("plain", 3, 0, None, None, {"sequence": MeasureScores(*[score] * 3)})
    package = PackageResult("news", "news", "ab12", 3, 1, 900, 0, 0.3, 0.6, (plain,), ())
    report = ExtractionReport(experiment, "", {"numpy": "2.0"}, (package,))
    path = tmp_path / "report.json"
    path.write_bytes(to_json(report))
    for form in ("table", "markdown", "latex"):
        code, out, _ = run("report", "show", path, "--format", form)
        assert (code, "Which text?" in out) == (0, True)
    code, _, _ = run("report", "html", path, "--out", tmp_path / "page.html")
    assert code == 0
    assert "Which text?" in (tmp_path / "page.html").read_text(encoding="utf-8")
    code, _, err = run("report", "diff", path, path)
    assert code != 0
    assert "expected one on learners" in err
