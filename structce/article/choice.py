"""Choice among candidates: by boosted trees if the model has them, otherwise by a rule.

A field's trees estimate how likely each candidate is right. The likeliest is chosen, and further
trees estimate the confidence of the choice from the candidate and its rivals; of authors, of which
a page may have several or none, these trees judge every candidate. For a model that was
fitted without trees a rule decides: a region counts as much as the learner trusts it, a metadata
statement as much as such statements were right on average.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import cache
from itertools import chain
from math import log
from typing import NamedTuple

import msgspec
import numpy as np
from rapidfuzz import fuzz

from structce.arrays import Floats
from structce.article.authors import (
    AUTHOR_COLUMNS,
    LIST_SEPARATOR,
    author_candidates,
    eligible_names,
    name_words,
)
from structce.article.candidates import UNKNOWN, ValueCandidate
from structce.article.dates import DATE_COLUMNS, date_candidates, eligible_days
from structce.article.evidence import Evidence, named_columns
from structce.article.page_type import PAGE_COLUMNS
from structce.article.titles import TITLE_COLUMNS, eligible_titles, title_candidates
from structce.article.tuned import tuned
from structce.labelling import ArticleTrees
from structce.learners import BoostedTrees


class Field(NamedTuple):
    """Field of an article whose value is chosen among candidates."""

    columns: tuple[str, ...]  # of its candidates
    candidates: Callable[[Evidence], list[ValueCandidate]]
    eligible: Callable[[Sequence[ValueCandidate], Evidence], list[int]]
    p_stated: Mapping[str, float]  # for the rule: that a source of metadata is right, by source


FIELDS: Mapping[str, Field] = {
    "title": Field(
        TITLE_COLUMNS, title_candidates, eligible_titles, {"og": 0.6, "json-ld": 0.6, "window": 0.3}
    ),
    "authors": Field(
        AUTHOR_COLUMNS,
        author_candidates,
        eligible_names,
        {"json-ld": 0.85, "microdata": 0.6, "meta": 0.6},
    ),
    "date": Field(
        DATE_COLUMNS,
        date_candidates,
        eligible_days,
        {"json-ld": 0.95, "og": 0.95, "microdata": 0.9, "meta": 0.9, "time": 0.5},
    ),
}
"""Fields that are chosen, by name."""

CHOICE_COLUMNS = tuple(
    """
    p_first p_second p_third p_gap p_sum entropy n_candidates n_stating second_p second_shown
    second_stated likeness
    """.split()
)
"""Columns of a choice in addition to those of its candidate and of its page."""

_LEAST = 0.05  # least probability of a value
_TINY = 1e-9  # keeps divisions and logarithms finite
_LIKE_NAME = 0.5  # of a text that is a person's name, not a role after it
_BESIDE = 3  # greatest distance between two names, in regions
_NO_RIVAL = (UNKNOWN,) * 4  # of a choice without a second candidate
_LEAST_AUTHORS = "author only-author co-author listed-author".split()  # tuned probabilities
_P_STATED = 0.4  # probability that another source of metadata is right


def candidates_of(field: str, evidence: Evidence, trees: ArticleTrees) -> list[ValueCandidate]:
    """Return the candidates of a field; without trees, those that the rule can judge."""
    candidates = FIELDS[field].candidates(evidence)
    return [c for c in candidates if field in trees.candidates or not c.needs_trees]


@cache
def choice_columns(field: str) -> tuple[str, ...]:
    """Return the columns of a field's choice: of the candidate, of its rivals, and of the page."""
    return (*FIELDS[field].columns, *CHOICE_COLUMNS, *PAGE_COLUMNS)


class Choice(msgspec.Struct, frozen=True):
    """A chosen candidate, and the probability that it is right, in [0, 1]."""

    candidate: ValueCandidate
    confidence: float


def candidate_rows(field: str, candidates: Sequence[ValueCandidate]) -> Floats:
    """Return the features of candidates by the field's columns, shape (n_candidates, n_columns)."""
    return _matrix([candidate.row for candidate in candidates], len(FIELDS[field].columns))


