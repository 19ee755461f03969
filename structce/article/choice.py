"""Choice among candidates: by boosted trees if the model has them, otherwise by a rule.

A field's trees estimate how likely each candidate is right. The likeliest is chosen, and further
trees estimate the confidence of the choice from the candidate and its rivals; of authors, of which
a page may have several or none, these trees judge every candidate. For a model that was
fitted without trees a rule decides: a region counts as much as the learner trusts it, a metadata
statement as much as such statements were right on average.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from types import MappingProxyType
from typing import Literal

import numpy as np
from rapidfuzz import fuzz

from structce.arrays import Flags, Floats, Integers
from structce.article.attachment import in_plain_part, with_attached
from structce.article.author_candidates import AUTHOR_COLUMNS, author_candidates, name_words
from structce.article.body import block_columns
from structce.article.candidates import Candidate
from structce.article.columns import Columns, Facts, rows_of, stack_columns
from structce.article.date_candidates import DATE_COLUMNS, date_candidates
from structce.article.evidence import Evidence
from structce.article.furniture import own_days, own_names, own_titles
from structce.article.page_type import PAGE_COLUMNS
from structce.article.title_candidates import TITLE_COLUMNS, title_candidates
from structce.features import dom_tree
from structce.labelling import ArticleTrees
from structce.learners import BoostedTrees

Favour = Literal["precision", "balance", "recall"]
"""Error that a text should avoid: foreign text (``precision``), missing text (``recall``)."""

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "title": TITLE_COLUMNS,
    "authors": AUTHOR_COLUMNS,
    "date": DATE_COLUMNS,
}
"""Columns of the candidates of each field."""

CANDIDATES = {"title": title_candidates, "authors": author_candidates, "date": date_candidates}
"""Function that finds the candidates of each field."""

OWN = {"title": own_titles, "date": own_days}
"""Function that returns which candidates of a field may be the article's own."""

CHOICE_COLUMNS = tuple(
    """
    p_first p_second p_third p_gap p_sum entropy n_candidates n_stating second_p second_shown
    second_stated likeness
    """.split()
)
"""Columns of a choice in addition to those of its candidate and of its page."""

BODY_LEAST: Mapping[Favour, tuple[float, float]] = {
    "precision": (0.7, 0.9),
    "balance": (0.5, 0.65),
    "recall": (0.2, 0.3),
}
"""Least probability of a block of the body, as a share of the F1 that its page can expect: first
on pages that are not articles, then on articles. A half gives the best expected F1 (Lipton et al.
2014, Optimal thresholding of classifiers to maximize F1 measure); text beside an article is seldom
part of it. ``balance`` gave the best F1 of bags of words in cross-validation of the shipped
recipe."""

_BACK = re.compile(r"[\u21a9\u2191\u21a5\u21e7\ufe0e\ufe0f^]+")
_TINY = 1e-9
_IMPOSSIBLE = 0.05
_BESIDE = 3  # greatest distance between two names, in regions
_COPY = (5, 2000)  # least blocks and characters of a repeated run of the body; our choice
_COPY_ELSEWHERE, _WRITTEN, _LEAST_WRITTEN = (1, 50), ("article", "documentation"), 0.25
"""The same on pages that are hardly articles or documentation: types of pages that may repeat a
line, and their least probability. On products and listings a repeated description is another view
for narrow screens, or a product shown twice. Chosen in cross-validation: the F1 of words on 1,854
pages of unseen sites rises by .0021 [+.0010, +.0034] (95 % interval over sites), on 68 products by
.020, on 71 collections by .004 and on 150 services by .006; articles stay."""

THREAD = 0.45
"""Probability of a forum from which a page's posts may be its text."""

_BESIDE_COMMENTS, _LIKELY_TITLE = (0.7, 0.2), 0.3
"""Least probability of a block beside readers' comments which are then no part of the body, in
general and if the title precedes the comments; least probability of such a title. In
cross-validation the F1 of words rises on 13 of 1,854 pages of all types and falls on 4, in the mean
by .0014; other bounds give nearly the same. On Dragnet's news and blogs of 2012, from which no
model learns and on which the fault was seen, it rises on 76 of 1,321 pages and falls on 9, in the
mean by .021."""

