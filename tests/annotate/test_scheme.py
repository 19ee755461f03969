"""Label schemes: colours that can be read, keys that are free, files that are wrong."""

import pytest

from structce.annotate.scheme import contrast_with_white, default_scheme, read_scheme, scheme_text
from structce.errors import CorpusError
from structce.labels import LabelSet

SHOP = """
background = "Other"
[[label]]
name = "Name"
key = "2"
[[label]]
name = "Price"
colour = "#1b7f4d"
guideline = "What it costs now."
[[label]]
name = "Other"
"""


def test_labels_without_a_key_get_the_free_ones():
    scheme = read_scheme(SHOP, "shop.toml")
    assert [(entry.name, entry.key) for entry in scheme.entries] == [
        ("Name", "2"),
        ("Price", "1"),
        ("Other", "3"),
    ]
    assert scheme.label_set == LabelSet(("Name", "Price", "Other"), "Other")
    assert read_scheme(scheme_text(scheme), "again") == scheme


def test_names_alone_are_a_scheme():
    names = [f"L{n}" for n in range(62)]
    scheme = read_scheme(f'background = "L0"\nnames = {names}', "many.toml")
    assert [entry.key for entry in scheme.entries[:11]] == [*"1234567890", ""]


def test_white_text_can_be_read_on_every_colour():
    every = [*default_scheme().entries, *read_scheme(SHOP, "shop").entries]
    assert min(contrast_with_white(entry.colour) for entry in every) >= 4.5
    assert contrast_with_white("#ffffff") == pytest.approx(1)
    assert contrast_with_white("#000000") == pytest.approx(21)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("background = 3", "background"),
        ('background = "A"\nnames = ["A", "A"]', "repeat"),
        ('background = "B"\nnames = ["A"]', "not one of"),
        ('background = "A"\nnames = ["A"]\nsize = 3', "size"),
        (SHOP.replace("#1b7f4d", "#ffff00"), "cannot be read"),
        (SHOP.replace("#1b7f4d", "red"), "expected #rrggbb"),
        (SHOP.replace('"2"', '"x"'), "key 'x'"),
        ("background = ", "Invalid"),
    ],
)
def test_a_wrong_file_is_named_with_the_reason(text, message):
    with pytest.raises(CorpusError, match=message) as caught:
        read_scheme(text, "shop.toml")
    assert str(caught.value).startswith("shop.toml: ")
