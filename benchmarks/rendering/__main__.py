"""How fast pages are rendered, what that takes, and how well the two renderers agree.

    python3 -m benchmarks.rendering fundus.zip --out figures

Five parts, on the Fundus fixtures (zip archive or folder) or on a folder of HTML files:

- ``speed``: the chromium renderer beside loops in plain Playwright as people write them, one call
  per element and one call per page; the same browser, scripts off, no network, in turns on the
  same pages; wall-clock time. Collecting is the time from the loaded page to its rows in Python;
  whole is all of it, which for ours alone includes what the page states of itself and the places
  of its regions in the source. Network requests of plain loops fail at once, offline; our pages
  cannot send any. Then pages per second with one worker and two.
- ``static``: processor time by size of page, beside lxml's parser alone, and by part.
- ``memory``: resident memory while many pages are rendered in a row.
- ``recovery``: the browser's main process killed at random moments; every page must come back.
- ``agreement``: regions at the same address with the same text, and why the others differ, by
  what a plain browser and plain lxml have at their addresses.

Lines of progress go to standard error, tables to standard output, all figures to ``figures.json``
and plots as SVG to the folder of ``--out``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, is_dataclass
from importlib.metadata import version
from pathlib import Path

import click

from benchmarks.features.timing import Tell
from benchmarks.learners.report import to_text
from benchmarks.learners.runner import machine
from benchmarks.rendering import agreement, memory, parsing, recovery, report, speed
from benchmarks.rendering.pages import digest, read_documents
from benchmarks.rendering.report import Figures
from structce.errors import StructceError
from structce.rendering.chromium.discovery import find_browser
from structce.rendering.document import Document

PARTS = ("speed", "static", "memory", "recovery", "agreement")


@dataclass(frozen=True)
class Plan:
    """What is measured, and how thoroughly; see the options of the command."""

    parts: tuple[str, ...]
    pages: int | None
    slow_pages: int
    rounds: int
    memory_pages: int
    kills: int
    seed: int
    browser: str | None


def run(documents: Sequence[Document], plan: Plan, tell: Tell) -> Figures:
    """Return the figures of the parts of a plan."""
    figures: Figures = {}
    if "speed" in plan.parts:
        figures["speed"] = speed.measure(
            documents, plan.slow_pages, plan.rounds, plan.browser, tell
        )
    if "static" in plan.parts:
        figures["static"] = parsing.measure(documents, plan.rounds, tell)
    if "memory" in plan.parts:
        figures["memory"] = memory.measure(documents, plan.memory_pages, plan.browser, tell)
    if "recovery" in plan.parts:
        figures["recovery"] = [
            recovery.measure(documents, plan.kills, plan.seed, n, plan.browser, tell)
            for n in speed.WORKERS
        ]
    if "agreement" in plan.parts:
        figures["agreement"] = agreement.measure(documents, plan.browser, tell)
    return figures


def about(plan: Plan) -> dict[str, object]:
    """Return what the figures depend on besides the pages."""
    known = {key: value for key, value in machine().items() if key != "threads"}
    packages = ("lxml", "playwright", "psutil")
    installation = find_browser(plan.browser) if set(plan.parts) - {"static"} else None
    browser = f"{installation.kind} {installation.version}" if installation else ""
    versions = {name: version(name) for name in packages}
    settings = {**asdict(plan), "browser": browser}  # its path is private
    return {"machine": {**known, "rendering": versions}, "plan": settings}


def _chosen(context: click.Context, option: click.Parameter, text: str) -> tuple[str, ...]:
    names = PARTS if text == "all" else tuple(name.strip() for name in text.split(","))
    for name in names:
        if name not in PARTS:
            raise click.BadParameter(f"{name!r} is not one of {', '.join(PARTS)}")
    return names


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    raise TypeError(f"{type(value).__name__} is no JSON")


@click.command()
@click.argument("corpus", type=click.Path(exists=True, path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder of figures.")
@click.option("--parts", default="all", callback=_chosen, help=f"Some of {', '.join(PARTS)}.")
@click.option(
    "--pages", type=click.IntRange(1), help="Number of pages, spread evenly. Default: all."
)
@click.option("--slow-pages", default=5, show_default=True, type=click.IntRange(1),
              help="Pages for the loop of one call per element.")  # fmt: skip
@click.option("--rounds", default=3, show_default=True, type=click.IntRange(1),
              help="Rounds of speed and static.")  # fmt: skip
@click.option("--memory-pages", default=500, show_default=True, type=click.IntRange(1))
@click.option("--kills", default=5, show_default=True, type=click.IntRange(0))
@click.option("--seed", default=0, show_default=True, help="Seed of the moments of kills.")
@click.option("--browser", help="Path of the browser. Default: one that is found.")
def main(
    corpus: Path,
    out: Path,
    parts: tuple[str, ...],
    pages: int | None,
    slow_pages: int,
    rounds: int,
    memory_pages: int,
    kills: int,
    seed: int,
    browser: str | None,
) -> None:
    """Measure how the pages of CORPUS, a zip archive or a folder, are rendered."""
    plan = Plan(parts, pages, slow_pages, rounds, memory_pages, kills, seed, browser)
    try:
        documents = read_documents(corpus, pages)
        figures = run(documents, plan, lambda line: click.echo(line, err=True))
    except StructceError as error:
        raise click.ClickException(str(error)) from error
    facts = {"name": corpus.name, "digest": digest(documents), "n_pages": len(documents)}
    click.echo(f"{corpus.name}: {len(documents)} pages, digest {facts['digest']:.12}\n")
    click.echo(to_text(report.tables(figures)))
    write(out, figures, {**about(plan), "corpus": facts})


def write(out: Path, figures: Figures, facts: dict[str, object]) -> None:
    """Write the plots and ``figures.json`` to a folder."""
    out.mkdir(parents=True, exist_ok=True)
    for name, picture in report.plots(figures):
        (out / f"{name}.svg").write_text(picture, encoding="utf-8")
    everything = {**facts, **figures, "tables": report.tables(figures)}
    text = json.dumps(everything, indent=1, default=_plain)
    (out / "figures.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
