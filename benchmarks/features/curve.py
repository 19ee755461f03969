"""Accuracy of a labeller against the processor time that its features take, from all features down.

    python3 -m benchmarks.features.costs corpus-1 corpus-2 --json costs.json
    python3 -m benchmarks.features.curve corpus-1 corpus-2 --costs costs.json --json curve.json

A labeller of the recipe is fitted to views of pages of a part of the sites with all features that
need no layout and no other pages of the site. Then features are taken away, the ones with the least
worth for their cost first, until a size is reached at which the labeller is fitted again, and so
on: single features, or at once all those that share an expensive part. A feature's worth is what
the loss of pages of other sites rises by when all that it adds to the scores is taken away; every
label counts the same. The price of features is what is saved without them: their own time and that
of parts that no other feature of the set shares. Three sets are compared with the curve: the
recipe's own, each family left out of all, and the cheapest features whatever they are worth.

Scores are the F1 of labels on pages of sites that neither fitting nor choosing has seen, half of
them without metadata. Milliseconds are of processor time for features and scores of a page, all
texts new to the process, the best of several rounds; rendering and reading an article come on top.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import click
import numpy as np
from scipy.sparse import csc_matrix, csr_matrix, vstack

from benchmarks.features.timing import Work, best_of, fresh
from benchmarks.learners.report import Row, to_text
from benchmarks.learners.runner import machine
from structce.arrays import Floats, Integers, Labels
from structce.corpus import Corpus, LabelledPage, hide_metadata, merge, with_groups
from structce.evaluation import score
from structce.features import FAMILIES, FeatureSet
from structce.features.columns import split_name
from structce.features.registry import REGISTRY
from structce.labels import LabelSet
from structce.page import Page
from structce.recipes import Recipe, read_recipe
from structce.recipes.cross_validation import draw_views

SHOWN = ("Title", "Author", "Date", "Paragraph")
"""Labels whose scores are in the table."""

_PARTS = (1 / 3, 1 / 6, 1 / 2)  # of the groups of sites: to fit, to choose, to score


@dataclass(frozen=True)
class Prices:
    """Milliseconds per page of features: their own, and of parts that several share."""

    own: Mapping[str, float]
    shared: Mapping[str, float]
    users: Mapping[str, frozenset[str]]

    @classmethod
    def load(cls, file: Path) -> Prices:
        """Return what :mod:`benchmarks.features.costs` measured."""
        costs = json.loads(file.read_text(encoding="utf-8"))
        return cls(
            {name: row["own"] for name, row in costs["features"].items()},
            {part: row["ms"] for part, row in costs["shared"].items()},
            {part: frozenset(row["features"]) for part, row in costs["shared"].items()},
        )

    def of(self, names: Iterable[str]) -> float:
        """Return what a set of features costs."""
        chosen = frozenset(names)
        shared = (ms for part, ms in self.shared.items() if not chosen.isdisjoint(self.users[part]))
        return sum(self.own.get(name, 0.0) for name in chosen) + sum(shared)

    def groups(self, names: frozenset[str]) -> set[frozenset[str]]:
        """Return the single features of a set, and those that share a part."""
        shared = (users & names for users in self.users.values())
        return {group for group in shared if group} | {frozenset({name}) for name in names}


@dataclass(frozen=True)
class Point:
    """A set of features, what it costs, and how well a labeller of it does.

    Parameters
    ----------
    ms
        Processor time of features and scores, measured.
    expected_ms
        What the costs of the features add up to.
    f1
        By label; ``mean`` is that of all labels except the background.
    """

    name: str
    n_features: int
    n_columns: int
    ms: float
    expected_ms: float
    f1: dict[str, float]
    features: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Part:
    """Pages of a part of the sites: rows of all features, and labels."""

    pages: list[Page]
    X: list[csr_matrix]
    y: list[Labels]

    def rows(self, columns: Integers) -> list[csr_matrix]:
        """Return the rows with some of the columns."""
        return [matrix[:, columns] for matrix in self.X]


class Bench:
    """Labellers of one recipe on some pages, fitted to some of all features' columns."""

    def __init__(self, recipe: Recipe, parts: Sequence[Corpus], prices: Prices) -> None:
        self.recipe, self.prices = recipe, prices
        self.label_set: LabelSet = parts[0].label_set
        names = [
            name
            for name, feature in REGISTRY.items()
            if feature.needs is None and _is_default(name)
        ]
        settings = {key: recipe.features[key] for key in ("min_count", "min_pages")}
        self.features = FeatureSet((), include=names, **settings)  # type: ignore[arg-type]  # two numbers
        fitted = [page.page for page in draw_views(parts[0], recipe)]
        self.features.fit(fitted)
        self.owners = np.array([_owner(column) for column in self.features.columns_])
        self.fit_part = self._part(fitted, parts[0])
        self.choice, self.test = (
            self._part(list(map(_tested_page, range(len(part)), part)), part) for part in parts[1:]
        )

    def _part(self, pages: list[Page], corpus: Corpus) -> Part:
        y = [self.label_set.encode(page.labels) for page in corpus]
        return Part(pages, self.features.transform_all(pages), y)

    def columns_of(self, names: Iterable[str]) -> Integers:
        """Return which columns some features have."""
        return np.flatnonzero(np.isin(self.owners, sorted(names)))

    def fit(self, names: frozenset[str]) -> Floats:
        """Return the weights of a labeller of some features, shape (n_columns, n_labels)."""
        learner = self.recipe.make_learner()
        rows = self.fit_part.rows(self.columns_of(names))
        learner.fit(rows, self.fit_part.y, n_labels=len(self.label_set))
        return learner.emissions_

    def worths(self, names: frozenset[str], weights: Floats) -> dict[str, float]:
        """Return what the loss on pages to choose by rises by without each feature."""
        columns = self.columns_of(names)
        X, y = vstack(self.choice.rows(columns), format="csc"), np.concatenate(self.choice.y)
        scores, owners = np.asarray(X @ weights), self.owners[columns]
        base = _loss(scores, y)
        return {name: _loss(scores - _added(X, weights, owners == name), y) - base
                for name in names}  # fmt: skip

    def point(self, name: str, names: frozenset[str], weights: Floats, *, rounds: int) -> Point:
        """Return how well and how fast a labeller does on pages of other sites."""
        rows = self.test.rows(self.columns_of(names))
        labels = np.concatenate([np.argmax(np.asarray(X @ weights), axis=1) for X in rows])
        made = score(np.concatenate(self.test.y), labels, self.label_set)
        f1 = {label.name: label.measures.f1 for label in made.labels if label.occurs}
        f1["mean"] = made.macro_foreground.f1
        chosen = tuple(feature for feature in self.features.names if feature in names)
        ms = self._milliseconds(chosen, weights, rounds)
        expected = self.prices.of(names)
        return Point(name, len(chosen), len(weights), ms, expected, f1, chosen)

    def _milliseconds(self, names: tuple[str, ...], weights: Floats, rounds: int) -> float:
        state = self.features.state()
        kept = self.columns_of(names)
        columns = [self.features.columns_[j] for j in kept]
        scales = {key: scale for key, scale in dict(state["scales"]).items() if key in set(columns)}  # type: ignore[call-overload]  # a table
        mine = FeatureSet.from_state(
            {**state, "names": list(names), "columns": columns, "scales": scales}
        )
        pages = self.test.pages[:: max(len(self.test.pages) // 60, 1)][:60]
        timed = best_of(rounds, pages, {"scores": partial(_scoring, mine, weights)}, lambda _: None)
        return 1000 * float(timed["scores"].mean())


def _scoring(features: FeatureSet, weights: Floats, page: Page) -> Work:
    return partial(features.scores, fresh(page), weights)


def _is_default(name: str) -> bool:
    return REGISTRY[name].family in FAMILIES


def _owner(column: str) -> str:
    """Return the name of the feature that a column belongs to."""
    return split_name(column)[1].split("=", 1)[0].split(":", 1)[0]


def _tested_page(n: int, page: LabelledPage) -> Page:
    """Return a page as it is tested: every second without metadata."""
    return hide_metadata(page.page, "bare" if n % 2 else "stated")


def _added(X: csc_matrix, weights: Floats, chosen: Floats) -> Floats:
    """Return what some columns add to the scores of all regions."""
    return np.asarray(X[:, np.flatnonzero(chosen)] @ weights[chosen])


def _loss(scores: Floats, y: Labels) -> float:
    """Return the mean over labels of the mean hinge loss of their regions (Crammer, Singer)."""
    known = np.flatnonzero(y >= 0)
    own = scores[known, y[known]]
    others = scores[known].copy()
    others[np.arange(len(known)), y[known]] = -np.inf
    losses = np.maximum(1 + others.max(axis=1) - own, 0)
    counts = np.bincount(y[known], minlength=scores.shape[1])
    sums = np.bincount(y[known], weights=losses, minlength=scores.shape[1])
    return float((sums[counts > 0] / counts[counts > 0]).mean())


def eliminate(
    names: frozenset[str], worths: Mapping[str, float], prices: Prices, n_kept: int
) -> frozenset[str]:
    """Return a set of features without those that are worth least for what they cost."""
    while len(names) > n_kept:
        groups = [group for group in prices.groups(names) if len(names) - len(group) >= n_kept]
        names = names - min(
            groups, key=lambda group: (_bargain(group, names, worths, prices), *sorted(group))
        )
    return names


def _bargain(
    group: frozenset[str], names: frozenset[str], worths: Mapping[str, float], prices: Prices
) -> float:
    """Return what a group of features of a set is worth for each millisecond that it costs."""
    saved = prices.of(names) - prices.of(names - group)
    return sum(worths[feature] for feature in group) / max(saved, 1e-3)


def curve(
    bench: Bench, sizes: Sequence[int], *, rounds: int, start: frozenset[str] | None = None
) -> Iterator[Point]:
    """Yield the points of the curve, from all features or a start down, and the sets beside it."""
    every = frozenset(bench.features.names) & frozenset(bench.owners.tolist())
    names = every if start is None else start & every
    weights = bench.fit(names)
    yield bench.point("all" if start is None else "start", names, weights, rounds=rounds)
    for size in sorted(sizes, reverse=True):
        names = eliminate(names, bench.worths(names, weights), bench.prices, size)
        weights = bench.fit(names)
        yield bench.point(f"best {len(names)}", names, weights, rounds=rounds)
    if start is not None:
        return
    beside = {"recipe": frozenset(FeatureSet(**bench.recipe.features).names) & every}  # type: ignore[arg-type]  # checked when it was read
    for family in FAMILIES:
        beside[f"all but {family}"] = frozenset(
            feature for feature in every if REGISTRY[feature].family != family
        )
    cheap = sorted(every, key=lambda feature: (bench.prices.of([feature]), feature))
    beside[f"cheapest {min(sizes)}"] = frozenset(cheap[: min(sizes)])
    for name, chosen in beside.items():
        yield bench.point(name, chosen, bench.fit(chosen), rounds=rounds)


def table(points: Sequence[Point]) -> list[Row]:
    """Return one row per set of features."""
    return [
        {
            "set": point.name,
            "features": point.n_features,
            "columns": f"{point.n_columns:,}",
            "ms per page": f"{point.ms:.1f}",
            "mean": f"{point.f1['mean']:.3f}",
            **{label: f"{point.f1.get(label, float('nan')):.3f}" for label in SHOWN},
        }
        for point in points
    ]


def plot(points: Sequence[Point], file: Path) -> None:
    """Draw F1 against milliseconds per page."""
    from matplotlib.figure import Figure  # late: it takes a second, and tables need none

    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.subplots()
    on_curve = [point for point in points if point.name.startswith(("all", "start", "best "))]
    on_curve = [point for point in on_curve if "but" not in point.name]
    for label in ("mean", *SHOWN):
        axes.plot([point.ms for point in on_curve], [point.f1[label] for point in on_curve], "o-",
                  label="mean of labels" if label == "mean" else label)  # fmt: skip
    for point in points:
        axes.annotate(str(point.n_features) if point in on_curve else point.name,
                      (point.ms, point.f1["mean"]), textcoords="offset points", xytext=(0, -12),
                      ha="center", fontsize=8)  # fmt: skip
        if point not in on_curve:
            axes.plot(point.ms, point.f1["mean"], "x", color="0.4")
    axes.set_xlabel("processor time of features and scores (ms per page)")
    axes.set_ylabel("F1 on unseen sites")
    axes.set_title("Accuracy against time, by number of features")
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right")
    figure.savefig(file)


def _corpus_parts(corpora: Sequence[Path], n_pages: int, seed: int) -> list[Corpus]:
    """Return pages to fit, to choose and to score; no site or group of sites is in two of them."""
    loaded = [Corpus.load(path) for path in corpora]
    whole = with_groups(merge(loaded, name="all") if len(loaded) > 1 else loaded[0])
    drawn = np.random.default_rng(seed).permutation(len(whole))[:n_pages].tolist()
    ids = [page.id for page in whole]
    return whole.subset(ids[i] for i in drawn).split(_PARTS, by="site", seed=seed)


@click.command()
@click.argument("corpora", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--costs", required=True, type=click.Path(exists=True, path_type=Path),
              help="File that benchmarks.features.costs wrote.")  # fmt: skip
@click.option("--recipe", default="news", show_default=True)
@click.option(
    "--pages", default=900, show_default=True, help="Number of pages, drawn from all corpora."
)
@click.option("--sizes", default="150,93,70,50", show_default=True, help="Numbers of features.")
@click.option("--from-recipe", is_flag=True, help="Begin with the recipe's features.")
@click.option("--rounds", default=3, show_default=True, help="Rounds of timing.")
@click.option("--seed", default=7, show_default=True)
@click.option(
    "--json", "file", type=click.Path(path_type=Path), help="File for all figures, as JSON."
)
@click.option("--plot", "picture", type=click.Path(path_type=Path), help="File for a plot, as SVG.")
def main(corpora: Sequence[Path], costs: Path, recipe: str, pages: int, sizes: str,
         from_recipe: bool, rounds: int, seed: int, file: Path | None,
         picture: Path | None) -> None:  # fmt: skip
    """Measure accuracy against processor time on rendered CORPORA."""
    parts = _corpus_parts(corpora, pages, seed)
    bench = Bench(read_recipe(recipe), parts, Prices.load(costs))
    start = frozenset(FeatureSet(**bench.recipe.features).names) if from_recipe else None  # type: ignore[arg-type]  # checked when it was read
    gc.freeze()  # a collection need not go over the pages again and again
    points: list[Point] = []
    wanted = [int(size) for size in sizes.split(",")]
    for point in curve(bench, wanted, rounds=rounds, start=start):
        points.append(point)
        click.echo(json.dumps(table([point])[0]), file=sys.stderr)
    click.echo(to_text({f"Features and F1 on {len(parts[2])} pages of other sites": table(points)}))
    if file:
        about = {"pages": [len(part) for part in parts], "seed": seed, "recipe": recipe}
        result = {"machine": machine(), **about, "points": [asdict(point) for point in points]}
        file.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    if picture:
        plot(points, picture)


if __name__ == "__main__":
    main()
