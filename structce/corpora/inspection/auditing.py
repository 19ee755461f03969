"""A sample of gold values and what was matched on their pages, for people to judge.

Two orders: the least certain matches first, to find what goes wrong; or at random, to say how
often it does.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from structce.corpora.inspection.differences import Stretch, differences, is_same
from structce.corpora.inspection.locating import (
    Place,
    fields_like,
    nearest,
    place_of,
    stated_at,
    text_at,
)
from structce.corpus import LabelledPage, label_set_of, read_manifest
from structce.corpus.files import PageRow, read_page
from structce.errors import CorpusError
from structce.files import Folder
from structce.gold import EXACT, MENTIONED, ORDERED, PLACED, READ, SIMILAR, Match, matches_from_json

UNCERTAIN, RANDOM = "uncertain", "random"
ORDERS = (UNCERTAIN, RANDOM)
STATES = ("found", "ambiguous", "missing")
"""What :attr:`structce.gold.Match.state` can be."""

REACH = 2
"""Regions with something to read that are shown before and after a match; our choice."""

_DOUBT = {EXACT: 0.0, PLACED: 0.0, ORDERED: 0.05, READ: 0.1, SIMILAR: 0.2, MENTIONED: 0.4}
_RIVALS = 0.5  # doubt that rivals add; our choice, as the above: likeness weighs most
_AS_WRITTEN = frozenset({"Date", "Multimedia"})  # in another notation than the gold's


@dataclass(frozen=True)
class Card:
    """One gold value beside what was matched.

    Parameters
    ----------
    page, url
        Name of the page in its corpus, and its address.
    number
        Place of the match among those of its page.
    text
        What the matched regions say, and the moment that a ``time`` element states where a date
        was read; of a value that was not found the text most like it.
    differences
        Both as one line; empty where they have the same words, or another notation.
    before, after
        Regions around the match that have something to read, in page order.
    rivals
        What stands in the places that are as good.
    """

    page: str
    url: str
    number: int
    match: Match
    label: str
    text: str
    is_same: bool
    differences: tuple[Stretch, ...]
    before: tuple[Place, ...]
    places: tuple[Place, ...]
    after: tuple[Place, ...]
    rivals: tuple[Place, ...]


@dataclass(frozen=True)
class Sample:
    """Cards, and how they were chosen.

    Parameters
    ----------
    background
        Label of regions that nobody asked for.
    n_matches
        Matches that there were to choose from.
    """

    corpus: str
    background: str
    digest: str
    order: str
    seed: int
    fields: tuple[str, ...]
    n_matches: int
    cards: tuple[Card, ...]


def audit_sample(
    path: Path,
    *,
    fields: Sequence[str] = (),
    states: Sequence[str] = ("found", "ambiguous"),
    n: int = 100,
    order: str = UNCERTAIN,
    seed: int = 0,
) -> Sample:
    """Return some matches of a corpus on disk, each with its value and its surroundings.

    Only the pages of the sample are read whole; memory does not grow with the corpus.

    Parameters
    ----------
    fields
        Names of fields, whatever their case; all if none is given.
    states
        Of ``STATES``.
    n
        Most matches; fewer if there are fewer.
    order
        ``uncertain`` takes those that are least alike, found by weaker methods, or with rivals
        (on a tie any); ``random`` takes any.
    seed
        The same seed gives the same sample.

    Raises
    ------
    CorpusError
        If there is no such corpus, a file is damaged, or no value of the fields is in it.
    """
    folder, manifest = read_manifest(path)
    rows = {row["id"]: row for row in manifest["pages"]}
    found = [
        (name, number, match)
        for name, row in rows.items()
        for number, match in enumerate(_matches(folder, row))
    ]
    wanted = _wanted(path, fields, sorted({match.field for _, _, match in found}))
    found = [one for one in found if one[2].field in wanted and one[2].state in states]
    n_matches = len(found)
    random.Random(seed).shuffle(found)
    if order == UNCERTAIN:
        found.sort(key=lambda one: -doubt(one[2]))
    chosen = found[:n]
    label_set = label_set_of(manifest)
    cards: dict[tuple[str, int], Card] = {}
    for name in dict.fromkeys(name for name, _, _ in chosen):
        page = read_page(folder, rows[name], label_set)
        cards |= {
            (name, number): _card(page, number, match)
            for other, number, match in chosen
            if other == name
        }
    ordered = tuple(cards[name, number] for name, number, _ in chosen)
    names = tuple(sorted(wanted)) if fields else ()
    return Sample(
        manifest["name"],
        manifest["background"],
        manifest["digest"],
        order,
        seed,
        names,
        n_matches,
        ordered,
    )


def doubt(match: Match) -> float:
    """Return how uncertain a match is: 0 for the same words in one place."""
    return 1 - match.score + _DOUBT.get(match.method, 0.0) + _RIVALS * bool(match.rivals)


def _matches(folder: Folder, row: PageRow) -> tuple[Match, ...]:
    """Return the matches of a page without reading the page."""
    name = row["id"]
    file = folder / "gold" / f"{name}.json"
    if not file.exists():
        return ()
    try:
        return matches_from_json(json.loads(file.read_bytes())["matches"], name)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CorpusError(f"{name}: {type(error).__name__}: {error}") from error


def _wanted(path: Path, fields: Sequence[str], there: Sequence[str]) -> set[str]:
    if not there:
        raise CorpusError(f"{path}: no gold values in it; 'structce corpus import' makes such")
    wanted = fields_like(fields, there)
    if unknown := set(map(str.lower, fields)) - set(map(str.lower, wanted)):
        raise CorpusError(f"{path}: no value of a field {min(unknown)!r}; there are {there}")
    return set(wanted) if fields else set(there)


def _card(one: LabelledPage, number: int, match: Match) -> Card:
    page = one.page
    near = None if match.regions else nearest(page, match.value)
    shown = match.regions or ((near[0],) if near else ())
    text = text_at(page, shown)
    if match.method == READ and (stated := stated_at(page, shown[0])):
        text = f"{text} (datetime {stated})"
    same = bool(text) and is_same(match.value, text)
    compares = bool(text) and not same and match.method != READ
    compares = compares and match.field not in _AS_WRITTEN
    return Card(
        page=one.id,
        url=page.url,
        number=number,
        match=match,
        label=one.labels[shown[0]] if shown else "",
        text=text,
        is_same=same,
        differences=differences(match.value, text) if compares else (),
        before=tuple(_around(one, shown[0], -1))[::-1] if shown else (),
        places=tuple(place_of(one, i) for i in shown),
        after=tuple(_around(one, shown[-1], 1)) if shown else (),
        rivals=tuple(place_of(one, i) for i in match.rivals),
    )


def _around(one: LabelledPage, i: int, step: int) -> Iterator[Place]:
    """Yield the nearest regions on one side that have something to read, nearest first."""
    left, i = REACH, i + step
    while left and 0 <= i < len(one.page):
        if one.page.text[i]:
            yield place_of(one, i)
            left -= 1
        i += step
