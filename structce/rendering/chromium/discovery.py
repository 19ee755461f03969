"""Discovery and installation of a browser: named, installed, or downloaded by Playwright.

It uses only the standard library. All access to the machine goes through :class:`Machine`, whose
parts can be replaced, so that each branch of a search or an installation can be tested anywhere.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from structce.errors import BrowserError

# Headless shells first: they start faster and render about a third more pages per second.
_ON_PATH = (
    ("headless-shell", ("chromium-headless-shell", "chrome-headless-shell")),
    ("chromium", ("chromium", "chromium-browser")),
    ("chrome", ("google-chrome-stable", "google-chrome", "google-chrome-beta", "chrome")),
    ("edge", ("microsoft-edge-stable", "microsoft-edge", "msedge")),
)
_BUNDLES = (("chromium", "Chromium"), ("chrome", "Google Chrome"), ("edge", "Microsoft Edge"))
_PROGRAMS = (
    ("chromium", "Chromium/Application/chrome.exe"),
    ("chrome", "Google/Chrome/Application/chrome.exe"),
    ("edge", "Microsoft/Edge/Application/msedge.exe"),
)
# Playwright's downloads: (kind, folder without its revision, executables).
_SHELL_NAMES = ("chrome-headless-shell", "headless_shell")
_TESTING = "Google Chrome for Testing"
_CHROMES = ("chrome", *(f"{name}.app/Contents/MacOS/{name}" for name in (_TESTING, "Chromium")))
_DOWNLOADS = (
    ("headless-shell", "chromium_headless_shell", _SHELL_NAMES),
    ("chromium", "chromium", _CHROMES),
)

_VARIABLE = "STRUCTCE_BROWSER"
_SHELL, _FULL = "chromium-headless-shell", "chromium"
_START_SECONDS = 60.0  # for a browser to report its version, even on a busy machine
_INSTALL_SECONDS = 600.0  # for each step of an installation
LOADS_EXTENSIONS = "chromium"
"""Kind of browser that loads extensions; headless shells and branded browsers load none."""

_NO_BROWSER = (
    "warning: no browser; pages are rendered without layout (static renderer). Install Chromium, "
    f"Chrome or Edge, or set {_VARIABLE} to its executable."
)
_NO_FULL_BROWSER = "warning: no full Chromium; the browser extension is not tested."


@dataclass(frozen=True)
class Browser:
    """A browser that has been started once."""

    path: Path
    kind: str  # "headless-shell", "chromium", "chrome" or "edge"
    version: str | None  # None if the browser does not print it (Windows)
    origin: str  # "argument", "STRUCTCE_BROWSER", "installed" or "playwright"

    def __str__(self) -> str:
        version = f" {self.version}" if self.version else ""
        return f"{self.path} ({self.kind}{version}, {self.origin})"


@dataclass(frozen=True)
class Attempt:
    """One step of a search or an installation; ``detail`` says why it failed, or what it found."""

    name: str
    command: str
    ok: bool
    detail: str

    def __str__(self) -> str:
        return f"{self.name}: {'ok' if self.ok else 'failed'}: {self.detail}  [{self.command}]"


@dataclass(frozen=True)
class Search:
    """Result of a search or an installation, with all its steps."""

    browser: Browser | None
    attempts: tuple[Attempt, ...] = ()


def find_browser(explicit: str | None = None, machine: Machine | None = None) -> Browser | None:
    """Return the browser to use: the named one, an installed one, or Playwright's; else None.

    BrowserError if ``explicit`` or STRUCTCE_BROWSER names a file that is missing or does not start.
    """
    return search_browser(explicit, machine).browser


def search_browser(
    explicit: str | None = None, machine: Machine | None = None, *, kind: str | None = None
) -> Search:
    """Search like :func:`find_browser`, and report rejected browsers with the reasons.

    Parameters
    ----------
    kind
        Only acceptable kind; a named browser of another kind is rejected.
    """
    machine = machine or Machine()
    for value, origin in ((explicit, "argument"), (machine.environ.get(_VARIABLE), _VARIABLE)):
        if value and kind in (None, (named := _named(value, origin, machine)).kind):
            return Search(named)
    installed = _first(installed_browsers(machine), "installed", machine, kind)
    if installed.browser:
        return installed
    last = _first(downloaded_browsers(machine), "playwright", machine, kind)
    return Search(last.browser, installed.attempts + last.attempts)


def probe(path: Path, kind: str, origin: str, machine: Machine) -> Browser:
    """Return the browser at ``path`` after it has started once; BrowserError if it does not.

    A stub that only prints how to install the browser, or a browser with missing shared libraries,
    is an executable file as well.
    """
    if machine.system == "Windows":  # there --version opens a window and prints nothing
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            flags = ["--headless", f"--user-data-dir={profile}", "--dump-dom", "about:blank"]
            outcome = machine.run([str(path), *flags], _START_SECONDS)
        version, answered = None, "<html" in outcome.stdout
    else:
        outcome = machine.run([str(path), "--version"], _START_SECONDS)
        match = re.search(r"\d+(?:\.\d+){2,3}", outcome.stdout)
        version, answered = (match[0], True) if match else (None, False)
    if outcome.code != 0 or not answered:
        raise BrowserError(f"{path} does not start: {outcome.reason()}")
    return Browser(path, kind, version, origin)


def install_browser(machine: Machine | None = None, *, kind: str | None = None) -> Search:
    """Install a browser of a kind, or the best: by Playwright's download, or as root by apt-get.

    A failed step raises nothing; ``attempts`` contains it with its reason.
    """
    machine = machine or Machine()
    attempts: list[Attempt] = []
    for install in (_by_playwright, _by_apt):
        for step in install(machine, kind):
            attempts.extend(step.attempts)
            if step.browser:
                return Search(step.browser, tuple(attempts))
    return Search(None, tuple(attempts))


def browser_command(argv: Sequence[str] | None = None, machine: Machine | None = None) -> int:
    """Print the browser to use; return 1 if none is found, 2 if the named one fails."""
    parser = argparse.ArgumentParser(
        "python -m structce.rendering.chromium", None, browser_command.__doc__
    )
    parser.add_argument("--install", action="store_true", help="install one where none is found")
    parser.add_argument("--extensions", action="store_true", help="one that loads extensions")
    options = parser.parse_args(argv)
    kind = LOADS_EXTENSIONS if options.extensions else None
    try:
        search = search_browser(machine=machine, kind=kind)
        if not search.browser and options.install:
            print("no browser yet: trying to install one", file=sys.stderr)
            after = install_browser(machine, kind=kind)
            search = Search(after.browser, search.attempts + after.attempts)
    except BrowserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    for attempt in search.attempts:
        print(f"  {attempt}", file=sys.stderr)
    if search.browser:
        print(search.browser)
        return 0
    print(_NO_FULL_BROWSER if options.extensions else _NO_BROWSER, file=sys.stderr)
    return 1


def installed_browsers(machine: Machine) -> Iterator[tuple[str, Path]]:
    """Yield the kind and the path of each installed browser, best first."""
    for kind, commands in _ON_PATH:
        yield from ((kind, Path(path)) for path in map(machine.which, commands) if path)
    if machine.system == "Darwin":
        roots = [Path("/Applications"), machine.home / "Applications"]
        places = [(kind, f"{name}.app/Contents/MacOS/{name}") for kind, name in _BUNDLES]
    elif machine.system == "Windows":
        variables = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
        roots = [Path(machine.environ[name]) for name in variables if machine.environ.get(name)]
        places = list(_PROGRAMS)
    else:
        return
    for kind, place in places:
        yield from ((kind, root / place) for root in roots if machine.is_file(root / place))


def downloaded_browsers(machine: Machine) -> Iterator[tuple[str, Path]]:
    """Yield the kind and the path of each browser in Playwright's cache, newest shell first."""
    cache = _playwright_cache(machine)
    names = machine.names(cache)
    for kind, prefix, executables in _DOWNLOADS:
        matches = (re.fullmatch(rf"{prefix}-(\d+)", name) for name in names)
        for revision in sorted((int(match[1]) for match in matches if match), reverse=True):
            folder = cache / f"{prefix}-{revision}"
            exe = ".exe" if machine.system == "Windows" else ""
            paths = (folder / sub / (e + exe) for sub in machine.names(folder) for e in executables)
            yield from ((kind, path) for path in paths if machine.is_file(path))


