"""Bulk labelling of one WARC archive, beside trafilatura, with kills.

    python3 benchmarks/bulk.py ../shared/data --pages 1000 --workers 2 --kills 5

An archive is made in a temporary folder of pages from all ZIP archives of a folder, evenly spaced.
``structce bulk`` and trafilatura, each in as many processes, then work on it one after the other.
Processor seconds are those of all their processes, so that they hold on a busy machine, too;
memory is sampled every second. With ``--kills`` a third run is killed at random moments,
alternating between the whole run and one of its child processes, workers or browsers, and compared
row by row with the first.

    python3 benchmarks/bulk.py ../shared/data --pages 1000 --scaling 4

works on the archive with one worker, two and so on instead, and compares the pages per second with
those of simulated runs (:func:`simulate_rate`), which go on to more workers than the
machine has cores. The start-up time is subtracted, as measured by a run over a tenth of the pages.
"""

from __future__ import annotations

import heapq
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from importlib.util import find_spec
from multiprocessing import Pool
from pathlib import Path
from threading import Event, Thread

import click
import psutil
import pyarrow.parquet

from structce.bulk import BulkSettings, SampleCosts, measure_sample
from structce.cli.options import format_option, print_table
from structce.errors import StructceError
from structce.io import json_line
from structce.rendering import READ_AHEAD, Resource, WarcFile, WarcWriter, open_sources

_RIVAL = "--rival"  # how this file calls itself for the other system
_SAMPLE = 300  # pages whose times are those of simulated runs
_SIMULATED = (4, 8, 16, 32, 64)  # workers of further simulated runs


