"""Candidates of the title: likely blocks, headings, and titles that metadata state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from rapidfuzz import fuzz

from structce.addresses import split_address
from structce.arrays import Floats
from structce.article.candidates import (
    REGION_COLUMNS,
    STATED_COLUMNS,
    Candidate,
    add_statements,
    highest_of,
    mean_of,
    region_facts,
)
from structce.article.evidence import Evidence, likely_blocks
from structce.language import normalise
from structce.page import Statement, stated_titles, without_site

_MAX_TITLE = 400  # characters of a block that may be a title
_MAX_PARTS = 4  # elements of a heading that may each be the headline
_WHOLE, _FIRST, _LAST, _MIDDLE = range(4)  # places of a part in its heading

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


def title_candidates(evidence: Evidence) -> list[Candidate]:
    """Return the candidates of the title: likely blocks, headings, and stated titles."""
    candidates: dict[str, Candidate] = {}
    p = evidence.probability("Title")
    blocks = likely_blocks(evidence, p, least=0.01, n_most=6)
    headings = np.flatnonzero(evidence.level[evidence.starts] == 1).tolist()
    sizes, element = evidence.page.elements.styles["font-size"], evidence.page.element
    for rank, block in enumerate(dict.fromkeys([*blocks, *headings[:4]])):
        for regions, kind in _title_parts(evidence, p, block):
            text = evidence.text_of(regions)
            if 0 < len(text) <= _MAX_TITLE and (key := normalise(text)) and key not in candidates:
                facts = region_facts(evidence, p, regions, rank)
                facts |= _part_facts(evidence, regions, block)
                facts["font_size"] = float(sizes[element[regions[0]]])
                candidates[key] = Candidate(text, tuple(regions), facts=facts, kind=kind)
    visible = [candidate.value for candidate in candidates.values()]
    stated = stated_titles(evidence.page.metadata)
    add_statements(candidates, _short_titles(stated, visible, evidence), normalise)
    _compare_titles(evidence, candidates)
    return list(candidates.values())


def _title_parts(evidence: Evidence, p: Floats, block: int) -> Iterator[tuple[list[int], str]]:
    """Yield the regions of a block, and of its parts if a kicker may be beside the headline.

    Each comes with its kind, see :class:`structce.article.candidates.Candidate`.
    """
    regions = [i for i in evidence.regions_of(block) if evidence.page.text[i]]
    yield regions, ""
    least = 0.5 * highest_of(p, regions)
    likely = [i for i in regions if p[i] >= least]
    if 0 < len(likely) < len(regions):
        yield list(range(likely[0], likely[-1] + 1)), ""
    if len(regions) > 1 and evidence.page.breaks[regions[1:]].any():  # one part per line
        yield [max(regions, key=lambda i: p[i])], ""
    parts = _child_elements(evidence, regions) if len(regions) > 1 else []
    if 1 < len(parts) <= _MAX_PARTS:
        yield from ((part, "element") for part in parts)


def _child_elements(evidence: Evidence, regions: Sequence[int]) -> list[list[int]]:
    """Return the regions of a block, grouped by the child of its element that they are in.

    A heading may contain a kicker, a headline and a subheading, each in an element of its own.
    """
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


def _part_facts(evidence: Evidence, regions: Sequence[int], block: int) -> dict[str, float]:
    """Return which part of its block a candidate is, and its share of the block's characters."""
    whole = [i for i in evidence.regions_of(block) if evidence.page.text[i]]
    is_first, is_last = regions[0] == whole[0], regions[-1] == whole[-1]
    place = (_WHOLE if is_last else _FIRST) if is_first else (_LAST if is_last else _MIDDLE)
    total = int(evidence.lengths[whole].sum())
    return {
        "is_whole": float(len(regions) == len(evidence.regions_of(block))),
        "part": float(place),
        "part_share": float(evidence.lengths[list(regions)].sum()) / max(total, 1),
    }


def _short_titles(
    stated: Sequence[Statement], visible: Sequence[str], evidence: Evidence
) -> Iterator[Statement]:
    """Yield statements, and again without the site's name if the rest is a visible heading."""
    publishers = evidence.page.metadata.publishers
    for statement in stated:
        yield statement
        short = without_site(statement.value, visible, publishers)
        if short != statement.value:
            yield Statement(short, statement.source)


def _compare_titles(evidence: Evidence, candidates: Mapping[str, Candidate]) -> None:
    """Add to each candidate comparisons with the statements and with the likeliest region."""
    window = normalise(evidence.page.metadata.title)
    shown = [key for key, candidate in candidates.items() if candidate.regions]
    best = max(shown, key=lambda key: candidates[key].facts["p"], default="")
    stated = [
        key
        for key, candidate in candidates.items()
        if {"og", "json-ld", "twitter"} & {*candidate.sources}
    ]
    p_none, p_paragraph, p_subtitle = (
        evidence.probability(name) for name in ("None", "Paragraph", "Subtitle")
    )
    n_levels = np.bincount(evidence.level[evidence.starts], minlength=7)
    site = _site_words(evidence)
    for key, candidate in candidates.items():
        facts = candidate.facts
        facts["n_words"] = float(len(candidate.value.split()))
        if window:
            facts["like_window"] = fuzz.ratio(key, window)
            facts["in_window"] = float(key in window)
            facts["window_share"] = len(key) / len(window)
        others = [text for text in stated if text != key] if key in stated else stated
        if others:
            facts["like_stated"] = max(fuzz.ratio(key, text) for text in others)
        if best:
            facts["like_best"] = fuzz.ratio(key, best)
        facts["is_publisher"] = float(key in evidence.publishers)
        facts["n_same"] = float(evidence.n_texts[key])
        facts["holds_shown"] = max(
            (len(part) / len(key) for part in shown if part != key and part in key), default=0.0
        )
        facts["held_by_shown"] = max(
            (len(key) / len(whole) for whole in shown if key != whole and key in whole), default=0.0
        )
        words = [*filter(None, map(normalise, candidate.value.split()))]
        facts["site_words"] = sum(word in site for word in words) / max(len(words), 1)
        if candidate.regions:
            facts["p_none"], facts["p_paragraph"], facts["p_subtitle"] = (
                mean_of(values, candidate.regions) for values in (p_none, p_paragraph, p_subtitle)
            )
            facts["n_level"] = float(n_levels[int(facts["level"])])


def _site_words(evidence: Evidence) -> frozenset[str]:
    """Return the words of the site's names and the labels of its host, normalised."""
    host = split_address(evidence.page.url).hostname or ""
    words = [word for name in evidence.page.metadata.publishers for word in name.split()]
    return frozenset(map(normalise, [*words, *evidence.publishers, *host.split(".")])) - {""}
