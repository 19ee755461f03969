"""Authors: names in likely lines, names that metadata state, and which of them may be authors."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache, reduce
from operator import or_

import numpy as np

from structce.addresses import split_address
from structce.arrays import Integers
from structce.article.candidates import (
    REGION_COLUMNS,
    STATED_COLUMNS,
    UNKNOWN,
    CandidateBuilder,
    Row,
    ValueCandidate,
    is_above_title,
)
from structce.article.evidence import Evidence
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
from structce.features import cues, dom_tree, text
from structce.language import (
    TEXTS,
    is_european,
    is_organisation,
    language_code,
    normalise,
    normalise_texts,
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


_NO_LINE = (UNKNOWN,) * (13 + len(_BEFORE) + len(_AFTER))


def author_candidates(evidence: Evidence) -> list[ValueCandidate]:
    """Return the candidates of the authors: names in likely lines, and stated ones."""
    builder = _NameBuilder(evidence, "Author", normalise, least=0.004, n=8)
    page, metadata = evidence.page, evidence.page.metadata
    blocks = [*dict.fromkeys([*builder.blocks, *_announced_blocks(evidence)])]
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
    for rank, (regions, (line, _, starts), names) in enumerate(rows):
        builder.add_byline(rank, regions, line, starts, names)
    of_texts = zip(texts, read[len(bylines) :], strict=True)
    names_of = {text: _stated_in(text, names, page.lang) for text, names in of_texts}
    builder.add_statements(stated_names(metadata, stated, names_of))
    for source, listed in listed_names(metadata, stated):
        for key in {*normalise_texts(LIST_SEPARATOR.split(listed))} & builder.keys():
            builder[key].lists = (*builder[key].lists, source)
    return builder.finish(AUTHOR_COLUMNS, _compared_names(builder))


class _NameBuilder(CandidateBuilder):
    """Builder of the candidates of the authors."""

    def add_byline(
        self, rank: int, regions: list[int], text: str, starts: list[int], names: list[BylineName]
    ) -> None:
        """Add the names of a block, and its short regions as a whole unless they have several.

        ``text`` is what the reader sees, with each region on a line of its own from its start.
        """
        page, line, n_names = self.evidence.page, self.evidence.text_of(regions), len(names)
        as_read: Row
        has_by = bool(names) and _without_by(line, page.lang) != line
        for name in names:
            if key := self.new_key(name.text):
                first, end = (bisect_right(starts, place) for place in (name.start, name.end - 1))
                candidate = ValueCandidate(name.text, tuple(regions[first - 1 : end]), raw=line)
                as_read = (has_by, n_names, name.confidence, name.is_group, False, 1)
                self._add_name(key, candidate, rank, text, name.start, as_read)
        inside = normalise_texts([name.text for name in names])
        for signature, i in _signatures(self.evidence, self.p, regions):
            key = self.new_key(signature)
            n_inside = sum([name in key for name in inside])
            if key and n_inside < _SEVERAL:
                candidate = ValueCandidate(signature, (i,), raw=line, needs_trees=True)
                as_read = (signature != page.text[i], n_names, UNKNOWN, UNKNOWN, True, n_inside)
                start = max(text.find(signature), 0)
                self._add_name(key, candidate, rank, text, start, as_read)

    def _add_name(
        self, key: str, candidate: ValueCandidate, rank: int, text: str, start: int, as_read: Row
    ) -> None:
        """Add a name that starts at a character of a byline, with the features of its place."""
        evidence, page, first = self.evidence, self.evidence.page, candidate.regions[0]
        code, end = language_code(page.lang), start + len(candidate.value)
        before = text[max(start - _CONTEXT_LENGTH, 0) : start]
        if not before.strip() and first:
            before = page.text[first - 1][-_CONTEXT_LENGTH:]
        after = text[end : end + _CONTEXT_LENGTH]
        link = evidence.nearest_attributes(first, "a") or {}
        is_profile = _PROFILE.search(link.get("href", "").lower()) is not None
        share = len(candidate.value) / max(len(candidate.raw), 1)
        p_date = max(self._p_date[max(first - 2, 0) : first + 3])
        is_alike = self._paths == self._paths[first]
        n_alike, n_before = np.count_nonzero(is_alike), np.count_nonzero(is_alike[:first])
        self.shown[key] = (
            is_profile or "author" in link.get("rel", ""), share, first > evidence.body_end, p_date,
            *as_read, evidence.landmark.item(page.element[first]), int(n_alike), int(n_before),
            *_lists_in(before, code, slice(-_CONTEXT, None), _BEFORE),
            *_lists_in(after, code, slice(_CONTEXT), _AFTER),
        )  # fmt: skip
        self.add_visible(key, candidate, rank)

    @cached_property
    def _paths(self) -> Integers:
        return dom_tree.path_numbers(self.evidence.page)[0][self.evidence.page.element]

    @cached_property
    def _p_date(self) -> list[float]:
        p: list[float] = self.evidence.probability("Date").tolist()
        return p


def _lists_in(text: str, code: str, place: slice, kinds: Mapping[str, int]) -> list[bool]:
    """Return which kinds of phrases some words of a text are in, alone or within phrases."""
    tokens = [token for token in tokens_of(text) if token != "\n"]
    lists = reduce(or_, lists_of(tokens, code)[place], 0)
    return [lists & bits > 0 for bits in kinds.values()]


def _signatures(
    evidence: Evidence, p: Sequence[float], regions: Sequence[int]
) -> Iterator[tuple[str, int]]:
    """Yield the whole text of short regions without introductory words: "Ann Lee, PhD"."""
    n_digits = text.digit_counts(evidence.page)
    for i in regions:
        line = evidence.page.text[i]
        has_numbers = n_digits[i] and _NUMBERS.search(line)
        if p[i] >= _LIKELY_SIGNED and len(line) <= _MAX_BYLINE and not has_numbers:
            signature = _without_by(line, evidence.page.lang).strip(_MARKS)
            if 0 < len(signature.split()) <= _SIGNED:
                yield signature, i


def _stated_in(text: str, read: Sequence[BylineName], lang: str) -> list[tuple[str, bool]]:
    """Return the names in a stated text; a short text also counts as one name as a whole."""
    names = [(name.text, name.is_group) for name in read]
    is_short = len(text.split()) <= (_SIGNED if names else _WHOLE)
    return [*names, (text, is_organisation(text, lang))] if is_short else names


def _announced_blocks(evidence: Evidence) -> list[int]:
    """Return the first blocks that begin like a byline, even if the learner finds them unlikely."""
    page, blocks = evidence.page, []
    for i in np.flatnonzero(cues.cue_column(page, "author-cue")).tolist():
        text = page.text[i]
        is_line = _SHORTEST_BYLINE <= len(text) <= _ANNOUNCED
        if is_line and _without_by(text, page.lang) != text:
            blocks.append(int(page.blocks[i]))
            if len(blocks) >= _MOST_ANNOUNCED:
                break
    return blocks


@lru_cache(maxsize=TEXTS)
def _without_by(text: str, lang: str) -> str:
    """Return a text without a leading "By"; see :func:`structce.language.strip_byline_prefix`."""
    return strip_byline_prefix(text, language_code(lang))


def _form_row(name: str, key: str) -> tuple[float, float, float, float, float]:
    """Return ``n_words``, ``capitals``, ``is_odd``, ``is_lower`` and ``is_caseless`` of a name."""
    words, is_odd = name.split(), _HANDLE.search(name) is not None
    if name.lower() == name.upper():
        return max(len(words), min(len(key), 2)), 1.0, is_odd, name.islower(), True
    capitals = sum([word[:1].isupper() for word in words]) / max(len(words), 1)
    return len(words), capitals, is_odd, name.islower(), False


def _compared_names(builder: CandidateBuilder) -> Iterator[Row]:
    """Yield the author's own features of each candidate: its form, its place, the other names."""
    evidence, page, candidates = builder.evidence, builder.evidence.page, builder.values()
    host = re.sub(r"[^a-z0-9]", "", (split_address(page.url).hostname or "").lower())
    window = normalise(page.metadata.title)
    n_shown = sum([bool(candidate.regions) for candidate in candidates])
    n_persons = sum([bool(c.sources) and not c.is_organisation for c in candidates])
    alike = current_reader().likeness([candidate.value for candidate in candidates], page.lang)
    words_of = [name_words(candidate.value) for candidate in candidates]
    rows = zip(builder.items(), words_of, alike, strict=True)
    for (key, candidate), words, (as_name, as_group) in rows:
        n_words, capitals, is_odd, is_lower, is_caseless = _form_row(candidate.value, key)
        is_publisher = any(key in name or name in key for name in evidence.publishers)
        is_long = len(key) > 2
        is_part, has_part = (any(map(f, words_of)) for f in (words.__lt__, words.__gt__))
        (
            is_profile, share, is_after_body, p_date, has_by, n_names, p_name, is_group, is_unread,
            n_inside, *around
        ) = builder.shown.get(key, _NO_LINE)  # fmt: skip
        yield (
            1.0 if candidate.is_organisation else UNKNOWN, n_words, capitals, is_odd, is_publisher,
            is_long and key in host, is_profile, has_by, share, n_names,
            evidence.n_regions_with(key), n_shown, is_part, has_part, n_persons, is_after_body,
            p_date, is_lower, p_name, is_group, as_name, as_group, is_unread, n_inside,
            is_caseless, is_long and key in window, *around,
        )  # fmt: skip


def name_words(name: str) -> frozenset[str]:
    """Return the normalised words of a name; a part of a name has a subset of its words."""
    return frozenset(normalise_texts(name.split())) - {""}


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
    return frozenset(normalise_texts([w for w in words if is_european(w) is in_europe])) | {""}


def _is_of_other(candidate: ValueCandidate, evidence: Evidence) -> bool:
    """Return whether a name is in a comment or a quotation, or is the site's above the article."""
    first = candidate.regions[0]
    if evidence.is_in_surroundings(first, "comment"):
        return True
    if first > evidence.body_begin and evidence.nearest_attributes(first, "blockquote") is not None:
        return True
    is_site = candidate.feature("is_publisher") and not candidate.feature("has_by")
    return bool(is_site) and is_above_title(candidate, evidence)
