"""``structce doctor``: what is installed, and what mends what is missing.

Imports nothing that may be missing.
"""

from __future__ import annotations

import contextlib
import json
import sys

import click

from structce.doctor import as_json, as_text, examine, is_healthy


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
    findings = examine()
    if form == "json":
        click.echo(json.dumps(as_json(findings), indent=1))
    else:
        click.echo(as_text(findings))
    if not is_healthy(findings):
        raise click.exceptions.Exit(1)


def _install_browser() -> None:
    """Try every way to get a browser, and say on standard error how each went."""
    from structce.rendering import browsers  # may import what is missing

    with contextlib.redirect_stdout(sys.stderr):
        browsers.main(["--install"])
