"""Workspace: a corpus that people label, with the trail of each page's actions.

::

    corpus/manifest.json, pages/, labels/, gold/     the corpus, complete after every action
    corpus/annotation/labels.toml                    label scheme
    corpus/annotation/trail/PAGE.jsonl               actions
    corpus/annotation/source/PAGE.html               HTML of pages that were opened as files
    corpus/annotation/source/PAGE.json               style sheets saved beside such a page
    corpus/annotation/lock                           held by the process that labels

Labels of an unfinished page are those given by hand; other regions keep the labels of the corpus,
which are unknown for pages that were added as files. A model's proposals never enter the corpus
before a person accepts them.
"""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock
from typing import NamedTuple

from structce.annotate.scheme import SCHEME_FILE, LabelScheme, default_scheme, read_scheme
from structce.annotate.trail import (
    CLEARED,
    LABEL,
    OPEN,
    PERSONAL,
    RESOLVE,
    Action,
    Annotation,
    History,
    Trail,
)
from structce.corpus import CorpusEditor, LabelledPage, create_corpus
from structce.errors import CorpusError, LabelError
from structce.io import encode_json, lock_file, write_atomic
from structce.page import Page

FOLDER = "annotation"
"""Folder inside a corpus for the files of the labelling page."""

_N_CACHED = 24
"""Number of pages that are kept in memory: those near the ones being labelled."""


class StyleSheet(NamedTuple):
    """Text of a style sheet, and the media query under which a page uses it; empty for always."""

    text: str
    media: str = ""


class AddedPage(NamedTuple):
    """Page to add to a corpus, with its HTML (empty if not known) and style sheets."""

    page: LabelledPage
    html: str = ""
    style_sheets: Sequence[StyleSheet] = ()


class StaleError(CorpusError):
    """An action was meant for an older state of the page, which has changed since."""


class PageState(NamedTuple):
    """State of a page that the queue shows without opening it."""

    id: str
    site: str
    done_by: tuple[str, ...]
    begun_by: tuple[str, ...]


def region_digest(page: Page) -> str:
    """Return the SHA-256 of the XPaths and texts of a page's regions, which labels refer to."""
    return hashlib.sha256(encode_json([page.xpath, page.text], indent=None)).hexdigest()


