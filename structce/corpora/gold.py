"""What a data set knows of one page: values, not yet where they stand."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Gold:
    """Values of one page, as annotators or hand-written parsers gave them.

    Parameters
    ----------
    body
        Label name and text of each piece of the main text, in reading order: ``Paragraph`` or
        ``Subtitle``.
    captions
        Texts of captions, in any order.
    images
        For each image the addresses under which it may stand in the page.
    """

    title: str | None = None
    authors: tuple[str, ...] = ()
    date: datetime | None = None
    body: tuple[tuple[str, str], ...] = ()
    captions: tuple[str, ...] = ()
    images: tuple[tuple[str, ...], ...] = ()
