"""Type of a page: article, forum, listing, product, documentation, service or collection.

The features are counts of the page's elements and labels, words of its address, and types that its
metadata state; trees tell each type from all others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

import numpy as np

from structce.addresses import split_address
from structce.arrays import Floats
from structce.article.evidence import Evidence
from structce.learners import BoostedTrees

_TAGS = ("p", "li", "a", "h1", "h2", "h3", "td", "pre", "code", "img", "article", "form", "button")
_LABELS = ("Paragraph", "Subtitle", "Author", "Date", "Title", "Caption")
_ADDRESS: Mapping[str, re.Pattern[str]] = {
    "forum": re.compile(
        r"forum|thread|topic|viewtopic|showthread|discussion|community|/t/|/r/|question"
    ),
    "product": re.compile(r"product|/p/|/dp/|/shop|/item|/store|/buy|sku"),
    "listing": re.compile(
        r"/category|/tag/|/tags/|/search|/archive|/list|/topics?/?$|/news/?$|/blog/?$"
    ),
    "documentation": re.compile(
        r"docs?[./-]|/documentation|/manual|/reference|/api/|/guide|/help|readthedocs|/wiki"
    ),
    "service": re.compile(
        r"/services?|/solutions?|/pricing|/features?|/about|/contact|/products?/?$"
    ),
    "article": re.compile(r"/\d{4}/\d\d|/news/|/blog/|/article|/story|/post"),
    "collection": re.compile(r"/collections?|/category|/shop|/c/"),
}
_STATED: Mapping[str, re.Pattern[str]] = {
    "article": re.compile(r"article|posting|report"),
    "product": re.compile(r"product|offer"),
    "forum": re.compile(r"discussion|qapage|question"),
    "listing": re.compile(r"collectionpage|itemlist|searchresults"),
    "other": re.compile(r"organization|localbusiness|service|website|faqpage|howto|techarticle"),
}

PAGE_COLUMNS = (
    *(f"share_{tag}" for tag in _TAGS),
    *(f"sum_{label.lower()}" for label in _LABELS),
    *(f"at_{name}" for name in _ADDRESS),
    *(f"states_{name}" for name in _STATED),
    *"""
    og_article og_product n_regions n_blocks mean_length body_mass body_share link_share
    path_depth path_digits title_p longest
    """.split(),
)
"""Columns of a page."""


def page_row(evidence: Evidence) -> Floats:
    """Return the features of a page's type, shape (1, n_columns)."""
    page = evidence.page
    tags = Counter(page.elements.tag)
    n_elements = max(len(page.elements), 1)
    sums = [np.log1p(evidence.probability(name).sum()) for name in _LABELS]
    address = _path(page.url)
    stated = " ".join(_types(page.metadata.json_ld)).lower()
    kind = " ".join(page.metadata.meta.get("og:type", ())).lower()
    chars = evidence.lengths.astype(np.float64)
    total, body = chars.sum(), float((evidence.body * chars).sum())
    row = [
        *(tags[tag] / n_elements for tag in _TAGS),
        *sums,
        *(float(bool(pattern.search(address))) for pattern in _ADDRESS.values()),
        *(float(bool(pattern.search(stated))) for pattern in _STATED.values()),
        float("article" in kind),
        float("product" in kind),
        np.log1p(len(page)),
        np.log1p(evidence.n_blocks),
        total / max(len(page), 1),
        np.log1p(body),
        body / max(total, 1.0),
        float((chars * evidence.in_link).sum() / max(total, 1.0)),
        float(address.count("/")),
        float(sum(character.isdigit() for character in address)),
        float(evidence.probability("Title").max(initial=0)),
        float(chars.max(initial=0)),
    ]
    return np.array([row], dtype=np.float64)


def _path(url: str) -> str:
    parts = split_address(url.lower())
    return f"{parts.hostname or ''}{parts.path}"


def _types(items: tuple[Mapping[str, object], ...]) -> list[str]:
    """Return the types that JSON-LD states."""
    names = []
    for item in items:
        kind = item.get("@type")
        names += [str(name) for name in (kind if isinstance(kind, list) else [kind]) if name]
    return names


def type_probabilities(
    evidence: Evidence, trees: Mapping[str, BoostedTrees], row: Floats | None = None
) -> dict[str, float]:
    """Return the probability of each type, with sum 1; empty without trees.

    Parameters
    ----------
    row
        Result of :func:`page_row`; computed if None.
    """
    kinds = [name for name in trees if name.startswith("type-")]
    if not kinds:
        return {}
    row = page_row(evidence) if row is None else row
    p = BoostedTrees.probability_of_each([trees[name] for name in kinds], row)[0].tolist()
    total = max(sum(p), 1e-9)
    return {name.removeprefix("type-"): share / total for name, share in zip(kinds, p, strict=True)}
