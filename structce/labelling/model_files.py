"""Serialise a fitted model to a folder; a damaged or incomplete one is never loaded.

::

    manifest.json       description of the model; size and digest of every other file
    README.md           the same for people
    features.json.gz    the feature set
    learner/            hyper-parameters and weights, as `Learner.save` writes them
    trees.npz           trees that choose values and body, if the model has them
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Self

import msgspec
import numpy as np

from structce.arrays import Floats
from structce.errors import FeatureError, LabelError, LearnerError, ModelError
from structce.features import FeatureSet, FeatureSetState
from structce.io import compress, encode_json, write_all_atomic
from structce.labels import LabelSet
from structce.learners import MODEL_REMEDY, BoostedTrees, Learner, load_learner, storage
from structce.version import package_version

MODEL_FORMAT = "structce-model"
MODEL_VERSION = 3

MODEL_MANIFEST = "manifest.json"
_CARD = "README.md"
_FEATURES = "features.json.gz"
_LEARNER = "learner"
_SETTINGS = f"{_LEARNER}/{storage.MANIFEST}"
_WEIGHTS = f"{_LEARNER}/{storage.WEIGHTS}"
_TREES = "trees.npz"

LARGEST_STATE = 2**27  # bytes of a feature set as JSON
LONGEST_COLUMN = 2**12
"""Bytes that a feature set may use per column; real ones use thirty on average."""

_MARKS = {
    "roles": ("role-", ""), "page_types": ("type-", ""), "choices": ("", "-sure"),
    "candidates": ("", ""),
}  # fmt: skip
"""Beginning and end of the stored names of each kind of trees; the last takes all others."""


def save_model_folder(
    folder: Path, features: FeatureSet, learner: Learner, label_set: LabelSet, renderer: str,
    card: dict[str, object], trees: ArticleTrees,
) -> None:  # fmt: skip
    """Write a model to a folder, which is created if necessary.

    Either all files are written, or those of an older model stay. Other files in the folder are
    left alone. Errors are those of :meth:`structce.labelling.RegionLabeller.save`.
    """
    import tempfile  # late, like the card: loading a model needs neither

    from structce.labelling.model_card import model_card

    check_target(folder)
    with tempfile.TemporaryDirectory() as place:
        learner.save(place)
        settings = Path(place, storage.MANIFEST).read_bytes()
        weights = Path(place, storage.WEIGHTS).read_bytes()
        described = _described(Path(place, storage.MANIFEST))
    _check_sizes(folder, features, label_set, learner.n_columns_, learner.n_labels_)
    state = encode_json(features.state(), indent=None)
    if len(state) > _largest_state(len(features.columns_)):
        raise ModelError(
            f"{folder}: the names of columns take more than {LONGEST_COLUMN} bytes on average; "
            "remove the feature that returns whole texts"
        )
    stored = trees.stored()
    arrays = {  # named ``title.roots``
        f"{name}.{part}": array.astype(np.float64)
        for name, tree in stored.items()
        for part, array in tree.arrays().items()
    }
    about: dict[str, object] = {
        "format": MODEL_FORMAT,
        "version": MODEL_VERSION,
        "structce": package_version(),
        "renderer": renderer,
        "labels": label_set.names,
        "background": label_set.background,
        "features": {
            "digest": features.digest,
            "n_features": len(features.names),
            "min_count": features.min_count,
            "min_pages": features.min_pages,
        },
        "learner": described,
        "card": card,
    }
    if stored:
        about["trees"] = {name: tree.names for name, tree in stored.items()}
        about["tree_shapes"] = {name: list(array.shape) for name, array in arrays.items()}
    entries = storage.to_plain(about)
    contents = {
        _WEIGHTS: weights,
        _SETTINGS: settings,
        _FEATURES: compress(state),
        _CARD: model_card(entries, folder.resolve().name).encode(),
    }
    if stored:
        contents[_TREES] = storage.pack_arrays(arrays)
    files = {name: storage.describe_bytes(data) for name, data in contents.items()}
    contents[MODEL_MANIFEST] = storage.seal({**entries, "files": files})
    write_all_atomic({folder / name: data for name, data in contents.items()})


def check_target(folder: Path) -> None:
    """Raise ModelError if saving a model to a folder would overwrite something else."""
    for name in (MODEL_MANIFEST, _CARD):
        if (folder / name).exists() and not _is_model(folder / MODEL_MANIFEST):
            reason = f"its {name} does not belong to a model; choose a new folder"
            raise ModelError(f"{folder}: {reason}")


def _is_model(manifest: Path) -> bool:
    """Return whether a file is the manifest of a model of any version."""
    try:
        data = storage.read_bounded(manifest, storage.LARGEST_SEALED)
        entries = storage.parse_json(manifest, data)
    except ModelError:
        return False
    return isinstance(entries, dict) and entries.get("format") == MODEL_FORMAT


def load_model_folder(
    folder: Path,
) -> tuple[FeatureSet, Learner, LabelSet, str, dict[str, object], ArticleTrees]:
    """Return the parts of the model that `save_model_folder` wrote, in the order of its arguments.

    Raises ModelError if a file is missing, cut off or altered, larger than the manifest implies, or
    of another format or version, or the files do not fit together.
    """
    path = folder / MODEL_MANIFEST
    entries = storage.read_sealed(path, MODEL_FORMAT, MODEL_VERSION)
    try:
        manifest = msgspec.convert(entries, _Manifest)
        label_set = LabelSet(manifest.labels, manifest.background)
    except (msgspec.ValidationError, LabelError) as error:
        raise ModelError(f"{path}: {error}. {MODEL_REMEDY}") from error
    shapes = storage.checked_shapes(path, manifest.learner.get("shapes"))
    of_columns = ("emissions", "dense", "kept")  # in a linear learner, a network and trees
    weights = next((shapes[name] for name in of_columns if name in shapes), ())
    if not weights:
        raise ModelError(
            f"{path}: expected weights with a row per column, got {storage.shown(shapes)}. "
            f"{MODEL_REMEDY}"
        )
    largest = {
        _FEATURES: _largest_state(weights[0]),
        _SETTINGS: storage.LARGEST_SEALED,
        _WEIGHTS: storage.largest_file(shapes),
        _CARD: storage.LARGEST_SEALED,
    }
    contents = {
        name: storage.read_described(folder / name, manifest.files.get(name), most)
        for name, most in largest.items()
    }
    if _described(folder / _SETTINGS) != manifest.learner:
        raise ModelError(f"{path}: describes a different learner from {_SETTINGS}. {MODEL_REMEDY}")
    features = _features(folder / _FEATURES, contents[_FEATURES], largest[_FEATURES])
    stated = manifest.learner.get("n_columns"), manifest.learner.get("n_labels")
    _check_sizes(folder, features, label_set, *stated)  # before weights are unpacked
    learner = load_learner(folder / _LEARNER)
    trees = _read_trees(folder / _TREES, manifest)
    return features, learner, label_set, manifest.renderer, manifest.card, trees


class _Manifest(msgspec.Struct):
    """Manifest entries needed to load a model; `model_card` shows the others."""

    renderer: Annotated[str, msgspec.Meta(pattern="^[ -~]{0,100}$")]
    labels: tuple[str, ...]
    background: str
    learner: dict[str, Any]
    files: dict[str, Any]
    card: dict[str, Any]
    trees: dict[str, tuple[str, ...]] = {}
    tree_shapes: dict[str, Any] = {}


def _read_trees(path: Path, manifest: _Manifest) -> ArticleTrees:
    """Return the trees of a model; empty if its manifest lists none."""
    if not manifest.trees:
        return ArticleTrees()
    shapes = storage.checked_shapes(path, manifest.tree_shapes)
    data = storage.read_described(path, manifest.files.get(_TREES), storage.largest_file(shapes))
    parts: dict[str, dict[str, Floats]] = {}
    for key, array in storage.unpack_arrays(path, data, shapes).items():
        name, _, part = key.rpartition(".")
        parts.setdefault(name, {})[part] = array
    if parts.keys() != manifest.trees.keys():
        listed = storage.shown(sorted(parts.keys() ^ manifest.trees.keys()))
        raise ModelError(f"{path}: trees without columns or arrays: {listed}. {MODEL_REMEDY}")
    read = {}
    for name, columns in manifest.trees.items():
        try:
            read[name] = BoostedTrees.of_arrays(columns, parts[name])
            if not len(read[name].roots):
                raise LearnerError("no tree")
        except LearnerError as error:
            raise ModelError(f"{path}: {name}: {error}. {MODEL_REMEDY}") from error
    return ArticleTrees.of_stored(read)


def _described(path: Path) -> dict[str, object]:
    """Return a learner's description from its own manifest."""
    entries = storage.read_sealed(path, storage.LEARNER_FORMAT, storage.LEARNER_VERSION)
    return {key: value for key, value in entries.items() if key not in ("format", "version")}


