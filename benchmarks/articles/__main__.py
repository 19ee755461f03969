"""How well titles, authors, dates and texts of articles are read, by every system, on every corpus.

    python3 -m benchmarks.articles collect ../shared/data --out answers
    python3 -m benchmarks.articles table ../shared/data --out answers

``collect`` asks every system that is here for its answers and keeps them; ``table`` compares them
with the gold. The systems in Python are those of the extra ``peers``, best in an environment of
their own and without the constraints, as newspaper4k wants an older python-dateutil; Readability.js
and Defuddle need Node, and ``npm install jsdom linkedom @mozilla/readability defuddle`` in a folder
whose ``node_modules`` is then named. What is not here has no row, and the table says why.

Ours is measured by answers that were made elsewhere, by cross-validation over groups of sites, and
put beside the others as ``DATA_SET/VIEW/ours-static.jsonl`` and ``ours-chromium.jsonl``; see
``answers.py`` for a line of them. ``ours-shipped`` is the model that is shipped, which may have
learnt from these very pages: its time counts, the rest of its row does not, and it is never what
is compared with the others unless asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from benchmarks.articles.board import read_board
from benchmarks.articles.collection import Plan, collect
from benchmarks.articles.corpora import CORPORA, DATA_SETS
from benchmarks.articles.plots import save_plot
from benchmarks.articles.report import figures, markdown, worst_pages, worst_table
from benchmarks.articles.scores import MEASURES
from benchmarks.articles.systems import SYSTEMS
from benchmarks.articles.views import VIEWS
from structce.io import encode_json, write_atomic

Command = TypeVar("Command", bound=Callable[..., Any])
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
@click.option("--limit", default=20.0, show_default=True, help="Processor seconds a page.")
@click.option("--node-modules", type=click.Path(exists=True, path_type=Path),
              help="Folder of npm: jsdom, linkedom, @mozilla/readability, defuddle.")  # fmt: skip
def collect_command(
    data: Path,
    out: Path,
    data_set: tuple[str, ...],
    view: tuple[str, ...],
    system: tuple[str, ...],
    limit: float,
    node_modules: Path | None,
) -> None:
    """Collect the answers of systems that are not there yet."""
    plan = Plan(data, out, data_set, view, system, limit, node_modules)
    collect(plan, lambda line: click.echo(line, err=True))


@main.command("table")
@click.argument("data", type=click.Path(exists=True, path_type=Path))
@click.option("--out", type=click.Path(exists=True, path_type=Path), required=True,
              help="Folder of answers.")  # fmt: skip
@_several("--corpus", tuple(corpus.name for corpus in CORPORA), "Corpus")
@_several("--view", tuple(VIEWS), "View")
@click.option("--ours", default="ours-static", show_default=True, type=click.Choice(_OURS),
              help="What is compared with the best of the others.")  # fmt: skip
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="File of all figures.")
@click.option("--plot", type=click.Path(path_type=Path), help="File of the plot: .png or .svg.")
@click.option("--twenty-worst", type=click.Choice(tuple(MEASURES)),
              help="List the pages on which ours loses most, instead of tables.")  # fmt: skip
@click.option("--seed", default=7, show_default=True, help="Of the bootstrap.")
def table_command(
    data: Path,
    out: Path,
    corpus: tuple[str, ...],
    view: tuple[str, ...],
    ours: str,
    json_file: Path | None,
    plot: Path | None,
    twenty_worst: str | None,
    seed: int,
) -> None:
    """Compare the answers with the gold: Markdown to standard output, all figures to files."""
    sections = read_board(data, out, corpus, view, lambda line: click.echo(line, err=True))
    if json_file:
        write_atomic(json_file, encode_json(figures(sections, ours, seed)))
    if plot:
        save_plot(sections, plot)
    if twenty_worst:
        found = (worst_pages(one, ours, MEASURES[twenty_worst], 20) for one in sections)
        click.echo("\n\n".join(worst_table(pages) for pages in found if pages))
    else:
        click.echo(markdown(sections, ours, seed))


if __name__ == "__main__":
    main()
