"""``structce corpus select``: a test package of a site's pages, by one selector."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath

import click

from structce.cli.inputs import show_progress
from structce.datasets import FLAGS, GoldPage, PackageWriter, unique_id
from structce.errors import StructceError
from structce.extraction import ParsedDocument, text_selector
from structce.gold import Gold
from structce.page import site_of
from structce.rendering import Document, open_sources


@click.command(
    "select",
    epilog="Examples:  structce corpus select pages --css 'article .text' --out package;  "
    "structce corpus select pages --xpath '//div[@id=\"text\"]' --language de --out package",
)
@click.argument("sources", metavar="SRC...", nargs=-1, required=True)
@click.option("--css", default="", help="CSS selector of the main content, on every page.")
@click.option("--xpath", default="", help="The same as an XPath.")
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="Folder of the package, new."
)
@click.option("--language", default="", help="Language of the pages, such as de-AT.")
@click.option("--fragmented", type=click.Choice(("yes", "no")), help="Main content in parts.")
@click.option("--several-articles", type=click.Choice(("yes", "no")), help="Several on a page.")
@click.option("--licence", default="unknown", show_default=True, help="For the description file.")
def select_command(
    sources: Sequence[str],
    css: str,
    xpath: str,
    out: Path,
    language: str,
    fragmented: str | None,
    several_articles: str | None,
    licence: str,
) -> None:
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
        raise click.exceptions.Exit(1)


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
