"""A page's running text as a set of shingles: numbers that stand for five words in a row."""

from __future__ import annotations

import re
import sys
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal
from zlib import crc32

import numpy as np
from datasketch import MinHash, MinHashLSH
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from scipy.sparse import csr_array
from tqdm import tqdm

from structce.corpus.corpus import Corpus
from structce.corpus.splits import group_numbers
from structce.corpus.storage import LabelledPage
from structce.errors import CorpusError
from structce.features import consent, is_running
from structce.language import JOINED, fold_digits, normalise
from structce.page import Page

Shingles = NDArray[np.uint64]
"""Distinct numbers of one page, ascending."""

WORDS = 5
"""Words of a shingle: two texts hardly share five in a row by chance, and a changed word costs
five shingles alone. Our choice; Broder et al. (1997) took ten, for larger pages."""

_LAST_JOINED = "\ud7ff"
_WORD = re.compile(
    f"[{JOINED}-{_LAST_JOINED}]|[^\\W_{JOINED}-{_LAST_JOINED}]+"
)  # in scripts without spaces a sign is a word
_FACTORS = np.array(
    [0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93,
     0xA0761D6478BD642F], dtype=np.uint64,
)  # fmt: skip  # odd and without pattern, so that sums of five words hardly ever agree


def shingles(page: Page) -> Shingles:
    """Return the shingles of a page's running text; empty for fewer than ``WORDS`` words.

    Menus, lists of links, captions and other short texts are left out: they come back on every
    page of a site.

    References
    ----------
    A. Z. Broder, S. C. Glassman, M. S. Manasse, G. Zweig (1997). Syntactic clustering of the web.
    Computer Networks 29(8-13), section 3.
    """
    rows = zip(page.text, (is_running(page) & ~consent(page)).tolist(), strict=True)
    found = [word for text, running in rows if running for word in words(text)]
    if len(found) < WORDS:
        return np.zeros(0, dtype=np.uint64)
    codes = np.array([crc32(word.encode()) for word in found], dtype=np.uint64)
    return np.unique((sliding_window_view(codes, WORDS) * _FACTORS).sum(axis=1, dtype=np.uint64))


def words(text: str) -> list[str]:
    """Return the words of a text, case folded, without punctuation.

    >>> words("The Ferry’s 2nd stop")
    ['the', 'ferry', 's', '2nd', 'stop']
    """
    return _WORD.findall(fold_digits(text).casefold())


def jaccard(one: Shingles, other: Shingles) -> float:
    """Return shared shingles over all, in [0, 1]; 0 for two empty sets."""
    shared = len(np.intersect1d(one, other, assume_unique=True))
    return shared / max(len(one) + len(other) - shared, 1)


@dataclass(frozen=True)
class Pair:
    """Two pages by their ids, or two sites by their names, and how alike they are.

    Parameters
    ----------
    similarity
        In [0, 1].
    """

    first: str
    second: str
    similarity: float


def sorted_pairs(pairs: Sequence[Pair]) -> list[Pair]:
    """Return pairs, the most alike first, then in the order of their names."""
    return sorted(pairs, key=lambda pair: (-pair.similarity, pair.first, pair.second))


