"""Views of a page: the same page with less of its metadata, or with some of its regions.

A model trained on unchanged pages relies on their metadata, which many pages lack. Trained on
random views, it also learns what pages look like: metadata are dropped as dropout drops units of a
network.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import compress
from typing import Literal, get_args
from zlib import crc32

import numpy as np
from msgspec import structs

from structce.arrays import Flags
from structce.corpus.corpus import Corpus
from structce.corpus.storage import LabelledPage
from structce.errors import CorpusError
from structce.page import Elements, Metadata, Page

View = Literal["stated", "unstructured", "bare", "nothing"]
VIEWS: tuple[View, ...] = get_args(View)
"""Share of its metadata that a page keeps, from all of it to none; see :func:`hide_metadata`."""

_STRUCTURED = frozenset(  # microdata and RDFa
    {"itemprop", "itemscope", "itemtype", "itemid", "itemref", "property", "typeof", "vocab"}
)
_MOMENTS = _STRUCTURED | {"datetime"}
# Metadata that are kept, and attributes that are hidden.
_KEPT = {
    "unstructured": (("title", "meta", "times", "author_links"), _STRUCTURED),
    "bare": (("title", "author_links"), _MOMENTS),
    "nothing": ((), _MOMENTS | {"rel"}),
}


def hide_metadata(page: Page, view: View) -> Page:
    """Return a page without a part of its metadata; the regions do not change.

    ``stated`` is the page itself. ``unstructured`` lacks JSON-LD, microdata and RDFa. ``bare`` also
    lacks ``meta`` elements and moments in ``datetime`` attributes; it keeps the ``title`` element
    and links that ``rel`` calls the author's. ``nothing`` lacks these as well. Raises CorpusError
    if there is no such view.
    """
    if view not in VIEWS:
        raise CorpusError(f"view {view!r}; expected one of {', '.join(VIEWS)}")
    if view == "stated":
        return page
    names, hidden = _KEPT[view]
    kept = Metadata(**{name: getattr(page.metadata, name) for name in names})
    rows = tuple(
        row
        if hidden.isdisjoint(row)
        else {name: value for name, value in row.items() if name not in hidden}
        for row in page.elements.attributes
    )
    elements = structs.replace(page.elements, attributes=rows)
    return structs.replace(page, metadata=kept, elements=elements)


def keep_regions(page: Page, kept: Flags) -> Page:
    """Return a page with some of its regions, and the elements above these.

    Elements keep their positions among siblings. ``kept`` has shape (n_regions,).
    """
    if kept.all():
        return page
    elements = page.elements
    stays = np.zeros(len(elements), dtype=bool)
    stays[page.element[kept]] = True
    for i in range(len(stays) - 1, -1, -1):
        if stays[i] and elements.parents[i] >= 0:
            stays[elements.parents[i]] = True
    numbers = np.cumsum(stays) - 1
    order = {old: new for new, old in enumerate(np.flatnonzero(kept).tolist())}
    parents = elements.parent[stays]
    before = np.concatenate([[0], np.cumsum(kept)])
    return structs.replace(
        page,
        elements=Elements(
            tag=tuple(compress(elements.tag, stays)),
            parent=np.where(parents >= 0, numbers[parents], -1).astype(np.int32),
            attributes=tuple(compress(elements.attributes, stays)),
            position=elements.position[stays],
            n_siblings=elements.n_siblings[stays],
            styles={name: column[stays] for name, column in elements.styles.items()},
        ),
        text=tuple(compress(page.text, kept)),
        element=numbers[page.element[kept]].astype(np.int32),
        xpath=tuple(compress(page.xpath, kept)),
        breaks=page.breaks[kept],
        boxes=page.boxes[kept],
        comment_places=before[page.comment_places].astype(np.int32),
        spans=None if page.spans is None else page.spans[kept],
        joins=None if page.joins is None else page.joins[kept],
        preformatted={order[i]: text for i, text in page.preformatted.items() if i in order},
    )


def views_of(
    corpus: Corpus, shares: Mapping[str, float], *, seed: int = 0, n_views: int = 1
) -> Corpus:
    """Return a corpus with each page in ``n_views`` different views, drawn at random.

    ``shares`` are the probabilities of the views, with sum 1. The views of a page depend only on
    its id and the seed, so that it has the same views in a part of the corpus as in the whole. One
    of several views is appended to the id of the page, after a dot. The notes state, as ``views``,
    the number of pages in each. Raises CorpusError if a view is unknown, the shares are not such
    probabilities, or too few of them are above 0 for so many views.
    """
    if unknown := [name for name in shares if name not in VIEWS]:
        raise CorpusError(f"view {unknown[0]!r}; expected one of {', '.join(VIEWS)}")
    if min(shares.values(), default=0) < 0 or abs(sum(shares.values()) - 1) > 1e-6:
        raise CorpusError(f"shares of views {dict(shares)}; expected ones of sum 1, none below 0")
    n_likely = sum(share > 0 for share in shares.values())
    if not 1 <= n_views <= n_likely:
        raise CorpusError(f"{n_views} views of each page; expected 1 to {n_likely}, as drawn from")
    weights = np.array([shares.get(view, 0.0) for view in VIEWS])
    pages: list[LabelledPage] = []
    counts = dict.fromkeys(shares, 0)
    for labelled in corpus:
        rng = np.random.default_rng([seed, crc32(labelled.id.encode())])
        drawn = rng.choice(len(VIEWS), size=n_views, replace=False, p=weights / weights.sum())
        for view in (VIEWS[i] for i in sorted(drawn.tolist())):
            counts[view] += 1
            name = labelled.id if n_views == 1 else f"{labelled.id}.{view}"
            pages.append(replace(labelled, id=name, page=hide_metadata(labelled.page, view)))
    return replace(corpus, pages=tuple(pages), notes={**corpus.notes, "views": counts})
