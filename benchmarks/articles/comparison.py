"""Comparison of ours with another system in every cell of the leaderboard.

A cell is a measure on a corpus in a view. The interval of a difference comes from a bootstrap over
sites, which are drawn for both systems alike; the test is Wilcoxon's on the differences by site, as
pages of one site are right or wrong together. P-values are corrected after Holm for all cells that
are compared at once. The best of the other systems is the best on these very pages, so a cell
that ours wins is won against the best of them in hindsight.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.articles.board import Section
from benchmarks.articles.scores import (
    Difference,
    Measure,
    PageScore,
    SystemScores,
    difference_of,
    interval_of,
    value_of,
)
from structce.evaluation import Interval
from structce.evaluation.significance import LEVEL, holm, wilcoxon

MAIN_MEASURES = ("title", "authors", "invented", "date", "text", "shingles", "segments")
"""Measures that make a cell; the others explain it."""

LEAST_PAGES = 10
"""Least number of pages of a cell; with fewer no test can find a difference."""


@dataclass(frozen=True)
class Cell:
    """One measure of ours and of another system on the same pages of a corpus in a view.

    Parameters
    ----------
    value, interval
        Value of our system, and its interval.
    other, other_value
        The system that it is compared with.
    difference
        Ours minus the other.
    p_value
        Corrected, once the cell is one of several that were compared.
    """

    corpus: str
    view: str
    measure: Measure
    n_sites: int
    value: float
    interval: Interval | None
    other: str
    other_value: float
    difference: Difference
    p_value: float

    @property
    def verdict(self) -> str:
        """``ahead``, ``level`` or ``behind``.

        Ahead if ours is better, the test finds a difference and the interval is above 0. Behind
        if ours is worse, and either the test or the interval says so.
        """
        sign = -1 if self.measure.is_better_low else 1
        gain = sign * self.difference.value
        low, high = sorted(sign * end for end in self.difference.interval or (-1.0, 1.0))
        if gain < 0:
            return "behind" if high < 0 or self.p_value <= LEVEL else "level"
        return "ahead" if low > 0 and self.p_value <= LEVEL else "level"


def compare(
    sections: Sequence[Section],
    ours: str,
    seed: int,
    *,
    against: str | None = None,
    measures: Sequence[str] = MAIN_MEASURES,
) -> list[Cell]:
    """Return the cells that both systems have, p-values corrected for all of them.

    Parameters
    ----------
    against
        The other system; None for the best of the other people's, cell by cell.
    """
    cells = [
        cell for section in sections for cell in _cells(section, ours, seed, against, measures)
    ]
    corrected = holm(np.array([cell.p_value for cell in cells]))
    return [replace(cell, p_value=float(p)) for cell, p in zip(cells, corrected, strict=True)]


def _cells(
    section: Section, ours: str, seed: int, against: str | None, measures: Sequence[str]
) -> Iterator[Cell]:
    own = section.of(ours)
    for measure in section.measures:
        if own is None or measure.name not in measures or not own.having(measure.name):
            continue
        other = section.of(against) if against else section.best_rival(ours, measure)
        if other is not None and len(_common(own, other, measure)) >= LEAST_PAGES:
            yield _cell(section, own, other, measure, seed)


def _common(own: SystemScores, other: SystemScores, measure: Measure) -> list[PageScore]:
    ids = {page.id for page in other.having(measure.name)}
    return [page for page in own.having(measure.name) if page.id in ids]


def _cell(
    section: Section, own: SystemScores, other: SystemScores, measure: Measure, seed: int
) -> Cell:
    mine, theirs = own.having(measure.name), other.having(measure.name)
    return Cell(
        section.corpus.name,
        section.view,
        measure,
        n_sites=len({page.site for page in _common(own, other, measure)}),
        value=value_of(mine, measure),
        interval=interval_of(mine, measure, seed),
        other=other.system,
        other_value=value_of(theirs, measure),
        difference=difference_of(mine, theirs, measure, seed),
        p_value=site_p_value(mine, theirs, measure),
    )


def site_p_value(
    first: Sequence[PageScore], second: Sequence[PageScore], measure: Measure
) -> float:
    """Return the p-value of Wilcoxon's test on a measure of two systems, site by site.

    Pages that one of the two lacks do not count; 1 where no site differs.
    """
    common = {page.id for page in first} & {page.id for page in second}
    mine, theirs = (_by_site(pages, common, measure) for pages in (first, second))
    sites = sorted(mine)
    return wilcoxon(
        np.array([mine[site] for site in sites]), np.array([theirs[site] for site in sites])
    )


def _by_site(pages: Sequence[PageScore], common: set[str], measure: Measure) -> dict[str, float]:
    groups: dict[str, list[PageScore]] = {}
    for page in pages:
        if page.id in common:
            groups.setdefault(page.site, []).append(page)
    return {site: value_of(own, measure) for site, own in groups.items()}
