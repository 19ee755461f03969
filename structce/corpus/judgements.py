"""Judgements: labels of single regions of third-party pages, stored apart from the pages.

A file of JSON Lines identifies pages by the digest of their HTML and regions by XPath, so that our
own gold can be distributed even if the pages cannot. On each page every region was examined for a
few labels; the data set's statements about other labels are kept.
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
from structce.gold import Gold
from structce.labels import UNKNOWN, LabelSet, allowed_names, written_set

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
    except msgspec.DecodeError as error:
        raise CorpusError(f"{name}: {error}") from error
    if len({row.digest for row in rows}) < len(rows):
        raise CorpusError(f"{name}: a page is judged twice")
    return [row for row in rows if not parts or row.part in parts]


def with_judgements(
    corpus: Corpus, judgements: Iterable[Judgement], *, possible: PossibleRegions = possible_regions
) -> Corpus:
    """Return a corpus whose judged pages have the judged labels.

    A judged region keeps those of its labels that the judgement allows; if its gold allows none of
    these, the judgement counts. On unjudged pages, a background region that could have a label
    which the corpus did not cover before becomes a set of both. ``possible`` returns the regions
    that could have a label that a corpus does not annotate. Raises LabelError if a judgement uses a
    label that is not in the corpus's set.
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
    gold = page.gold or Gold()
    known = replace(gold, about={**gold.about, JUDGED: judgement.part})
    return replace(page, labels=tuple(labels), gold=known)
