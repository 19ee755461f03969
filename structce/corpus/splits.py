"""Things that belong together because a row of links leads from one to the other."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self, get_args

import msgspec
import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from structce.corpus.storage import LabelledPage
from structce.errors import CorpusError
from structce.io import to_json, write_whole
from structce.language import parse_stated


def group_numbers(links: Sequence[tuple[int, int]], n: int) -> list[int]:
    """Return the number of the group of each of ``n`` things; things without links are alone."""
    ends = np.array(links, dtype=np.intp).reshape(-1, 2).T
    graph = coo_array((np.ones(len(links)), (ends[0], ends[1])), shape=(n, n))
    numbers: list[int] = connected_components(graph, directed=False)[1].tolist()
    return numbers


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


if TYPE_CHECKING:
    from structce.corpus.corpus import Corpus

FORMAT = "structce-split"
VERSION = 1


@dataclass(frozen=True)
class Split:
    """Which pages of one corpus stand in which part.

    Parameters
    ----------
    corpus, corpus_digest
        Name and digest of the corpus.
    by, seed
        What was asked for; see :func:`draw`.
    parts
        Ids of pages by the name of their part, each sorted.
    left_out
        Ids of pages that stand in no part, since they have no date.
    """

    corpus: str
    corpus_digest: str
    by: Unit
    seed: int
    parts: Mapping[str, tuple[str, ...]]
    left_out: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        counts = Counter(name for part in (*self.parts.values(), self.left_out) for name in part)
        if twice := [name for name, n in counts.items() if n > 1]:
            raise CorpusError(f"split of {self.corpus}: page {twice[0]!r} stands in two parts")

    @property
    def digest(self) -> str:
        """SHA-256 over everything that the split says."""
        return hashlib.sha256(to_json(self._values(), indent=None)).hexdigest()

    def save(self, path: Path) -> None:
        """Write the split as JSON, whole or not at all; the same split gives the same bytes."""
        write_whole(path, to_json({**self._values(), "digest": self.digest}))

    @classmethod
    def load(cls, path: Path) -> Self:
        """Return the split of a file.

        Raises
        ------
        CorpusError
            If there is none, it is of another version, or it was changed since it was written.
        """
        try:
            values = json.loads(path.read_bytes())
            found, digest = (values["format"], values["version"]), values["digest"]
        except (OSError, KeyError, TypeError, ValueError) as error:
            why = f"{type(error).__name__}: {error}"
            raise CorpusError(
                f"{path}: no split here ({why}); make one by 'structce corpus split'"
            ) from error
        if found != (FORMAT, VERSION):
            raise CorpusError(
                f"{path}: format {found[0]} version {found[1]}; "
                f"this release reads {FORMAT} version {VERSION}"
            )
        try:
            split = msgspec.convert(values, cls)
        except msgspec.ValidationError as error:
            raise CorpusError(f"{path}: {error}") from error
        if split.digest != digest:
            raise CorpusError(f"{path}: changed since it was written; split the corpus again")
        return split

    def _values(self) -> dict[str, object]:
        return {"format": FORMAT, "version": VERSION, **asdict(self)}


def split_corpus(
    corpus: Corpus, shares: Mapping[str, float], *, by: Unit, seed: int, dated_only: bool = False
) -> Split:
    """Return a split of a corpus into named parts, in the order of the shares.

    Parameters
    ----------
    shares
        Of pages by the name of a part; see :func:`draw`.
    dated_only
        Leave pages without a date out of all parts; for a split by ``time``.

    Raises
    ------
    CorpusError
        As :func:`draw` does.
    """
    left_out = [one.id for one in corpus if dated_only and by == "time" and day_of(one) is None]
    pages = [one for one in corpus if one.id not in set(left_out)]
    drawn = draw(pages, list(shares.values()), by=by, seed=seed, name=corpus.name)
    parts = {name: tuple(sorted(ids)) for name, ids in zip(shares, drawn, strict=True)}
    return Split(corpus.name, corpus.digest, by, seed, parts, tuple(sorted(left_out)))


def check_split(split: Split, corpus: Corpus) -> None:
    """Raise a CorpusError unless a split fits a corpus.

    The corpus must be the one that was split, each of its pages in a part or left out, and no
    site and no family in two parts, unless pages were split alone or by time.
    """
    if split.corpus_digest != corpus.digest:
        raise CorpusError(
            f"{corpus.name}: digest {corpus.digest[:12]}, but the split is of {split.corpus}, "
            f"digest {split.corpus_digest[:12]}; split this corpus again"
        )
    named = {*split.left_out, *(page for ids in split.parts.values() for page in ids)}
    if odd := named ^ {page.id for page in corpus}:
        where = "of the split is not in the corpus" if odd & named else "is in no part of the split"
        raise CorpusError(f"{corpus.name}: page {min(odd & named or odd)!r} {where}")
    if split.by in WHOLE and (straddling := straddling_families(split, corpus)):
        family, parts = next(iter(straddling.items()))
        raise CorpusError(
            f"{corpus.name}: family {family!r} stands in {' and '.join(parts)}; a split by "
            f"{split.by} must keep it whole"
        )


def straddling_families(split: Split, corpus: Corpus) -> dict[str, list[str]]:
    """Return the parts of each family that stands in more than one."""
    part_of = {page: part for part, ids in split.parts.items() for page in ids}
    found: dict[str, list[str]] = {}
    for page, family in zip(corpus, families_of(corpus.pages), strict=True):
        parts = found.setdefault(family, [])
        if (part := part_of.get(page.id)) is not None and part not in parts:
            parts.append(part)
    return {family: parts for family, parts in sorted(found.items()) if len(parts) > 1}
