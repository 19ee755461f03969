"""Memory that the browser and Python use while many pages are rendered in a row."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle, islice
from typing import TypedDict

import numpy as np

from benchmarks.features.timing import Tell
from benchmarks.rendering.processes import Kind, Sample, Sampler
from structce.errors import RenderError
from structce.rendering.chromium import ChromiumRenderer
from structce.rendering.document import Document

KINDS: tuple[Kind, ...] = ("browser", "driver", "python")


class KindFigures(TypedDict):
    """Memory of one kind of process in MB, resident; `own` leaves out shared memory.

    Growth is by least squares over the second half of the pages.
    """

    own_median: float
    median: float
    most: float
    last: float
    growth_per_100_pages: float


class MemoryFigures(TypedDict):
    """Figures of this part."""

    n_pages: int
    errors: list[str]
    seconds: float
    kinds: dict[str, KindFigures]
    samples: list[Sample]


def measure(
    documents: Sequence[Document], n_pages: int, browser: str | None, tell: Tell
) -> MemoryFigures:
    """Render so many pages one after the other, beginning again when all were shown."""
    errors: list[str] = []
    n_done = 0
    with ChromiumRenderer(browser) as renderer, Sampler(lambda: n_done) as sampler:
        for document in islice(cycle(documents), n_pages):
            try:
                renderer.render(document)
            except RenderError as error:
                errors.append(str(error))
            n_done += 1
            if n_done % 20 == 0:
                tell(f"memory: {n_done} of {n_pages} pages")
    samples = sampler.samples
    return {
        "n_pages": n_pages,
        "errors": errors,
        "seconds": samples[-1].seconds,
        "kinds": {kind: figures(samples, kind) for kind in KINDS},
        "samples": samples,
    }


def figures(samples: Sequence[Sample], kind: Kind) -> KindFigures:
    """Return the memory of one kind of process, from samples in the order of time."""
    held = np.array([sample.megabytes[kind] for sample in samples])
    done = np.array([sample.n_done for sample in samples])
    late = done >= done[-1] / 2
    can_fit = len(set(done[late].tolist())) > 1
    slope = float(np.polyfit(done[late], held[late], 1)[0]) if can_fit else float("nan")
    return {
        "own_median": float(np.median([sample.own[kind] for sample in samples])),
        "median": float(np.median(held)),
        "most": float(held.max()),
        "last": float(held[-1]),
        "growth_per_100_pages": 100 * slope,
    }
