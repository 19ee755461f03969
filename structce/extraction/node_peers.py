"""Peers in Node: Readability.js and Defuddle, each in a process of its own.

Their packages are looked for in the folder named by the variable ``NODE_MODULES``, or else in
``node_modules`` of the working directory, where ``npm install @mozilla/readability jsdom defuddle
linkedom`` installs them.
"""

from __future__ import annotations

import os
import shutil
from importlib import resources
from pathlib import Path

from structce.errors import MissingExtraError
from structce.extraction.commands import Command
from structce.extraction.registry import extractor

_PACKAGES = {
    "readability-js": ("@mozilla/readability", "jsdom"),
    "defuddle": ("defuddle", "linkedom"),
}


@extractor("readability-js")
def readability_js() -> Command:
    """Readability.js (Mozilla), through Node: the text of the article."""
    return _node_command("readability-js")


@extractor("defuddle")
def defuddle() -> Command:
    """Defuddle, through Node: the text of the main content."""
    return _node_command("defuddle")


def _node_command(name: str) -> Command:
    """Return the command of a system.

    Raises
    ------
    MissingExtraError
        If Node or a package is missing.
    """
    node = shutil.which("node")
    if node is None:
        raise MissingExtraError(f"{name} needs Node, https://nodejs.org, and there is no 'node'")
    folder = Path(os.environ.get("NODE_MODULES") or "node_modules").resolve()
    for package in _PACKAGES[name]:
        if not (folder / package / "package.json").is_file():
            wanted = " ".join(_PACKAGES[name])
            raise MissingExtraError(f"{name} needs {package} in {folder}: npm install {wanted}")
    script = str(resources.files("structce.extraction") / "node_peers.mjs")
    return Command((node, script, name), is_html=True, environment={"NODE_MODULES": str(folder)})
