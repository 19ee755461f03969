"""The ``structce`` command: parse, call, print."""

from __future__ import annotations

import logging
import sys
from importlib import import_module

import click

from structce import __version__
from structce.errors import StructceError

__all__ = ["main"]

_HOMES = {
    "label": "structce.cli.labelling",
    "render": "structce.cli.labelling",
    "corpus": "structce.cli.corpora",
    "train": "structce.cli.training",
    "evaluate": "structce.cli.training",
    "compare": "structce.cli.comparing",
    "features": "structce.cli.features",
    "explain": "structce.cli.explaining",
    "model": "structce.cli.models",
    "doctor": "structce.cli.doctor",
    "engines": "structce.cli.engines",
}


class _LateGroup(click.Group):
    """Imports a command only when asked for it: ``doctor`` must run where others cannot."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_HOMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _HOMES:
            return None
        command: click.Command = getattr(import_module(_HOMES[cmd_name]), cmd_name)
        return command


@click.group(
    cls=_LateGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="structce")
def cli() -> None:
    r"""Label the regions of web pages: title, author, date, text, and where each stands.

    \b
    Examples:
      structce label page.html                          one page to JSON
      structce label pages/ --format text               a folder of pages to text
      structce corpus import fundus fundus.zip news     make a corpus of a public data set
      structce compare news --learners all              compare the learners on it
    """


def main() -> None:
    """Run the command; exit with 1 on an error and with 2 on wrong usage."""
    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.WARNING)
    try:
        code = cli(standalone_mode=False)
    except click.Abort:
        sys.exit("stopped")
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except StructceError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(1)
    except BrokenPipeError:  # the reader of our output, such as head, has seen enough
        sys.stderr.close()
        sys.exit(0)
    sys.exit(code if isinstance(code, int) else 0)
