"""Diagnosis of an installation: what is present, what is missing, and the command that fixes it.

It must run even if dependencies are missing, so it imports none of them at the top.
"""

from __future__ import annotations

import re
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import metadata, resources
from pathlib import Path

from structce.errors import BrowserError
from structce.requirements import EXTRAS, extra_command, missing_modules

PYTHON = (3, 11)
REQUIREMENT = re.compile(
    r"(?P<name>[\w.-]+)\s*\(?(?:>=\s*(?P<least>[\d.]+))?[^;]*(?P<extra>;.*extra\s*==)?"
)


@dataclass(frozen=True)
class Check:
    """The result of one check."""

    name: str
    ok: bool
    found: str  # or why nothing was
    mend: str = ""  # command that fixes the problem, or a sentence if no command can
    required: bool = True  # if structce can work without it, a failed check is a warning
    is_extra: bool = False  # whether only some users want it

    def status(self) -> str:
        """Return ``ok``; else ``MISSING``, ``absent`` for an extra, or ``warning``."""
        if self.ok:
            return "ok"
        return "absent" if self.is_extra else "MISSING" if self.required else "warning"


def run_checks() -> list[Check]:
    """Run the checks of everything that structce needs, in the order of repair."""
    version, least = ".".join(map(str, sys.version_info[:3])), ".".join(map(str, PYTHON))
    is_new = sys.version_info >= PYTHON
    mend = "" if is_new else f"install Python {least} or later, then: python{least} run.py demo"
    return [
        Check("python", is_new, version, mend),
        *check_requirements(),
        *check_extras(),
        check_kernels(),
        check_browser(),
        check_models(),
        check_temporary_folder(),
    ]


def is_healthy(checks: Sequence[Check]) -> bool:
    """Return whether all required checks passed."""
    return all(check.ok for check in checks if check.required)


def check_requirements(
    requirements: Sequence[str] | None = None, version_of: Callable[[str], str] = metadata.version
) -> Iterator[Check]:
    """Check structce and each package that it always needs, by their lower bounds.

    ``requirements`` are those in the metadata of a distribution, by default of structce.
    """
    if requirements is None:
        try:
            requirements = metadata.requires("structce") or []
            yield Check("structce", True, version_of("structce"))
        except metadata.PackageNotFoundError:  # its commands and requirements are unknown
            yield Check("structce", False, "not installed", _pip("-e ."))
    for requirement in requirements or []:
        match = REQUIREMENT.match(requirement)
        if match is None or match["extra"]:
            continue
        name, least = match["name"], match["least"]
        try:
            found = version_of(name)
            is_new = not least or _numbers(found) >= _numbers(least)
        except metadata.PackageNotFoundError:
            found, is_new = "not installed", False
        if not is_new and found != "not installed":
            found = f"{found}, expected {least} or later"
        mend = "" if is_new else _pip(shlex.quote(f"{name}>={least}" if least else name))
        yield Check(name, is_new, found, mend)


def check_extras() -> Iterator[Check]:
    """Check which extras are there; each is found with its purpose."""
    for extra, (purpose, modules) in EXTRAS.items():
        ok = not missing_modules(modules)
        command = "" if ok else extra_command(extra)
        yield Check(f"extra {extra}", ok, purpose, command, required=False, is_extra=True)


def _numbers(version: str) -> tuple[int, ...]:
    """Return the leading numbers without trailing zeros: 1.26 and 1.26.0 are the same version."""
    match = re.match(r"\d+(?:\.\d+)*", re.sub(r"(?:\.0+)+$", "", version))
    return tuple(map(int, match[0].split("."))) if match else ()


def check_kernels() -> Check:
    """Check the compiled kernels; without them, NumPy takes their place, more slowly."""
    try:
        # It imports NumPy, which may be missing.
        from structce import kernels
    except ImportError as error:
        return Check("kernels", False, f"cannot load: {error}", _pip("-e ."), required=False)
    mend = f"install a C compiler, then: {_pip('--force-reinstall --no-deps -e .')}"
    found = "compiled" if kernels.compiled else "reference (NumPy)"
    return Check("kernels", kernels.compiled, found, "" if kernels.compiled else mend, False)


def check_browser() -> Check:
    """Check the browser; without one, pages are rendered without layout."""
    try:
        # Its package may import a dependency that is missing.
        from structce.rendering import is_root, search_browser

        search = search_browser()
    except ImportError as error:
        return Check("browser", False, f"cannot search: {error}", _pip("-e ."), required=False)
    except BrowserError as error:  # named by the user, so no other browser is tried
        return Check("browser", False, str(error), "unset STRUCTCE_BROWSER")
    if search.browser:
        note = "; run without its own sandbox, which does not work as root" if is_root() else ""
        return Check("browser", True, f"{search.browser}{note}", required=False)
    reason = "none that starts; pages are rendered without layout (static renderer)"
    found = "; ".join([reason, *search.failures])
    return Check("browser", False, found, "structce doctor --install-browser", required=False)


def check_models(folder: Path | None = None) -> Check:
    """Check that the shipped models are there; without them, one can be trained."""
    if folder is None:
        folder = Path(str(resources.files("structce"))) / "models"
    names = sorted(path.parent.name for path in folder.glob("*/manifest.json"))
    if names:
        return Check("models", True, ", ".join(names), required=False)
    mend = "structce train data/sample --learner structured-svm --out out/model"
    return Check("models", False, f"none in {folder}", mend, required=False)


def check_temporary_folder() -> Check:
    """Check that the folder for temporary files is writable."""
    folder = tempfile.gettempdir()
    try:
        with tempfile.TemporaryFile(dir=folder):
            return Check("temporary files", True, folder)
    except OSError as error:
        reason = f"{folder} is not writable: {error.strerror or error}"
        mend = "export TMPDIR=/path/to/a/folder/of/yours"
        return Check("temporary files", False, reason, mend)


def _pip(target: str) -> str:
    return f"{shlex.quote(sys.executable or 'python3')} -m pip install {target}"


def format_checks(checks: Sequence[Check]) -> str:
    """Return a table of the checks, followed by the command that fixes each failed one.

    The command for an absent extra stands in its row.
    """
    rows = []
    for check in checks:
        added = f" ({check.mend})" if check.is_extra and check.mend else ""
        rows.append(f"{check.status():8}{check.name}: {check.found}{added}")
    failed = [check for check in checks if not check.ok and not check.is_extra]
    mends = [f"  {check.name}: {check.mend}" for check in failed]
    return "\n".join([*rows, *(["", "To fix:", *mends] if mends else [])])
