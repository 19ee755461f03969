"""Content code blurring: positions of a page around which content outweighs code.

Source: T. Gottron (2008). Content code blurring: a new approach to content extraction. DEXA 2008
workshop on text-based information retrieval.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

import numpy as np

from structce.arrays import Flags, Floats
from structce.errors import ExtractionError
from structce.extraction.cetr import smooth
from structce.extraction.parsed_document import ParsedDocument
from structce.extraction.registry import WordFilter, extractor

SMALL_CHANGE = 0.25 / 256
"""Mean change of the values at which blurring stops: a quarter of a grey level in an image."""

_LINK_TAG = re.compile(r"</?a(?=[\s/>])", re.IGNORECASE)


@extractor("ccb")
@extractor("accb", skips_links=True)
@extractor("tccb", unit="token", radius=25)
@extractor("tccb-18", unit="token", radius=18)
@dataclass(frozen=True)
class ContentCodeBlurring(WordFilter):
    """Content code blurring (Gottron 2008): words around which content outweighs code.

    A vector has 1 for each atom of content and 0 for each atom of code. Each value is repeatedly
    replaced by the mean of its neighbourhood, weighted by a Gaussian, until little changes. A word
    is kept if its mean value, in [0, 1], is above the threshold.

    An atom is a ``character`` of a tag or word, or a ``token``. Our choices: white space, comments
    and the content of scripts are not atoms; the page is continued at both ends by its first and
    last value; half the radius is one standard deviation. There are two rounds.
    """

    unit: Literal["character", "token"] = "character"
    radius: int = 40  # atoms on each side that have a weight
    threshold: float = 0.75
    skips_links: bool = False  # leave out tags of links (adapted, ACCB), for links in the text
    max_rounds: int = 2

    def __post_init__(self) -> None:
        if self.radius < 1 or self.max_rounds < 0:
            raise ExtractionError(
                "content code blurring: expected a radius of at least 1 and max_rounds of at least "
                f"0; got {self}"
            )

    def keep(self, document: ParsedDocument) -> Flags:
        """Return which words are surrounded by content."""
        tokens, words = document.tokens, document.words
        if not len(words):
            return np.zeros(0, dtype=bool)
        ones = np.ones_like(tokens.end)
        lengths = tokens.end - tokens.start if self.unit == "character" else ones
        if self.skips_links:
            starts = enumerate(tokens.start.tolist())
            links = [i for i, start in starts if _LINK_TAG.match(document.html, start)]
            lengths = lengths.copy()
            lengths[links] = 0
        vector = np.repeat(tokens.is_word.astype(np.float64), lengths)
        sums = np.append(0.0, np.cumsum(blur(vector, self.radius, self.max_rounds)))
        ends = np.cumsum(lengths)
        means = (sums[ends] - sums[ends - lengths]) / np.maximum(lengths, 1)
        return np.asarray(means[words.token] > self.threshold)


def blur(vector: Floats, radius: int, max_rounds: int) -> Floats:
    """Return a vector blurred by a Gaussian until it hardly changes, at most ``max_rounds`` times.

    The Gaussian covers ``radius`` neighbours on each side, two standard deviations.
    """
    for _ in range(max_rounds):
        blurred = smooth(vector, radius, radius / 2)
        change = np.abs(blurred - vector).mean()
        vector = blurred
        if change < SMALL_CHANGE:
            break
    return vector
