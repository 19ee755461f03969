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
"""Families in the order of Table 1 of Spengler et al. (2010); a feature set takes them all."""

OPTIONAL_FAMILIES = ("site",)
"""Families that are taken only when asked for: they need several pages of one site."""

Need = Literal["layout", "site"]

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
        Rising borders that cut a number into intervals; a value on a border belongs above it. A
        count instead asks a feature set to learn so many intervals, equally full, from its
        training pages.
    needs
        ``layout`` where boxes or computed styles are needed, ``site`` where other pages of the
        site are; such a feature is unknown, not zero, on a page without them.
    aliases
        Other names, with the family: those of Table 1 of Spengler et al. (2010), or older ones.
    source
        Who described the cue; ``ours`` where nobody did that we know of.
    """

    name: str
    family: str
    compute: Compute
    bins: tuple[float, ...] | int = ()
    needs: Need | None = None
    aliases: tuple[str, ...] = ()
    source: str = "ours"

    @property
    def summary(self) -> str:
        """First sentence of the feature's docstring."""
        return (self.compute.__doc__ or "").strip().split("\n\n")[0].replace("\n    ", " ")

    @property
    def borders(self) -> tuple[float, ...]:
        """Borders of bins that were given; none where they are to be learnt."""
        return self.bins if isinstance(self.bins, tuple) else ()

    def is_known(self, page: Page) -> bool:
        """Return whether a page has what the feature needs."""
        if self.needs == "layout":
            return page.has_layout
        return page.site is not None if self.needs == "site" else True

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
    """Features by name or alias; iterates over names, in the order of registration."""

    def __init__(self) -> None:
        self._features: dict[str, Feature] = {}
        self._aliases: dict[str, Feature] = {}

    def __getitem__(self, name: str) -> Feature:
        found = self._features.get(name) or self._aliases.get(name)
        if found is None:
            near = process.extractOne(name, [*self._features, *self._aliases])
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise FeatureError(f"unknown feature {name!r}{hint}")
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._features or name in self._aliases

    def __iter__(self) -> Iterator[str]:
        return iter(self._features)

    def __len__(self) -> int:
        return len(self._features)

    def add(self, feature: Feature) -> None:
        """Register a feature.

        Raises
        ------
        FeatureError
            If a name is taken, the family unknown, or the bins do not rise.
        """
        for name in (feature.name, *feature.aliases):
            if name in self:
                raise FeatureError(f"the name {name!r} is taken by another feature")
        known = (*FAMILIES, *OPTIONAL_FAMILIES)
        if feature.family not in known:
            raise FeatureError(
                f"{feature.name}: unknown family {feature.family!r}; expected one of {known}"
            )
        _check_bins(feature.name, feature.bins)
        self._features[feature.name] = feature
        self._aliases.update(dict.fromkeys(feature.aliases, feature))


def _check_bins(name: str, bins: tuple[float, ...] | int) -> None:
    if isinstance(bins, int):
        if bins < 2:
            raise FeatureError(f"{name}: bins = {bins}; expected borders, or a count of 2 or more")
    elif list(bins) != sorted(set(bins)):
        raise FeatureError(f"{name}: bins must rise, got {bins}")


REGISTRY = Registry()
"""Every feature that was imported."""


def feature(
    family: str,
    *,
    bins: Sequence[float] | int = (),
    needs: Need | None = None,
    name: str | None = None,
    aliases: Sequence[str] = (),
    source: str = "ours",
    registry: Registry = REGISTRY,
) -> Callable[[F], F]:
    """Register a function of a page as a feature; its name is that of the function.

    Parameters
    ----------
    aliases
        Other names, without the family.

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
        borders = bins if isinstance(bins, int) else tuple(bins)
        others = tuple(f"{family}.{alias}" for alias in aliases)
        found = Feature(f"{family}.{words}", family, compute, borders, needs, others, source)
        registry.add(found)
        return compute

    return register
