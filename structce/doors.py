"""Doors of packages: public names whose modules are imported at first use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module


def lazy_names(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """Return the ``__getattr__`` of a package that imports these names at first use.

    Parameters
    ----------
    package
        Name of the package.
    homes
        Module of each name.
    """

    def imported_name(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    return imported_name
