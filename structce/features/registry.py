"""The registry of features: a decorator puts a function of a page under its name.

A feature is a function of a page that gives one value a region:

===================== =============================================================
value of a region     columns
===================== =============================================================
bool                  one, set where true
number                one; with ``bins`` one an interval
str                   one a value
collection of str     one a member
NaN or None           unknown: no column
===================== =============================================================
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process

from structce.errors import FeatureError
from structce.page import Page

FAMILIES = ("text", "dom", "style", "task")
"""Families in the order of Table 1 of Spengler et al. (2010)."""

Numbers = NDArray[np.float64] | NDArray[np.float32] | NDArray[np.int32] | NDArray[np.int64]
Names = Sequence[bool] | Sequence[str | None] | Sequence[Collection[str]]
Values = NDArray[np.bool_] | Numbers | Names
Compute = Callable[[Page], Values]
F = TypeVar("F", bound=Compute)


@dataclass(frozen=True)
class Feature:
    """A named function of a page.

    Parameters
    ----------
    name
        Family and function name with hyphens: ``text.word-count``.
    bins
        Rising borders that cut a number into intervals; a value on a border belongs above it.
    needs
        ``layout`` where boxes or computed styles are needed; such a feature is unknown, not
        zero, on a page rendered without a browser.
    """

    name: str
    family: str
    compute: Compute
    bins: tuple[float, ...] = ()
    needs: Literal["layout"] | None = None

    @property
    def summary(self) -> str:
        """First sentence of the feature's docstring."""
        return (self.compute.__doc__ or "").strip().split("\n\n")[0].replace("\n    ", " ")

    def values(self, page: Page) -> Values:
        """Return one value a region.

        Raises
        ------
        FeatureError
            If the function gives another number of values.
        """
        values = self.compute(page)
        if len(values) != len(page):
            raise FeatureError(
                f"feature {self.name} gave {len(values)} values for {len(page)} regions "
                f"of {page.url or 'a page'}"
            )
        return values


class Registry(Mapping[str, Feature]):
    """Features by name, in the order in which they were registered."""

    def __init__(self) -> None:
        self._features: dict[str, Feature] = {}

    def __getitem__(self, name: str) -> Feature:
        try:
            return self._features[name]
        except KeyError:
            near = process.extractOne(name, list(self._features))
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise FeatureError(f"unknown feature {name!r}{hint}") from None

    def __contains__(self, name: object) -> bool:
        return name in self._features

    def __iter__(self) -> Iterator[str]:
        return iter(self._features)

    def __len__(self) -> int:
        return len(self._features)

    def add(self, feature: Feature) -> None:
        """Register a feature.

        Raises
        ------
        FeatureError
            If the name is taken, the family unknown, or the bins do not rise.
        """
        if feature.name in self._features:
            raise FeatureError(f"the name {feature.name!r} is taken by another feature")
        if feature.family not in FAMILIES:
            raise FeatureError(
                f"{feature.name}: unknown family {feature.family!r}; expected one of {FAMILIES}"
            )
        if list(feature.bins) != sorted(set(feature.bins)):
            raise FeatureError(f"{feature.name}: bins must rise, got {feature.bins}")
        self._features[feature.name] = feature


REGISTRY = Registry()
"""Every feature that was imported."""


def feature(
    family: str,
    *,
    bins: Sequence[float] = (),
    needs: Literal["layout"] | None = None,
    name: str | None = None,
    registry: Registry = REGISTRY,
) -> Callable[[F], F]:
    """Register a function of a page as a feature; its name is that of the function.

    Examples
    --------
    >>> from structce.features.registry import Registry, feature
    >>> mine = Registry()
    >>> @feature("text", registry=mine)
    ... def shouts(page):
    ...     '''Text in capitals, as in a kicker.'''
    ...     return [text.isupper() for text in page.text]
    >>> list(mine)
    ['text.shouts']
    """

    def register(compute: F) -> F:
        words = name or compute.__name__.strip("_").replace("_", "-")
        registry.add(Feature(f"{family}.{words}", family, compute, tuple(bins), needs))
        return compute

    return register
