"""Extractors in pipelines of datatrove and NeMo Curator: trafilatura and ours, in turns.

    python3 -m benchmarks.adapters FOLDER --pages 500 --turns 5

Pages of all data sets of a folder, as many of each, go through each package's own pipeline, once
per extractor. A turn is a part of the pages and one process per extractor, one after the other and
in reverse order at every second turn, so that the load of the machine affects all of them equally.
Each process gets ready on a page that does not count: neither imports nor the loading of the model
are timed. Processor seconds include every process that it started.
"""

from __future__ import annotations

import logging
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import asdict, astuple, dataclass, replace
from hashlib import sha256
from importlib.util import find_spec
from itertools import chain, zip_longest
from multiprocessing import get_context, get_start_method, set_start_method
from pathlib import Path
from typing import Any, TypeVar

import click
import psutil
from tqdm import tqdm

from benchmarks.corpora.archives import data_sets
from structce.cli.options import format_option, print_table
from structce.datasets import GoldPage
from structce.errors import StructceError
from structce.extras import installed_versions
from structce.io import encode_json, write_atomic
from structce.rendering import Resource, WarcWriter

T = TypeVar("T")

RAY = "nemo-curator on Ray"
PACKAGES = {"datatrove": "datatrove", "nemo-curator": "nemo_curator", RAY: "nemo_curator"}
"""Import names of the packages; the last is the one before with its own executor."""


@dataclass(frozen=True)
class RawPage:
    """Page without gold: its address, its bytes as they are stored, and the text of its HTML."""

    url: str
    data: bytes
    html: str


_WARM_UP_HTML = """<html lang="en"><title>Ferry to stop in June</title><article><h1>Ferry to stop in
June</h1><p>The ferry between the two towns will stop in June, the company said on Monday. Nobody
could say how long the works would take, or who would pay for them in the end.</p></article></html>
"""
WARM_UP = RawPage("https://post.example/warm-up", _WARM_UP_HTML.encode(), _WARM_UP_HTML)
"""Page on which a process gets ready."""


@dataclass(frozen=True)
class Figures:
    """Outcomes and costs of documents in a pipeline.

    Parameters
    ----------
    texts
        Documents with a text at the end of the pipeline.
    failures
        Exceptions, and processes that died.
    untried
        Documents that were never given to the extractor.
    seconds, processor
        Time on the clock, and processor time, in seconds.
    """

    documents: int = 0
    texts: int = 0
    failures: int = 0
    timeouts: int = 0
    empty: int = 0
    untried: int = 0
    seconds: float = 0.0
    processor: float = 0.0

    def __add__(self, other: Figures) -> Figures:
        return Figures(*map(sum, zip(astuple(self), astuple(other), strict=True)))


class Meter:
    """Counts and costs between the second page of a pipeline and its end.

    Parameters
    ----------
    counts
        Returns the counts until now, by the names of `Figures`.
    """

    def __init__(self, counts: Callable[[], Mapping[str, int]]) -> None:
        self.counts = counts
        self.figures = Figures()

    def timed(self, items: Iterator[T]) -> Iterator[T]:
        """Yield items; the first one gets the pipeline ready, the costs of the others count."""
        yield next(items)
        before, start, processor = self.counts(), time.perf_counter(), processor_seconds()
        try:
            yield from items
        finally:  # a pipeline that gives up closes the generator
            seconds = time.perf_counter() - start
            processor = processor_seconds() - processor
            counts = {name: value - before[name] for name, value in self.counts().items()}
            self.figures = Figures(**counts, seconds=seconds, processor=processor)


def processor_seconds() -> float:
    """Return the processor time of this process and of all below it, ended ones included."""
    seconds = sum(os.times()[:4])
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            seconds += sum(child.cpu_times()[:4])
    return seconds


Make = Callable[[float], Any]
"""Function that takes a time limit in seconds and returns an extractor."""


