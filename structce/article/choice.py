"""Choice among candidates: boosted trees where a model has them, else a rule.

A field's trees tell of each candidate how likely it is right; the likeliest is chosen, and further
trees tell from the choice and its rivals how sure to be of it. A model that was fitted without
trees is read by a rule: a region counts as much as the learner trusts it, a statement of the
metadata as much as statements were right on average.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Literal

import numpy as np
from rapidfuzz import fuzz

from structce.arrays import Flags, Floats, Integers
from structce.article.author_candidates import AUTHOR_COLUMNS, author_candidates, name_words
from structce.article.body import BLOCK_COLUMNS, block_rows
from structce.article.candidates import Candidate, rows_of
from structce.article.date_candidates import DATE_COLUMNS, date_candidates
from structce.article.evidence import Evidence
from structce.article.page_type import PAGE_COLUMNS, page_row
from structce.article.quality import QUALITY_COLUMNS
from structce.article.roles import ROLE_COLUMNS
from structce.article.title_candidates import TITLE_COLUMNS, title_candidates
from structce.errors import ModelError
from structce.learners import BoostedTrees

Favour = Literal["precision", "balance", "recall"]
"""Which of two errors a text may rather have: what is not the body's, or what is missing."""

Trees = Mapping[str, BoostedTrees]
"""Trees of a model by name: a field, ``title``, and how sure to be of it, ``title-sure``."""

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "title": TITLE_COLUMNS,
    "authors": AUTHOR_COLUMNS,
    "date": DATE_COLUMNS,
}
"""Columns of the candidates of each field."""

CANDIDATES = {"title": title_candidates, "authors": author_candidates, "date": date_candidates}
"""What finds the candidates of each field."""

SURE_COLUMNS = tuple(
    """
    p_first p_second p_third p_gap p_sum entropy n_candidates n_stating second_p second_shown
    second_stated likeness
    """.split()
)
"""Columns that a choice has besides those of its candidate and of its page."""

BODY_LEAST: Mapping[Favour, tuple[float, float]] = {
    "precision": (0.7, 0.9),
    "balance": (0.5, 0.65),
    "recall": (0.2, 0.3),
}
"""Least probability of a block of the body, as a share of the F1 that its page can expect, on pages
that are no articles and on articles. A half gives the best expected F1 (Lipton et al. 2014, Optimal
thresholding of classifiers to maximize F1 measure); what is beside an article is seldom part of it.
``balance`` gave the best F1 of bags of words in the cross-validation of the shipped recipe."""

_TINY = 1e-9
_IMPOSSIBLE = 0.05
_BESIDE = 3  # regions from name to name
_COPY_BLOCKS, _COPY_CHARS = 5, 2000  # of the body, in a run that is a copy; our choice

AUTHOR_LEAST, ONLY_AUTHOR_LEAST, CO_AUTHOR_LEAST = 0.5, 0.35, 0.2
"""Least probability of an author; of the likeliest one where no other is given; of one who stands
beside a given one, where metadata state both. Chosen like
``BODY_LEAST``, with trees that learn from pages without an author as well: a lower bound finds
more authors of pages that have some, and gives more pages one that have none. The second one was
chosen on pages of sites that nothing had seen: of 598 without an author 59 get one, the F1 of names
on 1,548 pages with authors is .795; with 0.3 it is 74 and .803, with 0.25 88 and .810."""

_RULE_STATED = {
    "title": {"og": 0.6, "json-ld": 0.6, "window": 0.3},
    "authors": {"json-ld": 0.85, "microdata": 0.6, "meta": 0.6},
    "date": {"json-ld": 0.95, "og": 0.95, "microdata": 0.9, "meta": 0.9, "time": 0.5},
}
_RULE_ELSEWHERE = 0.4


_LEARNT_BY: Mapping[str, frozenset[str]] = {
    "signature": frozenset({"is_unread", "n_inside"}),
    "element": frozenset({"part", "part_share", "holds_shown", "held_by_shown"}),
}
"""Columns by which trees know candidates of a kind; trees of an older release use none of them."""


def candidates_of(field: str, evidence: Evidence, trees: Trees) -> list[Candidate]:
    """Return the candidates of a field of the kinds that a model's trees have learnt."""
    found = CANDIDATES[field](evidence)
    kinds = {one.kind for one in found} - {""}
    if not kinds:
        return found
    own = trees.get(field)
    used = {own.names[i] for i in np.unique(own.columns).tolist()} if own is not None else set()
    known = {"", *(kind for kind in kinds if _LEARNT_BY[kind] & used)}
    return [one for one in found if one.kind in known]


