"""Lines of a page: its regions as inlines, with the marks, code and formulas that they are in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, groupby, zip_longest
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from structce.addresses import without_fragment
from structce.arrays import Flags
from structce.article.blocks import Inline, InlineKind, Line, Mark, MarkKind, Span, shared_marks
from structce.article.containers import inherited_values
from structce.article.formulas import continues, formulas_of, tex_of
from structce.article.images import checked_address, image_of
from structce.article.regions import is_joined, join_regions, regions_below
from structce.features import dom_tree
from structce.page import Page
from structce.patterns import lazy_pattern

_TAGS: Mapping[MarkKind, str] = {
    "strong": "b strong",
    "emphasis": "i em cite dfn var",
    "deleted": "del s strike",
    "inserted": "ins",
    "sub": "sub",
    "sup": "sup",
}
_MARKS = {tag: kind for kind, tags in _TAGS.items() for tag in tags.split()}
MARKED = frozenset({*_MARKS, "a", "q"})
"""Elements within a line."""
_CODE = frozenset("code kbd samp tt".split())
_NOT_IN_CODE = frozenset("pre h1 h2 h3 h4 h5 h6".split())
_STYLED = frozenset({*_MARKS, *_CODE, *_NOT_IN_CODE, "a"})
Spans = Mapping[int, tuple[Span, ...]]  # the place of each region, if it is known
_SIGN = lazy_pattern(r"[\[(]?\s*(?:\w{1,4}|[*†‡§¶]{1,3})\s*[\])]?")
_BRACKETED = lazy_pattern(r"\[\s*\w{1,4}\s*\]")
_REFERENCE = lazy_pattern(r"footnote|noteref|endnote|\bfn", re.IGNORECASE)
_FRAMES = frozenset("footer nav aside".split())  # of the page, where notes are not the author's
_MOST_OF_A_NOTE = 60  # regions; what a link leads to may be a whole section


class Footnotes(NamedTuple):
    """Footnotes of a page: the elements of the notes, and the links that lead to them."""

    names: Mapping[int, str]  # of each note, by its element: its number in the references' order
    references: Mapping[int, int]  # element of the note that each link leads to, by the link's
    regions: list[int]  # of the notes, with text


def read_footnotes(page: Page, is_body: Flags) -> Footnotes:
    """Return the footnotes that links of a body lead to.

    A reference is a short link to a later place of the page that is raised, bracketed or named so.
    """
    elements, attributes = page.elements, page.elements.attributes
    first, n_regions = dom_tree.regions_below(page)
    of_page = np.array(dom_tree.elements_called(page).get("a", ()), dtype=np.int64)
    shown = of_page[n_regions[of_page] > 0]
    of_body: list[int] = shown[is_body[first[shown]]].tolist()
    links = [n for n in of_body if attributes[n].get("href", "").startswith("#")]
    identified = dom_tree.elements_with(page).get("id", ()) if links else ()
    named = {attributes[n]["id"]: n for n in identified}
    names: dict[int, str] = {}
    references: dict[int, int] = {}
    inside: list[int] = []
    for link in links:
        note = named.get(attributes[link]["href"][1:], -1)
        while note >= 0 and not elements.is_block[note]:
            note = elements.parents[note]
        frames = {n for n in elements.ancestors(note) if elements.tag[n] in _FRAMES}
        if note <= link or frames.difference(elements.ancestors(link)):
            continue
        if not _is_reference(page, link, regions_below(page, link)):
            continue
        regions = regions_below(page, note)
        if len(regions) <= _MOST_OF_A_NOTE and page.element[regions[0]] > link:
            names.setdefault(note, str(len(names) + 1))
            references[link] = note
            inside += [i for i in regions if page.text[i]]
    return Footnotes(names, references, inside)


def _is_reference(page: Page, link: int, regions: Sequence[int]) -> bool:
    text = join_regions(page, regions)
    if not _SIGN.fullmatch(text):
        return False
    elements = page.elements
    around = (link, elements.parents[link], int(page.element[regions[0]]))
    names = " ".join(
        elements.attributes[n].get(name, "") for n in around for name in ("class", "role", "rel")
    )
    is_raised = any(elements.tag[n] == "sup" for n in around)
    return is_raised or bool(_REFERENCE.search(names) or _BRACKETED.fullmatch(text))


class _InlineStyle(NamedTuple):
    """Marks around a region, and the code, formula, reference or none that it is in."""

    marks: tuple[Mark, ...] = ()
    kind: InlineKind = "text"
    element: int = -1


def _continued(before: Sequence[Mark], marks: Sequence[Mark]) -> Iterator[Mark]:
    """Yield marks, with equal ones of the piece before in their place, so that they stay one."""
    is_same = True
    for mark, last in zip_longest(marks, before[: len(marks)]):
        is_same &= last is not None and replace(last, element=mark.element) == mark
        yield last if is_same else mark


class LineReader:
    """Reader of the lines of some regions of a page; references to footnotes become inlines."""

    def __init__(
        self, page: Page, regions: Sequence[int], footnotes: Footnotes, spans: Spans
    ) -> None:
        self.page, self.footnotes, self.spans = page, footnotes, spans
        self._formulas, self._blocks = formulas_of(page), page.blocks.tolist()
        self._address = without_fragment(page.url)
        self._joins: list[bool] = [] if page.joins is None else page.joins.tolist()
        changing = dom_tree.named(page, _STYLED)
        changing[[*self._formulas]] = True
        outside = {-1: _InlineStyle()}
        self._styles = inherited_values(page, regions, outside, self._style_of, changing)
        self.n_breaks: list[int] = np.cumsum(page.breaks).tolist()

    def is_formula(self, i: int) -> bool:
        """Return whether a region is a formula or a part of one."""
        return self._styles[i].kind == "formula"

    def _style_of(self, element: int, around: _InlineStyle) -> _InlineStyle:
        """Return the phrase of an element, given that of the element around it."""
        if around.kind in ("formula", "reference"):
            return around
        elements = self.page.elements
        tag, attributes = elements.tag[element], elements.attributes[element]
        if element in self._formulas:
            return _InlineStyle(around.marks, "formula", element)
        if element in self.footnotes.references:
            marks = tuple(mark for mark in around.marks if mark.kind != "sup")
            return _InlineStyle(marks, "reference", element)
        if tag == "a" and attributes.get("href", ""):
            href = attributes["href"].strip()
            address = "" if href.startswith("#") else checked_address(href, self.page.url)
            if address in ("", self._address):
                return around
            others = [mark for mark in around.marks if mark.kind != "link"]
            return around._replace(marks=(*others, Mark("link", address, element)))
        if tag in _NOT_IN_CODE and around.kind == "code":
            return around._replace(kind="text", element=-1)
        if around.kind == "code":
            return around
        if tag in _CODE:
            return _InlineStyle(around.marks, "code", element)
        kind = _MARKS.get(tag)
        if kind is None or any(mark.kind == kind for mark in around.marks):
            return around
        return around._replace(marks=(*around.marks, Mark(kind, element=element)))

    def read(self, regions: Sequence[int]) -> Line:
        """Return regions of one block, in the order of the page, as a line."""
        if len(regions) == 1:
            inline = self._inline(regions, True)
            return (inline,) if inline.text or inline.address else ()
        line: list[Inline] = []
        before = -1
        for piece in self._pieces(regions):
            has_break = before >= 0 and self.n_breaks[piece[0]] > self.n_breaks[before]
            is_joined = before < 0 or has_break or self._is_joined(before, piece[0])
            inline = self._inline(piece, is_joined)
            if not (inline.text or inline.address):
                continue
            if line and has_break:
                line.append(Inline("break", "\n", shared_marks(line[-1], inline)))
            elif line and is_joined and inline.marks and line[-1].marks:
                inline = inline._replace(marks=tuple(_continued(line[-1].marks, inline.marks)))
            line.append(inline)
            before = piece[-1]
        return tuple(line)

    def _pieces(self, regions: Sequence[int]) -> list[list[int]]:
        pieces: list[list[int]] = []
        for i in regions:
            if pieces and self._styles[i].kind != "text" and self._continues(pieces[-1][-1], i):
                pieces[-1].append(i)
            else:
                pieces.append([i])
        return pieces

    def _continues(self, before: int, i: int) -> bool:
        """Return whether a region belongs to the same code, formula or reference as another."""
        last, phrase = self._styles[before], self._styles[i]
        if last.kind != phrase.kind:
            return False
        is_same = last.element == phrase.element
        if phrase.kind == "formula":
            return is_same or continues(self.page, last.element, phrase.element)
        is_same &= self.n_breaks[before] == self.n_breaks[i]
        return is_same and last.marks == phrase.marks

    def _inline(self, regions: Sequence[int], is_joined: bool) -> Inline:
        page, phrase, first = self.page, self._styles[regions[0]], regions[0]
        text = page.text[first] if len(regions) == 1 else join_regions(page, regions)
        kind, address, tex, shown = phrase.kind, "", "", ""
        if kind == "formula":
            source, read = tex_of(page, regions)
            shown = text
            kind, text = ("formula" if source or read else "text"), source or text
            tex = source or read
        elif kind == "reference":
            address = self.footnotes.names[self.footnotes.references[phrase.element]]
        elif not text and (image := image_of(page, first)) is not None:
            kind, text, address = "image", image.alt, image.address
        spans = self.spans_of(regions)
        xpath, own = page.xpath[first], tuple(regions)
        return Inline(kind, text, phrase.marks, is_joined, address, own, xpath, spans, tex, shown)

    def spans_of(self, regions: Sequence[int]) -> tuple[Span, ...]:
        """Return the known places of regions in the source."""
        if len(regions) == 1:
            return self.spans[regions[0]]
        return tuple(chain.from_iterable(map(self.spans.__getitem__, regions)))

    def _is_joined(self, before: int, i: int) -> bool:
        if not self._joins or not self._joins[i]:
            return False
        if self.page.text[before] and self.page.text[i]:
            return is_joined(self.page, before, i)
        return all(self._joins[before + 1 : i + 1])

    def runs(self, regions: Sequence[int]) -> Iterator[list[int]]:
        """Yield the regions of each block of the page among some regions."""
        for _, run in groupby(regions, key=self._blocks.__getitem__):
            yield list(run)