def run_datatrove(make: Make, pages: Sequence[RawPage], timeout: float) -> Figures:
    """Return the figures of pages in a pipeline of datatrove, run by its executor."""
    from datatrove.data import Document
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.utils.logging import logger

    logger.disable("datatrove")  # it describes the pipeline at every run

    def read(_: object, rank: int, world_size: int) -> Iterator[object]:
        for n, page in enumerate(meter.timed(iter((WARM_UP, *pages)))):
            yield Document(page.html, str(n), metadata={"url": page.url})

    meter = Meter(lambda: _datatrove_counts(executor.pipeline[1].stats))
    with tempfile.TemporaryDirectory() as folder:
        executor = LocalPipelineExecutor([read, make(timeout)], logging_dir=folder)
        executor.run()
    return meter.figures


def _datatrove_counts(stats: Mapping[str, Any]) -> dict[str, int]:
    return {
        "documents": stats["total"].total,
        "texts": stats["forwarded"].total,
        "failures": stats["clean_error"].total + stats["broken_process"].total,
        "timeouts": stats["timeout"].total,
        "empty": stats["dropped"].total,
    }


def run_nemo_curator(
    make: Make, pages: Sequence[RawPage], timeout: float, *, has_ray: bool = False
) -> Figures:
    """Return the figures of pages in a stage of NeMo Curator, which reads them from a WARC archive.

    The stage has no time limit. It is called here, or by NeMo Curator's executor for Ray Data in a
    process of Ray; costs are those of the process that extracts.
    """
    from nemo_curator.pipeline import Pipeline
    from nemo_curator.tasks import FileGroupTask

    stage = _timed_stage(make(timeout))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pages.warc.gz"
        _write_crawl(path, [WARM_UP, *pages])
        task = FileGroupTask(dataset_name="pages", data=[str(path)])
        if has_ray:
            from nemo_curator.backends.ray_data import RayDataExecutor

            pipeline = Pipeline(name="pages", stages=[stage])
            (batch,) = pipeline.run(RayDataExecutor(), initial_tasks=[task])
        else:
            batch = stage.process(task)
    figures = Figures(**batch._metadata["figures"])
    n_texts = sum(url != WARM_UP.url for url in batch.to_pandas().get("url", ()))
    n_tried = n_texts + figures.failures + figures.empty
    return replace(figures, documents=len(pages), texts=n_texts, untried=len(pages) - n_tried)


def _timed_stage(extractor: Any) -> Any:
    """Return NeMo Curator's stage, which adds the figures of its one file to the metadata."""
    from nemo_curator.stages.text.download.base.iterator import DocumentIterateExtractStage
    from nemo_curator.stages.text.download.common_crawl.warc_iterator import CommonCrawlWarcIterator

    class TimedStage(DocumentIterateExtractStage):  # type: ignore[misc]
        def process(self, task: Any) -> Any:
            tally, read = Tally(self.extractor), self.iterator.iterate
            meter = Meter(tally.counts)
            self.iterator.iterate = lambda path: meter.timed(read(path))
            with tally.listening():
                batch = super().process(task)
            batch._metadata["figures"] = asdict(meter.figures)
            return batch

    return TimedStage(CommonCrawlWarcIterator(), extractor)


class Tally(logging.StreamHandler):  # type: ignore[type-arg]
    """Counts of calls that failed or gave no text; ours log their failures, others raise them.

    Parameters
    ----------
    extractor
        Extractor of NeMo Curator; its calls are counted, or those of the algorithm that it calls.
    """

    def __init__(self, extractor: Any) -> None:
        super().__init__()
        self.n_raised = self.n_logged = self.n_without = 0
        if hasattr(extractor, "algorithm"):
            extractor.algorithm.extract_text = self.counted(extractor.algorithm.extract_text)
        else:
            extractor.extract = self.counted(extractor.extract)

    def counted(self, function: Callable[..., T]) -> Callable[..., T]:
        """Return a function that counts its calls and is otherwise the same."""

        def call(*arguments: Any) -> T:
            try:
                result = function(*arguments)
            except Exception:
                self.n_raised += 1
                raise
            self.n_without += not result
            return result

        return call

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Count what the adapter logs meanwhile."""
        log = logging.getLogger("structce.adapters.nemo_curator")
        log.addHandler(self)
        try:
            yield
        finally:
            log.removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Count a logged failure and show it."""
        self.n_logged += 1
        super().emit(record)

    def counts(self) -> dict[str, int]:
        """Return the counts by the names of `Figures`."""
        return {
            "failures": self.n_raised + self.n_logged,
            "empty": self.n_without - self.n_logged,
        }


