"""``structce corpus convert`` and ``export``: corpora in the formats of other tools."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import click

from structce.cli.corpus_options import CorpusOpener, DataSetName, corpus_options
from structce.cli.inputs import RenderingChoice, rendering_options, show_progress
from structce.cli.messages import FAILED
from structce.cli.options import EXISTING_PATH, FILE, PATH, format_option, print_table
from structce.corpus import ENCODED, PLAIN, Corpus, names_file, open_corpus, read_manifest
from structce.datasets import (
    FLAGS,
    READERS,
    GoldPage,
    Lost,
    PackageWriter,
    import_corpus,
    raw_pages,
    unique_id,
    write_gold_packages,
    write_package,
)
from structce.errors import CorpusError, ModelError, StructceError
from structce.extraction import ParsedDocument, text_selector
from structce.features import FAMILIES, OPTIONAL_FAMILIES, FeatureSet
from structce.gold import Gold
from structce.labelling import RegionLabeller
from structce.page import site_of
from structce.rendering import Document, open_sources

_FAMILIES = (*FAMILIES, *OPTIONAL_FAMILIES)
_PACKAGE_FORMATS = ("gottron",)
_NO_NAME = re.compile(r"[^\w.-]+")


@click.command(
    "convert",
    epilog="Examples:  structce corpus convert data/sample package --to gottron;  "
    "structce corpus convert news package --to gottron --html fundus.zip;  "
    "structce corpus convert wcxb.zip packages --to gottron --reader wcxb --by page_type;  "
    "structce corpus convert package news --from gottron",
)
@click.argument("source", metavar="SRC", type=EXISTING_PATH)
@click.argument("out", metavar="OUT", type=PATH)
@click.option(
    "--to", "to", type=click.Choice(_PACKAGE_FORMATS), help="SRC is a corpus, OUT a package."
)
@click.option(
    "--from", "from_", type=click.Choice(_PACKAGE_FORMATS), help="SRC is a package, OUT a corpus."
)
@click.option(
    "--html",
    metavar="DATA",
    type=EXISTING_PATH,
    help="With --to: the data set that the corpus was imported from. A corpus of rendered pages "
    "keeps no HTML, which a package needs.",
)
@click.option(
    "--reader",
    metavar="NAME",
    type=DataSetName(),
    help="Name of the data set of --html. Default: the name of the corpus. Without --html: SRC is "
    "a data set, whose pages are written as they are, with their gold.",
)
@click.option(
    "--by",
    multiple=True,
    metavar="FACT",
    help="With a data set: one package per value of a fact about its pages, in a folder of OUT: "
    "site, family, or a fact stated by its gold, such as page_type or year. Repeat to combine.",
)
@click.option(
    "--only",
    multiple=True,
    metavar="FACT=VALUE",
    help="With a data set: only pages of which this is true; repeat for further facts.",
)
@click.option(
    "--limit-pages",
    "limit",
    type=click.IntRange(1),
    metavar="N",
    help="With a data set: only the first N pages of each package.",
)
@format_option
@rendering_options
def convert_command(
    source: Path, out: Path, to: str | None, from_: str | None, html: Path | None,
    reader: str | None, by: Sequence[str], only: Sequence[str], limit: int | None, form: str,
    rendering: RenderingChoice,
) -> None:  # fmt: skip
    """Convert a corpus to another format, or back.

    gottron is a test package of Gottron (2007): for each page its HTML, its main text, and
    metadata, distinguished by extension. The main text is that of the data set, or that of the
    regions labelled Title, Paragraph and Subtitle. Exits with 1 if a page could not be written.
    """
    if (to is None) == (from_ is None):
        raise click.UsageError("give either --to or --from")
    if to is None and (html or reader):
        raise click.UsageError("--html and --reader need --to; a package contains its HTML")
    is_data_set = to is not None and reader is not None and html is None and not _is_corpus(source)
    if (by or only or limit) and not is_data_set:
        raise click.UsageError("--by, --only and --limit-pages need --to and a data set")
    if to is None:
        lost = _from_package(source, out, form, rendering)
    elif is_data_set and reader is not None:
        chosen = _Selection(out, by, _read_conditions(only))
        lost = _packages_of_data_set(source, reader, chosen, limit)
    else:
        lost = _to_package(source, out, html, reader, rendering)
    for page, reason in lost.items():
        click.echo(f"error: {page}: {reason}", err=True)
    if lost:
        raise FAILED


def _to_package(
    source: Path, out: Path, html: Path | None, reader: str | None, rendering: RenderingChoice
) -> dict[str, str]:
    """Write a package; return the errors of pages that are not in it, by page."""
    originals = _original_pages(source, html, reader)
    corpus = open_corpus(source, rendering.renderer, rendering.start)
    lost = write_package(corpus, originals, out)
    click.echo(f"{len(corpus) - len(lost)} of {len(corpus)} pages written to {out}", err=True)
    return lost


@dataclass(frozen=True)
class _Selection:
    """Chosen pages of a data set, and the package that each belongs to.

    ``out`` is the folder of the single package or, with ``by``, of all of them.
    """

    out: Path
    by: Sequence[str]
    only: Mapping[str, str]

    def folder_of(self, page: GoldPage) -> Path | None:
        """Return the folder of the package of a page; None for a page that is in no package."""
        facts = {**page.gold.about, "site": page.site, "family": page.family}
        if any(facts.get(name) != value for name, value in self.only.items()):
            return None
        values = [_NO_NAME.sub("-", facts.get(name, "")).strip("-.") for name in self.by]
        return self.out.joinpath("-".join(values) if values else "") if all(values) else None


def _packages_of_data_set(
    source: Path, reader: str, chosen: _Selection, limit: int | None
) -> dict[str, str]:
    """Write packages of a data set; return the errors of pages that are in none of them."""
    data_set = READERS[reader]
    written, lost = write_gold_packages(
        data_set.read(source), chosen.folder_of, data_set.licence, limit
    )
    for folder, n_pages in written.items():
        click.echo(f"{n_pages} pages written to {folder}", err=True)
    if not written:
        raise CorpusError(f"{source}: no page was chosen, or none has a main text")
    return lost


def _read_conditions(texts: Sequence[str]) -> dict[str, str]:
    pairs = [text.partition("=") for text in texts]
    if any(not equals for _, equals, _ in pairs):
        raise click.BadParameter("expected FACT=VALUE", param_hint="--only")
    return {name: value for name, _, value in pairs}


def _is_corpus(source: Path) -> bool:
    try:
        read_manifest(source)
    except CorpusError:
        return False
    return True


def _original_pages(
    source: Path, html: Path | None, reader: str | None
) -> Iterable[GoldPage | Lost]:
    """Return the pages of the corpus with their HTML."""
    _, manifest = read_manifest(source)
    if not manifest["renderer"]:
        if html or reader:
            raise click.UsageError(f"{source} keeps its HTML; leave out --html and --reader")
        return raw_pages(source)
    name = reader or manifest["name"]
    if html is None:
        raise click.UsageError(
            f"{source} keeps rendered pages without their HTML; "
            f"give the data set that it was imported from: --html {name}.zip"
        )
    if name not in READERS:
        raise click.UsageError(
            f"{source} is called {name!r}, which is not a data set; give --reader"
        )
    return READERS[name].read(html)


def _from_package(source: Path, out: Path, form: str, rendering: RenderingChoice) -> dict[str, str]:
    """Write a corpus and print how well its gold was matched; return the errors by page."""
    corpus = import_corpus("gottron", source, rendering.start(), out)
    alignment, failed = corpus.notes["alignment"], corpus.notes["failed"]
    print_table(alignment if isinstance(alignment, list) else [], form)
    click.echo(f"{len(corpus)} pages of {len(corpus.sites)} sites written to {out}", err=True)
    return dict(failed) if isinstance(failed, dict) else {}


@click.command(
    "export",
    epilog="Examples:  structce corpus export news news.jsonl --to jsonl;  "
    "structce corpus export news news.crf --to crfsuite --features news-static",
)
@click.argument("path", metavar="CORPUS", type=PATH)
@click.argument("out", type=FILE)
@click.option("--to", "form", required=True, type=click.Choice((*PLAIN, *ENCODED)), help="Format.")
@click.option(
    "--features",
    metavar="MODEL|FAMILIES",
    help="For crfsuite and svmlight: the columns of a model, or those that the corpus gives "
    f"for comma-separated families of features.  [default: {','.join(FAMILIES)}]",
)
@corpus_options
def export_command(
    path: Path, out: Path, form: str, features: str | None, opener: CorpusOpener
) -> None:
    """Write a corpus as one file that other tools read.

    jsonl has one page per line, with its regions (text, address, box, label) and its gold; parquet
    one region per row, in typed columns. Unknown labels are '?' in these formats.

    crfsuite has one region per line, with its label and its columns by name; svmlight the same in
    numbers, whose names are in OUT.names.json. They have no unknown labels: such regions are left
    out and counted in a message, and in crfsuite the sequence ends there.
    """
    if form in PLAIN:
        if features is not None:
            raise click.UsageError(f"--features is for {' and '.join(ENCODED)}, not for {form}")
        corpus = opener.open(path)
        PLAIN[form](corpus, out)
    else:
        model = _load_model(features or ",".join(FAMILIES))
        corpus = opener.open(path, model.renderer or None if model else None)
        _export_encoded(
            corpus, out, form, model.features if model else _fit_features(features, corpus)
        )
    click.echo(f"{len(corpus)} pages written to {out}", err=True)


def _export_encoded(corpus: Corpus, out: Path, form: str, features: FeatureSet) -> None:
    if features.needs_sites:
        corpus = corpus.with_sites()
    if left_out := ENCODED[form](corpus, out, features):
        total = left_out + sum(corpus.counts.values())
        click.echo(
            f"{left_out:,} of {total:,} regions without a known label were left out", err=True
        )
    if form == "svmlight":
        click.echo(f"names of labels, pages and columns written to {names_file(out)}", err=True)


def _load_model(text: str) -> RegionLabeller | None:
    """Load the model that an option names; None if it names families of features."""
    if all(name in _FAMILIES for name in text.split(",")):
        return None
    try:
        return RegionLabeller.load(text)
    except ModelError as error:
        raise click.BadParameter(
            f"--features {text!r}: neither families of {', '.join(_FAMILIES)} nor a model: {error}"
        ) from error


def _fit_features(families: str | None, corpus: Corpus) -> FeatureSet:
    chosen = FeatureSet(families.split(",") if families else FAMILIES)
    pages = corpus.with_sites() if chosen.needs_sites else corpus
    return chosen.fit(page.page for page in pages)


@click.command(
    "select",
    epilog="Examples:  structce corpus select pages --css 'article .text' --out package;  "
    "structce corpus select pages --xpath '//div[@id=\"text\"]' --language de --out package",
)
@click.argument("sources", metavar="SRC...", nargs=-1, required=True)
@click.option(
    "--css", default="", show_default=False, help="CSS selector of the main content, on every page."
)
@click.option("--xpath", default="", show_default=False, help="The same as an XPath.")
@click.option("--out", type=PATH, required=True, help="Folder of the package, new.")
@click.option(
    "--language", default="", show_default=False, help="Language of the pages, such as de-AT."
)
@click.option("--fragmented", type=click.Choice(("yes", "no")), help="Main content in parts.")
@click.option("--several-articles", type=click.Choice(("yes", "no")), help="Several on a page.")
@click.option("--licence", default="unknown", help="For the description file.")
def select_command(
    sources: Sequence[str], css: str, xpath: str, out: Path, language: str,
    fragmented: str | None, several_articles: str | None, licence: str,
) -> None:  # fmt: skip
    """Make a test package of pages whose main content one selector matches.

    As in the wrapper of Gottron (2007), pages of one site share a template, so one CSS selector or
    XPath gives the main text of them all. Of nested matches the outermost is taken. Pages without
    a match are reported and left out of the package; the command then exits with 1.
    """
    select = text_selector(css, xpath)
    writer = PackageWriter(out.name, licence, out)
    flags = dict(zip(FLAGS, (fragmented, several_articles), strict=True))
    about = {"language": language} | {name: value for name, value in flags.items() if value}
    pages = list(open_sources(sources))
    ids: set[str] = set()
    n_lost = 0
    for source in show_progress(pages, len(pages)):
        try:
            document = source.read()
            text = select(ParsedDocument.of(document))
            if not text.strip():
                raise StructceError(f"{source.name}: nothing matches {css or xpath!r}")
        except StructceError as error:
            click.echo(f"error: {error}", err=True)
            n_lost += 1
            continue
        writer.add(_page(document, unique_id(PurePosixPath(source.name).name, ids)), text, about)
    if writer.n_written:
        writer.finish()
    click.echo(f"{writer.n_written} pages in {out}, {n_lost} left out", err=True)
    if n_lost:
        raise FAILED


def _page(document: Document, id: str) -> GoldPage:
    site = site_of(document.url) or id
    return GoldPage(
        id=id,
        site=site,
        family=site,
        url=document.url,
        data=document.utf8,
        gold=Gold(),
        content_type="text/html; charset=utf-8",
    )
