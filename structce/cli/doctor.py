"""``structce doctor``: what is installed, what is missing, and the commands that fix it.

It imports nothing that may be missing.
"""

from __future__ import annotations

import contextlib
import json
import sys
from dataclasses import asdict

import click

from structce.cli.messages import FAILED
from structce.doctor import format_checks, is_healthy, run_checks


@click.command("doctor", epilog="Example:  structce doctor --format json")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table")
@click.option("--install-browser", is_flag=True, help="First install a browser if none is found.")
def command(form: str, install_browser: bool) -> None:
    """Report what is installed, what is missing, and the commands that fix it.

    Exits with 1 if something is missing that structce requires.
    """
    if install_browser:
        from structce.rendering import browser_command

        with contextlib.redirect_stdout(sys.stderr):
            browser_command(["--install"])
    checks = run_checks()
    records = [asdict(check) for check in checks]
    click.echo(json.dumps(records, indent=1) if form == "json" else format_checks(checks))
    if not is_healthy(checks):
        raise FAILED
