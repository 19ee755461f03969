"""What reports tell of an ablation: as JSON, as tables, and as bars on the page."""

import json
from dataclasses import replace

from lxml import html

from structce.experiments import (
    Grid,
    ablation_table,
    run,
    summary,
    to_json,
)
from structce.experiments.bars import bars
from structce.experiments.html import render_html
from structce.files import to_json as json_bytes
from structce.learners import MulticlassSVM

PARTS = ["without text", "without dom", "only text", "only dom"]
SVM = {"lambda_": (10.0, 1.0), "max_epochs": (5,), "tol": (0.5,)}


def test_json_holds_every_part_and_is_the_same_each_time(ablated, corpus, learners):
    chosen = replace(ablated, learners=(Grid("svm", SVM), Grid("centroids", {})))
    known = {**learners, "svm": MulticlassSVM}
    reports = []
    for _ in range(2):
        found = to_json(run(chosen, corpus, learners=known, progress=False))
        times = found.pop("times")
        assert set(times["ablation"]["svm"]) == set(PARTS)
        reports.append(json_bytes(found))
    assert reports[0] == reports[1]
    report = json.loads(reports[0])
    assert report["experiment"]["ablation"] == ["text", "dom"]
    first = report["ablation"]["svm"][0]
    assert (first["features"], first["family"]) == ("without", "text")
    assert set(first) == {"features", "family", "n_columns", *report["learners"]["svm"]}
    assert first["comparison"]["reference"] == "full set"
    assert first["calibration"] is None
    (trial,) = first["trials"]
    (full,) = report["learners"]["svm"]["trials"]
    assert trial["parameters"] == full["parameters"]
    assert (trial["points"], trial["temperature"]) == ([], None)


def test_the_table_has_a_row_for_all_and_for_each_part(result):
    full = result.succeeded[0]
    table = ablation_table(result, full)
    assert [row[0] for row in table.rows] == ["all", *PARTS]
    first, *others = table.rows
    assert first[1:3] == (f"{100 * full.scores.macro_f1:.2f}", "–")
    assert first[-2:] == ("–", f"{result.splits[0].n_columns}")
    for row, one in zip(others, result.ablations["centroids"], strict=True):
        scores = one.row.scores
        change = 100 * (scores.macro_f1 - full.scores.macro_f1)
        assert row[-1] == str(one.n_columns[0])
        assert row[1:4] == (
            f"{100 * scores.macro_f1:.2f}",
            f"{change:+.2f}",
            f"{100 * scores.macro_f1_foreground:.2f}",
        )
        assert (row[5] == "*") == (one.row.comparison.p <= 0.05)
    assert table.notes == ()
    assert summary(result).count("Families of features:") == 2
    assert summary(result).count("nothing was tuned again") == 1


def test_the_table_names_families_without_columns_and_unfinished_solvers(
    experiment, corpus, learners
):
    class Unfinished(learners["centroids"]):
        tol = 0.0001

    chosen = replace(
        experiment,
        # Without a browser nothing is known of colours: the family has no column.
        families=("text",),
        include=("style.top",),
        ablation=("style",),
        learners=(Grid("a", {}),),
    )
    found = run(chosen, corpus, learners={"a": Unfinished}, progress=False)
    table = ablation_table(found, found.succeeded[0])
    assert table.rows[-1][-1] == "1"
    assert table.notes[0] == "The family style gave no column on these pages."
    said = "stopped at a gap of 0.001, above the tolerance 0.0001"
    assert table.notes[1:] == (f"Warned: without style: {said}; only style: {said}.",)


def test_bars_stand_where_their_numbers_are(result):
    full = result.succeeded[1]
    drawn = bars(full, result.ablations["background"])
    # Macro F1 is 12.5 per cent whatever the features are; 100 per cent are 216 long, from 96 on.
    assert {bar.width for bar in drawn.bars} == {27.0}
    assert drawn.full == 96 + 27
    names = ["all", "without text", "only text", "without dom", "only dom"]
    assert [bar.name for bar in drawn.bars] == names
    assert [bar.y for bar in drawn.bars] == [4, 31, 49, 76, 94]
    assert drawn.names == (("text", 31), ("dom", 76))
    assert drawn.ticks[0] == (96, 0)
    assert drawn.ticks[-1] == (312, 100)
    assert drawn.height > 94 + 15
    assert drawn.description == (
        "Macro F1 in per cent: all 12.50, without text 12.50, only text 12.50, "
        "without dom 12.50, only dom 12.50."
    )


def test_the_page_draws_bars_that_can_be_read_without_seeing_them(result):
    tree = html.document_fromstring(render_html(result, {}, ""))
    figures = tree.xpath("//h2[@id='families']/following-sibling::div[@class='plots'][1]/figure")
    assert [figure.xpath("string(figcaption)") for figure in figures] == [
        "centroids",
        "background",
    ]
    for figure in figures:
        (svg,) = figure.xpath("svg")
        title, text = (tree.get_element_by_id(one) for one in svg.get("aria-labelledby").split())
        assert "by family of features" in title.text_content()
        assert text.text_content().startswith("Macro F1 in per cent: all ")
        kinds = svg.xpath("rect/@class")
        assert kinds == ["plain", "filled", "hollow", "filled", "hollow"]
        assert "macro F1 in per cent" in svg.text_content()
    captions = [node.text_content() for node in tree.xpath("//caption")]
    assert sum(caption.startswith("Families of features:") for caption in captions) == 2
    ids = tree.xpath("//@id")
    assert len(set(ids)) == len(ids)


def test_the_page_has_no_colour_that_the_dark_does_not_change(result):
    page = render_html(result, {}, "")
    assert "prefers-color-scheme: dark" in page
    tree = html.document_fromstring(page)
    for name in ("fill", "stroke"):
        assert not tree.xpath(f"//svg//@{name}")


def test_the_page_names_the_features_that_were_chosen(experiment, corpus, learners):
    def said(**changes):
        chosen = replace(experiment, learners=experiment.learners[1:2], **changes)
        page = render_html(run(chosen, corpus, learners=learners, progress=False), {}, "")
        return " ".join(html.document_fromstring(page).text_content().split())

    assert "Features of the families text, dom; columns set in fewer" in said()
    text = said(families=("dom",), include=("text.length",), exclude=("dom.tag",))
    assert "Features of the families dom, besides text.length, without dom.tag; columns" in text
    assert "Features text.length, dom.tag; columns" in said(
        families=(), include=("text.length", "dom.tag")
    )
