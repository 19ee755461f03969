"""Titles: headings, likely blocks and stated titles, and which of them may be the article's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from rapidfuzz import fuzz

from structce.addresses import split_address
from structce.article.candidates import (
    REGION_COLUMNS,
    STATED_COLUMNS,
    CandidateBuilder,
    ValueCandidate,
    region_mean,
)
from structce.article.evidence import Evidence, likely_blocks, word_key
from structce.language import normalise
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


def title_candidates(evidence: Evidence) -> list[ValueCandidate]:
    """Return the candidates of the title: likely blocks, headings, and stated titles."""
    builder = CandidateBuilder(evidence, "Title", normalise)
    page = evidence.page
    blocks = likely_blocks(evidence, builder.p, least=0.01, n_most=6)
    headings = np.flatnonzero(evidence.level[evidence.block_starts] == 1).tolist()
    for rank, block in enumerate(dict.fromkeys([*blocks, *headings[:4]])):
        whole = [i for i in evidence.regions_of(block) if page.text[i]]
        for regions, needs_trees in _title_parts(evidence, builder.p_of_regions, whole):
            text = evidence.text_of(regions)
            if 0 < len(text) <= MAX_TITLE and (key := builder.new_key(text)):
                candidate = ValueCandidate(text, tuple(regions), needs_trees=needs_trees)
                candidate.features |= _part_features(evidence, regions, whole, block)
                builder.add_visible(key, candidate, rank)
    visible = [candidate.value for candidate in builder.values()]
    statements = []
    for statement in stated_titles(page.metadata):
        short = without_site(statement.value, visible, page.metadata.publishers)
        statements.append(statement)
        if short != statement.value:  # the rest is a visible heading
            statements.append(Statement(short, statement.source))
    builder.add_statements(statements)
    _compare_titles(builder)
    return list(builder.values())


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


def _part_features(
    evidence: Evidence, regions: Sequence[int], whole: Sequence[int], block: int
) -> dict[str, float]:
    page = evidence.page
    is_first, is_last = regions[0] == whole[0], regions[-1] == whole[-1]
    part = (_WHOLE if is_last else _FIRST) if is_first else (_LAST if is_last else _MIDDLE)
    n_part, n_whole = (sum([len(page.text[i]) for i in group]) for group in (regions, whole))
    return {
        "is_whole": float(len(regions) == len(evidence.regions_of(block))),
        "part": float(part),
        "part_share": n_part / max(n_whole, 1),
        "font_size": float(page.elements.styles["font-size"][page.element[regions[0]]]),
    }


def _compare_titles(builder: CandidateBuilder) -> None:
    """Add to each candidate its likeness to the others, to the window's title and to the site."""
    evidence, metadata = builder.evidence, builder.evidence.page.metadata
    window, n_same = normalise(metadata.title), Counter(evidence.normalised)
    visible = [key for key, candidate in builder.items() if candidate.regions]
    best = max(visible, key=lambda key: builder[key].p, default="")
    stated = [
        key for key, candidate in builder.items() if not _SHARED.isdisjoint(candidate.sources)
    ]
    others = {f"p_{name.lower()}": evidence.probability(name) for name in _OTHER_LABELS}
    n_levels = np.bincount(evidence.level[evidence.block_starts], minlength=7).tolist()
    host = split_address(evidence.page.url).hostname or ""
    names = [word for name in metadata.publishers for word in name.split()]
    site = {*map(normalise, [*names, *evidence.publishers, *host.split(".")])} - {""}
    for key, candidate in builder.items():
        features, length = candidate.features, len(key)
        written = candidate.value.split()
        features["n_words"] = float(len(written))
        if window:
            features["like_window"] = fuzz.ratio(key, window)
            features["in_window"] = float(key in window)
            features["window_share"] = length / len(window)
        if rivals := [text for text in stated if text != key]:
            features["like_stated"] = max([fuzz.ratio(key, text) for text in rivals])
        if best:
            features["like_best"] = fuzz.ratio(key, best)
        features["is_publisher"] = float(key in evidence.publishers)
        features["n_same"] = float(n_same[key])
        apart = [text for text in visible if text != key]
        parts = [len(part) / length for part in apart if part in key]
        wholes = [length / len(whole) for whole in apart if key in whole]
        features["holds_shown"] = max(parts, default=0.0)
        features["held_by_shown"] = max(wholes, default=0.0)
        words = [*filter(None, map(word_key, written))]
        features["site_words"] = sum([word in site for word in words]) / max(len(words), 1)
        if candidate.regions:
            features |= {name: region_mean(p, candidate.regions) for name, p in others.items()}
            features["n_level"] = float(n_levels[int(features["level"])])


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
        key: candidate.value
        for key, candidate in zip(keys, candidates, strict=True)
        if candidate.regions and (candidate.features.get("level") == 1 or candidate.p >= _HEADED)
    }
    has_headline = not of_site.issuperset(headlines)

    def is_eligible(key: str, candidate: ValueCandidate) -> bool:
        if key in headlines or (has_headline and key in of_site):
            return key in headlines
        if candidate.regions:
            return True
        return (
            normalise(without_site(candidate.value, headlines.values(), publishers))
            not in headlines
        )

    return [n for n, pair in enumerate(zip(keys, candidates, strict=True)) if is_eligible(*pair)]
