"""Scanner of HTML source: where tags and texts stand, which the parser does not tell.

One regular expression cuts the source into pieces as the tokeniser of the HTML standard (section
13.2.5) does; a stack of open elements then says what each text stands in. It knows the usual
omitted end tags, not every repair that a browser makes: good enough to compare two places, not to
replace a parser. Time and memory grow with the length of the source, whatever it holds.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.entities import html5

from structce.language import unescape
from structce.page import MEDIA
from structce.rendering.html_rules import has_mark

BLANKS = "".join(
    mark
    for mark in map(chr, (*range(0x21), 0xA0, 0x1680, *range(0x2000, 0x2070), 0x3000, 0xFEFF))
    if not has_mark(mark)
)
"""Characters that make no mark, as ``str.strip`` takes them."""

_SPACE = r"[\t\n\f\r ]"
_NAME_ENDS = r"(?=[\t\n\f\r />])"
_RAW = "script|style|textarea|title|xmp|iframe|noembed|noframes"
_MANY = 1000  # the quick ways below keep a note a step; beyond so many the slow ones go on

# What is not finished at the end of the source lasts until there, so every piece is read once.
_ATTRIBUTES = rf"""[^=>]*+
    (?:={_SPACE}*+(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^\t\n\f\r >]*+)[^=>]*+){{0,{_MANY}}}
    [^>]*+(?:>|\Z)"""
# In a drawing "/>" ends an element; elsewhere <title/> would make all that follows its text.
_EMPTY_IN_SVG = r"[^<>]*/>[^<]*+(?:<(?!/?svg)[^<]*+){0,200}</svg"

_PIECE = re.compile(
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
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)

_EMPTY_RAW = re.compile(rf"<(?=(?:{_RAW}|noscript|select){_NAME_ENDS}[^<>]*/>)[a-z]", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    rf"""([^\t\n\f\r />][^\t\n\f\r />=]*+)
    (?:{_SPACE}*+={_SPACE}*+(?:"([^"]*+)"?|'([^']*+)'?|([^\t\n\f\r >]*+)))?""",
    re.VERBOSE,
)
_REFERRED = re.compile(r"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[a-zA-Z][a-zA-Z0-9]*+(?:;|(?!=)))")

_REFERENCE_OR_TEXT = re.compile(r"&#?\w+;?|&|[^&]+")

_VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input link meta param source track wbr "
    "path use circle rect line polygon polyline ellipse stop".split()
)
"""Elements that hold nothing, those of drawings included."""

_FOREIGN = frozenset(("svg", "math"))
"""Elements that "/>" ends."""

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
"""Open elements whose end tag may be left out, and the start tags that then end them."""

Attributes = frozenset[tuple[str, str]]
"""Attributes of an element, to compare: names in lower case, and values."""


@dataclass
class Markup:
    """A source, cut into pieces.

    A text or a media element is a triple: its first character, the one behind the last, and the
    number of the start tag that it stands in (of media: that it is), -1 for none.

    Parameters
    ----------
    texts
        Texts that show more than blanks, without the blanks around them.
    media
        Start tags of media elements.
    tags
        All start tags, as the source writes them.
    names
        Their names in lower case.
    above
        The number of the start tag around each; -1 for none.
    """

    texts: list[tuple[int, int, int]] = field(default_factory=list)
    media: list[tuple[int, int, int]] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    above: list[int] = field(default_factory=list)
    _attributes: dict[str, Attributes] = field(default_factory=dict)

    def attributes(self, opening: int) -> Attributes:
        """Return the attributes of a start tag, to compare; of one name the first counts."""
        if opening < 0:
            return frozenset()
        tag = self.tags[opening]
        if tag not in self._attributes:
            inside = tag[1 + len(self.names[opening]) :].removesuffix(">")
            found = reversed(_ATTRIBUTE.findall(inside)) if inside else ()
            self._attributes[tag] = comparable(
                {
                    name.lower(): _value(double or single or bare)
                    for name, double, single, bare in found
                }
            )
        return self._attributes[tag]


