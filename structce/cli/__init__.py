"""The ``structce`` command: parse, call, print."""

from __future__ import annotations

import logging
import sys

import click

from structce.cli.lazy_group import LateGroup, import_option, load_packages
from structce.errors import StructceError
from structce.version import __version__

__all__ = ["main"]

HOMES = {
    "label": "structce.cli.label:label",
    "render": "structce.cli.render:render",
    "corpus": "structce.cli.corpus:corpus",
    "train": "structce.cli.train:train",
    "evaluate": "structce.cli.train:evaluate",
    "compare": "structce.cli.compare:compare",
    "report": "structce.cli.report:report",
    "features": "structce.cli.features:features",
    "explain": "structce.cli.explain:explain",
    "model": "structce.cli.model:model",
    "doctor": "structce.cli.doctor:doctor",
    "engines": "structce.cli.doctor:engines",
}
"""Where each command stands; ``doctor`` must run where others cannot be imported."""


@click.group(
    cls=LateGroup,
    homes=HOMES,
    params=[import_option()],
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="structce")
@click.pass_context
def cli(context: click.Context) -> None:
    r"""Label the regions of web pages: title, author, date, text, and where each stands.

    \b
    Examples:
      structce label page.html                          one page to JSON
      structce label pages/ --format text               a folder of pages to text
      structce corpus import fundus fundus.zip news     make a corpus of a public data set
      structce compare news --learners all              compare the learners on it
    """
    if context.invoked_subcommand != "doctor":  # which must run where imports fail
        load_packages()


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
