"""Trail of a page: every action of every annotator, one per line, in an append-only file.

The trail is the source of truth; the labels of the corpus are derived from it. An action is saved
once its line is on the disk. A line cut short by a crash is ignored when the trail is read, and
removed before the next is written.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from structce.errors import CorpusError
from structce.labels import UNKNOWN, allowed_names, written_set

OPEN, LABEL, ACCEPT, REOPEN, UNDO, REDO, RESOLVE = (
    "open", "label", "accept", "reopen", "undo", "redo", "resolve",
)  # fmt: skip
"""Actions of a trail; ``open`` records the page before the first of the others."""

PERSONAL = (LABEL, ACCEPT, REOPEN, UNDO, REDO)
"""Actions that change the annotation of one annotator."""

CLEARED = ""
"""Label of a ``label`` action that removes the annotator's own label: the proposal shows again."""


_NAME = re.compile(r"\w([\w .@-]{0,38}[\w.@-])?")


def is_annotator_name(text: str) -> bool:
    """Return whether a text can be an annotator's name in a trail."""
    return _NAME.fullmatch(text) is not None


class Action(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of a trail.

    ``n`` is its number from 1, which orders actions, since clocks may go back; ``time`` a moment in
    UTC, ISO 8601. ``labels`` by region are, for ``label``, what was given by hand; for ``accept``,
    what the model ``by`` proposed and is not background; for ``open``, the labels of the corpus
    except the background, with the ``digest`` of the page's regions. ``key`` is random, by the
    browser, so that an action sent twice counts once.
    """

    n: int
    time: str
    who: str
    action: str
    labels: dict[int, str] = {}
    by: str = ""
    key: str = ""
    digest: str = ""


@dataclass
class Annotation:
    """Annotation of a page by one annotator.

    ``labels`` are those given by hand, by region; ``UNKNOWN`` for "don't know". ``accepted`` are
    the labels of the other regions when the page was accepted, except the background, proposed by
    the model ``by``; None while the page is not done. ``actions`` may be undone in turn, and those
    ``undone`` done again.
    """

    labels: dict[int, str] = field(default_factory=dict)
    accepted: dict[int, str] | None = None
    by: str = ""
    actions: list[Action] = field(default_factory=list, repr=False)
    undone: list[Action] = field(default_factory=list, repr=False)

    @property
    def is_done(self) -> bool:
        """Whether the annotator has marked the page as done."""
        return self.accepted is not None

    def final(self, n_regions: int, background: str) -> tuple[str, ...]:
        """Return one label per region of a finished page."""
        named = (self.accepted or {}) | self.labels
        return tuple(named.get(i, background) for i in range(n_regions))

    def apply(self, action: Action) -> None:
        """Apply an action of this annotator."""
        if action.action == UNDO and self.actions:
            *done, last = self.actions
            self.undone.append(last)
            self.actions, self.labels, self.accepted = [], {}, None
            for earlier in done:
                self._do(earlier)
        elif action.action == REDO and self.undone:
            self._do(self.undone.pop())
        elif action.action not in (UNDO, REDO):
            self.undone.clear()
            self._do(action)

    def _do(self, action: Action) -> None:
        self.actions.append(action)
        if action.action == LABEL:
            changed = self.labels | action.labels
            self.labels = {i: label for i, label in changed.items() if label != CLEARED}
        elif action.action == ACCEPT:
            self.accepted, self.by = dict(action.labels), action.by
        elif action.action == REOPEN:
            self.accepted = None


@dataclass
class History:
    """Content of a trail: the labels of each annotator, and those agreed on.

    ``n`` is the number of the last action; ``original`` are the labels before anybody annotated,
    except the background (None if nobody has), and ``digest`` that of the page's regions then;
    ``counts`` are numbers of actions by annotator, ``keys`` those of all actions; ``resolved`` are
    labels agreed on.
    """

    n: int = 0
    original: dict[int, str] | None = None
    digest: str = ""
    annotations: dict[str, Annotation] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    resolved: dict[int, str] = field(default_factory=dict)
    keys: set[str] = field(default_factory=set, repr=False)

    def apply(self, action: Action) -> None:
        """Add an action."""
        self.n = action.n
        self.keys |= {action.key} - {""}
        if action.action == OPEN:
            self.original, self.digest = dict(action.labels), action.digest
        elif action.action == RESOLVE:
            self.resolved |= action.labels
        else:
            self.annotations.setdefault(action.who, Annotation()).apply(action)
            self.counts[action.who] = self.counts.get(action.who, 0) + 1

    @property
    def done_by(self) -> list[str]:
        """Names of annotators who have marked the page as done, sorted."""
        return sorted(who for who, annotation in self.annotations.items() if annotation.is_done)

    def final(self, n_regions: int, background: str) -> tuple[str, ...]:
        """Return the labels of the page in the corpus, one per region.

        For a page that somebody has finished: the label on which all who finished it agree, the set
        of their labels where they differ, or the resolved label. For any other page: the labels
        given by hand; other regions are as before, and unknown where the corpus was unlabelled.
        """
        done = [self.annotations[who].final(n_regions, background) for who in self.done_by]
        if done:
            merged = dict(enumerate(merged_label(labels) for labels in zip(*done, strict=True)))
        else:
            merged = dict(self.original or {})
            for annotation in self.annotations.values():
                merged |= annotation.labels
        merged |= self.resolved
        return tuple(merged.get(i, background) for i in range(n_regions))


def merged_label(labels: Sequence[str]) -> str:
    """Return the gold of a region to which several annotators gave labels.

    >>> merged_label(["Title", "Title"]), merged_label(["Title", "Subtitle"])
    ('Title', 'Subtitle|Title')
    >>> merged_label(["Title", "?"])
    'Title'
    """
    names = frozenset().union(*map(allowed_names, labels))
    return written_set(names) if names else UNKNOWN


class Trail:
    """File of one page's actions, as JSON Lines; it need not exist yet.

    It is no :class:`structce.io.Journal`: its lines are actions in order instead of items by key,
    several are written together, and it is a part of the corpus that other versions read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> History:
        """Return the history, empty without a file; raise CorpusError if a line is damaged."""
        history = History()
        data = self.path.read_bytes() if self.path.exists() else b""
        for number, line in enumerate(data.split(b"\n")[:-1], start=1):
            try:
                history.apply(msgspec.json.decode(line, type=Action))
            except ValueError as error:
                raise CorpusError(f"{self.path}: line {number}: {error}") from error
        return history

    def append(self, *actions: Action) -> int:
        """Write actions to the end of the file, and to the disk; all of them or none.

        Returns the size of the file before, for :meth:`truncate`.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        data = b"".join(msgspec.json.encode(action) + b"\n" for action in actions)
        with self.path.open("ab+", buffering=0) as file:
            file.seek(0)
            size = file.read().rfind(b"\n") + 1  # text after the last line break was cut short
            file.truncate(size)
            try:
                if file.write(data) != len(data):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path))
                os.fsync(file.fileno())
            except OSError:
                file.truncate(size)
                raise
        return size

    def truncate(self, size: int) -> History:
        """Take back the actions after a size of the file, and return the history without them."""
        os.truncate(self.path, size)
        return self.read()
