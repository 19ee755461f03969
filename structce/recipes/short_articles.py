"""Short articles: pages whose body was cut to its first paragraphs, as examples of bodies.

On a news page, a report of a hundred words may be surrounded by teasers that are longer. Few
pages with gold are of this kind, and trees that have seen none take the teasers for the article. A
copy of a page without most of its body is such an example; the rest of the page is unchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from zlib import crc32

import numpy as np

from structce.article import Evidence
from structce.corpus import keep_regions
from structce.labels import allowed_names

_BODY = frozenset({"Paragraph", "Subtitle", "Caption"})
_LONG_BLOCK = 80  # characters of a block that counts as a paragraph
_LEAST_BLOCKS = 4  # paragraphs of an article that may be cut
_MOST_KEPT = 3  # paragraphs of a short article


def short_article(
    evidence: Evidence, labels: Sequence[str], name: str
) -> tuple[Evidence, list[str]] | None:
    """Return a page with the first paragraphs of its body only, and its labels.

    The label probabilities of the remaining regions are unchanged.

    Parameters
    ----------
    name
        Name of the page, which determines the number of paragraphs kept, one to three.

    Returns
    -------
    None for a page whose body is too short to be cut.
    """
    sets = [allowed_names(label) for label in labels]
    is_body = np.array([not names.isdisjoint(_BODY) for names in sets], dtype=bool)
    is_known = np.array([bool(names) for names in sets], dtype=bool)
    chars = np.add.reduceat(evidence.lengths * is_body, evidence.starts)
    paragraphs = np.flatnonzero(chars >= _LONG_BLOCK)
    if len(paragraphs) < _LEAST_BLOCKS:
        return None
    n_kept = 1 + crc32(name.encode()) % _MOST_KEPT
    blocks = evidence.page.blocks
    is_inside = (blocks > paragraphs[n_kept - 1]) & (blocks <= paragraphs[-1])
    kept = ~(is_inside & (is_body | ~is_known))
    page = keep_regions(evidence.page, kept)
    left = [label for label, is_kept in zip(labels, kept.tolist(), strict=True) if is_kept]
    return replace(evidence, page=page, marginals=evidence.marginals[kept]), left
