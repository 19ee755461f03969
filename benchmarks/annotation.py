r"""Count the clicks and keys to label a page, simulated by a script that knows the gold.

    python3 -m benchmarks.annotation fundus --model model --pages 40 --seed 7
    python3 -m benchmarks.annotation site --model none --every 10

The player goes from the top of a page to its bottom. At a wrong region it takes the action that
corrects most for its cost: a run of neighbours (click, Shift and click, key; for one region click,
key), all regions of the same path (click, a, key), or, where a model proposes, the next likely
label (right click, as often as needed), also for the undecided regions that show the same label and
have the same path (Ctrl and right click) or are in the smallest element around it that has another
such region (middle click). Pointing counts as a click, Shift and Ctrl do not count. Enter ends a
page. If the gold allows several labels, any will do; if it covers nothing, the page stays as it is.
The player never looks at what the model is unsure of.

Ways: from scratch, where everything begins as background, region by region (``one by one``) and
by runs and paths (``scratch``); from proposals that stay unchanged; and with proposals that are
decoded again after each action, where finished pages count for their site, and a model is trained
after every ``--every`` pages. The actions of the last way are then listed by what was wrong. With
``--no-right-clicks``, likely labels are not used.
"""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click
import numpy as np
from tabulate import tabulate

from structce.annotate import (
    BackgroundTraining,
    Proposer,
    Session,
    StateValues,
    Workspace,
    create_workspace,
    default_scheme,
)
from structce.corpus import Corpus, LabelledPage
from structce.io import encode_json, write_atomic
from structce.labelling import RegionLabeller
from structce.labels import UNKNOWN, allowed_names
from structce.page import region_paths

_WAYS = ("one by one", "scratch", "proposals", "re-decoding")
_N_KINDS = 12  # kinds of mistakes that are listed
_MAX_ACTIONS = 2_000  # a page that needs more is not corrected by continuing


@dataclass(frozen=True)
class Move:
    """One action of the player: label some regions at a cost in clicks and keys."""

    labels: dict[int, str]
    cost: int
    n_mended: int


@dataclass(frozen=True)
class Screen:
    """What the player sees of a page: labels, next likely labels, and which it gave itself.

    Parameters
    ----------
    likely
        Next likely labels by region, the most probable first; empty where no model proposes.
    """

    labels: Sequence[str]
    likely: Sequence[Sequence[str]] = ()
    by_hand: frozenset[int] = frozenset()

    def after(self, move: Move) -> Screen:
        """Return the screen after a move if nothing is decoded again."""
        labels = list(self.labels)
        for i, label in move.labels.items():
            labels[i] = label
        return Screen(labels, self.likely, self.by_hand | move.labels.keys())


