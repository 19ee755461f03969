"""``structce explain``: why regions have their labels."""

from __future__ import annotations

import json

import click
from tabulate import tabulate

from structce.article import PageReader, explain_regions, explained_label, page_head
from structce.cli.inputs import RenderingChoice, render_sources, rendering_options
from structce.cli.label import choose_models
from structce.cli.messages import FAILED, show_error
from structce.cli.options import format_option, json_option, model_option
from structce.errors import SETUP_ERRORS, RenderError, StructceError, page_faults
from structce.labelling import (
    ColumnShare,
    Explanation,
    Share,
    answer_sentence,
    changes_sentence,
    format_signed,
    share_name,
)
from structce.labels import LabelSet
from structce.language import printable

_COLUMN_WIDTH, _TEXT_WIDTH = 48, 76
"""Widths of a column's name and a region's text in the terminal; a row fits into 120 columns."""


@click.command(
    "explain",
    epilog="Examples:  structce explain page.html;  structce explain page.html --label Author "
    "--columns 5;  structce explain page.html --region 12 --json",
)
@click.argument("source", metavar="SRC")
@click.option("--region", "regions", type=int, multiple=True, help="Number of a region, from 0.")
@click.option(
    "--label", help="All regions of this label. Default: Title, unless --region is given."
)
@model_option
@click.option(
    "--columns",
    "n_columns",
    default=10,
    type=click.IntRange(0),
    help="At most this many columns per region.",
)
@format_option
@json_option
@rendering_options
def explain_command(
    source: str, regions: tuple[int, ...], label: str | None, model: str | None, n_columns: int,
    form: str, as_json: bool, rendering: RenderingChoice,
) -> None:  # fmt: skip
    """Explain why regions of a page have their label, not the runner-up, and what would change it.

    Prints for each region what its columns and the labels around it add to the scores of both
    labels; the differences add up to the margin. 'structce label' lists the numbers of regions. A
    page that cannot be labelled is an error, and the command exits with 1. Models with linear
    learners and with boosted-trees can be explained; others, such as networks, are an error.
    """
    if regions and label is not None:
        raise click.UsageError("--region and --label exclude each other")
    form = "json" if as_json else form
    renderer, models = choose_models(model, rendering)
    labeller, name = models.labeller(renderer.name), models.name(renderer.name)
    target = _check_label(label, labeller.label_set)
    reader = PageReader(renderer, models)
    records: list[dict[str, object]] = []
    with renderer, rendering.reader() as read:
        for result in render_sources([source], renderer, read):
            try:
                if result.page is None:
                    raise RenderError(result.error)
                reading = reader(result.page, result.source)
                with page_faults(result.source):
                    explanations = explain_regions(reading, regions, target, n_columns=n_columns)
            except SETUP_ERRORS:
                raise
            except StructceError as error:
                records.append({"source": result.source, "error": str(error)})
                show_error(f"{result.source}: {error}")
                continue
            if not explanations:
                click.echo(f"{result.source}: no region is labelled {target}", err=True)
            head = page_head(result.source, result.page, name)
            records.append({**head, "explanations": [part.as_dict() for part in explanations]})
            for explanation, answer in explanations if form == "table" else ():
                lines = [_explanation_text(explanation, result.source)]
                lines += filter(None, [answer_sentence(explanation.label, answer)])
                click.echo("\n".join([*lines, ""]))
    if form == "json":
        click.echo(json.dumps(records, ensure_ascii=False, indent=1))
    if any("error" in record for record in records):
        raise FAILED


def _explanation_text(explanation: Explanation, source: str) -> str:
    """Return an explanation as a heading, a table and sentences."""
    heading = f"{printable(source)}, region {explanation.region}: {explanation.label}"
    scores = (
        f"confidence {explanation.confidence:.4f}, margin {explanation.margin:.4g} over "
        f"{explanation.runner_up}"
    )
    text = printable(explanation.text, _TEXT_WIDTH) or printable(explanation.xpath)
    lines = [f"{heading} ({scores})", text, ""]
    near = (share for share in explanation.shares if getattr(share, "labels", ()) is not None)
    largest = max((abs(value) for share in near for value in _share_values(share)), default=0.0)
    rows = [_share_row(share, explanation, largest) for share in explanation.shares]
    totals = [sum(_share_values(share)[k] for share in explanation.shares) for k in range(3)]
    rows.append(["sum", "", *(format_signed(total, largest, 3) for total in totals)])
    headers = ["column or context", "value", explanation.label, explanation.runner_up, "difference"]
    alignment = ("left", "right", "right", "right", "right")
    lines.append(tabulate(rows, headers, disable_numparse=True, colalign=alignment))
    lines += ["", *filter(None, [changes_sentence(explanation)]), printable(explanation.sentence)]
    return "\n".join(lines)


def _check_label(label: str | None, label_set: LabelSet) -> str:
    """Return the label to explain; a label that the model lacks is a usage error."""
    if label is None:
        return explained_label(label_set)
    if label not in label_set.names:
        names = ", ".join(label_set.names)
        raise click.BadParameter(f"{label!r}; expected one of {names}", param_hint="--label")
    return label


def _share_values(share: Share) -> tuple[float, float, float]:
    return share.chosen, share.runner_up, share.difference


def _share_row(share: Share, whole: Explanation, largest: float) -> list[str]:
    value = f"{share.value + 0.0:.4g}" if isinstance(share, ColumnShare) else ""
    numbers = [format_signed(number, largest, 3) for number in _share_values(share)]
    return [share_name(share, whole, _COLUMN_WIDTH), value, *numbers]
