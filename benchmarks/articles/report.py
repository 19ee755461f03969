"""Tables, figures and lists of pages of a leaderboard."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from tabulate import tabulate

from benchmarks.articles.board import Section
from benchmarks.articles.comparison import LEAST_PAGES, MAIN_MEASURES, Cell
from benchmarks.articles.scores import (
    Difference,
    Measure,
    PageScore,
    SystemScores,
    interval_of,
    value_of,
)
from benchmarks.articles.systems import SHIPPED, SYSTEMS
from structce.evaluation import Interval

_GROUP_MEASURES = ("title", "authors", "date", "text", "segments")
_LEAST_PAGES = 5
"""Pages that a type or language must have for a row of its own; our choice."""

GROUPS: dict[str, Callable[[PageScore], str]] = {
    "page type": lambda page: page.page_type,
    "language": lambda page: page.lang,
}


def share(value: float) -> str:
    """Return a share with three digits; a hyphen for one that is not known."""
    return "-" if math.isnan(value) else f"{value:.3f}".removeprefix("0")


def share_with(value: float, interval: Interval | None) -> str:
    """Return a share and its interval."""
    if math.isnan(value) or interval is None:
        return share(value)
    return f"{share(value)} [{share(interval[0])}, {share(interval[1])}]"


def markdown(sections: Sequence[Section], cells: Sequence[Cell], seed: int) -> str:
    """Return the whole leaderboard as Markdown."""
    blocks = [block for section in sections for block in _blocks(section, seed)]
    return "\n\n".join([summary(sections), cell_table(cells), *blocks])


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


def _blocks(section: Section, seed: int) -> Iterator[str]:
    note = f" ({section.corpus.note})" if section.corpus.note else ""
    n_sites = len({page.gold_page.site for page in section.pages})
    yield f"## {section.corpus.name}, {section.view}{note}"
    yield f"{len(section.pages)} pages of {n_sites} sites."
    yield table([_row(system, section.measures, seed) for system in section.systems])
    for name, group in GROUPS.items():
        if rows := list(_group_rows(section, name, group)):
            yield table(rows)
    if section.left_out:
        yield "Left out: " + "; ".join(f"{k}: {why}" for k, why in section.left_out.items())


def _row(system: SystemScores, measures: Sequence[Measure], seed: int) -> dict[str, str]:
    row = {"system": system.system}
    for measure in measures:
        pages = system.having(measure.name)
        interval = interval_of(pages, measure, seed) if pages else None
        row[measure.name] = share_with(value_of(pages, measure), interval)
    times = system.milliseconds
    row["ms, mean"] = f"{times.mean():.1f}" if len(times) else "-"
    row["ms, median"] = f"{np.median(times):.1f}" if len(times) else "-"
    row["failures"] = str(system.n_failures)
    return row


def _group_rows(
    section: Section, title: str, group: Callable[[PageScore], str]
) -> Iterator[dict[str, str]]:
    """Yield one row per group and measure, one column per system; none for a single group."""
    systems = [system for system in section.systems if not system.is_published]
    names = sorted({group(page) for system in systems for page in system.pages})
    if len(names) < 2:
        return
    for name in names:
        for measure in section.measures:
            parts = {
                system.system: [p for p in system.having(measure.name) if group(p) == name]
                for system in systems
            }
            n_pages = max(map(len, parts.values()))
            if measure.name in _GROUP_MEASURES and n_pages >= _LEAST_PAGES:
                values = {key: share(value_of(pages, measure)) for key, pages in parts.items()}
                yield {title: name, "measure": measure.name, "pages": str(n_pages), **values}


def figures(
    sections: Sequence[Section], cells: Sequence[Cell], seed: int
) -> list[dict[str, object]]:
    """Return the whole leaderboard as JSON values, one list entry per section."""
    return [_section_figures(section, cells, seed) for section in sections]


def _section_figures(section: Section, cells: Sequence[Cell], seed: int) -> dict[str, object]:
    own = [c for c in cells if (c.corpus, c.view) == (section.corpus.name, section.view)]
    return {
        "corpus": section.corpus.name,
        "view": section.view,
        "pages": len(section.pages),
        "systems": {s.system: _system_figures(s, section, seed) for s in section.systems},
        "ours against the other": {cell.measure.name: _cell_figures(cell) for cell in own},
        "left out": dict(section.left_out),
    }


def _cell_figures(cell: Cell) -> dict[str, object]:
    return {
        "system": cell.other,
        "difference": cell.difference.value,
        "interval": cell.difference.interval,
        "pages": cell.difference.n_pages,
        "sites": cell.n_sites,
        "p": cell.p_value,
        "verdict": cell.verdict,
    }


def _system_figures(system: SystemScores, section: Section, seed: int) -> dict[str, object]:
    times = system.milliseconds
    return {
        "measures": {
            measure.name: _value_figures(system.having(measure.name), measure, seed)
            for measure in section.measures
            if system.having(measure.name)
        },
        **{
            title: {
                name: {
                    measure.name: {"value": value_of(pages, measure), "pages": len(pages)}
                    for measure in section.measures
                    if (pages := [p for p in system.having(measure.name) if group(p) == name])
                }
                for name in sorted({group(page) for page in system.pages})
            }
            for title, group in GROUPS.items()
        },
        "ms": {"mean": float(times.mean()), "median": float(np.median(times))}
        if len(times)
        else None,
        "failures": system.n_failures,
    }


def _value_figures(pages: Sequence[PageScore], measure: Measure, seed: int) -> dict[str, object]:
    interval = interval_of(pages, measure, seed)
    return {"value": value_of(pages, measure), "interval": interval, "pages": len(pages)}
