"""``structce label`` and ``structce render``: pages in, records or snapshots out."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from tqdm import tqdm

from structce.cli.options import browser_option, format_option, print_rows, renderer_option
from structce.cli.records import WRITERS, Record, describe
from structce.errors import BrowserError, RenderError, SourceError
from structce.files import write_whole
from structce.labeller import DEFAULT_MODELS, Labelling, RegionLabeller
from structce.page import Page
from structce.rendering import (
    ChromiumRenderer,
    Document,
    Renderer,
    Source,
    open_sources,
    start_renderer,
)
from structce.rendering.choice import has_browser
from structce.rendering.overlay import draw
from structce.site import site_of, with_sites
from structce.snapshot import pack_page

_FAILED = click.exceptions.Exit(1)


@click.command(epilog="Example:  structce label page.html https://example.org/news - < other.html")
@click.argument("sources", nargs=-1, required=True, metavar="SRC...")
@click.option("--model", metavar="MODEL", help="Folder or name of a model. Default: a shipped one.")
@click.option(
    "--format",
    "form",
    type=click.Choice(sorted(WRITERS)),
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

    A model trained with the family "site" compares the pages of a site with one another: those of
    one registrable domain, or without an address of one folder. All pages are then rendered before
    the first is labelled, and held in memory, at about 1 MB a page. Labels depend on which pages
    are given together.
    """
    opened, name, labeller = choose(model, renderer, browser)
    if overlay is not None and not isinstance(opened, ChromiumRenderer):
        raise click.UsageError("--overlay needs the chromium renderer; see 'structce doctor'")
    writer, failed = WRITERS[form](), False
    with opened:
        for one, labelling in labelled(sources, opened, labeller):
            if labelling is None:
                failed = True
                writer.send({"source": one.source, "error": one.error})
                click.echo(f"error: {one.error}", err=True)
                continue
            page = labelling.page
            record = {"source": one.source, "url": page.url, "renderer": page.renderer}
            writer.send({**record, "model": name, **describe(labelling, all_regions)})
            if overlay is not None and isinstance(opened, ChromiumRenderer):
                failed |= not _draw(opened, one, labelling, overlay)
    writer.close()
    if failed:
        raise _FAILED


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
        for one in rendered(sources, opened):
            row = {"source": one.source, "regions": 0, "snapshot": "", "error": one.error}
            if one.page is not None:
                path = out / f"{one.stem}.json.gz"
                write_whole(path, pack_page(one.page))
                row |= {"regions": len(one.page), "snapshot": str(path)}
            rows.append(row)
    print_rows(rows, form)
    if any(row["error"] for row in rows):
        raise _FAILED


@dataclass(frozen=True)
class Rendered:
    """One source: its page, or what is wrong with it."""

    source: str
    stem: str
    document: Document
    page: Page | None
    error: str = ""


def labelled(
    names: Sequence[str], renderer: Renderer, labeller: RegionLabeller
) -> Iterator[tuple[Rendered, Labelling | None]]:
    """Yield every source in order with its labelling; None where there is no page.

    Where the model needs other pages of the site, all are rendered before the first is yielded.
    """
    if labeller.needs_sites:
        yield from _labelled_together(list(rendered(names, renderer, waits=True)), labeller)
        return
    for one in rendered(names, renderer):
        yield one, None if one.page is None else labeller.label(one.page)


def _labelled_together(
    found: Sequence[Rendered], labeller: RegionLabeller
) -> Iterator[tuple[Rendered, Labelling | None]]:
    pages = [one.page for one in found if one.page is not None]
    sites = [_site(one, one.page) for one in found if one.page is not None]
    if pages and len(set(sites)) == len(sites):
        click.echo(
            "warning: the model compares pages of a site, and no two of these are of one", err=True
        )
    counted = with_sites(pages, sites)[::-1]
    for one in found:
        # Popped, not kept: what is computed from a page takes more memory than the page.
        yield one, None if one.page is None else labeller.label(counted.pop())


def _site(one: Rendered, page: Page) -> str:
    """Return the domain of a page's address; without one the folder of its file."""
    if one.source == "-":
        return one.stem
    return site_of(page.url) or str(Path(one.source).resolve().parent)


def rendered(
    names: Sequence[str], renderer: Renderer, *, waits: bool = False
) -> Iterator[Rendered]:
    """Yield every source in order; one that fails does not hold up the others.

    Parameters
    ----------
    waits
        Whether nothing is printed before the last source, so that a bar is welcome anywhere.
    """
    sources = list(open_sources(names))
    # Quiet where one page is no wait, or where the records show on the terminal as they come.
    quiet = True if len(sources) < 2 or (sys.stdout.isatty() and not waits) else None
    bar = tqdm(sources, desc="pages", unit="page", disable=quiet, file=sys.stderr)
    for number, source in enumerate(bar):
        stem, document = f"{number:05d}-{_stem(source)}", Document("")
        try:
            document = source.read()
            yield Rendered(source.name, stem, document, renderer.render(document))
        except BrowserError:
            raise  # no other page would fare better
        except (SourceError, RenderError) as error:
            yield Rendered(source.name, stem, document, None, str(error))


def choose(
    model: str | None, renderer: str | None, browser: str | None
) -> tuple[Renderer, str, RegionLabeller]:
    """Return the renderer, the model's name and the model, such that they fit where possible."""
    if model is None:
        opened = start_renderer(renderer, browser=browser)
        name = DEFAULT_MODELS[opened.name]
        return opened, name, RegionLabeller.load(name)
    labeller = RegionLabeller.load(model)
    wanted = renderer or labeller.renderer or None
    if renderer is None and wanted == "chromium" and not has_browser(browser):
        wanted = None
    opened = start_renderer(wanted, browser=browser)
    if labeller.renderer not in ("", opened.name):
        click.echo(
            f"warning: {model} was trained on pages of the {labeller.renderer} renderer, "
            f"these are rendered by {opened.name}",
            err=True,
        )
    return opened, model, labeller


def _draw(renderer: ChromiumRenderer, one: Rendered, labelling: Labelling, folder: Path) -> bool:
    """Write the picture of a page; return False, and say why, where there can be none."""
    try:
        picture = draw(renderer, one.document, labelling.page, _named(labelling))
    except RenderError as error:
        click.echo(f"error: no picture: {error}", err=True)
        return False
    write_whole(folder / f"{one.stem}.png", picture)
    return True


def _named(labelling: Labelling) -> list[str | None]:
    """Return the labels, None for the background."""
    background = labelling.label_set.background
    return [None if name == background else name for name in labelling.labels]


def _stem(source: Source) -> str:
    stem = Path(source.name).name.split(".html")[0].split(".htm")[0]
    return "".join(c if c.isalnum() or c in "-_" else "-" for c in stem)[:60] or "page"
