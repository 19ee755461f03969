"""Type of a page, such as article, forum or listing, and the quality of its body.

The features are counts of the page's elements and labels, words of its address, and types that its
metadata state; trees distinguish each type from all others. For the quality, the probability that
the body was read well, trees see these and how certain the choice of the body was.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np

from structce.addresses import split_address
from structce.arrays import Floats
from structce.article.evidence import Evidence, Facts, rows_of
from structce.article.tuned import patterns, tuned
from structce.language import UNSPACED, is_european
from structce.learners import BoostedTrees
from structce.patterns import lazy_pattern

_TAGS = ("p", "li", "a", "h1", "h2", "h3", "td", "pre", "code", "img", "article", "form", "button")
_LABELS = ("Paragraph", "Subtitle", "Author", "Date", "Title", "Caption")
_ADDRESS, _STATED = patterns("address"), patterns("stated")
_SPACED_WORD, _BEYOND_LATIN = lazy_pattern(r"\w+"), lazy_pattern("[^\0-\xff]")
_LATIN_SIGNS = bytes(n for n in range(256) if not chr(n).isalpha())
_LATIN_WORDS = bytes(n if chr(n).isalnum() or chr(n) == "_" else ord(" ") for n in range(256))
_WEB_ADDRESS = lazy_pattern(r"https?://\S+")
_FEWEST_WORDS, _HEAPS_WORDS = 30, 60  # of a text; of one in which words recur
_LEAST_LETTERS = 0.7  # of the characters that are no space
_HEAPS = (0.7, 0.96)  # exponents of a natural vocabulary; our choices
_UNDOUBTED = (0.1, 0.9)  # probabilities below and above which a block is beyond doubt

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

QUALITY_COLUMNS = (
    *PAGE_COLUMNS,
    *"doubt chars_inside sure_share mean_inside mean_outside n_runs".split(),
)
"""Columns of a page from which the quality of its body is estimated."""


@cache
def _compiled(name: str) -> Mapping[str, re.Pattern[str]]:
    return {kind: re.compile(words) for kind, words in patterns(name).items()}


@cache
def _word() -> re.Pattern[str]:
    return re.compile(rf"[{UNSPACED}]|[^\W{UNSPACED}]+")


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
    types = (item.get("@type") for item in page.metadata.json_ld)
    every = (name for kind in types for name in (kind if isinstance(kind, list) else [kind]))
    json_types = " ".join(str(name) for name in every if name).lower()
    og_type = " ".join(page.metadata.meta.get("og:type", ())).lower()
    chars = evidence.lengths.astype(np.float64)
    total, body = float(chars.sum()), float((evidence.body * chars).sum())
    sums = {name: evidence.probability(name).sum() for name in _LABELS}
    return {
        **{f"share_{tag}": tags[tag] / n_elements for tag in _TAGS},
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


def type_probabilities(page: Facts, trees: Mapping[str, BoostedTrees]) -> dict[str, float]:
    """Return the probability of each type, with sum 1; empty without trees."""
    if not trees:
        return {}
    ensembles = [*trees.values()]  # all are fitted to the same columns
    row = rows_of([page], ensembles[0].names)
    p = BoostedTrees.probability_of_each(ensembles, row)[0].tolist()
    total = max(sum(p), 1e-9)
    return {kind: share / total for kind, share in zip(trees, p, strict=True)}


def doubt_facts(chars: Floats, p: Floats) -> Facts:
    """Return features of the certainty with which a body was chosen.

    ``doubt`` is the share of characters that are likely in the wrong place, ``sure_share`` that of
    blocks beyond doubt, ``n_runs`` the number of runs of blocks in the body, less one if the page
    begins with it. ``p`` contains the probability that each block is part of the body, (n_blocks,).
    """
    inside = p >= 0.5
    total, body = max(chars.sum(), 1.0), max(chars[inside].sum(), 1.0)
    is_sure = (p < _UNDOUBTED[0]) | (p > _UNDOUBTED[1])
    return {
        "doubt": float((chars * np.minimum(p, 1 - p)).sum() / body),
        "chars_inside": float(np.log1p(chars[inside].sum())),
        "sure_share": float(chars[is_sure].sum() / total),
        "mean_inside": float((chars * p)[inside].sum() / body),
        "mean_outside": float((chars * p)[~inside].sum() / max(total - body, 1.0)),
        "n_runs": float(np.count_nonzero(np.diff(inside.astype(np.int8)) == 1)),
    }


def page_quality(
    evidence: Evidence, p: Floats, page: Facts, text: str, trees: BoostedTrees | None
) -> float | None:
    """Return the probability that a page's body was read well, in [0, 1]; None without trees.

    It is 0 without a text, and at most ``implausible-text`` where the text is none that somebody
    wrote. ``p`` contains the probability that each block is part of the body, (n_blocks,), ``page``
    the features of the page.
    """
    if trees is None:
        return None
    if not text.strip():
        return 0.0
    facts = {**page, **doubt_facts(evidence.block_chars, p)}
    quality = float(trees.probability(rows_of([facts], trees.names))[0])
    return quality if is_plausible(text) else min(quality, tuned("implausible-text"))


def is_plausible(text: str) -> bool:
    """Return whether a text may be an article, by its length, its letters and its vocabulary.

    A message about an error is short, numbers and addresses have few letters, and a vocabulary
    grows with a power of the length of a text (Heaps' law), much faster than that of repeated
    lines, and slower than that of letters at random.
    """
    if "http" in text:
        text = _WEB_ADDRESS.sub("", text)
    words: Sequence[str | bytes]
    text = text.lower()
    beyond, latin = _BEYOND_LATIN.findall(text), text.encode("latin-1", "replace")
    if not any(map(str.isalnum, beyond)):  # quicker, and most texts have dashes and quotes alone
        words = latin.translate(_LATIN_WORDS).split()
    else:
        words = (_SPACED_WORD if is_european(text) else _word()).findall(text)
    n_words, n_distinct, n_signs = len(words), len(set(words)), len("".join(text.split()))
    n_letters = len(latin.translate(None, _LATIN_SIGNS)) + sum(map(str.isalpha, beyond))
    if n_words < _FEWEST_WORDS or n_letters < _LEAST_LETTERS * n_signs:
        return False
    is_rich = n_distinct >= n_words ** _HEAPS[0]
    return is_rich and (n_words < _HEAPS_WORDS or n_distinct <= n_words ** _HEAPS[1])
