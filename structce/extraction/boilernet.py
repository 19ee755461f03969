"""BoilerNet: text leaves of a page as a sequence, classified by bidirectional LSTM layers.

A model is a folder that browsers also read::

    boilernet.json    format, threshold, training, size and digest of the other files and its own
    model.onnx        maps ``rows`` to ``probabilities``; see `structce.neural.onnx_graph`
    vocabulary.json   lists ``tags`` and ``words``, the columns of a row; see `Vocabulary`
    README.md         the model card, if the model has one

Source: J. Leonhardt, A. Anand and M. Khosla (2020). Boilerplate removal using a neural sequence
labeling model. WWW 2020 companion.
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Self

import msgspec
import numpy as np

from structce.arrays import Flags, Floats
from structce.errors import ExtractionError, ModelError
from structce.evaluation import Overlap
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.registry import SCHEMES, WordFilter, extractor, trainable_method
from structce.extraction.text_leaves import (
    TextLeaves,
    leaf_labels,
    leaf_of_words,
    leaf_words,
    text_leaves,
)
from structce.extras import check_extras
from structce.io import write_all_atomic
from structce.kernels import sums_below
from structce.neural import (
    OnnxTagger,
    Tagger,
    TrainedTagger,
    balanced_weights,
    export_onnx,
    quantise_onnx,
    train_tagger,
)
from structce.version import __version__

if TYPE_CHECKING:
    import scipy

N_TAGS, N_WORDS = 50, 1000
"""Numbers of most common tags and words that the paper counts."""

PIECE = 4096
"""Leaves processed together: longer pages are processed in pieces, so that memory is bounded."""

THRESHOLD = 0.5
"""Probability from which a leaf is main content."""

FORMAT, VERSION = "structce-boilernet", 1
MANIFEST, MODEL, VOCABULARY, CARD = "boilernet.json", "model.onnx", "vocabulary.json", "README.md"

LARGEST_MODEL = 2**26
"""Maximum size of an ONNX model in bytes; the paper's network takes a sixth of it."""

_LARGEST_VOCABULARY = 2**22
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Vocabulary:
    """Tags and words that a network counts, in lower case, the most common first.

    Of a leaf, column 0 counts tags that are not listed, column ``1 + i`` tag ``i``; column ``1 +
    n_tags`` counts words that are not listed, column ``2 + n_tags + i`` word ``i``. (The paper's
    code lets one unknown word overwrite the count of another; we add them up.)
    """

    tags: tuple[str, ...]
    words: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(set(self.tags)) < len(self.tags) or len(set(self.words)) < len(self.words):
            raise ExtractionError("vocabulary: a tag or a word is listed twice")

    @classmethod
    def of_pages(
        cls, pages: Iterable[TextLeaves], n_tags: int = N_TAGS, n_words: int = N_WORDS
    ) -> Self:
        """Return the most common tags and words of pages; ties are in alphabetical order.

        A tag counts once for each leaf and each occurrence on the path to it.
        """
        tags: Counter[str] = Counter()
        words: Counter[str] = Counter()
        for leaves in pages:
            parent, element = (a.astype(np.int32) for a in (leaves.parent, leaves.element))
            counts = sums_below(parent, element, np.ones(len(element))).astype(int).tolist()
            for tag, count in zip(leaves.tag, counts, strict=True):
                tags[tag] += count
            for text in leaves.text:
                words.update(leaf_words(text))
        return cls(_most_common(tags, n_tags), _most_common(words, n_words))

    @property
    def n_columns(self) -> int:
        """Number of columns of a leaf."""
        return 2 + len(self.tags) + len(self.words)

    def encode(self, leaves: TextLeaves) -> scipy.sparse.csr_array[np.float32]:
        """Return the counts of each leaf, shape (n_leaves, n_columns), float32."""
        import scipy  # late: other methods do not need it

        tag_columns = {tag: 1 + i for i, tag in enumerate(self.tags)}
        of_elements = np.zeros((len(leaves.tag) + 1, 1 + len(self.tags)), dtype=np.int32)
        for i, (tag, parent) in enumerate(zip(leaves.tag, leaves.parent.tolist(), strict=True)):
            of_elements[i] = of_elements[parent]  # for the root this is the last row, which is zero
            of_elements[i, tag_columns.get(tag, 0)] += 1
        paths = of_elements[leaves.element]
        rows, columns = paths.nonzero()
        unknown, columns_of = 1 + len(self.tags), self._word_columns
        words = [
            [columns_of.get(word, unknown) for word in leaf_words(text)] for text in leaves.text
        ]
        owner = np.repeat(np.arange(len(words)), [len(leaf) for leaf in words])
        word_columns = np.array([column for leaf in words for column in leaf], dtype=np.int64)
        values = np.concatenate([paths[rows, columns], np.ones(len(owner))]).astype(np.float32)
        cells = np.concatenate([rows, owner]), np.concatenate([columns, word_columns])
        shape = (len(leaves), self.n_columns)
        return scipy.sparse.csr_array((values, cells), shape=shape)  # adds up words

    @cached_property
    def _word_columns(self) -> Mapping[str, int]:
        return {word: 2 + len(self.tags) + i for i, word in enumerate(self.words)}


