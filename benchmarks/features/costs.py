"""What each feature costs by itself, and what it costs together with others.

    python3 -m benchmarks.features.costs corpus-1 corpus-2 --pages 50 --json costs.json

Milliseconds of processor time per page, each page's best of several rounds. The cost of a set of
features is the sum of what they cost by themselves (``own``) and of each shared part that at least
one of them needs (``shared``), once. Own are the computation of values, the encoding of these
values as cells, and a part of the sparse matrix: its time is spread over its cells.

Shared parts are functions that remember their value for a page (landmarks, texts of blocks, words
of class names), columns of the page that are derived when first asked for, and functions of short
texts with a memo (words of a text, cues, dates). Each is timed when its value is computed, without
the time of the shared parts inside it, whichever feature happens to ask first. What only one
feature uses is its own. Which feature uses which part is found by computing it alone, on pages of
which nothing is known.

Pages come in the given order in one process, as in bulk work: a text that an earlier page had is
known on a later one. Every round begins with empty memos.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, wraps
from pathlib import Path
from random import Random
from types import CellType
from typing import Any, TypeAlias

import click
import numpy as np

from benchmarks.features.timing import LEAST_MEMO, forget_texts, fresh
from benchmarks.learners.report import Row, to_text
from benchmarks.learners.runner import machine
from structce.arrays import Floats
from structce.corpus.corpus import Corpus
from structce.features import FeatureSet
from structce.features.columns import split_name
from structce.features.encoding import page_cells
from structce.features.registry import REGISTRY, Feature
from structce.page import Elements, Metadata, Page

Function: TypeAlias = Callable[..., Any]

N_ALONE = 6
"""Pages on which each feature is computed alone, to see what it uses."""

_N_ROWS = 40  # of each table


@dataclass
class Stopwatch:
    """Seconds of nested functions, each without those inside it; and which of them ran."""

    seconds: Counter[str] = field(default_factory=Counter)
    _inner: list[float] = field(default_factory=list)

    def run(self, name: str, work: Callable[[], Any]) -> Any:
        """Return what work returns; its time counts under a name."""
        self._inner.append(0.0)
        start = time.process_time()
        try:
            return work()
        finally:
            taken = time.process_time() - start
            self.seconds[name] += taken - self._inner.pop()
            if self._inner:
                self._inner[-1] += taken

    def timed(self, name: str, function: Function) -> Function:
        """Return a function that counts its time under a name."""

        @wraps(function)
        def call(*values: Any) -> Any:
            return self.run(name, lambda: function(*values))

        return call


@contextmanager
def watched(watch: Stopwatch) -> Iterator[None]:
    """Time all that is computed once per page or remembered by its text, until the end."""
    undo = [*_watch_pages(watch), *_watch_memos(watch), *_watch_columns(watch)]
    try:
        yield
    finally:
        for step in undo:
            step()


def _modules() -> list[tuple[str, dict[str, Any]]]:
    names = [name for name in sys.modules if name.startswith("structce.")]
    return [(name.removeprefix("structce."), vars(sys.modules[name])) for name in names]


def _watch_pages(watch: Stopwatch) -> Iterator[Callable[[], None]]:
    """Time functions that are computed once per page."""
    known: set[int] = set()
    for _, namespace in _modules():
        for value in list(namespace.values()):
            cell = _computation(value)
            if cell is not None and id(cell) not in known:
                known.add(id(cell))
                compute = cell.cell_contents
                where = compute.__module__.removeprefix("structce.").removeprefix("features.")
                cell.cell_contents = watch.timed(f"{where}.{compute.__name__}", compute)
                yield lambda cell=cell, compute=compute: setattr(cell, "cell_contents", compute)


def _computation(value: object) -> CellType | None:
    """Return where a function that is computed once per page keeps its computation."""
    code = getattr(value, "__code__", None)
    if code is None or not code.co_qualname.startswith("once_a_page."):
        return None
    cells: dict[str, CellType] = dict(zip(code.co_freevars, value.__closure__, strict=True))  # type: ignore[attr-defined]
    return cells.get("compute")


def _watch_memos(watch: Stopwatch) -> Iterator[Callable[[], None]]:
    """Time functions of texts that remember their values."""
    known: dict[int, Function] = {}
    for _, namespace in _modules():
        for name, memo in list(namespace.items()):
            if not hasattr(memo, "cache_parameters"):
                continue
            size = memo.cache_parameters()["maxsize"] or 0
            if size >= LEAST_MEMO:
                where = memo.__module__.removeprefix("structce.").removeprefix("features.")
                function = watch.timed(f"{where}.{memo.__name__}", memo.__wrapped__)
                namespace[name] = known.setdefault(id(memo), lru_cache(maxsize=size)(function))
                yield lambda space=namespace, name=name, memo=memo: space.update({name: memo})


def _watch_columns(watch: Stopwatch) -> Iterator[Callable[[], None]]:
    """Time the derived columns of pages, of their elements and of what they state."""
    for owner in (Page, Elements, Metadata):
        for name, value in vars(owner).items():
            if isinstance(value, cached_property):
                function = value.func
                value.func = watch.timed(f"{owner.__name__}.{name}", function)
                yield lambda column=value, function=function: setattr(column, "func", function)


@dataclass(frozen=True)
class Costs:
    """Milliseconds per page.

    Parameters
    ----------
    values, cells, matrix
        Of each feature: its values without shared parts, their cells, its part of the matrix.
    shared
        Of each part that several features need.
    users
        Features that need each shared part.
    """

    values: dict[str, float]
    cells: dict[str, float]
    matrix: dict[str, float]
    shared: dict[str, float]
    users: dict[str, list[str]]

    @property
    def own(self) -> dict[str, float]:
        """Costs of each feature without shared parts."""
        return {name: self.values[name] + self.cells[name] + self.matrix[name] for name in
                self.values}  # fmt: skip

    @property
    def alone(self) -> dict[str, float]:
        """Costs of each feature if no other is computed."""
        costs = Counter(self.own)
        for part, users in self.users.items():
            for name in users:
                costs[name] += self.shared[part]
        return dict(costs)

    @property
    def divided(self) -> dict[str, float]:
        """Costs of each feature if shared parts are divided evenly among their users."""
        costs = Counter(self.own)
        for part, users in self.users.items():
            for name in users:
                costs[name] += self.shared[part] / len(users)
        return dict(costs)

    def figures(self) -> dict[str, object]:
        """Return all costs as JSON values, the highest first."""
        shared = {
            part: {"ms": ms, "features": self.users[part]}
            for part, ms in sorted(self.shared.items(), key=lambda row: -row[1])
        }
        columns = ("own", "alone", "divided", "values", "cells", "matrix")
        rows = {name: {key: getattr(self, key)[name] for key in columns} for name in self.own}
        order = sorted(rows, key=lambda name: -rows[name]["divided"])
        return {"features": {name: rows[name] for name in order}, "shared": shared}


def measure(pages: Sequence[Page], features: Sequence[Feature], rounds: int) -> Costs:
    """Return the costs of features on pages."""
    users = _users(pages[:: max(len(pages) // N_ALONE, 1)][:N_ALONE], features)
    taken = _best_values(pages, features, rounds)
    names = [feature.name for feature in features]
    values = {name: taken.get(name, 0.0) for name in names}
    shared: dict[str, float] = {}
    for part in taken.keys() - set(names):
        used = users.get(part, [])
        if len(used) == 1:
            values[used[0]] += taken[part]
        elif used:
            shared[part] = taken[part]
    return Costs(
        values,
        _cell_costs(pages, features, rounds),
        _matrix_costs(pages, names, rounds),
        shared,
        {part: users[part] for part in shared},
    )


def _compute(watch: Stopwatch, feature: Feature, page: Page) -> None:
    if feature.is_known(page):
        watch.run(feature.name, lambda: feature.values(page))


def _users(pages: Sequence[Page], features: Sequence[Feature]) -> dict[str, list[str]]:
    """Return which features need each part."""
    users: dict[str, dict[str, None]] = {}
    for feature in features:
        for page in pages:
            forget_texts()
            watch = Stopwatch()
            with watched(watch):
                _compute(watch, feature, fresh(page))
            for part in watch.seconds.keys() - {feature.name}:
                users.setdefault(part, {})[feature.name] = None
    return {part: list(names) for part, names in users.items()}


def _best_values(
    pages: Sequence[Page], features: Sequence[Feature], rounds: int
) -> dict[str, float]:
    """Return milliseconds per page of each feature's values and of each part, by their names."""
    best: list[dict[str, float]] = [{} for _ in pages]
    for _ in range(rounds):
        forget_texts()
        watch = Stopwatch()
        with watched(watch):
            for page, least in zip(pages, best, strict=True):
                watch.seconds.clear()
                unknown = fresh(page)
                for feature in features:
                    _compute(watch, feature, unknown)
                for name, taken in watch.seconds.items():
                    least[name] = min(least.get(name, np.inf), taken)
    total = Counter[str]()
    for least in best:
        total.update(least)
    return {name: 1000 * taken / len(pages) for name, taken in total.items()}


