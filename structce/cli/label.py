"""``structce label``: label pages, and write one record per page."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TextIO, get_args

import click

from structce.addresses import without_password
from structce.article import (
    RISKS,
    DocumentReader,
    Favour,
    PageOutcome,
    PageReader,
    PageRecord,
    Part,
    Reading,
    SiteRules,
    page_loaders,
    page_record,
    risk_table,
    warn_if_empty,
    without_doubtful,
)
from structce.cli import options, outputs
from structce.cli.inputs import RenderingChoice, choose_models, rendering_options, source_names
from structce.cli.messages import show_message
from structce.errors import PageError, RenderError, page_faults
from structce.io import write_all_atomic, write_atomic
from structce.labelling import ModelChoice
from structce.page import Page, original_source
from structce.rendering import (
    Document,
    Loader,
    Renderer,
    Source,
    check_markup,
)


@click.command("label", epilog="Example:  structce label pages/ -o articles.csv --resume")
@click.argument("sources", nargs=-1, metavar="SRC...")
@options.from_option
@options.model_option
@click.option(
    "--format",
    "form",
    type=click.Choice(outputs.CHOICES),
    help="One JSON object per line (jsonl, the default), a JSON array, a table (csv, the same for "
    "Excel, parquet), plain text, Markdown, HTML, TEI XML, or objects of Zyte's article schema.",
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
@click.option(
    "--rules",
    multiple=True,
    type=options.FILE,
    metavar="RULES.toml",
    help="Rules of a site, by 'structce site learn', asked before the model; repeat for several.",
)
@click.option(
    "--min-confidence",
    type=click.FloatRange(0, 1),
    default=None,
    show_default="0.5 in tables, text and Markdown, else 0",
    help="Leave out title, authors, date and other values with a lower confidence.",
)
@click.option(
    "--risk",
    type=click.FloatRange(RISKS[0], 1, max_open=True),
    help="Leave out pages that are not sure: of those kept at most this share is read wrongly.",
)
@click.option("--only-sure", is_flag=True, help=f"The same as --risk {RISKS[0]}.")
@click.option("--url", metavar="ADDRESS", help="Address of the page, if there is only one.")
@click.option(
    "--without",
    multiple=True,
    type=click.Choice(get_args(Part)),
    help="Leave this out of markdown, html or tei; repeat for several. Fields are the head.",
)
@click.option("--blocks", is_flag=True, help="Also list the blocks of the text (json, jsonl).")
@click.option("--all-regions", is_flag=True, help="Also list the regions labelled None.")
@options.context_option
@click.option("--pages", type=options.COUNT, default=1, help="Join up to N pages of a story.")
@click.option("--overlay", type=options.PATH, help="Folder for pictures with labels (browser).")
@rendering_options
def command(
    sources: tuple[str, ...], lists: tuple[TextIO, ...], model: str | None, form: str | None,
    out: Path | None, resume: bool, force: bool, favour: Favour, rules: tuple[Path, ...],
    min_confidence: float | None, risk: float | None, only_sure: bool, url: str | None,
    without: tuple[Part, ...], blocks: bool, all_regions: bool, context: bool, pages: int,
    overlay: Path | None, chosen: RenderingChoice,
) -> None:  # fmt: skip
    """Label pages: files, folders, archives (ZIP, MHTML, WARC), addresses, or - for standard input.

    Snapshots made by 'structce render' are not rendered again. A page that cannot be labelled
    yields a record with "error"; the others continue, and the command exits with 1. Interrupted
    work exits with 130; with --out, finished pages are kept for --resume. With --pages, the next
    pages of a story or thread are fetched.

    With --risk, pages whose text is not sure are left out; see "verdict" in the records.

    """
    names = source_names(sources, lists)
    out = None if str(out) == "-" else out
    form = outputs.format_of(out, form, default="jsonl")
    layout = outputs.FORMATS[form]
    if without and not layout.is_marked_up:
        raise click.UsageError(f"--without is for markdown, html and tei, not for {form}")
    min_confidence = layout.least if min_confidence is None else min_confidence
    if overlay is not None:
        if chosen.renderer == "static":
            raise click.UsageError("--overlay draws what a browser shows; use --renderer chromium")
        chosen = replace(chosen, renderer="chromium")
    renderer, models = choose_models(model, chosen)
    sites = tuple(map(SiteRules.load, rules))
    risk = RISKS[0] if risk is None and only_sure else risk
    if risk is not None and not risk_table(models.labeller(renderer.name).card):
        name = models.name(renderer.name)
        raise click.UsageError(
            f"--risk: {name} has no table of risks; make one by structce.article.fit_risk_table"
        )
    read = chosen.reader()
    loaders = list(page_loaders(names, partial(_read_markup, read, url)))
    if url and len(loaders) > 1:
        raise click.UsageError(f"--url is the address of one page; {len(loaders):,} are given")
    work = partial(
        _page_text, form=form, model=models, least=min_confidence, risk=risk,
        all_regions=all_regions, has_blocks=blocks,
        is_file=out is not None and not outputs.is_file_name(out), left_out=without,
    )  # fmt: skip
    depends = {
        "model": models.name(renderer.name), "renderer": renderer.name, "favour": favour,
        "min_confidence": min_confidence, "risk": risk, "url": url, "without": sorted(without),
        "blocks": blocks, "all_regions": all_regions, "context": context, "pages": pages,
        "rules": [path.read_text(encoding="utf-8") for path in rules],
    }  # fmt: skip
    names = [name for name, _ in loaders]
    output = outputs.open_output(form, out, names, depends, force=force, resume=resume)
    reader = PageReader(
        renderer, models, spans=layout.has_spans, favour=favour, context=context, rules=sites,
        pages=pages, fetch=partial(_fetch, read),
    )  # fmt: skip
    missing = [loaders[number] for number in output.missing]
    outcomes: Iterable[PageOutcome[str | None]]
    if overlay is None:
        outcomes = reader.pipe(missing, work, workers=chosen.workers, may_fork=True)
    else:
        outcomes = _with_overlays(reader, missing, work, overlay)
    outputs.write_pages(_page_texts(form, outcomes), output)


def _page_text(
    source: str, reading: Reading, *, form: str, model: ModelChoice, least: float,
    risk: float | None, all_regions: bool, has_blocks: bool, **how: Any,
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
    return outputs.page_text(form, record, article, **how)


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


def _fetch(read: DocumentReader, address: str) -> Document:
    return check_markup(read(Source(address)))


def _with_overlays(
    reader: PageReader,
    sources: Iterable[tuple[str, Loader]],
    work: Callable[[str, Reading], str | None],
    folder: Path,
) -> Iterator[PageOutcome[str | None]]:
    """Yield the outcome of every source, after its overlay has been written to the folder.

    An overlay is a picture and an HTML page, named by the number of the source; an index links all.
    """
    from structce.visualisation import OverlayLink, overlay_index  # late: they take 0.4 s

    documents: deque[Document | Page] = deque()  # in progress
    links: list[OverlayLink] = []

    def remembered(load: Loader) -> Document | Page:
        documents.append(Document(""))
        documents[-1] = load()
        return documents[-1]

    def text_and_reading(source: str, reading: Reading) -> tuple[str | None, Reading]:
        return work(source, reading), reading

    loaders = ((source, partial(remembered, load)) for source, load in sources)
    for number, (source, value, error) in enumerate(reader.pipe(loaders, text_and_reading)):
        document = documents.popleft()
        if value is None:
            yield PageOutcome(source, None, error)
            continue
        (text, reading), stem = value, f"{number:05d}-{outputs.file_stem(source)}"
        try:
            with page_faults(source):
                _write_overlay(reader.renderer, source, document, reading, folder / stem)
        except (RenderError, PageError) as problem:
            error = f"no picture: {problem}"
        foreground = reading.labelling.label_set.foreground
        counts = Counter(name for name in reading.labelling.labels if name in foreground)
        file, title = "" if error else f"{stem}.html", reading.labelling.page.title
        links.append(OverlayLink(source, title, file, tuple(counts.items()), error))
        write_atomic(folder / "index.html", overlay_index(links).encode())
        yield PageOutcome(source, text, error)


def _write_overlay(
    renderer: Renderer, source: str, document: Document | Page, reading: Reading, path: Path
) -> None:
    """Write picture and HTML page; raise a RenderError if the browser cannot draw the page."""
    from structce.rendering import ChromiumRenderer  # late, as above
    from structce.visualisation import draw_labels, overlay_page, screenshot

    if not isinstance(renderer, ChromiumRenderer):
        raise RenderError(f"{source}: the {renderer.name} renderer cannot draw pictures")
    if not isinstance(document, Document):
        raise RenderError(f"{source}: a snapshot contains no HTML; give the page itself")
    labelling = reading.labelling
    background, page = labelling.label_set.background, labelling.page
    names = [None if name == background else name for name in labelling.labels]
    labelled = draw_labels(renderer, document, page, names, labelling.confidence.tolist())
    bare = screenshot(renderer, document, page, names)
    overlay = overlay_page(reading, bare, source=source)
    files = {".png": labelled, ".html": overlay.encode()}
    write_all_atomic({path.with_name(path.name + end): data for end, data in files.items()})
