"""Alignment of gold values with the regions of a page."""

from structce.alignment.aligner import align
from structce.alignment.annotations import common_runs
from structce.alignment.unlabelled import possible_regions

__all__ = ["align", "common_runs", "possible_regions"]
