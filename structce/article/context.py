"""Context of an article: access, next page, comments of readers, items of a listing.

None of it is part of the article's text. Comments and items are records as in a thread: elements
with the same name, none inside another. For access see :mod:`structce.article.verdict`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import parse_qsl

import numpy as np

from structce.addresses import join_address, split_address, without_fragment
from structce.arrays import Flags
from structce.article.evidence import LANDMARKS, SURROUNDINGS, Evidence
from structce.article.images import checked_address
from structce.article.lines import regions_of_links, target_of
from structce.article.posts import (
    ElementRecord,
    PostRegions,
    dated_regions,
    find_posts,
    read_posts,
    record_sets,
)
from structce.article.regions import join_regions
from structce.article.values import Context, Item, NextPage, Post
from structce.article.verdict import read_access
from structce.features import cues, dom_tree
from structce.language import find_dates, find_phrase
from structce.numbers import whole_number
from structce.page import Page
from structce.patterns import lazy_pattern

_COMMENT, _FRAME = (list(SURROUNDINGS).index(kind) for kind in ("comment", "frame"))
_SHORTEST_LINE, _LONGEST_NAME, _MOST_OF_ONE = 20, 40, 30
"""Least characters of the text and most of the name of a comment that is the only one, and its
greatest number of regions."""
_LONGEST_HEADING = 60  # characters of a line such as "12 comments" above the first

_WITH_ITEMS = ("listing", "collection")
_FRAME_LANDMARKS = [LANDMARKS[tag] for tag in ("nav", "header", "footer", "form")]
_SHORTEST_TITLE = 12  # characters of a link that may be a title, unless it is in a heading
_LONGEST_TITLE = 300  # characters
_SHORTEST_TEASER = 40  # characters
_LONGEST_DATE = 60  # characters of a region that is searched for an item's day
_OTHER_LINKS = frozenset({"author", "tag"})  # kinds of links that lead to no article
_FEWEST, _LEAST_SHARE = 3, 0.6  # items of a listing, and their share of a set of elements
_MOST_OF_A_TITLE, _MOST_OF_A_TEASER = 80, 240  # characters that count in an item's score
_WEIGHT_OF_TEASER = 0.5  # of a character of a teaser, that of a title being 1

_PAGE = (
    "page|paged|pg|seite|pagina|pag|side|sida|sivu|strona|strana|stran|str|sayfa|oldal|halaman|p"
)
_PAGE_KEYS = lazy_pattern(
    rf"(?:.*[-_\[])?(?:{_PAGE}|pagenum|pagenumber|pageno|pn|pi|hal|s)\]?", re.I
)
_OFFSET_KEYS = lazy_pattern(r"start|startat|offset|from|st|skip|first|begin|o|i", re.IGNORECASE)
_NOT_ASKED = lazy_pattern(
    r"utm_\w+|fbclid|gclid|srsltid|ref|sid|phpsessid|jsessionid|s?id_?session", re.I
)
_STEP = lazy_pattern(rf"(?:[-_,.~]?(?:{_PAGE})?[-_,=.]?)(\d{{1,4}})", re.IGNORECASE)
_ENDING = lazy_pattern(r"\.(?:s?html?|php|aspx?|jsp|cfm)$", re.IGNORECASE)
_NUMBERS = lazy_pattern(r"\d+")
_YEAR = lazy_pattern(r"(?:19|20)\d\d$")
_COPY = lazy_pattern(r"[^\W\d_]-2/?$")  # "ferry-2" may be another story with the same title
_WIDGET_KEY = lazy_pattern(r"[0-9a-f]{8}_page")  # page of a list inside the page
_MARKS = " \t[](){}.,:|<>«»‹›→➔▸►»…-"
_ARROW = lazy_pattern(r"^[\s>»›→➔▸►❯⟩]+$")
_NEXT_NAME = lazy_pattern(r"(?<![a-z])next(?![a-z])", re.IGNORECASE)
_LONGEST = 40  # characters of a link that leads to the next page
_MOST_LINKS = 3_000  # of a page; further links are not looked at
_SECOND = (1, 2)  # numbers of the second page, counted from 0 or from 1
_MOST_PAGES = 200  # highest number that is taken for a page's
_CONFIDENCE = {"rel": 0.97, "words": 0.95, "number": 0.9}


def read_context(evidence: Evidence, is_body: Flags, page_type: str) -> Context:
    """Return access, next page, comments and items of a page.

    Only listings and collections have items; neither they nor threads, whose posts are their text,
    have comments. ``is_body`` marks the regions of the article's body, shape (n_regions,).
    """
    has_items = page_type in _WITH_ITEMS
    return Context(
        access=read_access(evidence),
        next_page=next_page(evidence),
        comments=() if has_items or page_type == "forum" else read_comments(evidence, is_body),
        items=read_items(evidence) if has_items else (),
    )


def read_comments(evidence: Evidence, is_body: Flags) -> tuple[Post, ...]:
    """Return the comments of a page, in its order.

    They are looked for in the parts of the page that are named after comments or, without such
    names, below a line after the text that mentions comments; never in regions of the body.
    """
    within = _comment_regions(evidence) & ~is_body
    if not within.any():
        return ()
    posts = find_posts(evidence, within) or list(_single_comment(evidence, within))
    groups = ((post.regions, post.text, post.author, post.date) for post in posts)
    inside = (
        PostRegions(*(tuple(i for i in regions if within[i]) for regions in group))
        for group in groups
    )
    return read_posts(evidence, [post for post in inside if post.text])


def _comment_regions(evidence: Evidence) -> Flags:
    page = evidence.page
    named: Flags = (evidence.surroundings[page.element] >> _COMMENT & 1).astype(bool)
    if named.any():
        return named
    for i in range(min(evidence.body_end + 1, len(page)), len(page)):
        if "comment-cue" in cues.page_cues(page)[i] and len(page.text[i]) <= _LONGEST_HEADING:
            return np.arange(len(page)) > i
    return named


def _single_comment(evidence: Evidence, within: Flags) -> Iterator[PostRegions]:
    """Yield the comment of a page with a single one, whose form therefore does not recur.

    It is the smallest element that contains the only day among the comments and a line of text.
    """
    page = evidence.page
    dated = [i for i in dated_regions(evidence) if within[i]]
    if len(dated) != 1:
        return
    first, end = evidence.region_ranges
    for element in page.elements.ancestors(int(page.element[dated[0]])):
        regions = range(int(first[element]), int(end[element]))
        if not within[regions.start : regions.stop].all() or len(regions) > _MOST_OF_ONE:
            return
        others = [i for i in regions if page.text[i] and i not in dated]
        is_line = {i: len(page.text[i]) >= _SHORTEST_LINE for i in others}
        text = [i for i in others if is_line[i] and not evidence.in_link[i]]
        if text:
            names = [i for i in others if i < text[0] and len(page.text[i]) <= _LONGEST_NAME]
            yield PostRegions(tuple(regions), tuple(text), tuple(names[:1]), tuple(dated))
            return


class _Title(NamedTuple):
    """Link that may be the title of an item: its element, regions and text."""

    link: int
    regions: tuple[int, ...]
    text: str
    is_heading: bool


_Titles = Mapping[int, _Title]


def read_items(evidence: Evidence) -> tuple[Item, ...]:
    """Return the items of a listing in the order of the page; none if nothing recurs on it.

    An item has one link that is its title. Of all sets of records, that with most text in titles
    and teasers is chosen.
    """
    page, titles = evidence.page, _titles(evidence)
    sets = (_titled_records(records, titles) for records in record_sets(evidence))
    scored = (
        (sum(_item_weight(evidence, regions, title, titles) for regions, title in items), items)
        for items in sets
    )
    _, best = max(scored, key=lambda pair: pair[0], default=(0.0, ()))
    return tuple(
        Item(
            title.text,
            address,
            _item_day(evidence, regions, title),
            join_regions(page, _teaser(evidence, regions, title)),
            tuple(i for i in regions if page.text[i] or page.is_media[i]),
            page.xpath[title.regions[0]],
        )
        for regions, title in best
        if (address := _item_address(evidence, title))
    )


def _titled_records(
    records: Sequence[ElementRecord], titles: _Titles
) -> Sequence[tuple[range, _Title]]:
    """Return records with their titles: a heading, else the longest link; none if few have one."""
    items = []
    for regions, _ in records:
        if inside := [title for i in regions if (title := titles.get(i)) is not None]:
            items.append((regions, max(inside, key=lambda t: (t.is_heading, len(t.text)))))
    return items if len(items) >= max(_FEWEST, _LEAST_SHARE * len(records)) else ()


def _titles(evidence: Evidence) -> dict[int, _Title]:
    """Return the links outside menus, headers, footers and forms that may be titles of items.

    They are given by their first region.
    """
    page, element = evidence.page, evidence.page.element
    in_frame = (evidence.surroundings[element] >> _FRAME & 1).astype(bool)
    in_frame |= np.isin(evidence.landmark[element], _FRAME_LANDMARKS)
    of_links: dict[int, list[int]] = {}
    for i, link in enumerate(regions_of_links(page)):
        if link >= 0 and not in_frame[i] and page.text[i]:
            of_links.setdefault(link, []).append(i)
    titles: dict[int, _Title] = {}
    for link, regions in of_links.items():
        is_heading = bool(evidence.level[regions[0]])
        heads = [i for i in regions if evidence.level[i]] or regions  # a card may be one link
        text = join_regions(page, heads)
        if (is_heading or len(text) >= _SHORTEST_TITLE) and len(text) <= _LONGEST_TITLE:
            is_heading |= len(heads) < len(regions)
            titles[heads[0]] = _Title(link, tuple(heads), text, is_heading)
    return titles


def _item_address(evidence: Evidence, title: _Title) -> str:
    """Return the address of a title; empty for a link marked as leading to an author or a tag."""
    page = evidence.page
    kinds = page.elements.attributes[title.link].get("rel", "").lower().split()
    return target_of(page, title.link) if _OTHER_LINKS.isdisjoint(kinds) else ""


def _item_weight(evidence: Evidence, regions: range, title: _Title, titles: _Titles) -> float:
    """Return the weight of an item, which is lower if it contains further titles."""
    n_teaser = sum(int(evidence.chars[i]) for i in _teaser(evidence, regions, title))
    others = (titles[i] for i in regions if i in titles and i not in title.regions)
    rivals = sum(
        other.is_heading == title.is_heading and other.text != title.text for other in others
    )
    weight = float(min(len(title.text), _MOST_OF_A_TITLE))
    return (weight + _WEIGHT_OF_TEASER * min(n_teaser, _MOST_OF_A_TEASER)) / (1 + rivals)


def _teaser(evidence: Evidence, regions: range, title: _Title) -> list[int]:
    """Return the regions of an item's longest block without its title; none if it is short."""
    blocks: dict[int, list[int]] = {}
    for i in regions:
        if evidence.page.text[i] and i not in title.regions:
            blocks.setdefault(int(evidence.page.blocks[i]), []).append(i)

    def n_characters(block: Sequence[int]) -> int:
        return sum(int(evidence.chars[i]) for i in block)

    longest = max(blocks.values(), default=[], key=n_characters)
    return longest if n_characters(longest) >= _SHORTEST_TEASER else []


