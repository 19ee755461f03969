"""Label sets: the closed, ordered labels of regions, one of them the background."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from structce.arrays import UNKNOWN_INDEX as UNKNOWN_INDEX
from structce.arrays import Integers
from structce.errors import LabelError

UNKNOWN = "?"
"""Placeholder of an unknown label; never a name in a label set."""


@dataclass(frozen=True)
class LabelSet:
    """A closed, ordered set of label names.

    Parameters
    ----------
    names
        Distinct; a label's index is its position.
    background
        The name of all regions that no other label describes.

    Raises
    ------
    LabelError
        If names repeat, one is ``UNKNOWN``, or the background is not one of them.
    """

    names: tuple[str, ...]
    background: str

    def __post_init__(self) -> None:
        if len(set(self.names)) != len(self.names):
            raise LabelError(f"label names repeat: {self.names}")
        if UNKNOWN in self.names:
            raise LabelError(f"label name {UNKNOWN!r} is kept for labels that nobody knows")
        if self.background not in self.names:
            raise LabelError(f"background {self.background!r} is none of {self.names}")

    def __len__(self) -> int:
        return len(self.names)

    def index(self, name: str) -> int:
        """Return the index of a label.

        Raises
        ------
        LabelError
            If the name is not in the set.
        """
        try:
            return self.names.index(name)
        except ValueError:
            raise LabelError(f"unknown label {name!r}; expected one of {self.names}") from None

    def encode(self, names: Iterable[str]) -> Integers:
        """Return the indices of label names, shape (n_regions,); ``UNKNOWN_INDEX`` of unknown."""
        places = {name: i for i, name in enumerate(self.names)} | {UNKNOWN: UNKNOWN_INDEX}
        return np.array(
            [places[n] if n in places else self.index(n) for n in names], dtype=np.int64
        )

    def decode(self, indices: Sequence[int] | Integers) -> tuple[str, ...]:
        """Return the names of label indices; ``UNKNOWN`` of ``UNKNOWN_INDEX``."""
        return tuple(UNKNOWN if i == UNKNOWN_INDEX else self.names[int(i)] for i in indices)

    @property
    def foreground(self) -> tuple[str, ...]:
        """The names without the background, in order."""
        return tuple(name for name in self.names if name != self.background)

    def merged(self, mapping: Mapping[str, str]) -> LabelSet:
        """Return the coarser set in which each name stands for ``mapping[name]``.

        Names that the mapping leaves out stay themselves; the order is that of first occurrence.
        """
        names = dict.fromkeys(mapping.get(name, name) for name in self.names)
        return LabelSet(tuple(names), mapping.get(self.background, self.background))


NEWS = LabelSet(
    (
        "Advertisement",
        "Author",
        "Caption",
        "Date",
        "Multimedia",
        "None",
        "Paragraph",
        "Subtitle",
        "Title",
    ),
    background="None",
)
"""The nine labels of Spengler, Bordes and Gallinari (2010), A comparison of discriminative
classifiers for web news content extraction, RIAO, section 4.1."""


LABEL_COLOURS: Mapping[str, str] = {
    "Advertisement": "#767676",
    "Author": "#1b7f4d",
    "Caption": "#a3681a",
    "Date": "#7a3fb0",
    "Multimedia": "#0e7c86",
    "Paragraph": "#2b5fc0",
    "Subtitle": "#c2477f",
    "Title": "#c8321e",
}
"""Frame and tag of each label of the news; white text can be read on all of them."""

_OTHER_COLOURS = ("#5b6b2f", "#8a4b2a", "#3d5a80", "#6d4c91", "#2f6f6a", "#8c3b5e")
"""Of labels that are not of the news, by their names."""


def label_colour(label: str) -> str:
    """Return the colour of a label, ``#rrggbb``: always the same for the same name."""
    other = _OTHER_COLOURS[zlib.crc32(label.encode()) % len(_OTHER_COLOURS)]
    return LABEL_COLOURS.get(label, other)
