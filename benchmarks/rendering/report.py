"""Tables and figures of the five parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypedDict

from benchmarks.learners.report import Row
from benchmarks.rendering.agreement import AgreementFigures, PageAgreement, disagreement
from benchmarks.rendering.memory import KINDS, MemoryFigures
from benchmarks.rendering.parsing import SizeFigures, StaticFigures
from benchmarks.rendering.plots import Series, draw_bars, draw_chart
from benchmarks.rendering.recovery import RecoveryFigures
from benchmarks.rendering.speed import SpeedFigures, Spread

N_PAGES = 10  # with most disagreement
KIND_NAMES = {"browser": "browser", "driver": "Playwright's driver", "python": "Python"}


class Figures(TypedDict, total=False):
    """The figures of the parts that were measured."""

    speed: SpeedFigures
    static: StaticFigures
    memory: MemoryFigures
    recovery: list[RecoveryFigures]
    agreement: AgreementFigures


def tables(figures: Figures) -> dict[str, list[Row]]:
    """Return the rows of each table under its title; no table without rows."""
    rows: dict[str, list[Row]] = {}
    if "speed" in figures:
        rows["Ours beside plain Playwright loops: median (quartiles)"] = way_rows(figures["speed"])
        rows["Pages a second, all handed over at once: median (quartiles)"] = worker_rows(
            figures["speed"]
        )
    if "static" in figures:
        static = figures["static"]
        title = f"The static renderer beside lxml's parser: time = a size^{static['exponent']:z.2f}"
        rows[title] = size_rows(static["sizes"])
        rows["Where the static renderer's time goes"] = part_rows(static["parts_ms"])
    if "memory" in figures:
        memory = figures["memory"]
        title = f"Memory in MB, {memory['n_pages']} pages in a row, {len(memory['errors'])} errors"
        rows[title] = memory_rows(memory)
    if "recovery" in figures:
        rows["Browsers killed while they worked"] = [recovery_row(r) for r in figures["recovery"]]
    if "agreement" in figures:
        agreement = figures["agreement"]
        title = f"Static beside chromium, {len(agreement['errors'])} errors"
        rows[title] = agreement_rows(agreement["pages"])
        rows["Why they differ"] = cause_rows(agreement["pages"])
        rows["Pages with most disagreement"] = [
            page_row(page) for page in agreement["pages"][:N_PAGES] if disagreement(page)
        ]
    return {title: some for title, some in rows.items() if some}


def way_rows(figures: SpeedFigures) -> list[Row]:
    """Return one row per way to collect a page."""
    return [
        {
            "way": name,
            "pages": way["n_pages"],
            "collecting, ms": _spread(way["collecting_ms"], ".1f"),
            "times ours": _spread(way["collecting_ratio"], ".1f"),
            "whole, ms": _spread(way["whole_ms"], ".0f"),
            "times ours, whole": _spread(way["whole_ratio"], ".2f"),
            "rows": f"{way['n_rows']:.0f}",
            "of our regions": f"{way['ours_found']:.1%}",
        }
        for name, way in figures["ways"].items()
    ]


def worker_rows(figures: SpeedFigures) -> list[Row]:
    """Return one row per renderer and number of workers."""
    return [
        {
            "renderer": setup["renderer"],
            "workers": setup["workers"],
            "pages/s": _spread(setup["pages_per_second"], ".1f"),
        }
        for setup in figures["workers"]
    ]


def size_rows(sizes: Sequence[SizeFigures]) -> list[Row]:
    """Return one row per class of size, the last for all pages."""
    return [
        {
            "size, kB": _between(size["least_kb"], size["most_kb"]),
            "pages": size["n_pages"],
            "regions": f"{size['n_regions']:.0f}",
            "static, ms": f"{size['static_ms']:.2f}",
            "lxml alone, ms": f"{size['lxml_ms']:.2f}",
            "times lxml": f"{size['times_lxml']:.2f}",
        }
        for size in sizes
    ]


def part_rows(parts: dict[str, float]) -> list[Row]:
    """Return one row per part of the static renderer, with mean milliseconds per page."""
    total = sum(parts.values())
    return [
        {"part": name, "ms per page": f"{ms:.2f}", "share": f"{ms / (total or 1):.0%}"}
        for name, ms in parts.items()
    ]


def memory_rows(figures: MemoryFigures) -> list[Row]:
    """Return one row per kind of process."""
    return [
        {
            "processes": KIND_NAMES[kind],
            "median": f"{usage['median']:.0f}",
            "without shared": f"{usage['own_median']:.0f}",
            "most": f"{usage['most']:.0f}",
            "at the end": f"{usage['last']:.0f}",
            "growth per 100 pages, second half": f"{usage['growth_per_100_pages']:+z.1f}",
        }
        for kind, usage in figures["kinds"].items()
    ]


def recovery_row(figures: RecoveryFigures) -> Row:
    """Return what the kills of one run cost."""
    return {
        "workers": figures["workers"],
        "pages": figures["n_pages"],
        "kills": len(figures["moments"]),
        "pages lost": len(figures["lost"]),
        "pages altered": len(figures["altered"]),
        "begun again": figures["retries"],
        "s without kills": f"{figures['calm_seconds']:.1f}",
        "s with kills": f"{figures['seconds']:.1f}",
        "s lost a kill": f"{figures['lost_seconds_a_kill']:.2f}",
    }


def agreement_rows(pages: Sequence[PageAgreement]) -> list[Row]:
    """Return how much of one renderer's regions and characters the other has."""
    agreed = sum(page["agreed"] for page in pages)
    same, anywhere = (
        sum(page["agreed_characters"] for page in pages),
        sum(page["same_text"] for page in pages),
    )
    counts = {
        "chromium": [(page["chromium"], page["chromium_characters"]) for page in pages],
        "static": [(page["static"], page["static_characters"]) for page in pages],
    }
    rows: list[Row] = []
    for name, pairs in counts.items():
        regions, characters = (
            (sum(column) for column in zip(*pairs, strict=True)) if pairs else (0, 0)
        )
        rows.append(
            {
                "of": name,
                "regions": f"{regions:,}",
                "the other has": _share(agreed, regions),
                "characters": f"{characters:,}",
                "the other has them": _share(same, characters),
                "at any address": _share(anywhere, characters),
            }
        )
    return rows


