"""Run of the service: workers, a socket, and a shutdown that finishes requests in progress."""

from __future__ import annotations

import signal
import socket
import sys
from contextlib import closing
from functools import partial

from structce.extras import check_extras
from structce.runtime import LOOPBACK, WorkerPool, bind, host_headers
from structce.service.app import EXTRAS, ServiceOptions, build_app
from structce.service.observation import Metrics, log_as_json, log_event
from structce.service.queue import PageQueue
from structce.service.requests import PageTask
from structce.service.work import Answer, start_work
from structce.version import __version__

LOOPBACKS = (LOOPBACK, "localhost", "::1")
"""Addresses that only programs on this machine can reach."""

_ATTEMPTS = 2  # processes for one page: one that was killed while idle costs no answer


def run_service(options: ServiceOptions) -> None:
    """Serve until SIGTERM or an interruption, finish requests in progress, and end."""
    check_extras(EXTRAS, "the service", "serve")
    # Until uvicorn handles the signal, and again after it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    log_as_json()
    # Workers never fork from this process: they would inherit its socket and log.
    starter, seconds = partial(start_work, options.setup), options.setup.seconds
    with (
        bind(options.host, options.port) as listener,
        closing(WorkerPool(starter, options.workers, seconds=seconds, attempts=_ATTEMPTS)) as pool,
    ):
        try:
            _serve(options, listener, pool)
        except KeyboardInterrupt:
            log_event("interrupted")
        finally:
            pool.close(is_forced=True)
            log_event("stopped")


def _serve(
    options: ServiceOptions, listener: socket.socket, pool: WorkerPool[PageTask, Answer]
) -> None:
    from structce.service.connections import build_server  # late: it imports extras

    setup, workers, n_waiting = options.setup, options.workers, options.queue
    metrics = Metrics(renderer=setup.renderer, model=setup.model_name)
    queue = PageQueue(pool, metrics, workers=workers, queue=n_waiting, seconds=setup.seconds)
    log_event(
        "listening", host=options.host, port=listener.getsockname()[1], version=__version__,
        workers=workers, queue=n_waiting, renderer=setup.renderer, model=setup.model_name,
        network=setup.settings.network, token=bool(options.token),
    )  # fmt: skip
    hosts = None if options.token else host_headers(listener, *LOOPBACKS)
    app = build_app(queue, options, hosts)
    build_server(app, queue, stop_seconds=options.stop_seconds).run(sockets=[listener])
