"""Structure of a body: the regions chosen as the body are assembled into a tree of blocks.

The blocks follow the structure of the page. Each region is in exactly one of them, except the line
numbers beside code.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any

import msgspec
import numpy as np
from msgspec.structs import replace

from structce.arrays import Flags, Floats
from structce.article.blocks import (
    Block,
    BlockKind,
    Cell,
    Image,
    Inline,
    Line,
    ListItem,
    joined_lines,
)
from structce.article.code import code_language, code_lines, is_beside_code, line_numbers
from structce.article.containers import Chain, ContainerKind, containers_around
from structce.article.formulas import formulas_of
from structce.article.images import image_of
from structce.article.lines import MARKED, Footnotes, LineReader, read_footnotes
from structce.article.regions import all_spans, box_around
from structce.features import dom_tree
from structce.numbers import whole_number
from structce.page import Page

_MOST_OF_A_HEADING = 250  # characters; longer text is a paragraph in large letters
_MOST_OF_A_SUBTITLE = 120  # characters of a heading that is one only by its label
_MOST_CELLS = 1_000  # of a row, empty ones included
_MOST_SPANNED = 100  # columns or rows that a cell may take
_SENTENCE_ENDS = (".", "!", "…", "。", "！", ";", ":", ",")
_NO_CONTAINER = "", -1
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
    chosen: set[int] = {*np.flatnonzero(is_chosen).tolist()}
    media = [i for i, label in enumerate(labels) if label == "Multimedia"]
    captions = [i for i in _captions(page, labels, media) if page.text[i]]
    regions = sorted({*chosen, *captions, *(i for i in media if not page.text[i])})
    chains, levels = containers_around(page, regions, footnotes.names)
    places = zip(regions, all_spans(page, regions), strict=True)
    spans = {i: () if span is None else (span,) for i, span in places}
    lines, sure = LineReader(page, regions, footnotes, spans), confidence.tolist()
    is_text = {i: i in chosen and (page.text[i] != "" or lines.is_formula(i)) for i in regions}
    builder = _BlockBuilder(page, lines, footnotes, is_text, labels, sure, chains, levels)
    return tuple(builder.build(regions, 0))


def _captions(page: Page, labels: Sequence[str], media: Sequence[int]) -> Iterator[int]:
    """Yield the regions of captions: whole lines, and captions of figures."""
    elements, blocks = page.elements, page.blocks
    if "Caption" in labels:
        captions = [i for i, label in enumerate(labels) if label == "Caption"]
        yield from captions
        in_line = np.bincount(blocks[captions], minlength=blocks[-1] + 1)[blocks] > 0
        yield from (i for i in np.flatnonzero(in_line).tolist() if page.tag[i] in MARKED)
    named = dom_tree.elements_called(page).get("figcaption", ()) if media else ()
    if named:
        around = {n for i in media for n in elements.ancestors(int(page.element[i]))}
        figures = {n for n in around if elements.tag[n] == "figure"}
        of_figures = [n for n in named if figures.intersection(elements.ancestors(n))]
        yield from np.flatnonzero(dom_tree.inside_any(page, of_figures)).tolist()


def _with_formula_images(page: Page, is_body: Flags) -> Flags:
    """Return the regions of a body with the formulas that are images between its texts."""
    chosen, blocks, elements = is_body.copy(), page.blocks, dom_tree.holders(page)
    formulas = formulas_of(page)
    if not formulas:  # most often
        return chosen
    with_text = [i for i, text in enumerate(page.text) if text]
    for i in (i for i, n in enumerate(elements) if n in formulas and page.tag[i] == "img"):
        at = bisect_left(with_text, i)
        beside = with_text[max(at - 1, 0) : at + 1]
        same = [n for n in beside if blocks[n] == blocks[i]]
        chosen[i] = bool(beside) and all(is_body[n] for n in same or beside)
    return chosen


def body_text(blocks: Sequence[Block]) -> str:
    """Return the text of blocks: one line per paragraph, heading, list item or table row.

    A break ends a line, and code keeps its lines. Cells of a row are separated by tabs; captions of
    figures are left out.
    """
    return "\n".join([line for block in blocks for line in block.lines])


class _BlockBuilder(msgspec.Struct):
    page: Page
    lines: LineReader
    footnotes: Footnotes
    is_text: Mapping[int, bool]  # whether a region is text or a formula of the body
    labels: Sequence[str]
    confidence: Sequence[float]
    chains: Mapping[int, Chain]
    levels: Mapping[int, int]

    def build(self, regions: Sequence[int], depth: int) -> list[Block]:
        """Return the blocks of regions that share the containers above a depth."""
        blocks: list[Block] = []
        for kind, element, inside in self._by_container(regions, depth):
            match kind:
                case "list":
                    blocks.append(self._list(inside, element, depth + 1))
                case "table":
                    blocks += self._table(inside, depth + 1)
                case "quote":
                    inner = tuple(self.build(inside, depth + 1))
                    blocks.append(self._block("quote", inside, blocks=inner))
                case "code":
                    blocks += self._code(inside, element)
                case "figure":
                    blocks += self._figure(self.build(inside, depth + 1))
                case "note":
                    blocks.append(self._note(inside, element, depth + 1))
                case "":
                    blocks += self._paragraphs(inside)
                case _:  # a list item or table part outside a list or table
                    blocks += self.build(inside, depth + 1)
        return self._with_rules(self._merged_figures(blocks))

    def _by_container(
        self, regions: Sequence[int], depth: int
    ) -> list[tuple[ContainerKind | str, int, list[int]]]:
        runs: list[tuple[ContainerKind | str, int, list[int]]] = []
        before, chains = None, self.chains
        for i in regions:
            container = chains[i][depth] if depth < len(chains[i]) else _NO_CONTAINER
            if container != before:
                run: list[int] = []
                runs.append((*container, run))
                before = container
            run.append(i)
        return runs

    def _list(self, regions: Sequence[int], element: int, depth: int) -> Block:
        elements, runs = self.page.elements, self._by_container(regions, depth)
        items: list[ListItem] = []
        for kind, child, run in runs:
            blocks = tuple(self.build(run, depth + (kind == "item")))
            if kind == "list" and items:  # right below the list, it belongs to the item before
                items[-1] = replace(items[-1], blocks=(*items[-1].blocks, *blocks))
                continue
            checked = elements.attributes[child].get("aria-checked", "") if child >= 0 else ""
            is_term = child >= 0 and elements.tag[child] == "dt"
            items.append(ListItem(blocks, _CHECKED.get(checked), is_term=is_term))
        tag, terms = elements.tag[element], [item for item in items if item.is_term]
        is_named = all(body_text(item.blocks).strip() for item in terms)
        if tag == "dl" and items[0].is_term and is_named and len(items) > 1:
            return self._block("definitions", regions, items=tuple(items))
        plain = tuple([replace(item, is_term=False) if item.is_term else item for item in items])
        if tag != "ol":
            return self._block("list", regions, items=plain)
        start = self._first_number(element, runs[0][1])
        return self._block("list", regions, items=plain, is_ordered=True, start=start)

    def _first_number(self, element: int, item: int) -> int:
        """Return the number of the first item of an ordered list that is in the body."""
        elements = self.page.elements
        own = elements.attributes[item].get("value") if item >= 0 else None
        if (stated := _integer(own)) is not None:
            return stated
        first = _integer(elements.attributes[element].get("start"))
        is_right_below = item >= 0 and elements.parent[item] == element
        passed = int(elements.position[item]) if is_right_below else 0
        return (1 if first is None else first) + passed

    def _table(self, regions: Sequence[int], depth: int) -> list[Block]:
        runs = [run for kind, _, run in self._by_container(regions, depth) if kind == "row"]
        inside = [i for run in runs for i in run]
        if not any(map(self.is_text.__getitem__, inside)):
            return self._paragraphs(regions)
        tags, ancestors, in_rows = self.page.elements.tag, self.page.elements.ancestors, {*inside}
        outside = [i for i in regions if i not in in_rows]
        captions = [
            i
            for i in outside
            if self.is_text[i]
            and any(tags[n] == "caption" for n in ancestors(dom_tree.holders(self.page)[i]))
        ]
        others = [i for i in outside if i not in captions]
        rows = tuple([self._row(run, depth + 1) for run in runs])
        caption = joined_lines(map(self.lines.read, self.lines.runs(captions)))
        table = self._block("table", [*captions, *inside], rows=rows, line=caption)
        return [*self._paragraphs(others), table]

    def _row(self, regions: Sequence[int], depth: int) -> tuple[Cell, ...]:
        """Return the cells of a row; those without a region of the body are empty."""
        elements = self.page.elements
        has_heads = "thead" in dom_tree.elements_called(self.page)
        row: list[Cell] = []
        for kind, element, inside in self._by_container(regions, depth):
            if kind != "cell":  # text in a row outside its cells, which HTML does not allow
                row.append(Cell(tuple(self.build(inside, depth))))
                continue
            row += [Cell()] * (min(int(elements.position[element]), _MOST_CELLS) - len(row))
            attributes = elements.attributes[element]
            n_columns, n_rows = (
                min(max(_integer(attributes.get(name)) or 1, 1), _MOST_SPANNED)
                for name in ("colspan", "rowspan")
            )
            tags = {elements.tag[n] for n in elements.ancestors(element)} if has_heads else ()
            is_header = elements.tag[element] == "th" or "thead" in tags
            blocks = tuple(self.build(inside, depth + 1))
            row.append(Cell(blocks, is_header, n_columns, n_rows))
        n_cells = min(int(elements.n_siblings[element]), _MOST_CELLS) if element >= 0 else 0
        return (*row, *[Cell()] * (n_cells - len(row)))

    def _note(self, regions: Sequence[int], element: int, depth: int) -> Block:
        others = [i for i in regions if not self._leads_back(i)]
        blocks = tuple(self.build(others, depth))
        return self._block("footnote", regions, blocks=blocks, name=self.footnotes.names[element])

    def _leads_back(self, i: int) -> bool:
        """Return whether a region of a footnote is a short link to a place of the page."""
        above = self.page.elements.ancestors(dom_tree.holders(self.page)[i])
        addresses = (self.page.elements.attributes[n].get("href", "") for n in above)
        is_short = len(self.page.text[i].strip("[]()^ ")) < 5
        return is_short and next(filter(None, addresses), "").startswith("#")

    def _code(self, regions: Sequence[int], element: int) -> list[Block]:
        text = [i for i in regions if self.is_text[i]]
        others = [i for i in regions if not self.is_text[i]]
        code = [i for i in text if not is_beside_code(self.page, i)]
        numbers = line_numbers(self.page, code, element)
        code = [i for i in code if i not in numbers]
        if not (lines := code_lines(self.page, code, element)):
            return self._paragraphs(others)
        xpath, spans = self.page.xpath[code[0]], self.lines.spans_of(code)
        line = (Inline("code", lines, regions=tuple(code), xpath=xpath, spans=spans),)
        name = code_language(self.page, code[0], element)
        return [self._block("code", text, line=line, name=name), *self._paragraphs(others)]

    def _figure(self, blocks: list[Block]) -> list[Block]:
        """Return the blocks of a figure with all images and captions in one."""
        figures = [block for block in blocks if block.kind == "figure"]
        if len(figures) < 2:
            return blocks
        others, first = [b for b in blocks if b.kind != "figure"], blocks.index(figures[0])
        return [*others[:first], self._joined_figure(figures), *others[first:]]

    def _merged_figures(self, blocks: list[Block]) -> list[Block]:
        """Return blocks in which each image and the caption beside it are one figure."""
        if "figure" not in [block.kind for block in blocks]:  # most often
            return blocks
        groups: list[list[Block]] = []
        has_image = False
        for block in blocks:
            is_figure = block.kind == "figure" and bool(groups) and groups[-1][-1].kind == "figure"
            # Images once more are those for pages without scripts.
            shown = {image.address for own in groups[-1] for image in own.images} if groups else ()
            is_again = (
                is_figure and block.images and all(own.address in shown for own in block.images)
            )
            if is_again or (is_figure and (not block.images if has_image else not block.line)):
                groups[-1].append(block)
            else:
                groups.append([block])
                has_image = False
            has_image |= bool(block.images)
        return [group[0] if len(group) == 1 else self._joined_figure(group) for group in groups]

    def _joined_figure(self, figures: Sequence[Block]) -> Block:
        line: list[Inline] = []
        images: dict[str, Image] = {}
        for image in (image for figure in figures for image in figure.images):
            images.setdefault(image.address, image)
        for first, *others in (figure.line for figure in figures if figure.line):
            line += [first._replace(is_joined=not line), *others]
        regions, shown = [i for figure in figures for i in figure.regions], tuple(images.values())
        return self._block("figure", regions, line=tuple(line), images=shown)

    def _with_rules(self, blocks: Sequence[Block]) -> list[Block]:
        """Return blocks with the rules (``hr``) between them."""
        if len(blocks) < 2 or self.lines.n_breaks[-1] < 2:
            return [*blocks]
        kept = list(blocks[:1])
        for before, block in pairwise(blocks):
            kept += [Block("rule")] if self._has_rule(before.regions, block.regions) else []
            kept.append(block)
        return kept

    def _has_rule(self, before: Sequence[int], behind: Sequence[int]) -> bool:
        """Return whether a rule is between the regions of two blocks.

        A page counts two breaks for one, and it is the only element between those of the blocks.
        """
        if not before or not behind:
            return False
        first, last, elements = before[-1], behind[0], self.page.elements
        n_breaks = self.lines.n_breaks[last] - self.lines.n_breaks[first]
        if n_breaks < 2 or any(self.page.text[first + 1 : last]):
            return False
        left, right = ([*elements.ancestors(dom_tree.holders(self.page)[i])] for i in (first, last))
        shared = {*left} & {*right}
        inner = [[n for n in path if n not in shared][-1:] for path in (left, right)]
        ends = [int(elements.position[n]) for path in inner for n in path]
        return len(ends) == 2 and ends[1] - ends[0] == 2

    def _paragraphs(self, regions: Sequence[int]) -> list[Block]:
        """Return the paragraph of each block of the page, and the figures around it, in order."""
        blocks: list[Block] = []
        for run in self.lines.runs(regions):
            if all(map(self.is_text.__getitem__, run)):
                blocks.append(self._paragraph(run))
                continue
            texts = [i for i in run if self.is_text[i]]
            first, last = (texts[0], texts[-1]) if texts else (len(self.page), -1)
            others = [i for i in run if not self.is_text[i]]
            before = [i for i in others if i < first]
            behind = [i for i in others if i > first and (i > last or self.page.text[i])]
            inside = [i for i in run if i not in before and i not in behind]
            blocks += [*self._figures(before), *([self._paragraph(inside)] if inside else [])]
            blocks += self._figures(behind)
        return blocks

    def _paragraph(self, regions: Sequence[int]) -> Block:
        line = self.lines.read(regions)
        is_formula = len(line) == 1 and line[0].kind == "formula"
        level = self._level(regions, is_formula=is_formula)
        kind: BlockKind = "heading" if level else "formula" if is_formula else "paragraph"
        return self._block(kind, regions, line, level)

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

    def _level(self, regions: Sequence[int], *, is_formula: bool) -> int:
        texts = [i for i in regions if self.page.text[i]]
        if not texts or not (self.levels[texts[0]] or self.labels[texts[0]] == "Subtitle"):
            return 0  # most often
        level = min(map(self.levels.__getitem__, texts))
        is_subtitle = not is_formula and {*map(self.labels.__getitem__, texts)} == {"Subtitle"}
        if not level and not is_subtitle:
            return 0
        text = " ".join([self.page.text[i] for i in texts])
        if level and len(text) <= _MOST_OF_A_HEADING:
            return level
        is_short = len(text) <= _MOST_OF_A_SUBTITLE and not text.endswith(_SENTENCE_ENDS)
        return 2 * (is_subtitle and is_short)

    def _block(
        self,
        kind: BlockKind,
        regions: Sequence[int],
        line: Line = (),
        level: int = 0,
        **fields: Any,
    ) -> Block:
        xpath, spans = self.page.xpath[regions[0]], self.lines.spans_of(regions)
        box, sure = box_around(self.page, regions), min(map(self.confidence.__getitem__, regions))
        return Block(kind, line, tuple(regions), xpath, spans, box, sure, level, **fields)


def _integer(text: str | None) -> int | None:
    digits = (text or "").strip()
    number = whole_number(digits.removeprefix("-")) if len(digits) < 10 else None
    return -number if number and digits.startswith("-") else number
