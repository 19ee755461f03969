"""Where a gold value stands on a page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """Regions that hold a gold value.

    Parameters
    ----------
    regions
        In document order; none where nothing was found.
    method
        One of ``structce.gold.METHODS``; empty where nothing was found.
    score
        Likeness of the value and what stands there, in [0, 1].
    rivals
        Regions of other places that are as good, or nearly.
    touched
        Regions of which a smaller part belongs to the value.
    """

    regions: tuple[int, ...] = ()
    method: str = ""
    score: float = 0.0
    rivals: tuple[int, ...] = ()
    touched: tuple[int, ...] = ()


NOWHERE = Place()
"""The place of what is not on the page."""
