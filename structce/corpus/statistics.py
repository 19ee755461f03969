"""Summary of a corpus in numbers and pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from structce.corpus.corpus import Corpus
from structce.extras import load_extra
from structce.gold import AlignmentTally
from structce.labels import UNKNOWN, is_exact_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

QUARTILES = ("least", "quarter", "median", "three quarters", "most")
"""Names of the five numbers that summarise the sizes of pages."""

_INK, _SOFT, _LINE, _FILL, _WARN = "#1d2a33", "#5b6b76", "#dde3e7", "#1f6f8b", "#c45520"
_MAX_LANGUAGES = 20  # with a row of their own, so that a picture fits a page; the others share one
_N_BINS = 24  # of the regions per page, equally wide on their logarithmic axis

_STYLE = {
    "svg.hashsalt": "structce",  # otherwise names inside an SVG file differ from run to run
    "svg.fonttype": "none",
    "text.parse_math": False,  # a name may contain dollar signs
    "font.size": 11,
    "axes.edgecolor": _SOFT,
    "axes.labelcolor": _INK,
    "text.color": _INK,
    "xtick.color": _SOFT,
    "ytick.color": _INK,
}


@dataclass(frozen=True)
class LabelCount:
    """Number of regions with a label, and of the pages and sites that have one.

    ``is_covered`` states that the corpus annotates the label; always true for the background.
    """

    label: str
    regions: int
    pages: int
    sites: int
    is_covered: bool = True


@dataclass(frozen=True)
class Summary:
    """Contents of a corpus in numbers.

    ``n_several`` is the number of regions whose gold is a set of labels, any of which may be right.
    ``regions`` and ``characters`` are one number per page: its regions, and the characters of their
    texts. ``languages`` are numbers of pages by stated language, without its country, ``?`` if none
    is stated; ``pages_by_site`` are those by site; both have the largest first. ``gold`` is one row
    per field: number of gold values, how many are on their pages, and how they were found; see
    :class:`structce.gold.AlignmentTally`.
    """

    name: str
    licence: str
    renderer: str
    digest: str
    n_families: int
    n_unknown: int
    n_several: int
    labels: tuple[LabelCount, ...]
    regions: tuple[int, ...]
    characters: tuple[int, ...]
    languages: Mapping[str, int]
    pages_by_site: Mapping[str, int]
    gold: tuple[Mapping[str, object], ...]

    @property
    def sizes(self) -> dict[str, dict[str, float]]:
        """Quartiles of regions and characters per page; empty without pages."""
        return {"regions": quartiles(self.regions), "characters": quartiles(self.characters)}

    def as_dict(self) -> dict[str, object]:
        """Return the summary as plain JSON values."""
        return {
            "name": self.name,
            "licence": self.licence,
            "renderer": self.renderer,
            "pages": len(self.regions),
            "sites": len(self.pages_by_site),
            "families": self.n_families,
            "languages": dict(self.languages),
            "regions": sum(self.regions),
            "unknown": self.n_unknown,
            "one_of_several": self.n_several,
            "covered": [count.label for count in self.labels if count.is_covered],
            "digest": self.digest,
            "labels": {count.label: count.regions for count in self.labels},
            "pages_by_label": {count.label: count.pages for count in self.labels},
            "sites_by_label": {count.label: count.sites for count in self.labels},
            "sizes": self.sizes,
            "pages_by_site": dict(self.pages_by_site),
            "gold": [dict(row) for row in self.gold],
        }


def summarise(corpus: Corpus) -> Summary:
    """Return the summary of a corpus."""
    tally = AlignmentTally()
    for page in corpus:
        tally.add(page.matches)
    return Summary(
        name=corpus.name,
        licence=corpus.licence,
        renderer=corpus.renderer,
        digest=corpus.digest,
        n_families=len({page.family for page in corpus}),
        n_unknown=corpus.n_unknown,
        n_several=corpus.n_several,
        labels=_labels(corpus),
        regions=tuple(len(page.page) for page in corpus),
        characters=tuple(sum(map(len, page.page.text)) for page in corpus),
        languages=_by_count(language_of(page.page.lang) for page in corpus),
        pages_by_site=_by_count(page.site for page in corpus),
        gold=tuple(tally.rows()),
    )


def quartiles(numbers: Sequence[int]) -> dict[str, float]:
    """Return minimum, quartiles and maximum by name; empty for no values."""
    if not numbers:
        return {}
    values = np.quantile(numbers, (0, 0.25, 0.5, 0.75, 1)).tolist()
    return dict(zip(QUARTILES, values, strict=True))


def language_of(stated: str) -> str:
    """Return a stated language without country, in lower case: ``de`` for ``de_AT``."""
    return stated.replace("_", "-").split("-")[0].strip().lower() or "?"


def _labels(corpus: Corpus) -> tuple[LabelCount, ...]:
    sets = [(set(filter(is_exact_label, page.labels)), page.site) for page in corpus]
    pages = Counter(label for labels, _ in sets for label in labels)
    sites = Counter(label for label, _ in {(own, site) for labels, site in sets for own in labels})
    covered = {*corpus.covered, corpus.label_set.background}
    return tuple(
        LabelCount(label, n, pages[label], sites[label], label in covered)
        for label, n in corpus.counts.items()
    )


def _by_count(names: Iterable[str]) -> dict[str, int]:
    """Return how often each name occurs, the most frequent first, then by name."""
    return dict(sorted(Counter(names).items(), key=lambda item: (-item[1], item[0])))


def draw_plots(summary: Summary, folder: Path) -> list[Path]:
    """Draw a corpus into a folder, each picture as SVG and as PNG; return the files.

    The pictures are ``labels``, ``regions``, ``languages`` and ``sites``; the same corpus gives
    the same bytes with the same matplotlib. Raises MissingExtraError if matplotlib is not
    installed.
    """
    matplotlib = load_extra("matplotlib", "drawing plots", "plots")
    from matplotlib.figure import Figure

    n_languages = min(len(summary.languages), _MAX_LANGUAGES + 1)
    pictures: dict[str, tuple[Callable[[Axes, Summary], None], float]] = {  # heights in inches
        "labels": (_label_counts_axes, 1.6 + 0.36 * (len(summary.labels) + 1)),
        "regions": (_regions, 4.2),
        "languages": (_languages, 1.6 + 0.32 * max(n_languages, 1)),
        "sites": (_sites, 4.2),
    }
    files = []
    folder.mkdir(parents=True, exist_ok=True)
    with matplotlib.rc_context(_STYLE):
        for name, (draw, height) in pictures.items():
            figure = Figure(figsize=(8, height), layout="constrained")
            draw(figure.subplots(), summary)
            for end in ("svg", "png"):
                file = folder / f"{name}.{end}"
                metadata = {"Date": None} if end == "svg" else {"Software": None}
                figure.savefig(file, dpi=150, metadata=metadata)
                files.append(file)
    return files


def _label_counts_axes(axes: Axes, summary: Summary) -> None:
    """Regions by label as dots: on a logarithmic axis a bar has no honest beginning."""
    counts = {count.label: count.regions for count in summary.labels}
    counts = dict(sorted(counts.items(), key=lambda item: item[1]))
    if summary.n_several:
        counts = {f"{UNKNOWN} (one of several)": summary.n_several, **counts}
    if summary.n_unknown:
        counts = {f"{UNKNOWN} (not known)": summary.n_unknown, **counts}
    places = np.arange(len(counts))
    values = np.array(list(counts.values()), dtype=np.float64)
    left = 0.5
    axes.set_xscale("log")
    axes.hlines(places, left, np.maximum(values, left), color=_LINE, linewidth=2)
    colours = np.array([_WARN if name.startswith(UNKNOWN) else _FILL for name in counts])
    is_shown = values > 0
    axes.scatter(values[is_shown], places[is_shown], c=colours[is_shown], s=52, zorder=3)
    for place, value in zip(places.tolist(), values.tolist(), strict=True):
        axes.annotate(
            f"{int(value):,}", (max(value, left), place), (8, 0), textcoords="offset points",
            va="center", color=_INK,
        )  # fmt: skip
    axes.set_xlim(left, max(values.max(initial=1), 10) * 4)
    _plain_ticks(axes, 1, int(axes.get_xlim()[1]), (1,))
    axes.set_yticks(places, list(counts))
    _finish(axes, f"Labels of {summary.name}", "regions (logarithmic)", "", grid="x")


def _regions(axes: Axes, summary: Summary) -> None:
    values = np.array([n for n in summary.regions if n > 0], dtype=np.int64)
    if len(values):
        low, high = int(values.min()), int(values.max()) + 1
        edges = np.unique(np.round(np.geomspace(low, max(high, low + 1), _N_BINS + 1)))
        axes.hist(values, bins=edges.tolist(), color=_FILL, edgecolor="white", linewidth=0.6)
        axes.set_xscale("log")
        middle = float(np.median(values))
        axes.axvline(middle, color=_INK, linestyle="--", linewidth=1.2)
        axes.annotate(f"median {middle:,.0f}", (middle, 1), (5, -4), color=_INK, va="top",
                      xycoords=("data", "axes fraction"), textcoords="offset points")  # fmt: skip
        axes.margins(y=0.12)  # room for the median's name
        _plain_ticks(axes, low, high, (1, 2, 5))
    axes.locator_params(axis="y", integer=True)
    empty = len(summary.regions) - len(values)
    tail = f"; {empty} pages without any are not shown" if empty else ""
    title = f"Size of the pages of {summary.name}"
    _finish(axes, title, f"regions per page (logarithmic){tail}", "pages", grid="y")


def _languages(axes: Axes, summary: Summary) -> None:
    rows = list(summary.languages.items())
    if len(rows) > _MAX_LANGUAGES + 1:
        others = rows[_MAX_LANGUAGES:]
        rows = rows[:_MAX_LANGUAGES]
        rows.append((f"{len(others)} others", sum(n for _, n in others)))
    rows = [("not stated" if name == "?" else name, n) for name, n in rows][::-1]
    bars = axes.barh([name for name, _ in rows], [n for _, n in rows], color=_FILL, height=0.7)
    axes.bar_label(bars, labels=[f"{n:,}" for _, n in rows], padding=4, color=_INK)
    axes.margins(x=0.1, y=0.02)
    _finish(axes, f"Languages of {summary.name}", "pages that state the language", "", grid="x")


def _sites(axes: Axes, summary: Summary) -> None:
    """Sites by number of pages; the ranges double, since few sites have most of the pages."""
    counts = list(summary.pages_by_site.values())
    sizes = Counter(max(n, 1).bit_length() for n in counts)
    widths = range(1, max(sizes, default=1) + 1)
    names = ["1", *(f"{2 ** (bits - 1)} to {2**bits - 1}" for bits in widths[1:])]
    bars = axes.bar(names, [sizes[bits] for bits in widths], color=_FILL, width=0.6)
    axes.bar_label(bars, labels=[f"{sizes[bits]:,}" for bits in widths], padding=3, color=_INK)
    axes.margins(y=0.1)
    axes.locator_params(axis="y", integer=True)
    title = f"Pages of each of the {len(counts):,} sites of {summary.name}"
    _finish(axes, title, "pages per site", "sites", grid="y")


def _plain_ticks(axes: Axes, low: int, high: int, factors: Sequence[int]) -> None:
    """Write 1, 2, 5, 10, ... between two numbers of a logarithmic axis, instead of powers."""
    steps = [factor * 10**power for power in range(10) for factor in factors]
    ticks = [step for step in steps if low <= step <= high] or [low]
    axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    axes.set_xticks([], minor=True)


def _finish(axes: Axes, title: str, x: str, y: str, *, grid: Literal["x", "y"]) -> None:
    axes.set_title(title, loc="left", fontweight="bold", pad=12)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis=grid, color=_LINE, linewidth=0.8)
    axes.set_axisbelow(True)
