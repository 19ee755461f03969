"""Jobs of experiments: kept in a journal when finished, and run here or in processes.

A job is kept under the digest of everything that its outcome depends on, so outcomes computed for
another experiment are reused, and stale ones never are.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import importlib.metadata
import inspect
import json
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import as_completed
from contextlib import contextmanager, nullcontext
from functools import partial
from importlib.machinery import PathFinder
from pathlib import Path
from typing import NoReturn, Self, TypeVar

import msgspec
from joblib import effective_n_jobs
from joblib.externals.loky import cloudpickle_wrapper
from tqdm import tqdm

from structce.errors import ExperimentError, StructceError
from structce.experiments.fit import EncodedSplit, Job, Outcome, run_job
from structce.io import Journal, compress
from structce.labelling import LearnerFactory
from structce.runtime import WorkerPool

Key = str  # SHA-256 of everything that an outcome depends on, in hexadecimal digits
Call = tuple[Job, LearnerFactory]

PACKAGE = Path(__file__).parents[1]

_NO_LIMIT = 1e6  # seconds of a fit, in processes: eleven days

_Job = TypeVar("_Job")
_Outcome = TypeVar("_Outcome")


class JobRun:
    """Run of an experiment's jobs: which are finished, and how many are left.

    Parameters
    ----------
    n_jobs
        Number of parallel jobs, at least 1; -1 for one per processor. Scores do not depend on it.
    path
        Journal of finished jobs; None for none.
    progress
        Whether a bar on standard error, if it is a terminal, shows the progress.
    """

    def __init__(self, n_jobs: int, path: Path | None, progress: bool) -> None:
        if n_jobs < 1 and n_jobs != -1:
            raise ExperimentError(f"{n_jobs} jobs; expected 1 or more, or -1")
        self.n_jobs, self.path = effective_n_jobs(n_jobs), path
        self._journal = path and Journal(path, {"format": "structce-jobs"})
        self._bar: tqdm[NoReturn] = tqdm(unit="job", disable=None if progress else True)

    @contextmanager
    def opened(self) -> Iterator[Self]:
        """Open the journal and the bar."""
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._bar, self._journal or nullcontext():
            yield self

    def expect(self, n_jobs: int) -> None:
        """Count further jobs."""
        self._bar.total = (self._bar.total or 0) + n_jobs

    def finish(
        self,
        jobs: Sequence[tuple[Key, _Job]],
        execute: Callable[[list[_Job]], Iterable[tuple[int, _Outcome]]],
        kind: type[_Outcome],
        is_final: Callable[[_Outcome], bool],
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
        stored = {i: self._read(key, kind) for i, (key, _) in enumerate(jobs)}
        outcomes = {i: outcome for i, outcome in stored.items() if outcome is not None}
        self._bar.update(len(outcomes))
        missing = [i for i in stored if i not in outcomes]
        for n, outcome in execute([jobs[i][1] for i in missing]) if missing else ():
            outcomes[missing[n]] = outcome
            if self._journal and is_final(outcome):
                data = base64.b85encode(compress(msgspec.json.encode(outcome)))
                self._journal.add(jobs[missing[n]][0], data.decode())
            self._bar.update()
        return [outcomes[i] for i in range(len(jobs))]

    def _read(self, key: Key, kind: type[_Outcome]) -> _Outcome | None:
        """Return the outcome kept under a key; None if it is missing or cannot be read."""
        value = self._journal.items.get(key) if self._journal else None
        try:
            data = gzip.decompress(base64.b85decode(value)) if value else b""
            return msgspec.json.decode(data, type=kind) if data else None
        except (OSError, EOFError, ValueError, zlib.error, msgspec.MsgspecError):
            return None

    def fit(self, calls: Sequence[Call], data: EncodedSplit) -> Iterator[tuple[int, Outcome]]:
        """Yield the number of each fit and its outcome; a process that ends costs its job alone."""
        if self.n_jobs == 1:
            yield from ((i, run_job(*call, data)) for i, call in enumerate(calls))
            return
        pickler = sys.modules[cloudpickle_wrapper.dumps.__module__]  # in joblib, or a package
        for name in {getattr(factory, "__module__", "") for _, factory in calls} & set(sys.modules):
            if PathFinder.find_spec(name.partition(".")[0]) is None:  # a file of the user, sent
                pickler.register_pickle_by_value(sys.modules[name])  # whole to other processes
        pool = WorkerPool[bytes, Outcome](
            partial(partial, _fit_call, data), self.n_jobs, seconds=_NO_LIMIT,
            work=partial(_fit_call, data),
        )  # fmt: skip
        is_done = False
        try:
            packed = [cloudpickle_wrapper.dumps(call) for call in calls]
            futures = {pool.submit(packed[i], str(calls[i][0])): i for i in range(len(calls))}
            for future in as_completed(futures):
                try:
                    yield futures[future], future.result()
                except StructceError as error:
                    yield futures[future], Outcome(error=str(error))
            is_done = True
        finally:
            pool.close(is_forced=not is_done)


def _fit_call(data: EncodedSplit, packed: bytes) -> Outcome:
    job, factory = cloudpickle_wrapper.loads(packed)
    return run_job(job, factory, data)


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
