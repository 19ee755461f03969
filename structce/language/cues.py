"""Lexical cues of a short text: signs of a byline, a date, a picture credit, an advertisement.

A text is searched once: its words are looked up in the lexicon of the page's language. Signs that
are the same in all languages are searched for only if the text has a digit or a special mark.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from itertools import chain

import msgspec
import numpy as np

from structce import kernels
from structce.arrays import Integers
from structce.language.calendars import NUMBER, Phrase, calendar, known_code
from structce.language.date_parsing import NUMERIC_DATE, TIME_OF_DAY, date_notation
from structce.language.text import (
    JOINED,
    TEXTS,
    compatible,
    fold_digits,
    has_joined,
    language_code,
    letters_of,
    split_texts,
    split_words,
    words_of,
)
from structce.language.vocabulary import has_words, phrase_languages, phrases, word_list
from structce.patterns import lazy_pattern

MAX_CUE_LENGTH = 200
"""Greatest number of characters of a text that is searched; longer texts have no cues."""

EMAIL = lazy_pattern(r"[\w.+-]+@[\w-]+\.\w{2,}")

PhraseMatches = Mapping[str, list[tuple[int, Phrase]]]
"""Phrases, each with the index of its first token, by kind of phrase."""

Entry = tuple[Phrase, str, int]
"""Phrase of a lexicon, its kind, and the index of its longest word that is not a number."""

_CUES: Mapping[str, tuple[str, ...]] = {
    "before": ("author-cue",),
    "role": ("author-cue", "role-cue"),
    "others": ("contributor-cue",),
    "agency": ("contributor-cue", "agency-cue"),
    "published": ("date-cue",),
    "updated": ("date-cue", "update-cue"),
    "day": ("day-word-cue",),
    "ago": ("relative-time-cue",),
    "picture": ("credit-cue",),
    "archive": ("credit-cue",),
    "advertisement": ("advertisement-cue",),
    "comment": ("comment-cue",),
    "rights": ("copyright-cue",),
    "more": ("read-more-cue",),
    "month": ("months-cue",),
    "weekday": ("weekday-cue",),
    "clock": ("time-cue",),
    "period": ("day-period-cue",),
    "era": ("era-cue",),
}
"""Names of cues by the kind of phrase."""

_OF_CALENDAR = frozenset({"day", "ago", "month", "weekday", "period", "era"})
"""Kinds of phrases that the calendar has; the word lists have the others."""

_NO_CUES: frozenset[str] = frozenset()
_AT_EDGE = frozenset({"before", "more"})  # cues only at the beginning of a text
_WITH_DIGIT = frozenset({"month", "weekday", "clock", "period", "era"})
_NAMED_DATES = frozenset({"weekday", "named", "yearless", "monthly"})
_YEARS = frozenset(map(str, range(1980, 2040)))
_NUMBER = lazy_pattern(r"\d+")
_DIGIT = lazy_pattern(r"\d")
_RIGHTS = lazy_pattern(r"©|\([cC]\)")
_MARK = lazy_pattern("[@©(]")
_TIME = lazy_pattern(r"(?<![0-9])(?:[0-9]{1,2}|[0-9]{4})[\0- ]?[.:/hapuHAPU-]")
# Signs of a cue: a word of the lexicon, a digit, a mark, a script without spaces between words, a
# number that may begin a date or a time, a recent year.
_HAS_WORD, _HAS_DIGIT, _HAS_MARK, _HAS_JOINED, _HAS_TIME, _HAS_YEAR = 1, 2, 4, 8, 16, 32
_PICTURE = lazy_pattern(r"\s*[:：/／|©]")
_SHORT_NUMBER = 5  # most letters of a number in words: "three", "an"
_FEW = 3  # words of a text that "by" may end: "Comment by"
_LINE = 60  # most characters of a text in which "yesterday" is a date
_SHORT_WORD = 6  # letters of a word for a date that has other meanings inside a sentence
_SHORT_AGENCY = 4  # letters of an agency's name that counts only in capitals, except dpa


class Lexicon(msgspec.Struct, frozen=True, dict=True):
    """Phrases that are cues on pages in one language."""

    # By their longest word, as it is the rarest, each with its kind and the index of that word.
    starts: dict[str, tuple[Entry, ...]]
    # Of phrases in languages without spaces between words, by kind.
    patterns: dict[str, re.Pattern[str]] = msgspec.field(default_factory=dict)

    @cached_property
    def filter(self) -> object:
        """Filter of texts for the words in `starts`; None without compiled kernels."""
        return kernels.word_filter(self.starts) if kernels.word_filter is not None else None

    @cached_property
    def joined(self) -> Mapping[str, list[Entry]]:
        """Phrases in languages without spaces between words, by kind."""
        entries: dict[str, list[Entry]] = {}
        for entry in chain.from_iterable(self.starts.values()):
            if entry[0][-1] >= JOINED:
                entries.setdefault(entry[1], []).append(entry)
        return entries

    def find_joined(self, text: str, kind: str) -> re.Match[str] | None:
        """Return the first of these phrases of a kind in a text; one before a name ends in a mark.

        A pattern is compiled when a word of its phrases is first met, as most never are.
        """
        if not any(phrase[i] in text for phrase, _, i in self.joined[kind]):
            return None
        if kind not in self.patterns:
            forms = {
                r"\s?".join(r"\d+" if word == NUMBER else re.escape(word) for word in phrase)
                for phrase, *_ in self.joined[kind]
            }
            any_phrase = f"(?:{'|'.join(sorted(forms, key=len, reverse=True))})"
            if kind in _AT_EDGE:
                any_phrase = rf"^\W*{any_phrase}[\s:：／/・]"
            self.patterns[kind] = re.compile(any_phrase)
        return self.patterns[kind].search(text)


@lru_cache(maxsize=256)
def language_lexicon(code: str) -> Lexicon:
    """Return the lexicon of a page's language; of all languages if it is unknown."""
    return _lexicon(code if has_words(code) else known_code(code))


