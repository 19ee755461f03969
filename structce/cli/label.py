"""``structce label``: label pages, and write one record per page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TextIO

import click
from msgspec.structs import replace

from structce.addresses import without_password
from structce.article import (
    RISKS,
    DocumentReader,
    Favour,
    PageOutcome,
    PageReader,
    PageRecord,
    Reading,
    SiteRules,
    page_loaders,
    page_record,
    risk_table,
    warn_if_empty,
    without_doubtful,
)
from structce.cli import options, outputs
from structce.cli.messages import show_message
from structce.cli.options import RenderingChoice, choose_models, rendering_options, source_names
from structce.errors import SETUP_ERRORS, RenderError, StructceError, page_faults
from structce.io import write_atomic
from structce.labelling import ModelChoice
from structce.page import Page, original_source
from structce.rendering import Document, Loader, Renderer, Source, check_markup


@click.command("label", epilog="Example:  structce label pages/ -o articles.csv --resume")
@click.argument("sources", nargs=-1, metavar="SRC...")
@options.from_option
@options.model_option
@click.option(
    "--format",
    "form",
    type=click.Choice(outputs.CHOICES),
    help="One JSON object per line (jsonl, the default), a JSON array, a table (csv, the same for "
    "Excel, parquet), plain text, Markdown, or HTML.",
)
@click.option(
    "-o",
    "--out",
    type=options.PATH,
    metavar="FILE|DIR",
    help="Write all pages to one file, in the form of its name (.jsonl, .json, .csv, .parquet, "
    ".md, .txt), or one file per page into a folder, instead of standard output.",
)
@options.resume_option
@options.force_option
@options.favour_option
@options.rules_option
@click.option(
    "--min-confidence",
    type=click.FloatRange(0, 1),
    default=None,
    show_default="0.5 in tables, text and Markdown, else 0",
    help="Leave out title, authors, date and other values with a lower confidence.",
)
@click.option(
    "--risk", type=click.FloatRange(RISKS[0], 1, max_open=True),
    help="Leave out pages that are not sure: of those kept at most this share is read wrongly.",
)  # fmt: skip
@click.option("--only-sure", is_flag=True, help=f"The same as --risk {RISKS[0]}.")
@click.option("--url", metavar="ADDRESS", help="Address of the page, if there is only one.")
@click.option("--blocks", is_flag=True, help="Also list the blocks of the text (json, jsonl).")
@click.option("--all-regions", is_flag=True, help="Also list the regions labelled None.")
@options.context_option
@click.option("--overlay", type=options.PATH, help="Folder for a picture of each page with labels.")
@rendering_options
def command(
    sources: tuple[str, ...], lists: tuple[TextIO, ...], model: str | None, form: str | None,
    out: Path | None, resume: bool, force: bool, favour: Favour, rules: tuple[SiteRules, ...],
    min_confidence: float | None, risk: float | None, only_sure: bool, url: str | None,
    blocks: bool, all_regions: bool, context: bool, overlay: Path | None, chosen: RenderingChoice,
) -> None:  # fmt: skip
    """Label pages: files, folders, archives (ZIP, MHTML, WARC), addresses, or - for standard input.

    Snapshots made by 'structce render' are not rendered again. A page that cannot be labelled
    yields a record with "error"; the others continue, and the command exits with 1. Interrupted
    work exits with 130; with --out, finished pages are kept for --resume.

    With --risk, pages whose text is not sure are left out; see "verdict" in the records.
    """
    names = source_names(sources, lists)
    out = None if str(out) == "-" else out
    form = outputs.format_of(out, form, default="jsonl")
    layout = outputs.FORMATS[form]
    min_confidence = layout.least if min_confidence is None else min_confidence
    if overlay is not None:
        if chosen.renderer == "static":
            raise click.UsageError("--overlay draws what a browser shows; use --renderer chromium")
        chosen = replace(chosen, renderer="chromium")
    renderer, models = choose_models(model, chosen)
    risk = RISKS[0] if risk is None and only_sure else risk
    if risk is not None and not risk_table(models.labeller(renderer.name).card):
        name = models.name(renderer.name)
        raise click.UsageError(
            f"--risk: {name} has no table of risks under 'risk' in its card; see docs/articles.md"
        )
    read = chosen.reader()
    loaders = list(page_loaders(names, partial(_read_markup, read, url)))
    if url and len(loaders) > 1:
        raise click.UsageError(f"--url is the address of one page; {len(loaders):,} are given")
    work = partial(
        _page_text, form=form, model=models, least=min_confidence, risk=risk,
        all_regions=all_regions, has_blocks=blocks,
        is_file=out is not None and not outputs.is_file_name(out),
    )  # fmt: skip
    depends = {
        "model": models.name(renderer.name), "renderer": renderer.name, "favour": favour,
        "min_confidence": min_confidence, "risk": risk, "url": url, "blocks": blocks,
        "all_regions": all_regions, "context": context,
        "rules": [str(site) for site in rules],
    }  # fmt: skip
    names = [name for name, _ in loaders]
    output = outputs.PageOutput(form, out, names, depends, force=force, resume=resume)
    reader = PageReader(
        renderer, models, spans=layout.has_spans, favour=favour, context=context, rules=rules
    )
    missing = [loaders[number] for number in output.missing]
    outcomes: Iterable[PageOutcome[str | None]]
    if overlay is None:
        outcomes = reader.pipe(missing, work, workers=chosen.workers, may_fork=True)
    else:
        outcomes = _with_pictures(reader, missing, work, overlay)
    outputs.write_pages(_page_texts(form, outcomes), output)


def _page_text(
    source: str, reading: Reading, *, form: str, model: ModelChoice, least: float,
    risk: float | None, all_regions: bool, has_blocks: bool, is_file: bool,
) -> str | None:  # fmt: skip
    """Return the text of a page, in the process that read it; None if the page is left out."""
    warn_if_empty(source, reading.article)
    verdict = reading.article.verdict
    if risk is not None and not (verdict and verdict.is_sure(risk)):
        return None
    article = without_doubtful(reading.article, least)
    name, reading = model.name(reading.labelling.page.renderer), replace(reading, article=article)
    source = original_source(source)
    record = page_record(source, reading, name, all_regions=all_regions, has_blocks=has_blocks)
    return outputs.page_text(form, record, article, is_file=is_file)


def _page_texts(
    form: str, outcomes: Iterable[PageOutcome[str | None]]
) -> Iterator[outputs.PageText]:
    """Yield what is written for each page: its text, its record with the error, or nothing."""
    n_left_out = 0
    for source, text, error in outcomes:
        if error and text is None:
            values = {"source": source, "error": error}
            record: PageRecord = {name: without_password(x) for name, x in values.items()}
            yield outputs.page_text(form, record), error, True
        else:
            n_left_out += text is None
            yield text, error, False
    if n_left_out:
        show_message(f"{n_left_out:,} pages are left out, as their text is not sure")


def _read_markup(read: DocumentReader, url: str | None, source: Source) -> Document:
    document = check_markup(read(source))
    return replace(document, url=url or document.url)


def _with_pictures(
    reader: PageReader,
    sources: Iterable[tuple[str, Loader]],
    work: Callable[[str, Reading], str | None],
    folder: Path,
) -> Iterator[PageOutcome[str | None]]:
    """Yield the outcome of every source, after the picture of its labels has been written.

    Pictures are named by the number and name of the source.
    """
    with reader.renderer:
        for number, (source, load) in enumerate(sources):
            text, error = None, ""
            try:
                with page_faults(source):
                    document = load()
                    reading = reader(document, source)
                    text = work(source, reading)
                    picture = _picture(reader.renderer, source, document, reading)
                write_atomic(folder / f"{number:05d}-{outputs.file_stem(source)}.png", picture)
            except SETUP_ERRORS:
                raise
            except StructceError as problem:
                error = str(problem) if text is None else f"no picture: {problem}"
            yield PageOutcome(source, text, error)


def _picture(renderer: Renderer, source: str, document: Document | Page, reading: Reading) -> bytes:
    """Return the picture of a page; raise a RenderError if the browser cannot draw it."""
    from structce.rendering import ChromiumRenderer  # late: few pages are drawn, and it takes 0.4 s
    from structce.visualisation import draw_labels

    if not isinstance(renderer, ChromiumRenderer):
        raise RenderError(f"{source}: the {renderer.name} renderer cannot draw pictures")
    if not isinstance(document, Document):
        raise RenderError(f"{source}: a snapshot contains no HTML; give the page itself")
    labelling = reading.labelling
    background = labelling.label_set.background
    names = [None if name == background else name for name in labelling.labels]
    return draw_labels(renderer, document, labelling.page, names, labelling.confidence.tolist())
