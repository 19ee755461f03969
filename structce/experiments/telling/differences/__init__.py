"""What changed between two reports, and whether it matters."""

from structce.experiments.telling.differences.describing import describe
from structce.experiments.telling.differences.differing import difference
from structce.experiments.telling.differences.side_by_side import Difference

__all__ = ["Difference", "describe", "difference"]
