"""What an ablation, a learning curve and a grid say, in words, of one learner."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from structce.evaluation import LEVEL
from structce.experiments.report.tables.base import (
    is_known_interval,
    measure_words,
    p_words,
    parameters_text,
    percent,
    percentage_points,
)
from structce.experiments.report.tables.scores import reversed_pair
from structce.experiments.results import (
    Ablation,
    CandidateResult,
    Comparison,
    Contrast,
    Interval,
    Ranking,
    Report,
    Study,
)


def analysis_sentences(study: Study, best: CandidateResult) -> Iterator[str]:
    """Yield what else the experiment asked of the best learner; nothing if it asked nothing."""
    yield from _families(study, best)
    yield from _learning(study, best)
    if len(study.arms) == 1:
        yield from _tuning(best)


def _families(study: Study, best: CandidateResult) -> Iterator[str]:
    parts = [one for one in study.ablations if one.arm == best.name]
    full = best.row.scores.macro_f1
    without = [one for one in parts if one.kind == "without"]
    if without:
        worst = min(without, key=lambda one: one.row.scores.macro_f1)
        change = worst.row.scores.macro_f1 - full
        spared = [one.family for one in without if not _is_missed(one)]
        said = f"Of the families of features it needs {worst.family} most: without it macro F1 "
        yield f"{said}changes by {percentage_points(change)} points."
        if spared:
            yield f"No loss is shown without {' or without '.join(spared)}."
    if alone := [one for one in parts if one.kind == "only"]:
        first = max(alone, key=lambda one: one.row.scores.macro_f1)
        yield f"With {first.family} alone it reaches {percent(first.row.scores.macro_f1)} per cent."


def _is_missed(one: Ablation) -> bool:
    """Return whether anything speaks for it that the family is missed."""
    is_found = one.pair.p_holm <= LEVEL and one.pair.difference < 0
    return is_found or one.pair.macro_interval[1] < 0


def _learning(study: Study, best: CandidateResult) -> Iterator[str]:
    mine = [one for one in study.learning if one.arm == best.name]
    if mine:
        least = min(mine, key=lambda one: one.share)
        most = max(mine, key=lambda one: one.share)
        full = best.row.scores.macro_f1
        said = f"With {100 * least.share:g} per cent of the training sites it reaches "
        said += f"{percent(least.row.scores.macro_f1)} per cent; the step from "
        said += f"{100 * most.share:g} per cent of them to all brings "
        yield f"{said}{percentage_points(full - most.row.scores.macro_f1)} points."


def _tuning(arm: CandidateResult) -> Iterator[str]:
    chosen = dict.fromkeys(
        parameters_text(trial.parameters) for trial in arm.row.trials if len(trial.points) > 1
    )
    if chosen:
        yield f"The validation pages chose {'; '.join(chosen)}."


@dataclass(frozen=True)
class Findings:
    """What one study says, or all of them together.

    Parameters
    ----------
    heading
        Name of the study; empty if it is the only one, or for all of them.
    """

    heading: str
    text: str


class Evidence(Enum):
    """What speaks for it that the higher of two macro F1s is more than chance.

    ``BOTH``: its interval over sites leaves out 0, and the test over pages agrees after Holm's
    correction. ``SITES``, ``PAGES``: one of them alone. ``AGAINST``: page by page the other learner
    is the better one, by the test. ``NONE``: none of these.
    """

    BOTH = "both"
    SITES = "sites"
    PAGES = "pages"
    AGAINST = "against"
    NONE = "none"


def report_findings(report: Report) -> tuple[Findings, ...]:
    """Return one answer a study, then what they say together, if there are several."""
    several = len(report.studies) > 1
    found = [
        Findings(study.name if several else "", study_findings(study)) for study in report.studies
    ]
    together = [*_contrasts(report.contrasts), *map(_ranking, report.rankings)]
    return (*found, Findings("", " ".join(together))) if together else tuple(found)


def study_findings(study: Study) -> str:
    """Return which learner has the highest macro F1, by how much, and whether it may be chance."""
    ranked = sorted(study.arms, key=lambda arm: -arm.row.scores.macro_f1)
    if not ranked:
        return "Nothing could be measured: every learner failed."
    best, *others = ranked
    reached = f"{percent(best.row.scores.macro_f1)} per cent{_interval_words(best)}"
    if not others:
        said = [
            f"{best.name} reaches a macro F1 of {reached}. There is no other to compare it with."
        ]
    else:
        said = [f"{best.name} has the highest macro F1: {reached}.", *_lead(study, best, others)]
    return " ".join([*said, *analysis_sentences(study, best), *_cautions(study)])


def evidence(pair: Comparison) -> Evidence:
    """Return what speaks for it that the first of a pair, of higher macro F1, is the better one."""
    on_sites = is_known_interval(pair.macro_interval) and pair.macro_interval[0] > 0
    on_pages = pair.p_holm <= LEVEL and pair.difference > 0
    if pair.p_holm <= LEVEL and pair.difference < 0:
        return Evidence.AGAINST
    if on_sites and on_pages:
        return Evidence.BOTH
    if on_sites:
        return Evidence.SITES
    return Evidence.PAGES if on_pages else Evidence.NONE


def oriented_pair(study: Study, first: str, second: str) -> Comparison | None:
    """Return how two arms differ, first minus second; None if they were not compared."""
    if found := study.pair(first, second):
        return found
    return reversed_pair(other) if (other := study.pair(second, first)) else None


def _lead(study: Study, best: CandidateResult, others: Sequence[CandidateResult]) -> list[str]:
    """Return what is to be said of the best and the next, and then of the best and the rest."""
    second, *rest = others
    pair = oriented_pair(study, best.name, second.name)
    lead = best.row.scores.macro_f1 - second.row.scores.macro_f1
    if lead == 0:
        said = [f"{second.name} has the very same."]
    else:
        said = [f"That is {100 * lead:.2f} points more than {second.name}, the next."]
        said.append(_verdict(study, pair) if pair else "The two were not compared page by page.")
    pairs = [oriented_pair(study, best.name, arm.name) for arm in rest]
    clear = [one.second for one in pairs if one and evidence(one) is Evidence.BOTH]
    unclear = [one.second for one in pairs if one and one.second not in clear]
    if clear:
        said.append(f"Its lead over {_listed(clear)} is clear.")
    if unclear:
        said.append(f"Its lead over {_listed(unclear)} is not certain.")
    return said


def _verdict(study: Study, pair: Comparison) -> str:
    if not pair.n_differ:
        return f"On none of the {pair.n_pages} test pages do the two differ in accuracy."
    match evidence(pair):
        case Evidence.BOTH:
            words = "That is unlikely to be chance: {sites}, and page by page a test finds "
            words += "a difference of accuracy too ({tested})."
        case Evidence.SITES:
            words = "Take it as a hint: {sites}, but page by page a test finds no difference of "
            words += "accuracy ({tested})."
        case Evidence.PAGES:
            words = "Take it as a hint: page by page a test finds a difference of accuracy "
            words += "({tested}), but {sites}."
        case Evidence.NONE:
            words = "That may be chance: {sites}, and page by page a test finds no difference of "
            words += "accuracy ({tested}).{power}"
        case Evidence.AGAINST:
            words = "Page by page, however, {second} is right more often, by {points} points "
            words += "({tested}): which is better depends on whether rare labels count as much as "
            words += "frequent ones."
    return words.format(
        sites=_sites_words(pair.macro_interval),
        tested=f"{p_words(pair.p_holm)} after Holm's correction",
        power=_power_words(study),
        second=pair.second,
        points=f"{-100 * pair.difference:.2f}",
    )


def _sites_words(interval: Interval) -> str:
    if not is_known_interval(interval):
        return "there are too few sites for an interval"
    low, high = interval
    said = f"over sites drawn again the lead lies between {percentage_points(low)} and {percentage_points(high)} points"
    return said if low > 0 else f"{said}, so there may be none"


def _power_words(study: Study) -> str:
    power = study.power
    if power is None or power.detectable is None or not power.is_small:
        return ""
    return (
        f" These test pages would show a difference only if it were about "
        f"{100 * power.detectable:.1f} points of accuracy or more."
    )


def _interval_words(arm: CandidateResult) -> str:
    found = arm.row.intervals.get("macro_f1")
    if found is None or not is_known_interval(found):
        return ""
    return f" (95 per cent interval {percent(found[0])} to {percent(found[1])})"


def _cautions(study: Study) -> list[str]:
    said = []
    if study.by == "page":
        said.append(
            "Pages of one site stand on both sides of this split: expect less on new sites."
        )
    if lost := sorted({one.arm for one in study.failures}):
        said.append(
            f"Not everything could be measured: {_listed(lost)} failed, in whole or in part."
        )
    return said


def _contrasts(contrasts: Sequence[Contrast]) -> list[str]:
    """Return one sentence for each two studies that were compared."""
    said = []
    for first, second in dict.fromkeys((one.first, one.second) for one in contrasts):
        pairs = [one.values for one in contrasts if (one.first, one.second) == (first, second)]
        changes = sorted(after - before for before, after in pairs)
        ends = dict.fromkeys(percentage_points(one) for one in (changes[0], changes[-1]))
        said.append(f"From {first} to {second} macro F1 changes by {' to '.join(ends)} points.")
    return said


def _ranking(ranking: Ranking) -> str:
    best = min(ranking.ranks, key=lambda name: ranking.ranks[name])
    measure = measure_words(ranking.measure)
    start = f"Over {len(ranking.studies)} studies {best} has the best mean rank by {measure}, " \
        f"{ranking.ranks[best]:.2f}"  # fmt: skip
    if ranking.p_friedman is None:
        return f"{start}; whether ranks differ by chance cannot be tested on so few."
    differs = "differ by more than" if ranking.p_friedman <= LEVEL else "may differ by"
    return f"{start}; the ranks {differs} chance (Friedman's test, {p_words(ranking.p_friedman)})."


def _listed(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
