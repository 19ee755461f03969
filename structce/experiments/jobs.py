"""Jobs of experiments: kept in a journal when finished, and run here or in processes.

A job is kept under the digest of everything that its outcome depends on, so outcomes computed for
another experiment are reused, and stale ones never are.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import inspect
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import as_completed
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from importlib.machinery import PathFinder
from io import StringIO
from pathlib import Path
from typing import NoReturn, TypeVar

import msgspec
from joblib import effective_n_jobs
from joblib.externals.loky import cloudpickle_wrapper
from tqdm import tqdm

from structce.errors import ExperimentError, StructceError
from structce.experiments.fit import EncodedSplit, Job, Outcome, run_job
from structce.io import Journal
from structce.labelling import LearnerFactory
from structce.runtime import WorkerPool

Key = str  # SHA-256 of everything that an outcome depends on, in hexadecimal digits
Call = tuple[Job, LearnerFactory]

PACKAGE = Path(__file__).parents[1]

_NO_LIMIT = 1e6  # seconds of a fit, in processes: eleven days

_Job = TypeVar("_Job")
_Outcome = TypeVar("_Outcome")


@dataclass(frozen=True)
class JobRun:
    """Run of an experiment's jobs: processes at once, the journal of finished jobs, and a bar."""

    n_jobs: int
    journal: Journal | None
    bar: tqdm[NoReturn]

    def expect(self, n_jobs: int) -> None:
        """Count further jobs."""
        self.bar.total = (self.bar.total or 0) + n_jobs

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
        outcomes: dict[int, _Outcome] = {}
        for i, (key, _) in enumerate(jobs):
            with suppress(msgspec.ValidationError):  # of an outcome that is missing or damaged
                value = self.journal.items.get(key) if self.journal else None
                outcomes[i] = msgspec.convert(value, kind)
        self.bar.update(len(outcomes))
        missing = [i for i in range(len(jobs)) if i not in outcomes]
        for n, outcome in execute([jobs[i][1] for i in missing]) if missing else ():
            outcomes[missing[n]] = outcome
            if self.journal and is_final(outcome):
                self.journal.add(jobs[missing[n]][0], msgspec.to_builtins(outcome))
            self.bar.update()
            if not sys.stderr.isatty() and not self.bar.disable:
                note = ": ".join(filter(None, (str(jobs[missing[n]][1]), _error(outcome))))
                print(f"{self.bar.n}/{self.bar.total} {note}", file=sys.stderr, flush=True)
        return [outcomes[i] for i in range(len(jobs))]

    def run(
        self, starter: Callable[[], Callable[[_Job], _Outcome]], jobs: Sequence[_Job],
        names: Sequence[str], failed: Callable[[int, StructceError], _Outcome], *,
        seconds: float = _NO_LIMIT, work: Callable[[_Job], _Outcome] | None = None,
    ) -> Iterator[tuple[int, _Outcome]]:  # fmt: skip
        """Yield the number of each job and its outcome, from as many processes as jobs at once.

        The starter gives the function that runs a job, ``work`` if this process already has it. A
        process that ends, or takes more than ``seconds``, has its job ``failed`` and no other.
        """
        if self.n_jobs == 1:
            yield from enumerate(map(starter(), jobs))
            return
        pool = WorkerPool[_Job, _Outcome](starter, self.n_jobs, seconds=seconds, work=work)
        is_done = False
        try:
            futures = {pool.submit(job, names[i]): i for i, job in enumerate(jobs)}
            for future in as_completed(futures):
                i = futures[future]
                try:
                    outcome = future.result()
                except StructceError as error:
                    outcome = failed(i, error)
                yield i, outcome
            is_done = True
        finally:
            pool.close(is_forced=not is_done)

    def fit(self, calls: Sequence[Call], data: EncodedSplit) -> Iterator[tuple[int, Outcome]]:
        """Yield the number of each fit and its outcome."""
        if self.n_jobs == 1:
            return enumerate(run_job(*call, data) for call in calls)
        pickler = sys.modules[cloudpickle_wrapper.dumps.__module__]  # in joblib, or a package
        for name in {getattr(factory, "__module__", "") for _, factory in calls} & set(sys.modules):
            if PathFinder.find_spec(name.partition(".")[0]) is None:  # a file of the user, sent
                pickler.register_pickle_by_value(sys.modules[name])  # whole to other processes
        work = partial(_fit_call, data)
        packed, names = map(cloudpickle_wrapper.dumps, calls), [str(job) for job, _ in calls]
        failed = lambda _, error: Outcome(error=str(error))  # noqa: E731
        return self.run(partial(partial, _fit_call, data), [*packed], names, failed, work=work)


def _error(outcome: object) -> str:
    """Return the error of a job in one line; empty if it has none."""
    return " ".join(getattr(outcome, "error", "").split())


def _fit_call(data: EncodedSplit, packed: bytes) -> Outcome:
    job, factory = cloudpickle_wrapper.loads(packed)
    return run_job(job, factory, data)


@contextmanager
def open_run(n_jobs: int, path: Path | None, progress: bool) -> Iterator[JobRun]:
    """Open the journal at a path, if there is one, and a bar; elsewhere than on a terminal lines.

    ``n_jobs`` is the number of parallel jobs, at least 1; -1 for one per processor.
    """
    if n_jobs < 1 and n_jobs != -1:
        raise ExperimentError(f"{n_jobs} jobs; expected 1 or more, or -1")
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
    journal = Journal(path, {"format": "structce-jobs"}) if path else None
    file = None if sys.stderr.isatty() else StringIO()  # which counts, and shows nothing
    with tqdm(unit="job", disable=not progress, file=file) as bar, journal or nullcontext():
        yield JobRun(effective_n_jobs(n_jobs), journal, bar)


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