def _check_sizes(
    folder: Path, features: FeatureSet, label_set: LabelSet, n_columns: object, n_labels: object
) -> None:
    """Raise ModelError unless features and labels are as many as the learner expects."""
    sizes = len(features.columns_), len(label_set)
    if sizes != (n_columns, n_labels):
        raise ModelError(
            f"{folder}: the feature set has {sizes[0]} columns and the label set {sizes[1]} "
            f"labels; the learner expects {storage.shown(n_columns)} and {storage.shown(n_labels)}"
        )


def _largest_state(n_columns: int) -> int:
    return min(LARGEST_STATE, LONGEST_COLUMN * n_columns + 2**20)


def _features(path: Path, data: bytes, largest: int) -> FeatureSet:
    """Return a feature set from gzipped JSON, of which at most `largest` bytes are unpacked."""
    try:
        unpacking = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        text = unpacking.decompress(data, largest)
    except zlib.error as error:
        raise ModelError(f"{path}: not a gzip file ({error}). {MODEL_REMEDY}") from error
    if not unpacking.eof or unpacking.unused_data:
        raise ModelError(f"{path}: cut off, or unpacks to over {largest} bytes. {MODEL_REMEDY}")
    try:
        # Checked while it is decoded; if that fails, the message is that of every other file.
        state: object = msgspec.json.decode(text, type=FeatureSetState)
    except msgspec.DecodeError:
        state = storage.parse_json(path, text)
    try:
        return FeatureSet.from_state(state)
    except FeatureError as error:
        raise ModelError(
            f"{path}: a model with features of your own needs --import FILE, which defines them: "
            f"{error}"
        ) from error


