"""The pages that an arm got most wrong, with their mistakes and a drawing of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from structce.corpus import LabelledPage
from structce.experiments.finding.trials import Mistake, WorstPage
from structce.experiments.running.bench import Bench
from structce.experiments.running.units import Task, Tested, Wrong
from structce.experiments.telling.wireframes import draw_wireframe
from structce.labels import UNKNOWN, UNKNOWN_INDEX, LabelSet

N_WORST = 20
N_CHARACTERS = 120

Pages = Mapping[str, LabelledPage]


def worst_pages(
    arm: str, benches: Sequence[Bench], pages: Pages, label_set: LabelSet
) -> tuple[WorstPage, ...]:
    """Return the twenty test pages of the lowest accuracy that an arm has a mistake on.

    A page that is tested in several splits stands here once, as it came out worst.
    """
    found: dict[str, WorstPage] = {}
    for bench in benches:
        for task, outcome in bench.of(arm, "test"):
            if task.is_whole and isinstance(outcome, Tested):
                for one in _of_split(bench, task, outcome, pages, label_set):
                    if one.page not in found or _order(one) < _order(found[one.page]):
                        found[one.page] = one
    return tuple(sorted(found.values(), key=_order)[:N_WORST])


def _order(one: WorstPage) -> tuple[float, int, str]:
    return one.accuracy, -one.n_wrong, one.page


def _of_split(
    bench: Bench, task: Task, tested: Tested, pages: Pages, label_set: LabelSet
) -> Iterator[WorstPage]:
    wrong: dict[int, list[Wrong]] = {}
    for one in tested.wrong:
        wrong.setdefault(one.page, []).append(one)
    tests = list(bench.parts.test)
    for number, mistakes in wrong.items():
        page = pages[tests[number].id]
        gold = label_set.encode(page.labels)
        known = gold != UNKNOWN_INDEX
        n_wrong = int((gold != np.array(tested.predictions[number]))[known].sum())
        n_known = int(known.sum())
        yield WorstPage(
            arm=task.arm,
            split=bench.number,
            page=page.id,
            site=page.site,
            accuracy=1 - n_wrong / n_known,
            n_wrong=n_wrong,
            n_known=n_known,
            mistakes=tuple(_mistake(one, page, label_set) for one in mistakes),
        )


def _mistake(one: Wrong, page: LabelledPage, label_set: LabelSet) -> Mistake:
    return Mistake(
        region=one.region,
        text=page.page.text[one.region][:N_CHARACTERS],
        gold=label_set.names[one.gold],
        predicted=label_set.names[one.predicted],
        confidence=one.confidence,
        reasons=one.reasons,
    )


def pictures_of(
    worst: Sequence[WorstPage], benches: Sequence[Bench], pages: Pages, label_set: LabelSet
) -> dict[str, str]:
    """Return a drawing of each of the worst pages, by page."""
    drawn = {}
    for i, one in enumerate(worst):
        page = pages[one.page]
        predicted = [_name(k, label_set) for k in _predictions(one, benches[one.split])]
        drawn[one.page] = draw_wireframe(
            page.page, page.labels, predicted, label_set.background, id=f"worst-{i}-{one.page}"
        )
    return drawn


def _name(k: int, label_set: LabelSet) -> str:
    """Return the name of a label; where the right one is unknown a learner may give any number."""
    return label_set.names[k] if 0 <= k < len(label_set) else UNKNOWN


def _predictions(one: WorstPage, bench: Bench) -> tuple[int, ...]:
    number = [page.id for page in bench.parts.test].index(one.page)
    found = (
        outcome.predictions[number]
        for task, outcome in bench.of(one.arm, "test")
        if task.is_whole and isinstance(outcome, Tested)
    )
    return next(found)