def cause_rows(pages: Sequence[PageAgreement]) -> list[Row]:
    """Return one row per side and cause, most regions first."""
    rows: list[Row] = []
    for side, only, characters in (
        ("chromium", "chromium_only", "chromium_only_characters"),
        ("static", "static_only", "static_only_characters"),
    ):
        regions, letters = Counter[str](), Counter[str]()
        for page in pages:
            regions.update(page[only])  # type: ignore[literal-required]
            letters.update(page[characters])  # type: ignore[literal-required]
        everything = sum(page[side] for page in pages)  # type: ignore[literal-required]
        rows += [
            {
                "only in": side,
                "cause": cause,
                "regions": f"{n:,}",
                "share": _share(n, everything),
                "characters": f"{letters[cause]:,}",
            }
            for cause, n in regions.most_common()
        ]
    return rows


def page_row(page: PageAgreement) -> Row:
    """Return what the renderers have of one page."""
    causes = Counter(page["chromium_only"]) + Counter(page["static_only"])
    return {
        "page": page["name"],
        "chromium": page["chromium"],
        "static": page["static"],
        "both": page["agreed"],
        "main cause": causes.most_common(1)[0][0],
    }


def plots(figures: Figures) -> Iterator[tuple[str, str]]:
    """Yield the name of each plot and its SVG."""
    if "speed" in figures:
        yield "speed", _speed_plot(figures["speed"])
    if "static" in figures:
        static = figures["static"]
        series = [
            Series("static renderer", static["kilobytes"], static["static_ms"]),
            Series("lxml's parser alone", static["kilobytes"], static["lxml_ms"]),
        ]
        title = "Without a browser: time by size of page"
        yield "static", draw_chart(title, ("size, kB", "ms per page"), series, is_log=True)
    if "memory" in figures:
        yield "memory", _memory_plot(figures["memory"])
    if "agreement" in figures:
        rows = cause_rows(figures["agreement"]["pages"])
        bars = [
            (f"{row['only in']} only: {row['cause']}", _number(row["regions"]), str(row["regions"]))
            for row in rows
        ]
        yield "agreement", draw_bars("Regions that only one renderer has", bars)


def _speed_plot(figures: SpeedFigures) -> str:
    ways = figures["ways"]
    medians = [
        (f"{name}: collecting", way["collecting_ms"]["median"]) for name, way in ways.items()
    ]
    medians += [(f"{name}: all", way["whole_ms"]["median"]) for name, way in ways.items()]
    return draw_bars(
        "Milliseconds per page, median", [(name, ms, f"{ms:.0f} ms") for name, ms in medians]
    )


def _memory_plot(figures: MemoryFigures) -> str:
    samples = figures["samples"]
    series = [
        Series(
            KIND_NAMES[kind],
            [sample.n_done for sample in samples],
            [sample.megabytes[kind] for sample in samples],
            "line",
        )
        for kind in KINDS
    ]
    return draw_chart("Memory over many pages", ("pages done", "resident memory, MB"), series)


def _number(text: object) -> float:
    return float(str(text).replace(",", ""))


def _spread(spread: Spread, form: str) -> str:
    return f"{spread['median']:{form}} ({spread['low']:{form}} to {spread['high']:{form}})"


def _between(low: float, high: float) -> str:
    if low == 0 and high == float("inf"):
        return "all"
    return f"over {low:.0f}" if high == float("inf") else f"{low:.0f} to {high:.0f}"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.2%}" if whole else "-"
