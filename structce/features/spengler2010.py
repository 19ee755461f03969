"""Table 1 of Spengler et al. (2010), row by row, with our features for each row.

References
----------
A. Spengler, A. Bordes and P. Gallinari (2010). A comparison of discriminative classifiers for web
news content extraction. RIAO, Table 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from structce.errors import FeatureError
from structce.features.registry import FAMILIES, REGISTRY, FeatureRegistry
from structce.features.tables import text_table

PRESETS = ("spengler2010",)
"""Choices of features that have a name."""

REST = "..."
"""What each category of the table ends with: features of the kind that are not listed."""


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


@cache
def paper_rows() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return the rows of the paper by category, without the last one, ``...``.

    Each with the names by which our features for it are looked up: its own, but for rows that are
    no names.
    """
    table: dict[str, dict[str, tuple[str, ...]]] = {}
    for family in FAMILIES:
        lines = text_table("spengler2010")[family]
        cells = (line.partition(": ") for line in lines.splitlines())
        table[family] = {
            paper: tuple(ours.split()) or (f"{family}.{paper}",) for paper, _, ours in cells
        }
    return table


def rows(registry: FeatureRegistry = REGISTRY) -> Iterator[TableRow]:
    """Yield every row of the table in order; the last of a category has our other features."""
    for family, papers in paper_rows().items():
        named: set[str] = set()
        for paper, wanted in papers.items():
            ours = tuple(registry[name].name for name in wanted if name in registry)
            named.update(ours)
            yield TableRow(family, paper, ours)
        others = (one.name for one in registry.values() if one.family == family)
        yield TableRow(family, REST, tuple(name for name in others if name not in named))


@cache
def exact_features() -> Mapping[str, str]:
    """Return the features that are nearer to the paper's words than ours, by ours."""
    lines = text_table("spengler2010")["exact"].split("\n")
    return dict(line.split(": ") for line in lines if line)


def paper_features(registry: FeatureRegistry = REGISTRY) -> tuple[str, ...]:
    """Return the names of Table 1's features, and of no other, in the table's order.

    The paper prints examples of its 106,436 atomic features, so this is the part that is known.
    """
    ours = [name for row in rows(registry) if row.paper != REST for name in row.ours]
    return tuple(dict.fromkeys(exact_features().get(name, name) for name in ours))


def preset_features(preset: str) -> tuple[str, ...]:
    """Return the names of a preset's features.

    Raises
    ------
    FeatureError
        If there is no such preset; names those that there are.
    """
    if preset not in PRESETS:
        raise FeatureError(f"unknown preset {preset!r}; expected one of {PRESETS}")
    return paper_features()


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
        ("family", "name", "needs", "source", "value"),
        [(one.family, _code(one.name), one.needs or "", one.source, one.summary) for one in order],
    )


def _code(name: str) -> str:
    return f"`{name}`"


def _table(headers: Sequence[str], cells: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table, narrow, so that one changed row changes one line."""
    rule = ["---"] * len(headers)
    plain = [
        [" ".join(text.split()).replace("``", "`").replace("|", "\\|") for text in row]
        for row in (headers, rule, *cells)
    ]
    return [f"| {' | '.join(row)} |" for row in plain]
