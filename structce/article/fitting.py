"""Fit the trees that choose values, body and roles, from labelled pages with gold.

The label probabilities of a page come from a learner that was not fitted to it, since others are
more confident than on unseen sites: pages are split into folds, and each is labelled by a model of
the others (stacking; Wolpert 1992). The confidence of the trees is calibrated in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from structce.arrays import Flags, Floats, Floats32, Integers
from structce.article.block_columns import BLOCK_COLUMNS, block_columns
from structce.article.body_choice import body_threshold, expected_f1
from structce.article.candidates import ValueCandidate
from structce.article.choice import FIELDS, candidate_rows, choice_columns, choice_rows
from structce.article.evidence import Evidence
from structce.article.page_type import PAGE_COLUMNS, page_features
from structce.article.quality import QUALITY_COLUMNS, WELL_READ, certainty_features
from structce.article.roles import ROLE_COLUMNS, doubtful_regions, role_rows
from structce.article.tuned import read_table
from structce.corpus import JUDGED
from structce.evaluation import is_title, name_key, word_runs, words
from structce.gold import TEXT, Gold
from structce.labelling import ArticleTrees
from structce.labels import allowed_names
from structce.learners import BoostedTrees

BODY_LABELS = frozenset({"Paragraph", "Subtitle"})
"""Labels of regions that are part of the body."""

_TEXT_LABELS = BODY_LABELS | {"Caption"}  # labels of gold that does not separate body and captions

PAGE_TYPES = tuple("article collection documentation forum listing product service".split())
"""Types of pages that are recognised, those of WCXB."""

SETTINGS: Mapping[str, Mapping[str, Any]] = read_table("trees")
"""Settings of boosting by what the trees judge."""

_MIN_BODY = 40  # characters; a shorter gold text is not taken for the whole body
_RUN = 4  # words, as in the measures of text by shingles
_HARDLY_ANY, _NEARLY_ALL = 0.2, 0.8  # share of a block's runs in the gold's text; our choice
_LONG = 400  # characters of a region that count towards its weight as an example of a role
_LENGTH_POWER = 0.7  # a block of twice the length counts for less than twice as much


class FieldExample(NamedTuple):
    """Candidates of one field on one page, their rows, and which of them are right."""

    candidates: Sequence[ValueCandidate]
    rows: Floats
    is_right: Flags


class RoleExample(NamedTuple):
    """Regions of one page that its learner doubts: rows, names of their labels, and weights."""

    rows: Floats32
    labels: tuple[str, ...]
    weights: Floats


@dataclass(frozen=True, eq=False)
class Example:
    """Training example: one page in one view."""

    fold: int  # of the page; the same for all its views
    fields: Mapping[str, FieldExample]  # without those on which the gold says nothing
    blocks: Floats  # features, shape (n_blocks, n_columns); empty if the gold has no body
    is_body: Floats  # share of each block's known characters that are body, (n_blocks,)
    weights: Floats  # of the blocks; 0 if their labels are unknown
    chars: Floats  # characters of the blocks
    page: Floats  # see structce.article.page_type.page_features
    page_type: str  # in the gold; empty if unknown
    is_whole: bool = True  # whether the gold has the whole body, not only some pieces of it
    roles: RoleExample | None = None  # None if the page is not an example of them


def make_example(
    evidence: Evidence, labels: Sequence[str], gold: Gold, *, fold: int, with_blocks: bool = True
) -> Example:
    """Return a page as a training example, also of its body by default.

    Each region has its right label, several labels of which one is right, or ``UNKNOWN``.
    """
    fields = {}
    for field, is_right in _right_values(gold).items():
        candidates = FIELDS[field].candidates(evidence)
        right = np.array([is_right(candidate.value) for candidate in candidates], dtype=bool)
        fields[field] = FieldExample(candidates, candidate_rows(field, candidates), right)
    kind = gold.about.get("page_type", "")
    return replace(
        make_body_example(evidence, labels, gold if with_blocks else Gold(), fold=fold),
        fields=fields,
        page_type=kind if kind in PAGE_TYPES else "",
        is_whole=len(gold.text) >= _MIN_BODY,
        roles=_role_example(evidence, labels, gold),
    )


def make_body_example(
    evidence: Evidence, labels: Sequence[str], gold: Gold, *, fold: int, weight: float = 1.0
) -> Example:
    """Return a page as a training example of its body alone.

    ``weight`` is that of its blocks relative to those of other pages. There are no blocks if the
    gold has no body.
    """
    page, whole = page_features(evidence), gold.text if len(gold.text) >= _MIN_BODY else ""
    if not (whole or gold.must) or not evidence.n_blocks:
        none: Floats = np.zeros(0)
        rows: Floats = np.zeros((0, len(BLOCK_COLUMNS)), dtype=np.float32)
        return Example(fold, {}, rows, none, none, none, page, "", is_whole=False)
    sets = [allowed_names(label) for label in labels]
    is_body = np.array([bool(names) and names <= _TEXT_LABELS for names in sets], dtype=np.float64)
    is_known = np.array([bool(names) and names.isdisjoint(BODY_LABELS) for names in sets]) + is_body
    chars = evidence.chars * is_known
    total = np.add.reduceat(chars, evidence.block_starts)
    share = np.add.reduceat(chars * is_body, evidence.block_starts) / np.maximum(total, 1)
    if whole:
        _add_unlabelled_blocks(evidence, whole, share, total)
    weights = weight * total**_LENGTH_POWER / max(np.sqrt(total.sum()), 1.0)
    rows = block_columns(evidence).T.astype(np.float32)
    return Example(fold, {}, rows, share, weights, evidence.block_chars, page, "", is_whole=False)


def _add_unlabelled_blocks(evidence: Evidence, body: str, share: Floats, total: Floats) -> None:
    """Set the share of body and the characters of blocks whose labels are unknown.

    The gold's text shows whether such a block is body: nearly all of its runs of words occur there,
    or hardly any. A short block may occur there by chance.
    """
    gold = words(body)
    gold_runs = {run for n in range(1, _RUN + 1) for run in word_runs(gold, n)}
    for block in np.flatnonzero(total == 0).tolist():
        text = evidence.text_of(evidence.regions_of(block))
        of_block = words(text)
        runs = word_runs(of_block, _RUN)
        held = sum(n for run, n in runs.items() if run in gold_runs) / runs.total() if runs else 0.5
        if held <= _HARDLY_ANY or (held >= _NEARLY_ALL and len(of_block) >= _RUN):
            share[block], total[block] = float(held >= _NEARLY_ALL), len(text)


def _role_example(evidence: Evidence, labels: Sequence[str], gold: Gold) -> RoleExample | None:
    """Return the regions that the learner doubts, if the page's labels tell all kinds apart."""
    names_kinds = gold.covers and gold.body and all(kind != TEXT for kind, _ in gold.body)
    if not (names_kinds or JUDGED in gold.about):
        return None
    is_exact = np.array([len(allowed_names(label)) == 1 for label in labels], dtype=bool)
    regions = np.flatnonzero(is_exact & doubtful_regions(evidence))
    rows = role_rows(evidence, block_columns(evidence).T, regions)
    weights = np.sqrt(1 + np.minimum(evidence.chars[regions], _LONG))
    return RoleExample(rows, tuple(labels[i] for i in regions.tolist()), weights)


