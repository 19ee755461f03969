"""Options of commands that open a corpus, or name a data set or a learner.

Separate from the other options because importing corpora and data sets takes 0.8 s.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import click

from structce.cli.options import browser_option, renderer_option
from structce.corpus import Corpus, open_corpus
from structce.errors import StructceError
from structce.rendering import start_renderer


class RegisteredName(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.4
    """Name in a registry, including those that ``--import`` adds, which is read later."""

    name = "name"

    def __init__(self, registry: Mapping[str, object]) -> None:
        self._registry = registry

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Return the name; an unknown name or a missing extra is a usage error."""
        try:
            self._registry[str(value)]
        except StructceError as error:
            self.fail(str(error), param, ctx)
        return str(value)


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
