"""Posts of a forum thread: similar elements that each hold a text, a day and a name.

A thread is a list written by a program: its posts are elements with the same name, none inside
another, and their parts have the same places within them. Of all sets of such elements, the one
whose dated elements hold most of the page's running text is taken. The places that hold a day, a
name and the text in most of its posts are then read in all of them.

References
----------
B. Liu, R. Grossman, Y. Zhai (2003). Mining data records in web pages. KDD; here, records are
recognised by the names of elements instead of by edit distance. A. Weichselbraun and others (2020).
Harvest. WI-IAT.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, pairwise

import numpy as np

from structce.arrays import Flags
from structce.article.evidence import Evidence
from structce.article.joining import join_regions
from structce.article.places import box_around, field_at
from structce.article.values import FieldValue, Post
from structce.bylines import Hints, hints_at
from structce.features import dom_tree
from structce.language import find_cues, find_dates, parse_iso

FOUND = 0.9
"""Confidence of a post's author and day, which no model judges: nine in ten are right on the pages
of the data set ``forums``."""

_DIGITS = re.compile(r"\d+")
_NAMING = ("class", "id", "itemprop", "itemtype")
_LONGEST_DATE = 80  # characters of a line that gives a post's day
_LONGEST_NAME = 40
_FEWEST, _MOST = 2, 400  # posts of a page
_MOST_OF_BODY = 0.5  # least share of the body in posts if they are the text of the page
_FEWEST_NAMED, _FEWEST_OF_THREAD = 2, 4  # posts of a thread: with a name, or of any kind
_MOST_OF_A_POST = 1500  # characters that count, so that one long post does not outweigh all
_LEAST_TEXT = 3.0  # characters of text a post has on average
_MOSTLY = 0.55  # share of posts with a place, from which it counts fully
_MOST_ELEMENTS = 20_000  # of a page; further elements are ignored
_MOST_LEVELS = 3  # from the first element of a post up to the common parent of all posts
_TIMES = frozenset({"time", "relative-time"})
_BOLD = frozenset({"b", "strong"})
_OF_USERS = frozenset({"author", "user", "profile"})
_RELATIVE = frozenset({"relative-time-cue", "day-word-cue", "months-cue", "numeric-date-cue"})
_NO_NAME = re.compile(r"^\W*$|^\W*\d[\d.,:/ ]*\W*$|^#\d+")

Place = tuple[str, ...]
"""Names of the elements from a post down to one of its regions."""


@dataclass(frozen=True)
class Record:
    """A range of regions that may be a post, and the element relative to which places are given."""

    regions: range
    root: int


@dataclass(frozen=True)
class PostRegions:
    """Regions of a post of a thread.

    Parameters
    ----------
    regions
        All its regions, in order.
    text, author, date
        Regions of its words, of its author's name, and of its day; empty if not found.
    """

    regions: tuple[int, ...]
    text: tuple[int, ...] = ()
    author: tuple[int, ...] = ()
    date: tuple[int, ...] = ()


def find_posts(evidence: Evidence, within: Flags | None = None) -> list[PostRegions]:
    """Return the posts of a page in document order; none for a page without a thread.

    The type of the page is not checked: on pages other than forums, comments may be found.

    Parameters
    ----------
    within : shape (n_regions,)
        Regions that may belong to posts; all by default.
    """
    page = evidence.page
    dated = dated_regions(evidence)
    running = _running_text(evidence)
    if within is not None:
        dated = {i: moment for i, moment in dated.items() if within[i]}
        running = [mass if inside else 0.0 for mass, inside in zip(running, within, strict=True)]
    if not dated:
        return []
    masses = [0.0 if i in dated else mass for i, mass in enumerate(running)]
    n_dated = [0, *accumulate(i in dated for i in range(len(page)))]
    best: list[Record] = []
    highest = 0.0
    for records in record_sets(evidence):
        if (score := _score_of(records, masses, n_dated)) > highest:
            best, highest = records, score
    if not best:
        return []
    spans = [record.regions for record in best]
    places = _places(evidence, best)
    days = _day_place(places, dated)
    names = _name_place(evidence, places, days)
    furniture = _furniture(evidence, spans)
    bodies = _text_place(evidence, running, places, {days, names}, furniture)
    posts = []
    for span, place_of in zip(spans, places, strict=True):
        date = _first_at(place_of, days, lambda i: i in dated)
        author = _first_at(place_of, names, lambda i: bool(page.text[i]))
        byline = {*date, *author}
        text = tuple(
            i
            for i, place in place_of.items()
            if page.text[i] and i not in byline and i not in furniture and _is_below(place, bodies)
        )
        posts.append(PostRegions(tuple(span), text, author, date))
    return [post for post in posts if post.text or post.author]


def dated_regions(evidence: Evidence) -> dict[int, str]:
    """Return the regions that say when something was written, with the moment or an empty text."""
    page, moments_of = evidence.page, {}
    has_times = not dom_tree.elements_called(page).keys().isdisjoint(_TIMES)
    for i, text in enumerate(page.text):
        if not 0 < len(text) <= _LONGEST_DATE:
            continue
        stated = _stated_moment(evidence, i) if has_times else None
        if stated is not None:
            moments_of[i] = stated
        elif moments := find_dates(text, page.lang):
            moments_of[i] = moments[0].isoformat()
        elif len(text) < _LONGEST_NAME and find_cues(text, page.lang) & _RELATIVE:
            moments_of[i] = ""
    return moments_of


def _stated_moment(evidence: Evidence, region: int) -> str | None:
    """Return what a ``time`` element around a region states, or None without such an element."""
    elements = evidence.page.elements
    for n, above in enumerate(elements.ancestors(int(evidence.page.element[region]))):
        attributes = elements.attributes[above]
        if elements.tag[above] in _TIMES:
            moment = parse_iso(attributes.get("datetime", "").strip())
            return moment.isoformat() if moment else ""
        if n > 1:
            break
    return None


def _names_of(evidence: Evidence, element: int) -> Iterator[str]:
    """Yield the names that an element may share with similar ones: tag, classes, id."""
    elements = evidence.page.elements
    tag, attributes = elements.tag[element], elements.attributes[element]
    for key in _NAMING if attributes else ():
        value = attributes.get(key)
        if not value or (key == "id" and not _DIGITS.search(value)):
            continue
        for word in value.split()[:8]:
            yield f"{tag}.{key}.{_DIGITS.sub('#', word)}"
    yield f"{tag}<{elements.parents[element]}"


def record_sets(evidence: Evidence) -> Iterator[list[Record]]:
    """Yield sets of records: elements with the same name, none inside another.

    If they have a common parent, the ranges from each element to the next are yielded as well: the
    row with name and day may be above a row with the text.
    """
    first, end = (places.tolist() for places in evidence.region_ranges)
    parents = dom_tree.parents(evidence.page)
    seen: set[tuple[range, ...]] = set()
    for group in _named_elements(evidence):
        apart, last = [], -1
        for element in group:
            if first[element] >= last:
                apart.append(element)
                last = end[element]
        if not _FEWEST <= len(apart) <= _MOST:
            continue
        sets = [[Record(range(first[n], end[n]), n) for n in apart]]
        if (parent := _common_parent(parents, apart)) is not None:
            starts = [first[n] for n in apart]
            ends = [*starts[1:], end[parent]]
            sets.append([Record(range(i, j), parent) for i, j in zip(starts, ends, strict=True)])
        for records in sets:
            key = tuple(record.regions for record in records)
            if key not in seen:
                seen.add(key)
                yield records


def _common_parent(parents: Sequence[int], elements: Sequence[int]) -> int | None:
    """Return the common parent of elements, or of their ancestors a few levels up, if any."""
    lifted = list(elements)
    for _ in range(_MOST_LEVELS):
        lifted = [parents[element] for element in lifted]
        if len(set(lifted)) == 1:
            return lifted[0]
        if min(lifted) < 0 or len(set(lifted)) < len(elements):
            break
    return None


def _named_elements(evidence: Evidence) -> Iterator[list[int]]:
    """Yield, for each name, the elements with it that contain regions."""
    first, end = evidence.region_ranges
    named: dict[str, list[int]] = {}
    for element in range(1, min(len(evidence.page.elements), _MOST_ELEMENTS)):
        if end[element] > first[element]:
            for name in _names_of(evidence, element):
                named.setdefault(name, []).append(element)
    yield from named.values()


def _score_of(records: Sequence[Record], masses: Sequence[float], n_dated: Sequence[int]) -> float:
    """Return the score of a set of records: the running text in those that look like posts."""
    total, n_good = 0.0, 0
    for record in records:
        span = record.regions
        n_days, mass = n_dated[span.stop] - n_dated[span.start], sum(masses[span.start : span.stop])
        if n_days and mass > 0:
            n_good += 1
            total += min(mass, _MOST_OF_A_POST) / (1 + 0.15 * max(n_days - 2, 0))
    share = n_good / max(len(records), 1)
    if n_good < _FEWEST or share < 0.5 or total / n_good < _LEAST_TEXT:
        return 0.0
    return total * share


def _running_text(evidence: Evidence) -> list[float]:
    """Return the weighted number of characters of running text in each region."""
    lengths = evidence.lengths.astype(np.float64)
    weights = np.maximum(evidence.body, np.where(lengths > 30, 0.3, 0.05))
    running: list[float] = np.where(evidence.in_link, 0.0, lengths * weights).tolist()
    return running


def _places(evidence: Evidence, records: Sequence[Record]) -> list[dict[int, Place]]:
    """Return the place of each region in a post: the names of the elements below its root."""
    elements, parents = evidence.page.elements, dom_tree.parents(evidence.page)
    holders = dom_tree.holders(evidence.page)
    known: dict[int, dict[int, Place]] = {}  # by root and element

    for record in records:
        places = known.setdefault(record.root, {-1: (), record.root: ()})
        for i in record.regions:
            above, unknown = holders[i], []
            while above not in places:
                unknown.append(above)
                above = parents[above]
            for element in reversed(unknown):
                name = _short_name(elements.tag[element], elements.attributes[element])
                places[element] = (*places[parents[element]], name)
    return [{i: known[record.root][holders[i]] for i in record.regions} for record in records]


def _short_name(tag: str, attributes: Mapping[str, str]) -> str:
    words = attributes.get("class", "").split() if attributes else []
    return f"{tag}.{_DIGITS.sub('#', words[0])}" if words else tag


def _day_place(places: Sequence[Mapping[int, Place]], dated: Mapping[int, str]) -> Place:
    """Return the place that contains a day in most posts, preferring days in order."""
    days: dict[Place, list[str]] = {}
    for place_of in places:
        seen: set[Place] = set()
        for i, place in place_of.items():
            if i in dated and place not in seen:
                seen.add(place)
                days.setdefault(place, []).append(dated[i])
    return max(days, key=lambda place: len(days[place]) * _order(days[place]), default=())


def _order(days: Sequence[str]) -> float:
    """Return how much the sequence of the posts' days looks like that of a thread."""
    known = [day for day in days if day]
    if not known:
        return 0.7
    steps = [(a <= b, a >= b) for a, b in pairwise(known)]
    ordered = max(sum(up for up, _ in steps), sum(down for _, down in steps))
    has_clock = sum(not day.endswith("T00:00:00") for day in known) / len(known)
    return (ordered + 1) / (len(steps) + 1) + 0.3 * has_clock


