"""Access to an article: whether its page says that the text is only for subscribers.

The evidence is metadata for search engines (``isAccessibleForFree``, content tiers), names of parts
of the page that ask for a subscription, and words for readers: "Already a subscriber?"
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from structce.article.evidence import Evidence
from structce.article.values import Access
from structce.features import dom_tree
from structce.language import find_phrase
from structce.page import Metadata

_KEY = "isAccessibleForFree"
_FREE_TIERS = ("free", "free-access")
_PAID_TIERS = tuple("metered locked premium paid subscriber subscribers".split())
_TIER_KEYS = tuple(
    """
    article:content_tier og:article:content_tier article.content_tier content_tier content-tier
    cxenseparse:content_tier sailthru.content_tier paywall access
    """.split()
)
_BARRIER = re.compile(
    r"pay-?wall|(?<![a-z])regwall|piano-?(?:offer|inline|container)|barrier-?page"
    r"|subscri(?:be|ption)[-_]?(?:wall|barrier|only|required)|paid[-_]?content"
    r"|content[-_]?(?:gate|locked)|locked[-_]?content|premium[-_]?(?:only|wall)"
)
_LONGEST = 300  # characters of a region that mentions a subscription
_MOST = 5_000  # regions that are searched
_NEAR = 12  # regions after the end of the text in which words count more
_STATED = 0.95
_SHOWN: Mapping[tuple[bool, bool], float] = {
    (True, True): 0.9,
    (True, False): 0.7,
    (False, True): 0.65,
}
"""Confidence by whether elements around the words, and their place, indicate a barrier."""


def read_access(evidence: Evidence) -> Access | None:
    """Return whether the article is free to read; None if the page does not say.

    Statements in metadata count first. Otherwise words for subscribers near the text, or in a part
    of the page that is named as a barrier, mean that it is not free. A page without them may be
    either.
    """
    for is_free, source in _statements(evidence.page.metadata):
        return Access(is_free, _STATED, source)
    return max(_barriers(evidence), key=lambda access: access.confidence, default=None)


def _statements(metadata: Metadata) -> Iterator[tuple[bool, str]]:
    """Yield whether metadata state free access, each with its source, the most specific first."""
    for item in metadata.json_ld:
        if (is_free := _truth(item.get(_KEY))) is not None:
            yield is_free, "json-ld"
    for text in metadata.microdata.get(_KEY, ()):
        if (is_free := _truth(text)) is not None:
            yield is_free, "microdata"
    for key in _TIER_KEYS:
        for text in metadata.meta.get(key, ()):
            if (tier := text.strip().lower()) in _FREE_TIERS + _PAID_TIERS:
                yield tier in _FREE_TIERS, "meta"


def _truth(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    text = value.rsplit("/", 1)[-1].strip().lower() if isinstance(value, str) else ""
    return {"true": True, "false": False}.get(text)


def _barriers(evidence: Evidence) -> Iterator[Access]:
    """Yield the parts of a page that ask for a subscription."""
    page = evidence.page
    inside = dom_tree.inside_any(page, list(_barrier_elements(evidence)))
    for i, text in enumerate(page.text[:_MOST]):
        if not 0 < len(text) <= _LONGEST or not find_phrase(text, "subscribers", page.lang):
            continue
        is_near = evidence.begin <= i <= evidence.end + _NEAR
        confidence = _SHOWN.get((bool(inside[i]), is_near))
        if confidence is not None:
            yield Access(False, confidence, "region", text, page.xpath[i])


def _barrier_elements(evidence: Evidence) -> Iterator[int]:
    page = evidence.page
    for key in ("class", "id"):
        for i in dom_tree.elements_with(page).get(key, ()):
            if i > 1 and _BARRIER.search(page.elements.attributes[i][key].lower()):
                yield i
