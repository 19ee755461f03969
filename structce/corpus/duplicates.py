"""Pages and sites that are alike: near-duplicates, shared templates, and leaks of a split.

Near-duplicates share shingles of their running text; sites share a template if the class names of
their elements are alike. Groups of pages that no split may separate join copies, sites and
publishers over several corpora.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import resources
from itertools import combinations
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from structce.corpus.corpus import Corpus
from structce.corpus.splits import families_of, group_names, group_numbers
from structce.corpus.storage import LabelledPage
from structce.errors import CorpusError
from structce.features import consent, is_running
from structce.language import JOINED, fold_digits, normalise
from structce.page import Page, site_of

Codes = NDArray[Any]
"""Distinct numbers that stand for the elements of one set, of an integer type."""

_CELLS = 2**20  # pairs of sets that are compared at once, in some 50 MB


class SimilarPair(NamedTuple):
    """Two pages by their ids, or two sites by their names, and their similarity in [0, 1]."""

    first: str
    second: str
    similarity: float


def similar_sets(
    sets: Sequence[Codes], threshold: float, *, least: int = 1, is_weighted: bool = False
) -> list[tuple[int, int, float]]:
    """Return numbers and Jaccard similarity of the pairs of sets that reach a threshold.

    Both sets of a pair contain at least ``least`` elements of the other one. An element weighs 1
    or, if ``is_weighted``, ``log(1 + n / n_s)`` where ``n_s`` of the ``n`` sets have it. Pairs are
    in ascending order. Raises CorpusError if the threshold is not in (0, 1].
    """
    from scipy.sparse import csr_array  # late: corpora are read without it

    if not 0 < threshold <= 1:
        raise CorpusError(f"threshold {threshold}; expected more than 0 and at most 1")
    n = len(sets)
    if not sum(map(len, sets)):
        return []
    codes, columns, counts = np.unique(
        np.concatenate(sets), return_inverse=True, return_counts=True
    )
    starts = np.cumsum([0, *map(len, sets)])
    table = csr_array((np.ones(len(columns)), columns, starts), shape=(n, len(codes)))
    weights = np.log1p(n / counts) if is_weighted else np.ones(len(codes))
    weighted, totals = table.multiply(weights).tocsr(), table @ weights
    pairs: list[tuple[int, int, float]] = []
    size = max(1, _CELLS // n)
    for start in range(0, n, size):
        shared = (weighted[start : start + size] @ table.T).tocoo()
        first, second = shared.row + start, shared.col
        similarity = shared.data / (totals[first] + totals[second] - shared.data)
        for k in np.flatnonzero((first < second) & (similarity >= threshold)).tolist():
            i, j = int(first[k]), int(second[k])
            if len(np.intersect1d(sets[i], sets[j], assume_unique=True)) >= least:
                pairs.append((i, j, float(similarity[k])))
    return sorted(pairs)


def _named_pairs(
    names: Sequence[str], similar: Iterable[tuple[int, int, float]]
) -> list[SimilarPair]:
    """Return pairs of numbers by their names, the most similar first, then in the names' order."""
    pairs = [SimilarPair(names[i], names[j], round(share, 4)) for i, j, share in similar]
    return sorted(pairs, key=lambda pair: (-pair.similarity, pair.first, pair.second))


# Sites of one page template

TEMPLATE_THRESHOLD = 0.15
"""Least weighted share of steps in common. Of the Fundus fixtures listed pairs reach 0.33 or more,
others stay below 0.03; sites of WCXB that share plugins alone stay below 0.12."""

_LEAST_STEPS = 10  # that two sites must share: a site of few classes resembles others by chance
_NUMBER = re.compile(r"\d+")


def page_steps(page: Page) -> set[str]:
    """Return name and classes of each element above a region: ``div.post.post-0``.

    Numbers count as one, since many distinguish pages of one template. Elements without classes are
    left out, and so are ``html`` and ``body``, whose classes name the page.
    """
    rows = zip(page.elements.tag, page.elements.attributes, strict=True)
    named = {(tag, row.get("class", "")) for tag, row in rows if tag not in ("html", "body")}
    return {
        ".".join((tag, *sorted({_NUMBER.sub("0", name) for name in classes.split()})))
        for tag, classes in named
        if classes.strip()
    }


def find_templates(corpus: Corpus, *, threshold: float = TEMPLATE_THRESHOLD) -> list[SimilarPair]:
    """Return the pairs of sites that seem to share a page template, the most similar first.

    Their steps are compared, each weighted by how rare it is, so that the classes of a framework
    that everybody uses count little.
    """
    sites: dict[str, set[str]] = {}
    for page in corpus:
        sites.setdefault(page.site, set()).update(page_steps(page.page))
    numbers: dict[str, int] = {}
    steps = [
        np.array([numbers.setdefault(step, len(numbers)) for step in sites[name]], dtype=np.intp)
        for name in sorted(sites)
    ]
    similar = similar_sets(steps, threshold, least=_LEAST_STEPS, is_weighted=True)
    return _named_pairs(sorted(sites), similar)


