"""The four measurements; all times are processor seconds."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import TypedDict

import numpy as np

from benchmarks.features.dictionaries import Dictionaries, one_call_a_region, same_features
from benchmarks.features.regions import FUNCTIONS, regions
from benchmarks.features.timing import Tell, Work, best_of, forget_texts, fresh, seconds
from benchmarks.learners.curves import exponent
from structce.arrays import Floats
from structce.features.feature_set import FeatureSet
from structce.features.registry import REGISTRY
from structce.page import Page
from structce.rendering.document import Document
from structce.rendering.static import StaticRenderer
from structce.synthetic.generate import synthesise

Make = Callable[[Page], Work]
FACTORS = (1, 2, 4, 8)
"""Bodies of the pages that grow."""

_BODY = re.compile("<body[^>]*>(.*)</body>", re.DOTALL)


@dataclass(frozen=True)
class Plan:
    """How thoroughly to measure.

    Parameters
    ----------
    rounds
        Number of rounds, of which the best counts.
    n_sites
        Invented sites whose pages grow.
    seed
        Seed of these sites.
    """

    rounds: int
    n_sites: int
    seed: int


class Encoding(TypedDict):
    """Seconds for all pages, by part, and what they were turned into."""

    n_features: int
    n_columns: int
    cells_a_region: float
    seconds: dict[str, float]


class Comparison(TypedDict):
    """The same features as ours and as functions of one region.

    `times_ours` sets sums over pages against each other, `middle_page` is the median over pages.
    """

    features: list[str]
    n_columns: int
    seconds: dict[str, float]
    times_ours: dict[str, float]
    middle_page: dict[str, float]


class Growth(TypedDict):
    """Regions and seconds of growing pages, and the exponent of seconds against regions."""

    regions: list[int]
    seconds: list[float]
    exponent: float


class Cost(TypedDict):
    """Seconds of one feature for all pages: when first asked, and once what it needs is known."""

    name: str
    first: float
    again: float


def encoding(pages: Sequence[Page], plan: Plan, tell: Tell) -> Encoding:
    """Measure describing and encoding with all families, and learning the columns."""
    features = FeatureSet().fit([fresh(page) for page in pages])
    contenders: dict[str, Make] = {
        "values": lambda page: partial(_values, features, fresh(page)),
        "transform": lambda page: partial(features.transform, fresh(page)),
        "encode": lambda page: _after(features.transform, features.transform, fresh(page)),
    }
    best = {name: float(s.sum()) for name, s in _best(pages, contenders, plan, tell).items()}
    fits = {"fit": lambda pages: partial(FeatureSet().fit, [fresh(page) for page in pages])}
    encoded = [features.transform(fresh(page)) for page in pages]
    n_regions = sum(len(page) for page in pages)
    return {
        "n_features": len(features.names),
        "n_columns": len(features.columns_),
        "cells_a_region": sum(X.nnz for X in encoded) / max(n_regions, 1),
        "seconds": {
            "values": best["values"],
            "cells": best["transform"] - best["encode"] - best["values"],
            "describing": best["transform"] - best["encode"],
            "encoding": best["encode"],
            "transform": best["transform"],
            "fit": float(best_of(plan.rounds, [pages], fits, tell)["fit"].sum()),
        },
    }


def _best(
    pages: Sequence[Page], contenders: dict[str, Make], plan: Plan, tell: Tell
) -> dict[str, Floats]:
    return best_of(plan.rounds, pages, contenders, tell)


def _values(features: FeatureSet, page: Page) -> None:
    """Compute the values of all features that are known on a page."""
    for name in features.names:
        if REGISTRY[name].is_known(page):
            REGISTRY[name].values(page)


def _after(before: Callable[[Page], object], then: Callable[[Page], object], page: Page) -> Work:
    """Return the work that is left on a page when other work was done on it."""
    before(page)
    return partial(then, page)


def comparison(pages: Sequence[Page], plan: Plan, tell: Tell) -> Comparison:
    """Measure the same features ours, as one call per region, and as dictionaries.

    "Again" is a page that was encoded before, so that landmarks and what its texts say are known,
    but of ours not its description.
    """
    ours = same_features().fit([fresh(page) for page in pages])
    same = FeatureSet.from_state(ours.state())  # which has not described any page
    theirs = Dictionaries().fit(pages)
    contenders: dict[str, Make] = {
        "our values": lambda page: partial(_values, ours, fresh(page)),
        "one call a region": lambda page: partial(one_call_a_region, fresh(page)),
        "ours": lambda page: partial(ours.transform, fresh(page)),
        "dictionaries": lambda page: partial(theirs.transform, fresh(page)),
        "landmarks": lambda page: partial(regions, fresh(page)),
        "ours again": lambda page: _after(ours.transform, same.transform, fresh(page)),
        "dictionaries again": lambda page: _after(theirs.transform, theirs.transform, fresh(page)),
    }
    best = _best(pages, contenders, plan, tell)
    pairs = {
        "one call a region": "our values",
        "dictionaries": "ours",
        "dictionaries again": "ours again",
    }
    return {
        "features": list(FUNCTIONS),
        "n_columns": len(ours.columns_),
        "seconds": {name: float(times.sum()) for name, times in best.items()},
        "times_ours": {
            name: float(best[name].sum() / best[own].sum()) for name, own in pairs.items()
        },
        "middle_page": {
            name: float(np.median(best[name] / best[own])) for name, own in pairs.items()
        },
    }


def growth(plan: Plan, tell: Tell) -> Growth:
    """Measure all families on invented pages that grow."""
    pages = growing_pages(plan.n_sites, seed=plan.seed)
    features = FeatureSet().fit([fresh(page) for group in pages.values() for page in group])

    def grown(factor: int) -> Callable[[int], Work]:
        return lambda site: partial(features.transform, fresh(pages[factor][site]))

    contenders = {f"{factor} times": grown(factor) for factor in pages}
    best = best_of(plan.rounds, range(plan.n_sites), contenders, tell)
    sizes = [sum(len(page) for page in group) for group in pages.values()]
    costs = [float(times.sum()) for times in best.values()]
    return {"regions": sizes, "seconds": costs, "exponent": exponent(sizes, costs)}


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


def costs(pages: Sequence[Page], plan: Plan, tell: Tell) -> list[Cost]:
    """Measure each feature by itself, and return them with the most expensive first.

    What several features share counts for the first of them that asks.
    """
    names = FeatureSet().names
    best = np.full((2, len(pages), len(names)), np.inf)
    for n in range(plan.rounds):
        tell(f"round {n + 1} of {plan.rounds}: each feature by itself")
        forget_texts()
        for i, page in enumerate(map(fresh, pages)):
            for j, name in enumerate(names):
                if REGISTRY[name].is_known(page):
                    for again in (0, 1):
                        taken = seconds(partial(REGISTRY[name].values, page))
                        best[again, i, j] = min(best[again, i, j], taken)
    first, again = np.where(np.isfinite(best), best, 0.0).sum(axis=1).tolist()
    rows = [
        Cost(name=name, first=a, again=b) for name, a, b in zip(names, first, again, strict=True)
    ]
    return sorted(rows, key=lambda row: -row["first"])
