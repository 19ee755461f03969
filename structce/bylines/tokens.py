"""Tokens of a byline, the lists of words and phrases that they are in, and hints of the mark-up.

A byline is one line of a page, or several adjacent ones, separated by line breaks. Tokens are words
(including the dot of "Dr." and the hyphen of a double name), marks, addresses, numbers and line
breaks. In scripts without spaces between words, every character is a token.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple

from structce.language import (
    TEXTS,
    WORDS,
    group_words,
    has_words,
    is_european,
    month_names,
    name_table,
    name_words,
    phrase_languages,
    split_words,
    weekday_names,
    word_list,
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


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of a byline, at most ``LONGEST``.

    >>> [token.text for token in tokens_of("By Dr. Ann Lee-Öz, AP | 3 May")]
    ['By', 'Dr.', 'Ann', 'Lee-Öz', ',', 'AP', '|', '3', 'May']
    """
    is_european_text = is_european(text)
    has_address = "@" in text or "/" in text or ("." in text and "www." in text.lower())
    matches = _token_pattern(is_european_text, has_address or not is_european_text).finditer(text)
    if "." not in text:
        return [Token(match[0], *match.span()) for match in islice(matches, LONGEST)]
    tokens: list[Token] = []
    for match in matches:
        of_token, (start, end) = match[0], match.span()
        if (
            of_token == "."
            and tokens
            and tokens[-1].end == start
            and _is_short_form(tokens[-1].text)
        ):
            tokens[-1] = Token(tokens[-1].text + ".", tokens[-1].start, end)
            continue
        tokens.append(Token(of_token, start, end))
        if len(tokens) > LONGEST:
            break
    return tokens[:LONGEST]


@cache
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


@lru_cache(maxsize=WORDS)
def bare(text: str) -> str:
    """Return a token without dots, case folded, as in the lists."""
    return text.replace(".", "").casefold()


@cache
def _phrases(in_europe: bool) -> Mapping[str, Mapping[ListedPhrase, Set[str]]]:
    """Return the phrases of all lists, with their languages, by first token.

    ``in_europe`` chooses those in European scripts; the others take longer.
    """
    table: dict[str, dict[ListedPhrase, set[str]]] = {}
    for kind in LISTS:
        for phrase, codes in phrase_languages(kind).items():
            if is_european(phrase) is in_europe and (words := _words_of_phrase(phrase)):
                table.setdefault(words[0], {}).setdefault((words, kind), set()).update(codes)
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
    word, own_code = bare(text), code if has_words(code) else ""
    tables = (_phrases(True),) if only_european else (_phrases(True), _phrases(False))
    applying = [
        phrase
        for table in tables
        for phrase, codes in table.get(word, {}).items()
        if not codes.isdisjoint(("en", own_code if own_code in word_list(phrase[1]) else ""))
    ]
    longer = sorted((-len(phrase[0]), phrase) for phrase in applying if len(phrase[0]) > 1)
    kinds = {kind for words, kind in applying if len(words) == 1} | _name_lists().get(word, set())
    if word.endswith(("redaktion", "agentur")):
        kinds.add("group")
    if word in month_names(code):
        kinds.add("month")
    if word in weekday_names(code):
        kinds.add("weekday")
    return word, frozenset(kinds), tuple(phrase for _, phrase in longer)


@cache
def _name_lists() -> Mapping[str, set[str]]:
    """Return the lists of words in and around names, which are those of all languages, by word."""
    lists: dict[str, set[str]] = {}
    kinds = {kind: name_words(words) for kind, words in _KINDS_OF_NAMES.items()}
    kinds["particle"] |= {"e", "y"}
    for kind, words in {"group": group_words(), **kinds}.items():
        for word in words:
            lists.setdefault(word, set()).add(kind)
    return lists


def words_of(texts: Sequence[str]) -> frozenset[str]:
    """Return the words of texts in the form that tokens are compared with."""
    return frozenset(word for text in texts for word in split_words(text))


def hints_at(page: Page, region: int) -> Hints:
    """Return the hints on a region: its nearest elements, their names, and its link."""
    elements, tags = page.elements, name_table("tags")
    hints: set[str] = set()
    for above in islice(elements.ancestors(int(page.element[region])), _NEAR):
        tag = elements.tag[above]
        if tag in tags:
            hints.add(tags[tag])
        if tag == "a":
            hints.add("link")
            attributes = elements.attributes[above]
            leads_to_person = _PROFILE.search(attributes.get("href", "").lower()) is not None
            if leads_to_person or "author" in attributes.get("rel", ""):
                hints.add("profile")
        hints |= hints_of_names(elements.attributes[above])
    return frozenset(hints)


def hints_of_names(attributes: Mapping[str, str]) -> Hints:
    """Return the hints that the class names, id and other attributes of an element give."""
    hints = NO_HINTS
    for key in _NAMING.intersection(attributes):
        hints |= _hints_of(attributes[key])
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