def _matrix(rows: Sequence[tuple[float, ...]], n_columns: int) -> Floats:
    values = np.fromiter(chain.from_iterable(rows), np.float64, len(rows) * n_columns)
    return values.reshape(len(rows), n_columns)  # a fifth of the time of ``np.array``


def probabilities(
    field: str, candidates: Sequence[ValueCandidate], rows: Floats, trees: ArticleTrees
) -> Floats:
    """Return the probability that each candidate of a field is right, shape (n_candidates,).

    ``rows`` are those of :func:`candidate_rows`.
    """
    if not candidates:
        return np.zeros(0)
    if ensemble := trees.candidates.get(field):
        return ensemble.probability(named_columns(rows, FIELDS[field].columns, ensemble.names))
    return np.array([_rule_probability(field, candidate) for candidate in candidates])


def _rule_probability(field: str, candidate: ValueCandidate) -> float:
    """Return the probability that a candidate is right, its sources being independent evidence."""
    wrong = 1.0 - candidate.p
    if candidate.is_organisation or candidate.feature("is_only_modified"):
        return 0.5 * (1 - wrong)
    for source in candidate.sources[:1]:
        wrong *= 1.0 - FIELDS[field].p_stated.get(source, _P_STATED)
    return 1.0 - wrong


def choose(field: str, evidence: Evidence, trees: ArticleTrees, page: Floats) -> Choice | None:
    """Return the likeliest value of the title or the date; None without a likely candidate.

    Only trees of choices read the features of the page.
    """
    candidates = candidates_of(field, evidence, trees)
    eligible = FIELDS[field].eligible(candidates, evidence)
    if not eligible:
        return None
    rows = candidate_rows(field, candidates)
    p = probabilities(field, candidates, rows, trees)
    first = max(eligible, key=p.tolist().__getitem__)  # of equals the first
    confidence = float(p[first])
    if judge := trees.choices.get(field):
        choices = choice_rows(field, candidates, rows, p, [first], page)
        confidence = float(chance_of_choices(field, choices, judge)[0])
    return Choice(candidates[first], confidence) if confidence >= _LEAST else None


def choice_rows(
    field: str,
    candidates: Sequence[ValueCandidate],
    rows: Floats,
    p: Floats,
    chosen: Sequence[int],
    page: Floats,
) -> Floats:
    """Return the features of choices: those of each candidate, of its rivals, and of the page.

    ``p_gap`` is the distance between the two highest probabilities, ``entropy`` that of all in
    nats, ``n_stating`` the number of metadata sources with a candidate.

    Returns
    -------
    shape (n_chosen, n_columns)
        The columns are those of :func:`choice_columns`.
    """
    chances: list[float] = p.tolist()
    order = sorted(range(len(chances)), key=chances.__getitem__, reverse=True)[:3]
    total = sum(chances)
    shares = [chance / max(total, _TINY) for chance in chances]
    entropy = -sum([share * log(max(share, _TINY)) for share in shares])
    sources = {source for candidate in candidates for source in candidate.sources}
    of_all = (total, entropy, len(p), len(sources))
    beside = []
    for first in chosen:
        others = [i for i in order if i != first]
        second, third = ([*(chances[i] for i in others[:2]), 0.0, 0.0])[:2]
        likeliest = (chances[first], second, third, chances[first] - second)
        rival = _rival(field, candidates[first], candidates[others[0]]) if others else _NO_RIVAL
        beside.append((*likeliest, *of_all, *rival))
    n_own, n_beside = rows.shape[1], len(CHOICE_COLUMNS)
    choices = np.empty((len(beside), n_own + n_beside + len(page)))
    choices[:, :n_own] = rows.take(chosen, axis=0)
    choices[:, n_own : n_own + n_beside] = _matrix(beside, n_beside)
    choices[:, n_own + n_beside :] = page
    return choices


def chance_of_choices(field: str, choices: Floats, judge: BoostedTrees) -> Floats:
    """Return the probability that each choice is right, from the rows of :func:`choice_rows`."""
    return judge.probability(named_columns(choices, choice_columns(field), judge.names))


