"""Labels of regions in the light of their whole page, and in agreement with its article.

Whether a bold line is the heading of a section or of a teaser, and whether the first paragraph is a
standfirst, depends on where the body begins and ends, on the headings and captions around it and on
its container. Boosted trees of all labels weigh these for every region that the learner doubts.

Title, date and authors are chosen elsewhere (:mod:`structce.article.choice`). If labels and article
disagree, the article is right more often, since it compares all candidates of a field with the
metadata: its choices are clamped, labels that it refused are forbidden, and the other regions are
decoded again from their label probabilities.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from structce.arrays import Flags, Floats, Integers, Integers32
from structce.article.body import BLOCK_COLUMNS
from structce.article.choice import Choice
from structce.article.evidence import SURROUNDINGS, Columns, Evidence, stack_columns
from structce.features import advertising, cues, metadata_match
from structce.labelling import ArticleTrees, Labelling
from structce.language import SENTENCE_ENDS, normalise
from structce.learners import BoostedTrees

_ALL = tuple("Paragraph Subtitle None Caption Multimedia Advertisement Title Author Date".split())
_PIECES = _ALL[:5]  # labels whose probability in the blocks around a region is a feature
_SUMMED = ("Paragraph", "Subtitle", "Caption")
_BLOCKS = (-2, -1, 1, 2)  # neighbouring blocks
_REGIONS = (-1, 1)  # neighbouring regions
_SURE = 0.98  # probability of the background from which a region is not judged again
_SHORT = 80  # characters of a text that a word for advertisements may announce as one
_TAGS: Mapping[str, int] = {
    tag: n
    for n, tags in enumerate(
        """
        figure, figcaption, aside, strong b, em i, a, img picture, video, iframe, li, h1, h2, h3,
        h4, p, div, span, ins, small, time, button, td, blockquote
        """.split(","),
        start=1,
    )
    for tag in tags.split()
}
_FIELDS = ("Title", "Author", "Date")
_NEAR = frozenset({"own", "near"})
_CALLED = 0.51  # probability that a region marked as an advertisement is one; 148 of 291 judged
_LEAST = 1e-9
_ENDS = frozenset(SENTENCE_ENDS)
_NAMED: Mapping[str | None, int] = {None: 0, "far": 1, "near": 2, "own": 3}

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


def role_columns(evidence: Evidence, blocks: Columns, regions: Integers) -> Columns:
    """Return the features from which the roles of some regions are judged, each (n_some,).

    Their names are ``ROLE_COLUMNS``; those of the blocks, such as ``block_body``, are the result of
    :func:`structce.article.body.block_columns`.
    """
    if not len(regions):
        return dict.fromkeys(ROLE_COLUMNS, np.zeros(0))
    of_blocks = np.stack([*blocks.values()])[:, evidence.page.blocks[regions]]
    return {
        **{f"block_{name}": row for name, row in zip(blocks, of_blocks, strict=True)},
        **_label_columns(evidence, regions),
        **_own_columns(evidence, regions),
    }


def _label_columns(evidence: Evidence, regions: Integers) -> dict[str, Floats]:
    """Return the learner's probabilities for the regions, their blocks and neighbours.

    ``highest_Title`` is the highest of the page, ``block_p_Title-1`` the mean of the block before,
    ``p_Title-1`` that of the region before, and ``sum_Caption_after`` the sum of those that follow.
    """
    own_block = evidence.page.blocks[regions]
    sizes = np.diff(np.append(evidence.starts, len(evidence.page)))
    p = np.stack([evidence.probability(name) for name in _ALL])
    means = np.add.reduceat(p[: len(_PIECES)], evidence.starts, axis=1) / sizes
    highest = np.broadcast_to(p.max(axis=1, keepdims=True), (len(_ALL), len(regions)))
    groups: list[tuple[str, tuple[str, ...], Floats]]
    groups = [("p_{}", _ALL, p[:, regions]), ("highest_{}", _ALL, highest)]
    groups += [(f"p_{{}}{n:+d}", _ALL, _neighbours(p, regions, n)) for n in _REGIONS]
    groups += [("block_p_{}", _PIECES, means[:, own_block])]
    groups += [(f"block_p_{{}}{n:+d}", _PIECES, _neighbours(means, own_block, n)) for n in _BLOCKS]
    sums = np.cumsum(p[[_ALL.index(name) for name in _SUMMED]], axis=1)
    groups += [("sum_{}_before", _SUMMED, sums[:, regions])]
    groups += [("sum_{}_after", _SUMMED, sums[:, -1:] - sums[:, regions])]
    return {
        form.format(name): row
        for form, names, rows in groups
        for name, row in zip(names, rows, strict=True)
    }


def _neighbours(values: Floats, indices: Integers | Integers32, offset: int) -> Floats:
    """Return the values ``offset`` places on, in each row; NaN beyond the page."""
    at = indices + offset
    inside = (at >= 0) & (at < values.shape[1])
    return np.where(inside, values[:, np.where(inside, at, 0)], np.nan)


def _own_columns(evidence: Evidence, regions: Integers) -> dict[str, Floats]:
    """Return features of the regions themselves and of their places.

    ``from_title`` and ``from_paragraph`` count the regions from the title and from the first likely
    paragraph, ``in_related`` and the like are the named parts of the page around a region.
    """
    page, indices = evidence.page, regions.tolist()
    tag, parent, element = page.elements.tag, page.elements.parents, page.element[regions]
    holders = element.tolist()
    texts = [page.text[i] for i in indices]
    paragraphs = np.flatnonzero(evidence.probability("Paragraph") > 0.5)
    first = int(paragraphs[0]) if len(paragraphs) else len(page)
    names, names_of = advertising.advertisement_name(page), cues.page_cues(page)
    columns: dict[str, ArrayLike] = {
        "n_chars": np.log1p(evidence.lengths[regions]),
        "n_words": [text.count(" ") for text in texts],
        "tag": [_TAGS.get(tag[i], 0) for i in holders],
        "parent_tag": [_TAGS.get(tag[parent[i]], 0) if parent[i] >= 0 else 0 for i in holders],
        "is_media": page.is_media[regions],
        "place_in_block": regions - evidence.starts[page.blocks[regions]],
        "from_title": np.clip(regions - evidence.title_place, -100, 300),
        "from_paragraph": np.clip(regions - first, -100, 300),
        "place": regions / len(page),
        "is_capital": [text[:1].isupper() for text in texts],
        "ends_sentence": [text[-1:] in _ENDS for text in texts],
        "in_link": evidence.in_link[regions],
        "level": evidence.level[regions],
        "landmark": evidence.landmark[element],
        **evidence.surrounding_columns(element),
        "advertisement_name": [_NAMED[names[i]] for i in indices],
        "advertisement_host": advertising.advertisement_host(page)[regions],
        "sponsored_link": advertising.sponsored_link(page)[regions],
        "advertisement_cue": [
            "advertisement-cue" in names_of[i] and len(page.text[i]) <= _SHORT for i in indices
        ],
        "like_description": metadata_match.description_match(page)[regions],
    }
    return {name: np.asarray(values, np.float64) for name, values in columns.items()}


def judge_roles(
    labelling: Labelling,
    evidence: Evidence,
    blocks: Columns,
    is_body: Flags,
    trees: ArticleTrees,
) -> Labelling:
    """Return a labelling whose regions have the roles that the whole page suggests.

    The trees divide the probability of all labels that they know among these. Outside the body no
    region is Paragraph, and regions marked as advertisements are Advertisement. A model without
    trees of roles changes nothing. ``blocks`` are the features of the blocks.
    """
    labels, marginals = list(labelling.labels), evidence.marginals.copy()
    known_labels = [name for name in evidence.labels if name in trees.roles]
    if not known_labels or not len(labels):
        return replace(labelling, marginals=marginals)
    regions = np.flatnonzero(doubtful_regions(evidence))
    columns = np.array([evidence.labels.index(name) for name in known_labels])
    of_regions = role_columns(evidence, blocks, regions)
    judges = [trees.roles[name] for name in known_labels]
    rows = stack_columns(of_regions, judges[0].names)
    given = marginals[np.ix_(regions, columns)].sum(axis=1, keepdims=True)
    p = BoostedTrees.class_probabilities(judges, rows)
    marginals[np.ix_(regions, columns)] = given * p
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
    column = evidence.labels.index("Advertisement")
    p = np.maximum(marginals[called, column], _CALLED)
    marginals[called] *= ((1 - p) / np.maximum(1 - marginals[called, column], _LEAST))[:, None]
    marginals[called, column] = p


def agree(
    labelling: Labelling,
    marginals: Floats,
    *,
    title: Choice | None,
    day: Choice | None,
    authors: Sequence[Choice],
) -> Labelling:
    """Return a labelling that is consistent with the choices of its article.

    The regions of the title, and no others, are Title; if no region shows the title, the likeliest
    run of Title is kept; a page without a title has no Title. Regions of the date are Date, those
    of an author Author. A region of several values gets the label of the first of title, date and
    author that begins there, otherwise of the first that continues there. No other region is
    Author, except one that names an author whom only metadata state. Each remaining region gets the
    likeliest of its remaining labels: posterior decoding under constraints. The confidence of a
    clamped region is that of the value, or that of its label if higher. ``marginals`` are the
    probabilities of every label at each region, shape (n_regions, n_labels).
    """
    names = labelling.label_set.names
    background = names.index(labelling.label_set.background)
    clamped = _clamped({"Title": [title], "Date": [day], "Author": authors}, labelling)
    allowed = np.ones_like(marginals, dtype=bool)
    _forbid_titles(labelling, allowed, title)
    _forbid_authors(labelling, allowed, authors)
    labels, confidence = list(labelling.labels), labelling.confidence.copy()
    codes = labelling.label_set.encode(labels)
    for i in np.flatnonzero(~allowed[np.arange(len(labels)), codes]).tolist():
        scores = np.where(allowed[i], marginals[i], -1.0)
        best = int(scores.argmax()) if scores.max() > 0 else background
        labels[i], confidence[i] = names[best], marginals[i, best]
    for i, (label, sureness) in clamped.items():
        before = confidence[i] if labels[i] == label else 0.0
        labels[i], confidence[i] = label, max(sureness, before)
    return replace(labelling, labels=tuple(labels), confidence=confidence)


def _clamped(
    fields: Mapping[str, Sequence[Choice | None]], labelling: Labelling
) -> dict[int, tuple[str, float]]:
    begun: dict[int, tuple[str, float]] = {}
    continued: dict[int, tuple[str, float]] = {}
    for label, choices in fields.items():
        for choice in choices if label in labelling.label_set.names else ():
            if choice is not None:
                regions = _regions_of(choice, labelling.page.text, is_name=label == "Author")
                for n, i in enumerate(regions):
                    (continued if n else begun).setdefault(i, (label, choice.confidence))
    return continued | begun


def _regions_of(choice: Choice, texts: Sequence[str], *, is_name: bool) -> list[int]:
    """Return the regions of a choice; of a name, the first and those that contain part of it."""
    regions, key = sorted(choice.candidate.regions), normalise(choice.candidate.value)
    if not is_name:
        return regions
    keys = {i: normalise(texts[i]) for i in regions}
    return [i for i, own in keys.items() if i == regions[0] or own in key or key in own]


def _forbid_titles(labelling: Labelling, allowed: Flags, title: Choice | None) -> None:
    """Allow Title only on the regions of the title, or on the likeliest run of Title regions."""
    if "Title" not in labelling.label_set.names:
        return
    kept = [*title.candidate.regions] if title else []
    named = [i for i, label in enumerate(labelling.labels) if label == "Title"]
    if title and not kept and named:
        blocks = labelling.page.blocks
        best = max(named, key=lambda i: float(labelling.confidence[i]))
        kept = [i for i in named if blocks[i] == blocks[best]]
    column = labelling.label_set.names.index("Title")
    allowed[:, column] = False
    allowed[kept, column] = True


def _forbid_authors(labelling: Labelling, allowed: Flags, authors: Sequence[Choice]) -> None:
    """Allow Author where an author was read, and where a name appears that only metadata state."""
    names, texts = labelling.label_set.names, labelling.page.text
    if "Author" not in names:
        return
    column = names.index("Author")
    chosen = {i for choice in authors for i in _regions_of(choice, texts, is_name=True)}
    allowed[:, column] = False
    allowed[[*chosen], column] = True
    keys = [normalise(c.candidate.value) for c in authors if not c.candidate.regions]
    for i, label in enumerate(labelling.labels):
        if label == "Author" and i not in chosen:
            text = normalise(texts[i])
            allowed[i, column] = any(key in text for key in filter(None, keys))
