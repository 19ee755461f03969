"""Statistics that an extra installs: imported when they are needed."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from structce.errors import MissingExtraError


def load_extra(module: str, purpose: str) -> ModuleType:
    """Return a module of the extra ``experiments``.

    Parameters
    ----------
    module
        Its import name: ``statsmodels.stats.power``.
    purpose
        What needs it, as the message begins: ``Holm's correction``.

    Raises
    ------
    MissingExtraError
        If it is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise _missing(module, purpose) from error


def check_extras(modules: Iterable[str], purpose: str) -> None:
    """Raise a MissingExtraError unless modules of the extra are there; imports none of them."""
    for module in modules:
        if find_spec(module) is None:
            raise _missing(module, purpose)


def _missing(module: str, purpose: str) -> MissingExtraError:
    package = module.partition(".")[0].replace("_", "-")
    return MissingExtraError(f"{purpose} needs {package}: pip install 'structce[experiments]'")
