"""Content extraction via tag ratios: lines of the source with many characters per tag.

Source: T. Weninger, W. H. Hsu and J. Han (2010). CETR: content extraction via tag ratios. WWW 2010.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

import numpy as np

from structce.arrays import Flags, Floats, Integers
from structce.errors import ExtractionError
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.registry import WordFilter, extractor

_LOOK_AHEAD = 3  # following lines whose mean ratio, minus the ratio of a line, is the slope there
_MAX_ROUNDS = 100
_LINE_END = re.compile(r"\r\n?|\n")


@extractor("cetr")
@extractor("cetr-threshold", rule="threshold")
@dataclass(frozen=True)
class TagRatios(WordFilter):
    """Content extraction via tag ratios (Weninger, Hsu and Han 2010): lines of few tags.

    The ratio of a line is its characters of text divided by its tags, at least one. Ratios are
    smoothed by a Gaussian with their standard deviation. With the rule ``clusters``, points of
    smoothed ratio and smoothed slope are grouped by k-means with one centre fixed at the origin,
    whose group is not content; with ``threshold``, lines with a high smoothed ratio are content.

    Our choices: only tags and words count for a line, and empty lines are left out; lines longer
    than `wrap` characters, as in minified sources, are split; the other centres start at the mean
    and at the farthest of the points.
    """

    rule: Literal["clusters", "threshold"] = "clusters"
    factor: float = 1.0  # smallest smoothed ratio of content, in standard deviations of the ratios
    radius: int = 1  # neighbouring lines on each side that the Gaussian covers
    wrap: int = 250

    def __post_init__(self) -> None:
        if self.radius < 0 or self.wrap < 1:
            raise ExtractionError(
                f"cetr: expected a radius of at least 0 and a wrap of at least 1; got {self}"
            )

    def keep(self, document: ParsedDocument) -> Flags:
        """Return which words are in lines of content."""
        tokens, words = document.tokens, document.words
        if not len(words):
            return np.zeros(0, dtype=bool)
        line = _lines(document, self.wrap)
        n_characters = np.bincount(line[words.token], words.length, line[-1] + 1)
        n_tags = np.bincount(line[~tokens.is_word], minlength=line[-1] + 1)
        ratios = n_characters / np.maximum(n_tags, 1)
        smoothed = smooth(ratios, self.radius, float(ratios.std()))
        if self.rule == "threshold":
            is_content = smoothed > self.factor * ratios.std()
        else:
            steps = np.abs(slopes(smoothed))
            points = np.stack((smoothed, smooth(steps, self.radius, float(steps.std()))), axis=1)
            is_content = clusters(points) > 0
        return np.asarray(is_content[line[words.token]])


def _lines(document: ParsedDocument, wrap: int) -> Integers:
    """Return the number of each token's line, not counting empty lines."""
    starts, html = document.tokens.start, document.html
    ends = np.array([match.start() for match in _LINE_END.finditer(html)], dtype=np.int64)
    line = np.searchsorted(ends, starts)
    begins = np.append(0, ends + 1)[line]
    part = (starts - begins) // wrap
    is_first = np.append(True, (np.diff(line) > 0) | (np.diff(part) > 0))
    return np.cumsum(is_first) - 1


def smooth(values: Floats, radius: int, deviation: float) -> Floats:
    """Return values smoothed by a Gaussian over neighbours; unchanged for a deviation of 0."""
    if deviation <= 0:
        return values
    offsets = np.arange(-radius, radius + 1)
    weights = np.exp(-(offsets**2) / (2 * deviation**2))
    padded = np.pad(values, radius, mode="edge")
    return np.convolve(padded, weights / weights.sum(), mode="valid")


def slopes(values: Floats) -> Floats:
    """Return the mean of the next values minus each value; fewer next values at the end."""
    sums = np.concatenate(([0.0], np.cumsum(values)))
    n = len(values)
    behind = np.minimum(np.arange(n) + 1 + _LOOK_AHEAD, n)
    numbers = behind - np.arange(1, n + 1)
    means = (sums[behind] - sums[1:]) / np.maximum(numbers, 1)
    return np.where(numbers > 0, means - values, 0.0)


def clusters(points: Floats) -> Integers:
    """Return the cluster of each point by k-means, with cluster 0 fixed at the origin."""
    farthest = points[np.argmax((points**2).sum(axis=1))]
    centres = np.stack((np.zeros(2), points.mean(axis=0), farthest))
    assigned = np.full(len(points), -1)
    for _ in range(_MAX_ROUNDS):
        distances = ((points[:, None] - centres) ** 2).sum(axis=2)
        nearest = distances.argmin(axis=1)
        if (nearest == assigned).all():
            break
        assigned = nearest
        for k in (1, 2):
            if (assigned == k).any():
                centres[k] = points[assigned == k].mean(axis=0)
    return assigned
