"""Groups whose commands are imported when run: some imports are slow, others may be missing."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

import click

from structce.cli.importing import with_import


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
