"""``structce mcp``: let a language model read pages and cite them."""

from __future__ import annotations

from pathlib import Path

import click

from structce import mcp
from structce.article import PageReader
from structce.cli import options
from structce.cli.options import RenderingChoice, choose_models
from structce.extras import check_extras
from structce.rendering import NetworkReader, Settings


@click.command("mcp", epilog="Example:  structce mcp saved-pages/")
@click.argument("folder", required=False, type=click.Path(exists=True, file_okay=False))
@options.model_option
@options.favour_option
@options.renderer_option
@options.browser_option
@click.option("--network", is_flag=True, help="Fetch pages that are named by a public address.")
@options.limit_option
@options.page_seconds_option
def command(
    folder: str | None, model: str | None, favour: str, renderer: str | None,
    browser: str | None, network: bool, limits: tuple[str, ...], page_seconds: float,
) -> None:  # fmt: skip
    """Let a language model read the pages of a folder and cite them.

    A server of the Model Context Protocol on standard input and output, which programs such as
    Claude Desktop start by themselves. Its tools: read_page (Markdown within a number of tokens),
    find_quote, explain, regions. Only pages of FOLDER are read, and no link out of it is followed;
    with --network also public addresses.
    """
    check_extras(("mcp",), "structce mcp", "mcp")
    if folder is None and not network:
        raise click.UsageError("nothing to read; give the folder of the pages, or --network")
    settings = Settings(network=network, limits=options.read_limits(limits, page_seconds))
    chosen = RenderingChoice(renderer, browser, settings=settings)
    started, models = choose_models(model, chosen)
    reader = PageReader(started, models, favour=favour)  # type: ignore[arg-type]  # a choice
    fetch = NetworkReader(settings, is_named=False) if network else None
    with mcp.PageTools(reader, Path(folder) if folder else None, fetch) as tools:
        mcp.make_server(tools).run("stdio")