def _item_day(evidence: Evidence, regions: range, title: _Title) -> str:
    """Return the first day that an item shows outside its title; empty without one."""
    page = evidence.page
    texts = (page.text[i] for i in regions if i not in title.regions)
    days = (find_dates(text, page.lang) for text in texts if len(text) <= _LONGEST_DATE)
    return next((found[0].date().isoformat() for found in days if found), "")


class _Address(NamedTuple):
    """Parts of an address that distinguish one page from another."""

    host: str
    segments: tuple[str, ...]
    query: Mapping[str, str]


def next_page(evidence: Evidence) -> NextPage | None:
    """Return the page that follows, or None if the page links to none or has no address.

    Of several links the one with most evidence counts: ``rel="next"``, words such as "Next page" in
    the language of the page, then the number alone.
    """
    page, (first, end) = evidence.page, evidence.region_ranges
    canonical = join_address(page.url, page.metadata.canonical) if page.metadata.canonical else ""
    own = [parts for text in (page.url, canonical) if (parts := _address_parts(text)) is not None]
    links: dict[str, NextPage] = {}  # by reason
    for element in dom_tree.elements_called(page).get("a", [])[:_MOST_LINKS] if own else ():
        href = page.elements.attributes[element].get("href", "").strip()
        regions = range(int(first[element]), int(end[element]))
        if not regions or not _NUMBERS.search(without_fragment(href)):
            continue
        address = checked_address(href, page.url)
        steps = (_step(parts, _address_parts(address)) for parts in own)
        number = next(filter(None, steps), None)
        if number and (reason := _link_evidence(page, element, regions, number)):
            following = NextPage(address, _CONFIDENCE[reason], reason, page.xpath[regions[0]])
            links.setdefault(reason, following)
    return next((links[reason] for reason in _CONFIDENCE if reason in links), None)


