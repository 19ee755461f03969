"""Label schemes: colours that can be read, keys that are free, files that are wrong."""

import pytest

from structce.annotate.scheme import default_scheme, read_scheme
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


def luminance(colour):
    """Return the relative luminance of a colour: Web Content Accessibility Guidelines 2.2."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_white_text_can_be_read_on_every_usual_colour():
    for entry in default_scheme().entries:
        assert 1.05 / (luminance(entry.colour) + 0.05) >= 4.5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("background = 3", "background"),
        ('background = "A"\nnames = ["A", "A"]', "repeat"),
        ('background = "B"\nnames = ["A"]', "not one of"),
        ('background = "A"\nnames = ["A"]\nsize = 3', "size"),
        (SHOP.replace("#1b7f4d", "red"), "expected #rrggbb"),
        (SHOP.replace('"2"', '"x"'), "key 'x'"),
        ("background = ", "Invalid"),
        (b'background = "\xff"', "utf-8"),
    ],
)
def test_a_wrong_file_is_named_with_the_reason(read, text, message):
    with pytest.raises(CorpusError, match=rf"shop\.toml: .*{message}"):
        read(text)
