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
"""Names of predefined choices of features."""

REST = "..."
"""Last row of each category in the table, for the features that the paper does not list."""


@dataclass(frozen=True)
class TableRow:
    """A row of the table."""

    family: str
    paper: str  # the row in the paper's words
    ours: tuple[str, ...]  # names of our features for the row; may be empty


@cache
def paper_rows() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return the rows of the paper by category, without the last one, ``...``.

    Each row has the names by which our features are looked up: its own, except for rows that are
    not names.
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
    """Yield every row of the table in order; the last row of a category has our other features."""
    for family, papers in paper_rows().items():
        named: set[str] = set()
        for paper, wanted in papers.items():
            ours = tuple(registry[name].name for name in wanted if name in registry)
            named.update(ours)
            yield TableRow(family, paper, ours)
        others = (feature.name for feature in registry.values() if feature.family == family)
        yield TableRow(family, REST, tuple(name for name in others if name not in named))


@cache
def exact_features() -> Mapping[str, str]:
    """Return the features that match the paper's words more closely, by the name of ours."""
    lines = text_table("spengler2010")["exact"].split("\n")
    return dict(line.split(": ") for line in lines if line)


def paper_features(registry: FeatureRegistry = REGISTRY) -> tuple[str, ...]:
    """Return the names of Table 1's features, and of no other, in the table's order.

    The paper prints only examples of its 106,436 atomic features, so the rest are not known.
    """
    ours = [name for row in rows(registry) if row.paper != REST for name in row.ours]
    return tuple(dict.fromkeys(exact_features().get(name, name) for name in ours))


def preset_features(preset: str) -> tuple[str, ...]:
    """Return the names of a preset's features; FeatureError if there is no such preset."""
    if preset not in PRESETS:
        raise FeatureError(f"unknown preset {preset!r}; expected one of {PRESETS}")
    return paper_features()


def markdown_tables(
    families: Sequence[str] | None = None, registry: FeatureRegistry = REGISTRY
) -> Iterator[str]:
    """Yield the lines of two Markdown tables: Table 1 with our names, and all features.

    Of some families only, or of all.
    """
    yield "### Table 1 of Spengler et al. (2010)"
    yield ""
    yield from _table(
        ("family", "row of the paper", "ours", "in the preset `spengler2010`"),
        [
            (row.family, row.paper, _listed(row.ours) or "not yet", _listed(_exact_forms(row)))
            for row in rows(registry)
            if families is None or row.family in families
        ],
    )
    chosen = [row for row in registry.values() if families is None or row.family in families]
    order = sorted(chosen, key=lambda row: (*FAMILIES, row.family).index(row.family))
    yield ""
    yield f"### All {len(chosen)} features"
    yield ""
    yield from _table(
        ("family", "name", "needs", "source", "value"),
        [(row.family, f"`{row.name}`", row.needs or "", row.source, row.summary) for row in order],
    )


def _exact_forms(row: TableRow) -> list[str]:
    """Return the features that take the place of ours in the paper's preset; none for the rest."""
    forms = exact_features()
    return [] if row.paper == REST else [forms[name] for name in row.ours if name in forms]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _table(headers: Sequence[str], cells: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table without padding, so that a changed row is one line."""
    rule = ["---"] * len(headers)
    plain = [
        [" ".join(text.split()).replace("``", "`").replace("|", "\\|") for text in row]
        for row in (headers, rule, *cells)
    ]
    return [f"| {' | '.join(row)} |" for row in plain]
