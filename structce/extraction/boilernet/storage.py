"""Serialisation of BoilerNet to a folder that browsers also read: ONNX model and vocabulary.

::

    boilernet.json    format, threshold, training, size and digest of the other files and its own
    model.onnx        maps ``rows`` to ``probabilities``; see `structce.neural.onnx_graph`
    vocabulary.json   lists ``tags`` and ``words``, the columns of a row; see `Vocabulary`
    README.md         the model card, if the model has one
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib import resources
from pathlib import Path

from structce.errors import ExtractionError, ModelError
from structce.extraction.boilernet.method import PIECE, BoilerNet
from structce.extraction.boilernet.vocabulary import Vocabulary
from structce.extraction.registry import SCHEMES, extractor
from structce.io import write_all_atomic
from structce.neural import OnnxTagger, Tagger, export_onnx, quantise_onnx
from structce.version import __version__

FORMAT, VERSION = "structce-boilernet", 1
MANIFEST, MODEL, VOCABULARY, CARD = "boilernet.json", "model.onnx", "vocabulary.json", "README.md"

LARGEST_MODEL = 2**26
"""Maximum size of an ONNX model in bytes; the paper's network takes a sixth of it."""

_LARGEST_VOCABULARY = 2**22


def save_boilernet(
    folder: Path,
    extractor: BoilerNet,
    *,
    is_quantised: bool = False,
    training: Mapping[str, object] | None = None,
    card: str = "",
) -> None:
    """Write a trained BoilerNet as an ONNX model, either all files or none.

    Parameters
    ----------
    is_quantised
        Store weights in eight bits: a quarter of the size, and slightly different probabilities.
    training
        Description of the training data, as JSON values.
    card
        Model card, as Markdown.

    Raises
    ------
    ExtractionError
        If the extractor is an ONNX model itself, whose weights are not known.
    MissingExtraError
        If onnx is not installed.
    """
    from structce.learners import storage  # late: only trained extractors need it

    if not isinstance(extractor.network, Tagger):
        raise ExtractionError("boilernet: an ONNX model cannot be saved again; copy its files")
    model = export_onnx(extractor.network)
    files = {
        MODEL: quantise_onnx(model) if is_quantised else model,
        VOCABULARY: extractor.vocabulary.to_json(),
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


def load_boilernet(folder: str | Path, *, threshold: float | None = None) -> BoilerNet:
    """Load the BoilerNet in a folder, to be run by ONNX Runtime.

    Parameters
    ----------
    threshold
        Threshold to use instead of the model's own.

    Raises
    ------
    ModelError
        If a file is missing, damaged, altered, or of another format or version.
    MissingExtraError
        If ONNX Runtime is not installed.
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
        vocabulary = Vocabulary.from_entries(storage.parse_json(path / VOCABULARY, words))
        own = float(str(entries["threshold"]))
        loaded = BoilerNet(vocabulary, OnnxTagger.of_bytes(model), own)
    except (ExtractionError, KeyError, ValueError) as error:
        raise ModelError(f"{path}: not a BoilerNet model ({error})") from error
    return loaded if threshold is None else replace(loaded, threshold=threshold)


SCHEMES["boilernet"] = load_boilernet


def shipped_folder() -> Path:
    """Return the folder of the model that comes with the package."""
    return Path(str(resources.files("structce") / "models" / "boilernet"))


@extractor("boilernet-small")
def shipped_boilernet(*, threshold: float | None = None) -> BoilerNet:
    """BoilerNet (Leonhardt, Anand and Khosla 2020), as shipped: a small network, by ONNX Runtime.

    Raises
    ------
    MissingExtraError
        If ONNX Runtime is not installed.
    """
    return load_boilernet(shipped_folder(), threshold=threshold)
