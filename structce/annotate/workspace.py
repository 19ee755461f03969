"""Workspace: a corpus that people label, with the trail of what each of them did.

::

    corpus/manifest.json, pages/, labels/, gold/     the corpus, whole after every action
    corpus/annotation/labels.toml                    label scheme
    corpus/annotation/trail/PAGE.jsonl               what was done
    corpus/annotation/source/PAGE.html               HTML of pages that were opened as files
    corpus/annotation/lock                           held by the process that labels

Labels of a page that nobody is done with are those given by hand; other regions keep what the
corpus had, which is unknown for pages that were added as files. What a model proposes is never in
the corpus before a person accepts it.
"""

from __future__ import annotations

import hashlib
import os
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock
from typing import IO

from structce.annotate.scheme import (
    SCHEME_FILE,
    LabelScheme,
    default_scheme,
    read_scheme,
    scheme_text,
)
from structce.annotate.trail import (
    ACCEPT,
    CLEARED,
    LABEL,
    OPEN,
    REDO,
    REOPEN,
    RESOLVE,
    UNDO,
    Action,
    Annotation,
    History,
    Trail,
)
from structce.corpus import CorpusEditor, Head, LabelledPage, create_corpus
from structce.errors import CorpusError, LabelError
from structce.io import encode_json, write_atomic
from structce.labels import UNKNOWN
from structce.page import Page

FOLDER = "annotation"
"""Folder inside a corpus that the labelling page keeps its own files in."""

_N_CACHED = 24
"""Pages that are kept in memory: those around where people are."""


class StaleError(CorpusError):
    """An action was meant for another state of the page: somebody was faster, or it changed."""


@dataclass(frozen=True)
class PageState:
    """What the queue knows of a page without opening it."""

    id: str
    site: str
    url: str
    done_by: tuple[str, ...]
    begun_by: tuple[str, ...]


def region_digest(page: Page) -> str:
    """Return the SHA-256 over addresses and texts of a page's regions: what labels hold for."""
    return hashlib.sha256(encode_json([page.xpath, page.text], indent=None)).hexdigest()


