"""Features of stated metadata: publisher, keywords, headline, description, body and image.

Authors and dates have modules of their own, :mod:`structce.features.author_match` and
:mod:`structce.features.date_match`.
"""

from __future__ import annotations

from posixpath import basename
from urllib.parse import unquote

import numpy as np

from structce.addresses import split_address
from structce.arrays import Flags, Floats
from structce.features.cues import compact_text, compact_texts, share_of_text
from structce.features.dom import in_elements, in_link
from structce.features.dom_tree import NameSet, name_sets
from structce.features.landmarks import (
    LIKENESS_BINS,
    Regions,
    article_distance,
    article_frame,
    block_texts,
    headline_parts,
    text_index,
)
from structce.features.registry import JOINED_STRENGTH, SPENGLER, feature, once_a_page
from structce.language import normalise
from structce.page import Metadata, Page, Span, TextIndex, stated_texts

_MIN_STATED = 3  # letters of a stated publisher or keyword that is looked for
_MIN_BLOCK = 20  # letters of a block that may be the description
_MIN_FILE_NAME = 8  # characters of an image's file name; shorter ones are used for many images
_MIN_HEADLINE, _MIN_DESCRIPTION = 8, 25  # letters; shorter texts occur anywhere
_BEGINNING = 60  # letters of a description that find a standfirst with a different ending
_MIN_BODY = 300  # letters of a stated text; a shorter one is an excerpt


@feature("task", source=SPENGLER)
def publisher_cue(page: Page) -> Flags:
    """Region contains the stated publisher's name: bylines of agencies and staff, footers."""
    return publisher_match(page) > 0


@feature("task", bins=LIKENESS_BINS)
def publisher_match(page: Page) -> Floats:
    """Longest stated publisher's name found in the region, as a share of the region's text."""
    stated = map(compact_text, page.metadata.publishers)
    return share_of_text(page, {name for name in stated if len(name) >= _MIN_STATED})


@feature("task", source="schema.org")
def keyword_match(page: Page) -> list[str | None]:
    """Text is a stated ``keyword`` of the page, or the ``section`` it belongs to.

    Keywords appear in lists of topics below the article, the section above the headline.
    """
    kinds = {"section": page.metadata.sections, "keyword": page.metadata.keywords}
    stated = {
        key: kind for kind, texts in kinds.items() for text in texts if (key := compact_text(text))
    }
    known = {key: kind for key, kind in stated.items() if len(key) >= _MIN_STATED}
    return [known.get(text) for text in compact_texts(page)]


@feature("task", strength=JOINED_STRENGTH)
def headline_place(page: Page) -> list[NameSet]:
    """Whether a stated headline occurs here at its best place, inside it, or at another place.

    A headline divided into kicker and title is found as one. If it occurs twice, in a breadcrumb
    and above the text, only the latter is the title.
    """
    ranks: dict[int, set[str]] = {}
    scores = _headline_scores(page)
    best = max(scores, key=lambda regions: scores[regions], default=())
    for regions in scores:
        rank = "best" if regions == best else "inside" if set(regions) <= set(best) else "again"
        for n, i in enumerate(regions):
            part = "one" if len(regions) == 1 else "more" if n else "first"
            ranks.setdefault(i, set()).update((rank, f"{rank}:{part}"))
    return name_sets(page, ranks)


def _headline_scores(page: Page) -> dict[Regions, float]:
    """Return a score for each place of a stated headline, higher if more likely the title."""
    index = text_index(page)
    parts = {part for stated in page.metadata.headlines for part in headline_parts(stated)}
    wanted = {key: part for part in sorted(parts) if len(key := normalise(part)) >= _MIN_HEADLINE}
    scores: dict[Regions, float] = {}
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
def _title_marks(page: Page) -> list[Flags]:
    listed = in_elements(page, ["nav", "footer", "li"])
    return [in_elements(page, ["h1"]), in_elements(page, ["h2"]), listed, in_link(page)]


@feature("task", bins=LIKENESS_BINS)
def description_match(page: Page) -> Floats:
    """Share of the block's letters that also begin the page's description: high in standfirsts."""
    stated = normalise(page.metadata.description)
    if not stated:
        return np.zeros(len(page))
    texts = block_texts(page)
    shares = {text: _common_start(text, stated) for text in set(texts) if len(text) >= _MIN_BLOCK}
    return np.array([shares.get(text, 0.0) for text in texts], dtype=np.float64)


def _common_start(text: str, stated: str) -> float:
    """Return the share of a text found in another: 1, or its common prefix with the other."""
    if text in stated:
        return 1.0
    if text[0] != stated[0]:
        return 0.0
    length = next((n for n, (a, b) in enumerate(zip(text, stated, strict=False)) if a != b), 0)
    return length / len(text)


@feature("task", strength=JOINED_STRENGTH)
def description_place(page: Page) -> list[NameSet]:
    """Whether a stated description occurs here nearest to the article, or at another place.

    Publishers state the standfirst or the first paragraph as the page's description.
    """
    ranks: dict[int, set[str]] = {}
    for stated in _descriptions(page.metadata):
        covered = map(text_index(page).overlapping, _description_spans(page, stated))
        places = [regions for overlaps in covered if (regions := [i for i, _ in overlaps])]
        places.sort(key=lambda regions: article_distance(page, regions[0]))
        for n, regions in enumerate(places):
            for i in regions:
                ranks.setdefault(i, set()).add("again" if n else "best")
    return name_sets(page, ranks)


def _descriptions(metadata: Metadata) -> list[str]:
    names = ("og:description", "description")
    contents = [text for name in names for text in metadata.meta.get(name, ())]
    return list(dict.fromkeys([*contents, *metadata.linked("description")]))


def _description_spans(page: Page, stated: str) -> list[Span]:
    """Return where a description occurs, or else where its beginning does."""
    index, letters = text_index(page), normalise(stated)
    if len(letters) < _MIN_DESCRIPTION:
        return []
    if spans := index.find(stated):
        return spans
    start = index.text.find(letters[:_BEGINNING])
    return [Span(start, start + len(letters[:_BEGINNING]))] if start >= 0 else []


@feature("task", strength=JOINED_STRENGTH)
def body_match(page: Page) -> list[str | None]:
    """Whether the text is part of the article's text as stated in the page's metadata.

    Unknown if no text is stated; publishers seldom include headings and captions in it.
    """
    stated = normalise(" ".join(stated_texts(page.metadata)["content"]))
    if len(stated) < _MIN_BODY:
        return [None] * len(page)
    index = text_index(page)
    kinds: list[str | None] = []
    for start, end in zip(index.starts[:-1], index.starts[1:], strict=True):
        text = index.text[start:end]
        kind = f"{'in' if text in stated else 'out'}:{'long' if end - start > 40 else 'short'}"
        kinds.append(kind if end - start >= 4 else None)
    return kinds


@feature("task")
def stated_image(page: Page) -> Flags:
    """Image with the file name of an image stated in the page's metadata."""
    stated = {
        name for url in page.metadata.images if len(name := _file_name(url)) >= _MIN_FILE_NAME
    }
    is_stated = np.zeros(len(page), dtype=bool)
    for i in np.flatnonzero(page.is_media).tolist() if stated else ():
        values = unquote("\n".join(page.attributes[i].values()))
        is_stated[i] = any(name in values for name in stated)
    return is_stated


def _file_name(url: str) -> str:
    return basename(unquote(split_address(url).path))
