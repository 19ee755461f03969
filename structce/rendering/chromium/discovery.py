"""Discovery of a browser: named, installed, or downloaded by Playwright."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from structce.errors import BrowserError

VARIABLE = "STRUCTCE_BROWSER"
LOADS_EXTENSIONS = "chromium"
"""Kind of browser that loads extensions; headless shells and branded browsers load none."""

# Headless shells first: they start faster and render about a third more pages per second.
_COMMANDS = {
    "headless-shell": "chromium-headless-shell chrome-headless-shell",
    "chromium": "chromium chromium-browser",
    "chrome": "google-chrome-stable google-chrome google-chrome-beta chrome",
    "edge": "microsoft-edge-stable microsoft-edge msedge",
}
_APPLICATIONS = (  # of macOS and Windows
    ("chromium", "Chromium.app/Contents/MacOS/Chromium"),
    ("chrome", "Google Chrome.app/Contents/MacOS/Google Chrome"),
    ("edge", "Microsoft Edge.app/Contents/MacOS/Microsoft Edge"),
    ("chromium", "Chromium/Application/chrome.exe"),
    ("chrome", "Google/Chrome/Application/chrome.exe"),
    ("edge", "Microsoft/Edge/Application/msedge.exe"),
)
_DOWNLOADS = {  # by Playwright: folder without its revision, and the executables below it
    "headless-shell": ("chromium_headless_shell", r"[^/]+/(chrome-headless-shell|headless_shell)"),
    "chromium": ("chromium", r"[^/]+/(chrome|(.+)\.app/Contents/MacOS/\3)"),
}
_START_SECONDS = 60.0  # for a browser to report its version, even on a busy machine


class BrowserProgram(NamedTuple):
    """A browser that has been started once."""

    path: Path
    kind: str  # "headless-shell", "chromium", "chrome" or "edge"
    version: str  # empty if the browser does not print it (Windows)
    origin: str  # "argument", "STRUCTCE_BROWSER", "installed" or "playwright"

    def __str__(self) -> str:
        version = f" {self.version}" if self.version else ""
        return f"{self.path} ({self.kind}{version}, {self.origin})"


class Search(NamedTuple):
    """Result of a search or an installation: the browser, and the reasons of what failed before."""

    browser: BrowserProgram | None
    failures: tuple[str, ...] = ()


def find_browser(explicit: str | None = None) -> BrowserProgram | None:
    """Return the browser to use: the named one, an installed one, or Playwright's; else None.

    BrowserError if ``explicit`` or STRUCTCE_BROWSER names a file that is missing or does not start.
    """
    return search_browser(explicit).browser


def search_browser(explicit: str | None = None, *, kind: str | None = None) -> Search:
    """Search like :func:`find_browser`, and report the browsers that do not start.

    Parameters
    ----------
    kind
        Only acceptable kind; a named browser of another kind is passed over.
    """
    for name, origin in ((explicit, "argument"), (os.environ.get(VARIABLE), VARIABLE)):
        if name and kind in (None, (browser := _named_browser(name, origin)).kind):
            return Search(browser)
    failures: list[str] = []
    for origin, candidates in (("installed", _installed()), ("playwright", _downloaded())):
        for candidate_kind, path in candidates:
            if kind in (None, candidate_kind):
                try:
                    return Search(_probe(path, candidate_kind, origin), tuple(failures))
                except BrowserError as error:
                    failures.append(str(error))
    return Search(None, tuple(failures))


def is_root() -> bool:
    """Return whether this process runs as root, which may install system packages."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _named_browser(name: str, origin: str) -> BrowserProgram:
    path = shutil.which(name)
    if path is None:
        raise BrowserError(
            f"{origin}: no browser at {name!r}; expected the executable of Chromium, Chrome or Edge"
        )
    kinds = {"headless": "headless-shell", "edge": "edge", "chromium": "chromium", "": "chrome"}
    kind = next(kind for word, kind in kinds.items() if word in Path(path).name.lower())
    try:
        return _probe(Path(path).absolute(), kind, origin)
    except BrowserError as error:
        raise BrowserError(f"{origin}: {error}") from None


def _installed() -> Iterator[tuple[str, Path]]:
    """Yield the kind and the path of each installed browser, best first."""
    for kind, commands in _COMMANDS.items():
        yield from ((kind, Path(path)) for path in map(shutil.which, commands.split()) if path)
    variables = map(os.environ.get, ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"))
    folders = [*variables, "/Applications", _at_home("Applications")]
    for kind, name in _APPLICATIONS:
        paths = (shutil.which(f"{folder}/{name}") for folder in folders if folder)
        yield from ((kind, Path(path)) for path in paths if path)


def _downloaded() -> Iterator[tuple[str, Path]]:
    """Yield the kind and the path of each browser in Playwright's cache, newest shell first."""
    caches = {"Darwin": _at_home("Library/Caches"), "Windows": os.environ.get("LOCALAPPDATA")}
    default = os.environ.get("XDG_CACHE_HOME") or _at_home(".cache")
    cache = Path(caches.get(platform.system()) or default, "ms-playwright")
    cache = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or cache)
    for kind, (name, executable) in _DOWNLOADS.items():
        pattern = re.compile(rf"{name}-(\d+)/{executable}(\.exe)?")
        paths = [*cache.glob(f"{name}-*/*/*"), *cache.glob(f"{name}-*/*/*.app/Contents/MacOS/*")]
        matches = [(pattern.fullmatch(path.relative_to(cache).as_posix()), path) for path in paths]
        revisions = [(int(match[1]), path) for match, path in matches if match]
        yield from ((kind, path) for _, path in sorted(revisions, reverse=True))


def _at_home(name: str) -> str:
    return os.path.expanduser(f"~/{name}")  # noqa: PTH111 - pathlib raises without a home


def _probe(path: Path, kind: str, origin: str) -> BrowserProgram:
    """Return the browser at ``path`` after it has started once; BrowserError if it does not.

    A stub that only prints how to install the browser, or a browser with missing shared libraries,
    is an executable file as well.
    """
    if platform.system() == "Windows":  # there --version opens a window and prints nothing
        with TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            flags = ["--headless", f"--user-data-dir={profile}", "--dump-dom", "about:blank"]
            output, failure = run_command([str(path), *flags], _START_SECONDS)
        answer = re.search("<html()", output)
    else:
        output, failure = run_command([str(path), "--version"], _START_SECONDS)
        answer = re.search(r"(\d+(?:\.\d+){2,3})", output)
    if failure or not answer:
        raise BrowserError(f"{path} does not start: {failure or output.strip() or 'no answer'}")
    return BrowserProgram(path, kind, answer[1], origin)


def run_command(command: Sequence[str], seconds: float) -> tuple[str, str]:
    """Return what a command prints, and the most informative line on why it failed, if it did."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            encoding="utf-8",
            errors="replace",
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return "", str(error)
    if done.returncode == 0:
        return done.stdout, ""
    lines = [line.strip() for line in f"{done.stdout}\n{done.stderr}".splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"(?i)error\b|E:|.*error while", line)]
    return done.stdout, (errors[:1] or lines[-1:] or [f"exit {done.returncode}"])[0]
