"""Findings and tables of a report as one text: for a terminal, as Markdown, as LaTeX."""

from __future__ import annotations

from structce.experiments.report.summary import report_findings
from structce.experiments.report.tables.base import (
    Table,
    latex_text,
    markdown_text,
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
from structce.experiments.results import CorpusRecord, Report, Study


def report_text(report: Report) -> str:
    """Return the question, the findings and all tables as text for a terminal."""
    findings = [
        f"{one.heading}: {one.text}" if one.heading else one.text for one in report_findings(report)
    ]
    parts = [without_line_breaks(report.experiment.question), *findings]
    for study in report.studies:
        parts.append(source_line(study, report.experiment.seed))
        parts += [str(one) for one in study_tables(study, report).values()]
        parts += ["\n".join(study_notes(study))]
    parts += [str(one) for one in cross_study_tables(report).values()]
    return "\n\n".join(part for part in parts if part) + "\n"


def report_markdown(report: Report) -> str:
    """Return the question, the findings and all tables as one Markdown document."""
    parts = [f"# {markdown_text(report.experiment.question)}"]
    for one in report_findings(report):
        start = f"**{markdown_text(one.heading)}.** " if one.heading else ""
        parts.append(start + markdown_text(one.text))
    for study in report.studies:
        parts.append(f"## {markdown_text(study.name)}")
        parts.append(markdown_text(source_line(study, report.experiment.seed)))
        parts += [to_markdown(one) for one in study_tables(study, report).values()]
        parts.append("\n".join(f"- {markdown_text(note)}" for note in study_notes(study)))
    if across := cross_study_tables(report):
        parts += ["## Across studies", *map(to_markdown, across.values())]
    return "\n\n".join(part.strip() for part in parts if part.strip()) + "\n"


def report_latex(report: Report) -> str:
    r"""Return all tables as a fragment for LaTeX's ``\input``; it needs booktabs and graphicx.

    Comments at the top name the experiment.
    """
    digests = [f"{study.name}: corpus {study.source.digest}" for study in report.studies]
    comments = (
        f"Question: {report.experiment.question}",
        *digests,
        f"Seed: {report.experiment.seed}",
        r"Needs \usepackage{booktabs,graphicx}.",
    )
    parts = ["".join(f"% {without_line_breaks(line)}\n" for line in comments)]
    for study in report.studies:
        parts += [
            to_latex(table, f"tab:{study.name}-{name}")
            for name, table in study_tables(study, report).items()
        ]
        parts += [f"{latex_text(note)}\n" for note in study_notes(study)]
    parts += [to_latex(table, f"tab:{name}") for name, table in cross_study_tables(report).items()]
    return "\n".join(parts)


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
    for number, one in enumerate(report.rankings, start=1):
        tables[f"ranking-{number}"] = ranking_table(one)
    return {name: table for name, table in tables.items() if table.rows}


def study_notes(study: Study) -> tuple[str, ...]:
    """Return the notes that several tables of a study share."""
    power = power_note(study)
    return (*label_notes(study), *ablation_notes(study), *([power] if power else []))


def site_caveat(source: CorpusRecord) -> str:
    """Return what is to be known of how the sites were told; empty for nothing."""
    if source.site_rule == "page":
        return "Each page was taken for a site of its own: pages of one site may be on both sides."
    if source.site_rule == "one":
        return "All pages were taken for one site: nothing is known of other sites."
    return f"Sites are those of {source.site_rule}." if source.site_rule else ""


def source_line(study: Study, seed: int) -> str:
    """Return corpus, renderer and splits of a study in one line."""
    source = study.source
    n_splits = len(study.splits)
    how = "one split" if n_splits == 1 else f"{n_splits} splits"
    unknown = f"; {source.n_unknown:,} regions of unknown label are not counted"
    several = f"; of {source.n_several:,} regions any of several labels counts as right"
    return (
        f"{source.name}: {source.n_pages} pages of {len(source.sites)} sites, {source.renderer} "
        f"renderer; {how} by {study.by}, seed {seed}"
    ) + "".join(
        [f"; sites by {source.site_rule}"] * bool(source.site_rule)
        + [unknown] * bool(source.n_unknown)
        + [several] * bool(source.n_several)
    )
