"""Cache of the cells of pages, computed once for a set of features, on one core or several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from weakref import WeakKeyDictionary

from structce.errors import FeatureError
from structce.features.encoding import Borders, Cells, page_cells
from structce.features.registry import REGISTRY, Feature, import_features, import_sources
from structce.page import Page

_CHUNK = 8  # pages that go to another process together


@dataclass(frozen=True)
class CellSettings:
    """Features and what else the cells of a page depend on.

    Parameters
    ----------
    borders
        Learnt or stored borders of bins, by feature name.
    unit_norm
        Whether the names that a feature gives a region are scaled to a norm of 1.
    """

    features: tuple[Feature, ...]
    borders: Mapping[str, Borders] = field(default_factory=dict)
    unit_norm: bool = True

    @cached_property
    def key(self) -> tuple[object, ...]:
        """Key of the cache; tells these settings from others in one process."""
        return self.features, tuple(sorted(self.borders.items())), self.unit_norm

    def cells(self, page: Page) -> Cells:
        """Return the cells of a page."""
        return page_cells(page, self.features, borders=self.borders, unit_norm=self.unit_norm)


class Descriptions:
    """Cache of the cells of pages, by page and settings, kept for as long as the page lives.

    Feature sets that share one, such as those of the folds of an experiment, describe each page
    once among them.
    """

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[Page, dict[object, Cells]] = WeakKeyDictionary()

    def known(self, page: Page, settings: CellSettings) -> Cells | None:
        """Return the cells of a page if they are known."""
        found = self._known.get(page)
        return found.get(settings.key) if found else None

    def of(self, page: Page, settings: CellSettings) -> Cells:
        """Return the cells of a page, described now unless they are known."""
        known = self._known.setdefault(page, {})
        if settings.key not in known:
            known[settings.key] = settings.cells(page)
        return known[settings.key]

    def prepare(self, pages: Iterable[Page], settings: CellSettings, n_jobs: int) -> None:
        """Describe pages that are not known yet, in so many processes.

        Other processes import again what was imported by name or file. A registry of one's own
        stays in this process, so its features are described here.
        """
        todo = [page for page in pages if settings.key not in self._known.setdefault(page, {})]
        is_public = set(settings.features) <= set(REGISTRY.values())
        if n_jobs == 1 or len(todo) < 2 * _CHUNK or not is_public:
            return
        from joblib import Parallel, delayed  # late: it takes 0.1 s, and a single page needs none

        chunks = [todo[i : i + _CHUNK] for i in range(0, len(todo), _CHUNK)]
        names = [feature.name for feature in settings.features]
        plain = replace(settings, features=())  # functions of features are looked up again there
        jobs = (delayed(_describe_chunk)(chunk, names, plain, import_sources()) for chunk in chunks)
        for chunk, found in zip(chunks, Parallel(n_jobs=n_jobs)(jobs), strict=True):
            for page, cells in zip(chunk, found, strict=True):
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