def read_by_columns(trees: Trees) -> Trees:
    """Return a model's trees as they read rows of this release, which may have further columns.

    Raises
    ------
    ModelError
        If trees were fitted to columns that this release does not have.
    """
    found = {}
    for name, one in trees.items():
        known = columns_of(name)
        if missing := set(one.names) - set(known) if known else set():
            raise ModelError(
                f"the trees {name!r} of this model ask for the column {min(missing)!r}, which this "
                "release of structce does not read. Train the model anew"
            )
        found[name] = _over(one, known) if known and one.names != known else one
    return found


@lru_cache(maxsize=64)
def _over(trees: BoostedTrees, columns: tuple[str, ...]) -> BoostedTrees:
    return trees.over(columns)


def columns_of(name: str) -> tuple[str, ...]:
    """Return the columns of a model's trees by their name; none for trees of another's."""
    field = name.removesuffix("-sure")
    if field in COLUMNS:
        return COLUMNS[field] if field == name else sure_columns(field)
    if name.startswith("type-"):
        return PAGE_COLUMNS
    if name.startswith("role-"):
        return ROLE_COLUMNS
    return {"body": BLOCK_COLUMNS, "quality": QUALITY_COLUMNS}.get(name, ())


def sure_columns(field: str) -> tuple[str, ...]:
    """Return the columns of a field's choice: the candidate's, those of its rivals, the page's."""
    return (*COLUMNS[field], *SURE_COLUMNS, *PAGE_COLUMNS)


@dataclass(frozen=True)
class Choice:
    """A candidate that was chosen, and the probability that it is right, in [0, 1]."""

    candidate: Candidate
    confidence: float


def probabilities(field: str, candidates: Sequence[Candidate], trees: Trees) -> Floats:
    """Return how likely each candidate of a field is right, shape (n_candidates,)."""
    if not candidates:
        return np.zeros(0)
    if field in trees:
        return trees[field].probability(rows_of(candidates, COLUMNS[field]))
    return np.array([_by_rule(field, one) for one in candidates])


def _by_rule(field: str, candidate: Candidate) -> float:
    """Return how likely a candidate is right as a rule: none of its places need be wrong."""
    stated = _RULE_STATED[field]
    wrong = 1.0 - candidate.facts.get("p", 0.0)
    if candidate.facts.get("is_organisation") or candidate.facts.get("is_only_modified"):
        return 0.5 * (1 - wrong)
    for source in candidate.sources[:1]:
        wrong *= 1.0 - stated.get(source, _RULE_ELSEWHERE)
    return 1.0 - wrong


def choose(
    field: str, evidence: Evidence, trees: Trees, row: Floats | None = None
) -> Choice | None:
    """Return the likeliest value of the title or the date; None without a candidate.

    Parameters
    ----------
    row
        As :func:`structce.article.page_type.page_row` gives it, where it is known.
    """
    candidates = candidates_of(field, evidence, trees)
    p = probabilities(field, candidates, trees)
    if not len(p):
        return None
    first = int(np.argmax(p))
    chosen, confidence = candidates[first], float(p[first])
    if sure := trees.get(f"{field}-sure"):
        row = page_row(evidence) if row is None else row
        confidence = float(sure.probability(sure_row(field, candidates, p, first, row))[0])
    return Choice(chosen, confidence)


def sure_row(
    field: str, candidates: Sequence[Candidate], p: Floats, first: int, page: Floats
) -> Floats:
    """Return what speaks for a choice, shape (1, n_columns): its candidate, rivals and page."""
    order = np.argsort(-p, kind="stable")
    own = rows_of([candidates[first]], COLUMNS[field])[0]
    others = [i for i in order.tolist() if i != first]
    second, third = ([*(float(p[i]) for i in others[:2]), 0.0, 0.0])[:2]
    share = p / max(float(p.sum()), _TINY)
    rival = _rival_facts(field, candidates[first], candidates[others[0]] if others else None)
    facts = (
        p[first],
        second,
        third,
        p[first] - second,
        p.sum(),
        -float((share * np.log(np.maximum(share, _TINY))).sum()),
        len(p),
        len({source for one in candidates for source in one.sources}),
    )
    return np.array([[*own, *facts, *rival, *page[0]]], dtype=np.float64)


def _rival_facts(field: str, first: Candidate, second: Candidate | None) -> tuple[float, ...]:
    """Return what the second best candidate is like; NaN for all where there is none.

    Its label's probability, whether it is visible, whether it is stated, and how like the first
    it is: the similarity of two titles in [0, 100], the days between two days.
    """
    if second is None:
        return (float("nan"),) * 4
    if field == "date":
        one, other = (date.fromisoformat(c.value[:10]).toordinal() for c in (first, second))
        likeness = float(min(abs(one - other), 9999))
    else:
        likeness = fuzz.ratio(first.value.casefold(), second.value.casefold())
    p = second.facts.get("p", float("nan"))
    return p, float(bool(second.regions)), float(bool(second.sources)), likeness


