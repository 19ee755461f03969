"""Public names of packages, whose modules are imported at first use."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path

from structce.errors import missing_extra


def lazy_names(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """Return the ``__getattr__`` of a package that imports each name from its home at first use.

    A package that an extra brings and that is not installed raises MissingExtraError.
    """

    def imported_name(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        try:
            home = import_module(homes[name])
        except ModuleNotFoundError as error:
            raise missing_extra(error) or error from error
        return getattr(home, name)

    return imported_name


def has_entry_points(group: str) -> bool:
    """Return whether an installed package may offer entry points of a group.

    Only the folders of metadata are searched, since ``importlib.metadata`` takes 30 ms; the result
    is True if modules are also imported from an archive, or a file cannot be read.
    """
    section = f"[{group}]".encode()
    for place in map(Path, sys.path):
        if place.is_file():
            return True
        folders = place.iterdir() if place.is_dir() else ()
        for file in (each / "entry_points.txt" for each in folders if each.name.endswith("-info")):
            try:
                if section in file.read_bytes():
                    return True
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError:
                return True
    return False
