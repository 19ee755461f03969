"""``structce compare``: compare learners on a corpus, or run an experiment file of either kind."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import TypeVar

import click
from click.core import ParameterSource

from structce import experiments
from structce.cli import options
from structce.cli.messages import FAILED, INTERRUPTED, show_message
from structce.cli.options import RenderingChoice
from structce.corpus import Corpus

_CORPUS_OPTIONS = tuple("learners by seed folds repeats ablation learning_curve".split())
"""Options for a corpus; an experiment file has its own settings instead."""

_LEARNER_OPTIONS = (*_CORPUS_OPTIONS, "renderer")
"""Options of experiments with learners; those with extractors read raw pages."""

_Command = TypeVar("_Command", bound=Callable[..., object])


def run_options(folder: str) -> Callable[[_Command], _Command]:
    """Return the options of a run, whose report is written to a folder by default."""
    chosen = (
        click.option("--set", "overrides", multiple=True, help="Change one value, as seed=3."),
        click.option(
            "--jobs", type=click.IntRange(-1), default=1, help="Jobs at once; -1 for all cores."
        ),
        click.option(
            "--out",
            default=Path(folder),
            type=options.PATH,
            help="Folder for the report and finished jobs, from which the same command continues.",
        ),
        click.option("--afresh", is_flag=True, help="Run all jobs again, including finished ones."),
        options.format_option,
    )
    return lambda command: reduce(lambda inner, option: option(inner), reversed(chosen), command)


@click.command(
    "compare", epilog="Example:  structce compare news --learners all --by site --seed 7"
)
@click.argument("name", metavar="CORPUS|FILE.toml|NAME")
@click.option("--learners", default="all", help="Comma-separated names, or all.")
@click.option(
    "--by", multiple=True, type=click.Choice(["site", "page", "time"]), help="Kind of the splits."
)
@options.seed_option
@click.option("--folds", type=click.IntRange(3), help="Test every page once, in so many folds.")
@click.option("--repeats", type=options.COUNT, default=1, help="Number of splits to draw.")
@click.option("--ablation", is_flag=True, help="Also leave out each family, or all others.")
@click.option(
    "--learning-curve",
    callback=lambda _context, _option, text: _shares(text),
    help="Also train on these shares of the sites, as 0.1,0.3,0.6.",
)
@run_options("out/compare")
@options.renderer_option
@click.pass_context
def command(
    context: click.Context, /, out: Path, afresh: bool, form: str, jobs: int,
    renderer: str | None, **_: object,
) -> None:  # fmt: skip
    """Train and test learners on a corpus, tuned on validation sites; print and write the tables.

    NAME is an experiment that ships with structce, such as spengler2010 or gottron2007. A failed
    job is a row of the report, and the command exits with 1. The options on learners and splits
    apply to a corpus; an experiment file has its own settings, and --set changes them. A file with
    tables [package.NAME] and [method.NAME] compares content extractors on test packages.
    """

    def open_corpus(path: str, usual: str) -> Corpus:
        return RenderingChoice(usual or renderer).open_corpus(Path(path))

    run_experiment(_experiment(context), open_corpus, out=out, afresh=afresh, form=form, jobs=jobs)


def run_experiment(
    experiment: experiments.Experiment | experiments.ExtractionExperiment,
    open_corpus: Callable[[str, str], Corpus] | None,
    *,
    out: Path,
    afresh: bool,
    form: str,
    jobs: int,
) -> None:
    """Run an experiment, print its report and write it; exit with 1 if a job failed."""
    journal = out / "jobs.jsonl"
    if afresh:
        journal.unlink(missing_ok=True)
    try:
        report = experiments.run(
            experiment,
            open_corpus,
            n_jobs=jobs,
            journal=journal,
            command=shlex.join(["structce", *sys.argv[1:]]),
        )
        experiments.write_report(report, out, experiments.report_files(report))
        click.echo(experiments.report_text(report, form), nl=form != "json")
    except KeyboardInterrupt:
        kept = f"interrupted: finished jobs are kept in {journal}"
        show_message(f"{kept}; run the same command to continue")
        raise INTERRUPTED from None
    show_message(f"written: {out / 'report.html'}, {out / 'report.json'}")
    if not report.is_complete:
        raise FAILED


def _experiment(
    context: click.Context,
) -> experiments.Experiment | experiments.ExtractionExperiment:
    """Return the experiment of a file, or the one that the options describe for a corpus."""
    given = context.params
    path = _find(given["name"])
    if path.suffix == ".toml":
        experiment = experiments.read_experiment(path, overrides=given["overrides"])
        is_extraction = isinstance(experiment, experiments.ExtractionExperiment)
        for name in _LEARNER_OPTIONS if is_extraction else _CORPUS_OPTIONS:
            if context.get_parameter_source(name) == ParameterSource.COMMANDLINE:
                what = "content extractors" if is_extraction else f"{path}: use --set"
                option = name.replace("_", "-")
                raise click.UsageError(f"--{option} does not apply to {what}")
        return experiment
    values: dict[str, object] = {
        "seed": given["seed"],
        "splits.by": list(given["by"]),
        "splits.repeats": given["repeats"],
        "splits.folds": given["folds"] or [],
        "features.ablation": given["ablation"],
        "learning_curve": given["learning_curve"],
    }
    settings = [
        f"{key}={json.dumps(value, ensure_ascii=False)}"
        for key, value in values.items()
        if value != []
    ]
    learners = given["learners"].split(",")
    return experiments.quick(str(path), learners, overrides=[*settings, *given["overrides"]])


def _shares(text: str | None) -> list[float]:
    try:
        return [float(share) for share in text.split(",")] if text else []
    except ValueError:
        raise click.BadParameter(f"{text!r}; expected 0.1,0.3,...") from None


def _find(name: str) -> Path:
    """Return the path of a corpus or an experiment file, which may be a shipped one."""
    shipped = {file.stem: file for file in experiments.shipped_experiments()}
    if not Path(name).exists() and name not in shipped:
        names = ", ".join(sorted(shipped))
        raise click.BadParameter(f"{name!r} is not a corpus, a file or one of {names}")
    return Path(name) if Path(name).exists() else shipped[name]
