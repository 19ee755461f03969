from structce.explanation import (
    ColumnShare,
    ContextShare,
    Explanation,
    Relabelled,
    Share,
    changes_sentence,
    largest_difference,
    name_of,
)

COLUMN = ColumnShare("text.token=\x1b[2Jferry", 0.5, 0.25, 1.0)
NEAR = ContextShare("previous region", 0.5, 1.0, ("Title", "None"))
REST = ContextShare("rest of the page", 9.0, 1.0, None)


def explanation(changes: tuple[Relabelled, ...] = ()) -> Explanation:
    return Explanation(
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
        changes=changes,
        flip=(),
        flip_regions=(),
        flipped_to=None,
    )


def test_every_part_of_a_margin_has_a_name() -> None:
    whole = explanation()
    assert [name_of(share, whole) for share in whole.shares] == [
        "text.token=\N{REPLACEMENT CHARACTER}[2Jferry",
        "7 other columns",
        "previous region: Title, beside Date: None",
        "rest of the page",
    ]


def test_long_names_of_columns_keep_their_ends() -> None:
    name = name_of(ColumnShare("text.token=" + "x" * 90 + "=end", 1, 0, 1), explanation(), 30)
    assert len(name) == 30
    assert name.endswith("=end")


def test_the_rest_of_the_page_does_not_make_the_others_small() -> None:
    assert largest_difference(explanation()) == 0.5


def test_a_few_changes_are_named_and_the_others_counted() -> None:
    assert changes_sentence(explanation()) == ""
    changes = tuple(Relabelled(i, "None", "Date") for i in range(5))
    assert changes_sentence(explanation(changes)) == (
        "Beside Date, the best labels elsewhere are: region 0 Date instead of None, region 1 Date "
        "instead of None, region 2 Date instead of None, and 2 more would change."
    )
