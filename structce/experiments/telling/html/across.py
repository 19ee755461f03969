"""What the page shows of several studies together."""

from __future__ import annotations

from dataclasses import dataclass

from structce.experiments.finding.report import Report
from structce.experiments.telling.html.drawn import Drawn, those
from structce.experiments.telling.plots import Figure, contrast_plot, rank_plot
from structce.experiments.telling.tables import (
    Table,
    contrast_table,
    ranking_table,
    study_table,
)


@dataclass(frozen=True)
class AcrossView:
    """Several studies together, as their template needs them; tables may have no rows."""

    studies: Table
    contrasts: Table
    contrast_plots: tuple[Figure, ...]
    rankings: tuple[tuple[Table, Figure | None], ...]

    @property
    def has_any(self) -> bool:
        """Whether there is something to show."""
        return len(self.studies.headers) > 2 or bool(self.contrasts.rows) or bool(self.rankings)


def across_view(report: Report, drawn: Drawn) -> AcrossView:
    """Return what the page shows of several studies together."""
    return AcrossView(
        studies=study_table(report),
        contrasts=contrast_table(report),
        contrast_plots=those([drawn.one(contrast_plot, report.contrasts)]),
        rankings=tuple((ranking_table(one), drawn.one(rank_plot, one)) for one in report.rankings),
    )
