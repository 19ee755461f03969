"""Exceptions that structce raises on purpose, as one tree.

::

    StructceError
    ├── SourceError       a page could not be read: file, archive, address, encoding, size
    │   └── RequestError  a request got no whole response
    ├── RenderError       a page was read but could not be rendered
    │   ├── BrowserError  no browser, or the browser failed
    │   └── TimeLimitError  a page took longer than it may
    ├── PageError         something unforeseen went wrong within one page
    ├── RegionError       a page has no region of this number
    ├── CorpusError       a corpus on disk is malformed, or is of another version
    │   └── LabelError    a label outside the label set, on no region, or given twice
    ├── FeatureError      an unknown or taken feature name, or a feature of the wrong shape
    ├── LearnerError      an unknown learner, a bad hyper-parameter, or inputs that do not fit
    ├── ModelError        a model on disk is malformed, or is of another version
    ├── ExperimentError   an experiment's file is malformed, or cannot be carried out
    ├── ExtractionError   an unknown extractor, a bad parameter, or one that failed on a page
    ├── BulkError         a run over many pages cannot begin, go on, or end
    ├── EngineError       an engine could not be installed or removed
    └── MissingExtraError an optional dependency is not installed

What is only likely to be a mistake is a warning of Python, ``ModelWarning``.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_log = logging.getLogger(__name__)
_MAX_REASON = 300  # characters of what another library says: it may repeat the whole page


class StructceError(Exception):
    """Base class of all errors that structce raises on purpose."""


class SourceError(StructceError):
    """A page could not be read."""


class RequestError(SourceError):
    """A request got no whole response: asking again later may help."""


class RenderError(StructceError):
    """A page was read but could not be rendered."""


class BrowserError(RenderError):
    """No browser was found, or the browser failed."""


class TimeLimitError(RenderError):
    """A page took longer than it may."""


class PageError(StructceError):
    """Something unforeseen went wrong within one page: a fault of the program, or of the machine.

    Parameters
    ----------
    trace
        Traceback of the exception behind it, as text, so that other processes can send it.
    """

    def __init__(self, message: str = "", *, trace: str = "") -> None:
        self.trace = trace
        super().__init__(message)


class RegionError(StructceError, IndexError):
    """A page has no region of this number."""


class CorpusError(StructceError):
    """A corpus on disk is malformed, or is of another version."""


class LabelError(CorpusError):
    """A label is outside the label set, is on no region, or is given twice."""


class FeatureError(StructceError):
    """A feature's name is unknown or taken, or its values have the wrong shape."""


class LearnerError(StructceError):
    """A learner is unknown, a hyper-parameter is out of range, or inputs do not fit."""


class ModelError(StructceError):
    """A model on disk is malformed, or is of another version."""


class ExperimentError(StructceError):
    """An experiment's file is malformed, or cannot be carried out.

    Parameters
    ----------
    key
        Where the mistake stands in the experiment's file: ``("splits", "by", 1)`` for the second
        item of ``splits.by``; empty if nowhere. The message then begins with ``splits.by:``.
    """

    def __init__(self, message: str = "", *, key: tuple[str | int, ...] = ()) -> None:
        self.key = key
        where = ".".join(name for name in key if isinstance(name, str))
        super().__init__(f"{where}: {message}" if where else message)


class ExtractionError(StructceError):
    """An extractor is unknown, a parameter is out of range, or it failed on a page."""


class BulkError(StructceError):
    """A run over many pages cannot begin, go on, or end."""


class EngineError(StructceError):
    """An engine could not be installed or removed."""


class MissingExtraError(StructceError):
    """An optional dependency is not installed; the message names the extra."""


class ModelWarning(UserWarning):
    """A model labels pages of another renderer than those that it was trained on."""


SETUP_ERRORS = (BrowserError, ModelError, MissingExtraError)
"""Errors of what all pages need: no other page would fare better, so they end a run."""


def describe_fault(name: str, error: Exception) -> StructceError:
    """Return the error of a page, given whatever was raised while the page was worked on.

    Errors of this package stand as they are. Any other exception becomes a `PageError` that says
    what it is and where it arose; its traceback is logged for debugging.

    Parameters
    ----------
    name
        What messages call the page.
    """
    if isinstance(error, PageError):
        _log.debug("%s", error.trace)
    if isinstance(error, StructceError):
        return error
    trace = "".join(traceback.format_exception(error)).rstrip()
    _log.debug("%s", trace)
    fault = PageError(f"{name}: {_reason(error)}{_place(error)}", trace=trace)
    fault.__cause__ = error
    return fault


@contextmanager
def page_faults(name: str) -> Iterator[None]:
    """Raise whatever goes wrong within the block as the error of one page; see `describe_fault`."""
    try:
        yield
    except StructceError:
        raise
    except Exception as error:
        raise describe_fault(name, error) from error


def _reason(error: Exception) -> str:
    if isinstance(error, MemoryError):
        return "not enough memory"
    said = " ".join(str(error).split())
    said = said if len(said) <= _MAX_REASON else f"{said[:_MAX_REASON]}..."
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def _place(error: Exception) -> str:
    """Return the innermost line of this package that an exception went through."""
    package = Path(__file__).parent
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if path.is_relative_to(package):
            return f" (structce/{path.relative_to(package).as_posix()}, line {frame.lineno})"
    return ""
