"""Serialisation of a fitted learner: ``learner.json`` and ``weights.npz``, without pickle.

The manifest contains its own digest and that of the weights, so that damage is detected.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.lib import format as npy

from structce.arrays import Floats, Floats32
from structce.errors import ModelError
from structce.io import read_at_most, write_all_atomic

_LONGEST_SHOWN = 100
DIGEST = "digest"  # key of a sealed object for the SHA-256 of all other entries
LARGEST_SEALED = 2**24  # bytes; the longest curve of a solver takes a hundredth of it
MODEL_REMEDY = "Copy the model again from its source, or retrain it"

LEARNER_FORMAT, LEARNER_VERSION = "structce-learner", 2
MANIFEST, WEIGHTS = "learner.json", "weights.npz"

STORED = np.dtype("<f4")
LARGEST = 2**27  # weights in a file, 1 GiB in memory: 15 million columns of nine labels
MOST_ARRAYS = 2**14
HEADER = 2**12  # bytes, an upper bound of what zip and npy add to an array

Shapes: TypeAlias = dict[str, tuple[int, ...]]

# What a malformed or malicious zip may raise: RuntimeError for an encrypted member.
_MALFORMED = (
    ValueError, KeyError, EOFError, OSError, OverflowError, RuntimeError, TypeError, struct.error,
    zipfile.BadZipFile, zlib.error,
)  # fmt: skip


def write_model(folder: Path, manifest: Mapping[str, object], arrays: Mapping[str, Floats]) -> None:
    """Write a fitted learner to a folder, which is created if necessary: both files, or none.

    Arrays are stored dense, as float32. Raises ModelError if they are larger than `LARGEST`.
    """
    shapes = {name: list(array.shape) for name, array in arrays.items()}
    checked_shapes(folder, shapes)
    weights = pack_arrays(arrays)
    head = {"format": LEARNER_FORMAT, "version": LEARNER_VERSION}
    tail = {"shapes": shapes, "weights": describe_bytes(weights)}
    sealed = seal({**head, **manifest, **tail})
    write_all_atomic({folder / WEIGHTS: weights, folder / MANIFEST: sealed})


def read_manifest(folder: Path) -> dict[str, object]:
    """Return the manifest that `write_model` wrote; ModelError if it is missing or altered."""
    return read_sealed(folder / MANIFEST, LEARNER_FORMAT, LEARNER_VERSION)


def read_weights(folder: Path, manifest: Mapping[str, object]) -> dict[str, Floats]:
    """Return the arrays of a manifest; ModelError if the file is not the one that it describes."""
    shapes = checked_shapes(folder / MANIFEST, manifest.get("shapes"))
    path = folder / WEIGHTS
    weights = read_described(path, manifest.get("weights"), largest_file(shapes))
    arrays = unpack_arrays(path, weights, shapes)
    return {name: array.astype(np.float64) for name, array in arrays.items()}


def seal(entries: Mapping[str, object]) -> bytes:
    """Return an object as JSON with its digest; raises ModelError above `LARGEST_SEALED`."""
    plain = to_plain(entries)
    data = json.dumps({**plain, DIGEST: _digest(plain)}, indent=1, allow_nan=False) + "\n"
    if len(data) > LARGEST_SEALED:
        raise ModelError(f"a manifest of {len(data)} bytes; expected at most {LARGEST_SEALED}")
    return data.encode()


def to_plain(entries: Mapping[str, object]) -> dict[str, object]:
    """Return an object as it comes back from its JSON.

    NumPy scalars and arrays become numbers and lists, tuples become lists, and keys become
    strings. NaN and infinity, which JSON lacks, become None (unknown).
    """

    def of(value: object) -> object:
        if isinstance(value, np.generic | np.ndarray):
            return of(value.tolist())
        if isinstance(value, float) and not math.isfinite(value):
            return None
        if isinstance(value, Mapping):
            return {key: of(entry) for key, entry in value.items()}
        return [of(entry) for entry in value] if isinstance(value, list | tuple) else value

    plain: dict[str, object] = json.loads(json.dumps(of(entries)))
    return plain


def read_sealed(path: Path, form: str, version: int) -> dict[str, object]:
    """Return the object that `seal` serialised, without its digest.

    Raises ModelError if format or version differ, or the file is missing or altered.
    """
    return unseal(path, read_bounded(path, LARGEST_SEALED), form, version)


def unseal(path: Path, data: bytes, form: str, version: int) -> dict[str, object]:
    """Return the result of `read_sealed`, given the content of the file at `path`."""
    entries = parse_json(path, data)
    if not isinstance(entries, dict) or entries.get("format") != form:
        raise ModelError(f"{path}: not of format {form!r}. Name the folder of a model")
    if entries.get("version") != version:
        writer = f", or use structce {shown(entries['structce'])}" if "structce" in entries else ""
        raise ModelError(
            f"{path}: version {shown(entries.get('version'))}; this release reads version "
            f"{version}. Retrain the model{writer}"
        )
    if entries.pop(DIGEST, None) != _digest(entries):
        raise ModelError(f"{path}: altered since it was written. {MODEL_REMEDY}")
    return entries


def describe_bytes(data: bytes) -> dict[str, object]:
    """Return the size and the digest of a file's content, for `read_described`."""
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def read_described(path: Path, entry: object, largest: int) -> bytes:
    """Return a file's content if it matches an entry from `describe_bytes`.

    Raises ModelError otherwise, or if it has more than `largest` bytes.
    """
    if not isinstance(entry, dict) or set(entry) != {"bytes", "sha256"}:
        raise ModelError(f"{path}: the manifest does not describe it. {MODEL_REMEDY}")
    data = read_bounded(path, largest)
    if describe_bytes(data) != entry:
        raise ModelError(
            f"{path} is not the file that the manifest was written with: it has {len(data)} bytes "
            f"of {shown(entry['bytes'])}, or another digest. {MODEL_REMEDY}"
        )
    return data


