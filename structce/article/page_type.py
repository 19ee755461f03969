"""Type of a page: article, forum, listing, product, documentation, service or collection.

The features are counts of the page's elements and labels, words of its address, and types that its
metadata state; trees distinguish each type from all others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

import numpy as np

from structce.addresses import split_address
from structce.article.columns import Facts, rows_of
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


def page_facts(evidence: Evidence) -> Facts:
    """Return the features of a page by the names in ``PAGE_COLUMNS``.

    Text is counted in characters. ``sum_title`` is the logarithm of the sum of the probability of
    Title over all regions, ``at_forum`` whether the address reads like a forum's, and
    ``states_article`` whether the types in JSON-LD name an article.
    """
    page = evidence.page
    tags = Counter(page.elements.tag)
    n_elements = max(len(page.elements), 1)
    parts = split_address(page.url.lower())
    address = f"{parts.hostname or ''}{parts.path}"
    stated = " ".join(_types(page.metadata.json_ld)).lower()
    kind = " ".join(page.metadata.meta.get("og:type", ())).lower()
    chars = evidence.lengths.astype(np.float64)
    total, body = float(chars.sum()), float((evidence.body * chars).sum())
    return {
        **{f"share_{tag}": tags[tag] / n_elements for tag in _TAGS},
        **{
            f"sum_{name.lower()}": float(np.log1p(evidence.probability(name).sum()))
            for name in _LABELS
        },
        **{f"at_{name}": float(bool(words.search(address))) for name, words in _ADDRESS.items()},
        **{f"states_{name}": float(bool(words.search(stated))) for name, words in _STATED.items()},
        "og_article": float("article" in kind),
        "og_product": float("product" in kind),
        "n_regions": float(np.log1p(len(page))),
        "n_blocks": float(np.log1p(evidence.n_blocks)),
        "mean_length": total / max(len(page), 1),
        "body_mass": float(np.log1p(body)),
        "body_share": body / max(total, 1.0),
        "link_share": float((chars * evidence.in_link).sum() / max(total, 1.0)),
        "path_depth": float(address.count("/")),
        "path_digits": float(sum(character.isdigit() for character in address)),
        "title_p": float(evidence.probability("Title").max(initial=0)),
        "longest": float(chars.max(initial=0)),
    }


def _types(items: tuple[Mapping[str, object], ...]) -> list[str]:
    """Return the types that JSON-LD states."""
    names = []
    for item in items:
        kind = item.get("@type")
        names += [str(name) for name in (kind if isinstance(kind, list) else [kind]) if name]
    return names


def type_probabilities(page: Facts, trees: Mapping[str, BoostedTrees]) -> dict[str, float]:
    """Return the probability of each type, with sum 1; empty without trees.

    The trees of all types are fitted to the same columns.
    """
    if not trees:
        return {}
    ensembles = [*trees.values()]
    row = rows_of([page], ensembles[0].names)
    p = BoostedTrees.probability_of_each(ensembles, row)[0].tolist()
    total = max(sum(p), 1e-9)
    return {kind: share / total for kind, share in zip(trees, p, strict=True)}
