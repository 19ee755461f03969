"""Label schemes: colours that can be read, keys that are free, files that are wrong."""

import pytest

from structce.annotate.scheme import contrast_with_white, default_scheme, read_scheme, scheme_text
from structce.errors import CorpusError
from structce.labels import NEWS, LabelSet

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


def test_the_news_have_nine_labels_with_keys_and_guidelines():
    scheme = default_scheme()
    assert scheme.label_set is NEWS
    assert [entry.key for entry in scheme.entries] == list("123456789")
    assert all(entry.guideline for entry in scheme.entries)


def test_keys_that_nobody_chose_are_those_left():
    scheme = read_scheme(SHOP, "shop.toml")
    assert [(entry.name, entry.key) for entry in scheme.entries] == [
        ("Name", "2"),
        ("Price", "1"),
        ("Other", "3"),
    ]
    assert scheme.label_set == LabelSet(("Name", "Price", "Other"), "Other")
    assert read_scheme(scheme_text(scheme), "again") == scheme


def test_names_alone_will_do_and_many_labels_have_no_key():
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
def test_a_file_that_is_wrong_is_named_with_the_reason(text, message):
    with pytest.raises(CorpusError, match=message) as caught:
        read_scheme(text, "shop.toml")
    assert str(caught.value).startswith("shop.toml: ")