def _most_common(counts: Counter[str], n: int) -> tuple[str, ...]:
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple(name for name, count in ranked[:n] if count)


@dataclass(frozen=True, eq=False)
class BoilerNet(WordFilter):
    """BoilerNet (Leonhardt, Anand and Khosla 2020), after training.

    A leaf is main content from the probability ``threshold``, in [0, 1].
    """

    vocabulary: Vocabulary
    network: Tagger | OnnxTagger
    threshold: float = THRESHOLD

    def __post_init__(self) -> None:
        if self.network.n_columns != self.vocabulary.n_columns:
            raise ExtractionError(
                f"boilernet: a network of {self.network.n_columns} columns, and a vocabulary of "
                f"{self.vocabulary.n_columns}"
            )
        if not 0 <= self.threshold <= 1:
            raise ExtractionError(f"boilernet: threshold {self.threshold}; expected in [0, 1]")

    def keep(self, document: ParsedDocument) -> Flags:
        """Return which words are in leaves of main content."""
        leaves = text_leaves(document)
        chosen = self.probabilities(leaves) >= self.threshold
        return np.append(chosen, False)[leaf_of_words(document, leaves)]

    def probabilities(self, leaves: TextLeaves) -> Floats:
        """Return the probability that each leaf is main content, shape (n_leaves,)."""
        rows = self.vocabulary.encode(leaves)
        pieces = (rows[start : start + PIECE] for start in range(0, len(leaves), PIECE))
        return np.concatenate(
            [np.zeros(0), *(self.network.probabilities(piece)[:, 0] for piece in pieces)]
        )


@trainable_method("boilernet")
@dataclass(frozen=True)
class BoilerNetTraining:
    """BoilerNet (Leonhardt, Anand and Khosla 2020): text leaves as a sequence, by LSTM layers.

    The defaults are the paper's. Both classes of leaves have the same total weight; the epoch with
    the best mean F1 of both classes on the validation pages is kept: the last ``n_validation``
    pages or, if it is None, a tenth, drawn by the seed. `train_tagger` describes the network.
    """

    n_tags: int = N_TAGS
    n_words: int = N_WORDS
    n_dense: int = 256
    n_hidden: int = 256
    n_layers: int = 2
    dropout: float = 0.5
    n_epochs: int = 50
    batch_size: int = 16
    learning_rate: float = 1e-3
    n_validation: int | None = None
    seed: int = 0

    def fit(self, documents: Iterable[ParsedDocument], texts: Sequence[str]) -> BoilerNet:
        """Return the extractor learnt from the pages.

        Raises ExtractionError if there are not two pages with text, one of them with main content;
        MissingExtraError if PyTorch is not installed.
        """
        check_extras(["torch"], "training of BoilerNet", "neural")
        pages = [text_leaves(document) for document in documents]
        pairs = zip(pages, texts, strict=True)
        return self.fit_leaves(pages, [leaf_labels(page, text) for page, text in pairs])

    def fit_leaves(self, pages: Sequence[TextLeaves], labels: Sequence[Flags]) -> BoilerNet:
        """Return the extractor learnt from pages with labelled leaves; see `fit`."""
        train, validation = self._split(len(pages))
        gold = [np.asarray(flags, dtype=np.int64) for flags in labels]
        if not any(gold[i].any() for i in train) or not any(len(pages[i]) for i in validation):
            raise ExtractionError("boilernet: expected pages with main content, got none")
        vocabulary = Vocabulary.of_pages((pages[i] for i in train), self.n_tags, self.n_words)
        rows = [vocabulary.encode(page) for page in pages]
        unseen = [rows[i] for i in validation], np.concatenate([gold[i] for i in validation]) > 0
        best, highest = list[Tagger](), -1.0

        def keep_best(number: int, loss: float, network: TrainedTagger) -> None:
            """Keep the first epoch with the best mean F1 of both classes."""
            nonlocal highest
            predicted = np.concatenate(network.scores(unseen[0])) >= 0
            score = float(np.mean([own.f1 for own in class_overlaps(predicted, unseen[1])]))
            _log.info("epoch %d: loss %.4f, validation F1 %.4f", number, loss, score)
            if score > highest:
                highest, best[:] = score, [network.tagger()]

        pieces = [
            (rows[i][start : start + PIECE], gold[i][start : start + PIECE])
            for i in train
            for start in range(0, len(gold[i]), PIECE)
        ]
        names = "n_dense n_hidden n_layers dropout n_epochs batch_size learning_rate seed".split()
        train_tagger(
            [piece_rows for piece_rows, _ in pieces],
            [piece_gold for _, piece_gold in pieces],
            weights=balanced_weights([gold[i] for i in train]),
            on_epoch=keep_best,
            **{name: getattr(self, name) for name in names},
        )
        return BoilerNet(vocabulary, best[0])

    def _split(self, n_pages: int) -> tuple[list[int], list[int]]:
        """Return the indices of the training pages and of the validation pages."""
        order, n_validation = list(range(n_pages)), self.n_validation
        if n_validation is None:
            n_validation = max(1, round(n_pages / 10))
            order = np.random.default_rng(self.seed).permutation(n_pages).tolist()
        if not 0 < n_validation < n_pages:
            raise ExtractionError(
                f"boilernet: {n_validation} of {n_pages} pages for validation; expected at "
                "least one, and at least one for training"
            )
        return order[:-n_validation], order[-n_validation:]


