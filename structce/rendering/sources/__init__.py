"""Sources of pages: files, folders, archives, addresses and standard input, in one stream."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from structce.errors import SourceError, page_faults
from structce.patterns import lazy_pattern
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
    WARC_SUFFIXES,
    ZIP_SUFFIXES,
    Files,
    FolderFiles,
    MirrorResources,
    ZipFiles,
    read_bytes,
    read_saved,
)
from structce.runtime import call_within

if TYPE_CHECKING:
    from structce.rendering.network.http import NetworkResources

_SCHEME = lazy_pattern("^https?://", re.IGNORECASE)
_PAGE_SECONDS = 60.0  # limit for the page itself, which the user waits for; its files have less


class Source(NamedTuple):
    """Source of one page: a file, a place in an archive, an address, or standard input (``-``)."""

    name: str
    reader: Callable[[], Document] | None = None  # None if the name is enough

    def read(self, seconds: float = Limits.page_seconds) -> Document:
        """Return the document, with the files around it if there are any.

        SourceError if it cannot be read, is too large, or is not HTML; TimeLimitError if reading a
        file takes longer than these seconds; PageError if something unforeseen goes wrong. The
        message names the source.
        """
        with page_faults(self.name):
            if self.name == "-" or is_url(self.name):  # an address has a limit of its own
                return self._read()
            return call_within(seconds, self.name, self._read)

    def _read(self) -> Document:
        if self.reader is not None:
            return self.reader()
        if self.name == "-":
            if sys.stdin is None:
                raise SourceError("standard input is closed")
            return decode(sys.stdin.buffer.read(MAX_PAGE_BYTES + 1), name="standard input")
        if is_url(self.name):
            limits = Limits(request_seconds=_PAGE_SECONDS)
            document, live = _fetch(self.name, limits, is_named=True)
            live.close()
            return document
        path = Path(self.name)
        resources = MirrorResources(FolderFiles(path.parent), path.name)
        return read_saved(read_bytes(path), str(path), resources)


class FallbackResources(NamedTuple):
    """Resources with a fallback: files from one place, else from another."""

    first: Resources
    second: Resources

    @property
    def base(self) -> str:
        """Address of the page in the first place."""
        return self.first.base

    def get(self, url: str) -> Resource | None:
        """Return the file of the first place that has it."""
        return self.first.get(url) or self.second.get(url)


class NetworkReader(NamedTuple):
    """Reader of sources whose pages may request their files from the network.

    Pages whose scripts run get no file of their own folder or archive: a script that reads a file
    could send its content to the network.
    """

    settings: Settings
    # Whether the user gave the addresses, which may then be private; strangers may name only public
    # addresses and usual ports.
    is_named: bool = True

    def read(self, source: Source) -> Document:
        """Return the document of a source.

        A page from a file may request files that its folder or archive does not contain, if its
        address is known and may be requested. It raises what :meth:`Source.read` raises.
        """
        limits = self.settings.limits
        if is_url(source.name):
            self._check(source.name)
            document, live = _fetch(source.name, limits, is_named=self.is_named)
            return replace(document, resources=live)
        document = source.read(limits.page_seconds)
        if not is_url(document.url):
            return document
        try:
            self._check(document.url)
            live = _live_resources(document.url, limits)
        except SourceError:  # an archive may name a page as the network does not
            return document
        local = document.resources
        if local is None or self.settings.scripts:
            return replace(document, resources=live)
        return replace(document, resources=FallbackResources(local, live))

    def _check(self, url: str) -> None:
        """Check the form of a stranger's address, including its port."""
        if not self.is_named:
            import httpx  # late: it takes 0.1 s, and most pages come from files

            from structce.rendering.network.http import source_errors
            from structce.rendering.network.ssrf_guard import AddressPolicy

            with source_errors():
                AddressPolicy(httpx.URL(PLACEHOLDER_URL)).check(httpx.URL(url))


def open_sources(names: Iterable[str]) -> Iterator[Source]:
    """Yield one source per page, in the order of the names.

    A folder yields its pages, sorted, including those in subfolders; so does a ZIP archive. A WARC
    archive yields its HTML responses, in file order. A name that cannot be listed (an empty folder,
    a broken archive) gives a source whose ``read`` raises, so that the other names are not
    affected.
    MissingExtraError if a name is a WARC archive and the extra ``warc`` is not installed.
    """
    for argument in names:
        name = _SCHEME.sub(lambda match: match[0].lower(), argument)
        path, small = Path(name), name.lower()
        if not name:
            expected = "expected a file, a folder, an archive, an address or -"
            yield _failed(name, f"a source without a name; {expected}")
        elif name == "-" or is_url(name):
            yield Source(name)
        elif small.startswith("file:"):
            yield _failed(name, f"{name}: a file: address; give the path of the file instead")
        elif "://" in name and not path.exists():
            expected = "expected an address that begins with http:// or https://"
            yield _failed(name, f"{name}: {expected}")
        elif path.is_dir() or small.endswith(ZIP_SUFFIXES):
            yield from _open_tree(path)
        elif small.endswith(WARC_SUFFIXES):
            yield from _open_warc(path)
        else:
            yield Source(name)


def _open_tree(path: Path) -> Iterator[Source]:
    """Yield the pages of a folder or a ZIP archive."""
    kind = "folder" if path.is_dir() else "archive"
    try:
        files = FolderFiles(path) if kind == "folder" else ZipFiles(path)
        pages = files.pages
    except OSError as error:
        yield _failed(path, f"{path}: the {kind} cannot be listed: {error}")
        return
    except SourceError as error:
        yield _failed(path, error)
        return
    if files.n_too_deep:
        nested = f"{files.n_too_deep:,} files are nested in more than {MAX_FOLDERS} folders"
        yield _failed(path, f"{path}: {nested}, and are not read")
    elif not pages:
        expected = ", ".join(PAGE_SUFFIXES)
        yield _failed(path, f"{path}: the {kind} contains no page ({expected})")
    for page in pages:
        yield Source(files.name_of(page), partial(_read_page, files, page))


def _read_page(files: Files, page: str) -> Document:
    return read_saved(files.read_page(page), files.name_of(page), MirrorResources(files, page))


def _open_warc(path: Path) -> Iterator[Source]:
    from structce.rendering.sources.warc import WarcFile  # late: most pages come from files

    archive = WarcFile(path)
    entry = None
    try:
        for entry in archive.pages():
            yield Source(f"{path}#{entry.number}", partial(archive.read, entry))
        if entry is None:
            yield _failed(path, f"{path}: the archive contains no HTML response with status 200")
    except SourceError as error:
        yield _failed(path, error)


def _failed(name: object, reason: object) -> Source:
    return Source(str(name), partial(_fail, str(reason)))


def _fail(reason: str) -> Document:
    raise SourceError(reason)


def _live_resources(url: str, limits: Limits, *, is_named: bool = False) -> NetworkResources:
    from structce.rendering.network.http import NetworkResources  # late, as above

    return NetworkResources(url, limits=limits, is_named=is_named)


def _fetch(
    url: str, limits: Limits, *, is_named: bool = False
) -> tuple[Document, NetworkResources]:
    live = _live_resources(url, limits, is_named=is_named)
    page, final_url = live.page()
    return decode(page.data, name=url, url=final_url, content_type=page.content_type), live
