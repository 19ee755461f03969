"""How well titles, authors, dates and texts of articles are read, by every system, on every corpus.

    python3 -m benchmarks.articles collect ../shared/data --out answers
    python3 -m benchmarks.articles table ../shared/data --out answers
    python3 -m benchmarks.articles worst ../shared/data --out answers --field text --corpus fundus
    python3 -m benchmarks.articles page ../shared/data --out answers --file docs/leaderboard.md
    python3 -m benchmarks.articles perturbed ../shared/data --out trials.jsonl

``collect`` asks every installed system for its answers and keeps them; ``table`` compares them
with the gold, and ours with another system, ``worst`` lists the pages on which ours loses most,
``page`` writes the tables of a page of documentation, and ``perturbed`` says how often a right
answer turns wrong when the page around an article changes. The systems in Python are those of the
extra ``peers``, best in a separate environment and without the constraints, because newspaper4k
needs an older python-dateutil; Readability.js and Defuddle need Node, and ``npm install jsdom
linkedom @mozilla/readability defuddle`` in a folder whose ``node_modules`` is then named;
rs-trafilatura needs Python 3.12, whose path PEERS_PYTHON gives. Systems that are not installed have
no row, and the table says why.

Our system is measured by answers that were made separately, by cross-validation over groups of
sites, and put beside the others as ``DATA_SET/VIEW/ours-static.jsonl`` and ``ours-chromium.jsonl``;
``answers.py`` describes a line of them. ``ours-shipped`` is the model that is shipped, which may
have learnt from these very pages: its time counts, the rest of its row does not, and it is never
what is compared with the others unless asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from benchmarks.articles.board import read_board
from benchmarks.articles.collection import Plan, collect
from benchmarks.articles.comparison import compare
from benchmarks.articles.corpora import CORPORA, DATA_SETS
from benchmarks.articles.ours import OTHER_FAVOURS
from benchmarks.articles.pages import fill, page_tables, time_rows
from benchmarks.articles.plots import (
    alternative_text,
    save_completeness_plot,
    save_plot,
)
from benchmarks.articles.report import cell_table, summary, table
from benchmarks.articles.robustness import (
    TrialFile,
    robustness_tables,
    sample_pages,
    trials_of,
)
from benchmarks.articles.scores import MEASURES
from benchmarks.articles.systems import SHIPPED, SYSTEMS, start_runner
from benchmarks.articles.views import VIEWS
from benchmarks.articles.worst import HALVES, worst_pages, worst_table
from structce.io import write_atomic

Command = TypeVar("Command", bound=Callable[..., Any])
_ROBUST = (SHIPPED, "trafilatura", "readability-lxml", "newspaper4k", "htmldate")
_OURS = tuple(name for name, system in SYSTEMS.items() if system.is_ours)


def _names(
    context: click.Context, option: click.Parameter, chosen: tuple[str, ...]
) -> tuple[str, ...]:
    names = tuple(option.type.choices) if isinstance(option.type, click.Choice) else ()
    return chosen or names


def _several(name: str, names: tuple[str, ...], what: str) -> Callable[[Command], Command]:
    return click.option(
        name, multiple=True, type=click.Choice(names), callback=_names, help=f"{what}; all."
    )


@click.group()
def main() -> None:
    """Leaderboard of article extraction."""


@main.command("collect")
@click.argument("data", type=click.Path(exists=True, path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder of answers.")
@_several("--data-set", DATA_SETS, "Data set")
@_several("--view", tuple(VIEWS), "View")
@_several("--system", tuple(SYSTEMS), "System")
@click.option("--limit", default=20.0, show_default=True, help="Processor seconds per page.")
@click.option("--side-by-side", is_flag=True,
              help="Ask all systems page by page, so that times can be compared.")  # fmt: skip
@click.option("--node-modules", type=click.Path(exists=True, path_type=Path),
              help="Folder with jsdom, linkedom, @mozilla/readability, defuddle.")  # fmt: skip
def collect_command(
    data: Path,
    out: Path,
    data_set: tuple[str, ...],
    view: tuple[str, ...],
    system: tuple[str, ...],
    limit: float,
    side_by_side: bool,
    node_modules: Path | None,
) -> None:
    """Collect the answers of systems that are not there yet."""
    plan = Plan(data, out, data_set, view, system, limit, node_modules, side_by_side)
    collect(plan, _say)


_data = click.argument("data", type=click.Path(exists=True, path_type=Path))
_outs = click.option(
    "--out",
    "outs",
    type=click.Path(exists=True, path_type=Path),
    required=True,
    multiple=True,
    help="Folder of answers; if there are several, the last one counts.",
)
_corpora = _several("--corpus", tuple(corpus.name for corpus in CORPORA), "Corpus")
_views = _several("--view", tuple(VIEWS), "View")
_ours = click.option("--ours", default="ours-static", show_default=True, type=click.Choice(_OURS),
                     help="System that is compared with the best of the others.")  # fmt: skip
_against = click.option(
    "--against",
    type=click.Choice(tuple(SYSTEMS)),
    help="System to compare ours with. Default: the best of the others, cell by cell.",
)
_seed = click.option("--seed", default=7, show_default=True, help="Seed of the bootstrap.")


@main.command("table")
@_data
@_outs
@_corpora
@_views
@_ours
@_against
@_seed
def table_command(
    data: Path,
    outs: tuple[Path, ...],
    corpus: tuple[str, ...],
    view: tuple[str, ...],
    ours: str,
    against: str | None,
    seed: int,
) -> None:
    """Compare the answers with the gold, and ours with another system cell by cell."""
    sections = read_board(data, outs, corpus, view, _say)
    cells = compare(sections, ours, seed, against=against)
    click.echo("\n\n".join([summary(sections), cell_table(cells)]))


@main.command("worst")
@_data
@_outs
@_corpora
@click.option("--view", default="stated", show_default=True, type=click.Choice(tuple(VIEWS)))
@_ours
@_against
@click.option(
    "--field",
    required=True,
    type=click.Choice(tuple(MEASURES)),
    help="Measure by which pages are ranked.",
)
@click.option("--n", default=20, show_default=True, help="Pages per corpus.")
@click.option("--half", type=click.Choice(HALVES), help="Half of the sites, by name. Default: all.")
def worst_command(
    data: Path,
    outs: tuple[Path, ...],
    corpus: tuple[str, ...],
    view: str,
    ours: str,
    against: str | None,
    field: str,
    n: int,
    half: str | None,
) -> None:
    """List the pages on which ours loses most, with the lines that make the difference."""
    measure = MEASURES[field]
    sections = read_board(data, outs, corpus, (view,), _say)
    losses = (
        worst_pages(section, ours, measure, n, against=against, half=half) for section in sections
    )
    click.echo("\n\n".join(worst_table(pages) for pages in losses if pages))


@main.command("page")
@_data
@_outs
@_ours
@click.option("--file", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=True,
              help="Page in Markdown, with marks where tables belong.")  # fmt: skip
@click.option("--plot", type=click.Path(path_type=Path), help="File of the plot of all cells.")
@click.option("--curve", type=click.Path(path_type=Path),
              help="File of the plot of completeness against the F1 of words.")  # fmt: skip
@click.option("--times", type=click.Path(exists=True, path_type=Path), multiple=True,
              help="Folder of answers that were timed in one run.")  # fmt: skip
@_seed
def page_command(
    data: Path,
    outs: tuple[Path, ...],
    ours: str,
    file: Path,
    plot: Path | None,
    curve: Path | None,
    times: tuple[Path, ...],
    seed: int,
) -> None:
    """Write all tables of a page of documentation, and its plot."""
    names = tuple(corpus.name for corpus in CORPORA)
    sections = read_board(data, outs, names, ("stated", "bare"), _say)
    cells = compare(sections, ours, seed)
    timed = read_board(data, times, names, ("stated",), _say) if times else sections
    browser = compare(sections, "ours-chromium", seed, against="ours-static")
    tables = page_tables(sections, cells, ours, seed) | {
        "browser": cell_table([cell for cell in browser if cell.view == "stated"]),
        "times": table(list(time_rows(section for section in timed if section.view == "stated"))),
    }
    if plot:
        save_plot(sections, plot, alternative_text(cells), seed)
        tables["plot"] = f"![{alternative_text(cells)}]({plot.name})"
    if curve:
        others = {
            favour: read_board(data, [out / favour for out in outs], names, ("stated",), _say)
            for favour in OTHER_FAVOURS
        }
        save_completeness_plot(sections, others, ours, curve)
    write_atomic(file, fill(file.read_text(encoding="utf-8"), tables).encode())


@main.command("perturbed")
@_data
@click.option("--out", type=click.Path(path_type=Path), required=True, help="File of trials.")
@_several("--data-set", DATA_SETS, "Data set")
@_several("--system", _ROBUST, "System")
@click.option("--pages", default=5, show_default=True, help="Most pages of each data set.")
@click.option("--limit", default=20.0, show_default=True, help="Processor seconds per page.")
@_seed
def perturbed_command(
    data: Path,
    out: Path,
    data_set: tuple[str, ...],
    system: tuple[str, ...],
    pages: int,
    limit: float,
    seed: int,
) -> None:
    """Perturb pages around their gold: how often a right answer turns wrong, per system."""
    chosen, digest = sample_pages(data, data_set, pages, seed)
    file = TrialFile(out)
    for name in system:
        runner = start_runner(SYSTEMS[name], limit, None)
        for page in chosen:
            if not file.has(name, page.id):
                file.add([*trials_of(page, SYSTEMS[name], runner)])
        runner.close()
        _say(f"{name}: {len(chosen)} pages, digest {digest}")
    ids = {page.id for page in chosen}
    trials = [trial for trial in file.trials if trial.page in ids and trial.system in system]
    click.echo(robustness_tables(trials, seed))


def _say(line: str) -> None:
    click.echo(line, err=True)


if __name__ == "__main__":
    main()
