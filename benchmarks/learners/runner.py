"""Measurements of contenders, each in a fresh process on one thread; and the machine's facts."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, cast

from structce.learners import PYSTRUCT_VERSION, pystruct_home

if TYPE_CHECKING:  # the parent process stays small
    from benchmarks.learners.contenders import Job, Measurement

ROOT = Path(__file__).resolve().parents[2]
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}
PACKAGES = ("structce", "numpy", "scipy", "scikit-learn", "python-crfsuite")


def measure_apart(problem: Path, job: Job, limit: float) -> Measurement | str:
    """Return the measures of a job on a stored problem, or why there are none.

    Parameters
    ----------
    limit
        Seconds after which the job is stopped.
    """
    command = [sys.executable, "-m", "benchmarks.learners.contenders", str(problem)]
    try:
        done = subprocess.run(
            command,
            input=json.dumps(asdict(job)),
            capture_output=True,
            text=True,
            cwd=ROOT,
            env={**os.environ, **ONE_THREAD},
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"not done after {limit:g} seconds"
    if done.returncode:
        return (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
    return cast("Measurement", json.loads(done.stdout))


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
