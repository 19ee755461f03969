"""The difference of two reports in words."""

import json
from dataclasses import replace

from structce.experiments.report.diff import describe, difference
from structce.experiments.report.files import encoded


def test_the_words_hold_numbers_and_verdicts(make_arm, make_study, make_report, low, high, bad):
    found = difference(
        make_report(make_study(make_arm("crf", low, bad))),
        make_report(make_study(make_arm("crf", high)), versions={"numpy": "2.1"}),
    )
    lines = describe(found).splitlines()
    assert "# news by site (same splits)" in lines
    assert any(line.split() == ["numpy", "2.0", "2.1"] for line in lines)
    assert any(line.split() == ["Title", "0.00", "->", "100.00"] for line in lines)
    assert any(line.split() == ["Author", "–"] for line in lines)
    (row,) = (line for line in lines if line.startswith("crf"))
    for cell in ("44.44 -> 100.00", "80.00 -> 100.00", "+5.50", "0.002", "+1.00", "10 of 10"):
        assert cell in row
    assert row.endswith("better")
    assert "Holm" in lines[-3]


def test_studies_on_other_pages_are_said_to_be_not_comparable(
    make_arm, make_study, make_report, pages, low, high
):
    found = difference(
        make_report(make_study(make_arm("crf", low))),
        make_report(make_study(make_arm("crf", high), tested=pages[1:])),
    )
    text = describe(found)
    assert "not comparable page by page" in text
    assert "interval" not in text


def test_a_long_value_is_cut_in_words_and_whole_in_json(make_arm, make_study, make_report, low):
    question = "Does it " + "really " * 20 + "help?"
    report = make_report(make_study(make_arm("crf", low)))
    asked = replace(report, experiment=replace(report.experiment, question=question))
    found = difference(report, asked)
    assert question not in describe(found)
    assert "really ..." in describe(found)
    assert json.loads(encoded(found))["experiment"] == [
        {"name": "question", "before": "Which?", "after": question}
    ]
