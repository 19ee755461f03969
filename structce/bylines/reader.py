"""Reader of bylines: a linear-chain CRF over tokens, the names that it finds, and its files.

::

    bylines.json     columns, given names, training data, size and digest of learner.json
    learner.json     hyper-parameters of the chain, size and digest of weights.npz
    weights.npz      weights of the chain
    README.md        model card for people
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from structce.addresses import split_address
from structce.bylines.columns import NOTHING_STATED, ColumnSums, PageNames
from structce.bylines.tokens import LIST_BITS, Hints, lists_of, spans_of
from structce.errors import ModelError
from structce.io import write_all_atomic
from structce.language import language_code, word_list
from structce.learners import MODEL_REMEDY, LinearChainCRF, load_learner, storage
from structce.page import Page
from structce.version import package_version

BYLINE_LABELS = ("noise", "name", "more", "group", "role", "organisation", "place")
"""Labels of tokens: a person's name begins with ``name`` and continues with ``more``; a ``group``
is an agency, a newsroom or an account that signs; an ``organisation`` is beside a name."""

LONGEST_BYLINE = 1000
"""Greatest number of characters of a text that is read."""

BYLINES_FORMAT = "structce-bylines"
BYLINES_VERSION = 1
_MANIFEST = "bylines.json"
_LEARNER_FILES = (storage.MANIFEST, storage.WEIGHTS)
_CREDIT = 2  # tokens before a photographer's name: "photo by", "Foto:"

_NOISE, _NAME, _MORE, _GROUP = (
    BYLINE_LABELS.index(label) for label in ("noise", "name", "more", "group")
)
_NAMED = frozenset({_NAME, _MORE, _GROUP})
_PICTURE = LIST_BITS["picture"]


class BylineName(NamedTuple):
    """Name in a byline."""

    text: str  # as written, on one line
    start: int  # its first character in the byline, and the one after its last
    end: int
    is_group: bool  # an agency, a newsroom or an account
    confidence: float  # least probability of the labels of its tokens, in [0, 1]


def stated_by(page: Page) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Return the authors, the names of the site and the title that a page states."""
    metadata = page.metadata
    host = (split_address(page.url).hostname or "").removeprefix("www.")
    sites = (*metadata.publishers, *(part for part in host.split(".")[:-1] if len(part) > 2))
    return tuple(metadata.authors), sites, page.title


class BylineReader:
    """Reader of the names in bylines.

    Parameters
    ----------
    learner
        A fitted chain over ``BYLINE_LABELS``.
    columns
        Row of each column in the learner's weights.
    given
        Known given names, case folded.
    """

    def __init__(
        self, learner: LinearChainCRF, columns: Mapping[str, int], given: frozenset[str]
    ) -> None:
        self.learner, self.columns, self.given = learner, columns, given
        self._sums: ColumnSums | None = None

    def read(
        self,
        text: str,
        lang: str = "",
        names: PageNames = NOTHING_STATED,
        hints: Sequence[Hints] = (),
    ) -> list[BylineName]:
        """Return the names in a byline, in order; see :meth:`read_all`."""
        return self.read_all([text], lang, names, [hints])[0]

    def read_all(
        self,
        texts: Sequence[str],
        lang: str = "",
        names: PageNames = NOTHING_STATED,
        hints: Sequence[Sequence[Hints]] = (),
        *,
        lean: float | Sequence[float] = 0.0,
    ) -> list[list[BylineName]]:
        """Return the names in each of several bylines of one page.

        Parameters
        ----------
        texts
            Bylines, of one or several lines; those of more than ``LONGEST_BYLINE`` characters are
            not read.
        names
            Names that the page states.
        hints
            Hints of the mark-up for each line of each byline; none without a page.
        lean
            Bonus on the scores of names, one for all bylines or one for each: a higher bonus finds
            more names, and more false ones.
        """
        code = language_code(lang)
        short = [text if len(text) <= LONGEST_BYLINE else "" for text in texts]
        tokens, scores = self._scorer().scores(short, code, names, hints)
        lengths = np.array([*map(len, tokens)], dtype=np.int64)
        bonus = np.repeat(lean, lengths)[:, None] if isinstance(lean, Sequence) else lean
        scores[:, _NAME : _GROUP + 1] += bonus  # of names, and of words in them
        labels, p = self.learner.decode_rows(scores, lengths)
        kinds, confidences = labels.tolist(), p.max(axis=1).tolist()
        found, end = list[list[BylineName]](), 0
        for text, row in zip(texts, tokens, strict=True):
            own = slice(end, end + len(row))
            found.append(names_in(text, row, kinds[own], confidences[own], code))
            end += len(row)
        return found

    def likeness(self, texts: Sequence[str], lang: str = "") -> list[tuple[float, float]]:
        """Return the probabilities that each text, as a whole, names a person, and a group.

        Both are in [0, 1]: the least probability over the text's tokens that they belong to the
        name; 0 for a text without tokens.
        """
        tokens, scores = self._scorer().scores(texts, language_code(lang))
        lengths = np.array([*map(len, tokens)], dtype=np.int64)
        _, p = self.learner.decode_rows(scores, lengths)
        as_name = np.stack([p[:, _NAME] + p[:, _MORE], p[:, _GROUP]])
        known, least = lengths > 0, np.zeros((2, len(texts)))
        starts = (np.cumsum(lengths) - lengths)[known]
        if len(starts):
            least[:, known] = np.minimum(np.minimum.reduceat(as_name, starts, axis=1), 1.0)
        return [*zip(*least.tolist(), strict=True)]

    def _scorer(self) -> ColumnSums:
        if self._sums is None or self._sums.weights is not self.learner.emissions_:
            self._sums = ColumnSums(self.learner.emissions_, self.columns, self.given)
        return self._sums


