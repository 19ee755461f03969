"""Where the values of a page's gold stand among its regions, one kind of value a file."""

from structce.alignment.aligner import Alignment, align
from structce.alignment.annotations import common_runs

__all__ = [
    "Alignment",
    "align",
    "common_runs",
]