_CAPTION = 0.5
"""Least probability of a caption that is left out of the body; it becomes part of a figure. In
cross-validation the F1 of words on 139 pages of Fundus rises by .0039 [+.0023, +.0057] (95 %
interval over sites), on 1,854 pages of all sets by .0005 [+.0003, +.0007]; bounds from .3 to .7
give the same."""

_PRODUCT, _REVIEW, _WHOLE = 0.35, "review", ("html", "body")
"""Least probability of a product whose reviews by buyers are left out, the name of their elements,
and elements whose names describe the page. In cross-validation the F1 of words on 68 products rises
by .024 [+.006, +.050], on 1,854 pages of all types by .0009 [+.0002, +.0017]; bounds from .2 to .5
give the same. Captions and reviews stay if nothing longer than a line is left without them."""

_STATED_BLOCK, _STATED_PAGE, _LEAST_STATED, _STATED_P = 0.9, 0.6, 0.2, 0.8
"""Least share of a block's letters in the content that JSON-LD states; least share of that content
that the page shows; least probability of such a block, and the one it gets at least, which is
neither doubtful nor sure. In cross-validation of the bodies' trees the F1 of characters on 86
recipes rises from .935 to .972; on 1,321 other pages, of which few state their content, from .9156
to .9157."""

_SURE, _DOUBTFUL = 0.85, 0.7
_FEWEST_SURE, _LINE, _LEAST_SURE, _MOST_BETWEEN = 2, 40, 150, 0.5
_OF_MANY_PARTS, _MOST_PARTS = ("forum", "documentation"), 0.3
_NO_TYPES: Mapping[str, float] = MappingProxyType({})
"""When sure blocks stand apart from doubtful ones: probabilities of both; least number of sure
blocks with more characters than a line, and least characters of all; most characters between the
two, as a share of the sure ones; types of pages that are left out, and their highest probability.
Chosen in cross-validation of the bodies' trees and on waddle: the F1 of characters on 1,851 pages
goes from .9093 to .9091 (listings, collections and services lose less than a point), and the F1 of
words on waddle's Greek pages from .935 to .968, Polish .901 to .959, Russian .843 to .870, English
.952 to .964, Chinese .952 to .951."""

AUTHOR_LEAST, ONLY_AUTHOR_LEAST, CO_AUTHOR_LEAST, LISTED_LEAST = 0.5, 0.35, 0.2, 0.02
"""Least probability of an author; of the likeliest author if no other is chosen; of an author
beside a chosen one, if one line or one source states both; and if one list of authors does. Chosen
like ``BODY_LEAST``, the last one apart, with trees that also learn from pages without an author: a
lower bound finds more of the authors that pages have, but also gives an author to more pages that
have none. The second bound was chosen on pages of unseen sites, each with its metadata and without:
with 0.35, 94 of 1,196 views of pages without an author get one, and the F1 of names on 3,096 views
of pages with authors is .762; with 0.3 these are 109 and .768, with 0.4 82 and .751. Since names in
one line count as stated together, the F1 on the 120 views of pages with several authors is .569
instead of .519."""

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
"""Columns that only trees which know a kind of candidate use; trees of older releases do not."""


def candidates_of(field: str, evidence: Evidence, trees: ArticleTrees) -> list[Candidate]:
    """Return the candidates of a field whose kinds a model's trees have learnt."""
    candidates = CANDIDATES[field](evidence)
    kinds = {candidate.kind for candidate in candidates} - {""}
    if not kinds:
        return candidates
    own = trees.candidates.get(field)
    used = _used_columns(own) if own is not None else frozenset()
    known = {"", *(kind for kind in kinds if _LEARNT_BY[kind] & used)}
    return [candidate for candidate in candidates if candidate.kind in known]


@lru_cache(maxsize=8)  # the trees of three fields of a model or two
def _used_columns(trees: BoostedTrees) -> frozenset[str]:
    return frozenset(trees.names[i] for i in set(trees.columns.tolist()))


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
    if own := trees.candidates.get(field):
        return own.probability(rows_of([candidate.facts for candidate in candidates], own.names))
    return np.array([_rule_probability(field, candidate) for candidate in candidates])


def _rule_probability(field: str, candidate: Candidate) -> float:
    """Return the probability that a candidate is right, its places being independent evidence."""
    stated = _RULE_STATED[field]
    wrong = 1.0 - candidate.facts.get("p", 0.0)
    if candidate.facts.get("is_organisation") or candidate.facts.get("is_only_modified"):
        return 0.5 * (1 - wrong)
    for source in candidate.sources[:1]:
        wrong *= 1.0 - stated.get(source, _RULE_ELSEWHERE)
    return 1.0 - wrong


