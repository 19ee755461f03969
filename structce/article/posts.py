"""Posts of a forum thread: similar elements with a text, a day and a name each.

A thread is a list written by a program: its posts are elements with the same name, none inside
another, and their parts have the same paths within them. Of all sets of such elements, that with
most running text in dated elements is chosen. The paths of a day, a name and the text in most of
its posts are then read in all of them.

References
----------
B. Liu, R. Grossman, Y. Zhai (2003). Mining data records in web pages. KDD; here, records are
recognised by the names of elements instead of by edit distance. A. Weichselbraun and others (2020).
Harvest. WI-IAT.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, groupby, pairwise
from typing import NamedTuple

import numpy as np

from structce.arrays import Flags
from structce.article.containers import inherited_values
from structce.article.evidence import Evidence
from structce.article.regions import box_around, field_at, join_regions
from structce.article.values import FieldValue, Post
from structce.bylines import Hints, hints_at
from structce.features import cues, dom_tree
from structce.language import WORDS, find_dates, parse_iso
from structce.patterns import lazy_pattern

POST_CONFIDENCE = 0.9
"""Confidence of a post's author and day, which no model judges: nine in ten are right on the pages
of the data set ``forums``."""

_DIGITS = lazy_pattern(r"\d+")
_NAMING = ("class", "id", "itemprop", "itemtype")
_LONGEST_DATE = 80  # characters of a line that gives a post's day
_LONGEST_NAME = 40  # characters
_FEWEST, _MOST = 2, 400  # posts of a page
_MOST_OF_BODY = 0.5  # least share of the body in posts if they are the text of the page
_FEWEST_NAMED, _FEWEST_OF_THREAD = 2, 4  # posts of a thread: with a name, or of any kind
_MOST_OF_A_POST = 1500  # characters that count, so that one long post does not outweigh all
_LEAST_TEXT = 3.0  # characters of text a post has on average
_MOSTLY = 0.55  # share of posts with a path, from which it counts fully
_LEAST_AROUND = 20  # characters of a sentence around a term; our choice
_LEAST_NAME = 0.3  # score of a path that contains names
_MOST_ELEMENTS = 20_000  # of a page; further elements are ignored
_MOST_LEVELS = 3  # from the first element of a post up to the common parent of all posts
_TIMES = frozenset({"time", "relative-time"})
_BOLD = frozenset({"b", "strong"})
_OF_USERS = frozenset({"author", "user", "profile"})
_NOT_NAMES = frozenset({"date", "time", "button", "title", "in-form"})
_RELATIVE = frozenset({"relative-time-cue", "day-word-cue", "months-cue", "numeric-date-cue"})
_NO_NAME = lazy_pattern(r"^\W*$|^\W*\d[\d.,:/ ]*\W*$|^#\d+")

ElementPath = tuple[str, ...]
"""Names of the elements from a post down to one of its regions."""

RegionPaths = Mapping[int, ElementPath]
"""Path of each region of a post."""

ElementRecord = tuple[range, int]
"""Regions that may be a post, and the element from which their paths begin."""


class PostRegions(NamedTuple):
    """Regions of a post: all, and those of its words, its author's name and its day, if found."""

    regions: tuple[int, ...]
    text: tuple[int, ...] = ()
    author: tuple[int, ...] = ()
    date: tuple[int, ...] = ()


