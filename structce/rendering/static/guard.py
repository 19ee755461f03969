"""Pages that would take a parser minutes or gigabytes, known by their tags alone.

A parser that follows the HTML standard looks through all open elements for each new block, and
takes up formatting that was never closed in every block anew. Both grow with the square of what a
hostile page holds: 44 kB of ``<b id=1><p><b id=2><p>...`` become two gigabytes.
"""

from __future__ import annotations

import re
from collections import Counter

from structce.errors import RenderError

MAX_DEPTH = 20_000
"""Elements in one another; our choice. A browser follows 512."""

MAX_REPEATED = 500_000
"""Formatting elements that are taken up anew, some 250 MB of them; our choice."""

_FORMATTING = frozenset("b big code em font i s small strike strong tt u".split())
_FLAT = frozenset(
    "area base br col embed hr img input link meta param source track wbr p li dt dd tr td th "
    "option a nobr".split()
)
"""Elements that hold no other of their kind, so that many of them are not deep."""

_OPENED = re.compile(
    rb"<(?:[bB][iI][gG]|[bB]|[cC][oO][dD][eE]|[eE][mM]|[fF][oO][nN][tT]|[iI]|[sS][mM][aA][lL]{2}"
    rb"|[sS][tT][rR][iI][kK][eE]|[sS][tT][rR][oO][nN][gG]|[sS]|[tT]{2}|[uU])[\s/>]"
)
_TAG = re.compile(rb"<(/?)([a-zA-Z][^\s/>]*)")


def check_tags(html: bytes, name: str) -> None:
    """Refuse a page whose tree would be too deep or too large.

    Raises
    ------
    RenderError
        The message names the page and the limit.
    """
    n_open = html.count(b"<") - html.count(b"</")
    n_formatting = sum(1 for _ in _OPENED.finditer(html))
    if n_open > MAX_DEPTH or n_formatting * n_open > MAX_REPEATED:
        _check_each(html, name)


def _check_each(html: bytes, name: str) -> None:
    """Go through all tags, with the elements that they leave open."""
    stack: list[str] = []
    formatting: Counter[str] = Counter()
    n_open = n_repeated = 0
    for found in _TAG.finditer(html):
        tag = found[2].decode("latin-1").lower()
        if tag in _FORMATTING:
            change = -1 if found[1] else 1
            if formatting[tag] + change >= 0:
                formatting[tag] += change
                n_open += change
        elif not found[1]:
            n_repeated += n_open
            if tag not in _FLAT:
                stack.append(tag)
        elif stack and stack[-1] == tag:
            stack.pop()
        if len(stack) > MAX_DEPTH:
            raise RenderError(f"{name}: over {MAX_DEPTH:,} elements in one another, the limit")
        if n_repeated > MAX_REPEATED:
            raise RenderError(
                f"{name}: formatting that is never closed repeats over {MAX_REPEATED:,} times, "
                "which is the limit"
            )
