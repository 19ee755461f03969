"""Run of the service: workers, a socket, and a shutdown that finishes requests in progress."""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from structce.extraction import EXTRACTORS, load_extractors
from structce.extras import check_extras
from structce.labelling import ModelChoice
from structce.rendering import MAX_PAGE_BYTES
from structce.runtime import LOOPBACK, WorkerPool, bind, host_headers, serve
from structce.service.dispatch import Dispatcher
from structce.service.observation import Metrics, log_as_json, log_event
from structce.service.server import EXTRAS, ServiceRules, build_app
from structce.service.work import Answer, Job, WorkSetup, start_work
from structce.version import __version__

LOOPBACKS = (LOOPBACK, "localhost", "::1")
"""Addresses that only programs on this machine can reach."""

NODE_METHODS = ("readability-js", "defuddle")
"""Extractors that start a program per page, which the service never does."""

_MORE_CONNECTIONS = 100  # beyond those with a slot: refusals, metrics, idle ones


@dataclass(frozen=True)
class ServiceOptions:
    """Options of a server.

    Parameters
    ----------
    host, port
        Address to listen on; port 0 for a free one.
    workers, queue
        Number of processes, and of further pages that may wait.
    token
        Secret that requests must contain; required for any address except this machine's.
    origins
        Sites whose scripts may send requests.
    stop_seconds
        Time for requests in progress to finish when the server is told to end.
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
    """Return the extractors that requests may name: no parameters, none that runs a program."""
    load_extractors()
    return sorted(set(EXTRACTORS) - {*NODE_METHODS})


def run_service(options: ServiceOptions) -> None:
    """Serve until SIGTERM or an interruption, finish requests in progress, and end."""
    check_extras(EXTRAS, "the service", "serve")
    # Until uvicorn handles the signal, and again after it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
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
    # Never forks of this process: they would inherit its socket and log.
    starter = partial(start_work, options.setup)
    return WorkerPool(starter, options.workers, seconds=options.setup.seconds)
