"""Imports that can fail: optional dependencies, and packages under the name of a link."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module, metadata
from importlib.util import find_spec
from types import ModuleType

from structce.errors import MissingExtraError


def load_extra(module: str, purpose: str, extra: str) -> ModuleType:
    """Return a module that an extra of structce brings.

    Parameters
    ----------
    module
        Its import name: ``statsmodels.stats.power``.
    purpose
        What needs it, as the message begins: ``Holm's correction``.
    extra
        The extra's name: ``experiments``.

    Raises
    ------
    MissingExtraError
        If it cannot be imported.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise _missing(module, purpose, extra) from error


def installed_versions(packages: Iterable[str]) -> dict[str, str]:
    """Return the installed version of each package; empty where it is not installed."""
    found = {}
    for package in packages:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = ""
    return found


def check_extras(modules: Iterable[str], purpose: str, extra: str) -> None:
    """Raise a MissingExtraError unless the modules are installed; imports none of them."""
    for module in modules:
        if find_spec(module) is None:
            raise _missing(module, purpose, extra)


def check_import_name(name: str) -> None:
    """Raise an error in a package that was imported by a link to it at the top of a checkout.

    A second copy of its modules would register everything twice, or fill a registry of its own.

    Parameters
    ----------
    name
        The package's ``__name__``.

    Raises
    ------
    ImportError
        Unless the name begins with ``structce``; names the package to import instead.
    """
    if not name.startswith("structce."):
        raise ImportError(
            f"{name!r} is a link to structce/{name} for readers of the source: "
            f"import structce.{name}",
            name=name,
        )


def _missing(module: str, purpose: str, extra: str) -> MissingExtraError:
    package = module.partition(".")[0].replace("_", "-")
    # What is installed satisfies its own name, from wherever it came; a mere checkout does not.
    own = "structce" if installed_versions(["structce"])["structce"] else "."
    return MissingExtraError(f"{purpose} needs {package}: pip install '{own}[{extra}]'")
