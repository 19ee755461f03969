"""Settings of an extraction experiment: what each method sees before it extracts.

A method that learns nothing has one setting. One that compares pages of a class has a setting for
each number of pages that it learns from; one that learns from main contents has a setting for each
way of drawing folds. A report treats settings as it treats methods.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from structce.datasets import GoldPage
from structce.extraction import LearningTask, Method

FOLDS_BY = {"random": "random folds", "site": "folds by site"}
"""Words for each way of drawing folds."""


@dataclass(frozen=True)
class Setting:
    """One method, and what it learns from.

    Parameters
    ----------
    name
        Name of the method, with what it learns from if the experiment has several settings of it.
    n_pages
        Number of pages of a class that it learns from; 0 for a method that compares none.
    folds
        How folds are drawn, a key of ``FOLDS_BY``; empty for a method that is not trained.
    """

    name: str
    method: Method
    n_pages: int = 0
    folds: str = ""

    @property
    def is_learnt(self) -> bool:
        """Whether the method learns from pages first."""
        return bool(self.n_pages or self.folds)


def list_settings(
    methods: Iterable[Method], class_pages: Sequence[int], folds_by: Sequence[str]
) -> tuple[Setting, ...]:
    """Return the settings of methods, in their order."""
    return tuple(one for method in methods for one in _settings(method, class_pages, folds_by))


def _settings(
    method: Method, class_pages: Sequence[int], folds_by: Sequence[str]
) -> Iterator[Setting]:
    if method.kind == "page class":
        for n in class_pages:
            name = f"{method.name}, {n} pages" if len(class_pages) > 1 else method.name
            yield Setting(name, method, n_pages=n)
    elif method.kind == "trainable":
        for by in folds_by:
            name = f"{method.name}, {FOLDS_BY[by]}" if len(folds_by) > 1 else method.name
            yield Setting(name, method, folds=by)
    else:
        yield Setting(method.name, method)


def class_tasks(
    setting: Setting,
    package: str,
    classes: Iterable[Sequence[GoldPage]],
    *,
    seed: int,
    measures: tuple[str, ...],
) -> Iterator[LearningTask]:
    """Yield a task for each class: to learn from some of its pages, and extract from all of them.

    A larger set of pages to learn from contains every smaller one. All pages of a class are learnt
    from if there are fewer than asked for.
    """
    for pages in classes:
        learnt = order_pages(pages, seed)[: setting.n_pages]
        yield LearningTask(
            package, setting.name, setting.method, tuple(learnt), tuple(pages), measures
        )


def fold_tasks(
    setting: Setting,
    package: str,
    folds: Sequence[Sequence[GoldPage]],
    *,
    measures: tuple[str, ...],
) -> Iterator[LearningTask]:
    """Yield a task for each fold: to learn from the others, and extract from its own pages."""
    for held in folds:
        learnt = tuple(page for fold in folds if fold is not held for page in fold)
        yield LearningTask(package, setting.name, setting.method, learnt, tuple(held), measures)


def draw_folds(
    pages: Sequence[GoldPage], n: int, by: str, seed: int
) -> tuple[tuple[GoldPage, ...], ...]:
    """Return pages in folds of about the same size: page by page, or each site in one fold.

    Sites that share a template, as far as the data set records it, count as one. With fewer sites
    than folds, each site is a fold.
    """
    groups: dict[str, list[GoldPage]] = {}
    for page in pages:
        groups.setdefault(page.id if by == "random" else page.family, []).append(page)
    order = sorted(groups, key=lambda name: (-len(groups[name]), _place(seed, name)))
    folds: list[list[GoldPage]] = [[] for _ in range(min(n, len(groups)))]
    for name in order:  # the largest first, each to the fold that has the fewest pages so far
        min(folds, key=len).extend(groups[name])
    return tuple(map(tuple, folds))


def order_pages(pages: Iterable[GoldPage], seed: int) -> list[GoldPage]:
    """Return pages in an order drawn by digests of seed and id, independent of other pages."""
    return sorted(pages, key=lambda page: _place(seed, page.id))


def _place(seed: int, name: str) -> bytes:
    return hashlib.sha256(f"{seed}\0{name}".encode()).digest()