class Player:
    """Script that labels a page according to its gold.

    Parameters
    ----------
    page
        With one label per region, several, or unknown.
    uncovered
        Labels that the gold does not cover: where it says background they are right, too.
    """

    def __init__(self, page: LabelledPage, background: str, uncovered: Sequence[str] = ()) -> None:
        sets = {label: allowed_names(label) for label in set(page.labels)}
        wider = frozenset(uncovered)
        allowed = {
            label: names | wider if background in names else names for label, names in sets.items()
        }
        self.gold = [allowed[label] for label in page.labels]
        self.uncovered = wider
        self.paths = region_paths(page.page)
        self.xpaths = page.page.xpath
        self.background = background
        self.spent: Counter[str] = Counter()

    def wanted(self, i: int) -> str:
        """Return the label to give to a region: the first allowed one that is not background."""
        names = sorted(self.gold[i] - self.uncovered)
        return next((name for name in names if name != self.background), names[0])

    def is_wrong(self, i: int, label: str) -> bool:
        """Return whether the gold forbids a label; where it covers nothing, all are allowed."""
        return bool(self.gold[i]) and label not in self.gold[i]

    def move(self, screen: Screen) -> Move | None:
        """Return the next action; None if nothing is wrong."""
        labels = screen.labels
        first = next((i for i, label in enumerate(labels) if self.is_wrong(i, label)), None)
        if first is None:
            return None
        options = [self._run(first, labels), self._alike(first, labels)]
        if screen.likely:
            options += self._next(first, screen)
        best = max(options, key=lambda move: (move.n_mended / move.cost, -move.cost))
        self.spent[f"{labels[first]}, is {best.labels[first]}"] += best.cost
        return best

    def _run(self, first: int, labels: Sequence[str]) -> Move:
        wanted, last = self.wanted(first), first
        for i in range(first + 1, len(labels)):
            if self.gold[i] and wanted not in self.gold[i]:
                break
            if self.is_wrong(i, labels[i]):
                last = i
        regions = range(first, last + 1)
        return self._moved(regions, wanted, labels, 2 if last == first else 3)

    def _alike(self, first: int, labels: Sequence[str]) -> Move:
        alike = [i for i, path in enumerate(self.paths) if path == self.paths[first]]
        return self._moved(alike, self.wanted(first), labels, 3)

    def _next(self, first: int, screen: Screen) -> list[Move]:
        """Return the moves by right and middle clicks: a region, similar ones, their container."""
        likely, labels = screen.likely[first], screen.labels
        n = next((n for n, name in enumerate(likely, start=1) if name in self.gold[first]), 0)
        if not n:
            return []
        same = [
            i
            for i, label in enumerate(labels)
            if label == labels[first] and i != first and i not in screen.by_hand
        ]
        alike = [i for i in same if self.paths[i] == self.paths[first]]
        groups = ([first], [first, *alike], [first, *self._in_container(first, same)])
        return [self._moved(group, likely[n - 1], labels, n) for group in groups]

    def _in_container(self, region: int, others: Sequence[int]) -> list[int]:
        """Return those of other regions in the smallest element around a region that has any."""
        around, inside = self.xpaths[region], []
        while around and not inside:
            around = around.rpartition("/")[0]
            inside = [i for i in others if self.xpaths[i].startswith(f"{around}/")]
        return inside

    def _moved(self, regions: Sequence[int], label: str, labels: Sequence[str], cost: int) -> Move:
        """Return a move; a move that would make a region wrong corrects nothing."""
        if any(self.is_wrong(i, label) for i in regions):
            return Move({}, cost, 0)
        n = sum(self.is_wrong(i, labels[i]) for i in regions)
        return Move(dict.fromkeys(regions, label), cost, n)

    def play_singly(self, background: str) -> int:
        """Return the cost of a page from scratch if each region costs a click and a key."""
        return 1 + 2 * sum(self.is_wrong(i, background) for i in range(len(self.gold)))

    def play(self, screen: Screen) -> int:
        """Return the clicks and keys for a page if nothing is decoded again."""
        n = 1
        while move := self.move(screen):
            n += move.cost
            screen = screen.after(move)
        return n

    def play_session(self, session: Session, name: str, *, has_right_clicks: bool) -> int:
        """Return the clicks and keys for a page on the labelling page."""
        self.spent.clear()
        n, names = 1, session.workspace.editor.label_set.names
        state = session.state(name, "player")
        while (move := self.move(screen_of(state, names, has_right_clicks))) and n < _MAX_ACTIONS:
            n += move.cost
            state = session.act(name, "player", "label", move.labels, base=None, key="")
        session.act(name, "player", "accept", {}, base=None, key="")
        return n


def screen_of(state: StateValues, names: Sequence[str], has_right_clicks: bool) -> Screen:
    """Return what the labelling page shows for an answer of the server."""
    by_hand = frozenset(i for i, source in enumerate(state["sources"]) if source == "h")
    n_each = len(state["others"]) // max(1, len(state["labels"]))
    if not has_right_clicks or not n_each:
        return Screen(state["labels"], (), by_hand)
    others = [names[label] for label in state["others"]]
    likely = [others[k : k + n_each] for k in range(0, len(others), n_each)]
    return Screen(state["labels"], likely, by_hand)


def pages_of_sites(corpus: Corpus, n: int, seed: int) -> list[LabelledPage]:
    """Return about ``n`` pages: whole families, drawn at random."""
    families = sorted({page.family for page in corpus})
    random.Random(seed).shuffle(families)
    chosen: list[LabelledPage] = []
    for family in families:
        chosen += [page for page in corpus if page.family == family]
        if len(chosen) >= n:
            break
    return chosen[:n]


