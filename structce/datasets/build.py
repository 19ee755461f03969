"""Import of public data sets as corpora: download, render, align gold, report every loss."""

from __future__ import annotations

import hashlib
import lzma
import sys
import zipfile
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from tqdm import tqdm

from structce.alignment import align
from structce.corpus import Corpus, CorpusWriter, LabelledPage, Manifest
from structce.datasets.base import READERS, GoldPage, Skipped
from structce.errors import CorpusError, SourceError
from structce.gold import AlignmentTally
from structce.labels import NEWS
from structce.page import SUFFIX, Page, site_of, unpack_page
from structce.rendering import Document, DownloadLimits, Renderer, download, render_all

Change = Callable[[GoldPage | Skipped], GoldPage | Skipped]

SITE_RULES = ("address", "folder", "page", "one")
"""Rules that determine the sites of pages: by address, by folder, one site per page, or one site
for all."""


MAX_UNPACKED = 20_000_000_000
"""Maximum unpacked size of an archive's files in bytes: ten times the largest download, so that an
archive made to fill the disk is rejected."""

_DAMAGE = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError, NotImplementedError,
)  # fmt: skip


def import_corpus(
    name: str,
    source: Path,
    renderer: Renderer,
    out: Path,
    *,
    site_from: str = "",
    change: Change | None = None,
) -> Corpus:
    """Write the corpus of a public data set and return it; see :func:`write_corpus`."""
    write_corpus(name, source, renderer, out, site_from=site_from, change=change)
    return Corpus.load(out)


def write_corpus(
    name: str,
    source: Path,
    renderer: Renderer,
    out: Path,
    *,
    site_from: str = "",
    change: Change | None = None,
) -> Manifest:
    """Write the corpus of a public data set, rendered and aligned, and return its manifest.

    Pages are read, rendered and written one after the other, so that memory use does not grow with
    their number. Pages that are already in the folder and were rendered the same way are not
    rendered again: an interrupted import continues where it stopped. ``site_from`` is one of
    ``SITE_RULES``, to replace the sites stated by the data set; ``change`` is applied to each page.

    The corpus is named after the data set or, if its pages are the user's, after their folder or
    file. Its notes record the ``data_set``; by field, how many gold values there are and how they
    were found (``alignment``); the pages that could not be read or rendered (``failed``) and that
    the data set itself lacks (``left_out``); and, if it may not state sites, what determined them
    (``sites``).
    Raises CorpusError if the data set is unknown or missing, or none of its pages can be read.
    """
    reader = READERS[name]
    label_set = reader.label_set_of(source)
    is_news = label_set == NEWS
    labels = reader.labels if is_news else label_set.foreground
    covered = reader.labels if is_news else ()  # values have labels only in the news set
    writer, tally = CorpusWriter(out, label_set), AlignmentTally()
    failed: dict[str, str] = {}
    left_out: dict[str, str] = {}
    with renderer:
        items = reader.read(source) if change is None else map(change, reader.read(source))
        items = map(partial(_with_site, site_from), items) if site_from else items
        pages = aligned_pages(items, renderer, covered, out / "pages")
        for item in tqdm(pages, "pages", unit="page", disable=None, file=sys.stderr):
            if isinstance(item, LabelledPage):
                writer.add(item)
                tally.add(item.matches)
            else:
                (left_out if item.is_known else failed)[item.id] = item.reason
    if not len(writer):
        reason = next(iter((failed | left_out).values()), "it has none")
        raise CorpusError(f"{source}: no page could be read: {reason}")
    notes: dict[str, object] = {"data_set": name, "alignment": tally.rows()}
    notes |= {"failed": failed, "left_out": left_out}
    if site_from or reader.sites is not None:
        notes["sites"] = site_from or (reader.sites and reader.sites(source)) or "page"
    place = source.resolve()
    own_name = place.name if place.is_dir() else place.stem
    return writer.finish(own_name if reader.is_own else name, labels, reader.licence, notes)


def _with_site(rule: str, item: GoldPage | Skipped) -> GoldPage | Skipped:
    """Return a page with the site that a rule of ``SITE_RULES`` gives it."""
    if isinstance(item, Skipped):
        return item
    site = site_by_rule(rule, item.id, item.url, "" if item.folder == "." else item.folder)
    return replace(item, site=site, family=site)


