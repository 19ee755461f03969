"""Model cards: the manifest of a model as a Markdown page for people.

The sections follow M. Mitchell and others (2019), Model cards for model reporting, FAT*.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from tabulate import tabulate

_NOT_STATED = "not stated"
"""Placeholder of a fact that the manifest does not have."""

_FACTS = {
    "corpus": "name",
    "corpus_digest": "digest of its pages and labels",
    "licence": "licence",
    "pages": "pages",
    "sites": "sites",
    "regions": "regions",
}


def model_card(manifest: Mapping[str, object], name: str) -> str:
    """Return the model card in Markdown.

    Parameters
    ----------
    manifest
        Manifest of the model. Its ``card`` has the training data, and may have ``languages``,
        ``scores``, ``model_licence`` and ``notes``.
    name
        Name by which the model is loaded: that of its folder.

    Returns
    -------
    The page, derived from the manifest alone; what the manifest lacks is named as unknown.
    """
    card, learner = _object(manifest.get("card")), _object(manifest.get("learner"))
    sections = {
        "How to load it": _loading(name),
        "What it was trained on": _training(card),
        "Learner": _learner(learner, _object(manifest.get("features"))),
        "Scores": _scores(card.get("scores")),
        "How sure it is": _calibration(learner, card),
        "Limits": _limits(manifest, card),
        "Licence": _licence(card),
    }
    parts = [f"# {_plain(name)}: labels the regions of web pages", _purpose(manifest, learner)]
    parts += [f"## {title}\n\n{text}" for title, text in sections.items()]
    return "\n\n".join(parts) + "\n"


def _purpose(manifest: Mapping[str, object], learner: Mapping[str, object]) -> str:
    labels = _join(_array(manifest.get("labels")))
    return (
        f"Gives every visible region of a page one of the labels {labels}; "
        f"{_plain(manifest.get('background'))} is the background. The learner is a "
        f"{_plain(learner.get('learner'))}. Written by structce "
        f"{_plain(manifest.get('structce'))}; `manifest.json` says the same to programs."
    )


def _loading(name: str) -> str:
    return (
        "```python\n"
        "from structce import RegionLabeller\n\n"
        f"labeller = RegionLabeller.load({json.dumps(name, ensure_ascii=False)})\n"
        "```\n\n"
        "Give the path of this folder, or the name alone if the model came with structce."
    )


def _training(card: Mapping[str, object]) -> str:
    facts = [(title, _plain(card.get(key, _NOT_STATED))) for key, title in _FACTS.items()]
    if "unknown_regions" in card:
        facts.append(("besides, regions of unknown label", _plain(card["unknown_regions"])))
    facts.append(("languages", _counts(card.get("languages"))))
    notes = card.get("notes")
    counts = _object(card.get("labels"))
    regions = [(label, count) for label, count in counts.items()]
    parts = [_table(facts, ("corpus", "trained on"))]
    parts += [_table(regions, ("label", "regions"))] if regions else []
    parts += [_plain(notes)] if notes else []
    return "\n\n".join(parts)


def _learner(learner: Mapping[str, object], features: Mapping[str, object]) -> str:
    parameters = _object(learner.get("parameters"))
    diagnostics = _object(learner.get("diagnostics"))
    rows = [
        (_option(key), "none" if value is None else _plain(value))
        for key, value in parameters.items()
    ]
    found = [
        (_option(key), _plain(value))
        for key, value in diagnostics.items()
        if not isinstance(value, list | dict)
    ]
    parts = [
        f"{_plain(learner.get('learner'))} on {_plain(learner.get('n_columns'))} columns of "
        f"{_plain(features.get('n_features'))} features. A column is set in at least "
        f"{_plain(features.get('min_count'))} regions and on at least "
        f"{_plain(features.get('min_pages', 1))} pages of the training part."
    ]
    parts += [_table(rows, ("hyper-parameter", "value"))] if rows else []
    parts += [_table(found, ("at the stop", "value"))] if found else []
    parts += [_gap(diagnostics.get("gap_"), parameters.get("tol"))]
    return "\n\n".join(part for part in parts if part)


def _gap(gap: object, tol: object) -> str:
    """Return a sentence on how far from the optimum the solver stopped, if it is known."""
    if not (isinstance(gap, int | float) and isinstance(tol, int | float)):
        return ""
    if gap <= tol:
        return f"The solver reached its tolerance: a relative duality gap of {gap:.3g}."
    return (
        f"The solver stopped before its tolerance of {tol:.3g}, at a relative duality gap of "
        f"{gap:.3g}: more epochs would bring the weights nearer to the optimum."
    )


def _scores(scores: object) -> str:
    """Return a table of a mapping from names to numbers, or to mappings of numbers."""
    entries = _object(scores)
    if not entries:
        return "Not measured."
    if all(isinstance(one, dict) and one for one in entries.values()):
        measures = list(dict.fromkeys(key for one in entries.values() for key in _object(one)))
        rows = [
            (name, *(_plain(_object(one).get(key, "")) for key in measures))
            for name, one in entries.items()
        ]
        return _table(rows, ("", *measures))
    return _table([(name, _plain(value)) for name, value in entries.items()], ("measure", "value"))


def _calibration(learner: Mapping[str, object], card: Mapping[str, object]) -> str:
    if not card.get("calibrated"):
        return "Not calibrated: confidences rank regions, and are no probabilities."
    text = (
        "Confidences were calibrated on pages of sites that the learner had not seen; scores are "
        f"divided by a temperature of {_plain(learner.get('temperature'))}"
    )
    bends = len(_array(_object(learner.get("calibration")).get("thresholds")))
    return text + (f", and an isotonic map of {bends} thresholds follows." if bends else ".")


def _limits(manifest: Mapping[str, object], card: Mapping[str, object]) -> str:
    counts = _object(card.get("labels"))
    lines = []
    if never := [label for label, count in counts.items() if count == 0]:
        lines.append(f"Never predicted, as the training pages have no such region: {_join(never)}.")
    if renderer := manifest.get("renderer"):
        lines.append(
            f"Expects pages of the {_plain(renderer)} renderer; on pages of another one its "
            "columns are not set as in training."
        )
    else:
        lines.append("The renderer whose pages it expects is not stated.")
    languages = card.get("languages")
    lines.append(
        f"Trained on pages whose language is stated as: {_counts(languages)}. "
        "What it does on others was not measured."
        if languages
        else "The languages of the training pages are not stated."
    )
    lines.append("Pages of sites that were trained on are labelled better than those of others.")
    return "\n".join(f"- {line}" for line in lines)


def _licence(card: Mapping[str, object]) -> str:
    return (
        f"- The model: {_plain(card.get('model_licence', _NOT_STATED))}\n"
        f"- The corpus it was trained on: {_plain(card.get('licence', _NOT_STATED))}\n"
        "- structce: MIT\n\n"
        "The model holds names of columns, such as words and class names, and their weights."
    )


def _object(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _array(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else []


def _option(key: str) -> str:
    """Return a hyper-parameter or diagnostic as people write it: ``lambda``, ``max-epochs``."""
    return key.rstrip("_").replace("_", "-")


def _plain(value: object) -> str:
    """Return a value in one line, escaped for a Markdown table."""
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.4g}"
    return " ".join(str(value).split()).replace("|", "\\|").replace("<", "&lt;")


def _counts(value: object) -> str:
    """Return names, with how often each occurs if that is known."""
    if isinstance(value, dict):
        return _join(f"{name} ({_plain(count)})" for name, count in value.items()) or _NOT_STATED
    return _join(_array(value)) or _NOT_STATED


def _join(values: Iterable[object]) -> str:
    return ", ".join(_plain(value) for value in values)


def _table(rows: Iterable[Sequence[object]], headers: Sequence[str]) -> str:
    return tabulate(
        [[one if isinstance(one, str) else _plain(one) for one in row] for row in rows],
        headers=[_plain(header) for header in headers],
        tablefmt="github",
        disable_numparse=True,
    )
