"""Table 1 of Spengler et al. (2010), row by row, with our features for each row.

References
----------
A. Spengler, A. Bordes and P. Gallinari (2010). A comparison of discriminative classifiers for web
news content extraction. RIAO, Table 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from structce.features.registry import FAMILIES, REGISTRY, Feature, FeatureRegistry

REST = "..."
"""What each category of the table ends with: features of the kind that are not listed."""

TABLE1: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "text": (
            "all tokens in text content",
            "has-text-content",
            "all-capitals",
            "all-capitals-firstword",
            "text-content-string-length",
            "text-content-word-count",
            "output-position",
            "output-siblings-next",
        ),
        "dom": (
            "all attributes",
            "all tokens in attribute values for class and name",
            "tokens in next & previous comments",
            "dom-depth",
            "dom-name",
            "previous-depth-difference",
            "node-dom-siblings-next",
            "dom-parent-name",
            "node-in-iframe",
            "p-average-depth-difference",
        ),
        "style": (
            "text-color",
            "background-color",
            "top",
            "bottom",
            "left",
            "right",
            "height",
            "width",
            "surface",
            "opacity",
            "border-left-color",
            "border-bottom-width",
            "max-font-size-difference",
            "next-font-size-difference",
            "margin-left",
            "next-left-difference",
            "previous-height-difference",
            "padding-bottom",
        ),
        "task": (
            "title-word-match",
            "title-levenshtein-distance",
            "author-cue",
            "contributor-cue",
            "date-cue",
            "email-cue",
            "months-cue",
            "number-cue",
            "paragraph-cue",
            "publisher-cue",
            "time-cue",
            "weekday-cue",
        ),
    }
)
"""Rows by category, in the order and the words of the paper, without the last one, ``...``."""

IN_WORDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "all tokens in text content": ("text.token",),
        "all attributes": ("dom.attribute",),
        "all tokens in attribute values for class and name": ("dom.token",),
        "tokens in next & previous comments": (
            "dom.tokens-in-next-comments",
            "dom.tokens-in-previous-comments",
        ),
    }
)
"""Our features for the rows that are no names; names are looked up as they are, or as aliases."""


@dataclass(frozen=True)
class TableRow:
    """A row of the table.

    Parameters
    ----------
    paper
        The row in the paper's words.
    ours
        Names of our features; empty where there is none.
    """

    family: str
    paper: str
    ours: tuple[str, ...]


def rows(registry: FeatureRegistry = REGISTRY) -> Iterator[TableRow]:
    """Yield every row of the table in order; the last of a category has our other features."""
    for family, papers in TABLE1.items():
        named: set[str] = set()
        for paper in papers:
            wanted = IN_WORDS.get(paper, (f"{family}.{paper}",))
            ours = tuple(registry[name].name for name in wanted if name in registry)
            named.update(ours)
            yield TableRow(family, paper, ours)
        others = (one.name for one in registry.values() if one.family == family)
        yield TableRow(family, REST, tuple(name for name in others if name not in named))


def markdown_tables(
    families: Sequence[str] | None = None, registry: FeatureRegistry = REGISTRY
) -> Iterator[str]:
    """Yield the lines of two tables: Table 1 beside our names, and every feature.

    Parameters
    ----------
    families
        Only these; by default all that there are.
    """
    yield "### Table 1 of Spengler et al. (2010)"
    yield ""
    yield from _table(
        ("family", "row of the paper", "ours"),
        [
            (row.family, row.paper, ", ".join(map(_code, row.ours)) or "not yet")
            for row in rows(registry)
            if families is None or row.family in families
        ],
    )
    chosen = [one for one in registry.values() if families is None or one.family in families]
    order = sorted(chosen, key=lambda one: (*FAMILIES, one.family).index(one.family))
    yield ""
    yield f"### All {len(chosen)} features"
    yield ""
    yield from _table(
        ("family", "name", "needs", "source", "value"), [_described(one) for one in order]
    )


def _described(feature: Feature) -> tuple[str, ...]:
    return feature.family, _code(feature.name), feature.needs or "", feature.source, feature.summary


def _code(name: str) -> str:
    return f"`{name}`"


def _table(headers: Sequence[str], cells: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table, narrow, so that one changed row changes one line."""
    plain = [[_cell(text) for text in row] for row in (headers, *cells)]
    plain.insert(1, ["---"] * len(headers))
    return [f"| {' | '.join(row)} |" for row in plain]


def _cell(text: str) -> str:
    """Return a text that stays inside its cell."""
    return " ".join(text.split()).replace("``", "`").replace("|", "\\|")
