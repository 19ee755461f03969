import pytest

from structce.errors import LabelError
from structce.labels import NEWS, LabelSet


def test_an_unknown_name_is_an_error_that_lists_the_names():
    with pytest.raises(LabelError, match=r"'Autor'.*Author"):
        NEWS.index("Autor")


def test_names_must_differ_and_hold_the_background():
    with pytest.raises(LabelError, match="repeat"):
        LabelSet(("A", "A"), "A")
    with pytest.raises(LabelError, match="background"):
        LabelSet(("A", "B"), "C")


def test_merging_keeps_the_order_and_the_background():
    merged = NEWS.merged({"Subtitle": "Paragraph", "Advertisement": "None"})
    assert "Subtitle" not in merged.names
    assert merged.names.index("None") == 0
    assert merged.background == "None"
    assert "None" not in merged.foreground


def test_sets_of_labels_are_written_with_bars_and_come_back():
    names = ("Title", "Caption|Paragraph", "?", "None|Title")
    assert NEWS.decode(NEWS.encode(names)) == names
    assert NEWS.encode(["Paragraph|Caption"]) == NEWS.encode(["Caption|Paragraph"])
    assert NEWS.encode(["Title|Title"]) == NEWS.index("Title")


def test_a_set_with_an_unknown_name_is_refused():
    with pytest.raises(LabelError, match="Headline"):
        NEWS.encode(["Title|Headline"])
    with pytest.raises(LabelError, match="reserved as the separator"):
        LabelSet(("a|b", "None"), "None")
