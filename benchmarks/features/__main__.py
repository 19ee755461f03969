"""How fast pages are encoded, how time grows with a page, and which features cost most.

    python3 -m benchmarks.features news --json report.json

On the pages of a rendered corpus; processor seconds of one thread, each page's best of several
rounds. Each page is as if just rendered, nothing derived from it is known; memos of texts and names
are empty at the beginning of each batch of eight pages, tables that are made once per language are
not. Pages that grow are invented, with 1, 2, 4 and 8 bodies, without a browser. What several
features share counts for the first of them that asks.
"""

from __future__ import annotations

import gc
import json
import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path

import click
import numpy as np

from benchmarks.features.timing import Tell, Work, best_of, forget_texts, fresh, seconds
from benchmarks.learners.curves import exponent
from benchmarks.learners.report import Row, to_text
from benchmarks.learners.runner import machine
from structce.corpus.corpus import Corpus
from structce.features.feature_set import FeatureSet
from structce.features.registry import REGISTRY
from structce.page import Page
from structce.rendering.document import Document
from structce.rendering.static import StaticRenderer
from structce.synthetic.generate import synthesise

FACTORS = (1, 2, 4, 8)
"""Bodies of the pages that grow."""

N_DEAREST = 15
"""Features in the table of costs."""

_BODY = re.compile("<body[^>]*>(.*)</body>", re.DOTALL)


def encoding(pages: Sequence[Page], rounds: int, tell: Tell) -> list[Row]:
    """Return what values, cells, the matrix and learning the columns cost, with all families."""
    features = FeatureSet().fit([fresh(page) for page in pages])

    def known(page: Page) -> Work:
        features.transform(page)
        return partial(features.transform, page)

    contenders: dict[str, Callable[[Page], Work]] = {
        "values": lambda page: partial(_values, features, fresh(page)),
        "transform": lambda page: partial(features.transform, fresh(page)),
        "matrix": lambda page: known(fresh(page)),
    }
    taken = {
        name: float(best.sum()) for name, best in best_of(rounds, pages, contenders, tell).items()
    }
    fits = {"fit": lambda pages: partial(FeatureSet().fit, [fresh(page) for page in pages])}
    parts = {
        "values of features": taken["values"],
        "their cells": taken["transform"] - taken["matrix"] - taken["values"],
        "cells to CSR": taken["matrix"],
        "in all": taken["transform"],
        "fit: describing and learning columns": float(
            best_of(rounds, [pages], fits, tell)["fit"].sum()
        ),
    }
    return [
        {
            "part": name,
            "ms per page": f"{1000 * spent / len(pages):.2f}",
            "pages/s": f"{len(pages) / max(spent, 1e-9):.0f}",
        }
        for name, spent in parts.items()
    ]


def _values(features: FeatureSet, page: Page) -> None:
    """Compute the values of all features that are known on a page."""
    for name in features.names:
        if REGISTRY[name].is_known(page):
            REGISTRY[name].values(page)


def growth(n_sites: int, seed: int, rounds: int, tell: Tell) -> tuple[float, list[Row]]:
    """Return the exponent of time against regions on invented pages that grow, and its points."""
    pages = growing_pages(n_sites, seed=seed)
    features = FeatureSet().fit([fresh(page) for group in pages.values() for page in group])

    def grown(factor: int) -> Callable[[int], Work]:
        return lambda site: partial(features.transform, fresh(pages[factor][site]))

    best = best_of(rounds, range(n_sites), {str(n): grown(n) for n in pages}, tell)
    sizes = [sum(len(page) for page in group) for group in pages.values()]
    costs = [float(times.sum()) for times in best.values()]
    rows: list[Row] = [
        {
            "regions per page": round(n / n_sites),
            "ms per page": f"{1000 * spent / n_sites:.2f}",
            "microseconds per region": f"{1e6 * spent / n:.1f}",
        }
        for n, spent in zip(sizes, costs, strict=True)
    ]
    return exponent(sizes, costs), rows


