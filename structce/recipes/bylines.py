"""Training of the byline reader, and its measurement by cross-validation over sites."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from structce.arrays import Labels
from structce.bylines import (
    BYLINE_LABELS,
    NOTHING_STATED,
    BylineReader,
    PageNames,
    columns_of,
    tokens_of,
)
from structce.corpus import LabelledPage
from structce.evaluation import name_key
from structce.language import language_code
from structce.learners import Features, LinearChainCRF, quiet
from structce.recipes.byline_examples import (
    BylineExample,
    frequent_lines,
    given_names,
    labels_of,
    page_examples,
)
from structce.recipes.ingredients import Say
from structce.recipes.invented_bylines import invented_bylines

MIN_COUNT = 3
"""Least number of sites whose bylines have a column."""

NAME_WEIGHT = 2.0
"""How much a token of a name counts: one that is missed is lost, a wrong one may not be chosen."""

PARAMETERS: Mapping[str, object] = {"lambda_": 2e-5, "max_iterations": 200, "tol": 1e-4}
"""Hyper-parameters of the chain that is shipped, chosen by cross-validation over sites."""

_NAMED = frozenset({"name", "more", "group"})
_STEP = 2.0**-6  # weights are multiples of this; scores of tokens are sums of some forty
_LEAST = 0.05  # of the largest weight of a column that is kept


def fit_reader(examples: Sequence[BylineExample], parameters: Mapping[str, object]) -> BylineReader:
    """Return a reader fitted to bylines; each is read as its page states things, and without.

    Which given names are known is told by the other sites, so that a name of one site alone is as
    new as a name of a page that comes.

    Parameters
    ----------
    parameters
        Hyper-parameters of the chain, except for the weights of its labels.
    """
    given = given_names(examples)
    frequent = frequent_lines(examples)
    examples = [*examples, *invented_bylines()]
    rows: list[list[list[str]]] = []
    labels: list[Labels] = []
    sites: list[str] = []
    for n, one in enumerate(examples):
        tokens, code = tokens_of(one.text), language_code(one.lang)
        known = _Others(given, one.site)
        gold = labels_of(one, tokens, known, frequent)
        for stated in _views(one, n):
            rows.append(columns_of(tokens, code, stated, known, one.hints))
            labels.append(gold)
            sites.append(one.site)
    columns = _frequent_columns(rows, sites, MIN_COUNT)
    pages = [_matrix(row, columns) for row in rows]
    with quiet():
        weights = [NAME_WEIGHT if label in _NAMED else 1.0 for label in BYLINE_LABELS]
        learner = LinearChainCRF(**{**parameters, "label_weights": weights})  # type: ignore[arg-type]
        learner.fit(pages, labels, n_labels=len(BYLINE_LABELS))
    return _pruned(learner, columns, frozenset(given))


def readers_without(
    parts: Sequence[Iterable[LabelledPage]], *, say: Say = lambda line: None
) -> list[BylineReader]:
    """Return for each part of a corpus a reader that is fitted to the bylines of the others.

    What is learnt from names on pages that the reader has seen is surer than on unseen sites.
    """
    examples = [[line for page in part for line in page_examples(page)] for part in parts]
    readers = []
    for n in range(len(examples)):
        say(f"byline reader without part {n + 1} of {len(examples)}")
        rest = [line for i, part in enumerate(examples) if i != n for line in part]
        readers.append(fit_reader(rest, PARAMETERS))
    return readers


def _pruned(
    learner: LinearChainCRF, columns: Mapping[str, int], given: frozenset[str]
) -> BylineReader:
    """Return a reader without columns that say next to nothing, weights rounded to a few digits."""
    weights = np.round(learner.emissions_ / _STEP) * _STEP
    kept = {name: row for name, row in columns.items() if np.abs(weights[row]).max() >= _LEAST}
    learner.emissions_ = weights[list(kept.values())]
    learner.transitions_ = np.round(learner.transitions_ / _STEP) * _STEP
    learner.n_columns_ = len(kept)
    return BylineReader(learner, {name: n for n, name in enumerate(kept)}, given)


def _views(one: BylineExample, n: int) -> tuple[PageNames, ...]:
    """Return what a line is compared with: all that its page states, nothing, or both in turn."""
    if one.names:
        return one.stated, NOTHING_STATED
    return (one.stated if n % 2 else NOTHING_STATED,)


class _Others(Collection[str]):
    """Given names that another site has as well."""

    def __init__(self, sites: Mapping[str, set[str]], own: str) -> None:
        self._sites, self._own = sites, own

    def __contains__(self, word: object) -> bool:
        found = self._sites.get(str(word))
        return found is not None and (len(found) > 1 or self._own not in found)

    def __iter__(self) -> Iterator[str]:
        return (word for word in self._sites if word in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _frequent_columns(
    rows: Sequence[Sequence[Sequence[str]]], sites: Sequence[str], least: int
) -> dict[str, int]:
    """Return the columns that bylines of enough sites have, numbered in order of their names."""
    seen: dict[str, set[str]] = {}
    for row, site in zip(rows, sites, strict=True):
        for names in row:
            for name in names:
                found = seen.setdefault(name, set())
                if len(found) < least:
                    found.add(site)
    return {name: n for n, name in enumerate(sorted(k for k, v in seen.items() if len(v) >= least))}


def _matrix(row: Sequence[Sequence[str]], columns: Mapping[str, int]) -> Features:
    places = [sorted({columns[name] for name in names if name in columns}) for names in row]
    starts = np.concatenate([[0], np.cumsum([len(at) for at in places])])
    indices = np.array([i for at in places for i in at], dtype=np.int32)
    return scipy.sparse.csr_array(
        (np.ones(len(indices)), indices, starts), shape=(len(places), len(columns))
    )


@dataclass(frozen=True)
class NameScores:
    """Counts of names that a reader found, over bylines that hold gold names and over others.

    Parameters
    ----------
    right, wrong, missed
        In bylines.
    n_others, named_others
        Lines that hold no gold name, and those in which a name was found.
    """

    right: int = 0
    wrong: int = 0
    missed: int = 0
    n_others: int = 0
    named_others: int = 0

    @property
    def precision(self) -> float:
        """Share of the names found that are gold, in [0, 1]; 1 where none was found."""
        return self.right / max(self.right + self.wrong, 1)

    @property
    def recall(self) -> float:
        """Share of the gold names that were found, in [0, 1]."""
        return self.right / max(self.right + self.missed, 1)


def score_names(examples: Sequence[BylineExample], found: Sequence[Sequence[str]]) -> NameScores:
    """Return counts of found names; each byline is compared by itself."""
    counts: Counter[str] = Counter()
    for one, names in zip(examples, found, strict=True):
        own = {name_key(name) for name in names} - {""}
        gold = {name_key(name) for name in one.names}
        if one.names and not one.is_byline:
            continue
        if gold:
            counts["right"] += len(own & gold)
            counts["wrong"] += len(own - gold)
            counts["missed"] += len(gold - own)
        else:
            counts["n_others"] += 1
            counts["named_others"] += bool(own)
    return NameScores(**counts)
