"""Roles of regions: labels judged by the whole page, and reconciled with its article.

Whether a bold line is the heading of a section or of a teaser depends on where the body begins and
ends, on the headings around it and on its container. Boosted trees of all labels weigh these for
every region that the learner doubts.

If labels and article disagree, the article is right more often, since it compares all candidates of
a field: its choices are clamped, labels that it refused are forbidden, and the other regions are
decoded again from their label probabilities.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from msgspec.structs import replace
from numpy.typing import ArrayLike

from structce.arrays import Flags, Floats, Floats32, Integers, Integers32
from structce.article.block_columns import BLOCK_COLUMNS, numbers_of_tags
from structce.article.choice import Choice
from structce.article.evidence import SURROUNDINGS, Evidence, evidence_of, named_columns
from structce.features import advertising, cues, metadata_match, text
from structce.labelling import ArticleTrees, Labelling
from structce.language import SENTENCE_ENDS, normalise
from structce.learners import BoostedTrees

_ALL = tuple("Paragraph Subtitle None Caption Multimedia Advertisement Title Author Date".split())
_PIECES = _ALL[:5]  # labels whose probability in the blocks around a region is a feature
_SUMMED = ("Paragraph", "Subtitle", "Caption")
_SUMMED_AT = [*map(_ALL.index, _SUMMED)]
_SURE = 0.98  # probability of the background from which a region is not judged again
_SHORT = 80  # characters of a text that a word for advertisements may announce as one
_TAGS = numbers_of_tags(
    "figure, figcaption, aside, strong b, em i, a, img picture, video, iframe, li, h1, h2, h3,"
    "h4, p, div, span, ins, small, time, button, td, blockquote"
)
_FIELDS = ("Title", "Author", "Date")
_NEAR = frozenset({"own", "near"})
_CALLED = 0.51  # probability that a region marked as an advertisement is one; 148 of 291 judged
_LEAST = 1e-9  # keeps divisions finite
_ENDS = np.array([*map(ord, SENTENCE_ENDS)])[:, None]
_NAMED: Mapping[str | None, int] = {None: 0, "far": 1, "near": 2, "own": 3}

ROLE_COLUMNS = (
    *(f"block_{name}" for name in BLOCK_COLUMNS),
    *(f"p_{name}" for name in _ALL),
    *(f"highest_{name}" for name in _ALL),
    *(f"block_p_{name}" for name in _PIECES),
    *(f"block_p_{name}{offset:+d}" for name in _PIECES for offset in (-2, -1, 1, 2)),
    *(f"p_{name}{offset:+d}" for name in _ALL for offset in (-1, 1)),
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
    names = advertising.advertisement_name(evidence.page)
    doubtful: Flags = evidence.probability("None") < _SURE
    return doubtful | np.array([name is not None for name in names]) if any(names) else doubtful


def advertised_regions(evidence: Evidence) -> Flags:
    """Return which regions are marked as advertisements, by themselves or by elements near them.

    Marks are the class, id or label of elements, hosts of addresses, sponsored links, and short
    texts with what they announce. Texts in links do not count: they lead to advertisements.
    """
    page = evidence.page
    names = advertising.advertisement_name(page)
    paid = advertising.advertisement_host(page) | advertising.sponsored_link(page)
    called: Flags = paid | advertising.announced_regions(page)
    return called | np.array([name in _NEAR for name in names]) if any(names) else called


def role_rows(evidence: Evidence, blocks: Floats | Floats32, regions: Integers) -> Floats32:
    """Return the features from which the roles of some regions are judged, (n_some, n_columns).

    The columns are ``ROLE_COLUMNS``. ``blocks`` are the features of the blocks, see
    :func:`structce.article.block_columns`, here with a row for each block.
    """
    rows = np.empty((len(regions), len(ROLE_COLUMNS)), dtype=np.float32)
    if len(regions):
        values = _own_values(evidence, regions)
        own = np.empty((len(values), len(regions)))
        for row, of_regions in zip(own, values, strict=True):
            row[:] = of_regions
        rows[:, : len(BLOCK_COLUMNS)] = blocks[evidence.page.blocks[regions]]
        rows[:, len(BLOCK_COLUMNS) :] = np.concatenate([*_label_rows(evidence, regions), own]).T
    return rows


def _label_rows(evidence: Evidence, regions: Integers) -> list[Floats]:
    """Return the learner's probabilities for the regions, their blocks and neighbours.

    ``highest_Title`` is the highest of the page, ``block_p_Title-1`` the mean of the block before,
    ``p_Title-1`` that of the region before, and ``sum_Caption_after`` the sum of those that follow.
    """
    own_block, n = evidence.page.blocks[regions], len(regions)
    p = np.array([evidence.probability(name) for name in _ALL])
    means = np.add.reduceat(p[: len(_PIECES)], evidence.block_starts, axis=1)
    means /= np.bincount(evidence.page.blocks)
    sums = p[_SUMMED_AT].cumsum(axis=1)
    of_regions, of_blocks = _neighbours(p, regions, 1), _neighbours(means, own_block, 2)
    before = sums[:, regions]
    return [
        of_regions[:, 1],
        p.max(axis=1, keepdims=True).repeat(n, axis=1),
        of_blocks[:, 2],
        of_blocks[:, [0, 1, 3, 4]].reshape(-1, n),
        of_regions[:, ::2].reshape(-1, n),
        np.array([before, sums[:, -1:] - before]).swapaxes(0, 1).reshape(-1, n),
    ]


def _neighbours(values: Floats, places: Integers | Integers32, reach: int) -> Floats:
    """Return the values at places and around, NaN beyond the page, (n_rows, 2 * reach + 1, n)."""
    padded = np.full((len(values), values.shape[1] + 2 * reach), np.nan)
    padded[:, reach:-reach] = values
    return padded.take(places + np.arange(2 * reach + 1)[:, None], axis=1)


def _own_values(evidence: Evidence, regions: Integers) -> Sequence[ArrayLike]:
    """Return features of the regions themselves and of their places, each (n_some,) or a number.

    ``from_title`` and ``from_paragraph`` count the regions from the title and from the first likely
    paragraph, ``in_related`` and the like are the named parts of the page around a region.
    """
    page, indices = evidence.page, regions.tolist()
    element = page.element[regions]
    lines = [page.text[i] for i in indices]
    is_paragraph = evidence.probability("Paragraph") > 0.5
    first = int(is_paragraph.argmax()) if is_paragraph.any() else len(page)
    names, names_of = advertising.advertisement_name(page), cues.page_cues(page)
    tags = evidence.tag_codes(_TAGS)
    return (
        np.log1p(evidence.chars[regions]),
        text.space_counts(page)[regions],
        tags[element],
        tags[page.elements.parent[element]],
        page.is_media[regions],
        regions - evidence.block_starts[page.blocks[regions]],
        np.minimum(np.maximum(regions - evidence.title_region, -100), 300),
        np.minimum(np.maximum(regions - first, -100), 300),
        regions / len(page),
        [line[:1].isupper() for line in lines],
        (text.last_characters(page)[regions] == _ENDS).any(axis=0),
        evidence.in_link[regions],
        evidence.level[regions],
        evidence.landmark[element],
        *evidence.surrounding_rows(element),
        [_NAMED[names[i]] for i in indices] if any(names) else 0,
        advertising.advertisement_host(page)[regions],
        advertising.sponsored_link(page)[regions],
        [
            "advertisement-cue" in names_of[i] and len(line) <= _SHORT
            for i, line in zip(indices, lines, strict=True)
        ],
        metadata_match.description_match(page)[regions],
    )


def assign_roles(
    labelling: Labelling, evidence: Evidence, blocks: Floats32, is_body: Flags, trees: ArticleTrees
) -> Labelling:
    """Return a labelling whose regions have the roles that the whole page suggests.

    The trees divide the probability of all labels that they know among these. Outside the body no
    region is Paragraph, and regions marked as advertisements are Advertisement. A model without
    trees of roles changes nothing. ``blocks`` are the features of the blocks, a row for each.
    """
    labels, marginals = list(labelling.labels), evidence.marginals.copy()
    known_labels = [name for name in evidence.labels if name in trees.roles]
    if not known_labels or not len(labels):
        return replace(labelling, marginals=marginals)
    regions = np.flatnonzero(doubtful_regions(evidence))
    places = regions[:, None], np.array([evidence.labels.index(name) for name in known_labels])
    judges = [trees.roles[name] for name in known_labels]
    rows = role_rows(evidence, blocks, regions)
    rows = named_columns(rows, ROLE_COLUMNS, judges[0].names)
    given = marginals[places].sum(axis=1, keepdims=True)
    marginals[places] = given * BoostedTrees.class_probabilities(judges, rows)
    if "Paragraph" in evidence.labels:  # outside the body its probability is of other labels
        column = evidence.labels.index("Paragraph")
        outside = np.flatnonzero(~is_body)
        of_outside = marginals[outside]
        others = 1 - of_outside[:, column]
        of_outside[:, column] = 0
        marginals[outside] = of_outside / np.maximum(others, _LEAST)[:, None]
    _mark_advertisements(evidence, marginals, is_body)
    best = marginals.argmax(axis=1)
    names = tuple(map(evidence.labels.__getitem__, best.tolist()))
    return replace(labelling, labels=names, confidence=marginals.max(axis=1), marginals=marginals)


def _mark_advertisements(evidence: Evidence, marginals: Floats, is_body: Flags) -> None:
    """Make marked regions Advertisement, except in the body and in the fields of the page."""
    if "Advertisement" not in evidence.labels:
        return
    called = np.flatnonzero(advertised_regions(evidence) & ~is_body)
    if len(called):
        is_field = np.array([name in _FIELDS for name in evidence.labels])
        called = called[~is_field[marginals[called].argmax(axis=1)]]
    column = evidence.labels.index("Advertisement")
    p = np.maximum(marginals[called, column], _CALLED)
    marginals[called] *= ((1 - p) / np.maximum(1 - marginals[called, column], _LEAST))[:, None]
    marginals[called, column] = p


def reconcile_labels(
    labelling: Labelling, *, title: Choice | None, day: Choice | None, authors: Sequence[Choice]
) -> Labelling:
    """Return a labelling that is consistent with the choices of its article.

    The regions of the title, and no others, are Title; if no region shows it, the likeliest run of
    Title is kept. Regions of the date are Date, those of an author Author. A region of several
    values gets the label of the first of title, date and author that begins there, otherwise of the
    first that continues there. No other region is Author, except one that names an author whom only
    metadata state. Each remaining region gets the likeliest of its remaining labels: posterior
    decoding under constraints. The confidence of a clamped region is that of the value, or that of
    its label if higher.
    """
    page, names = labelling.page, labelling.label_set.names
    marginals, background = evidence_of(labelling).marginals, labelling.label_set.background
    labels, confidence = list(labelling.labels), labelling.confidence.copy()
    begun: dict[int, tuple[str, float]] = {}
    continued: dict[int, tuple[str, float]] = {}
    fields = [("Title", title), ("Date", day), *(("Author", author) for author in authors)]
    for label, choice in fields:
        if choice is not None and label in names:
            for n, i in enumerate(_regions_of(choice, page.text, label)):
                (continued if n else begun).setdefault(i, (label, choice.confidence))
    allowed = {
        "Title": _title_regions(labelling, title),
        "Author": {i for choice in authors for i in _regions_of(choice, page.text, "Author")},
    }
    keys = [normalise(own.candidate.value) for own in authors if not own.candidate.regions]
    for i, label in enumerate(labels):
        if label not in allowed or i in allowed[label]:
            continue
        letters = page.letters[i]
        if label == "Author" and any(key in letters for key in filter(None, keys)):
            continue
        scores = marginals[i].copy()
        scores[[names.index(own) for own in allowed if own in names and i not in allowed[own]]] = -1
        labels[i] = names[int(scores.argmax())] if scores.max() > 0 else background
        confidence[i] = marginals[i, names.index(labels[i])]
    for i, (label, sureness) in (continued | begun).items():
        before = confidence[i] if labels[i] == label else 0.0
        labels[i], confidence[i] = label, max(sureness, before)
    return replace(labelling, labels=tuple(labels), confidence=confidence)


def _regions_of(choice: Choice, texts: Sequence[str], label: str) -> list[int]:
    """Return the regions of a choice; of a name, the first and those that contain part of it."""
    regions, key = sorted(choice.candidate.regions), normalise(choice.candidate.value)
    if label != "Author":
        return regions
    keys = {i: normalise(texts[i]) for i in regions}
    return [i for i, own in keys.items() if i == regions[0] or own in key or key in own]


def _title_regions(labelling: Labelling, title: Choice | None) -> Collection[int]:
    """Return the regions that may be Title: those of the title, or the likeliest run of Title."""
    if title is None or title.candidate.regions or "Title" not in labelling.labels:
        return title.candidate.regions if title else ()
    named, blocks = (
        [i for i, own in enumerate(labelling.labels) if own == "Title"],
        labelling.page.blocks,
    )
    best = max(named, key=lambda i: float(labelling.confidence[i]))
    return [i for i in named if blocks[i] == blocks[best]]
