"""Tables, figures and lists of pages of a leaderboard."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from tabulate import tabulate

from benchmarks.articles.board import Section, lead
from benchmarks.articles.scores import (
    Measure,
    PageScore,
    SystemScores,
    interval_of,
    value_of,
)
from benchmarks.articles.systems import SHIPPED, SYSTEMS
from structce.evaluation import Interval

_GROUP_MEASURES = ("title", "authors", "date", "text", "segments")
_SUMMARY_MEASURES = (*_GROUP_MEASURES, "invented", "shingles")
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


def markdown(sections: Sequence[Section], ours: str, seed: int) -> str:
    """Return the whole leaderboard as Markdown."""
    blocks = [block for section in sections for block in _blocks(section, ours, seed)]
    return "\n\n".join([summary(sections), *blocks])


def summary(sections: Sequence[Section]) -> str:
    """Return one table of the main measures, a column a system; the best of a row is bold.

    Without published outputs, and without the shipped model, which may have learnt from the pages.
    """
    rows = [row for section in sections for row in _summary_rows(section)]
    found = {name for row in rows for name in row}
    names = ["corpus", "view", "measure", *(name for name in SYSTEMS if name in found)]
    whole = [{name: row.get(name, "") for name in names} for row in rows]
    return tabulate(whole, headers="keys", tablefmt="pipe", disable_numparse=True)


def _summary_rows(section: Section) -> Iterator[dict[str, str]]:
    systems = [s for s in section.systems if not s.is_published and s.system != SHIPPED]
    for measure in section.measures:
        values = {
            system.system: value_of(pages, measure)
            for system in systems
            if (pages := system.having(measure.name))
        }
        if measure.name not in _SUMMARY_MEASURES or not values:
            continue
        best = (min if measure.is_better_low else max)(round(v, 3) for v in values.values())
        shown = {
            name: f"**{share(value)}**" if round(value, 3) == best else share(value)
            for name, value in values.items()
        }
        yield {"corpus": section.corpus.name, "view": section.view, "measure": measure.name} | shown


def _blocks(section: Section, ours: str, seed: int) -> Iterator[str]:
    note = f" ({section.corpus.note})" if section.corpus.note else ""
    n_sites = len({page.gold_page.site for page in section.pages})
    yield f"## {section.corpus.name}, {section.view}{note}"
    yield f"{len(section.pages)} pages of {n_sites} sites."
    rows = [_row(system, section.measures, seed) for system in section.systems]
    yield tabulate(rows, headers="keys", tablefmt="pipe", disable_numparse=True)
    if leads := list(_leads(section, ours, seed)):
        yield tabulate(leads, headers="keys", tablefmt="pipe", disable_numparse=True)
    for name, group in GROUPS.items():
        if rows := list(_group_rows(section, name, group)):
            yield tabulate(rows, headers="keys", tablefmt="pipe", disable_numparse=True)
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


def _leads(section: Section, ours: str, seed: int) -> Iterator[dict[str, str]]:
    for measure in section.measures:
        found = lead(section, ours, measure, seed)
        if found is not None:
            best, difference = found
            yield {
                "measure": measure.name,
                "best other": best,
                f"{ours} minus it": f"{difference.value:+.3f}",
                "interval": "-"
                if difference.interval is None
                else f"[{difference.interval[0]:+.3f}, {difference.interval[1]:+.3f}]",
                "pages": str(difference.n_pages),
            }


def _group_rows(
    section: Section, title: str, group: Callable[[PageScore], str]
) -> Iterator[dict[str, str]]:
    """Yield a row a group and measure, a column a system; none if all pages are of one group."""
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


def figures(sections: Sequence[Section], ours: str, seed: int) -> list[dict[str, object]]:
    """Return the whole leaderboard as JSON values, a list entry a section."""
    return [_section_figures(section, ours, seed) for section in sections]


def _section_figures(section: Section, ours: str, seed: int) -> dict[str, object]:
    leads = {
        measure.name: {"system": found[0], "difference": found[1].value,
                       "interval": found[1].interval, "pages": found[1].n_pages}
        for measure in section.measures
        if (found := lead(section, ours, measure, seed)) is not None
    }  # fmt: skip
    return {
        "corpus": section.corpus.name,
        "view": section.view,
        "pages": len(section.pages),
        "systems": {s.system: _system_figures(s, section, seed) for s in section.systems},
        "ours against the best other": leads,
        "left out": dict(section.left_out),
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


def worst_pages(section: Section, ours: str, measure: Measure, n: int) -> list[dict[str, str]]:
    """Return the pages on which ours loses most against the best other system, worst first."""
    own, best = section.of(ours), section.best_rival(ours, measure)
    if own is None or best is None:
        return []
    sign = -1 if measure.is_better_low else 1
    theirs = {page.id: value_of([page], measure) for page in best.having(measure.name)}
    losses = [
        (sign * (value_of([page], measure) - theirs[page.id]), page.id)
        for page in own.having(measure.name)
        if page.id in theirs
    ]
    chosen = [id for loss, id in sorted(losses) if loss < 0][:n]
    return [_told(section, id, ours, best.system, measure) for id in chosen]


def worst_table(pages: Sequence[Mapping[str, str]]) -> str:
    """Return a list of pages as Markdown, a block a page."""
    return "\n\n".join("\n".join(f"- {key}: {value}" for key, value in p.items()) for p in pages)


def _told(section: Section, id: str, ours: str, other: str, measure: Measure) -> dict[str, str]:
    page = next(page for page in section.pages if page.id == id)
    row = {"corpus": section.corpus.name, "view": section.view, "page": id}
    row["address"] = page.gold_page.url
    for name in (ours, other):
        system = section.of(name)
        score = next(one for one in system.pages if one.id == id) if system else None
        row[f"{name} scores"] = share(value_of([score], measure)) if score else "-"
        answer = section.answers[name].get(id)
        row[f"{name} says"] = _shortened(getattr(answer, measure.field, ""))
    wanted = page.reference
    golds = {"title": wanted.title, "authors": wanted.authors, "date": wanted.date}
    row["gold"] = _shortened(golds.get(measure.field, "\n".join(wanted.texts[:1])))
    return row


def _shortened(value: object) -> str:
    text = "; ".join(map(str, value)) if isinstance(value, tuple) else str(value or "")
    text = " ".join(text.split()).replace("|", "/")
    return f"{text[:100]} ... ({len(text):,})" if len(text) > 100 else text
