"""From a tree of elements to the columns of its regions: what shows, in which order, and where.

A walk follows the tree as it shows: a shadow tree instead of its host's children, a child of a
host where a slot shows it, the document in a frame instead of the frame.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from lxml import etree

from structce.page import MEDIA
from structce.rendering import html
from structce.rendering.base import BODY, MAX_FRAMES, too_many_regions
from structce.rendering.columns import Columns
from structce.rendering.settings import Settings
from structce.rendering.static.look import SHAPES, USUAL, Look, look_of
from structce.rendering.static.shadow import first_slots, take_shadows
from structce.rendering.static.text import WHITE, one_line
from structce.rendering.static.tree import parse_inner
from structce.rendering.static.unveil import veils

_BREAKS = {"br": 1, "hr": 2}


@dataclass(slots=True, eq=False)
class _Frame:
    """An open element of the walk; a document, and the root of a shadow tree, have no tag."""

    node: etree._Element | None
    tag: str
    number: int  # among the siblings of its tag, from 1
    above: _Frame | None  # the parent element, which for what a slot shows is not the slot
    look: Look
    attributes: Mapping[str, str]
    position: int
    index: int = -1  # row in the element columns, once a region below is met
    n_elements: int = 0
    n_before: int = -1  # regions before a medium that may turn out to hold some
    known_path: str = ""

    @property
    def path(self) -> str:
        """Address, put together when it is first asked for: most elements hold no region."""
        unnamed: list[_Frame] = []
        frame: _Frame | None = self
        while frame is not None and not frame.known_path and frame.tag:
            unnamed.append(frame)
            frame = frame.above
        path = "" if frame is None else frame.known_path
        for one in reversed(unnamed):
            path = one.known_path = f"{path}/{one.tag}[{one.number}]"
        return path


# Parent; node, or None for a text; the text or the tag, empty for a comment; number among those of
# its kind, from 1; place among the elements, from 0.
_Child = tuple[_Frame, etree._Element | None, str, int, int]


def read_columns(root: etree._Element, name: str, settings: Settings) -> Columns:
    """Return the columns of the regions of a tree, which is changed where it has shadow trees.

    Parameters
    ----------
    name
        How messages call the page.

    Raises
    ------
    RenderError
        If there are more regions than the limit allows, or a frame's document nests too deeply.
    """
    walk = _Walk(name, settings)
    columns = walk.run(root)
    # A shadow tree is taken out of the tree by the first walk, so there is no second.
    shown = frozenset() if walk.shadows else veils(root, walk.hidden)
    return _Walk(name, settings, shown).run(root) if shown else columns


class _Walk:
    """One walk over a document, from its root to the columns of its regions.

    Parameters
    ----------
    shown
        Elements that show whatever their attributes say.
    """

    def __init__(
        self, name: str, settings: Settings, shown: frozenset[etree._Element] = frozenset()
    ) -> None:
        self.name = name
        self.scripts = settings.scripts
        self.unseen = html.UNSEEN | {"noscript"} if settings.scripts else html.UNSEEN
        self.limit = settings.limits.regions
        self.columns = Columns()
        self.rows: list[_Frame] = []  # of the element columns
        self.shadows: dict[etree._Element, etree._Element] = {}
        self.slotted: dict[etree._Element, list[_Child]] = {}
        self.candidates: dict[etree._Element, str] = {}  # of picture elements
        self.shown = shown
        self.hidden: list[etree._Element] = []  # by attributes
        self.breaks = 0

    def run(self, root: etree._Element) -> Columns:
        page = _Frame(None, "", 0, None, USUAL, {}, 0)
        stack = [(page, self._document(page, root))]
        while stack:
            frame, children = stack[-1]
            child = next(children, None)
            if child is None:
                stack.pop()
                self._leave(frame)
            elif child[1] is None or not child[2]:
                self._read(child, frame.look)
            elif below := self._open(child, frame.look):
                stack.append((below, self._below(below)))
        self._add_elements()
        return self.columns

    def _read(self, child: _Child, look: Look) -> None:
        """Take a text or a comment."""
        parent, node, text, number, _ = child
        if node is not None:
            if not look.in_medium and parent.path.startswith(BODY):
                self.columns.add_comment(node.text or "")
        elif text and (look is USUAL or look.shows_text) and (line := one_line(text)):
            self._add(line, parent, f"{parent.path}/text()[{number}]")

    def _open(self, child: _Child, around: Look) -> _Frame | None:
        """Enter an element; return its frame where something below it may show."""
        parent, node, tag, number, position = child
        if tag in _BREAKS:
            self.breaks += _BREAKS[tag]
        if tag in self.unseen or node is None:
            return None
        attributes: dict[str, str] = dict(node.items())  # type: ignore[arg-type]  # never bytes
        veil = {} if self.shown and node in self.shown else attributes
        look = look_of(around, tag, number, veil)
        if look is not USUAL and (look is None or not look.shows_text):
            self.hidden.append(node)
        if look is None:
            return None
        if tag == "img" and parent.tag == "picture" and parent.node is not None:
            attributes["srcset"] = self._candidates(parent.node)
        frame = _Frame(node, tag, number, parent, look, attributes, position)
        if tag in MEDIA and around.svg != SHAPES:
            return self._medium(frame)
        # Half of all elements hold one text or nothing: a shorter way, worth a tenth of the time.
        if len(node) or self.shadows:
            return frame
        if text := (node.text or "").strip(WHITE):
            self._read((frame, None, text, 1, -1), look)
        return None

    def _medium(self, frame: _Frame) -> _Frame | None:
        """Return the frame of a medium that may hold regions; add any other as a region."""
        if html.is_point(frame.tag, frame.attributes):
            return None
        frame.n_before = len(self.columns.text)
        if frame.tag == "svg" and _has_letters(frame.node):
            return frame
        if html.is_walked(frame.tag, frame.attributes) and not frame.look.invisible:
            return frame
        self._leave(frame)
        return None

    def _leave(self, frame: _Frame) -> None:
        """Add a medium as a region where nothing that it holds is one."""
        if frame.n_before != len(self.columns.text) or frame.look.invisible:
            return
        # A transparent image may wait for a script to fade it in.
        if not (frame.look.transparent and self.scripts):
            self._add("", frame, frame.path)

    def _below(self, frame: _Frame) -> Iterator[_Child]:
        """Return what shows in place of an element, in order."""
        node = frame.node
        if node is None:
            return iter(())
        if node in self.shadows:
            return self._shadow(frame, self.shadows[node])
        if node in self.slotted:
            return iter(self.slotted[node])
        if frame.tag == "iframe":
            return self._inner_document(frame)
        return _children(frame, node)

    def _document(self, frame: _Frame, root: etree._Element) -> Iterator[_Child]:
        self.shadows.update(take_shadows(root))
        frame.n_elements = 1
        return iter([(frame, root, str(root.tag), 1, 0)])

    def _inner_document(self, frame: _Frame) -> Iterator[_Child]:
        if frame.look.n_frames >= MAX_FRAMES:
            return iter(())
        html = frame.attributes["srcdoc"].encode("utf-8", errors="replace")
        root = parse_inner(html, self.name)
        n_frames = frame.look.n_frames + 1
        frame.look = replace(frame.look, n_frames=n_frames, in_medium=True)
        return self._document(_root(frame, frame.path), root)

    def _shadow(self, host: _Frame, shadow: etree._Element) -> Iterator[_Child]:
        """Return what a shadow tree holds, after giving the host's children to its slots."""
        slots = first_slots(shadow)
        if host.node is not None:
            for child in _children(host, host.node, blank=True):
                name = "" if child[1] is None else child[1].get("slot") or ""
                # Comments have no slot.
                if name in slots and (child[1] is None or child[2]):
                    self.slotted.setdefault(slots[name], []).append(child)
        return _children(_root(host, f"{host.path}/template[1]"), shadow)

    def _candidates(self, picture: etree._Element) -> str:
        """Return the addresses of a picture element's images and sources."""
        if picture not in self.candidates:
            nodes = picture.iter("img", "source")
            values = (node.get("srcset") or node.get("data-srcset") for node in nodes)
            self.candidates[picture] = ", ".join(value for value in values if value)
        return self.candidates[picture]

    def _add(self, text: str, frame: _Frame, xpath: str) -> None:
        self.columns.add_region(text, self._row(frame), xpath, self.breaks)
        self.breaks = 0
        if len(self.columns.text) > self.limit:
            raise too_many_regions(self.name, self.limit)

    def _row(self, frame: _Frame) -> int:
        """Return the row of an element, adding what is missing down to it."""
        missing = []
        above: _Frame | None = frame
        while above is not None and above.index < 0:
            missing.append(above)
            above = above.above
        for one in reversed(missing):
            if one.tag:
                one.index = len(self.rows)
                self.rows.append(one)
            elif one.above is not None:
                one.index = one.above.index
        return frame.index

    def _add_elements(self) -> None:
        """Fill the element columns, once it is known how many children each parent has."""
        columns = self.columns
        for frame in self.rows:
            columns.tag.append(frame.tag)
            columns.attributes.append(frame.attributes)
            columns.position.append(frame.position)
            columns.parent.append(-1 if frame.above is None else frame.above.index)
            columns.n_siblings.append(1 if frame.above is None else frame.above.n_elements)


def _children(frame: _Frame, node: etree._Element, *, blank: bool = False) -> Iterator[_Child]:
    """Yield the children of an element of which something may show, and count them.

    Parameters
    ----------
    blank
        Yield texts of white space, too, as empty.
    """
    counts: dict[str, int] = {}
    n_texts = 0
    if text := node.text:
        n_texts = 1
        if (text := text.strip(WHITE)) or blank:
            yield frame, None, text, n_texts, -1
    for child in node:
        tag = child.tag
        if isinstance(tag, str):
            counts[tag] = number = counts.get(tag, 0) + 1
            frame.n_elements += 1
            yield frame, child, tag, number, frame.n_elements - 1
        elif tag is etree.Comment:
            yield frame, child, "", 0, -1
        if text := child.tail:
            n_texts += 1
            if (text := text.strip(WHITE)) or blank:
                yield frame, None, text, n_texts, -1


def _root(frame: _Frame, path: str) -> _Frame:
    """Return a root without a tag below an element; what it holds belongs to the element."""
    return _Frame(None, "", 0, frame, frame.look, {}, 0, known_path=path)


def _has_letters(svg: etree._Element | None) -> bool:
    return svg is not None and next(svg.iter("text", "foreignobject"), None) is not None