def _link_evidence(page: Page, element: int, regions: range, number: int) -> str:
    attributes = page.elements.attributes[element]
    text = " ".join(page.text[i] for i in regions if page.text[i]).strip(_MARKS)
    if "next" in attributes.get("rel", "").lower().split():
        return "rel"
    is_copy = _COPY.search(without_fragment(attributes.get("href", "").strip()))
    if not is_copy and len(text) <= _LONGEST:
        named = f"{attributes.get('class', '')} {attributes.get('aria-label', '')}"
        says_next = find_phrase(text, "next", page.lang) and not text.isdigit()
        is_arrow = any(map(_ARROW.match, (page.text[i] for i in regions)))
        if says_next or _NEXT_NAME.search(named) or is_arrow:
            return "words"
    return "number" if text == str(number) else ""


def page_step(own: str, other: str) -> int | None:
    """Return the number of the page at an address if it follows the own one; None for others.

    >>> page_step("https://a.example/story.html", "https://a.example/story-2.html")
    2
    >>> page_step("https://a.example/thread?id=7&page=4", "https://a.example/thread?id=7&page=5")
    5
    >>> page_step("https://a.example/2024/05/", "https://a.example/2024/06/")
    """
    return _step(_address_parts(own), _address_parts(other))


def _step(own: _Address | None, other: _Address | None) -> int | None:
    if own is None or other is None or own.host != other.host:
        return None
    if own.segments == other.segments:
        return _step_in_query(own.query, other.query)
    if own.query != other.query:
        return None
    return _step_in_path(own.segments, other.segments)


