"""Diagnosis of an installation: what it has, what it lacks, and the command that mends each.

It must run where a dependency is missing, so it imports none of them at the top.
"""

from __future__ import annotations

import os
import platform
import re
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import metadata, resources
from pathlib import Path

from structce.errors import BrowserError

PYTHON = (3, 11)
REQUIREMENT = re.compile(
    r"(?P<name>[\w.-]+)(?:\[[^]]*\])?\s*\(?(?:>=\s*(?P<least>[\d.]+))?[^;]*"
    r"(?:;.*extra\s*==\s*[\"'](?P<extra>[\w.-]+)[\"'])?"
)


@dataclass(frozen=True)
class Check:
    """The result of one check.

    Parameters
    ----------
    found
        What was found, or why it was not.
    mend
        One command, or a sentence where no command helps; empty if ``ok``.
    required
        Whether structce needs it; if not, a failed check is a warning.
    """

    name: str
    ok: bool
    found: str
    mend: str = ""
    required: bool = True

    def status(self) -> str:
        """Return ``ok``, ``MISSING``, or ``warning`` if it is not required."""
        return "ok" if self.ok else "MISSING" if self.required else "warning"


def run_checks() -> list[Check]:
    """Return the checks of everything that structce needs, in the order of repair."""
    return [
        check_python(),
        check_version(),
        *check_requirements(),
        check_browser(),
        check_models(),
        check_folder("temporary files", Path(tempfile.gettempdir()), "TMPDIR"),
        check_folder("cache", _cache(), "XDG_CACHE_HOME", required=False),
    ]


def is_healthy(checks: Sequence[Check]) -> bool:
    """Return whether all required checks passed."""
    return all(check.ok for check in checks if check.required)


def check_python(version: tuple[int, ...] = sys.version_info[:3]) -> Check:
    """Check Python itself, against the lowest version that structce runs on."""
    least = ".".join(map(str, PYTHON))
    mend = f"install Python {least} or later, then: python{least} run.py demo"
    ok = version >= PYTHON
    return Check("python", ok, ".".join(map(str, version)), "" if ok else mend)


def check_version(version_of: Callable[[str], str] = metadata.version) -> Check:
    """Check the installed distribution, without which no command and no requirement is known."""
    try:
        return Check("structce", True, version_of("structce"))
    except metadata.PackageNotFoundError:
        return Check("structce", False, "not installed", _pip("-e ."))


def check_requirements(
    requirements: Sequence[str] | None = None,
    version_of: Callable[[str], str] = metadata.version,
) -> Iterator[Check]:
    """Yield each dependency and the ``browser`` extra, against its lower bound.

    Parameters
    ----------
    requirements
        As in the metadata of a distribution; those of structce if not given.
    """
    for requirement in _own_requirements() if requirements is None else requirements:
        match = REQUIREMENT.match(requirement)
        if match and match["extra"] in (None, "browser"):
            yield _check_requirement(match["name"], match["least"], match["extra"], version_of)


def _own_requirements() -> list[str]:
    try:
        return metadata.requires("structce") or []
    except metadata.PackageNotFoundError:
        return []  # check_version says so


def _check_requirement(
    name: str, least: str | None, extra: str | None, version_of: Callable[[str], str]
) -> Check:
    bound = f">={least}" if least else ""
    shown = f"{name} (extra {extra})" if extra else name
    mend = _pip(shlex.quote(name + bound))
    try:
        version = version_of(name)
    except metadata.PackageNotFoundError:
        return Check(shown, False, "not installed", mend, required=extra is None)
    if least and _numbers(version) < _numbers(least):
        found = f"{version}, expected {least} or later"
        return Check(shown, False, found, mend, required=extra is None)
    return Check(shown, True, version, required=extra is None)


def _numbers(version: str) -> tuple[int, ...]:
    """Return the leading numbers, without trailing zeros: 1.26 and 1.26.0 are one version."""
    match = re.match(r"\d+(?:\.\d+)*", version)
    numbers = [int(part) for part in match[0].split(".")] if match else []
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def check_browser() -> Check:
    """Check the browser; without one, pages are rendered without layout."""
    mend = "structce doctor --install-browser"
    try:
        # The package around it may import a dependency that is missing.
        from structce.rendering import is_root, search_browser

        found = search_browser()
    except ImportError as error:
        return Check("browser", False, f"cannot look: {error}", _pip("-e ."), required=False)
    except BrowserError as error:  # named by the user, so nothing else is taken
        return Check("browser", False, str(error), "unset STRUCTCE_BROWSER")
    if found.browser:
        alone = "; as root without its own sandbox, which it refuses there" if is_root() else ""
        return Check("browser", True, f"{found.browser}{alone}", required=False)
    why = ["none that starts; pages are rendered without layout (static renderer)"]
    why += [attempt.detail for attempt in found.attempts]
    return Check("browser", False, "; ".join(why), mend, required=False)


def check_models(folder: Path | None = None) -> Check:
    """Check the shipped models; without them one can be trained."""
    if folder is None:
        folder = Path(str(resources.files("structce"))) / "models"
    names = sorted(path.parent.name for path in folder.glob("*/manifest.json"))
    if names:
        return Check("models", True, ", ".join(names), required=False)
    mend = "structce train data/sample --learner structured-svm --out out/model"
    return Check("models", False, f"none in {folder}", mend, required=False)


def check_folder(name: str, folder: Path, variable: str, *, required: bool = True) -> Check:
    """Check that files can be written to a folder, or to its first existing parent."""
    there = next((path for path in (folder, *folder.parents) if os.path.isdir(path)), folder)  # noqa: PTH112
    try:
        with tempfile.TemporaryFile(dir=there):
            return Check(name, True, str(folder), required=required)
    except OSError as error:
        why = f"{there} cannot be written: {error.strerror or error}"
        mend = f"export {variable}=/path/to/a/folder/of/yours"
        return Check(name, False, why, mend, required=required)


def _cache() -> Path:
    home = os.path.expanduser("~")  # noqa: PTH111 - pathlib raises for a user without a home
    named = {"Windows": os.environ.get("LOCALAPPDATA"), "Darwin": f"{home}/Library/Caches"}
    return Path(
        named.get(platform.system()) or os.environ.get("XDG_CACHE_HOME") or f"{home}/.cache"
    )


def _pip(what: str) -> str:
    return f"{shlex.quote(sys.executable or 'python3')} -m pip install {what}"


def format_checks(checks: Sequence[Check]) -> str:
    """Return a table of the checks, then the command for each that failed."""
    try:
        # A core dependency, and so one of the things that may be missing.
        from tabulate import tabulate
    except ImportError:
        table = "\n".join(f"{one.status():8}{one.name}: {one.found}" for one in checks)
    else:
        rows = [(one.name, one.status(), one.found) for one in checks]
        table = tabulate(rows, headers=("name", "status", "found"), disable_numparse=True)
    mends = [f"  {one.name}: {one.mend}" for one in checks if not one.ok]
    return "\n".join([table, *(["", "To mend:", *mends] if mends else [])])
