"""Our measures on texts that others published, beside the scores that they published for them.

    python3 -m benchmarks.extraction.published FOLDER --out scores
    python3 -m benchmarks.extraction.published FOLDER --out scores --pages 50
    python3 -m benchmarks.extraction.published FOLDER --out scores --method bte --method dsc

Every system and set is measured once and kept in the folder, one file each; existing files are not
measured again. The report has three parts: how far our scores are from the published ones, with
every page that is off by more than 0.005; the F1 of shingles beside the table of the article
extraction benchmark; and all published outputs by the complexity of pages.

The gold of the study needs Resiliparse (extra ``peers``). Its sentences are those of NLTK's Punkt
for English; where NLTK or its data ``punkt_tab`` is not there, lines are taken as sentences, and
the scores of ROUGE-LSum differ more.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import fmean

import click
import numpy as np
from tabulate import tabulate

from benchmarks.extraction.study import (
    SETS,
    Published,
    StudyPage,
    open_outputs,
    published,
    study_pages,
    systems_of,
)
from structce.errors import StructceError
from structce.evaluation import (
    complexity,
    four_overlaps,
    levenshtein_ratio,
    quantile_groups,
    rouge_lsum,
    rouge_n,
    shingle_counts,
    shingle_overlap,
)
from structce.extraction import Extractor, ParsedDocument, extract, make_extractor
from structce.io import encode_json, write_atomic
from structce.rendering import decode, with_bar

_N_BOOTSTRAPS = 1_000
TOLERANCE = 0.005
"""Largest difference of a page's score that counts as equal."""

_ZYTE = "article-extraction-benchmark"
_SHOWN = ("rouge", "levenshtein", "characters", "sequence", "bag", "set")
_GROUPS = ("low", "medium", "high")
ZYTE_F1 = {
    "AutoExtract": 0.970, "Diffbot": 0.951, "boilerpipe": 0.860, "dragnet": 0.907,
    "go_domdistiller": 0.927, "go_trafilatura": 0.960, "goose3": 0.896, "inscriptis": 0.679,
    "justext": 0.804, "newspaper": 0.949, "readability": 0.922, "readability_js": 0.947,
    "rs_trafilatura": 0.970, "trafilatura": 0.958,
}  # fmt: skip
"""F1 on all 181 pages, as the article extraction benchmark publishes it; 171 are available here."""

Split = Callable[[str], Sequence[str]]


@dataclass(frozen=True)
class PageRow:
    """Scores of one system on one page: ours, and the study's where there are some."""

    file: str
    rouge: float
    levenshtein: float
    rouge5: float
    characters: float
    sequence: float
    bag: float
    set: float
    shingles: tuple[float, float, float]
    their_rouge: float | None = None
    their_levenshtein: float | None = None


@dataclass(frozen=True)
class SystemRows:
    """Scores of one published system on the pages of one set."""

    origin: str
    data_set: str
    system: str
    pages: tuple[PageRow, ...]


def sentence_splitter() -> tuple[Split | None, str]:
    """Return what cuts a text into sentences as the study does, and what it is; None for lines."""
    try:
        import nltk

        nltk.sent_tokenize("One. Two.")
    except (ImportError, LookupError):
        return None, "lines (NLTK or its data punkt_tab is not here)"
    return nltk.sent_tokenize, f"NLTK {nltk.__version__}, Punkt, English"


def score_page(file: str, output: Published, gold: str, split: Split | None) -> PageRow:
    """Return all scores of a text."""
    by_sentence = {"split": split} if split else {}
    four = four_overlaps(output.text, gold)
    return PageRow(
        file,
        rouge_lsum(output.text, gold, str.split, **by_sentence).f1,
        levenshtein_ratio(output.text, gold),
        rouge_n(output.text, gold, 5).f1,
        *(four[name].f1 for name in ("characters", "sequence", "bag", "set")),
        shingle_counts(output.text, gold),
        output.rouge,
        output.levenshtein,
    )


