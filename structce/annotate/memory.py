"""Memory of given labels: labels of similar regions, on the same page and on its site.

Regions are similar in three ways: the same names and classes from the root down; the same, and the
same label proposed by the model alone (so that one correction fixes a mistake made twenty times);
and the same text. For each, the labels that people gave are counted; the counts, smoothed, multiply
the probabilities of the model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from structce.arrays import Floats, Integers
from structce.page import Page, region_files, region_paths, region_texts

Keys = tuple[str, str, str]
"""Path, path with the proposed label, and text or file of a region; empty if it has none."""

SMOOTHING = 0.2
"""Count that every label has before any was given; chosen on training sites, like the weights."""

PAGE_WEIGHTS = (0.0, 1.0, 1.0)
"""Weights of labels given on the same page, for the three ways of being similar."""

SITE_WEIGHTS = (0.5, 1.0, 1.0)
"""Weights of labels on finished pages of the same site."""

_MAX_TEXT = 80
"""Longest text that serves as a key, in characters: longer ones do not recur."""


def region_keys(page: Page, proposed: Sequence[str]) -> list[Keys]:
    """Return the keys of each region.

    Parameters
    ----------
    proposed
        Label of each region by the model alone.
    """
    rows = zip(region_paths(page), proposed, region_texts(page), region_files(page), strict=True)
    return [
        (path, f"{label} {path}", (text or file) if len(text) <= _MAX_TEXT else "")
        for path, label, text, file in rows
    ]


@dataclass
class Memory:
    """Counts of labels by key.

    Parameters
    ----------
    n_labels
        Size of the label set.
    """

    n_labels: int
    _counts: dict[tuple[int, str], Floats] = field(default_factory=dict, repr=False)

    def add(self, keys: Sequence[Keys], labels: Mapping[int, int]) -> None:
        """Count labels, given as label indices by region."""
        for i, label in labels.items():
            for kind, key in enumerate(keys[i]):
                if key:
                    row = self._counts.get((kind, key))
                    if row is None:
                        row = self._counts[kind, key] = np.zeros(self.n_labels)
                    row[label] += 1

    def evidence(self, keys: Sequence[Keys], weights: Sequence[float]) -> Floats:
        """Return the terms that the counts add to log probabilities, shape (n_regions, n_labels).

        0 for regions without a labelled similar one.
        """
        evidence = np.zeros((len(keys), self.n_labels))
        if not self._counts:
            return evidence
        rows: dict[tuple[int, str], Floats] = {}
        for i, own in enumerate(keys):
            for kind, key in enumerate(own):
                counts = self._counts.get((kind, key)) if weights[kind] else None
                if counts is None:
                    continue
                if (kind, key) not in rows:
                    rows[kind, key] = weights[kind] * _log_shares(counts)
                evidence[i] += rows[kind, key]
        return evidence


def _log_shares(counts: Floats) -> Floats:
    """Return the log of each label's share of the counts, smoothed; the largest is 0."""
    shares = np.log(counts + SMOOTHING)
    return np.asarray(shares - shares.max())


def label_indices(indices: Integers, n_labels: int) -> dict[int, int]:
    """Return exact labels by region, from the result of :meth:`LabelSet.encode`."""
    rows = enumerate(indices.tolist())
    return {i: label for i, label in rows if 0 <= label < n_labels}
