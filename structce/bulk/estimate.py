"""Estimate of a bulk run from a sample of its pages: time, memory, disk, cores and cost."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice, pairwise
from statistics import fmean, stdev

import psutil

from structce.article import PageOutcome
from structce.bulk.inputs import Shard, list_inputs
from structce.bulk.tables import Row, failure_schema
from structce.bulk.work import BulkSettings, ShardWorker
from structce.errors import BulkError

_MOST_INPUTS = 10  # inputs from which a sample is taken
_CONFIDENT = 1.96  # standard errors on each side of a 95 % interval


@dataclass(frozen=True)
class SampleCosts:
    """Costs of the pages of a sample.

    Parameters
    ----------
    work_seconds
        Processor time of each page in the processes that render and label, browsers included.
    reading_seconds
        Processor time per page in the process that reads pages and encodes tables.
    worker_bytes, reader_bytes
        Memory of the processes that render and label, and of the one that reads.
    output_bytes
        Size of the tables per page.
    """

    n_pages: int
    n_failed: int
    work_seconds: tuple[float, ...]
    reading_seconds: float
    worker_bytes: int
    reader_bytes: int
    output_bytes: float


@dataclass(frozen=True)
class Fleet:
    """Machines for a bulk run, with the price of each per hour in any currency."""

    machines: int = 1
    cores: int = 1
    price: float = 0.0


def measure_sample(names: Iterable[str], settings: BulkSettings, n_pages: int) -> SampleCosts:
    """Return the costs of a sample, labelled by one worker as in a run; nothing is written.

    The sample is the beginnings of up to ten inputs, evenly spaced; it needs three pages.
    """
    inputs = list_inputs(names, network=settings.rendering.network)
    chosen = inputs[:: math.ceil(len(inputs) / _MOST_INPUTS) or 1]
    share = math.ceil(n_pages / max(1, len(chosen)))
    outcomes: list[PageOutcome[Row]] = []
    marks: list[float] = []
    memory = 0
    with ShardWorker(settings, 1) as worker:
        shards = [shard for source in chosen for shard in islice(worker.shards(source, share), 1)]
        failure_schema()  # imports Arrow, once in a run
        start, measuring = time.process_time(), 0.0
        loaders = (loader for shard in shards for loader in worker.loaders(shard))
        for outcome in worker.outcomes(loaders):
            outcomes.append(outcome)
            before = time.process_time()
            seconds, n_bytes = _use_of_children()
            measuring += time.process_time() - before
            marks.append(seconds)
            memory = max(memory, n_bytes)
        if len(outcomes) < 3:
            raise BulkError(f"a sample of {len(outcomes)} pages; at least 3 are needed")
        whole = Shard(0, "pages", "", 0, len(outcomes))
        tables = worker.tables(whole, outcomes)
        reading = (time.process_time() - start - measuring) / len(outcomes)
    return SampleCosts(
        n_pages=len(outcomes),
        n_failed=tables.n_failed,
        # The first mark contains the start of the processes.
        work_seconds=tuple(max(0.0, later - sooner) for sooner, later in pairwise(marks)),
        reading_seconds=reading,
        worker_bytes=memory,
        reader_bytes=psutil.Process().memory_info().rss,
        output_bytes=sum(map(len, tables.files.values())) / len(outcomes),
    )


def _use_of_children() -> tuple[float, int]:
    """Return processor seconds and memory of the processes below this one."""
    seconds, n_bytes = 0.0, 0
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            times = child.cpu_times()
            n_bytes += child.memory_info().rss
            seconds += times.user + times.system
    return seconds, n_bytes


def estimate_run(costs: SampleCosts, n_pages: float, fleet: Fleet) -> list[dict[str, object]]:
    """Return the needs of a run over ``n_pages``, as rows of name, value and unit.

    One worker per core is assumed, each with a reader of its own, as on Ray; locally all workers
    of the machine share one reader.
    """
    work = fmean(costs.work_seconds)
    error = _CONFIDENT * stdev(costs.work_seconds) / math.sqrt(len(costs.work_seconds))
    per_page = work + costs.reading_seconds
    n_cores = fleet.machines * fleet.cores
    hours = n_pages * per_page / n_cores / 3600
    margin = error / per_page
    rate = n_cores / per_page
    values: list[tuple[str, float, str]] = [
        ("sample", costs.n_pages, "pages"),
        ("failed in the sample", costs.n_failed, "pages"),
        ("rendering and labelling", 1000 * work, "ms of a core per page"),
        ("reading and writing", 1000 * costs.reading_seconds, "ms of a core per page"),
        ("pages", n_pages, "pages"),
        ("cores", n_cores, "cores"),
        ("time", hours, "hours"),
        ("time, at least", hours * (1 - margin), "hours, 95 % of samples"),
        ("time, at most", hours * (1 + margin), "hours, 95 % of samples"),
        ("rate", rate, "pages/s"),
        ("core hours", hours * n_cores, "hours"),
        ("memory", fleet.cores * (costs.worker_bytes + costs.reader_bytes) / 1e9, "GB per machine"),
        ("disk", n_pages * costs.output_bytes / 1e9, "GB"),
        ("writing", rate * costs.output_bytes / 1e6, "MB/s by one process"),
        ("cost", hours * fleet.machines * fleet.price, "in the currency of the price"),
    ]
    return [{"what": name, "value": value, "unit": unit} for name, value, unit in values]
