"""Verdicts on pages: how often they are right, whether risks hold, and texts found only in data.

    python3 -m benchmarks.verdicts kinds ../shared/data
    python3 -m benchmarks.verdicts coverage ../shared/data
    python3 -m benchmarks.verdicts data ../shared/data
    python3 -m benchmarks.verdicts thresholds ../shared/data --corpora corpora

- ``kinds``: a confusion table of 300 pages. Read and partial ones are of a set that trained no
  model, told apart by the F1 of their text; of the others some are real, and the rest are messages
  that stand alone, or in a real page in the place of its text.
- ``coverage``: of the pages kept at a risk, how many are read wrongly, on sets that trained none.
- ``data``: the text of a page is cut out of its source; is it found in the page's data?
- ``thresholds``: the table of risks of a model, by cross-validation of its recipe (an hour), and
  whether thresholds from three folds hold on the two others, by kind of page.
"""

from __future__ import annotations

import gzip
import math
import re
import tomllib
import zipfile
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
from scipy.stats import beta

from benchmarks.articles.corpora import DATA_SETS, ArticlePage, read_pages
from structce.article import RISKS, Article, PageReader, TextSource
from structce.article.quality import WELL_READ, risk_of
from structce.cli.options import print_table
from structce.errors import StructceError
from structce.evaluation import bag_overlap
from structce.labelling import ModelChoice
from structce.recipes import (
    collect_copies,
    collect_corpus,
    label_unseen,
    make_examples,
    read_recipe,
    read_unseen,
    trees_without,
    unseen_readers,
)
from structce.rendering import Document, StaticRenderer, decode, start_renderer

UNTRAINED = ("waddle", "dragnet")
_MISS = 0.1  # probability that the pages suggest thresholds that are too low
_FEWEST, _SHARE = 10, 1 / 3  # wrong pages at the risk, and share of all, of the first threshold
_N_STEPS = 50  # thresholds that are tested, at most
N_PAGES = {
    "read": 70,
    "partial": 50,
    "error page": 50,
    "wall": 50,
    "shell": 40,
    "not a document": 40,
}
_DOUBTFUL = 0.75  # F1 below which a page counts as partial; between the two it is neither
_WITH_DATA = re.compile(r"\"articleBody\"|__NEXT_DATA__|__NUXT|window\.__\w+__\s*=")

data_argument = click.argument("data", type=click.Path(exists=True, path_type=Path))


@click.group()
def main() -> None:
    """Measure verdicts on pages."""


class Read(NamedTuple):
    """A page of a data set, its article, and the F1 of its text."""

    page: ArticlePage
    article: Article
    f1: float


def _reader() -> PageReader:
    return PageReader(StaticRenderer(), ModelChoice())


def _read_all(data: Path, name: str) -> Iterator[Read]:
    """Yield the pages of a data set that can be read and have a whole text."""
    reader = _reader()
    for page in read_pages(data, name):
        if texts := page.reference.texts:
            try:
                article = reader(Document(page.html)).article
            except StructceError:
                continue
            yield Read(page, article, _f1(article, texts))


def _f1(article: Article, texts: tuple[str, ...]) -> float:
    return max(bag_overlap(article.text, text).f1 for text in texts)


@main.command()
@data_argument
def kinds(data: Path) -> None:
    """Print the confusion table of kinds, rows being what pages are."""
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    read = [row for name in UNTRAINED for row in _read_all(data, name)]
    well = [row for row in read if row.f1 >= WELL_READ]
    badly = [row for row in read if row.f1 < _DOUBTFUL and row.article.text]
    documents: list[tuple[str, str, Document]] = []
    for kind, rows in (("read", well), ("partial", badly)):
        documents += [(kind, row.page.id, Document(row.page.html)) for row in rows[: N_PAGES[kind]]]
    frames = cycle([row for row in well if _body_spans(row.article)])
    for kind, messages in table["messages"].items():
        real = [(kind, *found) for place in table["real"][kind] for found in _member(data, *place)]
        made = ((kind, *_made(n, kind, text, frames)) for n, text in enumerate(cycle(messages)))
        documents += [*real, *islice(made, N_PAGES[kind] - len(real))]
    counts, reader = Counter[tuple[str, str]](), _reader()
    for kind, name, document in documents:
        verdict = reader(document).article.verdict
        answer = verdict.kind if verdict else ""
        counts[kind, answer] += 1
        if answer != kind and kind not in ("read", "partial"):
            click.echo(f"{kind} {name}: {verdict}", err=True)
    print_table({"page": k, **{a: counts[k, a] for a in N_PAGES}} for k in N_PAGES)