def _name_place(
    evidence: Evidence, places: Sequence[Mapping[int, Place]], days: Place
) -> Place | None:
    """Return the place that contains a name in most posts, by mark-up and links to profiles."""
    page = evidence.page
    texts: dict[Place, list[str]] = {}
    scores: dict[Place, float] = {}
    of_users: set[Place] = set()
    for place_of in places:
        seen: set[Place] = set()
        for i, place in place_of.items():
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
    score = {
        place: scores[place]
        / n
        * min(1.0, len(shown) / (_MOSTLY * n))
        * _variety(shown, place in of_users)
        for place, shown in texts.items()
    }
    best = max(score, key=lambda place: score[place], default=None)
    return best if best is not None and score[best] > 0.3 else None


def _variety(texts: Sequence[str], is_of_users: bool) -> float:
    """Return how varied the texts of a place are, in (0, 1]; a fixed caption varies little."""
    most = Counter(texts).most_common(1)[0][1]
    if len(texts) < 3 or most <= 0.8 * len(texts):
        return 1.0
    return 0.5 if is_of_users else 0.15


def _like_name(hints: Hints, text: str) -> float:
    """Return a score for being a user's name, from mark-up and form."""
    score = 0.2
    score += 1.5 * ("author" in hints) + 1.2 * ("user" in hints) + 1.2 * ("profile" in hints)
    score += 0.4 * ("link" in hints) + 0.3 * ("bold" in hints)
    score -= 1.0 * bool({"date", "time", "button", "title", "in-form"} & hints)
    score -= 0.5 * (len(text.split()) > 3) + 0.4 * text.endswith((":", "…"))
    return score


