import pytest

from structce.errors import LabelError
from structce.labels import NEWS, LabelSet


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: NEWS.index("Autor"), r"'Autor'.*Author"),
        (lambda: NEWS.encode(["Title|Headline"]), "Headline"),
        (lambda: LabelSet(("A", "A"), "A"), "repeat"),
        (lambda: LabelSet(("A", "B"), "C"), "background"),
        (lambda: LabelSet(("a|b", "None"), "None"), "reserved as the separator"),
    ],
)
def test_names_that_do_not_fit_are_errors(make, message):
    with pytest.raises(LabelError, match=message):
        make()


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
