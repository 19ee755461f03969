"""Imports that can fail: optional dependencies, and packages imported through a symbolic link."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from types import ModuleType

from structce.errors import MissingExtraError
from structce.requirements import extra_advice, missing_modules


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
        raise MissingExtraError(f"{purpose} {extra_advice(module, extra)}") from error


def check_extras(modules: Iterable[str], purpose: str, extra: str) -> None:
    """Raise MissingExtraError unless all modules are installed; none is imported."""
    for module in missing_modules(modules):
        raise MissingExtraError(f"{purpose} {extra_advice(module, extra)}")


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