def _write_crawl(path: Path, pages: Sequence[RawPage]) -> None:
    with WarcWriter(path) as archive:
        for page in pages:
            archive.add(page.url, Resource(page.data, "text/html", 200))


def _datatrove_trafilatura(timeout: float) -> Any:
    from datatrove.pipeline.extractors import Trafilatura

    return Trafilatura(timeout=timeout)


def _datatrove_ours(timeout: float) -> Any:
    from structce.adapters import DatatroveExtractor

    return DatatroveExtractor(timeout)


def _common_crawl_trafilatura(_: float) -> Any:
    from nemo_curator.stages.text.download.common_crawl.extract import CommonCrawlHTMLExtractor

    return CommonCrawlHTMLExtractor("trafilatura")


def _common_crawl_ours(_: float) -> Any:
    from nemo_curator.stages.text.download.common_crawl.extract import CommonCrawlHTMLExtractor

    from structce.adapters import CuratorAlgorithm

    return CommonCrawlHTMLExtractor(CuratorAlgorithm())


def _curator_ours(_: float) -> Any:
    from structce.adapters import CuratorExtractor

    return CuratorExtractor()


@dataclass(frozen=True)
class System:
    """An extractor in a package's pipeline."""

    package: str
    extractor: str
    make: Make

    def run(self, pages: Sequence[RawPage], timeout: float) -> Figures:
        """Return the figures of pages, obtained in this process."""
        if self.package == "datatrove":
            return run_datatrove(self.make, pages, timeout)
        return run_nemo_curator(self.make, pages, timeout, has_ray=self.package == RAY)

    def run_apart(self, pages: Sequence[RawPage], timeout: float) -> Figures:
        """Return the figures of pages, obtained in a separate process; Ray starts its own."""
        if self.package == RAY:
            return self.run(pages, timeout)
        context, default = get_context("spawn"), get_start_method()
        with ProcessPoolExecutor(1, context, _use_start_method, (default,)) as pool:
            return pool.submit(self.run, pages, timeout).result()


def _use_start_method(name: str) -> None:
    """Start the child of datatrove as elsewhere: a spawned process spawns its children, too."""
    set_start_method(name, force=True)


SYSTEMS = (
    System("datatrove", "Trafilatura", _datatrove_trafilatura),
    System("datatrove", "DatatroveExtractor", _datatrove_ours),
    *(
        System(package, extractor, make)
        for package in ("nemo-curator", RAY)
        for extractor, make in (
            ("TrafilaturaExtractor", _common_crawl_trafilatura),
            ("CuratorAlgorithm", _common_crawl_ours),
            ("CuratorExtractor", _curator_ours),
        )
    ),
)
"""The extractors that are compared. ``TrafilaturaExtractor`` and ``CuratorAlgorithm`` run inside
NeMo Curator's ``CommonCrawlHTMLExtractor``; ``CuratorExtractor`` replaces it."""


