"""Pages of a recipe: its data sets found and checked, imported, joined and grouped."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

from structce.corpus import Corpus, merge, with_groups, with_judgements
from structce.datasets import import_corpus
from structce.errors import CorpusError
from structce.recipes.recipe import DataSet, Recipe
from structce.rendering import Renderer

Say = Callable[[str], None]
"""Takes a line that tells how far it is."""


def collect_corpus(
    recipe: Recipe,
    data: Path,
    corpora: Path,
    start: Callable[[], Renderer],
    *,
    any_archive: bool = False,
    say: Say = lambda line: None,
) -> Corpus:
    """Return the pages of all data sets of a recipe as one corpus, before views are drawn.

    Families of the pages are those of :func:`structce.corpus.with_groups`, so that a split by site
    parts no copies, templates or publishers. Nothing is rendered before all data sets are found
    and checked.

    Parameters
    ----------
    data
        Folder of the archives.
    corpora
        Folder that gets a corpus a data set. Pages that stand there, rendered the same way, are
        not rendered again: what was interrupted goes on.
    start
        Returns a renderer, not yet opened, for each data set.
    any_archive
        Take archives of other digests than the recipe's as well.

    Raises
    ------
    CorpusError
        If an archive is not there or is another one, or no page of it can be read.
    """
    sources = find_sources(recipe, data, any_archive=any_archive)
    found = []
    for n, (one, source) in enumerate(zip(recipe.data, sources, strict=True), start=1):
        renderer = start()
        say(f"importing {one.name} ({n} of {len(sources)}) with the {renderer.name} renderer")
        corpus = import_corpus(one.name, source, renderer, corpora / f"{one.name}-{renderer.name}")
        say(f"{one.name}: {len(corpus)} pages of {len(corpus.sites)} sites")
        found.append(corpus)
    say("looking for copies, templates and publishers that data sets share")
    merged = merge(found, name=recipe.name) if len(found) > 1 else found[0]
    if recipe.judgements:
        merged = with_judgements(merged, recipe.judgements)
    return with_groups(merged)


def find_sources(recipe: Recipe, data: Path, *, any_archive: bool = False) -> list[Path]:
    """Return the archive or folder of each data set of a recipe.

    Raises
    ------
    CorpusError
        If one is not there, or has another digest than the recipe says; all of them are named.
    """
    sources = [data / one.file for one in recipe.data]
    missing = [path for path in sources if not path.exists()]
    if missing:
        names = ", ".join(path.name for path in missing)
        raise CorpusError(
            f"{data}: {names} not here; recipe {recipe.name} needs all of its data sets. "
            "'structce corpus list NAME' says where one can be had"
        )
    odd = [] if any_archive else list(_other_archives(recipe.data, sources))
    if odd:
        raise CorpusError(
            f"{'; '.join(odd)}. The model would be another one; --any-archive takes them all"
        )
    return sources


def _other_archives(data: tuple[DataSet, ...], sources: list[Path]) -> Iterator[str]:
    """Yield what is wrong with each archive that is not the recipe's."""
    for one, source in zip(data, sources, strict=True):
        if one.sha256 and not source.is_file():
            yield f"{source} is no file, and the recipe knows the digest of one"
        elif one.sha256:
            with source.open("rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
            if found != one.sha256:
                yield f"{source} has SHA-256 {found[:12]}…, the recipe's {one.sha256[:12]}…"