@lru_cache(maxsize=64)
def conjunctions(code: str) -> frozenset[str]:
    """Return the words for "and", in a language and English, that no person's name contains."""
    words = word_list("between")
    listed = f"{words['en']}, {words.get(code, '')}".split(", ")
    return frozenset(word for word in listed if len(word) > 1)


def names_in(
    text: str, tokens: Sequence[str], labels: Sequence[int], p: Sequence[float], code: str = ""
) -> list[BylineName]:
    """Return the names that the labels of the tokens mark, in a language.

    Words for "and" separate two persons' names, whatever their label. A name after a word for
    pictures, perhaps with "by" or a colon between them, is a credit and left out. ``p`` are the
    probabilities of the labels, in [0, 1].
    """
    names: list[BylineName] = []
    if _NAMED.isdisjoint(labels):
        return names
    spans, between, kinds = spans_of(text, tokens), conjunctions(code), [*labels]
    end = 0
    while end < len(tokens):
        begin, is_group = end, kinds[end] == _GROUP
        end += 1
        if kinds[begin] not in _NAMED:
            continue
        while end < len(tokens) and kinds[end] == (_GROUP if is_group else _MORE):
            if not is_group and tokens[end].casefold() in between:
                kinds[end] = _NOISE
                break
            end += 1
        start, stop = spans[begin][0], spans[end - 1][1]
        name = " ".join(text[start:stop].split())
        before = lists_of(tokens[max(begin - _CREDIT, 0) : begin], code)
        if any(map(str.isalpha, name)) and not any(lists & _PICTURE for lists in before):
            names.append(BylineName(name, start, stop, is_group, min(p[begin:end])))
    return names


class _Manifest(msgspec.Struct):
    labels: tuple[str, ...]
    columns: tuple[str, ...]
    given: tuple[str, ...]
    files: dict[str, dict[str, object]]


def save_reader(
    folder: Path, reader: BylineReader, *, about: Mapping[str, object], card: str
) -> None:
    """Write a reader, its training data and scores, and its model card to a folder."""
    import tempfile  # late: reading needs no temporary folder

    with tempfile.TemporaryDirectory() as folder_of_learner:
        reader.learner.save(folder_of_learner)
        files = {name: Path(folder_of_learner, name).read_bytes() for name in _LEARNER_FILES}
    manifest = storage.seal(
        {
            "format": BYLINES_FORMAT,
            "version": BYLINES_VERSION,
            "structce": package_version(),
            "labels": BYLINE_LABELS,
            "columns": list(reader.columns),
            "given": sorted(reader.given),
            "files": {storage.MANIFEST: storage.describe_bytes(files[storage.MANIFEST])},
            "about": dict(about),
        }
    )
    contents = {**files, _MANIFEST: manifest, "README.md": card.encode()}
    write_all_atomic({folder / name: data for name, data in contents.items()})


def load_reader(folder: Path) -> BylineReader:
    """Return a reader that was written by :func:`save_reader`.

    Raises
    ------
    ModelError
        If a file is missing, altered or of another version, or the files do not fit together.
    """
    path = folder / _MANIFEST
    entries = storage.read_sealed(path, BYLINES_FORMAT, BYLINES_VERSION)
    try:
        manifest = msgspec.convert(entries, _Manifest)
    except msgspec.ValidationError as error:
        raise ModelError(f"{path}: {error}. {MODEL_REMEDY}") from error
    entry = manifest.files.get(storage.MANIFEST)
    storage.read_described(folder / storage.MANIFEST, entry, storage.LARGEST_SEALED)
    learner = load_learner(folder)
    shape = (len(manifest.columns), len(manifest.labels))
    if (
        not isinstance(learner, LinearChainCRF)
        or manifest.labels != BYLINE_LABELS
        or learner.emissions_.shape != shape
    ):
        raise ModelError(f"{path}: the chain has other columns or labels. {MODEL_REMEDY}")
    columns = {name: row for row, name in enumerate(manifest.columns)}
    return BylineReader(learner, columns, frozenset(manifest.given))


@cache
def shipped_reader() -> BylineReader:
    """Return the reader that comes with the package."""
    return load_reader(Path(__file__).parents[1] / "models" / "bylines")


_in_use: ContextVar[BylineReader | None] = ContextVar("byline reader", default=None)


def current_reader() -> BylineReader:
    """Return the reader in use: the shipped one outside of :func:`use_reader`."""
    return _in_use.get() or shipped_reader()


@contextmanager
def use_reader(reader: BylineReader | None) -> Iterator[None]:
    """Use another reader in a context, such as one not fitted on its pages; None for the shipped.

    The reader applies to the thread or task that enters the context.
    """
    token = _in_use.set(reader)
    try:
        yield
    finally:
        _in_use.reset(token)
