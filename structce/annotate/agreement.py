"""Agreement of annotators, and their differences, on pages that several have finished."""

from __future__ import annotations

import math

import numpy as np

from structce.annotate.workspace import Workspace
from structce.corpus import region_words
from structce.evaluation import MISSING, rater_agreement

_MAX_TEXT = 300


def differences(workspace: Workspace, name: str) -> list[dict[str, object]]:
    """Return the regions of a page on which annotators who finished it differ, as JSON values.

    Each with the label by annotator, and the label agreed on (``resolved``), if any.
    """
    page, labels = workspace.page(name).page, _final_labels(workspace, name)
    resolved = workspace.history(name).resolved
    differing: list[dict[str, object]] = []
    for i in range(len(page)):
        given = {who: row[i] for who, row in labels.items()}
        if len(set(given.values())) > 1:
            row = {"page": name, "region": i, "labels": given, "resolved": resolved.get(i, "")}
            differing.append({**row, "text": region_words(page, i)[:_MAX_TEXT] or page.tag[i]})
    return differing


def agreement_values(workspace: Workspace) -> dict[str, object]:
    """Return the agreement, overall and by label, and the differences, as JSON values.

    A measure that is not defined is None. A region to which somebody gave several labels or "don't
    know" has no rating by that annotator.
    """
    names = [state.id for state in workspace.states() if len(state.done_by) > 1]
    label_set = workspace.editor.label_set
    annotators = sorted({who for name in names for who in workspace.history(name).done_by})
    ratings, differing = [], []
    for name in names:  # once, since the workspace keeps few pages in memory
        labels = _final_labels(workspace, name)
        rows = np.full((len(workspace.page(name).page), len(annotators)), MISSING)
        for k, who in enumerate(annotators):
            if who in labels:
                rows[:, k] = np.maximum(label_set.encode(labels[who]), MISSING)
        ratings.append(rows)
        differing += differences(workspace, name)
    measured = rater_agreement(np.concatenate(ratings), label_set.names) if ratings else []
    return {
        "annotators": annotators,
        "pages": len(names),
        "rows": [
            {
                "label": row.name,
                "units": row.n_units,
                "share": _number(row.share),
                "cohen": _number(row.cohen),
                "fleiss": _number(row.fleiss),
                "alpha": _number(row.alpha),
            }
            for row in measured
        ],
        "differences": differing,
    }


def _final_labels(workspace: Workspace, name: str) -> dict[str, tuple[str, ...]]:
    """Return the labels of a page by each annotator who has finished it."""
    history, n_regions = workspace.history(name), len(workspace.page(name).page)
    return {
        who: history.annotations[who].final(n_regions, workspace.background)
        for who in history.done_by
    }


def _number(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 4)
