"""Splits of a corpus into parts, and the groups of pages that no split may separate."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, Literal, Self, get_args

import msgspec
import numpy as np

from structce.corpus.storage import LabelledPage, read_json
from structce.errors import CorpusError
from structce.io import encode_json, write_atomic
from structce.language import parse_timestamp

_FORM = {"format": "structce-split", "version": 1}

SplitBy = Literal["site", "time", "page"]
SPLIT_BY: tuple[str, ...] = get_args(SplitBy)
"""Criteria by which a split may be drawn. By ``site``, sites and families stay whole, and families
that share a site are one. ``time`` puts the oldest pages first. ``page`` draws single pages."""

PART_SIZES = "either shares above 0 of sum 1 or whole numbers of pages"
"""Sizes that the parts of a split may have."""


@dataclass(frozen=True)
class Split:
    """Assignment of the pages of a corpus to parts.

    ``by`` and ``seed`` state how the pages were drawn, see :func:`draw_parts`. ``parts`` are ids of
    pages by the name of their part, each sorted; ``left_out`` are those of pages in no part, since
    they have no date, or the numbers of pages of the parts are lower.
    """

    corpus: str
    corpus_digest: str
    by: SplitBy
    seed: int
    parts: Mapping[str, tuple[str, ...]]
    left_out: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        counts = Counter(name for part in (*self.parts.values(), self.left_out) for name in part)
        if twice := [name for name, n in counts.items() if n > 1]:
            raise CorpusError(f"split of {self.corpus}: page {twice[0]!r} is in two parts")

    @property
    def digest(self) -> str:
        """SHA-256 over the whole content of the split."""
        return hashlib.sha256(encode_json({**_FORM, **asdict(self)}, indent=None)).hexdigest()

    def save(self, path: Path) -> None:
        """Write the split as JSON, atomically; the same split gives the same bytes."""
        write_atomic(path, encode_json({**_FORM, **asdict(self), "digest": self.digest}))

    @classmethod
    def load(cls, path: Path) -> Self:
        """Return the split of a file.

        Raises CorpusError if the file is missing, of an unsupported version, or was changed after
        writing.
        """
        try:
            values = read_json(path, dict[str, Any])
        except CorpusError as error:
            raise CorpusError(
                f"{path}: no split here ({error}); make one by 'structce corpus split'"
            ) from error
        try:
            if any(values.get(name) != value for name, value in _FORM.items()):
                raise ValueError(f"no split of {' version '.join(map(str, _FORM.values()))}")
            split = msgspec.convert(values, cls)
        except ValueError as error:  # msgspec.ValidationError is one
            raise CorpusError(f"{path}: {error}; make one by 'structce corpus split'") from error
        if split.digest != values.get("digest"):
            raise CorpusError(f"{path}: changed since it was written; split the corpus again")
        return split

    def check(self, pages: Sequence[LabelledPage], *, name: str, digest: str) -> None:
        """Raise a CorpusError unless the split is of a corpus with this digest, and keeps its rule.

        Each page must be in a part or left out, and sites and families whole if split by them.
        """
        if self.corpus_digest != digest:
            raise CorpusError(
                f"{name}: digest {digest[:12]}, but the split is of {self.corpus}, "
                f"digest {self.corpus_digest[:12]}; split this corpus again"
            )
        named = {*self.left_out, *(page for ids in self.parts.values() for page in ids)}
        if odd := named ^ {page.id for page in pages}:
            is_named = odd & named
            where = "of the split is not in the corpus" if is_named else "is in no part"
            raise CorpusError(f"{name}: page {min(is_named or odd)!r} {where}")
        if self.by == "site" and (straddling := self.straddling_families(pages)):
            family, parts = next(iter(straddling.items()))
            raise CorpusError(
                f"{name}: family {family!r} is in {' and '.join(parts)}; a split by site must keep "
                "it whole"
            )

    def straddling_families(self, pages: Sequence[LabelledPage]) -> dict[str, list[str]]:
        """Return the parts of each family that is in more than one."""
        part_of = {page: part for part, ids in self.parts.items() for page in ids}
        parts: dict[str, dict[str, None]] = {}
        for page, family in zip(pages, families_of(pages), strict=True):
            if page.id in part_of:
                parts.setdefault(family, {})[part_of[page.id]] = None
        return {family: list(of) for family, of in sorted(parts.items()) if len(of) > 1}


def draw_parts(
    pages: Sequence[LabelledPage], sizes: Sequence[float], *, by: str, seed: int, name: str
) -> list[list[str]]:
    """Return the ids of the pages of each part, disjoint, in the order of the sizes.

    Sizes are shares of pages, above 0 and of sum 1, or whole numbers of pages; met as closely as
    whole groups allow. If the numbers are fewer than the pages, the others are in no part: by
    ``time`` the oldest, else drawn with the seed. By ``time`` pages of one day stay together, and
    pages without a day are in no part. Raises CorpusError if the sizes are invalid, or a part stays
    empty.
    """
    if by not in SPLIT_BY:
        raise CorpusError(f"split by {by!r}; expected one of {', '.join(SPLIT_BY)}")
    if by == "time":
        pages = [page for page in pages if publication_day(page) is not None]
    wanted = _numbers_of_pages(sizes, len(pages), name)
    n_left = len(pages) - round(sum(wanted))
    if by == "time":
        _, *parts = _oldest_first(pages, [n_left, *wanted])
    else:
        parts = _largest_first(pages, by, seed, n_left, wanted)
    if not all(parts):
        raise CorpusError(
            f"{name}: too few groups by {by} in {len(pages):,} pages: each of {len(parts)} parts "
            "needs one of its own; add pages, or split by page"
        )
    return parts


def are_counts(sizes: Sequence[float]) -> bool:
    """Return whether the sizes of parts are whole numbers of pages, and no shares."""
    return not are_shares(sizes) and all(n >= 1 and float(n).is_integer() for n in sizes)


def are_shares(sizes: Sequence[float]) -> bool:
    """Return whether the sizes of parts are shares of pages."""
    return abs(sum(sizes) - 1) <= 1e-6 and min(sizes) > 0


def _numbers_of_pages(sizes: Sequence[float], n_pages: int, name: str) -> list[float]:
    """Return the wanted number of pages in each part, which for shares need not be whole."""
    if are_shares(sizes):
        return [share * n_pages for share in sizes]
    if not are_counts(sizes):
        raise CorpusError(f"parts of sizes {list(sizes)}; expected {PART_SIZES}")
    if sum(sizes) > n_pages:
        written = " + ".join(f"{size:,.0f}" for size in sizes)
        raise CorpusError(
            f"{name}: parts of {written} = {sum(sizes):,.0f} pages, but the corpus has {n_pages:,}"
        )
    return list(sizes)


def _largest_first(
    pages: Sequence[LabelledPage], by: str, seed: int, n_left: int, wanted: Sequence[float]
) -> list[list[str]]:
    """Assign each group, the largest first, to the part that lacks the most of its pages.

    The first of the shuffled groups that together have at most ``n_left`` pages are left out.
    """
    ordered = sorted(pages, key=lambda page: page.id)
    groups: dict[str, list[str]] = {}
    for page, key in zip(ordered, split_groups(ordered, by), strict=True):
        groups.setdefault(key, []).append(page.id)
    names, kept = sorted(groups), []
    for i in np.random.default_rng(seed).permutation(len(names)):
        group = groups[names[i]]
        if len(group) <= n_left:
            n_left -= len(group)
        else:
            kept.append(group)
    parts: list[list[str]] = [[] for _ in wanted]
    for group in sorted(kept, key=len, reverse=True):
        lacking = [n - len(part) for n, part in zip(wanted, parts, strict=True)]
        parts[int(np.argmax(lacking))].extend(group)
    return parts


def _oldest_first(pages: Iterable[LabelledPage], wanted: Sequence[float]) -> list[list[str]]:
    """Assign each day to the part into which its middle page falls; all pages have a day."""
    days: dict[date | None, list[str]] = {}
    for page in sorted(pages, key=lambda page: (publication_day(page) or date.max, page.id)):
        days.setdefault(publication_day(page), []).append(page.id)
    ends = np.cumsum(wanted)[:-1]
    parts: list[list[str]] = [[] for _ in wanted]
    n_before = 0
    for ids in days.values():
        middle = n_before + len(ids) / 2
        parts[int(np.searchsorted(ends, middle, side="right"))].extend(ids)
        n_before += len(ids)
    return parts


def split_groups(pages: Sequence[LabelledPage], by: str) -> list[str]:
    """Return a name for each page; pages of one name must be in the same part."""
    return families_of(pages) if by == "site" else [page.id for page in pages]


def families_of(pages: Sequence[LabelledPage], links: Iterable[tuple[str, str]] = ()) -> list[str]:
    """Return the family of each page; families linked by shared sites, even indirectly, are joined.

    A joined family has the alphabetically first of its names. ``links`` are further pairs of names
    that belong together: ``site NAME``, ``family NAME`` or any other.
    """
    linked = [(f"family {page.family}", f"site {page.site}") for page in pages]
    # "family ..." comes before all other kinds of names, so that every group is named by a family.
    links = [*linked, *links]
    first = group_names([name for link in links for name in link], links)
    return [first[family].removeprefix("family ") for family, _ in linked]


def group_names(names: Iterable[str], links: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return for each name the first one, in alphabetical order, of those it is linked with.

    Links join directly or indirectly; links to other names are ignored.
    """
    ordered = sorted(set(names))
    index = {name: i for i, name in enumerate(ordered)}
    edges = [(index[a], index[b]) for a, b in links if a in index and b in index]
    firsts: dict[int, str] = {}
    numbers = group_numbers(edges, len(ordered))
    return {name: firsts.setdefault(n, name) for name, n in zip(ordered, numbers, strict=True)}


def group_numbers(links: Sequence[tuple[int, int]], n: int) -> list[int]:
    """Return the number of the connected component of each of ``n`` nodes."""
    ends = np.array(links, dtype=np.intp).reshape(-1, 2).T
    from scipy.sparse import coo_array  # late: corpora are read without it
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(len(links)), (ends[0], ends[1])), shape=(n, n))
    return connected_components(graph, directed=False)[1].tolist()


def publication_day(page: LabelledPage) -> date | None:
    """Return the day of publication: that of the gold, else the first that the page states.

    The day is taken as written; an offset from UTC does not change it.
    """
    if (moment := page.gold.date) is not None:
        return moment.date() if isinstance(moment, datetime) else moment
    moments = map(parse_timestamp, page.page.metadata.published_dates)
    return next((moment.date() for moment in moments if moment is not None), None)
