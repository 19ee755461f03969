# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Compiled walk over the tree of the HTML parser: regions and the elements above them.

It does what :mod:`structce.rendering.static.traversal` does in Python, for the trees of nearly all
pages, and leaves the others to it. Nodes are addresses that only functions of the parser read.
Loops take time linear in the number of nodes, do not recurse, and can be interrupted.
"""

cimport cython
from cpython cimport array
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_DecodeUTF8, PyUnicode_New
from libc.stdint cimport uint8_t, uintptr_t
from libc.string cimport memcmp, memcpy

ctypedef void* Node
ctypedef const char* (*Text)(Node, size_t*) noexcept

FUNCTIONS = [
    f"lxb_dom_{name}"
    for name in (
        "node_first_child_noi", "node_next_noi", "node_parent_noi", "element_first_attribute_noi",
        "element_next_attribute_noi", "node_type_noi", "node_tag_id_noi", "node_text_content",
        "element_qualified_name", "attr_qualified_name", "attr_value_noi",
    )
]
"""Functions of the parser (Lexbor) by which the walk reads its tree."""

cdef struct Parser:  # addresses of these functions, in the same order
    Node (*first_child)(Node) noexcept
    Node (*next)(Node) noexcept
    Node (*parent)(Node) noexcept
    Node (*first_attribute)(Node) noexcept
    Node (*next_attribute)(Node) noexcept
    int (*kind)(Node) noexcept
    uintptr_t (*tag_id)(Node) noexcept
    Text text, tag_name, attribute_name, attribute_value

cdef Parser parser


def connect(addresses):
    """Set the addresses of the functions of the parser, one for each of `FUNCTIONS`."""
    cdef list places = list(addresses)
    if len(places) != len(FUNCTIONS) or not all(places):
        raise ValueError(f"connect: expected {len(FUNCTIONS)} addresses")
    for i, place in enumerate(places):
        (<uintptr_t*> &parser)[i] = place


cdef enum:  # types of nodes (DOM standard)
    ELEMENT = 1
    TEXT_NODE = 3
    COMMENT_NODE = 8
    DOCUMENT_TYPE = 10

cdef enum:  # flags of tags; the first four have their names from the rules
    UNSEEN = 1
    MEDIUM = 2
    SHOWN_EMPTY = 4
    RULED = 8  # with rules of visibility of their own
    BR = 16
    HR = 32
    PRE = 64
    IMG = 128
    SOURCE = 256
    PICTURE = 512
    SVG = 1024
    IFRAME = 2048
    LI = 4096
    MARK = 8192  # may make a page one that is walked in Python
    P = 16384
    DRAWN_TEXT = 32768

cdef dict SPECIAL = {
    "br": BR, "hr": HR, "pre": PRE, "img": IMG, "source": SOURCE, "picture": PICTURE, "svg": SVG,
    "iframe": IFRAME, "li": LI, "template": MARK, "script": MARK, "annotation": MARK,
    "input": MARK, "p": P, "text": DRAWN_TEXT, "foreignobject": DRAWN_TEXT,
}

cdef enum:
    N_TAGS = 512  # numbers of the parser's own tags; those of others are larger
    N_KNOWN = 256  # slots of names of attributes by their addresses
    PERIOD = 4096  # nodes between two looks at interruptions
    MIN_PARAGRAPH = 27  # bytes of running text, of which a byte is at most three letters
    LONGEST_PATH = 2048  # characters of an XPath that is kept for those below
    N_STEPS = 32  # of one name in XPaths, which are kept
    N_COUNTED = 4  # names of the children of an element that are counted without a dictionary


@cython.final
@cython.no_gc
cdef class Open:
    """Open element, as ``Frame`` of the walk in Python."""

    cdef Node node, child
    cdef str tag, path, checked
    cdef object visibility, candidates
    cdef dict attributes, counts
    cdef PyObject* counted[N_COUNTED]
    cdef Py_ssize_t totals[N_COUNTED]
    cdef Open above
    cdef Py_ssize_t number, position, n_elements, n_texts, index, n_before
    cdef int depth, flags, found, n_counted
    cdef bint is_preformatted, is_in_body, is_in_svg, is_hidden


cdef str decoded(const char* data, Py_ssize_t length):
    cdef uint8_t every = 0
    cdef Py_ssize_t i
    for i in range(length):
        every |= <uint8_t> data[i]
    if every >= 128 or length < 2:
        return PyUnicode_DecodeUTF8(data, length, "replace")
    cdef str text = PyUnicode_New(length, 127)
    memcpy(PyUnicode_DATA(text), data, length)
    return text


cdef int put(array.array column, int value) except -1:
    cdef Py_ssize_t n = len(column)
    array.resize_smart(column, n + 1)
    column.data.as_ints[n] = value
    return 0


cdef Py_ssize_t count(Open parent, str tag) except -1:
    """Return the number of a new child of an element among those with its name, from 1."""
    cdef int k
    for k in range(parent.n_counted):
        if parent.counted[k] == <PyObject*> tag:
            parent.totals[k] += 1
            return parent.totals[k]
    if parent.n_counted < N_COUNTED:
        parent.counted[parent.n_counted], parent.totals[parent.n_counted] = <PyObject*> tag, 1
        parent.n_counted += 1
        return 1
    if parent.counts is None:
        parent.counts = {}
    parent.counts[tag] = number = parent.counts.get(tag, 0) + 1
    return number


cdef bint is_space(uint8_t c):
    return c == 32 or 9 <= c <= 13


@cython.final
cdef class Walk:
    cdef object builder, visibility_of, unhidden, is_point, visible_text, check, shapes
    cdef str white_space
    cdef frozenset unseen, media, shown_empty, ruled, declaring
    cdef Py_ssize_t limit, most_candidates, n_nodes, breaks
    cdef int max_depth
    cdef bint shows_transparent, is_apart, may_reveal
    cdef str pending
    cdef list rows, texts, xpaths
    cdef array.array elements, all_breaks, joins
    cdef list tag_names, hidden
    cdef int tag_flags[N_TAGS]
    cdef dict other_tags, names, by_style, steps
    cdef const char* known_places[N_KNOWN]
    cdef PyObject* known_names[N_KNOWN]  # of attributes, which `names` keeps alive

    cdef int look(self) except -1:
        """Let a signal or the time limit interrupt the walk now and then."""
        self.n_nodes += 1
        if self.n_nodes % PERIOD == 0:
            self.check()  # signals and a time limit interrupt between two steps of Python
        return 0

    cdef int learn(self, Node node, uintptr_t number) except -1:
        """Record name and flags of a tag."""
        cdef size_t length = 0
        cdef const char* data = parser.tag_name(node, &length)
        cdef str name = decoded(data, length).lower() if data != NULL else "-comment"
        cdef int flags = SPECIAL.get(name, 0)
        name = self.names.setdefault(name, name)  # one object for each
        for i, names in enumerate((self.unseen, self.media, self.shown_empty, self.ruled)):
            flags |= (name in names) << i
        if number < N_TAGS:
            self.tag_names[number], self.tag_flags[number] = name, flags
        else:
            self.other_tags[number] = (name, flags)
        return 0

    cdef int flags_of(self, Node node) except -1:
        cdef uintptr_t number = parser.tag_id(node)
        if number < N_TAGS:
            if self.tag_names[number] is None:
                self.learn(node, number)
            return self.tag_flags[number]
        if number not in self.other_tags:
            self.learn(node, number)
        return self.other_tags[number][1]

    cdef str name_of(self, Node node):
        """Return the name of an element whose flags have been asked for."""
        cdef uintptr_t number = parser.tag_id(node)
        return self.tag_names[number] if number < N_TAGS else self.other_tags[number][0]

    cdef Node behind(self, Node node, Node root):
        """Return the node after all below one, inside a root; NULL at the end."""
        cdef Node behind
        while node != root:
            behind = parser.next(node)
            if behind != NULL:
                return behind
            node = parser.parent(node)
        return NULL

    cdef Node following(self, Node node, Node root):
        """Return the node after one in document order, inside a root; NULL at the end."""
        cdef Node below = parser.first_child(node)
        return below if below != NULL else self.behind(node, root)

    cdef int read_mark(self, Open parent, Node node) except -1:
        """Record the box of a task list; raise `Unusual` for shadow trees and sources of formulas."""
        cdef str name = self.name_of(node)
        cdef Node outer = parser.parent(node)
        if name == "annotation":
            raise Unusual
        if parser.first_attribute(node) == NULL:
            return 0
        cdef dict attributes = self.read_attributes(node, False)
        cdef str kind = attributes.get("type", "").lower(), state
        if name == "template" and "shadowrootmode" in attributes:
            raise Unusual
        if name == "script" and kind.startswith("math/tex"):
            raise Unusual
        if name == "input" and kind == "checkbox":
            state = "true" if "checked" in attributes else "false"
            while parent is not None and (parent.checked is None or not parent.flags & LI):
                if parent.flags & LI:
                    while state and outer != parent.node:  # an item that is not shown may be nearer
                        state = "" if self.flags_of(outer) & LI else state
                        outer = parser.parent(outer)
                    parent.checked, state = state, ""  # not that of the items around
                parent = parent.above
        return 0

    cdef dict read_attributes(self, Node node, bint is_in_svg):
        cdef dict attributes = {}
        cdef size_t length = 0
        cdef const char* data
        cdef Node attribute = parser.first_attribute(node)
        cdef object name
        cdef int slot
        while attribute != NULL:
            data = parser.attribute_name(attribute, &length)
            slot = (<uintptr_t> data >> 3) % N_KNOWN
            if self.known_places[slot] == data and data != NULL:
                name = <object> self.known_names[slot]
            else:
                name = decoded(data, length)
                name = self.names.setdefault(name, name)
                self.known_places[slot], self.known_names[slot] = data, <PyObject*> name
            if is_in_svg:
                name = name.lower()
            data = parser.attribute_value(attribute, &length)
            attributes[name] = decoded(data, length) if data != NULL else ""
            attribute = parser.next_attribute(attribute)
        return attributes

    cdef bint has_ruled_attribute(self, Node node):
        """Return whether an element has an attribute that may hide it."""
        cdef size_t length = 0
        cdef const char* name
        cdef Node attribute = parser.first_attribute(node)
        while attribute != NULL:
            name = parser.attribute_name(attribute, &length)
            if (
                length == 5 and not memcmp(name, b"style", 5)
                or length == 6 and not memcmp(name, b"hidden", 6)
                or length == 7 and not memcmp(name, b"popover", 7)
            ):
                return True
            attribute = parser.next_attribute(attribute)
        return False

    cdef dict attributes_of(self, Open frame):
        if frame.attributes is None:
            frame.attributes = self.read_attributes(frame.node, frame.is_in_svg)
            if frame.flags & IMG and frame.above.flags & PICTURE:
                frame.attributes["srcset"] = self.candidates_of(frame.above)
        return frame.attributes

    cdef str candidates_of(self, Open picture):
        """Return the addresses of the images and sources of a picture element."""
        cdef list values = []
        cdef Node node = self.following(picture.node, picture.node)
        if picture.candidates is None:
            while node != NULL:
                self.look()
                if parser.kind(node) == ELEMENT and self.flags_of(node) & (IMG | SOURCE):
                    attributes = self.read_attributes(node, False)
                    values.append(attributes.get("srcset") or attributes.get("data-srcset"))
                node = self.following(node, picture.node)
            picture.candidates = ", ".join(filter(None, values))[: self.most_candidates]
        return picture.candidates

    cdef int scan(self, Open frame, Node root) except -1:
        """Return the flags of what an element contains: drawn text, paragraphs of running text."""
        cdef size_t length = 0
        cdef int flags, found = ELEMENT
        cdef Node node = root, beyond = root  # an inner paragraph is not longer
        while node != NULL:
            self.look()
            flags = self.flags_of(node) if parser.kind(node) == ELEMENT else 0
            if flags & MARK:
                self.read_mark(frame, node)
            if node == beyond:
                beyond = NULL
            if flags & P and beyond == NULL and not found & P:
                parser.text(node, &length)
                found |= P if length >= MIN_PARAGRAPH else 0
                beyond = self.behind(node, root)
                beyond = root if beyond == NULL else beyond
            found |= flags & DRAWN_TEXT
            node = self.following(node, root)
        return found

    cdef str step_of(self, str name, Py_ssize_t number):
        """Return a step of an XPath such as ``/p[2]``; low numbers occur many times."""
        cdef list steps = self.steps.setdefault(name, [])
        while len(steps) < number <= N_STEPS:
            steps.append(f"/{name}[{len(steps) + 1}]")
        return steps[number - 1] if number <= N_STEPS else f"/{name}[{number}]"

    cdef str path_of(self, Open frame):
        """Return the XPath of an open element."""
        cdef list steps = []
        cdef Open outer = frame
        cdef str path
        while outer.path is None:
            steps.append(outer)
            outer = outer.above
        path = outer.path
        for outer in reversed(steps):
            path = path + self.step_of(outer.tag, outer.number)
            if len(path) < LONGEST_PATH:  # else a page of long names would fill the memory
                outer.path = path
        return path

    cdef int row_of(self, Open frame) except -1:
        """Return the row of an element, adding missing rows down to it."""
        cdef Open outer = frame
        cdef Py_ssize_t row = len(self.rows) - 1
        while outer.index < 0 and outer.above is not None:
            self.rows.append(None)
            row += 1
            outer = outer.above
        outer = frame
        while outer.index < 0 and outer.above is not None:
            outer.index, self.rows[row] = row, outer
            row -= 1
            outer = outer.above
        return frame.index

    cdef int add(self, str text, Open frame, str xpath) except -1:
        if frame.is_preformatted:
            self.builder.preformatted.append((len(self.texts), self.pending))
        self.texts.append(text)
        self.xpaths.append(xpath)
        put(self.elements, self.row_of(frame))
        put(self.all_breaks, self.breaks)
        put(self.joins, not self.is_apart)
        self.breaks, self.is_apart, self.pending = 0, False, ""
        return 0

    cdef int text(self, Open frame, Node node, Py_ssize_t number) except -1:
        """Process a text of an element that shows its texts."""
        cdef size_t length = 0
        cdef const char* data = parser.text(node, &length)
        if data == NULL or not length:
            return 0
        cdef Py_ssize_t first = 0, last = length, i
        cdef uint8_t every = 0
        cdef str whole, bare, line
        for i in range(last):
            every |= <uint8_t> data[i]
        if every >= 128 or frame.is_preformatted:
            whole = decoded(data, length)
            bare = whole.strip(self.white_space)
            if frame.is_preformatted:
                self.pending += whole
            if bare.isprintable() and "  " not in bare:
                line = bare
            else:
                line = self.visible_text(bare)
            if not line:
                self.is_apart |= len(bare) < len(whole)
                return 0
            self.is_apart |= whole[0] != bare[0]
            self.add(line, frame, self.path_of(frame) + self.step_of("text()", number))
            self.is_apart = whole[len(whole) - 1] != bare[len(bare) - 1]
            return 0
        while first < last and is_space(data[first]):
            first += 1
        while last > first and is_space(data[last - 1]):
            last -= 1
        if first == last:
            self.is_apart = True
            return 0
        self.is_apart |= first > 0
        self.add(collapsed(data + first, last - first), frame, self.path_of(frame) + self.step_of("text()", number))
        self.is_apart = last < <Py_ssize_t> length
        return 0

    cdef object visibility_inside(self, Open frame):
        """Return the visibility of an element's content, or None if it is hidden."""
        cdef object around = frame.above.visibility, style
        cdef dict attributes = self.attributes_of(frame)
        if (
            around is not self.unhidden or frame.flags & (RULED | SVG) == RULED
            or not self.declaring.isdisjoint(attributes)
        ):
            return self.visibility_of(around, frame.tag, frame.number, attributes)
        style = (frame.flags & SVG, attributes.get("style", ""))  # nothing else matters here
        if style not in self.by_style:
            self.by_style[style] = self.visibility_of(around, frame.tag, frame.number, attributes)
        return self.by_style[style]

    cdef Open opened(self, Open parent, Node node, int flags, str tag, Py_ssize_t number,
                     Py_ssize_t position):
        """Return an element to enter, or None."""
        cdef Node first = parser.first_child(node)
        cdef object around = parent.visibility, visibility = around
        if flags & (BR | HR):
            self.breaks += 1 if flags & BR else 2
            if parent.is_preformatted:
                self.pending += "\n"
        if flags & UNSEEN or (first == NULL and not flags & SHOWN_EMPTY):
            return None
        cdef Open frame = Open.__new__(Open)
        frame.node, frame.tag, frame.flags, frame.above = node, tag, flags, parent
        frame.number, frame.position, frame.index, frame.n_before = number, position, -1, -1
        frame.is_in_svg = flags & SVG or (around is not self.unhidden and around.svg != "")
        frame.is_hidden = parent.is_hidden
        if (
            flags & RULED or self.has_ruled_attribute(node)
            or around is not self.unhidden and (around.closed or around.svg)
        ):
            visibility = self.visibility_inside(frame)
            if visibility is None or (
                visibility is not self.unhidden and not visibility.shows_text
            ):
                if not frame.is_hidden:
                    frame.found = self.scan(frame, node)
                    self.may_reveal |= frame.found & P != 0
                    self.hidden.append(<uintptr_t> node)
                frame.is_hidden = True
            if visibility is None:
                return None
        frame.visibility = visibility
        frame.depth = parent.depth + 1
        frame.is_in_body = parent.is_in_body or (tag == "body" and parent.depth == 1)
        frame.is_preformatted = parent.is_preformatted
        if flags & PRE and not frame.is_preformatted:
            frame.is_preformatted, self.pending = True, ""
        if flags & MEDIUM and (around is self.unhidden or around.svg != self.shapes):
            return self.medium(frame)
        if first == NULL:
            return None
        frame.child = first
        if parser.kind(first) == TEXT_NODE and parser.next(first) == NULL:
            if visibility is self.unhidden or visibility.shows_text:
                self.text(frame, first, 1)
            return None
        if frame.depth >= self.max_depth:
            raise Unusual
        return frame

    cdef Open medium(self, Open frame):
        """Return a medium that may contain regions; add any other as a region."""
        cdef dict attributes = self.attributes_of(frame)
        if ("width" in attributes or "height" in attributes) and self.is_point(
            frame.tag, attributes
        ):
            return None
        frame.n_before = len(self.texts)
        if not frame.found and parser.first_child(frame.node) != NULL:
            frame.found = self.scan(frame, frame.node)
        if frame.flags & SVG and frame.found & DRAWN_TEXT:
            if frame.depth >= self.max_depth:
                raise Unusual
            frame.child = parser.first_child(frame.node)
            return frame
        if frame.flags & IFRAME and attributes.get("srcdoc"):
            raise Unusual
        self.leave(frame)
        return None

    cdef int leave(self, Open frame) except -1:
        """Add a medium as a region unless it contains one."""
        if frame.n_before != len(self.texts):
            return 0
        if frame.visibility is self.unhidden or not frame.visibility.invisible and (
            self.shows_transparent or not frame.visibility.transparent
        ):
            self.add("", frame, self.path_of(frame))
        return 0

    cdef int comment(self, Open frame, Node node, int kind) except -1:
        cdef size_t length = 0
        cdef const char* data
        cdef str content = ""
        if not frame.is_in_body or frame.visibility.in_medium:
            return 0
        if kind == COMMENT_NODE:
            data = parser.text(node, &length)
            content = decoded(data, length).strip() if data != NULL else ""
        self.builder.comments.append(content)
        self.builder.comment_places.append(len(self.texts))
        return 0

    cdef int run(self, Node root) except -1:
        cdef Open page = Open.__new__(Open), frame, inner
        cdef Node node
        cdef int kind, flags
        cdef Py_ssize_t number
        cdef str tag
        page.path, page.visibility, page.index, page.n_before = "", self.unhidden, -1, -1
        page.n_elements = 1
        flags = self.flags_of(root)
        frame = self.opened(page, root, flags, self.name_of(root), 1, 0)
        while frame is not None:
            node = frame.child
            if node == NULL:
                self.leave(frame)
                frame = frame.above if frame.above is not page else None
                continue
            self.look()
            frame.child = parser.next(node)
            kind = parser.kind(node)
            if kind == ELEMENT:
                flags = self.flags_of(node)
                tag = self.name_of(node)
                number = count(frame, tag)
                frame.n_elements += 1
                if flags & UNSEEN:
                    if flags & MARK or frame.is_in_body and parser.first_child(node) != NULL:
                        self.scan(frame, node)
                else:
                    inner = self.opened(frame, node, flags, tag, number, frame.n_elements - 1)
                    if inner is not None:
                        frame = inner
            elif kind == TEXT_NODE:
                frame.n_texts += 1
                if frame.visibility is self.unhidden or frame.visibility.shows_text:
                    self.text(frame, node, frame.n_texts)
            elif kind != DOCUMENT_TYPE:
                self.comment(frame, node, kind)
            if len(self.texts) > self.limit:
                raise Unusual
        self.builder.tag = [(<Open> row).tag for row in self.rows]
        self.builder.attributes = [self.attributes_of(row) for row in self.rows]
        cdef array.array position = self.builder.position, parent = self.builder.parent
        cdef array.array n_siblings = self.builder.n_siblings
        for frame in self.rows:
            if frame.checked:
                frame.attributes["aria-checked"] = frame.checked
            put(position, frame.position)
            put(parent, frame.above.index)
            put(n_siblings, frame.above.n_elements)
        return 0


