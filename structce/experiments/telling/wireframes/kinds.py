"""Which regions of a page were labelled right, as drawings and lists of it tell it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from structce.errors import LabelError
from structce.explaining.words import visible
from structce.labels import UNKNOWN
from structce.page import Page
from structce.rendering.overlay import colour_of

Kind = Literal["wrong", "unknown", "right", "background"]
"""Of a region: ``unknown`` where the gold label is, ``background`` where both labels are."""

KINDS: tuple[Kind, ...] = ("wrong", "unknown", "right", "background")
"""What is told first where not everything can be told."""

N_PAIRS = 8
"""Kinds of mistakes that a description names; our choice."""

NAME = 24
"""Columns of a label's name; our choice, longer than any name of the label sets in use."""


@dataclass(frozen=True, eq=False)
class Judged:
    """A page with gold and predicted labels, one each a region.

    Raises
    ------
    LabelError
        If there are not as many labels as regions.
    """

    page: Page
    gold: Sequence[str]
    predicted: Sequence[str]
    background: str

    def __post_init__(self) -> None:
        if not len(self.page) == len(self.gold) == len(self.predicted):
            raise LabelError(
                f"{self.page.url or 'page'}: expected one gold and one predicted label for each of "
                f"{len(self.page)} regions, got {len(self.gold)} and {len(self.predicted)}"
            )

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """One a region."""
        return tuple(map(self._kind, self.gold, self.predicted))

    @cached_property
    def marked(self) -> tuple[int, ...]:
        """Regions with a gold or predicted label that is known and not the background."""
        plain = (self.background, UNKNOWN)
        pairs = zip(self.gold, self.predicted, self.kinds, strict=True)
        return tuple(
            i
            for i, (gold, predicted, kind) in enumerate(pairs)
            if kind == "wrong" or gold not in plain or predicted not in plain
        )

    @cached_property
    def ordered(self) -> tuple[int, ...]:
        """All regions, what matters most first: by kind, marked ones first, then in page order."""
        rank = {kind: n for n, kind in enumerate(KINDS)}
        is_marked = set(self.marked)
        rows = range(len(self.kinds))
        return tuple(sorted(rows, key=lambda i: (i not in is_marked, rank[self.kinds[i]], i)))

    def rows(self, kind: Kind) -> list[int]:
        """Return the regions of one kind, in page order."""
        return [i for i, one in enumerate(self.kinds) if one == kind]

    def pair(self, i: int) -> str:
        """Return what is written on a region: its label if right, else ``gold → predicted``."""
        gold, predicted = shown_name(self.gold[i]), shown_name(self.predicted[i])
        is_right = self.kinds[i] in ("right", "background")
        return predicted if is_right else f"{gold} → {predicted}"

    def words(self, i: int, columns: int) -> str:
        """Return a region's text as one harmless line; of media their name and what it says."""
        text = self.page.text[i]
        if not text:
            said = self.page.attributes[i].get("alt") or ""
            text = f"[{self.page.tag[i]}] {said}"
        return visible(text[: 2 * columns], columns).strip()

    @cached_property
    def description(self) -> str:
        """The counts of regions and of mistakes in words."""
        wrong = self.rows("wrong")
        parts = [f"{counted(len(self.kinds), 'region')}, {len(wrong):,} of them wrong."]
        if wrong:
            mistakes = Counter((self.gold[i], self.predicted[i]) for i in wrong).most_common()
            said = [
                f"{n:,} {shown_name(gold)} labelled {shown_name(predicted)}"
                for (gold, predicted), n in mistakes[:N_PAIRS]
            ]
            if len(mistakes) > N_PAIRS:
                said.append(f"{len(mistakes) - N_PAIRS:,} other kinds of mistakes")
            parts.append(f"Wrong: {', '.join(said)}.")
        if right := Counter(self.gold[i] for i in self.rows("right")).most_common():
            said = [f"{n:,} {shown_name(label)}" for label, n in right[:N_PAIRS]]
            parts.append(f"Right: {', '.join(said)}.")
        if unknown := self.rows("unknown"):
            parts.append(f"The gold label of {len(unknown):,} is unknown.")
        return " ".join(parts)

    def _kind(self, gold: str, predicted: str) -> Kind:
        if gold == UNKNOWN:
            return "unknown"
        if gold != predicted:
            return "wrong"
        return "background" if gold == self.background else "right"


def shown_name(label: str) -> str:
    """Return a label's name as it is written; ``unknown`` of a label that nobody knows."""
    return "unknown" if label == UNKNOWN else visible(label, NAME) or "nameless"


def shown_colour(label: str) -> str:
    """Return a label's colour, ``#rrggbb``; no name is so odd that it has none."""
    return colour_of(label.encode(errors="replace").decode())


def counted(n: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "region"), counted(1200, "region")
    ('1 region', '1,200 regions')
    """
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"
