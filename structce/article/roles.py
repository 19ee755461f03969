"""Roles of regions: what a paragraph, a heading, a caption or a picture is in its whole page.

A learner labels regions one by one, or along a chain. Whether a bold line is a section's heading or
a teaser's, and whether the first paragraph is a standfirst, depends on where the body begins and
ends, on the headings and captions around it and on its container. Boosted trees, one ensemble per
label, weigh these for every region that the learner doubts; title, date and authors are chosen
elsewhere (:mod:`structce.article.choice`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from structce.arrays import Flags, Floats, Integers, Integers32
from structce.article.body import BLOCK_COLUMNS
from structce.article.evidence import SURROUNDINGS, Evidence
from structce.features import advertising, metadata_match
from structce.labelling import Labelling
from structce.language import find_cues
from structce.learners import BoostedTrees

ROLES = ("Paragraph", "Subtitle", "None")
"""Labels that trees assign by a region's role in its page."""

_OTHERS = ("Caption", "Multimedia", "Advertisement", "Title", "Author", "Date")
_ALL = (*ROLES, *_OTHERS)
_PIECES = _ALL[:5]  # labels whose probability in the blocks around a region is a feature
_SUMMED = ("Paragraph", "Subtitle", "Caption")
_BLOCKS = (-2, -1, 1, 2)  # neighbouring blocks
_REGIONS = (-1, 1)  # neighbouring regions
_SURE = 0.98  # probability of the background from which a region is not judged again
_SHORT = 80  # characters of a text that a word for advertisements may announce as one
_TAGS: Mapping[str, int] = {
    "figure": 1,
    "figcaption": 2,
    "aside": 3,
    "strong": 4,
    "b": 4,
    "em": 5,
    "i": 5,
    "a": 6,
    "img": 7,
    "picture": 7,
    "video": 8,
    "iframe": 9,
    "li": 10,
    "h1": 11,
    "h2": 12,
    "h3": 13,
    "h4": 14,
    "p": 15,
    "div": 16,
    "span": 17,
    "ins": 18,
    "small": 19,
    "time": 20,
    "button": 21,
    "td": 22,
    "blockquote": 23,
}
_FIELDS = ("Title", "Author", "Date")
_NEAR = frozenset({"own", "near"})
_CALLED = 0.51  # probability that a region marked as an advertisement is one; 148 of 291 judged
_LEAST = 1e-9
_NAMED: Mapping[str | None, int] = {None: 0, "far": 1, "near": 2, "own": 3}
_ENDS = frozenset(".!?…。！？")

ROLE_COLUMNS = (
    *(f"block_{name}" for name in BLOCK_COLUMNS),
    *(f"p_{name}" for name in _ALL),
    *(f"highest_{name}" for name in _ALL),
    *(f"block_p_{name}" for name in _PIECES),
    *(f"block_p_{name}{offset:+d}" for name in _PIECES for offset in _BLOCKS),
    *(f"p_{name}{offset:+d}" for name in _ALL for offset in _REGIONS),
    *(f"sum_{name}_{side}" for name in _SUMMED for side in ("before", "after")),
    *"""
    n_chars n_words tag parent_tag is_media place_in_block from_title from_paragraph place
    is_capital ends_sentence in_link level landmark
    """.split(),
    *(f"in_{name}" for name in SURROUNDINGS),
    *"advertisement_name advertisement_host sponsored_link advertisement_cue".split(),
    "like_description",
)
"""Columns of a region."""


def doubtful_regions(evidence: Evidence) -> Flags:
    """Return which regions are not surely background, shape (n_regions,).

    Regions inside elements named as advertisements are included, however sure the learner is.
    """
    named = np.array([name is not None for name in advertising.advertisement_name(evidence.page)])
    doubtful: Flags = evidence.probability("None") < _SURE
    return doubtful | named.astype(bool) if len(named) else doubtful


def advertised_regions(evidence: Evidence) -> Flags:
    """Return which regions are marked as advertisements, by themselves or by elements near them.

    Marks are the class, id or label of elements, hosts of addresses, sponsored links, and short
    texts with what they announce. Texts in links do not count: they lead to advertisements.
    """
    page = evidence.page
    near = np.array([name in _NEAR for name in advertising.advertisement_name(page)], dtype=bool)
    paid = advertising.advertisement_host(page) | advertising.sponsored_link(page)
    called: Flags = near | paid | advertising.announced_regions(page)
    return called


def role_rows(evidence: Evidence, blocks: Floats, regions: Integers) -> Floats:
    """Return the features from which the roles of some regions are judged, (n_some, n_columns).

    Parameters
    ----------
    blocks : shape (n_blocks, n_columns)
        Result of :func:`structce.article.body.block_rows`.
    regions : shape (n_some,)
        Indices of the regions.
    """
    if not len(regions):
        return np.zeros((0, len(ROLE_COLUMNS)), dtype=np.float64)
    of_blocks = blocks[evidence.page.blocks[regions]]
    columns = [*_label_columns(evidence, regions), *_own_columns(evidence, regions)]
    own = np.stack([np.asarray(column, dtype=np.float64) for column in columns], axis=1)
    return np.concatenate([of_blocks, own], axis=1)


