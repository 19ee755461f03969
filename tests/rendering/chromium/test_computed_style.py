"""Computed styles as columns."""

from structce.rendering.chromium import COLLECTED, MAX_STYLE, style_columns


def test_a_long_value_is_cut_since_each_element_has_it():
    strings = ["", "a" * 100_000]
    values = {name: [int(name == "font-family")] * 3 for name in COLLECTED}
    columns = style_columns(values, strings)
    assert columns["font-family"].tolist() == ["a" * MAX_STYLE] * 3
    assert columns["color"].tolist() == [""] * 3
