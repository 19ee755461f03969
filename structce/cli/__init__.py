"""The ``structce`` command: parse, call, print."""

from __future__ import annotations

import atexit
import gc
import logging
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

import click

from structce.cli.messages import INTERRUPTED, MessageFormatter, show_error, show_message
from structce.errors import StructceError, missing_extra
from structce.lazy_import import has_entry_points
from structce.version import package_version

__all__ = ["main"]

_SUMMARIES = {
    "label": "Label pages: title, authors, date, text, and where each stands.",
    "extract": "Extract the main content of pages, by any method.",
    "bulk": "Label crawls of any size into Parquet, here or on a Ray cluster.",
    "site": "Learn where the pages of a site show their values, from a few labelled pages.",
    "template": "Learn what the pages of a site share, to extract what they do not.",
    "render": "Render pages and keep their regions as snapshots.",
    "corpus": "Make corpora of labelled pages and look at them.",
    "annotate": "Label pages by clicks and keys, in a browser.",
    "train": "Train a model on every page of a corpus.",
    "evaluate": "Measure a model on a labelled corpus.",
    "compare": "Train and test learners on a corpus.",
    "report": "Show and compare reports.",
    "benchmark": "Measure content extractors and proxies on test packages.",
    "proxy": "Show a browser the main content of pages only.",
    "serve": "Label and extract pages over HTTP, for programs in any language.",
    "mcp": "Let a language model read pages and cite them, by the Model Context Protocol.",
    "features": "List and show the features that describe a region, and measure your own.",
    "explain": "Explain why regions of a page have their labels.",
    "model": "Inspect models.",
    "doctor": "Report what is installed, and what is missing.",
}
"""Summaries of all commands, in the order of the help."""

_MODULES = {
    "evaluate": "train", "mcp": "serve", "model": "explain", "proxy": "serve", "template": "site"
}  # fmt: skip
"""Modules of the commands that are not in a module of their own name."""

ENTRY_POINT_GROUP = "structce.features"
"""Entry point group under which other packages offer features; the same as in the registry of
features, which is not imported here."""

_BROKEN_PIPE = 141
"""Exit code when nobody reads the output any more, as with ``head``: 128 plus the number of the
signal that ends other tools in this case."""


class LazyGroup(click.Group):
    """Group that imports a command only to run it or to show its help.

    ``doctor`` must run where the others cannot be imported, and importing all takes 2 s.
    """

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
        try:
            module = import_module(f"{__name__}.{_MODULES.get(name, name)}")
            command = getattr(module, f"{name}_command" if name in _MODULES else "command")
        except ModuleNotFoundError as error:
            if not ctx.resilient_parsing:  # completion then offers no options of the command
                raise missing_extra(error, name) or error from error
        _add_import_option(command)
        return name, command, others


def _add_import_option(command: click.Command) -> None:
    """Add the option ``--import`` to a command and all its subcommands, once.

    It is processed first, as other options may need what it registers.
    """
    if all(parameter.name != "imports" for parameter in command.params):
        option = click.Option(
            ["--import", "imports"],
            multiple=True,
            is_eager=True,
            expose_value=False,
            callback=_import_features,
            metavar="FILE.py|MODULE",
            help="Import your own features or learners; repeat for several.",
        )
        command.params.append(option)
    for subcommand in getattr(command, "commands", {}).values():
        _add_import_option(subcommand)


def _import_features(context: click.Context, _: click.Parameter, names: Sequence[str]) -> None:
    if names and not context.resilient_parsing:
        from structce.features import import_features

        _load_packages()  # first, so that a name conflict is an error in the file, not in a package
        import_features(names)


def _load_packages() -> None:
    """Import the features that other installed packages offer; warn about those that fail."""
    if has_entry_points(ENTRY_POINT_GROUP):
        from structce.features import load_entry_points

        load_entry_points()


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    commands={name: click.Command(name, short_help=text) for name, text in _SUMMARIES.items()},
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
        "show_default": True,
    },
)
@click.option("--version", is_flag=True, help="Show the version and exit.")
@click.option("--debug", is_flag=True, help="Show tracebacks of unexpected errors within pages.")
@click.pass_context
def cli(context: click.Context, version: bool, debug: bool) -> None:
    """Label the regions of web pages: title, author, date, text, and where each stands.

    \b
    Examples:
      structce label page.html                          one page to JSON
      structce label pages/ --format text               a folder of pages to text
      structce corpus import fundus fundus.zip news     make a corpus of a public data set
      structce compare news --learners all              compare the learners on it
    """  # noqa: D301  # click looks for the character itself, which a raw string lacks
    logging.getLogger("structce.errors").setLevel(logging.DEBUG if debug else logging.NOTSET)
    if version:
        click.echo(f"structce, version {package_version()}")
    elif context.invoked_subcommand is None:
        click.echo(context.get_help())
    elif context.invoked_subcommand != "doctor":  # doctor must run where imports fail
        _load_packages()


_add_import_option(cli)  # and to the commands, once they are imported


def main() -> None:
    """Run the command; exit with 1 on an error, 2 on wrong usage, 130 after an interruption."""
    handler = logging.StreamHandler()
    handler.setFormatter(MessageFormatter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    gc.set_threshold(100_000)  # a start makes much and leaves no cycles: 20 ms
    atexit.register(gc.freeze)  # what ends with the process is not searched for cycles: 50 ms
    if sys.stdout is None:  # closed by the shell: >&-
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115, PTH123
        show_error("standard output is closed; send it to /dev/null to see nothing of it")
        _exit(1)
    code: object = 1
    try:
        code = cli(standalone_mode=False)
        sys.stdout.flush()
    except click.Abort:
        show_message("stopped")
        code = INTERRUPTED.exit_code
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except StructceError as error:
        show_error(str(error))
    except ModuleNotFoundError as error:
        missing = missing_extra(error)
        if missing is None:
            raise
        show_error(str(missing))
    except MemoryError:
        show_error("not enough memory")
    except BrokenPipeError:
        code = _BROKEN_PIPE
    except UnicodeEncodeError as error:
        if sys.stdout.encoding.lower().replace("-", "") == "utf8":
            raise
        character = error.object[error.start]
        show_error(
            f"standard output is in {sys.stdout.encoding}, which has no {character!a}; set "
            "PYTHONUTF8=1 for UTF-8, or write to a file with --out"
        )
    except OSError as error:  # such as a full disk
        place = f"{error.filename}: " if error.filename else ""
        show_error(f"{place}{error.strerror or error}")
    except SystemExit as stop:
        # Click exits with 1 when the reader of our output is gone, as on any other error.
        is_gone = type(sys.stdout).__name__.endswith("PacifyFlushWrapper")
        code = _BROKEN_PIPE if is_gone else stop.code
    _exit(code if isinstance(code, int) else 0)


def _exit(code: int) -> NoReturn:
    """End the program; output that a full disk or a closed pipe refused is dropped."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)
