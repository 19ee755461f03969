"""Posts of a forum's thread: elements of one form that each hold a text, a day and a name.

A thread is a list that a program wrote: its posts are elements of the same name, one inside none of
the others, and what stands in them has the same places. Of all sets of such elements the one is
taken whose dated elements hold most of the page's running text; in it, places that hold a day, a
name and the text in most posts tell these of all of them.

References
----------
B. Liu, R. Grossman, Y. Zhai (2003). Mining data records in web pages. KDD; records are told here by
the names of elements instead of edit distances. A. Weichselbraun and others (2020). Harvest.
WI-IAT.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from structce.arrays import Flags, Integers32
from structce.article.evidence import Evidence
from structce.article.joining import join_regions
from structce.article.places import box_around, field_at
from structce.article.values import FieldValue, Post
from structce.bylines import Hints, hints_at
from structce.language import find_cues, find_dates, parse_iso

FOUND = 0.9
"""Confidence of a post's author and day, which no model judges: on the pages of the data set forums
nine in ten are right.
"""

_DIGITS = re.compile(r"\d+")
_NAMING = ("class", "id", "itemprop", "itemtype")
_LONGEST_DATE = 80  # characters of a line that tells a post's day
_LONGEST_NAME = 40
_FEWEST, _MOST = 2, 400  # posts of a page
_MOST_OF_BODY = 0.5  # share of the body that posts hold where they are the text
_MOST_OF_A_POST = 1500  # characters of a post that count, so that one long post is not all
_LEAST_TEXT = 3.0  # characters of text a post has on average
_MOSTLY = 0.55  # share of the posts that have a place which tells something of all
_MOST_ELEMENTS = 20_000  # of a page; what follows is not looked at
_MOST_LEVELS = 3  # from an element that begins a post to what all posts stand in
_BOLD = frozenset({"b", "strong"})
_OF_USERS = frozenset({"author", "user", "profile"})
_RELATIVE = frozenset({"relative-time-cue", "day-word-cue", "months-cue", "numeric-date-cue"})
_NO_NAME = re.compile(r"^\W*$|^\W*\d[\d.,:/ ]*\W*$|^#\d+")

Place = tuple[str, ...]
"""Names of the elements from a post down to one of its regions."""


@dataclass(frozen=True)
class _Record:
    """A stretch of regions that may be a post, and the element below which its places begin."""

    regions: range
    root: int


@dataclass(frozen=True)
class PostPlaces:
    """Where a post of a thread stands.

    Parameters
    ----------
    regions
        All its regions, in order.
    text, author, date
        Those of its words, of the name of who wrote it, and of its day; empty where not found.
    """

    regions: tuple[int, ...]
    text: tuple[int, ...] = ()
    author: tuple[int, ...] = ()
    date: tuple[int, ...] = ()


def find_posts(evidence: Evidence) -> list[PostPlaces]:
    """Return the posts of a page in its order; none of a page that is no thread.

    Whether the page is a forum's is not asked: of other pages the comments may be found.
    """
    page = evidence.page
    dated = _dated_regions(evidence)
    if not dated:
        return []
    best = max(_record_sets(evidence), key=lambda records: _worth(evidence, records, dated))
    if _worth(evidence, best, dated) <= 0:
        return []
    spans = [record.regions for record in best]
    places = [_places(evidence, record) for record in best]
    days = _day_place(places, dated)
    names = _name_place(evidence, places, days)
    furniture = _furniture(evidence, spans)
    bodies = _text_place(evidence, places, days, names, furniture)
    posts = []
    for span, own in zip(spans, places, strict=True):
        date = _first_at(own, days, lambda i: i in dated)
        author = _first_at(own, names, lambda i: bool(page.text[i]))
        told = {*date, *author}
        text = tuple(
            i
            for i, place in own.items()
            if page.text[i] and i not in told and i not in furniture and _is_below(place, bodies)
        )
        posts.append(PostPlaces(tuple(span), text, author, date))
    return [post for post in posts if post.text or post.author]


def _dated_regions(evidence: Evidence) -> dict[int, str]:
    """Return the regions that tell when something was written, with the moment or an empty text."""
    page, found = evidence.page, {}
    for i, text in enumerate(page.text):
        if not 0 < len(text) <= _LONGEST_DATE:
            continue
        stated = _stated_moment(evidence, i)
        if stated is not None:
            found[i] = stated
        elif moments := find_dates(text, page.lang):
            found[i] = moments[0].isoformat()
        elif len(text) < _LONGEST_NAME and find_cues(text, page.lang) & _RELATIVE:
            found[i] = ""
    return found


def _stated_moment(evidence: Evidence, region: int) -> str | None:
    """Return what a ``time`` element around a region states, or None without such an element."""
    elements = evidence.page.elements
    for n, above in enumerate(elements.ancestors(int(evidence.page.element[region]))):
        attributes = elements.attributes[above]
        if elements.tag[above] in ("time", "relative-time"):
            moment = parse_iso(attributes.get("datetime", "").strip())
            return moment.isoformat() if moment else ""
        if n > 1:
            break
    return None


def _names_of(evidence: Evidence, element: int) -> Iterator[str]:
    """Yield the names under which an element may be like others: tag, classes, id."""
    elements = evidence.page.elements
    tag, attributes = elements.tag[element], elements.attributes[element]
    for key in _NAMING if attributes else ():
        value = attributes.get(key, "")
        if key == "id" and not _DIGITS.search(value):
            continue
        for word in value.split()[:8]:
            yield f"{tag}.{key}.{_DIGITS.sub('#', word)}"
    yield f"{tag}<{elements.parent[element]}"


def _record_sets(evidence: Evidence) -> Iterator[list[_Record]]:
    """Yield sets of records: elements of one name, none inside another.

    Also the stretches from each of them to the next where they have one parent, as a row with name
    and day stands above one with the text.
    """
    first, end = evidence.region_ranges
    parents = evidence.page.elements.parent
    seen: set[tuple[range, ...]] = set()
    yield []
    for group in _named_elements(evidence):
        apart, last = [], -1
        for element in group:
            if first[element] >= last:
                apart.append(element)
                last = int(end[element])
        if not _FEWEST <= len(apart) <= _MOST:
            continue
        sets = [[_Record(range(int(first[one]), int(end[one])), one) for one in apart]]
        if (parent := _common_parent(parents, apart)) is not None:
            starts = [int(first[one]) for one in apart]
            ends = [*starts[1:], int(end[parent])]
            sets.append([_Record(range(i, j), parent) for i, j in zip(starts, ends, strict=True)])
        for records in sets:
            key = tuple(record.regions for record in records)
            if key not in seen:
                seen.add(key)
                yield records


def _common_parent(parents: Integers32, elements: Sequence[int]) -> int | None:
    """Return what all elements, or those a few levels above them, have for a parent."""
    lifted = list(elements)
    for _ in range(_MOST_LEVELS):
        around = {int(parents[one]) for one in lifted}
        if len(around) == 1:
            return around.pop()
        lifted = [int(parents[one]) for one in lifted]
        if min(lifted) < 0 or len(set(lifted)) < len(elements):
            break
    return None


def _named_elements(evidence: Evidence) -> Iterator[list[int]]:
    """Yield the elements of each name that hold regions."""
    first, end = evidence.region_ranges
    named: dict[str, list[int]] = {}
    for element in range(1, min(len(evidence.page.elements), _MOST_ELEMENTS)):
        if end[element] > first[element]:
            for name in _names_of(evidence, element):
                named.setdefault(name, []).append(element)
    yield from named.values()


def _worth(evidence: Evidence, records: Sequence[_Record], dated: Mapping[int, str]) -> float:
    """Return how much of a page's running text its records hold that look like posts.

    A record without a day, or with a day alone, is not counted as a post and lowers the share.
    """
    total, n_good = 0.0, 0
    for record in records:
        n_days = sum(i in dated for i in record.regions)
        mass = sum(_running(evidence, i) for i in record.regions if i not in dated)
        if n_days and mass > 0:
            n_good += 1
            total += min(mass, _MOST_OF_A_POST) / (1 + 0.15 * max(n_days - 2, 0))
    share = n_good / max(len(records), 1)
    if n_good < _FEWEST or share < 0.5 or total / n_good < _LEAST_TEXT:
        return 0.0
    return total * share


def _running(evidence: Evidence, i: int) -> float:
    """Return the characters of a region that are text, not a link or a line of a menu."""
    length = float(evidence.lengths[i])
    if evidence.in_link[i]:
        return 0.0
    return length * max(float(evidence.body[i]), 0.3 if length > 30 else 0.05)


def _places(evidence: Evidence, record: _Record) -> dict[int, Place]:
    """Return the place of each region in a post: names of the elements below its root."""
    elements = evidence.page.elements
    found: dict[int, Place] = {}
    for i in record.regions:
        names: list[str] = []
        for above in elements.ancestors(int(evidence.page.element[i])):
            if above == record.root:
                break
            names.append(_short_name(elements.tag[above], elements.attributes[above]))
        found[i] = tuple(reversed(names))
    return found


def _short_name(tag: str, attributes: Mapping[str, str]) -> str:
    words = attributes.get("class", "").split() if attributes else []
    return f"{tag}.{_DIGITS.sub('#', words[0])}" if words else tag


def _day_place(places: Sequence[Mapping[int, Place]], dated: Mapping[int, str]) -> Place:
    """Return the place that holds a day in most posts: days that follow one another.

    The day on which a user joined stands beside every post of his, too, and in no order.
    """
    days: dict[Place, list[str]] = {}
    for own in places:
        seen: set[Place] = set()
        for i, place in own.items():
            if i in dated and place not in seen:
                seen.add(place)
                days.setdefault(place, []).append(dated[i])
    return max(days, key=lambda place: len(days[place]) * _order(days[place]), default=())


def _order(days: Sequence[str]) -> float:
    """Return how much days of posts, one after the other, look like those of a thread."""
    told = [day for day in days if day]
    if not told:
        return 0.7
    steps = [(a <= b, a >= b) for a, b in pairwise(told)]
    ordered = max(sum(up for up, _ in steps), sum(down for _, down in steps))
    has_clock = sum(not day.endswith("T00:00:00") for day in told) / len(told)
    return (ordered + 1) / (len(steps) + 1) + 0.3 * has_clock


def _name_place(
    evidence: Evidence, places: Sequence[Mapping[int, Place]], days: Place
) -> Place | None:
    """Return the place that holds a name in most posts: mark-up and links to profiles say so."""
    page = evidence.page
    texts: dict[Place, list[str]] = {}
    scores: dict[Place, float] = {}
    of_users: set[Place] = set()
    for own in places:
        seen: set[Place] = set()
        for i, place in own.items():
            text = page.text[i]
            if not 0 < len(text) <= _LONGEST_NAME or place in seen or place == days:
                continue
            if _NO_NAME.search(text):
                continue
            seen.add(place)
            texts.setdefault(place, []).append(text)
            hints = hints_at(page, i)
            if page.tag[i] in _BOLD:
                hints |= {"bold"}
            scores[place] = scores.get(place, 0.0) + _like_name(hints, text)
            if hints & _OF_USERS and "title" not in hints:
                of_users.add(place)
    n = len(places)
    worth = {
        place: scores[place]
        / n
        * min(1.0, len(found) / (_MOSTLY * n))
        * _variety(found, place in of_users)
        for place, found in texts.items()
    }
    best = max(worth, key=lambda place: worth[place], default=None)
    return best if best is not None and worth[best] > 0.3 else None


def _variety(texts: Sequence[str], is_of_users: bool) -> float:
    """Return how little the texts of a place look like a label: in (0, 1]."""
    most = Counter(texts).most_common(1)[0][1]
    if len(texts) < 3 or most <= 0.8 * len(texts):
        return 1.0
    return 0.5 if is_of_users else 0.15


def _like_name(hints: Hints, text: str) -> float:
    """Return how much mark-up and form speak for a user's name."""
    worth = 0.2
    worth += 1.5 * ("author" in hints) + 1.2 * ("user" in hints) + 1.2 * ("profile" in hints)
    worth += 0.4 * ("link" in hints) + 0.3 * ("bold" in hints)
    worth -= 1.0 * bool({"date", "time", "button", "title", "in-form"} & hints)
    worth -= 0.5 * (len(text.split()) > 3) + 0.4 * text.endswith((":", "…"))
    return worth


