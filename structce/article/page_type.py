"""Type of a page, such as article, forum or listing.

The features are counts of the page's elements and labels, words of its address, and types that its
metadata state; trees distinguish each type from all others.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log1p

import numpy as np

from structce.addresses import split_address
from structce.arrays import Floats
from structce.article.evidence import Evidence, named_columns
from structce.article.tuned import patterns
from structce.features import dom_tree
from structce.learners import BoostedTrees
from structce.patterns import lazy_pattern

_TAGS = ("p", "li", "a", "h1", "h2", "h3", "td", "pre", "code", "img", "article", "form", "button")
_LABELS = ("Paragraph", "Subtitle", "Author", "Date", "Title", "Caption")
_ADDRESS, _STATED = (
    {kind: lazy_pattern(words) for kind, words in patterns(name).items()}
    for name in ("address", "stated")
)

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


def page_features(evidence: Evidence) -> Floats:
    """Return the features of a page in the order of ``PAGE_COLUMNS``, shape (n_columns,).

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
    json_types = " ".join([str(name) for name in every if name]).lower()
    og_type = " ".join(page.metadata.meta.get("og:type", ())).lower()
    chars, p_title = evidence.chars, evidence.probability("Title")
    sums = dict(zip(evidence.labels, evidence.marginals.sum(axis=0).tolist(), strict=True))
    total, body = float(chars.sum()), float((evidence.p_body * chars).sum())
    features = (
        *[len(called.get(tag, ())) / n_elements for tag in _TAGS],
        *[log1p(sums.get(name, 0.0)) for name in _LABELS],
        *[bool(address and words.search(address)) for words in _ADDRESS.values()],
        *[bool(json_types and words.search(json_types)) for words in _STATED.values()],
        "article" in og_type,
        "product" in og_type,
        log1p(len(page)),
        log1p(evidence.n_blocks),
        total / max(len(page), 1),
        log1p(body),
        body / max(total, 1.0),
        float((chars * evidence.in_link).sum()) / max(total, 1.0),
        address.count("/"),
        sum(map(str.isdigit, address)),
        p_title.max(initial=0),
        chars.max(initial=0),
    )
    return np.fromiter(features, np.float64, len(PAGE_COLUMNS))


def type_probabilities(page: Floats, trees: Mapping[str, BoostedTrees]) -> dict[str, float]:
    """Return the probability of each type, with sum 1; empty without trees."""
    if not trees:
        return {}
    ensembles = [*trees.values()]  # all are fitted to the same columns
    row = named_columns(page[None], PAGE_COLUMNS, ensembles[0].names)
    p = BoostedTrees.probability_of_each(ensembles, row)[0].tolist()
    total = max(sum(p), 1e-9)
    return {kind: share / total for kind, share in zip(trees, p, strict=True)}
