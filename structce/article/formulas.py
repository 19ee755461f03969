r"""Formulas of a page as TeX: stated beside them, as their image's text, or read from MathML.

Renderers of formulas (KaTeX, MathJax, MediaWiki) write one formula several times: as MathML, as
styled text or an image, and as its source. It is read once, and its source counts first: that of a
``math/tex`` script, of an ``annotation`` (``alttext`` in a page's columns), or an image's ``alt``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from structce.article.regions import join_regions, regions_below
from structce.article.tuned import read_table
from structce.features import dom_tree, once_a_page
from structce.page import FORMULA, Page
from structce.patterns import lazy_pattern

_IMAGE = lazy_pattern(r"\b(?:mwe-math|latex|tex|math|equation)\b", re.IGNORECASE)
_IMAGE_SERVICE = lazy_pattern(
    r"//(?:latex\.codecogs|[\w.-]*/(?:latex|mathtex|mimetex)\b)", re.IGNORECASE
)
_HINTS = "katex math mjx".split()  # in all names of formulas, in lower case
_FRAMED = lazy_pattern(r"(?:^|\s)math(?=\s|$)")  # a class of Pandoc, around TeX and its frame
_IMAGE_TEXT, _BEGIN = lazy_pattern(r"\{\\(?:display|text)style|\$|\\[(\[]"), frozenset("{$\\")
_FRAME = lazy_pattern(
    r"\{\\(?:display|text)style\s*(.*)\}|\\\((.*)\\\)|\\\[(.*)\\\]|(\$\$?)(.*)\4", re.DOTALL
)
_CDATA = lazy_pattern(r"%\s*<!\[CDATA\[|%\s*\]\]>|<!\[CDATA\[|\]\]>")
_DOLLAR = lazy_pattern(r"(?<!\\)((?:\\\\)*)\$")
_LAST_BACKSLASH = lazy_pattern(r"(?<!\\)(?:\\\\)*(\\)$")
_COMMAND = lazy_pattern(r"\\[A-Za-z]+$")
_TOKENS = frozenset("mi mn mo mtext ms".split())
_OF_MATH = frozenset(("math", "mjx-container"))

_INVISIBLE = dict.fromkeys("\u2061\u2062\u2063\u2064\u200b", "")
_LIMITS = lazy_pattern(
    r"\\(?:sum|prod|int|oint|lim\w*|max|min|sup|inf|cup|cap|det|gcd|bigcup|bigcap)$"
)


@once_a_page
def formulas_of(page: Page) -> frozenset[int]:
    """Return the elements that are a formula as a whole, or its source."""
    tags, rows, called = page.elements.tag, page.elements.attributes, dom_tree.elements_called(page)
    found = {n for tag in called if _name(tag) in _OF_MATH for n in called[tag]}
    found |= {n for n in called.get("script", ()) if rows[n].get("type", "").startswith("math/tex")}
    images = [n for n in called.get("img", ()) if rows[n].get("alt")]
    found |= {n for n in images if _is_image_of_formula(rows[n])}
    classes = dom_tree.classes_of(page)
    whole = "\n".join(classes).lower()
    if any(hint in whole for hint in _HINTS):  # on few pages
        for n, names in enumerate(classes):
            is_named = FORMULA.search(names) or _FRAMED.search(names)
            found |= {n} if is_named and tags[n] not in ("script", "img") else set()
    return frozenset(found)


def _is_image_of_formula(attributes: Mapping[str, str]) -> bool:
    alt = attributes["alt"].lstrip()
    if alt[:1] in _BEGIN and _IMAGE_TEXT.match(alt):
        return True
    names, address = attributes.get("class", ""), attributes.get("src", "")
    whole = f"{names} {address}".lower()
    is_likely = "tex" in whole or "math" in whole or "equation" in whole
    return is_likely and bool(_IMAGE.search(names) or _IMAGE_SERVICE.search(address))


def _name(tag: str) -> str:
    """Return a tag without a prefix: ``math`` for ``mml:math``."""
    return tag.rpartition(":")[2]


def continues(page: Page, before: int, element: int) -> bool:
    """Return whether an element is one formula with that before it: a preview, or a source."""
    names = page.elements.attributes[before].get("class", "")
    is_source = page.elements.tag[element] == "script"
    return "MathJax_Preview" in names or (is_source and "MathJax" in names)


def tex_of(page: Page, regions: Sequence[int]) -> tuple[str, str]:
    """Return the TeX of a formula that the page states, and else that of its MathML, in one line.

    Empty if unknown.
    """
    elements = page.elements
    around = dict.fromkeys(n for i in regions for n in elements.ancestors(int(page.element[i])))
    outermost = min(formulas_of(page).intersection(around))
    inside = [n for n in around if n >= outermost]
    sources = [page.text[i] for i in regions if page.tag[i] == "script"]
    sources += [elements.attributes[n].get("alttext", "") for n in inside]
    sources += [page.attributes[i].get("alt", "") for i in regions if page.tag[i] == "img"]
    text = join_regions(page, regions).strip()
    sources += [text] if _FRAME.fullmatch(text) else []
    maths = (tex_of_math(page, n) for n in inside if _name(elements.tag[n]) == "math")
    tex, read = (next(filter(None, map(clean_tex, group)), "") for group in (sources, maths))
    return tex, read


def clean_tex(source: str) -> str:
    """Return TeX in one line, without the signs around it and without those that would end it."""
    tex = " ".join(_CDATA.sub("", source).split())
    while (frame := _FRAME.fullmatch(tex)) is not None:
        tex = next(part for n in (1, 2, 3, 5) if (part := frame[n]) is not None).strip()
    tex = _DOLLAR.sub(r"\1", tex).strip()
    return _LAST_BACKSLASH.sub("", tex).strip() if tex.endswith("\\") else tex


def tex_of_math(page: Page, element: int) -> str:
    """Return a ``math`` element as TeX."""
    elements = page.elements
    children: dict[int, list[int]] = {}
    for n in range(element + 1, dom_tree.ends(page)[element]):
        children.setdefault(elements.parents[n], []).append(n)
    texts: dict[int, list[int]] = {}
    for i in regions_below(page, element):
        texts.setdefault(int(page.element[i]), []).append(i)

    def tex(n: int) -> str:
        tag, attributes = _name(elements.tag[n]), elements.attributes[n]
        if tag in _TOKENS:
            return _token(tag, join_regions(page, texts.get(n, ())))
        # Elements without visible text are not among the children.
        parts = {int(elements.position[m]): tex(m) for m in children.get(n, ())}
        return _composed(tag, attributes, parts)

    return tex(element)


def _composed(tag: str, attributes: Mapping[str, str], parts: Mapping[int, str]) -> str:
    """Return the TeX of an element from that of its children, by their position."""
    first, second, third = (parts.get(k, "") for k in range(3))
    match tag:
        case "mfrac" if attributes.get("linethickness", "")[:1] == "0":
            return rf"\binom{{{first}}}{{{second}}}"
        case "mfrac":
            return rf"\frac{{{first}}}{{{second}}}"
        case "msqrt":
            return rf"\sqrt{{{_joined(parts.values())}}}"
        case "mroot":
            return rf"\sqrt[{second}]{{{first}}}"
        case "msub" | "msup" | "msubsup" | "munderover":
            below, above = ("", second) if tag == "msup" else (second, third)
            return _group(first) + _script("_", below) + _script("^", above)
        case "munder" | "mover":
            return _over(tag, first, second)
        case "mtable":
            rows = r" \\ ".join(parts.values())
            return rf"\begin{{matrix}}{rows}\end{{matrix}}"
        case "mtr" | "mlabeledtr":
            return " & ".join(parts.values())
        case "mfenced":
            inside = attributes.get("separators", ",")[:1].join(parts.values())
            return (
                rf"\left{attributes.get('open', '(')}{inside}\right{attributes.get('close', ')')}"
            )
    return _joined(parts.values())


def _token(tag: str, text: str) -> str:
    if tag in ("mtext", "ms"):
        return rf"\text{{{text}}}" if text else ""
    table = read_table("formulas")
    if tag == "mi" and text in table["functions"].split():
        return f"\\{text}"
    symbols = table["symbols"]
    tex = _joined(symbols.get(sign, _INVISIBLE.get(sign, sign)) for sign in text)
    is_name = tag == "mi" and len(text) > 1 and text.isalpha()
    return rf"\mathrm{{{tex}}}" if is_name else tex


def _joined(parts: Iterable[str]) -> str:
    tex = ""
    for part in parts:
        tex += f" {part}" if _COMMAND.search(tex) and part[:1].isalpha() else part
    return tex


def _group(tex: str) -> str:
    is_single = len(tex) < 2 or re.fullmatch(r"\\[A-Za-z]+|\\\w+\{[^{}]*\}|[()\[\]|]", tex)
    return tex if is_single else f"{{{tex}}}"


def _script(sign: str, tex: str) -> str:
    if not tex or (sign == "^" and set(tex) == {"'"}):
        return tex
    return f"{sign}{{{tex}}}" if len(tex) > 1 else sign + tex


def _over(tag: str, base: str, sign: str) -> str:
    tables = read_table("formulas")
    accents, symbols = tables["accents"], tables["symbols"]
    accent = next((tex for mark, tex in accents.items() if sign in (mark, symbols.get(mark))), "")
    if accent:
        return rf"{accent}{{{base}}}"
    if _LIMITS.search(base):
        return base + _script("^" if tag == "mover" else "_", sign)
    return rf"\{tag[1:]}set{{{sign}}}{{{base}}}"
