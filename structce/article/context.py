"""Context of an article: access, next page, comments of readers.

None of it is part of the article's text. Comments are records as in a thread: elements with the
same name, none inside another. For access see :mod:`structce.article.verdict`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import parse_qsl

import numpy as np

from structce.addresses import join_address, split_address, without_fragment
from structce.arrays import Flags
from structce.article.evidence import SURROUNDINGS, Evidence
from structce.article.images import checked_address
from structce.article.posts import PostRegions, find_posts, read_posts
from structce.article.regions import regions_below
from structce.article.values import Context, NextPage, Post
from structce.article.verdict import read_access
from structce.features import cues, dom_tree
from structce.language import find_phrase
from structce.numbers import whole_number
from structce.page import Page
from structce.patterns import lazy_pattern

_COMMENT = list(SURROUNDINGS).index("comment")
_LONGEST_HEADING = 60  # characters of a line such as "12 comments" above the first

_WITHOUT_COMMENTS = ("listing", "collection", "forum")  # the posts of a forum are its text

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
_YEAR = lazy_pattern(r"(?:^|/)(?:19|20)\d\d$")
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
    """Return access, next page and comments of a page.

    Neither listings nor threads, whose posts are their text, have comments. ``is_body`` marks the
    regions of the article's body, shape (n_regions,).
    """
    has_comments = page_type not in _WITHOUT_COMMENTS
    return Context(
        access=read_access(evidence),
        next_page=next_page(evidence),
        comments=read_comments(evidence, is_body) if has_comments else (),
    )


def read_comments(evidence: Evidence, is_body: Flags) -> tuple[Post, ...]:
    """Return the comments of a page, in its order.

    They are looked for in the parts of the page that are named after comments or, without such
    names, below a line after the text that mentions comments; never in regions of the body.
    """
    within = _comment_regions(evidence) & ~is_body
    if not within.any():
        return ()
    inside = (
        PostRegions(*(tuple(i for i in regions if within[i]) for regions in post))
        for post in find_posts(evidence, within)
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


class _Address(NamedTuple):
    """Parts of an address that distinguish one page from another."""

    host: str
    path: str  # without its ending and empty segments
    query: Mapping[str, str]


def next_page(evidence: Evidence) -> NextPage | None:
    """Return the page that follows, or None if the page links to none or has no address.

    Of several links the one with most evidence counts: ``rel="next"``, words such as "Next page" in
    the language of the page, then the number alone.
    """
    page = evidence.page
    canonical = join_address(page.url, page.metadata.canonical) if page.metadata.canonical else ""
    links: dict[str, NextPage] = {}  # by reason
    for element in dom_tree.elements_called(page).get("a", [])[:_MOST_LINKS] if page.url else ():
        href = page.elements.attributes[element].get("href", "").strip()
        regions = regions_below(page, element)
        if not regions or not _NUMBERS.search(without_fragment(href)):
            continue
        address = checked_address(href, page.url)
        number = page_step(page.url, address) or page_step(canonical, address)
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
    before, after = _address_parts(own), _address_parts(other)
    if before is None or after is None or before.host != after.host:
        return None
    if before.path == after.path:
        return _step_in_query(before.query, after.query)
    return _step_in_path(before.path, after.path) if before.query == after.query else None


@lru_cache(maxsize=1_024)
def _address_parts(address: str) -> _Address | None:
    parts = split_address(address)
    if parts.scheme.lower() not in ("http", "https") or not parts.netloc:
        return None
    host = parts.netloc.lower().removeprefix("www.")
    asked = parse_qsl(parts.query, keep_blank_values=True)
    is_path = bool(asked) and not asked[0][1]  # forums: index.php?/topic/7-ferry/page/2/
    path = f"{parts.path}/{asked[0][0]}" if is_path else parts.path
    path = "/".join(filter(None, _ENDING.sub("", path).split("/")))
    query = {key: text for key, text in asked[is_path:] if not _NOT_ASKED.fullmatch(key)}
    return _Address(host, path, query)


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


def _step_in_path(before: str, after: str) -> int | None:
    if before and after.startswith(before):
        added = after[len(before) :]
        step = _STEP.fullmatch(added.replace("/", "-"))
        if step is None:
            return None
        if added.startswith("/"):  # /story, /story/2
            is_second = whole_number(step[1]) in _SECOND
            is_month = step[1].startswith("0") or _YEAR.search(before) is not None
            return 2 if is_second and not is_month else None
        is_longer_number = before[-1].isdigit() and added[0].isdigit()
        return 2 if whole_number(step[1]) == 2 and not is_longer_number else None  # /story-2
    if _NUMBERS.sub("#", before) != _NUMBERS.sub("#", after):
        return None
    numbers = zip(_NUMBERS.finditer(before), _NUMBERS.findall(after), strict=True)
    changed = [(own, new) for own, new in numbers if own[0] != new]
    if len(changed) != 1:
        return None
    own, number = changed[0]
    is_padded = "0" in (own[0][0], number[0])
    is_month = _YEAR.search(before[: own.start()].rpartition("/")[0]) is not None
    old, new = whole_number(own[0]), whole_number(number)
    if is_padded or is_month or old is None or new is None:
        return None
    return new if new == old + 1 and new <= _MOST_PAGES else None
