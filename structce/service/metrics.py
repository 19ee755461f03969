"""Metrics of the service, as Prometheus reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from structce.extras import check_extras
from structce.service.work import Answer
from structce.version import __version__

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

_BUCKETS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
"""Bounds of histograms in seconds: a news page takes some 0.1, the limit of a page is 30."""


class Watched(Protocol):
    """What is looked at whenever somebody reads the metrics."""

    @property
    def workers(self) -> int:
        """Number of processes."""
        ...

    @property
    def n_waiting(self) -> int:
        """Pages that wait."""
        ...

    @property
    def n_in_flight(self) -> int:
        """Pages that a process is at."""
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
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info

        self._registry: CollectorRegistry = CollectorRegistry()
        registry = self._registry
        self._requests = Counter(
            "structce_requests",
            "Requests by path and status",
            ["path", "status"],
            registry=registry,
        )
        self._pages = Counter(
            "structce_pages", "Pages that were answered", ["task"], registry=registry
        )
        self._failures = Counter(
            "structce_failures",
            "Pages without an answer, by reason",
            ["task", "reason"],
            registry=registry,
        )
        self._refusals = Counter(
            "structce_refusals",
            "Requests refused before any work, by reason",
            ["reason"],
            registry=registry,
        )
        self._seconds = Histogram(
            "structce_page_seconds",
            "Time of a page in a worker",
            ["task"],
            buckets=_BUCKETS,
            registry=registry,
        )
        self._waits = Histogram(
            "structce_wait_seconds",
            "Time before a worker took a page",
            buckets=_BUCKETS,
            registry=registry,
        )
        self._waiting = Gauge(
            "structce_waiting_pages", "Pages that wait for a worker", registry=registry
        )
        self._in_flight = Gauge(
            "structce_pages_in_flight", "Pages that a worker is at", registry=registry
        )
        self._workers = Gauge("structce_workers", "Worker processes", registry=registry)
        info = Info("structce", "What runs here", registry=registry)
        info.info({"version": __version__, "renderer": renderer, "model": model})

    def watch(self, watched: Watched) -> None:
        """Let gauges show what they show at the moment that they are read."""
        self._waiting.set_function(lambda: watched.n_waiting)
        self._in_flight.set_function(lambda: watched.n_in_flight)
        self._workers.set_function(lambda: watched.workers)

    def count_request(self, path: str, status: int) -> None:
        """Count an answered request.

        Parameters
        ----------
        path
            Of the route, never what a client wrote.
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
        """Return all of it as Prometheus reads it, and the media type."""
        from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

        return generate_latest(self._registry), CONTENT_TYPE_LATEST
