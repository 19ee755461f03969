"""Characters written as references: ``&eacute;``, ``&#233;``, ``&#xe9;``."""

from __future__ import annotations

import re
from html.entities import codepoint2name

_BODY = "<body"
_FOREIGN = re.compile(r"[^\x00-\x7f]")


def with_entities(document: str, habit: str) -> str:
    """Return a document whose body has references for all that is not ASCII.

    Parameters
    ----------
    habit
        ``plain`` changes nothing; ``numeric`` writes every other reference hexadecimal, by its
        number; ``named`` takes a name where HTML 4 has one.
    """
    if habit == "plain":
        return document
    head, start, body = document.partition(_BODY)
    written = _named if habit == "named" else _numeric
    return head + start + _FOREIGN.sub(lambda found: written(ord(found[0])), body)


def _named(code: int) -> str:
    return f"&{codepoint2name[code]};" if code in codepoint2name else _numeric(code)


def _numeric(code: int) -> str:
    return f"&#x{code:x};" if code % 2 else f"&#{code};"
