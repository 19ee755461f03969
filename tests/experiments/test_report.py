import json
import re
from dataclasses import replace

import pytest
from lxml import html

from structce.experiments import (
    label_table,
    learner_table,
    run,
    summary,
    to_json,
    write_report,
)
from structce.experiments.html import chart, render_html
from structce.files import to_json as json_bytes


@pytest.fixture
def result(experiment, corpus, learners):
    return run(experiment, corpus, learners=learners, progress=False)


@pytest.fixture
def page(result):
    return render_html(result, {"structce": "0.1.0"}, "structce compare x --seed 7 > <out>")


def test_table_2_has_one_row_a_learner_in_per_cent(result):
    table = learner_table(result)
    centroids, background, raising = table.rows
    assert centroids[0] == "centroids"
    # Two of six regions are None: accuracy 1/3, F1 of None 1/2, three other labels 0.
    assert background == ("background", "33.33", "12.50", "33.33", "*", "0.00", "0.00")
    assert raising == ("raising", "–", "–", "–", "", "–", "–")
    assert "raising failed: ArithmeticError: <b>no</b> minimum" in table.notes


def test_a_learner_is_starred_only_if_it_differs(result, experiment, corpus, learners):
    known = {"centroids": learners["centroids"], "again": learners["centroids"]}
    chosen = replace(
        experiment, learners=tuple(replace(experiment.learners[0], learner=name) for name in known)
    )
    same = run(chosen, corpus, learners=known, progress=False)
    assert [row[4] for row in learner_table(same).rows] == ["", ""]
    assert learner_table(result).rows[0][4] == ""


def test_table_3_has_one_row_a_label_and_the_averages(result):
    table = label_table(result, result.succeeded[1])
    rows = {row[0]: row[1:] for row in table.rows}
    n = len(result.splits[0].test.pages)
    assert rows["Title"] == (str(18 - n), str(n), "0.00†", "0.00", "0.00")
    assert rows["None"] == (str(2 * (18 - n)), str(2 * n), "33.33", "100.00", "50.00")
    assert rows["Date"] == ("0", "0", "–", "–", "–")
    assert rows["Micro average"] == ("–", "–", "33.33", "33.33", "33.33")
    assert rows["Macro average"] == ("–", "–", "8.33", "25.00", "12.50")
    assert any("Date" in note for note in table.notes)
    assert any(note.startswith("†") for note in table.notes)


def test_the_summary_holds_the_question_and_all_tables(result):
    text = summary(result)
    assert text.startswith("Is <i>anything</i> better than nothing?\n")
    assert "Table 2." in text
    assert text.count("Table 3.") == 2
    assert "18 pages of 6 sites, static renderer; one split by site, seed 7" in text


def test_json_says_what_was_asked_of_what_and_what_came_of_it(result, corpus):
    found = json.loads(json_bytes(to_json(result)))
    assert found["experiment"]["learners"]["centroids"] == {"lambda": [0.0, 1.0]}
    assert found["corpus"]["digest"] == corpus.digest
    assert found["corpus"]["counts"] == corpus.counts
    assert set(found["versions"]) == {"structce", "numpy", "scipy", "python-crfsuite"}
    assert found["learners"]["raising"] == {"error": "ArithmeticError: <b>no</b> minimum"}
    background = found["learners"]["background"]
    assert background["scores"]["accuracy"] == pytest.approx(1 / 3)
    assert background["scores"]["labels"]["Title"]["undefined"] == ["precision"]
    assert background["scores"]["left_out"] == ["Date"]
    assert background["comparison"]["reference"] == "centroids"
    (trial,) = found["learners"]["centroids"]["trials"]
    assert trial["parameters"] == {"lambda": 1.0}
    assert trial["points"][0]["parameters"] == {"lambda": 0.0}
    assert trial["stop"] == {"gap": 0.001, "n_epochs": 3.0, "objective": None}


def test_times_stand_apart(result):
    found = to_json(result)
    times = found.pop("times")
    assert set(times["learners"]) == {"centroids", "background"}
    assert len(times["encoding"]) == 1
    assert "seconds" not in json.dumps(found)


def test_the_page_stands_alone(page):
    tree = html.document_fromstring(page)
    assert page.startswith("<!DOCTYPE html>")
    assert not tree.xpath("//script | //link | //img | //iframe | //*[@src]")
    assert all(link.startswith("#") for link in tree.xpath("//@href"))
    assert not re.search(r"https?://|@import|url\(", page)


def test_links_lead_to_a_place_on_the_page(page):
    tree = html.document_fromstring(page)
    places = set(tree.xpath("//@id"))
    assert {link.removeprefix("#") for link in tree.xpath("//@href")} <= places


def test_what_others_wrote_is_escaped(page):
    assert "<i>anything" not in page
    assert "Is &lt;i&gt;anything&lt;/i&gt; better than nothing?" in page
    assert "<b>no</b>" not in page
    assert "&gt; &lt;out&gt;" in page


def test_the_page_shows_tables_confusion_and_choices(page):
    tree = html.document_fromstring(page)
    captions = [node.text_content() for node in tree.xpath("//caption")]
    for start, n in (("Table 2", 1), ("Table 3", 2), ("Confusion", 2), ("F1 by label", 1)):
        assert sum(caption.startswith(start) for caption in captions) == n
    chosen = tree.xpath("//tr[@class='chosen']/td[1]/text()")
    assert chosen == ["lambda = 1.0", "defaults"]
    assert "Date, neither gold nor predicted" in tree.text_content()


def test_the_best_of_each_column_is_bold(page):
    tree = html.document_fromstring(page)
    rows = tree.xpath("//tr[td[@class='best']]")
    assert [row.xpath("string(th)") for row in rows] == ["centroids"]
    assert len(rows[0].xpath("td[@class='best']")) == 5


def test_the_chart_places_dots_on_its_axis(result):
    drawn = chart(result)
    centroids, background = drawn.dots
    assert drawn.ticks[0] == (730.0, 100)
    assert drawn.ticks[-1] == (170.0, 0)
    assert background.x_foreground == 170.0
    assert background.x_all == 170 + 560 * 0.125
    assert centroids.x_all > background.x_all


def test_a_report_without_any_score_can_be_read(experiment, corpus, learners):
    chosen = replace(experiment, learners=experiment.learners[2:])
    failed = run(chosen, corpus, learners=learners, progress=False)
    assert "raising failed" in summary(failed)
    assert "Failed: ArithmeticError" in render_html(failed, {}, "")
    assert to_json(failed)["learners"] == {
        "raising": {"error": "ArithmeticError: <b>no</b> minimum"}
    }


def test_a_report_is_two_files(result, tmp_path):
    write_report(result, tmp_path / "new" / "report", "structce compare x")
    folder = tmp_path / "new" / "report"
    assert sorted(path.name for path in folder.iterdir()) == ["report.html", "report.json"]
    assert json.loads((folder / "report.json").read_text("utf-8"))["seed"] == 7
    assert "structce compare x" in (folder / "report.html").read_text("utf-8")


def test_a_report_that_cannot_be_made_leaves_nothing(result, tmp_path):
    broken = replace(result, n_train={})
    with pytest.raises(KeyError):
        write_report(broken, tmp_path / "report")
    assert not (tmp_path / "report").exists()
