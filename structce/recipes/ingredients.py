"""Pages of a recipe: its data sets found and checked, imported, joined and grouped."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from structce.corpus import Corpus, merge, with_groups, with_judgements
from structce.datasets import import_corpus
from structce.errors import CorpusError
from structce.recipes.perturbed import SUFFIX, perturbed_page
from structce.recipes.recipe import Recipe
from structce.rendering import Renderer

Say = Callable[[str], None]
"""Function that takes a line of progress."""


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
    does not separate copies, templates or publishers. Nothing is rendered before all data sets are
    found and checked. ``data`` is the folder of the archives, ``corpora`` that of one corpus per
    data set: pages already there, rendered the same way, are not rendered again, so that an
    interrupted import continues. ``start`` returns a renderer, not yet opened, for each data set.
    Raises CorpusError if an archive is missing, none of its pages can be read, or, unless
    ``any_archive``, its digest is not the recipe's.
    """
    sources = find_sources(recipe, data, any_archive=any_archive)
    imported = []
    for n, (data_set, source) in enumerate(zip(recipe.data, sources, strict=True), start=1):
        renderer = start()
        say(f"importing {data_set.name} ({n} of {len(sources)}) with the {renderer.name} renderer")
        corpus = import_corpus(
            data_set.name, source, renderer, corpora / f"{data_set.name}-{renderer.name}"
        )
        say(f"{data_set.name}: {len(corpus)} pages of {len(corpus.sites)} sites")
        imported.append(corpus)
    say("looking for copies, templates and publishers that data sets share")
    merged = _joined(imported, recipe)
    if recipe.judgements:
        merged = with_judgements(merged, recipe.judgements)
    return with_groups(merged)


def collect_copies(
    recipe: Recipe,
    data: Path,
    corpora: Path,
    start: Callable[[], Renderer],
    corpus: Corpus,
    *,
    say: Say = lambda line: None,
) -> Corpus | None:
    """Return perturbed copies of a recipe's pages; None if the recipe learns from none.

    A copy has the id of its page in the corpus with :data:`structce.recipes.perturbed.SUFFIX`, and
    its site and family. For the other arguments see :func:`collect_corpus`, which has checked them.
    """
    if not recipe.perturbed:
        return None
    change = partial(perturbed_page, seed=recipe.seed)
    originals = {page.id: page for page in corpus}
    imported = []
    for data_set, renamed in zip(recipe.data, new_ids(corpus, recipe), strict=True):
        renderer = start()
        say(f"perturbed copies of {data_set.name}")
        folder = corpora / f"{data_set.name}-{renderer.name}-perturbed"
        source = data / data_set.file
        copies = import_corpus(data_set.name, source, renderer, folder, change=change)
        named = ((originals.get(renamed.get(copy.id, copy.id)), copy) for copy in copies)
        pages = tuple(
            replace(copy, id=f"{page.id}{SUFFIX}", site=page.site, family=page.family)
            for page, copy in named
            if page is not None
        )
        imported.append(replace(copies, pages=pages))
    return _joined(imported, recipe)


def _joined(imported: Sequence[Corpus], recipe: Recipe) -> Corpus:
    return merge(imported, name=recipe.name) if len(imported) > 1 else imported[0]


def new_ids(corpus: Corpus, recipe: Recipe) -> list[dict[str, str]]:
    """Return, for each data set of a recipe, the ids that differ in the corpus of all of them."""
    merged = corpus.notes.get("merged")
    if len(recipe.data) == 1 or not isinstance(merged, list):
        return [{} for _ in recipe.data]
    return [dict(notes["renamed"]) for notes in merged]


def find_sources(recipe: Recipe, data: Path, *, any_archive: bool = False) -> list[Path]:
    """Return the archive or folder of each data set; an error names all that are wrong."""
    sources = [data / data_set.file for data_set in recipe.data]
    missing = [path for path in sources if not path.exists()]
    if missing:
        names = ", ".join(path.name for path in missing)
        raise CorpusError(
            f"{data}: {names} missing; recipe {recipe.name} needs all of its data sets. "
            "'structce corpus import NAME --list' shows where to get one"
        )
    odd = []
    for data_set, source in zip(recipe.data, sources, strict=True):
        if not data_set.sha256 or any_archive:
            continue
        digest = "none, as a folder"
        if source.is_file():
            with source.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        if digest != data_set.sha256:
            odd.append(f"{source} has SHA-256 {digest[:17]}, expected {data_set.sha256[:12]}…")
    if odd:
        raise CorpusError(
            f"{'; '.join(odd)}. The model would differ; --any-archive accepts any archive"
        )
    return sources
