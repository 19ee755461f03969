"""Findings and tables of a report in words: for a terminal, as Markdown, as LaTeX."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from structce.evaluation import LEVEL, Interval
from structce.experiments.report.tables.base import (
    Table,
    interval_words,
    is_known_interval,
    latex_text,
    markdown_text,
    measure_words,
    p_words,
    parameters_text,
    percent,
    percentage_points,
    to_latex,
    to_markdown,
    without_line_breaks,
)
from structce.experiments.report.tables.scores import (
    interval_table,
    label_notes,
    label_table,
    learner_table,
    pair_table,
    power_note,
    reversed_pair,
)
from structce.experiments.report.tables.studies import (
    ablation_notes,
    ablation_table,
    calibration_table,
    contrast_table,
    failure_table,
    learning_table,
    ranking_table,
    study_table,
    tuning_table,
)
from structce.experiments.results import (
    CandidateResult,
    Comparison,
    Contrast,
    CorpusRecord,
    Ranking,
    Report,
    Study,
    TrainingRecord,
)
from structce.experiments.significance import Evidence, evidence, is_certain_pair
from structce.experiments.toml_tables import written_name

_LEAST_USEFUL = dict.fromkeys("context depth min_leaf n_layers".split(), 1)
"""Values below which hyper-parameters have no use; 0 for all others."""


@dataclass(frozen=True)
class Findings:
    """Findings in words under the name of their study; no heading if it is the only one, or all."""

    heading: str
    text: str


@dataclass(frozen=True)
class Chapter:
    """Tables of a report by their labels, with the text around them.

    The line follows the heading; tables under ``details`` are left out in a terminal.
    """

    tables: Mapping[str, Table]
    heading: str = ""
    line: str = ""
    notes: tuple[str, ...] = ()
    details: frozenset[str] = frozenset()


@dataclass(frozen=True)
class ReportWords:
    """A report in words: question, findings, tables, and comments at the top of a LaTeX file."""

    question: str
    findings: tuple[Findings, ...]
    chapters: tuple[Chapter, ...]
    comments: tuple[str, ...]

    def plain(self) -> str:
        """Return the report as text for a terminal."""
        parts = [without_line_breaks(self.question)]
        parts += [
            ": ".join(filter(None, (finding.heading, finding.text))) for finding in self.findings
        ]
        for chapter in self.chapters:
            shown = [name for name in chapter.tables if name not in chapter.details]
            parts += [chapter.line, *(str(chapter.tables[name]) for name in shown)]
            parts.append("\n".join(chapter.notes))
        return "\n\n".join(filter(None, parts)) + "\n"

    def markdown(self) -> str:
        """Return the report as one Markdown document; what users wrote is escaped."""
        parts = [f"# {markdown_text(self.question)}"]
        for finding in self.findings:
            start = f"**{markdown_text(finding.heading)}.** " if finding.heading else ""
            parts.append(start + markdown_text(finding.text))
        for chapter in self.chapters:
            parts += [f"## {markdown_text(chapter.heading)}"] if chapter.heading else []
            parts += [markdown_text(chapter.line), *map(to_markdown, chapter.tables.values())]
            parts.append("\n".join(f"- {markdown_text(note)}" for note in chapter.notes))
        return "\n\n".join(part.strip() for part in parts if part.strip()) + "\n"

    def latex(self) -> str:
        r"""Return the tables for LaTeX's ``\input``, with booktabs and graphicx."""
        parts = ["".join(f"% {without_line_breaks(line)}\n" for line in self.comments)]
        for chapter in self.chapters:
            parts += [to_latex(table, f"tab:{label}") for label, table in chapter.tables.items()]
            parts += [f"{latex_text(note)}\n" for note in chapter.notes]
        return "\n".join(parts)


