"""Reports: the file, tables, plots, the page, the answer, and differences."""

import json
import re
from dataclasses import replace

import pytest
from lxml import html as lxml_html

from structce.errors import ExperimentError
from structce.experiments.diff import diff_reports, difference_text
from structce.experiments.frames import percent, table, to_html, to_latex, to_markdown, to_text
from structce.experiments.page import answer, report_page, report_text
from structce.experiments.plots import report_plots
from structce.experiments.report import TABLES, make_report, read_report, to_json, write_report
from structce.experiments.tables import report_tables

HOSTILE = "<script>alert('x')</script> | _a_ & {b} $c$ # %"


@pytest.fixture(scope="module")
def plots(rich_report):
    return report_plots(rich_report)


def from_values(values):
    about = [values[name] for name in ("kind", "experiment", "command", "versions")]
    return make_report(*about, {name: values[name] for name in TABLES})


def test_a_report_is_read_as_it_was_written(rich_report, tmp_path):
    write_report(rich_report, tmp_path, {"a/b.txt": b"c"})
    for path in (tmp_path, tmp_path / "report.json"):
        assert to_json(read_report(path)) == to_json(rich_report)
    assert (tmp_path / "a" / "b.txt").read_bytes() == b"c"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda values: values.update(version=3), "of version 3; this structce reads version 6"),
        (lambda values: values.update(format="other"), "not a report"),
        (lambda values: values.pop("studies"), "damaged: 'studies'"),
        (lambda values: values["scores"][0].update(more=1), "damaged: scores: unknown column"),
    ],
)
def test_a_damaged_report_is_refused(rich_report, tmp_path, change, message):
    values = json.loads(to_json(rich_report))
    change(values)
    path = tmp_path / "report.json"
    path.write_text(json.dumps(values), encoding="utf-8")
    with pytest.raises(ExperimentError, match=message):
        read_report(path)


@pytest.mark.parametrize("content", [b"", b"[1]", b"{", b"[" * 100_000])
def test_a_file_that_is_no_report_is_refused(tmp_path, content):
    path = tmp_path / "report.json"
    with pytest.raises(ExperimentError, match=re.escape(str(path))):
        read_report(path)  # missing
    path.write_bytes(content)
    with pytest.raises(ExperimentError, match=re.escape(str(path))):
        read_report(path)


def test_a_table_marks_its_best_numbers():
    rows = [{"Name": "a", "F1": 0.5}, {"Name": "b", "F1": 0.7}]
    made = table("Title", rows, highest=["F1"])
    assert made.attrs["best"] == {"F1": 1}
    equal = table("Title", [{"Name": "a", "F1": 0.7}, *rows[1:]], highest=["F1"])
    assert equal.attrs["best"] == {}
    assert table("Title", rows[:1], highest=["F1"]).attrs["best"] == {}
    assert len(table("Title", [])) == 0


def test_a_table_has_four_forms():
    row = {"Name": "a|b_<i>", "F1": 0.5, "": "*"}
    made = table("Of <a>", [row], highest=["F1"], notes=["N & M"])
    assert to_text(made).splitlines()[0] == "Of <a>"
    assert to_text(made).splitlines()[-1] == "N & M"
    assert r"| a\|b\_\<i\> |" in " ".join(to_markdown(made).split())
    latex = to_latex(made, "x y")
    assert all(part in latex for part in (r"\label{tab:x-y}", r"a|b\_", r"\toprule", r"N \& M"))
    cells = lxml_html.fromstring(to_html(made, "t1")).xpath("//td/text()")
    assert [cell.strip() for cell in cells] == ["a|b_<i>", "50.00", "*"]


def test_tables_show_the_scores_of_a_report(rich_report):
    tables = report_tables(rich_report)
    learners = tables["learners compass by site"]
    best = rich_report.value("compass by site", "multiclass-svm")
    assert learners.loc["multiclass-svm", "Macro F1"] == percent(best)
    labels = tables["labels of background compass by site"]
    assert labels.loc["Title", "Precision"] == "0.00†"
    assert labels.loc["Date", "F1"] == "–"
    parts = tables["parts compass by site"]
    names = ["all", "without text", "without dom", "only text", "only dom", "share 0.5"]
    assert list(parts.index.get_level_values(1)) == names * 2
    assert {"studies", "pairs compass by page", "tuning compass by site"} <= set(tables)
    assert "failures" not in tables


