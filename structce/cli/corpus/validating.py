"""``structce corpus validate``: is a corpus on disk what it says."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from structce.cli.options import format_option, print_rows
from structce.corpora.validating import validate


@click.command("validate", epilog="Example:  structce corpus validate news --format json")
@click.argument("path", metavar="CORPUS", type=click.Path(path_type=Path))
@format_option
def validate_(path: Path, form: str) -> None:
    """Read every file of a corpus and tell everything that is wrong, errors first.

    Errors: damaged or missing files, labels on no region or outside the set, ids that are no safe
    names of files, matches of regions that are not there, a digest that does not fit. Warnings:
    what is allowed and odd, such as a page without any known label. Exits with 1 on an error.
    """
    findings = sorted(validate(path), key=lambda one: one.level)
    if findings or form == "json":
        print_rows([asdict(one) for one in findings], form)
    n_errors = sum(one.level == "error" for one in findings)
    n_warnings = len(findings) - n_errors
    click.echo(f"{path}: {n_errors} errors, {n_warnings} warnings", err=True)
    if n_errors:
        raise click.exceptions.Exit(1)
