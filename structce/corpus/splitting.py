"""Splits as files: which pages of one corpus stand in which part."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

import msgspec

from structce.corpus.drawing import WHOLE, Unit, day_of, draw, families_of
from structce.errors import CorpusError
from structce.files import to_json, write_whole

if TYPE_CHECKING:
    from structce.corpus.whole import Corpus

FORMAT = "structce-split"
VERSION = 1


@dataclass(frozen=True)
class Split:
    """Which pages of one corpus stand in which part.

    Parameters
    ----------
    corpus, corpus_digest
        Name and digest of the corpus.
    by, seed
        What was asked for; see :func:`draw`.
    parts
        Ids of pages by the name of their part, each sorted.
    left_out
        Ids of pages that stand in no part, since they have no date.
    """

    corpus: str
    corpus_digest: str
    by: Unit
    seed: int
    parts: Mapping[str, tuple[str, ...]]
    left_out: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        counts = Counter(name for part in (*self.parts.values(), self.left_out) for name in part)
        if twice := [name for name, n in counts.items() if n > 1]:
            raise CorpusError(f"split of {self.corpus}: page {twice[0]!r} stands in two parts")

    @property
    def digest(self) -> str:
        """SHA-256 over everything that the split says."""
        return hashlib.sha256(to_json(self._values(), indent=None)).hexdigest()

    def save(self, path: Path) -> None:
        """Write the split as JSON, whole or not at all; the same split gives the same bytes."""
        write_whole(path, to_json({**self._values(), "digest": self.digest}))

    @classmethod
    def load(cls, path: Path) -> Self:
        """Return the split of a file.

        Raises
        ------
        CorpusError
            If there is none, it is of another version, or it was changed since it was written.
        """
        try:
            values = json.loads(path.read_bytes())
            found, digest = (values["format"], values["version"]), values["digest"]
        except (OSError, KeyError, TypeError, ValueError) as error:
            why = f"{type(error).__name__}: {error}"
            raise CorpusError(
                f"{path}: no split here ({why}); make one by 'structce corpus split'"
            ) from error
        if found != (FORMAT, VERSION):
            raise CorpusError(
                f"{path}: format {found[0]} version {found[1]}; "
                f"this release reads {FORMAT} version {VERSION}"
            )
        try:
            split = msgspec.convert(values, cls)
        except msgspec.ValidationError as error:
            raise CorpusError(f"{path}: {error}") from error
        if split.digest != digest:
            raise CorpusError(f"{path}: changed since it was written; split the corpus again")
        return split

    def _values(self) -> dict[str, object]:
        return {"format": FORMAT, "version": VERSION, **asdict(self)}


def split_corpus(
    corpus: Corpus, shares: Mapping[str, float], *, by: Unit, seed: int, dated_only: bool = False
) -> Split:
    """Return a split of a corpus into named parts, in the order of the shares.

    Parameters
    ----------
    shares
        Of pages by the name of a part; see :func:`draw`.
    dated_only
        Leave pages without a date out of all parts; for a split by ``time``.

    Raises
    ------
    CorpusError
        As :func:`draw` does.
    """
    left_out = [one.id for one in corpus if dated_only and by == "time" and day_of(one) is None]
    pages = [one for one in corpus if one.id not in set(left_out)]
    drawn = draw(pages, list(shares.values()), by=by, seed=seed, name=corpus.name)
    parts = {name: tuple(sorted(ids)) for name, ids in zip(shares, drawn, strict=True)}
    return Split(corpus.name, corpus.digest, by, seed, parts, tuple(sorted(left_out)))


def check_split(split: Split, corpus: Corpus) -> None:
    """Raise a CorpusError unless a split fits a corpus.

    The corpus must be the one that was split, each of its pages in a part or left out, and no
    site and no family in two parts, unless pages were split alone or by time.
    """
    if split.corpus_digest != corpus.digest:
        raise CorpusError(
            f"{corpus.name}: digest {corpus.digest[:12]}, but the split is of {split.corpus}, "
            f"digest {split.corpus_digest[:12]}; split this corpus again"
        )
    named = {*split.left_out, *(page for ids in split.parts.values() for page in ids)}
    if odd := named ^ {page.id for page in corpus}:
        where = "of the split is not in the corpus" if odd & named else "is in no part of the split"
        raise CorpusError(f"{corpus.name}: page {min(odd & named or odd)!r} {where}")
    if split.by in WHOLE and (straddling := straddling_families(split, corpus)):
        family, parts = next(iter(straddling.items()))
        raise CorpusError(
            f"{corpus.name}: family {family!r} stands in {' and '.join(parts)}; a split by "
            f"{split.by} must keep it whole"
        )


def straddling_families(split: Split, corpus: Corpus) -> dict[str, list[str]]:
    """Return the parts of each family that stands in more than one."""
    part_of = {page: part for part, ids in split.parts.items() for page in ids}
    found: dict[str, list[str]] = {}
    for page, family in zip(corpus, families_of(corpus.pages), strict=True):
        parts = found.setdefault(family, [])
        if (part := part_of.get(page.id)) is not None and part not in parts:
            parts.append(part)
    return {family: parts for family, parts in sorted(found.items()) if len(parts) > 1}
