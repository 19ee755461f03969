"""Candidates of the authors: names in likely lines, and stated ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from structce.addresses import split_address
from structce.arrays import Floats
from structce.article.candidates import (
    REGION_COLUMNS,
    STATED_COLUMNS,
    Candidate,
    add_statements,
    highest_of,
    region_facts,
)
from structce.article.evidence import Evidence, likely_blocks
from structce.language import (
    language_code,
    normalise,
    split_byline,
    strip_byline_prefix,
)
from structce.statements import stated_names

_MAX_BYLINE = 200  # characters of a block that may name authors
_SHORTEST_BYLINE, _ANNOUNCED = 5, 60  # characters of a region that begins with "By"
_MOST_ANNOUNCED = 3
_PROFILE = re.compile(r"author|autor|/people|/profile|/staff|/user|/member|redakt|journalist")
_HANDLE = re.compile(r"[@_/\\]|\d|\.(?:com|net|org|co|de|info)\b")

AUTHOR_COLUMNS = (
    *REGION_COLUMNS,
    *STATED_COLUMNS,
    *("is_organisation", "n_words", "capitals", "is_odd", "is_publisher", "in_site"),
    *("leads_to_profile", "has_by", "share_of_line", "n_names", "n_visible", "n_shown"),
    *("is_part", "has_part", "n_persons_stated", "after_body", "p_date", "is_lower"),
)
"""Columns of the candidates of an author."""


def author_candidates(evidence: Evidence) -> list[Candidate]:
    """Return the names that may be the authors': those in likely lines, and stated ones."""
    found: dict[str, Candidate] = {}
    p, page = evidence.probability("Author"), evidence.page
    blocks = likely_blocks(evidence, p, least=0.004, n_most=8)
    for rank, block in enumerate(dict.fromkeys([*blocks, *_announced(evidence)])):
        regions = [i for i in evidence.regions_of(block) if page.text[i]]
        line = evidence.text_of(regions)
        if 0 < len(line) <= _MAX_BYLINE:
            for name, at in _names_in(evidence, p, regions, line):
                key = normalise(name)
                if key and key not in found:
                    facts = region_facts(evidence, p, at, rank)
                    facts |= _line_facts(name, line, page.lang)
                    found[key] = Candidate(name, tuple(at), raw=line, facts=facts)
    add_statements(found, stated_names(page.metadata), normalise)
    _compare_names(evidence, found)
    return list(found.values())


def _announced(evidence: Evidence) -> list[int]:
    """Return the first blocks that begin as bylines do, however unlikely the learner finds them."""
    page, found = evidence.page, []
    for i, length in enumerate(evidence.lengths.tolist()):
        if _SHORTEST_BYLINE <= length <= _ANNOUNCED and _begins_as_byline(page.text[i], page.lang):
            found.append(int(page.blocks[i]))
            if len(found) >= _MOST_ANNOUNCED:
                break
    return found


@lru_cache(maxsize=4096)
def _begins_as_byline(text: str, lang: str) -> bool:
    return strip_byline_prefix(text, language_code(lang)) != text


def _names_in(
    evidence: Evidence, p: Floats, regions: Sequence[int], line: str
) -> Iterator[tuple[str, list[int]]]:
    """Yield the names in a block with their regions: of its likely regions alone, and of all."""
    page = evidence.page
    least = 0.5 * highest_of(p, regions)
    likely = [i for i in regions if p[i] >= least]
    for i in likely:
        for name in split_byline(page.text[i], page.lang):
            yield name, [i]
    if len(regions) > 1:
        for name in split_byline(line, page.lang):
            key = normalise(name)
            inside = [i for i in likely if key in evidence.normalised[i]]
            yield name, inside or likely or list(regions)


def _line_facts(name: str, line: str, lang: str) -> dict[str, float]:
    names = split_byline(line, lang)
    return {
        "has_by": float(_begins_as_byline(line, lang)),
        "share_of_line": len(name) / max(len(line), 1),
        "n_names": float(len(names)),
    }


def _compare_names(evidence: Evidence, found: Mapping[str, Candidate]) -> None:
    """Add to each candidate its form, and how it compares with the others and with the site."""
    page = evidence.page
    host = _host(page.url)
    p_date = evidence.probability("Date")
    n_shown = sum(bool(one.regions) for one in found.values())
    n_persons = sum(
        bool(one.sources) and not one.facts.get("is_organisation") for one in found.values()
    )
    tokens = {key: set(one.value.casefold().split()) for key, one in found.items()}
    for key, one in found.items():
        facts, words = one.facts, one.value.split()
        facts["n_words"] = float(len(words))
        facts["capitals"] = sum(word[:1].isupper() for word in words) / max(len(words), 1)
        facts["is_lower"] = float(one.value.islower())
        facts["is_odd"] = float(bool(_HANDLE.search(one.value)))
        facts["is_publisher"] = float(
            any(key in name or name in key for name in evidence.publishers)
        )
        facts["in_site"] = float(len(key) > 2 and key.replace(" ", "") in host)
        facts["n_visible"] = float(evidence.n_with(key))
        facts["n_shown"] = float(n_shown)
        facts["n_persons_stated"] = float(n_persons)
        facts["is_part"] = float(any(tokens[key] < other for other in tokens.values()))
        facts["has_part"] = float(any(other < tokens[key] for other in tokens.values()))
        if one.regions:
            first = one.regions[0]
            facts["leads_to_profile"] = float(_leads_to_profile(evidence, first))
            facts["after_body"] = float(first > evidence.end)
            facts["p_date"] = float(p_date[max(first - 2, 0) : first + 3].max())


def _host(url: str) -> str:
    return re.sub(r"[^a-z0-9]", "", (split_address(url).hostname or "").lower())


def _leads_to_profile(evidence: Evidence, region: int) -> bool:
    """Return whether a region's own link leads to a page about a person."""
    elements = evidence.page.elements
    for n, above in enumerate(elements.ancestors(int(evidence.page.element[region]))):
        attributes = elements.attributes[above]
        if elements.tag[above] == "a":
            return bool(_PROFILE.search(attributes.get("href", "").lower())) or (
                "author" in attributes.get("rel", "")
            )
        if n > 3:
            break
    return False