def _furniture(evidence: Evidence, spans: Sequence[range]) -> frozenset[int]:
    """Return the regions whose text recurs in many posts: "Reply", "Quote", "Posts:"."""
    page = evidence.page
    counts = Counter(text for span in spans for text in {page.text[i] for i in span})
    often = {text for text, n in counts.items() if n >= max(3, 0.4 * len(spans))}
    return frozenset(i for span in spans for i in span if page.text[i] in often)


def _text_place(
    evidence: Evidence,
    running: Sequence[float],
    places: Sequence[Mapping[int, Place]],
    others: Collection[Place | None],
    furniture: frozenset[int],
) -> Place:
    """Return the place below which posts have their text: the most text, and little else."""
    page = evidence.page
    gains: dict[Place, float] = {}
    above: dict[Place, list[Place]] = {}  # places at and above each
    holding: set[Place] = set()
    for place_of in places:
        for i, place in place_of.items():
            length = float(evidence.lengths[i])
            if not page.text[i] or i in furniture or place in others:
                gain = -5.0
            else:
                gain = running[i] - 0.12 * length
            if place not in above:
                above[place] = [place[:depth] for depth in range(len(place) + 1)]
            for start in above[place]:
                gains[start] = gains.get(start, 0.0) + gain
            if gain > 0:
                holding.update(above[place])
    return max(holding, key=lambda place: (gains[place], len(place)), default=())


