"""``structce corpus fetch``: the archive of a public data set, with its licence said first."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from structce.cli.options import DataSet
from structce.corpora import READERS, Reader
from structce.corpora.retrieval.archives import WITHOUT, Archive, archive_of
from structce.corpora.retrieval.downloading import MAX_BYTES, Rules
from structce.corpora.retrieval.fetching import Fetched, fetch_archive
from structce.errors import CorpusError

_MEGA = 1_000_000


@click.command(epilog="Example:  structce corpus fetch trafilatura downloads --yes")
@click.argument("name", metavar="NAME", type=DataSet())
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default=".")
@click.option("--yes", is_flag=True, help="Do not ask; for scripts.")
@click.option("--digest", default="", metavar="SHA256", help="Take no other archive than this one.")
@click.option(
    "--most",
    type=click.IntRange(1),
    default=MAX_BYTES // _MEGA,
    show_default=True,
    metavar="MB",
    help="Stop at an archive that is larger.",
)
@click.option("--allow-http", is_flag=True, help="Also ask addresses without encryption.")
def fetch(name: str, folder: Path, yes: bool, digest: str, most: int, allow_http: bool) -> None:
    """Download the archive of a public data set to FOLDER/NAME.zip.

    Says first what it is and under which licence, and asks. The archive is checked and kept as it
    is: 'structce corpus import' reads it without unpacking. A download that was interrupted goes
    on where it stopped, if the server lets it.
    """
    archive = _archive(READERS[name])
    path = folder / f"{name}.zip"
    click.echo(_told(READERS[name], archive), err=True)
    if not yes and not path.exists():
        _ask(path)
    rules = Rules(most=most * _MEGA, allows_http=allow_http)
    fetched = fetch_archive(archive.address, path, digest=digest or archive.digest, rules=rules)
    click.echo(_came(fetched), err=True)
    if not digest and not archive.digest:
        click.echo(f"to get the same bytes again: --digest {fetched.digest}", err=True)
    click.echo(f"next: structce corpus import {name} {path} OUT", err=True)
    click.echo(path)


def _archive(reader: Reader) -> Archive:
    archive = archive_of(reader)
    if archive is None:
        why = WITHOUT.get(reader.name, "no archive of it is known that can be read as it is")
        raise CorpusError(
            f"{reader.name} cannot be fetched: {why}. Home: {reader.home}. "
            f"Next: 'structce corpus import {reader.name} FOLDER_OR_ZIP OUT'"
        )
    return archive


def _told(reader: Reader, archive: Archive) -> str:
    """Return what a user should know before they fetch a data set."""
    rows = {
        "data set": f"{reader.name}, {reader.title}",
        "licence": reader.licence,
        "models": "" if reader.may_train else "what is learnt from it may not be passed on",
        "cite": reader.citation,
        "home": reader.home,
        "archive": archive.address,
        "note": archive.note,
    }
    return "\n".join(f"{name + ':':<10}{value}" for name, value in rows.items() if value)


def _ask(path: Path) -> None:
    """Ask the user; only return if they agree."""
    if not sys.stdin.isatty():
        raise click.UsageError(
            "nobody is at the terminal to agree to the licence; give --yes to agree beforehand"
        )
    if not click.confirm(f"Download it to {path}?", err=True):
        click.echo("nothing was downloaded", err=True)
        raise click.exceptions.Exit(1)


def _came(fetched: Fetched) -> str:
    size = f"{fetched.n_bytes / _MEGA:,.1f} MB, SHA-256 {fetched.digest}"
    if fetched.was_there:
        return f"{fetched.path} is there already: {size}"
    on = f" ({fetched.n_resumed:,} bytes were there)" if fetched.n_resumed else ""
    return f"written: {fetched.path}, {size}{on}"