def _cell_costs(
    pages: Sequence[Page], features: Sequence[Feature], rounds: int
) -> dict[str, float]:
    """Return milliseconds per page of encoding the known values of each feature as cells."""
    best: Floats = np.full((len(features) + 1, len(pages)), np.inf)
    for i, page in enumerate(map(fresh, pages)):
        chosen: list[tuple[int, tuple[Feature, ...]]] = [(len(features), ())]
        for j, feature in enumerate(features):
            if feature.is_known(page):
                values = feature.values(page)
                chosen.append((j, (replace(feature, compute=lambda _, values=values: values),)))
        for _ in range(rounds):
            for j, some in chosen:
                start = time.process_time()
                page_cells(page, some, unit_norm=True)
                best[j, i] = min(best[j, i], time.process_time() - start)
    taken = np.where(np.isfinite(best), np.maximum(best - best[-1], 0), 0).mean(axis=1)
    return {
        feature.name: 1000 * float(ms) for feature, ms in zip(features, taken[:-1], strict=True)
    }


def _matrix_costs(pages: Sequence[Page], names: Sequence[str], rounds: int) -> dict[str, float]:
    """Return milliseconds per page of building the matrix, spread over features by their cells."""
    features = FeatureSet((), include=names).fit(pages)  # which remembers the cells of its pages
    counts: Floats = np.zeros(len(features.columns_))
    best: Floats = np.full(len(pages), np.inf)
    for i, page in enumerate(pages):
        for _ in range(rounds):
            start = time.process_time()
            matrix = features.transform(page)
            best[i] = min(best[i], time.process_time() - start)
        counts += np.bincount(matrix.indices, minlength=len(counts))
    cells = Counter(dict.fromkeys(names, 0.0))
    for column, count in zip(features.columns_, counts.tolist(), strict=True):
        key = split_name(column)[1].split("=", 1)[0].split(":", 1)[0]
        cells[key] += count
    scale = 1000 * float(best.mean()) / max(float(counts.sum()), 1.0)
    return {name: scale * cells[name] for name in names}


