"""Merge of several corpora into one; what one of them does not record stays unknown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal, get_args

import numpy as np

from structce.alignment import possible_regions
from structce.arrays import Flags
from structce.corpus.corpus import Corpus
from structce.corpus.splits import families_of
from structce.corpus.storage import LabelledPage
from structce.errors import CorpusError, LabelError
from structce.labels import UNKNOWN, LabelSet, allowed_names, written_set
from structce.page import Page

Coverage = Literal["all", "common"]
COVERAGES: tuple[str, ...] = get_args(Coverage)
"""Labels that a merged corpus covers: those of any of its corpora, or of all of them."""

PossibleRegions = Callable[[Page, str], Flags]
"""Whether each region of a page could have a label, shape (n_regions,)."""

_UNSAFE = re.compile(r"[^\w.-]+")


def merge(
    corpora: Sequence[Corpus],
    labels: Coverage = "all",
    name: str = "",
    *,
    possible: PossibleRegions = possible_regions,
) -> Corpus:
    """Return the pages of several corpora as one.

    Ids that several corpora use are prefixed with the corpus's name. Sites and families that
    several corpora have become one, so that no split separates them; licences are joined; the notes
    keep those of each corpus, the changed ids (``renamed``), and the number of regions whose label
    became a set (``n_turned_several``). A page in two corpora is in the result twice.

    ``all`` covers the labels of any corpus. A background region of a corpus that does not record a
    label, and that could have it according to ``possible``, becomes either: ``Caption|None``.
    ``common`` covers the labels of all corpora, and every other label becomes background. The name
    is by default the names of all, joined by ``+``.

    Raises CorpusError if there are fewer than two corpora, one is given twice, their renderers
    differ, or they have no label in common although ``common`` requires one; LabelError if their
    label sets do not fit together, or it is unknown which regions could have a label.
    """
    if labels not in COVERAGES:
        raise CorpusError(f"labels {labels!r}; expected one of {', '.join(COVERAGES)}")
    _check(corpora)
    label_set = _label_set(corpora, labels)
    covered = _covered(corpora, label_set, labels)
    pages: list[LabelledPage] = []
    notes = []
    for corpus, renamed in zip(corpora, _new_ids(corpora), strict=True):
        if labels == "all":
            lacking = [label for label in covered if label not in corpus.covered]
            background = label_set.background
            made = [doubt_background(page, lacking, background, possible) for page in corpus]
        else:
            made = [_fold_labels(page, covered, label_set.background) for page in corpus]
        n_turned = sum(page.n_exact for page in corpus) - sum(page.n_exact for page in made)
        notes.append({**_notes_of(corpus), "n_turned_several": n_turned, "renamed": renamed})
        pages += [_rename(page, renamed.get(page.id, page.id)) for page in made]
    families = zip(pages, families_of(pages), strict=True)
    return Corpus(
        name=name or "+".join(corpus.name for corpus in corpora),
        pages=tuple(replace(page, family=family) for page, family in families),
        label_set=label_set,
        licence=_licence(corpora),
        notes={"labels": labels, "merged": notes},
        covered=covered,
    )


def _check(corpora: Sequence[Corpus]) -> None:
    if len(corpora) < 2:
        raise CorpusError(f"{len(corpora)} corpus to merge; expected two or more")
    first: dict[str, Corpus] = {}
    for corpus in corpora:
        if (twin := first.setdefault(corpus.digest, corpus)) is not corpus:
            raise CorpusError(
                f"{twin.name} and {corpus.name} contain the same pages; give one of them"
            )
    known = [corpus for corpus in corpora if len(corpus)]
    for corpus in known[1:]:
        if corpus.renderer != known[0].renderer:
            raise CorpusError(
                f"{known[0].name} was rendered by {known[0].renderer}, {corpus.name} by "
                f"{corpus.renderer}; import one of them again with the other's renderer"
            )


def _label_set(corpora: Sequence[Corpus], labels: Coverage) -> LabelSet:
    """Return the labels of any corpus, or of all, in the order of their first occurrence."""
    sets = [corpus.label_set for corpus in corpora]
    for corpus in corpora[1:]:
        if corpus.label_set.background != sets[0].background:
            raise LabelError(
                f"the background of {corpora[0].name} is {sets[0].background!r}, that of "
                f"{corpus.name} is {corpus.label_set.background!r}; expected one for all"
            )
    names = dict.fromkeys(name for label_set in sets for name in label_set.names)
    if labels == "common":
        names = {name: None for name in names if all(name in label_set.names for label_set in sets)}
    return LabelSet(tuple(names), sets[0].background)


def _covered(corpora: Sequence[Corpus], label_set: LabelSet, labels: Coverage) -> tuple[str, ...]:
    is_wanted = any if labels == "all" else all
    covered = tuple(
        name
        for name in label_set.foreground
        if is_wanted(name in corpus.covered for corpus in corpora)
    )
    if not covered:
        names = ", ".join(corpus.name for corpus in corpora)
        raise CorpusError(f"{names}: no label is recorded by all of them; merge with labels 'all'")
    return covered


def doubt_background(
    page: LabelledPage, lacking: Sequence[str], background: str, possible: PossibleRegions
) -> LabelledPage:
    """Return the page with sets of labels for background that could have an unrecorded label."""
    labels = list(page.labels)
    for label in lacking:
        for i in np.flatnonzero(possible(page.page, label)).tolist():
            if background in (own := allowed_names(labels[i])):
                labels[i] = written_set({*own, label})
    return replace(page, labels=tuple(labels))


def _fold_labels(page: LabelledPage, covered: Sequence[str], background: str) -> LabelledPage:
    """Return the page with the background in place of every label that is not covered."""
    names = {own: allowed_names(own) for own in set(page.labels) - {UNKNOWN}}
    folded = {
        own: written_set(name if name in covered else background for name in allowed)
        for own, allowed in names.items()
    }
    return replace(page, labels=tuple(folded.get(own, own) for own in page.labels))


def _new_ids(corpora: Sequence[Corpus]) -> list[dict[str, str]]:
    """Return for each corpus the new ids of pages whose ids another corpus uses as well."""
    counts = Counter(page.id for corpus in corpora for page in corpus)
    taken = set(counts)
    renamings = []
    for corpus, prefix in zip(corpora, _prefixes(corpora), strict=True):
        renamed: dict[str, str] = {}
        for page in corpus:
            if counts[page.id] > 1:
                new = f"{prefix}-{page.id}"
                while new in taken:
                    new = f"{prefix}-{new}"
                taken.add(new)
                renamed[page.id] = new
        renamings.append(renamed)
    return renamings


def _prefixes(corpora: Sequence[Corpus]) -> list[str]:
    """Return a name of each corpus, valid for files and unique."""
    names = [_UNSAFE.sub("-", corpus.name).strip("-.") or "corpus" for corpus in corpora]
    counts = Counter(names)
    return [name if counts[name] == 1 else f"{name}-{n}" for n, name in enumerate(names, start=1)]


def _rename(page: LabelledPage, new: str) -> LabelledPage:
    """Return the page under a new id; a site named after its only page is renamed, too."""
    site, family = (new if own == page.id else own for own in (page.site, page.family))
    return replace(page, id=new, site=site, family=family)


def _licence(corpora: Sequence[Corpus]) -> str:
    """Return all licences, each with its corpora; a single licence alone."""
    names: dict[str, list[str]] = {}
    for corpus in corpora:
        names.setdefault(corpus.licence or "not stated", []).append(corpus.name)
    if len(names) == 1:
        return corpora[0].licence
    return "; ".join(f"{', '.join(of)}: {licence}" for licence, of in names.items())


def _notes_of(corpus: Corpus) -> dict[str, object]:
    return {
        "name": corpus.name,
        "digest": corpus.digest,
        "licence": corpus.licence,
        "n_pages": len(corpus),
        "covered": list(corpus.covered),
        "notes": dict(corpus.notes),
    }