def with_families(corpus: Corpus, *, pairs: Sequence[SimilarPair] | None = None) -> Corpus:
    """Return the corpus with one family for sites that pairs or known families join.

    A family is named by the first of the known families in it, in alphabetical order. ``pairs`` are
    sites that share a template, by default those of :func:`find_templates`.
    """
    pairs = find_templates(corpus) if pairs is None else pairs
    links = [(f"site {pair.first}", f"site {pair.second}") for pair in pairs]
    return _with_links(corpus, links)


def _with_links(corpus: Corpus, links: Iterable[tuple[str, str]]) -> Corpus:
    families = zip(corpus, families_of(corpus.pages, links), strict=True)
    return replace(corpus, pages=tuple(replace(page, family=family) for page, family in families))


# Pages of nearly the same text

WORDS = 5
"""Words of a shingle. Two texts hardly share five in a row by chance, and a changed word costs only
five shingles; Broder et al. (1997) took ten, for larger pages."""

DUPLICATE_THRESHOLD = 0.3
"""Least share of shingles in common: each page has about half of its text from the other, or one
is three times the other and contains it. On the Fundus fixtures and on 846 pages of WCXB pairs that
are no copies stay below 0.27, and all of different sites below 0.08."""

_LEAST_SHINGLES = 50  # of a page that is compared: less is a shell, a notice or a list
_MIN_GROUPS = 3  # headlines of a site, or groups of pages, that share the text of a site's frame
_LAST_JOINED = "\ud7ff"
_WORD = re.compile(
    f"[{JOINED}-{_LAST_JOINED}]|[^\\W_{JOINED}-{_LAST_JOINED}]+"
)  # in scripts without spaces a sign is a word
_FACTORS = np.array(
    [0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93,
     0xA0761D6478BD642F], dtype=np.uint64,
)  # fmt: skip  # odd and without pattern, so that sums of five words hardly ever agree


def find_duplicates(corpus: Corpus, *, threshold: float = DUPLICATE_THRESHOLD) -> list[SimilarPair]:
    """Return the pairs of pages with nearly the same running text, the most similar first.

    Text under several headlines of a site, or on several pages that are not copies, does not count.
    Pages with little running text are not compared.
    """
    texts = _without_site_frames([shingles(labelled.page) for labelled in corpus], corpus.pages)
    groups = group_numbers([(i, j) for i, j, _ in _similar_texts(texts, threshold)], len(texts))
    similar = _similar_texts(without_common_texts(texts, groups), threshold)
    return _named_pairs([page.id for page in corpus], similar)


def _similar_texts(texts: Sequence[Codes], threshold: float) -> list[tuple[int, int, float]]:
    compared = [text if len(text) >= _LEAST_SHINGLES else text[:0] for text in texts]
    return similar_sets(compared, threshold)


def without_duplicates(corpus: Corpus, pairs: Sequence[SimilarPair]) -> Corpus:
    """Return the corpus with one page of each group of duplicates.

    The page with the most regions of known label stays; on a tie the first in the corpus. The entry
    ``duplicates`` of the notes names the page that replaces each removed one.
    """
    group = group_names([page.id for page in corpus], [(pair.first, pair.second) for pair in pairs])
    best: dict[str, LabelledPage] = {}
    for page in corpus:
        if group[page.id] not in best or page.n_known > best[group[page.id]].n_known:
            best[group[page.id]] = page
    kept = {page.id for page in best.values()}
    dropped = {page.id: best[group[page.id]].id for page in corpus if page.id not in kept}
    notes = {**corpus.notes, "duplicates": dropped}
    return replace(corpus.subset(kept), notes=notes)


def shingles(page: Page) -> Codes:
    """Return the shingles of a page's running text (Broder et al. 1997, section 3).

    A. Z. Broder, S. C. Glassman, M. S. Manasse, G. Zweig (1997). Syntactic clustering of the web.
    Computer Networks 29(8-13).
    """
    rows = zip(page.text, (is_running(page) & ~consent(page)).tolist(), strict=True)
    words = [word for text, running in rows if running for word in shingle_words(text)]
    if len(words) < WORDS:
        return np.zeros(0, dtype=np.uint64)
    codes = np.array([crc32(word.encode()) for word in words], dtype=np.uint64)
    return np.unique((sliding_window_view(codes, WORDS) * _FACTORS).sum(axis=1, dtype=np.uint64))


def shingle_words(text: str) -> list[str]:
    """Return the words of a text, case folded, without punctuation.

    >>> shingle_words("The Ferry’s 2nd stop")
    ['the', 'ferry', 's', '2nd', 'stop']
    """
    return _WORD.findall(fold_digits(text).casefold())


