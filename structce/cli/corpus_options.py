"""Options of commands that open a corpus or name a data set.

Apart from the other options, since the rooms of corpora and data sets take 0.8 s to import.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click

from structce.cli.options import browser_option, renderer_option
from structce.corpus import CORPUS_MANIFEST, Corpus, open_corpus
from structce.datasets import READERS
from structce.errors import LearnerError
from structce.learners import LEARNERS
from structce.rendering import start_renderer


class DataSetName(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.4
    """Name of a data set that has a reader, including those that ``--import`` registers."""

    name = "data set"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Return the name; a name without a reader is wrong usage."""
        name = str(value)
        if name not in READERS:
            self.fail(f"{name!r} is not one of {', '.join(sorted(READERS))}.", param, ctx)
        return name


class LearnerName(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.4
    """Name of a learner, including those that ``--import`` registers, which is read later."""

    name = "learner"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """Return the names, as the help and the usage show them."""
        return f"[{'|'.join(sorted(LEARNERS))}]"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Return the name; an unknown one is wrong usage, one that lacks an extra an error."""
        name = str(value)
        try:
            LEARNERS[name]
        except LearnerError as error:
            self.fail(str(error), param, ctx)
        return name


force_option = click.option("--force", is_flag=True, help="Write over a corpus that is there.")


def check_no_corpus(folder: Path, *, force: bool) -> None:
    """Refuse to write over a corpus; one that is not finished is gone on with.

    Raises
    ------
    UsageError
        If the folder has a corpus, and nobody forces it.
    """
    if not force and (folder / CORPUS_MANIFEST).exists():
        raise click.UsageError(f"{folder} is a corpus already; --force writes over it")


@dataclass(frozen=True)
class CorpusOpener:
    """Renderer and browser that a user chose for the pages of a corpus; None for the best here."""

    renderer: str | None
    browser: str | None

    def open(self, path: Path, renderer: str | None = None) -> Corpus:
        """Open a corpus; one of raw pages is rendered first, by default by the named renderer."""
        chosen = self.renderer or renderer
        return open_corpus(path, chosen, lambda name: start_renderer(name, browser=self.browser))


def corpus_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of opening a corpus to a command, which gets them as ``opener``."""

    @functools.wraps(command)
    def with_opener(
        *args: object, renderer: str | None, browser: str | None, **others: object
    ) -> None:
        command(*args, opener=CorpusOpener(renderer, browser), **others)

    return renderer_option(browser_option(with_opener))
