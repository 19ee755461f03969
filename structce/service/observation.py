"""Observation of requests: a log without page contents, addresses or secrets, and metrics."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from structce.errors import innermost_line
from structce.extras import check_extras
from structce.service.work import Answer

LOGGER = logging.getLogger("structce.service.requests")
"""Logger of requests; the fields of a line are in ``extra={"fields": ...}``."""

_BUCKETS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
"""Bounds of histograms in seconds: a news page takes some 0.1, the limit of a page is 30."""


@dataclass
class RequestEntry:
    """Log entry of one request.

    Its path is that of the route, since what a client sent may contain a secret. Waiting and work
    are in seconds. The code is why the request, or the last of its failed pages, has no answer.
    """

    path: str = "other"
    pages: int = 0
    failed: int = 0
    bytes_in: int = 0
    bytes_out: int = 0
    wait: float = 0.0
    work: float = 0.0
    code: str = ""

    def add(self, answer: Answer) -> None:
        """Add the answer to a page."""
        self.pages += 1
        self.work += answer.seconds
        self.wait = max(self.wait, answer.wait)
        if answer.error is not None:
            self.failed += 1
            self.code = answer.error.code


def log_event(event: str, level: int = logging.INFO, **fields: object) -> None:
    """Write a line about a request, or about the server itself."""
    LOGGER.log(level, event, extra={"fields": {"event": event, **fields}})


class JsonFormatter(logging.Formatter):
    """Formatter of records as JSON; an exception gives its kind and place, never its message."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as one line."""
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        message = {"event": "message", "logger": record.name, "message": record.getMessage()}
        line = {"time": moment, "level": record.levelname.lower()}
        line |= getattr(record, "fields", message)
        if record.exc_info and record.exc_info[1] is not None:
            line["fault"] = fault_place(record.exc_info[1])
        return json.dumps(line, ensure_ascii=True)


def fault_place(error: BaseException) -> str:
    """Return the kind of an exception and the innermost line of this package that it went through.

    Its message is left out, since it may repeat the content of a page.
    """
    line = innermost_line(error)
    return type(error).__name__ + (f" at {line[0]}:{line[1]}" if line else "")


def log_as_json() -> None:
    """Write all logs of this process to standard error as JSON, requests included."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.captureWarnings(True)
    LOGGER.setLevel(logging.INFO)


class Metrics:
    """Counters, gauges and histograms of one server, for Prometheus.

    Requests are counted by the path of their route, never by what a client sent.
    """

    def __init__(self) -> None:
        check_extras(("prometheus_client",), "the service", "serve")
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        self._registry = registry = CollectorRegistry()
        counter = partial(Counter, registry=registry)
        gauge = partial(Gauge, registry=registry)
        histogram = partial(Histogram, registry=registry, buckets=_BUCKETS)
        self.requests = counter("structce_requests", "Requests", ["path", "status"])
        self._pages = counter("structce_pages", "Pages that were answered", ["task"])
        self._failures = counter("structce_failures", "Pages without an answer", ["task", "reason"])
        self.refusals = counter("structce_refusals", "Requests refused before any work", ["reason"])
        self._seconds = histogram("structce_page_seconds", "Time of a page in a worker", ["task"])
        self._waits = histogram("structce_wait_seconds", "Time before a worker took a page")
        self._waiting = gauge("structce_waiting_pages", "Pages that wait for a worker")
        self._in_flight = gauge("structce_pages_in_flight", "Pages that a worker is at")
        self._workers = gauge("structce_workers", "Worker processes")

    def watch(
        self, n_workers: int, n_waiting: Callable[[], int], n_in_flight: Callable[[], int]
    ) -> None:
        """Let the gauges call these functions whenever the metrics are read."""
        self._workers.set(n_workers)
        self._waiting.set_function(n_waiting)
        self._in_flight.set_function(n_in_flight)

    def count_page(self, task: str, answer: Answer) -> None:
        """Count a page."""
        if answer.error is None:
            self._pages.labels(task).inc()
        else:
            self._failures.labels(task, answer.error.code).inc()
        if answer.seconds:
            self._seconds.labels(task).observe(answer.seconds)
            self._waits.observe(answer.wait)

    def text(self) -> tuple[bytes, str]:
        """Return all metrics in the format of Prometheus, and the media type."""
        from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

        return generate_latest(self._registry), CONTENT_TYPE_LATEST
