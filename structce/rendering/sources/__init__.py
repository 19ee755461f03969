"""Sources of pages: files, folders, archives, addresses and standard input, in one stream."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from structce.errors import SourceError, page_faults
from structce.rendering.base import Limits, Settings
from structce.rendering.document import (
    MAX_PAGE_BYTES,
    PLACEHOLDER_URL,
    Document,
    Resource,
    Resources,
    decode,
    is_url,
)
from structce.rendering.sources.files import (
    MAX_FOLDERS,
    PAGE_SUFFIXES,
    ZIP_SUFFIXES,
    FolderFiles,
    MirrorResources,
    ZipFiles,
    max_bytes,
    pages_among,
    paths_below,
    read_bytes,
    read_saved,
)
from structce.rendering.sources.warc import WARC_SUFFIXES, WarcFile

if TYPE_CHECKING:
    from structce.rendering.network.resources import NetworkResources, Recorder

_PAGE_SECONDS = 60.0  # for a page alone: the user waits for it, unlike for a file of it


@dataclass(frozen=True)
class Source:
    """Source of one page: a file, a place in an archive, an address, or standard input.

    Parameters
    ----------
    name
        A path, an address, a place in an archive, or ``-`` for standard input.
    reader
        How to read it; None where the name alone tells.
    """

    name: str
    reader: Callable[[], Document] | None = field(default=None, compare=False, repr=False)

    def read(self) -> Document:
        """Return the document, with the files around it where there are any.

        Raises
        ------
        SourceError
            If it cannot be read, is too large, or is no HTML; the message names the source.
        PageError
            If something unforeseen goes wrong.
        """
        with page_faults(self.name):
            return self._read()

    def _read(self) -> Document:
        if self.reader is not None:
            return self.reader()
        if self.name == "-":
            return decode(sys.stdin.buffer.read(MAX_PAGE_BYTES + 1), name="standard input")
        if is_url(self.name):
            limits = Limits(request_seconds=_PAGE_SECONDS)
            with _live_resources(self.name, limits, is_named=True) as live:
                return _fetch(live, self.name)
        path = Path(self.name)
        return _read_file(FolderFiles(path.parent), path.name)


@dataclass(frozen=True)
class FallbackResources:
    """Resources with a fallback: files from one place, else from another."""

    first: Resources
    second: Resources

    @property
    def base(self) -> str:
        """Address of the page, as the first place has it."""
        return self.first.base

    def get(self, url: str) -> Resource | None:
        """Return the file of the first place that has it."""
        return self.first.get(url) or self.second.get(url)


@dataclass(frozen=True)
class NetworkReader:
    """Reader of sources whose pages may ask the network for their files.

    Parameters
    ----------
    settings
        Of the renderer. Pages whose scripts run get no file of the folder or archive that they are
        in: a script that reads a file could tell the network what it holds.
    recorder
        Keeps all that came, so that the pages can be rendered again without the network.
    is_named
        Whether the user gave the addresses, and may so name a private one; False where strangers
        give them: then no address may be asked that is not public, and no odd port.
    """

    settings: Settings
    recorder: Recorder | None = None
    is_named: bool = True

    def read(self, source: Source) -> Document:
        """Return the document of a source.

        A page from a file may ask for what its folder or archive does not hold, if its address is
        known, and is one that can be asked.

        Raises
        ------
        SourceError
            As :meth:`Source.read`.
        """
        if is_url(source.name):
            live = self._live_resources(source.name, is_named=self.is_named)
            return replace(_fetch(live, source.name), resources=live)
        document = source.read()
        if not is_url(document.url):
            return document
        try:
            live = self._live_resources(document.url)
        except SourceError:  # an archive may name a page as the network does not
            return document
        local = document.resources
        if local is None or self.settings.scripts:
            return replace(document, resources=live)
        return replace(document, resources=FallbackResources(local, live))

    def _live_resources(self, url: str, *, is_named: bool = False) -> NetworkResources:
        if not self.is_named:
            _check_address(url)
        return _live_resources(url, self.settings.limits, self.recorder, is_named=is_named)


def open_sources(names: Iterable[str]) -> Iterator[Source]:
    """Yield one source a page, in the order of the names.

    A folder gives its pages, sorted, with those in folders below it; a ZIP archive does, too. A
    WARC archive gives the answers that are HTML, in the order of the file. What cannot be listed
    (an empty folder, a broken archive) is a source of its own whose ``read`` raises, so that the
    other names are not held up.

    Raises
    ------
    MissingExtraError
        If a name is a WARC archive and the extra ``warc`` is not installed.
    """
    for name in names:
        path, small = Path(name), name.lower()
        if name == "-" or is_url(name):
            yield Source(name)
        elif small.startswith("file:"):
            yield _failed(name, "an address of this machine; give the path of the file")
        elif path.is_dir():
            yield from _open_folder(path)
        elif small.endswith(ZIP_SUFFIXES):
            yield from _open_zip(path)
        elif small.endswith(WARC_SUFFIXES):
            yield from _open_warc(path)
        else:
            yield Source(name)


def _open_folder(folder: Path) -> Iterator[Source]:
    files = FolderFiles(folder)
    try:
        pages = pages_among(paths_below(folder))
    except OSError as error:
        yield _failed(str(folder), f"the folder cannot be listed: {error}")
        return
    if not pages:
        yield _failed(str(folder), f"the folder holds no page ({', '.join(PAGE_SUFFIXES)})")
    for page in pages:
        yield Source(str(folder / page), partial(_read_listed, files, page))


def _read_listed(files: FolderFiles, page: str) -> Document:
    if not files.holds(page):
        path = files.root / page
        raise SourceError(f"{path}: a link that leads out of the folder; name the file itself")
    return _read_file(files, page)


def _read_file(files: FolderFiles, page: str) -> Document:
    path = files.root / page
    return read_saved(read_bytes(path), str(path), MirrorResources(files, page))


def _open_zip(path: Path) -> Iterator[Source]:
    try:
        files = ZipFiles(path)
    except SourceError as error:
        yield _failed(str(path), str(error).removeprefix(f"{path}: "))
        return
    pages = pages_among(files.paths())
    if files.n_too_deep:
        count = f"{files.n_too_deep:,} files lie below more than {MAX_FOLDERS} folders"
        yield _failed(str(path), f"{count}, and are not read")
    elif not pages:
        yield _failed(str(path), f"the archive holds no page ({', '.join(PAGE_SUFFIXES)})")
    for page in pages:
        yield Source(f"{path}/{page}", partial(_read_member, files, page))


def _read_member(files: ZipFiles, page: str) -> Document:
    data = files.take(page, max_bytes(page))
    return read_saved(data, f"{files.path}/{page}", MirrorResources(files, page))


def _open_warc(path: Path) -> Iterator[Source]:
    archive = WarcFile(path)
    n_pages = 0
    try:
        for record in archive.pages():
            n_pages += 1
            yield Source(f"{path}#{record.number}", partial(archive.read, record))
    except SourceError as error:
        yield _failed(str(path), str(error).removeprefix(f"{path}: "))
    else:
        if not n_pages:
            yield _failed(str(path), "the archive holds no HTML that was answered with status 200")


def _failed(name: str, message: str) -> Source:
    """Return a source that is nothing but an error."""

    def fail() -> NoReturn:
        raise SourceError(f"{name}: {message}")

    return Source(name, fail)


def _live_resources(
    url: str, limits: Limits, recorder: Recorder | None = None, *, is_named: bool = False
) -> NetworkResources:
    """Return the files of a page as the network has them."""
    # Late: HTTPX takes 0.1 s, and most pages come from files.
    from structce.rendering.network.resources import NetworkResources

    return NetworkResources(url, limits=limits, recorder=recorder, is_named=is_named)


def _check_address(url: str) -> None:
    """Check the form of a stranger's address, whose port may be odd even for a page."""
    import httpx  # late, as above

    from structce.rendering.network.http import source_errors
    from structce.rendering.network.ssrf_guard import AddressPolicy

    with source_errors():
        AddressPolicy(httpx.URL(PLACEHOLDER_URL)).check(httpx.URL(url))


def _fetch(live: NetworkResources, name: str) -> Document:
    page, url = live.page()
    return decode(page.data, name=name, url=url, content_type=page.content_type)
