"""Features of type and layout, as functions of one region.

Written for this comparison in the style of webstruct, which is itself not used. Without layout a
box is not known, and what the browser alone computes gives nothing.
"""

from __future__ import annotations

from benchmarks.features.regions import NOTHING, Cues, Region, binned, cue, flag

_LEFT, _TOP, _WIDTH, _HEIGHT = range(4)


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