def learner_words(report: Report) -> ReportWords:
    """Return a report on learners in words, study by study."""
    seed = report.experiment.seed
    chapters = []
    for study in report.studies:
        tables = {f"{study.name}-{name}": t for name, t in study_tables(study, report).items()}
        notes = (*label_notes(study), *ablation_notes(study), power_note(study))
        line = source_line(study, seed)
        chapters.append(Chapter(tables, study.name, line, tuple(filter(None, notes))))
    if across := cross_study_tables(report):
        chapters.append(Chapter(across, "Across studies"))
    comments = (
        f"Question: {report.experiment.question}",
        *(f"{study.name}: corpus {study.source.digest}" for study in report.studies),
        f"Seed: {seed}",
        r"Needs \usepackage{booktabs,graphicx}.",
    )
    findings = report_findings(report)
    return ReportWords(report.experiment.question, findings, tuple(chapters), comments)


def study_tables(study: Study, report: Report) -> dict[str, Table]:
    """Return the tables of a study that have rows, under short names that serve as labels."""
    tables = {
        "learners": learner_table(study),
        "intervals": interval_table(study),
        "pairs": pair_table(study),
        "calibration": calibration_table(study),
        "learning": learning_table(study),
        **{
            f"ablation-{candidate.name}": ablation_table(study, candidate)
            for candidate in study.candidates
        },
        **{
            f"labels-{candidate.name}": label_table(study, candidate)
            for candidate in study.candidates
        },
        "tuning": tuning_table(study, report.costs, refit=report.experiment.refit),
        "failures": failure_table(study),
    }
    return {name: table for name, table in tables.items() if table.rows}


def cross_study_tables(report: Report) -> dict[str, Table]:
    """Return the tables over several studies that have rows; none for a single study."""
    tables = {"contrasts": contrast_table(report)}
    if len(report.studies) > 1:
        tables = {"studies": study_table(report), **tables}
    for number, ranking in enumerate(report.rankings, start=1):
        tables[f"ranking-{number}"] = ranking_table(ranking)
    return {name: table for name, table in tables.items() if table.rows}


def site_caveat(source: CorpusRecord) -> str:
    """Return how the sites were determined, as a caveat; empty if the data set states them."""
    if source.site_rule == "page":
        return "Each page counts as a site of its own, so pages of one site may be on both sides."
    if source.site_rule == "one":
        return "All pages count as one site: nothing is known about other sites."
    return f"Sites are those of {source.site_rule}." if source.site_rule else ""


def source_line(study: Study, seed: int) -> str:
    """Return corpus, renderer and splits of a study in one line."""
    source, n_splits = study.source, len(study.splits)
    how = "one split" if n_splits == 1 else f"{n_splits} splits"
    line = f"{source.name}: {source.n_pages} pages of {len(source.sites)} sites, {source.renderer} "
    line += f"renderer; {how} by {study.by}, seed {seed}"
    if source.is_invented:
        line += "; invented pages"
    if study.n_unknown_features:
        line += f"; {study.n_unknown_features} features need layout and are unknown"
    if source.site_rule:
        line += f"; sites by {source.site_rule}"
    if source.n_unknown:
        line += f"; {source.n_unknown:,} regions of unknown label are not counted"
    if source.n_several:
        line += f"; of {source.n_several:,} regions any of several labels counts as right"
    return line


def report_findings(report: Report) -> tuple[Findings, ...]:
    """Return the findings of each study, followed by those over several studies."""
    several = len(report.studies) > 1
    findings = [
        Findings(study.name if several else "", study_findings(study)) for study in report.studies
    ]
    together = [*_contrast_sentences(report.contrasts), *map(_ranking_sentence, report.rankings)]
    return (*findings, Findings("", " ".join(together))) if together else tuple(findings)