def growing_pages(
    n_sites: int, *, seed: int, factors: Sequence[int] = FACTORS
) -> dict[int, list[Page]]:
    """Return invented pages by how many bodies each contains, one per site, without a browser.

    The bodies of a page are those of one site, so its structure repeats and its words do not.
    """
    by_factor: dict[int, list[Page]] = {factor: [] for factor in factors}
    drawn = synthesise(n_sites, max(factors), seed=seed)
    for site, pages in groupby(drawn, key=lambda page: page.site):
        htmls = [page.html for page in pages]
        for factor in factors:
            document = Document(joined(htmls[:factor]), url=f"https://{site}/", name=site)
            by_factor[factor].append(StaticRenderer().render(document))
    return by_factor


def joined(htmls: Sequence[str]) -> str:
    """Return the first document with the contents of all bodies."""
    bodies = [body for html in htmls for body in _BODY.findall(html)]
    first = htmls[0]
    start, end = first.index(bodies[0]), first.rindex("</body>")
    return first[:start] + "".join(bodies) + first[end:]


def costs(pages: Sequence[Page], rounds: int, tell: Tell) -> list[Row]:
    """Return the milliseconds of each feature by itself, the most expensive first."""
    names = FeatureSet().names
    best = np.full((2, len(pages), len(names)), np.inf)
    for n in range(rounds):
        tell(f"round {n + 1} of {rounds}: each feature by itself")
        forget_texts()
        for i, page in enumerate(map(fresh, pages)):
            for j, name in enumerate(names):
                if REGISTRY[name].is_known(page):
                    for again in (0, 1):
                        taken = seconds(partial(REGISTRY[name].values, page))
                        best[again, i, j] = min(best[again, i, j], taken)
    first, again = 1000 * np.where(np.isfinite(best), best, 0.0).mean(axis=1)
    order = np.argsort(-first)[:N_DEAREST].tolist()
    groups = {**{names[j]: [j] for j in order}, f"all ({len(names)})": list(range(len(names)))}
    return [
        {
            "feature": name,
            "ms per page": f"{first[chosen].sum():.3f}",
            "once landmarks are known": f"{again[chosen].sum():.3f}",
        }
        for name, chosen in groups.items()
    ]


@click.command()
@click.argument("corpus", type=click.Path(exists=True, path_type=Path))
@click.option("--pages", type=click.IntRange(1), help="Largest number of pages. Default: all.")
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True)
@click.option("--sites", type=click.IntRange(1), default=8, show_default=True,
              help="Invented sites whose pages grow.")  # fmt: skip
@click.option("--seed", default=0, show_default=True, help="Seed of the invented sites.")
@click.option("--json", "file", type=click.Path(path_type=Path), help="File for the tables.")
def main(
    corpus: Path, pages: int | None, rounds: int, sites: int, seed: int, file: Path | None
) -> None:
    """Measure how fast the pages of a rendered CORPUS are encoded."""
    loaded = Corpus.load(corpus)
    chosen = [page.page for page in loaded.pages[:pages]]
    tell = partial(click.echo, err=True)
    gc.freeze()  # a collection need not go over the corpus again and again
    try:
        power, grown = growth(sites, seed, rounds, tell)
        tables = {
            f"All families: {len(chosen)} pages, {sum(map(len, chosen)):,} regions": encoding(
                chosen, rounds, tell
            ),
            f"Growth on invented pages: time = a regions^{power:z.2f}": grown,
            f"The {N_DEAREST} features that cost most": costs(chosen, rounds, tell),
        }
    finally:
        gc.unfreeze()
    click.echo(f"{loaded.name}, {loaded.renderer}, digest {loaded.digest[:12]}\n")
    click.echo(to_text(tables))
    if file:
        report = {"machine": machine(), "digest": loaded.digest, "tables": tables}
        file.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