@lru_cache(maxsize=64)
def _lexicon(code: str) -> Lexicon:
    starts = dict(_common_starts())
    _add_phrases(starts, _entries(code))
    return Lexicon(starts)


@cache
def _common_starts() -> dict[str, tuple[Entry, ...]]:
    """Return the phrases of the word lists that apply to pages in any language."""
    starts: dict[str, tuple[Entry, ...]] = {}
    listed = _listed_phrases().items()
    _add_phrases(starts, ((kind, own) for kind, codes in listed for own in codes.get("en", ())))
    return starts


def _add_phrases(starts: dict[str, tuple[Entry, ...]], rows: Iterable[tuple[str, Phrase]]) -> None:
    """Add phrases to a lexicon, each with its kind."""
    for kind, phrase in rows:
        lengths = [len(word) if word != NUMBER else 0 for word in phrase]
        i = lengths.index(max(lengths))
        entry, known = (phrase, kind, i), starts.get(phrase[i], ())
        if entry not in known:
            starts[phrase[i]] = (*known, entry)


def _entries(code: str) -> Iterator[tuple[str, Phrase]]:
    """Yield the phrases of a language that do not apply to all, each with its kind."""
    for kind, codes in _listed_phrases().items():
        own = codes.get(code if code in word_list(kind) else "", ()) if code != "en" else ()
        yield from ((kind, phrase) for phrase in own)
    names = calendar(code)
    yield from (("month", split_words(name)) for name in names.months)
    yield from (("weekday", split_words(name)) for name in names.weekdays)
    groups = {"era": names.eras, "period": names.periods, "day": names.days, "ago": names.ago}
    yield from ((kind, phrase) for kind, group in groups.items() for phrase in group)


@cache
def _listed_phrases() -> Mapping[str, Mapping[str, list[Phrase]]]:
    """Return the phrases of the word lists by kind and language of the pages they apply to.

    ``en`` stands for pages in any language, see :func:`phrase_languages`.
    """
    kinds = [kind for kind in _CUES if kind not in _OF_CALENDAR]
    every = [*dict.fromkeys(chain.from_iterable(map(phrase_languages, kinds)))]
    words = dict(zip(every, split_texts(every), strict=True))
    listed: dict[str, dict[str, list[Phrase]]] = {kind: {} for kind in kinds}
    for kind, by_code in listed.items():
        for phrase, codes in phrase_languages(kind).items():
            if own := words[phrase]:
                for code in ("en",) if "en" in codes else codes:
                    by_code.setdefault(code, []).append(own)
    return listed


@lru_cache(maxsize=512)
def _phrase_pattern(listed: tuple[Phrase, ...]) -> re.Pattern[str]:
    """Return a pattern of phrases, words separated by any white space or mark."""
    expressions = []
    for phrase in listed:
        whole = r"\W+".join(map(re.escape, phrase))
        is_joined = phrase[-1] >= JOINED
        expressions.append(r"\s?".join(map(re.escape, phrase)) if is_joined else rf"\b{whole}\b")
    return re.compile("|".join(expressions))


