"""Differences between two reports: settings, corpora, versions, scores and their significance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from textwrap import shorten
from typing import Literal

import numpy as np
from tabulate import tabulate

from structce.evaluation import NO_DIFFERENCE
from structce.experiments.config import Experiment
from structce.experiments.report.files import to_json
from structce.experiments.report.tables.base import (
    DASH,
    p_value,
    percent,
    percentage_points,
    points_interval,
    signed_number,
    without_line_breaks,
)
from structce.experiments.results import (
    CandidateResult,
    CorpusRecord,
    FailureRecord,
    PairedTest,
    Report,
    Study,
)
from structce.experiments.significance import CERTAIN_RULE, corrected, is_certain, paired_test
from structce.experiments.toml_tables import written_name

Verdict = Literal["better", "worse", "no difference shown", "not comparable"]

SplitRelation = Literal["same splits", "same test pages, split otherwise", "other test pages"]

_VALUE_WIDTH = 48  # characters of a value that a table shows, so that two fit beside each other

_NOTE = f"""\
F1 and accuracy in per cent. By page: mean difference of page accuracy in points; its 95 per cent
interval from resampling whole sites; Wilcoxon's p after Holm's correction over all candidates; the
rank-biserial effect. Better and worse are said only of what is {CERTAIN_RULE}."""


@dataclass(frozen=True)
class FieldChange:
    """A value that differs between two reports, as text; empty where it is missing.

    Its name is a path: ``splits.folds``, ``candidates.crf.lambda``.
    """

    name: str
    before: str
    after: str


@dataclass(frozen=True)
class BeforeAfter:
    """A score in both reports; None for a label that occurs nowhere."""

    before: float | None
    after: float | None


@dataclass(frozen=True)
class PageTest(PairedTest):
    """Paired test of page accuracy on the same pages; differences are after minus before."""

    @property
    def verdict(self) -> Verdict:
        """Better or worse only if that is certain: pages of one site fail together."""
        if not is_certain(self):
            return "no difference shown"
        return "better" if self.difference > 0 else "worse"


@dataclass(frozen=True)
class LearnerDifference:
    """Scores in [0, 1] of a learner that both reports have; labels have their F1.

    ``pages`` is None if the learner was not tested on the same pages.
    """

    name: str
    accuracy: BeforeAfter
    macro_f1: BeforeAfter
    labels: Mapping[str, BeforeAfter]
    verdict: Verdict
    pages: PageTest | None


@dataclass(frozen=True)
class StudyDifference:
    """Comparison of a study that both reports have, and of the learners with scores in both."""

    name: str
    corpus: tuple[FieldChange, ...]
    splits: SplitRelation
    candidates: tuple[LearnerDifference, ...]
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]
    failures_before: tuple[FailureRecord, ...]
    failures_after: tuple[FailureRecord, ...]

    @property
    def newly_failed(self) -> tuple[str, ...]:
        """Learners that failed in the report after, and have scores only in the one before."""
        failed = {failure.candidate for failure in self.failures_after}
        return tuple(name for name in self.only_before if name in failed)


@dataclass(frozen=True)
class ReportDifference:
    """Comparison of two reports, whose studies are matched by name.

    ``is_same`` ignores times, memory and the command line.
    """

    is_same: bool
    experiment: tuple[FieldChange, ...]
    versions: tuple[FieldChange, ...]
    studies: tuple[StudyDifference, ...]
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]

    @property
    def losses(self) -> tuple[str, ...]:
        """Learners that are worse after, or failed only then, as ``news by site: crf``."""
        losses = []
        for study in self.studies:
            worse = [learner.name for learner in study.candidates if learner.verdict == "worse"]
            losses += [f"{study.name}: {name}" for name in (*worse, *study.newly_failed)]
        return tuple(losses)


def diff_reports(before: Report, after: Report) -> ReportDifference:
    """Compare two reports; studies and learners are matched by name.

    Bootstrap samples of sites are drawn with the seed of the first experiment.
    """
    first = {study.name: study for study in before.studies}
    second = {study.name: study for study in after.studies}
    both = [(first[name], second[name]) for name in first if name in second]
    tests = _page_tests(both, before.experiment.seed)
    ours, theirs = (to_json(replace(report, costs=(), command="")) for report in (before, after))
    return ReportDifference(
        is_same=ours == theirs,
        experiment=experiment_changes(before.experiment, after.experiment),
        versions=field_changes(before.versions, after.versions),
        studies=tuple(_study_difference(*pair, tests) for pair in both),
        only_before=tuple(name for name in first if name not in second),
        only_after=tuple(name for name in second if name not in first),
    )


def _page_tests(
    studies: Sequence[tuple[Study, Study]], seed: int
) -> Mapping[tuple[str, str], PageTest]:
    """Test all learners that are comparable page by page, and correct the tests together."""
    tests = {
        (before.name, name): test
        for before, after in studies
        if set(before.source.counts) == set(after.source.counts)  # fewer labels would be easier
        for name in _names_of_both(before, after)
        if (test := _page_test(before, after, name, seed)) is not None
    }
    return dict(zip(tests, corrected([*tests.values()]), strict=True))


def _page_test(before: Study, after: Study, name: str, seed: int) -> PageTest | None:
    first, second = (study.candidate(name).row.page_accuracy for study in (before, after))
    is_other = _split_relation(before, after) == "other test pages"
    if is_other or not first or set(first) != set(second):
        return None
    pages = sorted(first)
    old, new = (np.array([shares[page] for page in pages]) for shares in (first, second))
    sites = [before.page_sites.get(page, "") for page in pages]
    test = paired_test(new, old, sites, seed)
    return PageTest(**asdict(test if all(sites) else replace(test, interval=NO_DIFFERENCE)))


def _study_difference(
    before: Study, after: Study, tests: Mapping[tuple[str, str], PageTest]
) -> StudyDifference:
    both = _names_of_both(before, after)
    return StudyDifference(
        name=before.name,
        corpus=field_changes(_corpus_fields(before.source), _corpus_fields(after.source)),
        splits=_split_relation(before, after),
        candidates=tuple(
            _learner_difference(
                before.candidate(name), after.candidate(name), tests.get((before.name, name))
            )
            for name in both
        ),
        only_before=tuple(c.name for c in before.candidates if c.name not in both),
        only_after=tuple(c.name for c in after.candidates if c.name not in both),
        failures_before=before.failures,
        failures_after=after.failures,
    )


def _learner_difference(
    before: CandidateResult, after: CandidateResult, test: PageTest | None
) -> LearnerDifference:
    ours, other = before.row.scores, after.row.scores
    first, second = (
        {label.name: label.measures.f1 if label.occurs else None for label in scores.labels}
        for scores in (ours, other)
    )
    return LearnerDifference(
        name=before.name,
        accuracy=BeforeAfter(ours.accuracy, other.accuracy),
        macro_f1=BeforeAfter(ours.macro_f1, other.macro_f1),
        labels={
            name: BeforeAfter(first.get(name), second.get(name)) for name in {**first, **second}
        },
        verdict=test.verdict if test else "not comparable",
        pages=test,
    )


def _names_of_both(before: Study, after: Study) -> tuple[str, ...]:
    names = {candidate.name for candidate in after.candidates}
    return tuple(candidate.name for candidate in before.candidates if candidate.name in names)


def _split_relation(before: Study, after: Study) -> SplitRelation:
    """Return whether two studies tested the same pages, of the same sites."""
    ours, other = (
        [(split.train.pages, split.validation.pages, split.test.pages) for split in study.splits]
        for study in (before, after)
    )
    first, second = ({page for *_, test in splits for page in test} for splits in (ours, other))
    known = before.page_sites.keys() & after.page_sites.keys()
    if first != second or any(before.page_sites[page] != after.page_sites[page] for page in known):
        return "other test pages"
    return "same splits" if ours == other else "same test pages, split otherwise"


def field_changes(
    before: Mapping[str, object], after: Mapping[str, object]
) -> tuple[FieldChange, ...]:
    """Return the values that differ as text between two nested dictionaries.

    In the order of the first one, followed by the keys that only the second one has.
    """
    first, second = dict(_flat(before)), dict(_flat(after))
    named = [(name, first.get(name, ""), second.get(name, "")) for name in {**first, **second}]
    return tuple(FieldChange(*change) for change in named if change[1] != change[2])


def experiment_changes(before: Experiment, after: Experiment) -> tuple[FieldChange, ...]:
    """Return the settings that differ between two experiments; learners are matched by name."""
    return field_changes(_experiment_fields(before), _experiment_fields(after))


def _experiment_fields(experiment: Experiment) -> dict[str, object]:
    candidates = {}
    for candidate in experiment.candidates:
        values = {written_name(name): tried for name, tried in candidate.values.items()}
        candidates[candidate.name] = {"learner": candidate.learner, **values}
    return {**asdict(experiment), "candidates": candidates}


def _corpus_fields(source: CorpusRecord) -> dict[str, object]:
    """Return everything except the path; sites are only counted."""
    fields = asdict(source) | {"n_sites": len(source.sites)}
    return {name: value for name, value in fields.items() if name not in ("path", "sites")}


def _flat(values: Mapping[str, object], lead: str = "") -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{lead}{name}.")
        else:
            yield f"{lead}{name}", _value_text(value)


def _value_text(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(_value_text(item) for item in value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.12g}"
    return "" if value is None else str(value)


def difference_text(difference: ReportDifference) -> str:
    """Return a comparison as text for a terminal, without a final line break."""
    if difference.is_same:
        return "The two reports say the same; only times, memory and command line may differ."
    return "\n\n".join(_sections(difference))


def _sections(difference: ReportDifference) -> Iterator[str]:
    yield from _change_table("Other settings", difference.experiment)
    yield from _change_table("Other versions", difference.versions)
    for study in difference.studies:
        yield from _study_sections(study)
    yield from _unmatched_lines("Only in", difference)
    if any(candidate.pages for study in difference.studies for candidate in study.candidates):
        yield _NOTE


def _study_sections(study: StudyDifference) -> Iterator[str]:
    yield f"# {study.name} ({study.splits})"
    title = "Another corpus; its pages may differ though their names agree"
    yield from _change_table(title, study.corpus)
    if study.candidates:
        rows = [_learner_row(candidate) for candidate in study.candidates]
        yield tabulate(rows, headers="keys", disable_numparse=True)
        yield "F1 by label\n" + _label_table(study.candidates)
    if any(candidate.pages is None for candidate in study.candidates):
        yield "Tested on other pages or with other labels: not comparable page by page."
    lines = [*_unmatched_lines("Scores only in", study)]
    for failures, where in ((study.failures_before, "before"), (study.failures_after, "after")):
        lines += [f"Failed {where}: {f.job}: {without_line_breaks(f.error)}" for f in failures]
    if lines:
        yield "\n".join(lines)


def _change_table(title: str, changed: Sequence[FieldChange]) -> Iterator[str]:
    if changed:
        rows = [(change.name, _cut(change.before), _cut(change.after)) for change in changed]
        table = tabulate(rows, headers=("", "before", "after"), disable_numparse=True)
        yield f"{title}\n{table}"


def _learner_row(candidate: LearnerDifference) -> dict[str, str]:
    row = {
        "": candidate.name,
        "macro F1": _before_after_text(candidate.macro_f1),
        "accuracy": _before_after_text(candidate.accuracy),
    }
    if test := candidate.pages:
        row |= {
            "by page": percentage_points(test.difference),
            "interval": points_interval(test.interval),
            "p (Holm)": p_value(test.p_holm),
            "effect": signed_number(test.effect),
            "pages differ": f"{test.n_differ} of {test.n_pages}",
        }
    return {**row, "verdict": candidate.verdict}


def _label_table(candidates: Sequence[LearnerDifference]) -> str:
    names = dict.fromkeys(name for candidate in candidates for name in candidate.labels)
    nothing = BeforeAfter(None, None)
    rows = [
        (name, *(_before_after_text(learner.labels.get(name, nothing)) for learner in candidates))
        for name in names
    ]
    headers = ("", *(candidate.name for candidate in candidates))
    return tabulate(rows, headers=headers, disable_numparse=True)


def _unmatched_lines(what: str, difference: ReportDifference | StudyDifference) -> Iterator[str]:
    for names, where in ((difference.only_before, "before"), (difference.only_after, "after")):
        if names:
            yield f"{what} the report {where}: {', '.join(names)}"


def _before_after_text(shift: BeforeAfter) -> str:
    before, after = (DASH if f1 is None else percent(f1) for f1 in (shift.before, shift.after))
    return before if before == after else f"{before} -> {after}"


def _cut(text: str) -> str:
    return shorten(text, _VALUE_WIDTH, placeholder=" ...") or DASH
