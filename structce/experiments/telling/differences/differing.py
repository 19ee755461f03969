"""What two reports have differently, and whether it is more than chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from structce.evaluation import LabelScore, holm, rank_biserial, site_interval, wilcoxon
from structce.experiments.finding.report import Report, Study
from structce.experiments.finding.rows import ArmResult
from structce.experiments.telling.differences.changes import (
    changes,
    experiment_changes,
    source_changes,
)
from structce.experiments.telling.differences.side_by_side import (
    UNKNOWN,
    ArmDifference,
    Difference,
    PageTest,
    Shift,
    Splitting,
    StudyDifference,
)
from structce.experiments.telling.files import encoded, without_costs


def difference(before: Report, after: Report) -> Difference:
    """Return what differs from one report to another, studies and arms matched by their names.

    Sites are drawn again with the seed of the experiment before.
    """
    first = {study.name: study for study in before.studies}
    second = {study.name: study for study in after.studies}
    both = [(first[name], second[name]) for name in first if name in second]
    tests = _tests(both, before.experiment.seed)
    return Difference(
        is_same=_found(before) == _found(after),
        experiment=experiment_changes(before.experiment, after.experiment),
        versions=changes(before.versions, after.versions),
        studies=tuple(_study(*pair, tests) for pair in both),
        only_before=tuple(name for name in first if name not in second),
        only_after=tuple(name for name in second if name not in first),
    )


def _found(report: Report) -> bytes:
    return encoded(replace(without_costs(report), command=""))


Tests = Mapping[tuple[str, str], PageTest]
"""By study and arm."""


def _tests(studies: Sequence[tuple[Study, Study]], seed: int) -> Tests:
    """Compare all arms that can be compared, and correct them together."""
    found = {
        (before.name, name): test
        for before, after in studies
        if _have_same_labels(before, after)
        for name in _names_of_both(before, after)
        if (test := _test(before, after, name, seed)) is not None
    }
    corrected = holm(np.array([test.p for test in found.values()]))
    return {
        key: replace(test, p_holm=float(p))
        for (key, test), p in zip(found.items(), corrected, strict=True)
    }


def _test(before: Study, after: Study, name: str, seed: int) -> PageTest | None:
    first, second = (study.arm(name).row.page_accuracy for study in (before, after))
    if _splitting(before, after) == "other test pages" or not first or set(first) != set(second):
        return None
    pages = sorted(first)
    one = np.array([first[page] for page in pages])
    other = np.array([second[page] for page in pages])
    p = wilcoxon(other, one)
    sites = [before.page_sites.get(page, "") for page in pages]
    return PageTest(
        difference=float(np.mean(other - one)),
        interval=site_interval(other - one, sites, seed=seed) if all(sites) else UNKNOWN,
        p=p,
        p_holm=p,
        effect=rank_biserial(other, one),
        n_pages=len(pages),
        n_differ=int(np.count_nonzero(np.round(other - one, 12))),
    )


def _study(before: Study, after: Study, tests: Tests) -> StudyDifference:
    both = _names_of_both(before, after)
    return StudyDifference(
        name=before.name,
        corpus=source_changes(before.source, after.source),
        splits=_splitting(before, after),
        arms=tuple(
            _arm(before.arm(name), after.arm(name), tests.get((before.name, name))) for name in both
        ),
        only_before=tuple(arm.name for arm in before.arms if arm.name not in both),
        only_after=tuple(arm.name for arm in after.arms if arm.name not in both),
        failures_before=before.failures,
        failures_after=after.failures,
    )


def _arm(before: ArmResult, after: ArmResult, test: PageTest | None) -> ArmDifference:
    one, other = before.row.scores, after.row.scores
    first, second = ({label.name: label for label in scores.labels} for scores in (one, other))
    return ArmDifference(
        name=before.name,
        accuracy=Shift(one.accuracy, other.accuracy),
        macro_f1=Shift(one.macro_f1, other.macro_f1),
        labels={
            name: Shift(_f1(first.get(name)), _f1(second.get(name))) for name in {**first, **second}
        },
        verdict=test.verdict if test else "not comparable",
        pages=test,
    )


def _f1(label: LabelScore | None) -> float | None:
    return label.measures.f1 if label and label.occurs else None


def _names_of_both(before: Study, after: Study) -> tuple[str, ...]:
    names = {arm.name for arm in after.arms}
    return tuple(arm.name for arm in before.arms if arm.name in names)


def _have_same_labels(before: Study, after: Study) -> bool:
    """Whether a page's accuracy means the same in both: coarser labels are easier."""
    return set(before.source.counts) == set(after.source.counts)


def _splitting(before: Study, after: Study) -> Splitting:
    """Return whether two studies tested the same pages; one page has one site."""
    first, second = (
        {page for split in study.splits for page in split.test.pages} for study in (before, after)
    )
    known = [page for page in before.page_sites if page in after.page_sites]
    moved = any(before.page_sites[page] != after.page_sites[page] for page in known)
    if first != second or moved:
        return "other test pages"
    same = [_parts(study) for study in (before, after)]
    return "same splits" if same[0] == same[1] else "same test pages, split otherwise"


def _parts(study: Study) -> list[tuple[tuple[str, ...], ...]]:
    return [(one.train.pages, one.validation.pages, one.test.pages) for one in study.splits]
