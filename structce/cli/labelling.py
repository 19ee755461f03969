"""``structce label`` and ``structce render``: pages in, records or snapshots out."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click
from tqdm import tqdm

from structce.article import Value, read_article
from structce.cli.options import browser_option, format_option, print_rows, renderer_option
from structce.errors import BrowserError, RenderError, SourceError
from structce.files import write_whole
from structce.labeller import DEFAULT_MODELS, Labelling, RegionLabeller
from structce.page import Page
from structce.rendering import ChromiumRenderer, Source, open_sources, start_renderer
from structce.rendering.overlay import draw
from structce.snapshot import pack_page

Record = dict[str, object]


@click.command(epilog="Example:  structce label page.html https://example.org/news - < other.html")
@click.argument("sources", nargs=-1, required=True, metavar="SRC...")
@click.option("--model", metavar="MODEL", help="Folder or name of a model. Default: a shipped one.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "json", "text", "csv"]),
    default="jsonl",
    show_default=True,
    help="One JSON object a line, a JSON array, plain text, or a table.",
)
@click.option("--all-regions", is_flag=True, help="List the regions labelled None, too.")
@click.option(
    "--overlay",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Also write a picture of each page with its labels (needs the chromium renderer).",
)
@renderer_option
@browser_option
def label(
    sources: tuple[str, ...],
    model: str | None,
    form: str,
    all_regions: bool,
    overlay: Path | None,
    renderer: str | None,
    browser: str | None,
) -> None:
    """Label pages: files (.html, .html.gz), folders, addresses, or - for standard input.

    A page that cannot be labelled gives a record with "error"; the others go on, and the command
    exits with 1.
    """
    opened = start_renderer(renderer, browser=browser)
    model = model or DEFAULT_MODELS[opened.name]
    labeller = RegionLabeller.load(model)
    write, failed = _WRITERS[form](), 0
    if overlay is not None and not isinstance(opened, ChromiumRenderer):
        raise click.UsageError("--overlay needs the chromium renderer; see 'structce doctor'")
    with opened:
        for number, source in enumerate(_watched(list(open_sources(sources)))):
            try:
                document = source.read()
                page = opened.render(document)
            except BrowserError:
                raise
            except (SourceError, RenderError) as error:
                failed += 1
                write.send({"source": source.name, "error": str(error)})
                click.echo(f"error: {error}", err=True)
                continue
            record: Record = {"source": source.name, "url": page.url, "renderer": page.renderer}
            labelling = labeller.label(page)
            write.send({**record, "model": model, **_record(labelling, all_regions)})
            if overlay is not None and isinstance(opened, ChromiumRenderer):
                names = [
                    None if n == labelling.label_set.background else n for n in labelling.labels
                ]
                picture = draw(opened, document, page, names)
                write_whole(overlay / f"{number:05d}-{_stem(source.name)}.png", picture)
    write.close()
    if failed:
        raise click.exceptions.Exit(1)


@click.command(epilog="Example:  structce render pages/ --out snapshots --renderer chromium")
@click.argument("sources", nargs=-1, required=True, metavar="SRC...")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder to write to.")
@format_option
@renderer_option
@browser_option
def render(
    sources: tuple[str, ...], out: Path, form: str, renderer: str | None, browser: str | None
) -> None:
    """Render pages and keep their regions as snapshots, one file a page."""
    rows: list[Record] = []
    with start_renderer(renderer, browser=browser) as opened:
        for number, source in enumerate(_watched(list(open_sources(sources)))):
            page = _read(source, opened.render)
            if isinstance(page, str):
                rows.append({"source": source.name, "regions": 0, "snapshot": "", "error": page})
                continue
            path = out / f"{number:05d}-{_stem(source.name)}.json.gz"
            write_whole(path, pack_page(page))
            row = {"source": source.name, "regions": len(page), "snapshot": str(path), "error": ""}
            rows.append(row)
    print_rows(rows, form)
    if any(row["error"] for row in rows):
        raise click.exceptions.Exit(1)


def _read(source: Source, render: Callable[..., Page]) -> Page | str:
    """Return the page of a source, or what is wrong with it."""
    try:
        return render(source.read())
    except BrowserError:
        raise
    except (SourceError, RenderError) as error:
        return str(error)


def _watched(sources: list[Source]) -> Iterator[Source]:
    """Yield the sources under a progress bar, unless someone reads the records as they come."""
    quiet = True if len(sources) < 2 or sys.stdout.isatty() else None
    yield from tqdm(sources, desc="pages", unit="page", disable=quiet, file=sys.stderr)


def _stem(name: str) -> str:
    stem = Path(name).name.split(".html")[0].split(".htm")[0]
    return "".join(c if c.isalnum() or c in "-_" else "-" for c in stem)[:60] or "page"


def _record(labelling: Labelling, all_regions: bool) -> Record:
    """Return the fields and regions of a labelled page as JSON values."""
    article = read_article(labelling)
    background = labelling.label_set.background
    regions = [
        {
            "index": region.index,
            "label": name,
            "confidence": round(float(confidence), 4),
            "text": region.text,
            "xpath": region.xpath,
            "box": region.box,
        }
        for region, name, confidence in zip(
            labelling.page, labelling.labels, labelling.confidence, strict=True
        )
        if all_regions or name != background
    ]
    return {
        "title": _field(article.title),
        "authors": [_field(author) for author in article.authors],
        "date": _field(article.date),
        "text": article.text,
        "regions": regions,
    }


def _field(value: Value | None) -> Record | None:
    if value is None:
        return None
    confidence = round(value.confidence, 4)
    return {"value": value.value, "confidence": confidence, "xpath": value.xpath}


class _Lines:
    """One JSON object a line."""

    def send(self, record: Record) -> None:
        click.echo(json.dumps(record, ensure_ascii=False))

    def close(self) -> None:
        """Write nothing more."""


class _Array(_Lines):
    """One JSON array; valid even if there is no record."""

    def __init__(self) -> None:
        self.opened = False

    def send(self, record: Record) -> None:
        click.echo(("," if self.opened else "[") + json.dumps(record, ensure_ascii=False))
        self.opened = True

    def close(self) -> None:
        click.echo("]" if self.opened else "[]")


class _Text(_Lines):
    """Title, byline and text, as a person reads them."""

    def send(self, record: Record) -> None:
        if "error" in record:
            return  # said on standard error
        lines = [_value(record["title"])]
        byline = " · ".join(filter(None, [_names(record), _value(record["date"])]))
        lines += [byline, "", str(record["text"])]
        click.echo("\n".join(line for n, line in enumerate(lines) if line or n == 2) + "\n")


class _Csv(_Lines):
    """One row a page."""

    columns = ("source", "url", "title", "authors", "date", "text", "error")

    def __init__(self) -> None:
        self._row(dict(zip(self.columns, self.columns, strict=True)))

    def send(self, record: Record) -> None:
        fields = {name: _value(record.get(name)) for name in ("title", "date")}
        self._row({**record, **fields, "authors": _names(record)})

    def _row(self, record: Record) -> None:
        line = io.StringIO()
        csv.writer(line).writerow([record.get(name, "") for name in self.columns])
        click.echo(line.getvalue(), nl=False)


def _value(field: object) -> str:
    return str(field["value"]) if isinstance(field, dict) else ""


def _names(record: Record) -> str:
    authors = record.get("authors")
    return "; ".join(_value(author) for author in authors) if isinstance(authors, list) else ""


_WRITERS: dict[str, type[_Lines]] = {"jsonl": _Lines, "json": _Array, "text": _Text, "csv": _Csv}
