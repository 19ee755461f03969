"""Scanner of HTML source: the positions of tags and texts, which the parser does not report.

One regular expression splits the source into pieces like the tokeniser of the HTML standard
(section 13.2.5); a stack of open elements then determines which element contains each text. It
handles the usual omitted end tags, not every repair of a browser: good enough to compare two
places, not to replace a parser. Time and memory are linear in the length of any source.
"""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Mapping, MutableSequence
from functools import partial
from html.entities import html5

import msgspec

from structce import kernels
from structce.language import unescape
from structce.page import MEDIA
from structce.patterns import lazy_pattern
from structce.rendering.html_rules import SHAPELESS, SPACES, written_out

BLANKS = "".join(
    mark
    for mark in written_out(SPACES + SHAPELESS)
    if not ("\xa0" < mark < "\u1680" or "\ufe00" <= mark <= "\ufe0f")
)
"""Invisible characters, as an argument of ``str.strip``."""

_SPACE = r"[\t\n\f\r ]"
_NAME_ENDS = r"(?=[\t\n\f\r />])"
_RAW = "script|style|textarea|title|xmp|iframe|noembed|noframes"
_RAW_NAMES = frozenset(_RAW.split("|"))
SWALLOWING = _RAW_NAMES | {"noscript", "select"}
"""Elements that hide the texts after them if they are written as empty (``<iframe/>``)."""

_MANY = 1000  # the fast patterns below save state at each step; slower ones take over beyond this

# An unfinished piece extends to the end of the source, so every piece is read once.
_ATTRIBUTES = rf"""[^=>]*+
    (?:={_SPACE}*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^\t\n\f\r >]*+)[^=>]*+){{0,{_MANY}}}
    [^>]*+(?:>|\Z)"""
# In SVG "/>" ends an element; elsewhere everything after <title/> would become its text.
_EMPTY_IN_SVG = r"[^<>]*/>[^<]*+(?:<(?!/?svg)[^<]*+){0,200}</svg"

_PIECE = lazy_pattern(
    rf"""
    (?P<text>[^<]*+(?:<(?![a-z/!?]).*?(?=<[a-z/!?]|\Z))?)
    (?P<markup>
        (?P<raw_tag><(?P<raw>{_RAW}){_NAME_ENDS}(?!{_EMPTY_IN_SVG}){_ATTRIBUTES})
            [^<]*+(?:<(?!/(?P=raw){_NAME_ENDS})[^<]*+){{0,{_MANY}}}
            .*?(?=</(?P=raw){_NAME_ENDS}|\Z)
        | <(?P<slash>/?)(?P<name>[a-z][^\t\n\f\r />]*+){_ATTRIBUTES}
        | <!--(?:-?>|[^-]*+(?:-(?!-!?>)[^-]*+){{0,{_MANY}}}.*?(?:--!?>|\Z))
        | <[!?/][^>]*+(?:>|\Z)
        | \Z
    )""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL | re.ASCII,
)

_EMPTY_RAW = lazy_pattern(
    rf"<(?=(?:{_RAW}|noscript|select){_NAME_ENDS}[^<>]*/>)[a-z]", re.IGNORECASE
)
_UNPARSED = tuple("script textarea xmp iframe noembed noframes".split())
"""Elements whose content is not parsed; without ``style`` and ``title``, which SVG has as well."""

_MOSTLY = 2  # times as many characters in texts, if an element written as XML swallows most; ours

_ATTRIBUTE = lazy_pattern(
    rf"""([^\t\n\f\r />][^\t\n\f\r />=]*+)
    (?:{_SPACE}*+={_SPACE}*+(?:"([^"]*+)"?|'([^']*+)'?|([^\t\n\f\r >]*+)))?""",
    re.VERBOSE,
)
_REFERRED = lazy_pattern(r"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[a-zA-Z][a-zA-Z0-9]*+(?:;|(?!=)))")

_REFERENCE_OR_TEXT = lazy_pattern(r"&#?\w+;?|&|[^&]+")

_VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input link meta param source track wbr "
    "path use circle rect line polygon polyline ellipse stop".split()
)
"""Elements without content, including those of SVG."""