def _member(data: Path, archive: str, ending: str) -> Iterator[tuple[str, Document]]:
    """Yield the name and document of a member of an archive."""
    with zipfile.ZipFile(data / f"{archive}.zip") as file:
        for name in file.namelist():
            if name.removesuffix(".gz").endswith(ending):
                content = file.read(name)
                content = gzip.decompress(content) if name.endswith(".gz") else content
                yield name, decode(content, name=name)
                return


def _made(n: int, kind: str, message: list[str], frames: Iterator[Read]) -> tuple[str, Document]:
    """Return a message alone on a page or, each second time, within the frame of a real page.

    What is no document never stands in such a frame.
    """
    title, html = message
    if n % 2 == 0 or kind == "not a document":
        return title, Document(
            f"<html><head><title>{title}</title></head><body>{html}</body></html>"
        )
    frame = next(frames)
    spans = _body_spans(frame.article)
    source, _ = _without(frame.page.html, spans)
    heading = frame.article.title.span if frame.article.title else None
    place = min(start for start, _ in [*spans, *([heading] if heading else [])])
    page = f"{source[:place]}</p>{html}{source[place:]}"
    head = f"<title>{title}</title>"
    return title, Document(re.sub(r"(?is)<title[^>]*>.*?</title>", lambda _: head, page, count=1))


def _body_spans(article: Article) -> list[tuple[int, int]]:
    blocks = (block for top in article.blocks for block in top.walk())
    return sorted({span for block in blocks for span in block.spans})


def _without(html: str, spans: list[tuple[int, int]]) -> tuple[str, int]:
    """Return HTML without its characters in spans, and the number of these."""
    pieces, end = [], 0
    for start, stop in spans:
        pieces.append(html[end : max(start, end)])
        end = max(stop, end)
    rest = "".join([*pieces, html[end:]])
    return rest, len(html) - len(rest)


@main.command()
@data_argument
def coverage(data: Path) -> None:
    """Print the share of wrong pages among those kept at each risk."""
    for name in UNTRAINED:
        read = list(_read_all(data, name))
        risks = np.array([_risk(row.article) for row in read])
        is_right = np.array([row.f1 >= WELL_READ for row in read])
        print_table(_coverage_rows(name, risks, is_right))


def _risk(article: Article) -> float:
    verdict = article.verdict
    return np.inf if verdict is None or verdict.risk is None else verdict.risk


def _coverage_rows(name: str, risks: np.ndarray, is_right: np.ndarray) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = [
        {"pages": name, "risk": 1.0, "kept": len(risks), "wrong": 1 - is_right.mean()}
    ]
    for risk in RISKS:
        kept = risks <= risk
        wrong = 1 - is_right[kept].mean() if kept.any() else float("nan")
        rows.append({"pages": name, "risk": risk, "kept": int(kept.sum()), "wrong": wrong})
    return rows


@main.command()
@data_argument
def data(data: Path) -> None:
    """Print how many texts that are cut out of their pages are found in the data."""
    reader, rows = _reader(), []
    for name in DATA_SETS:
        for page in read_pages(data, name):
            if not _WITH_DATA.search(page.html) or not page.reference.texts:
                continue
            try:
                article = reader(Document(page.html)).article
                html, n_cut = _without(page.html, _body_spans(article))
                before = _f1(article, page.reference.texts)
                if article.text_source or before < _DOUBTFUL or not n_cut:
                    rows.append((name, article.text_source, before, None))
                    continue
                after = reader(Document(html)).article
            except StructceError:
                continue
            rows.append((name, after.text_source, before, _f1(after, page.reference.texts)))
    cut = [row for row in rows if row[3] is not None]
    whole = [row for row in rows if row[3] is None and row[1] is not None]
    for name in ["all", "JSON-LD", "state", *dict.fromkeys(row[0] for row in cut)]:
        those = [row for row in cut if name in ("all", row[0], _kind_of(row[1]))]
        found = [row for row in those if row[1] is not None]
        click.echo(
            f"{name}: {len(those)} texts cut out, {len(found)} found in data, "
            f"{sum(row[3] >= WELL_READ for row in found)} of these right, F1 "
            f"{np.mean([row[3] for row in found] or [np.nan]):.3f} (before "
            f"{np.mean([row[2] for row in found] or [np.nan]):.3f})"
        )
    click.echo(f"of the pages as they are, {len(whole)} are read from data: {whole}")


def _kind_of(source: TextSource | None) -> str:
    return "" if source is None else "JSON-LD" if source.script == "ld+json" else "state"


