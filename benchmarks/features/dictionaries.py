"""Pages encoded the usual way: a merged dictionary for each region, then a vectoriser."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self, TypeAlias

from scipy.sparse import csr_matrix
from sklearn.feature_extraction import DictVectorizer

from benchmarks.features import region_functions  # noqa: F401  (registers)
from benchmarks.features.regions import FUNCTIONS, Cues, Region, regions
from structce.features.columns import prefix
from structce.features.encoding import BIAS
from structce.features.feature_set import FeatureSet
from structce.features.registry import REGISTRY
from structce.page import Page

Row: TypeAlias = dict[str, bool | str | Sequence[str]]


def one_call_a_region(page: Page) -> list[list[Cues]]:
    """Return what each function gives for each region, nothing merged."""
    rows = regions(page)
    return [[function(region) for region in rows] for function in FUNCTIONS.values()]


def same_features() -> FeatureSet:
    """Return a feature set of the same features, every cell 1 and every column kept."""
    return FeatureSet(
        (),
        include=tuple(FUNCTIONS),
        min_count=1,
        strengths={},
        neighbour_strength=1.0,
        unit_norm=False,
    )


class Dictionaries:
    """The functions of a region with the windows of a feature set, and scikit-learn's vectoriser.

    Functions with the same window go together, so that a neighbour's dictionary is merged whole.
    """

    def __init__(self) -> None:
        self._functions: dict[tuple[int, ...], list[str]] = {}
        for name in FUNCTIONS:
            self._functions.setdefault(REGISTRY[name].window, []).append(name)
        self._vectoriser = DictVectorizer()

    def rows(self, page: Page) -> list[Row]:
        """Return one dictionary per region, with the cues of its neighbours."""
        page_regions = regions(page)
        rows: list[Row] = [{BIAS: True} for _ in page_regions]
        for offsets, names in self._functions.items():
            own = [_merged(names, region) for region in page_regions]
            for row, cues in zip(rows, own, strict=True):
                row.update(cues)
            for offset in offsets:
                _merge_neighbours(rows, own, offset)
        return rows

    def fit(self, pages: Sequence[Page]) -> Self:
        """Learn the columns of pages."""
        self._vectoriser.fit([row for page in pages for row in self.rows(page)])
        return self

    def transform(self, page: Page) -> csr_matrix:
        """Return the page's regions as rows, shape (n_regions, n_columns)."""
        if not len(page):  # which the vectoriser refuses
            return csr_matrix((0, len(self.columns)))
        encoded: csr_matrix = self._vectoriser.transform(self.rows(page))
        return encoded

    @property
    def columns(self) -> list[str]:
        """Names of the columns, sorted."""
        return [str(name) for name in self._vectoriser.get_feature_names_out()]


def _merged(names: Sequence[str], region: Region) -> Row:
    row: Row = {}
    for name in names:
        row.update(FUNCTIONS[name](region))
    return row


def _merge_neighbours(rows: Sequence[Row], own: Sequence[Row], offset: int) -> None:
    """Put into each row the cues of the region so far away, their names prefixed."""
    start = prefix(offset)
    for i, row in enumerate(rows):
        if 0 <= i + offset < len(own):
            row.update({start + key: value for key, value in own[i + offset].items()})


def disagreements(ours: FeatureSet, theirs: Dictionaries, pages: Sequence[Page]) -> list[str]:
    """Return the columns that only one has, or whose cells differ on some page; sorted."""
    places = {name: j for j, name in enumerate(theirs.columns)}
    common = [name for name in ours.columns_ if name in places]
    columns = set(ours.columns_) ^ places.keys()
    mine = {name: j for j, name in enumerate(ours.columns_)}
    for page in pages:
        our_cells = ours.transform(page)[:, [mine[name] for name in common]]
        their_cells = theirs.transform(page)[:, [places[name] for name in common]]
        difference = (our_cells - their_cells).tocoo()
        columns.update(common[j] for j in difference.col[difference.data != 0])
    return sorted(columns)
