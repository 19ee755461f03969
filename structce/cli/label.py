"""``structce label``: label pages, and write a record of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from structce.article import Favour, read_article
from structce.cli.inputs import (
    DocumentReader,
    RenderingChoice,
    page_loaders,
    render_sources,
    rendering_options,
    show_progress,
)
from structce.cli.output import FORMATS, RecordText, labelling_record, open_writer
from structce.errors import RenderError
from structce.labeller import DEFAULT_MODELS, Labelling, RegionLabeller
from structce.page import Page, site_of, with_sites
from structce.rendering import (
    Document,
    Renderer,
    RenderResult,
    Source,
    check_markup,
    has_browser,
)

if TYPE_CHECKING:
    from structce.labelling_pool import LabellingPool

_FAILED = click.exceptions.Exit(1)

_Reading = Callable[[str, Labelling], str | None]
_Draw = Callable[[RenderResult, Labelling, int], str]


@click.command(
    "label", epilog="Example:  structce label page.html https://example.org/news - < other.html"
)
@click.argument("sources", nargs=-1, required=True, metavar="SRC...")
@click.option("--model", metavar="MODEL", help="Folder or name of a model. Default: a shipped one.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="jsonl",
    show_default=True,
    help="One JSON object a line, a JSON array, a table (csv), plain text, Markdown, HTML, TEI "
    "XML, or objects of Zyte's article schema.",
)
@click.option(
    "--out",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write one file a page into a folder, in place of standard output.",
)
@click.option(
    "--favour",
    type=click.Choice(get_args(Favour)),
    default="balance",
    show_default=True,
    help="Take into the text only what is surely of it (precision), or all that may be (recall).",
)
@click.option("--blocks", is_flag=True, help="List the blocks of the text, too (json, jsonl).")
@click.option("--all-regions", is_flag=True, help="List the regions labelled None, too.")
@click.option(
    "--overlay",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Also write of each page a picture with its labels, and an HTML page that tells why they "
    "are there (needs the chromium renderer).",
)
@rendering_options
def label_command(
    sources: tuple[str, ...],
    model: str | None,
    form: str,
    folder: Path | None,
    favour: Favour,
    blocks: bool,
    all_regions: bool,
    overlay: Path | None,
    rendering: RenderingChoice,
) -> None:
    """Label pages: files, folders, archives (ZIP, MHTML, WARC), addresses, or - for standard input.

    A folder of snapshots that 'structce render' made is not rendered again.

    A page that cannot be labelled gives a record with "error"; the others go on, and the command
    exits with 1.

    A model trained with the family "site" compares the pages of a site with one another: those of
    one registrable domain, or without an address of one folder. All pages are then rendered before
    the first is labelled, and held in memory, at about 1 MB a page. Labels depend on which pages
    are given together.
    """
    opened, name, labeller = choose_model(model, rendering)
    if overlay is not None and opened.name != "chromium":
        raise click.UsageError("--overlay needs the chromium renderer; see 'structce doctor'")
    writer = open_writer(form, folder)
    reading = partial(
        _page_text, writer.text, name, favour=favour, all_regions=all_regions, has_blocks=blocks
    )
    pool = _labelling_pool(name, labeller, rendering, reading) if opened.name == "static" else None
    draw = None if overlay is None else partial(_draw, opened, overlay)
    failed = False
    with pool or opened, rendering.reader() as read:
        checked = partial(_read_markup, read)
        if pool is None:
            outcomes = _outcomes(label_sources(sources, opened, labeller, checked), reading, draw)
        else:
            loaders = list(page_loaders(sources, checked))
            outcomes = show_progress(pool.label_all(loaders), len(loaders))
        for source, text, error in outcomes:
            if text is not None:
                writer.write(text, source)
            else:
                writer.send({"source": source, "error": error})
            if error:
                failed = True
                click.echo(f"error: {error}", err=True)
    writer.close()
    if failed:
        raise _FAILED


def _page_text(
    text: RecordText,
    model: str,
    source: str,
    labelling: Labelling,
    *,
    favour: Favour,
    all_regions: bool,
    has_blocks: bool,
) -> str | None:
    """Return what is written of a labelled page; in a worker process, where there are several."""
    page = labelling.page
    article = read_article(labelling, favour=favour)
    record = labelling_record(labelling, article, all_regions=all_regions, has_blocks=has_blocks)
    head = {"source": source, "url": page.url, "renderer": page.renderer, "model": model}
    return text({**head, **record}, article)


def _outcomes(
    labelled: Iterable[tuple[RenderResult, Labelling | None]], reading: _Reading, draw: _Draw | None
) -> Iterator[tuple[str, str | None, str]]:
    """Yield the name of each source, what is written of it, and what failed."""
    for number, (one, labelling) in enumerate(labelled):
        if labelling is None:
            yield one.source, None, one.error
            continue
        text = reading(one.source, labelling)
        yield one.source, text, "" if draw is None else draw(one, labelling, number)


def _draw(
    renderer: Renderer, folder: Path, one: RenderResult, labelling: Labelling, number: int
) -> str:
    """Draw the picture of a page; return why there is none, or an empty text."""
    from structce.cli.overlay import write_overlay  # late: pictures take 0.4 s

    try:
        write_overlay(renderer, one, labelling, folder, number)
    except RenderError as error:
        return f"no picture: {error}"
    return ""


def _read_markup(read: DocumentReader, source: Source) -> Document:
    return check_markup(read(source))


def label_sources(
    names: Sequence[str],
    renderer: Renderer,
    labeller: RegionLabeller,
    read: DocumentReader | None = None,
) -> Iterator[tuple[RenderResult, Labelling | None]]:
    """Yield every source in order with its labelling, None where rendering failed.

    Where the model needs other pages of the site, all are rendered before the first is yielded.
    """
    if labeller.needs_sites:
        yield from _label_site_pages(
            list(render_sources(names, renderer, read, waits=True)), labeller
        )
        return
    for one in render_sources(names, renderer, read):
        yield one, None if one.page is None else labeller.label(one.page)


def _labelling_pool(
    model: str, labeller: RegionLabeller, rendering: RenderingChoice, reading: _Reading
) -> LabellingPool[str | None] | None:
    """Return processes that render and label, not yet started; None where one process is to do so.

    Browsers are processes of their own, and a model that compares the pages of a site needs all of
    them in one.
    """
    if rendering.workers == 1 or labeller.needs_sites:
        return None
    from structce.labelling_pool import LabellingPool  # late: one worker needs no processes

    return LabellingPool(
        model, reading, labeller=labeller, settings=rendering.settings, workers=rendering.workers
    )


def _label_site_pages(
    found: Sequence[RenderResult], labeller: RegionLabeller
) -> Iterator[tuple[RenderResult, Labelling | None]]:
    pages = [one.page for one in found if one.page is not None]
    sites = [_site_name(one, one.page) for one in found if one.page is not None]
    if pages and len(set(sites)) == len(sites):
        click.echo(
            "warning: the model compares pages of a site, and no two of these are of one", err=True
        )
    counted = with_sites(pages, sites)[::-1]
    for one in found:
        # Popped, so that a page is freed when it is labelled, with all that was computed from it.
        yield one, None if one.page is None else labeller.label(counted.pop())


def _site_name(one: RenderResult, page: Page) -> str:
    """Return the site of a page's address; without an address the folder of its file."""
    if one.source == "-":
        return one.source
    return site_of(page.url) or str(Path(one.source).resolve().parent)


def choose_model(
    model: str | None, rendering: RenderingChoice
) -> tuple[Renderer, str, RegionLabeller]:
    """Return renderer, name of the model and model, chosen to match each other if possible."""
    if model is None:
        opened = rendering.start()
        name = DEFAULT_MODELS[opened.name]
        return opened, name, RegionLabeller.load(name)
    labeller = RegionLabeller.load(model)
    wanted = rendering.renderer or labeller.renderer or None
    if rendering.renderer is None and wanted == "chromium" and not has_browser(rendering.browser):
        wanted = None
    opened = rendering.start(wanted)
    if labeller.renderer not in ("", opened.name):
        click.echo(
            f"warning: {model} was trained on pages of the {labeller.renderer} renderer, "
            f"these are rendered by {opened.name}",
            err=True,
        )
    return opened, model, labeller
