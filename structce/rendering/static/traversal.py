"""Traversal of a parsed page: open elements on a stack, visible leaves to regions.

Declared shadow trees are traversed in place of their hosts, and documents in ``srcdoc`` in place of
their frames.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, cached_property
from itertools import islice

import msgspec
from selectolax import lexbor
from selectolax.lexbor import LexborNode

from structce import kernels
from structce.page import FORMULA, MEDIA
from structce.patterns import lazy_pattern
from structce.rendering import html_rules
from structce.rendering.base import PageBuilder, Settings, too_many_regions
from structce.rendering.html_rules import BODY, MAX_DOCUMENTS, MAX_FRAMES, MAX_TREE_DEPTH
from structce.rendering.static.parser import (
    COMMENT,
    TEXT,
    ancestors_of,
    attributes_of,
    children,
    is_same_node,
    parse_inner,
)
from structce.rendering.static.visibility import (
    DECLARING,
    RULED_TAGS,
    SHAPES,
    UNHIDDEN,
    WHITESPACE,
    Visibility,
    revealed_elements,
    visibility_of,
    visible_text,
)

_HOSTS = frozenset(
    "article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section "
    "span".split()
)
_CUSTOM = lazy_pattern(r"[a-z][^A-Z]*-")
_NOT_CUSTOM = frozenset(
    "annotation-xml color-profile font-face font-face-src font-face-uri font-face-format "
    "font-face-name missing-glyph".split()
)

_BREAKS = {"br": 1, "hr": 2}
_MARKS = f'script[type^="{html_rules.TEX}"], {html_rules.ANNOTATION}, li {html_rules.CHECKBOX}'
_MAX_CANDIDATES = 10_000  # characters of the addresses of one picture, which each image repeats
_SHOWN_EMPTY = MEDIA | {"slot", "pre"}  # elements that count even if they are empty


_CHECKED = """<html lang=en><body class=a><!-- b --><p id=c>One <b>two</b>, &eacute; three<br>four
<ul><li>a<li hidden>b</ul><pre> x  y
z</pre><picture><source srcset=d><img width=9></picture><svg><text>e</text></svg>
<p style="opacity:0">f<my-g>g</my-g>"""
"""Document on which the compiled walk must agree with the one in Python before it is used."""


def collect_regions(root: LexborNode, name: str, settings: Settings) -> PageBuilder:
    """Return the regions of a tree, with the elements above them.

    RenderError if there are more regions than the limit allows, or the parser fails on a document.
    """
    builder, fragments, walk_tree = PageBuilder(), list[LexborNode](), _compiled_walk()
    hidden = walk_tree(root.mem_id, builder, _rules(settings)) if walk_tree else None
    if hidden is None:
        walk = _Walk(name, settings)
        builder, hidden, fragments = walk.run(root), walk.hidden, walk.fragments
    revealed = revealed_elements(root, hidden, fragments) if hidden else frozenset()
    return _Walk(name, settings, revealed).run(root) if revealed else builder


@cache
def _compiled_walk() -> Callable[[int, PageBuilder, tuple[object, ...]], list[int] | None] | None:
    """Return the compiled walk if the installed parser has the functions that it calls."""
    if (module := kernels.tree_walk()) is None:
        return None
    import ctypes  # late, with the parser's library, which is open already

    try:
        parser = ctypes.CDLL(lexbor.__file__)
        places = [getattr(parser, name) for name in module.FUNCTIONS]
        module.connect([ctypes.cast(place, ctypes.c_void_p).value for place in places])
    except (AttributeError, OSError):
        return None
    root, builder, settings = lexbor.LexborHTMLParser(_CHECKED).root, PageBuilder(), Settings()
    if root is None or module.walk_tree(root.mem_id, builder, _rules(settings)) is None:
        return None
    return module.walk_tree if builder == _Walk("", settings).run(root) else None


def _rules(settings: Settings) -> tuple[object, ...]:
    """Return the rules that the compiled walk follows, in its order."""
    unseen = html_rules.UNSEEN | {"noscript"} if settings.scripts else html_rules.UNSEEN
    return (
        unseen, MEDIA, _SHOWN_EMPTY, RULED_TAGS, DECLARING, visibility_of, UNHIDDEN, SHAPES,
        html_rules.is_point, visible_text, WHITESPACE,
        lambda: None,  # a step of Python, before which a time limit can interrupt
        settings.limits.regions, MAX_TREE_DEPTH - 1, _MAX_CANDIDATES, not settings.scripts,
    )  # fmt: skip


class _Walk:
    """Traversal of one document, from its root to its regions.

    ``revealed`` contains the numbers of elements that are visible whatever their attributes say.
    """

    def __init__(
        self, name: str, settings: Settings, revealed: frozenset[int] = frozenset()
    ) -> None:
        self.name = name
        self.scripts = settings.scripts
        self.unseen = html_rules.UNSEEN | {"noscript"} if settings.scripts else html_rules.UNSEEN
        self.limit = settings.limits.regions
        self.builder = PageBuilder()
        self.rows: list[Frame] = []  # of the element columns
        self.has_shadows = False
        self.has_marks = False  # formulas with a source, or task lists
        self.slotted: dict[tuple[int, int], list[Child]] = {}  # by the numbers of tree and slot
        self.n_documents = 0  # of frames
        self.revealed = revealed
        self.hidden: list[int] = []  # numbers of the elements that are hidden by attributes
        self.fragments: list[LexborNode] = []  # shadow trees
        self.breaks = 0
        self.is_apart = True  # white space follows the last region
        self.pending = ""  # preformatted white space behind it

    def run(self, root: LexborNode) -> PageBuilder:
        page = Frame(None, "", 0, None, UNHIDDEN)
        stack = [(page, self._document(page, root))]
        while stack:
            frame, below = stack[-1]
            inner = next(below, None)
            if inner is not None:
                stack.append((inner, self._below(inner)))
                continue
            stack.pop()
            self._leave(frame)
            frame.node = None  # a document is freed with the last of its nodes
        builder = self.builder
        for frame in self.rows:  # when the number of each parent's children is known
            builder.tag.append(frame.tag)
            builder.attributes.append(frame.attributes)
            builder.position.append(frame.position)
            builder.parent.append(-1 if frame.above is None else frame.above.index)
            builder.n_siblings.append(1 if frame.above is None else frame.above.n_elements)
        return builder

    def _opened(self, around: Visibility, below: Iterable[Child]) -> Iterator[Frame]:
        """Process children in order; yield the elements to enter."""
        for child in below:
            parent, node, content, number, _ = child
            if node is None:
                self._text(parent, content, number, around)
            elif not content:
                if not around.in_medium and parent.path.startswith(BODY):
                    self.builder.comments.append(node.comment_content or "")
                    self.builder.comment_places.append(len(self.builder.text))
            elif inner := self._open(child, node, around):
                yield inner

    def _text(self, parent: Frame, text: str, number: int, visibility: Visibility) -> None:
        if not visibility.shows_text:
            return
        bare = text.strip(WHITESPACE)
        if parent.is_preformatted:
            self.pending += text
        if line := visible_text(bare):
            self.is_apart |= text[0] != bare[0]
            self._add(line, parent, f"{parent.path}/text()[{number}]")
            self.is_apart = text[-1] != bare[-1]
        else:
            self.is_apart |= len(bare) < len(text)

    def _open(self, child: Child, node: LexborNode, around: Visibility) -> Frame | None:
        """Enter an element; return its frame if something below it may be visible."""
        parent, _, tag, number, position = child
        if tag in _BREAKS:
            self.breaks += _BREAKS[tag]
            self.pending += "\n" if parent.is_preformatted else ""
        if tag == "script" and self.has_marks and around.shows_text:  # with the source of a formula
            attributes = attributes_of(node, in_svg=False)
            if attributes.get("type", "").startswith(html_rules.TEX):
                frame = Frame(node, tag, number, parent, around, attributes, position)
                frame.is_preformatted = False
                self._text(frame, node.text(deep=True), 1, around)
        if tag in self.unseen or (node.child is None and tag not in _SHOWN_EMPTY):
            return None
        attributes = attributes_of(node, in_svg=tag == "svg" or around.svg != "")
        hiding = {} if node.mem_id in self.revealed else attributes
        visibility = visibility_of(around, tag, number, hiding)
        if visibility is None or not visibility.shows_text:
            self.hidden.append(node.mem_id)
            if visibility is None:
                return None
        if self.has_marks:
            attributes |= added_attributes(node, tag, attributes)
        if tag == "img" and parent.tag == "picture":
            attributes["srcset"] = parent.candidates
        frame = Frame(node, tag, number, parent, visibility, attributes, position)
        if tag == "pre" and not parent.is_preformatted:
            frame.is_preformatted, self.pending = True, ""
        is_medium = tag in MEDIA and around.svg != SHAPES
        return self._medium(frame, node) if is_medium else frame

    def _medium(self, frame: Frame, node: LexborNode) -> Frame | None:
        """Return the frame of a medium that may contain regions; add any other as a region."""
        if html_rules.is_point(frame.tag, frame.attributes):
            return None
        frame.n_before = len(self.builder.text)
        if frame.tag == "svg":
            is_walked = node.css_first("text, foreignObject") is not None
        else:
            # A sandbox makes it a document of another origin, whose content is not accessible.
            rights = frame.attributes.get("sandbox", "allow-same-origin").lower().split()
            is_walked = frame.tag == "iframe" and "allow-same-origin" in rights
            is_walked &= bool(frame.attributes.get("srcdoc")) and not frame.visibility.invisible
        if is_walked:
            return frame
        self._leave(frame)
        return None

    def _leave(self, frame: Frame) -> None:
        """Add a medium as a region unless it contains one."""
        if frame.n_before != len(self.builder.text) or frame.visibility.invisible:
            return
        # A transparent image may wait for a script to fade it in.
        if not (frame.visibility.transparent and self.scripts):
            self._add("", frame, frame.path)

    def _below(self, frame: Frame) -> Iterator[Frame]:
        """Process what is displayed in place of an element, in order; yield elements to enter."""
        node = frame.node
        if node is None:
            return iter(())
        if self.has_shadows and (template := shadow_template(node)) is not None:
            return self._shadow(frame, node, template)
        if (frame.document, node.mem_id) in self.slotted:
            return self._opened(frame.visibility, self.slotted[frame.document, node.mem_id])
        if frame.tag == "iframe" and frame.n_before >= 0:  # a drawing may have elements so called
            return self._inner_document(frame)
        return self._opened(frame.visibility, counted_children(frame, node))

    def _document(self, frame: Frame, root: LexborNode) -> Iterator[Frame]:
        frame.n_elements = 1
        self.has_shadows |= root.css_first("template[shadowrootmode]") is not None
        self.has_marks |= root.css_first(_MARKS) is not None
        return self._opened(frame.visibility, [(frame, root, str(root.tag), 1, 0)])

    def _inner_document(self, frame: Frame) -> Iterator[Frame]:
        if frame.visibility.n_frames >= MAX_FRAMES or self.n_documents >= MAX_DOCUMENTS:
            return iter(())
        self.n_documents += 1
        html = frame.attributes["srcdoc"].encode("utf-8", errors="replace")
        root = parse_inner(html, self.name)
        n_frames = frame.visibility.n_frames + 1
        frame.visibility = frame.visibility._replace(n_frames=n_frames, in_medium=True)
        inner = tagless_root(frame, frame.path)
        inner.depth, inner.document = 0, self.n_documents
        return self._document(inner, root)

    def _shadow(self, host: Frame, node: LexborNode, template: LexborNode) -> Iterator[Frame]:
        """Process the content of a shadow tree, with the host's children in its slots."""
        fragment = template.template_fragments()[0]
        self.fragments.append(fragment)
        slots: dict[str, int] = {}  # the first of each name, by its number
        for slot in fragment.css("slot"):
            slots.setdefault(slot.attributes.get("name") or "", slot.mem_id)
        for child in counted_children(host, node, without=template):
            name = "" if child[1] is None else child[1].attributes.get("slot") or ""
            # Comments have no slot.
            if name in slots and (child[1] is None or child[2]):
                self.slotted.setdefault((host.document, slots[name]), []).append(child)
        root = tagless_root(host, f"{host.path}/template[1]")
        return self._opened(host.visibility, counted_children(root, fragment))

    def _add(self, text: str, frame: Frame, xpath: str) -> None:
        builder = self.builder
        if frame.is_preformatted:
            builder.preformatted.append((len(builder.text), self.pending))
        builder.text.append(text)
        builder.element.append(self._row(frame))
        builder.xpath.append(xpath)
        builder.breaks.append(self.breaks)
        builder.joins.append(not self.is_apart)
        self.breaks, self.is_apart, self.pending = 0, False, ""
        if len(builder.text) > self.limit:
            raise too_many_regions(self.name, self.limit)

    def _row(self, frame: Frame) -> int:
        """Return the row of an element, adding missing rows down to it."""
        missing = [frame]
        while (above := missing[-1].above) is not None and above.index < 0:
            missing.append(above)
        row = -1 if above is None else above.index
        for outer in reversed(missing if frame.index < 0 else []):
            if outer.tag:
                row = len(self.rows)
                self.rows.append(outer)
            outer.index = row
        return frame.index


