"""Candidates of the authors: names in likely lines, and names that metadata state."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial

import numpy as np

from structce.addresses import split_address
from structce.article.candidates import REGION_COLUMNS, STATED_COLUMNS, Candidate, CandidateTable
from structce.article.evidence import Evidence, likely_blocks, word_key
from structce.bylines import (
    BylineName,
    PageNames,
    byline_of,
    current_reader,
    lists_of,
    stated_by,
    tokens_of,
)
from structce.features import cues
from structce.language import (
    TEXTS,
    is_organisation,
    language_code,
    normalise,
    strip_byline_prefix,
)
from structce.page import listed_names, stated_bylines, stated_names
from structce.patterns import lazy_pattern

_LEAN, _STATED_LEAN = 0.7, 2.0  # bias of the reader towards names, since trees choose among them
_WHOLE = 5  # words of a stated text that may be a name as a whole
_SEVERAL = 2  # names in a region from which it is not one signature
_SIGNED, _LIKELY_SIGNED = 8, 0.02  # most words of a signature; its least probability
_MAX_BYLINE = 250  # characters of a block that may name authors
_SHORTEST_BYLINE, _ANNOUNCED = 5, 60  # characters of a region that begins with "By"
_MOST_ANNOUNCED = 3
_PROFILE = lazy_pattern(r"author|autor|/people|/profile|/staff|/user|/member|redakt|journalist")
_NUMBERS = lazy_pattern(r"\d{2}|\d:\d|\d\s*min", re.IGNORECASE)
_MARKS = " \t,;:|·•-–—"
LIST_SEPARATOR = lazy_pattern(
    r"\s*(?:[,;|&/、]|,?\s(?:and|und|et|y|e|en|och|og|ja|i|и|ve|و|with|mit|avec|con|com|met)\s)\s*"
)
"""What is between two names of a list."""
_HANDLE = lazy_pattern(r"[@_/\\]|\d|\.(?:com|net|org|co|de|info)\b")

_BEFORE = tuple("before role picture rights comment published work about".split())
_AFTER = tuple("role position picture archive comment work group".split())
"""Kinds of phrases right before and after a name, see :data:`structce.bylines.tokens.LISTS`."""
_CONTEXT = 3  # tokens of the context of a name
_CONTEXT_LENGTH = 40  # characters in which they are looked for

AUTHOR_COLUMNS = (
    *REGION_COLUMNS,
    *STATED_COLUMNS,
    *"""
    is_organisation n_words capitals is_odd is_publisher in_site leads_to_profile has_by
    share_of_line n_names n_visible n_shown is_part has_part n_persons_stated after_body
    p_date is_lower p_name is_group like_name like_group is_unread n_inside
    is_caseless in_window landmark n_alike alike_before
    """.split(),
    *(f"after_{kind}" for kind in _BEFORE),
    *(f"then_{kind}" for kind in _AFTER),
)
"""Columns of the candidates of an author."""


def author_candidates(evidence: Evidence) -> list[Candidate]:
    """Return the candidates of the authors: names in likely lines, and stated ones."""
    table = CandidateTable(evidence, "Author", normalise)
    page, metadata = evidence.page, evidence.page.metadata
    likely = likely_blocks(evidence, table.p, least=0.004, n_most=8)
    blocks = [*dict.fromkeys([*likely, *_announced(evidence)])]
    regions_of = [[i for i in evidence.regions_of(block) if page.text[i]] for block in blocks]
    bylines = [byline_of(page, regions) for regions in regions_of]
    texts = stated_bylines(metadata)
    read = current_reader().read_all(  # in one call, most of whose time does not depend on them
        [*(text if len(text) <= _MAX_BYLINE else "" for text, _, _ in bylines), *texts],
        page.lang,
        PageNames.of(*stated_by(page)),
        [*(hints for _, hints, _ in bylines), *[()] * len(texts)],
        lean=[_LEAN] * len(bylines) + [_STATED_LEAN] * len(texts),
    )
    lines = zip(regions_of, bylines, read, strict=False)
    for rank, (regions, (byline, _, starts), names) in enumerate(lines):
        _add_names(table, rank, regions, (byline, starts), names)
        _add_signatures(table, rank, regions, byline, names)
    names_of = dict(zip(texts, read[len(bylines) :], strict=True))
    table.add_statements(
        stated_names(metadata, page.lang, partial(_stated_in, page.lang, names_of))
    )
    for source, text in listed_names(metadata):
        for key in {*map(normalise, LIST_SEPARATOR.split(text))} & table.keys():
            table[key].lists = (*table[key].lists, source)
    _compare_names(table)
    return list(table.values())


def _add_names(
    table: CandidateTable,
    rank: int,
    regions: Sequence[int],
    byline: tuple[str, Sequence[int]],
    names: Sequence[BylineName],
) -> None:
    """Add the names in a byline, given with the first character of each of its regions."""
    evidence, (text, starts) = table.evidence, byline
    line = evidence.text_of(regions)
    for name in names:
        first = bisect_right(starts, name.start) - 1
        of_name = regions[first : bisect_right(starts, name.end - 1)]
        if key := table.unknown(name.text):
            facts = _line_facts(name, line, len(names), evidence.page.lang)
            facts |= _context_facts(evidence, text, (name.start, name.end), of_name[0])
            candidate = Candidate(name.text, tuple(of_name), raw=line, facts=facts)
            table.add_shown(key, candidate, rank)


def _add_signatures(
    table: CandidateTable,
    rank: int,
    regions: Sequence[int],
    byline: str,
    names: Sequence[BylineName],
) -> None:
    """Add short regions of a byline as a whole, unless they contain several of its names."""
    evidence = table.evidence
    line = evidence.text_of(regions)
    for text, i in _signatures(evidence, table.chances, regions):
        key = table.unknown(text)
        n_inside = sum(normalise(name.text) in key for name in names) if key else _SEVERAL
        if n_inside >= _SEVERAL:
            continue
        start = max(byline.find(text), 0)
        facts = {
            "has_by": float(text != evidence.page.text[i]),
            "share_of_line": len(text) / max(len(line), 1),
            "n_names": float(len(names)),
            "is_unread": 1.0,
            "n_inside": n_inside,
            **_context_facts(evidence, byline, (start, start + len(text)), i),
        }
        candidate = Candidate(text, (i,), raw=line, facts=facts, needs_trees=True)
        table.add_shown(key, candidate, rank)


def _signatures(
    evidence: Evidence, p: Sequence[float], regions: Sequence[int]
) -> Iterator[tuple[str, int]]:
    """Yield the whole text of short regions without introductory words: "Ann Lee, PhD"."""
    lang = evidence.page.lang
    for i in regions:
        text = evidence.page.text[i]
        if p[i] >= _LIKELY_SIGNED and len(text) <= _MAX_BYLINE and not _NUMBERS.search(text):
            text = strip_byline_prefix(text, language_code(lang)).strip(_MARKS)
            if 0 < len(text.split()) <= _SIGNED:
                yield text, i


def _stated_in(
    lang: str, names_of: Mapping[str, Sequence[BylineName]], text: str
) -> list[tuple[str, bool]]:
    """Return the names in a stated text; a short text also counts as one name as a whole."""
    names = [(name.text, name.is_group) for name in names_of[text]]
    is_short = len(text.split()) <= (_SIGNED if names else _WHOLE)
    return [*names, (text, is_organisation(text, lang))] if is_short else names


def _announced(evidence: Evidence) -> list[int]:
    """Return the first blocks that begin like a byline, even if the learner finds them unlikely."""
    page, blocks = evidence.page, []
    for i, names in enumerate(cues.page_cues(page)):
        text = page.text[i]
        is_line = "author-cue" in names and _SHORTEST_BYLINE <= len(text) <= _ANNOUNCED
        if is_line and _begins_as_byline(text, page.lang):
            blocks.append(int(page.blocks[i]))
            if len(blocks) >= _MOST_ANNOUNCED:
                break
    return blocks


@lru_cache(maxsize=TEXTS)
def _begins_as_byline(text: str, lang: str) -> bool:
    return strip_byline_prefix(text, language_code(lang)) != text


def _line_facts(name: BylineName, line: str, n_names: int, lang: str) -> dict[str, float]:
    return {
        "has_by": float(_begins_as_byline(line, lang)),
        "share_of_line": len(name.text) / max(len(line), 1),
        "n_names": float(n_names),
        "p_name": name.confidence,
        "is_group": float(name.is_group),
        "is_unread": 0.0,
        "n_inside": 1.0,
    }


def _context_facts(
    evidence: Evidence, byline: str, span: tuple[int, int], first: int
) -> dict[str, float]:
    """Return which kinds of phrases surround a name, and where regions like its own are."""
    page, (start, end) = evidence.page, span
    before = byline[max(start - _CONTEXT_LENGTH, 0) : start]
    if not before.strip() and first:
        before = page.text[first - 1][-_CONTEXT_LENGTH:]
    code = language_code(page.lang)
    kinds = _kinds_of(before, code, is_last=True)
    following = _kinds_of(byline[end : end + _CONTEXT_LENGTH], code, is_last=False)
    element = int(page.element[first])
    is_alike = evidence.paths == evidence.paths[first]
    return {
        **{f"after_{kind}": float(kind in kinds) for kind in _BEFORE},
        **{f"then_{kind}": float(kind in following) for kind in _AFTER},
        "landmark": float(evidence.landmark[element]),
        "n_alike": float(np.count_nonzero(is_alike)),
        "alike_before": float(np.count_nonzero(is_alike[:first])),
    }


@lru_cache(maxsize=TEXTS)
def _kinds_of(text: str, code: str, *, is_last: bool) -> frozenset[str]:
    tokens = [token for token in tokens_of(text) if not token.is_break]
    lists = lists_of(tokens, code)
    near = lists[-_CONTEXT:] if is_last else lists[:_CONTEXT]
    return frozenset(kind.rstrip("+") for kinds in near for kind in kinds)


def _compare_names(table: CandidateTable) -> None:
    evidence, page = table.evidence, table.evidence.page
    host = re.sub(r"[^a-z0-9]", "", (split_address(page.url).hostname or "").lower())
    window = normalise(page.metadata.title)
    p_date = evidence.probability("Date")
    n_shown = sum(bool(candidate.regions) for candidate in table.values())
    n_persons = sum(
        bool(candidate.sources) and not candidate.facts.get("is_organisation")
        for candidate in table.values()
    )
    alike = current_reader().likeness([c.value for c in table.values()], page.lang)
    tokens = {key: name_words(candidate.value) for key, candidate in table.items()}
    for (key, candidate), (as_name, as_group) in zip(table.items(), alike, strict=True):
        value, words, own_words = candidate.value, candidate.value.split(), tokens[key]
        has_cases = value.lower() != value.upper()
        capitals = sum(word[:1].isupper() for word in words) / max(len(words), 1)
        candidate.facts |= {
            "like_name": as_name,
            "like_group": as_group,
            "n_words": float(len(words) if has_cases else max(len(words), min(len(key), 2))),
            "capitals": capitals if has_cases else 1.0,
            "is_caseless": float(not has_cases),
            "in_window": float(len(key) > 2 and key in window),
            "is_lower": float(value.islower()),
            "is_odd": float(bool(_HANDLE.search(value))),
            "is_publisher": float(any(key in name or name in key for name in evidence.publishers)),
            "in_site": float(len(key) > 2 and key.replace(" ", "") in host),
            "n_visible": float(evidence.n_with(key)),
            "n_shown": float(n_shown),
            "n_persons_stated": float(n_persons),
            "is_part": float(any(own_words < other for other in tokens.values())),
            "has_part": float(any(other < own_words for other in tokens.values())),
        }
        if candidate.regions:
            first = candidate.regions[0]
            link = evidence.nearest_attributes(first, "a") or {}
            is_profile = _PROFILE.search(link.get("href", "").lower()) is not None
            candidate.facts |= {
                "leads_to_profile": float(is_profile or "author" in link.get("rel", "")),
                "after_body": float(first > evidence.end),
                "p_date": float(p_date[max(first - 2, 0) : first + 3].max()),
            }


def name_words(name: str) -> frozenset[str]:
    """Return the normalised words of a name; a part of a name has a subset of its words."""
    return frozenset(map(word_key, name.split())) - {""}