def _furniture(evidence: Evidence, spans: Sequence[range]) -> frozenset[int]:
    """Return the regions of posts whose text most posts have: "Reply", "Quote", "Posts:"."""
    page = evidence.page
    counts = Counter(text for span in spans for text in {page.text[i] for i in span})
    often = {text for text, n in counts.items() if n >= max(3, 0.4 * len(spans))}
    return frozenset(i for span in spans for i in span if page.text[i] in often)


def _text_place(
    evidence: Evidence,
    places: Sequence[Mapping[int, Place]],
    days: Place,
    names: Place | None,
    furniture: frozenset[int],
) -> Place:
    """Return the place below which most posts have their text: the most text, and little else."""
    page = evidence.page
    gains: dict[Place, float] = {}
    holding: set[Place] = set()
    for own in places:
        for i, place in own.items():
            length = float(evidence.lengths[i])
            if not page.text[i] or i in furniture or place in (days, names):
                gain = -5.0
            else:
                gain = _running(evidence, i) - 0.12 * length
            for depth in range(len(place) + 1):
                gains[place[:depth]] = gains.get(place[:depth], 0.0) + gain
                holding |= {place[:depth]} if gain > 0 else set()
    return max(holding, key=lambda place: (gains[place], len(place)), default=())


def _is_below(place: Place, above: Place) -> bool:
    return place[: len(above)] == above