def tables(costs: Costs, n_pages: int, n_regions: int) -> dict[str, list[Row]]:
    """Return the most expensive features and shared parts, and the sums."""
    size = f"{n_pages} pages, {n_regions:,} regions; ms per page"
    order = sorted(costs.own, key=lambda name: -costs.divided[name])
    columns = ("own", "alone", "divided", "values", "cells", "matrix")
    rows: list[Row] = [
        {"feature": name, **{key: f"{getattr(costs, key)[name]:.3f}" for key in columns}}
        for name in order[:_N_ROWS]
    ]
    parts: list[Row] = [
        {"part": part, "ms": f"{ms:.3f}", "users": len(costs.users[part])}
        for part, ms in sorted(costs.shared.items(), key=lambda row: -row[1])[:_N_ROWS]
    ]
    sums: list[Row] = [
        {"sum": key, "ms": f"{sum(getattr(costs, key).values()):.2f}"}
        for key in ("values", "cells", "matrix", "shared")
    ]
    return {
        f"The most expensive of {len(order)} features; {size}": rows,
        "The most expensive shared parts": parts,
        "Sums": sums,
    }


@click.command()
@click.argument("corpora", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--pages", type=click.IntRange(1), default=50, show_default=True,
              help="Pages of each corpus, drawn at random.")  # fmt: skip
@click.option("--rounds", type=click.IntRange(1), default=3, show_default=True)
@click.option("--seed", default=0, show_default=True, help="Seed of the draw.")
@click.option(
    "--json", "file", type=click.Path(path_type=Path), help="File for all figures, as JSON."
)
def main(corpora: Sequence[Path], pages: int, rounds: int, seed: int, file: Path | None) -> None:
    """Measure what each feature costs on the pages of rendered CORPORA."""
    chosen = [page for corpus in corpora for page in drawn(corpus, pages, seed)]
    gc.freeze()  # a collection need not go over the corpora again and again
    try:
        costs = measure(chosen, list(REGISTRY.values()), rounds)
    finally:
        gc.unfreeze()
    n_regions = sum(map(len, chosen))
    click.echo(to_text(tables(costs, len(chosen), n_regions)))
    if file:
        about = {"corpora": [corpus.name for corpus in corpora], "n_pages": len(chosen),
                 "n_regions": n_regions, "rounds": rounds, "seed": seed}  # fmt: skip
        result = {"machine": machine(), "pages": about, **costs.figures()}
        file.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def drawn(corpus: Path, n: int, seed: int) -> list[Page]:
    """Return some pages of a corpus, drawn at random."""
    loaded = list(Corpus.load(corpus).pages)
    Random(seed).shuffle(loaded)
    return [page.page for page in loaded[:n]]


if __name__ == "__main__":
    main()