def study_findings(study: Study) -> str:
    """Return which learner has the highest macro F1, its lead, and whether that may be chance."""
    ranked = sorted(study.candidates, key=lambda candidate: -candidate.row.scores.macro_f1)
    if not ranked:
        return "Nothing could be measured: every learner failed."
    best, *others = ranked
    interval = interval_words(best.row.intervals.get("macro_f1"))
    reached = f"{percent(best.row.scores.macro_f1)} per cent{interval}"
    sentences = [
        f"{best.name} reaches a macro F1 of {reached}. There is no other to compare it with."
    ]
    if others:
        sentences = [f"{best.name} has the highest macro F1: {reached}."]
        sentences += _lead_sentences(study, best, others)
    sentences += [*analysis_sentences(study, best), *_caution_sentences(study)]
    for candidate in study.candidates:
        sentences += _edge_sentences(candidate)
    return " ".join(sentences)


def oriented_pair(study: Study, first: str, second: str) -> Comparison | None:
    """Return how two learners differ, first minus second; None if they were not compared."""
    if pair := study.pair(first, second):
        return pair
    return reversed_pair(other) if (other := study.pair(second, first)) else None


def _lead_sentences(
    study: Study, best: CandidateResult, others: Sequence[CandidateResult]
) -> Iterator[str]:
    """Yield sentences on the lead over the second learner, and over the others."""
    second, *rest = others
    pair = oriented_pair(study, best.name, second.name)
    lead = best.row.scores.macro_f1 - second.row.scores.macro_f1
    if lead == 0:
        yield f"{second.name} has the same value."
    else:
        yield f"That is {percent(lead)} points more than {second.name}, the next."
        yield _verdict(study, pair) if pair else "The two were not compared page by page."
    pairs = [oriented_pair(study, best.name, candidate.name) for candidate in rest]
    certain = [pair.second for pair in pairs if pair and evidence(pair) is Evidence.BOTH]
    uncertain = [pair.second for pair in pairs if pair and pair.second not in certain]
    if certain:
        yield f"Its lead over {_listed(certain)} is certain."
    if uncertain:
        yield f"Its lead over {_listed(uncertain)} is not certain."


def _verdict(study: Study, pair: Comparison) -> str:
    if not pair.n_differ:
        return f"On none of the {pair.n_pages} test pages do the two differ in accuracy."
    match evidence(pair):
        case Evidence.BOTH:
            words = "That is certain: {sites}, and page by page a test finds "
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
        sites=_interval_sentence(pair.macro_interval),
        tested=f"{p_words(pair.p_holm)} after Holm's correction",
        power=_power_sentence(study),
        second=pair.second,
        points=percent(-pair.difference),
    )


def _interval_sentence(interval: Interval) -> str:
    if not is_known_interval(interval):
        return "there are too few sites for an interval"
    low, high = interval
    ends = f"{percentage_points(low)} and {percentage_points(high)}"
    words = f"with whole sites resampled, the lead lies between {ends} points"
    return words if low > 0 else f"{words}, so there may be none"


def _power_sentence(study: Study) -> str:
    power = study.power
    if power is None or power.detectable is None or not power.is_small:
        return ""
    least = percent(power.detectable, 1)
    return (
        f" These test pages would show a difference only if it were about {least} points of "
        "accuracy or more."
    )


def _caution_sentences(study: Study) -> Iterator[str]:
    if study.source.is_invented:
        yield "The pages are invented: what holds on them need not hold on published ones."
    if study.by == "page":
        yield "Pages of one site are on both sides of this split: expect lower scores on new sites."
    if lost := sorted({failure.candidate for failure in study.failures}):
        yield f"Not everything could be measured: {_listed(lost)} failed, in whole or in part."


def _edge_sentences(candidate: CandidateResult) -> Iterator[str]:
    """Yield the hyper-parameters of which most splits chose a value at an end of the grid."""
    trials = [trial for trial in candidate.row.trials if trial.points]
    chosen = Counter(end for trial in trials for end in _chosen_ends(trial))
    for (name, value, end), n in chosen.items():
        where = f", in {n} of {len(trials)} splits" if len(trials) > 1 else ""
        if 2 * n > len(trials):
            yield (
                f"For {candidate.name} {written_name(name)} = {value} was chosen, the {end} of its "
                f"grid{where}: the best value may lie beyond."
            )


