"""Candidates of the title: likely blocks, headings and stated titles."""

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
from structce.statements import Statement, stated_titles, without_site

_MAX_TITLE = 400  # characters of a block that may be a title

TITLE_COLUMNS = (
    *REGION_COLUMNS,
    *STATED_COLUMNS,
    *("p_none", "p_paragraph", "p_subtitle", "n_words", "like_window", "in_window", "like_stated"),
    *("like_best", "is_publisher", "n_same", "n_level", "window_share", "is_whole"),
    *("holds_heading", "p_held", "rest_is_site", "held_by_stated", "held_by_shown"),
)
"""Columns of the candidates of a title."""


def title_candidates(evidence: Evidence) -> list[Candidate]:
    """Return the lines that may be the page's title: likely blocks, headings, and statements."""
    found: dict[str, Candidate] = {}
    p = evidence.probability("Title")
    blocks = likely_blocks(evidence, p, least=0.01, n_most=6)
    headings = np.flatnonzero(evidence.level[evidence.starts] == 1).tolist()
    for rank, block in enumerate(dict.fromkeys([*blocks, *headings[:4]])):
        for regions in _title_parts(evidence, p, block):
            text = evidence.text_of(regions)
            if 0 < len(text) <= _MAX_TITLE and (key := normalise(text)) and key not in found:
                facts = region_facts(evidence, p, regions, rank)
                facts["is_whole"] = float(len(regions) == len(evidence.regions_of(block)))
                found[key] = Candidate(text, tuple(regions), facts=facts)
    visible = [one.value for one in found.values()]
    stated = stated_titles(evidence.page.metadata)
    add_statements(found, _short_titles(stated, visible, evidence), normalise)
    _compare_titles(evidence, found)
    _compare_parts(evidence, found)
    return list(found.values())


def _title_parts(evidence: Evidence, p: Floats, block: int) -> Iterator[list[int]]:
    """Yield the regions of a block, and the likely ones where a kicker stands beside them."""
    regions = [i for i in evidence.regions_of(block) if evidence.page.text[i]]
    yield regions
    least = 0.5 * highest_of(p, regions)
    likely = [i for i in regions if p[i] >= least]
    if 0 < len(likely) < len(regions):
        yield list(range(likely[0], likely[-1] + 1))
    if len(regions) > 1 and evidence.page.breaks[regions[1:]].any():  # a line a part
        yield [max(regions, key=lambda i: p[i])]


def _short_titles(
    stated: Sequence[Statement], visible: Sequence[str], evidence: Evidence
) -> Iterator[Statement]:
    """Yield statements, also without the site's name where the rest is a visible heading."""
    publishers = evidence.page.metadata.publishers
    for one in stated:
        yield one
        short = without_site(one.value, visible, publishers)
        if short != one.value:
            yield Statement(short, one.source)


def _compare_titles(evidence: Evidence, found: Mapping[str, Candidate]) -> None:
    """Add to each candidate how it compares with the statements and with the likeliest region."""
    window = normalise(evidence.page.metadata.title)
    shown = [key for key, one in found.items() if one.regions]
    best = max(shown, key=lambda key: found[key].facts["p"], default="")
    stated = [key for key, one in found.items() if {"og", "json-ld", "twitter"} & {*one.sources}]
    p_none, p_paragraph, p_subtitle = (
        evidence.probability(name) for name in ("None", "Paragraph", "Subtitle")
    )
    n_levels = np.bincount(evidence.level[evidence.starts], minlength=7)
    for key, one in found.items():
        facts = one.facts
        facts["n_words"] = float(len(one.value.split()))
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
        if one.regions:
            facts["p_none"], facts["p_paragraph"], facts["p_subtitle"] = (
                mean_of(values, one.regions) for values in (p_none, p_paragraph, p_subtitle)
            )
            facts["n_level"] = float(n_levels[int(facts["level"])])


def _compare_parts(evidence: Evidence, found: Mapping[str, Candidate]) -> None:
    """Add to each candidate which others it holds, and which hold it.

    A stated title may be the headline with a kicker before it and the site's name behind; the
    headline that the page shows is then a part of it. A block may hold both, too.
    """
    shown = [key for key, one in found.items() if one.regions]
    stated = [key for key, one in found.items() if one.sources]
    for key, one in found.items():
        facts = one.facts
        held = [other for other in shown if other != key and other in key]
        inner = max(held, key=lambda other: (found[other].facts["p"], len(other)), default="")
        if inner:
            rest = key.replace(inner, " ", 1).split()
            facts["holds_heading"] = len(inner) / len(key)
            facts["p_held"] = found[inner].facts["p"]
            facts["rest_is_site"] = float(
                any(part in evidence.publishers or part in _host(evidence) for part in rest)
            )
        facts["held_by_stated"] = _largest_share(key, stated)
        facts["held_by_shown"] = _largest_share(key, shown)


def _largest_share(key: str, others: Sequence[str]) -> float:
    """Return the largest part that a text is of another that holds it; 0 if none does."""
    return max((len(key) / len(one) for one in others if one != key and key in one), default=0.0)


def _host(evidence: Evidence) -> str:
    return normalise(split_address(evidence.page.url).hostname or "")
