"""Group of commands imported when needed, with the option ``--import`` on each of them.

Features are imported only if the option or an installed package asks for it: ``doctor`` has the
option, too, and must run where imports fail.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from keyword import iskeyword

import click

from structce.errors import MissingExtraError, missing_extra
from structce.lazy_import import has_entry_points

ENTRY_POINT_GROUP = "structce.features"
"""Entry point group under which other packages offer features; the same as in the registry of
features, which is not imported here."""


def load_packages() -> None:
    """Import the features that other installed packages offer; warn about those that fail."""
    if has_entry_points(ENTRY_POINT_GROUP):
        from structce.features import load_entry_points

        load_entry_points()


def import_option() -> click.Option:
    """Return the option ``--import``, which is processed first, as other options may need it."""
    return click.Option(
        ["--import", "imports"],
        multiple=True,
        is_eager=True,
        expose_value=False,
        callback=_import_features,
        metavar="FILE.py|MODULE",
        help="Import your own features or learners; repeat for several.",
    )


def _import_features(context: click.Context, _: click.Parameter, names: Sequence[str]) -> None:
    if names and not context.resilient_parsing:
        from structce.features import import_features

        load_packages()  # first, so that a name conflict is an error in the file, not in a package
        import_features(names)


def _add_import_option(command: click.Command) -> None:
    """Add the option ``--import`` to a command and all its subcommands, once."""
    if all(parameter.name != "imports" for parameter in command.params):
        command.params.append(import_option())
    for subcommand in getattr(command, "commands", {}).values():
        _add_import_option(subcommand)


def _command_without_extra(name: str, summary: str, missing: MissingExtraError) -> click.Command:
    """Return a command that only has a help, for one whose packages are not installed."""

    def fail(**_: object) -> None:
        raise missing

    words = click.Argument(["words"], nargs=-1, type=click.UNPROCESSED, metavar="...")
    return click.Command(
        name,
        callback=fail,
        params=[words],
        help=f"{summary}\n\nNot installed: {missing}",
        context_settings={"ignore_unknown_options": True},
    )


class LazyGroup(click.Group):
    """Group that imports a command only to run it or to show its help.

    ``package`` has a module for each command, which defines ``command``; ``summaries`` say what
    each does, by its name, in the order of the help. Help and completion use nothing else.
    """

    def __init__(self, *, package: str, summaries: Mapping[str, str], **settings: object) -> None:
        super().__init__(**settings)  # type: ignore[arg-type]  # click's own arguments, as given
        self.package = package
        self.commands = {name: click.Command(name, short_help=x) for name, x in summaries.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, in the order of the summaries."""
        return list(self.commands)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return name, command with the option ``--import``, and the other arguments."""
        name, command, others = super().resolve_command(ctx, args)
        if name is None or command is None:
            return name, command, others
        module = f"{name}_" if iskeyword(name) else name
        try:
            imported: click.Command = import_module(f"{self.package}.{module}").command
        except ModuleNotFoundError as error:
            if (missing := missing_extra(error, name)) is None:
                raise
            return name, _command_without_extra(name, command.short_help or "", missing), others
        _add_import_option(imported)
        return name, imported, others
