import re
from dataclasses import replace

import pytest

from structce.experiments.report.plots.analysis import ablation_plot

NAME = "structured-svm"


def bars(drawn):
    """List the left and right edge of each bar, in per cent."""
    value = drawn.value()
    found = []
    for one in drawn.all("path"):
        corners = re.findall(r"[ML] (\S+) \S+", one.get("d"))
        if len(corners) == 4 and "fill: var(" in one.get("style", ""):
            found.append((value(float(min(corners, key=float))), value(float(corners[1]))))
    return found


def test_bars_begin_at_zero_and_end_at_macro_f1(study, read):
    found = bars(read(ablation_plot(study, NAME)))
    values = [study.arm(NAME).row.scores.macro_f1]
    values += [one.row.scores.macro_f1 for one in study.ablations]
    assert [left for left, _ in found] == pytest.approx([0] * 7, abs=0.01)
    assert [right for _, right in found] == pytest.approx([100 * one for one in values], abs=0.01)


def test_a_line_stands_at_all_features(study, read):
    drawn = read(ablation_plot(study, NAME))
    ((start, end),) = drawn.lines("var(--ink)")
    assert start[0] == end[0]
    full = 100 * study.arm(NAME).row.scores.macro_f1
    assert drawn.value()(start[0]) == pytest.approx(full, abs=0.01)


def test_a_part_that_failed_has_no_bar(study, read):
    figure = ablation_plot(replace(study, ablations=study.ablations[1:]), NAME)
    assert "without text" not in read(figure).texts
    assert len(bars(read(figure))) == 6


def test_every_bar_has_its_number_in_words(study):
    said = ablation_plot(study, NAME).description
    assert said.startswith("In per cent: all features 86.5, without text 60.6, only text 73.5, ")


def test_an_arm_without_parts_has_no_plot(study, empty):
    assert ablation_plot(study, "greedy-svm") is None
    assert ablation_plot(replace(study, arms=study.arms[:1]), NAME) is None
    assert ablation_plot(empty, NAME) is None
