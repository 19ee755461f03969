"""Colours as CSS writes them, with values worked by hand or given by the standards."""

import pytest

from structce.features.colour import colour_contrast, colour_name, over, parse_colour


@pytest.mark.parametrize(
    ("text", "colour", "name"),
    [
        ("rgb(255, 0, 0)", (1, 0, 0, 1), "red"),
        ("rgba(0, 0, 0, 0)", (0, 0, 0, 0), "transparent"),
        ("rgba(0, 0, 255, 0.5)", (0, 0, 1, 0.5), "blue"),
        ("rgb(20, 20, 24)", None, "black"),
        ("rgb(85, 85, 85)", None, "dark-grey"),
        ("rgb(0, 64, 32)", None, "green"),
        ("rgb(255, 0, 170)", None, "pink"),
        ("color(srgb 1 1 1 / 0.5)", (1, 1, 1, 0.5), "white"),
        ("oklch(0.627955 0.257683 29.2339)", (1, 0, 0, 1), "red"),
        ("oklab(0.51975 -0.140302 0.107676)", (0, 0.502, 0, 1), "green"),
        ("transparent", (0, 0, 0, 0), "transparent"),
        ("lab(50 1 1)", None, None),
        ("rgb(1, two, 3)", None, None),
        ("rgb(1, 2)", None, None),
        ("", None, None),
    ],
)  # fmt: skip
def test_colours_are_read_and_named(
    text: str, colour: tuple[float, ...] | None, name: str | None
) -> None:
    parsed = parse_colour(text)
    if colour is not None:
        assert parsed == pytest.approx(colour, abs=2e-3)
    assert colour_name(parsed) == name


def test_contrast_is_that_of_the_accessibility_guidelines() -> None:
    black, white, grey = (0.0, 0.0, 0.0, 1.0), (1.0, 1.0, 1.0, 1.0), (0x77 / 255,) * 3
    assert colour_contrast(black, white) == pytest.approx(21)
    assert colour_contrast((*grey, 1.0), white) == pytest.approx(4.48, abs=0.005)
    assert colour_contrast((0.0, 0.0, 0.0, 0.0), white) == 1.0


def test_half_of_a_colour_lets_half_of_the_other_through() -> None:
    assert over((1.0, 0.0, 0.0, 0.5), (0.0, 0.0, 1.0, 1.0)) == (0.5, 0.0, 0.5, 1.0)
