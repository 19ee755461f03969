"""Labelling session: the queries and actions of the browser, as plain JSON values.

Nothing here depends on HTTP. User errors are those of :mod:`structce.errors`.

Pages that several people label, to measure their agreement, are the first ones of the corpus; each
other page belongs to whoever starts it first.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from operator import attrgetter
from threading import RLock, Thread
from typing import Any, Literal, get_args

import msgspec
import numpy as np

from structce.annotate.proposals import Memory, PreparedPage, Proposal, Proposer, propose
from structce.annotate.trail import ACCEPT, PERSONAL, RESOLVE
from structce.annotate.training import BackgroundTraining
from structce.annotate.workspace import PageState, Workspace
from structce.errors import CorpusError, StructceError
from structce.evaluation import MISSING, rater_agreement
from structce.labels import UNKNOWN, is_exact_label
from structce.page import Page, region_paths
from structce.visualisation import page_drawing

Order = Literal["given", "site", "unsure"]
ORDERS: tuple[Order, ...] = get_args(Order)
"""Orders: that of the corpus; pages of a site together; or those first of which the model, or the
alignment of their gold, is least certain."""

_N_CACHED = 200  # pages that are kept prepared for proposals
_N_REMEMBERED = 40  # pages of a site in its memory, the last finished ones
_MAX_TEXT = 300  # characters of a region on which annotators differ
_SOURCES = ("src", "data-src", "data", "srcset", "data-srcset", "poster")
_CLAIM_SECONDS = 1800.0  # for which a page that was opened, but not started, is kept from others


class Session:
    """Queries and actions of annotators on a workspace.

    ``proposer`` is the first model; one trained meanwhile is added to it. The first ``n_same``
    pages are labelled by all annotators, others once. ``order`` is that of the pages, unless an
    annotator chooses another.
    """

    def __init__(
        self,
        workspace: Workspace,
        proposer: Proposer,
        *,
        training: BackgroundTraining | None = None,
        n_same: int = 0,
        order: Order = "given",
    ) -> None:
        self.workspace = workspace
        self.proposer = proposer
        self.training = training
        self.order = order
        self._n_same = n_same
        self._opened: dict[str, tuple[str, float]] = {}  # who opened a page, and when
        self._first = proposer
        self._lock = RLock()
        self._prepared: OrderedDict[tuple[str, str], PreparedPage] = OrderedDict()
        self._memories: dict[tuple[str, str], Memory] = {}
        self._doubts: dict[tuple[str, str], float] = {}
        self._doubting: Thread | None = None
        self._is_closed = False

    def close(self) -> None:
        """End the background work."""
        self._is_closed = True
        if self._doubting is not None:
            self._doubting.join()
        if self.training is not None:
            self.training.close()

    def start(self, who: str) -> dict[str, object]:
        """Return what the labelling page needs before it shows a page."""
        scheme = self.workspace.scheme
        return {
            "who": who,
            "background": scheme.background,
            "names": list(self.workspace.editor.label_set.names),
            "orders": list(ORDERS),
            "labels": [msgspec.structs.asdict(entry) for entry in scheme.entries],
            **self.queue(who, self.order),
        }

    def queue(self, who: str, order: str) -> dict[str, object]:
        """Return the pages in an order, each with who labels it."""
        if order not in ORDERS:
            raise CorpusError(f"unknown order {order!r}; expected one of {', '.join(ORDERS)}")
        states = self.workspace.states()
        positions = {state.id: position for position, state in enumerate(states)}
        if order == "site":
            sites = enumerate(dict.fromkeys(state.site for state in states))
            ranks = {site: rank for rank, site in sites}
            states.sort(key=lambda state: ranks[state.site])
        elif order == "unsure":  # pages without a known doubt come last
            doubts = self._known_doubts(states)
            states.sort(key=lambda state: -doubts.get(state.id, -1.0))
        rows = [
            {
                "id": state.id,
                "site": state.site,
                "done": who in state.done_by,
                "begun": who in state.begun_by,
                "done_by": list(state.done_by),
                "holder": self._holder(state, positions[state.id], who),
                "same": positions[state.id] < self._n_same,
            }
            for state in states
        ]
        return {"order": order, "queue": rows}

    def _holder(self, state: PageState, position: int, who: str) -> str:
        """Return who else labels the page at a position; empty if nobody or if all do."""
        if position < self._n_same or who in state.begun_by or who in state.done_by:
            return ""
        if others := [*state.done_by, *state.begun_by]:
            return others[0]
        holder, since = self._opened.get(state.id, ("", 0.0))
        is_fresh = time.monotonic() - since < _CLAIM_SECONDS
        return holder if holder != who and is_fresh else ""

    def page(self, name: str, who: str) -> dict[str, object]:
        """Return a page with its regions and gold, and reserve it for this annotator."""
        labelled = self.workspace.page(name)
        page = labelled.page
        states = self.workspace.states()
        position = next(i for i, state in enumerate(states) if state.id == name)
        now = time.monotonic()
        self._opened = {  # an annotator who opens a page closes any other
            page: (holder, since)
            for page, (holder, since) in self._opened.items()
            if holder != who and now - since < _CLAIM_SECONDS
        }
        self._opened.setdefault(name, (who, now))
        numbers: dict[str, int] = {}
        return {
            "id": labelled.id,
            "site": labelled.site,
            "url": page.url,
            "title": page.title,
            "width": page.viewport[0],  # 0 without a window
            "has_source": self.workspace.source(name) is not None,
            "style_sheets": self.workspace.style_sheets(name),
            "holder": self._holder(states[position], position, who),
            "texts": [_region_words(page, i) for i in range(len(page))],
            "tags": list(page.tag),
            "xpaths": list(page.xpath),
            "media": np.flatnonzero(page.is_media).tolist(),
            "blocks": page.blocks.tolist(),
            "paths": [numbers.setdefault(path, len(numbers)) for path in region_paths(page)],
            "matches": [
                asdict(match)
                | {"state": match.state, "doubt": round(100 * min(1.0, match.uncertainty))}
                for match in sorted(labelled.matches, key=attrgetter("uncertainty"), reverse=True)
            ],
        }

    def document(self, name: str) -> str:
        """Return the HTML that the frame shows."""
        html = self.workspace.source(name)
        return page_drawing(self.workspace.page(name).page) if html is None else html

    def state(self, name: str, who: str) -> dict[str, Any]:
        """Return the labels of a page as one annotator sees them.

        ``sources`` has one letter per region: ``h`` by hand, ``c`` unchanged from the corpus, ``p``
        proposed, ``a`` accepted. ``confidence`` is in per cent. ``others`` are the indices of the
        next likely labels, equally many for every region; none for a page that is done.
        """
        workspace = self.workspace
        with workspace.lock:
            annotation = workspace.annotation(name, who)
            original = workspace.original(name)
            if annotation.accepted is not None:
                labels = list(annotation.final(len(original), workspace.background))
                sources = ["h" if i in annotation.labels else "a" for i in range(len(original))]
                confidence = [100] * len(original)
                others: list[int] = []
            else:
                labels, sources, confidence, others = self._proposed(name, who, original)
            return {
                "page": name,
                "version": workspace.version(name, who),
                "is_done": annotation.is_done,
                "can_undo": bool(annotation.actions),
                "can_redo": bool(annotation.undone),
                "labels": labels,
                "sources": "".join(sources),
                "confidence": confidence,
                "others": others,
                "by": annotation.by if annotation.is_done else self.proposer.name,
            }

    def _proposed(
        self, name: str, who: str, original: tuple[str, ...]
    ) -> tuple[list[str], list[str], list[int], list[int]]:
        """Return labels, sources, confidence and next likely labels of an unfinished page."""
        proposal, by_hand = self.proposal(name, who), self.workspace.annotation(name, who).labels
        sources = ["c" if is_exact_label(label) else "p" for label in original]
        labels, confidence = list(proposal.labels), proposal.confidence.copy()
        for match in self.workspace.page(name).matches:
            for i in match.regions:
                if sources[i] == "c":
                    confidence[i] = min(confidence[i], max(0.0, 1 - match.uncertainty))
        for i, label in by_hand.items():
            labels[i], sources[i], confidence[i] = label, "h", 1.0
        percent = np.round(100 * confidence).astype(int).tolist()
        return labels, sources, percent, proposal.others.ravel().tolist()

    def proposal(self, name: str, who: str) -> Proposal:
        """Return the labels that the model proposes, given the annotator's labels so far."""
        original = self.workspace.original(name)
        given = {i: label for i, label in enumerate(original) if label != UNKNOWN}
        given |= self.workspace.annotation(name, who).labels
        memory = self._memory(name)
        return propose(self._prepare(name), self.workspace.editor.label_set, given, memory)

    def _prepare(self, name: str) -> PreparedPage:
        proposer = self.proposer
        key = (proposer.name, name)
        with self._lock:
            if key not in self._prepared:
                self._prepared[key] = proposer.prepare(self.workspace.page(name).page)
                while len(self._prepared) > _N_CACHED:
                    self._prepared.popitem(last=False)
            self._prepared.move_to_end(key)
            return self._prepared[key]

    def _memory(self, name: str) -> Memory:
        """Return the memory of the last finished other pages of a page's site."""
        key = (self.proposer.name, name)
        with self._lock:
            if key not in self._memories:
                site = self.workspace.editor.row(name)["site"]
                done = [s.id for s in self.workspace.states() if s.site == site and s.done_by]
                label_set = self.workspace.editor.label_set
                memory = Memory(len(label_set))
                for other in [other for other in done if other != name][-_N_REMEMBERED:]:
                    labels = label_set.encode(self.workspace.page(other).labels)
                    memory.add(self._prepare(other).keys, labels)
                self._memories[key] = memory
            return self._memories[key]

    def act(
        self, name: str, who: str, action: str, labels: Mapping[int, str], *, base: int | None,
        key: str, by: str = "",
    ) -> dict[str, Any]:  # fmt: skip
        """Perform and save an action (see :meth:`Workspace.act`); return the page's labels.

        The labels of an ``accept`` are those that the annotator saw, proposed by the model ``by``;
        regions without one get the label that is proposed now.
        """
        if action not in PERSONAL:
            raise CorpusError(f"unknown action {action!r}")
        with self.workspace.lock:
            was_done = self.workspace.annotation(name, who).is_done
            if action == ACCEPT:
                by_hand = self.workspace.annotation(name, who).labels
                shown = dict(enumerate(self.proposal(name, who).labels)) | dict(labels)
                labels = {
                    i: label
                    for i, label in shown.items()
                    if i not in by_hand and label != self.workspace.background
                }
            by = (by or self.proposer.name) if action == ACCEPT else ""
            self.workspace.act(name, who, action, labels, base=base, key=key, by=by)
            if was_done or self.workspace.annotation(name, who).is_done:
                self._forget()
                if self.training is not None:
                    self._take_trained()
                    self.training.begin([s.id for s in self.workspace.states() if s.done_by])
            return self.state(name, who)

    def agreement(self) -> dict[str, object]:
        """Return how much annotators agree, and where they differ."""
        with self.workspace.lock:
            return agreement_values(self.workspace)

    def resolve(self, name: str, who: str, labels: Mapping[int, str]) -> dict[str, object]:
        """Save the agreed labels of regions, all of which annotators differed on."""
        with self.workspace.lock:
            disputed = {row["region"] for row in differences(self.workspace, name)}
            if odd := set(labels) - disputed:
                raise CorpusError(f"{name}: annotators do not differ on region {min(odd)}")
            self.workspace.act(name, who, RESOLVE, labels)
            self._forget()
            return self.agreement()

    def progress(self) -> dict[str, object]:
        """Return the model that proposes, and the state of training."""
        self._take_trained()
        training = self.training
        return {
            "model": self.proposer.name,
            "is_training": training is not None and training.is_running,
            "every": 0 if training is None else training.every,
            "problem": "" if training is None else training.problem,
        }

    def _take_trained(self) -> None:
        """Propose with the newly trained model, if there is one."""
        with self._lock:
            new = None if self.training is None else self.training.take(self._first)
            if new is not None:
                self.proposer = new
                self._prepared.clear()
                self._memories.clear()

    def _forget(self) -> None:
        """Forget what was derived from the labels of finished pages."""
        with self._lock:
            self._memories.clear()

    def _known_doubts(self, states: Sequence[PageState]) -> dict[str, float]:
        """Return the doubts computed so far; the others are computed in the background."""
        model = self.proposer.name
        missing = [s.id for s in states if (model, s.id) not in self._doubts]
        is_idle = self._doubting is None or not self._doubting.is_alive()
        if missing and is_idle:
            self._doubting = Thread(target=self._doubt, args=(missing, model), daemon=True)
            self._doubting.start()
            self._doubting.join(3.0 if len(missing) < _N_CACHED else 0.5)  # a small corpus is ready
        return {name: doubt for (by, name), doubt in self._doubts.items() if by == model}

    def _doubt(self, names: list[str], model: str) -> None:
        """Compute for each page the expected number of wrong labels, including gold values."""
        for name in names:
            if self._is_closed or self.proposer.name != model:
                return
            try:
                doubts = 1 - self.proposal(name, "").confidence
                matches = self.workspace.page(name).matches
                by_gold = sum(match.uncertainty for match in matches)
                self._doubts[model, name] = float(doubts.sum()) + by_gold
            except StructceError:  # a damaged page, which is reported when it is opened
                self._doubts[model, name] = 0.0


