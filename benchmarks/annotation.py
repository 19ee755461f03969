r"""Count the clicks and keys to label a page, simulated by a script that knows the gold.

    python3 -m benchmarks.annotation fundus --model model --pages 40 --seed 7
    python3 -m benchmarks.annotation site --model none --every 10

The player goes from the top of a page to its bottom. At a wrong region it takes the action that
corrects more for less: a run of neighbours (click, Shift and click, key; for one region click,
key), or all regions of the same path (click, a, key). Enter ends a page. If the gold allows several
labels, any will do; if it covers nothing, the page stays as it is. The player never looks at what
the model is unsure of.

Ways: from scratch, where everything begins as background, region by region (``one by one``) and
with the actions above (``scratch``); from proposals that stay unchanged; and with proposals that
are decoded again after each action, where finished pages count for their site, and a model is
trained after every ``--every`` pages.
"""

from __future__ import annotations

import random
import tempfile
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
    Workspace,
    create_workspace,
    default_scheme,
)
from structce.corpus import Corpus, LabelledPage
from structce.io import encode_json, write_atomic
from structce.labelling import RegionLabeller
from structce.labels import UNKNOWN, allowed_names
from structce.page import region_paths

_MAX_ACTIONS = 2_000  # a page that needs more is not corrected by continuing


@dataclass(frozen=True)
class Move:
    """One action of the player: label some regions at a cost in clicks and keys."""

    labels: dict[int, str]
    cost: int
    n_mended: int


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
        allowed = {label: one | wider if background in one else one for label, one in sets.items()}
        self.gold = [allowed[label] for label in page.labels]
        self.uncovered = wider
        self.paths = region_paths(page.page)
        self.background = background

    def wanted(self, i: int) -> str:
        """Return the label to give to a region: the first allowed one that is not background."""
        names = sorted(self.gold[i] - self.uncovered)
        return next((name for name in names if name != self.background), names[0])

    def is_wrong(self, i: int, label: str) -> bool:
        """Return whether the gold forbids a label; where it covers nothing, all are allowed."""
        return bool(self.gold[i]) and label not in self.gold[i]

    def move(self, labels: Sequence[str]) -> Move | None:
        """Return the next action; None if nothing is wrong."""
        wrong = [i for i, label in enumerate(labels) if self.is_wrong(i, label)]
        if not wrong:
            return None
        first = wrong[0]
        options = [self._run(first, labels), self._alike(first, labels)]
        return max(options, key=lambda move: (move.n_mended / move.cost, -move.cost))

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
        wanted = self.wanted(first)
        alike = [i for i, path in enumerate(self.paths) if path == self.paths[first]]
        if any(self.gold[i] and wanted not in self.gold[i] for i in alike):
            return Move({}, 3, 0)
        return self._moved(alike, wanted, labels, 3)

    def _moved(self, regions: Sequence[int], wanted: str, labels: Sequence[str], cost: int) -> Move:
        n = sum(self.is_wrong(i, labels[i]) for i in regions)
        return Move(dict.fromkeys(regions, wanted), cost, n)

    def play_singly(self, background: str) -> int:
        """Return the cost of a page from scratch if each region costs a click and a key."""
        return 1 + 2 * sum(self.is_wrong(i, background) for i in range(len(self.gold)))

    def play(self, labels: Sequence[str]) -> int:
        """Return the clicks and keys for a page if nothing is decoded again."""
        shown, n = list(labels), 1
        while move := self.move(shown):
            n += move.cost
            for i, label in move.labels.items():
                shown[i] = label
        return n

    def play_session(self, session: Session, name: str) -> int:
        """Return the clicks and keys for a page on the labelling page."""
        n, state = 1, session.state(name, "player")
        while (move := self.move(state["labels"])) and n < _MAX_ACTIONS:
            n += move.cost
            state = session.act(name, "player", "label", move.labels, base=None, key="")
        session.act(name, "player", "accept", {}, base=None, key="")
        return n


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
    corpus: Corpus, pages: Sequence[LabelledPage], model: str, every: int
) -> dict[str, list[int]]:
    """Return the clicks and keys of each page, in the order in which they are labelled."""
    background = corpus.label_set.background
    uncovered = sorted({*corpus.label_set.foreground} - {*corpus.covered})
    ways = ("one by one", "scratch", "proposals", "re-decoding")
    found: dict[str, list[int]] = {way: [] for way in ways}
    with tempfile.TemporaryDirectory() as folder:
        workspace, session = open_session(Path(folder) / "gold", corpus, pages, model, every)
        for page in pages:
            player = Player(page, background, uncovered)
            found["one by one"].append(player.play_singly(background))
            found["scratch"].append(player.play([background] * len(page.page)))
            alone = session.first_proposal(page.id)
            found["proposals"].append(player.play(alone.labels))
            found["re-decoding"].append(player.play_session(session, page.id))
            if every and session.training is not None:
                session.training.wait()
        session.close()
        workspace.close()
    return found


def summary(found: dict[str, list[int]]) -> list[dict[str, object]]:
    """Return one row per way: clicks and keys in total, per page, and the factor saved."""
    first, scratch = sum(found["one by one"]), sum(found["scratch"])
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
        for way, counts in found.items()
    ]


@click.command(help=__doc__)
@click.argument("corpus", type=click.Path(exists=True, path_type=Path))
@click.option("--model", required=True, help="Folder or name of a model, or 'none'.")
@click.option("--pages", "n_pages", default=40, show_default=True)
@click.option("--seed", default=7, show_default=True)
@click.option("--every", default=0, show_default=True, help="Train after this many pages.")
@click.option("--out", type=click.Path(path_type=Path), help="All counts as JSON.")
def main(corpus: Path, model: str, n_pages: int, seed: int, every: int, out: Path | None) -> None:
    """Simulate labelling and print its cost."""
    loaded = Corpus.load(corpus)
    pages = pages_of_sites(loaded, n_pages, seed)
    found = played(loaded, pages, model, every)
    click.echo(f"{len(pages)} pages of {len({page.site for page in pages})} sites, model {model}")
    click.echo(tabulate(summary(found), headers="keys"))
    if every:
        tens = [
            {"pages": f"{k + 1} to {k + every}"}
            | {way: sum(counts[k : k + every]) for way, counts in found.items()}
            for k in range(0, len(pages), every)
        ]
        click.echo(tabulate(tens, headers="keys"))
    if out is not None:
        write_atomic(out, encode_json(found | {"pages": [page.id for page in pages]}))


if __name__ == "__main__":
    main()
