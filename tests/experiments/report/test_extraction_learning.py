"""What reports of extraction experiments tell of methods that must see pages first."""

from dataclasses import replace

import pytest
from lxml import html

from structce.errors import ExtractionError
from structce.experiments.extraction.config import ExtractionExperiment, PackageSource
from structce.experiments.extraction.results import (
    ExtractionReport,
    LearntTokens,
    MeanDeviation,
    MeasureScores,
    MethodScores,
    PackageResult,
    PageClassPoint,
)
from structce.experiments.report.extraction import extraction_caveats, extraction_page
from structce.experiments.report.files import (
    read_report,
    report_text,
    write_report,
)
from structce.experiments.report.plots.extraction import learning_time_plot, page_class_plot
from structce.experiments.report.tables.extraction import extraction_tables
from structce.extraction import PAGE_CLASS_METHODS, TRAINABLE_METHODS, Method
from structce.registry import Registry

MEASURES = ("block", "all-present")


def scores(precision: float, recall: float, f1: float) -> MeasureScores:
    return MeasureScores(*(MeanDeviation(value, 0.1) for value in (precision, recall, f1)))


def method_of(name: str, f1: float) -> MethodScores:
    both = {"block": scores(f1 - 0.1, f1 + 0.1, f1), "all-present": scores(0.2, 0.7, 0.15)}
    return MethodScores(name, 40, 0, MeanDeviation(0.001, None), 7.0, both)


def point_of(method: str, n: int, f1: float, n_unseen: int = 30) -> PageClassPoint:
    unseen = {"block": scores(f1, f1, f1 - 0.2)} if n_unseen else {}
    seen = {"block": scores(f1 - 0.05, f1 + 0.05, f1)}
    name = f"{method}, {n} pages"
    times = (100.0 / n, 7.5)
    return PageClassPoint("news", method, name, n, 3, 3 * n, n_unseen, seen, unseen, *times)


@pytest.fixture
def report(monkeypatch) -> ExtractionReport:
    classes = Registry("extractor", ExtractionError, PAGE_CLASS_METHODS)
    trainable = Registry("extractor", ExtractionError, TRAINABLE_METHODS)
    classes["repetition"], trainable["vocabulary"] = object, object
    monkeypatch.setattr("structce.extraction.measurement.PAGE_CLASS_METHODS", classes)
    monkeypatch.setattr("structce.extraction.measurement.TRAINABLE_METHODS", trainable)
    experiment = ExtractionExperiment(
        question="Which method?",
        packages=(PackageSource("news", "gottron", by=("site",)),),
        methods=(Method("repetition", "repetition"), Method("vocabulary", "vocabulary")),
        measures=MEASURES,
        class_pages=(5, 10),
        folds_by=("site", "random"),
    )
    values = dict(
        zip((setting.name for setting in experiment.settings), (0.6, 0.7, 0.5, 0.8), strict=True)
    )
    package = PackageResult(
        "news",
        "news",
        "0" * 16,
        40,
        3,
        2_400_000,
        0,
        0.31,
        0.6,
        tuple(method_of(name, f1) for name, f1 in values.items()),
        (),
    )
    points = (point_of("repetition", 10, 0.7, 0), point_of("repetition", 5, 0.6))
    tokens = (LearntTokens("news", "vocabulary, folds by site", 5, {"menu": 5, "n<a>v": 2}),)
    return ExtractionReport(experiment, "", {}, (package,), page_classes=points, tokens=tokens)


def test_precision_and_recall_stand_beside_each_other(report):
    table = extraction_tables(report)["precision"]
    assert table.headers[2:4] == ("repetition, 5 pages", "repetition, 10 pages")
    assert table.rows == (
        ("news", "40", "50.0 / 70.0", "60.0 / 80.0", "40.0 / 60.0", "70.0 / 90.0"),
    )


def test_of_many_methods_there_is_no_table_of_precision_and_recall(report):
    (package,) = report.packages
    many = replace(package, methods=tuple(method_of(f"m{i}", 0.5) for i in range(15)))
    assert "precision" not in extraction_tables(replace(report, packages=(many,)))