def read_bounded(path: Path, largest: int) -> bytes:
    """Return a file's content, at most `largest` bytes; raises ModelError if it cannot be read."""
    try:
        return read_at_most(path, largest)
    except OSError as error:
        raise ModelError(f"{path}: cannot be read ({error}). {MODEL_REMEDY}") from error


def parse_json(path: Path, data: bytes) -> object:
    """Return the JSON value of a file's content; raises ModelError, also for infinite numbers."""
    try:
        return json.loads(data, parse_float=_finite, parse_int=_finite, parse_constant=_finite)
    except (ValueError, OverflowError, RecursionError) as error:
        raise ModelError(f"{path}: not valid JSON ({error}). {MODEL_REMEDY}") from error


def _finite(text: str) -> float:
    number = int(text) if text.lstrip("-").isdecimal() else float(text)
    if not math.isfinite(number):  # OverflowError for an integer beyond all floats
        raise ValueError(f"{text} is not finite")
    return number


def _digest(entries: Mapping[str, object]) -> str:
    text = json.dumps(entries, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def shown(value: object) -> str:
    """Return a value from a file as a message shows it: escaped, and at most 100 characters."""
    text = value if isinstance(value, str) and value.isprintable() else repr(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 3]}..."


def checked_shapes(path: Path, value: object) -> Shapes:
    """Return the shapes in a manifest by array name; ModelError if malformed or too large."""
    if not isinstance(value, dict) or len(value) > MOST_ARRAYS:
        raise ModelError(
            f"{path}: shapes are {shown(value)}; expected an object of at most {MOST_ARRAYS} "
            f"arrays. {MODEL_REMEDY}"
        )
    total = 0
    for name, shape in value.items():
        if not isinstance(shape, list) or any(type(n) is not int or n < 0 for n in shape):
            raise ModelError(
                f"{path}: the shape of {shown(name)} is {shown(shape)}. {MODEL_REMEDY}"
            )
        total += math.prod(shape)
        if total > LARGEST:
            raise ModelError(
                f"{path}: with {shown(name)} of shape {shown(shape)} it has more than {LARGEST} "
                "weights"
            )
    return {name: tuple(shape) for name, shape in value.items()}


def largest_file(shapes: Shapes) -> int:
    """Return the maximum size in bytes of a file of weights with these shapes."""
    plain = sum(math.prod(shape) * STORED.itemsize for shape in shapes.values())
    return plain + plain // 1000 + HEADER * (len(shapes) + 1)  # deflating noise adds less


def pack_arrays(arrays: Mapping[str, Floats]) -> bytes:
    """Return arrays as a zip of npy files; equal arrays give equal bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, array in arrays.items():
            member = io.BytesIO()
            npy.write_array(member, np.ascontiguousarray(array, STORED), (1, 0), allow_pickle=False)
            info = zipfile.ZipInfo(f"{name}.npy")  # with a constant date
            archive.writestr(info, member.getvalue(), zipfile.ZIP_DEFLATED, compresslevel=6)
    return buffer.getvalue()


def unpack_arrays(path: Path, data: bytes, shapes: Shapes) -> dict[str, Floats32]:
    """Return the arrays of these shapes; ModelError, before unpacking, if there are others."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {info.filename: info for info in archive.infolist()}
            if set(members) != {f"{name}.npy" for name in shapes}:
                contents = shown(sorted(members))
                raise ValueError(f"it contains {contents}; expected {shown(sorted(shapes))}")
            arrays = {}
            for name, shape in shapes.items():
                info = members[f"{name}.npy"]
                if (size := info.file_size) > math.prod(shape) * STORED.itemsize + HEADER:
                    raise ValueError(f"{name} unpacks to {size} bytes, too many for {shape}")
                arrays[name] = _array(name, _content(data, info), shape)
    except _MALFORMED as error:
        raise ModelError(f"{path}: malformed weights ({error}). {MODEL_REMEDY}") from error
    return arrays


def _content(data: bytes, info: zipfile.ZipInfo) -> bytes:
    """Return the content of a member of an archive whose digest is known.

    `ZipFile.read` takes five times as long for a small one.
    """
    n_name, n_extra = struct.unpack_from("<HH", data, info.header_offset + 26)
    start = info.header_offset + 30 + n_name + n_extra
    content = data[start : start + info.compress_size]
    if info.compress_type != zipfile.ZIP_STORED:
        content = zlib.decompressobj(-zlib.MAX_WBITS).decompress(content, info.file_size + 1)
    if len(content) != info.file_size:
        raise ValueError(f"{info.filename} is damaged")
    return content


def _array(name: str, data: bytes, shape: tuple[int, ...]) -> Floats32:
    """Return the array in the content of an npy file; ValueError if it does not fit."""
    end = 10 + int.from_bytes(data[8:10], "little")
    expected = f"{{'descr': '{STORED.str}', 'fortran_order': False, 'shape': {shape}, }}"
    header = data[10:end].rstrip().decode("latin-1")
    if data[:8] != npy.magic(1, 0) or header != expected:
        raise ValueError(f"{name} is {shown(header)}; expected {expected}")
    array: Floats32 = np.frombuffer(data, STORED, offset=end)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} contains NaN or infinity")
    return array.reshape(shape)
