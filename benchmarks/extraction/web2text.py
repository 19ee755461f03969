"""Web2Text as it is trained here, beside the texts of its authors' program.

    python3 -m benchmarks.extraction.web2text FOLDER --out trained --pages 50

Mean ROUGE-LSum F1 on four sets beside the texts of the authors' program that the study of 2023
published. Networks are trained on CleanEval, as those of
the authors, and on WCXB and Fundus, without pages from sites of the four sets.

Training needs PyTorch (extra ``neural``), the gold of the study Resiliparse (extra ``peers``). What
is trained is kept in the folder and not trained again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import click
import numpy as np
from tabulate import tabulate

from benchmarks.extraction.study import (
    SETS,
    StudyPage,
    open_outputs,
    published,
    sentence_splitter,
    study_pages,
)
from structce.arrays import Flags
from structce.datasets import READERS, GoldPage
from structce.errors import StructceError
from structce.evaluation import rouge_lsum
from structce.extraction import (
    CollapsedDom,
    Extractor,
    ParsedDocument,
    Web2Text,
    Web2TextMethod,
)
from structce.extraction.trained import (
    TrainedExtractor,
    Training,
    read_trained,
    save_trained,
    training_digest,
)
from structce.rendering import decode, with_bar

_SETS_TO_LEARN = (("cleaneval",), ("fundus", "wcxb"))
# The authors' set, and sets whose licence allows to ship what was learnt.
_MOST = 1000  # pages that are learnt from
_SEED = 7


@dataclass(frozen=True)
class LeafPage:
    """Page whose leaves are labelled."""

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
        yield LeafPage(page.site, page.gold.text, dom, is_content)


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


@click.command()
@click.argument("data", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="Folder for what is trained.",
)
@click.option("--pages", type=int, help="Pages of each set, drawn at random, instead of all.")
def main(data: Path, out: Path, pages: int | None) -> None:
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
