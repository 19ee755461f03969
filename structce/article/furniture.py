"""Candidates that belong to the furniture of a page: to comments, teasers, tables, the header.

Trees weigh how a day or a name looks and where it is. What is beside the article is another's
whatever it looks like, so it counts only if the page's metadata state it as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import islice

from structce.addresses import split_address
from structce.article.candidates import Candidate
from structce.article.evidence import SURROUNDINGS, Evidence
from structce.article.regions import has_unspaced
from structce.features import dom_tree
from structce.language import (
    TEXTS,
    find_dates,
    find_phrase,
    is_european,
    normalise,
    phrases,
    word_list,
)
from structce.page import without_site
from structce.patterns import lazy_pattern

_BITS = {name: 1 << n for n, name in enumerate(SURROUNDINGS)}
_LEVELS = 4  # around a day, in which the headline is looked for that it is the day of
_HEADLINE, _SHORT_HEADLINE = 4, 8  # words of a linked headline; characters in scripts without space
_FAR = 999  # days between two dates of which one is not known
_LIKELY = 0.2  # least probability of an author whose link is not taken for a headline
_HEADED = 0.5  # probability of a title from which its region is the page's headline
_BACKED = 0.25  # probability of a date that stands against one above the article
_BELOW = 2  # blocks below a headline in which its byline and day are
_OPENING = 40  # characters of a text in which its place and day may be
_PLACE = lazy_pattern(r"\W*[^\W\d_][^,;.\d]{1,24}(?:,|\s[-–—(])|\W*[^\W\d_a-zA-Z\u00c0-\u052f]")
"""Name of a place before a day, or a text in a script without capitals."""
_BYLINE = 60  # characters of a line with name and day
_PARTS = lazy_pattern(r"[|;•·\n]")
_ACCOUNTS = frozenset("admin administrator webmaster user guest unknown anonymous staff".split())
_SHORT_HOST = 3  # characters of a name that may be part of any host's
_FRONT_PAGE = frozenset(
    {"home", "homepage", "home page", "start", "startseite", "index", "untitled"}
)
_NOBODY = tuple("nobody before published updated comment more next advertisement".split())


def eligible_titles(candidates: Sequence[Candidate], evidence: Evidence) -> list[int]:
    """Return the indices of the titles that may be the article's.

    Beside a headline of the page, which is a heading of the first level or a likely title, one that
    only adds the site is not, nor is one that names the site or its front page.
    """
    headlines = [
        candidate.value
        for candidate in candidates
        if candidate.regions and (candidate.facts.get("level") == 1 or candidate.p >= _HEADED)
    ]
    keys, publishers = {*map(normalise, headlines)}, evidence.page.metadata.publishers
    has_headline = any(not _is_of_site(headline, evidence) for headline in headlines)

    def is_eligible(candidate: Candidate) -> bool:
        if normalise(candidate.value) in keys:
            return True
        if has_headline and _is_of_site(candidate.value, evidence):
            return False
        short = () if candidate.regions else (candidate.value, headlines, publishers)
        return not short or normalise(without_site(*short)) not in keys

    return [n for n, candidate in enumerate(candidates) if is_eligible(candidate)]


def _is_of_site(title: str, evidence: Evidence) -> bool:
    """Return whether a title is the name of the site, or a word for its front page."""
    key = normalise(title)
    host = normalise(split_address(evidence.page.url).hostname or "").replace(" ", "")
    is_host = len(key) > _SHORT_HOST and key.replace(" ", "") in host
    return is_host or key in {*map(normalise, evidence.page.metadata.publishers), *_FRONT_PAGE}


def eligible_days(candidates: Sequence[Candidate], evidence: Evidence) -> list[int]:
    """Return the indices of the days that may be those of the page's article.

    Days of comments, tables and teasers are of others. Today's date above the article, days of
    receipt, and days that nothing connects with the headline lose to stated and to likely ones.
    """
    days = [n for n, candidate in enumerate(candidates) if not _is_of_other(candidate, evidence)]
    days = [n for n in days if not _is_receipt(candidates[n], evidence)] or days
    better = [n for n in days if not _is_above(candidates[n], evidence)]
    if any(c.is_stated and not c.facts.get("is_only_modified") for c in _at(candidates, better)):
        return [n for n in better if _is_connected(candidates[n], evidence)]
    likely = (c.p >= _BACKED or _is_below_title(c, evidence) for c in _at(candidates, better))
    return better if any(likely) else days


def _at(candidates: Sequence[Candidate], indices: Sequence[int]) -> list[Candidate]:
    return [candidates[n] for n in indices]


def eligible_names(candidates: Sequence[Candidate], evidence: Evidence) -> list[int]:
    """Return the indices of the names that may be those of the article's authors.

    Not those of readers who comment, of people who are quoted, of the site in its header, and words
    of the furniture such as "Comment".
    """
    return [
        n
        for n, candidate in enumerate(candidates)
        if not is_nobody(candidate.value, is_stated=not candidate.regions)
        and (candidate.sources or not _is_beside(candidate, evidence))
    ]


@lru_cache(maxsize=TEXTS)
def is_nobody(name: str, *, is_stated: bool = False) -> bool:
    """Return whether a text is a word of the furniture: "Written By", "Tweet", "undefined".

    What metadata alone state may also be the account that a page was made with, such as "admin".
    """
    key = normalise(name)
    is_account = is_stated and key in _ACCOUNTS
    return is_account or key.isdecimal() or key in _nobodies(is_european(name))


@cache
def _nobodies(in_europe: bool) -> frozenset[str]:
    """Return the words of the furniture in European scripts, or those in others."""
    words = (word for kind in _NOBODY for word in phrases(word_list(kind)))
    return frozenset(normalise(word) for word in words if is_european(word) is in_europe) | {""}


def _is_beside(candidate: Candidate, evidence: Evidence) -> bool:
    """Return whether a name is in a comment or a quotation, or is the site's above the article."""
    first = candidate.regions[0]
    if _is_named(evidence, first, "comment"):
        return True
    if first > evidence.begin and evidence.nearest_attributes(first, "blockquote") is not None:
        return True
    is_site = candidate.facts.get("is_publisher") and not candidate.facts.get("has_by")
    return bool(is_site) and _is_above(candidate, evidence)


