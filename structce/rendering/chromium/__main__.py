"""Find or install a browser: ``python -m structce.rendering.chromium --install``."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence

from structce.errors import BrowserError
from structce.rendering.chromium.discovery import (
    LOADS_EXTENSIONS,
    VARIABLE,
    Search,
    is_root,
    run_command,
    search_browser,
)

_INSTALL_SECONDS = 600.0  # for each step of an installation


def install_browser(*, kind: str | None = None) -> Search:
    """Install a browser of a kind, or the best: by Playwright's download, or as root by apt-get.

    A failed step raises nothing; ``failures`` contains its command and reason.
    """
    packages = ["chromium"] if kind else ["chromium-headless-shell", "chromium"]
    playwright = [sys.executable, "-m", "playwright"]
    apt = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
    steps, failures = [[*playwright, "install", packages[0]]], []
    if shutil.which("apt-get") and is_root():
        steps += [[*playwright, "install-deps", packages[0]], [*apt, "update"]]
        steps += [[*apt, "install", "-y", package] for package in packages]
    else:
        failures.append(f"as root: apt-get install -y {packages[0]}")
    for step in steps:
        _, failure = run_command(step, _INSTALL_SECONDS)
        failures += [f"{' '.join(step)}: {failure}"] if failure else []
        search = search_browser(kind=kind)
        if search.browser:
            return Search(search.browser)
    return Search(None, (*failures, *search.failures))


def browser_command(argv: Sequence[str] | None = None) -> int:
    """Print the browser to use; return 1 if none is found, 2 if the named one fails."""
    parser = argparse.ArgumentParser("python -m structce.rendering.chromium")
    parser.add_argument("--install", action="store_true", help="install one if none is found")
    parser.add_argument("--extensions", action="store_true", help="one that loads extensions")
    options = parser.parse_args(argv)
    kind = LOADS_EXTENSIONS if options.extensions else None
    try:
        search = search_browser(kind=kind)
        if not search.browser and options.install:
            print("no browser yet: trying to install one", file=sys.stderr)
            search = install_browser(kind=kind)
    except BrowserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(*(f"  {failure}" for failure in search.failures), sep="\n", file=sys.stderr)
    if search.browser:
        print(search.browser)
        return 0
    missing = "full Chromium; the browser extension is not tested"
    if not options.extensions:
        missing = "browser; pages are rendered without layout (static renderer)"
    print(f"warning: no {missing}; install one, or name it by {VARIABLE}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(browser_command())
