"""Text that a page hides until its own scripts have run, as far as its HTML says so.

The rule of the chromium renderer: where more than half of the running text is hidden, show it.
"""

from __future__ import annotations

from collections.abc import Iterable

from selectolax.lexbor import LexborNode

from structce.rendering.base import RUNNING
from structce.rendering.static.tree import ancestors

_NEVER = frozenset({"noscript", "dialog", "form"})


def veils(root: LexborNode, hidden: Iterable[LexborNode]) -> frozenset[int]:
    """Return the elements whose hiding is to be passed over, by number; empty where it stands.

    Parameters
    ----------
    hidden
        Elements that the HTML hides; what they hold may be hidden by inner ones, too.
    """
    inside = {p.mem_id: p for above in hidden for p in above.css("p")}
    veiled = {p.mem_id: length for p in inside.values() if (length := _length(p))}
    n_hidden = sum(veiled.values())
    if not n_hidden or 2 * n_hidden <= sum(map(_length, root.css("p"))):
        return frozenset()
    return frozenset(
        one.mem_id for number in veiled for one in (inside[number], *ancestors(inside[number]))
    )


def _length(paragraph: LexborNode) -> int:
    """Return the characters of running text in a paragraph; 0 for what is none."""
    text = paragraph.text(deep=True).strip()
    if len(text) < RUNNING or any(above.tag in _NEVER for above in ancestors(paragraph)):
        return 0
    return len(text)