def _is_of_other(candidate: Candidate, evidence: Evidence) -> bool:
    """Return whether a day is of another page, or named in the text, as that of an event is."""
    first, page = _place(candidate, evidence), evidence.page
    if candidate.is_stated or first is None:
        return False
    if _is_named(evidence, first, "comment") or _is_named(evidence, first, "related"):
        return True
    if candidate.regions and evidence.begin <= first <= evidence.end:
        in_table = page.elements.tag[int(page.block_element[first])] in ("td", "th")
        if in_table or _is_mentioned(candidate, evidence):
            return True
    return _has_headline(evidence, first)


def _place(candidate: Candidate, evidence: Evidence) -> int | None:
    """Return the first region that shows a day, or that an element ``time`` with it holds."""
    if candidate.regions:
        return candidate.regions[0]
    page, (first, end) = evidence.page, evidence.region_ranges
    for i in dom_tree.elements_with(page).get("datetime", ()):
        moment = page.elements.attributes[i]["datetime"]
        if moment.strip().startswith(candidate.value[:10]) and first[i] < end[i]:
            return int(first[i])
    return None


def _is_mentioned(candidate: Candidate, evidence: Evidence) -> bool:
    """Return whether the text names a day, such as that of an event, after its first words.

    The first words may be the day, perhaps after its place: "Berlin, 3 May".
    """
    page, first = evidence.page, candidate.regions[0]
    if candidate.p >= _BACKED or _is_below_title(candidate, evidence):
        return False
    text = page.text[first]
    opening = text[:_OPENING] if first == evidence.begin else ""
    if _has_day(opening, candidate, page.lang):
        after = opening.partition(" ")[2]
        if _PLACE.match(opening) or not _has_day(after, candidate, page.lang):
            return False
    return not find_phrase(text.casefold(), "published", page.lang)


