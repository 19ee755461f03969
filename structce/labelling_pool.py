"""Pool of processes that render and label pages, each of which loads the model once.

Labelling takes most of the time of a page, so that processes which only render, and leave the
labelling to the one that started them, are hardly faster than one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Self

from structce.errors import RenderError, SourceError
from structce.features import import_features, import_sources, load_entry_points
from structce.labeller import Labelling, RegionLabeller, find_model
from structce.page import Page
from structce.rendering import (
    Document,
    Loader,
    RenderResult,
    Settings,
    StaticRenderer,
    submit_ahead,
    with_spans,
)
from structce.worker_pool import WorkerPool


class LabellingPool:
    """Pool of processes that render pages without a browser and label them; a context manager.

    Parameters
    ----------
    model
        Name of a shipped model, or a model's folder. It must not compare the pages of a site.
    settings
        Of the static renderer; its limit of seconds holds for rendering and labelling together.
    workers
        Number of processes, which ``with`` starts. As always in Python, a script that does so must
        start its work below ``if __name__ == "__main__":``.
    """

    def __init__(
        self, model: str | Path, *, settings: Settings | None = None, workers: int = 2
    ) -> None:
        if workers < 1:
            raise RenderError(f"workers: expected 1 or more, came {workers}")
        self.model = find_model(model)
        self.settings = settings or Settings()
        self.workers = workers
        self._pool: WorkerPool[Document | Page, Labelling] | None = None

    def __enter__(self) -> Self:
        starter = partial(start_labelling, self.model, self.settings, import_sources())
        seconds = self.settings.limits.seconds
        self._pool = WorkerPool(starter, self.workers, seconds=seconds)
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.close()
        self._pool = None

    def label_all(
        self, sources: Iterable[tuple[str, Loader]], labeller: RegionLabeller
    ) -> Iterator[tuple[RenderResult, Labelling | None]]:
        """Yield every source in the order given, with its labelling; None where there is an error.

        Sources are read one after the other, a few ahead of what is yielded, so that memory does
        not grow with their number.

        Parameters
        ----------
        sources
            Names, and what reads the document, or a page that has been rendered before.
        labeller
            The model of the pool, which can then explain the labels.

        Raises
        ------
        RenderError
            If the pool is not started.
        """
        for name, document, found in submit_ahead(sources, self._submit, self.workers):
            yield _result(name, document, found, labeller)

    def _submit(self, item: Document | Page) -> Future[Labelling]:
        if self._pool is None:
            raise RenderError("the workers are not started; use 'with LabellingPool(...) as pool'")
        if isinstance(item, Page):
            return self._pool.submit(item, item.url or "page")
        # Resources may be open files or connections, and are not asked for without a browser.
        return self._pool.submit(replace(item, resources=None), item.name)


def start_labelling(
    model: Path, settings: Settings, imports: Sequence[str]
) -> Callable[[Document | Page], Labelling]:
    """Return the function that renders and labels in a worker process.

    Parameters
    ----------
    imports
        Files and modules of the user, whose features and learners the model may need.
    """
    load_entry_points()
    import_features(imports)
    return partial(_label, RegionLabeller.load(model), StaticRenderer(settings=settings))


def _label(labeller: RegionLabeller, renderer: StaticRenderer, item: Document | Page) -> Labelling:
    page, html = (item, "") if isinstance(item, Page) else (renderer.render(item), item.html)
    page = page if page.spans is not None else with_spans(page, html)
    # Without the labeller, which the process that started this one has, too.
    return replace(labeller.label(page), labeller=None)


def _result(
    name: str, document: Document, found: Future[Labelling], labeller: RegionLabeller
) -> tuple[RenderResult, Labelling | None]:
    try:
        labelling = found.result()
    except (SourceError, RenderError) as error:
        return RenderResult(name, document, None, str(error)), None
    return RenderResult(name, document, labelling.page), replace(labelling, labeller=labeller)
