"""What all drawings share: colours of labels, confidence as text, templates."""

import pytest
from jinja2 import UndefinedError

from structce.visualisation.base import (
    LABEL_COLOURS,
    confidence_label,
    label_colour,
    render_template,
)


def test_a_label_has_one_colour_and_a_new_one_is_not_black():
    assert label_colour("Title") == LABEL_COLOURS["Title"]
    assert label_colour("Price") == label_colour("Price") != "#000000"


@pytest.mark.parametrize(
    ("confidence", "text"),
    [(0.0, "0 %"), (0.981, "98 %"), (0.997, "99 %"), (0.99999, "99 %"), (1.0, "100 %")],
)
def test_only_certainty_is_a_hundred_per_cent(confidence, text):
    assert confidence_label(confidence) == text


def test_a_template_escapes_its_values_and_asks_for_all_of_them():
    assert "&lt;b&gt;" in render_template(
        "comparison_legend.html", labels=[("<b>", "#123456")], wrong="#c62828"
    )
    with pytest.raises(UndefinedError):
        render_template("comparison_legend.html")