_FOREIGN = frozenset(("svg", "math"))  # elements that "/>" closes
_ENDED_BY = {
    name: frozenset(starts.split())
    for names, starts in (
        (
            "p",
            "address article aside blockquote center details dialog dir div dl fieldset figcaption "
            "figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre search "
            "section summary ul li dd dt table td th tr tbody thead tfoot",
        ),
        ("a", "a"),
        ("li", "li"),
        ("dt dd", "dt dd"),
        ("option", "option optgroup"),
        ("td th", "tr tbody tfoot td th"),
        ("tr thead tbody", "tr tbody tfoot"),
        ("head", "body"),
    )
    for name in names.split()
}
"""Open elements whose end tag may be omitted, and the start tags that then close them."""

Attributes = frozenset[tuple[str, str]]
"""Attributes of an element in comparable form: names in lower case, and values."""


class Markup(msgspec.Struct):
    """A source, split into pieces.

    A text or a media element is three numbers: start, end (exclusive), and the number of the start
    tag around it (for a medium its own start tag), -1 for none. Texts have visible characters, and
    no blanks around them.
    """

    html: str
    texts: MutableSequence[int] = msgspec.field(default_factory=partial(array, "i"))
    media: MutableSequence[int] = msgspec.field(default_factory=partial(array, "i"))
    names: list[str] = msgspec.field(default_factory=list)  # of all start tags, in lower case
    # Number of the start tag around each start tag, -1 for none, and its place in the source.
    above: MutableSequence[int] = msgspec.field(default_factory=partial(array, "i"))
    starts: MutableSequence[int] = msgspec.field(default_factory=partial(array, "i"))
    ends: MutableSequence[int] = msgspec.field(default_factory=partial(array, "i"))
    # Whether an element such as "<iframe/>" may hide what follows it.
    may_swallow: bool = True
    _attributes: dict[str, Attributes] = msgspec.field(default_factory=dict)

    def tag(self, opening: int) -> str:
        """Return a start tag as written in the source; empty for -1."""
        return self.html[self.starts[opening] : self.ends[opening]] if opening >= 0 else ""

    def attributes(self, opening: int) -> Attributes:
        """Return the attributes of a start tag for comparison; the first of each name counts."""
        tag = self.tag(opening)
        found = self._attributes.get(tag)
        if found is None:
            written = read_attributes(tag, 1 + len(self.names[opening])) if tag else {}
            if "&" in tag or "\r" in tag:
                for name, text in written.items():
                    if "&" in text or "\r" in text:
                        written[name] = _value(text)
            written.pop("srcset", None)
            found = self._attributes[tag] = frozenset(written.items())
        return found


def scan_markup(html: str) -> Markup:
    """Return the texts, media elements and start tags of a source."""
    if kernels.scan_markup is None:
        return _scan_pieces_of(html)
    rules = (_RAW_NAMES, MEDIA, _VOID, _FOREIGN, _ENDED_BY, SWALLOWING)
    return Markup(html, *kernels.scan_markup(html, rules))


def _scan_pieces_of(html: str) -> Markup:
    markup = Markup(html)
    stack = OpenElements(markup)
    position = 0
    for text, piece, raw_tag, raw, slash, name in scan_pieces(html):
        if not text.isspace() and (stripped := text.strip(BLANKS)):
            start = position + text.index(stripped)
            markup.texts.extend((start, start + len(stripped), stack.top))
        position += len(text)
        if slash:
            stack.close(name.lower())
        elif name or raw:
            stack.open((name or raw).lower(), raw_tag or piece, position)
        position += len(piece)
    return markup


def scan_pieces(html: str) -> list[tuple[str, str, str, str, str, str]]:
    """Return the pieces of a source; joined, their texts and markup give the source again.

    Returns
    -------
    For each piece its text and the markup after it; for an element whose content is not parsed
    (``script``) the start tag, with which the markup begins, and its name; for other tags the slash
    of an end tag, and the name. Other pieces, such as comments, have only markup.
    """
    return _PIECE.findall(html)


