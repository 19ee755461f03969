"""``structce report``: show reports, redraw their pages, compare two of them."""

from __future__ import annotations

import json
from pathlib import Path

import click

from structce.cli.messages import FAILED
from structce.cli.options import EXISTING_PATH, FILE, format_option
from structce.errors import ExperimentError
from structce.experiments import (
    diff_reports,
    difference_text,
    figure_files,
    read_report,
    report_page,
    report_plots,
    report_schema,
    report_text,
)
from structce.io import write_all_atomic


@click.group("report")
def report_group() -> None:
    """Show, redraw and compare the reports that 'structce compare' writes."""


@report_group.command(
    "show",
    epilog="Examples:  structce report show report;  "
    "structce report show report --format latex > tables.tex;  "
    "structce report show report/report.json --format json | jq .versions",
)
@click.argument("path", metavar="REPORT", type=EXISTING_PATH)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "markdown", "latex"]),
    default="table",
    help="Tables for the terminal, for a text or for a paper; or the whole report for programs.",
)
def show_report_command(path: Path, form: str) -> None:
    """Print a report on learners or extractors: report.json, or the folder that contains it."""
    click.echo(report_text(read_report(path), form).rstrip("\n"))


@report_group.command(
    "html",
    epilog="Examples:  structce report html report --out page.html;  "
    "structce report html old/report.json --out old.html",
)
@click.argument("path", metavar="REPORT", type=EXISTING_PATH)
@click.option(
    "--out",
    required=True,
    type=FILE,
    metavar="FILE.html",
    help="File to write; an existing one is replaced. Figures go into 'figures' beside it.",
)
def report_html_command(path: Path, out: Path) -> None:
    """Write the page and the figures of a report again, as drawn by this version of structce.

    Pages of the corpus are not drawn: the report does not contain them.
    """
    report = read_report(path)
    plots = report_plots(report)
    figures = {out.parent / name: data for name, data in figure_files(plots).items()}
    write_all_atomic({**figures, out: report_page(report, plots).encode("utf-8")})
    figures_text = f", {len(figures)} figures in {out.parent / 'figures'}" if figures else ""
    click.echo(f"written: {out}{figures_text}", err=True)


@report_group.command(
    "diff",
    epilog="Examples:  structce report diff before after;  "
    "structce report diff before after --format json;  "
    "structce report diff released/report.json out/compare --fail-on-worse",
)
@click.argument("before", type=EXISTING_PATH)
@click.argument("after", type=EXISTING_PATH)
@click.option(
    "--fail-on-worse",
    is_flag=True,
    help="Exit with 1 if a learner is worse in AFTER, or failed only there.",
)
@format_option
def report_diff_command(before: Path, after: Path, fail_on_worse: bool, form: str) -> None:
    """Print how two reports differ, and whether it is more than chance.

    Studies and learners, or extractors, are matched by their names. Those that were measured on the
    same pages are compared page by page; for the others only the numbers are printed, without a
    verdict.
    """
    first, second = read_report(before), read_report(after)
    if first.kind != second.kind:
        raise ExperimentError(f"{before} is on {first.kind}, {after} on {second.kind}")
    difference = diff_reports(first, second)
    click.echo(
        json.dumps(difference, ensure_ascii=False, indent=1)
        if form == "json"
        else difference_text(difference)
    )
    if fail_on_worse and difference["losses"]:
        click.echo(f"worse: {'; '.join(difference['losses'])}", err=True)
        raise FAILED
    if fail_on_worse and not any(subject["test"] for subject in difference["subjects"]):
        click.echo("warning: nothing could be compared page by page", err=True)


@report_group.command(
    "schema", epilog="Examples:  structce report schema;  structce report schema > schema.json"
)
def report_schema_command() -> None:
    """Print the JSON Schema of report.json."""
    click.echo(json.dumps(report_schema(), ensure_ascii=False, indent=1))