class Frame(msgspec.Struct, eq=False, dict=True):
    """Stack frame of the walk: an open element; documents and shadow roots have no tag.

    ``number`` counts siblings with the same tag from 1, ``position`` all element children from 0.
    ``above`` is the parent element; for the content of a slot it is not the slot.
    """

    node: LexborNode | None
    tag: str
    number: int
    above: Frame | None
    visibility: Visibility
    attributes: Mapping[str, str] = {}
    position: int = 0
    index: int = -1  # row in the element columns, once a region below is reached
    n_elements: int = 0
    n_before: int = -1  # regions before a medium that may contain some
    depth: int = 0  # elements from the root of its document
    document: int = 0  # its number, 0 for the page
    path: str = ""
    is_preformatted: bool = False

    def __post_init__(self) -> None:
        if above := self.above:
            self.path = f"{above.path}/{self.tag}[{self.number}]"
            self.is_preformatted = above.is_preformatted
            self.depth, self.document = above.depth + 1, above.document

    @cached_property
    def candidates(self) -> str:
        """Addresses of the images and sources of a picture element."""
        nodes = [] if self.node is None else self.node.css("img, source")
        rows = (node.attributes for node in nodes)
        values = (row.get("srcset") or row.get("data-srcset") for row in rows)
        return ", ".join(value for value in values if value)[:_MAX_CANDIDATES]