def _without_site_frames(texts: Sequence[Codes], pages: Sequence[LabelledPage]) -> list[Codes]:
    """Return the shingles of each page that occur under few headlines of its site.

    All copies of a page have its headline, so that they count once.
    """
    members: dict[str, list[int]] = {}
    for i, page in enumerate(pages):
        members.setdefault(page.site, []).append(i)
    result = list(texts)
    for rows in members.values():
        headlines = [next(iter(pages[i].page.metadata.headlines), "") for i in rows]
        kept = without_common_texts([texts[i] for i in rows], map(normalise, headlines))
        for i, text in zip(rows, kept, strict=True):
            result[i] = text
    return result


def without_common_texts(texts: Sequence[Codes], groups: Iterable[Hashable]) -> list[Codes]:
    """Return the shingles of each page that fewer than ``_MIN_GROUPS`` groups of pages have.

    Pages of one group may be copies of one another.
    """
    members: dict[Hashable, list[Codes]] = {}
    for text, group in zip(texts, groups, strict=True):
        members.setdefault(group, []).append(text)
    if len(members) < _MIN_GROUPS:
        return list(texts)
    once = [np.unique(np.concatenate(rows)) for rows in members.values()]
    distinct, counts = np.unique(np.concatenate(once), return_counts=True)
    frame = distinct[counts >= _MIN_GROUPS]
    return [np.setdiff1d(text, frame, assume_unique=True) for text in texts]


# Leaks of a split, and groups that no split may separate


def find_leaks(parts: Mapping[str, Corpus], *, threshold: float = DUPLICATE_THRESHOLD) -> list[str]:
    """Return what two parts of a split share, one line each.

    That is the same page, pages of nearly the same text, and sites of one family or template.
    """
    if not parts:
        raise CorpusError("a split without parts; expected a corpus by the name of its part")
    pages: dict[str, LabelledPage] = {}
    part_of: dict[str, str] = {}
    leaks = []
    for name, part in parts.items():
        for page in part:
            if part_of.setdefault(page.id, name) != name:
                leaks.append(f"page: {page.id} in {part_of[page.id]} and {page.id} in {name}")
            pages.setdefault(page.id, page)
    whole = replace(next(iter(parts.values())), pages=tuple(pages.values()))
    for pair in find_duplicates(whole, threshold=threshold):
        first, second = part_of[pair.first], part_of[pair.second]
        if first != second:
            leaks.append(f"duplicate: {pair.first} in {first} and {pair.second} in {second}")
    sites: dict[str, dict[str, set[str]]] = {}
    for page in with_families(whole):
        by_part = sites.setdefault(page.family, {})
        by_part.setdefault(part_of[page.id], set()).add(page.site)
    for _, by_part in sorted(sites.items()):
        named = {part: f"{', '.join(sorted(of))} in {part}" for part, of in by_part.items()}
        leaks += [f"template: {named[a]} and {named[b]}" for a, b in combinations(by_part, 2)]
    return leaks


def refuse_leaks(parts: Mapping[str, Corpus], *, threshold: float = DUPLICATE_THRESHOLD) -> None:
    """Raise a CorpusError that names the leaks between parts, if there are any."""
    if leaks := find_leaks(parts, threshold=threshold):
        more = f"; and {len(leaks) - 5} more" if len(leaks) > 5 else ""
        raise CorpusError(
            f"on two sides of the split: {'; '.join(leaks[:5])}{more}; write the corpus without "
            "duplicates and with joined families by 'structce corpus export --dedupe'"
        )


def with_groups(corpus: Corpus) -> Corpus:
    """Return the corpus with the family of each page named after the first family of its group.

    A group joins pages of one site or family; near-duplicates; sites that share a template; sites
    of one name under several public suffixes, such as ``bbc.com`` and ``bbc.co.uk``; sites of one
    publisher (``publishers.toml``). A page without an address belongs to the site that it states.
    """
    links = [(f"site {page.site}", f"name {page.site.partition('.')[0]}") for page in corpus]
    for page in corpus:
        addresses = () if page.page.url else page.page.metadata.meta.get("og:url", ())
        links += [(f"site {page.site}", f"site {site}") for site in map(site_of, addresses) if site]
    site = {page.id: page.site for page in corpus}
    pairs = [(site[pair.first], site[pair.second]) for pair in find_duplicates(corpus)]
    pairs += [(pair.first, pair.second) for pair in find_templates(corpus)]
    text = resources.files(__package__).joinpath("publishers.toml").read_text("utf-8")
    for first, *others in tomllib.loads(text)["families"]:
        pairs += [(first, other) for other in others]
    links += [(f"site {first}", f"site {second}") for first, second in pairs]
    return _with_links(corpus, links)
