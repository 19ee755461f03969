"""Group of commands imported when needed, with the option ``--import`` on each of them.

Features are imported only if the option or an installed package asks for it: ``doctor`` has the
option, too, and must run where imports fail.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from keyword import iskeyword

import click
from click.shell_completion import CompletionItem

from structce.doors import has_entry_points
from structce.errors import MissingExtraError, missing_extra

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
    each does, by its name, in the order of the help.
    """

    def __init__(self, *, package: str, summaries: Mapping[str, str], **settings: object) -> None:
        super().__init__(**settings)  # type: ignore[arg-type]  # click's own arguments, as given
        self.package, self.summaries = package, summaries
        self.commands = {name: click.Command(name) for name in summaries}  # for suggestions

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(self.summaries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command with the option ``--import``; None if none has the name."""
        if cmd_name not in self.summaries:
            return None
        module = f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name
        try:
            command: click.Command = import_module(f"{self.package}.{module}").command
        except ModuleNotFoundError as error:
            if (missing := missing_extra(error, cmd_name)) is None:
                raise
            return _command_without_extra(cmd_name, self.summaries[cmd_name], missing)
        _add_import_option(command)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return completions of a word; no command is imported for them."""
        commands = [
            CompletionItem(name, help=summary)
            for name, summary in self.summaries.items()
            if name.startswith(incomplete)
        ]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the names of all commands and what each does, importing none."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.summaries.items()))