class Workspace:
    """A corpus opened for labelling; use as a context manager.

    Parameters
    ----------
    folder
        Folder of a corpus of rendered pages.
    progress
        Wraps the list of pages while all are read.

    Raises
    ------
    CorpusError
        If the folder cannot be edited, a trail is damaged, or another process labels it.
    """

    def __init__(self, folder: Path, *, progress: object = None) -> None:
        self.folder = folder
        self._own = folder / FOLDER
        self.lock = RLock()
        self._guard = _hold(self._own / "lock", folder)
        try:
            has_trail = (self._own / "trail").is_dir()
            shown = {"progress": progress} if callable(progress) else {}
            self.editor = CorpusEditor(folder, trusts_labels=has_trail, **shown)
            self.scheme = self._read_scheme()
            self._histories: dict[str, History] = {}
            self._pages: OrderedDict[str, LabelledPage] = OrderedDict()
            for row in self.editor.rows:
                self._histories[row["id"]] = self._trail(row["id"]).read()
            self._finish_interrupted()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Workspace:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let other processes label the corpus."""
        self._guard.close()

    def _read_scheme(self) -> LabelScheme:
        file = self._own / SCHEME_FILE
        if not file.exists():
            return default_scheme(self.editor.label_set)
        scheme = read_scheme(file.read_text("utf-8"), str(file))
        if set(scheme.label_set.names) != set(self.editor.label_set.names):
            raise CorpusError(
                f"{file}: its names are not the corpus's {self.editor.label_set.names}"
            )
        return scheme

    def _finish_interrupted(self) -> None:
        """Write labels of pages whose last action is in the trail and not in the corpus."""
        for name, history in self._histories.items():
            if history.n:
                page = self.page(name)
                labels = history.final(len(page.page), self.background)
                if labels != page.labels:
                    self._pages[name] = self.editor.set_labels(page, labels)

    @property
    def background(self) -> str:
        """Label of regions that no other label describes."""
        return self.editor.label_set.background

    @property
    def names(self) -> list[str]:
        """Names of the pages, in the order of the corpus."""
        return [row["id"] for row in self.editor.rows]

    def page(self, name: str) -> LabelledPage:
        """Return a page with the labels that the corpus has now.

        Raises
        ------
        CorpusError
            If the corpus has no page of this name, or its file is damaged.
        """
        with self.lock:
            if name not in self._pages:
                self._pages[name] = self.editor.page(name)
                while len(self._pages) > _N_CACHED:
                    self._pages.popitem(last=False)
            self._pages.move_to_end(name)
            return self._pages[name]

    def history(self, name: str) -> History:
        """Return what was done to a page."""
        self.editor.row(name)
        return self._histories[name]

    def annotation(self, name: str, who: str) -> Annotation:
        """Return what one annotator did to a page; nothing if that is so."""
        return self.history(name).annotations.get(who, Annotation())

    def original(self, name: str) -> tuple[str, ...]:
        """Return the labels that a page had before anybody annotated it, one a region."""
        page, history = self.page(name), self.history(name)
        if history.original is None:
            return page.labels
        return tuple(history.original.get(i, self.background) for i in range(len(page.page)))

    def source(self, name: str) -> str | None:
        """Return the HTML of a page that was added as a file; None if it has only regions."""
        self.editor.row(name)
        file = self._own / "source" / f"{name}.html"
        return file.read_text("utf-8") if file.exists() else None

    def states(self) -> list[PageState]:
        """Return what is known of every page, in the order of the corpus."""
        found = []
        for row in self.editor.rows:
            history = self._histories[row["id"]]
            begun = tuple(sorted(who for who, one in history.annotations.items() if one.can_undo))
            found.append(
                PageState(row["id"], row["site"], row["url"], tuple(history.done_by), begun)
            )
        return found

    def act(
        self,
        name: str,
        who: str,
        action: str,
        labels: Mapping[int, str] | None = None,
        *,
        base: int | None = None,
        key: str = "",
        by: str = "",
    ) -> History:
        """Do an action on a page, save it, and return the page's history.

        Parameters
        ----------
        base
            Number of the last action that the annotator saw of their own; None to go ahead anyway.
        key
            An action whose key is known was done already, and is not done again.
        by
            What proposed the labels of an ``accept``.

        Raises
        ------
        StaleError
            If the annotator acted in another window since, or the page is another than it was.
        LabelError
            If a label is not of the set, or a region does not exist.
        OSError
            If it could not be saved; then nothing has changed.
        """
        labels = dict(labels or {})
        with self.lock:
            history, page = self.history(name), self.page(name)
            if history.knows(key):
                return history
            self._check(page, history, who, action, labels, base)
            new = [] if history.n else [self._opening(page, who)]
            n = history.n + len(new) + 1
            new.append(Action(n, _now(), who, action, labels, by, key))
            self._trail(name).append(*new)
            for one in new:
                history.apply(one)
            final = history.final(len(page.page), self.background)
            if final != page.labels:
                self._pages[name] = self.editor.set_labels(page, final)
            return history

    def _check(
        self,
        page: LabelledPage,
        history: History,
        who: str,
        action: str,
        labels: Mapping[int, str],
        base: int | None,
    ) -> None:
        if action not in (LABEL, ACCEPT, REOPEN, UNDO, REDO, RESOLVE):
            raise LabelError(f"{page.id}: unknown action {action!r}")
        if base is not None and base != self.version(page.id, who):
            raise StaleError(f"{page.id}: the page has changed in another window; it is shown anew")
        if history.digest and history.digest != region_digest(page.page):
            raise StaleError(
                f"{page.id}: the page is another than the one that was labelled before"
            )
        for i, label in labels.items():
            if not 0 <= i < len(page.page):
                raise LabelError(f"{page.id}: no region {i} among {len(page.page)}")
            if label != CLEARED or action != LABEL:
                self.editor.label_set.check(label)

    def version(self, name: str, who: str) -> int:
        """Return the number of actions of one annotator on a page."""
        return self.history(name).counts.get(who, 0)

    def _opening(self, page: LabelledPage, who: str) -> Action:
        labels = {i: one for i, one in enumerate(page.labels) if one != self.background}
        return Action(1, _now(), who, OPEN, labels, digest=region_digest(page.page))

    def _trail(self, name: str) -> Trail:
        return Trail(self._own / "trail" / f"{name}.jsonl")

    def add_pages(self, pages: Iterable[tuple[Page, str, str, str | None]]) -> int:
        """Add pages of which nothing is known, and return how many.

        Parameters
        ----------
        pages
            Page, name, site, and HTML if it is known; pages of a name that is taken are skipped.
        """
        with self.lock:
            new = []
            for page, name, site, html in pages:
                if name in self.editor:
                    continue
                if html is not None:
                    file = self._own / "source" / f"{name}.html"
                    write_atomic(file, html.encode("utf-8", errors="replace"))
                labels = (UNKNOWN,) * len(page)
                new.append(LabelledPage(name, site, site, page, labels))
            self.editor.add(new)
            for one in new:
                self._histories[one.id] = History()
            return len(new)

    def add_labelled(self, page: LabelledPage, html: str) -> None:
        """Add a page with labels to begin with, and its HTML."""
        with self.lock:
            file = self._own / "source" / f"{page.id}.html"
            write_atomic(file, html.encode("utf-8", errors="replace"))
            self.editor.add([page])
            self._histories[page.id] = History()


def create_workspace(folder: Path, scheme: LabelScheme, name: str) -> None:
    """Make a folder with a corpus without pages and a label scheme.

    Raises
    ------
    CorpusError
        If the folder holds something else.
    """
    label_set = scheme.label_set
    create_corpus(folder, Head(name, label_set, label_set.foreground))
    write_atomic(folder / FOLDER / SCHEME_FILE, scheme_text(scheme).encode())


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _hold(path: Path, folder: Path) -> IO[bytes]:
    """Return the locked file; the lock goes with the process, however it ends."""
    path.parent.mkdir(parents=True, exist_ok=True)
    file = path.open("a+b")
    try:
        _lock(file)
    except OSError as error:
        file.close()
        raise CorpusError(
            f"{folder}: another process labels this corpus; open its page, or end it"
        ) from error
    return file


def _lock(file: IO[bytes]) -> None:
    if os.name == "nt":  # pragma: no cover
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