def choose(field: str, evidence: Evidence, trees: ArticleTrees, page: Facts) -> Choice | None:
    """Return the likeliest value of the title or the date; None without a candidate.

    Parameters
    ----------
    page
        Result of :func:`structce.article.page_type.page_facts`; only trees of choices read it.
    """
    candidates = candidates_of(field, evidence, trees)
    p = probabilities(field, candidates, trees)
    own = OWN[field](candidates, evidence)
    if not own:
        return None
    first = max(own, key=lambda n: (p[n], -n))
    chosen, confidence = candidates[first], float(p[first])
    if judge := trees.choices.get(field):
        facts = choice_facts(field, candidates, p, first, page)
        confidence = float(judge.probability(rows_of([facts], judge.names))[0])
    return Choice(chosen, confidence)


def choice_facts(
    field: str, candidates: Sequence[Candidate], p: Floats, first: int, page: Facts
) -> Facts:
    """Return the features of a choice: those of the candidate, of its rivals, and of the page.

    ``p_gap`` is the distance between the two highest probabilities, ``entropy`` that of all in
    nats, ``n_stating`` the number of metadata sources with a candidate.
    """
    order = np.argsort(-p, kind="stable")
    others = [i for i in order.tolist() if i != first]
    second, third = ([*(float(p[i]) for i in others[:2]), 0.0, 0.0])[:2]
    share = p / max(float(p.sum()), _TINY)
    sources = {source for candidate in candidates for source in candidate.sources}
    return {
        **candidates[first].facts,
        "p_first": float(p[first]),
        "p_second": second,
        "p_third": third,
        "p_gap": float(p[first]) - second,
        "p_sum": float(p.sum()),
        "entropy": -float((share * np.log(np.maximum(share, _TINY))).sum()),
        "n_candidates": len(p),
        "n_stating": len(sources),
        **(_rival_facts(field, candidates[first], candidates[others[0]]) if others else {}),
        **page,
    }


def _rival_facts(field: str, first: Candidate, second: Candidate) -> Facts:
    """Return features of the second best candidate.

    They are the probability of its label, whether it is visible, whether metadata state it, and how
    much it is like the first: the similarity of two titles in [0, 100], or the days between two
    dates.
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

    Parameters
    ----------
    page
        Result of :func:`structce.article.page_type.page_facts`; only trees of choices read it.
    """
    candidates = candidates_of("authors", evidence, trees)
    p = probabilities("authors", candidates, trees)
    if len(p) and (own := trees.choices.get("authors")):
        facts = [choice_facts("authors", candidates, p, i, page) for i in range(len(p))]
        p = own.probability(rows_of(facts, own.names))
    beside = np.ones(len(p), dtype=bool)
    beside[own_names(candidates, evidence)] = False
    chosen = pick_names(candidates, np.where(beside, 0.0, p))
    order = sorted(chosen, key=lambda i: (candidates[i].regions or (len(evidence.page),), i))
    return [Choice(candidates[i], float(p[i])) for i in order]


def pick_names(candidates: Sequence[Candidate], p: Floats) -> list[int]:
    """Return the indices of the candidates that are likely enough to be authors.

    If one name is part of another, the likelier of the two is taken.
    """
    taken: list[int] = []
    for i in np.argsort(-p, kind="stable").tolist():
        candidate, chosen = candidates[i], [candidates[j] for j in taken]
        least = AUTHOR_LEAST if taken else ONLY_AUTHOR_LEAST
        if any(_are_co_authors(candidate, other) for other in chosen):
            least = CO_AUTHOR_LEAST
        if any(_are_listed_together(candidate, other) for other in chosen):
            least = LISTED_LEAST
        words = name_words(candidate.value)
        known = [name_words(other.value) for other in chosen]
        if p[i] >= least and not any(words <= other or other <= words for other in known):
            taken.append(i)
    return taken


def _are_co_authors(first: Candidate, second: Candidate) -> bool:
    """Return whether one line names both, or they are beside each other and a source states both.

    Pages with several authors are few among those that trees learn from.
    """
    if not first.regions or not second.regions:
        return False
    if first.raw == second.raw != "":
        return True
    is_beside = abs(min(first.regions) - min(second.regions)) <= _BESIDE
    return is_beside and bool(set(first.sources) & set(second.sources))


