"""Pages of a recipe: its data sets found and checked, imported, joined, grouped and perturbed.

Trees learn what is usual on the pages of a few data sets: where a date stands, how a text ends. A
perturbed copy of each page has furniture added around its article, blocks appended to its text, or
its names rewritten (:mod:`structce.evaluation.perturbations`), and gold that follows, so that
nothing which varies between the copies of a page can carry weight.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from zlib import crc32

from structce.corpus import Corpus, merge, with_groups, with_judgements
from structce.datasets import UTF8_HTML, GoldPage, Skipped, import_corpus
from structce.errors import CorpusError, RenderError
from structce.evaluation import Perturbed, perturb
from structce.gold import TEXT, Gold
from structce.recipes.recipe import DataSet, Recipe
from structce.rendering import Renderer

Log = Callable[[str], None]
"""Function that takes a line of progress."""

SUFFIX = ".perturbed"
"""Ending of the id of a copy."""

GROUPS: Mapping[tuple[str, ...], float] = {
    ("today before", "ticker before", "teasers before"): 0.5,
    tuple(f"{kind} appended" for kind in "code list table quote references line".split()): 0.6,
    tuple(f"{kind} between" for kind in "promo newsletter related ad".split()): 0.5,
    ("wrapped once", "wrapped twice"): 0.25,
    ("site as text", "site as link", "site as logo"): 0.3,
    ("byline removed",): 0.1,
    ("authors in JSON-LD", "authors in citation"): 0.5,
    ("title with suffix", "title with prefix"): 0.25,
    ("body invisible", "body transparent"): 0.1,
    ("comments after", "teasers after"): 0.3,
    ("classes hashed",): 0.25,
}
"""Perturbations of which a copy gets one, and the probability that it does; our choice."""

_FROM_TEXT = " appended"


def collect_corpus(
    recipe: Recipe, data: Path, corpora: Path, start: Callable[[], Renderer], *,
    say: Log = lambda line: None,
) -> Corpus:  # fmt: skip
    """Return the pages of all data sets of a recipe as one corpus, before views are drawn.

    Families of the pages are those of :func:`structce.corpus.with_groups`, so that a split by site
    does not separate copies, templates or publishers. Nothing is rendered before all data sets are
    found and checked. ``data`` is the folder of the archives, ``corpora`` that of one corpus per
    data set: pages already there, rendered the same way, are not rendered again, so that an
    interrupted import continues. ``start`` returns a renderer, not yet opened, for each data set.
    Raises CorpusError if an archive is missing, none of its pages can be read, or, unless
    ``any_archive``, its digest is not the recipe's.
    """
    imported = []
    for data_set, source in find_sources(recipe, data).items():
        renderer = start()
        say(f"importing {data_set.name} with the {renderer.name} renderer")
        folder = corpora / f"{data_set.name}-{renderer.name}"
        imported.append(import_corpus(data_set.name, source, renderer, folder))
        say(f"{data_set.name}: {len(imported[-1])} pages of {len(imported[-1].sites)} sites")
    say("looking for copies, templates and publishers that data sets share")
    merged = _joined(imported, recipe)
    if recipe.judgements:
        merged = with_judgements(merged, recipe.judgements)
    return with_groups(merged)


def collect_copies(
    recipe: Recipe, data: Path, corpora: Path, start: Callable[[], Renderer], corpus: Corpus, *,
    say: Log = lambda line: None,
) -> Corpus | None:  # fmt: skip
    """Return perturbed copies of a recipe's pages; None if the recipe learns from none.

    A copy has the site, the family and the id of its page in the corpus, with ``SUFFIX`` appended.
    For the other arguments see :func:`collect_corpus`, which has checked them.
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
        pages = tuple(
            replace(copy, id=f"{page.id}{SUFFIX}", site=page.site, family=page.family)
            for copy in copies
            if (page := originals.get(renamed.get(copy.id, copy.id)))
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


def find_sources(recipe: Recipe, data: Path) -> dict[DataSet, Path]:
    """Return the archive or folder of each data set; an error names all that are wrong."""
    sources = {data_set: data / data_set.file for data_set in recipe.data}
    missing = ", ".join(path.name for path in sources.values() if not path.exists())
    if missing:
        raise CorpusError(
            f"{data}: {missing} missing; recipe {recipe.name} needs all of its data sets. "
            "'structce corpus import NAME --list' shows where to get one"
        )
    odd = []
    for data_set, source in sources.items():
        digest = "none, as a folder"
        if data_set.sha256 and source.is_file():
            with source.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        if data_set.sha256 not in ("", digest):
            odd.append(f"{source} has SHA-256 {digest[:17]}, expected {data_set.sha256[:12]}…")
    if odd:
        raise CorpusError(
            f"{'; '.join(odd)}. The model would differ; to accept it, leave out the sha256 in a "
            "copy of the recipe"
        )
    return sources


def perturbed_page(page: GoldPage | Skipped, *, seed: int = 0) -> GoldPage | Skipped:
    """Return a copy of a page with perturbations drawn by its id, and with gold that follows.

    A page on which nothing can be changed is lost, and so is one with annotated nodes or blocks,
    whose places would change.
    """
    if isinstance(page, Skipped):
        return page
    if page.gold.marks or page.gold.blocks:
        return Skipped(page.id, "its annotations are tied to places", is_known=True)
    random = Random(crc32(f"{seed} {page.id}".encode()))
    html, gold = page.document().html, page.gold
    n_changes = 0
    for names, probability in GROUPS.items():
        name, is_drawn = random.choice(names), random.random() < probability
        if not is_drawn or (gold.posts and name.endswith(_FROM_TEXT)):
            continue
        try:
            changed = perturb(name, html, gold, page.url, variant=random.randrange(1, 2**32))
        except RenderError as error:
            return Skipped(page.id, str(error), is_known=True)
        if changed is not None:
            html, gold = changed.html, _followed(gold, changed)
            n_changes += 1
    if not n_changes:
        return Skipped(page.id, "nothing on it can be changed", is_known=True)
    return replace(page, data=html.encode("utf-8", "replace"), gold=gold, content_type=UTF8_HTML)


def _followed(gold: Gold, changed: Perturbed) -> Gold:
    """Return the gold with the lines and authors that a page has gained."""
    is_plain = any(kind == TEXT for kind, _ in gold.body)
    pieces = tuple(
        (TEXT if is_plain else "Subtitle" if line in changed.headings else "Paragraph", line)
        for line in changed.added
        if line.strip()
    )
    return replace(
        gold, body=gold.body + pieces, authors=tuple(dict.fromkeys(gold.authors + changed.authors))
    )
