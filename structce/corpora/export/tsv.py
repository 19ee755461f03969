r"""Tab-separated values in the manner of CoNLL: a line a region, a blank line behind each page.

::

    # columns = number tag xpath text label
    # page = de-Post_2026_03_14
    # site = post.example
    # url = https://post.example/1
    0	h1	/html[1]/body[1]/h1[1]/text()[1]	Ferry stops in June	Title
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from structce.corpora.export.writing import shown, whole
from structce.corpus import Corpus, LabelledPage

COLUMNS = ("number", "tag", "xpath", "text", "label")
"""The first is a number from 0, so that no line of a region can begin with ``#``."""

_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def write_tsv(corpus: Corpus, out: Path) -> None:
    r"""Write one line a region, in UTF-8, with lines that end in ``\n``.

    In every value a tab, a line feed, a carriage return and a backslash are written ``\t``,
    ``\n``, ``\r`` and ``\\``; quotation marks stand for themselves. An unknown label is ``?``.
    """
    with whole(out) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        file.write(f"# columns = {' '.join(COLUMNS)}\n")
        for page in shown(corpus):
            file.writelines(_lines(page))


def _lines(page: LabelledPage) -> Iterator[str]:
    head = {"page": page.id, "site": page.site, "url": page.page.url}
    for name, value in head.items():
        yield f"# {name} = {value.translate(_ESCAPES)}\n"
    for region, label in zip(page.page, page.labels, strict=True):
        values = (str(region.index), region.tag, region.xpath, region.text, label)
        yield "\t".join(value.translate(_ESCAPES) for value in values) + "\n"
    yield "\n"
