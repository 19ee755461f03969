"""Where browsers lie: on the PATH, in the folders of the system, in Playwright's cache."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from structce.rendering.browsers.machine import Machine

# Headless shells first: they start faster and render about a third more pages per second.
ON_PATH = (
    ("headless-shell", ("chromium-headless-shell", "chrome-headless-shell")),
    ("chromium", ("chromium", "chromium-browser")),
    ("chrome", ("google-chrome-stable", "google-chrome", "google-chrome-beta", "chrome")),
    ("edge", ("microsoft-edge-stable", "microsoft-edge", "msedge")),
)
BUNDLES = (("chromium", "Chromium"), ("chrome", "Google Chrome"), ("edge", "Microsoft Edge"))
PROGRAMS = (
    ("chromium", "Chromium/Application/chrome.exe"),
    ("chrome", "Google/Chrome/Application/chrome.exe"),
    ("edge", "Microsoft/Edge/Application/msedge.exe"),
)
# What Playwright's downloads hold: (kind, folder without its revision, executables).
SHELL_NAMES = ("chrome-headless-shell", "headless_shell")
TESTING = "Google Chrome for Testing"
DOWNLOADS = (
    ("headless-shell", "chromium_headless_shell", SHELL_NAMES),
    (
        "chromium",
        "chromium",
        (
            "chrome",
            f"{TESTING}.app/Contents/MacOS/{TESTING}",
            "Chromium.app/Contents/MacOS/Chromium",
        ),
    ),
)


def installed(environ: Mapping[str, str], machine: Machine) -> Iterator[tuple[str, Path]]:
    """Yield the kind and the path of each installed browser, best first."""
    for kind, commands in ON_PATH:
        yield from ((kind, Path(path)) for path in map(machine.which, commands) if path)
    if machine.system == "Darwin":
        roots = [Path("/Applications"), machine.home / "Applications"]
        places = [(kind, f"{name}.app/Contents/MacOS/{name}") for kind, name in BUNDLES]
    elif machine.system == "Windows":
        variables = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
        roots = [Path(environ[name]) for name in variables if environ.get(name)]
        places = list(PROGRAMS)
    else:
        return
    for kind, place in places:
        yield from ((kind, root / place) for root in roots if machine.is_file(root / place))


def downloaded(environ: Mapping[str, str], machine: Machine) -> Iterator[tuple[str, Path]]:
    """Yield the kind and the path of each browser in Playwright's cache, newest shell first."""
    cache = _playwright_cache(environ, machine)
    names = machine.names(cache)
    for kind, prefix, executables in DOWNLOADS:
        matches = (re.fullmatch(rf"{prefix}-(\d+)", name) for name in names)
        for revision in sorted((int(match[1]) for match in matches if match), reverse=True):
            folder = cache / f"{prefix}-{revision}"
            exe = ".exe" if machine.system == "Windows" else ""
            paths = (folder / sub / (e + exe) for sub in machine.names(folder) for e in executables)
            yield from ((kind, path) for path in paths if machine.is_file(path))


def _playwright_cache(environ: Mapping[str, str], machine: Machine) -> Path:
    named = environ.get("PLAYWRIGHT_BROWSERS_PATH")
    spec = importlib.util.find_spec("playwright") if named == "0" else None
    if spec and spec.origin:  # "0" is Playwright's own word for: beside the package
        return Path(spec.origin).parent / "driver" / "package" / ".local-browsers"
    home = machine.home
    if machine.system == "Darwin":
        default = home / "Library" / "Caches"
    elif machine.system == "Windows":
        default = Path(environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    else:
        default = Path(environ.get("XDG_CACHE_HOME") or home / ".cache")
    return Path(named) if named else default / "ms-playwright"
