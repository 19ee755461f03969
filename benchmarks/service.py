"""Load on the HTTP service: its capacity, then 80 % of it, then 300 % of it, then recovery.

    python3 benchmarks/service.py data/sample/pages --workers 1 --seconds 20

A server is started on this machine, and ended at the end. Its capacity is measured by as many
clients as keep all its workers busy, each of which sends a page when the last is answered. The
other rates do not depend on the answers, as with unrelated clients: each request has a client of
its own. Seconds and requests of every phase are bounded. Times are those that the clients see; the
clients take processor time of the same machine.
"""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from time import perf_counter

import click
import httpx
import numpy as np
import psutil

from structce.cli.options import format_option, print_table

_TIMEOUT = 120.0  # seconds that a client waits for its answer
_HEADERS = {"content-type": "text/html"}
_REFUSED = 503


@dataclass
class Load:
    """Answers to the requests of one phase.

    Parameters
    ----------
    rate
        Requests per second that were sent; 0 where each client waits for its answer.
    answers
        Status and seconds of each; status 0 for none.
    """

    name: str
    rate: float = 0.0
    answers: list[tuple[int, float]] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def pages_per_second(self) -> float:
        """Pages that were answered in each second."""
        return sum(status == 200 for status, _ in self.answers) / self.seconds

    def row(self, megabytes: float) -> dict[str, object]:
        """Return what the table shows."""
        counts = Counter(status for status, _ in self.answers)
        n_others = len(self.answers) - counts[200] - counts[_REFUSED]
        return {
            "phase": self.name,
            "sent, 1/s": self.rate or None,
            "requests": len(self.answers),
            "answered": counts[200],
            "refused": counts[_REFUSED],
            "errors": n_others,
            "pages/s": self.pages_per_second,
            **self._percentiles("answer", 200),
            **self._percentiles("refusal", _REFUSED),
            "MB": megabytes,
        }

    def _percentiles(self, name: str, wanted: int) -> dict[str, object]:
        times = [1000 * seconds for status, seconds in self.answers if status == wanted]
        shares = (50, 95)
        if not times:
            return {f"{name} {share} %, ms": None for share in shares}
        return {f"{name} {share} %, ms": float(np.percentile(times, share)) for share in shares}


@dataclass(frozen=True)
class Target:
    """A server under load, and what is sent to it."""

    client: httpx.AsyncClient
    pages: Iterator[bytes]
    path: str

    async def send(self, load: Load) -> None:
        """Send the next page, and note what comes back."""
        start, status = perf_counter(), 0
        with suppress(httpx.HTTPError):
            answer = await self.client.post(self.path, content=next(self.pages), headers=_HEADERS)
            status = answer.status_code
        load.answers.append((status, perf_counter() - start))


async def saturate(target: Target, n_clients: int, seconds: float, n_requests: int) -> Load:
    """Return the load of clients that send their next page when the last is answered."""
    load, start = Load("capacity"), perf_counter()

    async def ask() -> None:
        while perf_counter() - start < seconds and len(load.answers) < n_requests:
            await target.send(load)

    await asyncio.gather(*(ask() for _ in range(n_clients)))
    load.seconds = perf_counter() - start
    return load


async def keep_rate(
    target: Target, name: str, rate: float, seconds: float, n_requests: int
) -> Load:
    """Return the load of requests at a rate, whatever is answered."""
    load, start = Load(name, rate), perf_counter()
    async with asyncio.TaskGroup() as group:
        for number in range(min(n_requests, int(rate * seconds))):
            await asyncio.sleep(max(0.0, start + number / rate - perf_counter()))
            group.create_task(target.send(load))
    load.seconds = perf_counter() - start
    return load


@contextmanager
def started_server(workers: int, queue: int) -> Iterator[tuple[psutil.Process, str]]:
    """Start a server, and give its process and address; its log goes to a file that is deleted."""
    command = [sys.executable, "-m", "structce", "serve", "--port", "0"]
    command += ["--workers", str(workers), "--queue", str(queue)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log"
        with path.open("ab") as log:
            process = subprocess.Popen(command, stderr=log)
        try:
            yield psutil.Process(process.pid), f"http://127.0.0.1:{_port(process, path)}"
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)


def _port(process: subprocess.Popen[bytes], log: Path) -> int:
    """Return the port that the first line of a server's log names."""
    while process.poll() is None:
        line, end, _ = log.read_text("utf-8").partition("\n")
        if end:
            return int(json.loads(line)["port"])
        time.sleep(0.1)
    raise click.ClickException("the server did not start")


@asynccontextmanager
async def ready_target(address: str, pages: Sequence[bytes], path: str) -> AsyncIterator[Target]:
    """Give a target whose workers have loaded their models."""
    limits = httpx.Limits(max_connections=500, max_keepalive_connections=50)
    async with httpx.AsyncClient(base_url=address, timeout=_TIMEOUT, limits=limits) as client:
        while (await client.get("/ready")).status_code != 200:
            await asyncio.sleep(0.2)
        target = Target(client, cycle(pages), path)
        warm = Load("warm-up")
        for _ in range(min(20, len(pages))):
            await target.send(warm)
        yield target


def megabytes_of(process: psutil.Process) -> float:
    """Return the memory of a process and its children."""
    every = [process, *process.children(recursive=True)]
    return sum(part.memory_info().rss for part in every) / 1e6


async def measure(
    process: psutil.Process, address: str, pages: Sequence[bytes], path: str,
    workers: int, seconds: float, steady: float, n_requests: int,
) -> list[dict[str, object]]:  # fmt: skip
    """Return a row for each phase; the first at 80 % of the capacity lasts ``steady`` seconds."""
    rows = []
    async with ready_target(address, pages, path) as target:
        load = await saturate(target, 2 * workers, seconds, n_requests)
        rows.append(load.row(megabytes_of(process)))
        capacity = load.pages_per_second
        phases = (("80 %", 0.8, steady), ("300 %", 3.0, seconds), ("80 % again", 0.8, seconds))
        for name, share, duration in phases:
            load = await keep_rate(target, name, share * capacity, duration, n_requests)
            rows.append(load.row(megabytes_of(process)))
    return rows


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--path", default="/v1/label", show_default=True, help="Endpoint to request.")
@click.option("--workers", default=1, show_default=True)
@click.option("--queue", default=16, show_default=True)
@click.option(
    "--seconds", default=20.0, show_default=True, help="Largest number of seconds of each phase."
)
@click.option("--steady", type=float, help="Seconds of the first phase below capacity.")
@click.option(
    "--requests",
    "n_requests",
    default=2_000,
    show_default=True,
    help="Largest number of requests of each phase.",
)
@format_option
def main(
    folder: Path, path: str, workers: int, queue: int, seconds: float, steady: float | None,
    n_requests: int, form: str,
) -> None:  # fmt: skip
    """Print what a server answers at its capacity, below it and far above it."""
    pages = [file.read_bytes() for file in sorted(folder.glob("*.html"))]
    if not pages:
        raise click.UsageError(f"{folder}: contains no *.html file")
    with started_server(workers, queue) as (process, address):
        rows = asyncio.run(
            measure(process, address, pages, path, workers, seconds, steady or seconds, n_requests)
        )
    print_table(rows, form)


if __name__ == "__main__":
    main()