def test_all_text_of_the_gold_is_present_by_recall(report):
    table = extraction_tables(report)["presence"]
    assert table.headers[2:] == ("Pages with all of it", "Pages with nothing else")
    assert table.rows[0] == ("news", "repetition, 5 pages", "70.0", "20.0")
    without = replace(report, experiment=replace(report.experiment, measures=("block",)))
    assert "presence" not in extraction_tables(without)


def test_pages_that_were_learnt_from_stand_beside_others(report):
    table = extraction_tables(report)["page-classes"]
    many, few = (dict(zip(table.headers, row, strict=True)) for row in table.rows)
    assert (few["Pages"], few["F1, seen"], few["F1, others"]) == ("5", "60.0", "40.0")
    assert (many["F1, seen"], many["F1, others"], many["Others"]) == ("70.0", "–", "0")
    assert (few["ms to learn"], few["ms to extract"]) == ("20", "7.5")


def test_random_folds_stand_before_folds_by_site_with_what_they_flatter(report):
    table = extraction_tables(report)["folds"]
    assert table.rows == (
        ("vocabulary", "block", "80.0, 50.0 (+30.0)"),
        ("vocabulary", "all-present", "15.0, 15.0 (+0.0)"),
    )
    one_way = replace(report.experiment, folds_by=("site",))
    assert "folds" not in extraction_tables(replace(report, experiment=one_way))


def test_tokens_are_told_with_the_folds_that_chose_them(report):
    assert extraction_tables(report)["tokens"].rows == (
        ("news", "vocabulary, folds by site", "menu 5/5, n<a>v 2/5"),
    )


def test_plots_tell_their_numbers_in_words(report):
    plot = page_class_plot("news", report.page_classes, "block")
    assert "repetition: pages seen 60.0 after 5, 70.0 after 10; other pages 40.0 after 5" in (
        plot.description
    )
    time = learning_time_plot("news", report.page_classes)
    assert "repetition: 20 with 5 pages, 10 with 10 pages" in time.description


def test_one_number_of_pages_is_no_curve(report):
    alone = report.page_classes[:1]
    assert page_class_plot("news", alone, "block") is None
    assert learning_time_plot("news", alone) is None
    unknown = [replace(point, learning_milliseconds=None) for point in report.page_classes]
    assert learning_time_plot("news", unknown) is None


def test_points_of_few_of_the_classes_are_not_drawn(report):
    few = replace(report.page_classes[0], n_pages=20, n_classes=1)
    plot = page_class_plot("news", (*report.page_classes, few), "block")
    assert "after 10;" in plot.description
    assert "after 20" not in plot.description


def test_numbers_of_pages_are_the_ticks(report):
    plot = page_class_plot("news", report.page_classes, "block")
    texts = html.fromstring(plot.svg).xpath("//text()")
    assert {"5", "10"} <= {text.strip() for text in texts}


def test_the_page_has_tables_and_plots_of_what_was_learnt(report):
    page = extraction_page(report).html
    tree = html.document_fromstring(page)
    captions = [caption.text_content() for caption in tree.iter("figcaption")]
    assert "F1 of block by pages of a class, news" in captions
    assert "Time to learn from a page, news" in captions
    assert "<a>v" not in page
    ids = [element.get("id") for element in tree.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert "learning" in ids
    assert "class_pages = [" in page
    for form in ("table", "markdown", "latex"):
        for words in ("Pages of a class to learn from", "Tokens of id and class"):
            assert words in report_text(report, form)
    said = " ".join(extraction_caveats(report))
    assert "also measured on pages that they learnt from" in said
    assert "5 models of each source" in said


def test_a_report_without_learning_has_no_section_on_it(report):
    plain = replace(report.experiment, methods=(Method("bte", "bte"),), reference="")
    page = extraction_page(replace(report, experiment=plain, page_classes=(), tokens=())).html
    assert 'id="learning"' not in page


def test_a_written_report_can_be_read_as_what_it_was(report, tmp_path):
    write_report(report, tmp_path, {})
    assert read_report(tmp_path) == report
