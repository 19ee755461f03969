"""Plots of a page, where they can be drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ParamSpec

from structce.errors import MissingExtraError
from structce.experiments.telling.plots.drawing import Figure

P = ParamSpec("P")


class Drawn:
    """Draws plots, and remembers for want of which extra some are missing.

    A report without plots is worth more than none after a long run, so a missing extra is told of
    in the page.

    Attributes
    ----------
    missing
        What was said of it, each once.
    """

    def __init__(self) -> None:
        self.missing: list[str] = []

    def one(
        self, plot: Callable[P, Figure | None], *args: P.args, **kwargs: P.kwargs
    ) -> Figure | None:
        """Return a plot; None where there is nothing to draw, or nothing to draw it with."""
        try:
            return plot(*args, **kwargs)
        except MissingExtraError as error:
            said = f"Plots are left out: {error}"
            if said not in self.missing:
                self.missing.append(said)
            return None


def those(figures: Iterable[Figure | None]) -> tuple[Figure, ...]:
    """Return the plots that there are."""
    return tuple(one for one in figures if one is not None)
