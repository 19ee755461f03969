"""Features of all families as functions of one region, for the comparison with those of a page.

Written in the style of webstruct, which is itself not used. What a short text says of authors and
dates both sides read with the same function, which remembers what it read. Without layout a box is
not known, and what the browser alone computes gives nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import groupby

from benchmarks.features.regions import NOTHING, Cues, Region, binned, cue, flag
from structce.features.class_names import NAMING
from structce.language.cues import find_cues
from structce.language.text import display_width

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NAME = re.compile(r"[a-z]+")
_LEFT, _TOP, _WIDTH, _HEIGHT = range(4)  # of a box
_SENTENCE_END = tuple(".!?…。！？\"”»«“'’)")


def token(word: str) -> str:
    """Return a word, or of a number how many digits it has."""
    return f"{len(word)}-digits" if word.isdigit() else word


@cue("text.token")
def tokens(region: Region) -> Cues:
    """Words."""
    return {"text.token": list({token(word) for word in region.words[:30]})}


@cue("text.length")
def length(region: Region) -> Cues:
    """Width in columns."""
    return binned("text.length", display_width(region.text))


@cue("text.word-count")
def word_count(region: Region) -> Cues:
    """Number of words."""
    return binned("text.word-count", len(region.words))


@cue("text.shape")
def shape(region: Region) -> Cues:
    """Case and punctuation of the beginning."""
    kinds = "".join(kind for kind, _ in groupby(map(_kind, region.text[:60])))
    return {"text.shape": kinds[:12]} if kinds else NOTHING


def _kind(letter: str) -> str:
    if letter.isdecimal():
        return "9"
    if letter.isupper():
        return "X"
    if letter.isalpha():
        return "x"
    return " " if letter.isspace() else letter


@cue("text.ends-sentence")
def ends_sentence(region: Region) -> Cues:
    """Ends as a sentence does."""
    return flag("text.ends-sentence", region.text.endswith(_SENTENCE_END))


@cue("dom.tag")
def tag(region: Region) -> Cues:
    """Name of the element."""
    return {"dom.tag": region.page.tags[region.element]}


@cue("dom.parent-tag")
def parent_tag(region: Region) -> Cues:
    """Name of the element above."""
    parent = region.page.parents[region.element]
    return {"dom.parent-tag": region.page.tags[parent]} if parent >= 0 else NOTHING


@cue("dom.ancestor-tag")
def ancestor_tag(region: Region) -> Cues:
    """Names of all elements above, and of its own."""
    page, i = region.page, region.element
    tags = set()
    while i >= 0:
        tags.add(page.tags[i])
        i = page.parents[i]
    return {"dom.ancestor-tag": list(tags)}


@cue("dom.token")
def name_tokens(region: Region) -> Cues:
    """Words in class, id and the like."""
    return {"dom.token": list(_names(region.page.attributes[region.element]))}


@cue("dom.near-token")
def near_tokens(region: Region) -> Cues:
    """The same of the three elements above."""
    page, i = region.page, region.page.parents[region.element]
    element_names: set[str] = set()
    for _ in range(3):
        if i >= 0:
            element_names |= _names(page.attributes[i])
            i = page.parents[i]
    return {"dom.near-token": list(element_names)}


def _names(attributes: Mapping[str, str]) -> set[str]:
    return {
        word
        for key, value in attributes.items()
        if key in NAMING
        for word in _NAME.findall(_CAMEL.sub("-", value).lower())
        if 2 <= len(word) <= 20
    }


@cue("dom.depth")
def depth(region: Region) -> Cues:
    """Number of elements above."""
    return binned("dom.depth", region.page.depths[region.element])


@cue("dom.siblings")
def siblings(region: Region) -> Cues:
    """Element children of the parent."""
    return binned("dom.siblings", region.page.n_siblings[region.element])


@cue("task.author-cue")
def author_cue(region: Region) -> Cues:
    """Words of a byline."""
    return _read(region, "author-cue")


@cue("task.date-cue")
def date_cue(region: Region) -> Cues:
    """Words beside a date."""
    return _read(region, "date-cue")


@cue("task.year-cue")
def year_cue(region: Region) -> Cues:
    """A year."""
    return _read(region, "year-cue")


def _read(region: Region, kind: str) -> Cues:
    return flag(f"task.{kind}", kind in find_cues(region.text, region.page.lang))


@cue("task.title-word-match")
def title_word_match(region: Region) -> Cues:
    """Share of words that occur in the stated headlines."""
    if not region.words:
        return NOTHING
    share = sum(word in region.page.stated for word in region.words) / len(region.words)
    return binned("task.title-word-match", share)


@cue("task.from-heading")
def from_heading(region: Region) -> Cues:
    """Regions since the headline."""
    if region.page.heading < 0:
        return NOTHING
    return binned("task.from-heading", region.index - region.page.heading)


@cue("task.running-text")
def running_text(region: Region) -> Cues:
    """Belongs to running text."""
    return flag("task.running-text", region.page.running[region.index])


@cue("style.relative-font-size")
def relative_font_size(region: Region) -> Cues:
    """Font size over that of the running text."""
    size = region.style("font-size") / region.page.body_size
    return binned("style.relative-font-size", size)


@cue("style.previous-font-size-difference")
def previous_font_size_difference(region: Region) -> Cues:
    """Font size less that of the region before."""
    if region.previous < 0:
        return NOTHING
    before = region.page.styles["font-size"][region.previous]
    return binned("style.previous-font-size-difference", region.style("font-size") - before)


@cue("style.is-bold")
def is_bold(region: Region) -> Cues:
    """Heavy letters."""
    return flag("style.is-bold", region.style("font-weight") >= 600)


@cue("style.is-italic")
def is_italic(region: Region) -> Cues:
    """Slanted letters."""
    return flag("style.is-italic", region.page.slants[region.element] != "normal")


@cue("style.left")
def left(region: Region) -> Cues:
    """Left edge as a share of the window."""
    return _box(region, "style.left", _LEFT, region.page.window[0])


@cue("style.top")
def top(region: Region) -> Cues:
    """Upper edge in heights of the window."""
    return _box(region, "style.top", _TOP, region.page.window[1])


@cue("style.width")
def width(region: Region) -> Cues:
    """Width as a share of the window."""
    return _box(region, "style.width", _WIDTH, region.page.window[0])


@cue("style.height")
def height(region: Region) -> Cues:
    """Height in CSS pixels."""
    return _box(region, "style.height", _HEIGHT, 1.0)


def _box(region: Region, name: str, side: int, unit: float) -> Cues:
    page = region.page
    return binned(name, page.boxes[region.index][side] / unit) if page.has_layout else NOTHING


@cue("style.next-left-difference")
def next_left_difference(region: Region) -> Cues:
    """Left edge less that of the region after."""
    page, i = region.page, region.index
    if not page.has_layout or i + 1 == page.n_regions:
        return NOTHING
    difference = page.boxes[i][_LEFT] - page.boxes[i + 1][_LEFT]
    return binned("style.next-left-difference", difference)


@cue("style.previous-gap")
def previous_gap(region: Region) -> Cues:
    """Upper edge less the lower one of the region before."""
    page, i = region.page, region.index
    if not page.has_layout or i == 0:
        return NOTHING
    above = page.boxes[i - 1]
    return binned("style.previous-gap", page.boxes[i][_TOP] - (above[_TOP] + above[_HEIGHT]))


@cue("style.margin-top")
def margin_top(region: Region) -> Cues:
    """Margin above the element."""
    return _space(region, "style.margin-top", "margin-top")


@cue("style.padding-top")
def padding_top(region: Region) -> Cues:
    """Padding above the text."""
    return _space(region, "style.padding-top", "padding-top")


def _space(region: Region, name: str, space: str) -> Cues:
    return binned(name, region.style(space)) if region.page.has_layout else NOTHING