def test_plots_are_one_svg_in_the_colour_of_the_text(rich_report, plots):
    kinds = {name.removesuffix(" compass by site") for name in plots}
    wanted = {"intervals", "labels", "learning", "features"}
    assert {*wanted, "reliability of multiclass-svm"} <= kinds
    for plot in plots.values():
        assert plot.svg.startswith("<svg")
        assert "currentColor" in plot.svg
        assert plot.pdf.startswith(b"%PDF")


def test_the_page_has_every_table_and_plot_and_no_script(rich_report, plots):
    page = report_page(rich_report, plots)
    tree = lxml_html.fromstring(page)
    assert len(tree.xpath("//figure[figcaption]//svg | //figure/svg")) >= len(plots)
    titles = [made.attrs["title"] for made in report_tables(rich_report).values()]
    captions = tree.xpath("//p[@class='caption']/text() | //summary/text()")
    assert set(titles) <= set(captions)
    assert not tree.xpath("//script | //link | //img")
    anchors = {link[1:] for link in tree.xpath("//nav//a/@href")}
    assert anchors <= set(tree.xpath("//@id"))
    assert page == report_page(rich_report, plots)


def test_hostile_names_are_escaped_everywhere(rich_report, plots):
    text = to_json(rich_report).decode().replace("multiclass-svm", json.dumps(HOSTILE)[1:-1])
    values = json.loads(text)
    values["experiment"]["question"] = HOSTILE
    values["failures"] = [{"subject": HOSTILE, "error": HOSTILE}]
    report = from_values(values)
    plot = report_plots(replace(report, tables=report.tables))["intervals compass by site"]
    page = report_page(report, {"intervals compass by site": plot})
    assert "<script" not in page
    for form in ("markdown", "latex"):
        assert report_text(report, form)
    assert "<script" not in report_text(report, "markdown").replace("\\<script", "")


def test_the_answer_names_the_best_and_its_lead(report):
    (paragraph,) = answer(report)
    interval = "95 per cent interval 100.00 to 100.00"
    assert paragraph.startswith(f"centroids has the highest macro F1, 100.00 per cent ({interval})")
    assert "Its lead of 87.50 points over background is " in paragraph
    assert "For centroids lambda = 1.0 was chosen, the largest of its grid" in paragraph


def test_pages_of_extractors_show_every_source(extraction, run_quietly):
    report = run_quietly(extraction)
    first, second = answer(report)
    best = max(report.subjects, key=lambda name: report.value("alpha", name))
    assert first.startswith(f"alpha: {best} has the highest characters F1, 100.00 per cent.")
    assert second.startswith("beta: ")
    plots = report_plots(report)
    assert {"f1 alpha", "precision beta", "time alpha"} <= set(plots)
    tree = lxml_html.fromstring(report_page(report, plots))
    assert tree.xpath("//h2/text()")[1:4] == ["All sources together", "alpha", "beta"]


def test_a_report_does_not_differ_from_itself(rich_report):
    difference = diff_reports(rich_report, rich_report)
    assert difference_text(difference) == "The two reports say the same, except for times."
    assert difference["losses"] == []
    assert {subject["verdict"] for subject in difference["subjects"]} == {"no difference shown"}


def test_changed_settings_and_lost_subjects_are_listed(rich_report):
    values = json.loads(to_json(rich_report))
    kept = [row for row in values["scores"] if row["subject"] == "background"]
    failure = {"subject": "multiclass-svm", "study": "compass by site", "error": "it broke"}
    values["experiment"]["seed"] = 8
    values |= {"scores": kept, "failures": [failure], "versions": {"numpy": "1"}}
    difference = diff_reports(rich_report, from_values(values))
    assert {"name": "seed", "before": "7", "after": "8"} in difference["changes"]
    losses = [f"compass by {way}: multiclass-svm" for way in ("site", "page")]
    assert difference["losses"] == losses
    text = difference_text(difference)
    assert "Failed after: multiclass-svm: it broke" in text
    assert "versions.numpy" in text