def find_posts(evidence: Evidence, within: Flags | None = None) -> list[PostRegions]:
    """Return the posts of a page in document order; none for a page without a thread.

    The type of the page is not checked: on pages other than forums, comments may be found.
    ``within`` marks the regions that may belong to posts, shape (n_regions,); by default all may.
    """
    page, dated = evidence.page, dated_regions(evidence)
    if within is not None:
        dated = {i: moment for i, moment in dated.items() if within[i]}
    if not dated:
        return []
    weights = np.maximum(evidence.p_body, np.where(evidence.chars > 30, 0.3, 0.05))
    # Weighted characters of running text: few in menus, none in links.
    is_running = ~evidence.in_link if within is None else ~evidence.in_link & within
    running: list[float] = np.where(is_running, evidence.chars * weights, 0.0).tolist()
    masses = [0.0 if i in dated else mass for i, mass in enumerate(running)]
    n_dated = [0, *accumulate(i in dated for i in range(len(page)))]
    scored = ((_score_of(records, masses, n_dated), records) for records in record_sets(evidence))
    score, best = max(scored, key=lambda pair: pair[0], default=(0.0, []))
    if not score:
        return []
    paths = _paths(evidence, best)
    day, furniture = _day_path(paths, dated), _furniture(evidence, paths)
    name = _name_path(evidence, paths, day)
    words = _text_path(evidence, running, paths, {day, name}, furniture)
    posts = []
    for of_post in paths:
        date = tuple(i for i, path in of_post.items() if path == day and i in dated)[:1]
        author = tuple(i for i, path in of_post.items() if path == name and page.text[i])[:1]
        others = {*date, *author} | furniture
        text = tuple(
            i
            for i, path in of_post.items()
            if page.text[i] and i not in others and path[: len(words)] == words
        )
        if text or author:
            posts.append(PostRegions(tuple(of_post), text, author, date))
    return posts


def dated_regions(evidence: Evidence) -> dict[int, str]:
    """Return the moment of each region with a day; empty for "3 hours ago"."""
    page, moments_of = evidence.page, {}
    has_times = not dom_tree.elements_called(page).keys().isdisjoint(_TIMES)
    for i, text in enumerate(page.text):
        if not 0 < len(text) <= _LONGEST_DATE:
            continue
        element_moment = _stated_moment(evidence, i) if has_times else None
        if element_moment is not None:
            moments_of[i] = element_moment
        elif moments := find_dates(text, page.lang):
            moments_of[i] = moments[0].isoformat()
        elif len(text) < _LONGEST_NAME and cues.page_cues(page)[i] & _RELATIVE:
            moments_of[i] = ""
    return moments_of


def _stated_moment(evidence: Evidence, region: int) -> str | None:
    """Return what a ``time`` element around a region states, or None without such an element."""
    elements = evidence.page.elements
    for n, above in enumerate(elements.ancestors(int(evidence.page.element[region]))):
        if elements.tag[above] in _TIMES:
            moment = parse_iso(elements.attributes[above].get("datetime", "").strip())
            return moment.isoformat() if moment else ""
        if n > 1:
            break
    return None


def record_sets(evidence: Evidence) -> Iterator[list[ElementRecord]]:
    """Yield sets of records: elements with the same name, none inside another.

    If they have a common parent, the ranges from each element to the next are yielded as well: the
    row with name and day may be above a row with the text.
    """
    first, end = (bounds.tolist() for bounds in evidence.region_ranges)
    parents = evidence.page.elements.parents
    named: dict[str, list[int]] = {}
    for element in range(1, min(len(evidence.page.elements), _MOST_ELEMENTS)):
        if end[element] > first[element]:
            for name in _names_of(evidence, element):
                named.setdefault(name, []).append(element)
    seen: set[tuple[range, ...]] = set()
    for group in named.values():
        apart, last = [], -1
        for element in group:
            if first[element] >= last:
                apart.append(element)
                last = end[element]
        if not _FEWEST <= len(apart) <= _MOST:
            continue
        sets = [[(range(first[n], end[n]), n) for n in apart]]
        if (parent := _common_parent(parents, apart)) is not None:
            starts = [first[n] for n in apart]
            bounds = zip(starts, [*starts[1:], end[parent]], strict=True)
            sets.append([(range(i, j), parent) for i, j in bounds])
        for records in sets:
            key = tuple(regions for regions, _ in records)
            if key not in seen:
                seen.add(key)
                yield records


def _names_of(evidence: Evidence, element: int) -> Iterator[str]:
    elements = evidence.page.elements
    tag, attributes = elements.tag[element], elements.attributes[element]
    for key in _NAMING if attributes else ():
        value = attributes.get(key)
        if value and (key != "id" or _DIGITS.search(value)):
            for word in value.split()[:8]:
                yield f"{tag}.{key}.{_without_numbers(word)}"
    yield f"{tag}<{elements.parents[element]}"


@lru_cache(maxsize=WORDS)
def _without_numbers(name: str) -> str:
    return _DIGITS.sub("#", name)


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


