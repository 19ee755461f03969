"""Labelling session: what the browser asks for and does, as plain JSON values.

Nothing here knows of HTTP. Errors of users are those of :mod:`structce.errors`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from threading import RLock
from typing import TypedDict

import numpy as np

from structce.annotate.page_document import drawn_page
from structce.annotate.proposals import PageScores, Proposal, Proposer, propose
from structce.annotate.trail import ACCEPT
from structce.annotate.workspace import PageState, Workspace, region_digest
from structce.corpus import region_words
from structce.labels import is_exact_label
from structce.page import Page, region_paths

_N_CACHED = 24  # pages whose scores are kept


class PageValues(TypedDict):
    """A page as the browser gets it once."""

    id: str
    site: str
    url: str
    title: str
    digest: str
    width: int
    has_source: bool
    texts: list[str]
    tags: list[str]
    xpaths: list[str]
    media: list[int]
    paths: list[int]


class StateValues(TypedDict):
    """Labels of a page as one annotator sees them, after every action.

    ``labels`` has one label a region, ``sources`` a letter each: ``h`` by hand, ``c`` of the corpus
    as it was, ``p`` proposed, ``a`` accepted. ``confidence`` is in per cent.
    """

    page: str
    version: int
    is_done: bool
    can_undo: bool
    can_redo: bool
    labels: list[str]
    sources: str
    confidence: list[int]
    by: str


class Session:
    """What annotators ask of a workspace.

    Parameters
    ----------
    proposer
        Model that proposes; may be replaced by a better one at any time.
    """

    def __init__(self, workspace: Workspace, proposer: Proposer) -> None:
        self.workspace = workspace
        self.proposer = proposer
        self._lock = RLock()
        self._scores: OrderedDict[tuple[str, str], PageScores] = OrderedDict()

    def start(self, who: str) -> dict[str, object]:
        """Return what the labelling page needs before it shows any page."""
        scheme = self.workspace.scheme
        return {
            "who": who,
            "corpus": self.workspace.editor.head.name,
            "model": self.proposer.name,
            "background": scheme.background,
            "labels": [
                {"name": e.name, "colour": e.colour, "key": e.key, "guideline": e.guideline}
                for e in scheme.entries
            ],
            "queue": self.queue(who),
        }

    def queue(self, who: str) -> list[dict[str, object]]:
        """Return the pages to label, in the order in which to do so."""
        return [self._row(state, who) for state in self.workspace.states()]

    def _row(self, state: PageState, who: str) -> dict[str, object]:
        return {
            "id": state.id,
            "site": state.site,
            "url": state.url,
            "done": who in state.done_by,
            "begun": who in state.begun_by,
            "done_by": list(state.done_by),
        }

    def page(self, name: str) -> PageValues:
        """Return the regions of a page."""
        one = self.workspace.page(name)
        page = one.page
        numbers: dict[str, int] = {}
        return {
            "id": one.id,
            "site": one.site,
            "url": page.url,
            "title": page.title,
            "digest": region_digest(page),
            "width": page.viewport[0] or 1280,
            "has_source": self.workspace.source(name) is not None,
            "texts": [region_words(page, i) for i in range(len(page))],
            "tags": list(page.tag),
            "xpaths": list(page.xpath),
            "media": np.flatnonzero(page.is_media).tolist(),
            "paths": [numbers.setdefault(path, len(numbers)) for path in region_paths(page)],
        }

    def document(self, name: str) -> str:
        """Return the HTML that the frame shows."""
        html = self.workspace.source(name)
        return drawn_page(self.workspace.page(name).page) if html is None else html

    def state(self, name: str, who: str) -> StateValues:
        """Return the labels of a page as one annotator sees them."""
        workspace = self.workspace
        annotation = workspace.annotation(name, who)
        original = workspace.original(name)
        labels, sources, confidence = [], [], []
        if annotation.accepted is not None:
            labels = list(annotation.final(len(original), workspace.background))
            sources = ["h" if i in annotation.labels else "a" for i in range(len(original))]
            confidence = [100] * len(original)
        else:
            proposal = self.proposal(name, who)
            for i, label in enumerate(proposal.labels):
                source = (
                    "h" if i in annotation.labels else "c" if is_exact_label(original[i]) else "p"
                )
                labels.append(annotation.labels.get(i, label))
                sources.append(source)
                sure = 1.0 if source == "h" else float(proposal.confidence[i])
                confidence.append(round(100 * sure))
        return {
            "page": name,
            "version": workspace.version(name, who),
            "is_done": annotation.is_done,
            "can_undo": annotation.can_undo,
            "can_redo": annotation.can_redo,
            "labels": labels,
            "sources": "".join(sources),
            "confidence": confidence,
            "by": annotation.by or self.proposer.name,
        }

    def proposal(self, name: str, who: str) -> Proposal:
        """Return the labels that the model proposes, given what the annotator said so far."""
        original = self.workspace.original(name)
        given = dict(enumerate(original)) | self.workspace.annotation(name, who).labels
        return propose(self._scores_of(name), self.workspace.editor.label_set, given)

    def _scores_of(self, name: str) -> PageScores:
        proposer = self.proposer
        key = (proposer.name, name)
        with self._lock:
            if key not in self._scores:
                self._scores[key] = proposer.scores(self._page(name))
                while len(self._scores) > _N_CACHED:
                    self._scores.popitem(last=False)
            self._scores.move_to_end(key)
            return self._scores[key]

    def _page(self, name: str) -> Page:
        return self.workspace.page(name).page

    def act(
        self,
        name: str,
        who: str,
        action: str,
        labels: Mapping[int, str],
        *,
        base: int | None,
        key: str,
    ) -> StateValues:
        """Do and save an action, and return the page's labels after it."""
        by = ""
        with self.workspace.lock:
            if action == ACCEPT:
                labels, by = self._accepted(name, who), self.proposer.name
            self.workspace.act(name, who, action, labels, base=base, key=key, by=by)
        return self.state(name, who)

    def _accepted(self, name: str, who: str) -> dict[int, str]:
        """Return the proposed labels that are neither by hand nor background."""
        by_hand = self.workspace.annotation(name, who).labels
        return {
            i: label
            for i, label in enumerate(self.proposal(name, who).labels)
            if i not in by_hand and label != self.workspace.background
        }
