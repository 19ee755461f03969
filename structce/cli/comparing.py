"""``structce compare``: learners side by side on one corpus."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import click

from structce.cli.options import browser_option, format_option, open_for, renderer_option
from structce.experiments import Result, quick, read_experiment, run, summary, to_json, write_report
from structce.learners.progress import quiet


@click.command(
    epilog="Examples:  structce compare news --learners all --by site --seed 7;  "
    "structce compare news --learners multiclass-svm --ablation;  "
    "structce compare experiment.toml --out report"
)
@click.argument("path", metavar="CORPUS|FILE.toml", type=click.Path(exists=True, path_type=Path))
@click.option("--learners", default="all", show_default=True, help="Names with commas, or all.")
@click.option(
    "--by",
    type=click.Choice(["site", "page"]),
    default="site",
    show_default=True,
    help="Keep sites whole in splits, or draw pages alone, which flatters.",
)
@click.option("--seed", default=0, show_default=True, help="The same seed gives the same figures.")
@click.option(
    "--folds",
    type=click.IntRange(3),
    help="Test every page once, in this many folds, instead of one split 50/17/33.",
)
@click.option(
    "--ablation",
    is_flag=True,
    help="Test each learner without each family of features, and with it alone, too.",
)
@click.option(
    "--out",
    default=Path("out/compare"),
    show_default=True,
    type=click.Path(path_type=Path),
    help="Folder to write report.json and report.html to.",
)
@format_option
@renderer_option
@browser_option
def compare(
    path: Path,
    learners: str,
    by: str,
    seed: int,
    folds: int | None,
    ablation: bool,
    out: Path,
    form: str,
    renderer: str | None,
    browser: str | None,
) -> None:
    """Train and test learners on a corpus, tuned on validation sites; print and write the tables.

    A learner that fails is a row that says so, and the command exits with 1. The options on
    learners and splits are for a corpus; an experiment file has its own.
    """
    if path.suffix == ".toml":
        if ablation:
            raise click.UsageError(
                f"--ablation is for a corpus; write 'ablation = true' below [features] in {path}"
            )
        experiment = read_experiment(path)
        source, command = Path(experiment.corpus), ["structce", "compare", str(path)]
    else:
        names = learners.split(",")
        experiment = quick(str(path), names, by=by, seed=seed, folds=folds, ablation=ablation)
        source, command = path, ["structce", "compare", str(path), "--learners", learners]
        command += ["--by", by, "--seed", str(seed)]
        command += [] if folds is None else ["--folds", str(folds)]
        command += ["--ablation"] if ablation else []
    command += [] if renderer is None else ["--renderer", renderer]
    with quiet():  # unfinished solvers are named below the tables, with their gap
        result = run(experiment, open_for(source, renderer, browser))
    write_report(result, out, shlex.join(command))
    _print(result, form)
    click.echo(f"written: {out / 'report.html'}, {out / 'report.json'}", err=True)
    if not result.is_complete:
        raise click.exceptions.Exit(1)


def _print(result: Result, form: str) -> None:
    if form == "json":
        click.echo(json.dumps(to_json(result), ensure_ascii=False, indent=1))
    else:
        click.echo(summary(result))