def _score_of(
    records: Sequence[ElementRecord], masses: Sequence[float], n_dated: Sequence[int]
) -> float:
    """Return the score of a set of records: the running text in those that look like posts.

    Each post has a day and text; other records lower the score. ``masses`` are the amounts of
    running text of the regions, ``n_dated`` the numbers of dated regions before each, and of all.
    """
    total, n_good = 0.0, 0
    for regions, _ in records:
        n_days = n_dated[regions.stop] - n_dated[regions.start]
        mass = sum(masses[regions.start : regions.stop])
        if n_days and mass > 0:
            n_good += 1
            total += min(mass, _MOST_OF_A_POST) / (1 + 0.15 * max(n_days - 2, 0))
    share = n_good / max(len(records), 1)
    if n_good < _FEWEST or share < 0.5 or total / n_good < _LEAST_TEXT:
        return 0.0
    return total * share


def _paths(evidence: Evidence, records: Sequence[ElementRecord]) -> list[RegionPaths]:
    """Return the path of each region of each post: the names of the elements below its root."""
    elements = evidence.page.elements

    def inner_path(element: int, around: ElementPath) -> ElementPath:
        words = elements.attributes[element].get("class", "").split()
        tag, name = elements.tag[element], _without_numbers(next(iter(words), ""))
        return (*around, f"{tag}.{name}" if name else tag)

    known: dict[int, dict[int, ElementPath]] = {root: {-1: (), root: ()} for _, root in records}
    return [
        inherited_values(evidence.page, regions, known[root], inner_path)
        for regions, root in records
    ]


def _day_path(paths: Sequence[RegionPaths], dated: Mapping[int, str]) -> ElementPath:
    """Return the path that contains a day in most posts, preferring days in order.

    The day on which a user joined also appears beside each of the user's posts, but in no order.
    """
    days: dict[ElementPath, list[str]] = {}
    for of_post in paths:
        first: dict[ElementPath, int] = {}
        for i, path in of_post.items():
            if i in dated:
                first.setdefault(path, i)
        for path, i in first.items():
            days.setdefault(path, []).append(dated[i])
    return max(days, key=lambda path: len(days[path]) * _order(days[path]), default=())


def _order(days: Sequence[str]) -> float:
    """Return how much the sequence of the posts' days looks like that of a thread."""
    dated = [day for day in days if day]
    if not dated:
        return 0.7
    steps = [(a <= b, a >= b) for a, b in pairwise(dated)]
    ordered = max(sum(up for up, _ in steps), sum(down for _, down in steps))
    has_clock = sum(not day.endswith("T00:00:00") for day in dated) / len(dated)
    return (ordered + 1) / (len(steps) + 1) + 0.3 * has_clock


def _name_path(
    evidence: Evidence, paths: Sequence[RegionPaths], day: ElementPath
) -> ElementPath | None:
    """Return the path that contains a name in most posts, by mark-up and links to profiles."""
    page = evidence.page
    texts: dict[ElementPath, list[str]] = {}
    scores: dict[ElementPath, float] = {}
    of_users: set[ElementPath] = set()
    for of_post in paths:
        seen: set[ElementPath] = {day}
        for i, path in of_post.items():
            text = page.text[i]
            if not 0 < len(text) <= _LONGEST_NAME or path in seen or _NO_NAME.search(text):
                continue
            seen.add(path)
            texts.setdefault(path, []).append(text)
            hints = hints_at(page, i)
            if page.tag[i] in _BOLD:
                hints |= {"bold"}
            scores[path] = scores.get(path, 0.0) + _like_name(hints, text)
            if hints & _OF_USERS and "title" not in hints:
                of_users.add(path)
    n, final = len(paths), {}
    for path, of_path in texts.items():
        share = min(1.0, len(of_path) / (_MOSTLY * n))
        is_varied = len(of_path) < 3 or max(Counter(of_path).values()) <= 0.8 * len(of_path)
        variety = 1.0 if is_varied else 0.5 if path in of_users else 0.15  # of a fixed caption
        final[path] = scores[path] / n * share * variety
    best = max(final, key=final.__getitem__, default=None)
    return best if best is not None and final[best] > _LEAST_NAME else None


