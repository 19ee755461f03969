"""Group of commands imported when needed, with the option ``--import`` on each of them.

Features are imported only if the option or an installed package asks for it: ``doctor`` has the
option, too, and must run where imports fail.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module

import click
from click.shell_completion import CompletionItem

from structce.doors import has_entry_points

ENTRY_POINT_GROUP = "structce.features"
"""Entry point group under which other packages offer features; the same as in the registry of
features, which is not imported here."""

_PARAMETER = "imports"


def load_packages() -> None:
    """Import the features that other installed packages offer; warn about those that fail."""
    if has_entry_points(ENTRY_POINT_GROUP):
        from structce.features import load_entry_points

        load_entry_points()


def with_import(command: click.Command) -> click.Command:
    """Add the option ``--import`` to a command and all its subcommands, once."""
    if all(parameter.name != _PARAMETER for parameter in command.params):
        command.params.append(import_option())
    for subcommand in getattr(command, "commands", {}).values():
        with_import(subcommand)
    return command


def import_option() -> click.Option:
    """Return the option ``--import``, which is processed first, as other options may need it."""
    return click.Option(
        ["--import", _PARAMETER],
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


class LazyGroup(click.Group):
    """Group that imports a command only to run it or to show its help.

    Parameters
    ----------
    targets
        ``module:function`` of each command by name, in the order of the help.
    summaries
        What each command does, for the help of the group; a command without a summary is imported
        to get its own.
    """

    def __init__(
        self,
        *,
        targets: Mapping[str, str],
        summaries: Mapping[str, str] | None = None,
        **settings: object,
    ) -> None:
        super().__init__(**settings)  # type: ignore[arg-type]  # click's own arguments, as given
        self.targets = targets
        self.summaries = summaries or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return [*self.targets, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command with the option ``--import``; None if none has the name."""
        if cmd_name in self.targets:
            module, _, name = self.targets[cmd_name].partition(":")
            command: click.Command | None = getattr(import_module(module), name)
        else:
            command = super().get_command(ctx, cmd_name)
        return command and with_import(command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the arguments name; an unknown name gets a suggestion."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches  # late: only a wrong name needs it

            matches = get_close_matches(args[0], self.list_commands(ctx), n=1)
            if not matches:
                raise
            raise click.UsageError(
                f"{error.message.rstrip('.')}; did you mean {matches[0]!r}?", ctx
            ) from None

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return completions of a word; commands with a summary are not imported for it."""
        if not self.summaries:
            return super().shell_complete(ctx, incomplete)
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        commands = [CompletionItem(name, help=self._summary(ctx, name, 45)) for name in names]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the names of all commands and what each does, importing none that has a summary."""
        names = self.list_commands(ctx)
        room = formatter.width - 6 - max(map(len, names), default=0)
        rows = [(name, self._summary(ctx, name, room)) for name in names]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def _summary(self, ctx: click.Context, name: str, room: int) -> str:
        if name in self.summaries:
            return self.summaries[name]
        command = self.get_command(ctx, name)
        return command.get_short_help_str(room) if command else ""
