"""Stop words by language, and how much of a text they are.

The words stand in ``stop_words.toml``, a table for each language; of writing without spaces they
are letters. ``coverage`` was measured on the main texts of articles of Fundus, Newspaper4k, WCXB
and the Chinese articles, with `measure_coverage`; of languages of which these have fewer than
300 words it is that of a language near by.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType

_LEAST_GUESSED = 0.5  # of a list's coverage, for a text of unknown language; our choice
_LEAST_STATED = 0.3  # and of the stated one: on half of the sites of Fundus and WCXB wrongly stated
# languages reach 0.16 at most, and others 0.45 at least
_ENOUGH = 20  # words that a guess needs
_OVERRULED = 2  # times as much of another list as of that of the stated language, our choice


@dataclass(frozen=True)
class StopWords:
    """Stop words of a language.

    Parameters
    ----------
    words
        In lower case.
    coverage
        Share of the words of running text that they are, in [0, 1].
    """

    words: frozenset[str]
    coverage: float


def stop_words(language: str) -> StopWords | None:
    """Return the stop words of a language, by its code; None where no list of it is here."""
    return _lists().get(language)


def guess_stop_words(words: Iterable[str], stated: str = "") -> StopWords | None:
    """Return the list that a text has most of, for its coverage; None where it has little of any.

    Parameters
    ----------
    words
        Of the text. Fewer than 20 tell nothing.
    stated
        Code of the language that the text is said to be in, which is believed unless it has little
        of its list, or twice as much of another.
    """
    counts = Counter(word.lower() for word in words)
    n_words = counts.total()
    if n_words < _ENOUGH:
        return stop_words(stated)
    found = {
        code: sum(counts[word] for word in one.words) / n_words / one.coverage
        for code, one in _lists().items()
    }
    code = max(found, key=found.__getitem__)
    own = found.get(stated, 0.0)
    if own >= _LEAST_STATED and found[code] < _OVERRULED * own:
        return _lists()[stated]
    return _lists()[code] if found[code] >= _LEAST_GUESSED else None


def measure_coverage(words: Iterable[str], stops: StopWords) -> float:
    """Return the share of words that are stop words; 0 of none."""
    every = [word.lower() in stops.words for word in words]
    return sum(every) / len(every) if every else 0.0


@cache
def _lists() -> Mapping[str, StopWords]:
    file = resources.files(__package__) / "stop_words.toml"
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    return MappingProxyType(
        {
            code: StopWords(frozenset(table["words"].split()), table["coverage"])
            for code, table in tables.items()
        }
    )
