"""What an ablation, a learning curve and a grid say, in words, of one learner."""

from __future__ import annotations

from collections.abc import Iterator

from structce.evaluation.significance import LEVEL
from structce.experiments.finding.report import Study
from structce.experiments.finding.rows import Ablation, ArmResult
from structce.experiments.telling.tables.cells import parameters_text, percent, points


def further_answers(study: Study, best: ArmResult) -> Iterator[str]:
    """Yield what else the experiment asked of the best learner; nothing if it asked nothing."""
    yield from _families(study, best)
    yield from _learning(study, best)
    if len(study.arms) == 1:
        yield from _tuning(best)


def _families(study: Study, best: ArmResult) -> Iterator[str]:
    parts = [one for one in study.ablations if one.arm == best.name]
    full = best.row.scores.macro_f1
    without = [one for one in parts if one.kind == "without"]
    if without:
        worst = min(without, key=lambda one: one.row.scores.macro_f1)
        change = worst.row.scores.macro_f1 - full
        spared = [one.family for one in without if not _is_missed(one)]
        said = f"Of the families of features it needs {worst.family} most: without it macro F1 "
        yield f"{said}changes by {points(change)} points."
        if spared:
            yield f"No loss is shown without {' or without '.join(spared)}."
    if alone := [one for one in parts if one.kind == "only"]:
        first = max(alone, key=lambda one: one.row.scores.macro_f1)
        yield f"With {first.family} alone it reaches {percent(first.row.scores.macro_f1)} per cent."


def _is_missed(one: Ablation) -> bool:
    """Return whether anything speaks for it that the family is missed."""
    is_found = one.pair.p_holm <= LEVEL and one.pair.difference < 0
    return is_found or one.pair.macro_interval[1] < 0


def _learning(study: Study, best: ArmResult) -> Iterator[str]:
    mine = [one for one in study.learning if one.arm == best.name]
    if mine:
        least = min(mine, key=lambda one: one.share)
        most = max(mine, key=lambda one: one.share)
        full = best.row.scores.macro_f1
        said = f"With {100 * least.share:g} per cent of the training sites it reaches "
        said += f"{percent(least.row.scores.macro_f1)} per cent; the step from "
        said += f"{100 * most.share:g} per cent of them to all brings "
        yield f"{said}{points(full - most.row.scores.macro_f1)} points."


def _tuning(arm: ArmResult) -> Iterator[str]:
    chosen = dict.fromkeys(
        parameters_text(trial.parameters) for trial in arm.row.trials if len(trial.points) > 1
    )
    if chosen:
        yield f"The validation pages chose {'; '.join(chosen)}."
