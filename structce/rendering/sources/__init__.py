"""Sources of pages: files, folders, archives, addresses and standard input, in one stream.

Archives are read in place: nothing is ever unpacked to the disk.
"""

from __future__ import annotations

import gzip
import io
import mimetypes
import re
import struct
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, quote, unquote

import msgspec
from msgspec.structs import replace

from structce.addresses import split_address
from structce.errors import SourceError, page_faults
from structce.patterns import lazy_pattern
from structce.rendering.base import DEFAULT_LIMITS, Limits, Settings
from structce.rendering.document import (
    MAX_PAGE_BYTES,
    PLACEHOLDER_URL,
    Document,
    Resource,
    ResourceLookup,
    Resources,
    decode,
    is_url,
)
from structce.runtime import call_within

if TYPE_CHECKING:
    from structce.rendering.network.http import NetworkResources

ZIP_SUFFIXES = (".zip",)  # file name suffixes of ZIP archives, in lower case
WARC_SUFFIXES = (".warc", ".warc.gz")  # likewise, of WARC archives
MHTML_SUFFIXES = (".mht", ".mhtml")  # likewise, of web archives of one page
PAGE_SUFFIXES = (".html.gz", ".htm.gz", ".xhtml", ".html", ".htm", *MHTML_SUFFIXES)
"""File name suffixes of pages in a folder or archive, in lower case; the longest first."""

MAX_FOLDERS = 200  # maximum nesting of folders in an archive; deeper members are not read

_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Compression methods whose unpacking can be limited; others may exhaust memory."""

_BROKEN = (
    *(zipfile.BadZipFile, OSError, EOFError, zlib.error, struct.error),
    *(RuntimeError, ValueError),  # a password, a place before the file begins
)
"""Errors raised by reading a broken or encrypted archive."""

_ENDINGS = ("", ".css", ".html")
"""Endings that Wget adds to names that do not show the type (``--adjust-extension``)."""

_SAVED_FROM = lazy_pattern(
    r"<!--\s*(?:saved from url=\(\d+\)|Page saved with SingleFile\s+url:\s*)(\S+?)\s*(?:-->|\s)"
)
"""Comment that Chrome, Edge, Internet Explorer and SingleFile write at the head of saved pages."""

_HEAD = 4_096  # characters in which such a comment must begin, before any text of the page

_SCHEME = lazy_pattern("^https?://", re.IGNORECASE)
_PAGE_SECONDS = 60.0  # limit for the page itself, which the user waits for; its files have less


class Source(msgspec.Struct, frozen=True):
    """Source of one page: a file, a place in an archive, an address, or standard input (``-``)."""

    name: str
    reader: Callable[[], Document] | None = None  # None if the name is enough

    def read(self, seconds: float = DEFAULT_LIMITS.page_seconds) -> Document:
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


class NetworkReader(msgspec.Struct, frozen=True):
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
        both = ResourceLookup(local.base, lambda url: local.get(url) or live.get(url))
        return replace(document, resources=both)

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
    if isinstance(files, ZipFiles) and files.n_too_deep:
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


def read_saved(data: bytes, name: str, resources: Resources | None) -> Document:
    """Return the document in a file, whose name shows the format; SourceError if damaged."""
    if name.lower().endswith(MHTML_SUFFIXES):
        from structce.rendering.sources.mhtml import read_mhtml  # late: few pages are in MHTML

        return read_mhtml(data, name)
    if name.lower().endswith(".gz"):
        try:
            with gzip.open(io.BytesIO(data)) as file:
                data = file.read(MAX_PAGE_BYTES + 1)
        except (OSError, zlib.error, EOFError) as error:
            raise SourceError(f"{name}: {error}") from error
    document = decode(data, name=name)
    comment = _SAVED_FROM.search(document.html, 0, _HEAD)
    url = comment.group(1) if comment and is_url(comment.group(1)) else ""
    return replace(document, url=url, resources=resources)


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a page's file; SourceError if it is unreadable or too large."""
    limit = _max_bytes(path.name)
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except (OSError, ValueError) as error:
        raise SourceError(f"{path}: {_reason(error)}") from error
    if len(data) > limit:
        raise SourceError(f"{path}: over {limit:,} bytes, which is the limit")
    return data


