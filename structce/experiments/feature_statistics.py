"""Statistics of a feature's values: how often it has one, and its information about each label."""

from __future__ import annotations

import math
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.metrics import mutual_info_score

from structce.arrays import Flags, Floats, Integers
from structce.features import Feature, FeatureValues, values_of
from structce.page import Page

N_INTERVALS = 10
"""Number of equally full intervals of a number without borders of its own: enough to show a curve,
few enough that each contains a tenth of the regions."""

MIN_VALUE_COUNT = 3
"""Texts in fewer regions are merged; as for columns, Spengler et al. (2010), section 4.1."""

MAX_MEMBERS = 300
"""Number of set members that are counted, the most frequent ones; each costs a pass over all
regions."""


@dataclass(frozen=True, eq=False)
class ValueSummary:
    """Summary of a feature's values on some pages.

    Parameters
    ----------
    regions, pages
        Shares in [0, 1] of regions where it has a value, and of pages where it has one anywhere: a
        truth value that is true, a number, a text, a set that is not empty.
    milliseconds
        Mean time per page.
    codes
        Arrays of shape (n_regions,), over all pages: one with the number of each value or, for
        sets, one per member that is 1 where the set contains the member.
    """

    regions: float
    pages: float
    milliseconds: float
    codes: tuple[Integers, ...]

    def information(self, labels: Integers, n_labels: int) -> list[float]:
        """Return the mutual information with each label against all others, in bits.

        For sets it is that of the most informative member. It is estimated from counts without
        correction, so many rare values look a little better than they are. 0 without regions.

        Parameters
        ----------
        labels : shape (n_regions,)
            Label indices in 0..n_labels-1; regions without one known label do not count.
        """
        best = np.zeros(n_labels)
        known = labels >= 0
        for codes in (codes[known] for codes in self.codes):
            n_codes = int(codes.max(initial=0)) + 1
            pairs = np.bincount(codes * n_labels + labels[known], minlength=n_codes * n_labels)
            table = pairs.reshape(n_codes, n_labels)
            best = np.maximum(best, [_bits(table, label) for label in range(n_labels)])
        return best.tolist()


def summarise_values(feature: Feature, pages: Sequence[Page]) -> ValueSummary:
    """Summarise a feature's values on pages; pages that lack its requirements have none.

    Raises
    ------
    FeatureError
        If the feature raises or returns an invalid value.
    """
    values_by_page: list[FeatureValues] = []
    seconds = 0.0
    for page in pages:
        begin = time.perf_counter()
        is_known = feature.is_known(page)
        values_by_page.append(values_of(feature, page) if is_known else [None] * len(page))
        seconds += time.perf_counter() - begin
    known = [_known(values) for values in values_by_page]
    return ValueSummary(
        regions=float(np.concatenate([*known, np.zeros(0)]).mean()) if any(map(len, known)) else 0,
        pages=float(np.mean([mask.any() for mask in known])) if known else 0,
        milliseconds=1000 * seconds / max(len(pages), 1),
        codes=_codes(feature, values_by_page),
    )


def _bits(table: Integers, label: int) -> float:
    """Return the information of codes (rows) about one label (a column) against the others."""
    apart = np.stack([table[:, label], table.sum(axis=1) - table[:, label]], axis=1)
    if not apart.any(axis=0).all():
        return 0.0
    return max(0.0, float(mutual_info_score(None, None, contingency=apart)) / math.log(2))


def _known(values: FeatureValues) -> Flags:
    if isinstance(values, np.ndarray):
        numbers = values.astype(np.float64)
        known: Flags = numbers != 0 if values.dtype.kind == "b" else np.isfinite(numbers)
        return known
    return np.array([bool(value) for value in values], dtype=bool)


def _codes(feature: Feature, values_by_page: Sequence[FeatureValues]) -> tuple[Integers, ...]:
    """Return the values of all pages as numbers from 0."""
    if any(isinstance(values, np.ndarray) for values in values_by_page):
        arrays = (
            v if isinstance(v, np.ndarray) else np.full(len(v), np.nan) for v in values_by_page
        )
        numbers = np.concatenate([np.zeros(0), *(array.astype(np.float64) for array in arrays)])
        return (_binned(numbers, feature.borders),)
    cells = [value for values in values_by_page for value in values]
    if any(isinstance(value, Collection) and not isinstance(value, str) for value in cells):
        return _members(cells)
    counts = Counter(str(value) for value in cells)
    frequent = [text for text, n in counts.most_common() if n >= MIN_VALUE_COUNT]
    places = {text: code for code, text in enumerate(frequent, start=1)}
    return (np.array([places.get(str(value), 0) for value in cells], dtype=np.int64),)


def _binned(numbers: Floats, borders: Sequence[float]) -> Integers:
    """Return the interval of each number, the last one for unknown values."""
    known = np.isfinite(numbers)
    if not borders:
        borders = _borders(numbers[known])
    codes = np.searchsorted(borders, np.where(known, numbers, 0), side="right")
    return np.where(known, codes, len(borders) + 1).astype(np.int64)


def _borders(numbers: Floats) -> list[float]:
    """Return borders between all values if they are few, or else between tenths.

    The smallest value is always separate: most counts are mostly 0.
    """
    distinct = np.unique(numbers)
    if len(distinct) <= N_INTERVALS:
        return list(distinct[1:])
    inner = np.linspace(0, 1, N_INTERVALS + 1)[1:-1]
    cuts = np.quantile(numbers, inner, method="higher")
    return list(np.unique([distinct[1], *cuts[cuts > distinct[0]]]))


def _members(cells: Sequence[object]) -> tuple[Integers, ...]:
    rows = defaultdict[str, list[int]](list)
    for row, value in enumerate(cells):
        several = [value] if isinstance(value, str) else value
        for member in set(several) if isinstance(several, Collection) else ():
            rows[member].append(row)
    frequent = sorted(rows, key=lambda member: (-len(rows[member]), member))[:MAX_MEMBERS]
    codes = np.zeros((len(frequent), len(cells)), dtype=np.int64)
    for code, member in zip(codes, frequent, strict=True):
        code[rows[member]] = 1
    return tuple(codes)
