"""Titles: headings, likely blocks and stated titles, and which of them may be the article's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np
from rapidfuzz import fuzz

from structce.addresses import split_address
from structce.article.candidates import (
    REGION_COLUMNS,
    STATED_COLUMNS,
    UNKNOWN,
    CandidateBuilder,
    Row,
    ValueCandidate,
)
from structce.article.evidence import Evidence
from structce.language import normalise, normalise_texts
from structce.page import Statement, stated_titles, without_site

MAX_TITLE = 400
"""Greatest number of characters of a title."""

_MAX_PARTS = 4  # elements of a heading that may each be the headline
_WHOLE, _FIRST, _LAST, _MIDDLE = range(4)  # positions of a part in its heading
_OTHER_LABELS = ("None", "Paragraph", "Subtitle")
_SHARED = frozenset({"og", "json-ld", "twitter"})  # sources that state titles for other sites
_HEADED = 0.5  # probability of a title from which its region is the page's headline
_SHORT_HOST = 3  # characters of a name that may be part of any host's
_FRONT_PAGE = frozenset("home homepage start startseite index untitled".split())

TITLE_COLUMNS = (
    *REGION_COLUMNS,
    *STATED_COLUMNS,
    *"""
    p_none p_paragraph p_subtitle n_words like_window in_window like_stated like_best is_publisher
    n_same n_level window_share is_whole part part_share font_size holds_shown held_by_shown
    site_words
    """.split(),
)
"""Columns of the candidates of a title."""


_NO_PART = (UNKNOWN,) * 4
_NO_REGION = (UNKNOWN,) * len(_OTHER_LABELS)


def title_candidates(evidence: Evidence) -> list[ValueCandidate]:
    """Return the candidates of the title: likely blocks, headings, and stated titles."""
    builder = CandidateBuilder(evidence, "Title", normalise, least=0.01, n=6)
    page = evidence.page
    headings = np.flatnonzero(evidence.level[evidence.block_starts] == 1).tolist()
    for rank, block in enumerate(dict.fromkeys([*builder.blocks, *headings[:4]])):
        whole = [i for i in evidence.regions_of(block) if page.text[i]]
        for regions, needs_trees in _title_parts(evidence, builder.p, whole):
            text = evidence.text_of(regions)
            if 0 < len(text) <= MAX_TITLE and (key := builder.new_key(text)):
                candidate = ValueCandidate(text, tuple(regions), needs_trees=needs_trees)
                builder.shown[key] = _part_row(evidence, regions, whole, block)
                builder.add_visible(key, candidate, rank)
    visible = [candidate.value for candidate in builder.values()]
    statements = []
    for statement in stated_titles(page.metadata):
        short = without_site(statement.value, visible, page.metadata.publishers)
        statements.append(statement)
        if short != statement.value:  # the rest is a visible heading
            statements.append(Statement(short, statement.source))
    builder.add_statements(statements)
    return builder.finish(TITLE_COLUMNS, _compared_titles(builder))


def _title_parts(
    evidence: Evidence, p: Sequence[float], regions: list[int]
) -> Iterator[tuple[list[int], bool]]:
    """Yield the regions of a block and of its parts, and whether trees must judge these."""
    yield regions, False
    if len(regions) < 2:
        return
    least = 0.5 * max(p[i] for i in regions)
    likely = [i for i in regions if p[i] >= least]
    if len(likely) < len(regions):
        yield list(range(likely[0], likely[-1] + 1)), False
    if evidence.page.breaks[regions[1:]].any():  # one part per line
        yield [max(regions, key=lambda i: p[i])], False
    parts = _child_elements(evidence, regions)
    if 1 < len(parts) <= _MAX_PARTS:
        yield from ((part, True) for part in parts)


def _child_elements(evidence: Evidence, regions: Sequence[int]) -> list[list[int]]:
    """Return the regions of a block, grouped by the child of its element that they are in."""
    page = evidence.page
    parents, holder = page.elements.parent, int(page.block_element[regions[0]])
    parts: list[list[int]] = []
    last = -1
    for i in regions:
        child = int(page.element[i])
        while child != holder and (above := int(parents[child])) not in (holder, -1):
            child = above
        if child == last and child != holder:
            parts[-1].append(i)
        else:
            parts.append([i])
        last = child
    return parts


def _part_row(
    evidence: Evidence, regions: Sequence[int], whole: Sequence[int], block: int
) -> tuple[float, float, float, float]:
    """Return ``is_whole``, ``part``, ``part_share`` and ``font_size`` of a part of a block."""
    page = evidence.page
    is_first, is_last = regions[0] == whole[0], regions[-1] == whole[-1]
    part = (_WHOLE if is_last else _FIRST) if is_first else (_LAST if is_last else _MIDDLE)
    n_part, n_whole = (sum([len(page.text[i]) for i in group]) for group in (regions, whole))
    is_whole = len(regions) == len(evidence.regions_of(block))
    size = page.elements.styles["font-size"].item(page.element[regions[0]])
    return is_whole, part, n_part / max(n_whole, 1), float(size)


def _compared_titles(builder: CandidateBuilder) -> Iterator[Row]:
    """Yield the title's own features of each candidate: its likeness to others and to the site."""
    evidence, metadata = builder.evidence, builder.evidence.page.metadata
    window, n_same = normalise(metadata.title), Counter(evidence.normalised)
    visible = [key for key, candidate in builder.items() if candidate.regions]
    best = max(visible, key=lambda key: builder[key].p, default="")
    stated = [key for key, title in builder.items() if not _SHARED.isdisjoint(title.sources)]
    others = [evidence.probability(name) for name in _OTHER_LABELS]
    n_levels = np.bincount(evidence.level[evidence.block_starts], minlength=7)
    host = split_address(evidence.page.url).hostname or ""
    names = [word for name in metadata.publishers for word in name.split()]
    site = {*normalise_texts([*names, *evidence.publishers, *host.split(".")])} - {""}
    written = [candidate.value.split() for candidate in builder.values()]
    words = iter(normalise_texts([word for own in written for word in own]))
    for (key, candidate), own in zip(builder.items(), written, strict=True):
        n_level, of_labels = UNKNOWN, _NO_REGION
        if regions := candidate.regions:
            of_labels = tuple([sum([p.item(i) for i in regions]) / len(regions) for p in others])
            n_level = n_levels.item(evidence.level[regions[0]])
        like_window = in_window = window_share = UNKNOWN
        if window:
            like_window, in_window = fuzz.ratio(key, window), key in window
            window_share = len(key) / len(window)
        rivals = [fuzz.ratio(key, text) for text in stated if text != key]
        like_stated = max(rivals, default=UNKNOWN)
        like_best = fuzz.ratio(key, best) if best else UNKNOWN
        apart = [text for text in visible if text != key]
        parts = [len(part) / len(key) for part in apart if part in key]
        wholes = [len(key) / len(whole) for whole in apart if key in whole]
        keys = [word for word in islice(words, len(own)) if word]
        site_words = sum([word in site for word in keys]) / max(len(keys), 1)
        yield (
            *of_labels, len(own), like_window, in_window, like_stated, like_best,
            key in evidence.publishers, n_same[key], n_level, window_share,
            *builder.shown.get(key, _NO_PART),
            max(parts, default=0.0), max(wholes, default=0.0), site_words,
        )  # fmt: skip


def eligible_titles(candidates: Sequence[ValueCandidate], evidence: Evidence) -> list[int]:
    """Return the indices of the titles that may be the article's.

    Beside a headline of the page, which is a heading of the first level or a likely title, one that
    only adds the site is not, nor is one that names the site or its front page.
    """
    publishers = evidence.page.metadata.publishers
    keys = [normalise(candidate.value) for candidate in candidates]
    host = normalise(split_address(evidence.page.url).hostname or "")
    of_site = {
        key
        for key in keys
        if (len(key) > _SHORT_HOST and key in host)
        or key in evidence.publishers
        or key in _FRONT_PAGE
    }
    headlines = {
        key: title.value
        for key, title in zip(keys, candidates, strict=True)
        if title.regions and (evidence.level[title.regions[0]] == 1 or title.p >= _HEADED)
    }
    has_headline = not of_site.issuperset(headlines)

    def is_eligible(key: str, candidate: ValueCandidate) -> bool:
        if key in headlines or (has_headline and key in of_site):
            return key in headlines
        if candidate.regions:
            return True
        short = without_site(candidate.value, headlines.values(), publishers)
        return normalise(short) not in headlines

    return [n for n, pair in enumerate(zip(keys, candidates, strict=True)) if is_eligible(*pair)]
