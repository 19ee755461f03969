"""What stands on two sides of a split and should not: copies of a page, sites of one template."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

from structce.corpora.duplicates.pages import DUPLICATE, find_duplicates
from structce.corpora.duplicates.templates import find_families
from structce.corpus import Corpus, LabelledPage
from structce.errors import CorpusError

Kind = Literal["page", "duplicate", "template"]
_NAMED = 5  # leaks that a message names


@dataclass(frozen=True)
class Leak:
    """One thing on two sides of a split.

    Parameters
    ----------
    kind
        ``page``: the same page; ``duplicate``: nearly the same text; ``template``: sites of one
        family, or one site.
    first, second
        Ids of the two pages, or the sites of the family in either part, parted by commas.
    parts
        Names of the two parts.
    """

    kind: Kind
    first: str
    second: str
    parts: tuple[str, str]

    def __str__(self) -> str:
        one, other = self.parts
        return f"{self.kind}: {self.first} in {one} and {self.second} in {other}"


def check_split(parts: Mapping[str, Corpus], *, threshold: float = DUPLICATE) -> list[Leak]:
    """Return what stands in two parts: pages, near-duplicates, sites and their families.

    Families are those that the pages have, joined with those that
    :func:`structce.corpora.duplicates.find_families` finds in all parts together.

    Parameters
    ----------
    threshold
        Of near-duplicates; see :func:`structce.corpora.duplicates.find_duplicates`.
    """
    ids = {name: {one.id for one in part} for name, part in parts.items()}
    twice = [
        Leak("page", page, page, (a, b))
        for a, b in combinations(parts, 2)
        for page in sorted(ids[a] & ids[b])
    ]
    whole, part_of = _together(parts)
    return [*twice, *_duplicates(whole, part_of, threshold), *_templates(whole, part_of)]


def refuse_leaks(parts: Mapping[str, Corpus], *, threshold: float = DUPLICATE) -> None:
    """Raise a CorpusError that names the leaks between parts, if there are any."""
    if leaks := check_split(parts, threshold=threshold):
        raise CorpusError(_message(leaks))


def _message(leaks: list[Leak]) -> str:
    """Return what is wrong in one line, with the first leaks, and the next step."""
    rest = len(leaks) - _NAMED
    named = "; ".join(map(str, leaks[:_NAMED])) + (f"; and {rest} more" if rest > 0 else "")
    return (
        f"on two sides of the split: {named}; write the corpus without "
        "duplicates and with joined families by 'structce corpus dedupe --out', and split that"
    )


def _together(parts: Mapping[str, Corpus]) -> tuple[Corpus, dict[str, str]]:
    """Return one corpus of all parts and the part of each page; a page is taken once."""
    pages: dict[str, LabelledPage] = {}
    part_of: dict[str, str] = {}
    for name, part in parts.items():
        for one in part:
            pages.setdefault(one.id, one)
            part_of.setdefault(one.id, name)
    first = next(iter(parts.values()), None)
    if first is None:
        raise CorpusError("a split without parts; expected a corpus by the name of its part")
    return replace(first, pages=tuple(pages.values())), part_of


def _duplicates(whole: Corpus, part_of: Mapping[str, str], threshold: float) -> list[Leak]:
    return [
        Leak("duplicate", pair.first, pair.second, (part_of[pair.first], part_of[pair.second]))
        for pair in find_duplicates(whole, threshold=threshold)
        if part_of[pair.first] != part_of[pair.second]
    ]


def _templates(whole: Corpus, part_of: Mapping[str, str]) -> list[Leak]:
    families = find_families(whole)
    sites: dict[str, dict[str, set[str]]] = {}
    for one in whole:
        places = sites.setdefault(families[one.site], {})
        places.setdefault(part_of[one.id], set()).add(one.site)
    return [
        Leak("template", _list(places[a]), _list(places[b]), (a, b))
        for _, places in sorted(sites.items())
        for a, b in combinations(places, 2)
    ]


def _list(sites: set[str]) -> str:
    return ", ".join(sorted(sites))
