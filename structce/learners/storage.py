"""A fitted linear model on disk: ``learner.json`` and ``weights.npz``, no pickle.

The manifest holds the digest of the weights, so that files of two models are never taken for one.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structce.errors import ModelError
from structce.files import write_together
from structce.learners.arrays import Floats

FORMAT = "structce-learner"
VERSION = 1
MANIFEST = "learner.json"
WEIGHTS = "weights.npz"


class Model(NamedTuple):
    """What a fitted learner consists of: its manifest's entries and its arrays by name."""

    manifest: dict[str, object]
    arrays: dict[str, Floats]


def write_model(folder: Path, model: Model) -> None:
    """Write a model into a folder, which is made if it does not exist.

    Both files are complete before either takes its name; an older model gives way to the new one.
    Arrays are stored as float32.
    """
    buffer = io.BytesIO()
    stored: dict[str, NDArray[np.generic]] = {}
    for name, array in model.arrays.items():
        stored.update(_encode(name, array))
    np.savez_compressed(buffer, allow_pickle=False, **stored)
    weights = buffer.getvalue()
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        **model.manifest,
        "shapes": {name: list(array.shape) for name, array in model.arrays.items()},
        "weights_sha256": hashlib.sha256(weights).hexdigest(),
    }
    text = json.dumps(manifest, indent=2, default=_plain) + "\n"
    write_together({folder / WEIGHTS: weights, folder / MANIFEST: text.encode()})


def read_model(folder: Path) -> Model:
    """Read a model that `write_model` wrote.

    Raises
    ------
    ModelError
        If a file is missing, cut off or changed, or is of another format or version.
    """
    manifest = _read_manifest(folder / MANIFEST)
    try:
        weights = (folder / WEIGHTS).read_bytes()
    except OSError as error:
        raise ModelError(f"{folder / WEIGHTS}: cannot be read: {error}") from error
    if hashlib.sha256(weights).hexdigest() != manifest.get("weights_sha256"):
        raise ModelError(f"{folder / WEIGHTS} is not the file that {MANIFEST} was written with")
    try:
        with np.load(io.BytesIO(weights), allow_pickle=False) as stored:
            shapes = manifest["shapes"]
            arrays = {name: _decode(name, shape, stored) for name, shape in shapes.items()}  # type: ignore[attr-defined]
    except (ValueError, KeyError, AttributeError, zipfile.BadZipFile, zlib.error) as error:
        raise ModelError(f"{folder / WEIGHTS} is malformed: {error}") from error
    return Model(manifest, arrays)


def _read_manifest(path: Path) -> dict[str, object]:
    try:
        manifest = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise ModelError(f"{path}: no learner can be read here: {error}") from error
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise ModelError(f"{path} is not of format {FORMAT!r}")
    if manifest.get("version") != VERSION:
        raise ModelError(
            f"{path} is of version {manifest.get('version')!r}; this structce reads {VERSION!r}"
        )
    return manifest


def _encode(name: str, array: Floats) -> dict[str, NDArray[np.generic]]:
    """Return an array under its name, or its non-zero entries where these are smaller."""
    values = array.astype(np.float32)
    index = np.flatnonzero(values)
    index_type = np.int32 if array.size <= np.iinfo(np.int32).max else np.int64
    size = len(index) * (np.dtype(index_type).itemsize + values.itemsize)
    if size >= values.nbytes:
        return {name: values}
    return {f"{name}.index": index.astype(index_type), f"{name}.value": values.ravel()[index]}


def _decode(name: str, shape: list[int], stored: Mapping[str, NDArray[np.generic]]) -> Floats:
    if name in stored:
        return stored[name].astype(np.float64).reshape(shape)
    array = np.zeros(int(np.prod(shape)))
    index = stored[f"{name}.index"]
    if len(index) and not 0 <= index.min() <= index.max() < len(array):
        raise ValueError(f"{name}: an index is outside the shape {shape}")
    array[index] = stored[f"{name}.value"]
    return array.reshape(shape)


def _plain(value: object) -> object:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{value!r} cannot be written as JSON")
