"""Code of a page: its lines, its language, and what is beside it, such as line numbers."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import islice

from structce.numbers import whole_number
from structce.page import Page
from structce.patterns import lazy_pattern

_GUTTER = lazy_pattern(
    r"(?:^|[\s_-])(?:gutter|line-?num(?:ber)?s?|linenos?|ln-num(?:ber)?s|blob-num)(?:$|[\s_-])"
)
_LINE = lazy_pattern(r"(?:^|\s)(?:(?:code|view|cm)-)?line(?:\s|$)", re.IGNORECASE)
_LINE_TAGS = frozenset("tr li p div".split())
_BOX_TAGS = _LINE_TAGS | {"td"}
_NAME = r"([\w+#.-]{1,30})"
_STATED = ("data-lang", "data-language", "data-code-language", "lang")
_LANGUAGE = lazy_pattern(
    r"(?:^|\s)(?:language-|lang-|highlight-source-|highlight-|brush:\s*|(?:sourceCode|hljs)\s+(?!lang))"
    + _NAME
)
_NO_LANGUAGE = frozenset("default none nohighlight code copy hljs".split())
_LEVELS_ABOVE = 3  # elements above ``pre`` that may state its language


def code_lines(page: Page, regions: Sequence[int], pre: int) -> str:
    """Return the code of regions inside a ``pre`` element, with its lines.

    Elements that are lines by style alone end one, too. Blank lines at both ends are left out.
    """
    preformatted, written, before = page.preformatted, "", -1
    for i in regions:
        line, piece = _line_element(page, i, pre), preformatted.get(i, f"\n{page.text[i]}")
        is_new = before >= 0 and line >= 0 and line != before
        is_ended = written.rstrip(" \t").endswith("\n") or piece.lstrip(" \t").startswith("\n")
        written += f"\n{piece}" if is_new and not is_ended else piece
        before = line
    return "\n".join(line.rstrip() for line in written.splitlines()).strip("\n")


def _line_element(page: Page, i: int, pre: int, tags: Collection[str] = _LINE_TAGS) -> int:
    """Return the element that is one line of code around a region; -1 if none."""
    elements, by_style = page.elements, -1
    for n in elements.ancestors(int(page.element[i])):
        if n == pre:
            break
        if elements.tag[n] in tags:
            return n
        names = elements.attributes[n].get("class", "")
        if by_style < 0 and (elements.tag[n] == "code" or _LINE.search(names)):
            by_style = n
    return by_style


def line_numbers(page: Page, regions: Sequence[int], pre: int) -> set[int]:
    """Return the regions inside a ``pre`` element that number its lines; empty if none do.

    They are consecutive numbers, one per line, each the first of its line and in a box of its own.
    """
    numbered, last = set[int](), None
    lines = [_line_element(page, i, pre) for i in regions]
    boxes = [_line_element(page, i, pre, _BOX_TAGS) for i in regions]
    for at, i in enumerate(regions[:-1]):
        number = whole_number(page.text[i])
        is_first = at == 0 or lines[at - 1] != lines[at]
        is_apart = is_first and boxes[at] != boxes[at + 1]
        if number is not None and is_apart and last in (None, number - 1):
            numbered.add(i)
            last = number
    code = code_lines(page, [i for i in regions if i not in numbered], pre)
    return numbered if code and len(numbered) > code.count("\n") else set()


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
        attributes = page.elements.attributes[n]
        names = [attributes.get(name, "") for name in (_STATED if n >= pre else _STATED[:-1])]
        for name in (*names, *_LANGUAGE.findall(attributes.get("class", ""))):
            if re.fullmatch(_NAME, name) and name.lower() not in _NO_LANGUAGE:
                return str(name).lower()
    return ""