# Parent; node, or None for a text; the text or the tag, empty for a comment; number among those of
# its kind, from 1; place among the elements, from 0.
Child = tuple[Frame, LexborNode | None, str, int, int]


def tagless_root(frame: Frame, path: str) -> Frame:
    """Return a root without a tag below an element, to which its content belongs."""
    root = Frame(None, "", 0, frame, frame.visibility)
    root.path = path
    root.is_preformatted = False
    return root


def counted_children(
    frame: Frame, node: LexborNode, *, without: LexborNode | None = None
) -> Iterator[Child]:
    """Yield the children of an element that may be visible, and count them.

    Texts are unchanged, and include those of white space. The child ``without`` is not displayed:
    the texts around it form one region.
    """
    counts: dict[str, int] = {}
    n_texts = n_elements = 0
    ahead = ""  # text before the child that is passed over
    for child in children(node) if frame.depth < MAX_TREE_DEPTH - 1 else _shallow(frame, node):
        tag = child.tag or COMMENT  # a processing instruction, which browsers take for one
        if tag == TEXT:
            text = ahead + (child.text_content or "")
            n_texts += not ahead
            ahead = ""
            following = child.next
            if without is not None and following is not None and is_same_node(following, without):
                ahead = text
            elif text:
                yield frame, None, text, n_texts, -1
        elif tag == COMMENT:
            yield frame, child, "", 0, -1
        elif tag[0] != "-" and not (without is not None and is_same_node(child, without)):
            tag = tag.lower()  # as in "foreignObject"
            counts[tag] = number = counts.get(tag, 0) + 1
            n_elements += 1
            frame.n_elements = n_elements
            yield frame, child, tag, number, n_elements - 1
    if ahead:
        yield frame, None, ahead, n_texts, -1


