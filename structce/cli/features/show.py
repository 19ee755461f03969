"""``structce features show``: values of a feature on a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import click
import numpy as np

from structce.article import page_loaders
from structce.cli import options
from structce.cli.inputs import RenderingChoice, rendering_options
from structce.cli.messages import show_message
from structce.errors import RenderError
from structce.features import REGISTRY, values_of
from structce.rendering import render_all

FeatureValue = bool | float | str | list[str] | None
"""Value of a feature at one region, as JSON; None if it has no value."""

_TEXT_WIDTH = 60  # columns of a text in the terminal


@click.command("show", epilog="Example:  structce features show dom.depth page.html")
@click.argument("name", metavar="NAME")
@click.argument("source", metavar="PAGE")
@options.format_option
@rendering_options
def command(name: str, source: str, form: str, chosen: RenderingChoice) -> None:
    """Print the value of a feature at every region of a page.

    NAME is a feature's name or its name in the paper, PAGE a file, an address, or - for standard
    input.
    """
    feature, renderer = REGISTRY[name], chosen.start()
    read = chosen.reader()
    with renderer:
        (result,) = render_all(page_loaders([source], read), renderer)
    page = result.page
    if page is None:
        raise RenderError(result.error)
    values: Sequence[object] = [None] * len(page)
    if feature.is_known(page):
        found = values_of(feature, page)
        values = found.tolist() if isinstance(found, np.ndarray) else found
    else:
        needs = "layout, which --renderer chromium computes"
        show_message(f"warning: {feature.name} has no values, as it needs {needs}")
    rows = [
        {"index": i, "value": _json_value(value), "tag": region.tag, "text": region.text}
        for i, (value, region) in enumerate(zip(values, page, strict=True))
    ]
    if form == "table":
        rows = [{**row, "value": _value_text(row["value"])} for row in rows]
    options.print_table(rows, form, width=_TEXT_WIDTH)


def _json_value(value: object) -> FeatureValue:
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    if isinstance(value, set | frozenset):
        return sorted(value)
    return cast(FeatureValue, None if value == "" else value)


def _value_text(value: FeatureValue) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " ".join(value)
    return f"{value + 0.0:.4g}" if isinstance(value, float) else str("" if value is None else value)