def group_names(names: Sequence[str], pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return for each name the first one, in alphabetical order, of its group.

    Pairs of names link; those of other names are not looked at.
    """
    ordered = sorted(set(names))
    place = {name: i for i, name in enumerate(ordered)}
    links = [(place[a], place[b]) for a, b in pairs if a in place and b in place]
    firsts: dict[int, str] = {}
    numbers = group_numbers(links, len(ordered))
    return {name: firsts.setdefault(n, name) for name, n in zip(ordered, numbers, strict=True)}


LEAST = 3
"""Headlines of a site, or groups of pages that are no copies, that share a frame's text. Two may
be a story and its sequel. Our choice."""


def without_site_frames(texts: Sequence[Shingles], pages: Sequence[LabelledPage]) -> list[Shingles]:
    """Return the shingles of each page that stand under few headlines of its site.

    Copies of a page have its headline, so that they count once, however many there are.
    """
    members: dict[str, list[int]] = {}
    for i, page in enumerate(pages):
        members.setdefault(page.site, []).append(i)
    result = list(texts)
    for rows in members.values():
        frame = _common([texts[i] for i in rows], [_headline(pages[i]) for i in rows])
        for i in rows:
            result[i] = _without(texts[i], frame)
    return result


def without_common_texts(texts: Sequence[Shingles], groups: Iterable[int]) -> list[Shingles]:
    """Return the shingles of each page that stand in few groups of pages.

    Parameters
    ----------
    groups
        Number of each page's group; pages of one group may be copies of one another.
    """
    frame = _common(texts, groups)
    return [_without(text, frame) for text in texts]


def _common(texts: Sequence[Shingles], groups: Iterable[Hashable]) -> Shingles:
    """Return the shingles that at least ``LEAST`` groups have."""
    members: dict[Hashable, list[Shingles]] = {}
    for text, group in zip(texts, groups, strict=True):
        members.setdefault(group, []).append(text)
    if len(members) < LEAST:
        return np.zeros(0, dtype=np.uint64)
    once = [rows[0] if len(rows) == 1 else _union(rows) for rows in members.values()]
    found, counts = np.unique(np.concatenate(once), return_counts=True)
    common: Shingles = found[counts >= LEAST]
    return common


def _union(texts: Sequence[Shingles]) -> Shingles:
    return np.unique(np.concatenate(texts))


def _without(text: Shingles, frame: Shingles) -> Shingles:
    return np.setdiff1d(text, frame, assume_unique=True) if len(frame) else text


def _headline(page: LabelledPage) -> str:
    return normalise(next(iter(page.page.metadata.headlines), ""))


DUPLICATE = 0.3
"""Least share of shingles in common: each page has about half of its text from the other, or one
is three times the other and holds it. On the Fundus fixtures and on 846 pages of WCXB pairs that
are no copies, looked at by eye, stay below 0.27, and all of different sites below 0.08; an article
crawled twice, once with as much again in comments of its readers, reaches 0.31."""

LEAST_SHINGLES = 50
"""Shingles, about as many words, that a page must have to be compared: less is a shell, a notice
or a list, and resembles others by chance. Our choice."""

N_PERMUTATIONS = 128
MISSED = 0.02
"""Weight of needless candidates beside missed ones, of sum 1: a pair at the threshold is a
candidate with a probability of 0.98 or more, one that is 0.1 above it always."""

STRICTEST = 0.8
"""Candidates are looked for with this threshold at most; nearer to 1 too many are missed."""


def find_duplicates(corpus: Corpus, *, threshold: float = DUPLICATE) -> list[Pair]:
    """Return the pairs of pages with nearly the same running text, the most alike first.

    Candidates are found by MinHash, so that time grows with the pages and not with their pairs,
    and are then compared shingle by shingle. Text that stands under several headlines of a site,
    or on several pages that are no copies, does not count. Pages without running text, such as
    lists, shops and empty shells, are not compared; neither are short pages.

    Parameters
    ----------
    threshold
        Least Jaccard similarity of two pages' shingles, in (0, 1].

    Raises
    ------
    CorpusError
        If the threshold is out of range.

    References
    ----------
    A. Z. Broder (1997). On the resemblance and containment of documents. Compression and
    Complexity of Sequences.
    """
    if not 0 < threshold <= 1:
        raise CorpusError(f"threshold {threshold}; expected more than 0 and at most 1")
    bar = tqdm(corpus.pages, "texts", unit="page", delay=2, disable=None, file=sys.stderr)
    texts = without_site_frames([shingles(one.page) for one in bar], corpus.pages)
    groups = group_numbers([(i, j) for i, j, _ in _alike(texts, threshold)], len(texts))
    found = _alike(without_common_texts(texts, groups), threshold)
    ids = [page.id for page in corpus]
    return sorted_pairs([Pair(ids[i], ids[j], round(likeness, 4)) for i, j, likeness in found])


def _alike(texts: Sequence[Shingles], threshold: float) -> list[tuple[int, int, float]]:
    """Return numbers and similarity of the pages that reach a threshold."""
    compared = [(i, j, jaccard(texts[i], texts[j])) for i, j in candidates(texts, threshold)]
    return [found for found in compared if found[2] >= threshold]


def candidates(texts: Sequence[Shingles], threshold: float) -> Iterator[tuple[int, int]]:
    """Yield numbers of pages that may reach a threshold, each pair once, the lower one first."""
    index = MinHashLSH(
        threshold=min(threshold, STRICTEST),
        num_perm=N_PERMUTATIONS,
        weights=(MISSED, 1 - MISSED),
    )
    for i, text in enumerate(texts):
        if len(text) >= LEAST_SHINGLES:
            sketch = MinHash(num_perm=N_PERMUTATIONS, hashfunc=int)  # the shingles are hashes
            sketch.update_batch((text >> 32).tolist())
            yield from ((j, i) for j in sorted(index.query(sketch)))
            index.insert(i, sketch)


def without_duplicates(corpus: Corpus, pairs: Sequence[Pair]) -> Corpus:
    """Return the corpus with one page of each group of duplicates.

    The one with the most regions of known label stays; on a tie the first in the corpus. The
    notes tell, as ``duplicates``, which page stands for each one that was left out.
    """
    group = group_names([one.id for one in corpus], [(one.first, one.second) for one in pairs])
    best: dict[str, LabelledPage] = {}
    for page in corpus:
        if group[page.id] not in best or page.n_known > best[group[page.id]].n_known:
            best[group[page.id]] = page
    kept = {page.id for page in best.values()}
    dropped = {one.id: best[group[one.id]].id for one in corpus if one.id not in kept}
    notes = {**corpus.notes, "duplicates": dropped}
    return replace(corpus.subset(kept), notes=notes)


TEMPLATE = 0.15
"""Least weighted share of steps in common. On the training and validation half of the Fundus
fixtures (split by site, seed 7) unlisted pairs stay below 0.03 and listed ones reach 0.33 or more,
so that anything between gives the same there. On WCXB, where nobody listed any, links by plugins
alone, such as a notice about cookies, begin below 0.12."""

LEAST_STEPS = 10
"""Steps that two sites must share: a site of few classes resembles others by chance. Our choice."""

_ROWS = 500  # sites compared with all others at once
_NUMBER = re.compile(r"\d+")


def page_steps(page: Page) -> set[str]:
    """Return name and classes of each element above a region: ``div.post.post-0``.

    Numbers count as one, since many tell pages of a template apart, and the order of classes does
    not count. Elements without classes are left out, and so are ``html`` and ``body``, whose
    classes name the page. A step stands alone: whole paths break at one element more near the
    root, and find 13 of the 14 pairs of Fundus where steps find all.
    """
    rows = zip(page.elements.tag, page.elements.attributes, strict=True)
    named = {(tag, row.get("class", "")) for tag, row in rows if tag not in ("html", "body")}
    return {
        ".".join((tag, *sorted({_NUMBER.sub("0", name) for name in classes.split()})))
        for tag, classes in named
        if classes.strip()
    }


def find_templates(corpus: Corpus, *, threshold: float = TEMPLATE) -> list[Pair]:
    """Return the pairs of sites that seem to share a page template, the most alike first.

    The similarity is the Jaccard similarity of the sites' steps, each weighted by
    ``log(1 + n / n_s)`` where ``n_s`` of the corpus's ``n`` sites have the step, so that the
    classes of a framework that everybody uses count little. What is rare is judged by the corpus:
    in one of few sites a framework may look like a template.

    Raises
    ------
    CorpusError
        If the threshold is out of range.
    """
    if not 0 < threshold <= 1:
        raise CorpusError(f"threshold {threshold}; expected more than 0 and at most 1")
    sites: dict[str, set[str]] = {}
    for one in corpus:
        sites.setdefault(one.site, set()).update(page_steps(one.page))
    names = sorted(sites)
    table = _table([sites[name] for name in names])
    return sorted_pairs(
        [
            Pair(names[i], names[j], round(likeness, 4))
            for i, j, likeness in _alike_templates(table, threshold)
        ]
    )


def _table(steps: Sequence[set[str]]) -> csr_array:
    """Return one row a site: 1 for each of its steps, shape (n_sites, n_steps)."""
    columns: dict[str, int] = {}
    codes = [columns.setdefault(step, len(columns)) for row in steps for step in sorted(row)]
    starts = np.concatenate([[0], np.cumsum([len(row) for row in steps])])
    return csr_array(
        (np.ones(len(codes)), np.array(codes, dtype=np.intp), starts),
        shape=(len(steps), max(len(columns), 1)),
    )


def _alike_templates(table: csr_array, threshold: float) -> Iterator[tuple[int, int, float]]:
    """Yield numbers and similarity of the sites that reach a threshold."""
    n_sites = np.maximum(np.bincount(table.indices, minlength=table.shape[1]), 1)
    weights = np.log1p(table.shape[0] / n_sites)
    whole = table @ weights
    weighted = table.multiply(weights).tocsr()
    for start in range(0, table.shape[0], _ROWS):
        rows = slice(start, start + _ROWS)
        shared = (weighted[rows] @ table.T).toarray()
        n_shared = (table[rows] @ table.T).toarray()
        every = whole[rows, None] + whole - shared
        likeness = np.divide(shared, every, out=np.zeros_like(shared), where=every > 0)
        chosen = (likeness >= threshold) & (n_shared >= LEAST_STEPS)
        for i, j in np.argwhere(np.triu(chosen, k=start + 1)).tolist():
            yield i + start, j, float(likeness[i, j])


def find_families(corpus: Corpus, *, pairs: Sequence[Pair] | None = None) -> dict[str, str]:
    """Return the family of each site: sites that a row of pairs or of known families joins.

    A family is named by the first of the known families in it, in alphabetical order.

    Parameters
    ----------
    pairs
        Sites that share a template; by default those of :func:`find_templates`.
    """
    pairs = find_templates(corpus) if pairs is None else pairs
    known = [(f"family {one.family}", f"site {one.site}") for one in corpus]
    found = [(f"site {one.first}", f"site {one.second}") for one in pairs]
    names = [name for link in known for name in link]
    first = group_names(names, [*known, *found])  # "family ..." comes before "site ..."
    return {one.site: first[f"site {one.site}"].removeprefix("family ") for one in corpus}


def with_families(corpus: Corpus, *, pairs: Sequence[Pair] | None = None) -> Corpus:
    """Return the corpus with the families of :func:`find_families`."""
    families = find_families(corpus, pairs=pairs)
    pages = tuple(replace(one, family=families[one.site]) for one in corpus)
    return replace(corpus, pages=pages)


Kind = Literal["page", "duplicate", "template"]
_NAMED = 5  # leaks that a message names


@dataclass(frozen=True)
class Leak:
    """One thing on two sides of a split.

    Parameters
    ----------
    kind
        ``page``: the same page; ``duplicate``: nearly the same text; ``template``: sites of one
        family, or one site.
    first, second
        Ids of the two pages, or the sites of the family in either part, parted by commas.
    parts
        Names of the two parts.
    """

    kind: Kind
    first: str
    second: str
    parts: tuple[str, str]

    def __str__(self) -> str:
        one, other = self.parts
        return f"{self.kind}: {self.first} in {one} and {self.second} in {other}"


def check_split(parts: Mapping[str, Corpus], *, threshold: float = DUPLICATE) -> list[Leak]:
    """Return what stands in two parts: pages, near-duplicates, sites and their families.

    Families are those that the pages have, joined with those that
    :func:`structce.corpus.near_duplicates.find_families` finds in all parts together.

    Parameters
    ----------
    threshold
        Of near-duplicates; see :func:`structce.corpus.near_duplicates.find_duplicates`.
    """
    ids = {name: {one.id for one in part} for name, part in parts.items()}
    twice = [
        Leak("page", page, page, (a, b))
        for a, b in combinations(parts, 2)
        for page in sorted(ids[a] & ids[b])
    ]
    whole, part_of = _together(parts)
    return [*twice, *_duplicates(whole, part_of, threshold), *_templates(whole, part_of)]


def refuse_leaks(parts: Mapping[str, Corpus], *, threshold: float = DUPLICATE) -> None:
    """Raise a CorpusError that names the leaks between parts, if there are any."""
    if leaks := check_split(parts, threshold=threshold):
        raise CorpusError(_message(leaks))


def _message(leaks: list[Leak]) -> str:
    """Return what is wrong in one line, with the first leaks, and the next step."""
    rest = len(leaks) - _NAMED
    named = "; ".join(map(str, leaks[:_NAMED])) + (f"; and {rest} more" if rest > 0 else "")
    return (
        f"on two sides of the split: {named}; write the corpus without "
        "duplicates and with joined families by 'structce corpus dedupe --out', and split that"
    )


def _together(parts: Mapping[str, Corpus]) -> tuple[Corpus, dict[str, str]]:
    """Return one corpus of all parts and the part of each page; a page is taken once."""
    pages: dict[str, LabelledPage] = {}
    part_of: dict[str, str] = {}
    for name, part in parts.items():
        for one in part:
            pages.setdefault(one.id, one)
            part_of.setdefault(one.id, name)
    first = next(iter(parts.values()), None)
    if first is None:
        raise CorpusError("a split without parts; expected a corpus by the name of its part")
    return replace(first, pages=tuple(pages.values())), part_of


def _duplicates(whole: Corpus, part_of: Mapping[str, str], threshold: float) -> list[Leak]:
    return [
        Leak("duplicate", pair.first, pair.second, (part_of[pair.first], part_of[pair.second]))
        for pair in find_duplicates(whole, threshold=threshold)
        if part_of[pair.first] != part_of[pair.second]
    ]


def _templates(whole: Corpus, part_of: Mapping[str, str]) -> list[Leak]:
    families = find_families(whole)
    sites: dict[str, dict[str, set[str]]] = {}
    for one in whole:
        places = sites.setdefault(families[one.site], {})
        places.setdefault(part_of[one.id], set()).add(one.site)
    return [
        Leak("template", _list(places[a]), _list(places[b]), (a, b))
        for _, places in sorted(sites.items())
        for a, b in combinations(places, 2)
    ]


def _list(sites: set[str]) -> str:
    return ", ".join(sorted(sites))


__all__ = [
    "Leak",
    "Pair",
    "check_split",
    "find_duplicates",
    "find_families",
    "find_templates",
    "refuse_leaks",
    "with_families",
    "without_duplicates",
]
