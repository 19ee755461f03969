"""``structce report`` shows and compares what experiments found."""

import json

import pytest

from structce.experiments import report
from structce.experiments.report import to_json

PAGES = tuple(f"{site}-{number}" for site in "abcde" for number in range(2))
LOW = dict.fromkeys(PAGES, 0.5)
HIGH = {page: 0.51 + 0.01 * number for number, page in enumerate(PAGES)}


def make_report(accuracies, kind="learners", **experiment):
    """Return the report of one subject in one study, right on so much of each page."""
    place = {"study": "news by site", "subject": "crf"}
    mean = sum(accuracies.values()) / len(accuracies)
    rows = {
        "studies": [{"name": "news by site", "source": "news by site", "n_pages": 10}],
        "scores": [
            {**place, "measure": measure, "value": mean} for measure in ("macro_f1", "accuracy")
        ],
        "units": [
            {**place, "unit": page, "site": page[0], "measure": "accuracy", "value": value}
            for page, value in accuracies.items()
        ],
    }
    asked = {"question": "Which is best?", "seed": 0, **experiment}
    return report.make_report(kind, asked, "structce compare news", {"numpy": "2.0"}, rows)


@pytest.fixture
def write(tmp_path):
    def write_report(name, written):
        (tmp_path / name).mkdir()
        (tmp_path / name / "report.json").write_bytes(to_json(written))
        return tmp_path / name

    return write_report


@pytest.fixture
def low(write):
    return write("low", make_report(LOW))


@pytest.fixture
def high(write):
    return write("high", make_report(HIGH))


@pytest.mark.parametrize(
    ("form", "sign"), [("table", "crf"), ("markdown", "# Which is best?"), ("latex", "tabular")]
)
def test_a_report_is_shown_in_several_forms(run, low, form, sign):
    code, out, _ = run("report", "show", low, "--format", form)
    assert (code, "Which is best?" in out, sign in out) == (0, True, True)
    code, out, _ = run("report", "show", low / "report.json", "--format", "json")
    assert (code, out.encode()) == (0, (low / "report.json").read_bytes())


def test_a_difference_has_a_verdict(run, low, high):
    code, out, _ = run("report", "diff", low, high)
    assert code == 0
    row = next(line for line in out.splitlines() if line.startswith("news by site  crf"))
    assert row.endswith("better")
    code, out, _ = run("report", "diff", high, low, "--format", "json")
    (subject,) = json.loads(out)["subjects"]
    assert subject["verdict"] == "worse"
    assert subject["test"]["n_differ"] == 10


def test_only_a_loss_fails_and_only_if_asked_for(run, low, high):
    assert run("report", "diff", high, low)[0] == 0
    assert run("report", "diff", low, high, "--fail-on-worse")[0] == 0
    assert run("report", "diff", low, low, "--fail-on-worse")[0] == 0
    code, _, err = run("report", "diff", high, low, "--fail-on-worse")
    assert (code, err) == (1, "worse: news by site: crf\n")


def test_other_pages_are_warned_of(run, low, write):
    other = write("other", make_report({f"{page}x": share for page, share in HIGH.items()}))
    code, out, err = run("report", "diff", low, other, "--fail-on-worse")
    assert code == 0
    assert "not comparable" in out
    assert err == "warning: nothing could be compared page by page\n"


@pytest.mark.parametrize("command", [["show"], ["diff"]])
def test_an_old_report_is_an_error(run, low, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "report.json").write_text('{"format": "structce-report", "version": 1}')
    paths = [low, tmp_path] if command == ["diff"] else [tmp_path]
    code, out, err = run("report", *command, *paths)
    assert (code, out) == (1, "")
    assert "version 1; this structce reads version 6" in err


def test_reports_of_two_kinds_are_not_compared(run, low, write):
    other = write("other", make_report(LOW, "extractors", measures=["bag"]))
    code, _, err = run("report", "diff", low, other)
    assert code == 1
    assert "is on learners" in err
