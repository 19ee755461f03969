"""Structure of a body: the regions chosen as the body are assembled into a tree of blocks.

The blocks follow the structure of the page. Each region is in exactly one of them, except the line
numbers beside code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, pairwise
from typing import Any

import numpy as np

from structce.arrays import Flags, Floats
from structce.article.blocks import (
    Block,
    BlockKind,
    Cell,
    Inline,
    ListItem,
    Span,
    joined_lines,
)
from structce.article.containers import Chain, ContainerKind, containers_around, heading_levels
from structce.article.formulas import is_formula
from structce.article.images import image_of
from structce.article.lines import Footnotes, LineReader, read_footnotes, regions_of_links
from structce.article.listings import code_language, code_lines, is_beside_code
from structce.article.places import all_spans, box_around
from structce.numbers import whole_number
from structce.page import Page

_MOST_OF_A_HEADING = 250  # characters; longer text is a paragraph in large letters
_MOST_OF_A_SUBTITLE = 120  # characters of a heading that is one only by its label
_MOST_CELLS = 1_000  # of a row, empty ones included
_MOST_SPANNED = 100  # columns or rows that a cell may take
_SENTENCE_ENDS = (".", "!", "…", "。", "！", ";", ":", ",")
_CHECKED = {"true": True, "false": False}


def body_blocks(
    page: Page, is_body: Flags, labels: Sequence[str], confidence: Floats
) -> tuple[Block, ...]:
    """Return the blocks of a body in reading order; empty if no region is chosen.

    Parameters
    ----------
    is_body : shape (n_regions,)
        Regions of the body. Media labelled ``Multimedia`` and texts labelled ``Caption`` become
        figures in any case; a caption that is chosen is body text. Formulas that are images, and
        footnotes that the body refers to, belong to it.
    labels
        One label per region; ``Subtitle`` makes a short line a heading, whatever its element.
    confidence : shape (n_regions,)
        Probability that each region belongs to the body, in [0, 1].
    """
    is_chosen = _with_formula_images(page, is_body)
    footnotes = read_footnotes(page, is_body)
    is_chosen[footnotes.regions] = True
    chosen: list[bool] = is_chosen.tolist()
    regions = [
        i
        for i, (is_own, label, text) in enumerate(zip(chosen, labels, page.text, strict=True))
        if is_own or (label == "Multimedia" and not text) or (label == "Caption" and text)
    ]
    levels = heading_levels(page, regions)
    chains = containers_around(page, regions, levels, footnotes.names)
    places = dict(zip(regions, all_spans(page, regions), strict=True))
    sure, lines = confidence.tolist(), LineReader(page, regions, footnotes)
    assembly = _Assembly(page, lines, footnotes, chosen, labels, sure, chains, levels, places)
    return tuple(assembly.build(regions, 0))


def _with_formula_images(page: Page, is_body: Flags) -> Flags:
    """Return the regions of a body with the formulas that are images between its texts."""
    chosen, blocks = is_body.copy(), page.blocks
    shown = [i for i, text in enumerate(page.text) if text]
    for i in np.flatnonzero(page.is_media).tolist():
        if page.tag[i] == "img" and is_formula("img", page.attributes[i]):
            at = int(np.searchsorted(shown, i))
            beside = shown[max(at - 1, 0) : at + 1]
            same = [n for n in beside if blocks[n] == blocks[i]]
            chosen[i] = bool(beside) and all(is_body[n] for n in same or beside)
    return chosen


def body_text(blocks: Sequence[Block]) -> str:
    """Return the text of blocks: one line per paragraph, heading, list item or table row.

    A break ends a line, and code keeps its lines. Cells of a row are separated by tabs; captions of
    figures are left out.
    """
    return "\n".join(line for block in blocks for line in block.lines)


@dataclass
class _Assembly:
    """Assembly of a body's blocks from its regions."""

    page: Page
    lines: LineReader
    footnotes: Footnotes
    is_body: Sequence[bool]
    labels: Sequence[str]
    confidence: Sequence[float]
    chains: Mapping[int, Chain]
    levels: Mapping[int, int]
    places: Mapping[int, Span | None]

    @cached_property
    def _link_around(self) -> Sequence[int]:
        return regions_of_links(self.page)

    def build(self, regions: Sequence[int], depth: int) -> list[Block]:
        """Return the blocks of regions that share the containers above a depth."""
        blocks: list[Block] = []
        for (kind, element), run in groupby(regions, key=lambda i: self._container(i, depth)):
            inside = list(run)
            if builder := self._builders.get(kind):
                blocks += builder(inside, element, depth + 1)
            elif kind:  # a list item or table part outside a list or table
                blocks += self.build(inside, depth + 1)
            else:
                blocks += self._leaves(inside)
        return self._with_rules(self._merged_figures(blocks))

    def _container(self, i: int, depth: int) -> tuple[ContainerKind | str, int]:
        chain = self.chains[i]
        return chain[depth] if depth < len(chain) else ("", -1)

    @property
    def _builders(self) -> Mapping[str, Callable[[Sequence[int], int, int], list[Block]]]:
        return {
            "list": self._list,
            "table": self._table,
            "quote": self._quote,
            "code": self._code,
            "figure": self._figure,
            "note": self._note,
        }

    def _list(self, regions: Sequence[int], element: int, depth: int) -> list[Block]:
        tags = self.page.elements.tag
        groups: list[list[int]] = []
        before = ("", -1)
        for i in regions:
            item = self._container(i, depth)
            if not groups or item != before:
                groups.append([])
            groups[-1].append(i)
            before = item
        heads = [self._container(group[0], depth)[1] for group in groups]
        items = tuple(map(self._item, groups, [depth] * len(groups), heads))
        if tags[element] == "dl" and items[0].is_term and len(items) > 1:
            return [self._block("definitions", regions, items=items)]
        is_ordered = tags[element] == "ol"
        start = self._first_number(element, heads[0]) if is_ordered else 1
        items = tuple(replace(item, is_term=False) for item in items)
        return [self._block("list", regions, items=items, is_ordered=is_ordered, start=start)]

    def _item(self, regions: Sequence[int], depth: int, element: int) -> ListItem:
        blocks: list[Block] = []
        for (kind, _), run in groupby(regions, key=lambda i: self._container(i, depth)):
            blocks += self.build(list(run), depth + (kind == "item"))
        stated = self.page.elements.attributes[element] if element >= 0 else {}
        is_term = element >= 0 and self.page.elements.tag[element] == "dt"
        return ListItem(tuple(blocks), _CHECKED.get(stated.get("aria-checked", "")), is_term)

    def _first_number(self, element: int, item: int) -> int:
        """Return the number of the first item of an ordered list that is in the body."""
        elements = self.page.elements
        if item >= 0 and (own := _integer(elements.attributes[item].get("value"))) is not None:
            return own
        first = _integer(elements.attributes[element].get("start"))
        is_right_below = item >= 0 and elements.parent[item] == element
        passed = int(elements.position[item]) if is_right_below else 0
        return (1 if first is None else first) + passed

    def _table(self, regions: Sequence[int], element: int, depth: int) -> list[Block]:
        in_rows = {i: self._container(i, depth)[0] == "row" for i in regions}
        inside = [i for i in regions if in_rows[i]]
        if not any(map(self._is_text, inside)):
            return self._leaves(regions)
        tags = self.page.elements.tag
        captions = [
            i
            for i in regions
            if self._is_text(i)
            and not in_rows[i]
            and any(tags[n] == "caption" for n in self.page.elements.ancestors(self._element(i)))
        ]
        others = [i for i in regions if not in_rows[i] and i not in captions]
        rows = tuple(
            self._row(list(run), depth + 1)
            for _, run in groupby(inside, key=lambda i: self._container(i, depth))
        )
        caption = joined_lines(map(self.lines.read, self.lines.runs(captions)))
        table = self._block("table", [*captions, *inside], rows=rows, line=caption)
        return [*self._leaves(others), table]

    def _element(self, i: int) -> int:
        return int(self.page.element[i])

    def _row(self, regions: Sequence[int], depth: int) -> tuple[Cell, ...]:
        """Return the cells of a row; those without a region of the body are empty."""
        elements = self.page.elements
        row: list[Cell] = []
        for (kind, cell), run in groupby(regions, key=lambda i: self._container(i, depth)):
            inside = list(run)
            if kind != "cell":  # text in a row outside its cells, which HTML does not allow
                row.append(Cell(tuple(self.build(inside, depth))))
                continue
            n_empty = min(int(elements.position[cell]), _MOST_CELLS) - len(row)
            row += [Cell()] * n_empty
            row.append(self._cell(tuple(self.build(inside, depth + 1)), cell))
        last = self._container(regions[-1], depth)[1]
        n_cells = min(int(elements.n_siblings[last]), _MOST_CELLS) if last >= 0 else 0
        return (*row, *[Cell()] * (n_cells - len(row)))

    def _cell(self, blocks: tuple[Block, ...], element: int) -> Cell:
        elements = self.page.elements
        stated = elements.attributes[element]
        above = {elements.tag[n] for n in elements.ancestors(element)}
        is_header = elements.tag[element] == "th" or "thead" in above
        n_columns, n_rows = (
            min(max(_integer(stated.get(name)) or 1, 1), _MOST_SPANNED)
            for name in ("colspan", "rowspan")
        )
        return Cell(blocks, is_header, n_columns, n_rows)

    def _quote(self, regions: Sequence[int], _: int, depth: int) -> list[Block]:
        return [self._block("quote", regions, blocks=tuple(self.build(regions, depth)))]

    def _note(self, regions: Sequence[int], element: int, depth: int) -> list[Block]:
        """Return a footnote, without the links that lead back to the text."""
        shown = [i for i in regions if not self._leads_back(i)]
        name, blocks = self.footnotes.names[element], tuple(self.build(shown, depth))
        return [self._block("footnote", regions, blocks=blocks, name=name)]

    def _leads_back(self, i: int) -> bool:
        link = self._link_around[i]
        address = self.page.elements.attributes[link].get("href", "") if link >= 0 else ""
        return address.startswith("#") and len(self.page.text[i].strip("[]()^ ")) < 5

    def _code(self, regions: Sequence[int], element: int, _: int) -> list[Block]:
        text = [i for i in regions if self._is_text(i)]
        others = [i for i in regions if not self._is_text(i)]
        shown = [i for i in text if not is_beside_code(self.page, i)]
        if not (lines := code_lines(self.page, shown, element)):
            return self._leaves(others)
        line = (Inline("code", lines, regions=tuple(shown), xpath=self.page.xpath[shown[0]]),)
        name = code_language(self.page, shown[0], element)
        return [self._block("code", text, line=line, name=name), *self._leaves(others)]

    def _figure(self, regions: Sequence[int], _: int, depth: int) -> list[Block]:
        inside = self.build(regions, depth)
        shown = [block for block in inside if block.kind == "figure"]
        if len(shown) < 2:
            return inside
        first = inside.index(shown[0])
        others = [block for block in inside if block.kind != "figure"]
        return [*others[:first], self._joined_figure(shown), *others[first:]]

    def _merged_figures(self, blocks: Sequence[Block]) -> list[Block]:
        """Return blocks in which each image and the caption beside it are one figure.

        A caption joins the image before it, or, if no image precedes it, the next one.
        """
        groups: list[list[Block]] = []
        has_image = False
        for block in blocks:
            is_figure = block.kind == "figure" and bool(groups) and groups[-1][-1].kind == "figure"
            if is_figure and (not block.images if has_image else not block.line):
                groups[-1].append(block)
            else:
                groups.append([block])
                has_image = False
            has_image |= bool(block.images)
        return [group[0] if len(group) == 1 else self._joined_figure(group) for group in groups]

    def _joined_figure(self, figures: Sequence[Block]) -> Block:
        """Return several figures as one, with their captions in one line."""
        line: list[Inline] = []
        for first, *others in (figure.line for figure in figures if figure.line):
            line += [replace(first, is_joined=not line), *others]
        return self._block(
            "figure",
            [i for figure in figures for i in figure.regions],
            line=tuple(line),
            images=tuple(image for figure in figures for image in figure.images),
        )

    def _with_rules(self, blocks: Sequence[Block]) -> list[Block]:
        """Return blocks with the rules (``hr``) between them."""
        kept = list(blocks[:1])
        for before, block in pairwise(blocks):
            if before.regions and block.regions and self._are_ruled(before, block):
                kept.append(Block("rule"))
            kept.append(block)
        return kept

    def _are_ruled(self, before: Block, block: Block) -> bool:
        """Return whether a rule is between two blocks.

        A page counts two breaks for it, and it is the only element between those of the blocks.
        """
        first, last = before.regions[-1], block.regions[0]
        n_breaks = int(self.page.breaks[first + 1 : last + 1].sum())
        if n_breaks < 2 or any(self.page.text[first + 1 : last]):
            return False
        elements = self.page.elements
        left, right = ([*elements.ancestors(self._element(i))] for i in (first, last))
        shared = set(left) & set(right)
        inner = [next((n for n in reversed(path) if n not in shared), -1) for path in (left, right)]
        if min(inner) < 0:
            return False
        return int(elements.position[inner[1]] - elements.position[inner[0]]) == 2

    def _leaves(self, regions: Sequence[int]) -> list[Block]:
        """Return paragraphs, headings, formulas and figures."""
        return [block for run in self.lines.runs(regions) for block in self._leaf(run)]

    def _leaf(self, regions: Sequence[int]) -> list[Block]:
        """Return the paragraph of one block of the page, and the figures around it, in order."""
        text = [i for i in regions if self._is_text(i)]
        if not text:
            return list(self._figures(regions))
        before = [i for i in regions if i < text[0]]
        behind = [
            i for i in regions if i > text[0] and not self._is_text(i)
            and (i > text[-1] or self.page.text[i])
        ]  # fmt: skip
        inside = [i for i in regions if i not in before and i not in behind]
        return [*self._figures(before), self._paragraph(inside), *self._figures(behind)]

    def _figures(self, regions: Sequence[int]) -> Iterator[Block]:
        """Yield one figure per medium, and one per run of caption texts between media."""
        for is_caption, run in groupby(regions, key=lambda i: self.page.text[i] != ""):
            inside = list(run)
            if is_caption:
                yield self._block("figure", inside, line=self.lines.read(inside))
                continue
            for i in inside:
                image = image_of(self.page, i)
                yield self._block("figure", [i], images=() if image is None else (image,))

    def _is_text(self, i: int) -> bool:
        """Return whether a region is text or a formula of the body, not a medium or a caption."""
        return self.is_body[i] and (self.page.text[i] != "" or self.lines.is_formula(i))

    def _paragraph(self, regions: Sequence[int]) -> Block:
        line = self.lines.read(regions)
        level = self._level([i for i in regions if self.page.text[i]])
        kind: BlockKind = "heading" if level else "paragraph"
        if not level and [inline.kind for inline in line] == ["formula"]:
            kind = "formula"
        return self._block(kind, regions, line=line, level=level)

    def _level(self, regions: Sequence[int]) -> int:
        """Return the level of a heading; 0 for other text."""
        level = min((self.levels[i] for i in regions), default=0)
        is_subtitle = bool(regions) and all(self.labels[i] == "Subtitle" for i in regions)
        if not level and not is_subtitle:
            return 0
        text = " ".join(self.page.text[i] for i in regions)
        if level and len(text) <= _MOST_OF_A_HEADING:
            return level
        is_short = len(text) <= _MOST_OF_A_SUBTITLE and not text.endswith(_SENTENCE_ENDS)
        return 2 * (is_subtitle and is_short)

    def _block(self, kind: BlockKind, regions: Sequence[int], **fields: Any) -> Block:
        return Block(
            kind,
            regions=tuple(regions),
            xpath=self.page.xpath[regions[0]],
            spans=tuple(span for i in regions if (span := self.places[i]) is not None),
            box=box_around(self.page, regions),
            confidence=min(self.confidence[i] for i in regions),
            **fields,
        )


def _integer(text: str | None) -> int | None:
    """Return the whole number that an attribute states; None for anything else."""
    digits = (text or "").strip()
    number = whole_number(digits.removeprefix("-")) if len(digits) < 10 else None
    return -number if number and digits.startswith("-") else number
