"""Choice of the blocks that are the body of a page.

Trees say how likely each block is a part of the body. Those that are likely enough for the F1 that
the page can expect are chosen, and a few rules say which of them stand or fall together: what
follows the body in its container, a list, a table, code or a line, hangs on it, since trees doubt
the end of an article and what few articles have.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Literal

import msgspec
import numpy as np

from structce.arrays import Flags, Floats, Floats32, Integers
from structce.article.block_columns import BLOCK_COLUMNS, block_columns
from structce.article.evidence import Columns, Evidence, named_columns
from structce.article.tuned import tuned
from structce.features import advertising, consent_notice, dom_tree
from structce.labelling import ArticleTrees
from structce.patterns import lazy_pattern

Favour = Literal["precision", "balance", "recall"]
"""Error that a text should avoid: foreign text (``precision``), missing text (``recall``)."""

_BACK = lazy_pattern(r"[\u21a9\u2191\u21a5\u21e7\ufe0e\ufe0f^]+")
_IMPOSSIBLE = 0.05  # probability below which no block is body, not even the likeliest
_COPY = (5, 2000)  # least blocks and characters of a repeated run of an article; our choice
_COPY_ELSEWHERE = (1, 50)  # the same on pages that are hardly articles or documentation
_WRITTEN = ("article", "documentation")  # types of pages that may repeat a line
_OF_MANY_PARTS = ("forum", "documentation")  # types of pages whose sure parts stand apart
_MOST_PARTS = 0.3  # highest probability of these; our choice
_LINE = 40  # characters
_BESIDE_CODE = 3  # blocks between code and a button that acts on it; our choice
_FEWEST_SURE, _LEAST_SURE = 2, 150  # sure blocks beyond a line, and characters of all of them
_MOST_BETWEEN = 0.5  # most characters between sure blocks, as a share of theirs
_WHOLE = frozenset({"html", "body"})  # their names describe the page
_NO_TYPES: Mapping[str, float] = MappingProxyType({})

_HANGING, _PAGE = 1, 2
_PARTS: Mapping[str, int] = dict.fromkeys(("html", "body", "main"), _PAGE) | dict.fromkeys(
    "ul ol dl menu dir li dt dd table thead tbody tr td th caption pre code blockquote".split(),
    _HANGING,
)
"""Elements that are chosen as a whole, and those around the whole page."""

_LEVELS = 8  # around a block, in which the list or table is looked for that it is a part of
_BESIDE = ("comment", "related", "promotion", "share", "profile", "frame", "notice", "hidden")

_MOST_LINKS, _MOST_OF_BODY, _MOST_OTHERS = 0.5, 0.5, 0.2
"""Most characters in links; most characters of a list or table, and of all other blocks that are
added, as shares of the body's: no layout table hangs on a paragraph, and no second article. Our
choices."""

_PARAGRAPH, _BYLINE = 0.5, 0.5
"""Probability of a paragraph from which a doubtful block in a part without links stays; of author
or date from which a block is a byline. Our choices."""


class BodyChoice(msgspec.Struct, frozen=True, eq=False):
    """Regions of the body, and the probabilities and features of all blocks."""

    is_body: Flags  # shape (n_regions,)
    is_likely: Flags  # of blocks that are likely enough, even if left out as copies, captions, ...
    confidence: Floats  # that a region is where it was put, in the body or out of it, (n_regions,)
    p: Floats  # that each block is part of the body, shape (n_blocks,)
    rows: Floats32  # features of the blocks, shape (n_blocks, n_columns), see `BLOCK_COLUMNS`


def choose_body(
    evidence: Evidence,
    trees: ArticleTrees,
    favour: Favour = "balance",
    *,
    types: Mapping[str, float] = _NO_TYPES,
) -> BodyChoice:
    """Return which regions are the body.

    ``types`` is the probability of each type of page; without any, the page is an article.
    """
    page, body, table = evidence.page, trees.body, block_columns(evidence)
    rows = np.ascontiguousarray(table.T, dtype=np.float32)
    if not evidence.n_blocks:
        none = np.zeros(0)
        return BodyChoice(none.astype(bool), none.astype(bool), none, none, rows)
    columns = dict(zip(BLOCK_COLUMNS, table, strict=True))
    p = columns["body"]
    if body is not None:
        p = body.probability(named_columns(rows, BLOCK_COLUMNS, body.names))
    if favour != "recall" and types.get("forum", 0.0) < tuned("thread"):
        p = _without_comments(evidence, p, columns["in_comment"] > 0)
    p = _with_stated(p, columns)
    has_text, chars = evidence.chars > 0, evidence.block_chars
    taken = _chosen_blocks(evidence, p, columns, favour, types)
    is_likely = taken[page.blocks] & has_text
    is_written = sum(types.get(kind, 0.0) for kind in _WRITTEN) >= tuned("written")
    least = _COPY if is_written or not types else _COPY_ELSEWHERE
    taken[copied_blocks(evidence, np.flatnonzero(taken), chars, least)] = False
    taken &= ~_buttons_of_code(evidence, taken)
    if favour != "recall":
        is_beside = columns["p_caption"] >= tuned("caption")
        if types.get("product", 0.0) >= tuned("product"):
            is_beside |= _blocks_of_reviews(evidence)
        others = taken & ~is_beside
        if (chars[others] > _LINE).any():
            taken = others
    is_body = taken[page.blocks] & has_text
    if favour != "recall":
        is_body &= ~(advertising.announced_regions(page) | consent_notice.consent(page))
    for i in np.flatnonzero(is_body & evidence.in_link).tolist():
        is_body[i] = not _BACK.fullmatch(page.text[i])  # from a footnote to its place in the text
    p_regions = p[page.blocks]
    return BodyChoice(is_body, is_likely, np.where(is_body, p_regions, 1 - p_regions), p, rows)


def _chosen_blocks(
    evidence: Evidence, p: Floats, columns: Columns, favour: Favour, types: Mapping[str, float]
) -> Flags:
    """Return the blocks likely enough to be body, with those attached to them, (n_blocks,)."""
    chars, is_article = evidence.block_chars, types.get("article", 1.0)
    expected = expected_f1(p, chars)
    taken = p >= body_threshold(p, expected, favour, is_article)
    if favour == "balance":  # above the likely title is furniture
        likely = p >= body_threshold(p, expected, "precision", is_article)
        is_above = np.arange(evidence.n_blocks) < evidence.page.blocks[evidence.title_region]
        taken &= likely | ~(is_above & _has_title(evidence))
    is_doubtful = expected < tuned("doubtful-page")
    has_parts = sum(types.get(kind, 0.0) for kind in _OF_MANY_PARTS) > _MOST_PARTS
    if favour != "recall" and is_doubtful and not has_parts:
        is_plain = (columns["column_links"] <= 0) & (columns["p_paragraph"] >= _PARAGRAPH)
        is_plain &= ~_in_side_parts(columns, taken, chars)
        taken = without_doubtful_blocks(p, chars, taken, is_plain)
    return with_hanging_blocks(evidence, taken, p, columns) if favour != "precision" else taken


def _has_title(evidence: Evidence) -> bool:
    return bool(evidence.probability("Title")[evidence.title_region] >= tuned("likely-title"))


def _without_comments(evidence: Evidence, p: Floats, is_comment: Flags) -> Floats:
    """Return the probabilities of blocks, 0 for comments if another block is likely enough."""
    if not is_comment.any():
        return p
    first = np.flatnonzero(is_comment)[0]
    is_below = _has_title(evidence) and evidence.page.blocks[evidence.title_region] < first
    others = np.where(is_comment, 0.0, p)
    least = tuned("below-title" if is_below else "beside-comments")
    return others if others.max() >= least else p


def _with_stated(p: Floats, columns: Columns) -> Floats:
    """Return the probabilities of blocks, raised for those whose text JSON-LD states as content.

    It counts only where the page shows most of it, and for no block that the trees find unlikely:
    publishers also state texts that are hidden, cut, or of another page.
    """
    if np.isnan(columns["stated_found"][0]):  # unknown without statements, for all blocks
        return p
    with np.errstate(invalid="ignore"):
        is_stated = columns["stated_content"] >= tuned("stated-share-of-block")
        is_stated &= p >= tuned("stated-least")
        is_stated &= columns["stated_found"] >= tuned("stated-share-of-page")
    return np.where(is_stated, np.maximum(p, tuned("stated-probability")), p)


def _blocks_of_reviews(evidence: Evidence) -> Flags:
    """Return which blocks are in elements whose class or id speaks of reviews, (n_blocks,)."""
    tags, names = evidence.page.elements.tag, evidence.names
    named = [i for i, text in names if "review" in text.lower() and tags[i] not in _WHOLE]
    return dom_tree.inside_any(evidence.page, named)[evidence.block_starts]


def _buttons_of_code(evidence: Evidence, taken: Flags) -> Flags:
    """Return which blocks are buttons beside code, such as one that copies it, (n_blocks,)."""
    element = evidence.page.element
    if "pre" not in dom_tree.elements_called(evidence.page):
        return np.zeros_like(taken)
    is_code = taken & (evidence.nearest_codes({"pre": 1})[element[evidence.block_starts]] > 0)
    if not is_code.any():
        return is_code
    is_button: Flags = (
        np.minimum.reduceat(evidence.nearest_codes({"button": 1})[element], evidence.block_starts)
        > 0
    )
    is_button &= ~is_code & (evidence.block_chars <= _LINE)
    for at in np.flatnonzero(is_button).tolist():
        is_button[at] = is_code[max(at - _BESIDE_CODE, 0) : at + _BESIDE_CODE + 1].any()
    return is_button


def without_doubtful_blocks(p: Floats, chars: Floats, taken: Flags, is_plain: Flags) -> Flags:
    """Return the blocks of a body without doubtful ones, if sure ones stand apart from them.

    A short article among long teasers has a few sure blocks and many doubtful ones, which are right
    or wrong together. Blocks between sure ones stay, and so do those in parts without links, in
    which there are no teasers. All arguments have shape (n_blocks,).
    """
    is_sure = p >= tuned("sure-block")
    if np.count_nonzero(is_sure & (chars > _LINE)) < _FEWEST_SURE:
        return taken
    sure, at = np.flatnonzero(is_sure), np.arange(len(p))
    kept = (p >= tuned("doubtful-block")) | ((at >= sure[0]) & (at <= sure[-1]))
    n_between, n_sure = chars[kept & taken & ~is_sure].sum(), chars[is_sure].sum()
    is_apart = n_sure >= _LEAST_SURE and n_between <= _MOST_BETWEEN * n_sure
    return taken & (kept | is_plain) if is_apart else taken


def copied_blocks(
    evidence: Evidence, blocks: Integers, chars: Floats, least: tuple[int, int] = _COPY
) -> list[int]:
    """Return the blocks, of those given, that repeat earlier ones in one long run.

    Some pages contain their article twice, for wide and for narrow screens. Lines that recur in a
    poem or a menu are no copy: ``least`` are the blocks and characters from which a run counts.
    """
    seen: set[str] = set()
    runs: list[list[int]] = [[]]
    texts, bounds = evidence.page.text, [*evidence.block_starts.tolist(), len(evidence.page)]
    for block in blocks.tolist():
        first, end = bounds[block : block + 2]
        text = texts[first] if end - first == 1 else "\n".join(texts[first:end])
        if text and text in seen:
            runs[-1].append(block)
        elif text:
            runs.append([])
            seen.add(text)
    copies = (run for run in runs if len(run) >= least[0] and chars[run].sum() >= least[1])
    return [block for run in copies for block in run]


def body_threshold(p: Floats, expected: float, favour: Favour, article: float = 1.0) -> float:
    """Return the least probability at which a block counts as body, in [0, 1].

    The likeliest block always counts, unless it is next to impossible. On a page of which no good
    F1 can be expected, blocks must be likelier. ``p`` has shape (n_blocks,), ``expected`` is the
    F1, ``article`` the probability of an article.
    """
    highest = float(p.max(initial=0.0))
    is_doubtful = favour == "balance" and expected < tuned("doubtful-page")
    name = "doubtful-balance" if is_doubtful else favour
    share = tuned(name) + (tuned(f"{name}-of-article") - tuned(name)) * article
    return max(min(share * expected, highest), _IMPOSSIBLE)


def expected_f1(p: Floats, chars: Floats) -> float:
    """Return approximately the expected F1 of the best choice of blocks, in [0, 1].

    It is the highest of the prefixes of the likeliest blocks: the characters expected in common,
    divided by the mean of the characters of the prefix and those expected in the body.
    """
    if not len(p):
        return 0.0
    order = np.argsort(-p, kind="stable")
    likely, taken = np.cumsum((p * chars)[order]), np.cumsum(chars[order])
    return float((2 * likely / np.maximum(taken + likely[-1], 1e-9)).max())


def with_hanging_blocks(evidence: Evidence, taken: Flags, p: Floats, columns: Columns) -> Flags:
    """Return the blocks of a body with the lists, tables and lines attached to it, (n_blocks,)."""
    chars, parents = evidence.block_chars, evidence.page.elements.parents
    most, left = (share * float(chars[taken].sum()) for share in (_MOST_OF_BODY, _MOST_OTHERS))
    pieces, are_hanging = _attachment_units(evidence, most)
    units = 2 * pieces + are_hanging
    starts = np.flatnonzero(np.append(True, units[1:] != units[:-1]))
    totals, in_links = np.add.reduceat([chars, columns["link_share"] * chars], starts, axis=1)
    have_taken = np.logical_or.reduceat(taken, starts).tolist()
    containers = [parents[piece] for piece in pieces[starts].tolist()]
    beside = _in_side_parts(columns, taken, chars) | (columns["read_more"] == 1)
    beside |= columns["p_author"] + columns["p_date"] >= _BYLINE
    announces = (columns["ends_colon"] == 1) | (columns["level"] > 0)
    is_beside, away, announcing, kept = (
        flags.tolist() for flags in (beside, columns["heading_away"] == 1, announces, taken)
    )
    of_units = (totals, in_links < _MOST_LINKS * totals, are_hanging[starts])
    bounds, followed = pairwise([*starts.tolist(), len(taken)]), set[int]()
    rows = zip(bounds, containers, have_taken, *(row.tolist() for row in of_units), strict=True)
    for (first, end), container, has_taken, total, has_few_links, is_hanging in rows:
        blocks, before, is_added = slice(first, end), first - 1, False
        if has_taken:
            followed.add(container)
            is_added = is_hanging and has_few_links
            is_added = is_added and taken[blocks].mean() >= tuned("rest-of-list")
        elif total and container in followed:
            is_announced = is_hanging and kept[before] and announcing[before]
            least = tuned("hanging-block" if is_hanging else "following-block")
            is_away = is_beside[first] or (away[first] and not (kept[before] and away[before]))
            is_small = total <= (most if is_hanging else left)
            is_likely = is_small and not is_away and (is_announced or has_few_links)
            is_added = is_likely and p[blocks].max() >= least
            if not is_added:
                followed.discard(container)
            elif not is_hanging:
                left -= total
        if is_added:
            kept[blocks] = [True] * (end - first)
    return np.array(kept, dtype=bool)


def _attachment_units(evidence: Evidence, most: float) -> tuple[Integers, Flags]:
    """Return the element that each block is chosen with, and whether it is a list or such.

    It is the outermost list, table, code or quotation around the block of at most ``most``
    characters, otherwise the outermost element that surrounds nothing but the block.
    """
    elements, (first, end) = evidence.page.elements, evidence.region_ranges
    sums, codes = np.zeros(len(evidence.chars) + 1), evidence.tag_codes(_PARTS)
    np.cumsum(evidence.chars, out=sums[1:])
    is_hanging, is_page = codes == _HANGING, codes == _PAGE  # the last is of no element
    is_hanging[:-1] &= sums[end] - sums[first] <= most
    parent = np.append(elements.parent, -1)
    above = piece = evidence.page.block_element[evidence.block_starts].astype(np.int64)
    hangs = np.zeros(len(piece), dtype=bool)
    for _ in range(_LEVELS):
        piece, hangs = np.where(is_hanging[above], above, piece), hangs | is_hanging[above]
        above = parent[above]
    outer = parent[:-1]
    is_same = (first == first[outer]) & (end == end[outer]) & (outer >= 0) & ~is_page[outer]
    return dom_tree.nearest_marked(evidence.page, ~is_same)[piece], hangs


def _in_side_parts(columns: Columns, taken: Flags, chars: Floats) -> Flags:
    """Return which blocks are in parts named as related, shared, promoted, ..., (n_blocks,).

    Names that most of the body has as well do not count.
    """
    of_body = chars * taken
    half, is_beside = of_body.sum() / 2, np.zeros(len(taken), dtype=bool)
    for name in _BESIDE:
        is_named = columns[f"in_{name}"]
        if is_named.any() and is_named @ of_body <= half:
            is_beside |= is_named > 0
    return is_beside
