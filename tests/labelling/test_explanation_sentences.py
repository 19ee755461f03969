"""Explanations in words: names of shares, sentences and numbers."""

from dataclasses import replace

import pytest

from structce.labelling import (
    ColumnShare,
    Explanation,
    Share,
    format_signed,
    share_name,
)
from structce.labelling.explanation import ContextShare

COLUMN = ColumnShare("text.token=\x1b[2Jferry", 0.5, 0.25, 1.0)
NEAR = ContextShare("previous region", 0.5, 1.0, ("Title", "None"))
REST = ContextShare("rest of the page", 9.0, 1.0, None)


EXPLANATION = Explanation(
    region=3,
    text="x",
    xpath="/html[1]",
    label="Title",
    runner_up="Date",
    confidence=0.9,
    margin=1.0,
    columns=(COLUMN,),
    others=Share("other columns", 0.1, 0.0),
    n_others=7,
    context=(NEAR, REST),
    changes=(),
    flip=(),
    flipped_to=None,
)


@pytest.mark.parametrize(
    ("columns", "listed"),
    [
        (["a"], "a"),
        (["a", "b", "c"], "a, b and c"),
        ([f"c{n}" for n in range(9)], "c0, c1, c2, c3, c4, c5 and 3 more columns"),
    ],
)
def test_the_sentence_names_the_columns_that_hold_the_label(columns, listed):
    whole = replace(EXPLANATION, flip=tuple(columns), flipped_to="Date")
    assert whole.sentence == f"Without {listed} it would be Date."


def test_every_part_of_a_margin_has_a_name():
    assert [share_name(share, EXPLANATION) for share in EXPLANATION.shares] == [
        "text.token=\N{REPLACEMENT CHARACTER}[2Jferry",
        "7 other columns",
        "previous region: Title, beside Date: None",
        "rest of the page",
    ]


@pytest.mark.parametrize(
    ("value", "largest", "text"),
    [
        (0.1234, 0.29, "+0.12"),
        (-0.001, 0.29, "0"),
        (-12.34, 45.0, "-12"),
        (1234.5, 1234.5, "+1234"),
        (0.0, 0.0, "0"),
        (3.0, 3.0, "+3.0"),
    ],
)
def test_numbers_have_a_sign_and_as_many_decimals_as_the_largest_needs(value, largest, text):
    assert format_signed(value, largest) == text
