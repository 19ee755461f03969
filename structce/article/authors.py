"""Authors: names in likely lines, names that metadata state, and which of them may be authors."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache, reduce
from operator import or_
from typing import NamedTuple

from structce.addresses import split_address
from structce.article.candidates import (
    REGION_COLUMNS,
    STATED_COLUMNS,
    CandidateBuilder,
    ValueCandidate,
    is_above_title,
)
from structce.article.evidence import Evidence, likely_blocks, word_key
from structce.bylines import (
    LIST_BITS,
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
    is_european,
    is_organisation,
    language_code,
    normalise,
    phrases,
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
_MOST_ANNOUNCED = 3  # blocks of a page that begin like a byline
_PROFILE = lazy_pattern(r"author|autor|/people|/profile|/staff|/user|/member|redakt|journalist")
_NUMBERS = lazy_pattern(r"\d{2}|\d:\d|\d\s*min", re.IGNORECASE)
_MARKS = " \t,;:|·•-–—"
LIST_SEPARATOR = lazy_pattern(
    r"\s*(?:[,;|&/、]|,?\s(?:and|und|et|y|e|en|och|og|ja|i|и|ve|و|with|mit|avec|con|com|met)\s)\s*"
)
"""What is between two names of a list."""
_ACCOUNTS = frozenset("admin administrator webmaster user guest unknown anonymous staff".split())
_NOBODY = tuple("nobody before published updated comment more next advertisement".split())
"""Kinds of phrases that are no names, see :mod:`structce.language.vocabulary`."""
_HANDLE = lazy_pattern(r"[@_/\\]|\d|\.(?:com|net|org|co|de|info)\b")

_BEFORE, _AFTER = (
    {kind: LIST_BITS[kind] | LIST_BITS.get(f"{kind}+", 0) for kind in kinds.split()}
    for kinds in (
        "before role picture rights comment published work about",
        "role position picture archive comment work group",
    )
)
"""Kinds of phrases right before and after a name, with the bits of their lists."""
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


def author_candidates(evidence: Evidence) -> list[ValueCandidate]:
    """Return the candidates of the authors: names in likely lines, and stated ones."""
    builder = CandidateBuilder(evidence, "Author", normalise)
    page, metadata = evidence.page, evidence.page.metadata
    likely = likely_blocks(evidence, builder.p, least=0.004, n_most=8)
    blocks = [*dict.fromkeys([*likely, *_announced_blocks(evidence)])]
    regions_of = [[i for i in evidence.regions_of(block) if page.text[i]] for block in blocks]
    bylines = [byline_of(page, regions) for regions in regions_of]
    stated = stated_bylines(metadata)
    texts = [*dict.fromkeys(byline.plain for byline in stated if byline.plain)]
    read = current_reader().read_all(  # in one call, most of whose time does not depend on them
        [*(text if len(text) <= _MAX_BYLINE else "" for text, _, _ in bylines), *texts],
        page.lang,
        PageNames.of(*stated_by(page)),
        [*(hints for _, hints, _ in bylines), *[()] * len(texts)],
        lean=[_LEAN] * len(bylines) + [_STATED_LEAN] * len(texts),
    )
    rows = zip(regions_of, bylines, read, strict=False)
    for rank, (regions, (text, _, starts), names) in enumerate(rows):
        _add_names(builder, _Byline(rank, regions, evidence.text_of(regions), text, starts, names))
    of_texts = zip(texts, read[len(bylines) :], strict=True)
    names_of = {text: _stated_in(text, names, page.lang) for text, names in of_texts}
    builder.add_statements(stated_names(metadata, stated, names_of))
    for source, text in listed_names(metadata, stated):
        for key in {*map(normalise, LIST_SEPARATOR.split(text))} & builder.keys():
            builder[key].lists = (*builder[key].lists, source)
    _compare_names(builder)
    return list(builder.values())


class _Byline(NamedTuple):
    """Block of a page, read as a byline."""

    rank: int  # among the blocks
    regions: Sequence[int]  # with text
    line: str  # as the page shows it
    text: str  # as the reader sees it, each region on a line of its own
    starts: Sequence[int]  # of the regions in this text
    names: Sequence[BylineName]


def _add_names(builder: CandidateBuilder, byline: _Byline) -> None:
    """Add the names of a byline, and its short regions as a whole unless they have several."""
    lang, page, starts = builder.evidence.page.lang, builder.evidence.page, byline.starts
    for name in byline.names:
        if key := builder.new_key(name.text):
            first, end = bisect_right(starts, name.start) - 1, bisect_right(starts, name.end - 1)
            features = {
                "has_by": float(_begins_as_byline(byline.line, lang)),
                "p_name": name.confidence,
                "is_group": float(name.is_group),
                "is_unread": 0.0,
                "n_inside": 1.0,
            }
            regions = tuple(byline.regions[first:end])
            candidate = ValueCandidate(name.text, regions, raw=byline.line, features=features)
            _add_of_byline(builder, key, candidate, byline, name.start)
    inside = [normalise(name.text) for name in byline.names]
    for text, i in _signatures(builder.evidence, builder.p_of_regions, byline.regions):
        key = builder.new_key(text)
        n_inside = sum([name in key for name in inside])
        if key and n_inside < _SEVERAL:
            has_by = float(text != page.text[i])
            features = {"has_by": has_by, "is_unread": 1.0, "n_inside": n_inside}
            candidate = ValueCandidate(
                text, (i,), raw=byline.line, features=features, needs_trees=True
            )
            _add_of_byline(builder, key, candidate, byline, max(byline.text.find(text), 0))


def _add_of_byline(
    builder: CandidateBuilder, key: str, candidate: ValueCandidate, byline: _Byline, start: int
) -> None:
    """Add a candidate with the kinds of phrases around it, and places of regions like its own."""
    evidence, page, first = builder.evidence, builder.evidence.page, candidate.regions[0]
    code, end = language_code(page.lang), start + len(candidate.value)
    before = byline.text[max(start - _CONTEXT_LENGTH, 0) : start]
    if not before.strip() and first:
        before = page.text[first - 1][-_CONTEXT_LENGTH:]
    after = byline.text[end : end + _CONTEXT_LENGTH]
    alike = evidence.regions_by_path[int(evidence.region_paths[first])]
    candidate.features |= {
        "share_of_line": len(candidate.value) / max(len(byline.line), 1),
        "n_names": float(len(byline.names)),
        "landmark": float(evidence.landmark[page.element[first]]),
        "n_alike": float(len(alike)),
        "alike_before": float(bisect_left(alike, first)),
        **_features_before(_lists_in(before, code, slice(-_CONTEXT, None))),
        **_features_after(_lists_in(after, code, slice(_CONTEXT))),
    }
    builder.add_visible(key, candidate, byline.rank)


def _lists_in(text: str, code: str, place: slice) -> int:
    """Return the lists that some words of a text are in, alone or within phrases."""
    tokens = [token for token in tokens_of(text) if token != "\n"]
    return reduce(or_, lists_of(tokens, code)[place], 0)


@lru_cache(maxsize=TEXTS)
def _features_before(lists: int) -> dict[str, float]:
    return {f"after_{kind}": float(lists & bits > 0) for kind, bits in _BEFORE.items()}


@lru_cache(maxsize=TEXTS)
def _features_after(lists: int) -> dict[str, float]:
    return {f"then_{kind}": float(lists & bits > 0) for kind, bits in _AFTER.items()}


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


def _stated_in(text: str, read: Sequence[BylineName], lang: str) -> list[tuple[str, bool]]:
    """Return the names in a stated text; a short text also counts as one name as a whole."""
    names = [(name.text, name.is_group) for name in read]
    is_short = len(text.split()) <= (_SIGNED if names else _WHOLE)
    return [*names, (text, is_organisation(text, lang))] if is_short else names


def _announced_blocks(evidence: Evidence) -> list[int]:
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


def _form_features(name: str, key: str) -> dict[str, float]:
    """Return features of the letters and words of a name, given its normalised form."""
    words, has_cases = name.split(), name.lower() != name.upper()
    capitals = sum(word[:1].isupper() for word in words) / max(len(words), 1)
    return {
        "n_words": float(len(words) if has_cases else max(len(words), min(len(key), 2))),
        "capitals": capitals if has_cases else 1.0,
        "is_caseless": float(not has_cases),
        "is_lower": float(name.islower()),
        "is_odd": float(bool(_HANDLE.search(name))),
    }


def _compare_names(builder: CandidateBuilder) -> None:
    """Add to each candidate its likeness to a name, to the others, and to what the page states."""
    evidence, page = builder.evidence, builder.evidence.page
    host = re.sub(r"[^a-z0-9]", "", (split_address(page.url).hostname or "").lower())
    window = normalise(page.metadata.title)
    p_date = evidence.probability("Date").tolist()
    n_shown = sum([bool(candidate.regions) for candidate in builder.values()])
    stated = [candidate for candidate in builder.values() if candidate.sources]
    n_persons = sum(["is_organisation" not in candidate.features for candidate in stated])
    alike = current_reader().likeness([c.value for c in builder.values()], page.lang)
    words_of = [name_words(candidate.value) for candidate in builder.values()]
    rows = zip(builder.items(), words_of, alike, strict=True)
    for (key, candidate), words, (as_name, as_group) in rows:
        candidate.features |= {
            "like_name": as_name,
            "like_group": as_group,
            **_form_features(candidate.value, key),
            "in_window": float(len(key) > 2 and key in window),
            "is_publisher": float(any(key in name or name in key for name in evidence.publishers)),
            "in_site": float(len(key) > 2 and key.replace(" ", "") in host),
            "n_visible": float(evidence.n_regions_with(key)),
            "n_shown": float(n_shown),
            "n_persons_stated": float(n_persons),
            "is_part": float(any(map(words.__lt__, words_of))),
            "has_part": float(any(map(words.__gt__, words_of))),
        }
        if candidate.regions:
            first = candidate.regions[0]
            link = evidence.nearest_attributes(first, "a") or {}
            is_profile = _PROFILE.search(link.get("href", "").lower()) is not None
            candidate.features |= {
                "leads_to_profile": float(is_profile or "author" in link.get("rel", "")),
                "after_body": float(first > evidence.body_end),
                "p_date": max(p_date[max(first - 2, 0) : first + 3]),
            }


def name_words(name: str) -> frozenset[str]:
    """Return the normalised words of a name; a part of a name has a subset of its words."""
    return frozenset(map(word_key, name.split())) - {""}


def eligible_names(candidates: Sequence[ValueCandidate], evidence: Evidence) -> list[int]:
    """Return the indices of the names that may be those of the article's authors.

    Not those of readers who comment, of people who are quoted, of the site in its header, and words
    of the furniture such as "Comment".
    """
    return [
        n
        for n, candidate in enumerate(candidates)
        if not is_furniture_word(candidate.value, is_stated=not candidate.regions)
        and (candidate.sources or not _is_of_other(candidate, evidence))
    ]


@lru_cache(maxsize=TEXTS)
def is_furniture_word(name: str, *, is_stated: bool = False) -> bool:
    """Return whether a text is a word of the furniture: "Written By", "Tweet", "undefined".

    What metadata alone state may also be the account that a page was made with, such as "admin".
    """
    key = normalise(name)
    is_account = is_stated and key in _ACCOUNTS
    return is_account or key.isdecimal() or key in _furniture_words(is_european(name))


@cache
def _furniture_words(in_europe: bool) -> frozenset[str]:
    """Return the words of the furniture in European scripts, or those in others."""
    words = (word for kind in _NOBODY for word in phrases(kind))
    return frozenset(normalise(word) for word in words if is_european(word) is in_europe) | {""}


def _is_of_other(candidate: ValueCandidate, evidence: Evidence) -> bool:
    """Return whether a name is in a comment or a quotation, or is the site's above the article."""
    first = candidate.regions[0]
    if evidence.is_in_surroundings(first, "comment"):
        return True
    if first > evidence.body_begin and evidence.nearest_attributes(first, "blockquote") is not None:
        return True
    is_site = candidate.features.get("is_publisher") and not candidate.features.get("has_by")
    return bool(is_site) and is_above_title(candidate, evidence)
