"""Exceptions that structce raises on purpose, as one tree.

::

    StructceError
    ├── SourceError       a page could not be read: file, archive, address, encoding, size
    │   └── RequestError  a request got no whole response
    ├── RenderError       a page was read but could not be rendered
    │   └── BrowserError  no browser, or the browser failed
    ├── RegionError       a page has no region of this number
    ├── CorpusError       a corpus on disk is malformed, or is of another version
    │   └── LabelError    a label outside the label set, on no region, or given twice
    ├── FeatureError      an unknown or taken feature name, or a feature of the wrong shape
    ├── LearnerError      an unknown learner, a bad hyper-parameter, or inputs that do not fit
    ├── ModelError        a model on disk is malformed, or is of another version
    ├── ExperimentError   an experiment's file is malformed, or cannot be carried out
    ├── ExtractionError   an unknown extractor, a bad parameter, or one that failed on a page
    ├── EngineError       an engine could not be installed or removed
    └── MissingExtraError an optional dependency is not installed

What is only likely to be a mistake is a warning of Python, ``ModelWarning``.
"""

from __future__ import annotations


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


class EngineError(StructceError):
    """An engine could not be installed or removed."""


class MissingExtraError(StructceError):
    """An optional dependency is not installed; the message names the extra."""


class ModelWarning(UserWarning):
    """A model labels pages of another renderer than those that it was trained on."""
