"""Tokens of a byline, the lists of words and phrases that they are in, and hints of the mark-up.

A byline is one line of a page, or several adjacent ones, separated by line breaks. Tokens are words
(including the dot of "Dr." and the hyphen of a double name), marks, addresses, numbers and line
breaks. In scripts without spaces between words, every character is a token.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cache, lru_cache
from itertools import islice

from structce.features import once_a_page
from structce.language import (
    TEXTS,
    WORDS,
    calendar,
    group_words,
    has_words,
    is_european,
    month_names,
    name_table,
    name_words,
    phrases,
)
from structce.page import Page
from structce.patterns import lazy_pattern

Hints = frozenset[str]
"""Names of the hints that mark-up gives on a line."""

NO_HINTS: Hints = frozenset()

_NEAR = 4  # elements above a region whose names describe it
_NAMING = frozenset("class id rel itemprop data-testid property".split())
_PROFILE = lazy_pattern(r"author|autor|/people/|/profile|/staff|/user|/member|redakt|journalist|/@")

_JOINED = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
_MARKS = "\u0300-\u036f\u0900-\u0d7f"  # combining marks, and the letters of the scripts of India
_FIRST_MARKS = f"{_MARKS}\u0e00-\u0e7f\u0590-\u05c7\u0610-\u065f"  # not after an apostrophe
LISTS = tuple(
    """
    before between role others agency published updated clock picture archive comment
    rights work position account about more advertisement family
    """.split()
)
"""Kinds of phrases of the vocabulary, see :mod:`structce.language.vocabulary`."""

_KINDS_OF_NAMES = {
    "particle": "particles",
    "credential": "credentials",
    "address": "forms_of_address",
    "generation": "generations",
    "place": "places",
}
"""Kinds of words in and around names, and their names in the table."""

LIST_BITS = {
    kind: 1 << n
    for n, kind in enumerate(
        [*LISTS, *(f"{kind}+" for kind in LISTS), *_KINDS_OF_NAMES, "group", "month", "weekday"]
    )
}
"""Bit of each list that tokens are in; ``+`` is within a phrase of several words."""

_ALL_LISTS = (1 << len(LIST_BITS)) - 1
_SHORT_FORMS = ("forms_of_address", "generations", "credentials")

LONGEST = 120
"""Greatest number of tokens that are read of a byline."""

_FEW_CHARACTERS = 1000  # of a text of which all tokens are found, at once


def tokens_of(text: str) -> list[str]:
    """Return the tokens of a byline, at most ``LONGEST``.

    >>> tokens_of("By Dr. Ann Lee-Öz, AP | 3 May")
    ['By', 'Dr.', 'Ann', 'Lee-Öz', ',', 'AP', '|', '3', 'May']
    """
    is_european_text, words = is_european(text), text.split(" ")
    if is_european_text and all(map(str.isalpha, words)):
        return words[:LONGEST]
    has_address = "@" in text or "/" in text or ("." in text and "www." in text.lower())
    pattern = _token_pattern(is_european_text, has_address or not is_european_text)
    if len(text) <= _FEW_CHARACTERS:
        tokens = pattern.findall(text)
    else:
        tokens = [match[0] for match in islice(pattern.finditer(text), 2 * LONGEST)]
    if "." in tokens:
        tokens = _with_dots(text, tokens)
    return tokens[:LONGEST]


def spans_of(text: str, tokens: Iterable[str]) -> list[tuple[int, int]]:
    """Return the first character of each token of a text, and the one after its last."""
    spans, end = [], 0
    for token in tokens:
        start = text.index(token, end)
        end = start + len(token)
        spans.append((start, end))
    return spans


def _with_dots(text: str, tokens: Sequence[str]) -> list[str]:
    """Return the tokens with each dot right after a short form as part of it: "J.", "Dr."."""
    joined: list[str] = []
    end = -1
    for token in tokens:
        start = text.index(token, max(end, 0))
        if token == "." and start == end and _is_short_form(joined[-1]):
            joined[-1] += token
        else:
            joined.append(token)
        end = start + len(token)
    return joined


@lru_cache(maxsize=4)  # of two flags
def _token_pattern(only_european: bool, has_address: bool) -> re.Pattern[str]:
    """Return a pattern of tokens; that of European texts compiles ten times as fast.

    Without alternatives for addresses it matches twice as fast.
    """
    joined = "" if only_european else _JOINED
    letter, inner = rf"[^\W\d_{joined}]", rf"[^\W_{joined}]"
    first = later = inner
    if not only_european:
        first, later = (f"(?:{inner}|[{marks}])" for marks in (_FIRST_MARKS, _MARKS))
    addresses = (
        r"(?i:[a-z]+://|www\.)\S+",
        r"[\w.+-]+@[\w-]+\.\S+",
        r"@\w+",
        r"[\w-]+(?:\.[\w-]+)*\.(?i:[a-z]{2,4})/\S*",
    )
    alternatives = (
        r"\n",
        *(addresses if has_address else ()),
        *([f"[{joined}]"] if joined else []),
        rf"(?:{letter}\.)+(?:-(?:[^\W\d_]\.))?",  # initials: J. R. R., J.-P.
        rf"{letter}{first}*(?:['’´`.\u2010\u2011-](?={inner}){later}+)*",
        r"\d+",
        r"\S",
    )
    return re.compile("|".join(alternatives))


def _is_short_form(text: str) -> bool:
    """Return whether a dot after a word belongs to it: "J.", "Dr.", "Jr."."""
    is_listed = any(bare(text) in name_words(kind) for kind in _SHORT_FORMS)
    return text[0] < "\u2e80" and text.isalpha() and (len(text) == 1 or is_listed)


def list_bits(kinds: Iterable[str]) -> int:
    """Return lists of words as the bits of one integer, see ``LIST_BITS``."""
    return sum(map(LIST_BITS.__getitem__, {*kinds}))


def bare(text: str) -> str:
    """Return a token without dots, case folded, as in the lists."""
    return text.replace(".", "").casefold()


def lists_of(tokens: Sequence[str], code: str, ends: Sequence[int] = ()) -> list[int]:
    """Return the lists whose phrases contain each token, in a language, as :func:`list_bits`.

    The words of longer phrases are marked: ``role`` for a single word, ``role+`` within a phrase.
    ``ends`` are the ends of several texts among the tokens; by default all are of one.
    """
    table, ends = _word_lists(code, is_european("".join(tokens))), ends or [len(tokens)]
    lists = [*map(table.__getitem__, tokens)]
    for i in [i for i, bits in enumerate(lists) if bits > _ALL_LISTS]:
        lists[i] &= _ALL_LISTS
        end = ends[bisect_right(ends, i)]
        pair = " ".join(map(bare, tokens[i : min(i + 2, end)]))
        if pair not in table.longest:
            continue
        words = [*map(bare, tokens[i : min(i + table.longest[pair], end)])]
        taken = 0
        for size in range(len(words), 1, -1):
            if found := table.phrases.get(" ".join(words[:size]), 0) & ~taken:
                taken |= found
                for j in range(i, i + size):
                    lists[j] |= found << len(LISTS)
        lists[i] &= ~taken
    return lists


class _WordLists(dict[str, int]):
    """Lists of each token in a language, and a further bit if longer phrases begin with it.

    Phrases are their tokens, separated by spaces; ``longest`` are the numbers of tokens of the
    longest that begin with a pair of tokens. Without ``only_european`` there are also phrases that
    a European text cannot contain, and which take longer.
    """

    def __init__(self, code: str, only_european: bool) -> None:
        self.months, self.weekdays = month_names(code), calendar(code).weekdays
        own_code = code if has_words(code) else ""
        self.phrases, self.longest, self.begins = _phrases(own_code, only_european)

    def __missing__(self, text: str) -> int:
        word = bare(text)
        bits = _name_lists().get(word, 0) | self.phrases.get(word, 0)
        if word.endswith(("redaktion", "agentur")):
            bits |= LIST_BITS["group"]
        if word in self.months:
            bits |= LIST_BITS["month"]
        if word in self.weekdays:
            bits |= LIST_BITS["weekday"]
        if len(self) >= WORDS:
            self.clear()
        if word in self.begins:
            bits |= _ALL_LISTS + 1
        self[text] = bits
        return bits


_word_lists = lru_cache(maxsize=16)(_WordLists)


@lru_cache(maxsize=64)
def _phrases(
    code: str, only_european: bool
) -> tuple[Mapping[str, int], Mapping[str, int], Set[str]]:
    """Return phrases as :class:`_WordLists` keeps them, and the first tokens of longer ones."""
    lists: dict[str, int] = {}
    longest: dict[str, int] = {}
    for kind in LISTS:
        for phrase in phrases(kind, code):
            if only_european and not is_european(phrase):
                continue
            if not (words := _words_of_phrase(phrase)):
                continue
            lists[words] = lists.get(words, 0) | LIST_BITS[kind]
            if " " in words:
                tokens = words.split(" ")
                pair = " ".join(tokens[:2])
                longest[pair] = max(longest.get(pair, 0), len(tokens))
    return lists, longest, {pair.partition(" ")[0] for pair in longest}


@lru_cache(maxsize=WORDS)
def _words_of_phrase(phrase: str) -> str:
    """Return a phrase as its tokens are compared; many languages share a phrase."""
    if is_european(phrase) and phrase.replace(" ", "").isalpha():
        return " ".join(phrase.casefold().split())  # quicker, and most are of plain words
    return " ".join(map(bare, tokens_of(phrase)))


@cache
def _name_lists() -> Mapping[str, int]:
    """Return the lists of words in and around names, which are those of all languages, by word."""
    lists: dict[str, int] = {}
    kinds = {kind: name_words(words) for kind, words in _KINDS_OF_NAMES.items()}
    kinds["particle"] |= {"e", "y"}
    for kind, words in {"group": group_words(), **kinds}.items():
        for word in words:
            lists[word] = lists.get(word, 0) | LIST_BITS[kind]
    return lists


def hints_at(page: Page, region: int) -> Hints:
    """Return the hints on a region: its nearest elements, their names, and its link."""
    elements, tags = page.elements, name_table("tags")
    above = [*islice(elements.ancestors(int(page.element[region])), _NEAR)]
    hints: set[str] = set()
    for n in above:
        tag = elements.tag[n]
        if tag in tags:
            hints.add(tags[tag])
        if tag == "a":
            hints.add("link")
            attributes = elements.attributes[n]
            leads_to_person = _PROFILE.search(attributes.get("href", "").lower()) is not None
            if leads_to_person or "author" in attributes.get("rel", ""):
                hints.add("profile")
    return hints_of_elements(page, above) | hints


@once_a_page
def _known_hints(page: Page) -> dict[int, Hints]:
    return {}


def hints_of_elements(page: Page, elements: Iterable[int]) -> Hints:
    """Return the hints that the class names, ids and other attributes of elements give."""
    known, hints = _known_hints(page), NO_HINTS
    for n in elements:
        if n not in known:
            attributes = page.elements.attributes[n]
            values = [attributes[name] for name in _NAMING.intersection(attributes)]
            known[n] = NO_HINTS.union(*map(_hints_of, values))
        hints |= known[n]
    return hints


@cache
def _hint_pattern() -> re.Pattern[str]:
    """Return a pattern of all hints, whose groups are named so; no two begin at the same place."""
    return re.compile(
        "|".join(f"(?P<{name}>{words})" for name, words in name_table("hints").items())
    )


@lru_cache(maxsize=TEXTS)
def _hints_of(value: str) -> Hints:
    folded, pattern, hints = value.lower(), _hint_pattern(), set[str]()
    match = pattern.search(folded)
    while match is not None:
        hints.add(match.lastgroup or "")
        match = pattern.search(folded, match.start() + 1)
    return frozenset(hints)


def byline_of(page: Page, regions: Sequence[int]) -> tuple[str, tuple[Hints, ...], list[int]]:
    """Return regions as the lines of a byline.

    An initial in an element of its own is joined with the rest of its word.

    Returns
    -------
    Lines, separated by line breaks; hints of the mark-up on each; and the first character of each
    region in the text.
    """
    text, starts = "", []
    hints: list[Hints] = []
    for n, i in enumerate(regions):
        of_region = hints_at(page, i)
        if n and regions[n - 1] == i - 1 and _is_cut(page, i):
            hints[-1] |= of_region
        else:
            text += "\n" if n else ""
            hints.append(of_region)
        starts.append(len(text))
        text += " ".join(page.text[i].split())
    return text, tuple(hints), starts


def _is_cut(page: Page, i: int) -> bool:
    if page.joins is None or not page.joins[i] or page.breaks[i]:
        return False
    return len(page.text[i - 1]) == 1 and page.text[i - 1].isupper() and page.text[i][0].islower()
