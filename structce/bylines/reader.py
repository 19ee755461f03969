"""Reader of bylines: a linear-chain CRF over tokens, and the names that it finds."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from structce.addresses import split_address
from structce.arrays import Floats, Labels
from structce.bylines.column_sums import ColumnSums
from structce.bylines.columns import NOTHING_STATED, PageNames
from structce.bylines.surroundings import Hints
from structce.bylines.tokens import Token, lists_of, tokens_of
from structce.language import language_code, word_list
from structce.learners import LinearChainCRF
from structce.page import Page

BYLINE_LABELS = ("noise", "name", "more", "group", "role", "organisation", "place")
"""Labels of tokens: a person's name begins with ``name`` and continues with ``more``; a ``group``
is an agency, a newsroom or an account that signs; an ``organisation`` is beside a name."""

LONGEST_BYLINE = 1000
"""Greatest number of characters of a text that is read."""

_CREDIT = 2  # tokens before a photographer's name: "photo by", "Foto:"

_NOISE, _NAME, _MORE, _GROUP = (
    BYLINE_LABELS.index(label) for label in ("noise", "name", "more", "group")
)


@dataclass(frozen=True)
class BylineName:
    """Name in a byline.

    Parameters
    ----------
    text
        The name as written, on one line.
    start, end
        Its first character in the byline, and the one after its last.
    is_group
        Whether it is an agency, a newsroom or an account.
    confidence
        Least probability of the labels of its tokens, in [0, 1].
    """

    text: str
    start: int
    end: int
    is_group: bool
    confidence: float


def stated_by(page: Page) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Return the authors, the names of the site and the title that a page states."""
    metadata = page.metadata
    host = (split_address(page.url).hostname or "").removeprefix("www.")
    sites = (*metadata.publishers, *(part for part in host.split(".")[:-1] if len(part) > 2))
    return tuple(metadata.authors), sites, page.title


class BylineReader:
    """Reader of the names in bylines.

    Parameters
    ----------
    learner
        A fitted chain over ``BYLINE_LABELS``.
    columns
        Row of each column in the learner's weights.
    given
        Known given names, case folded.
    """

    def __init__(
        self, learner: LinearChainCRF, columns: Mapping[str, int], given: frozenset[str]
    ) -> None:
        self.learner, self.columns, self.given = learner, columns, given
        self._sums: ColumnSums | None = None

    def read(
        self,
        text: str,
        lang: str = "",
        names: PageNames = NOTHING_STATED,
        hints: Sequence[Hints] = (),
    ) -> list[BylineName]:
        """Return the names in a byline, in order; see :meth:`read_all`."""
        return self.read_all([text], lang, names, [hints])[0]

    def read_all(
        self,
        texts: Sequence[str],
        lang: str = "",
        names: PageNames = NOTHING_STATED,
        hints: Sequence[Sequence[Hints]] = (),
        *,
        lean: float | Sequence[float] = 0.0,
    ) -> list[list[BylineName]]:
        """Return the names in each of several bylines of one page.

        Parameters
        ----------
        texts
            Bylines, of one or several lines; those of more than ``LONGEST_BYLINE`` characters are
            not read.
        lang
            Language tag of the page.
        names
            Names that the page states.
        hints
            Hints of the mark-up for each line of each byline; none without a page.
        lean
            Bonus on the scores of names, one for all bylines or one for each: a higher bonus finds
            more names, and more false ones.
        """
        code = language_code(lang)
        tokens = [tokens_of(text) if len(text) <= LONGEST_BYLINE else [] for text in texts]
        marks = hints or [()] * len(texts)
        scores = self.scores(tokens, code, names, marks)
        for row, bonus in zip(scores, np.broadcast_to(lean, len(scores)).tolist(), strict=True):
            row[:, [_NAME, _MORE, _GROUP]] += bonus
        decoded = self.learner.decode_scores(scores)
        return [
            [
                name
                for name in names_in(text, row, labels, p, conjunctions(code))
                if not _is_credit(row, name.start, code)
            ]
            for text, row, (labels, p) in zip(texts, tokens, decoded, strict=True)
        ]

    def likeness(self, texts: Sequence[str], lang: str = "") -> list[tuple[float, float]]:
        """Return how likely each text as a whole is a person's name, and how likely a group's.

        Both are in [0, 1]: the least probability over the text's tokens that they belong to the
        name; 0 for a text without tokens.
        """
        code = language_code(lang)
        tokens = [tokens_of(text) for text in texts]
        scores = self.scores(tokens, code, NOTHING_STATED, [()] * len(tokens))
        probabilities = []
        for _, p in self.learner.decode_scores(scores):
            is_person = (p[:, _NAME] + p[:, _MORE]).min(initial=1.0) if len(p) else 0.0
            is_group = p[:, _GROUP].min(initial=1.0) if len(p) else 0.0
            probabilities.append((float(is_person), float(is_group)))
        return probabilities

    def scores(
        self,
        texts: Sequence[Sequence[Token]],
        code: str,
        names: PageNames,
        hints: Sequence[Sequence[Hints]],
    ) -> list[Floats]:
        """Return the scores of the labels at the tokens of each text, (n_tokens, n_labels) each."""
        if self._sums is None or self._sums.weights is not self.learner.emissions_:
            self._sums = ColumnSums(self.learner.emissions_, self.columns, self.given)
        return self._sums.scores(texts, code, names, hints)


def _is_credit(tokens: Sequence[Token], start: int, code: str) -> bool:
    """Return whether a word for pictures, with "by" or a colon, precedes a place in a byline."""
    before = [token for token in tokens if token.end <= start][-_CREDIT:]
    return any("picture" in kinds for kinds in lists_of(before, code))


@lru_cache(maxsize=64)
def conjunctions(code: str) -> frozenset[str]:
    """Return the words for "and", in a language and English, that no person's name contains."""
    words = word_list("between")
    listed = f"{words['en']}, {words.get(code, '')}".split(", ")
    return frozenset(word for word in listed if len(word) > 1)


def names_in(
    text: str,
    tokens: Sequence[Token],
    labels: Labels,
    p: Floats,
    between: Collection[str] = (),
) -> list[BylineName]:
    """Return the names that the labels of the tokens mark.

    Words in ``between`` separate two persons' names, whatever their label.
    """
    names: list[BylineName] = []
    kinds = labels.tolist()
    end = 0
    while end < len(tokens):
        begin, is_group = end, kinds[end] == _GROUP
        end += 1
        if kinds[begin] not in (_NAME, _MORE, _GROUP):
            continue
        while end < len(tokens) and kinds[end] == (_GROUP if is_group else _MORE):
            if not is_group and tokens[end].text.casefold() in between:
                kinds[end] = _NOISE
                break
            end += 1
        start, stop = tokens[begin].start, tokens[end - 1].end
        own = " ".join(text[start:stop].split())
        if any(map(str.isalpha, own)):
            confidence = min(float(np.max(p[i])) for i in range(begin, end))
            names.append(BylineName(own, start, stop, is_group, confidence))
    return names
