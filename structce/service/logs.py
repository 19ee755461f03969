"""Log of the service: one JSON object per line, without page contents, addresses or secrets."""

from __future__ import annotations

import json
import logging
import sys
import traceback
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

LOGGER = logging.getLogger("structce.service.requests")
"""Logger of requests; the fields of a line are in ``extra={"fields": ...}``."""

_PACKAGE = Path(__file__).parents[1]


@dataclass
class RequestEntry:
    """Log entry of one request.

    Parameters
    ----------
    path
        Path of the route; what a client sent may contain a secret.
    pages, failed
        Number of pages processed, and of those without an answer.
    wait, work
        Seconds before a worker took the page, and seconds of its work.
    code
        Why the request, or the last of its failed pages, has no answer.
    """

    path: str = "other"
    pages: int = 0
    failed: int = 0
    bytes_in: int = 0
    bytes_out: int = 0
    wait: float = 0.0
    work: float = 0.0
    code: str = ""


class JsonFormatter(logging.Formatter):
    """Formatter of records as JSON; an exception gives its kind and place, never its message."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as one line."""
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, object] = {"time": moment, "level": record.levelname.lower()}
        fields = getattr(record, "fields", None)
        if fields is None:
            line |= {"event": "message", "logger": record.name, "message": record.getMessage()}
        else:
            line |= fields
        if record.exc_info and record.exc_info[1] is not None:
            line["fault"] = fault_place(record.exc_info[1])
        return json.dumps(line, ensure_ascii=True)


def fault_place(error: BaseException) -> str:
    """Return the kind of an exception and the innermost line of this package that it went through.

    Its message is left out, since it may repeat the content of a page.
    """
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if path.is_relative_to(_PACKAGE):
            place = path.relative_to(_PACKAGE).as_posix()
            return f"{type(error).__name__} at structce/{place}:{frame.lineno}"
    return type(error).__name__


def log_as_json() -> None:
    """Write all logs of this process to standard error as JSON, requests included."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.captureWarnings(True)
    LOGGER.setLevel(logging.INFO)


def log_event(event: str, **fields: object) -> None:
    """Write a line about the server itself."""
    LOGGER.info(event, extra={"fields": {"event": event, **fields}})
