"""``--import`` on every command, and the features of other installed packages.

Imports nothing that may be missing until there is something to import: ``doctor`` has the option,
too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.metadata import entry_points

import click

GROUP = "structce.features"
"""Group of entry points that other packages name their features in."""

_PARAMETER = "imports"


def load_packages() -> None:
    """Import the features that other installed packages offer; warn of those that fail."""
    if entry_points(group=GROUP):
        from structce.features import load_entry_points

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
        from structce.features import import_features

        load_packages()  # first, so that a taken name is told of the file, not of a package
        import_features(names)


class LateGroup(click.Group):
    """A group that imports a command only when it is run, or helped with.

    Parameters
    ----------
    homes
        Where each command stands, ``module:function``, in the order of the help.
    """

    def __init__(self, *, homes: Mapping[str, str], **settings: object) -> None:
        super().__init__(**settings)  # type: ignore[arg-type]  # click's own arguments, as given
        self.homes = homes

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return [*self.homes, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, with the option ``--import``; None if there is none."""
        if cmd_name in self.homes:
            module, _, name = self.homes[cmd_name].partition(":")
            command: click.Command | None = getattr(import_module(module), name)
        else:
            command = super().get_command(ctx, cmd_name)
        return command and with_import(command)
