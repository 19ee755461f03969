"""Where a gold value and the text on the page differ, word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from rapidfuzz.distance import Levenshtein

from structce.text import normalise

SAME, GOLD, PAGE = "same", "gold", "page"
"""A stretch stands in both, in the gold alone, or on the page alone."""

MAX_WORDS = 4_000
"""Words of either text that are compared; what follows is left out. Our choice."""

KEPT = 60
"""Characters kept at either end of a long stretch that is the same in both; our choice."""

_WORD = re.compile(r"\w+|\s+|[^\w\s]")


@dataclass(frozen=True)
class Stretch:
    """Some text that stands in the gold, on the page, or in both.

    Parameters
    ----------
    where
        ``SAME``, ``GOLD`` or ``PAGE``.
    text
        As its place has it; of what is the same, as the page has it.
    """

    where: str
    text: str


def is_same(gold: str, page: str) -> bool:
    """Return whether two texts have the same letters and digits in the same order."""
    return normalise(gold) == normalise(page)


def differences(gold: str, page: str) -> tuple[Stretch, ...]:
    """Return both texts as one line of stretches, in order.

    Case, white space and compatible forms of letters are no difference; punctuation is one.
    """
    ours, theirs = _words(gold), _words(page)
    steps = Levenshtein.opcodes([_folded(w) for w in ours], [_folded(w) for w in theirs])
    found: list[Stretch] = []
    for is_equal, group in groupby(steps, lambda step: step.tag == "equal"):
        run = list(group)
        old = "".join(ours[run[0].src_start : run[-1].src_end])
        new = "".join(theirs[run[0].dest_start : run[-1].dest_end])
        sides = [(SAME, new)] if is_equal else [(GOLD, old), (PAGE, new)]
        found += [Stretch(where, text) for where, text in sides if text]
    return tuple(found)


def shortened(stretches: tuple[Stretch, ...], kept: int = KEPT) -> Iterator[Stretch]:
    """Yield stretches; of long ones only the ends, twice as much of what differs."""
    for one in stretches:
        room = kept if one.where == SAME else 2 * kept
        text = one.text
        if len(text) > 3 * room:
            text = f"{text[:room].rstrip()} … {text[-room:].lstrip()}"
        yield Stretch(one.where, text)


def _words(text: str) -> list[str]:
    """Return words, white space and single other characters, as they follow one another."""
    return _WORD.findall(" ".join(text.split()))[: 2 * MAX_WORDS]


def _folded(word: str) -> str:
    return normalise(word) or word
