"""Combinations of extractors: union, intersection, vote and cascade, by position or by text.

Sources: T. Gottron (2008). Combining content extraction heuristics: the CombinE system. iiWAS 2008.
J. Bevendorff, S. Gupta, J. Kiesel and B. Stein (2023). An empirical comparison of web content
extraction algorithms. SIGIR 2023, section 5, for votes by text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from structce.arrays import Flags, Floats, Integers
from structce.errors import ExtractionError
from structce.extraction.parsed_document import Extraction, ParsedDocument
from structce.extraction.registry import OPERATORS, Extractor, WordFilter, extractor, make_extractor

N_GRAM = 5
"""Number of consecutive words by which a text votes for a word."""

ENSEMBLE = {
    "readability-lxml": 2.0,
    "trafilatura": 2.0,
    "goose3": 2.0,
    "resiliparse": 1.0,
    "bte": 1.0,
    "justext-3": 1.0,
    "boilerpy3": 1.0,
}
"""Members of the study's best ensemble that are available here, with the study's weights.

The study also has DOM Distiller and Web2Text, with weight 1.
"""

NEEDED = 5
"""Votes that a word needs in both ensembles: out of 9, or out of 12 with weights.

The paper says two thirds; this is the bound of its program, which produced the published texts.
"""


@dataclass(frozen=True)
class Vote(WordFilter):
    """Vote: a word is kept if enough extractors keep it.

    An extractor that returns positions votes for the words there. One that returns only a text
    votes for a word if the `N_GRAM` words starting or ending with it occur consecutively in its
    text (Bevendorff et al. 2023); a shorter text votes with all of its words. With ``by_text`` all
    vote by their texts, as in that study. Weights are above 0, or empty for equal ones; a word
    needs a ``share``, in (0, 1], of all weights.
    """

    members: Sequence[Extractor]
    weights: Sequence[float] = ()
    share: float = 2 / 3
    by_text: bool = False

    def __post_init__(self) -> None:
        if not self.members or len(self.weights) not in (0, len(self.members)):
            raise ExtractionError(f"a vote of {len(self.members)} with {len(self.weights)} weights")
        if not 0 < self.share <= 1 or any(weight <= 0 for weight in self.weights):
            raise ExtractionError(
                f"vote: share {self.share}, weights {tuple(self.weights)}; expected a share in "
                "(0, 1] and weights above 0"
            )

    def keep(self, document: ParsedDocument) -> Flags:
        """Return which words have enough votes."""
        weights = self.weights or [1.0] * len(self.members)
        votes: Floats = np.zeros(len(document.words))
        for member, weight in zip(self.members, weights, strict=True):
            votes += weight * votes_of(member.extract(document), document, by_text=self.by_text)
        return votes >= self.share * sum(weights) - 1e-9  # thirds are not exact


@dataclass(frozen=True)
class Cascade(WordFilter):
    """Cascade: each extractor reads what the one before it kept, with all tags."""

    members: Sequence[Extractor]

    def keep(self, document: ParsedDocument) -> Flags:
        """Return which words are kept by every extractor in turn."""
        kept = np.ones(len(document.words), dtype=bool)
        for member in self.members:
            rest = document.restrict(kept)
            kept[kept] = votes_of(member.extract(rest), rest)
        return kept


def union(members: Sequence[Extractor]) -> Vote:
    """Return an extractor that keeps what at least one member keeps."""
    return Vote(members, share=1 / max(len(members), 1))


@extractor("ensemble")
def ensemble() -> Vote:
    """Vote of seven extractors by their texts; five ninths needed (Bevendorff et al. 2023)."""
    return Vote([make_extractor(name) for name in ENSEMBLE], share=NEEDED / 9, by_text=True)


@extractor("ensemble-weighted")
def weighted_ensemble() -> Vote:
    """Vote of seven extractors, three counted twice; five twelfths (Bevendorff et al. 2023)."""
    members = [make_extractor(name) for name in ENSEMBLE]
    return Vote(members, tuple(ENSEMBLE.values()), NEEDED / 12, by_text=True)


OPERATORS |= {
    "union": union,
    "intersection": partial(Vote, share=1.0),
    "vote": Vote,
    "text-vote": partial(Vote, by_text=True),  # as in the study: two thirds
    "cascade": Cascade,
}


def votes_of(extraction: Extraction, document: ParsedDocument, *, by_text: bool = False) -> Flags:
    """Return which words of a document an extraction contains, by position or else by text."""
    if extraction.spans and not by_text:
        return document.words_in(extraction.spans)
    if not extraction.text.strip():
        return np.zeros(len(document.words), dtype=bool)
    shared = shared_n_grams(written_words(document), extraction.text.split())
    return shared[_owners(document)]


def written_words(document: ParsedDocument) -> list[str]:
    """Return the words of a document's text, separated by white space."""
    return document.select(np.ones(len(document.words), dtype=bool)).text.split()


def _owners(document: ParsedDocument) -> Integers:
    """Return the index of the white-space-separated word that each word is part of."""
    begins = document.words.breaks > 0
    begins[:1] = False
    return np.cumsum(begins, dtype=np.int64)


def shared_n_grams(words: Sequence[str], others: Sequence[str], n: int = N_GRAM) -> Flags:
    """Return which words begin or end a run of `n` words that also occurs in the others.

    If there are fewer words on either side, the run is as long as the shorter of them.
    """
    n = min(n, len(words), len(others))
    kept = np.zeros(len(words), dtype=bool)
    if n:
        runs, known = _number_runs(words, others, n)
        begins = np.flatnonzero(np.isin(runs, known))
        kept[begins] = kept[begins + n - 1] = True
    return kept


def _number_runs(words: Sequence[str], others: Sequence[str], n: int) -> tuple[Integers, Integers]:
    """Return a number for each run of `n` words of two texts, equal for equal runs."""
    table: dict[str, int] = {}
    mine, theirs = (
        np.array([table.setdefault(word, len(table)) for word in text], dtype=np.int64)
        for text in (words, others)
    )
    runs, known = mine, theirs
    for length in range(1, n):  # numbers stay below the number of words, so no product overflows
        longer = (runs[:-1] * len(table) + mine[length:], known[:-1] * len(table) + theirs[length:])
        numbers = np.unique(np.concatenate(longer), return_inverse=True)[1]
        runs, known = numbers[: len(longer[0])], numbers[len(longer[0]) :]
    return runs, known
