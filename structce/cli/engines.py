"""``structce engines``: the solvers that train learners, and the optional ones among them."""

from __future__ import annotations

from pathlib import Path

import click

from structce import learners
from structce.cli import options
from structce.cli.messages import show_message

_engine_argument = click.argument("engine", type=click.Choice(["pystruct"]))


@click.group(
    "engines", invoke_without_command=True, epilog="Example:  structce engines add pystruct"
)
@options.format_option
@click.pass_context
def command(context: click.Context, form: str) -> None:
    """List the engines that train the learners, and how to get those that are missing.

    pystruct is a reference for small problems. pip cannot install it on a current Python; `add`
    extracts its modules from the released source.
    """
    if context.invoked_subcommand:
        return
    rows = [engine._asdict() for engine in learners.list_engines()]
    if form == "table":
        for row in rows:
            row["usable"], row["next step"] = "yes" if row["usable"] else "no", row.pop("next_step")
    options.print_table(rows, form)


@command.command("add", epilog="Example:  structce engines add pystruct")
@_engine_argument
@click.option("--archive", type=options.FILE, help="The released archive, if there is no network.")
def add_command(engine: str, archive: Path | None) -> None:
    """Add an engine to this Python environment.

    pip fetches the archive from its configured package index. Only the modules of the released
    archive, verified by its SHA-256, are copied; nothing in it is run.
    """
    if not archive and not learners.pystruct_home().is_dir():
        show_message(f"fetching {learners.PYSTRUCT_ARCHIVE} with pip ...")
    what = "added" if learners.add_pystruct(archive) else "already there"
    click.echo(f"{engine} {learners.PYSTRUCT_VERSION} {what}: {learners.pystruct_home()}")
    for status in learners.list_engines():
        if status.name == engine and status.next_step:
            show_message(f"{status.found}; next: {status.next_step}")


@command.command("remove", epilog="Example:  structce engines remove pystruct")
@_engine_argument
def remove_command(engine: str) -> None:
    """Remove what `add` has installed."""
    what = "removed" if learners.remove_pystruct() else "not there"
    click.echo(f"{engine} {learners.PYSTRUCT_VERSION} {what}: {learners.pystruct_home()}")
