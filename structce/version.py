"""Version of the installed package."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("structce")
except PackageNotFoundError:  # imported from a folder without being installed
    __version__ = "0+unknown"
