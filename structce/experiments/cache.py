"""Finished units on disk: each is done once, and found again by what it was asked."""

from __future__ import annotations

import ast
import gzip
import hashlib
import importlib.metadata
import inspect
import json
import sys
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import msgspec

from structce.io import compress, write_atomic

T = TypeVar("T")

PACKAGE = Path(__file__).parents[1]

CODE_PATHS = (
    "arrays.py",
    "evaluation/calibration.py",
    "evaluation/metrics.py",
    "experiments/config.py",
    "experiments/fit.py",
    "experiments/job.py",
    "features",
    "labels.py",
    "language",
    "learners",
    "metadata.py",
    "page.py",
    "text_index.py",
)
"""Below the package, what outcomes hang on; after a change in one of these all units are stale."""

LIBRARIES = ("numpy", "scipy", "scikit-learn", "python-crfsuite")


@dataclass(frozen=True)
class Cache:
    """A folder of outcomes, one file each; without a folder nothing is kept.

    A file is named by the digest of all that its unit was asked, and of the code that does it, so
    what was done for another experiment serves too. A damaged file counts as none.
    """

    folder: Path | None

    def read(self, key: str, kind: type[T]) -> T | None:
        """Return what is kept under a key; None if nothing is, or it cannot be read."""
        if self.folder is None:
            return None
        path = self.folder / f"{key}.json.gz"
        try:
            return msgspec.json.decode(gzip.decompress(path.read_bytes()), type=kind)
        except (OSError, EOFError, ValueError, zlib.error, msgspec.MsgspecError):
            return None

    def write(self, key: str, outcome: object) -> None:
        """Keep an outcome under a key; whole, or not at all."""
        if self.folder is not None:
            path = self.folder / f"{key}.json.gz"
            write_atomic(path, compress(msgspec.json.encode(outcome)))


def cache_key(values: Mapping[str, object]) -> str:
    """Return the digest of plain values."""
    text = json.dumps(values, sort_keys=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def code_digest() -> str:
    """Return SHA-256 over the code that units run, and the versions of its libraries.

    Comments and docstrings do not count, nor does how lines are broken.
    """
    total = hashlib.sha256(sys.version.encode())
    for name in LIBRARIES:
        total.update(f"{name} {importlib.metadata.version(name)}\n".encode())
    for path in sorted(_files(PACKAGE / part for part in CODE_PATHS)):
        total.update(path.relative_to(PACKAGE).as_posix().encode())
        total.update(_meaning(path).encode())
    return total.hexdigest()


def _meaning(path: Path) -> str:
    """Return the code of a file without comments, docstrings and line breaks."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            body[:] = [one for one in body if not _is_text(one)]
    return ast.dump(tree)


def _is_text(node: ast.AST) -> bool:
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Constant):
        return False
    return isinstance(node.value.value, str)


def source_digest(made: Callable[..., object]) -> str:
    """Return SHA-256 over the file that holds a class or function of somebody else's.

    That of ours is in :func:`code_digest`. Where there is no file, as in an interpreter, only its
    name tells it from others. What ``functools.partial`` binds counts, too.
    """
    if isinstance(made, partial):
        bound = repr((made.args, sorted(made.keywords.items())))
        return hashlib.sha256((source_digest(made.func) + bound).encode()).hexdigest()
    named = f"{made.__module__}.{made.__qualname__}"
    try:
        path = inspect.getsourcefile(made)
        source = Path(path).read_bytes() if path else b""
    except (OSError, TypeError):
        source = b""
    if made.__module__.startswith("structce."):
        source = b""
    return hashlib.sha256(named.encode() + source).hexdigest()


def _files(places: Iterable[Path]) -> Iterable[Path]:
    for place in places:
        yield from place.rglob("*.py") if place.is_dir() else [place]
