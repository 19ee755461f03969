"""``structce doctor``: what is installed, what is missing, and the commands that fix it.

It imports nothing that may be missing.
"""

from __future__ import annotations

import contextlib
import json
import sys
from dataclasses import asdict
from pathlib import Path

import click

from structce.cli.messages import FAILED, show_message
from structce.doctor import format_checks, is_healthy, run_checks


@click.command("doctor", epilog="Example:  structce doctor --format json")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table")
@click.option("--install-browser", is_flag=True, help="First install a browser if none is found.")
@click.option(
    "--install-pystruct",
    "archive",
    is_flag=False,
    flag_value="",
    metavar="[ARCHIVE]",
    help="First install the reference engine pystruct, which pip fetches if no archive is given.",
)
def command(form: str, install_browser: bool, archive: str | None) -> None:
    """Report what is installed, what is missing, and the commands that fix it.

    Exits with 1 if something is missing that structce requires. Of pystruct only the modules of the
    released archive, verified by its SHA-256, are copied; nothing in it is run.
    """
    if install_browser:
        from structce.rendering import browser_command

        with contextlib.redirect_stdout(sys.stderr):
            browser_command(["--install"])
    if archive is not None:
        from structce import learners

        added = learners.add_pystruct(Path(archive) if archive else None)
        show_message(
            f"pystruct {'added' if added else 'already there'}: {learners.pystruct_home()}"
        )
    checks = run_checks()
    records = [asdict(check) for check in checks]
    click.echo(json.dumps(records, indent=1) if form == "json" else format_checks(checks))
    if not is_healthy(checks):
        raise FAILED
