"""Corpora from several sources: merges of corpora, and judgements of single regions.

What one source does not record stays unknown. Judgements are our own labels of third-party pages,
stored apart from them in JSON Lines: pages by the digest of their HTML, regions by XPath.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np

from structce.alignment import possible_regions
from structce.corpus.corpus import Corpus
from structce.corpus.splits import families_of
from structce.corpus.storage import LabelledPage
from structce.errors import CorpusError, LabelError
from structce.labels import UNKNOWN, LabelSet, allowed_names, written_set

_UNSAFE = re.compile(r"[^\w.-]+")


def merge(corpora: Sequence[Corpus], name: str = "") -> Corpus:
    """Return the pages of several corpora as one, which covers the labels of any of them.

    A background region of a corpus that does not record a label, and that could have it (see
    :func:`structce.alignment.possible_regions`), becomes either: ``Caption|None``. Ids that several
    corpora use are prefixed with the corpus's name. Sites and families that several corpora have
    become one; licences are joined. The notes keep those of each corpus, the changed ids
    (``renamed``), and the number of regions whose label became a set (``n_turned_several``). The
    name is by default the names of all, joined by ``+``.

    Raises CorpusError if there are fewer than two corpora, one is given twice, or their renderers
    differ; LabelError if their backgrounds differ.
    """
    _check(corpora)
    background = corpora[0].label_set.background
    names = dict.fromkeys(label for corpus in corpora for label in corpus.label_set.names)
    label_set = LabelSet(tuple(names), background)
    covered = {label for corpus in corpora for label in corpus.covered}
    covered_labels = tuple(label for label in label_set.foreground if label in covered)
    pages: list[LabelledPage] = []
    notes = []
    for corpus, renamed in zip(corpora, _new_ids(corpora), strict=True):
        lacking = [label for label in covered_labels if label not in corpus.covered]
        doubted = [doubt_background(page, lacking, background) for page in corpus]
        n_exact = (sum(page.n_exact for page in of) for of in (corpus, doubted))
        notes.append(
            {
                "name": corpus.name,
                "digest": corpus.digest,
                "licence": corpus.licence,
                "n_pages": len(corpus),
                "covered": list(corpus.covered),
                "notes": dict(corpus.notes),
                "n_turned_several": next(n_exact) - next(n_exact),
                "renamed": renamed,
            }
        )
        for page in doubted:  # a site or family that is named after its page is renamed, too
            new = renamed.get(page.id, page.id)
            site, family = (new if x == page.id else x for x in (page.site, page.family))
            pages.append(replace(page, id=new, site=site, family=family))
    families = zip(pages, families_of(pages), strict=True)
    return Corpus(
        name=name or "+".join(corpus.name for corpus in corpora),
        pages=tuple(replace(page, family=family) for page, family in families),
        label_set=label_set,
        licence=_licence(corpora),
        notes={"merged": notes},
        covered=covered_labels,
    )


def _check(corpora: Sequence[Corpus]) -> None:
    if len(corpora) < 2:
        raise CorpusError(f"{len(corpora)} corpora to merge; expected two or more")
    first: dict[str, Corpus] = {}
    for corpus in corpora:
        if (twin := first.setdefault(corpus.digest, corpus)) is not corpus:
            raise CorpusError(f"{twin.name} and {corpus.name} have the same pages; give one")
        if (own := corpus.label_set.background) != (ours := corpora[0].label_set.background):
            raise LabelError(f"the background of {corpus.name} is {own!r}; expected {ours!r}")
    nonempty = [corpus for corpus in corpora if len(corpus)]
    for corpus in nonempty[1:]:
        if corpus.renderer != nonempty[0].renderer:
            raise CorpusError(
                f"{nonempty[0].name} was rendered by {nonempty[0].renderer}, {corpus.name} by "
                f"{corpus.renderer}; import one of them again with the other's renderer"
            )


def doubt_background(page: LabelledPage, lacking: Sequence[str], background: str) -> LabelledPage:
    """Return the page with sets of labels for background that could have an unrecorded label."""
    labels = list(page.labels)
    for label in lacking:
        for i in np.flatnonzero(possible_regions(page.page, label)).tolist():
            if background in (names := allowed_names(labels[i])):
                labels[i] = written_set({*names, label})
    return replace(page, labels=tuple(labels))


def _new_ids(corpora: Sequence[Corpus]) -> list[dict[str, str]]:
    """Return for each corpus the new ids of pages whose ids another corpus uses as well."""
    names = [_UNSAFE.sub("-", corpus.name).strip("-.") or "corpus" for corpus in corpora]
    counts = Counter(page.id for corpus in corpora for page in corpus)
    taken = set(counts)
    renamings = []
    for n, (corpus, name) in enumerate(zip(corpora, names, strict=True), start=1):
        prefix = name if names.count(name) == 1 else f"{name}-{n}"
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


def _licence(corpora: Sequence[Corpus]) -> str:
    """Return all licences, each with its corpora; a single licence alone."""
    names: dict[str, list[str]] = {}
    for corpus in corpora:
        names.setdefault(corpus.licence or "not stated", []).append(corpus.name)
    if len(names) == 1:
        return corpora[0].licence
    return "; ".join(f"{', '.join(of)}: {licence}" for licence, of in names.items())


JUDGED = "judged"
"""Fact about a page in its gold: the part of the judgements that it is in."""


@dataclass(frozen=True)
class Judgement:
    """Judgement of one page.

    ``data_set`` and ``id`` are the page's data set and its id there, for people. ``digest`` is the
    SHA-256 of its HTML, as in :class:`structce.page.Provenance`. ``part`` is a purpose, such as
    ``choosing`` or ``final``. Every region was examined for the labels ``looked_for``; ``labels``
    are those of the regions that have one of these, by XPath, or several of which one is right.
    """

    data_set: str
    id: str
    digest: str
    part: str
    looked_for: tuple[str, ...]
    labels: Mapping[str, str]
    note: str = ""


def read_judgements(data: bytes, name: str, parts: Collection[str] = ()) -> list[Judgement]:
    """Return the judgements of a file of JSON Lines, by default of all parts.

    ``name`` is that of the file in error messages. Raises CorpusError if a line is malformed, or a
    page is judged twice.
    """
    try:
        rows = msgspec.json.Decoder(Judgement).decode_lines(data)
    except ValueError as error:
        raise CorpusError(f"{name}: {error}") from error
    if len({row.digest for row in rows}) < len(rows):
        raise CorpusError(f"{name}: a page is judged twice")
    return [row for row in rows if not parts or row.part in parts]


def with_judgements(corpus: Corpus, judgements: Iterable[Judgement]) -> Corpus:
    """Return a corpus whose judged pages have the judged labels.

    A judged region keeps those of its labels that the judgement allows; if its gold allows none of
    these, the judgement counts. On unjudged pages, a background region that could have a label
    which the corpus did not cover before becomes a set of both. Raises LabelError if a judgement
    uses a label that is not in the corpus's set.
    """
    by_digest = {judgement.digest: judgement for judgement in judgements}
    names = {name for judgement in by_digest.values() for name in judgement.looked_for}
    lacking = [name for name in corpus.label_set.foreground if name in names - {*corpus.covered}]
    pages = []
    for page in corpus:
        judgement = by_digest.get(page.page.provenance.digest)
        if judgement is None:
            pages.append(doubt_background(page, lacking, corpus.label_set.background))
        else:
            pages.append(judged_page(page, judgement, corpus.label_set))
    return replace(corpus, pages=tuple(pages), covered=tuple({*corpus.covered, *names}))


def judged_page(page: LabelledPage, judgement: Judgement, label_set: LabelSet) -> LabelledPage:
    """Return a page with the labels that its gold and a judgement of it allow."""
    others = frozenset(label_set.names) - frozenset(judgement.looked_for)
    labels = []
    for xpath, label in zip(page.page.xpath, page.labels, strict=True):
        verdict = judgement.labels.get(xpath, "")
        label_set.check(verdict or UNKNOWN)
        judged = others if not verdict else allowed_names(verdict)
        allowed = allowed_names(label) or frozenset(label_set.names)
        if judged:
            labels.append(written_set(allowed & judged or (judged if verdict else allowed)))
        else:  # judged as impossible to tell
            labels.append(label)
    gold = replace(page.gold, about={**page.gold.about, JUDGED: judgement.part})
    return replace(page, labels=tuple(labels), gold=gold)
