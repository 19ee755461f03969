"""How fast pages are encoded, and how the same features fare as functions of one region.

    python3 -m benchmarks.features news --json report.json

Four parts, on the pages of a rendered corpus; processor seconds of one thread, each page's best of
several rounds:

- all families: pages described (values of features, then cells) and encoded (cells to a CSR
  matrix). Each page is as if just rendered, nothing derived from it is known; memos of texts and
  names are empty at the beginning of each batch of eight pages, tables that are made once per
  language are not. Then a feature set fitted, on all pages in one batch.
- the same features as people write them: a function of one region that returns a dictionary, the
  dictionaries of neighbours merged with prefixes, and scikit-learn's DictVectorizer. That is the
  style of webstruct, which is itself not installed and not run: functions and windows are those of
  ours, written here. Landmarks of the page, which both sides need, are found by the same code,
  once per page. Before anything is timed, both must give the same cells. Then the same again on a
  page that was encoded before, where both sides know its landmarks and what its short texts say:
  that leaves what the two ways of writing cost by themselves.
- growth: invented pages with 1, 2, 4 and 8 bodies; the exponent of time against regions, by least
  squares in logarithms. Always without a browser, so without features that need layout.
- the features that cost most, each with the landmarks that it is the first to ask for.

Lines of progress go to standard error, tables to standard output, all figures to ``--json``.
"""

from __future__ import annotations

import gc
import json
from dataclasses import asdict
from pathlib import Path

import click

from benchmarks.features import measures, report
from benchmarks.features.dictionaries import Dictionaries, disagreements, same_features
from benchmarks.features.timing import Tell
from benchmarks.learners.report import Row, to_text
from benchmarks.learners.runner import machine
from structce.corpus.corpus import Corpus
from structce.page import Page


def check(pages: list[Page]) -> None:
    """Fail unless both ways give the same cells on all pages."""
    columns = disagreements(same_features().fit(pages), Dictionaries().fit(pages), pages)
    if columns:
        raise click.ClickException(f"columns that differ: {', '.join(columns[:20])}")


def run(
    pages: list[Page], plan: measures.Plan, tell: Tell
) -> tuple[dict[str, object], dict[str, list[Row]]]:
    """Return the figures of all four measurements, and their tables."""
    encoding = measures.encoding(pages, plan, tell)
    comparison = measures.comparison(pages, plan, tell)
    growth = measures.growth(plan, tell)
    costs = measures.costs(pages, plan, tell)
    size = f"{len(pages)} pages, {sum(map(len, pages)):,} regions"
    tables = {
        f"All families: {encoding['n_features']} features, {encoding['n_columns']:,} columns, "
        f"{encoding['cells_a_region']:.0f} cells per region; {size}": report.encoding_rows(
            encoding, len(pages)
        ),
        f"The same {len(comparison['features'])} features, {comparison['n_columns']:,} columns; "
        f"{size}": report.comparison_rows(comparison, len(pages)),
        f"Growth on invented pages: time = a regions^{growth['exponent']:z.2f}": (
            report.growth_rows(growth, plan.n_sites)
        ),
        f"The {report.N_DEAREST} features that cost most": report.cost_rows(costs, len(pages)),
    }
    figures: dict[str, object] = {
        "encoding": encoding,
        "comparison": comparison,
        "growth": growth,
        "costs": costs,
    }
    return figures, tables


@click.command()
@click.argument("corpus", type=click.Path(exists=True, path_type=Path))
@click.option("--pages", type=click.IntRange(1), help="Largest number of pages. Default: all.")
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True)
@click.option("--sites", type=click.IntRange(1), default=8, show_default=True,
              help="Invented sites whose pages grow.")  # fmt: skip
@click.option("--seed", default=0, show_default=True, help="Seed of the invented sites.")
@click.option(
    "--json", "file", type=click.Path(path_type=Path), help="File for all figures, as JSON."
)
def main(
    corpus: Path, pages: int | None, rounds: int, sites: int, seed: int, file: Path | None
) -> None:
    """Measure how fast the pages of a rendered CORPUS are encoded."""
    loaded = Corpus.load(corpus)
    chosen = [page.page for page in loaded.pages[:pages]]
    plan = measures.Plan(rounds, sites, seed)
    click.echo("checking that both ways give the same cells", err=True)
    check(chosen)
    gc.freeze()  # a collection need not go over the corpus again and again
    try:
        figures, tables = run(chosen, plan, lambda line: click.echo(line, err=True))
    finally:
        gc.unfreeze()
    click.echo(f"{loaded.name}, {loaded.renderer}, digest {loaded.digest[:12]}\n")
    click.echo(to_text(tables))
    if file:
        about = {"name": loaded.name, "renderer": loaded.renderer, "digest": loaded.digest,
                 "n_pages": len(chosen), "n_regions": sum(map(len, chosen))}  # fmt: skip
        result = {"machine": machine(), "corpus": about, "plan": asdict(plan)}
        file.write_text(
            json.dumps({**result, **figures, "tables": tables}, indent=1) + "\n", encoding="utf-8"
        )


if __name__ == "__main__":
    main()
