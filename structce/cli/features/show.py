"""``structce features show``: values of a feature on a page, as a table and over its picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

import click
import numpy as np

from structce.article import page_loaders
from structce.cli import options
from structce.cli.inputs import RenderingChoice, rendering_options
from structce.cli.messages import show_message
from structce.errors import RenderError
from structce.features import REGISTRY, Feature, values_of
from structce.io import write_atomic
from structce.language import printable
from structce.page import Page
from structce.rendering import ChromiumRenderer, render_all
from structce.visualisation import Highlight, draw_highlights

FeatureValue = bool | float | str | list[str] | None
"""Value of a feature at one region, as JSON; None if it has no value."""

_TEXT_WIDTH, _TAG_WIDTH = 60, 24
"""Widths of a text in the terminal, and characters of a tag on a picture."""

_COLOUR = "#0072b2"

MIN_TINT, MAX_TINT = 0.04, 0.7
"""Opacity of the lowest and the highest number: visible, and the text below can still be read."""


@click.command("show", epilog="Example:  structce features show dom.depth page.html")
@click.argument("name", metavar="NAME")
@click.argument("source", metavar="PAGE")
@click.option("--picture", type=options.FILE, help="Also draw the values, in a browser (.png).")
@options.format_option
@rendering_options
def command(
    name: str, source: str, picture: Path | None, form: str, chosen: RenderingChoice
) -> None:
    """Print the value of a feature at every region of a page.

    NAME is a feature's name or its name in the paper, PAGE a file, an address, or - for standard
    input.
    """
    feature, renderer = REGISTRY[name], chosen.start()
    if picture is not None and not isinstance(renderer, ChromiumRenderer):
        raise click.UsageError("--picture needs the chromium renderer; see 'structce doctor'")
    with renderer, chosen.reader() as read:
        (result,) = render_all(page_loaders([source], read), renderer)
        page = result.page
        if page is None:
            raise RenderError(result.error)
        values = json_values(feature, page)
        if not feature.is_known(page):
            needs = "layout, which --renderer chromium computes"
            show_message(f"warning: {feature.name} has no values, as it needs {needs}")
        is_table = form == "table"
        rows = [
            {"index": i, "value": _value_text(value) if is_table else value, "tag": region.tag,
             "text": region.text}
            for i, (value, region) in enumerate(zip(values, page, strict=True))
        ]  # fmt: skip
        options.print_table(rows, form, width=_TEXT_WIDTH)
        if picture is not None and isinstance(renderer, ChromiumRenderer):
            marks = value_marks(values)
            write_atomic(picture, draw_highlights(renderer, result.document, page, marks))
            show_message(f"written: {picture}")


def json_values(feature: Feature, page: Page) -> list[FeatureValue]:
    """Return one value per region; None where the feature has none, as on pages it cannot read.

    Raises
    ------
    FeatureError
        If the feature raises an error or returns an invalid value.
    """
    if not feature.is_known(page):
        return [None] * len(page)
    values = values_of(feature, page)
    plain = values.tolist() if isinstance(values, np.ndarray) else values
    return [_json_value(value) for value in plain]


def _json_value(value: object) -> FeatureValue:
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    if isinstance(value, set | frozenset):
        return sorted(value)
    return cast(FeatureValue, None if value == "" else value)


def value_marks(values: Sequence[FeatureValue]) -> list[Highlight | None]:
    """Return the highlights of values: the larger a number, the stronger its tint.

    Numbers are ranked, so that one outlier does not hide the differences between the others. Texts
    have the middle tint; False and unknown values have no highlight.
    """
    numbers = sorted({value for value in values if isinstance(value, int | float)})
    marks: list[Highlight | None] = []
    for value in values:
        rank = (numbers.index(value) + 1) / len(numbers) if isinstance(value, int | float) else 0.5
        tint = MIN_TINT + (MAX_TINT - MIN_TINT) * rank
        mark = Highlight(printable(_value_text(value), _TAG_WIDTH), _COLOUR, tint, is_inside=True)
        marks.append(None if value is None or value is False or value == [] else mark)
    return marks


def _value_text(value: FeatureValue) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " ".join(value)
    return f"{value + 0.0:.4g}" if isinstance(value, float) else str("" if value is None else value)