def _right_values(gold: Gold) -> dict[str, Callable[[str], bool]]:
    """Return, for each field with gold, a function that says whether a value is right.

    A page is known to name no author if the gold has its type, and no author that could not be
    parsed: annotators who gave a page's type also looked for its author.
    """
    judges: dict[str, Callable[[str], bool]] = {}
    about = gold.about
    is_silent = about.get("author") or about.get("silent_on") == "authors"
    if gold.title:
        title = gold.title
        judges["title"] = lambda value: is_title(value, title)
    if gold.authors or (about.get("page_type") and not is_silent):
        names = {name_key(name) for name in gold.authors}
        judges["authors"] = lambda value: name_key(value) in names
    if gold.date:
        day = gold.date.isoformat()[:10]
        judges["date"] = lambda value: value[:10] == day
    return judges


def fit_trees(examples: Sequence[Example], *, seed: int = 0) -> ArticleTrees:
    """Return the trees of all fields, of the body, of roles of regions and of page types.

    The examples are of at least two folds; subjects without examples get no trees.
    """
    fitted = {field: _fit_field(field, examples, seed) for field in FIELDS}
    candidates = {field: trees for field, (trees, _) in fitted.items() if trees}
    choices = {field: trees for field, (_, trees) in fitted.items() if trees}
    body = _fit_body(examples, seed)
    quality = None if body is None else _fit_quality(examples, seed)
    roles, types = _fit_roles(examples, seed), _fit_types(examples, seed)
    return ArticleTrees(candidates, choices, body, roles, types, quality)


def _fit_field(
    field: str, examples: Sequence[Example], seed: int
) -> tuple[BoostedTrees | None, BoostedTrees | None]:
    """Return the trees of a field's candidates and those of its choice; None if too few differ.

    Those of the choice learn from the likeliest candidate of each page on unseen pages, those of
    authors from all candidates.
    """
    usable = [(example, example.fields[field]) for example in examples if field in example.fields]
    sizes = [len(of_page.rows) for _, of_page in usable]
    folds = np.repeat([example.fold for example, _ in usable], sizes)
    if len(set(folds.tolist())) < 2:
        return None, None
    rows = np.concatenate([of_page.rows for _, of_page in usable])
    right = np.concatenate([of_page.is_right for _, of_page in usable])
    settings = "title" if field == "title" else "field"
    trees, odds = _fit_calibrated(rows, right, folds, FIELDS[field].columns, seed, settings)
    if trees is None:
        return None, None
    p = 1 / (1 + np.exp(-(trees.slope * odds + trees.offset)))
    choices: list[Floats] = []
    chosen: list[int] = []
    for (example, of_page), start in zip(usable, np.cumsum([0, *sizes]), strict=False):
        of_candidates = p[start : start + len(of_page.candidates)]
        order = np.argsort(-of_candidates, kind="stable").tolist()
        order = order if field == "authors" else order[:1]
        known, rows = of_page.candidates, of_page.rows
        choices.append(choice_rows(field, known, rows, of_candidates, order, example.page))
        chosen += [start + i for i in order]
    settings = "author-choice" if field == "authors" else "choice"
    X, names = np.concatenate(choices), choice_columns(field)
    return trees, _fit_calibrated(X, right[chosen], folds[chosen], names, seed, settings)[0]