def open_session(
    folder: Path, corpus: Corpus, pages: Sequence[LabelledPage], model: str, every: int
) -> tuple[Workspace, Session]:
    """Return a session over the pages without their gold."""
    create_workspace(folder, default_scheme(corpus.label_set), corpus.name)
    workspace = Workspace(folder)
    bare = [replace(page, labels=(UNKNOWN,) * len(page.page), matches=()) for page in pages]
    workspace.editor.add(bare)
    workspace.close()
    workspace = Workspace(folder)
    labeller = None if model == "none" else RegionLabeller.load(model)
    proposer = Proposer(labeller, model, corpus.label_set)
    return workspace, Session(workspace, proposer, training=BackgroundTraining(folder, every))


def played(
    corpus: Corpus,
    pages: Sequence[LabelledPage],
    model: str,
    every: int,
    *,
    has_right_clicks: bool = True,
) -> tuple[dict[str, list[int]], Counter[str]]:
    """Return the clicks and keys of each page, in the order in which they are labelled.

    Returns
    -------
    Clicks and keys by way, one number per page; and those of the last way by what was wrong.
    """
    background = corpus.label_set.background
    uncovered = sorted({*corpus.label_set.foreground} - {*corpus.covered})
    counts: dict[str, list[int]] = {way: [] for way in _WAYS}
    spent: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        workspace, session = open_session(Path(folder) / "gold", corpus, pages, model, every)
        for page in pages:
            player = Player(page, background, uncovered)
            counts["one by one"].append(player.play_singly(background))
            counts["scratch"].append(player.play(Screen([background] * len(page.page))))
            screen = first_screen(session, page.id, has_right_clicks)
            counts["proposals"].append(player.play(screen))
            n = player.play_session(session, page.id, has_right_clicks=has_right_clicks)
            counts["re-decoding"].append(n)
            spent += player.spent
            if every and session.training is not None:
                session.training.wait()
        session.close()
        workspace.close()
    return counts, spent


def first_screen(session: Session, name: str, has_right_clicks: bool) -> Screen:
    """Return a page with the proposals of the model alone."""
    proposal = session.first_proposal(name)
    if not has_right_clicks:
        return Screen(proposal.labels)
    names = session.workspace.editor.label_set.names
    return Screen(proposal.labels, [[names[k] for k in row] for row in proposal.others.tolist()])


def summary(counts_by_way: dict[str, list[int]]) -> list[dict[str, object]]:
    """Return one row per way: clicks and keys in total, per page, and the factor saved."""
    first, scratch = sum(counts_by_way["one by one"]), sum(counts_by_way["scratch"])
    return [
        {
            "way": way,
            "in all": sum(counts),
            "a page": round(float(np.mean(counts)), 1),
            "median": float(np.median(counts)),
            "Enter alone": sum(count == 1 for count in counts),
            "times fewer than scratch": round(scratch / sum(counts), 1),
            "than one by one": round(first / sum(counts), 1),
        }
        for way, counts in counts_by_way.items()
    ]


@click.command(help=__doc__)
@click.argument("corpus", type=click.Path(exists=True, path_type=Path))
@click.option("--model", required=True, help="Folder or name of a model, or 'none'.")
@click.option("--pages", "n_pages", default=40, show_default=True)
@click.option("--seed", default=7, show_default=True)
@click.option("--every", default=0, show_default=True, help="Train after this many pages.")
@click.option("--right-clicks/--no-right-clicks", default=True, help="Use next likely labels.")
@click.option("--out", type=click.Path(path_type=Path), help="All counts as JSON.")
def main(
    corpus: Path,
    model: str,
    n_pages: int,
    seed: int,
    every: int,
    right_clicks: bool,
    out: Path | None,
) -> None:
    """Simulate labelling and print its cost."""
    loaded = Corpus.load(corpus)
    pages = pages_of_sites(loaded, n_pages, seed)
    counts, spent = played(loaded, pages, model, every, has_right_clicks=right_clicks)
    click.echo(f"{len(pages)} pages of {len({page.site for page in pages})} sites, model {model}")
    click.echo(tabulate(summary(counts), headers="keys"))
    click.echo(tabulate(spent.most_common(_N_KINDS), headers=["proposed", "clicks and keys"]))
    if every:
        tens = [
            {"pages": f"{k + 1} to {k + every}"}
            | {way: sum(row[k : k + every]) for way, row in counts.items()}
            for k in range(0, len(pages), every)
        ]
        click.echo(tabulate(tens, headers="keys"))
    if out is not None:
        write_atomic(out, encode_json(counts | {"pages": [page.id for page in pages]}))


if __name__ == "__main__":
    main()
