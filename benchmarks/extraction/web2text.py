"""Web2Text as it is trained here: leaves of CleanEval, and texts beside those of its authors.

    python3 -m benchmarks.extraction.web2text leaves FOLDER --out trained
    python3 -m benchmarks.extraction.web2text leaves FOLDER --out trained --method regions
    python3 -m benchmarks.extraction.web2text study FOLDER --out trained --pages 50

``leaves`` is Table 1 of J. Leonhardt, A. Anand and M. Khosla (2020), Boilerplate removal using a
neural sequence labeling model, WWW companion: precision, recall and F1 of both classes over the
texts of CleanEval's test pages, trained on the development pages. Web2Text's authors trained on 55
pages, validated on 5 and tested on 676; the archive that is read here has 57 development pages, of
which a seed leaves 5 out, and 672 test pages.

``study`` is mean ROUGE-LSum F1 on four sets beside the texts of the authors' program that the study
of 2023 published (see ``benchmarks.extraction.published``). Networks are trained on CleanEval, as
those of the authors, and on WCXB and Fundus, without pages from sites of the four sets.

Training needs PyTorch (extra ``neural``), the gold of the study Resiliparse (extra ``peers``). What
is trained or measured is kept in the folder and not done again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import click
import numpy as np
from tabulate import tabulate

from benchmarks.extraction.cleaneval import CLASS_COLUMNS, N_VALIDATION, PAPER
from benchmarks.extraction.published import sentence_splitter
from benchmarks.extraction.study import SETS, StudyPage, open_outputs, published, study_pages
from structce.arrays import Flags, Integers
from structce.datasets import READERS, GoldPage
from structce.errors import StructceError
from structce.evaluation import rouge_lsum
from structce.extraction import (
    CollapsedDom,
    Extractor,
    ParsedDocument,
    Web2Text,
    Web2TextMethod,
    make_extractor,
)
from structce.extraction.trained import (
    TrainedExtractor,
    Training,
    read_trained,
    save_trained,
    training_digest,
)
from structce.io import encode_json, write_atomic
from structce.rendering import decode, with_bar

_SHARE = 2 / 3  # of a leaf's words that an extraction must have
_TWICE = "final-60"  # a page that is among the development pages, too
_SETS_TO_LEARN = (("cleaneval",), ("fundus", "wcxb"))
# The authors' set, and sets whose licence allows to ship what was learnt.
_MOST = 1000  # pages that are learnt from
_SEED = 7


@dataclass(frozen=True)
class LeafPage:
    """Page whose leaves are labelled."""

    id: str
    site: str
    text: str
    dom: CollapsedDom
    is_content: Flags


def read_leaves(data: Path, name: str) -> Iterator[LeafPage]:
    """Yield the pages of a set that can be read and have a text."""
    for page in READERS[name].read(data / f"{name}.zip"):
        if not isinstance(page, GoldPage) or not page.gold.text:
            continue
        try:
            dom = CollapsedDom.of(ParsedDocument.of(page.document()))
            is_content = dom.content_leaves(page.gold.text)
        except StructceError as error:
            click.echo(f"error: {error}", err=True)
            continue
        yield LeafPage(page.id, page.site, page.gold.text, dom, is_content)


def trained(
    path: Path, pages: Callable[[], Sequence[LeafPage]], names: Sequence[str], *, seed: int
) -> Web2Text:
    """Return the extractor of a file, which is trained if the file does not exist."""
    if not path.exists():
        own = pages()
        click.echo(f"Training on {len(own)} pages: {path.name}", err=True)
        method = Web2TextMethod(seed=seed)
        model = method.fit_leaves([page.dom for page in own], [page.is_content for page in own])
        digest = training_digest([page.dom.document for page in own], [page.text for page in own])
        sites = {page.site for page in own}
        training = Training(tuple(names), len(own), len(sites), digest)
        save_trained(path, TrainedExtractor("web2text", model, training))
    extractor = read_trained(path).extractor
    if not isinstance(extractor, Web2Text):
        raise click.ClickException(f"{path} contains another extractor")
    return extractor


def without_validation(pages: Sequence[LeafPage], seed: int) -> list[LeafPage]:
    """Return the development pages less five that the seed draws."""
    drawn = np.random.default_rng(seed).permutation(len(pages))[N_VALIDATION:]
    return [pages[i] for i in sorted(drawn.tolist())]


def chosen_leaves(extractor: Extractor, dom: CollapsedDom) -> Flags:
    """Return which leaves have two thirds of their words in an extraction."""
    if isinstance(extractor, Web2Text):
        return extractor.choose(dom)
    try:
        extraction = extractor.extract(dom.document)
    except StructceError:
        return np.zeros(dom.n_leaves, dtype=bool)
    if not extraction.spans:
        return dom.content_leaves(extraction.text)
    kept = np.concatenate(([0], np.cumsum(dom.document.words_in(extraction.spans))))
    n_kept = kept[dom.end_word] - kept[dom.first_word]
    chosen: Flags = n_kept >= _SHARE * (dom.end_word - dom.first_word)
    return chosen


def count_leaves(pages: Sequence[LeafPage], extractor: Extractor) -> Integers:
    """Return how many leaves of each class (row) an extractor takes for each (column)."""
    counts = np.zeros((2, 2), dtype=np.int64)
    for page in with_bar(pages, len(pages), what="leaves"):
        chosen = chosen_leaves(extractor, page.dom)
        np.add.at(counts, (page.is_content.astype(int), chosen.astype(int)), 1)
    return counts


def class_scores(counts: Integers) -> tuple[float, ...]:
    """Return precision, recall and F1 of boilerplate, then of content; 0 where nothing is found."""
    scores: list[float] = []
    for i in range(2):
        right, predicted, there = counts[i, i], counts[:, i].sum(), counts[i].sum()
        scores += (
            right / max(predicted, 1),
            right / max(there, 1),
            2 * right / max(predicted + there, 1),
        )
    return tuple(map(float, scores))


def leaf_table(rows: Mapping[str, Sequence[float]]) -> str:
    """Return the scores of systems beside the published ones."""
    every = [(name, "here", *row) for name, row in rows.items()]
    every += [(name, "published", *row) for name, row in PAPER.items()]
    return tabulate(every, ("system", "source", *CLASS_COLUMNS), "github", floatfmt=".3f")


def kept_counts(path: Path, count: Callable[[], Integers]) -> Integers:
    """Return the counts of a file, which is written if it does not exist."""
    if not path.exists():
        write_atomic(path, encode_json(count().tolist()))
    return np.array(json.loads(path.read_bytes()), dtype=np.int64)


def pages_to_learn(data: Path, names: Sequence[str]) -> list[LeafPage]:
    """Return pages of sets, in a random order, from sites that are not in the study's sets."""
    theirs = {
        page.site
        for name in SETS
        for page in READERS[name].read(data / f"{name}.zip")
        if isinstance(page, GoldPage)
    }
    pages = [page for name in names for page in read_leaves(data, name) if page.site not in theirs]
    drawn = np.random.default_rng(_SEED).permutation(len(pages))[:_MOST]
    return [pages[i] for i in drawn.tolist()]


