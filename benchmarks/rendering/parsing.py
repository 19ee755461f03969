"""Time of the static renderer by size of page, beside lxml's parser alone, and by part."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TypedDict

import numpy as np
from lxml import etree

from benchmarks.features.timing import Floats, Tell, Work, best_of
from benchmarks.learners.curves import exponent
from benchmarks.rendering.pages import kilobytes, median
from structce.rendering.document import Document
from structce.rendering.static import StaticRenderer

BOUNDS = (0.0, 100.0, 200.0, 300.0, 500.0, 1000.0, float("inf"))
"""Bounds of the classes of size in kB; that of 200 to 300 contains the median news page."""


class SizeFigures(TypedDict):
    """Medians over the pages of one class of size; milliseconds of processor time."""

    least_kb: float
    most_kb: float
    n_pages: int
    n_regions: float
    static_ms: float
    lxml_ms: float
    times_lxml: float


class StaticFigures(TypedDict):
    """Figures of this part; one entry per page in the lists."""

    sizes: list[SizeFigures]
    parts_ms: dict[str, float]
    exponent: float
    kilobytes: list[float]
    static_ms: list[float]
    lxml_ms: list[float]


def bare_parse(data: bytes) -> etree._Element:
    """Parse HTML in UTF-8 with lxml and do nothing else."""
    return etree.fromstring(data, etree.HTMLParser(encoding="utf-8", huge_tree=True))


def measure(documents: Sequence[Document], rounds: int, tell: Tell) -> StaticFigures:
    """Return the figures of this part: the best of several rounds of each page."""
    with StaticRenderer() as renderer:
        contenders: dict[str, Callable[[Document], Work]] = {
            "static": lambda document: partial(renderer.render, document),
            "lxml": lambda document: partial(
                bare_parse, document.html.encode("utf-8", errors="replace")
            ),
        }
        best = best_of(rounds, documents, contenders, tell)
        parts = profile(renderer, documents, rounds)
        n_regions = [len(renderer.render(document)) for document in documents]
    sizes = [kilobytes(document) for document in documents]
    static, lxml = 1000 * best["static"], 1000 * best["lxml"]
    return {
        "sizes": list(_by_size(np.array(sizes), np.array(n_regions), static, lxml)),
        "parts_ms": parts,
        "exponent": exponent(sizes, static.tolist()),
        "kilobytes": sizes,
        "static_ms": static.tolist(),
        "lxml_ms": lxml.tolist(),
    }


def _by_size(sizes: Floats, regions: Floats, static: Floats, lxml: Floats) -> Iterator[SizeFigures]:
    for low, high in [*pairwise(BOUNDS), (0.0, float("inf"))]:
        chosen = (sizes >= low) & (sizes < high)
        if chosen.any():
            yield {
                "least_kb": low,
                "most_kb": high,
                "n_pages": int(chosen.sum()),
                "n_regions": median(regions[chosen]),
                "static_ms": median(static[chosen]),
                "lxml_ms": median(lxml[chosen]),
                "times_lxml": median(static[chosen] / lxml[chosen]),
            }


@dataclass(frozen=True)
class Part:
    """A function of the static renderer that is timed where it is called."""

    name: str
    module: str
    function: str


_RENDERER = "structce.rendering.static"
PARTS = (
    Part("parsing", _RENDERER, "parse"),
    Part("what the page states of itself", _RENDERER, "read_metadata"),
    Part("walk to regions", _RENDERER, "collect_regions"),
    Part("default styles", _RENDERER, "default_styles"),
)
"""Functions as the module that calls them knows them."""


@contextmanager
def stopwatches(parts: Sequence[Part]) -> Iterator[dict[str, float]]:
    """Take the time of functions as often as they are called; give processor seconds by name."""
    spent = {part.name: 0.0 for part in parts}
    usual = {part: getattr(sys.modules[part.module], part.function) for part in parts}

    def timed(part: Part) -> Callable[..., object]:
        def run(*arguments: object, **named: object) -> object:
            start = time.process_time()
            try:
                return usual[part](*arguments, **named)
            finally:
                spent[part.name] += time.process_time() - start

        return run

    for part in parts:
        setattr(sys.modules[part.module], part.function, timed(part))
    try:
        yield spent
    finally:
        for part, function in usual.items():
            setattr(sys.modules[part.module], part.function, function)


def profile(
    renderer: StaticRenderer, documents: Sequence[Document], rounds: int
) -> dict[str, float]:
    """Return mean milliseconds per page by part, of the round with the least sum."""
    averages: list[dict[str, float]] = []
    for _ in range(rounds):
        start = time.process_time()
        with stopwatches(PARTS) as spent:
            for document in documents:
                renderer.render(document)
        whole = time.process_time() - start
        parts = {**spent, "the rest": whole - sum(spent.values())}
        averages.append(
            {name: 1000 * seconds / max(len(documents), 1) for name, seconds in parts.items()}
        )
    return min(averages, key=lambda parts: sum(parts.values()))
