"""Tokens of a byline, the lists of words and phrases that they are in, and hints of the mark-up.

A byline is one line of a page, or several adjacent ones, separated by line breaks. Tokens are words
(including the dot of "Dr." and the hyphen of a double name), marks, addresses, numbers and line
breaks. In scripts without spaces between words, every character is a token.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from functools import cache, lru_cache, reduce
from itertools import accumulate, islice
from operator import or_
from typing import NamedTuple

from structce.features import element_names
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

_NO_LISTS = frozenset[str]()

_NEAR = 4  # elements above a region whose names describe it
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

ListedPhrase = tuple[tuple[str, ...], str]
"""Tokens of a phrase, and the list that it is in."""

_KINDS_OF_NAMES = {
    "particle": "particles",
    "credential": "credentials",
    "address": "forms_of_address",
    "generation": "generations",
    "place": "places",
}
"""Kinds of words in and around names, and their names in the table."""

_SHORT_FORMS = ("forms_of_address", "generations", "credentials")

LONGEST = 120
"""Greatest number of tokens that are read of a byline."""


class Token(NamedTuple):
    """A word, mark, number, address or line break of a byline, and its place in the byline."""

    text: str
    start: int
    end: int

    @property
    def is_break(self) -> bool:
        """Whether it separates two lines."""
        return self.text == "\n"


@lru_cache(maxsize=TEXTS)
def tokens_of(text: str) -> tuple[Token, ...]:
    """Return the tokens of a byline, at most ``LONGEST``.

    >>> [token.text for token in tokens_of("By Dr. Ann Lee-Öz, AP | 3 May")]
    ['By', 'Dr.', 'Ann', 'Lee-Öz', ',', 'AP', '|', '3', 'May']
    """
    is_european_text, words = is_european(text), text.split(" ")
    if is_european_text and all(map(str.isalpha, words)):
        ends = [*accumulate(len(word) + 1 for word in words)]
        rows = zip(words[:LONGEST], ends, strict=False)
        return tuple([Token(word, end - 1 - len(word), end - 1) for word, end in rows])
    has_address = "@" in text or "/" in text or ("." in text and "www." in text.lower())
    matches = _token_pattern(is_european_text, has_address or not is_european_text).finditer(text)
    tokens: list[Token] = []
    for token in [Token(match[0], *match.span()) for match in islice(matches, 2 * LONGEST)]:
        last = tokens[-1] if token.text == "." and tokens else None
        if last is not None and last.end == token.start and _is_short_form(last.text):
            tokens[-1] = Token(f"{last.text}.", last.start, token.end)
        else:
            tokens.append(token)
    return tuple(tokens[:LONGEST])


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


def bare(text: str) -> str:
    """Return a token without dots, case folded, as in the lists."""
    return text.replace(".", "").casefold()


@lru_cache(maxsize=64)
def _phrases(code: str, in_europe: bool) -> Mapping[str, Mapping[ListedPhrase, None]]:
    """Return the phrases of all lists that apply to a language, by first token.

    ``in_europe`` chooses those in European scripts; the others take longer.
    """
    table: dict[str, dict[ListedPhrase, None]] = {}
    for kind in LISTS:
        for phrase in phrases(kind, code):
            if is_european(phrase) is in_europe and (words := _words_of_phrase(phrase)):
                table.setdefault(words[0], {})[words, kind] = None
    return table


@lru_cache(maxsize=WORDS)
def _words_of_phrase(phrase: str) -> tuple[str, ...]:
    """Return the tokens of a phrase as they are compared; many languages share a phrase."""
    if is_european(phrase) and phrase.replace(" ", "").isalpha():
        return tuple(phrase.casefold().split())  # quicker, and most are of plain words
    return tuple(bare(token.text) for token in tokens_of(phrase))


def lists_of(tokens: Sequence[Token], code: str) -> list[frozenset[str]]:
    """Return the lists whose phrases contain each token, in a language.

    The words of longer phrases are marked: ``role`` for a single word, ``role+`` within a phrase.
    """
    only_european = is_european("".join([token.text for token in tokens]))
    entries = [_entry(token.text, code, only_european) for token in tokens]
    lists = [kinds for _, kinds, _ in entries]
    for i, (_, _, longer) in enumerate(entries):
        if not longer:
            continue
        taken: set[str] = set()
        for phrase, kind in longer:
            size = len(phrase)
            if kind not in taken and tuple([word for word, *_ in entries[i : i + size]]) == phrase:
                taken.add(kind)
                for j in range(i, i + size):
                    lists[j] |= {f"{kind}+"}
        if taken:
            lists[i] -= taken
    return lists


@lru_cache(maxsize=WORDS)
def _entry(
    text: str, code: str, only_european: bool
) -> tuple[str, frozenset[str], tuple[ListedPhrase, ...]]:
    """Return a token as in the lists, the lists that it is in, and longer phrases from it on.

    The longest phrase is the first. ``only_european`` leaves out those that a European text cannot
    contain.
    """
    word, longer = bare(text), list[tuple[int, ListedPhrase]]()
    kinds, (months, weekdays) = _name_lists().get(word, _NO_LISTS), _calendar_names(code)
    if word.endswith(("redaktion", "agentur")):
        kinds |= {"group"}
    if word in months:
        kinds |= {"month"}
    if word in weekdays:
        kinds |= {"weekday"}
    own_code = code if has_words(code) else ""
    for in_europe in (True,) if only_european else (True, False):
        for phrase in _phrases(own_code, in_europe).get(word, ()):
            if len(phrase[0]) > 1:
                longer.append((-len(phrase[0]), phrase))
            else:
                kinds |= {phrase[1]}
    return word, kinds, tuple([phrase for _, phrase in sorted(longer)]) if longer else ()


@lru_cache(maxsize=64)
def _calendar_names(code: str) -> tuple[Mapping[str, Set[int]], Set[str]]:
    return month_names(code), calendar(code).weekdays


@cache
def _name_lists() -> Mapping[str, frozenset[str]]:
    """Return the lists of words in and around names, which are those of all languages, by word."""
    lists: dict[str, frozenset[str]] = {}
    kinds = {kind: name_words(words) for kind, words in _KINDS_OF_NAMES.items()}
    kinds["particle"] |= {"e", "y"}
    for kind, words in {"group": group_words(), **kinds}.items():
        for word in words:
            lists[word] = lists.get(word, frozenset()) | {kind}
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
    own = reduce(or_, map(element_names.element_hints(page).__getitem__, above))
    return element_names.kind_names("hint", own) | hints


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
