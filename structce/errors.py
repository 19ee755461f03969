"""Exceptions that structce raises on purpose, as one tree.

::

    StructceError
    ├── SourceError       a page could not be read: file, archive, address, encoding, size
    │   └── RequestError  a request got no complete response
    ├── RenderError       a page was read but could not be rendered
    │   ├── BrowserError  no browser, or the browser failed
    │   └── TimeLimitError  a page exceeded its time limit
    ├── PageError         something unforeseen went wrong on one page
    ├── RegionError       a page has no region of this number
    ├── CorpusError       a corpus on disk is malformed, or of an unsupported version
    │   └── LabelError    a label outside the label set, on no region, or given twice
    ├── FeatureError      an unknown or taken feature name, or a feature of the wrong shape
    ├── LearnerError      an unknown learner, a bad hyper-parameter, or inputs that do not fit
    ├── ModelError        a model on disk is malformed, or of an unsupported version
    ├── ExperimentError   an experiment's file is malformed, or it cannot be run
    ├── ExtractionError   an unknown extractor, a bad parameter, or one that failed on a page
    ├── BulkError         a run over many pages cannot begin, go on, or end
    └── MissingExtraError an optional dependency is not installed

What is probably, but not certainly, a mistake is a Python warning: ``ModelWarning`` or
``EmptyPageWarning``.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from structce.requirements import extra_advice, extra_of

_log = logging.getLogger(__name__)
_MAX_REASON = 300  # characters of another library's message, which may quote the whole page


class StructceError(Exception):
    """Base class of all errors that structce raises on purpose."""


class SourceError(StructceError):
    """A page could not be read."""


class RequestError(SourceError):
    """A request got no complete response; trying again later may help."""


class RenderError(StructceError):
    """A page was read but could not be rendered."""


class BrowserError(RenderError):
    """No browser was found, or the browser failed."""


class TimeLimitError(RenderError):
    """A page exceeded its time limit."""


class PageError(StructceError):
    """Something unforeseen went wrong on one page: a fault of the program or of the machine.

    ``trace`` is the traceback of the original exception as text, so that worker processes can
    send it.
    """

    def __init__(self, message: str = "", *, trace: str = "") -> None:
        self.trace = trace
        super().__init__(message)


class RegionError(StructceError, IndexError):
    """A page has no region with this index."""


class CorpusError(StructceError):
    """A corpus on disk is malformed, or of an unsupported version."""


class LabelError(CorpusError):
    """A label is outside the label set, is on no region, or is given twice."""


class FeatureError(StructceError):
    """A feature's name is unknown or taken, or its values have the wrong shape."""


class LearnerError(StructceError):
    """A learner is unknown, a hyper-parameter is out of range, or inputs do not fit."""


class ModelError(StructceError):
    """A model on disk is malformed, or of an unsupported version."""


class ExperimentError(StructceError):
    """An experiment's file is malformed, or the experiment cannot be run.

    ``key`` is the path of the offending entry in the file: ``("splits", "by", 1)`` for the second
    item of ``splits.by``; the message then begins with ``splits.by:``. Empty if unknown.
    """

    def __init__(self, message: str = "", *, key: tuple[str | int, ...] = ()) -> None:
        self.key = key
        where = ".".join(name for name in key if isinstance(name, str))
        super().__init__(f"{where}: {message}" if where else message)


class ExtractionError(StructceError):
    """An extractor is unknown, a parameter is out of range, or it failed on a page."""


class BulkError(StructceError):
    """A run over many pages cannot begin, go on, or end."""


class MissingExtraError(StructceError):
    """An optional dependency is not installed; the message names the extra."""


class ModelWarning(UserWarning):
    """A model labels pages of a different renderer from the one it was trained on."""


class EmptyPageWarning(UserWarning):
    """Scripts write the content of a page, or nothing on it is visible: its article is empty."""


def missing_extra(error: ModuleNotFoundError, purpose: str = "this") -> MissingExtraError | None:
    """Return the error that names the extra with the module that was not found, if one has it.

    The purpose, which needs the module, is the subject of the message.
    """
    extra = extra_of(error)
    name = error.name or ""
    return MissingExtraError(f"{purpose} {extra_advice(name, extra)}") if extra else None


SETUP_ERRORS = (BrowserError, ModelError, MissingExtraError)
"""Errors that every page would raise, such as a missing browser, so they end a run."""


def describe_fault(name: str, error: Exception) -> StructceError:
    """Return the error of a page, given any exception raised while it was processed.

    Errors of this package are returned unchanged, and a missing package of an extra becomes a
    `MissingExtraError`. Any other exception becomes a `PageError` that
    says what it is and where it arose; its traceback is logged for debugging.
    """
    if isinstance(error, PageError):
        _log.debug("%s", error.trace)
    if isinstance(error, StructceError):
        return error
    if isinstance(error, ModuleNotFoundError) and (missing := missing_extra(error)):
        missing.__cause__ = error
        return missing
    trace = "".join(traceback.format_exception(error)).rstrip()
    _log.debug("%s", trace)
    place = innermost_line(error)
    where = f" ({place[0]}, line {place[1]})" if place else ""
    fault = PageError(f"{name}: {_reason(error)}{where}", trace=trace)
    fault.__cause__ = error
    return fault


@contextmanager
def page_faults(name: str) -> Iterator[None]:
    """Re-raise any exception from the block as the error of one page; see `describe_fault`."""
    try:
        yield
    except StructceError:
        raise
    except Exception as error:
        raise describe_fault(name, error) from error


def _reason(error: Exception) -> str:
    if isinstance(error, MemoryError):
        return "not enough memory"
    message = " ".join(str(error).split())
    message = message if len(message) <= _MAX_REASON else f"{message[:_MAX_REASON]}..."
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def innermost_line(error: BaseException) -> tuple[str, int] | None:
    """Return file and line of the last call within this package that led to an exception."""
    package = Path(__file__).parent
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if path.is_relative_to(package):
            return f"structce/{path.relative_to(package).as_posix()}", frame.lineno or 0
    return None