def _rival(field: str, first: ValueCandidate, second: ValueCandidate) -> tuple[float, ...]:
    """Return what the second best candidate is like, and its likeness to the first.

    That is the similarity of two titles in [0, 100], or the days between two dates.
    """
    if field == "date":
        day, rival = (date.fromisoformat(c.value[:10]).toordinal() for c in (first, second))
        likeness = float(min(abs(day - rival), 9999))
    else:
        likeness = fuzz.ratio(first.value.casefold(), second.value.casefold())
    p = second.p if second.regions else UNKNOWN
    return p, bool(second.regions), bool(second.sources), likeness


def choose_authors(evidence: Evidence, trees: ArticleTrees, page: Floats) -> list[Choice]:
    """Return the likely authors in the order of the page, then those that only metadata state.

    Whether a name is an author depends on the other names: the trees of the choice, if the model
    has them, judge every candidate beside its rivals.
    """
    candidates = candidates_of("authors", evidence, trees)
    rows = candidate_rows("authors", candidates)
    p = probabilities("authors", candidates, rows, trees)
    if len(p) and (judge := trees.choices.get("authors")):
        beside = choice_rows("authors", candidates, rows, p, range(len(p)), page)
        p = chance_of_choices("authors", beside, judge)
    likely = np.flatnonzero(p >= min(map(tuned, _LEAST_AUTHORS))).tolist()
    eligible = FIELDS["authors"].eligible([candidates[i] for i in likely], evidence)
    likely = [likely[n] for n in eligible]
    chosen = [likely[n] for n in select_authors([candidates[i] for i in likely], p[likely])]
    persons = [i for i in chosen if not candidates[i].feature("is_publisher")]
    chosen = persons or chosen  # the site is an author where nobody else is
    chosen.sort(key=lambda i: (candidates[i].regions or (len(evidence.page),), i))
    choices = []
    for i in chosen:
        listed = [j for j in chosen if j == i or _share_list(candidates[i], candidates[j])]
        choices.append(Choice(candidates[i], max(p[listed].tolist())))
    return choices


def select_authors(candidates: Sequence[ValueCandidate], p: Floats) -> list[int]:
    """Return the indices of the candidates that are likely enough to be authors.

    If one name is part of another, the likelier of the two is taken.
    """
    taken: list[int] = []
    for i in np.argsort(-p, kind="stable").tolist():
        candidate, chosen = candidates[i], [candidates[j] for j in taken]
        least = tuned("author" if taken else "only-author")
        if any(_are_co_authors(candidate, other) for other in chosen):
            least = tuned("co-author")
        if any(_share_list(candidate, other) for other in chosen):
            least = tuned("listed-author")
        words, others = name_words(candidate.value), [name_words(c.value) for c in chosen]
        if p[i] >= least and not any(words <= other or other <= words for other in others):
            taken.append(i)
    return taken


def _are_co_authors(first: ValueCandidate, second: ValueCandidate) -> bool:
    """Return whether a line names both, or they are side by side and a source states both."""
    if not first.regions or not second.regions:
        return False
    if first.raw == second.raw != "":
        return True
    is_beside = abs(min(first.regions) - min(second.regions)) <= _BESIDE
    return is_beside and bool(set(first.sources) & set(second.sources))


def _share_list(first: ValueCandidate, second: ValueCandidate) -> bool:
    """Return whether two persons are in one list, stated or in a line: "Ann Lee and Tom Rost"."""
    if any(c.is_organisation or c.feature("is_odd") for c in (first, second)):
        return False
    return bool({*first.lists} & {*second.lists}) or _are_enumerated(first, second)


def _are_enumerated(first: ValueCandidate, second: ValueCandidate) -> bool:
    """Return whether only a comma or a word for "and" separates two names in a line."""
    line = first.raw
    if not line or line != second.raw or not (first.regions and second.regions):
        return False
    if any(c.feature("is_group") for c in (first, second)):
        return False
    ends = [(line.find(c.value), line.find(c.value) + len(c.value)) for c in (first, second)]
    (start, end), (begin, _) = sorted(ends)
    separator = LIST_SEPARATOR.fullmatch(line, end, begin) if start >= 0 else None
    is_likely = min(c.feature("like_name") for c in (first, second)) >= _LIKE_NAME
    return separator is not None and (is_likely or separator[0].strip(" ,").isalpha())