def read_pages(folder: Path, n_pages: int) -> list[RawPage]:
    """Return pages of all data sets of a folder, evenly spaced, the sets in turns.

    Pages that cannot be decoded are left out.
    """
    sets = list(data_sets(folder))
    chosen = []
    for reader, path in tqdm(sets, "reading", unit="set", disable=None, file=sys.stderr):
        every = [page for page in reader.read(path) if isinstance(page, GoldPage)]
        n = min(len(every), -(-n_pages // len(sets)))
        chosen.append([every[i * len(every) // n] for i in range(n)])
    pages = []
    for n, page in enumerate(filter(None, chain.from_iterable(zip_longest(*chosen)))):
        with suppress(StructceError):
            url = page.url or f"https://site{n}.example/"
            pages.append(RawPage(url, page.data, page.document().html))
    return pages[:n_pages]


def measure(
    systems: Sequence[System], pages: Sequence[RawPage], n_turns: int, timeout: float
) -> list[tuple[System, Figures]]:
    """Return the figures of every system in every turn, in the order in which they ran."""
    measured = []
    with tqdm(total=len(systems) * len(pages), unit="page", disable=None, file=sys.stderr) as bar:
        for turn in range(n_turns):
            part = pages[turn * len(pages) // n_turns : (turn + 1) * len(pages) // n_turns]
            for system in systems[:: -1 if turn % 2 else 1]:
                bar.set_description(system.extractor)
                measured.append((system, system.run_apart(part, timeout)))
                bar.update(len(part))
    return measured


def table_rows(
    systems: Sequence[System], measured: Sequence[tuple[System, Figures]]
) -> Iterator[dict[str, object]]:
    """Yield a row per system: the sums of its turns."""
    for system in systems:
        total = sum((figures for owner, figures in measured if owner == system), Figures())
        yield {
            "package": system.package,
            "extractor": system.extractor,
            "in": total.documents,
            "out": total.texts,
            "failures": total.failures,
            "time-outs": total.timeouts,
            "empty": total.empty,
            "not tried": total.untried,
            "seconds": total.seconds,
            "processor seconds": total.processor,
            "processor ms per page": 1000 * total.processor / max(1, total.documents),
        }


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--pages", "n_pages", type=click.IntRange(1), default=500, show_default=True)
@click.option("--turns", "n_turns", type=click.IntRange(1), default=5, show_default=True,
              help="Parts of the pages, between which the extractors take turns.")  # fmt: skip
@click.option("--package", "packages", multiple=True, type=click.Choice(tuple(PACKAGES)),
              default=tuple(PACKAGES), show_default=True)  # fmt: skip
@click.option("--timeout", default=10.0, show_default=True, metavar="SECONDS",
              help="Time limit per document in datatrove.")  # fmt: skip
@click.option("--json", "out", type=click.Path(path_type=Path), help="File for all turns.")
@format_option
def main(
    folder: Path,
    n_pages: int,
    n_turns: int,
    packages: tuple[str, ...],
    timeout: float,
    out: Path | None,
    form: str,
) -> None:
    """Run pages of the data sets in FOLDER through pipelines of other packages.

    Example: python3 -m benchmarks.adapters FOLDER --pages 500 --turns 5 --json turns.json
    """
    for module in ("trafilatura", *map(PACKAGES.__getitem__, packages)):
        if find_spec(module) is None:
            raise click.ClickException(f"{module} is not installed")
    versions = installed_versions("datatrove nemo-curator ray trafilatura".split())
    pages = read_pages(folder, n_pages)
    digest = sha256(b"".join(sha256(page.data).digest() for page in pages)).hexdigest()
    click.echo(f"{len(pages):,} pages, SHA-256 {digest[:16]}; {versions}", err=True)
    systems = [system for system in SYSTEMS if system.package in packages]
    measured = measure(systems, pages, n_turns, timeout)
    print_table(list(table_rows(systems, measured)), form)
    if out is not None:
        turns = [
            {"package": system.package, "extractor": system.extractor, **asdict(figures)}
            for system, figures in measured
        ]
        about = {"versions": versions, "pages": len(pages), "digest": digest, "timeout": timeout}
        write_atomic(out, encode_json({**about, "turns": turns}))


if __name__ == "__main__":
    main()
