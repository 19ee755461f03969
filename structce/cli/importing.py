"""``--import`` on every command, and the features of other installed packages.

Imports nothing that may be missing until there is something to import: ``doctor`` has the option,
too.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import entry_points

import click

GROUP = "structce.features"
"""Group of entry points that other packages name their features in."""

_PARAMETER = "imports"


def load_packages() -> None:
    """Import the features that other installed packages offer; warn of those that fail."""
    if entry_points(group=GROUP):
        from structce.features.plugins import load_entry_points  # imports NumPy and much else

        load_entry_points()


def with_import(command: click.Command) -> click.Command:
    """Give a command, and all commands below it, the option ``--import``, once."""
    if all(one.name != _PARAMETER for one in command.params):
        command.params.append(import_option())
    for one in getattr(command, "commands", {}).values():
        with_import(one)
    return command


def import_option() -> click.Option:
    """Return the option; it is read before all others, which may need the features."""
    return click.Option(
        ["--import", _PARAMETER],
        multiple=True,
        is_eager=True,
        expose_value=False,
        callback=_import,
        metavar="FILE.py|MODULE",
        help="Import features or learners of your own; may be given again.",
    )


def _import(context: click.Context, _: click.Parameter, names: Sequence[str]) -> None:
    if names and not context.resilient_parsing:
        from structce.features.plugins import import_features  # imports NumPy and much else

        load_packages()  # first, so that a taken name is told of the file, not of a package
        import_features(names)
