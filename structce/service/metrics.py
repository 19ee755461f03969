"""Metrics of the service, in the format of Prometheus."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

from structce.extras import check_extras
from structce.service.work import Answer
from structce.version import __version__

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

_BUCKETS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
"""Bounds of histograms in seconds: a news page takes some 0.1, the limit of a page is 30."""


class Watched(Protocol):
    """Object that the gauges read whenever the metrics are read."""

    @property
    def workers(self) -> int:
        """Number of processes."""
        ...

    @property
    def n_waiting(self) -> int:
        """Number of waiting pages."""
        ...

    @property
    def n_in_flight(self) -> int:
        """Number of pages in progress."""
        ...


class Metrics:
    """Counters, gauges and histograms of one server.

    Raises
    ------
    MissingExtraError
        If the Prometheus client is not installed.
    """

    def __init__(self, *, renderer: str, model: str) -> None:
        check_extras(("prometheus_client",), "the service", "serve")
        from prometheus_client import CollectorRegistry, Info

        self._registry: CollectorRegistry = CollectorRegistry()
        self._add_counters()
        self._add_times()
        self._add_gauges()
        info = Info("structce", "What runs here", registry=self._registry)
        info.info({"version": __version__, "renderer": renderer, "model": model})

    def _add_counters(self) -> None:
        from prometheus_client import Counter

        add = partial(Counter, registry=self._registry)
        self._requests = add("structce_requests", "Requests", ["path", "status"])
        self._pages = add("structce_pages", "Pages that were answered", ["task"])
        self._failures = add("structce_failures", "Pages without an answer", ["task", "reason"])
        self._refusals = add("structce_refusals", "Requests refused before any work", ["reason"])

    def _add_times(self) -> None:
        from prometheus_client import Histogram

        add = partial(Histogram, registry=self._registry, buckets=_BUCKETS)
        self._seconds = add("structce_page_seconds", "Time of a page in a worker", ["task"])
        self._waits = add("structce_wait_seconds", "Time before a worker took a page")

    def _add_gauges(self) -> None:
        from prometheus_client import Gauge

        add = partial(Gauge, registry=self._registry)
        self._waiting = add("structce_waiting_pages", "Pages that wait for a worker")
        self._in_flight = add("structce_pages_in_flight", "Pages that a worker is at")
        self._workers = add("structce_workers", "Worker processes")

    def watch(self, watched: Watched) -> None:
        """Let gauges read their values at the moment that they are queried."""
        self._waiting.set_function(lambda: watched.n_waiting)
        self._in_flight.set_function(lambda: watched.n_in_flight)
        self._workers.set_function(lambda: watched.workers)

    def count_request(self, path: str, status: int) -> None:
        """Count an answered request.

        Parameters
        ----------
        path
            Path of the route, never what a client sent.
        """
        self._requests.labels(path, str(status)).inc()

    def count_refusal(self, reason: str) -> None:
        """Count a request that was refused before any work on a page."""
        self._refusals.labels(reason).inc()

    def count_page(self, task: str, answer: Answer) -> None:
        """Count a page."""
        if answer.failure is None:
            self._pages.labels(task).inc()
        else:
            self._failures.labels(task, answer.failure.code).inc()
        if answer.seconds:
            self._seconds.labels(task).observe(answer.seconds)
            self._waits.observe(answer.wait)

    def text(self) -> tuple[bytes, str]:
        """Return all metrics in the format of Prometheus, and the media type."""
        from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

        return generate_latest(self._registry), CONTENT_TYPE_LATEST
