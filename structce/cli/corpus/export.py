"""``structce corpus export``: a corpus, or some of its pages, in another form."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import click

from structce import corpus as corpora
from structce.cli import options
from structce.cli.corpus.merge import check_new_folder
from structce.cli.inputs import RenderingChoice, corpus_options
from structce.cli.messages import fail_with, show_message
from structce.corpus import Corpus
from structce.datasets import READERS, GoldPage, Skipped, raw_pages, write_package
from structce.errors import CorpusError

_CORPUS, _GOTTRON = "corpus", "gottron"
_FORMS = (_CORPUS, *corpora.EXPORTS, _GOTTRON)


@click.command("export", epilog="Example:  structce corpus export news news.jsonl --to jsonl")
@click.argument("path", metavar="CORPUS", type=options.PATH)
@click.argument("out", type=options.PATH)
@click.option("--to", "form", type=click.Choice(_FORMS), default=_CORPUS, help="Form of OUT.")
@click.option("--lang", default="", help="Pages that state a language: de includes de-AT.")
@click.option("--part", metavar="SPLIT.json:NAME", help="The pages of one part of a split.")
@click.option("--dedupe", is_flag=True, help="Leave out copies, and join families of templates.")
@click.option("--html", type=options.EXISTING_PATH, help="Data set with the HTML, for gottron.")
@corpus_options
def command(
    path: Path, out: Path, form: str, lang: str, part: str | None, dedupe: bool,
    html: Path | None, chosen: RenderingChoice,
) -> None:  # fmt: skip
    """Write the pages of a corpus that meet all given conditions, in their order.

    With --dedupe, the page with the most known labels is kept of each group of duplicates, and
    sites that share a template become one family, which splits by site keep whole.

    jsonl and parquet have pages, regions and labels. gottron is a test package: for each page its
    HTML, its main text, and metadata. Exits with 1 if a page could not be written.
    """
    if form == _CORPUS:
        check_new_folder(out)
    originals = _original_pages(path, html) if form == _GOTTRON else ()
    corpus = chosen.open_corpus(path)
    pages = _selected(corpus, path, lang.replace("_", "-").lower(), part)
    if len(pages) < len(corpus):
        source = {"name": corpus.name, "digest": corpus.digest, "notes": dict(corpus.notes)}
        pages = replace(pages, notes={"subset_of": source, "chosen": {"lang": lang, "part": part}})
    if dedupe:
        joined = corpora.with_families(pages, pairs=corpora.find_templates(pages))
        pages = corpora.without_duplicates(joined, corpora.find_duplicates(pages))
    lost: dict[str, str] = {}
    if form == _CORPUS:
        pages.save(out)
    elif form == _GOTTRON:
        lost = write_package(pages, originals, out)
    else:
        corpora.EXPORTS[form](pages, out)
    show_message(f"{len(pages) - len(lost)} of {len(corpus)} pages written to {out}")
    fail_with(f"{page}: {reason}" for page, reason in lost.items())


def _selected(corpus: Corpus, path: Path, lang: str, part: str | None) -> Corpus:
    if part is not None:
        file, _, name = part.rpartition(":")
        parts = corpus.parts(corpora.Split.load(Path(file)))
        if name not in parts:
            raise click.BadParameter(f"--part {part!r}: expected one of {', '.join(parts)}")
        corpus = parts[name]
    kept = [
        page.id
        for page in corpus
        if f"{page.page.lang.replace('_', '-').lower()}-".startswith(lang and f"{lang}-")
    ]
    if not kept:
        raise CorpusError(f"{path}: no page meets all conditions")
    return corpus.subset(kept)


def _original_pages(source: Path, html: Path | None) -> Iterable[GoldPage | Skipped]:
    _, manifest = corpora.read_manifest(source)
    name = str(manifest["notes"].get("data_set", manifest["name"]))
    if not manifest["renderer"]:
        return raw_pages(source)
    if html is None or name not in READERS:
        raise click.UsageError(
            f"{source} keeps rendered pages without their HTML; give the data set that it was "
            f"imported from: --html {name}.zip"
        )
    return READERS[name].read(html)
