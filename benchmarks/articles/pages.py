"""Page of documentation about the leaderboard: its tables are written between marks in the text.

A table called ``cells`` is placed between the lines ``<!-- begin cells -->`` and
``<!-- end cells -->``; everything else on the page is written by people.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from benchmarks.articles.board import Section
from benchmarks.articles.comparison import LEAST_PAGES, MAIN_MEASURES, Cell
from benchmarks.articles.report import (
    cell_table,
    difference_with,
    share,
    share_with,
    summary,
    table,
)
from benchmarks.articles.scores import MEASURES, PageScore, difference_of, interval_of, value_of
from benchmarks.articles.systems import SYSTEMS
from structce.errors import StructceError

FEW_PAGES = 8
"""Least number of pages with gold of a field for a language to be reported; our choice."""

LEAST_TEXTS = 15
"""Pages with a whole text that a language needs for a row of its own; our choice."""

_MARKS = re.compile(
    r"(?P<begin><!-- begin (?P<name>[\w-]+) -->)\n.*?(?P<end><!-- end (?P=name) -->)", re.DOTALL
)
_PARTS = ("wcxb all types", "wcxb test part")
"""Corpora whose pages count in another one."""


def fill(text: str, tables: Mapping[str, str]) -> str:
    """Return a page with the tables that it has marks for.

    Raises
    ------
    StructceError
        If the page has marks for a table that there is not.
    """

    def filled(match: re.Match[str]) -> str:
        name = match["name"]
        if name not in tables:
            known = ", ".join(tables)
            raise StructceError(f"the page asks for the table {name!r}; expected one of {known}")
        return f"{match['begin']}\n{tables[name]}\n{match['end']}"

    return _MARKS.sub(filled, text)


def page_tables(
    sections: Sequence[Section], cells: Sequence[Cell], ours: str, seed: int
) -> dict[str, str]:
    """Return the tables of the page by name.

    Parameters
    ----------
    cells
        Ours against the best of the other systems, in all views.
    """
    stated = [section for section in sections if section.view == "stated"]
    bare = [section for section in sections if section.view == "bare"]
    return {
        "cells": cell_table([cell for cell in cells if cell.view == "stated"]),
        "bare-cells": cell_table([cell for cell in cells if cell.view == "bare"]),
        "systems": summary(stated),
        "bare-systems": summary(bare),
        "views": table(list(view_rows(stated, bare, ours, seed))),
        "types": table([row for section in stated for row in type_rows(section, ours)]),
        "languages": table(list(language_rows(stated, ours, seed))),
        "language-texts": table(list(language_text_rows(stated, ours))),
    }


def view_rows(
    stated: Sequence[Section], bare: Sequence[Section], ours: str, seed: int
) -> Iterator[dict[str, str]]:
    """Yield what ours loses on pages without metadata, one row per corpus and measure."""
    others = {section.corpus.name: section for section in bare}
    for section in stated:
        own, hidden = section.of(ours), others.get(section.corpus.name)
        less = hidden.of(ours) if hidden else None
        if own is None or less is None:
            continue
        for measure in section.measures:
            mine, bared = own.having(measure.name), less.having(measure.name)
            difference = difference_of(bared, mine, measure, seed)
            if measure.name in MAIN_MEASURES and difference.n_pages >= LEAST_PAGES:
                yield {
                    "corpus": section.corpus.name,
                    "measure": measure.name,
                    "pages": str(difference.n_pages),
                    "as they are": share(value_of(mine, measure)),
                    "without metadata": share(value_of(bared, measure)),
                    "difference": difference_with(difference),
                }


def type_rows(section: Section, ours: str) -> Iterator[dict[str, str]]:
    """Yield texts by page type, ours beside the best of the others; none for one type alone."""
    own = section.of(ours)
    names = sorted({page.page_type for page in own.pages}) if own else []
    for name in names if len(names) > 1 else ():
        for measure in (MEASURES["text"], MEASURES["segments"]):
            parts = {
                system.system: [p for p in system.having(measure.name) if p.page_type == name]
                for system in [own, *section.rivals(ours)]
                if system and not system.is_published
            }
            values = {key: value_of(pages, measure) for key, pages in parts.items() if pages}
            if ours in values:
                mine = values.pop(ours)
                best = max(values, key=lambda key: values[key], default=None)
                yield {
                    "corpus": section.corpus.name,
                    "page type": name,
                    "measure": measure.name,
                    "pages": str(len(parts[ours])),
                    "ours": share(mine),
                    "best other": f"{share(values[best])} {best}" if best else "-",
                }


def language_rows(sections: Sequence[Section], ours: str, seed: int) -> Iterator[dict[str, str]]:
    """Yield titles, authors and dates by language, over all corpora, most pages first.

    A page that is in several corpora, by its address, counts in the first of them.
    """
    pages = list(_pages_once(sections, ours))
    names = {page.lang for page in pages}
    for name in sorted(names, key=lambda name: (-sum(p.lang == name for p in pages), name)):
        own = [page for page in pages if page.lang == name]
        row = {measure: _told(own, measure, seed) for measure in ("title", "authors", "date")}
        if any(value != "-" for value in row.values()):
            n_sites = len({page.site for page in own})
            yield {"language": name, "pages": str(len(own)), "sites": str(n_sites)} | row


def language_text_rows(sections: Sequence[Section], ours: str) -> Iterator[dict[str, str]]:
    """Yield the mean F1 of whole texts by language, ours beside the others, most pages first.

    All systems are measured on the same pages, those to which each gave an answer. A page that is
    in several corpora counts in the first of them.
    """
    scores: dict[str, dict[str, tuple[str, float]]] = {}
    for section in sections:
        for system in section.systems if section.corpus.name not in _PARTS else ():
            own = scores.setdefault(system.system, {})
            for page in system.having("text") if not system.is_published else ():
                f1 = float(value_of([page], MEASURES["text"]))
                own.setdefault(f"{section.corpus.data_set} {page.id}", (page.lang, f1))
    systems = [name for name, own in scores.items() if own]
    if ours not in systems:
        return
    common = set.intersection(*(set(scores[name]) for name in systems))
    languages = Counter(scores[ours][key][0] for key in common)
    for lang, n_pages in languages.most_common():
        keys = [key for key in common if scores[ours][key][0] == lang]
        if n_pages >= LEAST_TEXTS:
            means = {name: np.mean([scores[name][key][1] for key in keys]) for name in systems}
            yield {"language": lang, "pages": str(n_pages)} | {
                name: share(float(means[name]))
                for name in sorted(systems, key=lambda name: name != ours)
            }


def _told(pages: Sequence[PageScore], name: str, seed: int) -> str:
    """Return a measure, its interval and its pages; a hyphen for too few."""
    had = [page for page in pages if name in page.rows]
    if len(had) < FEW_PAGES:
        return "-"
    interval = interval_of(had, MEASURES[name], seed)
    return f"{share_with(value_of(had, MEASURES[name]), interval)} of {len(had)}"


def _pages_once(sections: Sequence[Section], ours: str) -> Iterator[PageScore]:
    seen: set[str] = set()
    for section in sections:
        system = section.of(ours) if section.corpus.name not in _PARTS else None
        addresses = {page.id: page.gold_page.url for page in section.pages}
        for page in system.pages if system else ():
            address = addresses[page.id] or f"{section.corpus.name} {page.id}"
            if page.rows and address not in seen:
                seen.add(address)
                yield page


def time_rows(sections: Iterable[Section]) -> Iterator[dict[str, str]]:
    """Yield processor time per page and failures of every system that was timed, over all pages."""
    pages: dict[str, list[PageScore]] = {}
    for section in sections:
        for system in section.systems if section.corpus.name not in _PARTS else ():
            if not system.is_published:
                pages.setdefault(system.system, []).extend(system.pages)
    for name in SYSTEMS:
        times = np.array([page.ms for page in pages.get(name, []) if np.isfinite(page.ms)])
        if len(times):
            yield {
                "system": name,
                "pages": str(len(times)),
                "mean, ms": f"{times.mean():.1f}",
                "median, ms": f"{np.median(times):.1f}",
                "95 per cent below, ms": f"{np.quantile(times, 0.95):.0f}",
                "failures": str(sum(bool(page.error) for page in pages[name])),
            }
