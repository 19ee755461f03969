"""Model cards: the manifest of a model as a Markdown page for people.

The sections follow M. Mitchell and others (2019), Model cards for model reporting, FAT*. The text
is in the template ``model_card.md``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources

from tabulate import tabulate

_NOT_STATED = "not stated"
"""Placeholder for a fact that the manifest does not contain."""


def model_card(manifest: Mapping[str, object], name: str) -> str:
    """Return the model card in Markdown, made from the manifest; missing facts read "unknown".

    The ``card`` of the manifest describes the training data, and may contain ``languages``,
    ``scores``, ``model_licence`` and ``notes``. The name is that of the model's folder.
    """
    card, learner = _object(manifest.get("card")), _object(manifest.get("learner"))
    parameters = _object(learner.get("parameters"))
    diagnostics = {
        key: value
        for key, value in _object(learner.get("diagnostics")).items()
        if not isinstance(value, list | dict)
    }
    regions, thresholds = card.get("labels"), _object(learner.get("calibration")).get("thresholds")
    from jinja2 import ChainableUndefined, Environment  # late: only training writes cards

    environment = Environment(
        undefined=ChainableUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # Markdown: `plain` escapes values from the manifest
    )
    environment.filters |= {
        "plain": _plain,
        "stated": lambda value: _plain(_NOT_STATED if _is_missing(value) else value),
        "names": _join,
        "counts": _counts,
        "table": _table,
        "quoted": lambda text: json.dumps(text, ensure_ascii=False),
    }
    text = resources.files(__package__).joinpath("model_card.md").read_text(encoding="utf-8")
    return environment.from_string(text).render(
        name=name,
        manifest=manifest,
        card=card,
        learner=learner,
        features=_object(manifest.get("features")),
        regions=_object(regions),
        never=[label for label, count in _object(regions).items() if count == 0],
        parameters=[
            (_option(key), "none" if value is None else value) for key, value in parameters.items()
        ],
        diagnostics=[(_option(key), value) for key, value in diagnostics.items()],
        gap=diagnostics.get("gap_"),
        tol=parameters.get("tol"),
        scores=_scores(_object(card.get("scores"))),
        thresholds=thresholds if isinstance(thresholds, list) else [],
    )


def _scores(entries: Mapping[str, object]) -> str:
    """Return a table of a mapping from names to numbers, or to mappings of numbers."""
    if not entries:
        return "Not measured."
    measures = list(dict.fromkeys(key for entry in entries.values() for key in _object(entry)))
    if not measures:
        return _table(entries.items(), ("measure", "value"))
    rows = [
        (name, *(_object(entry).get(key, "") for key in measures))
        for name, entry in entries.items()
    ]
    return _table(rows, ("", *measures))


def _object(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _is_missing(value: object) -> bool:
    from jinja2 import ChainableUndefined

    return isinstance(value, ChainableUndefined)


def _option(key: str) -> str:
    """Return the display name of a parameter or diagnostic: ``lambda``, ``max-epochs``."""
    return key.rstrip("_").replace("_", "-")


def _plain(value: object) -> str:
    """Return a value on one line, escaped for a Markdown table."""
    if value is None or _is_missing(value):
        return "unknown"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.4g}"
    return " ".join(str(value).split()).replace("|", "\\|").replace("<", "&lt;")


def _counts(value: object) -> str:
    """Return names, each with its count."""
    pairs = _object(value).items()
    return _join(f"{name} ({_plain(count)})" for name, count in pairs) or _NOT_STATED


def _join(values: Iterable[object]) -> str:
    return ", ".join(map(_plain, values))


def _table(rows: Iterable[Sequence[object]], headers: Sequence[str]) -> str:
    cells = [[cell if isinstance(cell, str) else _plain(cell) for cell in row] for row in rows]
    heads = [_plain(header) for header in headers]
    return tabulate(cells, headers=heads, tablefmt="github", disable_numparse=True)
