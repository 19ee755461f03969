"""Borders of bins that are learnt: intervals that the training pages fill equally."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from structce.errors import FeatureError
from structce.features.registry import Feature
from structce.page import Page


def learn_borders(
    pages: Sequence[Page], features: Sequence[Feature]
) -> dict[str, tuple[float, ...]]:
    """Return the borders of each feature that asks for a number of bins.

    Quantiles of the feature's values over all regions of the pages; fewer borders where values
    repeat, none where nothing is known.

    Raises
    ------
    FeatureError
        If such a feature gives no numbers.
    """
    return {
        feature.name: _quantiles(pages, feature, feature.bins)
        for feature in features
        if isinstance(feature.bins, int)
    }


def _quantiles(pages: Sequence[Page], feature: Feature, n_bins: int) -> tuple[float, ...]:
    columns = [np.zeros(0)]
    for page in pages:
        if not feature.is_known(page):
            continue
        values = feature.values(page)
        if not isinstance(values, np.ndarray) or values.dtype.kind not in "iuf":
            raise FeatureError(f"feature {feature.name} has bins but gives no array of numbers")
        columns.append(values[np.isfinite(values)].astype(np.float64))
    numbers = np.concatenate(columns)
    if not len(numbers):
        return ()
    inner = np.linspace(0, 1, n_bins + 1)[1:-1]
    borders = np.unique(np.quantile(numbers, inner, method="higher"))
    return tuple(float(border) for border in borders if border > numbers.min())