def _shallow(frame: Frame, node: LexborNode) -> Iterator[LexborNode]:
    """Yield the children of an element, and deeper elements after them, as Chromium places them."""
    is_innermost = frame.depth > MAX_TREE_DEPTH - 1  # and contains only texts
    for child in children(node):
        if not is_innermost or child.tag in (None, TEXT, COMMENT):
            yield child
        if not is_innermost:
            below = islice(child.traverse(), 1, None)
            yield from (inner for inner in below if (inner.tag or COMMENT)[0] != "-")


def added_attributes(
    node: LexborNode, tag: str, attributes: Mapping[str, str]
) -> Mapping[str, str]:
    """Return what :class:`structce.page.Elements` adds to the attributes of some elements."""
    if tag == "li":
        box = node.css_first(html_rules.CHECKBOX)
        item = None if box is None else next((n for n in ancestors_of(box) if n.tag == "li"), None)
        if box is not None and item is not None and is_same_node(item, node):
            return {"aria-checked": "true" if "checked" in box.attributes else "false"}
    is_formula = tag == "math" or FORMULA.search(attributes.get("class", ""))
    source = node.css_first(html_rules.ANNOTATION) if is_formula else None
    return {} if source is None else {"alttext": source.text(deep=True)}


def shadow_template(host: LexborNode) -> LexborNode | None:
    """Return the first declaration of an element's shadow tree; None without one.

    It is not a child of the host in what is displayed.
    """
    tag = str(host.tag)
    if tag not in _HOSTS and (_CUSTOM.match(tag) is None or tag in _NOT_CUSTOM):
        return None
    for child in children(host):
        if child.tag == "template":
            mode = child.attributes.get("shadowrootmode") or ""
            if mode.lower() in ("open", "closed"):
                return child
    return None
