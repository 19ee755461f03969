"""Label sets: the closed, ordered labels of regions, one of them the background."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence

import msgspec
import numpy as np

from structce.arrays import MOST_LABELS, Integers, allowed_labels, any_of
from structce.arrays import UNKNOWN_INDEX as UNKNOWN_INDEX
from structce.errors import LabelError

UNKNOWN = "?"
"""Placeholder for an unknown label; never a name in a label set."""

OR = "|"
"""Separator of the names in a set of labels of which any may be right; it occurs in no name."""


def written_set(names: Iterable[str]) -> str:
    """Return a set of label names as written in gold: ``Caption|Paragraph``, sorted."""
    return OR.join(sorted(set(names)))


def allowed_names(label: str) -> frozenset[str]:
    """Return the names that a region's gold allows; the empty set for ``UNKNOWN``."""
    return frozenset() if label == UNKNOWN else frozenset(label.split(OR))


def is_exact_label(label: str) -> bool:
    """Return whether a region's gold is one label: neither unknown nor one of several."""
    return label != UNKNOWN and OR not in label


class LabelSet(msgspec.Struct, frozen=True):
    """A closed, ordered set of label names; a label's index is its position.

    ``background`` is the label of all regions that no other label describes. LabelError if names
    repeat, are too many, one is ``UNKNOWN`` or contains ``OR``, or the background is not one of
    them.
    """

    names: tuple[str, ...]
    background: str

    def __post_init__(self) -> None:
        if len(set(self.names)) != len(self.names):
            raise LabelError(f"label names repeat: {self.names}")
        if UNKNOWN in self.names:
            raise LabelError(f"label name {UNKNOWN!r} is reserved for unknown labels")
        if invalid := [name for name in self.names if OR in name]:
            raise LabelError(
                f"label name {invalid[0]!r}: {OR!r} is reserved as the separator of label names"
            )
        if len(self.names) > MOST_LABELS:
            raise LabelError(f"expected at most {MOST_LABELS} labels, got {len(self.names)}")
        if self.background not in self.names:
            raise LabelError(f"background {self.background!r} is not one of {self.names}")

    def __len__(self) -> int:
        return len(self.names)

    def index(self, name: str) -> int:
        """Return the index of a label; LabelError if the name is not in the set."""
        try:
            return self.names.index(name)
        except ValueError:
            raise LabelError(f"unknown label {name!r}; expected one of {self.names}") from None

    def encode(self, names: Iterable[str]) -> Integers:
        """Return the gold for label names, or for sets of them, shape (n_regions,).

        See :data:`structce.arrays.Labels`. LabelError if a name is not in the set.
        """
        places = {name: i for i, name in enumerate(self.names)} | {UNKNOWN: UNKNOWN_INDEX}
        indices = []
        for name in names:
            if name not in places:
                places[name] = any_of(map(self.index, name.split(OR)), len(self))
            indices.append(places[name])
        return np.array(indices, dtype=np.int64)

    def decode(self, indices: Sequence[int] | Integers) -> tuple[str, ...]:
        """Return the names that :meth:`encode` turns into these indices."""
        places: list[int] = np.asarray(indices, dtype=np.int64).tolist()
        names: dict[int, str] = {UNKNOWN_INDEX: UNKNOWN}
        names |= dict(enumerate(self.names))
        for index in set(places) - names.keys():
            allowed = allowed_labels(np.array([index], dtype=np.int64), len(self))[0]
            names[index] = written_set(
                name for name, is_allowed in zip(self.names, allowed, strict=True) if is_allowed
            )
        return tuple([names[i] for i in places])

    def check(self, label: str) -> None:
        """Raise LabelError unless a region's gold is a name of this set, several, or unknown."""
        self.encode([label])

    @property
    def foreground(self) -> tuple[str, ...]:
        """The names without the background, in order."""
        return tuple(name for name in self.names if name != self.background)

    def merged(self, mapping: Mapping[str, str]) -> LabelSet:
        """Return the coarser set in which each name is replaced by ``mapping[name]``.

        Names without an entry are kept; the order is that of first occurrence.
        """
        names = dict.fromkeys(mapping.get(name, name) for name in self.names)
        return LabelSet(tuple(names), mapping.get(self.background, self.background))


_NEWS = "Advertisement Author Caption Date Multimedia None Paragraph Subtitle Title"

NEWS = LabelSet(tuple(_NEWS.split()), background="None")
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
"""Colour of the frame and tag of each news label; white text is legible on all of them."""

_OTHER_COLOURS = ("#5b6b2f", "#8a4b2a", "#3d5a80", "#6d4c91", "#2f6f6a", "#8c3b5e")
"""Colours of all other labels, chosen by their names."""


def label_colour(label: str) -> str:
    """Return the colour of a label, ``#rrggbb``: always the same for the same name."""
    other = _OTHER_COLOURS[zlib.crc32(label.encode()) % len(_OTHER_COLOURS)]
    return LABEL_COLOURS.get(label, other)