def _max_bytes(path: str) -> int:
    """Return the maximum size of a page's file; an MHTML file contains more than the page."""
    return DEFAULT_LIMITS.total_bytes if path.lower().endswith(MHTML_SUFFIXES) else MAX_PAGE_BYTES


def pages_among(paths: Iterable[str]) -> list[str]:
    """Return the pages among the paths of a tree, sorted.

    The frames of a saved page, in the folder beside it (``news.html``, ``news_files/``), belong to
    it and are not pages themselves.
    """
    # macOS puts files that begin with "._" beside others.
    pages = sorted(
        path
        for path in paths
        if path.lower().endswith(PAGE_SUFFIXES) and not path.rpartition("/")[2].startswith("._")
    )
    endings = (next(end for end in PAGE_SUFFIXES if path.lower().endswith(end)) for path in pages)
    folders = {f"{path[: -len(end)]}_files" for path, end in zip(pages, endings, strict=True)}
    return [path for path in pages if folders.isdisjoint(map(str, PurePosixPath(path).parents))]


def paths_below(folder: Path) -> Iterator[str]:
    """Yield the files below a folder, as paths relative to it, with slashes."""
    for path in folder.rglob("*"):
        if path.is_file():
            yield path.relative_to(folder).as_posix()


class FolderFiles(msgspec.Struct, frozen=True):
    """The files in a folder and below; a file over the limit in bytes counts as missing."""

    root: Path
    limit: int = DEFAULT_LIMITS.request_bytes

    @property
    def pages(self) -> list[str]:
        """Paths of the pages, sorted."""
        return pages_among(paths_below(self.root))

    def has_folder(self, path: str) -> bool:
        """Return whether there is such a folder."""
        with suppress(OSError, ValueError):
            return self._inside(path).is_dir()
        return False

    def read(self, path: str) -> bytes | None:
        """Return a file, or None."""
        with suppress(OSError, ValueError):  # unreadable, a loop of links, an impossible name
            file = self._inside(path)
            if file.is_file() and file.stat().st_size <= self.limit:
                return file.read_bytes()
        return None

    def read_page(self, path: str) -> bytes:
        """Return a page; SourceError if it cannot be read or is too large."""
        try:
            self._inside(path)
        except (OSError, ValueError):
            reason = "a link that leads out of the folder; name the file itself"
            raise SourceError(f"{self.name_of(path)}: {reason}") from None
        return read_bytes(self.root / path)

    def name_of(self, path: str) -> str:
        """Return the name of a page in messages."""
        return str(self.root / path)

    def _inside(self, path: str) -> Path:
        resolved = (self.root / path).resolve()
        resolved.relative_to(self.root.resolve())  # raises where it leads out of the folder
        return resolved