@lru_cache(maxsize=TEXTS)
def find_phrase(text: str, kind: str, tag: str) -> str:
    """Return the first phrase of a kind in a text, in lower case; empty without one.

    The kinds are those of the word lists, the tag is the language of the page.

    >>> find_phrase("Already a subscriber? Log in", "subscribers", "en")
    'already a subscriber'
    """
    code = language_code(tag)
    ranked, words = _ranked_phrases(kind, code), set(split_words(text))
    is_joined = has_joined(text)
    likely = ranked if is_joined else words & ranked.keys()
    if not likely:
        return ""
    # A pattern of all phrases takes 10 ms to compile; those of a few words are enough for a text.
    listed = sorted(entry for word in likely for entry in ranked[word])
    pattern = _phrase_pattern(tuple(phrase for _, phrase in listed))
    match = pattern.search(compatible(text).casefold())
    return match[0] if match else ""


@lru_cache(maxsize=128)
def _ranked_phrases(kind: str, code: str) -> Mapping[str, list[tuple[int, Phrase]]]:
    """Return the phrases with their ranks, longest first, by their longest word: the rarest."""
    ordered = sorted(phrases(kind, code), key=len, reverse=True)
    ranked: dict[str, list[tuple[int, Phrase]]] = {}
    for rank, phrase in enumerate(split_texts(ordered)):
        if phrase:
            ranked.setdefault(max(phrase, key=len), []).append((rank, phrase))
    return ranked


def find_phrases(tokens: Phrase, code: str) -> PhraseMatches:
    """Return the phrases of the lexicon among the words of a text."""
    starts = language_lexicon(code).starts
    if kernels.find_phrases is not None:
        return kernels.find_phrases(tokens, starts)
    matches: dict[str, list[tuple[int, Phrase]]] = {}
    for i, token in enumerate(tokens):
        for phrase, kind, before in starts.get(token, ()):
            own = tokens[max(i - before, 0) : i - before + len(phrase)]
            if len(phrase) == 1 or _matches_phrase(phrase, own):
                matches.setdefault(kind, []).append((i - before, phrase))
    return matches


def _matches_phrase(phrase: Phrase, tokens: Phrase) -> bool:
    """Return whether words match a phrase; digits or a short word, "an hour ago", are a number."""
    return len(phrase) == len(tokens) and all(
        word == token or (word == NUMBER and (token.isdigit() or len(token) <= _SHORT_NUMBER))
        for word, token in zip(phrase, tokens, strict=True)
    )


def read_texts(
    texts: Sequence[str], wanted: frozenset[str], tag: str
) -> tuple[list[str], Integers]:
    """Return letters (:func:`normalise`), counts of words and signs of cues of each text.

    The numbers have the shape (4, n_texts): words, words that are wanted, words between spaces,
    and signs, which :func:`cues_of_texts` reads; ``tag`` is the language of the page.
    """
    lexicon = language_lexicon(language_code(tag))

    def read(text: str) -> tuple[str, int, int, int, int]:
        words, n_parts = words_of(text), text.count(" ") + (text != "")
        signs = _signs(text, words, lexicon.starts) if len(text) <= MAX_CUE_LENGTH else 0
        return letters_of(text), len(words), sum(map(wanted.__contains__, words)), n_parts, signs

    if kernels.read_texts is not None:
        sought = wanted, lexicon.starts, lexicon.filter, MAX_CUE_LENGTH
        return kernels.read_texts([*texts], *sought, read)
    rows = [*map(read, texts)]
    counts = np.array([own for _, *own in rows], dtype=np.int64).reshape(-1, 4)
    return [letters for letters, *_ in rows], counts.T


def _signs(text: str, words: Phrase, starts: Mapping[str, object]) -> int:
    """Return which signs of a cue a text has: a bit for each."""
    has_digit = _DIGIT.search(text) is not None
    has_time = has_digit and (not text.isascii() or _TIME.search(text) is not None)
    return (
        _HAS_WORD * (not starts.keys().isdisjoint(words))
        | _HAS_DIGIT * has_digit
        | _HAS_MARK * (_MARK.search(text) is not None)
        | _HAS_JOINED * has_joined(text)
        | _HAS_TIME * has_time
        | _HAS_YEAR * (not _YEARS.isdisjoint(words))
    )


def cues_of_texts(
    texts: Sequence[str], tag: str, signs: Integers | None = None
) -> list[frozenset[str]]:
    """Return the names of the cues in each text; ``tag`` is the language of the page.

    A text of more than ``MAX_CUE_LENGTH`` characters has none. The signs are those of
    :func:`read_texts`, by default read from the texts.
    """
    if signs is None:
        signs = read_texts(texts, frozenset(), tag)[1][3]
    rows = zip(texts, signs.tolist(), strict=True)
    signs_of = {text: own for text, own in rows if own & ~_HAS_DIGIT}
    with_words = [text for text, own in signs_of.items() if own & (_HAS_WORD | _HAS_JOINED)]
    words = dict(zip(with_words, split_texts(with_words), strict=True))
    cues = {text: _cues_of(text, words.get(text, ()), tag, own) for text, own in signs_of.items()}
    return [cues.get(text, _NO_CUES) for text in texts]


