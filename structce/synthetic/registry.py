"""The register of template families: ways of putting the parts of a page together.

A new family is one function with the decorator ``family``; sites are drawn over all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from structce.synthetic.dom import Content
from structce.synthetic.draft import Draft

Drawing = Callable[[Draft], Content]


@dataclass(frozen=True)
class Family:
    """A template of pages.

    Parameters
    ----------
    kind
        What its pages are: ``news``, ``forum``, ``shop``.
    topic
        Topic of ``kinds/*.toml`` that its stories are told from; empty for the news.
    lacks
        What its pages do not say: of ``title``, ``authors``, ``date``.
    draw
        Function that returns what stands in the body.
    """

    name: str
    kind: str
    topic: str
    lacks: frozenset[str]
    draw: Drawing


FAMILIES: dict[str, Family] = {}
"""Family by name."""


def family(
    kind: str, *, topic: str = "", lacks: Sequence[str] = ()
) -> Callable[[Drawing], Drawing]:
    """Register a template family under its function's name."""

    def register(draw: Drawing) -> Drawing:
        FAMILIES[draw.__name__] = Family(draw.__name__, kind, topic, frozenset(lacks), draw)
        return draw

    return register
