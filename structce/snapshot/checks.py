"""What holds for every page that a snapshot keeps."""

from __future__ import annotations

import numpy as np

from structce.errors import CorpusError
from structce.page import Page
from structce.snapshot.columns import MAX_EXPANDED
from structce.snapshot.envelope import too_large


def check_page(page: Page, name: str) -> None:
    """Raise an error unless the columns of a page fit together.

    Written and read pages are checked alike, so that what was written can be read.

    Raises
    ------
    CorpusError
        If columns differ in length, point at nothing, or take too much memory.
    """
    claims = {**_shapes(page), "display": _has_display(page)}
    if all(claims.values()):  # what follows would fail on other shapes
        claims |= _ranges(page)
    if wrong := [key for key, holds in claims.items() if not holds]:
        raise CorpusError(f"{name}: a page whose columns do not fit together: {', '.join(wrong)}")
    styles = sum(column.nbytes for column in page.elements.styles.values())
    # A reader holds distinct strings and rows at once: at most twice what the rows take.
    if 2 * styles + sum(map(len, page.xpath)) > MAX_EXPANDED:
        raise too_large(name)


def _shapes(page: Page) -> dict[str, bool]:
    """Return of each column whether it has one row an element, region or comment."""
    n, elements = len(page), page.elements
    rows = (len(elements),)
    return {
        "xpath": len(page.xpath) == n,
        "element": page.element.shape == (n,),
        "breaks": page.breaks.shape == (n,),
        "boxes": page.boxes.shape == (n, 4),
        "spans": page.spans is None or page.spans.shape == (n, 2),
        "comment_places": page.comment_places.shape == (len(page.comments),),
        "attributes": len(elements.attributes) == len(elements),
        "parent": elements.parent.shape == rows,
        "position": elements.position.shape == rows,
        "n_siblings": elements.n_siblings.shape == rows,
        **{f"style {key}": column.shape == rows for key, column in elements.styles.items()},
    }


def _has_display(page: Page) -> bool:
    column = page.elements.styles.get("display")  # which blocks are made of
    return column is not None and column.dtype.kind == "U"


def _ranges(page: Page) -> dict[str, bool]:
    """Return of each column that points somewhere whether there is something."""
    elements, places = page.elements, page.comment_places
    parents_first = (elements.parent >= -1) & (elements.parent < np.arange(len(elements)))
    steps = np.diff(places, prepend=0, append=len(page))
    claims = {
        "parent": bool(parents_first.all()),
        "element": bool(((page.element >= 0) & (page.element < len(elements))).all()),
        "comment_places": bool((steps >= 0).all()),
    }
    if page.spans is not None:
        start, end = page.spans.T
        claims["spans"] = bool(((start >= -1) & (start <= end)).all())
    return claims
