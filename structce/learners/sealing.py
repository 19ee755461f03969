"""Files that tell whether they are whole: JSON that holds its own digest, and what it vouches for.

A digest finds damage. It is no signature: whoever writes all files anew can write anything.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from structce.errors import ModelError

DIGEST = "digest"
"""Entry of a sealed object that holds the SHA-256 of all others."""

LARGEST_SEALED = 2**24  # bytes; the longest curve of a solver takes a hundredth of it

NEXT_STEP = "Copy the model again from where it came, or train it anew"


def seal(entries: Mapping[str, object]) -> bytes:
    """Return an object, made plain by `to_plain`, as JSON that also holds its digest.

    Raises
    ------
    ModelError
        If it is larger than `read_sealed` would read.
    """
    plain = to_plain(entries)
    sealed = {**plain, DIGEST: _digest(plain)}
    data = (json.dumps(sealed, indent=1, allow_nan=False) + "\n").encode()
    if len(data) > LARGEST_SEALED:
        raise ModelError(f"a manifest of {len(data)} bytes; expected at most {LARGEST_SEALED}")
    return data


def to_plain(entries: Mapping[str, object]) -> dict[str, object]:
    """Return an object as a reader of its JSON sees it.

    NumPy's numbers and arrays become plain ones, tuples lists and keys texts. NaN and infinity,
    which JSON has not, become None: not known.
    """
    plain: dict[str, object] = json.loads(json.dumps(_plain(entries)))
    return plain


def read_sealed(path: Path, form: str, version: int) -> dict[str, object]:
    """Return the object that `seal` wrote into a file, without its digest.

    Parameters
    ----------
    form, version
        What its entries ``format`` and ``version`` must be.

    Raises
    ------
    ModelError
        If the file is missing, altered, or of another format or version.
    """
    entries = parse_json(path, read_bounded(path, LARGEST_SEALED))
    if not isinstance(entries, dict) or entries.get("format") != form:
        raise ModelError(f"{path}: not of format {form!r}. Name the folder of a model")
    if entries.get("version") != version:
        writer = f", or use structce {entries['structce']}" if "structce" in entries else ""
        raise ModelError(
            f"{path}: version {entries.get('version')!r}; this release reads version {version!r}. "
            f"Train the model anew{writer}"
        )
    if entries.pop(DIGEST, None) != _digest(entries):
        raise ModelError(f"{path}: altered since it was written. {NEXT_STEP}")
    return entries


def describe_bytes(data: bytes) -> dict[str, object]:
    """Return what a sealed object keeps of a file, for `read_described`."""
    return {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def read_described(path: Path, entry: object, largest: int) -> bytes:
    """Return a file's content if it is the one that `describe_bytes` described.

    Parameters
    ----------
    largest
        Bytes that it may have at most, whatever the entry says.

    Raises
    ------
    ModelError
        If the file is missing, too large, cut off or altered, or the entry is malformed.
    """
    if not isinstance(entry, dict) or set(entry) != {"bytes", "sha256"}:
        raise ModelError(f"{path}: the manifest does not describe it. {NEXT_STEP}")
    data = read_bounded(path, largest)
    if describe_bytes(data) != entry:
        raise ModelError(
            f"{path} is not the file that the manifest was written with: it has {len(data)} bytes "
            f"of {entry['bytes']!r}, or another digest. {NEXT_STEP}"
        )
    return data


def read_bounded(path: Path, largest: int) -> bytes:
    """Return a file's content.

    Raises
    ------
    ModelError
        If it cannot be read or has more bytes than `largest`; then it is not read.
    """
    try:
        with path.open("rb") as file:
            if (size := os.fstat(file.fileno()).st_size) > largest:
                raise ModelError(
                    f"{path} has {size} bytes; at most {largest} expected. {NEXT_STEP}"
                )
            return file.read(size)
    except OSError as error:
        raise ModelError(f"{path}: cannot be read ({error}). {NEXT_STEP}") from error


def parse_json(path: Path, data: bytes) -> object:
    """Return the JSON value of a file's content.

    Raises
    ------
    ModelError
        If it is no JSON, is nested too deeply, or holds numbers that are not finite.
    """
    try:
        return json.loads(
            data, parse_float=_finite(float), parse_int=_finite(int), parse_constant=_finite(float)
        )
    except (ValueError, OverflowError, RecursionError) as error:
        raise ModelError(f"{path}: no JSON ({error}). {NEXT_STEP}") from error


def _finite(kind: Callable[[str], float]) -> Callable[[str], float]:
    def parse(text: str) -> float:
        number = kind(text)
        if not math.isfinite(number):  # OverflowError for an integer beyond all floats
            raise ValueError(f"{text} is not finite")
        return number

    return parse


def _digest(entries: Mapping[str, object]) -> str:
    text = json.dumps(entries, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: object) -> object:
    """Return a value of plain JSON types."""
    if isinstance(value, np.generic | np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value
