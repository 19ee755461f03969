"""Encoding of a page as cells: which keys (names of future columns) are set in which regions."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Literal, NamedTuple, cast, get_args
from weakref import WeakKeyDictionary

import msgspec
import numpy as np
from msgspec import structs
from msgspec.structs import replace
from numpy.typing import NDArray

from structce import kernels
from structce.arrays import Floats, Floats32, Integers, Integers32
from structce.errors import FeatureError
from structce.features.registry import (
    REGISTRY,
    Feature,
    FeatureValues,
    import_features,
    import_sources,
)
from structce.page import Page

BIAS = "bias"
"""Column that is set in every region."""

Borders = tuple[float, ...]
Encoding = Literal["bins", "value", "both"]
ENCODINGS: tuple[Encoding, ...] = get_args(Encoding)
"""Encodings of numbers: a column for each bin, for each distinct value, or both."""

_CHUNK = 8  # pages that are sent to another process together
_Part = tuple[list[str], Integers, Integers, Floats]  # keys; region, key and value of each cell


class Cells(NamedTuple):
    """Non-zero cells of a page's table of keys."""

    keys: tuple[str, ...]  # distinct names of future columns, such as "dom.depth:3"
    owners: Integers32  # feature of each key, by index; -1 for the bias
    rows: Integers32  # region of each cell
    codes: Integers32  # index of each cell into keys
    values: Floats32  # 1 except for numbers without bins
    n_regions: int


class CellSettings(msgspec.Struct, frozen=True, dict=True):
    """Features, and everything else that the cells of a page depend on.

    Parameters
    ----------
    borders
        Borders of bins by feature name, learnt or stored; by default those that the feature was
        registered with, and none if its borders are to be learnt.
    unit_norm
        Whether the names that a feature sets for a region are scaled to a Euclidean norm of 1.
    encoding
        Columns of a number: one for each bin, one for each distinct value (of four significant
        digits), or both.
    """

    features: tuple[Feature, ...]
    borders: Mapping[str, Borders] = msgspec.field(default_factory=dict)
    unit_norm: bool = True
    encoding: Encoding = "bins"

    @cached_property
    def key(self) -> tuple[object, ...]:
        """Key of a cache, which distinguishes these settings from others within a process."""
        return self.features, tuple(sorted(self.borders.items())), self.unit_norm, self.encoding

    def borders_of(self, feature: Feature) -> Borders:
        """Return the borders of a feature's bins; empty for none."""
        return self.borders.get(feature.name, feature.borders)

    def cells(self, page: Page) -> Cells:
        """Return the cells of a page: the bias, then one feature after the other.

        Features that need something the page does not have add no cells.
        """
        n = len(page)
        parts: list[_Part] = [([BIAS], np.arange(n), np.zeros(n, dtype=np.int64), np.ones(n))]
        owners = [-1]
        for number, feature in enumerate(self.features):
            if feature.is_known(page):
                own = self._parts(feature, feature.values(page))
                parts += own
                owners += [number] * sum(len(keys) for keys, *_ in own)
        sizes = [len(keys) for keys, *_ in parts]
        firsts = (np.cumsum(sizes) - sizes).tolist()
        codes = [codes + first for (_, _, codes, _), first in zip(parts, firsts, strict=True)]
        return Cells(
            keys=tuple([key for keys, *_ in parts for key in keys]),
            owners=np.array(owners, dtype=np.int32),
            rows=np.concatenate([rows for _, rows, _, _ in parts]).astype(np.int32),
            codes=np.concatenate(codes).astype(np.int32),
            values=np.concatenate([values for *_, values in parts]).astype(np.float32),
            n_regions=n,
        )

    def _parts(self, feature: Feature, values: FeatureValues) -> list[_Part]:
        """Return the cells of one feature, one part for each encoding of its values."""
        name, bins = feature.name, self.borders_of(feature)
        if not isinstance(values, np.ndarray):
            return [_names_part(name, values, self.unit_norm)]
        if values.dtype.kind == "b":
            rows = np.flatnonzero(values)
            return [([name], rows, np.zeros_like(rows), np.ones(len(rows)))]
        numbers, parts = checked_numbers(name, values), []
        if self.encoding != "bins":
            written = [f"{x:.4g}" if np.isfinite(x) else None for x in values.tolist()]
            parts.append(_names_part(name, written, unit_norm=False))
        if self.encoding != "value":
            groups = kernels.bin_numbers(numbers, bins).astype(np.int64)
            rows = np.flatnonzero(groups >= 0)
            keys = [f"{name}:{n}" for n in range(len(bins) + 1)] if bins else [name]
            own = np.ones(len(rows)) if bins else numbers[rows]
            parts.append((keys, rows, groups[rows], own))
        return parts


def checked_numbers(name: str, values: NDArray[np.generic]) -> Floats:
    """Return a feature's numbers as floats; FeatureError for an array of another type."""
    if values.dtype.kind not in "iuf":
        raise FeatureError(
            f"feature {name} returned an array of {values.dtype}; expected booleans or numbers"
        )
    return values.astype(np.float64)


def _names_part(name: str, values: FeatureValues, unit_norm: bool) -> _Part:
    """Return the cells of strings, of sets of strings, or of booleans in a list.

    Neighbouring regions mostly share their value, so each distinct value is processed only once.
    """
    distinct, which = _distinct(values)
    codes: dict[str, int] = {}
    members: list[int] = []
    sizes = np.zeros(len(distinct), dtype=np.int64)
    for n, value in enumerate(distinct):
        names = sorted(member_names(name, value))
        members += [codes.setdefault(member, len(codes)) for member in names]
        sizes[n] = len(names)
    keys = [f"{name}={member}" if member else name for member in codes]
    counts = sizes[which]
    at = concatenated_ranges((np.cumsum(sizes) - sizes)[which], counts)
    norms = 1 / np.sqrt(np.maximum(counts, 1)) if unit_norm else np.ones(len(which))
    rows = np.repeat(np.arange(len(which)), counts)
    return keys, rows, np.array(members, dtype=np.int64)[at], np.repeat(norms, counts)


