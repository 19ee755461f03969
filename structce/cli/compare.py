"""``structce compare``: compare learners on a corpus, or run an experiment file of either kind."""

from __future__ import annotations

import shlex
from pathlib import Path

import click
from click.core import ParameterSource

from structce.cli.corpus_options import CorpusOpener
from structce.cli.messages import FAILED, INTERRUPTED
from structce.cli.options import (
    EXISTING_FILE,
    PATH,
    browser_option,
    format_option,
    renderer_option,
)
from structce.corpus import Corpus, Split
from structce.experiments import (
    BACKENDS,
    MEASURES,
    Backend,
    Experiment,
    ExtractionExperiment,
    quick,
    read_experiment,
    report_files,
    report_text,
    run,
    shipped_experiments,
    write_report,
)
from structce.features import import_sources

_CORPUS_OPTIONS = tuple(
    "learners by seed folds repeats split measure ablation learning_curve".split()
)
"""Options for a corpus; an experiment file has its own settings instead."""

_LEARNER_OPTIONS = (*_CORPUS_OPTIONS, "engine", "renderer", "browser")
"""Options of experiments with learners; those with extractors read raw pages, on this machine."""

_JOURNAL = "jobs.sqlite"
"""Journal of finished jobs, inside the folder of the report."""


class ExperimentPath(click.Path):
    """Path of a corpus or an experiment file, or the name of a shipped experiment."""

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Path:
        """Return the path; a name that is neither is a usage error."""
        path = Path(str(value))
        if not path.exists():
            shipped = {file.stem: file for file in shipped_experiments()}
            if str(value) not in shipped:
                names = ", ".join(sorted(shipped))
                self.fail(f"{value!r} is not a corpus, a file or one of {names}.", param, ctx)
            return shipped[str(value)]
        return path


@click.command(
    "compare",
    epilog="Examples:  structce compare news --learners all --by site --seed 7;  "
    "structce compare experiments/spengler2010.toml --out report --jobs 2;  "
    "structce compare experiments/ablation.toml --set corpus=news --set seed=3;  "
    "structce compare gottron2007 --set data=FOLDER --set pages=20",
)
@click.argument("path", metavar="CORPUS|FILE.toml|NAME", type=ExperimentPath(path_type=Path))
@click.option("--learners", default="all", help="Comma-separated names, or all.")
@click.option(
    "--by",
    multiple=True,
    type=click.Choice(["site", "page", "time"]),
    help="Keep sites whole in splits (the default), or draw single pages, which flatters the "
    "figures, or test on the newest pages. Repeat for several.",
)
@click.option("--seed", default=0, help="The same seed gives the same figures.")
@click.option(
    "--folds",
    type=click.IntRange(3),
    help="Test every page once, in this many folds, instead of one 50/17/33 split.",
)
@click.option("--repeats", type=click.IntRange(1), default=1, help="Number of splits to draw.")
@click.option(
    "--split",
    type=EXISTING_FILE,
    help="Use a stored split, as written by 'structce corpus split', with the parts train, "
    "validation and test.",
)
@click.option(
    "--measure",
    type=click.Choice(MEASURES),
    default=MEASURES[0],
    help="Measure that hyper-parameters are chosen by, on validation pages.",
)
@click.option(
    "--ablation",
    is_flag=True,
    help="Also test each learner without each family of features, and with it alone.",
)
@click.option(
    "--learning-curve",
    metavar="SHARES",
    help="Also test each learner trained on these shares of the sites, such as 0.1,0.3,0.6.",
)
@click.option(
    "--set",
    "overrides",
    multiple=True,
    metavar="PATH=VALUE",
    help="Change one value of the experiment; repeat for several: learner.greedy-svm.context=5.",
)
@click.option(
    "--engine",
    type=click.Choice(BACKENDS),
    default=BACKENDS[0],
    help="Where jobs run: on this machine or on a Ray cluster. The figures are the same.",
)
@click.option(
    "--jobs",
    type=click.IntRange(-1),
    default=1,
    help="Number of parallel jobs; -1 for one per processor.",
)
@click.option(
    "--out",
    default=Path("out/compare"),
    type=PATH,
    help="Folder to write report.json, report.html, tables, figures and predictions to. Finished "
    "jobs are kept there: run the same command again to continue after an interruption.",
)
@click.option("--afresh", is_flag=True, help="Run all jobs again, including finished ones.")
@format_option
@renderer_option
@browser_option
@click.pass_context
def compare_command(
    context: click.Context, /, path: Path, out: Path, afresh: bool, **_: object
) -> None:
    """Train and test learners on a corpus, tuned on validation sites; print and write the tables.

    NAME is an experiment that ships with structce, such as spengler2010 or gottron2007.

    A failed job is a row of the report, and the command exits with 1. The options on learners and
    splits apply to a corpus; an experiment file has its own settings, and --set changes them.

    A file with tables [package.NAME] and [method.NAME] compares content extractors on test
    packages instead: nothing is trained, and a job is one method on one page.
    """
    options = context.params
    experiment = _read_experiment_or_options(context)
    journal = out / _JOURNAL
    if afresh:
        journal.unlink(missing_ok=True)

    def open_corpus(path: str, renderer: str) -> Corpus:
        return CorpusOpener(renderer, options["browser"]).open(Path(path), options["renderer"])

    try:
        result = run(
            experiment,
            open_corpus,
            backend=Backend(options["engine"], options["jobs"]),
            journal=journal,
            command=_command_line(context),
        )
        report, form = result.report, options["form"]
        write_report(report, out, report_files(report, result.pictures, result.tables))
        click.echo(report_text(report, form), nl=form != "json")
    except KeyboardInterrupt:
        click.echo(
            f"interrupted: finished jobs are kept in {journal}; run the same command to continue",
            err=True,
        )
        raise INTERRUPTED from None
    click.echo(f"written: {out / 'report.html'}, {out / 'report.json'}", err=True)
    if not report.is_complete:
        raise FAILED


