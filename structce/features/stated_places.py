"""Where on the page stands what the page states of itself: its headline, authors, description.

A stated name may stand on a page several times: in the byline, in a credit, in related links. One
place is the best, by mark-up and by how near it is to the article; the weights are our choice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from structce.bylines import CREDIT, stated_authors
from structce.features.landmarks import heading_region, headline_parts, is_running, main_mask
from structce.features.memo import once_a_page
from structce.features.naming import meanings
from structce.features.registry import feature
from structce.metadata import Metadata
from structce.page import Page
from structce.text import normalise
from structce.text_index import Span, TextIndex

_LONG = 250  # characters of a region; a longer one is no byline
_MOST_AUTHORS = 12
_LEAST_NAME, _LEAST_HEADLINE, _LEAST_DESCRIPTION = 4, 8, 25  # letters; shorter ones stand anywhere
_BEGINNING = 60  # letters of a description by which a standfirst that ends otherwise is found

Names = list[frozenset[str]]
Place = tuple[int, ...]


@once_a_page
def text_index(page: Page) -> TextIndex:
    """Return the page's normalised text with the way back to regions."""
    return TextIndex(page)


@once_a_page
def article_frame(page: Page) -> tuple[int, int]:
    """Return the first region of the article, its headline, and the last of its running text.

    The whole page where there is no running text.
    """
    running = np.flatnonzero(main_mask(page) & is_running(page))
    if not len(running):
        return 0, max(len(page) - 1, 0)
    first, last = int(running[0]), int(running[-1])
    heading = heading_region(page)
    return (min(heading, first) if 0 <= heading <= last else first), last


def distance(page: Page, i: int) -> int:
    """Return how far a region is from the article: above it in regions, below it twice that."""
    first, last = article_frame(page)
    return first - i if i < first else 2 * max(0, i - last) + (i > last)


def inside(page: Page, *tags: str) -> NDArray[np.bool_]:
    """Return which regions lie in an element of one of the names, shape (n_regions,)."""
    return page.elements.lineage([tag in tags for tag in page.elements.tag])[page.element]


@once_a_page
def in_figure(page: Page) -> NDArray[np.bool_]:
    """Return which regions lie in a figure, shape (n_regions,)."""
    return inside(page, "figure", "figcaption")


@feature("task")
def author_place(page: Page) -> Names:
    """Where a stated author's name stands: the best place, or another one.

    ``whole`` where the region says little else, ``part`` where first and last name are apart. A
    stated name right at the article is a byline; the same name elsewhere rarely is.
    """
    found: list[set[str]] = [set() for _ in range(len(page))]
    for kind, names in zip(("person", "publisher"), stated_authors(page.metadata), strict=True):
        for name in names[:_MOST_AUTHORS]:
            if len(normalise(name)) >= _LEAST_NAME:
                _mark_author(page, kind, name, found)
    return [frozenset(names) for names in found]


def _mark_author(page: Page, kind: str, name: str, found: Sequence[set[str]]) -> None:
    letters = len(normalise(name))
    for n, regions in enumerate(_places(page, name, lambda i: _byline_cost(page, i))):
        rank = "again" if n else "best"
        for i in regions:
            share = letters / max(len(normalise(page.text[i])), 1)
            form = "part" if len(regions) > 1 else "whole" if share >= 0.6 else "in"
            found[i] |= {f"{kind}:{rank}", f"{kind}:{rank}:{form}"}


def _byline_cost(page: Page, i: int) -> float:
    named = {name.lstrip("^") for name in meanings(page)[i]}
    credit = CREDIT.search(page.text[i]) is not None
    return 20.0 * credit + 20.0 * bool(in_figure(page)[i]) - 15.0 * ("author" in named)


