"""``structce bulk``: label crawls of any size into a folder of Parquet files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TextIO

import click

from structce.article import Favour
from structce.bulk import (
    ENGINES,
    BulkSettings,
    EngineName,
    Fleet,
    ParquetColumns,
    estimate_run,
    measure_sample,
    run_bulk,
)
from structce.cli.inputs import RenderingChoice, listed_sources, rendering_options
from structce.cli.messages import FAILED, closing_line, silence_warnings
from structce.cli.options import (
    FOLDER,
    NumberRange,
    format_option,
    from_option,
    model_option,
    print_table,
)
from structce.cli.page_writers import context_option, favour_option


@click.command(
    "bulk",
    epilog="Examples:  structce bulk crawl.warc.gz -o labelled --workers 8;  "
    "structce bulk pages.parquet --html-column content -o labelled --regions;  "
    "structce bulk crawl/ --plan --pages 3e9 --machines 20 --cores 64 --price 1.5",
)
@click.argument("sources", nargs=-1, metavar="SRC...")
@from_option
@click.option(
    "-o",
    "--out",
    type=FOLDER,
    metavar="DIR",
    help="Folder of the tables; an unfinished run in it is continued.",
)
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default=ENGINES[0],
    help="Processes on this machine, or actors on a Ray cluster: that of RAY_ADDRESS, or a new one "
    "on this machine.",
)
@model_option
@favour_option
@click.option("--regions", is_flag=True, help="Add the labelled regions of each page to its row.")
@context_option
@click.option(
    "--spans",
    is_flag=True,
    help="Find the places of values in the source; adds an eighth of the time.",
)
@click.option(
    "--shard-pages",
    type=click.IntRange(1),
    default=BulkSettings.shard_pages,
    metavar="N",
    help="Pages per shard, the unit that is written as one file and repeated as a whole.",
)
@click.option(
    "--html-column",
    default=ParquetColumns.html,
    metavar="NAME",
    help="Column of Parquet sources with the HTML, as text or bytes.",
)
@click.option(
    "--url-column",
    default=ParquetColumns.url,
    metavar="NAME",
    help="Column of Parquet sources with the addresses, if there is one.",
)
@click.option(
    "--plan",
    is_flag=True,
    help="Measure a sample and estimate a run of --pages on --machines; write nothing.",
)
@click.option(
    "--sample", type=click.IntRange(3), default=200, metavar="N", help="Pages that --plan measures."
)
@click.option(
    "--pages",
    "n_pages",
    type=NumberRange(1),
    default=1e6,
    metavar="N",
    help="Pages to plan for.",
)
@click.option(
    "--machines", type=click.IntRange(1), default=1, metavar="M", help="Machines to plan for."
)
@click.option(
    "--cores",
    type=click.IntRange(1),
    default=8,
    metavar="N",
    help="Cores of each machine to plan for.",
)
@click.option(
    "--price",
    type=NumberRange(0),
    default=0.0,
    metavar="P",
    help="Price of a machine for an hour.",
)
@format_option
@rendering_options
def bulk_command(
    sources: tuple[str, ...], lists: tuple[TextIO, ...], out: Path | None, engine: EngineName,
    model: str | None, favour: Favour, regions: bool, context: bool, spans: bool,
    shard_pages: int, html_column: str, url_column: str, plan: bool, sample: int, n_pages: float,
    machines: int, cores: int, price: float, form: str, rendering: RenderingChoice,
) -> None:  # fmt: skip
    """Label crawls into Parquet: WARC and Parquet files, folders, archives, lists of sources.

    DIR gets a table of pages (pages/*.parquet, a row for each page) and a table of failures
    (failed/*.parquet, with the reason). Pages are labelled in shards, each written whole or not at
    all: after an interruption, a crash or a kill, the same command continues with the missing
    shards, and every page appears exactly once. Folders may contain archives. With --network,
    sources may be addresses: of pages, and of WARC and Parquet files in object stores (s3://...).

    Exits with 1 if a page failed, and with 130 after Ctrl-C.
    """
    names = (*sources, *listed_sources(lists))
    if not names:
        raise click.UsageError("Missing argument 'SRC...'.")
    if rendering.record is not None:
        raise click.UsageError("--record is not for bulk work; use 'structce render'")
    settings = BulkSettings(
        model=model,
        renderer=rendering.start().name,
        browser=rendering.browser,
        rendering=rendering.settings,
        favour=favour,
        has_spans=spans,
        has_regions=regions,
        has_context=context,
        shard_pages=shard_pages,
        columns=ParquetColumns(html_column, url_column),
    )
    if plan:
        costs = measure_sample(names, settings, sample)
        print_table(estimate_run(costs, n_pages, Fleet(machines, cores, price)), form)
        return
    if out is None:
        raise click.UsageError("Missing option '-o' / '--out': the folder of the tables.")
    if _run(names, out, settings, engine, rendering.workers):
        raise FAILED


def _run(
    names: tuple[str, ...], out: Path, settings: BulkSettings, engine: EngineName, workers: int
) -> bool:
    """Run with a progress bar; return whether pages failed."""
    from tqdm import tqdm  # late: --plan shows no bar

    silence_warnings()  # of single pages, which may be millions
    with tqdm(desc="pages", unit="page", disable=None, file=sys.stderr) as bar:
        try:
            counts = run_bulk(
                names, out, settings, engine=engine, workers=workers, on_shard=bar.update
            )
        except KeyboardInterrupt:
            bar.close()
            click.echo(
                f"stopped: {bar.n:,} pages are kept in {out}; run the same command to continue",
                err=True,
            )
            raise
    if counts.n_before:
        click.echo(f"{counts.n_before:,} pages were done already", err=True)
    click.echo(closing_line(counts.n_pages, counts.n_failed, counts.seconds), err=True)
    return counts.n_failed > 0
