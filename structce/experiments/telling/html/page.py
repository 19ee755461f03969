"""The page of a report: one self-contained HTML file, no scripts, nothing loaded."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources

from jinja2 import Environment, FunctionLoader, StrictUndefined

from structce.experiments.asking.writing import to_toml
from structce.experiments.finding.report import Report
from structce.experiments.telling.answer import answers
from structce.experiments.telling.documents import source_line
from structce.experiments.telling.html.across import across_view
from structce.experiments.telling.html.caveats import caveats, features_note
from structce.experiments.telling.html.drawn import Drawn
from structce.experiments.telling.html.study import study_view
from structce.experiments.telling.plots.theme import STYLE
from structce.experiments.telling.tables.cells import measure_words, percent
from structce.experiments.telling.wireframes import WIREFRAME_CSS

NO_PICTURES: Mapping[tuple[str, str], str] = {}


def render_html(report: Report, pictures: Mapping[tuple[str, str], str] = NO_PICTURES) -> str:
    """Return a report as an HTML page.

    Parameters
    ----------
    pictures
        Safe mark-up by name of study and id of page, such as
        :func:`structce.experiments.telling.wireframes.draw_wireframe` gives; it stands in the page
        as it is. Everything else is escaped.

    Returns
    -------
    Without matplotlib the page has its tables alone, and says so.
    """
    drawn = Drawn()
    studies = [
        study_view(report, study, f"study-{number}", pictures, drawn)
        for number, study in enumerate(report.studies, start=1)
    ]
    across = across_view(report, drawn)
    page = (
        _environment()
        .get_template("report.html")
        .render(
            report=report,
            experiment=report.experiment,
            answers=answers(report),
            studies=studies,
            across=across,
            toml=to_toml(report.experiment),
            features_note=features_note(report),
            caveats=[*caveats(report), *drawn.missing],
            source_line=source_line,
            style="\n".join([_source("style.css"), STYLE, WIREFRAME_CSS]),
        )
    )
    return page.strip() + "\n"


def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(_source),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"percent": percent, "measure": measure_words}
    return environment


def _source(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