def scan_markup(html: str) -> Markup:
    """Return the texts, media elements and start tags of a source."""
    markup = Markup()
    stack = OpenElements(markup)
    add, start_element, end_element = markup.texts.append, stack.open, stack.close
    position = 0
    for text, piece, raw_tag, raw, slash, name in scan_pieces(html):
        if text:
            if not text.isspace() and (shown := text.strip(BLANKS)):
                start = position + text.index(shown)
                add((start, start + len(shown), stack.top))
            position += len(text)
        if slash:
            end_element(name.lower())
        elif name:
            start_element(name.lower(), piece, position)
        elif raw:
            start_element(raw.lower(), raw_tag, position)
        position += len(piece)
    return markup


def scan_pieces(html: str) -> list[tuple[str, str, str, str, str, str]]:
    """Return the pieces of a source; joined, their texts and markup are the source again.

    Returns
    -------
    Of each piece its text and the markup behind it; of an element whose content is not parsed
    (``script``) the start tag, which the markup begins with, and its name; of other tags the slash
    of an end tag, and the name. What is neither, as a comment, has markup alone.
    """
    return _PIECE.findall(html)


def without_empty_elements(html: str) -> str:
    """Return a source written as XML so that HTML reads it, every character at its place.

    ``<iframe/>`` ends itself in XML; to HTML all that follows is its content. Such tags become
    comments.
    """
    return _EMPTY_RAW.sub("<!", html)


class OpenElements:
    """Open elements, as numbers of start tags; the innermost is ``top``."""

    def __init__(self, markup: Markup) -> None:
        self.markup = markup
        self.top = -1
        self.n_open: defaultdict[str, int] = defaultdict(int)

    def open(self, name: str, tag: str, position: int) -> None:
        """Start an element, and end those whose end tags were left out before it."""
        markup = self.markup
        names, above = markup.names, self.top
        if above >= 0 and names[above] in _ENDED_BY:
            while self.top >= 0 and name in _ENDED_BY.get(names[self.top], ()):
                self._pop()
            above = self.top
        number = len(names)
        names.append(name)
        markup.tags.append(tag)
        markup.above.append(above)
        if name in MEDIA:
            markup.media.append((position, position + len(tag), number))
        if name not in _VOID and not (name in _FOREIGN and tag.endswith("/>")):
            self.top = number
            self.n_open[name] += 1

    def close(self, name: str) -> None:
        """End the innermost open element of a name; do nothing where none is open."""
        if not self.n_open[name]:
            return
        names, above = self.markup.names, self.markup.above
        top, ended = self.top, ""
        while ended != name:
            ended = names[top]
            self.n_open[ended] -= 1
            top = above[top]
        self.top = top

    def _pop(self) -> str:
        name = self.markup.names[self.top]
        self.n_open[name] -= 1
        self.top = self.markup.above[self.top]
        return name


def comparable(attributes: Mapping[str, str]) -> Attributes:
    """Return attributes to compare; ``srcset`` is not as written where sources are merged in."""
    if "srcset" not in attributes and all(map(str.islower, attributes)):
        return frozenset(attributes.items())
    return frozenset((key.lower(), text) for key, text in attributes.items() if key != "srcset")


def _value(text: str) -> str:
    """Return the value of an attribute, references in it read as HTML reads them there."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _REFERRED.sub(_referred, text) if "&" in text else text


def _referred(found: re.Match[str]) -> str:
    """Return what a reference stands for; a name that is only the beginning of one stays."""
    name = found.group()[1:]
    return unescape(found.group()) if name.startswith("#") or name in html5 else found.group()


def trim_references(html: str, start: int, end: int) -> tuple[int, int]:
    """Return a place in the source without the references to blanks at its ends, as ``&nbsp;``.

    What holds nothing else stays as it is.
    """
    pieces = _REFERENCE_OR_TEXT.finditer(html, start, end)
    shown = [piece for piece in pieces if unescape(piece[0]).strip(BLANKS)]
    if not shown:
        return start, end
    first, last = shown[0], shown[-1]
    before = len(first[0]) - len(first[0].lstrip(BLANKS))
    behind = len(last[0]) - len(last[0].rstrip(BLANKS))
    return first.start() + before, last.end() - behind
