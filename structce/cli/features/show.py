"""``structce features show``: values of a feature on a page, as a table and over its picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TypeGuard, cast

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

TEXT_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8f6b00", "#56b4e9", "#5d3a9b")
"""Colours of texts on a picture, the most frequent text first; numbers and truth values have the
first colour. Distinguishable with colour vision deficiencies (after M. Okabe and K. Ito 2008)."""

MIN_TINT, MAX_TINT = 0.04, 0.7
"""Opacity of the lowest and the highest number: visible, and the text below can still be read."""


@click.command(
    "show",
    epilog="Examples:  structce features show dom.depth page.html;  structce features show "
    "text.my-cue page.html --import my_cue.py --picture cue.png",
)
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
            other = "other pages of the site", "layout, which --renderer chromium computes"
            needs = other[feature.needs != "site"]
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

    Numbers are ranked, so that one outlier does not hide the differences between the others.
    False and unknown values have no highlight.
    """
    numbers = sorted({value for value in values if _is_number(value)}, key=float)
    texts = Counter(
        _value_text(value) for value in values if value and isinstance(value, str | list)
    )
    order = sorted(texts, key=lambda text: (-texts[text], text))
    marks: list[Highlight | None] = []
    for value in values:
        text, tint, colour = _value_text(value), 0.3, TEXT_COLOURS[0]
        if _is_number(value):
            rank = (numbers.index(value) + 1) / len(numbers)
            tint = MIN_TINT + (MAX_TINT - MIN_TINT) * rank
        if text in texts:
            colour = TEXT_COLOURS[order.index(text) % len(TEXT_COLOURS)]
        mark = Highlight(printable(text, _TAG_WIDTH), colour, tint, is_inside=True)
        marks.append(None if value is None or value is False or value == [] else mark)
    return marks


def _is_number(value: FeatureValue) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _value_text(value: FeatureValue) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " ".join(value)
    return f"{value + 0.0:.4g}" if isinstance(value, float) else str("" if value is None else value)