def _are_listed_together(first: Candidate, second: Candidate) -> bool:
    """Return whether one list of authors names two persons: they are right or wrong together.

    Their lists are those of one JSON-LD object, of citations, and the like.
    """
    is_person = not first.facts.get("is_organisation") and not first.facts.get("is_odd")
    return is_person and bool({*first.lists} & {*second.lists})


@dataclass(frozen=True, eq=False)
class BodyChoice:
    """Regions of the body.

    Parameters
    ----------
    is_body : shape (n_regions,)
    is_likely : shape (n_regions,)
        Regions of blocks that are likely enough by themselves: also those that are left out of the
        body as copies, captions or reviews.
    confidence : shape (n_regions,)
        Probability that a region is where it was put, in the body or out of it; in [0.5, 1] if the
        likelier of the two was chosen.
    p : shape (n_blocks,)
        Probability that each block is part of the body.
    columns
        Features of the blocks, see :func:`structce.article.body.block_columns`.
    """

    is_body: Flags
    is_likely: Flags
    confidence: Floats
    p: Floats
    columns: Columns


def choose_body(
    evidence: Evidence,
    trees: ArticleTrees,
    favour: Favour = "balance",
    *,
    types: Mapping[str, float] = _NO_TYPES,
) -> BodyChoice:
    """Return which regions are the body.

    Parameters
    ----------
    types
        Probability of each type of page, in [0, 1]; empty for an article.
    """
    page, columns = evidence.page, block_columns(evidence)
    if not evidence.n_blocks:
        none = np.zeros(0)
        return BodyChoice(none.astype(bool), none.astype(bool), none, none, columns)
    own = trees.body
    p = columns["body"] if own is None else own.probability(stack_columns(columns, own.names))
    if favour != "recall" and types.get("forum", 0.0) < THREAD:
        p = _without_comments(evidence, p, columns["in_comment"] > 0)
    p = _with_stated(p, columns)
    of_region = p[page.blocks]
    has_text = evidence.lengths > 0
    chars = np.add.reduceat(evidence.lengths, evidence.starts).astype(np.float64)
    taken = p >= least_of_body(p, chars, favour, types.get("article", 1.0))
    if favour != "recall" and sum(types.get(kind, 0.0) for kind in _OF_MANY_PARTS) <= _MOST_PARTS:
        taken = without_doubtful(p, chars, taken, in_plain_part(columns, taken, chars))
    if favour != "precision":
        taken = with_attached(evidence, taken, p, columns)
    is_likely = taken[page.blocks] & has_text
    is_written = sum(types.get(kind, 0.0) for kind in _WRITTEN) >= _LEAST_WRITTEN
    least = _COPY if is_written or not types else _COPY_ELSEWHERE
    taken[copied_blocks(evidence, np.flatnonzero(taken), chars, least)] = False
    if favour != "recall":
        is_beside = columns["p_caption"] >= _CAPTION
        if types.get("product", 0.0) >= _PRODUCT:
            is_beside |= blocks_of_reviews(evidence)
        taken = _without(is_beside, taken, chars)
    is_body = taken[page.blocks] & has_text
    for i in np.flatnonzero(is_body & evidence.in_link).tolist():
        is_body[i] = not _BACK.fullmatch(page.text[i])  # from a footnote to its place in the text
    confidence = np.where(is_body, of_region, 1 - of_region)
    return BodyChoice(is_body, is_likely, confidence, p, columns)


def _without(is_beside: Flags, taken: Flags, chars: Floats) -> Flags:
    """Return the blocks that are not beside the body; all if no more than lines would be left."""
    others = taken & ~is_beside
    return others if (chars[others] > _LINE).any() else taken


def _without_comments(evidence: Evidence, p: Floats, is_comment: Flags) -> Floats:
    """Return the probabilities of blocks, 0 for comments if another block is likely enough.

    Comments are written like an article, and a page may have hundreds of them: taken one by one,
    they make up most of the body that can be expected. If nothing else is likely, the element that
    is named after comments may contain the whole page.
    """
    if not is_comment.any():
        return p
    title = evidence.title_place
    is_below = (
        evidence.probability("Title")[title] >= _LIKELY_TITLE
        and evidence.page.blocks[title] < np.flatnonzero(is_comment)[0]
    )
    others = np.where(is_comment, 0.0, p)
    return others if others.max() >= _BESIDE_COMMENTS[int(is_below)] else p


