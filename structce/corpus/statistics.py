"""Summary of a corpus in numbers and pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import numpy as np

from structce.corpus.corpus import Corpus
from structce.extras import load_extra
from structce.gold import AlignmentTally
from structce.labels import UNKNOWN, is_exact_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

QUARTILES = ("least", "quarter", "median", "three quarters", "most")
"""Names of the five numbers that summarise the sizes of pages."""

_INK, _FILL = "#1d2a33", "#1f6f8b"
_MAX_LANGUAGES = 20  # with a row of their own, so that a picture fits a page; the others share one
_N_BINS = 24  # of the regions per page, equally wide on their logarithmic axis

_STYLE = {
    "svg.hashsalt": "structce",  # otherwise names inside an SVG file differ from run to run
    "svg.fonttype": "none",
    "text.parse_math": False,  # a name may contain dollar signs
    "font.size": 11,
}


class Summary(TypedDict):
    """Contents of a corpus in numbers, as plain JSON values.

    ``one_of_several`` is the number of regions whose gold is a set of labels. ``languages`` are
    pages by stated language, without its country, ``?`` if none is stated, and ``pages_by_site``
    those by site, both with the largest first. ``sizes`` are quartiles of regions and characters
    per page. ``gold`` is one row per field, see :class:`structce.gold.AlignmentTally`.
    """

    name: str
    licence: str
    renderer: str
    pages: int
    sites: int
    families: int
    languages: dict[str, int]
    regions: int
    unknown: int
    one_of_several: int
    covered: list[str]
    digest: str
    labels: dict[str, int]
    pages_by_label: dict[str, int]
    sites_by_label: dict[str, int]
    sizes: dict[str, dict[str, float]]
    pages_by_site: dict[str, int]
    gold: list[dict[str, object]]


def summarise(corpus: Corpus) -> Summary:
    """Return the summary of a corpus."""
    tally = AlignmentTally()
    pages_by_label: Counter[str] = Counter()
    sites_of: dict[str, set[str]] = {}
    for page in corpus:
        tally.add(page.matches)
        for label in set(filter(is_exact_label, page.labels)):
            pages_by_label[label] += 1
            sites_of.setdefault(label, set()).add(page.site)
    background = corpus.label_set.background
    names = corpus.label_set.names
    regions = [len(page.page) for page in corpus]
    characters = [sum(map(len, page.page.text)) for page in corpus]
    return {
        "name": corpus.name,
        "licence": corpus.licence,
        "renderer": corpus.renderer,
        "pages": len(corpus),
        "sites": len(corpus.sites),
        "families": len({page.family for page in corpus}),
        "languages": _by_count(language_of(page.page.lang) for page in corpus),
        "regions": sum(regions),
        "unknown": corpus.n_unknown,
        "one_of_several": corpus.n_several,
        "covered": [name for name in names if name in (*corpus.covered, background)],
        "digest": corpus.digest,
        "labels": corpus.counts,
        "pages_by_label": {name: pages_by_label[name] for name in names},
        "sites_by_label": {name: len(sites_of.get(name, ())) for name in names},
        "sizes": {"regions": quartiles(regions), "characters": quartiles(characters)},
        "pages_by_site": _by_count(page.site for page in corpus),
        "gold": [dict(row) for row in tally.rows()],
    }


def quartiles(numbers: Sequence[int]) -> dict[str, float]:
    """Return minimum, quartiles and maximum by name; empty for no values."""
    if not numbers:
        return {}
    values = np.quantile(numbers, (0, 0.25, 0.5, 0.75, 1)).tolist()
    return dict(zip(QUARTILES, values, strict=True))


def language_of(stated: str) -> str:
    """Return a stated language without country, in lower case: ``de`` for ``de_AT``."""
    return stated.replace("_", "-").split("-")[0].strip().lower() or "?"


def _by_count(names: Iterable[str]) -> dict[str, int]:
    """Return how often each name occurs, the most frequent first, then by name."""
    return dict(sorted(Counter(names).items(), key=lambda item: (-item[1], item[0])))


def draw_plots(corpus: Corpus, folder: Path) -> list[Path]:
    """Draw a corpus into a folder, each picture as SVG and as PNG; return the files.

    The pictures are ``labels``, ``regions``, ``languages`` and ``sites``; the same corpus gives
    the same bytes with the same matplotlib. Raises MissingExtraError if matplotlib is not
    installed.
    """
    matplotlib = load_extra("matplotlib", "drawing plots", "plots")
    from matplotlib.figure import Figure

    files = []
    folder.mkdir(parents=True, exist_ok=True)
    with matplotlib.rc_context(_STYLE):
        for name, (draw, n_rows) in _pictures(corpus).items():
            figure = Figure(figsize=(8, 2.2 + 0.32 * n_rows), layout="constrained")
            axes = figure.subplots()
            draw(axes)
            axes.spines[["top", "right"]].set_visible(False)
            for end in ("svg", "png"):
                file = folder / f"{name}.{end}"
                metadata = {"Date": None} if end == "svg" else {"Software": None}
                figure.savefig(file, dpi=150, metadata=metadata)
                files.append(file)
    return files


def _pictures(corpus: Corpus) -> dict[str, tuple[Callable[[Axes], None], int]]:
    """Return for each picture a function that draws it, and its number of rows."""
    summary, name = summarise(corpus), corpus.name
    labels = dict(sorted(summary["labels"].items(), key=lambda item: -item[1]))
    labels[f"{UNKNOWN} (not known)"] = summary["unknown"]
    labels[f"{UNKNOWN} (one of several)"] = summary["one_of_several"]
    stated = summary["languages"].items()
    languages = {"not stated" if code == "?" else code: n for code, n in stated}
    others = list(languages)[_MAX_LANGUAGES:]
    if len(others) > 1:
        languages[f"{len(others)} others"] = sum(languages.pop(code) for code in others)
    sites: Counter[str] = Counter()
    for n in sorted(summary["pages_by_site"].values()):
        low = 2 ** (n.bit_length() - 1)  # ranges double, since few sites have most of the pages
        sites["1" if n < 2 else f"{low} to {2 * low - 1}"] += 1
    titles = {
        "labels": (labels, f"Labels of {name}", "regions (logarithmic)"),
        "languages": (languages, f"Languages of {name}", "pages that state the language"),
        "sites": (sites, f"Sites of {name} by their pages", f"sites, of {len(corpus.sites):,}"),
    }
    pictures: dict[str, tuple[Callable[[Axes], None], int]] = {
        key: (partial(_draw_bars, counts=counts, title=title, xlabel=xlabel), len(counts))
        for key, (counts, title, xlabel) in titles.items()
    }
    pictures["regions"] = (partial(_draw_sizes, corpus=corpus), 6)
    return pictures


def _draw_bars(axes: Axes, *, counts: Mapping[str, int], title: str, xlabel: str) -> None:
    """Draw a bar per name, the first on top; on a logarithmic axis dots, as bars would lie."""
    names, values = list(counts)[::-1], np.array(list(counts.values())[::-1], dtype=np.float64)
    if "logarithmic" in xlabel:
        axes.set_xscale("symlog", linthresh=1)
        axes.plot(values, np.arange(len(names)), "o", color=_FILL)
        axes.set_yticks(np.arange(len(names)), names)
    else:
        axes.barh(names, values, color=_FILL, height=0.7)
    for place, value in enumerate(values.tolist()):
        axes.annotate(f"{int(value):,}", (value, place), (8, 0), textcoords="offset points",
                      va="center")  # fmt: skip
    axes.margins(x=0.12)
    axes.set_title(title, loc="left", fontweight="bold")
    axes.set_xlabel(xlabel)


def _draw_sizes(axes: Axes, *, corpus: Corpus) -> None:
    """Draw how many pages have how many regions."""
    values = np.array([len(page.page) for page in corpus if len(page.page)], dtype=np.int64)
    if len(values):
        low, high = int(values.min()), int(values.max()) + 1
        edges = np.unique(np.round(np.geomspace(low, max(high, low + 1), _N_BINS + 1)))
        axes.hist(values, bins=edges.tolist(), color=_FILL, edgecolor="white", linewidth=0.6)
        axes.set_xscale("log")
        middle = float(np.median(values))
        axes.axvline(middle, color=_INK, linestyle="--", label=f"median {middle:,.0f}")
        axes.legend(frameon=False)
    empty = len(corpus) - len(values)
    tail = f"; {empty} pages without any are not shown" if empty else ""
    axes.set_title(f"Size of the pages of {corpus.name}", loc="left", fontweight="bold")
    axes.set_xlabel(f"regions per page (logarithmic){tail}")
    axes.set_ylabel("pages")
