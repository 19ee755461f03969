"""Code of a page: its lines, its programming language, and what stands beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from structce.page import Page

_GUTTER = re.compile(
    r"(?:^|[\s_-])(?:gutter|line-?num(?:ber)?s?|linenos?|ln-num(?:ber)?s|blob-num)(?:$|[\s_-])"
)
_LINE = re.compile(r"(?:^|\s)(?:(?:code|view|cm)-)?line(?:\s|$)", re.IGNORECASE)
_LINE_TAGS = frozenset("tr li p div".split())
_NAME = r"([\w+#.-]{1,30})"
_STATED = ("data-lang", "data-language", "data-code-language", "lang")
_LANGUAGE = re.compile(
    r"(?:^|\s)(?:language-|lang-|highlight-source-|highlight-|brush:\s*|(?:sourceCode|hljs)\s+(?!lang))"
    + _NAME
)
_NO_LANGUAGE = frozenset("default none nohighlight code copy hljs".split())
_LEVELS_ABOVE = 3  # elements above ``pre`` that may state its language


def code_lines(page: Page, regions: Sequence[int], pre: int) -> str:
    """Return the code of regions inside a ``pre`` element, with its lines.

    Elements that are lines by style alone end one, too. Blank lines at both ends are left out.
    """
    known, written, before = page.preformatted, "", -1
    for i in regions:
        own, piece = _line_element(page, i, pre), known.get(i, f"\n{page.text[i]}")
        is_new = before >= 0 and own >= 0 and own != before
        is_ended = written.rstrip(" \t").endswith("\n") or piece.lstrip(" \t").startswith("\n")
        written += f"\n{piece}" if is_new and not is_ended else piece
        before = own
    return "\n".join(line.rstrip() for line in written.splitlines()).strip("\n")


def _line_element(page: Page, i: int, pre: int) -> int:
    """Return the element that is one line of code around a region; -1 if none."""
    elements, by_style = page.elements, -1
    for n in elements.ancestors(int(page.element[i])):
        if n == pre:
            break
        if elements.tag[n] in _LINE_TAGS:
            return n
        names = elements.attributes[n].get("class", "")
        if by_style < 0 and (elements.tag[n] == "code" or _LINE.search(names)):
            by_style = n
    return by_style


def is_beside_code(page: Page, i: int) -> bool:
    """Return whether a region is a line number, or a button such as one that copies."""
    elements = page.elements
    for n in islice(elements.ancestors(int(page.element[i])), 5):
        if elements.tag[n] == "button" or _GUTTER.search(elements.attributes[n].get("class", "")):
            return True
        if elements.tag[n] == "td":
            break
    return False


def code_language(page: Page, i: int, pre: int) -> str:
    """Return the language that the elements around code state, in lower case; empty if none."""
    above = [*page.elements.ancestors(int(page.element[i]))]
    for n in above[: above.index(pre) + _LEVELS_ABOVE + 1]:
        stated = page.elements.attributes[n]
        names = [stated.get(name, "") for name in (_STATED if n >= pre else _STATED[:-1])]
        for name in (*names, *_LANGUAGE.findall(stated.get("class", ""))):
            if re.fullmatch(_NAME, name) and name.lower() not in _NO_LANGUAGE:
                return str(name).lower()
    return ""
