"""Templates of drawings."""

import pytest
from jinja2 import UndefinedError

from structce.visualisation.base import render_template


def test_a_template_escapes_its_values_and_needs_all_of_them():
    labels = [("<b>", "#123456")]
    text = render_template("comparison_legend.html", labels=labels, wrong="#c62828")
    assert "&lt;b&gt;" in text
    with pytest.raises(UndefinedError):
        render_template("comparison_legend.html")
