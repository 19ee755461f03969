"""Tables of a leaderboard."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from tabulate import tabulate

from benchmarks.articles.board import Section
from benchmarks.articles.comparison import LEAST_PAGES, MAIN_MEASURES, Cell
from benchmarks.articles.scores import (
    Difference,
    value_of,
)
from benchmarks.articles.systems import SHIPPED, SYSTEMS
from structce.evaluation import Interval


def share(value: float) -> str:
    """Return a share with three digits; a hyphen for one that is not known."""
    return "-" if math.isnan(value) else f"{value:.3f}".removeprefix("0")


def share_with(value: float, interval: Interval | None) -> str:
    """Return a share and its interval."""
    if math.isnan(value) or interval is None:
        return share(value)
    return f"{share(value)} [{share(interval[0])}, {share(interval[1])}]"


def table(rows: Sequence[Mapping[str, str]]) -> str:
    """Return rows as a Markdown table; empty for none."""
    return tabulate(rows, headers="keys", tablefmt="pipe", disable_numparse=True)


def cell_table(cells: Sequence[Cell]) -> str:
    """Return a Markdown table of the cells in which ours is compared; empty for none."""
    return table([_cell_row(cell) for cell in cells])


def _cell_row(cell: Cell) -> dict[str, str]:
    return {
        "corpus": cell.corpus,
        "view": cell.view,
        "measure": cell.measure.name,
        "pages": str(cell.difference.n_pages),
        "ours": share_with(cell.value, cell.interval),
        "other": f"{share(cell.other_value)} {cell.other}",
        "difference": difference_with(cell.difference),
        "p": "<.001" if cell.p_value < 0.001 else share(cell.p_value),
        "": cell.verdict,
    }


def difference_with(difference: Difference) -> str:
    """Return a difference and its interval, with signs."""
    low, high = difference.interval or (float("nan"), float("nan"))
    return f"{_signed(difference.value)} [{_signed(low)}, {_signed(high)}]"


def _signed(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:+.3f}".replace("0.", ".", 1)


def summary(sections: Sequence[Section]) -> str:
    """Return one table of the main measures, one column per system; the best of a row is bold.

    Without published outputs, and without the shipped model, which may have learnt from the pages.
    """
    rows = [row for section in sections for row in _summary_rows(section)]
    columns = {name for row in rows for name in row}
    names = ["corpus", "view", "measure", "pages", *(name for name in SYSTEMS if name in columns)]
    return table([{name: row.get(name, "") for name in names} for row in rows])


def _summary_rows(section: Section) -> Iterator[dict[str, str]]:
    systems = [s for s in section.systems if not s.is_published and s.system != SHIPPED]
    for measure in section.measures:
        values = {
            system.system: value_of(pages, measure)
            for system in systems
            if (pages := system.having(measure.name))
        }
        n_pages = max((len(system.having(measure.name)) for system in systems), default=0)
        if measure.name not in MAIN_MEASURES or n_pages < LEAST_PAGES:
            continue
        best = (min if measure.is_better_low else max)(round(v, 3) for v in values.values())
        shown = {
            name: f"**{share(value)}**" if round(value, 3) == best else share(value)
            for name, value in values.items()
        }
        yield {
            "corpus": section.corpus.name,
            "view": section.view,
            "measure": measure.name,
            "pages": str(n_pages),
        } | shown
