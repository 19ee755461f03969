"""Train the byline reader, and measure it on names in bylines of unseen sites.

    python3 -m benchmarks.bylines ../shared/data --corpora corpora --out structce/models/bylines

Cross-validation over groups of sites. A byline is a line of a page in which the gold's authors were
found, or a text in which metadata state them; the table reports precision and recall of names in
these by language, with and without everything that the page states, and the share of other lines
near headline and date in which a name is found.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import click
from tabulate import tabulate

from structce.bylines import NOTHING_STATED, save_reader
from structce.corpus import Corpus
from structce.evaluation import name_key
from structce.language import language_code
from structce.recipes import Recipe, collect_corpus, read_recipe
from structce.recipes.byline_examples import BylineExample, page_examples
from structce.recipes.bylines import fit_reader
from structce.rendering import start_renderer

RECIPE = Path(__file__).with_suffix(".toml")
_FEW_NAMES = 15  # fewest bylines of a language for meaningful scores
_LEAN = 0.7  # as candidates of an article are read
_LINE_LENGTH = 100

NamesByReader = Mapping[str, Sequence[Sequence[str]]]
"""Names that each reader found, one list per byline, by the reader's name."""


@click.command()
@click.argument("data", type=click.Path(exists=True, path_type=Path))
@click.option("--corpora", required=True, type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Folder for the reader.")
@click.option("--measure/--no-measure", default=True, show_default=True)
def main(data: Path, corpora: Path, out: Path | None, measure: bool) -> None:
    """Train the byline reader, and measure it by cross-validation over sites."""
    recipe, start = read_recipe(RECIPE), time.process_time()
    say = partial(_say, start)
    corpus = collect_corpus(recipe, data, corpora, partial(start_renderer, "static"), say=say)
    say(f"{len(corpus)} pages, digest {corpus.digest[:12]}")
    examples = [example for page in corpus for example in page_examples(page)]
    say(f"{len(examples)} lines, {sum(example.is_byline for example in examples)} bylines")
    table = ""
    if measure:
        table = score_table(*cross_validate(examples, corpus, recipe, say))
        click.echo(table)
    if out is not None:
        reader = fit_reader(examples, recipe.learner.parameters)
        about = _about(corpus, recipe, examples, len(reader.columns))
        save_reader(out, reader, about=about, card=_card(about, recipe, table))
        say(f"{out} written")


def _say(start: float, line: str) -> None:
    click.echo(f"{time.process_time() - start:7.0f} s  {line}", err=True)


def cross_validate(
    examples: Sequence[BylineExample], corpus: Corpus, recipe: Recipe, say: partial[None]
) -> tuple[list[BylineExample], NamesByReader]:
    """Return the lines of all folds, and the names that each reader found in them."""
    parts = corpus.folds(recipe.folds, by="site", seed=recipe.seed)
    tested: list[BylineExample] = []
    readings: dict[str, list[list[str]]] = {"sequence": [], "sequence, bare": []}
    for n, part in enumerate(parts):
        say(f"fold {n + 1} of {len(parts)}")
        sites = {example.family for example in part}
        reader = fit_reader(
            [example for example in examples if example.site not in sites],
            recipe.learner.parameters,
        )
        for example in (example for example in examples if example.site in sites):
            tested.append(example)
            for name, stated in (("sequence", example.stated), ("sequence, bare", NOTHING_STATED)):
                names = reader.read_all(
                    [example.text], example.lang, stated, [example.hints], lean=_LEAN
                )[0]
                readings[name].append([name.text for name in names])
    return tested, readings


def score_table(examples: Sequence[BylineExample], readings: NamesByReader) -> str:
    """Return precision and recall of names, and other lines with a name, by language."""
    rows = [_row("all", range(len(examples)), examples, readings)]
    languages: dict[str, list[int]] = {}
    for i, example in enumerate(examples):
        languages.setdefault(language_code(example.lang) or "not stated", []).append(i)
    for name, places in sorted(languages.items(), key=lambda item: -len(item[1])):
        if sum(examples[i].is_byline for i in places) >= _FEW_NAMES:
            rows.append(_row(name, places, examples, readings))
    heads = [f"{name}: {what}" for name in readings for what in ("P", "R", "others")]
    table: str = tabulate(rows, ["language", "bylines", *heads], "pipe", floatfmt=".3f")
    return table


def _row(
    name: str, places: Sequence[int], examples: Sequence[BylineExample], readings: NamesByReader
) -> list[object]:
    some = [examples[i] for i in places]
    scores = (_scores(some, [names[i] for i in places]) for names in readings.values())
    numbers = [number for score in scores for number in score]
    return [name, sum(example.is_byline for example in some), *numbers]


def _scores(
    examples: Sequence[BylineExample], predictions: Sequence[Sequence[str]]
) -> tuple[float, float, float]:
    """Return precision and recall of names in bylines, and the share of other lines with one."""
    right = wrong = missed = n_others = named_others = 0
    for example, names in zip(examples, predictions, strict=True):
        found = {name_key(name) for name in names} - {""}
        gold = {name_key(name) for name in example.names}
        if example.is_byline:
            right += len(found & gold)
            wrong += len(found - gold)
            missed += len(gold - found)
        elif not gold:
            n_others += 1
            named_others += bool(found)
    found_names, gold_names = max(right + wrong, 1), max(right + missed, 1)
    return right / found_names, right / gold_names, named_others / max(n_others, 1)


def _about(
    corpus: Corpus, recipe: Recipe, examples: Sequence[BylineExample], n_columns: int
) -> dict[str, object]:
    return {
        "recipe": recipe.name,
        "model_licence": recipe.model_licence,
        "corpus_digest": corpus.digest,
        "licence": corpus.licence,
        "data": [{"name": source.name, "sha256": source.sha256} for source in recipe.data],
        "pages": len(corpus),
        "sites": len(corpus.sites),
        "lines": len(examples),
        "bylines": sum(example.is_byline for example in examples),
        "columns": n_columns,
        "parameters": dict(recipe.learner.parameters),
    }


def _card(about: Mapping[str, object], recipe: Recipe, table: str) -> str:
    data = tabulate(
        [(source.name, source.sha256) for source in recipe.data], ["data set", "SHA-256"], "pipe"
    )
    return f"""# bylines: names of authors in bylines

A linear-chain CRF over the tokens of bylines, for `structce.bylines.load_reader`. {recipe.notes}
Licence of this folder: {recipe.model_licence}. Made by `python3 -m benchmarks.bylines`.

It learnt from {about["bylines"]:,} bylines among {about["lines"]:,} lines of {about["pages"]:,}
pages of {about["sites"]:,} sites (digest `{about["corpus_digest"]}`), and from invented bylines in
every language of the word lists; {about["columns"]:,} columns. No page, and no line of one, is in
it, but words of bylines and given names that authors have.

{data}

{about["licence"]}

## Names found on unseen sites

Cross-validation over groups of sites: precision (P) and recall (R) of the names in bylines, and the
share of other lines near headline and day in which a name is found; on all pages, and without what
they state.

{table}
"""


if __name__ == "__main__":
    main()
