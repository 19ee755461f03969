"""Audit samples: gold values beside the regions they were matched with, for people to judge.

Texts are returned as on the page; the caller must make them safe to print.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from rapidfuzz import fuzz, process, utils
from rapidfuzz.distance import Levenshtein

from structce.corpus.storage import (
    LabelledPage,
    PageRow,
    label_set_of,
    read_labelled_page,
    read_manifest,
)
from structce.errors import CorpusError
from structce.gold import EXACT, MENTIONED, ORDERED, PLACED, READ, SIMILAR, Match, matches_from_json
from structce.io import Folder
from structce.language import normalise
from structce.page import Page

UNCERTAIN, RANDOM = "uncertain", "random"
ORDERS = (UNCERTAIN, RANDOM)
STATES = ("found", "ambiguous", "missing")
"""Values of :attr:`structce.gold.Match.state`."""

_N_AROUND = 2  # regions with something to read that are shown before and after a match

# What a match's method and its rivals add to its uncertainty, which is otherwise 1 minus its score:
# the weaker the evidence, the more. The sums only order cards.
_METHOD_UNCERTAINTY = {
    EXACT: 0.0, PLACED: 0.0, ORDERED: 0.05, READ: 0.1, SIMILAR: 0.2, MENTIONED: 0.4
}  # fmt: skip
_RIVAL_UNCERTAINTY = 0.5
_AS_WRITTEN = frozenset({"Date", "Multimedia"})  # in another notation than the gold's

MIN_LIKENESS = 60.0
"""Least similarity, in per cent, of a region that is shown for a value that was not found: a text
that is less similar does not show what went wrong."""

IN_BOTH, IN_GOLD, ON_PAGE = "same", "gold", "page"
"""Place of a part of two compared texts: in both, in the gold alone, or on the page alone."""

MAX_WORDS = 4_000
"""Words of either text that are compared; what follows is left out, as the time grows with the
product of both."""

N_KEPT = 60
"""Characters kept at either end of a long part that is the same in both, about a line."""

_WORD = re.compile(r"\w+|\s+|[^\w\s]")

_SOURCES = ("src", "data-src", "data", "srcset", "data-srcset", "poster")
_FIRST = re.compile(r"\[1\](?=/|$)")


@dataclass(frozen=True)
class RegionView:
    """One region as an audit or a listing shows it.

    Its XPath is shortened, see :func:`short_xpath`. The text of media is an address and the
    alternative text.
    """

    index: int
    label: str
    tag: str
    xpath: str
    text: str


class DiffPart(NamedTuple):
    """A stretch of text that is in the gold, on the page, or in both.

    The place is ``IN_GOLD``, ``ON_PAGE`` or ``IN_BOTH``; text in both is as on the page.
    """

    where: str
    text: str


@dataclass(frozen=True)
class AuditCard:
    """One gold value beside its match, which has this number among those of its page.

    ``text`` is that of the matched regions, with the moment stated by a ``time`` element from which
    a date was read; for a value that was not found, it is the text most similar to it.
    ``differences`` are both texts as one line; empty if they have the same words, or a different
    notation. ``before`` and ``after`` are the regions around the match that have a text, in page
    order; ``rivals`` are the places that fit equally well.
    """

    page: str
    url: str
    number: int
    match: Match
    label: str
    text: str
    is_same: bool
    differences: tuple[DiffPart, ...]
    before: tuple[RegionView, ...]
    places: tuple[RegionView, ...]
    after: tuple[RegionView, ...]
    rivals: tuple[RegionView, ...]


def audit_sample(
    path: Path,
    *,
    fields: Sequence[str] = (),
    states: Sequence[str] = ("found", "ambiguous"),
    n: int = 100,
    order: str = UNCERTAIN,
    seed: int = 0,
) -> tuple[list[AuditCard], int]:
    """Return some matches of a corpus on disk, each with its surroundings, and of how many.

    Only the pages of the sample are read completely; memory use does not grow with the corpus.
    Fields are given in any case, and all are used if none is given. The order ``uncertain`` takes
    the ``n`` matches that are least similar, found by weaker methods, or with rivals (ties at
    random); ``random`` takes any. The same seed gives the same sample.

    Raises CorpusError if there is no such corpus, a file is damaged, or it has no value of the
    fields.
    """
    folder, manifest = read_manifest(path)
    rows = {row["id"]: row for row in manifest["pages"]}
    places = [
        (name, number, match)
        for name, row in rows.items()
        for number, match in enumerate(_matches(folder, row))
    ]
    wanted = _wanted(path, fields, sorted({match.field for _, _, match in places}))
    places = [
        (name, number, match)
        for name, number, match in places
        if match.field in wanted and match.state in states
    ]
    n_matches = len(places)
    random.Random(seed).shuffle(places)
    if order == UNCERTAIN:
        places.sort(key=lambda place: -uncertainty(place[2]))
    chosen = places[:n]
    label_set = label_set_of(manifest)
    cards: dict[tuple[str, int], AuditCard] = {}
    for name in dict.fromkeys(name for name, _, _ in chosen):
        page = read_labelled_page(folder, rows[name], label_set)
        cards |= {
            (name, number): _card(page, number, match)
            for other, number, match in chosen
            if other == name
        }
    return [cards[name, number] for name, number, _ in chosen], n_matches


def uncertainty(match: Match) -> float:
    """Return the uncertainty of a match: 0 for the same words in one place."""
    return (
        1
        - match.score
        + _METHOD_UNCERTAINTY.get(match.method, 0.0)
        + _RIVAL_UNCERTAINTY * bool(match.rivals)
    )


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
        raise CorpusError(f"{path}: no gold values; 'structce corpus import' writes them")
    wanted = select_fields(fields, there)
    if unknown := set(map(str.lower, fields)) - set(map(str.lower, wanted)):
        raise CorpusError(f"{path}: no value of a field {min(unknown)!r}; there are {there}")
    return set(wanted) if fields else set(there)


def _card(labelled: LabelledPage, number: int, match: Match) -> AuditCard:
    page = labelled.page
    near = None if match.regions else most_similar_region(page, match.value)
    shown = match.regions or ((near[0],) if near else ())
    text = joined_words(page, shown)
    if match.method == READ and (stated := stated_moment(page, shown[0])):
        text = f"{text} (datetime {stated})"
    same = bool(text) and is_same_text(match.value, text)
    compares = bool(text) and not same and match.method != READ
    compares = compares and match.field not in _AS_WRITTEN
    return AuditCard(
        page=labelled.id,
        url=page.url,
        number=number,
        match=match,
        label=labelled.labels[shown[0]] if shown else "",
        text=text,
        is_same=same,
        differences=differences(match.value, text) if compares else (),
        before=tuple(_around(labelled, shown[0], -1))[::-1] if shown else (),
        places=tuple(region_view(labelled, i) for i in shown),
        after=tuple(_around(labelled, shown[-1], 1)) if shown else (),
        rivals=tuple(region_view(labelled, i) for i in match.rivals),
    )


def _around(labelled: LabelledPage, i: int, step: int) -> Iterator[RegionView]:
    """Yield the nearest regions on one side that have a text, nearest first."""
    left, i = _N_AROUND, i + step
    while left and 0 <= i < len(labelled.page):
        if labelled.page.text[i]:
            yield region_view(labelled, i)
            left -= 1
        i += step


def region_view(labelled: LabelledPage, i: int) -> RegionView:
    """Return the view of one region of a page."""
    page = labelled.page
    return RegionView(
        i, labelled.labels[i], page.tag[i], short_xpath(page.xpath[i]), region_words(page, i)
    )


def region_words(page: Page, i: int) -> str:
    """Return the text of a region; for media the address and the alternative text."""
    if not page.is_media[i]:
        return page.text[i]
    row = page.attributes[i]
    source = next((row[name] for name in _SOURCES if row.get(name)), "")
    return " ".join(filter(None, [source, row.get("alt", "")]))


def joined_words(page: Page, regions: Iterable[int]) -> str:
    """Return the words of regions on one line."""
    return " ".join(filter(None, (region_words(page, i) for i in regions)))


def stated_moment(page: Page, i: int) -> str:
    """Return the moment that a ``time`` element around a region states; empty without one."""
    for above in page.elements.ancestors(int(page.element[i])):
        if page.elements.tag[above] == "time":
            return page.elements.attributes[above].get("datetime", "")
    return ""


def short_xpath(xpath: str, n_steps: int = 4) -> str:
    """Return the last steps of an XPath, without the index of first children.

    >>> short_xpath("/html[1]/body[1]/div[2]/article[1]/p[3]/text()[1]")
    '…/div[2]/article/p[3]'
    """
    steps = _FIRST.sub("", xpath).strip("/").split("/")
    if steps[-1] == "text()":
        steps.pop()
    whole = len(steps) < n_steps
    return ("/" if whole else "…/") + "/".join(steps if whole else steps[1 - n_steps :])


def context_ranges(regions: Sequence[int], n_regions: int, reach: int) -> list[range]:
    """Return the regions and those around them, as ranges in page order without overlap.

    ``reach`` is the number of regions before and after that are included.
    """
    ranges: list[range] = []
    for i in sorted(regions):
        start, stop = max(0, i - reach), min(n_regions, i + reach + 1)
        if ranges and start <= ranges[-1].stop:
            ranges[-1] = range(ranges[-1].start, stop)
        else:
            ranges.append(range(start, stop))
    return ranges


def select_fields(asked: Iterable[str], there: Iterable[str]) -> list[str]:
    """Return the requested fields, in any case: ``date`` also means ``Date``."""
    names = {name.lower() for name in asked}
    return [name for name in there if name.lower() in names]


def matches_by_region(matches: Iterable[Match]) -> dict[int, list[Match]]:
    """Return the matches of each region; regions without one are left out."""
    by_region: dict[int, list[Match]] = {}
    for match in matches:
        for i in match.regions:
            by_region.setdefault(i, []).append(match)
    return by_region


def most_similar_region(page: Page, value: str) -> tuple[int, float] | None:
    """Return the region whose text is most similar to a value, and the similarity in per cent.

    None if no similarity reaches ``MIN_LIKENESS``; on a tie the first.
    """
    if not utils.default_process(value):  # punctuation alone is like every icon
        return None
    nearest = process.extractOne(
        value, page.text, scorer=fuzz.ratio, processor=utils.default_process,
        score_cutoff=MIN_LIKENESS,
    )  # fmt: skip
    return None if nearest is None else (nearest[2], nearest[1])


def is_same_text(gold: str, page: str) -> bool:
    """Return whether two texts have the same letters and digits in the same order."""
    return normalise(gold) == normalise(page)


def differences(gold: str, page: str) -> tuple[DiffPart, ...]:
    """Return the differences of two texts as one line of parts, in order.

    Case, white space and compatibility forms of letters are ignored; punctuation is not.
    """
    ours, theirs = _words(gold), _words(page)
    folded = [[normalise(word) or word for word in side] for side in (ours, theirs)]
    steps = Levenshtein.opcodes(*folded)
    parts: list[DiffPart] = []
    for is_equal, group in groupby(steps, lambda step: step.tag == "equal"):
        run = list(group)
        old = "".join(ours[run[0].src_start : run[-1].src_end])
        new = "".join(theirs[run[0].dest_start : run[-1].dest_end])
        sides = [(IN_BOTH, new)] if is_equal else [(IN_GOLD, old), (ON_PAGE, new)]
        parts += [DiffPart(where, text) for where, text in sides if text]
    return tuple(parts)


def shorten(parts: tuple[DiffPart, ...], kept: int = N_KEPT) -> Iterator[DiffPart]:
    """Yield parts, shortened to their ends if long; differing parts keep twice as much."""
    for part in parts:
        room = kept if part.where == IN_BOTH else 2 * kept
        text = part.text
        if len(text) > 3 * room:
            text = f"{text[:room].rstrip()} … {text[-room:].lstrip()}"
        yield DiffPart(part.where, text)


def _words(text: str) -> list[str]:
    """Return words, white space and single other characters, in order."""
    return _WORD.findall(" ".join(text.split()))[: 2 * MAX_WORDS]