def _address_parts(address: str) -> _Address | None:
    parts = split_address(address)
    if parts.scheme.lower() not in ("http", "https") or not parts.netloc:
        return None
    host = parts.netloc.lower().removeprefix("www.")
    asked = parse_qsl(parts.query, keep_blank_values=True)
    is_path = bool(asked) and not asked[0][1]  # forums: index.php?/topic/7-ferry/page/2/
    path = f"{parts.path}/{asked[0][0]}" if is_path else parts.path
    segments = tuple(filter(None, _ENDING.sub("", path).split("/")))
    query = {key: text for key, text in asked[is_path:] if not _NOT_ASKED.fullmatch(key)}
    return _Address(host, segments, query)


def _step_in_query(own: Mapping[str, str], other: Mapping[str, str]) -> int | None:
    changed = {key for key in {**own, **other} if own.get(key) != other.get(key)}
    if len(changed) != 1:
        return None
    (key,) = changed
    before, after = own.get(key, ""), other.get(key, "")
    new, old = whole_number(after), whole_number(before or "1")
    if new is None or old is None:
        return None
    if _PAGE_KEYS.fullmatch(key) and not _WIDGET_KEY.fullmatch(key):
        follows = new in _SECOND if not before else new == old + 1
        return (2 if not before else new) if follows and new <= _MOST_PAGES else None
    if _OFFSET_KEYS.fullmatch(key):
        old = old if before else 0
        return 2 if new > old and (before or new <= _MOST_PAGES) else None
    return None


def _step_in_path(before_path: tuple[str, ...], other: tuple[str, ...]) -> int | None:
    if before_path and other[: len(before_path)] == before_path:  # appended: /story/2
        step = _STEP.fullmatch("-".join(other[len(before_path) :]))
        is_month = bool(_YEAR.match(before_path[-1])) or (
            step is not None and step[1].startswith("0")
        )
        return 2 if step and whole_number(step[1]) in _SECOND and not is_month else None
    if len(before_path) != len(other):
        return None
    changed = [n for n, (a, b) in enumerate(zip(before_path, other, strict=True)) if a != b]
    if len(changed) != 1:
        return None
    before, after = before_path[changed[0]], other[changed[0]]
    if after.startswith(before):  # /story, /story-2
        step = _STEP.fullmatch(after[len(before) :])
        is_longer_number = before[-1:].isdigit() and after[len(before)].isdigit()
        return 2 if step and whole_number(step[1]) == 2 and not is_longer_number else None
    is_month = changed[0] > 0 and bool(_YEAR.match(before_path[changed[0] - 1]))
    return None if is_month else _next_number(before, after)


def _next_number(before: str, after: str) -> int | None:
    """Return the next page's number if two texts differ in one number, which is greater by 1."""
    if _NUMBERS.sub("#", before) != _NUMBERS.sub("#", after):
        return None
    numbers = zip(_NUMBERS.findall(before), _NUMBERS.findall(after), strict=True)
    changed = [(a, b) for a, b in numbers if a != b]
    if len(changed) != 1 or any(text.startswith("0") for text in changed[0]):
        return None
    old, new = map(whole_number, changed[0])
    if old is None or new is None:
        return None
    return new if new == old + 1 and new <= _MOST_PAGES else None
