"""``structce features show``: values of a feature on a page, as a table and over its picture."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TypeGuard

import click
import numpy as np
from tabulate import tabulate

from structce.cli.inputs import RenderingChoice, render_sources, rendering_options
from structce.cli.options import FILE, format_option
from structce.errors import RenderError
from structce.features import REGISTRY, Feature, values_of
from structce.io import write_atomic
from structce.language import printable
from structce.page import Page
from structce.rendering import ChromiumRenderer, RenderResult
from structce.visualisation import Highlight, draw_highlights

FeatureValue = bool | float | str | list[str] | None
"""Value of a feature at one region, as JSON; None if it has no value."""

_TEXT_WIDTH, _VALUE_WIDTH, _TAG_WIDTH = 60, 40, 24
"""Widths of a region's text and value in the terminal, and characters of a tag on a picture; a row
fits into 120 columns."""

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
@click.option(
    "--picture",
    type=FILE,
    metavar="FILE.png",
    help="Also draw the values over the page's picture (needs the chromium renderer).",
)
@format_option
@rendering_options
def show_feature_command(
    name: str, source: str, picture: Path | None, form: str, rendering: RenderingChoice
) -> None:
    """Print the value of a feature at every region of a page.

    NAME is a feature's name or its name in the paper, PAGE a file, an address, or - for standard
    input.
    """
    feature = REGISTRY[name]
    renderer = rendering.start()
    if picture is not None and not isinstance(renderer, ChromiumRenderer):
        raise click.UsageError("--picture needs the chromium renderer; see 'structce doctor'")
    with renderer, rendering.reader() as read:
        (result,) = render_sources([source], renderer, read)
        if result.page is None:
            raise RenderError(result.error)
        values = json_values(feature, result.page)
        if not feature.is_known(result.page):
            click.echo(f"warning: {_missing_input(feature, result.page)}", err=True)
        _print_values(values, result.page, form)
        if picture is not None and isinstance(renderer, ChromiumRenderer):
            _write_picture(renderer, result, result.page, values, picture)


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
    return [
        _json_value(value)
        for value in (values.tolist() if isinstance(values, np.ndarray) else values)
    ]


def value_marks(values: Sequence[FeatureValue]) -> list[Highlight | None]:
    """Return the highlights of values: the larger a number, the stronger its tint.

    Numbers are ranked, so that one outlier does not hide the differences between the others.
    False and unknown values have no highlight.
    """
    numbers = sorted({value for value in values if _is_number(value)})
    ranks = {number: (n + 1) / len(numbers) for n, number in enumerate(numbers)}
    texts = Counter(
        _value_text(value) for value in values if value and isinstance(value, str | list)
    )
    order = [text for text, _ in sorted(texts.items(), key=lambda item: (-item[1], item[0]))]
    colours = {text: TEXT_COLOURS[n % len(TEXT_COLOURS)] for n, text in enumerate(order)}
    return [_mark(value, ranks, colours) for value in values]


def _is_number(value: FeatureValue) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _mark(
    value: FeatureValue, ranks: dict[float, float], colours: dict[str, str]
) -> Highlight | None:
    if value is None or value is False or value == []:
        return None
    text = _value_text(value)
    tint = 0.3
    if _is_number(value):
        tint = MIN_TINT + (MAX_TINT - MIN_TINT) * ranks[value]
    return Highlight(
        printable(text, _TAG_WIDTH), colours.get(text, TEXT_COLOURS[0]), tint, is_inside=True
    )


def _json_value(value: object) -> FeatureValue:
    if value is None or isinstance(value, str):
        return value or None
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, int | float):
        return value if np.isfinite(value) else None
    return sorted(value) if isinstance(value, Collection) else str(value)


def _value_text(value: FeatureValue) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " ".join(value)
    return f"{value + 0.0:.4g}" if isinstance(value, float) else str(value)


def _print_values(values: Sequence[FeatureValue], page: Page, form: str) -> None:
    rows: list[dict[str, object]] = [
        {"index": i, "value": value, "tag": region.tag, "text": region.text}
        for i, (value, region) in enumerate(zip(values, page, strict=True))
    ]
    if form == "json":
        click.echo(json.dumps(rows, ensure_ascii=False, indent=1))
        return
    for row, value in zip(rows, values, strict=True):
        row["value"] = printable(_value_text(value), _VALUE_WIDTH)
        row["text"] = printable(str(row["text"]), _TEXT_WIDTH)
    cells = [list(row.values()) for row in rows]
    click.echo(tabulate(cells, ["index", "value", "tag", "text"], disable_numparse=True))


def _missing_input(feature: Feature, page: Page) -> str:
    """Return why a feature has no values on a page."""
    if feature.needs == "site":
        return f"{feature.name} needs other pages of the site, so it has no values on a single page"
    return (
        f"{feature.name} needs layout, which the {page.renderer} renderer does not compute; "
        "use --renderer chromium"
    )


def _write_picture(
    renderer: ChromiumRenderer,
    result: RenderResult,
    page: Page,
    values: Sequence[FeatureValue],
    path: Path,
) -> None:
    write_atomic(path, draw_highlights(renderer, result.document, page, value_marks(values)))
    click.echo(f"written: {path}", err=True)
