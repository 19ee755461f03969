"""Choice among candidates: by boosted trees if the model has them, otherwise by a rule.

A field's trees estimate how likely each candidate is right. The likeliest is chosen, and further
trees estimate the confidence of the choice from the candidate and its rivals; of authors, of which
a page may have several or none, these trees judge every candidate. For a model that was
fitted without trees a rule decides: a region counts as much as the learner trusts it, a metadata
statement as much as such statements were right on average.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from rapidfuzz import fuzz

from structce.arrays import Floats
from structce.article.author_candidates import (
    AUTHOR_COLUMNS,
    LIST_SEPARATOR,
    author_candidates,
    name_words,
)
from structce.article.candidates import (
    DATE_COLUMNS,
    TITLE_COLUMNS,
    Candidate,
    date_candidates,
    title_candidates,
)
from structce.article.evidence import Evidence, Facts, rows_of
from structce.article.furniture import eligible_days, eligible_names, eligible_titles
from structce.article.page_type import PAGE_COLUMNS
from structce.article.tuned import tuned
from structce.labelling import ArticleTrees

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "title": TITLE_COLUMNS,
    "authors": AUTHOR_COLUMNS,
    "date": DATE_COLUMNS,
}
"""Columns of the candidates of each field."""

CANDIDATES = {"title": title_candidates, "authors": author_candidates, "date": date_candidates}
"""Function that finds the candidates of each field."""

ELIGIBLE = {"title": eligible_titles, "date": eligible_days}
"""Function that returns which candidates of a field may be the article's own."""

CHOICE_COLUMNS = tuple(
    """
    p_first p_second p_third p_gap p_sum entropy n_candidates n_stating second_p second_shown
    second_stated likeness
    """.split()
)
"""Columns of a choice in addition to those of its candidate and of its page."""

_LEAST = 0.05  # least probability of a value
_TINY = 1e-9
_LIKE_NAME = 0.5  # of a text that is a person's name, not a role after it
_BESIDE = 3  # greatest distance between two names, in regions

_RULE_STATED = {
    "title": {"og": 0.6, "json-ld": 0.6, "window": 0.3},
    "authors": {"json-ld": 0.85, "microdata": 0.6, "meta": 0.6},
    "date": {"json-ld": 0.95, "og": 0.95, "microdata": 0.9, "meta": 0.9, "time": 0.5},
}
_RULE_ELSEWHERE = 0.4


def candidates_of(field: str, evidence: Evidence, trees: ArticleTrees) -> list[Candidate]:
    """Return the candidates of a field, without trees only those that the rule can judge."""
    candidates = CANDIDATES[field](evidence)
    return [c for c in candidates if field in trees.candidates or not c.needs_trees]


def choice_columns(field: str) -> tuple[str, ...]:
    """Return the columns of a field's choice: of the candidate, of its rivals, and of the page."""
    return (*COLUMNS[field], *CHOICE_COLUMNS, *PAGE_COLUMNS)


@dataclass(frozen=True)
class Choice:
    """A chosen candidate, and the probability that it is right, in [0, 1]."""

    candidate: Candidate
    confidence: float


def probabilities(field: str, candidates: Sequence[Candidate], trees: ArticleTrees) -> Floats:
    """Return how likely each candidate of a field is right, shape (n_candidates,)."""
    if not candidates:
        return np.zeros(0)
    if ensemble := trees.candidates.get(field):
        rows = rows_of([candidate.facts for candidate in candidates], ensemble.names)
        return ensemble.probability(rows)
    return np.array([_rule_probability(field, candidate) for candidate in candidates])


def _rule_probability(field: str, candidate: Candidate) -> float:
    """Return the probability that a candidate is right, its sources being independent evidence."""
    wrong = 1.0 - candidate.facts.get("p", 0.0)
    if candidate.facts.get("is_organisation") or candidate.facts.get("is_only_modified"):
        return 0.5 * (1 - wrong)
    for source in candidate.sources[:1]:
        wrong *= 1.0 - _RULE_STATED[field].get(source, _RULE_ELSEWHERE)
    return 1.0 - wrong


def choose(field: str, evidence: Evidence, trees: ArticleTrees, page: Facts) -> Choice | None:
    """Return the likeliest value of the title or the date; None without a likely candidate.

    Only trees of choices read the features of the page.
    """
    candidates = candidates_of(field, evidence, trees)
    p = probabilities(field, candidates, trees)
    eligible = ELIGIBLE[field](candidates, evidence)
    if not eligible:
        return None
    first = max(eligible, key=lambda n: (p[n], -n))
    confidence = float(p[first])
    if judge := trees.choices.get(field):
        facts = choice_facts(field, candidates, p, [first], page)
        confidence = float(judge.probability(rows_of(facts, judge.names))[0])
    return Choice(candidates[first], confidence) if confidence >= _LEAST else None


