"""The tables of one study; numbers follow from the confusion matrices of the fixture."""

from dataclasses import replace

import pytest

from structce.experiments.report.tables.scores import (
    interval_table,
    label_table,
    largest_gap,
    learner_table,
    pair_table,
    pair_words,
    power_note,
)
from structce.experiments.report.tables.studies import (
    ablation_notes,
    ablation_table,
    calibration_table,
    failure_table,
    grid_table,
    learning_table,
    tuning_table,
)
from structce.experiments.results import FailureRecord, Power


def rows_of(table):
    return {row[0]: row[1:] for row in table.rows}


@pytest.fixture
def bare(study):
    """A study of which nothing is known but its splits."""
    return replace(
        study, candidates=(), failures=(), reference="", pairs=(), power=None, ablations=(),
        learning=(), worst=(),
    )  # fmt: skip


def all_tables(report):
    for study in report.studies:
        yield from (learner_table(study), interval_table(study), pair_table(study))
        yield from (calibration_table(study), learning_table(study), failure_table(study))
        yield tuning_table(study, report.costs)
        for candidate in study.candidates:
            yield from (label_table(study, candidate), ablation_table(study, candidate))
            yield grid_table(study, candidate)


def test_every_row_is_as_long_as_the_headers(report):
    for table in all_tables(report):
        assert {len(row) for row in table.rows} <= {len(table.headers)}
        assert 1 <= table.n_names <= len(table.headers)


def test_tables_of_a_study_without_scores_have_no_rows(bare, report):
    empty = replace(report, studies=(bare,))
    assert all(not table.rows for table in all_tables(empty))
    assert "differs" not in " ".join(learner_table(bare).notes)
    assert ablation_notes(bare) == ()
    assert power_note(bare) == ""


def test_table_2_has_one_row_a_learner_in_per_cent(study):
    # 613 of 644 regions are right; 190 + 33 of the foreground's 244 gold and 237 given ones.
    table = learner_table(study)
    assert table.rows[2] == (
        "structured-svm", "95.15", "89.89", "95.19", "", "92.72", "88.20", "74.97", "25.00",
        "0.0009",
    )  # fmt: skip
    labels = study.candidates[2].row.scores.labels
    assert sum(label.support * label.measures.f1 for label in labels) / 644 == pytest.approx(
        0.9515, abs=5e-5
    )
    assert table.rows[2][5] == f"{100 * 2 * 223 / (244 + 237):.2f}"
    assert table.rows[3] == ("multiclass-svm", "–", "–", "–", "", "–", "–", "–", "–", "–")
    assert table.notes[-1] == (
        "multiclass-svm, lambda = 0.1, split 1 failed: ArithmeticError: <b>no</b> minimum"
    )
    assert "structured-svm warned: stopped at a gap" in table.notes[-2]


def test_the_gap_is_the_largest_of_all_splits_and_bounded_for_a_crf(study):
    """With lambda 0.5 and a gradient of 0.1 a CRF is at most 0.01 above 2: 1/200 of it."""
    row = study.candidates[0].row
    trial = replace(row.trials[0], parameters={"lambda_": 0.5})
    stops = [{"gap": 0.02}, {"gap": 0.3}]
    several = replace(row, trials=tuple(replace(trial, stop=stop) for stop in stops))
    assert largest_gap(several) == 0.3
    crf = replace(trial, stop={"gradient_norm": 0.1, "objective": 2.0})
    assert largest_gap(replace(row, trials=(crf,))) == pytest.approx(1 / 200)
    assert largest_gap(replace(row, trials=(replace(trial, stop={}),))) is None


def test_a_learner_that_failed_in_part_keeps_its_row(study):
    lost = FailureRecord("greedy-svm", "greedy-svm without text, split 1", "ValueError: x")
    table = learner_table(replace(study, failures=(lost,)))
    assert [row[0] for row in table.rows] == ["greedy-svm", "linear-chain-crf", "structured-svm"]
    assert table.rows[0][3] == "84.78"


@pytest.mark.parametrize(
    ("p", "p_holm", "mark"), [(0.06, 0.12, ""), (0.05, 0.051, "*"), (0.01, 0.05, "*‡")]
)
@pytest.mark.parametrize("is_turned", [False, True])
def test_a_learner_is_marked_if_it_differs_from_the_reference(study, p, p_holm, mark, is_turned):
    (pair,) = (pair for pair in study.pairs if pair.first == "linear-chain-crf")
    pair = replace(pair, p=p, p_holm=p_holm)
    if is_turned:
        pair = replace(pair, first=pair.second, second=pair.first)
    rows = rows_of(learner_table(replace(study, pairs=(pair,))))
    assert rows["linear-chain-crf"][3] == mark
    assert rows["structured-svm"][3] == rows["greedy-svm"][3] == ""


