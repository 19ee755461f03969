"""Label scheme: the labels of a corpus with their colours, keys and guidelines.

A TOML file defines your own::

    background = "Other"

    [[label]]
    name = "Price"
    colour = "#1b7f4d"
    key = "2"
    guideline = "What the product costs now, with its currency. Not the price before a reduction."
    once = true

``names = ["Name", "Price", "Other"]`` instead of the tables is also accepted, as in the
``labels.toml`` beside a table of gold.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated

import msgspec

from structce.errors import CorpusError, LabelError
from structce.labels import NEWS, LabelSet, label_colour

SCHEME_FILE = "labels.toml"
KEYS = "1234567890"
"""Keys that give labels; other keys are commands."""

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


class LabelEntry(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """One label as shown to annotators, with the guideline on when to give it.

    The colour is ``#rrggbb``, for white text on it; the key one of ``KEYS``, or empty if
    there are more labels than keys. A label that a page has ``once`` is asked about when it is
    given twice.
    """

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
    colour: str = ""
    key: str = ""
    guideline: Annotated[str, msgspec.Meta(max_length=4_000)] = ""
    once: bool = False


class _File(msgspec.Struct, forbid_unknown_fields=True):
    background: str
    label: list[LabelEntry] = []
    names: list[str] = []


@dataclass(frozen=True)
class LabelScheme:
    """Labels in the order in which they are shown, one of them the background."""

    entries: tuple[LabelEntry, ...]
    background: str

    @property
    def label_set(self) -> LabelSet:
        """Label set of these names; the news set for the names of news."""
        names = tuple(entry.name for entry in self.entries)
        if set(names) == set(NEWS.names) and self.background == NEWS.background:
            return NEWS
        return LabelSet(names, self.background)

    def toml(self) -> str:
        """Return the TOML text that :func:`read_scheme` reads back."""
        import tomli_w  # late: needed only for a new corpus

        labels = [msgspec.structs.asdict(entry) for entry in self.entries]
        return tomli_w.dumps({"background": self.background, "label": labels})


def default_scheme(label_set: LabelSet = NEWS) -> LabelScheme:
    """Return the scheme of a label set: with guidelines for news labels, without for others."""
    if label_set == NEWS:
        return read_scheme(resources.files(__package__) / "news.toml")
    return _scheme([LabelEntry(name) for name in label_set.names], label_set.background)


def read_scheme(file: Path | Traversable) -> LabelScheme:
    """Return the scheme of a TOML file.

    Raises CorpusError if the file cannot be read or has another form, or a key occurs twice.
    """
    try:
        values = msgspec.toml.decode(file.read_bytes(), type=_File)
        if values.label and values.names:
            raise ValueError("give [[label]] tables or names, not both")
        labels = values.label or [LabelEntry(label) for label in values.names]
        return _scheme(labels, values.background)
    except (OSError, ValueError, LabelError) as error:
        raise CorpusError(f"{file}: {error}") from error


def _scheme(labels: Sequence[LabelEntry], background: str) -> LabelScheme:
    LabelSet(tuple(label.name for label in labels), background)  # raises unless it is a label set
    used_keys = [label.key for label in labels if label.key]
    for key in used_keys:
        if key not in KEYS or len(key) != 1 or used_keys.count(key) > 1:
            raise ValueError(f"key {key!r}; expected one of {KEYS}, each for one label")
    free = iter([key for key in KEYS if key not in used_keys])
    entries = []
    for label in labels:
        usual = "#5f6b73" if label.name == background else label_colour(label.name)
        colour = label.colour or usual
        if not _COLOUR.fullmatch(colour):
            raise ValueError(f"label {label.name!r}: colour {colour!r}; expected #rrggbb")
        key = label.key or next(free, "")
        entries.append(msgspec.structs.replace(label, colour=colour, key=key))
    return LabelScheme(tuple(entries), background)
