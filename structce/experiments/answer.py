"""The answer in short: the best, its interval, whether the lead is certain, and ends of grids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from structce.evaluation import LEVEL
from structce.experiments.frames import p_value, percent, percentage_points
from structce.experiments.report import Fit, Pair, Ranking, Report, Study
from structce.experiments.statistics import is_certain, turned
from structce.experiments.toml_tables import written_name

_LEAST_USEFUL = dict.fromkeys("context depth min_leaf n_layers".split(), 1)
"""Values below which hyper-parameters have no use; 0 for all others."""


def answer(report: Report) -> list[str]:
    """Return the answer in short, one paragraph per study, then one over all of them."""
    wholes = [study for study in report.studies if study.is_whole or report.kind == "learners"]
    several = len(wholes) > 1
    paragraphs = [
        (f"{study.name}: " if several else "") + " ".join(_sentences(report, study))
        for study in wholes
    ]
    together = [_ranking_sentence(one) for one in report.rankings if not one.source]
    together += [
        f"The model of {method} was trained on {', '.join(sources)}: its figures there flatter."
        for method, sources in report.trained_on.items()
    ]
    return [*paragraphs, " ".join(together)] if together else paragraphs


def _sentences(report: Report, study: Study) -> Iterator[str]:
    values = {name: report.value(study.name, name) or 0.0 for name in report.having(study.name)}
    if not values:
        yield "Nothing could be measured: everything failed."
        return
    best, *others = sorted(values, key=lambda name: -values[name])
    measure = report.measure.replace("_", " ").replace("f1", "F1")
    score, interval = report.score(study.name, best), ""
    if score and score.low is not None and score.high is not None:
        interval = f" (95 per cent interval {percent(score.low)} to {percent(score.high)})"
    yield f"{best} has the highest {measure}, {percent(values[best])} per cent{interval}."
    pairs = [pair for pair in report.pairs if (pair.study, pair.kind) == (study.name, "subjects")]
    if report.kind == "learners" and others:
        yield from _lead(pairs, best, others, values[best] - values[others[0]])
    elif report.kind == "extractors":
        yield from _against_reference(report, pairs)
    fits = [fit for fit in report.fits if fit.study == study.name and not fit.part]
    for name in values:
        yield from _grid_ends(name, [fit for fit in fits if fit.subject == name])


def _lead(pairs: Sequence[Pair], best: str, others: Sequence[str], lead: float) -> Iterator[str]:
    against = {pair.second: pair for pair in pairs if pair.first == best}
    against |= {pair.first: turned(pair) for pair in pairs if pair.second == best}
    certain = [
        name
        for name in others
        if (pair := against.get(name)) and is_certain(pair) and (pair.difference or 0.0) > 0
    ]
    words = "certain" if others[0] in certain else "not certain"
    yield f"Its lead of {percent(lead)} points over {others[0]}, the next, is {words}."
    if rest := [name for name in certain if name != others[0]]:
        yield f"Its lead over {', '.join(rest)} is certain."


def _against_reference(report: Report, pairs: Sequence[Pair]) -> Iterator[str]:
    """Yield which methods the reference is certainly ahead of, and behind."""
    if not pairs:
        reference = str(report.experiment["reference"])
        errors = [one.error for one in report.failures if one.subject.startswith(reference)]
        reason = errors[0] if errors else "nothing to compare"
        yield f"No differences from the reference {reference}: {reason}."
    for words, sign in (("ahead of", -1), ("behind", 1)):
        sure = [p for p in pairs if is_certain(p) and sign * (p.difference or 0.0) > 0]
        sure.sort(key=lambda pair: -abs(pair.difference or 0.0))
        if sure:
            named = [f"{p.first} ({percentage_points(p.difference or 0.0, 1)})" for p in sure[:3]]
            more = f" and {len(sure) - 3} more" if len(sure) > 3 else ""
            yield f"{pairs[0].second} is certainly {words} {', '.join(named)}{more}."


def _grid_ends(name: str, fits: Sequence[Fit]) -> Iterator[str]:
    """Yield the numbers of which most splits chose the end of the grid, except at a bound."""
    tests = [fit for fit in fits if fit.step == "test"]
    chosen: Counter[tuple[str, float, str]] = Counter()
    for test in tests:
        points = [fit.parameters for fit in fits if (fit.split, fit.step) == (test.split, "tuning")]
        for parameter, value in test.parameters.items():
            tried = {point[parameter] for point in points}
            numbers = [n for n in tried if isinstance(n, int | float) and not isinstance(n, bool)]
            if isinstance(value, int | float) and len(tried) == len(numbers) > 1:
                if value == max(numbers):
                    chosen[parameter, value, "largest"] += 1
                elif value == min(numbers) > _LEAST_USEFUL.get(parameter, 0):
                    chosen[parameter, value, "smallest"] += 1
    for (parameter, value, end), n in chosen.items():
        if 2 * n > len(tests):
            yield (
                f"For {name} {written_name(parameter)} = {value} was chosen, the {end} of its "
                "grid: the best value may lie beyond."
            )


def _ranking_sentence(ranking: Ranking) -> str:
    best = min(ranking.ranks, key=ranking.ranks.__getitem__)
    start = f"Over {len(ranking.studies)} studies {best} has the best mean rank, "
    start += f"{ranking.ranks[best]:.2f}"
    if ranking.p_friedman is None:
        return f"{start}; too few to test whether ranks differ by chance."
    differ = "differ by more than" if ranking.p_friedman <= LEVEL else "may differ by"
    return f"{start}; the ranks {differ} chance (Friedman's test, p {p_value(ranking.p_friedman)})."
