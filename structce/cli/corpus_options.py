"""Options of commands that open a corpus or name a data set.

Separate from the other options because importing corpora and data sets takes 0.8 s.
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
        """Return the name; a name without a reader is a usage error."""
        name = str(value)
        if name not in READERS:
            self.fail(f"{name!r} is not one of {', '.join(sorted(READERS))}.", param, ctx)
        return name


class LearnerName(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.4
    """Name of a learner, including those that ``--import`` registers, which is read later."""

    name = "learner"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """Return the names, as shown in the help and the usage."""
        return f"[{'|'.join(sorted(LEARNERS))}]"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Return the name; an unknown name is a usage error, a missing extra an error."""
        name = str(value)
        try:
            LEARNERS[name]
        except LearnerError as error:
            self.fail(str(error), param, ctx)
        return name


force_option = click.option("--force", is_flag=True, help="Overwrite an existing corpus.")


def check_no_corpus(folder: Path, *, force: bool) -> None:
    """Refuse to overwrite a corpus unless it is forced; an unfinished one is continued."""
    if not force and (folder / CORPUS_MANIFEST).exists():
        raise click.UsageError(f"{folder} already contains a corpus; --force overwrites it")


@dataclass(frozen=True)
class CorpusOpener:
    """Renderer and browser that a user chose for a corpus; None for the best available."""

    renderer: str | None
    browser: str | None

    def open(self, path: Path, renderer: str | None = None) -> Corpus:
        """Open a corpus; raw pages are rendered first, by default with the named renderer."""
        chosen = self.renderer or renderer
        return open_corpus(path, chosen, lambda name: start_renderer(name, browser=self.browser))


def corpus_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options for opening a corpus to a command, which receives them as ``opener``."""

    @functools.wraps(command)
    def with_opener(
        *args: object, renderer: str | None, browser: str | None, **others: object
    ) -> None:
        command(*args, opener=CorpusOpener(renderer, browser), **others)

    return renderer_option(browser_option(with_opener))
