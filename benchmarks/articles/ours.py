"""Answers of ours by cross-validation: every page is read by a model that saw no page of its group.

    python3 -m benchmarks.articles.ours ../shared/data --out answers --corpora corpora

Follows the recipe of the shipped models, whose folds part no sites, copies, templates or
publishers, and writes for each of its data sets ``DATA_SET/VIEW/ours-RENDERER.jsonl``, which the
leaderboard compares with the others; answers that favour precision or recall go to folders of that
name. ``--model`` also writes the model that is fitted to all pages.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import click

from benchmarks.articles.answers import Answer, plain
from benchmarks.articles.sureness import judge, sureness_table
from benchmarks.labels import show_scores
from structce.article import Article, Favour
from structce.corpus import Corpus
from structce.io import write_atomic
from structce.recipes import (
    Recipe,
    UnseenPage,
    answered,
    collect_copies,
    collect_corpus,
    fit_model,
    label_unseen,
    make_examples,
    read_recipe,
    read_unseen,
    trees_without,
    unseen_readers,
)
from structce.recipes.cross_validation import measure_unseen
from structce.recipes.ingredients import Log, new_ids
from structce.recipes.training import card_of
from structce.rendering import start_renderer

OTHER_FAVOURS: tuple[Favour, ...] = ("precision", "recall")


@click.command()
@click.argument("data", type=click.Path(exists=True, path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder of answers.")
@click.option("--corpora", required=True, type=click.Path(path_type=Path))
@click.option("--recipe", "name", default="news", show_default=True)
@click.option("--renderer", default="static", show_default=True)
@click.option("--model", type=click.Path(path_type=Path), help="Folder for the fitted model.")
def main(
    data: Path, out: Path, corpora: Path, name: str, renderer: str, model: Path | None
) -> None:
    """Write the answers of ours on the data sets of a recipe."""
    recipe, start = read_recipe(name), time.process_time()
    say = partial(_say, start)
    corpus = collect_corpus(recipe, data, corpora, partial(start_renderer, renderer), say=say)
    say(f"{len(corpus)} pages, digest {corpus.digest[:12]}")
    copies = collect_copies(
        recipe, data, corpora, partial(start_renderer, renderer), corpus, say=say
    )
    unseen = label_unseen(corpus, recipe, copies, say=say)
    click.echo("\nLabels of the labeller alone")
    plain_pages = [page for page in unseen if not page.is_copy]
    show_scores(plain_pages, corpus, corpora / f"fundus-{renderer}")
    readers = unseen_readers(unseen, say=say)
    say("candidates")
    examples = make_examples(unseen, readers)
    say("articles of unseen sites")
    trees = trees_without(examples, seed=recipe.seed)
    readings = list(read_unseen(unseen, trees, readers))
    answers = answered(readings)
    click.echo("\nLabels of the answer")
    show_scores(answers, corpus, corpora / f"fundus-{renderer}")
    read = [(page, reading.article) for page, reading in readings]
    table = sureness_table(judge(read))
    write_atomic(out / f"sureness-{renderer}.md", table.encode())
    click.echo(table)
    places = _places(corpus, recipe, corpora, renderer)
    _write(_files(read, places, out, renderer), say)
    for favour in OTHER_FAVOURS:
        others = read_unseen(plain_pages, trees, readers, favour=favour)
        articles = ((page, reading.article) for page, reading in others)
        _write(_files(articles, places, out / favour, renderer), say)
    if model is not None:
        fitted = fit_model(corpus, recipe, unseen, examples, copies, say=say)
        fitted.card |= card_of(
            corpus, recipe, measure_unseen(answers, corpus.label_set, seed=recipe.seed)
        )
        fitted.save(model)
        say(f"{model} written")


def _write(files: Iterable[tuple[Path, list[Answer]]], say: Log) -> None:
    for path, given in files:
        lines = "".join(f"{json.dumps(plain(answer), ensure_ascii=False)}\n" for answer in given)
        write_atomic(path, lines.encode("utf-8", "replace"))
        say(f"{path}: {len(given)} answers")


def _say(start: float, line: str) -> None:
    click.echo(f"{time.process_time() - start:7.0f} s  {line}", err=True)


def _places(
    corpus: Corpus, recipe: Recipe, corpora: Path, renderer: str
) -> dict[str, tuple[str, str]]:
    """Return data set and id there of each page of a merged corpus."""
    places = {}
    for source, renamed in zip(recipe.data, new_ids(corpus, recipe), strict=True):
        for page in Corpus.load(corpora / f"{source.name}-{renderer}"):
            places[renamed.get(page.id, page.id)] = (source.name, page.id)
    return places


def _files(
    read: Iterable[tuple[UnseenPage, Article]],
    places: dict[str, tuple[str, str]],
    out: Path,
    renderer: str,
) -> Iterator[tuple[Path, list[Answer]]]:
    """Yield the file of each data set and view with its answers."""
    files: dict[Path, list[Answer]] = {}
    for unseen, article in read:
        name, page_id = places[unseen.page.id]
        path = out / name / unseen.view / f"ours-{renderer}.jsonl"
        files.setdefault(path, []).append(_answer(page_id, article))
    yield from files.items()


def _answer(page_id: str, article: Article) -> Answer:
    return Answer(
        page_id,
        title=article.title.value if article.title else "",
        authors=tuple(author.value for author in article.authors),
        date=article.date.value[:10] if article.date else "",
        text=article.text,
    )


if __name__ == "__main__":
    main()
