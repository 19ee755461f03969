"""``structce bulk``: label crawls of any size into a folder of Parquet files."""

from __future__ import annotations

import logging
import sys
from functools import partial
from pathlib import Path
from typing import TextIO

import click
from tqdm import tqdm

from structce import bulk
from structce.article import Favour, SiteRules
from structce.cli import options
from structce.cli.messages import FAILED, closing_line, show_message
from structce.cli.options import RenderingChoice, rendering_options, source_names


@click.command("bulk", epilog="Example:  structce bulk crawl.warc.gz -o labelled --workers 8")
@click.argument("sources", nargs=-1, metavar="SRC...")
@options.from_option
@click.option("-o", "--out", required=True, type=options.FOLDER, help="Folder of the tables.")
@click.option(
    "--engine", type=click.Choice(bulk.ENGINES), default="local", help="Processes, or Ray actors."
)
@options.model_option
@options.favour_option
@options.rules_option
@click.option("--regions", is_flag=True, help="Add labelled regions and places to each row.")
@click.option(
    "--chunks",
    type=options.COUNT,
    metavar="WORDS",
    help="Also write a table of chunks of up to so many words, for search; finds their places.",
)
@options.context_option
@click.option("--html-column", default="html", help="Column of Parquet sources with the HTML.")
@click.option("--url-column", default="url", help="Column with the addresses, if there is one.")
@rendering_options
def command(
    sources: tuple[str, ...], lists: tuple[TextIO, ...], out: Path,
    engine: bulk.EngineName, model: str | None, favour: Favour, rules: tuple[SiteRules, ...],
    regions: bool, chunks: int | None, context: bool, html_column: str, url_column: str,
    chosen: RenderingChoice,
) -> None:  # fmt: skip
    """Label crawls into Parquet: WARC and Parquet files, folders, archives, lists of sources.

    The folder gets a table of pages and a table of failures. Pages are labelled in shards, each
    written whole or not at all: after an interruption the same command continues with the missing
    shards. With --network, sources may be addresses. Exits with 1 if a page failed.
    """
    names = tuple(source_names(sources, lists))
    settings = bulk.BulkSettings(
        model, chosen.start().name, chosen.settings, favour, rules, regions, context, chunks or 0,
        columns=bulk.ParquetColumns(html_column, url_column),
    )  # fmt: skip
    logger = logging.getLogger("structce")
    click.get_current_context().call_on_close(partial(logger.setLevel, logger.level))
    logger.setLevel(logging.ERROR)  # no warnings about single pages, which may be millions
    with tqdm(desc="pages", unit="page", disable=None, file=sys.stderr) as bar:
        try:
            counts = bulk.run_bulk(
                names, out, settings, engine=engine, workers=chosen.workers, on_shard=bar.update
            )
        except KeyboardInterrupt:
            bar.close()
            kept = f"stopped: {bar.n:,} pages are kept in {out}"
            show_message(f"{kept}; run the same command to continue")
            raise
    if counts.n_before:
        show_message(f"{counts.n_before:,} pages were done already")
    show_message(closing_line(counts.n_pages, counts.n_failed, counts.seconds))
    if counts.n_failed:
        raise FAILED