@dataclass
class Measurement:
    """Costs of one command: seconds, processor seconds, and memory second by second."""

    seconds: float = 0.0
    processor: float = 0.0
    megabytes: list[float] = field(default_factory=list)

    def row(self, name: str, n_pages: int) -> dict[str, object]:
        """Return what the table shows; memory is the mean of a third of the run."""
        third = max(1, len(self.megabytes) // 3)
        middle, last = self.megabytes[third : 2 * third], self.megabytes[-third:]
        return {
            "system": name,
            "pages": n_pages,
            "seconds": self.seconds,
            "pages/s": n_pages / self.seconds,
            "pages per core second": n_pages / self.processor,
            "MB, middle third": sum(middle) / max(1, len(middle)),
            "MB, last third": sum(last) / max(1, len(last)),
        }


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--pages", "n_pages", type=click.IntRange(1), default=1000, show_default=True)
@click.option("--workers", type=click.IntRange(1), default=2, show_default=True)
@click.option("--shard-pages", type=click.IntRange(1), default=50, show_default=True)
@click.option("--renderer", type=click.Choice(("static", "chromium")), default="static")
@click.option("--kills", type=click.IntRange(0), default=0, help="Number of kills of a third run.")
@click.option(
    "--scaling", type=click.IntRange(0), default=0, help="Largest number of workers to measure."
)
@click.option("--seed", default=7, show_default=True)
@format_option
def main(
    folder: Path,
    n_pages: int,
    workers: int,
    shard_pages: int,
    renderer: str,
    kills: int,
    scaling: int,
    seed: int,
    form: str,
) -> None:
    """Measure bulk labelling on pages of a folder of ZIP archives."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        crawl = place / "crawl.warc.gz"
        n_written, digest = _make_crawl(folder, n_pages, crawl)
        click.echo(f"{n_written:,} pages, SHA-256 of their HTML {digest[:16]}", err=True)
        if scaling:
            _make_crawl(folder, max(3, n_pages // 10), place / "tenth.warc.gz")
            print_table(list(_scaling_rows(place, scaling, renderer)), form)
            return
        options = ["--workers", workers, "--shard-pages", shard_pages, "--renderer", renderer]
        command = _command(crawl, place / "out", options)
        rows = [_measure(command).row("structce bulk", n_written)]
        if find_spec("trafilatura") is not None:
            rival = [sys.executable, __file__, _RIVAL, str(crawl), str(workers)]
            rows.append(_measure(rival).row("trafilatura", n_written))
        print_table(rows, form)
        if kills:
            again = _command(crawl, place / "killed", options)
            n_runs = _run_with_kills(again, kills, rows[0]["seconds"], random.Random(seed))
            is_equal = _rows(place / "out") == _rows(place / "killed")
            click.echo(f"killed {kills} times, {n_runs} runs; equal row by row: {is_equal}")


def _scaling_rows(place: Path, most: int, renderer: str) -> Iterator[dict[str, object]]:
    """Yield measured and simulated pages per second by number of workers."""
    settings = BulkSettings(renderer=renderer)
    costs = measure_sample([str(place / "crawl.warc.gz")], settings, _SAMPLE)
    for workers in (*range(1, most + 1), *(n for n in _SIMULATED if n > most)):
        measured = _rate(place, workers, renderer) if workers <= most else None
        simulated = simulate_rate(costs, workers)
        yield {"workers": workers, "pages/s": measured, "pages/s, simulated": simulated}


def simulate_rate(
    costs: SampleCosts, workers: int, *, n_pages: int = 20_000, seed: int = 7
) -> float:
    """Return the pages per second of the engine ``local`` in a simulated run on idle cores.

    Pages with the times of the sample, drawn at random, are read one after the other, wait for one
    of the workers, and are taken in order, with as many pages in progress as the pool allows. Each
    worker and the reader have a core of their own; nothing waits for memory or disk.
    """
    times = random.Random(seed).choices(costs.work_seconds, k=n_pages)
    free = [0.0] * workers  # when each worker has done its last page
    taken: deque[float] = deque([0.0] * (READ_AHEAD * workers))
    read = last = 0.0
    for seconds in times:
        read = max(read, taken.popleft()) + costs.reading_seconds
        done = max(read, heapq.heappop(free)) + seconds
        heapq.heappush(free, done)
        last = max(last, done)  # a page that is done waits for those before it
        taken.append(last)
    return n_pages / last


def _rate(place: Path, workers: int, renderer: str) -> float:
    """Return pages per second after the start, from runs over all pages and over a tenth."""
    runs = []
    for name in ("crawl", "tenth"):
        out = place / f"{name}-{workers}"
        options = ["--workers", workers, "--shard-pages", 50, "--renderer", renderer]
        seconds = _measure(_command(place / f"{name}.warc.gz", out, options)).seconds
        runs.append((len(_rows(out)), seconds))
    (n_pages, seconds), (n_fewer, fewer_seconds) = runs
    return (n_pages - n_fewer) / (seconds - fewer_seconds)


def _make_crawl(folder: Path, n_pages: int, path: Path) -> tuple[int, str]:
    """Write pages of all archives of a folder as a WARC archive; return number and digest."""
    sources = list(open_sources(map(str, sorted(folder.glob("*.zip")))))
    step = max(1, len(sources) // n_pages)
    n_written, digest = 0, sha256()
    with WarcWriter(path) as archive:
        for i, source in enumerate(sources[::step][:n_pages]):
            with suppress(StructceError):
                data = source.read().html.encode("utf-8", "replace")
                resource_ = Resource(data, "text/html; charset=utf-8", 200)
                archive.add(f"https://site{i}.example/", resource_)
                digest.update(data)
                n_written += 1
    return n_written, digest.hexdigest()


def _command(crawl: Path, out: Path, options: Sequence[object]) -> list[str]:
    command = [sys.executable, "-m", "structce", "bulk", crawl, "-o", out, *options]
    return list(map(str, command))


def _measure(command: Sequence[str]) -> Measurement:
    measured, ended = Measurement(), Event()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    watch = Thread(target=_sample_memory, args=(process.pid, measured.megabytes, ended))
    watch.start()
    process.wait()
    measured.seconds = time.perf_counter() - start
    ended.set()
    watch.join()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    measured.processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return measured


def _sample_memory(pid: int, megabytes: list[float], ended: Event) -> None:
    """Sample the memory of a process and those below it, shared pages counted by their shares."""
    while not ended.wait(1.0):
        with suppress(psutil.Error):
            root = psutil.Process(pid)
            every = [root, *root.children(recursive=True)]
            megabytes.append(sum(each.memory_full_info().pss for each in every) / 1e6)


def _run_with_kills(
    command: Sequence[str], kills: int, seconds: object, moments: random.Random
) -> int:
    """Run a command until it ends, killed so many times; return how many runs it took."""
    n_runs, n_killed = 0, 0
    while True:
        n_runs += 1
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        while n_killed < kills:
            wait = moments.uniform(0.1, 0.6) * float(str(seconds))
            with suppress(subprocess.TimeoutExpired):
                process.wait(wait)
                break
            n_killed += 1
            if n_killed % 2:
                process.send_signal(signal.SIGKILL)
                break
            with suppress(psutil.NoSuchProcess, IndexError):  # none is left, or it has just ended
                moments.choice(psutil.Process(process.pid).children(recursive=True)).kill()
        if process.wait() in (0, 1):
            return n_runs


def _rows(out: Path) -> list[str]:
    """Return every row of the tables of a run."""
    paths = sorted([*out.glob("pages/*.parquet"), *out.glob("failed/*.parquet")])
    return [
        json_line(row) for path in paths for row in pyarrow.parquet.read_table(path).to_pylist()
    ]


def _rival_pages(crawl: Path) -> Iterator[str]:
    archive = WarcFile(crawl)
    for entry in archive.pages():
        with suppress(StructceError):
            yield archive.read(entry).html


def _rival(crawl: Path, workers: int) -> None:
    """Extract every page by trafilatura with metadata, in processes."""
    import trafilatura

    extract = partial(
        trafilatura.extract, with_metadata=True, output_format="json", include_comments=False
    )
    with Pool(workers) as pool:
        n_texts = sum(text is not None for text in pool.imap(extract, _rival_pages(crawl)))
    click.echo(f"trafilatura: text of {n_texts:,} pages", err=True)


if __name__ == "__main__":
    if sys.argv[1:2] == [_RIVAL]:
        _rival(Path(sys.argv[2]), int(sys.argv[3]))
    else:
        main()