def _is_below(place: Place, above: Place) -> bool:
    return place[: len(above)] == above


def _first_at(
    place_of: Mapping[int, Place], place: Place | None, holds: Callable[[int], bool]
) -> tuple[int, ...]:
    """Return the first region of a post at a place that satisfies a condition."""
    if place is None:
        return ()
    return next(((i,) for i, other in place_of.items() if other == place and holds(i)), ())


def covers_body(evidence: Evidence, is_body: Flags, posts: Sequence[PostRegions]) -> bool:
    """Return whether posts are the main content of a page, not the comments below an article.

    They are if they hold at least half of the body's characters.

    Parameters
    ----------
    is_body : shape (n_regions,)
        Regions of the body, chosen without regard to posts.
    """
    in_posts = [i for post in posts for i in post.text if is_body[i]]
    chars = evidence.lengths * is_body
    return bool(in_posts) and bool(chars[in_posts].sum() >= _MOST_OF_BODY * chars.sum())


def is_thread(posts: Sequence[PostRegions]) -> bool:
    """Return whether posts are enough for a thread by themselves: two with a name, or four.

    An article between its headline and a box about its author, both with a day, also looks like two
    posts.
    """
    n_named = sum(bool(post.author) for post in posts)
    return n_named >= _FEWEST_NAMED or len(posts) >= _FEWEST_OF_THREAD


def read_posts(evidence: Evidence, places: Sequence[PostRegions]) -> tuple[Post, ...]:
    """Return the posts at the given places, with the author and moment of each."""
    page = evidence.page
    return tuple(
        Post(
            text_of(evidence, post.text),
            _author_of(evidence, post),
            _day_of(evidence, post),
            post.regions,
            page.xpath[post.regions[0]],
            box_around(page, post.regions),
        )
        for post in places
    )


def _author_of(evidence: Evidence, post: PostRegions) -> FieldValue | None:
    if not post.author:
        return None
    name = " ".join(evidence.page.text[post.author[0]].split())
    return field_at(evidence.page, post.author, name, FOUND)


def _day_of(evidence: Evidence, post: PostRegions) -> FieldValue | None:
    """Return the day or moment of a post; None if none can be read."""
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
    """Return the text of a post: one line per block, more if line breaks divide it."""
    page = evidence.page
    runs = groupby(regions, key=lambda i: int(page.blocks[i]))
    return "\n".join(join_regions(page, run, line_end="\n") for _, run in runs)
