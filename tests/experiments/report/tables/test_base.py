"""Tables as text, Markdown and LaTeX; names and messages come from others and may be anything."""

import re
from dataclasses import replace

import pytest

from structce.experiments.report.tables.base import (
    Table,
    interval_words,
    latex_text,
    markdown_text,
    number_range,
    percent,
    percent_interval,
    percentage_points,
    points_interval,
    short_number,
    signed_number,
    to_latex,
    to_markdown,
)

TABLE = Table(
    "Table 2. a_b: 100% & more",
    ("Name", "First", "Second", ""),
    (("x|y", "<b>", "-1.50", "*‡"), ("[q", "line\nbreak", "< 0.001", ""), ("*z", "", "1", "")),
    ("* differs, in $ and #.",),
    n_names=2,
)

SPECIAL = "% & $ # _ { } ~ ^ \\"


def test_text_has_title_names_on_the_left_and_notes():
    table = Table("T", ("Name", "F1"), (("ab", "1.5"), ("c", "22.5")), ("n",))
    assert str(table).splitlines() == [
        "T", "", "Name      F1", "------  ----", "ab       1.5", "c       22.5", "n",
    ]  # fmt: skip


def test_markdown_escapes_what_would_be_markup():
    lines = to_markdown(TABLE).splitlines()
    assert lines[0] == r"**Table 2. a\_b: 100% &amp; more**"
    body = [line for line in lines if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in body} == {5}
    assert re.fullmatch(r"\|:-+\|:-+\|-+:\|-+:\|", body[1])
    assert [cell.strip() for cell in re.split(r"(?<!\\)\|", body[2])[1:-1]] == [
        r"x\|y", "&lt;b&gt;", "-1.50", r"\*‡",
    ]  # fmt: skip
    assert "line break" in body[3]
    assert lines[-1] == r"- \* differs, in $ and #."


def test_markdown_of_an_escape_stays_what_it_was():
    assert markdown_text("a\\*b\n&lt;") == r"a\\\*b &amp;lt;"


def test_latex_is_a_float_with_caption_label_and_rules():
    text = to_latex(TABLE, "tab:news by site/<x>")
    assert text.startswith("\\begin{table}\n\\centering\n\\caption{a\\_b: 100\\% \\& more}\n")
    assert "\\label{tab:news-by-site-x}" in text
    assert "\\begin{tabular}{llrr}" in text
    for rule in ("toprule", "midrule", "bottomrule"):
        assert text.count(f"\\{rule}") == 1
    assert "$-$1.50" in text
    assert "\\par\\footnotesize * differs, in \\$ and \\#.\n\\end{table}\n" in text


def test_no_row_of_latex_begins_with_what_the_row_above_would_take():
    rows = [line for line in to_latex(TABLE, "x").splitlines() if line.endswith(r"\\")]
    assert len(rows) == 4  # a line break in a cell makes no row
    assert not [row for row in rows if re.match(r"\s*[\[*]", row)]
    assert rows[2].lstrip().startswith("{[}q")


@pytest.mark.parametrize("character", SPECIAL.split())
def test_latex_escapes_every_character_that_means_something(character):
    escaped = latex_text(f"a{character}b")
    assert escaped not in (f"a{character}b", "")
    rest = re.sub(r"\\text\w+\{\}|\\\^\{\}|\\textasciitilde\{\}|\\[%&$#_{}]", "", escaped)
    assert rest == "ab"


def test_latex_draws_a_minus_but_leaves_hyphens():
    assert latex_text("linear-chain-crf -1.5, [-2, 3]") == "linear-chain-crf $-$1.5, [$-$2, 3]"


def test_numbers_are_written_with_their_decimals_and_signs():
    assert (percent(0.8125), percent(0.8125, 1)) == ("81.25", "81.2")
    assert (percentage_points(0.0231), percentage_points(-0.0125, 1)) == ("+2.31", "-1.2")
    assert (signed_number(-0.5), short_number(0.00012347), short_number(None)) == (
        "-0.50",
        "0.0001235",
        "–",
    )
    assert interval_words((0.7, 0.85), 1) == " (95 per cent interval 70.0 to 85.0)"
    assert interval_words(None) == ""
    assert percent_interval((0.661, 0.759)) == "[66.10, 75.90]"
    assert points_interval((-0.004, 0.042)) == "[-0.40, +4.20]"
    assert (percent_interval(None), points_interval((-1.0, 1.0))) == ("–", "–")


@pytest.mark.parametrize("zero", [-0.0, -1e-9])
def test_no_zero_has_a_minus_sign(zero):
    assert percent(zero) == "0.00"
    assert percentage_points(zero) == signed_number(zero) == "+0.00"
    assert points_interval((zero, zero)) == "[+0.00, +0.00]"
    assert short_number(-0.0) == number_range([-0.0]) == "0"


SCORES = Table(
    "Scores",
    ("Learner", "F1", "ms", "Change"),
    (("a_b", "9.5", "12", "+1.0"), ("c", "10.0", "1e+03", "+2.0"), ("10.0", "10.0", "–", "")),
    highest=("F1",),
    lowest=("ms",),
)


def test_the_best_of_a_column_is_the_highest_or_the_lowest_number():
    assert SCORES.best == ("", "", "12", ""), "a value that two rows share is not the best"
    assert replace(SCORES, rows=SCORES.rows[:1]).best == ("", "", "", "")
    assert replace(SCORES, rows=()).best == ("", "", "", "")


def test_the_best_numbers_are_bold_in_latex_and_nothing_else_is():
    text = to_latex(SCORES, "tab:scores")
    assert text.count(r"\textbf{12}") == 1
    assert text.count(r"\textbf") == 1
    assert r" a\_b " in text


def test_a_name_cannot_make_itself_bold():
    text = to_latex(Table("t", ("Name", "F1"), (("\ue000x", "1"), ("y\ue001", "2"))), "tab:t")
    assert "textbf" not in text
    assert "\ue000" not in text