@dataclass(frozen=True)
class Texts:
    """Texts of one system on one set.

    Parameters
    ----------
    origin
        ``study``, ``zyte``, or ``here`` for what runs here.
    of
        Text and scores of a file.
    """

    origin: str
    data_set: str
    system: str
    of: Callable[[str], Published]
    files: Set[str]


def _texts(data: Path) -> Iterator[Texts]:
    """Yield the texts of all that was published."""
    outputs = open_outputs(data)
    for name in SETS:
        for system in systems_of(outputs, name):
            by_file = published(outputs, name, system)
            yield Texts("study", name, system, by_file.__getitem__, by_file.keys())
    files = sorted(file.name for file in (outputs / "zyte2026").iterdir())
    for file in (file for file in files if file.endswith(".json")):
        rows = json.loads((outputs / "zyte2026" / file).read_bytes())
        by_file = {
            f"html/{name}.html.gz": Published(row.get("articleBody") or "", None, None)
            for name, row in rows.items()
        }
        system = file.removesuffix(".json")
        yield Texts("zyte", _ZYTE, system, by_file.__getitem__, by_file.keys())


def measure(data: Path, out: Path, methods: Sequence[str], n_pages: int | None) -> list[SystemRows]:
    """Return the scores of every system and set, from the folder where they are there already."""
    golds = {name: study_pages(data, name) for name in SETS}
    every = [*_texts(data), *_own_texts(golds, methods)]
    return [_scored(golds[texts.data_set], texts, out, n_pages) for texts in every]


def _own_texts(
    golds: Mapping[str, Mapping[str, StudyPage]], methods: Sequence[str]
) -> Iterator[Texts]:
    """Yield the texts of methods that run here, page by page when they are asked for."""
    for method in methods:
        extractor = make_extractor(method)
        for name, pages in golds.items():
            yield Texts("here", name, method, partial(_run, extractor, pages), pages.keys())


def _run(extractor: Extractor, pages: Mapping[str, StudyPage], file: str) -> Published:
    """Return what an extractor finds in a page; nothing where it fails."""
    try:
        document = ParsedDocument.of(decode(pages[file].html, name=file))
        return Published(extractor.extract(document).text, None, None)
    except StructceError:
        return Published("", None, None)


def _scored(
    pages: Mapping[str, StudyPage], texts: Texts, out: Path, n_pages: int | None
) -> SystemRows:
    kept = out / f"{texts.origin}.{texts.data_set}.{texts.system}.{n_pages or 'all'}.json"
    if not kept.exists():
        split, _ = sentence_splitter()
        files = sorted(texts.files & pages.keys())[:n_pages]
        bar = with_bar(files, len(files), what=f"{texts.data_set} {texts.system}")
        rows = [score_page(file, texts.of(file), pages[file].gold, split) for file in bar]
        write_atomic(kept, encode_json([asdict(row) for row in rows], indent=None))
    page_rows = (PageRow(**row) for row in json.loads(kept.read_bytes()))
    return SystemRows(texts.origin, texts.data_set, texts.system, tuple(page_rows))


def page_complexity(page: StudyPage) -> float:
    """Return the complexity of a page; 0 where the page cannot be read."""
    try:
        return complexity(page.gold, extract(decode(page.html, name=page.file), "plain").text)
    except StructceError:
        return 0.0


def agreement_table(every: Sequence[SystemRows]) -> str:
    """Return how far our scores are from the study's, and the pages that are off."""
    rows, exceptions = [], []
    for output in (output for output in every if output.origin == "study"):
        row: dict[str, object] = {"set": output.data_set, "system": output.system}
        for name in ("rouge", "levenshtein"):
            gaps = {
                page.file: getattr(page, name) - theirs
                for page in output.pages
                if (theirs := getattr(page, f"their_{name}")) is not None
            }
            off = {file: gap for file, gap in gaps.items() if abs(gap) > TOLERANCE}
            largest = max(map(abs, gaps.values()), default=float("nan"))
            row |= {f"{name} pages": len(gaps), "off": len(off), f"largest {name}": largest}
            row[f"{name} off"] = row.pop("off")
            exceptions += [
                (output.data_set, output.system, name, file, gap) for file, gap in off.items()
            ]
        rows.append(row)
    table = tabulate(rows, headers="keys", tablefmt="github", floatfmt=".4f")
    listed = tabulate(exceptions, ("set", "system", "score", "page", "ours less theirs"), "github")
    return f"{table}\n\nOff by more than {TOLERANCE}: {len(exceptions)}\n\n{listed}"


