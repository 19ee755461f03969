"""Numbers as text, and templates."""

import pytest
from jinja2 import UndefinedError

from structce.visualisation.base import confidence_label, render_template


@pytest.mark.parametrize(
    ("confidence", "text"),
    [(0.0, "0 %"), (0.981, "98 %"), (0.997, "99 %"), (0.99999, "99 %"), (1.0, "100 %")],
)
def test_only_certainty_is_a_hundred_per_cent(confidence, text):
    assert confidence_label(confidence) == text


def test_a_template_escapes_its_values_and_needs_all_of_them():
    labels = [("<b>", "#123456")]
    text = render_template("comparison_legend.html", labels=labels, wrong="#c62828")
    assert "&lt;b&gt;" in text
    with pytest.raises(UndefinedError):
        render_template("comparison_legend.html")