class Unusual(Exception):
    """Tree that is left to the walk in Python."""


cdef str collapsed(const char* data, Py_ssize_t n):
    """Return ASCII text with runs of white space as one space."""
    cdef Py_ssize_t i
    for i in range(n):
        if is_space(data[i]) and (data[i] != 32 or is_space(data[i + 1])):
            return b" ".join((<bytes> data[:n]).split()).decode()
    return decoded(data, n)


def walk_tree(address, builder, rules):
    """Fill a builder with the regions of a tree whose root element is at an address.

    Returns
    -------
    Addresses of the outermost hidden elements if one contains running text, else an empty list.
    None if the tree is left to the walk in Python; the builder is then of no use.
    """
    if parser.kind == NULL:
        raise ValueError("walk_tree: the parser is not connected")
    cdef Walk walk = Walk.__new__(Walk)
    walk.builder = builder
    (
        walk.unseen, walk.media, walk.shown_empty, walk.ruled, walk.declaring, walk.visibility_of,
        walk.unhidden, walk.shapes, walk.is_point, walk.visible_text, walk.white_space, walk.check, walk.limit,
        walk.max_depth, walk.most_candidates, walk.shows_transparent,
    ) = rules
    walk.is_apart, walk.pending = True, ""
    walk.rows, walk.hidden, walk.by_style, walk.steps = [], [], {}, {}
    walk.texts, walk.elements, walk.xpaths = builder.text, builder.element, builder.xpath
    walk.all_breaks, walk.joins = builder.breaks, builder.joins
    walk.tag_names, walk.other_tags, walk.names = [None] * N_TAGS, {}, {}
    try:
        walk.run(<Node> <uintptr_t> address)
    except Unusual:
        return None
    return walk.hidden if walk.may_reveal else []
