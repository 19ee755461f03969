"""Rendering of one document without a browser, and a pool of processes that do it side by side."""

from __future__ import annotations

import multiprocessing
import signal
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import SimpleQueue

from structce.errors import RenderError
from structce.metadata import read_metadata
from structce.page import Page, Provenance
from structce.rendering.base import Settings
from structce.rendering.document import Document
from structce.rendering.static.parser import parse
from structce.rendering.static.traversal import collect_regions
from structce.rendering.static.user_agent_styles import default_styles

RENDERER_NAME = "static"
"""Name of the renderer."""

NO_WINDOW = (0, 0)
"""Viewport of a page without layout."""

_START_SECONDS = 60.0  # that a process may take to start; on a busy machine it is two
_EXIT_SECONDS = 5.0  # to wait for the exit code of a process that has closed its pipe
_READY = "ready"
_Running = tuple[BaseProcess, Connection]  # and the pipe to it


class WorkerPool:
    """Pool of worker processes; a process that dies or hangs costs the page that it was at.

    Python's own pools end all their pages when one process dies, and cannot stop a page. Here a
    thread for each process waits for what it sends.

    Parameters
    ----------
    settings
        Given to every worker.
    workers
        Number of processes, started here and each started again when it has died.
    """

    def __init__(self, settings: Settings, workers: int) -> None:
        self._idle: SimpleQueue[_Worker] = SimpleQueue()
        self._workers = [_Worker(settings) for _ in range(workers)]
        for worker in self._workers:
            worker.start()
            self._idle.put(worker)
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="static-renderer")

    def submit(self, document: Document) -> Future[Page]:
        """Return the page to come."""
        # Resources may be open files or connections, and are not asked for without a browser.
        return self._threads.submit(self._render, replace(document, resources=None))

    def close(self) -> None:
        """Finish the pages under way, drop those that wait, end the processes."""
        self._threads.shutdown(cancel_futures=True)
        for worker in self._workers:
            worker.stop()

    def _render(self, document: Document) -> Page:
        worker = self._idle.get()
        try:
            return worker.render(document)
        finally:
            self._idle.put(worker)


class _Worker:
    """One process and the pipe to it; used by one thread at a time."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.running: _Running | None = None
        self.is_ready = False

    def start(self) -> _Running:
        """Start the process; it tells when it is ready."""
        # Not by fork, which would copy the locks that other threads hold at this moment.
        context = multiprocessing.get_context("spawn")
        pipe, inner = context.Pipe()
        process = context.Process(target=_serve, args=(inner, self.settings), daemon=True)
        process.start()
        inner.close()
        self.running, self.is_ready = (process, pipe), False
        return self.running

    def render(self, document: Document) -> Page:
        """Return the page, from a fresh process where the last one is gone."""
        if self.running is None or not self.running[0].is_alive():
            self.stop()
            self.running = self.start()
        process, pipe = self.running
        try:
            result = self._request(pipe, document)
        except (EOFError, OSError) as error:
            process.join(_EXIT_SECONDS)
            code = process.exitcode
            self.stop()
            raise RenderError(
                f"{document.name}: the process that rendered it died (exit code {code})"
            ) from error
        if isinstance(result, Page):
            return result
        raise RenderError(str(result))

    def stop(self) -> None:
        """End the process, at once."""
        if self.running is not None:
            process, pipe = self.running
            process.kill()
            process.join()
            process.close()
            pipe.close()
        self.running = None

    def _request(self, pipe: Connection, document: Document) -> object:
        if not self.is_ready:
            self._await_start(pipe, document)
        pipe.send(document)
        seconds = self.settings.limits.seconds
        if not pipe.poll(seconds):
            self.stop()
            raise RenderError(f"{document.name}: took more than {seconds:g} seconds")
        return pipe.recv()

    def _await_start(self, pipe: Connection, document: Document) -> None:
        try:
            self.is_ready = pipe.poll(_START_SECONDS) and pipe.recv() == _READY
        except EOFError:
            self.is_ready = False
        if not self.is_ready:
            self.stop()
            raise RenderError(
                f"{document.name}: no process to render it started; a script that uses several "
                "workers must start its work below 'if __name__ == \"__main__\":'"
            )


def _serve(pipe: Connection, settings: Settings) -> None:
    """Answer each document with its page, or with what is wrong, until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one decides
    pipe.send(_READY)
    while True:
        try:
            document = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send(render_static(document, settings))
        except RenderError as error:
            pipe.send(str(error))


def render_static(document: Document, settings: Settings) -> Page:
    """Render a document in this process.

    Raises
    ------
    RenderError
        If it is beyond the parser, or holds more regions than the limit allows.
    """
    root = parse(document)
    metadata = read_metadata(root)
    builder = collect_regions(root, document.name, settings)
    return builder.page(
        document=document,
        lang=root.attributes.get("lang") or root.attributes.get("xml:lang") or "",
        renderer=RENDERER_NAME,
        viewport=NO_WINDOW,
        metadata=metadata,
        styles=default_styles(builder.tag, builder.parent),
        provenance=provenance_of(document, settings),
    )


def provenance_of(document: Document, settings: Settings) -> Provenance:
    """Return how a page of the document comes about."""
    return Provenance(document.digest, settings=str(replace(settings, viewport=NO_WINDOW)))
