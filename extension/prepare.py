"""Install what tests of the browser extension need, if possible; without it they are left out.

    python extension/prepare.py

The packages that it is built from, by npm, into ``extension/node_modules``; and a full Chromium.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from structce.rendering import browser_command

HERE = Path(__file__).resolve().parent
NPM_SECONDS = 600


def has_packages() -> bool:
    """Return whether the pinned packages are there, in their versions."""
    stated = json.loads((HERE / "package.json").read_text(encoding="utf-8"))
    for name, version in (stated["dependencies"] | stated["devDependencies"]).items():
        path = HERE / "node_modules" / name / "package.json"
        if not path.is_file() or json.loads(path.read_text(encoding="utf-8"))["version"] != version:
            return False
    return True


def install_packages() -> bool:
    """Install the pinned packages; return whether they are there."""
    if has_packages():
        return True
    npm = shutil.which("npm")
    if npm is None:
        return False
    try:
        done = subprocess.run([npm, "ci"], cwd=HERE, timeout=NPM_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"npm: {error}", file=sys.stderr)
        return False
    return done.returncode == 0


if __name__ == "__main__":
    if not install_packages():
        print("warning: no packages by npm; the browser extension is not built", file=sys.stderr)
    browser_command(["--extensions", "--install"])