def _like_name(hints: Hints, text: str) -> float:
    score = 0.2
    score += 1.5 * ("author" in hints) + 1.2 * ("user" in hints) + 1.2 * ("profile" in hints)
    score += 0.4 * ("link" in hints) + 0.3 * ("bold" in hints)
    score -= 1.0 * bool(_NOT_NAMES & hints)
    score -= 0.5 * (len(text.split()) > 3) + 0.4 * text.endswith((":", "…"))
    return score


def _furniture(evidence: Evidence, paths: Sequence[RegionPaths]) -> frozenset[int]:
    """Return the regions whose text recurs in many posts, such as "Reply" and "Posts:".

    A term that is linked within a sentence, in every post, does not count.
    """
    texts, element = evidence.page.text, dom_tree.holders(evidence.page)
    counts = Counter(text for of_post in paths for text in {texts[i] for i in of_post})
    often = {text for text, n in counts.items() if n >= max(3, 0.4 * len(paths))}
    regions = [i for of_post in paths for i in of_post]
    parents = evidence.page.elements.parents
    chars: Counter[int] = Counter()
    for i in regions:
        chars[element[i]] += len(texts[i]) * (texts[i] not in often)
    around = {n for n, count in chars.items() if count >= _LEAST_AROUND}
    return frozenset(i for i in regions if texts[i] in often and parents[element[i]] not in around)


def _text_path(
    evidence: Evidence,
    running: Sequence[float],
    paths: Sequence[RegionPaths],
    others: Collection[ElementPath | None],
    furniture: frozenset[int],
) -> ElementPath:
    """Return the path below which posts have their text: the most text, and little else."""
    gains: dict[ElementPath, float] = {}
    above: dict[ElementPath, list[ElementPath]] = {}  # paths at and above each
    holding: set[ElementPath] = set()
    for of_post in paths:
        for i, path in of_post.items():
            if not evidence.page.text[i] or i in furniture or path in others:
                gain = -5.0
            else:
                gain = running[i] - 0.12 * float(evidence.chars[i])
            if path not in above:
                above[path] = [path[:depth] for depth in range(len(path) + 1)]
            for start in above[path]:
                gains[start] = gains.get(start, 0.0) + gain
            if gain > 0:
                holding.update(above[path])
    return max(holding, key=lambda path: (gains[path], len(path)), default=())


def covers_body(evidence: Evidence, is_body: Flags, posts: Sequence[PostRegions]) -> bool:
    """Return whether half of the body's characters are in posts, unlike comments below a text.

    ``is_body`` marks the regions of the body, chosen without regard to posts, (n_regions,).
    """
    in_posts = [i for post in posts for i in post.text if is_body[i]]
    chars = evidence.chars * is_body
    return bool(in_posts) and bool(chars[in_posts].sum() >= _MOST_OF_BODY * chars.sum())


def is_thread(posts: Sequence[PostRegions]) -> bool:
    """Return whether there are enough posts for a thread: two with a name, or four.

    An article between its headline and a box about its author, both with a day, also looks like two
    posts.
    """
    n_named = sum(bool(post.author) for post in posts)
    return n_named >= _FEWEST_NAMED or len(posts) >= _FEWEST_OF_THREAD


def read_posts(evidence: Evidence, posts: Sequence[PostRegions]) -> tuple[Post, ...]:
    """Return posts with their text, and the author and moment of each.

    The text has one line per block, more if line breaks divide it.
    """
    page = evidence.page
    read = []
    for regions, text, author, date in posts:
        blocks = groupby(text, key=lambda i: int(page.blocks[i]))
        lines = "\n".join(join_regions(page, block, line_end="\n") for _, block in blocks)
        name = " ".join(page.text[author[0]].split()) if author else ""
        field = field_at(page, author, name, POST_CONFIDENCE) if author else None
        day = _day(evidence, date[0]) if date else None
        xpath, box = page.xpath[regions[0]], box_around(page, regions)
        read.append(Post(lines, field, day, regions, xpath, box))
    return tuple(read)


def _day(evidence: Evidence, region: int) -> FieldValue | None:
    page, raw = evidence.page, evidence.page.text[region]
    moments = (moment.isoformat() for moment in find_dates(raw, page.lang))
    value = (_stated_moment(evidence, region) or next(moments, "")).removesuffix("T00:00:00")
    return field_at(page, [region], value, POST_CONFIDENCE, raw=raw) if value else None
