"""Text that a page hides until its own scripts have run, as far as its HTML says so.

The rule of the chromium renderer: where more than half of the running text is hidden, show it.
"""

from __future__ import annotations

from collections.abc import Iterable

from lxml import etree

from structce.rendering.base import RUNNING

_NEVER = ("noscript", "dialog", "form")
_TEXT = etree.XPath("string()")


def veils(root: etree._Element, hidden: Iterable[etree._Element]) -> frozenset[etree._Element]:
    """Return the elements whose hiding is to be passed over; empty where it stands.

    Parameters
    ----------
    hidden
        Elements that the HTML hides; what they hold may be hidden by inner ones, too.
    """
    veiled = {p: _length(p) for above in hidden for p in above.iter("p") if _length(p)}
    n_hidden = sum(veiled.values())
    if not n_hidden or 2 * n_hidden <= sum(map(_length, root.iter("p"))):
        return frozenset()
    return frozenset(one for p in veiled for one in (p, *p.iterancestors()))


def _length(paragraph: etree._Element) -> int:
    """Return the characters of running text in a paragraph; 0 for what is none."""
    text = str(_TEXT(paragraph)).strip()
    if len(text) < RUNNING or next(paragraph.iterancestors(*_NEVER), None) is not None:
        return 0
    return len(text)