def site_by_rule(rule: str, page_id: str, url: str, folder: str) -> str:
    """Return the site of a page by one of ``SITE_RULES``; if that says nothing, the page itself."""
    sites = {"address": site_of(url), "folder": folder, "page": "", "one": "all"}
    if rule not in sites:
        raise CorpusError(f"unknown site rule {rule!r}; expected one of {', '.join(SITE_RULES)}")
    return sites[rule] or page_id


def aligned_pages(
    items: Iterable[GoldPage | Skipped],
    renderer: Renderer,
    covered: tuple[str, ...] = NEWS.foreground,
    rendered: Path | None = None,
) -> Iterator[LabelledPage | Skipped]:
    """Yield every page of a data set in order, with its labels or with why it is lost.

    The renderer is open. Regions of other labels than ``covered``, those that the data set
    annotates, count as background; if it is empty, no region is known. ``rendered`` is a folder of
    snapshots: a page that was rendered the same way is loaded from there.
    """
    waiting: deque[GoldPage | Skipped] = deque()

    def reads() -> Iterator[tuple[str, Callable[[], Document | Page]]]:
        for item in items:
            waiting.append(item)
            yield item.id, partial(_read, item, renderer, rendered)

    for result in render_all(reads(), renderer):
        item = waiting.popleft()
        if isinstance(item, Skipped):
            yield item
        elif result.page is None:
            yield Skipped(item.id, result.error)
        else:
            labels, matches = align(result.page, item.gold, covered=covered)
            page = result.page
            yield LabelledPage(item.id, item.site, item.family, page, labels, item.gold, matches)


def _read(item: GoldPage | Skipped, renderer: Renderer, rendered: Path | None) -> Document | Page:
    if isinstance(item, Skipped):
        raise SourceError(item.reason)
    document = item.document()
    file = rendered / f"{item.id}{SUFFIX}" if rendered else None
    if file is None or not file.exists():
        return document
    try:
        page = unpack_page(file.read_bytes(), item.id)
    except CorpusError:  # older version, or damaged: it is rendered again
        return document
    is_same = (page.renderer, page.url) == (renderer.name, document.url)
    return page if is_same and page.provenance == renderer.provenance(document) else document


# Archives of data sets


@dataclass(frozen=True)
class LocalArchive:
    """An archive on disk, with its SHA-256 in lower case.

    ``was_there`` states that the file existed before, so that nothing was downloaded.
    """

    path: Path
    digest: str
    n_bytes: int
    was_there: bool = False


def fetch_archive(
    address: str, path: Path, *, digest: str = "", limits: DownloadLimits | None = None
) -> LocalArchive:
    """Download a zip archive to a file, and return the archive.

    The file gets its name once it is complete and checked; a file that exists already is checked
    and kept. Without a ``digest``, the SHA-256 that the archive must have, only the checksums
    inside the archive are checked.

    Raises SourceError, which says what to do next, if the address does not return a zip archive, or
    one that is too large or has another digest; if it redirects to an unencrypted address; or if
    the file cannot be written.
    """
    digest = digest.lower()
    try:
        if path.exists():
            sha256 = _check(path, str(path), digest, " is there already and", "move it away")
            return LocalArchive(path, sha256, path.stat().st_size, was_there=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f".{path.name}.part")
        try:
            download(address, part, limits or DownloadLimits(), name=path.name)
            sha256 = _check(part, address, digest, ": the archive", "it was not kept")
            fetched = LocalArchive(path, sha256, part.stat().st_size)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
        return fetched
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror or error}") from error


def _check(path: Path, name: str, digest: str, what: str, outcome: str) -> str:
    """Return the SHA-256 of an archive after reading all of it to detect damage.

    Raises SourceError if its digest is not the expected one, it is not a zip archive, it would fill
    the disk, or the checksum of a file in it does not match.
    """
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    if digest not in ("", sha256):
        raise SourceError(f"{name}{what} has SHA-256 {sha256}, not {digest}; {outcome}")
    try:
        with zipfile.ZipFile(path) as archive:
            n_bytes = sum(member.file_size for member in archive.infolist())
            if n_bytes > MAX_UNPACKED:
                raise SourceError(f"{name}: unpacks to {n_bytes:,} bytes; expected a data set")
            bad = archive.testzip()
    except _DAMAGE as error:
        raise SourceError(f"{name}: expected a zip archive: {error}") from error
    if bad is not None:
        raise SourceError(f"{name}: {bad!r} in the archive is damaged")
    return sha256