def choice_facts(
    field: str, candidates: Sequence[Candidate], p: Floats, chosen: Sequence[int], page: Facts
) -> list[Facts]:
    """Return the features of choices: those of each candidate, of its rivals, and of the page.

    ``p_gap`` is the distance between the two highest probabilities, ``entropy`` that of all in
    nats, ``n_stating`` the number of metadata sources with a candidate.
    """
    order, chances = np.argsort(-p, kind="stable").tolist(), p.tolist()
    share = p / max(float(p.sum()), _TINY)
    sources = {source for candidate in candidates for source in candidate.sources}
    of_all = {
        "p_sum": float(p.sum()),
        "entropy": -float((share * np.log(np.maximum(share, _TINY))).sum()),
        "n_candidates": len(p),
        "n_stating": len(sources),
    }
    facts: list[Facts] = []
    for first in chosen:
        others = [i for i in order[:3] if i != first]
        second, third = ([*(chances[i] for i in others[:2]), 0.0, 0.0])[:2]
        own = {"p_first": chances[first], "p_second": second, "p_third": third}
        own["p_gap"] = chances[first] - second
        rival = _rival_facts(field, candidates[first], candidates[others[0]]) if others else {}
        facts.append({**candidates[first].facts, **own, **of_all, **rival, **page})
    return facts


def _rival_facts(field: str, first: Candidate, second: Candidate) -> Facts:
    """Return features of the second best candidate, and its likeness to the first.

    That is the similarity of two titles in [0, 100], or the days between two dates.
    """
    if field == "date":
        day, rival = (date.fromisoformat(c.value[:10]).toordinal() for c in (first, second))
        likeness = float(min(abs(day - rival), 9999))
    else:
        likeness = fuzz.ratio(first.value.casefold(), second.value.casefold())
    return {
        "second_p": second.facts.get("p", float("nan")),
        "second_shown": float(bool(second.regions)),
        "second_stated": float(bool(second.sources)),
        "likeness": likeness,
    }


def choose_authors(evidence: Evidence, trees: ArticleTrees, page: Facts) -> list[Choice]:
    """Return the likely authors in the order of the page, then those that only metadata state.

    Whether a name is an author depends on the other names: the trees of the choice, if the model
    has them, judge every candidate beside its rivals.
    """
    candidates = candidates_of("authors", evidence, trees)
    p = probabilities("authors", candidates, trees)
    if len(p) and (judge := trees.choices.get("authors")):
        facts = choice_facts("authors", candidates, p, range(len(p)), page)
        p = judge.probability(rows_of(facts, judge.names))
    eligible = np.zeros(len(p), dtype=bool)
    eligible[eligible_names(candidates, evidence)] = True
    chosen = pick_names(candidates, np.where(eligible, p, 0.0))
    persons = [i for i in chosen if not candidates[i].facts.get("is_publisher")]
    chosen = persons or chosen  # the site is an author where nobody else is
    sure = [
        max(p[j] for j in chosen if j == i or _are_listed(candidates[i], candidates[j]))
        for i in chosen
    ]
    confidence = dict(zip(chosen, sure, strict=True))
    order = sorted(chosen, key=lambda i: (candidates[i].regions or (len(evidence.page),), i))
    return [Choice(candidates[i], float(confidence[i])) for i in order]


def pick_names(candidates: Sequence[Candidate], p: Floats) -> list[int]:
    """Return the indices of the candidates that are likely enough to be authors.

    If one name is part of another, the likelier of the two is taken.
    """
    taken: list[int] = []
    for i in np.argsort(-p, kind="stable").tolist():
        candidate, chosen = candidates[i], [candidates[j] for j in taken]
        least = tuned("author" if taken else "only-author")
        if any(_are_co_authors(candidate, other) for other in chosen):
            least = tuned("co-author")
        if any(_are_listed(candidate, other) for other in chosen):
            least = tuned("listed-author")
        words, others = name_words(candidate.value), [name_words(c.value) for c in chosen]
        if p[i] >= least and not any(words <= other or other <= words for other in others):
            taken.append(i)
    return taken


def _are_co_authors(first: Candidate, second: Candidate) -> bool:
    """Return whether a line names both, or they are side by side and a source states both."""
    if not first.regions or not second.regions:
        return False
    if first.raw == second.raw != "":
        return True
    is_beside = abs(min(first.regions) - min(second.regions)) <= _BESIDE
    return is_beside and bool(set(first.sources) & set(second.sources))


def _are_listed(first: Candidate, second: Candidate) -> bool:
    """Return whether one list names two persons, stated or in a line: "Ann Lee and Tom Rost".

    They are right or wrong together.
    """
    if any(c.facts.get("is_organisation") or c.facts.get("is_odd") for c in (first, second)):
        return False
    return bool({*first.lists} & {*second.lists}) or _are_enumerated(first, second)


def _are_enumerated(first: Candidate, second: Candidate) -> bool:
    """Return whether a line has nothing but a comma, or a word for "and", between two names."""
    line = first.raw
    if not line or line != second.raw or not (first.regions and second.regions):
        return False
    if any(c.facts.get("is_group") for c in (first, second)):
        return False
    ends = [(line.find(c.value), line.find(c.value) + len(c.value)) for c in (first, second)]
    (start, end), (begin, _) = sorted(ends)
    separator = LIST_SEPARATOR.fullmatch(line, end, begin) if start >= 0 else None
    is_likely = min(c.facts.get("like_name", 0.0) for c in (first, second)) >= _LIKE_NAME
    return separator is not None and (is_likely or separator[0].strip(" ,").isalpha())