def without_empty_elements(html: str) -> str:
    """Return a source written as XML in a form that HTML can read, without moving any character.

    ``<iframe/>`` is complete in XML, but in HTML everything after it is its content. Such tags
    become comments.
    """
    return _EMPTY_RAW.sub("<!", html)


def swallows_most(html: str) -> bool:
    """Return whether an element written as XML, like ``<iframe/>``, hides most of the texts.

    Such elements have no end tag anywhere in a source that was saved as XML, so that browsers take
    all that follows for their content.
    """
    if not _EMPTY_RAW.search(html):
        return False
    if not any(f"<{name}" in html and f"</{name}" not in html for name in _UNPARSED):
        return False
    scans = map(scan_markup, (without_empty_elements(html), html))
    n_visible, n_left = (sum(scan.texts[1::3]) - sum(scan.texts[::3]) for scan in scans)
    return n_visible > _MOSTLY * n_left


class OpenElements:
    """Open elements, as numbers of start tags; the innermost is ``top``."""

    def __init__(self, markup: Markup) -> None:
        self.markup = markup
        self.top = -1
        self.n_open: defaultdict[str, int] = defaultdict(int)

    def open(self, name: str, tag: str, position: int) -> None:
        """Open an element, and close those before it whose end tags were omitted."""
        markup = self.markup
        names, above = markup.names, self.top
        if above >= 0 and names[above] in _ENDED_BY:
            while above >= 0 and name in _ENDED_BY.get(names[above], ()):
                self.n_open[names[above]] -= 1
                above = self.top = markup.above[above]
        number = len(names)
        names.append(name)
        markup.starts.append(position)
        markup.ends.append(position + len(tag))
        markup.above.append(above)
        if name in MEDIA:
            markup.media.extend((position, position + len(tag), number))
        if name not in _VOID and not (name in _FOREIGN and tag.endswith("/>")):
            self.top = number
            self.n_open[name] += 1

    def close(self, name: str) -> None:
        """Close the innermost open element with a name; do nothing if none is open."""
        if not self.n_open[name]:
            return
        names, above = self.markup.names, self.markup.above
        top, popped = self.top, ""
        while popped != name:
            popped = names[top]
            self.n_open[popped] -= 1
            top = above[top]
        self.top = top


def read_attributes(tag: str, start: int) -> dict[str, str]:
    """Return the attributes of a start tag as written, from a place on; the first of a name counts.

    Names are in lower case.
    """
    if kernels.read_attributes is not None:
        return kernels.read_attributes(tag, start)
    pairs = reversed(_ATTRIBUTE.findall(tag.removesuffix(">"), start))
    return {name.lower(): double or single or bare for name, double, single, bare in pairs}


def comparable(attributes: Mapping[str, str]) -> Attributes:
    """Return attributes for comparison, without ``srcset``, into which sources may be merged."""
    if "srcset" not in attributes and all(map(str.islower, attributes)):
        return frozenset(attributes.items())
    return frozenset((key.lower(), text) for key, text in attributes.items() if key != "srcset")


def _value(text: str) -> str:
    """Return the value of an attribute with its character references decoded as in HTML."""
    return _REFERRED.sub(_decoded, text.replace("\r\n", "\n").replace("\r", "\n"))


def _decoded(match: re.Match[str]) -> str:
    name = match[0][1:]  # one that is only a prefix of a reference is kept
    return unescape(match[0]) if name.startswith("#") or name in html5 else match[0]


def trim_references(html: str, start: int, end: int) -> tuple[int, int]:
    """Return a span of the source without references to blanks, such as ``&nbsp;``, at its ends.

    A span of nothing else is returned unchanged.
    """
    if html[start] != "&":
        rest = html[html.rindex("&", start, end) : end]
        if " " in rest or ";" in rest[:-1]:
            return start, end
    pieces = _REFERENCE_OR_TEXT.finditer(html, start, end)
    visible = [piece for piece in pieces if unescape(piece[0]).strip(BLANKS)]
    if not visible:
        return start, end
    first, last = visible[0], visible[-1]
    start = first.end() - len(first[0].lstrip(BLANKS))
    return start, last.start() + len(last[0].rstrip(BLANKS))