def shingle_table(every: Sequence[SystemRows]) -> str:
    """Return the F1 of shingles beside that of the article extraction benchmark."""
    rows = []
    on_set = (output for output in every if output.origin != "study" and output.data_set == _ZYTE)
    for output in on_set:
        ours = shingle_overlap(page.shingles for page in output.pages)
        error = shingle_error([page.shingles for page in output.pages])
        theirs = ZYTE_F1.get(output.system)
        gap = None if theirs is None else ours.f1 - theirs
        rows.append((output.system, ours.precision, ours.recall, ours.f1, error, theirs, gap))
    rows.sort(key=lambda row: -row[3])
    names = ("system", "precision", "recall", "F1", "standard error", "published F1", "difference")
    return tabulate(rows, names, "github", floatfmt=".3f")


def shingle_error(pages: Sequence[tuple[float, float, float]], seed: int = 7) -> float:
    """Return the standard deviation of the F1 of shingles over 1,000 bootstraps of the pages.

    As the article extraction benchmark estimates the error of its table.
    """
    draws = np.random.default_rng(seed).integers(0, len(pages), (_N_BOOTSTRAPS, len(pages)))
    return float(np.std([shingle_overlap([pages[i] for i in draw]).f1 for draw in draws]))


def complexity_table(every: Sequence[SystemRows], values: Mapping[tuple[str, str], float]) -> str:
    """Return mean ROUGE-LSum F1 of all published outputs by the complexity of pages."""
    numbers = quantile_groups(list(values.values()))
    group = dict(zip(values, numbers, strict=True))
    systems: dict[tuple[str, str], list[tuple[int, PageRow]]] = {}
    for output in every:
        own = systems.setdefault((output.system, output.origin), [])
        own += [(group[output.data_set, page.file], page) for page in output.pages]
    rows = []
    for (system, origin), pages in systems.items():
        means = [_mean(page.rouge for n, page in pages if n == number) for number in range(3)]
        parts = [_mean(getattr(page, name) for _, page in pages) for name in _SHOWN]
        rows.append((system, origin, len(pages), *parts, *means))
    rows.sort(key=lambda row: (row[1], -row[3]))
    names = ("system", "source", "pages", *_SHOWN, *(f"rouge, {name}" for name in _GROUPS))
    return tabulate(rows, names, "github", floatfmt=".3f")


def _mean(values: Iterator[float]) -> float:
    every = list(values)
    return fmean(every) if every else float("nan")


@click.command()
@click.argument("data", type=click.Path(exists=True, path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder of scores.")
@click.option("--method", "methods", multiple=True, help="Extractor of ours to compare with them.")
@click.option("--pages", type=int, help="Pages of each set, instead of all.")
def main(data: Path, out: Path, methods: tuple[str, ...], pages: int | None) -> None:
    """Measure published outputs, and print how our scores compare with the published ones."""
    every = measure(data, out, methods, pages)
    values = {
        (name, file): page_complexity(page)
        for name in SETS
        for file, page in study_pages(data, name).items()
    }
    click.echo(f"Sentences: {sentence_splitter()[1]}\n")
    click.echo(f"## Agreement with the study\n\n{agreement_table(every)}\n")
    click.echo(f"## Shingles\n\n{shingle_table(every)}\n")
    click.echo(f"## By complexity\n\n{complexity_table(every, values)}")


if __name__ == "__main__":
    main()