def _read_experiment_or_options(context: click.Context) -> Experiment | ExtractionExperiment:
    """Return the experiment of a file, or the one that the options describe for a corpus."""
    options = context.params
    path, overrides = options["path"], options["overrides"]
    if path.suffix == ".toml":
        experiment = read_experiment(path, overrides=overrides)
        _check_options(context, experiment)
        return experiment
    split = options["split"]
    usual_by = Split.load(split).by if split else "site"
    return quick(
        str(path),
        options["learners"].split(","),
        by=options["by"] or (usual_by,),
        seed=options["seed"],
        folds=options["folds"],
        repeats=options["repeats"],
        split_file=str(split) if split else "",
        ablation=options["ablation"],
        learning_curve=_parse_shares(options["learning_curve"]),
        measure=options["measure"],
        overrides=overrides,
    )


def _check_options(context: click.Context, experiment: Experiment | ExtractionExperiment) -> None:
    """Raise a usage error if an option does not apply to an experiment of a file."""
    is_extraction = isinstance(experiment, ExtractionExperiment)
    options = _LEARNER_OPTIONS if is_extraction else _CORPUS_OPTIONS
    for option in (name.replace("_", "-") for name in options if _is_given(context, name)):
        if is_extraction:
            raise click.UsageError(f"--{option} does not apply to content extractors")
        raise click.UsageError(
            f"--{option} is for a corpus; {context.params['path']} has its own settings: "
            "change it, or use --set, such as --set seed=3"
        )


def _parse_shares(text: str | None) -> tuple[float, ...]:
    try:
        return tuple(float(share) for share in text.split(",")) if text else ()
    except ValueError:
        raise click.BadParameter(
            f"--learning-curve {text!r}; expected comma-separated shares, such as 0.1,0.3"
        ) from None


def _command_line(context: click.Context) -> str:
    """Return the command line that repeats the experiment, without options for output and speed."""
    words = ["structce", "compare", str(context.params["path"])]
    for file in import_sources():
        words += ["--import", file]
    for name in (*_CORPUS_OPTIONS, "overrides", "renderer"):
        if _is_given(context, name):
            option = "--set" if name == "overrides" else f"--{name.replace('_', '-')}"
            value = context.params[name]
            if value is True:
                words.append(option)
                continue
            for item in value if isinstance(value, tuple) else (value,):
                words += [option, str(item)]
    return shlex.join(words)


def _is_given(context: click.Context, name: str) -> bool:
    return context.get_parameter_source(name) == ParameterSource.COMMANDLINE
