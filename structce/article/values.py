"""Articles as values: the fields of a page, each with its confidence and its place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FieldValue:
    """The value of one field of an article, and its place.

    Parameters
    ----------
    confidence
        Least confidence of the regions that it was read from, or that of the page's metadata, in
        [0, 1].
    xpath
        Address of its first region; None if only the page's metadata states it.
    """

    value: str
    confidence: float
    xpath: str | None


@dataclass(frozen=True)
class Article:
    """The fields of an article; None or empty where nothing was found.

    Parameters
    ----------
    date
        ISO 8601: ``2026-03-14T09:30:00+01:00``, or the day alone.
    text
        Paragraphs and section headlines, one a line.
    """

    url: str
    title: FieldValue | None
    authors: tuple[FieldValue, ...]
    date: FieldValue | None
    text: str