def concatenated_ranges(starts: Integers, counts: Integers) -> Integers:
    """Return the concatenated ranges that begin at each start and have the given lengths."""
    firsts = np.cumsum(counts) - counts
    return np.asarray(np.arange(counts.sum()) + np.repeat(starts - firsts, counts))


def _distinct(values: FeatureValues) -> tuple[list[Hashable], Integers32]:
    """Return the distinct values, and the index of each region's value among them."""
    plain = cast(Sequence[Hashable], values)
    try:
        return [*dict.fromkeys(plain)], kernels.number_values(plain)
    except TypeError:  # a set or a list, which cannot be hashed; frozen sets can
        plain = [frozen(value) for value in plain]
        return [*dict.fromkeys(plain)], kernels.number_values(plain)


def frozen(value: Hashable | Collection[str]) -> Hashable:
    """Return a set or list of strings as a frozen set, and any other value unchanged."""
    if isinstance(value, Collection) and not isinstance(value, str):
        return frozenset(value)
    return value


def member_names(name: str, value: object) -> Collection[str]:
    """Return the names that a value sets, in any order; the empty name is the feature itself."""
    if isinstance(value, frozenset):
        try:
            "".join(value)  # the fastest check that all are strings
        except TypeError:
            raise FeatureError(
                f"feature {name} returned a set with members other than strings: {value!r}"
            ) from None
        return [member for member in value if member] if "" in value else value
    if value is None or value is False or value is np.False_:
        return ()
    if value is True or value is np.True_:
        return ("",)
    if isinstance(value, str):
        return (value,) if value else ()
    raise FeatureError(
        f"feature {name} returned a value of type {type(value).__name__}: {value!r}; expected a "
        "string, a set of strings, a boolean or None"
    )


def learn_borders(pages: Sequence[Page], features: Sequence[Feature]) -> dict[str, Borders]:
    """Learn the borders of each feature that specifies a number of bins.

    Borders are quantiles of the feature's values over all regions of the pages; there are fewer
    where values repeat, and none where all values are unknown.
    """
    return {
        feature.name: _quantile_borders(pages, feature, feature.bins)
        for feature in features
        if isinstance(feature.bins, int)
    }


def _quantile_borders(pages: Sequence[Page], feature: Feature, n_bins: int) -> Borders:
    columns = [np.zeros(0)]
    for page in pages:
        values = feature.values(page) if feature.is_known(page) else np.zeros(0)
        if not isinstance(values, np.ndarray) or values.dtype.kind not in "iuf":
            raise FeatureError(
                f"feature {feature.name} has bins, but does not return an array of numbers"
            )
        columns.append(values[np.isfinite(values)].astype(np.float64))
    numbers = np.concatenate(columns)
    if not len(numbers):
        return ()
    inner = np.linspace(0, 1, n_bins + 1)[1:-1]
    borders = np.unique(np.quantile(numbers, inner, method="higher"))
    return tuple(float(border) for border in borders if border > numbers.min())


class Descriptions:
    """Cache of the cells of pages, by page and settings, kept for as long as the page exists.

    Feature sets that share a cache, such as those of the folds of an experiment, describe each
    page only once.
    """

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[Page, dict[object, Cells]] = WeakKeyDictionary()

    def known(self, page: Page, settings: CellSettings) -> Cells | None:
        """Return the cells of a page if they are cached, else None."""
        by_settings = self._known.get(page)
        return by_settings.get(settings.key) if by_settings else None

    def of(self, page: Page, settings: CellSettings) -> Cells:
        """Return the cells of a page, computed now unless they are cached."""
        known = self._known.setdefault(page, {})
        if settings.key not in known:
            own = replace(page)  # what features keep of it for each other is freed with it
            known[settings.key] = settings.cells(own)
        return known[settings.key]

    def prepare(self, pages: Iterable[Page], settings: CellSettings, n_jobs: int) -> None:
        """Describe pages that are not cached yet, in ``n_jobs`` processes.

        The other processes repeat the imports made by name or file. A custom registry stays in
        this process, so its features are described here.
        """
        todo = [page for page in pages if settings.key not in self._known.setdefault(page, {})]
        is_public = set(settings.features) <= set(REGISTRY.values())
        if n_jobs == 1 or len(todo) < 2 * _CHUNK or not is_public:
            return
        from joblib import Parallel, delayed  # late: takes 0.1 s, not needed for one page

        chunks = [todo[i : i + _CHUNK] for i in range(0, len(todo), _CHUNK)]
        names = [feature.name for feature in settings.features]
        plain = structs.replace(settings, features=())  # workers look the features up by name
        jobs = (delayed(_describe_chunk)(chunk, names, plain, import_sources()) for chunk in chunks)
        for chunk, described in zip(chunks, Parallel(n_jobs=n_jobs)(jobs), strict=True):
            for page, cells in zip(chunk, described, strict=True):
                self._known[page][settings.key] = cells


def _describe_chunk(
    pages: Sequence[Page], names: Sequence[str], plain: CellSettings, imports: Sequence[str]
) -> list[Cells]:
    """Describe pages in another process."""
    import_features(imports)
    try:
        settings = structs.replace(plain, features=tuple(REGISTRY[name] for name in names))
    except FeatureError as error:
        raise FeatureError(f"{error}; a worker process does not know it: use n_jobs=1") from None
    return [settings.cells(page) for page in pages]
