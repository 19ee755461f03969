"""Templates with choices and slots: ``"[red|blue] ferry to {place}"``."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping

Slot = str | Callable[[], str]
"""The value of a slot, or a function that draws a new one for every use."""

_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"\{(\w+)\}")


def expand(template: str, rng: random.Random, slots: Mapping[str, Slot]) -> str:
    """Return a template with its choices drawn and its slots filled.

    Choices may be nested; innermost ones are drawn first. The first letter becomes a capital
    only if the template's own first letter is one.

    Raises
    ------
    KeyError
        If the template names a slot that ``slots`` does not have.
    """
    while _CHOICE.search(template):
        template = _CHOICE.sub(lambda match: rng.choice(match[1].split("|")), template)
    return _SLOT.sub(lambda match: _value(slots[match[1]]), template)


def _value(slot: Slot) -> str:
    return slot if isinstance(slot, str) else slot()