def _playwright_cache(machine: Machine) -> Path:
    named = machine.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    spec = importlib.util.find_spec("playwright") if named == "0" else None
    if spec and spec.origin:  # "0" is Playwright's own word for: beside the package
        return Path(spec.origin).parent / "driver" / "package" / ".local-browsers"
    home = machine.home
    if machine.system == "Darwin":
        default = home / "Library" / "Caches"
    elif machine.system == "Windows":
        default = Path(machine.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    else:
        default = Path(machine.environ.get("XDG_CACHE_HOME") or home / ".cache")
    return Path(named) if named else default / "ms-playwright"


def _named(value: str, origin: str, machine: Machine) -> Browser:
    path = Path(value).expanduser()
    if not machine.is_file(path):
        on_path = machine.which(value) if path.name == value else None
        if on_path is None:
            raise BrowserError(
                f"{origin}: no browser at {value!r}; "
                "expected the executable of Chromium, Chrome or Edge"
            )
        path = Path(on_path)
    path = path.absolute()
    kinds = (("headless", "headless-shell"), ("edge", "edge"), ("chromium", "chromium"))
    kind = next((kind for word, kind in kinds if word in path.name.lower()), "chrome")
    try:
        return probe(path, kind, origin, machine)
    except BrowserError as error:
        raise BrowserError(f"{origin}: {error}") from None


def _first(
    candidates: Iterable[tuple[str, Path]], origin: str, machine: Machine, kind: str | None
) -> Search:
    attempts: list[Attempt] = []
    for own, path in candidates:
        if kind not in (None, own):
            continue
        try:
            return Search(probe(path, own, origin, machine), tuple(attempts))
        except BrowserError as error:
            attempts.append(Attempt(f"{origin} {own}", str(path), False, str(error)))
    return Search(None, tuple(attempts))


def _packages(kind: str | None) -> tuple[str, ...]:
    """Return the packages to install, best first; Playwright and Debian use the same names."""
    return (_SHELL, _FULL) if kind is None else (_FULL,)


def _by_playwright(machine: Machine, kind: str | None) -> Iterator[Search]:
    playwright, package = (sys.executable, "-m", "playwright"), _packages(kind)[0]
    done = _try("Playwright's download", (*playwright, "install", package), machine)
    yield Search(None, (done,))
    if not done.ok:
        return
    yield _first(downloaded_browsers(machine), "playwright", machine, kind)
    if machine.is_root() and machine.which("apt-get"):  # installed, but its libraries are missing
        libraries = (*playwright, "install-deps", package)
        yield Search(None, (_try("Playwright's libraries", libraries, machine),))
        yield _first(downloaded_browsers(machine), "playwright", machine, kind)


def _by_apt(machine: Machine, kind: str | None) -> Iterator[Search]:
    if machine.system != "Linux":
        return
    apt = ("env", "DEBIAN_FRONTEND=noninteractive", "apt-get")
    if not machine.which("apt-get") or not machine.is_root():
        why = "needs root: run it yourself" if machine.which("apt-get") else "no apt-get here"
        command = f"sudo apt-get install -y {_packages(kind)[0]}"
        yield Search(None, (Attempt("apt-get", command, False, why),))
        return
    # A source that cannot be reached fails the update while the others are still of use.
    yield Search(None, (_try("apt-get update", (*apt, "update"), machine),))
    for package in _packages(kind):  # Ubuntu has neither outside its snap
        done = _try(f"apt-get {package}", (*apt, "install", "-y", package), machine)
        yield Search(None, (done,))
        if done.ok:
            yield _first(installed_browsers(machine), "installed", machine, kind)


def _try(name: str, command: Sequence[str], machine: Machine) -> Attempt:
    outcome = machine.run(command, _INSTALL_SECONDS)
    ok = outcome.code == 0
    return Attempt(name, " ".join(command), ok, "done" if ok else outcome.reason())


@dataclass(frozen=True)
class CommandResult:
    """Result of a command; its code is 127 if it could not be started, 124 after the time limit."""

    code: int
    stdout: str = ""
    stderr: str = ""

    def reason(self) -> str:
        """Return the most informative line: the first error, the last line, or the code."""
        text = re.sub(r"caused by\s+", "caused by ", f"{self.stdout}\n{self.stderr}")
        lines = [line.strip() for line in text.splitlines()]
        errors = [line for line in lines if re.match(r"(?i)error\b|E:|.*error while", line)]
        return (errors[:1] or [line for line in lines if line][-1:] or [f"exit {self.code}"])[0]


def run_command(command: Sequence[str], seconds: float) -> CommandResult:
    """Run a command without input; after the time limit, end it and its processes."""
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
        return CommandResult(127, stderr=str(error))
    try:
        stdout, stderr = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        return CommandResult(124, stderr=f"no answer in {seconds:g} s")
    finally:
        if process.poll() is None:
            if sys.platform == "win32":
                process.kill()
            else:
                os.killpg(process.pid, 9)
            process.communicate()
    return CommandResult(process.returncode, stdout, stderr)


def list_names(folder: Path) -> list[str]:
    """Return the sorted names in a folder; empty if the folder is missing or cannot be read."""
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208 - names, not paths
    except OSError:
        return []


def is_root() -> bool:
    """Return whether this process runs as root, which may install system packages."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


@dataclass(frozen=True)
class Machine:
    """Interface to the machine: its files, its commands, its user, and the environment."""

    # os.path answers where pathlib raises: another user's folder, a user without a home.
    system: str = platform.system()  # "Linux", "Darwin" or "Windows"
    home: Path = Path(os.path.expanduser("~"))  # noqa: PTH111
    run: Callable[[Sequence[str], float], CommandResult] = run_command
    which: Callable[[str], str | None] = shutil.which  # returns the path of a command
    is_file: Callable[[Path], bool] = os.path.isfile  # False also where the user may not read
    names: Callable[[Path], list[str]] = list_names  # empty also where the user may not read
    is_root: Callable[[], bool] = is_root
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
