"""Imports that can fail: optional dependencies, and packages imported through a symbolic link."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from structce.errors import MissingExtraError


def load_extra(module: str, purpose: str, extra: str) -> ModuleType:
    """Return a module that an extra of structce installs; MissingExtraError without it.

    Parameters
    ----------
    module
        Import name of the module: ``statsmodels.stats.power``.
    purpose
        What needs it, as the subject of the error message: ``Holm's correction``.
    extra
        Name of the extra: ``experiments``.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise _missing(module, purpose, extra) from error


def installed_versions(packages: Iterable[str]) -> dict[str, str]:
    """Return the installed version of each package; empty if it is not installed."""
    from importlib import metadata  # late: it takes 20 ms, and only reports need it

    versions = {}
    for package in packages:
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            versions[package] = ""
    return versions


def check_extras(modules: Iterable[str], purpose: str, extra: str) -> None:
    """Raise MissingExtraError unless all modules are installed; none is imported."""
    for module in modules:
        if find_spec(module) is None:
            raise _missing(module, purpose, extra)


def check_import_name(name: str) -> None:
    """Raise ImportError if a package was imported through its link at the top of a checkout.

    A second copy of its modules would register everything twice, or in a registry of its own.
    """
    if not name.startswith("structce."):
        raise ImportError(
            f"{name!r} is a link to structce/{name} for readers of the source: "
            f"import structce.{name}",
            name=name,
        )


def _missing(module: str, purpose: str, extra: str) -> MissingExtraError:
    package = module.partition(".")[0].replace("_", "-")
    # An installed structce can be named, wherever it came from; a mere checkout cannot.
    source = "structce" if installed_versions(["structce"])["structce"] else "."
    return MissingExtraError(f"{purpose} needs {package}: pip install '{source}[{extra}]'")