def _is_above(candidate: Candidate, evidence: Evidence) -> bool:
    if candidate.is_stated or not candidate.regions:
        return False
    first = candidate.regions[0]
    return first < evidence.title_place and not _is_with_title(evidence, first)


def _is_below_title(candidate: Candidate, evidence: Evidence) -> bool:
    """Return whether a short line right below the headline shows a day."""
    page, title = evidence.page, evidence.title_place
    if not candidate.regions or evidence.probability("Title")[title] < _HEADED:
        return False
    first = candidate.regions[0]
    is_next = page.blocks[title] < page.blocks[first] <= page.blocks[title] + _BELOW
    return bool(is_next) and len(page.text[first]) <= _BYLINE


def _is_connected(candidate: Candidate, evidence: Evidence) -> bool:
    facts = candidate.facts
    if candidate.is_stated or not candidate.regions or facts.get("occasion") == -1:
        return True
    is_next_day = abs(facts.get("from_published", _FAR)) <= 1  # in another time zone
    is_near = facts.get("between") or _is_with_title(evidence, candidate.regions[0])
    return bool(is_next_day or is_near)


def _is_named(evidence: Evidence, region: int, name: str) -> bool:
    element, n_regions = evidence.page.element, len(evidence.page)
    others = [i for i in (evidence.title_place, evidence.begin) if i < n_regions]
    inside, *beside = evidence.surroundings[element[[region, *others]]] & _BITS[name]
    return bool(inside) and not any(beside)


def _has_headline(evidence: Evidence, region: int) -> bool:
    """Return whether a part of the page around a region, beside the article, links to another."""
    first, end = evidence.region_ranges
    page = evidence.page
    for above in islice(page.elements.ancestors(int(page.element[region])), _LEVELS):
        start, stop = int(first[above]), int(end[above])
        if start <= evidence.title_place < stop or start <= evidence.begin < stop:
            return False
        if any(_is_headline(evidence, i) for i in range(start, stop)):
            return True
    return False


def _is_headline(evidence: Evidence, region: int) -> bool:
    if not evidence.in_link[region]:
        return False
    text = evidence.page.text[region]
    is_long = text.count(" ") + 1 >= _HEADLINE
    is_long |= len(text) >= _SHORT_HEADLINE and has_unspaced(text)
    p = evidence.probability("Author")[region] + evidence.probability("Date")[region]
    title = normalise(evidence.page.metadata.title)
    return is_long and bool(p < _LIKELY) and evidence.page.letters[region] not in title


def _is_with_title(evidence: Evidence, region: int) -> bool:
    """Return whether an element around a region and the headline does not hold the body."""
    first, end = evidence.region_ranges
    for above in evidence.page.elements.ancestors(int(evidence.page.element[region])):
        if first[above] <= evidence.title_place < end[above]:
            return not first[above] <= evidence.begin < end[above]
    return False


def _is_receipt(candidate: Candidate, evidence: Evidence) -> bool:
    """Return whether words before a day say that a paper was received, accepted or revised."""
    if candidate.is_stated or not candidate.regions:
        return False
    page, first = evidence.page, candidate.regions[0]
    parts = (part for part in _PARTS.split(candidate.raw) if _has_day(part, candidate, page.lang))
    part = next(parts, candidate.raw).casefold()
    if not any(mark.isalpha() for mark in part[: len(part) // 2]) or part[:1].isdigit():
        part = " ".join((*page.text[max(first - 2, 0) : first], part)).casefold()
    is_named = bool(find_phrase(part, "receipt", page.lang))
    return is_named and not find_phrase(part, "published", page.lang)


def _has_day(text: str, candidate: Candidate, lang: str) -> bool:
    return any(day.date().isoformat() == candidate.value[:10] for day in find_dates(text, lang))
