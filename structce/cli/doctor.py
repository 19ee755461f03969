"""``structce doctor``: what is installed, what is missing, and the commands that fix it.

Separate from ``structce engines`` because it imports nothing that may be missing.
"""

from __future__ import annotations

import contextlib
import json
import sys
from dataclasses import asdict

import click

from structce.doctor import format_checks, is_healthy, run_checks


@click.command("doctor", epilog="Example:  structce doctor --format json")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table")
@click.option("--install-browser", is_flag=True, help="First install a browser if none is found.")
def doctor_command(form: str, install_browser: bool) -> None:
    """Report what is installed, what is missing, and the commands that fix it.

    Exits with 1 if something is missing that structce requires.
    """
    if install_browser:
        _install_browser()
    checks = run_checks()
    if form == "json":
        click.echo(json.dumps([asdict(check) for check in checks], indent=1))
    else:
        click.echo(format_checks(checks))
    if not is_healthy(checks):
        raise click.exceptions.Exit(1)


def _install_browser() -> None:
    """Try every way to install a browser, with progress on standard error."""
    from structce.rendering import browser_command

    with contextlib.redirect_stdout(sys.stderr):
        browser_command(["--install"])
