"""``structce compare`` as a user runs it, with learners and with content extractors."""

import json
import shlex

import pytest
from package_files import write_package

from structce.errors import ExperimentError
from structce.learners.svm import MulticlassSVM

LEARNER = "learner.multiclass-svm"
QUICKLY = ("--set", f"{LEARNER}.lambda=1.0", "--set", f"{LEARNER}.max_epochs=2")


@pytest.fixture
def spec(small, tmp_path):
    path = tmp_path / "question.toml"
    path.write_text(
        f'question = "Who?"\ncorpus = "{small}"\n'
        "[learner.multiclass-svm]\nlambda = [10.0, 1.0]\nmax_epochs = 2\n"
    )
    return path


@pytest.fixture
def question(tmp_path):
    """An experiment with extractors on two pages."""
    text = "The ferry will stop in June, on day {}, and a bridge takes its place."
    html = f"<title>x</title><ul><li><a href=/>News</a><li><a href=/s>Sport</a></ul><p>{text}"
    pages = {number: (html.format(number), text.format(number)) for number in range(2)}
    write_package(tmp_path / "alpha", pages)
    path = tmp_path / "question.toml"
    path.write_text(
        f"question = 'Which?'\ndata = '{tmp_path}'\n[package.alpha]\nreader = 'gottron'\n"
        "path = 'alpha'\n[method.plain]\n[method.link-quota-50]\n"
    )
    return path


def report_of(folder):
    return json.loads((folder / "report.json").read_text(encoding="utf-8"))


@pytest.mark.usefixtures("plain_reports")
def test_an_ablation_is_printed_and_written(run, small, tmp_path):
    out = tmp_path / "report"
    command = ("compare", small, "--out", out, *QUICKLY, "--learners", "multiclass-svm")
    code, printed, err = run(*command, "--ablation")
    assert code == 0, err
    assert "Table 3" in printed
    assert "parts of the features and of the training sites" in printed
    report = report_of(out)
    families = ("text", "dom", "style", "task")
    parts = [f"{kind} {family}" for kind in ("without", "only") for family in families]
    assert [pair["first"] for pair in report["pairs"]] == parts
    assert report["command"] == shlex.join(["structce", *map(str, command), "--ablation"])
    names = {path.name for path in out.iterdir()}
    assert {"report.html", "tables.md", "tables.tex"} <= names


@pytest.mark.usefixtures("plain_reports")
def test_a_value_of_a_file_is_changed(run, spec, tmp_path):
    out, changes = tmp_path / "report", ("--set", "seed=3", "--set", f"{LEARNER}.lambda=10.0")
    code, _, err = run("compare", spec, "--out", out, *changes)
    assert code == 0, err
    experiment = report_of(out)["experiment"]
    assert experiment["seed"] == 3
    assert experiment["learner"]["multiclass-svm"]["lambda"] == 10.0


@pytest.mark.usefixtures("plain_reports")
def test_an_interrupted_run_is_continued(run, spec, tmp_path, monkeypatch):
    out = tmp_path / "report"
    n_fits = []

    def counted(self, *arguments, **options):
        n_fits.append(1)
        if len(n_fits) == 3:  # after two points of a grid
            raise KeyboardInterrupt
        return fit(self, *arguments, **options)

    fit = MulticlassSVM._fit
    monkeypatch.setattr(MulticlassSVM, "_fit", counted)
    code, printed, err = run("compare", spec, "--out", out)
    assert (code, printed) == (130, "")
    assert f"finished jobs are kept in {out / 'jobs.jsonl'}" in err
    assert not (out / "report.json").exists()
    code, _, err = run("compare", spec, "--out", out)
    assert code == 0, err
    assert len(n_fits) == 4  # the test alone
    assert run("compare", spec, "--out", out, "--afresh")[0] == 0
    assert len(n_fits) == 7


@pytest.mark.usefixtures("plain_reports")
def test_a_failing_learner_is_a_row_and_the_code_is_1(run, spec, tmp_path, monkeypatch):
    def broken(*_, **__):
        raise ArithmeticError("no minimum")

    monkeypatch.setattr("structce.learners.svm.MulticlassSVM._fit", broken)
    code, printed, _ = run("compare", spec, "--out", tmp_path / "report")
    assert code == 1
    assert "ArithmeticError: no minimum" in printed
    assert (tmp_path / "report" / "report.html").exists()


def test_extractors_are_compared(run, question, tmp_path):
    out = tmp_path / "report"
    code, printed, err = run("compare", question, "--out", out, "--set", "seed=3")
    assert code == 0, err
    assert "link-quota-50 has the highest characters F1, 100.00 per cent." in printed
    report = report_of(out)
    assert (report["kind"], report["experiment"]["seed"]) == ("extractors", 3)
    assert list((out / "figures").iterdir())


@pytest.mark.usefixtures("plain_reports")
def test_a_failing_extractor_is_a_row(run, question, tmp_path):
    with question.open("a") as file:
        file.write("[method.none]\nmethod = 'proxy:127.0.0.1:9'\n")
    code, printed, _ = run("compare", question, "--out", tmp_path / "report", "--format", "json")
    assert code == 1
    failures = json.loads(printed)["failures"]
    assert [(failure["subject"], failure["n_units"]) for failure in failures] == [("none", 2)]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("spec", "--ablation"), 2, "--ablation does not apply to"),
        (("spec", "--by", "page"), 2, "use --set"),
        (("spec", "--set", "features.exclude=dom.tga"), 1, "did you mean 'dom.tag'?"),
        (("gottron2007", "--learners", "all"), 2, "does not apply to content extractors"),
        (("nothing-of-this-name",), 2, "or one of ablation"),
        (("small", "--learning-curve", "half"), 2, "expected 0.1,0.3"),
    ],
)
def test_mistakes_are_named(run, spec, small, tmp_path, arguments, code, message):
    paths = {"spec": spec, "small": small}
    given = [paths.get(argument, argument) for argument in arguments]
    status, _, err = run("compare", *given, "--out", tmp_path / "report")
    assert status == code
    assert message in " ".join(err.split())
    assert not (tmp_path / "report").exists()


def test_jobs_are_passed_on_and_extras_are_named(run, spec, tmp_path, monkeypatch):
    def refuse(*_, **settings):
        raise ExperimentError(f"{settings['n_jobs']} at once")

    with monkeypatch.context() as patch:
        patch.setattr("structce.experiments.run", refuse, raising=False)
        _, _, err = run("compare", spec, "--jobs", "2", "--out", tmp_path / "r")
        assert "2 at once" in err
    monkeypatch.setattr("structce.experiments.runner.EXTRA", ("no_such_module",))
    code, _, err = run("compare", spec, "--out", tmp_path / "report")
    assert code == 1
    assert "needs no-such-module: pip install" in err


@pytest.mark.parametrize("named", [[], ["--renderer", "static"]])
def test_the_usual_renderer_is_taken_unless_one_is_named(
    run, raw_corpus, tmp_path, monkeypatch, named
):
    def open_one(_, open_corpus, **_others):
        raise ExperimentError(f"by {open_corpus(str(raw_corpus), '').renderer}")

    monkeypatch.setattr("structce.experiments.run", open_one)
    _, _, err = run("compare", raw_corpus, *named, "--out", tmp_path / "report")
    assert "error: by static" in err
