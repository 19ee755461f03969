"""How the time and memory of one page grow with its size, for hostile pages of many kinds.

    python3 -m benchmarks.growth --size 250000 --size 1000000 --size 4000000
    python3 -m benchmarks.growth --only "font" --size 1000000 --format json

Each page is labelled and read as an article in a process of its own, without a browser and without
limit of time inside. The exponent is that of the time between the two largest sizes, less what an
ordinary small page takes: 1 is linear growth, 2 is quadratic. A page that is refused counts with
the time that the refusal took.
"""

from __future__ import annotations

import math
import multiprocessing
import resource
import signal
import sys
import time
from collections.abc import Sequence
from functools import lru_cache
from multiprocessing.connection import Connection

import click
from msgspec.structs import replace

from benchmarks.hostile_pages import GENERATORS
from structce.article import read_article
from structce.cli.options import format_option, print_table
from structce.errors import StructceError
from structce.labelling import DEFAULT_MODELS, RegionLabeller
from structce.rendering import (
    Limits,
    Settings,
    StaticRenderer,
    decode,
    with_bar,
    with_spans,
)

_SMALL = 0.05  # seconds that are within the noise: no exponent is read from them


@lru_cache(maxsize=1)
def _labeller() -> RegionLabeller:
    return RegionLabeller.load(DEFAULT_MODELS["static"])


def _label(html: bytes) -> None:
    """Render, label and read a page without a limit of time, as `structce.label` does with one."""
    limits = Limits(page_seconds=math.inf)
    document = replace(decode(html, name="page"), url="http://news.example/2026/ferry")
    page = StaticRenderer(settings=Settings(limits=limits)).render(document)
    read_article(_labeller().label(with_spans(page, document.html)))


def time_page(html: bytes) -> tuple[float, float, str]:
    """Return seconds of the processor, megabytes at the peak, and the error of a page."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start, error = time.process_time(), ""
    try:
        _label(html)
    except StructceError as problem:
        error = str(problem)
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return seconds, (peak - before) / 1e3, error


def _serve(pipe: Connection, name: str, size: int, limit: int) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))  # the system ends it then
    pipe.send(time_page(GENERATORS[name](size).encode("utf-8", "surrogatepass")))


def measure(name: str, size: int, limit: int) -> tuple[float, float, str]:
    """Return what `time_page` finds in a process of its own; infinity beyond a limit of seconds.

    They are processor seconds, so that other load on the machine does not count.
    """
    context = multiprocessing.get_context("fork")
    pipe, inner = context.Pipe()
    process = context.Process(target=_serve, args=(inner, name, size, limit))
    process.start()
    inner.close()
    try:
        result: tuple[float, float, str] = pipe.recv()
    except EOFError:
        process.join()
        is_late = process.exitcode in (-signal.SIGXCPU, -signal.SIGKILL)
        result = (math.inf, 0.0, f"over {limit} s" if is_late else "the process died")
    process.kill()
    process.join()
    return result


def growth(name: str, sizes: Sequence[int], limit: int) -> dict[str, object]:
    """Return a row of the table: seconds by size, exponent, peak, and the error."""
    row: dict[str, object] = {"page": name}
    seconds: list[float] = []
    peak, error = 0.0, ""
    for size in sizes:
        took, peak, error = measure(name, size, limit)
        seconds.append(took)
        row[f"{size // 1000:,} kB"] = round(took, 2)
        if took == math.inf:
            break
    exponent = math.nan
    if len(seconds) > 1:
        last, before = seconds[-1], max(seconds[-2], _SMALL)
        ratio = sizes[len(seconds) - 1] / sizes[len(seconds) - 2]
        exponent = math.log(max(last, before) / before) / math.log(ratio)
    return {**row, "exponent": round(exponent, 2), "MB": peak, "error": error[:60]}


@click.command()
@click.option("--size", "sizes", type=int, multiple=True, default=[250_000, 1_000_000, 4_000_000])
@click.option("--only", "parts", multiple=True, help="Only pages whose name contains this.")
@click.option(
    "--limit", default=120, show_default=True, help="Limit for one page, in processor seconds."
)
@format_option
def main(sizes: tuple[int, ...], parts: tuple[str, ...], limit: int, form: str) -> None:
    """Measure how time and memory grow with the size of hostile pages."""
    _label(GENERATORS["text"](2_000).encode())  # models and word lists are loaded once, before
    names = [name for name in GENERATORS if not parts or any(part in name for part in parts)]
    rows = (growth(name, sorted(sizes), limit) for name in names)
    results = []
    for row in with_bar(rows, len(names), what="growth"):
        results.append(row)
        print(row, file=sys.stderr, flush=True)
    print_table(results, form)


if __name__ == "__main__":
    main()
