"""Two reports side by side, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from structce.evaluation import LEVEL
from structce.experiments.finding.rows import Failure, Interval
from structce.experiments.telling.differences.changes import Change

Verdict = Literal["better", "worse", "no difference shown", "not comparable"]

Splitting = Literal["same splits", "same test pages, split otherwise", "other test pages"]

UNKNOWN: Interval = (-1.0, 1.0)
"""The interval that says nothing: fewer than two sites, or sites that are not known."""


@dataclass(frozen=True)
class Shift:
    """A number before and after; None for a label that occurs nowhere."""

    before: float | None
    after: float | None


@dataclass(frozen=True)
class PageTest:
    """Page accuracy after minus page accuracy before, over the same pages.

    Parameters
    ----------
    difference
        Mean over pages, in [-1, 1]; above 0 is better now.
    interval
        Of the difference, whole sites drawn again; (-1, 1) if nothing is known.
    p, p_holm
        Of Wilcoxon's matched-pairs signed-ranks test, two-sided; and after Holm's correction over
        all arms that were compared in all studies.
    effect
        Matched-pairs rank-biserial correlation, in [-1, 1]; above 0 is better now.
    n_pages, n_differ
        Pages that were compared, and those on which the two differ.
    """

    difference: float
    interval: Interval
    p: float
    p_holm: float
    effect: float
    n_pages: int
    n_differ: int

    @property
    def verdict(self) -> Verdict:
        """What the numbers allow to say.

        Better or worse only if the corrected p-value is at most ``LEVEL``, and difference, effect
        and, where it is known, the whole interval point the same way. Pages of one site fail
        together, so the test alone is too sure.
        """
        ends = [self.difference, self.effect]
        ends += [] if self.interval == UNKNOWN else self.interval
        if self.p_holm <= LEVEL and min(ends) > 0:
            return "better"
        return "worse" if self.p_holm <= LEVEL and max(ends) < 0 else "no difference shown"


@dataclass(frozen=True)
class ArmDifference:
    """One arm in both reports.

    Parameters
    ----------
    accuracy, macro_f1
        Over all regions of the test pages, in [0, 1].
    labels
        F1 by label, in [0, 1].
    verdict
        Of the report after, measured by the one before.
    pages
        None where the arm was not tested on the same pages.
    """

    name: str
    accuracy: Shift
    macro_f1: Shift
    labels: Mapping[str, Shift]
    verdict: Verdict
    pages: PageTest | None


@dataclass(frozen=True)
class StudyDifference:
    """One study that both reports have.

    Parameters
    ----------
    corpus
        What is different in the corpus itself.
    splits
        Whether the same pages were tested, and the same ones trained on.
    arms
        Those that have scores in both.
    only_before, only_after
        Arms that have scores in one report alone.
    failures_before, failures_after
        What raised.
    """

    name: str
    corpus: tuple[Change, ...]
    splits: Splitting
    arms: tuple[ArmDifference, ...]
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]
    failures_before: tuple[Failure, ...]
    failures_after: tuple[Failure, ...]

    @property
    def newly_failed(self) -> tuple[str, ...]:
        """Arms that have lost their scores to a failure."""
        failed = {one.arm for one in self.failures_after}
        return tuple(name for name in self.only_before if name in failed)


@dataclass(frozen=True)
class Difference:
    """Two reports side by side.

    Parameters
    ----------
    is_same
        Whether they are equal but for times, memory and the command line.
    experiment, versions
        What was asked differently, and which packages were others.
    studies
        Those that both have, by name.
    only_before, only_after
        Names of the studies that one report alone has.
    """

    is_same: bool
    experiment: tuple[Change, ...]
    versions: tuple[Change, ...]
    studies: tuple[StudyDifference, ...]
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]

    @property
    def losses(self) -> tuple[str, ...]:
        """What is worse now, or has failed now and not before: ``news by site: crf``."""
        return tuple(
            f"{study.name}: {name}"
            for study in self.studies
            for name in (
                *(arm.name for arm in study.arms if arm.verdict == "worse"),
                *study.newly_failed,
            )
        )
