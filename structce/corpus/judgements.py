"""Judgements: labels of single regions of others' pages, kept apart from the pages.

A file of JSON Lines names pages by the digest of their HTML and regions by XPath, so that gold of
one's own can be passed on where the pages cannot. Of each page every region was looked at for a
few labels; what a data set says of the others stays as it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

import msgspec

from structce.alignment import possible_regions
from structce.corpus.corpus import Corpus
from structce.corpus.merge import PossibleRegions, doubt_background
from structce.corpus.storage import LabelledPage
from structce.errors import CorpusError
from structce.labels import UNKNOWN, LabelSet, allowed_names, written_set


@dataclass(frozen=True)
class Judgement:
    """What was judged of one page.

    Parameters
    ----------
    data_set, id
        The page's data set and its id there, for people.
    digest
        SHA-256 of its HTML, as :class:`structce.page.Provenance` has it.
    part
        What it serves for, such as ``choosing`` or ``final``.
    looked_for
        Labels for which every region was looked at.
    labels
        Label by XPath, or several of which one is right, of the regions that have one of these.
    note
        What was odd.
    """

    data_set: str
    id: str
    digest: str
    part: str
    looked_for: tuple[str, ...]
    labels: Mapping[str, str]
    note: str = ""


def read_judgements(data: bytes, name: str, parts: Collection[str] = ()) -> list[Judgement]:
    """Return the judgements of a file of JSON Lines.

    Parameters
    ----------
    name
        Of the file, for errors.
    parts
        Which to keep; by default all.

    Raises
    ------
    CorpusError
        If a line is of another form, or a page is judged twice.
    """
    try:
        rows = msgspec.json.Decoder(Judgement).decode_lines(data)
    except msgspec.DecodeError as error:
        raise CorpusError(f"{name}: {error}") from error
    if len({row.digest for row in rows}) < len(rows):
        raise CorpusError(f"{name}: a page is judged twice")
    return [row for row in rows if not parts or row.part in parts]


def with_judgements(
    corpus: Corpus,
    judgements: Iterable[Judgement],
    *,
    possible: PossibleRegions = possible_regions,
) -> Corpus:
    """Return a corpus whose judged pages have the labels that were judged.

    A region that was judged has those of its labels that the judgement allows; where its gold
    allows none of these, the judgement counts. On pages that nobody judged, background that could
    have a label which the corpus did not cover before may be either from then on.

    Parameters
    ----------
    possible
        What could have a label that a corpus does not tell of.

    Raises
    ------
    LabelError
        If a judgement names a label that the corpus has not.
    """
    by_digest = {judgement.digest: judgement for judgement in judgements}
    names = {name for judgement in by_digest.values() for name in judgement.looked_for}
    lacking = [name for name in corpus.label_set.foreground if name in names - {*corpus.covered}]
    pages = []
    for page in corpus:
        judgement = by_digest.get(page.page.provenance.digest)
        if judgement is None:
            background = corpus.label_set.background
            pages.append(doubt_background(page, lacking, background, possible))
        else:
            pages.append(judged_page(page, judgement, corpus.label_set))
    covered = tuple({*corpus.covered, *names})
    return replace(corpus, pages=tuple(pages), covered=covered)


def judged_page(page: LabelledPage, judgement: Judgement, label_set: LabelSet) -> LabelledPage:
    """Return a page with the labels that its gold and a judgement of it allow."""
    others = frozenset(label_set.names) - frozenset(judgement.looked_for)
    labels = []
    for xpath, label in zip(page.page.xpath, page.labels, strict=True):
        stated = judgement.labels.get(xpath, "")
        label_set.check(stated or UNKNOWN)
        judged = others if not stated else allowed_names(stated)
        own = allowed_names(label) or frozenset(label_set.names)
        if judged:
            labels.append(written_set(own & judged or (judged if stated else own)))
        else:  # judged as impossible to tell
            labels.append(label)
    return replace(page, labels=tuple(labels))