@dataclass(frozen=True, eq=False)
class ArticleTrees:
    """Ensembles of boosted trees by what they judge; a model may lack any of them.

    By field (``title``, ``authors``, ``date``): whether a candidate is right, and whether the
    chosen one is, given its rivals and its page. Whether a block is part of the body; by label
    (``Paragraph``, ``Subtitle``, ``None``), whether a region has this role; by type, such as
    ``article``, whether a page is of it; and whether the body of a page was read well.
    """

    candidates: Mapping[str, BoostedTrees] = field(default_factory=dict)
    choices: Mapping[str, BoostedTrees] = field(default_factory=dict)
    body: BoostedTrees | None = None
    roles: Mapping[str, BoostedTrees] = field(default_factory=dict)
    page_types: Mapping[str, BoostedTrees] = field(default_factory=dict)
    quality: BoostedTrees | None = None

    def __bool__(self) -> bool:
        return bool(self.stored())

    def stored(self) -> dict[str, BoostedTrees]:
        """Return all ensembles by the names that they have in a model's files."""
        named = {
            f"{before}{name}{after}": trees
            for kind, (before, after) in _MARKS.items()
            for name, trees in getattr(self, kind).items()
        }
        single = {"body": self.body, "quality": self.quality}
        return named | {name: trees for name, trees in single.items() if trees is not None}

    @classmethod
    def of_stored(cls, ensembles: Mapping[str, BoostedTrees]) -> Self:
        """Return the ensembles of a model's files; the inverse of :meth:`stored`."""
        rest, kinds = dict(ensembles), dict[str, dict[str, BoostedTrees]]()
        single = {name: rest.pop(name, None) for name in ("body", "quality")}
        for kind, (before, after) in _MARKS.items():
            names = [name for name in rest if name.startswith(before) and name.endswith(after)]
            kinds[kind] = {
                name.removeprefix(before).removesuffix(after): rest.pop(name) for name in names
            }
        return cls(**kinds, **single)  # type: ignore[arg-type]
