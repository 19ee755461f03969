"""Label schemes: colours that can be read, keys that are free, files that are wrong."""

import pytest

from structce.annotate.scheme import contrast_with_white, default_scheme, read_scheme
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


@pytest.fixture
def read(tmp_path):
    """Return a function that reads a scheme from a text."""

    def read_text(text):
        file = tmp_path / "shop.toml"
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_scheme(file)

    return read_text


def test_labels_without_a_key_get_the_free_ones(read):
    scheme = read(SHOP)
    keys = [(entry.name, entry.key) for entry in scheme.entries]
    assert keys == [("Name", "2"), ("Price", "1"), ("Other", "3")]
    assert scheme.label_set == LabelSet(("Name", "Price", "Other"), "Other")
    assert read(scheme.toml()) == scheme
    many = read(f'background = "L0"\nnames = {[f"L{n}" for n in range(62)]}')
    assert [entry.key for entry in many.entries[:11]] == [*"1234567890", ""]


def test_white_text_can_be_read_on_every_colour(read):
    entries = [*default_scheme().entries, *read(SHOP).entries]
    assert min(contrast_with_white(entry.colour) for entry in entries) >= 4.5
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
        (b'background = "\xff"', "utf-8"),
    ],
)
def test_a_wrong_file_is_named_with_the_reason(read, text, message):
    with pytest.raises(CorpusError, match=rf"shop\.toml: .*{message}"):
        read(text)
