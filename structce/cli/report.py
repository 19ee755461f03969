"""``structce report``: show reports, and compare two of them."""

from __future__ import annotations

from pathlib import Path

import click

from structce import experiments
from structce.cli import options
from structce.cli.messages import FAILED, show_message
from structce.errors import ExperimentError


@click.group("report")
def command() -> None:
    """Show and compare the reports that 'structce compare' writes."""


@command.command("show", epilog="Example:  structce report show report --format latex > tables.tex")
@click.argument("path", metavar="REPORT", type=options.EXISTING_PATH)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "markdown", "latex"]),
    default="table",
    help="Tables for the terminal, for a text or for a paper; or the whole report for programs.",
)
def show_command(path: Path, form: str) -> None:
    """Print a report on learners or extractors: report.json, or the folder that contains it."""
    click.echo(experiments.report_text(experiments.read_report(path), form).rstrip("\n"))


@command.command(
    "diff", epilog="Example:  structce report diff released/report.json report --fail-on-worse"
)
@click.argument("before", type=options.EXISTING_PATH)
@click.argument("after", type=options.EXISTING_PATH)
@click.option("--fail-on-worse", is_flag=True, help="Exit with 1 if a learner is worse in AFTER.")
@options.format_option
def diff_command(before: Path, after: Path, fail_on_worse: bool, form: str) -> None:
    """Print how two reports differ, and whether it is more than chance.

    Studies and learners, or extractors, are matched by their names. Those that were measured on the
    same pages are compared page by page; for the others only the numbers are printed, without a
    verdict.
    """
    first, second = experiments.read_report(before), experiments.read_report(after)
    if first.kind != second.kind:
        raise ExperimentError(f"{before} is on {first.kind}, {after} on {second.kind}")
    difference = experiments.diff_reports(first, second)
    if form == "json":
        options.print_json(difference)
    else:
        click.echo(experiments.difference_text(difference))
    if fail_on_worse and difference["losses"]:
        show_message(f"worse: {'; '.join(difference['losses'])}")
        raise FAILED
    if fail_on_worse and not any(subject["test"] for subject in difference["subjects"]):
        show_message("warning: nothing could be compared page by page")