def _label_columns(evidence: Evidence, regions: Integers) -> list[Floats]:
    """Return the learner's probabilities for the regions, their blocks and neighbours."""
    n, own_block = len(regions), evidence.page.blocks[regions]
    sizes = np.diff(np.append(evidence.starts, len(evidence.page)))
    p = {name: evidence.probability(name) for name in _ALL}
    means = {name: np.add.reduceat(p[name], evidence.starts) / sizes for name in _PIECES}
    columns = [p[name][regions] for name in _ALL]
    columns += [np.full(n, p[name].max()) for name in _ALL]
    columns += [means[name][own_block] for name in _PIECES]
    columns += [
        _neighbour(means[name], own_block, offset) for name in _PIECES for offset in _BLOCKS
    ]
    columns += [_neighbour(p[name], regions, offset) for name in _ALL for offset in _REGIONS]
    for name in _SUMMED:
        sums = np.cumsum(p[name])
        columns += [sums[regions], sums[-1] - sums[regions]]
    return columns


def _neighbour(values: Floats, places: Integers | Integers32, offset: int) -> Floats:
    """Return the values ``offset`` places on; NaN beyond the page."""
    at = places + offset
    inside = (at >= 0) & (at < len(values))
    return np.where(inside, values[np.where(inside, at, 0)], np.nan)


def _own_columns(evidence: Evidence, regions: Integers) -> list[Floats]:
    """Return features of the regions themselves and of their places."""
    page, places = evidence.page, regions.tolist()
    tag, parent, element = page.elements.tag, page.elements.parent, page.element[regions]
    texts = [page.text[i] for i in places]
    paragraphs = np.flatnonzero(evidence.probability("Paragraph") > 0.5)
    first = int(paragraphs[0]) if len(paragraphs) else len(page)
    bits = evidence.surroundings[element]
    names = advertising.advertisement_name(page)
    return [
        np.log1p(evidence.lengths[regions]),
        np.array([text.count(" ") for text in texts]),
        np.array([_TAGS.get(tag[i], 0) for i in element]),
        np.array([_TAGS.get(tag[parent[i]], 0) if parent[i] >= 0 else 0 for i in element]),
        page.is_media[regions],
        regions - evidence.starts[page.blocks[regions]],
        np.clip(regions - evidence.title_place, -100, 300),
        np.clip(regions - first, -100, 300),
        regions / len(page),
        np.array([text[:1].isupper() for text in texts]),
        np.array([text[-1:] in _ENDS for text in texts]),
        evidence.in_link[regions],
        evidence.level[regions],
        evidence.landmark[element],
        *((bits >> n) & 1 for n in range(len(SURROUNDINGS))),
        np.array([_NAMED[names[i]] for i in places]),
        advertising.advertisement_host(page)[regions],
        advertising.sponsored_link(page)[regions],
        np.array([_speaks_of_advertisement(text, page.lang) for text in texts]),
        metadata_match.description_match(page)[regions],
    ]


def _speaks_of_advertisement(text: str, tag: str) -> bool:
    return 0 < len(text) <= _SHORT and "advertisement-cue" in find_cues(text, tag)


def judge_roles(
    labelling: Labelling,
    evidence: Evidence,
    blocks: Floats,
    is_body: Flags,
    trees: Mapping[str, BoostedTrees],
) -> Labelling:
    """Return a labelling whose regions have the roles that the whole page suggests.

    The probability that the learner gives to all roles together is divided among them by the trees;
    that of other labels is kept. Outside the body no region is Paragraph, and regions marked as
    advertisements are Advertisement. A model without trees of roles changes nothing.

    Parameters
    ----------
    blocks : shape (n_blocks, n_columns)
        Result of :func:`structce.article.body.block_rows`.
    is_body : shape (n_regions,)
        Regions of the body.
    """
    labels, marginals = list(labelling.labels), evidence.marginals.copy()
    known = [name for name in ROLES if f"role-{name}" in trees and name in evidence.labels]
    if not known or not len(labels):
        return replace(labelling, marginals=marginals)
    regions = np.flatnonzero(doubtful_regions(evidence))
    columns = np.array([evidence.labels.index(name) for name in known])
    rows = role_rows(evidence, blocks, regions)
    p = np.stack([trees[f"role-{name}"].probability(rows) for name in known], axis=1)
    given = marginals[np.ix_(regions, columns)].sum(axis=1, keepdims=True)
    marginals[np.ix_(regions, columns)] = (
        given * p / np.maximum(p.sum(axis=1, keepdims=True), _LEAST)
    )
    _remove_paragraph(evidence, marginals, is_body)
    _mark_advertisements(evidence, marginals, is_body)
    best = marginals.argmax(axis=1)
    names = tuple(evidence.labels[i] for i in best.tolist())
    return replace(labelling, labels=names, confidence=marginals.max(axis=1), marginals=marginals)


def _remove_paragraph(evidence: Evidence, marginals: Floats, is_body: Flags) -> None:
    """Give the probability of Paragraph outside the body to the other labels."""
    if "Paragraph" in evidence.labels:
        column = evidence.labels.index("Paragraph")
        others = 1 - marginals[~is_body, column]
        marginals[~is_body, column] = 0
        marginals[~is_body] /= np.maximum(others, _LEAST)[:, None]


def _mark_advertisements(evidence: Evidence, marginals: Floats, is_body: Flags) -> None:
    """Make marked regions Advertisement, except in the body and in the fields of the page."""
    if "Advertisement" not in evidence.labels:
        return
    fields = [evidence.labels.index(name) for name in _FIELDS if name in evidence.labels]
    is_field = np.isin(marginals.argmax(axis=1), fields)
    called = advertised_regions(evidence) & ~is_body & ~is_field
    own = evidence.labels.index("Advertisement")
    p = np.maximum(marginals[called, own], _CALLED)
    marginals[called] *= ((1 - p) / np.maximum(1 - marginals[called, own], _LEAST))[:, None]
    marginals[called, own] = p
