"""Labelling of many sources: each is rendered, labelled and read, in the order given."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from structce.labelling.labeller import Labelling, ModelChoice, RegionLabeller
from structce.labelling.pool import LabellingPool, PageOutcome, Reading, T, page_outcome
from structce.page import Page, original_source, site_of, with_sites
from structce.rendering import Loader, Renderer, RenderResult, render_all

Draw = Callable[[RenderResult, Labelling, int], str]
"""Function that draws a labelled page, given its number; it returns the error, or an empty text."""

_log = logging.getLogger(__name__)


def label_sources(
    sources: Iterable[tuple[str, Loader]],
    renderer: Renderer,
    models: ModelChoice,
    reading: Reading[T],
    *,
    workers: int = 1,
    has_spans: bool = True,
    may_fork: bool = False,
    draw: Draw | None = None,
) -> Iterator[PageOutcome[T]]:
    """Yield the outcome of every source, in the order given.

    Without a browser a page is processed as a whole in one of several processes. Where the model
    compares the pages of a site, all are rendered before the first is labelled.

    Parameters
    ----------
    sources
        Names, each with a function that loads the document or an already rendered page.
    renderer
        Renderer of the pages, which is started and closed here.
    workers
        Number of processes of the static renderer.
    has_spans
        Whether the reading needs the places of regions in the source.
    may_fork
        Whether processes may share the loaded model by forking this process; otherwise each of them
        loads the model.
    draw
        Draws each page after it was read.
    """
    labeller = models.labeller(renderer.name)
    if renderer.name == "static" and not labeller.needs_sites:
        pool: LabellingPool[T] = LabellingPool(
            models.model,
            reading,
            labeller=labeller if may_fork or workers == 1 else None,
            settings=renderer.settings,
            workers=workers,
            has_spans=has_spans,
        )
        with pool:
            yield from pool.label_all(sources)
        return
    seconds = renderer.settings.limits.page_seconds
    with renderer:
        for number, (result, labelling) in enumerate(label_pages(sources, renderer, models)):
            if labelling is None:
                yield PageOutcome(result.source, None, result.error)
                continue
            read = partial(reading, result.source, labelling)
            outcome = page_outcome(result.source, read, seconds=seconds)
            if draw is not None and not outcome.error:
                drawn = page_outcome(result.source, partial(draw, result, labelling, number))
                outcome = outcome._replace(error=drawn.error or drawn.value or "")
            yield outcome


def label_pages(
    sources: Iterable[tuple[str, Loader]], renderer: Renderer, models: ModelChoice
) -> Iterator[tuple[RenderResult, Labelling | None]]:
    """Yield every rendered page in order with its labelling, None if there is an error."""
    results = render_all(sources, renderer)
    seconds = renderer.settings.limits.page_seconds
    if (labeller := models.labeller(renderer.name)).needs_sites:
        yield from _label_site_pages(list(results), labeller, seconds)
        return
    for result in results:
        yield _labelled(result, models.label, seconds)


def _labelled(
    result: RenderResult, label: Callable[[Page], Labelling], seconds: float
) -> tuple[RenderResult, Labelling | None]:
    """Return a result with its labelling; with its error if rendering or labelling failed."""
    if result.page is None:
        return result, None
    _, labelling, error = page_outcome(result.source, partial(label, result.page), seconds=seconds)
    return (replace(result, page=None, error=error) if error else result), labelling


def _label_site_pages(
    results: Sequence[RenderResult], labeller: RegionLabeller, seconds: float
) -> Iterator[tuple[RenderResult, Labelling | None]]:
    pages = [result.page for result in results if result.page is not None]
    sites = [_site_name(result, result.page) for result in results if result.page is not None]
    if pages and len(set(sites)) == len(sites):
        _log.warning("the model compares pages of a site, but no two of these share a site")
    counted = with_sites(pages, sites)[::-1]
    for result in results:
        # Popped, so that a labelled page is freed with all that was computed from it.
        site_result = result if result.page is None else replace(result, page=counted.pop())
        yield _labelled(site_result, labeller.label, seconds)


def _site_name(result: RenderResult, page: Page) -> str:
    """Return the site of a page's address; without an address, the folder of its file."""
    source = original_source(result.source)
    if source == "-":
        return source
    return site_of(page.url) or str(Path(source).resolve().parent)
