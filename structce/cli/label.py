"""``structce label``: label pages, and write one record per page."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TextIO, get_args

import click

from structce.addresses import without_password
from structce.article import (
    DOUBTFUL,
    DocumentReader,
    Favour,
    PageOutcome,
    PageReader,
    PageRecord,
    Part,
    Reading,
    page_loaders,
    page_record,
    warn_of_nothing,
    without_doubtful,
)
from structce.cli.inputs import RenderingChoice, listed_sources, rendering_options, show_progress
from structce.cli.messages import (
    FAILED,
    closing_line,
    show_error,
    shown_message,
    silence_warnings,
)
from structce.cli.options import PATH, NumberRange, from_option, model_option
from structce.cli.page_writers import (
    FORMATS,
    MARKED_UP,
    WITH_SPANS,
    WITHOUT_DOUBT,
    PageWriter,
    RecordText,
    context_option,
    favour_option,
    form_of_path,
    open_path_writer,
    open_writer,
)
from structce.errors import PageError, page_faults
from structce.labelling import ModelChoice, RegionLabeller
from structce.page import Page, original_source
from structce.rendering import Document, Loader, Renderer, Source, check_markup


@click.command(
    "label",
    epilog="Examples:  structce label page.html https://example.org/news - < other.html;  "
    "structce label pages/ -o articles.csv --workers 2 --resume",
)
@click.argument("sources", nargs=-1, metavar="SRC...")
@from_option
@model_option
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="One JSON object per line (jsonl, the default), a JSON array, a table (csv, parquet), "
    "plain text, Markdown, HTML, TEI XML, or objects of Zyte's article schema.",
)
@click.option(
    "-o",
    "--out",
    type=PATH,
    metavar="FILE|DIR",
    help="Write all pages to one file, in the form of its name (.jsonl, .json, .csv, .parquet, "
    ".md, .txt), or one file per page into a folder, instead of standard output.",
)
@click.option(
    "--resume", is_flag=True, help="Continue an interrupted --out; finished pages are kept."
)
@favour_option
@click.option(
    "--min-confidence",
    type=NumberRange(0, 1),
    default=None,
    metavar="P",
    show_default="0.5 in tables, text and Markdown, else 0",
    help="Leave out title, authors, date and other values with a lower confidence.",
)
@click.option(
    "--url",
    default="",
    show_default=False,
    metavar="ADDRESS",
    help="Address of the page, if there is only one.",
)
@click.option(
    "--without",
    "left_out",
    multiple=True,
    type=click.Choice(get_args(Part)),
    help="Leave out links, images, marks of words (bold, code, ...), tables, or the fields at the "
    "head (markdown, html, tei); may be given several times.",
)
@click.option("--blocks", is_flag=True, help="Also list the blocks of the text (json, jsonl).")
@click.option("--all-regions", is_flag=True, help="Also list the regions labelled None.")
@context_option
@click.option(
    "--pages",
    type=click.IntRange(1),
    default=1,
    metavar="N",
    help="Join up to N pages of a story or thread, fetching those that its links call the next. "
    "The time limit of a story is N times that of a page.",
)
@click.option(
    "--overlay",
    type=PATH,
    metavar="DIR",
    help="Also write for each page a picture with its labels, and an HTML page that explains them; "
    "pages are then rendered by a browser.",
)
@click.option("-q", "--quiet", is_flag=True, help="No progress, no warnings, no errors on stderr.")
@click.option("-v", "--verbose", is_flag=True, help="Report each finished page on stderr.")
@rendering_options
def label_command(
    sources: tuple[str, ...], lists: tuple[TextIO, ...], model: str | None, form: str | None,
    out: Path | None, resume: bool, favour: Favour, min_confidence: float | None, url: str,
    left_out: tuple[Part, ...], blocks: bool, all_regions: bool, context: bool, pages: int,
    overlay: Path | None,
    quiet: bool, verbose: bool, rendering: RenderingChoice,
) -> None:  # fmt: skip
    """Label pages: files, folders, archives (ZIP, MHTML, WARC), addresses, or - for standard input.

    A folder of snapshots made by 'structce render' is not rendered again; without --model each
    page is labelled by the model for the renderer that made it.

    A page that cannot be labelled yields a record with "error"; the others continue, and the
    command exits with 1. Interrupted work exits with 130; with --out, finished pages are kept for
    --resume.

    A model trained with the family "site" compares the pages of a site with one another: those of
    one registrable domain or, without an address, of one folder. All pages are then rendered
    before the first is labelled, and held in memory, at about 1 MB per page. Labels depend on which
    pages are given together.
    """
    names = (*sources, *listed_sources(lists))
    if not names:
        raise click.UsageError("Missing argument 'SRC...'.")
    if out is not None and str(out) == "-":
        out = None
    if resume and out is None:
        raise click.UsageError("--resume continues an interrupted --out; give --out, too")
    if quiet:
        silence_warnings()
    form = form or ("jsonl" if out is None else form_of_path(out, None))
    if left_out and form not in MARKED_UP:
        raise click.UsageError(f"--without is for {', '.join(sorted(MARKED_UP))}, not for {form}")
    if min_confidence is None:
        min_confidence = DOUBTFUL if form in WITHOUT_DOUBT else 0.0
    if overlay is not None:
        if rendering.renderer == "static":
            raise click.UsageError("--overlay draws what a browser shows; use --renderer chromium")
        rendering = replace(rendering, renderer="chromium")
    renderer, models = choose_models(model, rendering, is_quiet=quiet)
    if pages > 1 and renderer.name == "static" and rendering.workers > 1 and rendering.record:
        raise click.UsageError("--record keeps what one process fetches; use --workers 1")
    with rendering.reader() as read:
        loaders = list(page_loaders(names, partial(_read_markup, read, url)))
        if url and len(loaders) > 1:
            raise click.UsageError(f"--url is the address of one page; {len(loaders):,} are given")
        if out is None:
            writer = open_writer(form, len(loaders))
        else:
            settings: dict[str, object] = {
                "model": models.name(renderer.name),
                "renderer": renderer.name,
            }
            settings |= {"favour": favour, "blocks": blocks, "all_regions": all_regions}
            settings |= {"context": context} if context else {}
            settings |= {"pages": pages} if pages > 1 else {}
            settings |= {"min_confidence": min_confidence, "url": url}
            settings |= {"without": sorted(left_out)} if left_out else {}
            writer = open_path_writer(out, form, settings=settings, is_resumed=resume)
        missing = [loader for loader in loaders if not writer.knows(loader[0])]
        if len(missing) < len(loaders) and not quiet:
            click.echo(f"{len(loaders) - len(missing):,} pages are already done", err=True)
        make = partial(
            _page_text,
            partial(writer.text, left_out=left_out) if left_out else writer.text,
            models.model,
            min_confidence=min_confidence,
            all_regions=all_regions,
            has_blocks=blocks,
        )
        reader = PageReader(
            renderer,
            models,
            spans=form in WITH_SPANS,
            favour=favour,
            context=context,
            pages=pages,
            fetch=partial(_fetch, read),
        )
        outcomes: Iterator[PageOutcome[str | None]]
        if overlay is None:
            outcomes = reader.pipe(missing, make, workers=rendering.workers, may_fork=True)
        else:
            outcomes = _with_overlays(reader, missing, make, overlay)
        if not quiet:
            waits = out is not None
            outcomes = show_progress(outcomes, len(missing), waits=waits)
        has_failed = _write(outcomes, writer, len(loaders), is_quiet=quiet, is_verbose=verbose)
    if has_failed:
        raise FAILED


def _write(
    outcomes: Iterable[PageOutcome[str | None]],
    writer: PageWriter,
    n_pages: int,
    *,
    is_quiet: bool,
    is_verbose: bool,
) -> bool:
    """Write the outcome of each page; return whether any failed."""
    n_failed, n_done, start = 0, 0, perf_counter()
    try:
        for source, text, error in outcomes:
            if text is not None:
                writer.write(text, source)
            else:
                name = without_password(source)
                record: PageRecord = {"source": name, "error": without_password(error)}
                writer.write(writer.text(record, None), source, is_error=True)
            n_failed += bool(error)
            n_done += 1
            if error and not is_quiet:
                show_error(error)
            elif is_verbose:
                click.echo(
                    f"{n_done}/{n_pages} {perf_counter() - start:.1f} s {shown_message(source)}",
                    err=True,
                )
        writer.close()
    except (KeyboardInterrupt, OSError):
        if (place := writer.stop()) and not is_quiet:
            message = f"stopped: {n_done:,} of {n_pages:,} pages were done, and are kept in {place}"
            click.echo(f"{message}; run the same command with --resume to continue", err=True)
        raise
    if n_pages > 1 and not is_quiet:
        click.echo(closing_line(n_done, n_failed, perf_counter() - start), err=True)
    return n_failed > 0


def _page_text(
    text: RecordText,
    model: str | Path | None,
    source: str,
    reading: Reading,
    *,
    min_confidence: float,
    all_regions: bool,
    has_blocks: bool,
) -> str | None:
    """Return the text to write for a page; in a worker process, if there are several."""
    page = reading.labelling.page
    warn_of_nothing(source, page)
    article = without_doubtful(reading.article, min_confidence)
    record = page_record(
        original_source(source),
        replace(reading, article=article),
        ModelChoice(model).name(page.renderer),
        all_regions=all_regions,
        has_blocks=has_blocks,
    )
    return text(record, article)


def _with_overlays(
    reader: PageReader,
    sources: Iterable[tuple[str, Loader]],
    make: Callable[[str, Reading], str | None],
    folder: Path,
) -> Iterator[PageOutcome[str | None]]:
    """Yield the outcome of every source, after its overlay has been drawn."""
    from structce.cli.overlay import OverlayFolder  # late: pictures take 0.4 s to import

    overlays = OverlayFolder(reader.renderer, folder)
    documents: deque[Document | Page] = deque()  # in progress

    def noted(load: Loader) -> Document | Page:
        documents.append(Document(""))
        documents[-1] = load()
        return documents[-1]

    def text_and_reading(source: str, reading: Reading) -> tuple[str | None, Reading]:
        return make(source, reading), reading

    loaders = ((source, partial(noted, load)) for source, load in sources)
    for number, outcome in enumerate(reader.pipe(loaders, text_and_reading)):
        document = documents.popleft()
        if outcome.value is None:
            yield PageOutcome(outcome.source, None, outcome.error)
            continue
        text, reading = outcome.value
        try:
            with page_faults(outcome.source):
                error = overlays.add(outcome.source, document, reading, number)
        except PageError as fault:
            error = str(fault)
        yield PageOutcome(outcome.source, text, error)


def _fetch(read: DocumentReader, address: str) -> Document:
    return check_markup(read(Source(address)))


def _read_markup(read: DocumentReader, url: str, source: Source) -> Document:
    document = check_markup(read(source))
    return replace(document, url=url or document.url)


def choose_models(
    model: str | None, rendering: RenderingChoice, *, is_quiet: bool = False
) -> tuple[Renderer, ModelChoice]:
    """Return renderer and models; warn about a model for pages of another renderer."""
    if model is None:
        return rendering.start(), ModelChoice()
    labeller = RegionLabeller.load(model)
    renderer = rendering.start()
    models = ModelChoice(model, labeller)
    if (message := models.conflict(renderer.name)) and not is_quiet:
        click.echo(f"warning: {message}", err=True)
    return renderer, models