def _fit_body(examples: Sequence[Example], seed: int) -> BoostedTrees | None:
    usable = [example for example in examples if len(example.blocks)]
    if not usable:
        return None
    weights = np.concatenate([example.weights for example in usable])
    known = weights > 0
    rows = np.concatenate([example.blocks for example in usable])[known]
    is_body = np.concatenate([example.is_body for example in usable])[known] > 0.5
    if len(set(is_body.tolist())) < 2:
        return None
    relative, settings = weights[known] / weights[known].mean(), SETTINGS["body"]
    return BoostedTrees.fit(rows, is_body, BLOCK_COLUMNS, weights=relative, seed=seed, **settings)


def _fit_roles(examples: Sequence[Example], seed: int) -> dict[str, BoostedTrees]:
    regions = [example.roles for example in examples if example.roles is not None]
    labels = [name for sample in regions for name in sample.labels]
    names = sorted({*labels})
    if len(names) < 3:
        return {}
    rows = np.concatenate([sample.rows for sample in regions])
    weights = np.concatenate([sample.weights for sample in regions])
    relative, codes = weights / weights.mean(), np.array([*map(names.index, labels)])
    trees = BoostedTrees.fit_classes(
        rows, codes, ROLE_COLUMNS, weights=relative, seed=seed, **SETTINGS["role"]
    )
    return {names[n]: ensemble for n, ensemble in trees.items()}


def _fit_types(examples: Sequence[Example], seed: int) -> dict[str, BoostedTrees]:
    typed = [example for example in examples if example.page_type]
    rows = np.reshape([example.page for example in typed], (-1, len(PAGE_COLUMNS)))
    kinds = np.array([example.page_type for example in typed])
    folds = np.array([example.fold for example in typed])
    fitted = {
        kind: _fit_calibrated(rows, kinds == kind, folds, PAGE_COLUMNS, seed, "type")[0]
        for kind in sorted(set(kinds.tolist()))
    }
    return {kind: trees for kind, trees in fitted.items() if trees is not None}


def _fit_quality(examples: Sequence[Example], seed: int) -> BoostedTrees | None:
    """Return trees that recognise pages whose body is well read, fitted on held-out halves."""
    usable = [example for example in examples if len(example.blocks) and example.is_whole]
    halves = [[example for example in usable if example.fold % 2 == half] for half in (0, 1)]
    bodies = [_fit_body(half, seed) for half in reversed(halves)]
    rows: list[Floats] = []
    right, folds = [], []
    for half, body in zip(halves, bodies, strict=True):
        if body is None:
            return None
        for example in half:
            p = body.probability(example.blocks)
            rows.append(np.concatenate([example.page, certainty_features(example.chars, p)]))
            chars = example.chars * (example.weights > 0)  # blocks without gold do not count
            given = p >= body_threshold(p, expected_f1(p, example.chars), "balance")
            hits = float((chars * example.is_body)[given].sum())
            total = float(chars[given].sum() + (chars * example.is_body).sum())
            right.append(2 * hits >= WELL_READ * total > 0)
            folds.append(example.fold)
    X = np.reshape(rows, (-1, len(QUALITY_COLUMNS)))
    return _fit_calibrated(X, np.array(right), np.array(folds), QUALITY_COLUMNS, seed, "type")[0]


def _fit_calibrated(
    rows: Floats, right: Flags, folds: Integers, names: Sequence[str], seed: int, settings: str
) -> tuple[BoostedTrees | None, Floats]:
    """Return trees fitted on all rows, calibrated on held-out log odds, and these odds.

    There are no trees if all rows are right, or none. ``settings`` is a key of ``SETTINGS``.
    """
    odds = np.zeros(len(rows))
    if len(set(right.tolist())) < 2:
        return None, odds

    def fit(rows: Floats, right: Flags) -> BoostedTrees:
        return BoostedTrees.fit(rows, right, names, seed=seed, **SETTINGS[settings])

    half = np.unique(folds, return_inverse=True)[1] % 2
    for inside in (half == 0, half == 1):
        if inside.any() and len(set(right[~inside].tolist())) == 2:
            odds[inside] = fit(rows[~inside], right[~inside]).log_odds(rows[inside])
    return fit(rows, right).calibrated(odds, right), odds
