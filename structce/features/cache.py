"""Cache of the cells of pages, computed once per set of features, on one core or several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from weakref import WeakKeyDictionary

from structce.errors import FeatureError
from structce.features.encoding import Borders, Cells, Encoding, page_cells
from structce.features.registry import REGISTRY, Feature, import_features, import_sources
from structce.page import Page

_CHUNK = 8  # pages that are sent to another process together


@dataclass(frozen=True)
class CellSettings:
    """Features, and everything else that the cells of a page depend on."""

    features: tuple[Feature, ...]
    borders: Mapping[str, Borders] = field(default_factory=dict)  # learnt or stored
    unit_norm: bool = True  # scale a feature's names to norm 1
    encoding: Encoding = "bins"

    @cached_property
    def key(self) -> tuple[object, ...]:
        """Key of the cache, which distinguishes these settings from others within a process."""
        return self.features, tuple(sorted(self.borders.items())), self.unit_norm, self.encoding

    def cells(self, page: Page) -> Cells:
        """Return the cells of a page."""
        return page_cells(
            page,
            self.features,
            borders=self.borders,
            unit_norm=self.unit_norm,
            encoding=self.encoding,
        )


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
        plain = replace(settings, features=())  # the workers look the features up by name
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
        settings = replace(plain, features=tuple(REGISTRY[name] for name in names))
    except FeatureError as error:
        raise FeatureError(f"{error}; a worker process does not know it: use n_jobs=1") from None
    return [settings.cells(page) for page in pages]
