"""Why a region has its label, and what weighs in a model."""

from structce.explaining.region import (
    ColumnShare,
    ContextShare,
    Explanation,
    Relabelled,
    Share,
    explain_region,
)

__all__ = [
    "ColumnShare",
    "ContextShare",
    "Explanation",
    "Relabelled",
    "Share",
    "explain_region",
]