def _chosen_ends(trial: TrainingRecord) -> Iterator[tuple[str, float, str]]:
    """Yield name, value and end of each number chosen at an end of its grid, except at a bound."""
    for name, value in trial.parameters.items():
        tried = {point.parameters[name] for point in trial.points}
        numbers = [n for n in tried if isinstance(n, int | float) and not isinstance(n, bool)]
        if isinstance(value, int | float) and len(tried) == len(numbers) > 1:
            if value == max(numbers):
                yield name, value, "largest"
            elif value == min(numbers) > _LEAST_USEFUL.get(name, 0):
                yield name, value, "smallest"


def _contrast_sentences(contrasts: Sequence[Contrast]) -> Iterator[str]:
    """Yield one sentence for each pair of studies that were compared."""
    changes: dict[tuple[str, str], list[float]] = {}
    for contrast in contrasts:
        before, after = contrast.values
        changes.setdefault((contrast.first, contrast.second), []).append(after - before)
    for (first, second), own in changes.items():
        ends = dict.fromkeys(percentage_points(change) for change in (min(own), max(own)))
        yield f"From {first} to {second} macro F1 changes by {' to '.join(ends)} points."


def _ranking_sentence(ranking: Ranking) -> str:
    best = min(ranking.ranks, key=lambda name: ranking.ranks[name])
    measure = measure_words(ranking.measure)
    start = (
        f"Over {len(ranking.studies)} studies {best} has the best mean rank by {measure}, "
        f"{ranking.ranks[best]:.2f}"
    )
    if ranking.p_friedman is None:
        return f"{start}; whether ranks differ by chance cannot be tested on so few."
    differs = "differ by more than" if ranking.p_friedman <= LEVEL else "may differ by"
    return f"{start}; the ranks {differs} chance (Friedman's test, {p_words(ranking.p_friedman)})."


def _listed(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def analysis_sentences(study: Study, best: CandidateResult) -> Iterator[str]:
    """Yield findings of an ablation, a learning curve and a grid on the best learner, if any."""
    yield from _ablation_sentences(study, best)
    yield from _learning_sentences(study, best)
    grids = [trial for trial in best.row.trials if len(trial.points) > 1]
    if len(study.candidates) == 1 and grids:
        chosen = dict.fromkeys(parameters_text(trial.parameters) for trial in grids)
        yield f"The validation pages chose {'; '.join(chosen)}."


def _ablation_sentences(study: Study, best: CandidateResult) -> Iterator[str]:
    parts = [ablation for ablation in study.ablations if ablation.candidate == best.name]
    full = best.row.scores.macro_f1
    without = [ablation for ablation in parts if ablation.kind == "without"]
    if without:
        worst = min(without, key=lambda ablation: ablation.row.scores.macro_f1)
        change = worst.row.scores.macro_f1 - full
        spared = [
            ablation.family
            for ablation in without
            if not (is_certain_pair(ablation.pair) and ablation.pair.difference < 0)
        ]
        yield (
            f"Of the families of features it needs {worst.family} most: without it macro F1 "
            f"changes by {percentage_points(change)} points."
        )
        if spared:
            yield f"No loss is certain without {' or without '.join(spared)}."
    if alone := [ablation for ablation in parts if ablation.kind == "only"]:
        first = max(alone, key=lambda ablation: ablation.row.scores.macro_f1)
        yield f"With {first.family} alone it reaches {percent(first.row.scores.macro_f1)} per cent."


def _learning_sentences(study: Study, best: CandidateResult) -> Iterator[str]:
    mine = [point for point in study.learning if point.candidate == best.name]
    if mine:
        least = min(mine, key=lambda point: point.share)
        most = max(mine, key=lambda point: point.share)
        full = best.row.scores.macro_f1
        yield (
            f"With {100 * least.share:g} per cent of the training sites it reaches "
            f"{percent(least.row.scores.macro_f1)} per cent; the step from {100 * most.share:g} "
            "per cent of them to all brings "
            f"{percentage_points(full - most.row.scores.macro_f1)} points."
        )
