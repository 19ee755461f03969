"""Run of the service: workers, a socket, and an end that finishes what is under way."""

from __future__ import annotations

import signal
import socket
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NoReturn

from structce.extraction import EXTRACTORS, load_extractors
from structce.extras import check_extras
from structce.http_server import LOOPBACK, bind, host_headers, serve
from structce.labeller import ModelChoice
from structce.rendering import MAX_PAGE_BYTES
from structce.service.dispatch import Dispatcher
from structce.service.logs import log_as_json, log_event
from structce.service.metrics import Metrics
from structce.service.server import EXTRAS, ServiceRules, build_app
from structce.service.work import Answer, Job, WorkSetup, start_work
from structce.version import __version__
from structce.worker_pool import WorkerPool

LOOPBACKS = (LOOPBACK, "localhost", "::1")
"""Addresses that only programs of this machine reach."""

NODE_METHODS = ("readability-js", "defuddle")
"""Extractors that start a program for each page, which the service does for nobody."""

_MORE_CONNECTIONS = 100  # beyond those that have a place: refusals, metrics, idle ones


@dataclass(frozen=True)
class ServiceOptions:
    """Options of a server.

    Parameters
    ----------
    host, port
        Address to listen at; port 0 for a free one.
    workers
        Processes.
    queue
        Pages that may wait besides.
    token
        Secret that requests must hold; needed for any address but those of this machine.
    origins
        Sites whose scripts may ask.
    max_bytes
        Of the body of a request.
    stop_seconds
        That requests under way have when the server is told to end.
    """

    setup: WorkSetup = field(default_factory=WorkSetup)
    host: str = LOOPBACK
    port: int = 0
    workers: int = 1
    queue: int = 16
    token: str = ""
    origins: tuple[str, ...] = ()
    max_bytes: int = MAX_PAGE_BYTES
    stop_seconds: int = 30


def served_methods() -> Sequence[str]:
    """Return the extractors that may be asked for: by name alone, none that runs a program."""
    load_extractors()
    return sorted(set(EXTRACTORS) - {*NODE_METHODS})


def run_service(options: ServiceOptions) -> None:
    """Serve until SIGTERM or an interruption, finish what is under way, and end.

    Raises
    ------
    MissingExtraError
        If the extra is not installed.
    SourceError
        If the address cannot be listened at.
    """
    check_extras(EXTRAS, "the service", "serve")
    signal.signal(signal.SIGTERM, _end)  # uvicorn hands the signal back when it has ended
    log_as_json()
    with bind(options.host, options.port) as listener, closing(_open_pool(options)) as pool:
        try:
            _serve(options, listener, pool)
        except KeyboardInterrupt:
            log_event("interrupted")
        finally:
            pool.close(is_forced=True)
            log_event("stopped")


def _serve(options: ServiceOptions, listener: socket.socket, pool: WorkerPool[Job, Answer]) -> None:
    setup = options.setup
    model = Path(ModelChoice(setup.model).name(setup.renderer)).name
    metrics = Metrics(renderer=setup.renderer, model=model)
    dispatcher = Dispatcher(
        pool, workers=options.workers, queue=options.queue, seconds=setup.seconds, metrics=metrics
    )
    rules = ServiceRules(
        token=options.token,
        hosts=None if options.token else host_headers(listener, *LOOPBACKS),
        origins=options.origins,
        may_fetch=setup.settings.network,
        methods=served_methods(),
        max_bytes=options.max_bytes,
        renderer=setup.renderer,
        model=model,
    )
    log_event(
        "listening", host=options.host, port=listener.getsockname()[1], version=__version__,
        workers=options.workers, queue=options.queue, renderer=setup.renderer, model=model,
        network=rules.may_fetch, token=bool(options.token),
    )  # fmt: skip
    connections = options.workers + options.queue + _MORE_CONNECTIONS
    app = build_app(dispatcher, rules, metrics)
    serve(app, listener, seconds=options.stop_seconds, connections=connections)


def _open_pool(options: ServiceOptions) -> WorkerPool[Job, Answer]:
    # Never copies of this process: they would hold its socket, and each of its log's lines.
    starter = partial(start_work, options.setup)
    return WorkerPool(starter, options.workers, seconds=options.setup.seconds)


def _end(*_: object) -> NoReturn:
    raise SystemExit(0)