def differences(workspace: Workspace, name: str) -> list[dict[str, object]]:
    """Return the regions of a page on which annotators who finished it differ, as JSON values.

    Each with the label by annotator, and the label agreed on (``resolved``), if any.
    """
    page, labels = workspace.page(name).page, _final_labels(workspace, name)
    resolved = workspace.history(name).resolved
    differing: list[dict[str, object]] = []
    for i in range(len(page)):
        given = {who: row[i] for who, row in labels.items()}
        if len(set(given.values())) > 1:
            row = {"page": name, "region": i, "labels": given, "resolved": resolved.get(i, "")}
            differing.append({**row, "text": _region_words(page, i)[:_MAX_TEXT] or page.tag[i]})
    return differing


def agreement_values(workspace: Workspace) -> dict[str, object]:
    """Return the agreement, overall and by label, and the differences, as JSON values.

    A measure that is not defined is None. A region to which somebody gave several labels or "don't
    know" has no rating by that annotator.
    """
    names = [state.id for state in workspace.states() if len(state.done_by) > 1]
    label_set = workspace.editor.label_set
    annotators = sorted({who for name in names for who in workspace.history(name).done_by})
    ratings, differing = [], []
    for name in names:  # once, since the workspace keeps few pages in memory
        labels = _final_labels(workspace, name)
        rows = np.full((len(workspace.page(name).page), len(annotators)), MISSING)
        for k, who in enumerate(annotators):
            if who in labels:
                rows[:, k] = np.maximum(label_set.encode(labels[who]), MISSING)
        ratings.append(rows)
        differing += differences(workspace, name)
    measured = rater_agreement(np.concatenate(ratings), label_set.names) if ratings else []
    table = [
        {name: None if value != value else value for name, value in row._asdict().items()}
        for row in measured
    ]
    return {
        "annotators": annotators, "pages": len(names), "rows": table, "differences": differing
    }  # fmt: skip


def _region_words(page: Page, i: int) -> str:
    """Return the text of a region; for media the address and the alternative text."""
    if not page.is_media[i]:
        return page.text[i]
    row = page.attributes[i]
    source = next((row[name] for name in _SOURCES if row.get(name)), "")
    return " ".join(filter(None, [source, row.get("alt", "")]))


def _final_labels(workspace: Workspace, name: str) -> dict[str, tuple[str, ...]]:
    history, n_regions = workspace.history(name), len(workspace.page(name).page)
    return {
        who: history.annotations[who].final(n_regions, workspace.background)
        for who in history.done_by
    }
