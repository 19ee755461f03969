"""Stop words by language, and the share of a text that they make up.

The words are in ``stop_words.toml``, one table per language; for scripts without spaces they are
letters. ``coverage`` was measured on the main texts of articles of Fundus, Newspaper4k, WCXB and
the Chinese articles, with `measure_coverage`; a language with fewer than 300 words there has the
value of a related language.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

_LEAST_GUESSED = 0.5  # share of a list's coverage, for a text of unknown language; our choice
_LEAST_STATED = 0.3  # the same for the stated language: on half of the sites of Fundus and WCXB,
# wrongly stated languages reach at most 0.16, and right ones at least 0.45
_ENOUGH = 20  # words needed for a guess
_OVERRULED = 2  # ratio at which another list overrules that of the stated language; our choice


@dataclass(frozen=True)
class StopWords:
    """Stop words of a language.

    Parameters
    ----------
    words
        Stop words in lower case.
    coverage
        Their share of the words of running text, in [0, 1].
    """

    words: frozenset[str]
    coverage: float


def stop_words(language: str) -> StopWords | None:
    """Return the stop words of a language, by its code; None if there is no list of it."""
    return _lists().get(language)


def guess_stop_words(words: Iterable[str], stated: str = "") -> StopWords | None:
    """Return the list with the highest share in a text relative to its coverage; None if low.

    Parameters
    ----------
    words
        Words of the text; with fewer than 20, the list of the stated language is returned.
    stated
        Code of the language that the page states. It is overruled if the text has few words of its
        list, or relatively twice as many of another.
    """
    counts = Counter(word.lower() for word in words)
    n_words = counts.total()
    if n_words < _ENOUGH:
        return stop_words(stated)
    shares = {
        code: sum(counts[word] for word in stops.words) / n_words / stops.coverage
        for code, stops in _lists().items()
    }
    code = max(shares, key=shares.__getitem__)
    own = shares.get(stated, 0.0)
    if own >= _LEAST_STATED and shares[code] < _OVERRULED * own:
        return _lists()[stated]
    return _lists()[code] if shares[code] >= _LEAST_GUESSED else None


def measure_coverage(words: Iterable[str], stops: StopWords) -> float:
    """Return the share of words that are stop words; 0 without words."""
    every = [word.lower() in stops.words for word in words]
    return sum(every) / len(every) if every else 0.0


@cache
def _lists() -> Mapping[str, StopWords]:
    file = Path(__file__).with_name("stop_words.toml")
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    return MappingProxyType(
        {
            code: StopWords(frozenset(table["words"].split()), table["coverage"])
            for code, table in tables.items()
        }
    )