def _with_stated(p: Floats, columns: Columns) -> Floats:
    """Return the probabilities of blocks, raised for those whose text JSON-LD states as content.

    Publishers may state a text that the page hides or cuts, or that belongs to another page; it
    counts only where the page shows most of it, and for no block that the trees find unlikely.
    """
    with np.errstate(invalid="ignore"):  # unknown without statements
        is_stated = (columns["stated_content"] >= _STATED_BLOCK) & (p >= _LEAST_STATED)
        is_stated &= columns["stated_found"] >= _STATED_PAGE
    return np.where(is_stated, np.maximum(p, _STATED_P), p)


def blocks_of_reviews(evidence: Evidence) -> Flags:
    """Return which blocks are in elements whose class or id speaks of reviews, (n_blocks,)."""
    page = evidence.page
    tags, attributes = page.elements.tag, page.elements.attributes
    named = [
        element
        for key in ("class", "id")
        for element in dom_tree.elements_with(page).get(key, ())
        if _REVIEW in attributes[element][key].lower() and tags[element] not in _WHOLE
    ]
    return dom_tree.inside_any(page, named)[evidence.starts]


def without_doubtful(p: Floats, chars: Floats, taken: Flags, is_plain: Flags) -> Flags:
    """Return the blocks of a body without doubtful ones, if sure ones stand apart from them.

    A short article among long teasers has a few blocks that are surely its text, and many that are
    so with a half or less. These are right or wrong together, since the doubt is about the page:
    article or listing? Taken one by one, they make up most of the body that can be expected. Blocks
    between sure ones stay, and so do those in parts without links, in which there are no teasers.

    Parameters
    ----------
    p, chars : shape (n_blocks,)
        Probability that each block is part of the body, and its number of characters.
    taken, is_plain : shape (n_blocks,)
        Blocks that are likely enough by themselves, and those in parts without links.
    """
    is_sure = p >= _SURE
    if np.count_nonzero(is_sure & (chars > _LINE)) < _FEWEST_SURE:
        return taken
    places, at = np.flatnonzero(is_sure), np.arange(len(p))
    kept = (p >= _DOUBTFUL) | ((at >= places[0]) & (at <= places[-1]))
    between, sure = chars[kept & taken & ~is_sure].sum(), chars[is_sure].sum()
    is_apart = sure >= _LEAST_SURE and between <= _MOST_BETWEEN * sure
    return taken & (kept | is_plain) if is_apart else taken


def copied_blocks(
    evidence: Evidence, blocks: Integers, chars: Floats, least: tuple[int, int] = _COPY
) -> list[int]:
    """Return the blocks, of those given, that repeat earlier ones in one long run.

    Some pages contain their article twice, for wide and for narrow screens. Single lines that recur
    in a poem, a menu or an interview are not such a copy.

    Parameters
    ----------
    least
        Least number of blocks, and of their characters, that count as a long run.
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
            if len(run) >= least[0] and chars[run].sum() >= least[1]:
                copies += run
            run = []
            seen.add(text)
    return copies


def least_of_body(p: Floats, chars: Floats, favour: Favour, article: float = 1.0) -> float:
    """Return the least probability at which a block counts as body, in [0, 1].

    The likeliest block always counts, with all that are as likely, unless it is next to impossible.

    Parameters
    ----------
    p, chars : shape (n_blocks,)
        Probability that each block is part of the body, and its number of characters.
    """
    highest = float(p.max(initial=0.0))
    other, own = BODY_LEAST[favour]
    share = other + (own - other) * article
    return max(min(share * expected_f1(p, chars), highest), _IMPOSSIBLE)


def expected_f1(p: Floats, chars: Floats) -> float:
    """Return approximately the expected F1 of the best choice of blocks, in [0, 1].

    The blocks are taken from the likeliest on. Each prefix has an F1: the characters expected in
    common, divided by the mean of the characters taken and those expected in the body. The highest
    is returned.
    """
    if not len(p):
        return 0.0
    order = np.argsort(-p, kind="stable")
    likely, taken = np.cumsum((p * chars)[order]), np.cumsum(chars[order])
    return float((2 * likely / np.maximum(taken + likely[-1], 1e-9)).max())
