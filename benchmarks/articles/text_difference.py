"""Difference of two main texts: the lines that one has and the other lacks, and their places.

A line is foreign to another text if fewer than half of its runs of words occur in it. Bags of words
would not work, because long texts share most of their words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from structce.errors import StructceError
from structce.evaluation import word_runs, words
from structce.page import Page, TextIndex
from structce.rendering import Document, StaticRenderer

NOT_FOUND = "not found in the page"
_RUN = 4
"""Words of the runs that are compared, as in Zyte's shingles."""

_FOREIGN = 0.5
_N_NAMED = 4  # elements with a class or id


@dataclass(frozen=True)
class ForeignLine:
    """A line that another text lacks.

    Parameters
    ----------
    n_words
        Its words.
    place
        Elements above it, see :meth:`PageText.place`; empty if not looked up.
    """

    text: str
    n_words: int
    place: str = ""


def foreign_lines(text: str, other: str) -> list[ForeignLine]:
    """Return the lines of a text that another text lacks, in their order.

    Runs count as often as they occur, so that a repeated line is foreign to a text that contains it
    once. A line of fewer than four words is compared whole; one without words is nowhere foreign.
    """
    tokens = words(other)
    left = {n: word_runs(tokens, n) for n in range(1, _RUN + 1)}
    lines = []
    for line in text.split("\n"):
        own = words(line)
        runs = word_runs(own, _RUN)
        known = left[min(len(own), _RUN)] & runs if own else runs
        if known.total() < _FOREIGN * runs.total():
            lines.append(ForeignLine(" ".join(line.split()), len(own)))
        elif own:
            left[min(len(own), _RUN)] -= known
    return lines


class PageText:
    """Text of a page with the elements that contain it, rendered without a browser."""

    def __init__(self, page: Page) -> None:
        self._page, self._index = page, TextIndex(page)

    @classmethod
    def of(cls, html: str, url: str) -> PageText | None:
        """Return the text of a page; None if it cannot be rendered."""
        try:
            with StaticRenderer() as renderer:
                return cls(renderer.submit(Document(html, url)).result())
        except StructceError:
            return None

    def place(self, line: str) -> str:
        """Return the elements above a line, outermost first, as selectors.

        The four nearest that have a class or an id, and those below them. Of several places the
        first.
        """
        spans = self._index.find(line)
        regions = list(self._index.overlapping(spans[0])) if spans else []
        if not regions:
            return NOT_FOUND
        return " > ".join(reversed(list(self._names(regions[0][0]))))

    def _names(self, region: int) -> Iterator[str]:
        elements, n_named = self._page.elements, 0
        for i in elements.ancestors(int(self._page.element[region])):
            name = _element_name(elements.tag[i], elements.attributes[i])
            if n_named == 0 or name != elements.tag[i]:
                yield name
            n_named += name != elements.tag[i]
            if n_named == _N_NAMED:
                return


def _element_name(tag: str, attributes: Mapping[str, str]) -> str:
    """Return an element as a selector: ``div#id.class``, two classes at most."""
    id, classes = attributes.get("id", ""), attributes.get("class", "").split()
    return tag + (f"#{id}" if id else "") + "".join(f".{name}" for name in classes[:2])
