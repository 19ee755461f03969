"""Things that belong together because a row of links leads from one to the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from structce.corpus.grouping import group_numbers


@dataclass(frozen=True)
class Pair:
    """Two pages by their ids, or two sites by their names, and how alike they are.

    Parameters
    ----------
    similarity
        In [0, 1].
    """

    first: str
    second: str
    similarity: float


def sorted_pairs(pairs: Sequence[Pair]) -> list[Pair]:
    """Return pairs, the most alike first, then in the order of their names."""
    return sorted(pairs, key=lambda pair: (-pair.similarity, pair.first, pair.second))


def group_names(names: Sequence[str], pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return for each name the first one, in alphabetical order, of its group.

    Pairs of names link; those of other names are not looked at.
    """
    ordered = sorted(set(names))
    place = {name: i for i, name in enumerate(ordered)}
    links = [(place[a], place[b]) for a, b in pairs if a in place and b in place]
    firsts: dict[int, str] = {}
    numbers = group_numbers(links, len(ordered))
    return {name: firsts.setdefault(n, name) for name, n in zip(ordered, numbers, strict=True)}
