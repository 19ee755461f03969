"""Pages with right and wrong labels as mark-up for a report: nothing loaded, nothing run.

Pages come from others and are hostile: their texts are cleaned, cut and escaped, and their boxes
may be anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import resources

from jinja2 import Environment, StrictUndefined

from structce.experiments.telling.wireframes.boxes import MAX_REGIONS, Drawing, drawing_of, path_of
from structce.experiments.telling.wireframes.kinds import Judged, counted, shown_colour, shown_name
from structce.experiments.telling.wireframes.lines import fitting, lines_of, wrong_lines
from structce.explaining.words import visible
from structce.labels import UNKNOWN
from structce.page import Page

MAX_BYTES = 60_000
"""UTF-8 bytes of a page in all; our choice, so that a report of ten pages opens at once."""

LIST_BYTES, DETAIL_BYTES = 56_000, 14_000
"""UTF-8 bytes of the lines of a page without a drawing, and of those below one."""


def draw_wireframe(
    page: Page, gold: Sequence[str], predicted: Sequence[str], background: str, *, id: str
) -> str:
    """Return a ``figure`` that shows which regions of a page were labelled right.

    With layout a drawing of the page, cut to the bands with labels, and its wrong regions as a
    list; without, or where no region with a label has an area, the whole page as a list in reading
    order. At most ``MAX_BYTES`` long; what was cut or left out is said. A region whose gold label
    is unknown is neither right nor wrong.

    Parameters
    ----------
    gold, predicted
        One label each a region; :data:`structce.labels.UNKNOWN` where nobody knows it.
    background
        The label that subsumes every region nobody asked for.
    id
        Begins the identifiers inside; no other drawing of the same file may have it.

    Raises
    ------
    LabelError
        If there are not as many labels as regions.
    """
    judged = Judged(page, gold, predicted, background)
    n_regions = MAX_REGIONS
    while True:
        markup = _figure(judged, drawing_of(judged, n_regions), id)
        if len(markup.encode()) <= MAX_BYTES or n_regions < 2:
            return markup
        n_regions = 3 * n_regions // 4


def legend(labels: Sequence[str]) -> str:
    """Return what the drawings mean, as a list.

    Parameters
    ----------
    labels
        Those that drawings show, without the background; one that is unknown is passed over.
    """
    names = [(shown_name(label), shown_colour(label)) for label in labels if label != UNKNOWN]
    return _rendered("legend.html", labels=names)


def _figure(judged: Judged, drawing: Drawing | None, id: str) -> str:
    n_wrong = len(judged.rows("wrong"))
    if drawing is None:
        lines, left_out = fitting(lines_of(judged), LIST_BYTES, n_wrong)
    else:
        lines, left_out = fitting(wrong_lines(judged, drawing.drawn), DETAIL_BYTES, n_wrong)
    title = visible(judged.page.title[:400], 80).strip() or "a page without a title"
    return _rendered(
        "wireframe.html",
        id=re.sub(r"[^A-Za-z0-9-]", lambda found: f"_{ord(found[0]):x}_", id),
        title=f"Labels of {title}",
        description=_said(judged, drawing),
        drawing=drawing,
        lines=lines,
        left_out=left_out,
        summary=f"{counted(n_wrong, 'wrong region')} in words",
        path_of=path_of,
    )


def _said(judged: Judged, drawing: Drawing | None) -> str:
    notes = () if drawing is None else drawing.notes
    return " ".join([judged.description, *notes])


def _rendered(template: str, **values: object) -> str:
    source = resources.files("structce.experiments.telling.wireframes").joinpath(template)
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string(source.read_text(encoding="utf-8")).render(**values).strip()