def _first_at(
    own: Mapping[int, Place], place: Place | None, holds: Callable[[int], bool]
) -> tuple[int, ...]:
    """Return the first region of a post at a place of which something holds."""
    if place is None:
        return ()
    return next(((i,) for i, found in own.items() if found == place and holds(i)), ())


def hold_body(evidence: Evidence, is_body: Flags, posts: Sequence[PostPlaces]) -> bool:
    """Return whether posts are what a page is there for, not the comments below an article.

    They are if they hold at least half of the body's characters. Of 52 threads of the data set
    ``forums`` the F1 of words is .849 with this and a probability of a forum of .45, and .852 with
    one of .3 alone, by which the comments of 12 of 139 articles of Fundus were taken for the text.

    Parameters
    ----------
    is_body : shape (n_regions,)
        Regions of the body, chosen without regard to posts.
    """
    in_posts = [i for post in posts for i in post.text if is_body[i]]
    chars = evidence.lengths * is_body
    return bool(in_posts) and bool(chars[in_posts].sum() >= _MOST_OF_BODY * chars.sum())


def read_posts(evidence: Evidence, found: Sequence[PostPlaces]) -> tuple[Post, ...]:
    """Return the posts that stand at some places, with the names and moments of each."""
    page = evidence.page
    return tuple(
        Post(
            text_of(evidence, one.text),
            _author_of(evidence, one),
            _day_of(evidence, one),
            one.regions,
            page.xpath[one.regions[0]],
            box_around(page, one.regions),
        )
        for one in found
    )


def _author_of(evidence: Evidence, post: PostPlaces) -> FieldValue | None:
    if not post.author:
        return None
    name = " ".join(evidence.page.text[post.author[0]].split())
    return field_at(evidence.page, post.author, name, FOUND)


def _day_of(evidence: Evidence, post: PostPlaces) -> FieldValue | None:
    """Return the day or moment of a post; None where its words tell none that can be read."""
    page = evidence.page
    for region in post.date:
        raw = page.text[region]
        value = _stated_moment(evidence, region) or next(
            (moment.isoformat() for moment in find_dates(raw, page.lang)), ""
        )
        if value:
            return field_at(page, [region], value.removesuffix("T00:00:00"), FOUND, raw=raw)
    return None


def text_of(evidence: Evidence, regions: Sequence[int]) -> str:
    """Return the text of a post: a line a block."""
    page = evidence.page
    lines: list[str] = []
    block: list[int] = []
    for i in regions:
        if block and page.blocks[i] != page.blocks[block[-1]]:
            lines.append(join_regions(page, block))
            block = []
        block.append(i)
    return "\n".join([*lines, *([join_regions(page, block)] if block else [])])
