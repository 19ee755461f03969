"""Records of labelled pages, and tables that are written into Markdown files."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import click

from structce.article import Article, FieldValue, article_record, labelled_regions, region_record
from structce.errors import SourceError
from structce.io import write_atomic
from structce.labeller import Labelling

PageRecord = dict[str, object]
"""One page as JSON values; with ``error`` instead of the fields where labelling failed."""


def labelling_record(
    labelling: Labelling, article: Article, *, all_regions: bool = False, has_blocks: bool = False
) -> PageRecord:
    """Return the article and the regions of a labelled page as JSON values.

    Parameters
    ----------
    all_regions
        Whether the regions of the background are listed, too.
    has_blocks
        Whether the blocks of the article's body are listed.
    """
    regions = labelled_regions(labelling, all_regions=True) if all_regions else article.regions
    record = article_record(article, has_blocks=has_blocks)
    return {**record, "regions": [region_record(one) for one in regions]}


def without_doubtful(article: Article, least: float) -> Article:
    """Return an article without the values whose confidence is below the least one."""
    kept: dict[str, object] = {}
    for one in fields(article):
        value = getattr(article, one.name)
        if isinstance(value, FieldValue) and value.confidence < least:
            kept[one.name] = None
    authors = tuple(one for one in article.authors if one.confidence >= least)
    return replace(article, **kept, authors=authors)  # type: ignore[arg-type]  # None or a value


def file_stem(number: int, source: str) -> str:
    """Return the stem of the name of a file about a source."""
    stem = Path(source).name.split(".html")[0].split(".htm")[0]
    name = "".join(c if c.isalnum() or c in "-_" else "-" for c in stem)[:60] or "page"
    return f"{number:05d}-{name}"


TABLE_END = "<!-- end -->"
"""Line of a Markdown file that ends generated tables."""


def write_between(path: Path | None, begin: str, text: str) -> None:
    """Replace the text between the line ``begin`` and the line ``TABLE_END`` of a file.

    Without a file the text is printed.

    Raises
    ------
    SourceError
        If the marks are not there, one each, in order; the file stays as it is.
    """
    if path is None:
        click.echo(text)
        return
    start, found, rest = path.read_text("utf-8").partition(begin)
    _, end, after = rest.partition(TABLE_END)
    if not found or not end or begin in rest or TABLE_END in after:
        raise SourceError(f"{path}: expected one line {begin} and one line {TABLE_END} below it")
    write_atomic(path, f"{start}{begin}\n\n{text}\n\n{TABLE_END}{after}".encode())
