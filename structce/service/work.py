"""Work of the service's processes: from one page to the bytes of its answer.

The functions here run in the processes of a :class:`structce.runtime.WorkerPool`. Any error within
a page is its answer, with a reason that programs can read.
"""

from __future__ import annotations

import logging
import signal
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from msgspec.structs import replace

from structce.article import (
    PageReader,
    PageRecord,
    formats,
    page_record,
    without_doubtful,
)
from structce.extraction import ParsedDocument, make_extractor
from structce.features import import_features, load_entry_points
from structce.io import json_line
from structce.labelling import ModelChoice
from structce.page import Page
from structce.rendering import (
    Document,
    NetworkReader,
    Settings,
    Source,
    check_markup,
    start_renderer,
)
from structce.runtime import call_within
from structce.service.requests import (
    ErrorAnswer,
    ExtractRequest,
    LabelRequest,
    PageTask,
    page_error,
)

JSON, _MARKDOWN = "application/json", "text/markdown; charset=utf-8"
_GRACE = 5.0  # seconds beyond a page's limit before the process itself is ended


@dataclass(frozen=True)
class WorkSetup:
    """Setup of a process of the service.

    Parameters
    ----------
    model
        Folder of the model; None for the shipped one of the renderer.
    settings
        Settings of the renderer; with ``network``, addresses may be fetched.
    imports
        Files and modules of the user, whose features and learners the model may need.
    """

    model: Path | None = None
    renderer: str = "static"
    settings: Settings = field(default_factory=Settings)
    imports: tuple[str, ...] = ()

    @property
    def seconds(self) -> float:
        """Seconds after which a process that works on one page is ended."""
        limits = self.settings.limits
        fetching = limits.request_seconds if self.settings.network else 0.0
        rendering = 2 * limits.seconds if self.renderer == "chromium" else 0.0
        return limits.page_seconds + fetching + rendering + _GRACE


class Answer(NamedTuple):
    """Outcome of one page, with the seconds of work; the body is empty if there is an error."""

    body: bytes = b""
    media_type: str = JSON
    seconds: float = 0.0
    error: ErrorAnswer | None = None


def start_work(setup: WorkSetup) -> Callable[[PageTask], Answer]:
    """Return the function that works on pages, in a process of its own."""
    # Messages about pages repeat their content, which must not enter the server's log.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the server decides when its workers end
    logging.getLogger("structce").setLevel(logging.CRITICAL)
    warnings.simplefilter("ignore")
    load_entry_points()
    import_features(setup.imports)
    return PageWork(setup)


class PageWork:
    """Function that performs tasks on pages, with models and a renderer that are loaded once."""

    def __init__(self, setup: WorkSetup) -> None:
        self._setup, self._opened = setup, ExitStack()
        models = ModelChoice(setup.model)
        models.labeller(setup.renderer)
        self._model = Path(models.name(setup.renderer)).name  # without its path on the server
        renderer = start_renderer(setup.renderer, settings=setup.settings)
        self._reader = PageReader(self._opened.enter_context(renderer), models, spans=False)
        self._extractor = cache(make_extractor)
        self._read: Callable[[Source], Document] = Source.read
        if setup.settings.network:
            self._read = NetworkReader(setup.settings, is_named=False).read

    def __call__(self, task: PageTask) -> Answer:
        """Return the answer to a task, whatever its outcome."""
        start = perf_counter()
        name = task.page if isinstance(task.page, str) else "page"
        try:
            answer = self._answer(task)
        except Exception as error:  # any error is the answer
            answer = Answer(error=page_error(name, error))
        return answer._replace(seconds=perf_counter() - start)

    def close(self) -> None:
        """Close the browser, if one is open."""
        self._opened.close()

    def _answer(self, task: PageTask) -> Answer:
        options, page = task.options, task.page
        document = check_markup(self._read(Source(page)) if isinstance(page, str) else page)
        if isinstance(options, ExtractRequest):
            extract = partial(self._extract, document, options.method)
            return call_within(self._setup.settings.limits.page_seconds, document.name, extract)
        is_record, favour, context = options.format == "json", options.favour, options.context
        reader = replace(self._reader, spans=is_record, favour=favour, context=context)
        return reader.run(document, partial(self._label, reader, document, options))

    def _extract(self, document: Document, method: str) -> Answer:
        extraction = self._extractor(method).extract(ParsedDocument.of(document))
        head: PageRecord = {"source": document.name, "method": method, "url": document.url}
        return _json({**head, "text": extraction.text, "spans": extraction.spans})

    def _label(
        self, reader: PageReader, document: Document, options: LabelRequest, page: Page
    ) -> Answer:
        reading = reader.read(page, document.html)
        article = without_doubtful(reading.article, options.min_confidence)
        if options.format == "markdown":
            text = formats.to_markdown(article)
            return Answer(text.encode("utf-8", errors="replace"), _MARKDOWN)
        record = page_record(
            document.name, replace(reading, article=article), self._model,
            all_regions=options.all_regions, has_blocks=options.blocks,
        )  # fmt: skip
        return _json(record)


def _json(record: PageRecord) -> Answer:
    return Answer(json_line(record).encode(), JSON)
