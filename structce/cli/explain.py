"""``structce explain``: why regions have their labels."""

from __future__ import annotations

from collections.abc import Sequence

import click
from tabulate import tabulate

from structce import labelling
from structce.article import (
    PageReader,
    explain_regions,
    explained_label,
    page_head,
    page_loaders,
)
from structce.cli import options
from structce.cli.inputs import RenderingChoice, choose_models, rendering_options
from structce.cli.messages import FAILED, show_error, show_message
from structce.errors import SETUP_ERRORS, RenderError, StructceError, page_faults
from structce.language import printable
from structce.rendering import render_all

_COLUMN_WIDTH, _TEXT_WIDTH = 48, 76
"""Widths of a column's name and a region's text in the terminal; a row fits into 120 columns."""


@click.command("explain", epilog="Example:  structce explain page.html")
@click.argument("source", metavar="SRC")
@click.option("--region", "regions", type=int, multiple=True, help="Number of a region, from 0.")
@click.option("--label", help="All regions of this label. Default: Title, without --region.")
@options.model_option
@click.option("--columns", default=10, type=click.IntRange(0), help="Columns per region, at most.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array for programs.")
@rendering_options
def command(
    source: str, regions: tuple[int, ...], label: str | None, model: str | None, columns: int,
    as_json: bool, chosen: RenderingChoice,
) -> None:  # fmt: skip
    """Explain why regions of a page have their label, not the runner-up, and what would change it.

    Prints for each region what its columns and the labels around it add to the scores of both
    labels; the differences add up to the margin. 'structce label' lists the numbers of regions.
    Models with linear learners and with boosted-trees can be explained.
    """
    if regions and label is not None:
        raise click.UsageError("--region and --label exclude each other")
    renderer, models = choose_models(model, chosen)
    labeller, name = models.labeller(renderer.name), models.name(renderer.name)
    target = explained_label(labeller.label_set) if label is None else label
    if target not in labeller.label_set.names:
        names = ", ".join(labeller.label_set.names)
        raise click.BadParameter(f"{label!r}; expected one of {names}", param_hint="--label")
    reader, records = PageReader(renderer, models), list[dict[str, object]]()
    with renderer, chosen.reader() as read:
        for result in render_all(page_loaders([source], read), renderer):
            try:
                if result.page is None:
                    raise RenderError(result.error)
                reading = reader(result.page, result.source)
                with page_faults(result.source):
                    explanations = explain_regions(reading, regions, target, n_columns=columns)
            except SETUP_ERRORS:
                raise
            except StructceError as error:
                records.append({"source": result.source, "error": str(error)})
                show_error(f"{result.source}: {error}")
                continue
            if not explanations:
                show_message(f"{result.source}: no region is labelled {target}")
            head = page_head(result.source, result.page, name)
            records.append({**head, "explanations": [part.as_dict() for part in explanations]})
            for explanation, answer in () if as_json else explanations:
                click.echo(_explanation_text(explanation, answer, result.source))
    if as_json:
        options.print_json(records)
    if any("error" in record for record in records):
        raise FAILED


def _explanation_text(why: labelling.Explanation, answer: str, source: str) -> str:
    """Return an explanation as a heading, a table and sentences."""
    rows: list[tuple[str, str, Sequence[float]]] = []
    largest = 0.0
    for share in why.shares:
        value = f"{share.value + 0.0:.4g}" if isinstance(share, labelling.ColumnShare) else ""
        numbers = share.chosen, share.runner_up, share.difference
        rows.append((labelling.share_name(share, why, _COLUMN_WIDTH), value, numbers))
        if getattr(share, "labels", ()) is not None:
            largest = max(largest, *map(abs, numbers))
    rows.append(("sum", "", [sum(row[2][n] for row in rows) for n in range(3)]))
    cells = [
        [name, value, *(labelling.format_signed(x, largest, 3) for x in numbers)]
        for name, value, numbers in rows
    ]
    headers = ["column or context", "value", why.label, why.runner_up, "difference"]
    sentences = [
        labelling.changes_sentence(why),
        printable(why.sentence),
        labelling.answer_sentence(why.label, answer),
    ]
    lines = [
        f"{printable(source)}, region {why.region}: {why.label} (confidence {why.confidence:.4f}, "
        f"margin {why.margin:.4g} over {why.runner_up})",
        printable(why.text, _TEXT_WIDTH) or printable(why.xpath),
        "",
        tabulate(cells, headers, disable_numparse=True, colalign=("left", *["right"] * 4)),
        "",
    ]
    return "\n".join([*lines, *filter(None, sentences), ""])