class ZipFiles:
    """The files in a ZIP archive, as :class:`FolderFiles`, also for several threads at once.

    SourceError if the list of its files cannot be read. ``n_too_deep`` counts the files nested in
    more than ``MAX_FOLDERS`` folders, which are missing.
    """

    def __init__(self, path: Path, limit: int = DEFAULT_LIMITS.request_bytes) -> None:
        self.root = path
        self.limit = limit
        try:
            self._zip = zipfile.ZipFile(path)
        except _BROKEN as error:
            raise SourceError(f"{path}: not a readable ZIP archive: {_reason(error)}") from error
        members = [info for info in self._zip.infolist() if not info.is_dir()]
        listed = {info.filename.replace("\\", "/"): info for info in members}
        self._members = {
            name: info for name, info in listed.items() if name.count("/") <= MAX_FOLDERS
        }
        self.n_too_deep = len(listed) - len(self._members)
        parents = (PurePosixPath(name).parents for name in self._members)
        self._folders = {str(folder) for folders in parents for folder in folders}

    @property
    def pages(self) -> list[str]:
        """Paths of the pages, sorted; without the files that macOS adds."""
        return pages_among(path for path in self._members if not path.startswith("__MACOSX/"))

    def has_folder(self, path: str) -> bool:
        """Return whether there is such a folder."""
        return path in self._folders

    def read(self, path: str) -> bytes | None:
        """Return a file, or None."""
        with suppress(SourceError):
            return self._unpacked(path, self.limit) if path in self._members else None
        return None

    def read_page(self, path: str) -> bytes:
        """Return a page; SourceError if it is damaged, encrypted or too large."""
        return self._unpacked(path, _max_bytes(path))

    def name_of(self, path: str) -> str:
        """Return the name of a page in messages."""
        return f"{self.root}/{path}"

    def _unpacked(self, path: str, limit: int) -> bytes:
        """Return a file; no more than the limit is ever unpacked, whatever size is stated."""
        info, name = self._members[path], self.name_of(path)
        if info.file_size > limit:
            raise SourceError(f"{name}: {info.file_size:,} bytes; at most {limit:,} are read")
        if info.compress_type not in _METHODS:
            raise SourceError(f"{name}: unsupported compression method; pack with 'deflate'")
        try:
            with self._zip.open(info) as file:
                data = file.read(limit + 1)
        except _BROKEN as error:
            raise SourceError(f"{name}: {_reason(error)}") from error
        if len(data) != info.file_size:  # a wrong length would have gone unnoticed
            lengths = f"expected {info.file_size:,} bytes, got {len(data):,}"
            raise SourceError(f"{name}: damaged: {lengths}")
        return data


Files = FolderFiles | ZipFiles
"""A tree of files, named by their paths below its root, with slashes."""


class MirrorResources(msgspec.Struct, frozen=True):
    """Files around a page, of a given path in a tree saved by a browser or mirrored by a crawler.

    The root of the tree is shown as ``http://page.invalid/``, so that relative addresses work
    unchanged. An address that starts with a slash is looked up below the root, then below each
    folder down to the page's: one of them was the root of the site. An address of another host is
    looked up in a folder with the host's name, beside the page or above it, as crawlers place it.
    """

    files: Files
    page: str

    @property
    def base(self) -> str:
        """Absolute address of the page."""
        return PLACEHOLDER_URL + quote(self.page)

    def get(self, url: str) -> Resource | None:
        """Return the file at an absolute address, or None."""
        address = split_address(url)
        for folder in self._folders(address):
            for name in _names(address):
                path = _join(folder, name)
                data = None if path is None else self.files.read(path)
                if path is not None and data is not None:
                    return Resource(data, _content_type(path))
        return None

    def _folders(self, address: SplitResult) -> Iterator[str]:
        """Yield the folders where the path of an address may begin, most likely first."""
        above = [str(folder) for folder in PurePosixPath(self.page).parents]  # nearest first
        host = address.netloc.rpartition("@")[2].lower()
        if f"http://{host}/" == PLACEHOLDER_URL:
            yield from reversed(above)
            return
        for folder in above:
            path = _join(folder, host)
            if path is not None and self.files.has_folder(path):
                yield path


def _reason(error: BaseException) -> str:
    strerror = error.strerror if isinstance(error, OSError) else ""
    return strerror or str(error) or type(error).__name__


def _names(address: SplitResult) -> Iterator[str]:
    """Yield the names under which a file may have been saved, most likely first."""
    paths = dict.fromkeys((unquote(address.path), address.path))
    queries = dict.fromkeys((address.query, unquote(address.query)))
    stems = [f"{path}?{query}" for path in paths for query in queries if query]
    for stem in [*stems, *paths]:
        if stem.endswith("/"):
            yield f"{stem}index.html"
        else:
            yield from (f"{stem}{ending}" for ending in _ENDINGS)


def _join(folder: str, name: str) -> str | None:
    """Return the path below the root of the tree; None for one that may leave it."""
    steps = [step for step in f"{folder}/{name}".split("/") if step not in ("", ".")]
    if ".." in steps or any("\\" in step or "\0" in step for step in steps):
        return None
    return "/".join(steps)


def _content_type(path: str) -> str:
    """Return the content type implied by a file's name; empty if unknown."""
    name = path.rpartition("/")[2]
    kinds = map(mimetypes.guess_type, (name, name.partition("?")[0]))
    return next((kind for kind, compression in kinds if kind and not compression), "")
