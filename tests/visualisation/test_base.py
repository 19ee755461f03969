"""Numbers as text, and templates."""

import pytest
from jinja2 import UndefinedError

from structce.visualisation import OverlayLink
from structce.visualisation.base import confidence_label, render_template


@pytest.mark.parametrize(
    ("confidence", "text"),
    [(0.0, "0 %"), (0.981, "98 %"), (0.997, "99 %"), (0.99999, "99 %"), (1.0, "100 %")],
)
def test_only_certainty_is_a_hundred_per_cent(confidence, text):
    assert confidence_label(confidence) == text


def test_a_template_escapes_its_values_and_needs_all_of_them():
    links = [OverlayLink("source", "<b>", "1.html")]
    assert "&lt;b&gt;" in render_template("overlay_index.html", links=links)
    with pytest.raises(UndefinedError):
        render_template("overlay_index.html")