def test_intervals_that_are_not_known_are_a_dash(study):
    rows = rows_of(interval_table(study))
    # Accuracy is 84.78, and the fixture puts the ends 5 below and 4 above.
    assert rows["greedy-svm"][0] == "[79.78, 88.78]"
    candidate = study.candidates[0]
    unknown = replace(candidate, row=replace(candidate.row, intervals={"macro_f1": (-1.0, 1.0)}))
    assert interval_table(replace(study, candidates=(unknown,))).rows == ()
    by_label = rows_of(label_table(study, unknown))
    assert {cells[5] for cells in by_label.values()} == {"–"}


def test_table_3_has_one_row_a_label_and_the_averages(study):
    table = label_table(study, study.candidates[0])
    rows = rows_of(table)
    # 18 regions were given Author, 10 of them rightly, of 20.
    author = ("30", "20", "55.56", "50.00", "52.63", "[47.63, 56.63]", "44.74", "12/24")
    assert rows["Author"] == author
    assert rows["Date"][2:5] == ("0.00†", "0.00", "0.00")
    assert rows["Image"] == ("0", "0", *["–"] * 6)
    assert rows["None"][-2:] == ("–", "–")
    pooled = ("–", "–", "84.78", "84.78", "84.78", "[79.78, 88.78]", "–", "–")
    assert rows["Pooled"] == pooled
    by_support = [
        label.support * label.measures.f1 for label in study.candidates[0].row.scores.labels
    ]
    n = sum(label.support for label in study.candidates[0].row.scores.labels)
    assert rows["Micro average"][4] == f"{100 * sum(by_support) / n:.2f}"
    assert rows["Micro average"][3] == rows["Pooled"][3]
    mean = (2 * 10 / 38 + 0 + 2 * 150 / 358 + 2 * 14 / 40) / 4
    assert rows["Macro average fg"][4] == f"{100 * mean:.2f}"
    assert rows["Macro average fg"][6] == f"{85 * mean:.2f}"
    assert table.notes[0].startswith("† not defined")
    assert table.notes[1] == "In no macro average, as gold does not have them: Image."
    assert len(label_table(study, study.candidates[2]).notes) == 1


def test_pairs_are_told_in_points_with_intervals_and_both_p_values(study):
    pair = replace(
        study.pairs[0], difference=-0.0123, interval=(-0.03, 0.00001), p=0.0004, p_holm=0.0408,
        effect=-0.5, macro_difference=0.02, macro_interval=(-1.0, 1.0), n_differ=20,
    )  # fmt: skip
    (row,) = pair_table(replace(study, pairs=(pair,))).rows
    assert row == (
        "greedy-svm", "linear-chain-crf", "-1.23", "[-3.00, +0.00]", "< 0.001", "0.041", "*",
        "-0.50", "+2.00", "–", "20/24",
    )  # fmt: skip
    assert pair_words(pair) == "-1.23 [-3.00, +0.00], p < 0.001"
    assert pair_words(replace(pair, interval=(-1.0, 1.0), p=0.5)) == "-1.23, p = 0.500"


def test_a_difference_that_rounds_to_nothing_has_no_minus(study):
    pair = replace(study.pairs[0], difference=-1e-9, interval=(-1.0, 1.0), p=1.0)
    assert pair_words(pair) == "+0.00, p = 1.000"


def test_the_power_note_says_what_finding_nothing_means(study):
    assert "2.60 points in four experiments of five" in power_note(study)
    assert "says little" in power_note(study)
    strong = replace(study, power=Power(900, 0.01, 0.001, False))
    assert "On 900 test pages" in power_note(strong)
    assert "smaller than that" in power_note(strong)
    unknown = replace(study, power=Power(1, 0.0, None, True))
    assert power_note(unknown).startswith("With 1 test pages nothing can be said")


def test_calibration_is_told_of_learners_that_know_it(study):
    assert calibration_table(study).rows == (
        ("linear-chain-crf", "0.0500", "0.0200", "0.1200", "0.0800", "1.25"),
        ("structured-svm", "0.2000", "0.0200", "0.1200", "0.0800", "1.25"),
    )


