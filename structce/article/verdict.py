"""Verdict on a page: whether its text was read, and if not, what stands there instead; its access.

The quality of the text decides first. Only a page of low quality, or with a short text, is searched
for the other kinds: a message about an error, a wall before the text, a shell that scripts would
fill, data that is no document. Words of such messages count where they are the page's subject: in
its title, at the beginning of its text, or on a page that shows little else. They are in
``patterns.toml``.

The evidence for access is metadata for search engines (``isAccessibleForFree``, content tiers),
names of parts of the page that ask for a subscription, and words: "Already a subscriber?"
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

import numpy as np

from structce.article.article import Article
from structce.article.data_text import text_in_data
from structce.article.evidence import Evidence
from structce.article.quality import RiskTable, is_plausible, risk_of, text_counts
from structce.article.tuned import patterns, tuned
from structce.article.values import Access, Verdict, VerdictKind
from structce.features import dom_tree
from structce.language import find_phrase
from structce.page import Metadata, shorten
from structce.patterns import lazy_pattern

_SHORT_TEXT = 600  # characters of a text that may be a message; most articles have more
_LONG_TEXT = 3_000  # characters of a text that is no message, and no teaser before a wall
_LITTLE = 1_500  # visible characters outside links of a page that shows nothing beside a message
_NEXT_TO_NOTHING = 100  # characters
_BEGINNING = 200  # characters of a title, and of a text, in which its subject is named
_LONGEST_LINE = 300  # characters of a region that is a message
_LEAST_LETTERS = 0.3  # of the characters of a text that somebody wrote, white space apart
_LIKELY_DEMAND, _SURE_DEMAND = 0.5, 0.7  # confidence of a demand, the second for a good text
_FREE_KEY = "isAccessibleForFree"
_FREE_VALUES = {"true": True, "false": False}
_TIERS = {"free": True, "free-access": True} | dict.fromkeys(
    "metered locked premium paid subscriber subscribers".split(), False
)
_TIER_KEYS = tuple(
    """
    article:content_tier og:article:content_tier article.content_tier content_tier content-tier
    cxenseparse:content_tier sailthru.content_tier paywall access
    """.split()
)
_BARRIER = lazy_pattern(
    r"pay-?wall|r(?<![a-z]r)egwall|piano-?(?:offer|inline|container)|barrier-?page"
    r"|subscri(?:be|ption)[-_]?(?:wall|barrier|only|required)|paid[-_]?content"
    r"|content[-_]?(?:gate|locked)|locked[-_]?content|premium[-_]?(?:only|wall)"
)
_MOST_SEARCHED = 5_000  # regions
_NEAR_END = 12  # regions after the end of the text in which words count more
_STATED_ACCESS = 0.95  # confidence of a statement
_DEMAND_CONFIDENCE = {(True, True): 0.9, (True, False): 0.7, (False, True): 0.65}
"""Confidence of a demand, by whether its elements and its place indicate a barrier."""

_FEEDS = frozenset("rss feed urlset sitemapindex rdf:rdf opml".split())
_DATA = lazy_pattern(r"\s*(?:[{\[]\s*[\"{\[]|%PDF-|\x89PNG|GIF8|PK\x03\x04|BEGIN:VC)")
_ROOTS = "__next|__nuxt|root|app|app-?root|application|react-?root"
_EMPTY_ROOT = lazy_pattern(
    rf"<(div|main|section)[^<>]{{0,300}}\bid\s*=\s*[\"']?(?:{_ROOTS})\b[^<>]{{0,300}}>"
    r"\s*(?:<!--[^<>]*-->\s*)?</\1\s*>|<app-root[^<>]*>\s*</app-root",
    re.IGNORECASE,
)
_SCRIPT = lazy_pattern(r"<script\b", re.IGNORECASE)
_SEPARATOR = lazy_pattern(r"\s*[|·•«»–—]\s*|\s+-\s+")

_Found = tuple[VerdictKind, str] | None
_Kinds = tuple[tuple[VerdictKind, str], ...]
_ERROR: tuple[VerdictKind, str] = ("error page", "error-message")
_WALL: tuple[VerdictKind, str] = ("wall", "wall-message")
_TITLE_MESSAGES: _Kinds = (("error page", "error-title"), _ERROR, ("wall", "wall-title"), _WALL)
_MESSAGES: _Kinds = (_ERROR, _WALL, ("shell", "shell-message"))
"""Kinds of verdicts, and the messages in ``patterns.toml`` that say so."""


def with_verdict(article: Article, evidence: Evidence, html: str, table: RiskTable) -> Article:
    """Return an article with its verdict and, where the page shows none, the text of its data.

    ``html`` is the source of the page, empty if it is not at hand; then no data is searched.
    """
    access = stated_access(evidence.page.metadata)
    if html and _is_doubtful(article) and (access is None or access.is_free):
        title = article.title.value if article.title else ""
        found = text_in_data(html, evidence.page, title, n_read=len(article.text))
        if found is not None:
            blocks, text, source = found
            reason = f"the text stands only in the page's data: {source.script} {source.pointer}"
            return replace(
                article,
                blocks=blocks,
                text=text,
                posts=(),
                quality=tuned("data-text"),
                verdict=Verdict("read", reason),
                text_source=source,
            )
    kind, reason = _verdict(article, evidence, html)
    page_type = article.page_type.value if article.page_type else ""
    risk = risk_of(article.quality, page_type, table) if kind == "read" else None
    return replace(article, verdict=Verdict(kind, reason, risk))


def _is_doubtful(article: Article) -> bool:
    return article.quality is None or article.quality < tuned("read")


def _verdict(article: Article, evidence: Evidence, html: str) -> tuple[VerdictKind, str]:
    """Return the kind of verdict and its reason."""
    n_characters, is_doubtful = len(article.text), _is_doubtful(article)
    quality = "" if article.quality is None else f" (quality {article.quality:.2f})"
    is_searched = is_doubtful or n_characters < _SHORT_TEXT
    own = article.title.value if article.title else ""
    titles = evidence.page.title[:_BEGINNING], own[:_BEGINNING]
    if is_searched:
        found = _page_message(article, titles, evidence, html)
    else:
        found = _title_message(titles) if n_characters < _LONG_TEXT else None
    if found:
        return found
    least = _LIKELY_DEMAND if is_searched else _SURE_DEMAND
    if n_characters < _LONG_TEXT and (demand := subscription_demand(evidence, least)) is not None:
        kind: VerdictKind = "wall" if n_characters < _SHORT_TEXT else "partial"
        return kind, f"the page asks for a subscription: {shorten(demand.reason)!r}"
    if not article.text.strip():
        return "partial", "no text was found on the page"
    if article.quality is None or not is_doubtful:
        return "read", f"the text was read{quality}"
    if not is_plausible(article.text):
        return "partial", f"the text is short, repetitive or no natural language{quality}"
    return "partial", f"parts of the text may be missing or foreign{quality}"


def _title_message(titles: Iterable[str]) -> _Found:
    """Return the kind of a page whose title is mostly a message, and why; None for any other."""
    for part in (part for title in titles for part in _SEPARATOR.split(title)):
        folded = part.casefold()
        for kind, name in _TITLE_MESSAGES:
            is_likely = any(hint in folded for hint in patterns("title-hint")[name].split())
            match = _messages(name).search(folded) if is_likely else None
            if match and 2 * len(match[0]) >= len(part):
                return kind, _quoted(match[0])
    return None


def _page_message(article: Article, titles: Iterable[str], evidence: Evidence, html: str) -> _Found:
    """Return the kind of a page that shows a message or nothing, and why; None for any other."""
    page = evidence.page
    if feeds := _FEEDS.intersection(page.elements.tag):
        return "not a document", f"it is a feed or a list for programs: {min(feeds)}"
    rows = zip(page.text, evidence.in_link.tolist(), strict=True)
    plain = [text for text, is_link in rows if text and not is_link]
    text, n_plain, is_short = "".join(plain), sum(map(len, plain)), len(article.text) < _LONG_TEXT
    found = _message(titles, _TITLE_MESSAGES)
    if not found and is_short:
        found = _message(article.text[:_BEGINNING].splitlines(), _TITLE_MESSAGES + _MESSAGES)
    if not found and is_short and n_plain < _LITTLE:
        lines = (text for text in plain if len(text) <= _LONGEST_LINE)
        found = _message(lines, _MESSAGES if _is_doubtful(article) else (_ERROR,))
    if found:
        return found
    has_scripts = _SCRIPT.search(html) is not None
    if not any(page.text):
        if has_scripts or not len(page):
            return "shell", "nothing is visible on the page"
        return "not a document", "it shows no text at all"
    if n_plain < _LITTLE and _EMPTY_ROOT.search(html):
        return "shell", "the element for the content is empty until scripts fill it"
    if n_plain < _NEXT_TO_NOTHING and not article.text and has_scripts:
        return "shell", f"only {n_plain} characters are visible outside links until scripts run"
    *_, n_letters, n_signs = text_counts(text)
    if page.title.casefold().startswith("index of /"):
        return "not a document", "it is a list of files"
    if _DATA.match(text):
        return "not a document", "it is data for programs"
    if n_signs >= _NEXT_TO_NOTHING and n_letters < _LEAST_LETTERS * n_signs:
        return "not a document", "few of its characters are letters"
    return None


def _message(texts: Iterable[str], kinds: _Kinds) -> _Found:
    """Return the kind of the first message among texts, and its words; None without any.

    Lines about comments, videos and other parts of a page ask for a log-in or scripts as well.
    """
    for text in map(str.casefold, texts):
        is_aside = _messages("aside").search(text) is not None
        for kind, name in kinds:
            if (kind == "error page" or not is_aside) and (match := _messages(name).search(text)):
                return kind, _quoted(match[0])
    return None


def _quoted(words: str) -> str:
    return f"the page says {shorten(words)!r}"


@cache
def _messages(name: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns(name).values()))


def read_access(evidence: Evidence) -> Access | None:
    """Return whether the article is free to read; None if the page does not say.

    Statements in metadata count first, then words for subscribers near the text or in a part of the
    page that is named as a barrier.
    """
    return stated_access(evidence.page.metadata) or subscription_demand(evidence)


def stated_access(metadata: Metadata) -> Access | None:
    """Return whether metadata state free access, the most specific first; None if they do not."""
    stated = [(item.get(_FREE_KEY), "json-ld") for item in metadata.json_ld]
    stated += [(text, "microdata") for text in metadata.microdata.get(_FREE_KEY, ())]
    stated += [(text, "meta") for key in _TIER_KEYS for text in metadata.meta.get(key, ())]
    for value, source in stated:
        known = _TIERS if source == "meta" else _FREE_VALUES
        is_free = known.get(str(value).rsplit("/", 1)[-1].strip().lower())
        if is_free is not None:
            return Access(is_free, _STATED_ACCESS, source)
    return None


def subscription_demand(evidence: Evidence, least: float = 0.5) -> Access | None:
    """Return the likeliest region that asks for a subscription, the first on a tie; else None.

    ``least`` is the least confidence.
    """
    page = evidence.page
    # Most pages have none, as one search in all names shows.
    every = "\n".join({names for _, names in evidence.names}).lower()
    searched = evidence.names if _BARRIER.search(every) else ()
    barriers = [i for i, names in searched if i > 1 and _BARRIER.search(names.lower())]
    inside = {*np.flatnonzero(dom_tree.inside_any(page, barriers)).tolist()} if barriers else set()
    near, likeliest = range(evidence.body_begin, evidence.body_end + _NEAR_END + 1), None
    for i in sorted(inside.union(near)):
        text = page.text[i] if i < min(len(page), _MOST_SEARCHED) else ""
        confidence = _DEMAND_CONFIDENCE[i in inside, i in near]
        is_better = confidence > (likeliest.confidence if likeliest else 0.0)
        is_line = is_better and confidence >= least and 0 < len(text) <= _LONGEST_LINE
        if is_line and find_phrase(text, "subscribers", page.lang):
            likeliest = Access(False, confidence, "region", text, page.xpath[i])
    return likeliest