def class_overlaps(predicted: Flags, gold: Flags) -> tuple[Overlap, Overlap]:
    """Return precision and recall of boilerplate leaves, and of content leaves."""
    boilerplate, content = (
        Overlap.of_counts(*(int(flags.sum()) for flags in (ours & theirs, ours, theirs)))
        for ours, theirs in ((~predicted, ~gold), (predicted, gold))
    )
    return boilerplate, content


def save_boilernet(
    folder: Path,
    extractor: BoilerNet,
    *,
    is_quantised: bool = False,
    training: Mapping[str, object] | None = None,
    card: str = "",
) -> None:
    """Write a trained BoilerNet as an ONNX model, either all files or none.

    With ``is_quantised``, weights are stored in eight bits. ``training`` describes the training
    data as JSON values; ``card`` is the model card, as Markdown. Raises ExtractionError if the
    extractor is an ONNX model itself; MissingExtraError if onnx is not installed.
    """
    from structce.learners import storage  # late: only trained extractors need it

    if not isinstance(extractor.network, Tagger):
        raise ExtractionError("boilernet: an ONNX model cannot be saved again; copy its files")
    model, words = export_onnx(extractor.network), asdict(extractor.vocabulary)
    files = {
        MODEL: quantise_onnx(model) if is_quantised else model,
        VOCABULARY: (json.dumps(words, ensure_ascii=False, indent=0) + "\n").encode(),
    }
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "structce": __version__,
        "threshold": extractor.threshold,
        "piece": PIECE,
        "is_quantised": is_quantised,
        "training": training or {},
        "files": {name: storage.describe_bytes(data) for name, data in files.items()},
    }
    files[MANIFEST] = storage.seal(manifest)
    if card:
        files[CARD] = card.encode()
    folder.mkdir(parents=True, exist_ok=True)
    write_all_atomic({folder / name: data for name, data in files.items()})


def load_boilernet(folder: str | Path) -> BoilerNet:
    """Load the BoilerNet in a folder, to be run by ONNX Runtime.

    Raises ModelError if a file is missing, damaged, altered, or of another format or version;
    MissingExtraError if ONNX Runtime is not installed.
    """
    from structce.learners import storage  # late: only trained extractors need it

    path = Path(folder)
    entries = storage.read_sealed(path / MANIFEST, FORMAT, VERSION)
    files, piece = entries.get("files"), entries.get("piece")
    if not isinstance(files, dict) or piece != PIECE:
        raise ModelError(f"{path / MANIFEST}: no list of files, or pieces of {piece!r} leaves")
    model = storage.read_described(path / MODEL, files.get(MODEL), LARGEST_MODEL)
    words = storage.read_described(path / VOCABULARY, files.get(VOCABULARY), _LARGEST_VOCABULARY)
    try:
        vocabulary = msgspec.convert(storage.parse_json(path / VOCABULARY, words), Vocabulary)
        threshold = float(str(entries["threshold"]))
        try:
            network = OnnxTagger.of_bytes(model)
        except ModelError as error:
            raise ModelError(f"{path / MODEL}: {error}. {storage.MODEL_REMEDY}") from error
        return BoilerNet(vocabulary, network, threshold)
    except (ExtractionError, KeyError, ValueError, msgspec.ValidationError) as error:
        raise ModelError(f"{path}: not a BoilerNet model ({error})") from error


SCHEMES["boilernet"] = load_boilernet


def shipped_folder() -> Path:
    """Return the folder of the model that comes with the package."""
    return Path(str(resources.files("structce") / "models" / "boilernet"))


@extractor("boilernet-small")
def shipped_boilernet() -> BoilerNet:
    """BoilerNet (Leonhardt, Anand and Khosla 2020), as shipped: a small network, by ONNX Runtime.

    Raises MissingExtraError if ONNX Runtime is not installed.
    """
    return load_boilernet(shipped_folder())