def _cues_of(text: str, tokens: Phrase, tag: str, signs: int) -> frozenset[str]:
    """Return the cues of a text with some signs of a cue."""
    kinds = set()
    if signs & (_HAS_WORD | _HAS_JOINED):
        kinds = _cue_kinds(tokens, text, tag, is_joined=signs & _HAS_JOINED > 0)
    kinds -= set() if signs & _HAS_DIGIT else _WITH_DIGIT
    cues = {cue for kind in kinds for cue in _CUES[kind]}
    if signs & _HAS_DIGIT and signs & _HAS_YEAR:
        cues.add("year-cue")
    if signs & _HAS_TIME:
        cues |= _digit_cues(text, tag)
    if signs & _HAS_MARK and "@" in text and EMAIL.search(text):
        cues.add("email-cue")
    if signs & _HAS_MARK and _RIGHTS.search(text):
        cues |= {"credit-cue", "copyright-cue"}
    return frozenset(cues)


def _digit_cues(text: str, tag: str) -> set[str]:
    folded = fold_digits(text)
    cues = set()
    for number in _NUMBER.finditer(folded):  # where all of them begin
        i, n_digits = number.start(), len(number[0])
        if n_digits <= 2 and TIME_OF_DAY.match(folded, i):
            cues.add("time-cue")
        if n_digits in (1, 2, 4) and NUMERIC_DATE.match(folded, i):
            cues.add("numeric-date-cue")
        if number[0] in _YEARS:
            cues.add("year-cue")
    if not text.isascii():  # months written as a number and a word, as in Asia
        day = date_notation(text, tag)
        cues |= {"months-cue"} if day and day[0] in _NAMED_DATES else set()
    return cues


def _cue_kinds(tokens: Phrase, text: str, tag: str, *, is_joined: bool) -> set[str]:
    code = language_code(tag)
    matches = find_phrases(tokens, code)
    kinds = set()
    for kind in matches:
        test = _TESTS.get(kind)
        if test is None or test(matches, tokens, text):
            kinds.add(kind)
    if is_joined:
        lexicon = language_lexicon(code)
        for kind in lexicon.joined:
            hit = lexicon.find_joined(text, kind)
            if hit and (kind != "advertisement" or 2 * len(hit[0]) >= len(text)):
                kinds.add(kind)
    return kinds


def _announces(matches: PhraseMatches, tokens: Phrase, _: str) -> bool:
    """Return whether "by" begins the text, or ends a short text that is not a picture credit."""
    starts = {i for i, _ in matches["before"]}
    if 0 in starts or len(tokens) > _FEW or "picture" in matches:
        return 0 in starts
    return any(i + len(phrase) == len(tokens) for i, phrase in matches["before"])


def _is_agency(matches: PhraseMatches, _: Phrase, text: str) -> bool:
    """Return whether a name is written as the agency writes it: AP, but not "ap"."""
    names = [" ".join(phrase) for _, phrase in matches["agency"]]
    return any(len(n) > _SHORT_AGENCY or n == "dpa" or n.upper() in text for n in names)


def _is_credit(matches: PhraseMatches, _: Phrase, text: str) -> bool:
    """Return whether "photo" is followed by a colon or by "by"."""
    starts = {i for i, _ in matches.get("before", ())}
    folded = text.casefold()
    return any(
        i + len(phrase) in starts
        or _PICTURE.match(folded, folded.find(phrase[-1]) + len(phrase[-1])) is not None
        for i, phrase in matches["picture"]
    )


def _is_dated(matches: Iterable[tuple[int, Phrase]]) -> bool:
    return any(i == 0 or len("".join(phrase)) > _SHORT_WORD for i, phrase in matches)


_TESTS: Mapping[str, Callable[[PhraseMatches, Phrase, str], bool]] = {
    "before": _announces,
    "agency": _is_agency,
    "picture": _is_credit,
    "published": lambda matches, *_: _is_dated(matches["published"]),
    "updated": lambda matches, *_: _is_dated(matches["updated"]),
    # A line by itself, not a sentence.
    "day": lambda _, __, text: len(text) <= _LINE,
    "ago": lambda _, __, text: len(text) <= _LINE,
    "more": lambda matches, *_: any(i == 0 for i, _ in matches["more"]),
    # At least half of the text.
    "advertisement": lambda matches, tokens, _: any(
        2 * len(phrase) >= len(tokens) for _, phrase in matches["advertisement"]
    ),
}
"""Test of a phrase's position, by kind; other kinds are cues in any position."""
