"""Words as displayed: parts separated only by tags (``<b>Sl</b>ow``) are joined again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from structce.arrays import Flags, Integers
from structce.extraction.parsed_document import JOINED, ParsedDocument


@dataclass(frozen=True)
class JoinedWords:
    """Words of a document as displayed, in order.

    Parameters
    ----------
    first : shape (n_joined,)
        Index of the first of the document's words in each joined word.
    """

    text: list[str]
    first: Integers

    @classmethod
    def of(cls, document: ParsedDocument, is_separator: Flags) -> JoinedWords:
        """Return the words of a document; letters of scripts without spaces are not joined.

        Parameters
        ----------
        is_separator : shape (n_tokens,)
            Tags that separate words, with or without white space.
        """
        words = document.words
        n_before = np.cumsum(is_separator, dtype=np.int64)[words.token]
        is_first = (words.breaks != JOINED) | (np.diff(n_before, prepend=-1) > 0)
        is_first[1:] |= words.start[1:] == words.end[:-1]
        first = np.flatnonzero(is_first)
        text = [words.text[i] for i in first.tolist()]
        for number, i in zip(
            (np.cumsum(is_first) - 1)[~is_first].tolist(),
            np.flatnonzero(~is_first).tolist(),
            strict=True,
        ):
            text[number] += words.text[i]
        return cls(text, first)
