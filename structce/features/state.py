"""A feature set as JSON values: what it consists of, and whether it is one."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np

from structce.errors import FeatureError

State: TypeAlias = dict[str, object]
"""A feature set as JSON values."""

FARTHEST = 10_000
"""Regions between a region and a neighbour at most; no page has many more in all."""

LARGEST_SCALE = float(np.finfo(np.float32).max)


class Checked(NamedTuple):
    """The parts of a feature set, each of its type."""

    names: list[str]
    min_count: int
    min_pages: int
    unit_norm: bool
    n_buckets: int | None
    windows: dict[str, list[int]]
    strengths: dict[str, float]
    neighbour_strength: float
    bins: dict[str, list[float]]
    columns: list[str]
    scales: dict[str, float]


def check_state(state: object) -> Checked:
    """Return the parts of a feature set that may come from anywhere.

    Raises
    ------
    FeatureError
        If a part is missing or of another type, an offset is too far, bins do not rise, or a
        scale is out of range.
    """
    if not isinstance(state, dict) or not set(Checked._fields) <= set(state):
        raise FeatureError(f"a feature set must hold {', '.join(Checked._fields)}")
    parts = Checked(*(state[name] for name in Checked._fields))
    if not (_are_texts(parts.names) and _are_texts(parts.columns)):
        raise FeatureError("a feature set's names and columns must be lists of texts")
    for name in ("min_count", "min_pages"):
        if type(getattr(parts, name)) is not int:
            raise FeatureError(
                f"a feature set's {name} is {getattr(parts, name)!r}; expected an integer"
            )
    if type(parts.unit_norm) is not bool:
        raise FeatureError(f"a feature set's unit_norm is {parts.unit_norm!r}; expected true/false")
    if parts.n_buckets is not None and type(parts.n_buckets) is not int:
        raise FeatureError(f"a feature set's n_buckets is {parts.n_buckets!r}; expected an integer")
    if not (isinstance(parts.windows, dict) and all(map(_are_offsets, parts.windows.values()))):
        raise FeatureError(f"a feature set's windows must be lists of offsets up to {FARTHEST}")
    strengths = parts.strengths.values() if isinstance(parts.strengths, dict) else [None]
    if not all(map(_is_strength, (*strengths, parts.neighbour_strength))):
        raise FeatureError("a feature set's strengths must be finite numbers above 0")
    if not (isinstance(parts.bins, dict) and all(map(_are_borders, parts.bins.values()))):
        raise FeatureError("a feature set's bins must be lists of rising finite numbers")
    if not (isinstance(parts.scales, dict) and all(map(_is_scale, parts.scales.values()))):
        raise FeatureError("a feature set's scales must be finite numbers of at least 1")
    return parts


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and set(map(type, value)) <= {str}


def _are_offsets(value: object) -> bool:
    return isinstance(value, list) and all(
        type(one) is int and abs(one) <= FARTHEST for one in value
    )


def _are_borders(value: object) -> bool:
    return (
        isinstance(value, list)
        and all(type(one) in (int, float) and abs(one) <= LARGEST_SCALE for one in value)
        and value == sorted(set(value))
    )


def _is_strength(value: object) -> bool:
    return type(value) in (int, float) and 0 < value <= LARGEST_SCALE  # type: ignore[operator]


def _is_scale(value: object) -> bool:
    return type(value) in (int, float) and 1 <= value <= LARGEST_SCALE  # type: ignore[operator]
