"""Journal of finished jobs on disk, and the run of the jobs that are not in it."""

from __future__ import annotations

import gzip
import hashlib
import importlib.metadata
import inspect
import json
import sqlite3
import sys
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NoReturn, TypeAlias, TypeVar

import msgspec
from tqdm import tqdm

from structce.errors import ExperimentError
from structce.io import compress

_Job = TypeVar("_Job")
_Outcome = TypeVar("_Outcome")

JobBar: TypeAlias = "tqdm[NoReturn]"  # progress bar that counts finished jobs
Key = str  # SHA-256 of everything that an outcome depends on, in hexadecimal digits

PACKAGE = Path(__file__).parents[1]

_TABLE = "CREATE TABLE IF NOT EXISTS jobs (key TEXT PRIMARY KEY, outcome BLOB) WITHOUT ROWID"


class Journal:
    """Outcomes of jobs by key, as compressed JSON in one SQLite file; without a file none is kept.

    A key covers everything that a job depends on, and the code that runs it, so outcomes computed
    for another experiment are reused. An outcome is written completely or not at all; one that
    cannot be read counts as missing.

    Raises
    ------
    ExperimentError
        If the file is not a journal.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        if path is None:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        self._jobs = sqlite3.connect(path, timeout=60, isolation_level=None)
        try:
            self._jobs.execute("PRAGMA synchronous = OFF")  # a killed process loses nothing
            self._jobs.execute(_TABLE)
        except sqlite3.DatabaseError as error:
            self._jobs.close()
            raise ExperimentError(f"{path}: not a journal of jobs ({error}); delete it") from error

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        if self.path is not None:
            self._jobs.close()

    def read(self, key: Key, kind: type[_Outcome]) -> _Outcome | None:
        """Return the outcome stored under a key; None if it is missing or cannot be read."""
        if self.path is None:
            return None
        row = self._jobs.execute("SELECT outcome FROM jobs WHERE key = ?", (key,)).fetchone()
        try:
            return msgspec.json.decode(gzip.decompress(row[0]), type=kind) if row else None
        except (OSError, EOFError, ValueError, zlib.error, msgspec.MsgspecError):
            return None

    def write(self, key: Key, outcome: object) -> None:
        """Store an outcome under a key."""
        if self.path is not None:
            row = key, compress(msgspec.json.encode(outcome))
            self._jobs.execute("INSERT OR REPLACE INTO jobs VALUES (?, ?)", row)

    def run(
        self,
        jobs: Sequence[tuple[Key, _Job]],
        execute: Callable[[list[_Job]], Iterable[tuple[int, _Outcome]]],
        kind: type[_Outcome],
        *,
        is_final: Callable[[_Outcome], bool],
        bar: JobBar,
    ) -> list[_Outcome]:
        """Return the outcome of every job; those in the journal are not run again.

        Parameters
        ----------
        execute
            Yields the number and the outcome of each job of a list, in the order in which they
            finish; not called for an empty list.
        is_final
            Whether an outcome is kept; the job of another one is tried again by the next run.
        """
        stored = {i: self.read(key, kind) for i, (key, _) in enumerate(jobs)}
        outcomes = {i: outcome for i, outcome in stored.items() if outcome is not None}
        bar.update(len(outcomes))
        missing = [i for i in stored if i not in outcomes]
        for n, outcome in execute([jobs[i][1] for i in missing]) if missing else ():
            outcomes[missing[n]] = outcome
            if is_final(outcome):
                self.write(jobs[missing[n]][0], outcome)
            bar.update()
        return [outcomes[i] for i in range(len(jobs))]


def job_bar(n_jobs: int, is_shown: bool) -> JobBar:
    """Return a progress bar of jobs on standard error, shown only in a terminal."""
    return tqdm(total=n_jobs, unit="job", disable=None if is_shown else True)


def digest_of_values(values: Mapping[str, object]) -> Key:
    """Return the digest of plain values."""
    text = json.dumps(values, sort_keys=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def source_digest(definition: Callable[..., object]) -> str:
    """Return the SHA-256 of the file that defines a user's class or function.

    For a definition in the package it covers only the name; :func:`code_digest` covers the code.
    Arguments bound by ``functools.partial`` count, too.
    """
    bound = ""
    while isinstance(definition, partial):
        bound += repr((definition.args, sorted(definition.keywords.items())))
        definition = definition.func
    source = b""
    if not definition.__module__.startswith("structce."):
        try:
            path = inspect.getsourcefile(definition)
            source = Path(path).read_bytes() if path else b""
        except (OSError, TypeError):
            pass  # as in an interpreter, only the name distinguishes definitions
    named = f"{definition.__module__}.{definition.__qualname__}{bound}"
    return hashlib.sha256(named.encode() + source).hexdigest()


def code_digest(paths: Iterable[str], libraries: Iterable[str] = ()) -> str:
    """Return the SHA-256 of files and folders below the package, and of versions of libraries."""
    total = hashlib.sha256(sys.version.encode())
    for name in libraries:
        total.update(f"{name} {importlib.metadata.version(name)}\n".encode())
    files: list[Path] = []
    for place in (PACKAGE / part for part in paths):
        inside = [path for path in place.rglob("*.*") if path.suffix in (".py", ".toml")]
        files += inside if place.is_dir() else [place]
    for path in sorted(files):
        total.update(path.relative_to(PACKAGE).as_posix().encode() + path.read_bytes())
    return total.hexdigest()
