"""Order of the pages to label, and who labels each.

Pages that several people label, to measure their agreement, are the first ones of the corpus; each
other page belongs to whoever starts it first.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from structce.annotate.workspace import PageState

Order = Literal["given", "site", "unsure"]
ORDERS: tuple[Order, ...] = get_args(Order)
"""In the order of the corpus; pages of a site together; or those first of which the model, or the
alignment of their gold, is least certain."""

_CLAIM_SECONDS = 1800.0
"""How long a page that was opened, but not started, is kept from others, in seconds."""


@dataclass
class Claims:
    """Pages that annotators have open.

    Parameters
    ----------
    n_same
        Number of pages, from the first, that everybody labels.
    """

    n_same: int = 0
    _opened: dict[str, tuple[str, float]] = field(default_factory=dict)

    def open(self, name: str, who: str) -> None:
        """Note that an annotator has opened a page, and closed any other."""
        for other, (holder, _) in list(self._opened.items()):
            if holder == who:
                del self._opened[other]
        self._opened.setdefault(name, (who, time.monotonic()))

    def holder(self, state: PageState, place: int, who: str) -> str:
        """Return who else labels a page; empty if it is free, the annotator's own, or for all.

        Parameters
        ----------
        place
            Place of the page in the corpus.
        """
        if place < self.n_same or who in state.begun_by or who in state.done_by:
            return ""
        if others := [*state.done_by, *state.begun_by]:
            return others[0]
        holder, since = self._opened.get(state.id, ("", 0.0))
        is_fresh = time.monotonic() - since < _CLAIM_SECONDS
        return holder if holder != who and is_fresh else ""


def ordered(
    states: Sequence[PageState], order: Order, doubt: Mapping[str, float]
) -> list[PageState]:
    """Return the pages in an order.

    Parameters
    ----------
    doubt
        Expected number of wrong labels by page; pages without a number come last.
    """
    if order == "site":
        first_places: dict[str, int] = {}
        for place, state in enumerate(states):
            first_places.setdefault(state.site, place)
        return sorted(states, key=lambda state: first_places[state.site])
    if order == "unsure":
        return sorted(states, key=lambda state: -doubt.get(state.id, -1.0))
    return list(states)
