"""Training of the byline reader."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache

import numpy as np
import scipy

from structce.arrays import Labels
from structce.bylines import (
    BYLINE_LABELS,
    NOTHING_STATED,
    BylineReader,
    columns_of,
    tokens_of,
)
from structce.corpus import LabelledPage
from structce.language import language_code
from structce.learners import Features, LinearChainCRF, suppress_solver_warnings
from structce.recipes.byline_examples import (
    BylineExample,
    frequent_lines,
    given_names,
    invented_bylines,
    labels_of,
    page_examples,
)
from structce.recipes.ingredients import Log

MIN_COUNT = 3
"""Least number of sites whose bylines have a column."""

NAME_WEIGHT = 2.0
"""Weight of a token of a name: a missed name is lost, a wrong one may still not be chosen."""

PARAMETERS: Mapping[str, object] = {"lambda_": 2e-5, "max_iterations": 200, "tol": 1e-4}
"""Hyper-parameters of the shipped chain, chosen by cross-validation over sites."""

_NAMED = frozenset({"name", "more", "group"})
_STEP = 2.0**-6  # weights are multiples of it; the score of a token sums some forty
_LEAST = 0.05  # least absolute value of the largest weight of a column that is kept


def fit_reader(examples: Sequence[BylineExample], parameters: Mapping[str, object]) -> BylineReader:
    """Return a reader fitted to bylines, with and without the names that their pages state.

    A given name counts as known only if another site has it, so that a name from a single site is
    as new as the names on future pages. The parameters are those of the chain, except the weights
    of its labels.
    """
    given, frequent = given_names(examples), frequent_lines(examples)
    alone: dict[str, set[str]] = {}  # names by the only site that has them
    for name, own in given.items():
        for site in own if len(own) == 1 else ():
            alone.setdefault(site, set()).add(name)
    examples = [*examples, *invented_bylines()]

    @lru_cache(1)  # the lines of a site follow each other
    def known_on(site: str) -> Set[str]:
        return given.keys() - alone.get(site, set())

    rows: list[list[list[str]]] = []
    labels: list[Labels] = []
    sites: list[str] = []
    for n, example in enumerate(examples):
        tokens, code = tokens_of(example.text), language_code(example.lang)
        known = known_on(example.site)
        gold = labels_of(example, tokens, known, frequent)
        views = (example.stated, NOTHING_STATED)
        for stated in views if example.names else [views[1 - n % 2]]:  # otherwise one in turn
            rows.append(columns_of(example.text, code, stated, known, example.hints))
            labels.append(gold)
            sites.append(example.site)
    columns = _frequent_columns(rows, sites, MIN_COUNT)
    pages = [_matrix(row, columns) for row in rows]
    with suppress_solver_warnings():
        weights = [NAME_WEIGHT if label in _NAMED else 1.0 for label in BYLINE_LABELS]
        learner = LinearChainCRF(**{**parameters, "label_weights": weights})  # type: ignore[arg-type]
        learner.fit(pages, labels, classes=BYLINE_LABELS)
    return _pruned(learner, columns, frozenset(given))


def readers_without(
    parts: Sequence[Iterable[LabelledPage]], *, say: Log = lambda line: None
) -> list[BylineReader]:
    """Return for each part of a corpus a reader fitted to the bylines of the other parts.

    On pages that it was fitted to, a reader would be more confident than on unseen sites.
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
    """Return a reader without columns of negligible weight, and with rounded weights."""
    weights = np.round(learner.emissions_ / _STEP) * _STEP
    kept = {name: row for name, row in columns.items() if np.abs(weights[row]).max() >= _LEAST}
    learner.emissions_ = weights[list(kept.values())]
    learner.transitions_ = np.round(learner.transitions_ / _STEP) * _STEP
    learner.n_columns_ = len(kept)
    return BylineReader(learner, {name: n for n, name in enumerate(kept)}, given)


def _frequent_columns(
    rows: Sequence[Sequence[Sequence[str]]], sites: Sequence[str], least: int
) -> dict[str, int]:
    """Return the columns that occur in bylines of enough sites, numbered by name."""
    seen: dict[str, set[str]] = {}
    for row, site in zip(rows, sites, strict=True):
        for name in {name for names in row for name in names}:
            if len(own := seen.setdefault(name, set())) < least:
                own.add(site)
    return {name: n for n, name in enumerate(sorted(k for k, v in seen.items() if len(v) >= least))}


def _matrix(row: Sequence[Sequence[str]], columns: Mapping[str, int]) -> Features:
    places = [sorted({columns[name] for name in names if name in columns}) for names in row]
    starts = np.concatenate([[0], np.cumsum([len(at) for at in places])])
    indices = np.array([i for at in places for i in at], dtype=np.int32)
    return scipy.sparse.csr_array(
        (np.ones(len(indices)), indices, starts), shape=(len(places), len(columns))
    )
