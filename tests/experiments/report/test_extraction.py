"""Reports of extraction experiments: what they say, show and write."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from lxml import html

from structce.errors import ExperimentError
from structce.evaluation import Overlap
from structce.experiments.extraction.config import ExtractionExperiment, PackageSource
from structce.experiments.extraction.results import (
    ExtractionReport,
    MeanDeviation,
    MeasureScores,
    MethodFailure,
    MethodPair,
    MethodScores,
    PackageResult,
)
from structce.experiments.extraction.statistics import rank_methods
from structce.experiments.report.extraction import (
    extraction_caveats,
    extraction_findings,
    extraction_page,
)
from structce.experiments.report.files import (
    read_learner_report,
    read_report,
    report_files,
    report_text,
    to_json,
    write_report,
)
from structce.experiments.report.plots.extraction import (
    f1_plot,
    parts_plot,
    precision_recall_plot,
    time_plot,
)
from structce.experiments.report.tables.extraction import (
    extraction_tables,
    f1_table,
    overall_table,
    package_table,
    pair_table,
)
from structce.extraction import Method

MEASURES = ("characters", "sequence", "bag", "set")
F1 = {"plain": 0.60, "bte": 0.80, "d<s>c": 0.90}
SECONDS = {"plain": 0.0001, "bte": 0.0002, "d<s>c": 0.0003}


def scores_of(name: str, value: float, deviation: float | None = 0.12) -> MethodScores:
    scores = MeasureScores(*(MeanDeviation(value + i / 100, deviation) for i in (-1, 1, 0)))
    time = MeanDeviation(SECONDS[name], None)
    return MethodScores(name, 40, 0, time, 7.25, dict.fromkeys(MEASURES, scores))


def package_of(name: str, source: str, shift: float = 0.0) -> PackageResult:
    pairs = (
        MethodPair(-0.3, (-0.4, -0.2), 0.001, 0.002, -0.9, 40, 40, "plain", "d<s>c"),
        MethodPair(-0.1, (-0.3, 0.1), 0.04, 0.08, -0.2, 40, 22, "bte", "d<s>c"),
    )
    methods = tuple(scores_of(method, value - shift) for method, value in F1.items())
    facts = ("0" * 16, 40, 1, 2_400_000, 0, 0.31, 0.6)
    return PackageResult(name, source, *facts, methods, pairs)


@pytest.fixture(scope="module")
def report() -> ExtractionReport:
    experiment = ExtractionExperiment(
        question="Which method, a & b?",
        packages=(PackageSource("news", "gottron"), PackageSource("wiki", "gottron", by=("site",))),
        methods=tuple(Method(name, "plain") for name in F1),
        reference="d<s>c",
        pages=40,
    )
    packages = (
        package_of("news", "news"),
        package_of("wiki", "wiki", 0.2),
        package_of("wiki de", "wiki", 0.1),
        package_of("wiki en", "wiki", 0.3),
    )
    return ExtractionReport(
        experiment,
        "structce compare question.toml",
        {"structce": "0"},
        packages,
        (MethodFailure("goose", "", 0, "not <here>"), MethodFailure("bte", "news", 3, "hangs")),
        ranking=rank_methods(packages[:2], "characters"),
        part_rankings={"wiki": rank_methods(packages[2:], "characters")},
    )


@pytest.fixture(scope="module")
def page(report) -> str:
    return extraction_page(report).html


def test_the_findings_name_the_best_the_reference_and_the_fastest(report):
    best, reference, speed = (finding.text for finding in extraction_findings(report))
    assert best.startswith("d<s>c has the best mean rank over 2 sources by F1 of characters, 1.00")
    assert reference.endswith(": ahead of plain (+30.0); neither with bte (+10.0).")
    assert speed.startswith("plain is the fastest, 0.1 ms per kB, and d<s>c the slowest, 0.3 ms")


def test_of_many_methods_the_furthest_are_named(report):
    pairs = tuple(
        MethodPair(-number / 100, (-0.4, -0.2), 0.001, 0.002, -0.9, 40, 40, f"m{number}", "d<s>c")
        for number in range(1, 10)
    )
    methods = tuple(replace(report.packages[0].methods[0], name=pair.method) for pair in pairs)
    (news, *_) = report.packages
    few = replace(report, packages=(replace(news, pairs=pairs[:8], methods=methods[:8]),))
    many = replace(report, packages=(replace(news, pairs=pairs, methods=methods),))
    assert "ahead of m1 (+1.0), m2 (+2.0)," in " ".join(
        finding.text for finding in extraction_findings(few)
    )
    expected = "ahead of 9 methods, among them m9 (+9.0), m8 (+8.0), m7 (+7.0)."
    assert expected in " ".join(finding.text for finding in extraction_findings(many))


def test_of_a_single_source_the_best_is_named(report):
    alone = replace(report, packages=report.packages[:1], ranking=None)
    assert extraction_findings(alone)[0].text == (
        "d<s>c has the highest F1 of characters on news, 90.0 per cent."
    )


def test_each_source_counts_once_in_the_table_over_all(report):
    table = overall_table(report)
    assert [row[0] for row in table.rows] == ["d<s>c", "bte", "plain"]
    row = dict(zip(table.headers, table.rows[0], strict=True))
    assert row["F1 bag"] == "80.0"  # the mean of 90 and 70, whatever the parts have
    assert (row["Precision characters"], row["Recall characters"]) == ("79.0", "81.0")
    assert row["ms per kB"] == "0.3"


def test_differences_have_the_marks_of_their_tests(report):
    assert pair_table(report).rows == (("plain", "-30.0‡", "-30.0‡"), ("bte", "-10.0*", "-10.0*"))


def test_every_package_is_a_row_of_the_table_of_f1(report):
    table = f1_table(report)
    assert [row[0] for row in table.rows] == ["news", "wiki", "wiki de", "wiki en"]
    assert table.rows[1] == ("wiki", "40", "31", "60", "40.0", "60.0", "70.0")


def test_text_nodes_of_both_classes_are_a_row_of_each_method(report):
    assert "leaves" not in extraction_tables(report)
    leaves = {"leaf": Overlap(0.5, 1.0), "leaf-boilerplate": Overlap(0.25, 0.75)}
    news = report.packages[0]
    scores = (replace(news.methods[1], leaves=leaves), news.methods[0])
    pooled = replace(report, packages=(replace(news, methods=scores),), ranking=None)
    table = extraction_tables(pooled)["leaves"]
    assert table.headers[2:4] == ("Precision boilerplate", "Recall boilerplate")
    assert table.rows == (("news", "bte", "25.0", "75.0", "37.5", "50.0", "100.0", "66.7"),)
    assert "Text nodes of all pages together" in extraction_page(pooled).html


def test_a_value_that_is_not_known_is_a_dash(report):
    bare = replace(scores_of("bte", 0.8, None), seconds_per_kb=None, median_milliseconds=None)
    table = package_table(replace(report.packages[0], methods=(bare,)), MEASURES)
    row = dict(zip(table.headers, table.rows[0], strict=True))
    names = ("Deviation of F1 characters", "ms per kB", "Median ms per page")
    assert [row[name] for name in names] == ["–"] * 3


def test_tables_without_rows_are_left_out(report):
    assert "failures" in extraction_tables(report)
    whole = replace(report, failures=(), packages=(replace(report.packages[0], pairs=()),))
    assert not {"failures", "pairs"} & extraction_tables(whole).keys()


def test_texts_hold_the_question_and_the_tables(report):
    for text in (
        report_text(report),
        report_text(report, "markdown"),
        report_text(report, "latex"),
    ):
        assert "F1 of characters on every package" in text
    assert "d&lt;s&gt;c" in report_text(report, "markdown")
    assert r"a \& b" not in report_text(report)


def test_the_page_is_well_formed_escaped_and_has_the_three_figures_of_each_source(page):
    tree = html.document_fromstring(page)
    titles = [caption.text_content() for caption in tree.iter("figcaption")]
    for name in ("news", "wiki", "wiki de", "wiki en"):
        assert f"F1, {name}" in titles
        assert f"Precision and recall of characters, {name}" in titles
        assert f"Deviation of F1 and time, {name}" in titles
    assert "<s>" not in page
    assert "not <here>" not in page
    ids = [element.get("id") for element in tree.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    targets = {
        link.get("href")[1:] for link in tree.iter("a") if link.get("href", "").startswith("#")
    }
    assert targets <= set(ids)
    assert "min_pages = 1" in page


def test_many_parts_share_one_figure(report, page):
    parts = [package_of(f"wiki {number}", "wiki") for number in range(9)]
    many = replace(report, packages=(report.packages[1], *parts), ranking=None, part_rankings={})
    titles = re.findall(r"<figcaption>(.*?)</figcaption>", extraction_page(many).html)
    assert "F1, wiki" in titles
    assert not [title for title in titles if title.startswith("F1, wiki ")]
    assert "F1 of characters on the 9 packages of wiki" in titles
    assert "packages of wiki" not in page  # which has two parts


def test_ranks_of_many_methods_are_not_drawn(report, page):
    assert "Mean ranks by" in page
    ranks = {f"method {number}": float(number) for number in range(1, 16)}
    many = replace(
        report, ranking=replace(report.ranking, ranks=ranks), packages=report.packages[:1]
    )
    assert "Mean ranks by" not in extraction_page(many).html


def test_the_test_of_the_ranks_is_told_where_there_is_one(report):
    assert "Friedman" not in " ".join(overall_table(report).notes)
    tested = replace(report.ranking, p_friedman=0.0004, critical_difference=1.5)
    (*_, note) = overall_table(replace(report, ranking=tested)).notes
    assert note.startswith("Friedman's test of the ranks: p < 0.001.")
    assert "1.50 apart" in note


def test_plots_tell_their_numbers_in_words(report):
    package = report.packages[0]
    assert "bte: characters 80.0, sequence 80.0" in f1_plot(package, MEASURES).description
    words = precision_recall_plot(package, "bag").description
    assert "bte: precision 79.0, recall 81.0" in words
    words = time_plot(package, "bag").description
    assert "bte: deviation 12.0, 0.2 ms per kB" in words


def test_no_text_of_a_plot_of_extractors_is_cut(report, texts_outside):
    long = "vote(dsc, accb, crunch, cetd, link-quota-50)"
    package = report.packages[0]
    spread = [
        replace(method, name=name, seconds_per_kb=MeanDeviation(seconds, None))
        for method, name, seconds in zip(
            package.methods, (long, "bte", "dsc"), (2e-5, 1, 4e-3), strict=True
        )
    ]
    package = replace(package, methods=tuple(spread))
    measure = max(MEASURES, key=len)
    plots = (
        f1_plot(package, MEASURES),
        precision_recall_plot(package, measure),
        time_plot(package, measure),
        parts_plot("wiki", [package, package], measure),
    )
    assert [texts_outside(plot) for plot in plots] == [[], [], [], []]


def test_the_figure_of_parts_tells_median_lowest_and_highest(report):
    parts = [package_of(f"wiki {number}", "wiki", number / 10) for number in range(3)]
    plot = parts_plot("wiki", parts, "characters")
    assert "bte: median 70.0, from 60.0 (wiki 2) to 80.0 (wiki 0)" in plot.description
    single = [package_of("wiki", "wiki")]
    single[0] = replace(single[0], methods=(scores_of("bte", 0.8, None),))
    assert parts_plot("wiki", single, "characters") is not None
    assert parts_plot("wiki", [], "characters") is None


def test_rows_with_long_names_are_higher_than_others(report):
    long = "vote(dsc, accb, crunch, cetd, link-quota-50)"
    (news, *_) = report.packages
    heights = [
        f1_plot(replace(news, methods=methods), MEASURES).figure.get_figheight()
        for methods in (
            news.methods,
            (replace(news.methods[0], name=long), *news.methods[1:]),
            tuple(replace(method, name=f"{long} {method.name}") for method in news.methods),
        )
    ]
    assert heights == sorted(heights)
    assert heights[1] - heights[0] < (heights[2] - heights[0]) / 2


def test_numbers_of_an_axis_of_times_stand_apart(report):
    methods = [
        replace(method, seconds_per_kb=MeanDeviation(seconds, None))
        for method, seconds in zip(report.packages[0].methods, (2e-5, 1, 4e-3), strict=True)
    ]
    figure = time_plot(replace(report.packages[0], methods=tuple(methods)), "bag").figure
    figure.set_figwidth(4.8)
    figure.draw_without_rendering()
    boxes = [label.get_window_extent() for label in figure.axes[1].get_xticklabels()]
    assert len(boxes) > 1
    assert all(left.x1 < right.x0 for left, right in pairwise(boxes))


def test_without_methods_or_times_nothing_is_drawn(report):
    bare = replace(report.packages[0], methods=())
    assert f1_plot(bare, MEASURES) is None
    assert precision_recall_plot(bare, "bag") is None
    unknown = replace(scores_of("bte", 0.8), seconds_per_kb=None)
    assert time_plot(replace(bare, methods=(unknown,)), "bag") is None


def test_caveats_tell_of_drawn_and_lost_pages(report):
    lost = replace(report.packages[0], n_lost=4)
    said = " ".join(extraction_caveats(replace(report, packages=(lost,))))
    assert "At most 40 pages of each package were drawn" in said
    assert "news: 4 pages could not be read" in said


def test_a_model_that_was_trained_on_a_source_is_said_to_flatter(report):
    trained = replace(report, trained_on={"bte": ("news", "wiki")})
    said = "The model of bte was trained on pages of news, wiki: its figures there"
    assert extraction_findings(trained)[-1].text.startswith(said)
    assert said in report_text(trained)
    assert said in report_text(trained, "markdown")


def test_a_written_report_can_be_read_as_what_it_was(report, tmp_path):
    single = replace(report, packages=report.packages[:1], ranking=None, part_rankings={})
    write_report(report, tmp_path, report_files(single, tables={"results.tsv": "row\tpackage\n"}))
    assert read_report(tmp_path) == report
    assert (tmp_path / "results.tsv").read_text() == "row\tpackage\n"
    names = {"report.html", "report.json", "tables.md", "tables.tex", "results.tsv", "figures"}
    assert {path.name for path in tmp_path.iterdir()} == names
    with pytest.raises(ExperimentError, match="a report on extractors; expected one on learners"):
        read_learner_report(tmp_path)


def test_a_report_on_extractors_has_a_version_of_its_own(report, tmp_path):
    path = tmp_path / "report.json"
    path.write_bytes(to_json(replace(report, version=2)))
    with pytest.raises(ExperimentError, match="version 2; this structce reads version 1"):
        read_report(path)
