"""Choice of the blocks that are the body of a page.

Trees say how likely each block is a part of the body; the blocks that are likely enough for the F1
that the page can expect are taken, and a few rules say which of them stand or fall together.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np

from structce.arrays import Flags, Floats, Integers
from structce.article.attachment import in_plain_part, with_attached
from structce.article.body import block_columns
from structce.article.columns import Columns, stack_columns
from structce.article.evidence import Evidence
from structce.article.tuned import tuned
from structce.features import dom_tree
from structce.labelling import ArticleTrees

Favour = Literal["precision", "balance", "recall"]
"""Error that a text should avoid: foreign text (``precision``), missing text (``recall``)."""

_BACK = re.compile(r"[\u21a9\u2191\u21a5\u21e7\ufe0e\ufe0f^]+")
_IMPOSSIBLE = 0.05
_COPY = (5, 2000)  # least blocks and characters of a repeated run of an article; our choice
_COPY_ELSEWHERE = (1, 50)  # the same on pages that are hardly articles or documentation
_WRITTEN = ("article", "documentation")  # types of pages that may repeat a line
_OF_MANY_PARTS = ("forum", "documentation")  # types of pages whose sure parts stand apart
_MOST_PARTS = 0.3  # highest probability of these; our choice
_LINE = 40  # characters
_FEWEST_SURE, _LEAST_SURE = 2, 150  # sure blocks beyond a line, and characters of all of them
_MOST_BETWEEN = 0.5  # most characters between sure blocks, as a share of theirs
_REVIEW = "review"
_WHOLE = frozenset({"html", "body"})  # their names describe the page
_NO_TYPES: Mapping[str, float] = MappingProxyType({})


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
    if favour != "recall" and types.get("forum", 0.0) < tuned("thread"):
        p = _without_comments(evidence, p, columns["in_comment"] > 0)
    p = _with_stated(p, columns)
    of_region = p[page.blocks]
    has_text = evidence.lengths > 0
    chars = np.add.reduceat(evidence.lengths, evidence.starts).astype(np.float64)
    taken = p >= least_of_body(p, chars, favour, types.get("article", 1.0))
    if favour == "balance":
        likely = p >= least_of_body(p, chars, "precision", types.get("article", 1.0))
        taken &= likely | ~_above_title(evidence)
    is_doubtful = expected_f1(p, chars) < tuned("doubtful-page")
    has_parts = sum(types.get(kind, 0.0) for kind in _OF_MANY_PARTS) > _MOST_PARTS
    if favour != "recall" and is_doubtful and not has_parts:
        taken = without_doubtful(p, chars, taken, in_plain_part(columns, taken, chars))
    if favour != "precision":
        taken = with_attached(evidence, taken, p, columns)
    is_likely = taken[page.blocks] & has_text
    is_written = sum(types.get(kind, 0.0) for kind in _WRITTEN) >= tuned("written")
    least = _COPY if is_written or not types else _COPY_ELSEWHERE
    taken[copied_blocks(evidence, np.flatnonzero(taken), chars, least)] = False
    if favour != "recall":
        is_beside = columns["p_caption"] >= tuned("caption")
        if types.get("product", 0.0) >= tuned("product"):
            is_beside |= blocks_of_reviews(evidence)
        taken = _without(is_beside, taken, chars)
    is_body = taken[page.blocks] & has_text
    for i in np.flatnonzero(is_body & evidence.in_link).tolist():
        is_body[i] = not _BACK.fullmatch(page.text[i])  # from a footnote to its place in the text
    confidence = np.where(is_body, of_region, 1 - of_region)
    return BodyChoice(is_body, is_likely, confidence, p, columns)


def _above_title(evidence: Evidence) -> Flags:
    """Return which blocks precede the likely title, where furniture is, shape (n_blocks,)."""
    title = evidence.title_place
    if evidence.probability("Title")[title] < tuned("likely-title"):
        return np.zeros(evidence.n_blocks, dtype=bool)
    is_above: Flags = np.arange(evidence.n_blocks) < evidence.page.blocks[title]
    return is_above


def _without(is_beside: Flags, taken: Flags, chars: Floats) -> Flags:
    """Return the blocks that are not beside the body; all if no more than lines would be left."""
    others = taken & ~is_beside
    return others if (chars[others] > _LINE).any() else taken


def _without_comments(evidence: Evidence, p: Floats, is_comment: Flags) -> Floats:
    """Return the probabilities of blocks, 0 for comments if another block is likely enough."""
    if not is_comment.any():
        return p
    title = evidence.title_place
    is_below = (
        evidence.probability("Title")[title] >= tuned("likely-title")
        and evidence.page.blocks[title] < np.flatnonzero(is_comment)[0]
    )
    others = np.where(is_comment, 0.0, p)
    least = tuned("below-title" if is_below else "beside-comments")
    return others if others.max() >= least else p


def _with_stated(p: Floats, columns: Columns) -> Floats:
    """Return the probabilities of blocks, raised for those whose text JSON-LD states as content."""
    with np.errstate(invalid="ignore"):  # unknown without statements
        is_stated = columns["stated_content"] >= tuned("stated-share-of-block")
        is_stated &= p >= tuned("stated-least")
        is_stated &= columns["stated_found"] >= tuned("stated-share-of-page")
    return np.where(is_stated, np.maximum(p, tuned("stated-probability")), p)


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
    is_sure = p >= tuned("sure-block")
    if np.count_nonzero(is_sure & (chars > _LINE)) < _FEWEST_SURE:
        return taken
    places, at = np.flatnonzero(is_sure), np.arange(len(p))
    kept = (p >= tuned("doubtful-block")) | ((at >= places[0]) & (at <= places[-1]))
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
    On a page of which no good F1 can be expected, blocks must be likelier.

    Parameters
    ----------
    p, chars : shape (n_blocks,)
        Probability that each block is part of the body, and its number of characters.
    """
    highest, expected = float(p.max(initial=0.0)), expected_f1(p, chars)
    is_doubtful = favour == "balance" and expected < tuned("doubtful-page")
    name = "doubtful-balance" if is_doubtful else favour
    other, own = tuned(name), tuned(f"{name}-of-article")
    share = other + (own - other) * article
    return max(min(share * expected, highest), _IMPOSSIBLE)


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
