"""All tables of a report in one text."""

import re
from dataclasses import replace

import pytest

from structce.experiments.report.files import report_text
from structce.experiments.report.tables.base import Table, to_latex
from structce.experiments.report.text import site_caveat, source_line, study_findings


def test_the_summary_holds_question_answer_sources_and_all_tables(report):
    text = report_text(report)
    assert text.startswith("Is <i>anything</i> better than 100% nothing & _more_?\n\nharbour")
    assert text.count("Table 2.") == 2
    assert text.count("Table 3.") == 6
    source = "harbour news: 48 pages of 9 sites, chromium renderer; one split by site, seed 7; 17 "
    assert source + "regions of unknown label are not counted\n" in text
    for start in (
        "every two learners", "95 per cent intervals", "confidence before and after", "fewer",
        "families of features", "what was chosen", "what failed", "On 24 test pages",
        "Macro F1 of every learner in every study", "differ in one thing", "Mean ranks over 3",
    ):  # fmt: skip
        assert start in text


def test_a_single_study_has_no_table_across(report):
    single = replace(report, studies=report.studies[:1], rankings=(), contrasts=())
    assert "in every study" not in report_text(single)
    assert "Across studies" not in report_text(single, "markdown")
    assert report_text(single).startswith(
        "Is <i>anything</i> better than 100% nothing & _more_?\n\nstruct"
    )


def test_a_report_without_any_score_can_be_read(report):
    study = report.studies[0]
    lost = replace(study, candidates=(), pairs=(), ablations=(), learning=(), worst=(), power=None)
    failed = replace(report, studies=(lost,), rankings=(), contrasts=(), costs=())
    assert "every learner failed" in report_text(failed)
    assert "ArithmeticError" in report_text(failed, "markdown")
    assert "ArithmeticError" in report_text(failed, "latex")


def test_markdown_holds_no_mark_up_of_others(report):
    text = report_text(report, "markdown")
    assert text.startswith("# Is &lt;i&gt;anything&lt;/i&gt; better than 100% nothing &amp; ")
    assert "<" not in text
    assert text.count("**Table 3.") == 6
    assert "## harbour news by page\n" in text
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
        assert len(widths) == 1


def test_latex_says_which_experiment_it_was_in_comments_alone(report):
    lines = report_text(report, "latex").splitlines()
    head = lines[: lines.index("")]
    assert all(line.startswith("% ") for line in head)
    assert head[0] == "% Question: Is <i>anything</i> better than 100% nothing & _more_?"
    assert f"% harbour news by site: corpus {report.studies[0].source.digest}" in head
    assert "% Seed: 7" in head


def test_latex_has_balanced_braces_floats_and_labels_of_its_own(report):
    text = report_text(report, "latex")
    body = "".join(line for line in text.splitlines(True) if not line.startswith("%"))
    bare = re.sub(r"\\[{}]", "", body)
    assert bare.count("{") == bare.count("}")
    assert body.count("\\begin{table}") == body.count("\\end{table}") > 15
    labels = re.findall(r"\\label\{(.*?)\}", body)
    assert len(set(labels)) == len(labels) == body.count("\\begin{table}")
    assert all(re.fullmatch(r"[A-Za-z0-9:-]+", label) for label in labels)
    assert not re.search(r"(?<!\\)[%#]", body)


@pytest.mark.parametrize(
    ("rule", "caveat"),
    [
        ("", ""),
        ("page", "a site of its own"),
        ("one", "nothing is known about other sites"),
        ("addresses", "Sites are those of addresses."),
    ],
)
def test_a_report_says_what_told_the_sites(report, rule, caveat):
    source = replace(report.studies[0].source, site_rule=rule)
    study = replace(report.studies[0], source=source)
    assert caveat in site_caveat(source)
    assert bool(caveat) == bool(site_caveat(source))
    assert (f"; sites by {rule}" in source_line(study, 7)) == bool(rule)


def test_a_best_value_that_several_rows_share_is_not_bold():
    rows = (("a", "0.00", "1.00"), ("b", "0.00", "2.00"), ("c", "-1.00", "0.50"))
    table = Table("t", ("Name", "F1", "Macro"), rows, highest=("F1", "Macro"))
    assert table.best == ("", "", "2.00")
    latex = to_latex(table, "t")
    assert latex.count(r"\textbf") == 1
    assert (
        r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{\begin{tabular}" in latex
    )
    assert latex.count("{") == latex.count("}")


def test_a_study_says_that_pages_are_invented_and_lack_layout(study):
    invented = replace(study, source=replace(study.source, is_invented=True), n_unknown_features=3)
    line = source_line(invented, 7)
    assert "invented pages" in line
    assert "3 features need layout and are unknown" in line
    assert "The pages are invented" in study_findings(invented)
    assert "invented" not in source_line(study, 7) + study_findings(study)