def choose_authors(evidence: Evidence, trees: Trees) -> list[Choice]:
    """Return the likely authors, in the order of the page, then of the metadata."""
    candidates = candidates_of("authors", evidence, trees)
    p = probabilities("authors", candidates, trees)
    chosen = pick_names(candidates, p)
    order = sorted(chosen, key=lambda i: (candidates[i].regions or (len(evidence.page),), i))
    return [Choice(candidates[i], float(p[i])) for i in order]


def pick_names(candidates: Sequence[Candidate], p: Floats) -> list[int]:
    """Return the candidates that are likely enough to be given as authors.

    Of two of which one name is a part of the other, the likelier is taken.
    """
    taken: list[int] = []
    for i in np.argsort(-p, kind="stable").tolist():
        one, chosen = candidates[i], [candidates[j] for j in taken]
        least = AUTHOR_LEAST if taken else ONLY_AUTHOR_LEAST
        if any(_go_together(one, other) for other in chosen):
            least = CO_AUTHOR_LEAST
        words = name_words(one.value)
        known = [name_words(other.value) for other in chosen]
        if p[i] >= least and not any(words <= other or other <= words for other in known):
            taken.append(i)
    return taken


def _go_together(one: Candidate, other: Candidate) -> bool:
    """Return whether two names stand beside each other, and one source states both."""
    if not one.regions or not other.regions or not set(one.sources) & set(other.sources):
        return False
    return abs(min(one.regions) - min(other.regions)) <= _BESIDE


@dataclass(frozen=True, eq=False)
class BodyChoice:
    """Regions of the body.

    Parameters
    ----------
    is_body : shape (n_regions,)
    confidence : shape (n_regions,)
        Probability that a region is where it was put, in the body or out of it, in [0.5, 1] with
        the likeliest choice.
    p : shape (n_blocks,)
        Probability of each block to be part of the body.
    rows : shape (n_blocks, n_columns)
        What it was read from, see :func:`structce.article.body.block_rows`.
    """

    is_body: Flags
    confidence: Floats
    p: Floats
    rows: Floats


def choose_body(
    evidence: Evidence, trees: Trees, favour: Favour = "balance", *, article: float = 1.0
) -> BodyChoice:
    """Return which regions are the body.

    Parameters
    ----------
    article
        Probability that the page is an article, in [0, 1].
    """
    page = evidence.page
    if not evidence.n_blocks:
        none = np.zeros(0)
        return BodyChoice(none.astype(bool), none, none, block_rows(evidence))
    rows = block_rows(evidence)
    p = trees["body"].probability(rows) if "body" in trees else rows[:, 0]
    of_region = p[page.blocks]
    has_text = evidence.lengths > 0
    chars = np.add.reduceat(evidence.lengths, evidence.starts).astype(np.float64)
    taken = p >= least_of_body(p, chars, favour, article)
    taken[copied_blocks(evidence, np.flatnonzero(taken), chars)] = False
    is_body = taken[page.blocks] & has_text
    return BodyChoice(is_body, np.where(is_body, of_region, 1 - of_region), p, rows)


def copied_blocks(evidence: Evidence, blocks: Integers, chars: Floats) -> list[int]:
    """Return those of some blocks that say again what stands before, in one long run.

    Some pages hold their article twice, for wide and for narrow screens. Lines that come again in
    a poem, a menu or an interview are no such copy.
    """
    seen: set[str] = set()
    copies: list[int] = []
    run: list[int] = []
    for block in [*blocks.tolist(), -1]:
        text = (
            "\n".join(evidence.page.text[i] for i in evidence.regions_of(block))
            if block >= 0
            else ""
        )
        if text and text in seen:
            run.append(block)
        elif text or block < 0:
            if len(run) >= _COPY_BLOCKS and chars[run].sum() >= _COPY_CHARS:
                copies += run
            run = []
            seen.add(text)
    return copies


def least_of_body(p: Floats, chars: Floats, favour: Favour, article: float = 1.0) -> float:
    """Return the probability from which blocks are taken for body, in [0, 1].

    The likeliest block is taken, with those as likely, unless it is as good as impossible.

    Parameters
    ----------
    p, chars : shape (n_blocks,)
        Probability of each block to be part of the body, and its characters.
    """
    highest = float(p.max(initial=0.0))
    other, own = BODY_LEAST[favour]
    share = other + (own - other) * article
    return max(min(share * expected_f1(p, chars), highest), _IMPOSSIBLE)


def expected_f1(p: Floats, chars: Floats) -> float:
    """Return the F1 that the best choice of blocks can expect, about, in [0, 1].

    Expected characters in common, of the likeliest blocks up to any, to the mean of the characters
    taken and those expected in the body.
    """
    if not len(p):
        return 0.0
    order = np.argsort(-p, kind="stable")
    likely, taken = np.cumsum((p * chars)[order]), np.cumsum(chars[order])
    return float((2 * likely / np.maximum(taken + likely[-1], 1e-9)).max())
