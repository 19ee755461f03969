"""What the search for a browser may ask of the machine: run a command, look up a file.

Standard library only. Every part of :class:`Machine` can be replaced, so that each branch of a
search or an installation can be tried without that machine.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Outcome:
    """How a command ended: 127 if it could not be started, 124 if it ran out of time."""

    code: int
    stdout: str = ""
    stderr: str = ""

    def reason(self) -> str:
        """Return the line that tells most: the first error, else the last line, else the code."""
        text = re.sub(r"caused by\s+", "caused by ", f"{self.stdout}\n{self.stderr}")
        lines = [line.strip() for line in text.splitlines()]
        errors = [line for line in lines if re.match(r"(?i)error\b|E:|.*error while", line)]
        return (errors[:1] or [line for line in lines if line][-1:] or [f"exit {self.code}"])[0]


def run_command(command: Sequence[str], timeout_s: float) -> Outcome:
    """Run a command without input; when time is up, end it and the processes it started."""
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
    except OSError as error:
        return Outcome(127, stderr=str(error))
    try:
        stdout, stderr = process.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired:
        return Outcome(124, stderr=f"no answer in {timeout_s:g} s")
    finally:
        if process.poll() is None:
            _end(process)
    return Outcome(process.returncode, stdout, stderr)


def _end(process: subprocess.Popen[str]) -> None:
    if sys.platform == "win32":
        process.kill()
    else:
        os.killpg(process.pid, 9)
    process.communicate()


def list_names(folder: Path) -> list[str]:
    """Return the sorted names in a folder; empty where there is none, or none to see."""
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208 - names, not paths
    except OSError:
        return []


def is_root() -> bool:
    """Return whether this process may install system packages."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


@dataclass(frozen=True)
class Machine:
    """What the search may ask of the machine.

    Parameters
    ----------
    system
        ``Linux``, ``Darwin`` or ``Windows``.
    which
        The path of a command on the PATH.
    is_file, names
        ``False`` and empty also where the user may not look.
    """

    # os.path answers where pathlib raises: another user's folder, a user without a home.
    system: str = platform.system()
    home: Path = Path(os.path.expanduser("~"))  # noqa: PTH111
    run: Callable[[Sequence[str], float], Outcome] = run_command
    which: Callable[[str], str | None] = shutil.which
    is_file: Callable[[Path], bool] = os.path.isfile
    names: Callable[[Path], list[str]] = list_names
    is_root: Callable[[], bool] = is_root