def mean_rouge(texts: Sequence[tuple[str, str]]) -> float:
    """Return mean ROUGE-LSum F1 of texts, each with its gold."""
    split, _ = sentence_splitter()
    by_sentence = {"split": split} if split else {}
    bar = with_bar(texts, len(texts), what="ROUGE-LSum")
    return fmean(rouge_lsum(text, gold, str.split, **by_sentence).f1 for text, gold in bar)


def extracted(extractor: Extractor, page: StudyPage) -> str:
    """Return what an extractor finds in a page; nothing where it fails."""
    try:
        return extractor.extract(ParsedDocument.of(decode(page.html, name=page.file))).text
    except StructceError:
        return ""


def study_sample(data: Path, name: str, n_pages: int | None) -> list[tuple[StudyPage, str]]:
    """Return pages of a set of the study, drawn at random, and the texts of the program."""
    gold, theirs = study_pages(data, name), published(open_outputs(data), name, "web2text")
    files = sorted(theirs.keys() & gold.keys())
    drawn = np.random.default_rng(_SEED).permutation(len(files))[:n_pages]
    return [(gold[files[i]], theirs[files[i]].text) for i in drawn.tolist()]


@click.group()
def main() -> None:
    """Measure Web2Text as it is trained here."""


@main.command()
@click.argument("data", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="Folder for what is trained or measured.",
)
@click.option("--seeds", type=int, default=3, show_default=True)
@click.option("--method", "methods", multiple=True, help="Extractor to compare with.")
def leaves(data: Path, out: Path, seeds: int, methods: tuple[str, ...]) -> None:
    """Print precision, recall and F1 of the leaves of CleanEval's test pages."""
    every = list(read_leaves(data, "cleaneval"))
    pages = [page for page in every if page.id.startswith("dev-")]
    test = [page for page in every if not page.id.startswith("dev-") and page.id != _TWICE]
    click.echo(f"{len(pages)} development pages, {len(test)} test pages")
    rows: dict[str, tuple[float, ...]] = {}
    for seed in range(seeds):
        path = out / f"cleaneval-{seed}.trained"
        model = trained(
            path, lambda seed=seed: without_validation(pages, seed), ["cleaneval"], seed=seed
        )
        for name, extractor in {"unary": Web2Text(model.unary), "web2text": model}.items():
            kept = out / f"leaves.{name}.{seed}.json"
            counts = kept_counts(kept, lambda extractor=extractor: count_leaves(test, extractor))
            rows[f"{name}, seed {seed}"] = class_scores(counts)
    for method in methods:
        system = make_extractor(method)
        kept = out / f"leaves.{method}.json"
        counts = kept_counts(kept, lambda system=system: count_leaves(test, system))
        rows[method] = class_scores(counts)
    click.echo(leaf_table(rows))


@main.command()
@click.argument("data", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="Folder for what is trained or measured.",
)
@click.option("--pages", type=int, help="Pages of each set, drawn at random, instead of all.")
def study(data: Path, out: Path, pages: int | None) -> None:
    """Print mean ROUGE-LSum F1 beside that of the authors' texts."""
    networks = {
        "+".join(names): trained(
            out / f"{'-'.join(names)}.trained",
            lambda names=names: pages_to_learn(data, names),
            names,
            seed=0,
        )
        for names in _SETS_TO_LEARN
    }
    rows = []
    for name in SETS:
        drawn = study_sample(data, name, pages)
        texts = {"authors' program": [(theirs, page.gold) for page, theirs in drawn]}
        for learnt, own in networks.items():
            texts[learnt] = [(extracted(own, page), page.gold) for page, _ in drawn]
        rows.append((name, len(drawn), *map(mean_rouge, texts.values())))
    names = ("set", "pages", "authors' program", *(f"trained on {name}" for name in networks))
    click.echo(tabulate(rows, names, "github", floatfmt=".3f"))


if __name__ == "__main__":
    main()
