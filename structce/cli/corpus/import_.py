"""``structce corpus import``: data sets, listed, downloaded and read."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import click

from structce import datasets
from structce.cli import options
from structce.cli.inputs import RenderingChoice, rendering_options
from structce.cli.messages import FAILED, fail_with, show_message
from structce.corpus import CORPUS_MANIFEST
from structce.datasets import READERS, DataSetReader
from structce.errors import CorpusError

_FACTS = (
    "name title gold labels reading licence may_train citation home archive digest note".split()
)
_NO_NAME = re.compile(r"[^\w.-]+")


@click.command("import", epilog="Example:  structce corpus import fundus fundus.zip news")
@click.argument("name", required=False, type=options.RegisteredName(READERS))
@click.argument("source", metavar="[SRC]", required=False, type=options.PATH)
@click.argument("out", required=False, type=options.PATH)
@click.option("--list", "lists", is_flag=True, help="List the data sets; with NAME, all about one.")
@click.option("--fetch", is_flag=True, help="First download the data set to SRC, unless there.")
@click.option("--yes", is_flag=True, help="Accept the licence of --fetch without being asked.")
@click.option(
    "--site-from", type=click.Choice(datasets.SITE_RULES), help="What makes sites, if not stated."
)
@click.option("--package", is_flag=True, help="Write test packages, pages as they are with texts.")
@click.option("--by", multiple=True, help="One --package per site, family or fact (page_type).")
@click.option("--limit-pages", type=options.COUNT, help="Pages of each --package, at most.")
@options.force_option
@options.format_option
@rendering_options
def command(
    name: str | None, source: Path | None, out: Path | None, lists: bool, fetch: bool, yes: bool,
    site_from: str | None, package: bool, by: Sequence[str], limit_pages: int | None, force: bool,
    form: str, chosen: RenderingChoice,
) -> None:  # fmt: skip
    """Read a public data set from a folder or zip archive, render it, and align its gold.

    NAME is one that --list shows, or that of your own reader (--import FILE.py).

    Prints for each field how many gold values were found on their pages, and how. An interrupted
    import continues where it stopped, and so does a download. Exits with 1 if a page failed.
    """
    if lists:
        _print_readers(name, form)
        return
    if name is None or source is None or (out is None and not fetch):
        raise click.UsageError("expected NAME, SRC and OUT; --list shows the names")
    reader = READERS[name]
    if fetch:
        _fetch(reader, source, is_accepted=yes)
    elif not source.exists():
        raise click.UsageError(f"{source}: no such file or folder; --fetch downloads a data set")
    if out is None:
        return
    if package:
        folder_of = partial(_package_folder, out, by)
        pages = reader.read(source)
        written, lost = datasets.write_gold_packages(pages, folder_of, reader.licence, limit_pages)
        for folder, n_pages in written.items():
            show_message(f"{n_pages} pages written to {folder}")
        if not written:
            raise CorpusError(f"{source}: no page has a main text, and all facts of --by")
    else:
        if not force and (out / CORPUS_MANIFEST).exists():
            raise click.UsageError(f"{out} already contains a corpus; --force overwrites it")
        lost = _write_corpus(reader, source, chosen, out, site_from or "", form)
    fail_with(f"{page}: {reason}" for page, reason in lost.items())


def _write_corpus(
    reader: DataSetReader, source: Path, chosen: RenderingChoice, out: Path, rule: str, form: str
) -> dict[str, str]:
    """Write a corpus, and print how well its gold was matched; return the errors by page."""
    if not rule and reader.sites is not None and not reader.sites(source):
        raise click.UsageError(
            f"{source} does not state which pages belong to one site, and figures on sites that "
            "were trained on are too good: add a column 'site' or 'url', put the pages of each "
            "site into a folder, or give --site-from page (each is of another site) or "
            "--site-from one"
        )
    manifest = datasets.write_corpus(reader.name, source, chosen.start(), out, site_from=rule)
    notes: Mapping[str, object] = manifest["notes"]
    alignment, failed = notes["alignment"], notes["failed"]
    options.print_table(alignment if isinstance(alignment, list) else [], form)
    n_sites = len({row["site"] for row in manifest["pages"]})
    by = f" (sites by {notes['sites']})" if notes.get("sites") else ""
    show_message(f"{len(manifest['pages'])} pages of {n_sites} sites{by} written to {out}")
    return failed if isinstance(failed, dict) else {}


def _package_folder(out: Path, by: Sequence[str], page: datasets.GoldPage) -> Path | None:
    """Return the folder of the package of a page; None if it lacks a fact."""
    facts = {**page.gold.about, "site": page.site, "family": page.family}
    values = [_NO_NAME.sub("-", facts.get(name, "")).strip("-.") for name in by]
    return out.joinpath("-".join(values) if values else "") if all(values) else None


def _print_readers(name: str | None, form: str) -> None:
    readers = [reader for key, reader in sorted(READERS.items()) if name in (None, key)]
    rows: list[dict[str, object]] = []
    for reader in readers:
        facts: dict[str, object] = {fact: getattr(reader, fact) for fact in _FACTS}
        if form == "table":
            lists = {fact: " ".join(x) for fact, x in facts.items() if isinstance(x, tuple)}
            facts |= {**lists, "train": reader.may_train, "fetch": bool(reader.archive)}
        rows.append(facts)
    if form == "json":
        options.print_table(rows, form)
    elif name is not None:
        options.print_table({"fact": fact, name: rows[0][fact]} for fact in _FACTS)
    else:
        shown = ("name", "gold", "licence", "train", "fetch")
        options.print_table(({fact: row[fact] for fact in shown} for row in rows), width=48)


def _fetch(reader: DataSetReader, path: Path, *, is_accepted: bool) -> None:
    """Download the archive of a data set, after showing its licence and asking for consent."""
    if not reader.archive:
        reason = reader.missing or "no known archive of it can be read as it is"
        raise CorpusError(f"{reader.name} cannot be fetched: {reason}. Home: {reader.home}")
    for fact in ("title", "licence", "citation", "home", "archive", "note"):
        show_message(f"{fact:<10}{getattr(reader, fact)}")
    if not reader.may_train:
        show_message("what is learnt from it may not be passed on")
    if not is_accepted and not path.exists():
        if not sys.stdin.isatty():
            raise click.UsageError("nobody is at the terminal to accept the licence; give --yes")
        if not click.confirm(f"Download it to {path}?", err=True):
            raise FAILED
    fetched = datasets.fetch_archive(reader.archive, path, digest=reader.digest)
    status = "already exists" if fetched.was_there else "written"
    show_message(f"{path} {status}: {fetched.n_bytes / 1e6:,.1f} MB, SHA-256 {fetched.digest}")
