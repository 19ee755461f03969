"""What a solver tells while it works, and how it is told to stop."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias

from structce.learners.arrays import Floats


@dataclass(frozen=True)
class Progress:
    """Where a solver stands after one epoch.

    Parameters
    ----------
    epoch : int
        Passes over the training pages so far; of a CRF, steps of L-BFGS.
    max_epochs : int
        After so many it stops in any case.
    objective : float
        ``lambda/2 |w|^2 + mean loss per page``, as well as the solver knows it.
    gap : float
        How far the solver is from the optimum, at least 0: of an SVM the relative duality gap,
        of a CRF the gradient's norm over the weights' norm.
    weights
        Call it for the weights of this moment, in the order of the learner's `weight_names`.
    """

    epoch: int
    max_epochs: int
    objective: float
    gap: float
    weights: Callable[[], tuple[Floats, ...]]


Callback: TypeAlias = Callable[[Progress], bool | None]
"""Called after every epoch; True ends the training with the weights of that moment."""


@contextmanager
def quiet() -> Iterator[None]:
    """Keep learners from warning of a solver that stopped early, where the caller tells of it."""
    logger = logging.getLogger("structce.learners")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)
