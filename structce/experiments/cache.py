"""Cache of job outcomes on disk, and the run of the jobs that are not in it.

An outcome is one file, named by the digest of everything that it depends on.
"""

from __future__ import annotations

import ast
import gzip
import hashlib
import importlib.metadata
import inspect
import json
import sys
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NoReturn, TypeAlias, TypeVar

import msgspec
from tqdm import tqdm

from structce.io import compress, write_atomic

_Job = TypeVar("_Job")
_Outcome = TypeVar("_Outcome")

JobBar: TypeAlias = "tqdm[NoReturn]"  # progress bar that counts finished jobs
CacheKey = str  # SHA-256 of everything that an outcome depends on, in hexadecimal digits

PACKAGE = Path(__file__).parents[1]


@dataclass(frozen=True)
class Cache:
    """A folder of outcomes, one file each; without a folder nothing is kept.

    A key covers everything that a job depends on, and the code that runs it, so outcomes computed
    for another experiment are reused. A damaged file counts as missing.
    """

    folder: Path | None

    def read(self, key: CacheKey, kind: type[_Outcome]) -> _Outcome | None:
        """Return the outcome stored under a key; None if it is missing or cannot be read."""
        if self.folder is None:
            return None
        path = self.folder / f"{key}.json.gz"
        try:
            return msgspec.json.decode(gzip.decompress(path.read_bytes()), type=kind)
        except (OSError, EOFError, ValueError, zlib.error, msgspec.MsgspecError):
            return None

    def write(self, key: CacheKey, outcome: object) -> None:
        """Store an outcome under a key, completely or not at all."""
        if self.folder is not None:
            path = self.folder / f"{key}.json.gz"
            write_atomic(path, compress(msgspec.json.encode(outcome)))


def job_bar(n_jobs: int, is_shown: bool) -> JobBar:
    """Return a progress bar of jobs on standard error, shown only in a terminal."""
    return tqdm(total=n_jobs, unit="job", disable=None if is_shown else True)


def run_missing(
    jobs: Sequence[_Job],
    run: Callable[[list[_Job]], Iterable[tuple[int, _Outcome]]],
    *,
    read: Callable[[_Job], _Outcome | None],
    write: Callable[[_Job, _Outcome], object],
    bar: JobBar,
) -> list[_Outcome]:
    """Return the outcome of every job; those that are stored are not run again.

    Parameters
    ----------
    run
        Yields the number and the outcome of each job of a list, in the order in which they finish;
        not called for an empty list.
    write
        Called as soon as an outcome is there, so that an interrupted run can be continued.
    """
    outcomes = {i: stored for i, job in enumerate(jobs) if (stored := read(job)) is not None}
    bar.update(len(outcomes))
    missing = [i for i in range(len(jobs)) if i not in outcomes]
    for n, outcome in run([jobs[i] for i in missing]) if missing else ():
        outcomes[missing[n]] = outcome
        write(jobs[missing[n]], outcome)
        bar.update()
    return [outcomes[i] for i in range(len(jobs))]


def cache_key(values: Mapping[str, object]) -> CacheKey:
    """Return the digest of plain values."""
    text = json.dumps(values, sort_keys=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def source_digest(definition: Callable[..., object]) -> str:
    """Return the SHA-256 of the file that defines a user's class or function.

    For a definition in the package it covers only the name; :func:`code_digest` covers the code.
    Without a file, as in an interpreter, only the name distinguishes definitions. Arguments bound
    by ``functools.partial`` count, too.
    """
    if isinstance(definition, partial):
        bound = repr((definition.args, sorted(definition.keywords.items())))
        inner = source_digest(definition.func)
        return hashlib.sha256((inner + bound).encode()).hexdigest()
    named = f"{definition.__module__}.{definition.__qualname__}"
    source = b""
    if not definition.__module__.startswith("structce."):
        try:
            path = inspect.getsourcefile(definition)
            source = Path(path).read_bytes() if path else b""
        except (OSError, TypeError):
            pass
    return hashlib.sha256(named.encode() + source).hexdigest()


def code_digest(paths: Iterable[str], libraries: Iterable[str] = ()) -> str:
    """Return the SHA-256 of files and folders below the package, and of versions of libraries.

    Comments, docstrings and line breaks do not count.
    """
    total = hashlib.sha256(sys.version.encode())
    for name in libraries:
        total.update(f"{name} {importlib.metadata.version(name)}\n".encode())
    files: list[Path] = []
    for place in (PACKAGE / part for part in paths):
        inside = [path for path in place.rglob("*.*") if path.suffix in (".py", ".toml")]
        files += inside if place.is_dir() else [place]
    for path in sorted(files):
        total.update(path.relative_to(PACKAGE).as_posix().encode())
        total.update(_syntax_tree(path).encode())
    return total.hexdigest()


def _syntax_tree(path: Path) -> str:
    """Return the code of a file without comments, docstrings and line breaks; data unchanged."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return text
    tree = ast.parse(text)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            body[:] = [statement for statement in body if not _is_text(statement)]
    return ast.dump(tree)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(getattr(node.value, "value", None), str)
