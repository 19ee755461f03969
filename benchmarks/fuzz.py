r"""Damaged pages through the whole reading, to find memory that compiled code must not touch.

Build the kernels with sanitizers in a checkout, and let their libraries be loaded before Python::

    CFLAGS="-fsanitize=address,undefined -fno-sanitize-recover=undefined" \
        LDFLAGS="-fsanitize=address,undefined" python3 setup.py build_ext --inplace --force
    LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)" \
        ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc \
        python3 -m benchmarks.fuzz ../shared/data --seconds 3600 --seed 7

A sanitizer that finds a fault ends the process with its report. The page that is being read is
in the folder of ``--out``, where pages stay that raise an error other than those of
:mod:`structce.errors`; the command then ends with exit code 1.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import click

from benchmarks.articles.speed import SETS, some_pages
from benchmarks.hostile_pages import GENERATORS
from structce import kernels
from structce.article.reader import PageReader
from structce.errors import StructceError
from structce.labelling import ModelChoice
from structce.rendering import StaticRenderer, decode, with_bar

LARGEST = 300_000
"""Bytes of a damaged page."""

_N_CHANGES = (1, 3, 10, 40, 200)
_LENGTHS = (1, 5, 30, 300, 5000)  # bytes that one change takes away or repeats
_HOSTILE_SIZE = 20_000
_MARKS = "< > \" ' & &amp &#x = / <!-- --> <![CDATA[ &nbsp;".split()
_TAGS = "<p> </div> <svg> <math> <table> <td> <iframe/> <title> <script> </script> <style>".split()
_TEXTS = ["By Ann Lee", "12 March 2020", 'class="byline"', 'style="top:0"', "é", "字", "İ", "😀"]
_LONG = [50 * " ", 30 * "<br>", 200 * "<b>"]
_BYTES = [b"\0", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"]
_PIECES = [piece.encode() for piece in _MARKS + _TAGS + _TEXTS + _LONG] + _BYTES


def damaged(html: bytes, random: Random) -> bytes:
    """Return a page with pieces put in, taken out, repeated elsewhere, or with other bytes."""
    page = bytearray(html)
    for _ in range(random.choice(_N_CHANGES)):
        at, length = random.randrange(len(page) + 1), random.choice(_LENGTHS)
        kind = random.choice(("insert", "insert", "delete", "repeat", "replace"))
        if kind == "insert":
            page[at:at] = random.choice(_PIECES)
        elif kind == "delete":
            del page[at : at + length]
        elif kind == "repeat":
            source = random.randrange(len(page) + 1)
            page[at:at] = page[source : source + length]
        else:
            page[at : at + 1] = bytes([random.randrange(128)])
    return bytes(page[:LARGEST])


def is_read(reader: PageReader, html: bytes, path: Path) -> bool:
    """Read a page, and keep it at a path and return False if an unexpected error is raised."""
    path.write_bytes(html)
    try:
        reader(decode(html, name=path.name))
    except StructceError:
        pass
    except Exception as error:
        click.echo(f"{path}: {error!r}", err=True)
        return False
    path.unlink()
    return True


@click.command()
@click.argument("data", type=click.Path(exists=True, path_type=Path))
@click.option("--pages", "n_pages", default=60, show_default=True, help="Pages of each data set.")
@click.option("--seconds", default=3600.0, show_default=True, help="Time to go on for.")
@click.option("--seed", default=7, show_default=True, help="Seed of the choice and the damage.")
@click.option("--out", default="fuzz", show_default=True, type=click.Path(path_type=Path),
              help="Folder for pages that raise errors.")  # fmt: skip
def main(data: Path, n_pages: int, seconds: float, seed: int, out: Path) -> None:
    """Read damaged pages of data sets, and hostile ones, until the time is up."""
    sources = [page.html.encode() for page in some_pages(data, SETS, n_pages, seed)]
    sources += [generate(_HOSTILE_SIZE).encode() for generate in GENERATORS.values()]
    reader = PageReader(StaticRenderer(), ModelChoice())
    out.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + seconds

    def outcomes() -> Iterator[bool]:
        for n in itertools.count():
            if time.monotonic() > end:
                return
            random, path = Random(f"{seed} {n}"), out / f"{seed}-{n}.html"
            html = damaged(random.choice(sources), random)
            yield is_read(reader, html, path)

    results = list(with_bar(outcomes(), 0, what="damaged"))
    build, n_errors = "compiled" if kernels.compiled else "NumPy's", results.count(False)
    click.echo(f"{len(results)} damaged pages, {build} kernels, {n_errors} unexpected errors")
    sys.exit(1 if n_errors else 0)


if __name__ == "__main__":
    main()