def _places(page: Page, text: str, extra: Callable[[int], float]) -> list[Place]:
    """Return where a short text stands, the best place first."""
    index = text_index(page)
    costs: dict[Place, float] = {}
    for span in index.find(text):
        overlaps = list(index.overlapping(span))
        if overlaps and all(len(page.text[i]) <= _LONG for i, _ in overlaps):
            regions = tuple(i for i, _ in overlaps)
            beside = sum(len(page.text[i]) * (1 - share) for i, share in overlaps)
            costs[regions] = distance(page, regions[0]) + beside / 20 + extra(regions[0])
    return sorted(costs, key=lambda regions: (costs[regions], regions))


@feature("task")
def headline_place(page: Page) -> Names:
    """Where a stated headline stands: the best place, inside the best, or another one.

    Headlines cut into a kicker and a title are found as one. What is stated twice, in a breadcrumb
    and above the text, is the title only at the latter.
    """
    found: list[set[str]] = [set() for _ in range(len(page))]
    scores = _headline_scores(page)
    best = max(scores, key=lambda regions: scores[regions], default=())
    for regions in scores:
        rank = "best" if regions == best else "inside" if set(regions) <= set(best) else "again"
        for n, i in enumerate(regions):
            part = "one" if len(regions) == 1 else "more" if n else "first"
            found[i] |= {rank, f"{rank}:{part}"}
    return [frozenset(names) for names in found]


def _headline_scores(page: Page) -> dict[Place, float]:
    """Return how likely each place of a stated headline is the title."""
    index = text_index(page)
    parts = {part for stated in page.metadata.headlines for part in headline_parts(stated)}
    wanted = {key: part for part in sorted(parts) if len(key := normalise(part)) >= _LEAST_HEADLINE}
    scores: dict[Place, float] = {}
    for key, part in wanted.items():
        for span in index.find(part):
            if regions := tuple(index.regions(span)):
                score = _title_score(page, index, span, regions[0]) + min(len(key), 60) / 30
                scores[regions] = max(scores.get(regions, score), score)
    return scores


def _title_score(page: Page, index: TextIndex, span: Span, i: int) -> float:
    first, last = article_frame(page)
    h1, h2, listed, linked = _title_marks(page)
    score = 4.0 * h1[i] + 2.0 * h2[i] - 2.0 * listed[i] - 1.0 * linked[i]
    score += 1.0 * index.fills_block(span) + float(page.styles["font-size"][i]) / 16
    return float(score + 2.0 * (i <= last) - abs(i - first) / 50)


@once_a_page
def _title_marks(page: Page) -> list[NDArray[np.bool_]]:
    listed = inside(page, "nav", "footer", "li")
    return [inside(page, "h1"), inside(page, "h2"), listed, inside(page, "a")]


@feature("task")
def description_place(page: Page) -> Names:
    """Where a stated description stands: the place nearest to the article, or another one.

    Publishers state the standfirst, or the first paragraph, as the page's description.
    """
    found: list[set[str]] = [set() for _ in range(len(page))]
    for stated in _descriptions(page.metadata):
        places = [regions for span in _starts(page, stated) if (regions := _covered(page, span))]
        places.sort(key=lambda regions: distance(page, regions[0]))
        for n, regions in enumerate(places):
            for i in regions:
                found[i].add("again" if n else "best")
    return [frozenset(names) for names in found]


def _descriptions(metadata: Metadata) -> list[str]:
    names = ("og:description", "description")
    contents = [text for name in names for text in metadata.meta.get(name, ())]
    return list(dict.fromkeys([*contents, *metadata.linked("description")]))


def _starts(page: Page, stated: str) -> list[Span]:
    """Return where a description stands, or else where its beginning does."""
    index, letters = text_index(page), normalise(stated)
    if len(letters) < _LEAST_DESCRIPTION:
        return []
    if spans := index.find(stated):
        return spans
    start = index.text.find(letters[:_BEGINNING])
    return [Span(start, start + len(letters[:_BEGINNING]))] if start >= 0 else []


def _covered(page: Page, span: Span) -> list[int]:
    return [i for i, _ in text_index(page).overlapping(span)]
