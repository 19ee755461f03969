"""``structce corpus list``, ``fetch``, ``import`` and ``synthesise``: where corpora come from."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from structce.cli.corpus_options import DataSetName, check_no_corpus, force_option
from structce.cli.inputs import RenderingChoice, rendering_options
from structce.cli.messages import FAILED, TABLE_END, write_between
from structce.cli.options import (
    EXISTING_FILE,
    EXISTING_PATH,
    FOLDER,
    PATH,
    format_option,
    print_table,
)
from structce.datasets import (
    READERS,
    SITE_RULES,
    DataSetReader,
    LocalArchive,
    fetch_archive,
    write_corpus,
)
from structce.errors import CorpusError
from structce.rendering import MAX_DOWNLOAD, DownloadLimits, is_url
from structce.synthetic import write_sample

DATASETS_BEGIN = "<!-- structce corpus list --markdown -->"
"""Line of a Markdown file that begins the table of data sets."""

_MEGA = 1_000_000
_LICENCE, _WIDTH = 27, 100  # columns of the terminal


@click.command("list", epilog="Examples:  structce corpus list;  structce corpus list fundus")
@click.argument("name", required=False, metavar="NAME", type=DataSetName())
@click.option("--markdown", is_flag=True, help="As Markdown, with everything about every data set.")
@click.option(
    "--into",
    type=EXISTING_FILE,
    metavar="FILE.md",
    help=f"Write the Markdown into a file, between {DATASETS_BEGIN} and {TABLE_END}.",
)
@format_option
def list_datasets_command(name: str | None, markdown: bool, into: Path | None, form: str) -> None:
    """List the public data sets that 'structce corpus import' reads; with NAME, all about one.

    For each: its gold, its licence, whether models trained on it may be passed on (train), and
    whether 'structce corpus fetch' can download it (fetch).
    """
    chosen = [reader for key, reader in sorted(READERS.items()) if name in (None, key)]
    if markdown or into is not None:
        write_between(into, DATASETS_BEGIN, "\n".join(_datasets_markdown(chosen)))
    elif form == "json":
        print_table([_dataset_record(reader) for reader in chosen], form)
    elif name is not None:
        click.echo("\n".join(_dataset_lines(chosen[0])))
    else:
        print_table([_dataset_row(reader) for reader in chosen], form)


def _dataset_record(reader: DataSetReader) -> dict[str, object]:
    """Return the properties of a data set as JSON values."""
    names = "name title gold labels licence may_train citation home archive digest note".split()
    return {name: getattr(reader, name) for name in names}


def _datasets_markdown(readers: Sequence[DataSetReader]) -> Iterator[str]:
    """Yield the lines of a Markdown table of data sets, and of their citations."""
    yield "| Data set | What it is | Gold | Labels | Licence | Train | Fetch |"
    yield "|---|---|---|---|---|---|---|"
    for reader in readers:
        cells = (
            f"[{reader.name}]({reader.home})" if is_url(reader.home) else reader.name,
            reader.title,
            ", ".join(reader.gold),
            ", ".join(reader.labels),
            reader.licence,
            "yes" if reader.may_train else "no",
            "yes" if reader.archive else "no",
        )
        yield f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"
    yield ""
    yield "To cite:"
    yield ""
    yield from (f"- **{reader.name}**: {reader.citation}" for reader in readers)


def _dataset_row(reader: DataSetReader) -> dict[str, object]:
    return {
        "name": reader.name,
        "gold": " ".join(reader.gold),
        "licence": _short_licence(reader.licence),
        "train": "yes" if reader.may_train else "no",
        "fetch": "yes" if reader.archive else "no",
    }


def _short_licence(licence: str) -> str:
    """Return the licence of the gold, cut to the width of its column."""
    first = licence.partition(";")[0].removeprefix("gold: ")
    return textwrap.shorten(first, _LICENCE, placeholder=" …")


def _dataset_lines(reader: DataSetReader) -> Iterator[str]:
    """Yield the properties of a data set for people, each on a line or several."""
    may = "may" if reader.may_train else "may not"
    record = {
        **_dataset_record(reader),
        "gold": ", ".join(reader.gold),
        "labels": ", ".join(reader.labels),
        "may_train": f"what is learnt from it {may} be passed on",
    }
    record["archive"] = record["archive"] or "none that can be read as it is; see home"
    wrapper = textwrap.TextWrapper(
        _WIDTH, subsequent_indent=" " * 10, break_long_words=False, break_on_hyphens=False
    )
    for name, value in record.items():
        if value:
            title = {"may_train": "train", "citation": "cite"}.get(name, name)
            wrapper.initial_indent = f"{title:<10}"
            yield wrapper.fill(str(value))


@click.command("fetch", epilog="Example:  structce corpus fetch trafilatura downloads --yes")
@click.argument("name", metavar="NAME", type=DataSetName())
@click.argument("folder", type=FOLDER, default=".")
@click.option("--yes", is_flag=True, help="Do not ask for consent; for scripts.")
@click.option(
    "--digest",
    default="",
    show_default=False,
    metavar="SHA256",
    help="Accept only the archive with this digest.",
)
@click.option(
    "--most",
    type=click.IntRange(1),
    default=MAX_DOWNLOAD // _MEGA,
    metavar="MB",
    help="Refuse an archive that is larger.",
)
@click.option("--allow-http", is_flag=True, help="Also use addresses without encryption.")
def fetch_command(
    name: str, folder: Path, yes: bool, digest: str, most: int, allow_http: bool
) -> None:
    """Download the archive of a public data set to FOLDER/NAME.zip.

    First prints what it is and under which licence, and asks for consent. The archive is checked
    and kept as it is: 'structce corpus import' reads it without unpacking. An interrupted download
    continues where it stopped, if the server allows it.
    """
    reader = READERS[name]
    _check_archive(reader)
    path = folder / f"{name}.zip"
    click.echo(_licence_text(reader), err=True)
    if not yes and not path.exists():
        _confirm_download(path)
    limits = DownloadLimits(max_bytes=most * _MEGA, allows_http=allow_http)
    fetched = fetch_archive(reader.archive, path, digest=digest or reader.digest, limits=limits)
    click.echo(_download_text(fetched), err=True)
    if not digest and not reader.digest:
        click.echo(f"to get the same bytes again: --digest {fetched.digest}", err=True)
    click.echo(f"next: structce corpus import {name} {path} OUT", err=True)
    click.echo(path)


def _check_archive(reader: DataSetReader) -> None:
    if not reader.archive:
        reason = reader.missing or "no known archive of it can be read as it is"
        raise CorpusError(
            f"{reader.name} cannot be fetched: {reason}. Home: {reader.home}. "
            f"Next: 'structce corpus import {reader.name} FOLDER_OR_ZIP OUT'"
        )


def _licence_text(reader: DataSetReader) -> str:
    """Return source and licence of a data set, to be read before the download."""
    rows = {
        "data set": f"{reader.name}, {reader.title}",
        "licence": reader.licence,
        "models": "" if reader.may_train else "what is learnt from it may not be passed on",
        "cite": reader.citation,
        "home": reader.home,
        "archive": reader.archive,
        "note": reader.note,
    }
    return "\n".join(f"{name + ':':<10}{value}" for name, value in rows.items() if value)


def _confirm_download(path: Path) -> None:
    """Ask the user for consent; exit if it is refused."""
    if not sys.stdin.isatty():
        raise click.UsageError(
            "nobody is at the terminal to accept the licence; give --yes to accept it beforehand"
        )
    if not click.confirm(f"Download it to {path}?", err=True):
        click.echo("nothing was downloaded", err=True)
        raise FAILED


def _download_text(fetched: LocalArchive) -> str:
    size = f"{fetched.n_bytes / _MEGA:,.1f} MB, SHA-256 {fetched.digest}"
    if fetched.was_there:
        return f"{fetched.path} already exists: {size}"
    resumed = f" ({fetched.n_resumed:,} bytes were already there)" if fetched.n_resumed else ""
    return f"written: {fetched.path}, {size}{resumed}"


@click.command("import", epilog="Example:  structce corpus import fundus fundus.zip news")
@click.argument("name", metavar="NAME", type=DataSetName())
@click.argument("source", metavar="SRC", type=EXISTING_PATH)
@click.argument("out", type=PATH)
@click.option(
    "--site-from",
    type=click.Choice(SITE_RULES),
    help="How to determine sites, which no split divides: by the addresses of pages, by their "
    "folders, one site per page, or one site for all.",
)
@force_option
@format_option
@rendering_options
def import_command(
    name: str, source: Path, out: Path, site_from: str | None, force: bool, form: str,
    rendering: RenderingChoice,
) -> None:  # fmt: skip
    """Read a public data set from a folder or zip archive, render it, and align its gold.

    NAME is one that 'structce corpus list' shows, or that of your own reader (--import FILE.py).

    Prints for each field how many gold values were found on their pages, and how. A value that was
    not found gives no label; 'structce corpus show' and 'audit' show details. An interrupted import
    continues where it stopped. Exits with 1 if a page failed.
    """
    check_no_corpus(out, force=force)
    _check_sites(READERS[name], source, site_from)
    manifest = write_corpus(name, source, rendering.start(), out, site_from=site_from or "")
    alignment, failed = manifest["notes"]["alignment"], manifest["notes"]["failed"]
    print_table(alignment if isinstance(alignment, list) else [], form)
    n_sites = len({row["site"] for row in manifest["pages"]})
    rule_text = f" (sites by {rule})" if (rule := manifest["notes"].get("sites")) else ""
    click.echo(
        f"{len(manifest['pages'])} pages of {n_sites} sites{rule_text} written to {out}", err=True
    )
    if isinstance(failed, dict) and failed:
        for page, reason in failed.items():
            click.echo(f"error: {page}: {reason}", err=True)
        raise FAILED


def _check_sites(reader: DataSetReader, source: Path, rule: str | None) -> None:
    """Require --site-from if the data set does not state the sites of its pages."""
    if rule is None and reader.sites is not None and not reader.sites(source):
        raise click.UsageError(
            f"{source} does not state which pages belong to one site, and figures on sites that "
            "were trained on are too good: add a column 'site' or 'url', put the pages of each "
            "site into a folder, or give --site-from page (each is of another site) or "
            "--site-from one"
        )


@click.command("synthesise", epilog="Example:  structce corpus synthesise out --seed 1 --sites 40")
@click.argument("out", type=PATH)
@click.option("--sites", default=20, type=click.IntRange(1), help="Sites.")
@click.option("--pages", default=3, type=click.IntRange(1), help="Pages per site.")
@click.option("--seed", default=0, help="The same seed gives the same bytes.")
@force_option
def synthesise_command(out: Path, sites: int, pages: int, seed: int, force: bool) -> None:
    """Write invented pages of varied sites, most of them news, with exact labels.

    Templates are assigned to sites in turn: 91 or more sites use every template.
    """
    check_no_corpus(out, force=force)
    written = write_sample(out, sites, pages, seed=seed)
    click.echo(f"{written} pages of {sites} sites written to {out}", err=True)
