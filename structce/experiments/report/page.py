"""Frame of a report's HTML page: its template, its plots, and what pages of all reports show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import ParamSpec

from jinja2 import Environment, FunctionLoader, StrictUndefined

from structce.errors import MissingExtraError
from structce.experiments.config_toml import to_toml
from structce.experiments.extraction.results import ExtractionReport
from structce.experiments.report.plots.base import PLOT_CSS, Plot
from structce.experiments.report.tables.base import measure_words, percent, signed_number
from structce.experiments.report.text import Findings
from structce.experiments.results import Report

P = ParamSpec("P")

AnyReport = Report | ExtractionReport


@dataclass(frozen=True)
class ReportPage:
    """HTML page of a report, and the plots on it in their order."""

    html: str
    plots: tuple[Plot, ...]


class PlotDrawer:
    """Drawer of plots, which leaves them out if an extra is not installed.

    After a long run, a report without plots is better than none, so the page only states what is
    missing.
    """

    def __init__(self) -> None:
        self.drawn: list[Plot] = []
        self.missing: list[str] = []

    def draw(
        self, plot: Callable[P, Plot | None], *args: P.args, **kwargs: P.kwargs
    ) -> Plot | None:
        """Return a plot; None where there is nothing to draw, or an extra is missing."""
        try:
            drawn = plot(*args, **kwargs)
        except MissingExtraError as error:
            message = f"Plots are left out: {error}"
            if message not in self.missing:
                self.missing.append(message)
            return None
        self.drawn += [drawn] if drawn else []
        return drawn

    def draw_each(
        self, plot: Callable[..., Plot | None], arguments: Iterable[tuple[object, ...]]
    ) -> list[Plot]:
        """Return the plot of each tuple of arguments that has one."""
        return [drawn for values in arguments if (drawn := self.draw(plot, *values))]


def render_page(
    template: str,
    report: AnyReport,
    findings: Sequence[Findings],
    caveats: Sequence[str],
    drawer: PlotDrawer,
    *,
    style: str = "",
    **values: object,
) -> ReportPage:
    """Render the page of a report from a template that extends ``base.html``.

    ``style`` has rules besides those of tables and plots; the values that the template shows by
    name are all escaped.
    """
    environment = Environment(
        loader=FunctionLoader(_source),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"percent": percent, "measure": measure_words, "signed": signed_number}
    page = environment.get_template(template).render(
        report=report,
        experiment=report.experiment,
        findings=findings,
        toml=to_toml(report.experiment),
        caveats=[*caveats, *drawer.missing],
        style="\n".join(filter(None, [_source("style.css"), PLOT_CSS, style])),
        **values,
    )
    return ReportPage(page.strip() + "\n", tuple(drawer.drawn))


def _source(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
