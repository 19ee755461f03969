"""Structure of a body: paragraphs, headings, lists, tables, quotes, code and figures.

The regions chosen as the body are assembled into blocks that follow the structure of the page.
Each of them is in exactly one block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any

from structce.arrays import Flags, Floats
from structce.article.containers import Chain, ContainerKind, containers_around, heading_levels
from structce.article.images import image_of
from structce.article.joining import join_regions
from structce.article.links import links_in, regions_of_links
from structce.article.places import all_spans, box_around
from structce.article.values import Block, BlockKind, Cell, Link, ListItem, Span
from structce.page import Page

_MOST_OF_A_HEADING = 250  # characters; longer text is a paragraph in large letters
_MOST_OF_A_SUBTITLE = 120  # characters of a heading that is one only by its label
_MOST_CELLS = 1_000  # of a row, empty ones included
_MOST_SPANNED = 100  # columns or rows that a cell may take
_SENTENCE_ENDS = (".", "!", "…", "。", "！", ";", ":", ",")


def body_blocks(
    page: Page, is_body: Flags, labels: Sequence[str], confidence: Floats
) -> tuple[Block, ...]:
    """Return the blocks of a body in reading order; empty if no region is chosen.

    Parameters
    ----------
    is_body : shape (n_regions,)
        Regions of the body. Media labelled ``Multimedia`` and texts labelled ``Caption`` become
        figures in any case; a caption that is chosen is body text.
    labels
        One label per region; ``Subtitle`` makes a short line a heading, whatever its element.
    confidence : shape (n_regions,)
        Probability that each region belongs to the body, in [0, 1].
    """
    chosen: list[bool] = is_body.tolist()
    regions = [
        i
        for i, (is_chosen, label, text) in enumerate(zip(chosen, labels, page.text, strict=True))
        if is_chosen or (label == "Multimedia" and not text) or (label == "Caption" and text)
    ]
    levels = heading_levels(page, regions)
    chains = containers_around(page, regions, levels)
    places = dict(zip(regions, all_spans(page, regions), strict=True))
    sure, parts = confidence.tolist(), page.blocks.tolist()
    assembly = _Assembly(page, parts, chosen, labels, sure, chains, levels, places)
    return tuple(assembly.build(regions, 0))


def body_text(blocks: Sequence[Block]) -> str:
    """Return the text of blocks: one line per paragraph, heading, list item or table row.

    Cells of a row are separated by tabs; captions of figures are left out.
    """
    return "\n".join(line for block in blocks for line in block.lines)


@dataclass
class _Assembly:
    """Assembly of a body's blocks from its regions."""

    page: Page
    blocks: Sequence[int]
    is_body: Sequence[bool]
    labels: Sequence[str]
    confidence: Sequence[float]
    chains: Mapping[int, Chain]
    levels: Mapping[int, int]
    places: Mapping[int, Span | None]

    @cached_property
    def _link_around(self) -> Sequence[int]:
        return regions_of_links(self.page)

    def _links(self, regions: Sequence[int], line: str) -> tuple[Link, ...]:
        return links_in(self.page, regions, line, self._link_around)

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
        return self._merged_figures(blocks)

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
        }

    def _list(self, regions: Sequence[int], element: int, depth: int) -> list[Block]:
        is_ordered = self.page.elements.tag[element] == "ol"
        groups: list[list[int]] = []
        before = ("", -1)
        for i in regions:
            item = self._container(i, depth)
            if not groups or (item != before and not self._is_answer(before[1], item[1])):
                groups.append([])
            groups[-1].append(i)
            before = item
        items = [ListItem(tuple(self._item(group, depth))) for group in groups]
        first = self._container(groups[0][0], depth)[1]
        start = self._first_number(element, first) if is_ordered else 1
        return [
            self._block("list", regions, items=tuple(items), is_ordered=is_ordered, start=start)
        ]

    def _item(self, regions: Sequence[int], depth: int) -> list[Block]:
        blocks = []
        for (kind, _), run in groupby(regions, key=lambda i: self._container(i, depth)):
            blocks += self.build(list(run), depth + (kind == "item"))
        return blocks

    def _is_answer(self, before: int, item: int) -> bool:
        """Return whether an item continues the one before: ``dd`` after ``dt`` or ``dd``."""
        tag = self.page.elements.tag
        return before >= 0 and item >= 0 and tag[item] == "dd" and tag[before] in ("dt", "dd")

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
        cells = [i for i in regions if in_rows[i] and self._is_text(i)]
        before = [i for i in regions if not in_rows[i]]  # such as the caption of the table
        behind = [i for i in regions if in_rows[i] and not self._is_text(i)]
        rows = [
            self._row(list(run), depth + 1)
            for _, run in groupby(cells, key=lambda i: self._container(i, depth))
        ]
        table = [self._block("table", cells, rows=tuple(rows))] if cells else []
        return [*self._leaves(before), *table, *self._leaves(behind)]

    def _row(self, regions: Sequence[int], depth: int) -> tuple[Cell, ...]:
        """Return the cells of a row; those without a region of the body are empty."""
        elements = self.page.elements
        row: list[Cell] = []
        for (kind, cell), run in groupby(regions, key=lambda i: self._container(i, depth)):
            inside = list(run)
            text = self._line(inside)
            links = self._links(inside, text)
            if kind != "cell":  # text in a row outside its cells, which HTML does not allow
                row.append(Cell(text, links=links))
                continue
            n_empty = min(int(elements.position[cell]), _MOST_CELLS) - len(row)
            row += [Cell("")] * n_empty
            row.append(self._cell(text, cell, links))
        last = self._container(regions[-1], depth)[1]
        n_cells = min(int(elements.n_siblings[last]), _MOST_CELLS) if last >= 0 else 0
        return (*row, *[Cell("")] * (n_cells - len(row)))

    def _cell(self, text: str, element: int, links: tuple[Link, ...]) -> Cell:
        elements = self.page.elements
        stated = elements.attributes[element]
        above = {elements.tag[n] for n in elements.ancestors(element)}
        is_header = elements.tag[element] == "th" or "thead" in above
        n_columns, n_rows = (
            min(max(_integer(stated.get(name)) or 1, 1), _MOST_SPANNED)
            for name in ("colspan", "rowspan")
        )
        return Cell(text, is_header, n_columns, n_rows, links)

    def _line(self, regions: Sequence[int]) -> str:
        """Return the texts of the blocks of some regions in one line."""
        runs = groupby(regions, key=self.blocks.__getitem__)
        return " ".join(join_regions(self.page, list(run)) for _, run in runs)

    def _quote(self, regions: Sequence[int], _: int, depth: int) -> list[Block]:
        return [self._block("quote", regions, blocks=tuple(self.build(regions, depth)))]

    def _code(self, regions: Sequence[int], _: int, __: int) -> list[Block]:
        known = self.page.preformatted
        text = [i for i in regions if self._is_text(i)]
        others = [i for i in regions if not self._is_text(i)]
        if not text:
            return self._leaves(others)
        written = "".join(known.get(i, f"\n{self.page.text[i]}") for i in text)
        lines = "\n".join(line.rstrip() for line in written.splitlines()).strip("\n")
        return [self._block("code", text, content=lines), *self._leaves(others)]

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
            if is_figure and (not block.images if has_image else not block.content):
                groups[-1].append(block)
            else:
                groups.append([block])
                has_image = False
            has_image |= bool(block.images)
        return [group[0] if len(group) == 1 else self._joined_figure(group) for group in groups]

    def _joined_figure(self, figures: Sequence[Block]) -> Block:
        """Return several figures as one, with their captions in one line."""
        return self._block(
            "figure",
            [i for figure in figures for i in figure.regions],
            content=" ".join(figure.content for figure in figures if figure.content),
            images=tuple(image for figure in figures for image in figure.images),
        )

    def _leaves(self, regions: Sequence[int]) -> list[Block]:
        """Return paragraphs, headings and figures."""
        blocks: list[Block] = []
        for _, run in groupby(regions, key=self.blocks.__getitem__):
            blocks += self._leaf(list(run))
        return blocks

    def _leaf(self, regions: Sequence[int]) -> list[Block]:
        """Return the paragraph of one block of the page, and the figures in it, in order."""
        text = [i for i in regions if self._is_text(i)]
        if not text:
            return list(self._figures(regions))
        if len(text) == len(regions):
            return [self._paragraph(text)]
        before = [i for i in regions if i < text[0]]
        behind = [i for i in regions if i > text[0] and not self._is_text(i)]
        return [*self._figures(before), self._paragraph(text), *self._figures(behind)]

    def _figures(self, regions: Sequence[int]) -> Iterator[Block]:
        """Yield one figure per medium, and one per run of caption texts between media."""
        for is_caption, run in groupby(regions, key=lambda i: self.page.text[i] != ""):
            inside = list(run)
            if is_caption:
                yield self._block("figure", inside, content=join_regions(self.page, inside))
                continue
            for i in inside:
                image = image_of(self.page, i)
                yield self._block("figure", [i], images=() if image is None else (image,))

    def _is_text(self, i: int) -> bool:
        """Return whether a region is text of the body, not a medium or a caption."""
        return self.is_body[i] and self.page.text[i] != ""

    def _paragraph(self, regions: Sequence[int]) -> Block:
        line = join_regions(self.page, regions)
        level = 0
        if len(line) <= _MOST_OF_A_HEADING:
            level = min(self.levels[i] for i in regions)
        if (
            not level
            and len(line) <= _MOST_OF_A_SUBTITLE
            and not line.endswith(_SENTENCE_ENDS)
            and all(self.labels[i] == "Subtitle" for i in regions)
        ):
            level = 2
        kind: BlockKind = "heading" if level else "paragraph"
        links = self._links(regions, line)
        return self._block(kind, regions, content=line, level=level, links=links)

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
    is_number = digits.removeprefix("-").isdecimal() and len(digits) < 10
    return int(digits) if is_number else None
