"""Addresses to paths: the files around a page in a folder or archive that it was saved to."""

from __future__ import annotations

import mimetypes
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Protocol
from urllib.parse import SplitResult, quote, unquote, urlsplit

from structce.rendering.resources import NOWHERE, Resource

_ENDINGS = ("", ".css", ".html")
"""Wget adds these where a name does not say what the file is (``--adjust-extension``)."""


class Files(Protocol):
    """A tree of files, named by their paths below its root, with slashes."""

    def read(self, path: str) -> bytes | None:
        """Return a file; None if there is none, or it is too large, or lies outside the tree."""
        ...

    def has_folder(self, path: str) -> bool:
        """Return whether there is such a folder."""
        ...


@dataclass(frozen=True)
class MirrorResources:
    """What surrounds a page in a tree of files: saved by a browser, or mirrored by a crawler.

    The root of the tree is shown as ``http://page.invalid/``, so that relative addresses work as
    they stand. An address that starts with a slash is looked up below the root, then below each
    folder down to the page's: one of them was the root of the site. An address of another host is
    looked up in a folder of the host's name, beside the page or above it, as crawlers lay it out.

    Parameters
    ----------
    files
        The tree.
    page
        Path of the page in it.
    """

    files: Files
    page: str

    @property
    def base(self) -> str:
        """Absolute address of the page."""
        return NOWHERE + quote(self.page)

    def get(self, url: str) -> Resource | None:
        """Return the file at an absolute address, or None."""
        try:
            address = urlsplit(url)
        except ValueError:
            return None
        for folder in self._folders(address):
            for name in _names(address):
                path = _join(folder, name)
                data = None if path is None else self.files.read(path)
                if path is not None and data is not None:
                    return Resource(data, _content_type(path))
        return None

    def _folders(self, address: SplitResult) -> Iterator[str]:
        """Yield the folders where the path of an address may begin, the likeliest first."""
        above = [str(folder) for folder in PurePosixPath(self.page).parents]  # nearest first
        host = address.netloc.rpartition("@")[2].lower()
        if f"http://{host}/" == NOWHERE:
            yield from reversed(above)
            return
        for folder in above:
            path = _join(folder, host)
            if path is not None and self.files.has_folder(path):
                yield path


def _names(address: SplitResult) -> Iterator[str]:
    """Yield the names that a file may have been saved under, the likeliest first."""
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
    """Return the type that a file's name tells; empty if none."""
    name = path.rpartition("/")[2]
    for candidate in (name, name.partition("?")[0]):
        kind, compression = mimetypes.guess_type(candidate)
        if kind and not compression:
            return kind
    return ""