class Workspace:
    """A corpus of rendered pages opened for labelling; use as a context manager.

    ``progress`` wraps the list of pages while they are read, such as a progress bar. Raises
    CorpusError if the folder cannot be edited, a trail is damaged, or another process labels it.
    """

    def __init__(self, folder: Path, *, progress: object = None) -> None:
        self.folder = folder
        self._annotation = folder / FOLDER
        self.lock = RLock()
        lock = self._annotation / "lock"  # the lock ends with the process, however that ends
        lock.parent.mkdir(parents=True, exist_ok=True)
        self._lock_file = lock.open("a+b")
        try:
            if not lock_file(self._lock_file):
                raise CorpusError(
                    f"{folder}: another process labels this corpus; open its labelling page, or "
                    "end it"
                )
            has_trail = (self._annotation / "trail").is_dir()
            options = {"progress": progress} if callable(progress) else {}
            self.editor = CorpusEditor(folder, trusts_labels=has_trail, **options)
            self.scheme = self._read_scheme()
            self._pages: OrderedDict[str, LabelledPage] = OrderedDict()
            self._histories = {name: self._trail(name).read() for name in self.names}
            for name, history in self._histories.items():
                if history.n:  # its last action may be in the trail, but not in the corpus
                    page = self.page(name)
                    labels = history.final(len(page.page), self.background)
                    if labels != page.labels:
                        self._pages[name] = self.editor.set_labels(page, labels)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Workspace:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let other processes label the corpus."""
        self._lock_file.close()

    def _read_scheme(self) -> LabelScheme:
        file = self._annotation / SCHEME_FILE
        if not file.exists():
            return default_scheme(self.editor.label_set)
        scheme = read_scheme(file)
        if set(scheme.label_set.names) != set(self.editor.label_set.names):
            raise CorpusError(
                f"{file}: its names are not the corpus's {self.editor.label_set.names}"
            )
        return scheme

    @property
    def background(self) -> str:
        """Label of regions that no other label describes."""
        return self.editor.label_set.background

    @property
    def names(self) -> list[str]:
        """Names of the pages, in the order of the corpus."""
        return [row["id"] for row in self.editor.rows]

    def page(self, name: str) -> LabelledPage:
        """Return a page with its current labels in the corpus."""
        with self.lock:
            if name not in self._pages:
                self._pages[name] = self.editor.page(name)
                while len(self._pages) > _N_CACHED:
                    self._pages.popitem(last=False)
            self._pages.move_to_end(name)
            return self._pages[name]

    def history(self, name: str) -> History:
        """Return the history of a page."""
        self.editor.row(name)
        return self._histories[name]

    def annotation(self, name: str, who: str) -> Annotation:
        """Return the annotation of a page by one annotator; empty for a page not yet annotated."""
        return self.history(name).annotations.get(who, Annotation())

    def original(self, name: str) -> tuple[str, ...]:
        """Return the labels of a page before anybody annotated it, one per region."""
        page, original = self.page(name), self.history(name).original
        if original is None:
            return page.labels
        return tuple(original.get(i, self.background) for i in range(len(page.page)))

    def source(self, name: str) -> str | None:
        """Return the HTML of a page that was added as a file; None if it has only regions."""
        self.editor.row(name)
        file = self._source(f"{name}.html")
        return file.read_text("utf-8", errors="replace") if file.exists() else None

    def style_sheets(self, name: str) -> list[dict[str, str]]:
        """Return the style sheets that were saved beside a page, each with its media query."""
        file = self._source(f"{name}.json")
        return json.loads(file.read_bytes()) if file.exists() else []

    def states(self) -> list[PageState]:
        """Return the state of every page, in the order of the corpus."""
        states = []
        for row in self.editor.rows:
            history = self._histories[row["id"]]
            begun = sorted(who for who, by_one in history.annotations.items() if by_one.actions)
            states.append(PageState(row["id"], row["site"], tuple(history.done_by), tuple(begun)))
        return states

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
        """Perform an action on a page, save it, and return the page's history.

        ``base`` is the number of the annotator's last own action that they saw, None to skip this
        check. An action with a known ``key`` is not performed again. ``by`` is the model that
        proposed the labels of an ``accept``.

        Raises StaleError if the annotator has since acted in another window, or the page itself has
        changed; LabelError if a label is not in the set, or a region does not exist; OSError if the
        action could not be saved: nothing has then changed.
        """
        labels = dict(labels or {})
        with self.lock:
            history, page = self.history(name), self.page(name)
            if key in history.keys:
                return history
            self._check(page, history, who, action, labels, base)
            new = []
            if not history.n:
                known = {i: x for i, x in enumerate(page.labels) if x != self.background}
                new.append(Action(1, _now(), who, OPEN, known, digest=region_digest(page.page)))
            n = history.n + len(new) + 1
            new.append(Action(n, _now(), who, action, labels, by, key))
            trail = self._trail(name)
            size = trail.append(*new)
            for entry in new:
                history.apply(entry)
            final = history.final(len(page.page), self.background)
            if final != page.labels:
                try:
                    self._pages[name] = self.editor.set_labels(page, final)
                except OSError:
                    self._histories[name] = trail.truncate(size)
                    raise
            return history

    def _check(
        self, page: LabelledPage, history: History, who: str, action: str,
        labels: Mapping[int, str], base: int | None,
    ) -> None:  # fmt: skip
        if action not in (*PERSONAL, RESOLVE):
            raise LabelError(f"{page.id}: unknown action {action!r}")
        if base is not None and base != self.version(page.id, who):
            raise StaleError(
                f"{page.id}: the page has changed in another window; it is shown again"
            )
        if history.digest and history.digest != region_digest(page.page):
            raise StaleError(f"{page.id}: the page differs from the one that was labelled before")
        for i, label in labels.items():
            if not 0 <= i < len(page.page):
                raise LabelError(f"{page.id}: no region {i} among {len(page.page)}")
            if label != CLEARED or action != LABEL:
                self.editor.label_set.check(label)

    def version(self, name: str, who: str) -> int:
        """Return the number of actions of one annotator on a page."""
        return self.history(name).counts.get(who, 0)

    def _trail(self, name: str) -> Trail:
        return Trail(self._annotation / "trail" / f"{name}.jsonl")

    def add_pages(self, pages: Iterable[AddedPage]) -> int:
        """Add pages and return their number; a page whose name is in use is skipped."""
        with self.lock:
            n_before = len(self.editor)
            for labelled, html, style_sheets in pages:
                if labelled.id in self.editor:
                    continue
                if html:
                    file = self._source(f"{labelled.id}.html")
                    write_atomic(file, html.encode(errors="replace"))
                if style_sheets:
                    values = [sheet._asdict() for sheet in style_sheets]
                    write_atomic(self._source(f"{labelled.id}.json"), encode_json(values))
                self.editor.add(labelled)
                self._histories[labelled.id] = History()
            self.editor.save()
            return len(self.editor) - n_before

    def _source(self, name: str) -> Path:
        return self._annotation / "source" / name


def create_workspace(folder: Path, scheme: LabelScheme, name: str) -> None:
    """Create a folder with an empty corpus and a label scheme."""
    create_corpus(folder, name, scheme.label_set)
    write_atomic(folder / FOLDER / SCHEME_FILE, scheme.toml().encode())


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