def test_temperatures_of_several_splits_are_a_range(study):
    candidate = study.candidates[2]
    trials = tuple(replace(candidate.row.trials[0], split=i, temperature=1.5 - i) for i in range(2))
    twice = replace(candidate, row=replace(candidate.row, trials=trials))
    assert calibration_table(replace(study, candidates=(twice,))).rows[0][-1] == "0.5–1.5"


def test_an_ablation_has_a_row_for_all_and_for_each_part(study):
    table = ablation_table(study, study.candidate("structured-svm"))
    names = ["all", "without text", "without style", "only text", "only style"]
    assert [row[0] for row in table.rows] == names
    assert table.rows[0] == ("all", "89.89", "–", "88.20", "95.19", "", "–", "412")
    assert table.rows[1][1:3] == ("85.49", "-4.41")
    assert table.rows[1][-1] == "200"
    assert table.notes == ("The family style gave no column on these pages.",)
    assert ablation_table(study, study.candidate("greedy-svm")).rows == ()
    assert "‡" in ablation_notes(study)[1]


def test_what_parts_of_the_features_warned_of_is_told_once(study):
    candidate = study.candidate("structured-svm")
    first = replace(study.ablations[0], row=candidate.row)
    table = ablation_table(replace(study, ablations=(first,)), candidate)
    said = "stopped at a gap of 0.0009, above the tolerance 0.0001"
    assert table.notes == (f"Warned: without text: {said}.",)


def test_the_learning_curve_ends_with_all_pages(study):
    rows = learning_table(study).rows
    assert [row[:3] for row in rows[:3]] == [
        ("linear-chain-crf", "25", "6"),
        ("linear-chain-crf", "50", "12"),
        ("linear-chain-crf", "100", "24"),
    ]
    assert rows[2][3] == "85.49"
    whole = replace(study.learning[0], share=1.0, n_pages=24.0)
    assert len(learning_table(replace(study, learning=(whole,))).rows) == 1


def test_tuning_tells_choice_stop_and_costs_of_this_study_alone(study, report):
    rows = rows_of(tuning_table(study, report.costs))
    # The fixture's greedy grid is best at its fifth or sixth of eight points: 0.7 + 0.05 - 0.025.
    assert rows["greedy-svm"] == (
        "1", "lambda = 1.0, context = 5", "72.50", "0.41 (0.0009)", "12", "–", "40.0", "10.0",
        "2.5", "100",
    )  # fmt: skip
    assert rows["linear-chain-crf"][3:6] == ("0.3 (0.0002)", "88", "1.25")
    # Training of a part of the features took 999 seconds, which are not the learner's.
    assert rows["structured-svm"][6:] == ("100.0", "25.0", "6.2", "200")
    assert "fitted again" in tuning_table(study).notes[0]
    assert "fitted again" not in tuning_table(study, refit=False).notes[0]
    unknown = rows_of(tuning_table(study))
    assert unknown["structured-svm"][6:] == ("–", "–", "–", "–")


def test_every_point_of_a_grid_is_told_and_one_is_chosen(study):
    rows = grid_table(study, study.candidate("structured-svm")).rows
    assert rows == (
        ("1", "lambda = 0.1", "70.00", "0.0009", "12", ""),
        ("1", "lambda = 1.0", "70.90", "0.0009", "12", "chosen"),
    )


def test_failures_are_told_on_one_line(study):
    assert failure_table(study).rows == (
        (
            "multiclass-svm",
            "multiclass-svm, lambda = 0.1, split 1",
            "ArithmeticError: <b>no</b> minimum",
            "1",
        ),
    )


def test_failures_of_one_kind_are_one_row(study):
    failures = tuple(
        FailureRecord(candidate, f"{candidate}, split {i}", error)
        for i, (candidate, error) in enumerate(
            [("a", "E: row 1"), ("b", "E: row 2"), ("a", "E: row 31"), ("a", "other")], start=1
        )
    )
    table = failure_table(replace(study, failures=failures))
    assert table.rows == (
        ("a", "a, split 1, and 1 more", "E: row 1", "2"),
        ("b", "b, split 2", "E: row 2", "1"),
        ("a", "a, split 4", "other", "1"),
    )
    notes = learner_table(replace(study, failures=failures)).notes
    assert [note for note in notes if "failed: " in note] == [
        "a, split 1, and 1 more failed: E: row 1", "b, split 2 failed: E: row 2",
        "a, split 4 failed: other",
    ]  # fmt: skip
