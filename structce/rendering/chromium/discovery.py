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
from structce.numbers import whole_number

VARIABLE = "STRUCTCE_BROWSER"
LOADS_EXTENSIONS = "chromium"
"""Kind of browser that loads extensions; headless shells and branded browsers load none."""

# Headless shells first: they start faster and render about a third more pages per second. Names
# with a slash are applications of macOS and Windows.
_PROGRAMS = {
    "headless-shell": "chromium-headless-shell|chrome-headless-shell",
    "chromium": "chromium|chromium-browser|Chromium.app/Contents/MacOS/Chromium"
    "|Chromium/Application/chrome.exe",
    "chrome": "google-chrome-stable|google-chrome|google-chrome-beta|chrome"
    "|Google Chrome.app/Contents/MacOS/Google Chrome|Google/Chrome/Application/chrome.exe",
    "edge": "microsoft-edge-stable|microsoft-edge|msedge"
    "|Microsoft Edge.app/Contents/MacOS/Microsoft Edge|Microsoft/Edge/Application/msedge.exe",
}
_DOWNLOADS = (  # by Playwright, in a folder per revision
    ("headless-shell", "chromium_headless_shell-*/*/chrome-headless-shell*"),
    ("headless-shell", "chromium_headless_shell-*/*/headless_shell*"),
    ("chromium", "chromium-*/*/chrome"),
    ("chromium", "chromium-*/*/chrome.exe"),
    ("chromium", "chromium-*/*/*.app/Contents/MacOS/*"),
)
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


def search_browser(explicit: str | None = None, *, kind: str | None = None) -> Search:
    """Return the browser to use: the named one, an installed one, or Playwright's.

    BrowserError if ``explicit`` or STRUCTCE_BROWSER names a file that is missing or does not start.
    With a ``kind``, browsers of other kinds are passed over.
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
    variables = map(os.environ.get, ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"))
    folders = [*filter(None, variables), "/Applications", _at_home("Applications")]
    for kind, names in _PROGRAMS.items():
        for name in names.split("|"):
            programs = [f"{folder}/{name}" for folder in folders] if "/" in name else [name]
            yield from ((kind, Path(path)) for path in map(shutil.which, programs) if path)


def _downloaded() -> Iterator[tuple[str, Path]]:
    """Yield the kind and the path of each browser in Playwright's cache, newest shell first."""
    caches = {"Darwin": _at_home("Library/Caches"), "Windows": os.environ.get("LOCALAPPDATA")}
    default = os.environ.get("XDG_CACHE_HOME") or _at_home(".cache")
    cache = Path(caches.get(platform.system()) or default, "ms-playwright")
    cache = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or cache)
    for kind, pattern in _DOWNLOADS:
        names = ((path.relative_to(cache).parts[0], path) for path in cache.glob(pattern))
        revisions = ((whole_number(name.partition("-")[2]), path) for name, path in names)
        numbered = ((revision, path) for revision, path in revisions if revision is not None)
        yield from ((kind, path) for _, path in sorted(numbered, reverse=True))


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
    """Return what a command prints, and its last line if it fails, which says why."""
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds,
            encoding="utf-8", errors="replace",
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        return "", str(error)
    if done.returncode == 0:
        return done.stdout, ""
    lines = [line.strip() for line in f"{done.stdout}\n{done.stderr}".splitlines() if line.strip()]
    return done.stdout, lines[-1] if lines else f"exit {done.returncode}"
