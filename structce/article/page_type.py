"""Type of a page, such as article, forum or listing.

The features are counts of the page's elements and labels, words of its address, and types that its
metadata state; trees distinguish each type from all others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

import numpy as np

from structce.addresses import split_address
from structce.article.evidence import Evidence, FeatureRow, feature_matrix
from structce.article.tuned import patterns
from structce.features import dom_tree
from structce.learners import BoostedTrees

_TAGS = ("p", "li", "a", "h1", "h2", "h3", "td", "pre", "code", "img", "article", "form", "button")
_LABELS = ("Paragraph", "Subtitle", "Author", "Date", "Title", "Caption")
_ADDRESS, _STATED = patterns("address"), patterns("stated")

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


@cache
def _compiled(name: str) -> Mapping[str, re.Pattern[str]]:
    return {kind: re.compile(words) for kind, words in patterns(name).items()}


def page_features(evidence: Evidence) -> FeatureRow:
    """Return the features of a page by the names in ``PAGE_COLUMNS``.

    Text is counted in characters. ``sum_title`` is the logarithm of the sum of the probability of
    Title over all regions, ``at_forum`` whether the address reads like a forum's, and
    ``states_article`` whether the types in JSON-LD name an article.
    """
    page = evidence.page
    called = dom_tree.elements_called(page)
    n_elements = max(len(page.elements), 1)
    parts = split_address(page.url.lower())
    address = f"{parts.hostname or ''}{parts.path}"
    types = (item.get("@type") for item in page.metadata.json_ld)
    every = (name for kind in types for name in (kind if isinstance(kind, list) else [kind]))
    json_types = " ".join(str(name) for name in every if name).lower()
    og_type = " ".join(page.metadata.meta.get("og:type", ())).lower()
    chars = evidence.chars
    total, body = float(chars.sum()), float((evidence.p_body * chars).sum())
    sums = {name: evidence.probability(name).sum() for name in _LABELS}
    return {
        **{f"share_{tag}": len(called.get(tag, ())) / n_elements for tag in _TAGS},
        **{f"sum_{name.lower()}": float(np.log1p(total)) for name, total in sums.items()},
        **{
            f"at_{name}": float(bool(words.search(address)))
            for name, words in _compiled("address").items()
        },
        **{
            f"states_{name}": float(bool(words.search(json_types)))
            for name, words in _compiled("stated").items()
        },
        "og_article": float("article" in og_type),
        "og_product": float("product" in og_type),
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


def type_probabilities(page: FeatureRow, trees: Mapping[str, BoostedTrees]) -> dict[str, float]:
    """Return the probability of each type, with sum 1; empty without trees."""
    if not trees:
        return {}
    ensembles = [*trees.values()]  # all are fitted to the same columns
    row = feature_matrix([page], ensembles[0].names)
    p = BoostedTrees.probability_of_each(ensembles, row)[0].tolist()
    total = max(sum(p), 1e-9)
    return {kind: share / total for kind, share in zip(trees, p, strict=True)}
