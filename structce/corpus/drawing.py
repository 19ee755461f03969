"""Which pages stay together, and which part they are drawn into.

Pages of one site share a template, and so do sites of one family: a model that has seen one of
them knows the others in part. Unless the question is another one, they stay on one side.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Literal, get_args

import numpy as np

from structce.corpus.grouping import group_numbers
from structce.corpus.labelled import LabelledPage
from structce.dates import parse_stated
from structce.errors import CorpusError

Unit = Literal["site", "family", "time", "page"]

UNITS: tuple[str, ...] = get_args(Unit)
"""What a split may go by. ``site`` and ``family`` are the same: sites and families stay whole, and
families that share a site are one. ``time``: the oldest pages first. ``page``: pages alone."""

WHOLE = ("site", "family")
"""Units under which no site and no family may stand on two sides."""


def families_of(pages: Sequence[LabelledPage]) -> list[str]:
    """Return the family of each page; families that share a site, directly or in a row, are one.

    Such a one has the name of its first family in the order of names.
    """
    families, family = np.unique(
        np.array([one.family for one in pages], dtype=np.str_), return_inverse=True
    )
    sites, site = np.unique(
        np.array([one.site for one in pages], dtype=np.str_), return_inverse=True
    )
    links = list(zip(family.tolist(), (len(families) + site).tolist(), strict=True))
    numbers = group_numbers(links, len(families) + len(sites))
    first: dict[int, str] = {}
    for name, number in zip(families.tolist(), numbers, strict=False):
        first.setdefault(number, name)
    return [first[numbers[i]] for i in family.tolist()]


def day_of(page: LabelledPage) -> date | None:
    """Return the day of publication: that of the gold, else the first that the page states.

    Days are those of the notation; an offset from UTC moves none.
    """
    if (known := page.gold.date) is not None:
        return known.date() if isinstance(known, datetime) else known
    stated = map(parse_stated, page.page.metadata.published_dates)
    return next((moment.date() for moment in stated if moment is not None), None)


def draw(
    pages: Sequence[LabelledPage], fractions: Sequence[float], *, by: str, seed: int, name: str
) -> list[list[str]]:
    """Return the ids of the pages of each part, disjoint, in the order of the fractions.

    Parameters
    ----------
    fractions
        Shares of pages, each in (0, 1], with sum 1; met as nearly as whole groups allow.
    by
        One of ``UNITS``. By ``time`` the first part is the oldest, pages of one day stay together,
        and the seed changes nothing.
    name
        Of the corpus, for messages.

    Raises
    ------
    CorpusError
        If the fractions are none, a part stays empty, or by ``time`` a page has no date.
    """
    if abs(sum(fractions) - 1) > 1e-6 or min(fractions) <= 0:
        raise CorpusError(f"fractions {list(fractions)}; expected positive ones of sum 1")
    if by not in UNITS:
        raise CorpusError(f"split by {by!r}; expected one of {', '.join(UNITS)}")
    if by == "time":
        parts = _oldest_first(pages, fractions, name)
    else:
        parts = _largest_first(_groups(pages, by, seed), fractions, len(pages))
    if empty := [i for i, part in enumerate(parts) if not part]:
        raise CorpusError(f"{name}: too few groups by {by}; part {empty[0]} is empty")
    return parts


def _groups(pages: Sequence[LabelledPage], by: str, seed: int) -> list[list[str]]:
    """Return ids of pages that stay together, shuffled, the largest groups first."""
    ordered = sorted(pages, key=lambda page: page.id)
    keys = [page.id for page in ordered] if by == "page" else families_of(ordered)
    groups: dict[str, list[str]] = {}
    for page, key in zip(ordered, keys, strict=True):
        groups.setdefault(key, []).append(page.id)
    names = sorted(groups)
    order = np.random.default_rng(seed).permutation(len(names))
    return sorted((groups[names[i]] for i in order), key=len, reverse=True)


def _largest_first(
    groups: Sequence[Sequence[str]], fractions: Sequence[float], n_pages: int
) -> list[list[str]]:
    """Give each group to the part that lacks most pages."""
    parts: list[list[str]] = [[] for _ in fractions]
    for group in groups:
        lacking = [
            share * n_pages - len(part) for share, part in zip(fractions, parts, strict=True)
        ]
        parts[int(np.argmax(lacking))].extend(group)
    return parts


def _oldest_first(
    pages: Sequence[LabelledPage], fractions: Sequence[float], name: str
) -> list[list[str]]:
    """Give each day to the part that its middle page falls into."""
    days: dict[date, list[str]] = {}
    undated = []
    for page in sorted(pages, key=lambda page: page.id):
        day = day_of(page)
        days.setdefault(day, []).append(page.id) if day else undated.append(page.id)
    if undated:
        raise CorpusError(
            f"{name}: {len(undated)} of {len(pages)} pages have no date, such as {undated[0]}; "
            "a split by time must leave them out (--undated leave-out)"
        )
    ends = np.cumsum(fractions)[:-1] * len(pages)
    parts: list[list[str]] = [[] for _ in fractions]
    n_before = 0
    for day in sorted(days):
        middle = n_before + len(days[day]) / 2
        parts[int(np.searchsorted(ends, middle, side="right"))].extend(days[day])
        n_before += len(days[day])
    return parts