@main.command()
@data_argument
@click.option("--corpora", required=True, type=click.Path(path_type=Path))
@click.option("--recipe", "name", default="news", show_default=True)
@click.option("--renderer", default="static", show_default=True)
def thresholds(data: Path, corpora: Path, name: str, renderer: str) -> None:
    """Print the table of risks of a recipe's model, and how it holds from fold to fold."""
    recipe, start = read_recipe(name), partial(start_renderer, renderer)
    say = partial(click.echo, err=True)
    corpus = collect_corpus(recipe, data, corpora, start, say=say)
    copies = collect_copies(recipe, data, corpora, start, corpus, say=say)
    unseen = label_unseen(corpus, recipe, copies, say=say)
    readers = unseen_readers(unseen, say=say)
    trees = trees_without(make_examples(unseen, readers), seed=recipe.seed)
    rows = [
        (page.fold, article.quality, bag_overlap(article.text, page.page.gold.text).f1, kind.value)
        for page, reading in read_unseen(unseen, trees, readers)
        if page.view == "stated" and page.page.gold and page.page.gold.text
        if (article := reading.article) and (kind := article.page_type)
    ]
    click.echo(f"{len(rows)} pages, digest {corpus.digest}")
    print_thresholds(rows)


def fit_risk_table(
    quality: np.ndarray, is_right: np.ndarray, is_article: np.ndarray
) -> dict[str, dict[str, float]]:
    """Return the least quality by kind of page and by risk, from pages that a model has not seen.

    A risk that the pages cannot vouch for is missing. Articles are apart, since the same quality
    means more on them (V. Vovk (2012). Conditional validity of inductive conformal predictors).
    """
    table: dict[str, dict[str, float]] = {}
    for kind, chosen in (("article", is_article), ("other", ~is_article)):
        bounds = {risk: least_quality(quality[chosen], is_right[chosen], risk) for risk in RISKS}
        # Rounded up, so that a stored threshold keeps no page that the tested one did not keep.
        table[kind] = {str(r): math.ceil(least * 1e4) / 1e4 for r, least in bounds.items() if least}
    return table


def least_quality(quality: np.ndarray, is_right: np.ndarray, risk: float) -> float | None:
    """Return the least quality at which a risk holds; None if the pages cannot vouch for it.

    Thresholds are tested from the highest quality down; the first at which the upper bound of
    Clopper and Pearson on the share of wrong pages exceeds the risk ends the sequence. For pages
    drawn as these are, the risk then holds with probability 1 - ``_MISS``, over their draw.

    References
    ----------
    A. N. Angelopoulos and others (2021). Learn then test: calibrating predictive algorithms to
    achieve risk control. arXiv:2110.01052 (fixed sequence testing on a split of the data).
    C. J. Clopper, E. S. Pearson (1934). The use of confidence or fiducial limits illustrated in the
    case of the binomial. Biometrika 26.
    """
    order = np.argsort(-quality, kind="stable")
    ranked, n_wrong = quality[order], np.cumsum(~is_right[order])
    first = math.ceil(max(_FEWEST / risk, _SHARE * len(quality)))
    least = None
    for n in range(first, len(quality) + 1, max(len(quality) // _N_STEPS, 1)):
        n_kept = int(np.searchsorted(-ranked, -ranked[n - 1], side="right"))  # with all ties
        wrong = int(n_wrong[n_kept - 1])
        if wrong == n_kept or beta.ppf(1 - _MISS, wrong + 1, n_kept - wrong) > risk:
            break
        least = float(ranked[n_kept - 1])
    return least


def print_thresholds(rows: list[tuple[int, float | None, float, str]]) -> None:
    """Print the table of risks of pages: fold, quality, F1 of the text and type of each."""
    folds, kinds = np.array([row[0] for row in rows]), np.array([row[3] for row in rows])
    quality = np.array([row[1] or 0.0 for row in rows])
    is_right = np.array([row[2] >= WELL_READ for row in rows])
    is_article = kinds == "article"
    for kind, bounds in fit_risk_table(quality, is_right, is_article).items():
        entries = (f'"{risk}" = {least}' for risk, least in bounds.items())
        click.echo(f"{kind} = {{ {', '.join(entries)} }}")
    risks = np.full(len(rows), np.inf)
    for tested in (folds % 2 == 0, folds % 2 == 1):
        table = fit_risk_table(quality[~tested], is_right[~tested], is_article[~tested])
        for n in np.flatnonzero(tested).tolist():
            risks[n] = risk_of(quality[n], kinds[n], table) or np.inf
    for kind in ("all", "article", "forum", "others"):
        others = ~is_article & (kinds != "forum")
        chosen = {"all": kinds != "", "others": others}.get(kind, kinds == kind)
        print_table(_coverage_rows(kind, risks[chosen], is_right[chosen]))


if __name__ == "__main__":
    main()
