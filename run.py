#!/usr/bin/env python3
"""Set structce up in a virtual environment, then run its demo or its checks and tests.

    python3 run.py demo
    python3 run.py test
    python3 run.py test -- tests/learners -k viterbi

Standard library only. Installs nothing outside the virtual environment but, where there is none
and only if possible, a browser (and as root on Debian or Ubuntu what `python3 -m venv` needs).
"""

import sys

# Before anything that an older Python cannot run; this file parses from Python 3.6 on.
if sys.version_info < (3, 11):  # noqa: UP036 - this line is for older Pythons
    sys.exit(
        "run.py: structce needs Python 3.11 or later; this is Python %d.%d (%s).\n"
        "Run it with a newer one, for example: python3.11 run.py demo"
        % (sys.version_info[0], sys.version_info[1], sys.executable)  # noqa: UP031
    )

import argparse
import hashlib
import importlib.util
import os
import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent
EXTRAS = {"demo": "browser", "test": "browser,dev"}
STAMP = "structce-stamp"
STAMPED = ("setup.cfg", "constraints.txt", "pyproject.toml")

# What the demo types. {static} becomes "--renderer static" where there is no browser.
DEMO = (
    "structce corpus info data/sample {static}",
    "structce compare data/sample --learners all --by site --seed 7 --out out/demo/report {static}",
    "structce train data/sample --learner structured-svm --out out/demo/model {static}",
    "structce label {first_page} --model out/demo/model --format text {static}",
)
DEMO_PAGES = "data/sample/pages"
DEMO_END = """
Written:
  out/demo/report/report.html   which learner finds which region, and how sure that is
  out/demo/model/               a model trained on the sample corpus

Try next, after: {activate}
  structce label page.html                       a file of yours, with the shipped model
  structce label https://example.org/article     a page on the web
  structce features list                         what the learners see of each region
  docs/                                          the user guide and the tutorials
"""

# Checks run to the end even if one fails; pytest comes last, so that its summary is last.
CHECKS = (
    ("ruff check", "-m ruff check ."),
    ("ruff format", "-m ruff format --check ."),
    ("mypy", "-m mypy"),
)
PYTEST = "-m pytest -n auto"


class SetupError(Exception):
    """Setting up failed; the message says what to do."""


@dataclass(frozen=True)
class Outcome:
    """How a command ended; ``output`` is empty unless it was captured."""

    code: int
    output: str = ""


def run_command(
    command: Sequence[str], environ: Mapping[str, str], *, capture: bool = False
) -> Outcome:
    """Run a command in the project's folder."""
    sys.stdout.flush()
    sys.stderr.flush()
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=dict(environ),
            check=False,
            stdout=subprocess.PIPE if capture else None,
            stderr=subprocess.STDOUT if capture else None,
            encoding="utf-8",
            errors="replace",
        )
    except OSError as error:
        return Outcome(127, f"{command[0]}: {error.strerror}")
    return Outcome(done.returncode, done.stdout or "")


@dataclass(frozen=True)
class Job:
    """One call of run.py: where the environment is, how commands are run, and with what.

    Parameters
    ----------
    run, has_ensurepip, is_root, which
        What is asked of the machine; replaced in tests.
    """

    venv: Path
    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    run: Callable[..., Outcome] = run_command
    has_ensurepip: Callable[[], bool] = lambda: importlib.util.find_spec("ensurepip") is not None
    is_root: Callable[[], bool] = lambda: hasattr(os, "geteuid") and os.geteuid() == 0
    which: Callable[[str], "str | None"] = shutil.which

    def command(self, name: str) -> str:
        """Return the path of a command of the virtual environment."""
        windows = os.name == "nt"
        return str(self.venv / ("Scripts" if windows else "bin") / (name + ".exe" * windows))

    def python(self, arguments: str, *more: str) -> list[str]:
        """Return the environment's Python with these arguments."""
        return [self.command("python"), *shlex.split(arguments), *more]


def say(message: str) -> None:
    """Print to standard error, where it does not mix with what the commands print."""
    print(message, file=sys.stderr, flush=True)


@contextmanager
def step(name: str) -> Iterator[None]:
    """Say what is done, and how long it took."""
    say(f"run.py: {name} ...")
    begin = time.monotonic()
    try:
        yield
    finally:
        say(f"run.py: {name}: {time.monotonic() - begin:.1f} s")


def check_writable(folder: Path) -> None:
    """Raise SetupError if files cannot be made in the folder."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise SetupError(
            f"{folder} cannot be written ({error.strerror}).\n"
            "Copy the project to a folder of your own and run it there."
        ) from None


def make_environment(job: Job) -> None:
    """Make the virtual environment, unless there is one that works."""
    config = job.venv / "pyvenv.cfg"
    version = "-c 'import sys, pip; sys.exit(sys.version_info < (3, 11))'"
    if config.exists() and job.run(job.python(version), job.environ, capture=True).code == 0:
        return
    if job.venv.exists() and not config.exists() and (not job.venv.is_dir() or any(job.venv.iterdir())):
        raise SetupError(f"{job.venv} exists and is not a virtual environment; choose another --venv")
    if not job.has_ensurepip():
        install_ensurepip(job)
    job.venv.parent.mkdir(parents=True, exist_ok=True)
    check_writable(job.venv.parent)
    command = [sys.executable, "-m", "venv", "--clear", str(job.venv)]
    with step(f"making the virtual environment {job.venv}"):
        outcome = job.run(command, job.environ, capture=True)
    if outcome.code != 0:
        raise SetupError(f"{outcome.output.strip()}\n{shlex.join(command)} failed")


def install_ensurepip(job: Job) -> None:
    """Install what Debian and Ubuntu keep out of Python: the means to make an environment."""
    package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
    advice = f"This Python cannot make virtual environments. Mend it with:\n  sudo apt-get install -y {package}"
    if not job.which("apt-get"):
        raise SetupError("This Python cannot make virtual environments: it lacks ensurepip.\n"
            "Install your system's package for it (often python3-venv), or another Python 3.11.")
    if not job.is_root():
        raise SetupError(advice)
    environ = {**job.environ, "DEBIAN_FRONTEND": "noninteractive"}
    with step(f"apt-get install {package}"):
        job.run(["apt-get", "update"], environ, capture=True)
        outcome = job.run(["apt-get", "install", "-y", package], environ, capture=True)
    if outcome.code != 0:
        raise SetupError(f"{outcome.output.strip()}\n{advice}")


def fingerprint(job: Job, extras: str) -> str:
    """Return what an installation depends on; the folders too, for an environment is tied to both."""
    known = [str(ROOT), str(job.venv), sys.version, extras]
    known += [(ROOT / name).read_text(encoding="utf-8") for name in STAMPED]
    return hashlib.sha256("\0".join(known).encode()).hexdigest()


def install(job: Job, action: str) -> bool:
    """Install structce and what the action needs; return whether Playwright is there.

    Tried in this order: the tested versions; the newest ones; the newest without Playwright,
    which is not built for every machine.
    """
    extras = EXTRAS[action]
    ...
