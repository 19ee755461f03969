"""Images and their captions: what stands together, and where that is on the page.

A caption is told from a paragraph by the image beside it, and the image of an article from that of
a teaser by what else its element holds. A linear model cannot join such cues, so they are joined
here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structce.features.dom import in_link
from structce.features.lines import page_cues
from structce.features.memo import once_a_page
from structce.features.naming import element_meanings
from structce.features.registry import feature
from structce.features.stated_places import Names, in_figure, inside
from structce.features.text import widths
from structce.features.zones import zones
from structce.page import Page

_FRAME = frozenset({"kicker", "title", "head", "text", "foot"})
_DRAWN = frozenset({"svg", "canvas"})  # icons, mostly: they make no figure
_ALIEN = frozenset({"author", "advertisement", "related", "share", "navigation", "comment"})
_NOTHING: frozenset[str] = frozenset()


class Sums(NamedTuple):
    """What each element holds, with all that is below it; each of shape (n_elements,)."""

    media: NDArray[np.float64]
    texts: NDArray[np.float64]
    width: NDArray[np.float64]
    linked: NDArray[np.float64]


@once_a_page
def element_sums(page: Page) -> Sums:
    """Return the number of media and of texts, their width and the linked width, by element."""
    lengths = widths(page)
    drawn = np.array([tag in _DRAWN for tag in page.tag], dtype=bool)
    columns = [page.is_media & ~drawn, ~page.is_media, lengths, lengths * in_link(page)]
    sums = np.zeros((len(page.elements), 4))
    np.add.at(sums, page.element, np.stack(columns, axis=1).astype(np.float64))
    parents = page.elements.parent.tolist()
    rows = list(sums)
    for i in range(len(rows) - 1, 0, -1):
        rows[parents[i]] += rows[i]
    return Sums(*sums.T)


@once_a_page
def companions(page: Page) -> list[int]:
    """Return for each region the smallest element that holds both media and text, or -1."""
    sums, parents = element_sums(page), page.elements.parent.tolist()
    both = ((sums.media > 0) & (sums.texts > 0)).tolist()
    nearest: list[int] = []
    for i, parent in enumerate(parents):
        nearest.append(i if both[i] else nearest[parent] if parent >= 0 else -1)
    return [nearest[i] for i in page.element.tolist()]


@feature("task")
def company(page: Page) -> Names:
    """Size of the smallest element with both an image and text, and its part of the page.

    Little text that is all a link is a teaser, a little that is none is a caption, and much is
    the article itself.
    """
    sums, parts, figures = element_sums(page), zones(page), in_figure(page)
    sizes = _sizes(sums)
    known: dict[tuple[int, str, bool, bool], frozenset[str]] = {}
    found: Names = []
    for i, element in enumerate(companions(page)):
        key = element, parts[i], bool(page.is_media[i]), bool(figures[i])
        if key not in known:
            known[key] = _company(sizes, *key)
        found.append(known[key])
    return found


def _company(
    sizes: Sequence[tuple[str, str, str, str]], element: int, part: str, media: bool, figure: bool
) -> frozenset[str]:
    if element < 0:
        return _NOTHING
    width, texts, links, images = sizes[element]
    kind = "media" if media else "text"
    return frozenset(
        (
            f"{kind}:{width}:{texts}:{links}:{images}",
            f"{kind}:{width}:{links}:{images}:{part}",
            f"{kind}:{'figure' if figure else 'plain'}:{links}:{width}:{part}",
        )
    )


def _sizes(sums: Sums) -> list[tuple[str, str, str, str]]:
    """Return names for how much text, how many texts, how linked, how many media, by element."""
    width = np.array(["few", "some", "much"])[np.searchsorted((121, 501), sums.width, "right")]
    texts = np.array(["1", "2-3", "4-8", "many"])[np.searchsorted((2, 4, 9), sums.texts, "right")]
    share = sums.linked / np.maximum(sums.width, 1)
    links = np.array(["plain", "mixed", "linked"])[np.searchsorted((0.2, 0.7), share, "right")]
    images = np.where(sums.media == 1, "one", "more")
    return list(zip(width.tolist(), texts.tolist(), links.tolist(), images.tolist(), strict=True))


@feature("task")
def caption_place(page: Page) -> Names:
    """Mark-up of a caption joined with the distance to the image before and the part of the page.

    Mark-up is ``figcaption``, a class name that speaks of captions, or a figure; where there is
    none, a short text right after an image still may be one.
    """
    mark_up, parts, linked = _caption_mark_up(page), zones(page), in_link(page).tolist()
    lengths, cues = widths(page).tolist(), page_cues(page)
    found: Names = []
    since = 99
    for i, media in enumerate(page.is_media.tolist()):
        since = 0 if media else since + 1
        near = "1" if since <= 1 else "2" if since == 2 else "3-5" if since <= 5 else "far"
        if media or (mark_up[i] == "none" and near == "far"):
            found.append(_NOTHING)
            continue
        where = "in" if parts[i] in _FRAME else "out"
        form = f"{'long' if lengths[i] >= 30 else 'short'}{':link' if linked[i] else ''}"
        form += ":credit" if "credit-cue" in cues[i] else ""
        names = f"{mark_up[i]}:{near}:{where}:{form}", f"{mark_up[i]}:{where}:{form[:5]}"
        found.append(frozenset((*names, f"{mark_up[i]}:{parts[i]}:{near}")))
    return found


def _caption_mark_up(page: Page) -> list[str]:
    captioned, figures = inside(page, "figcaption"), in_figure(page)
    own, parents = element_meanings(page), page.elements.parent
    found = []
    for i, element in enumerate(page.element.tolist()):
        above = int(parents[element])
        named = "caption" in own[element] or (above >= 0 and "caption" in own[above])
        kinds = (("figcaption", captioned[i]), ("class", named), ("figure", figures[i]))
        found.append(next((kind for kind, is_so in kinds if is_so), "none"))
    return found


@feature("task")
def media_place(page: Page) -> Names:
    """Kind and size of media joined with the part of the page and what class names say.

    The images of an article are large and stand in its frame; portraits of authors, teasers and
    advertisements stand there too, and are told by their size and by their names.
    """
    parts, figures, linked = zones(page), in_figure(page), in_link(page)
    alien, sizes, spare = _alien(page), _media_sizes(page), inside(page, "noscript")
    found = [_NOTHING] * len(page)
    for i in np.flatnonzero(page.is_media).tolist():
        tag, part, size = page.tag[i], parts[i], sizes[i]
        figure, link = "figure" if figures[i] else "", "link" if linked[i] else ""
        alt = len(page.attributes[i].get("alt", "").strip())
        found[i] = frozenset(
            (
                f"{tag}:{part}:{figure}:{size}:{link}",
                f"{part}:{size}:{alien[i] or 'clean'}",
                f"{tag}:{size}:{figure}:{bool(alien[i])}:{part in _FRAME}",
                f"{'spare' if spare[i] else 'shown'}:{tag}:{part}",
                f"alt-{'none' if not alt else 'short' if alt < 24 else 'long'}:{part}",
            )
        )
    return found


def _alien(page: Page) -> dict[int, str]:
    """Return what the names around each media region say that an article's image is not."""
    own, elements = element_meanings(page), page.elements
    found = {}
    for i in np.flatnonzero(page.is_media).tolist():
        near = list(elements.ancestors(int(page.element[i])))[:5]
        found[i] = ",".join(sorted(_ALIEN & _NOTHING.union(*(own[n] for n in near))))
    return found


def _media_sizes(page: Page) -> list[str]:
    """Return a name for the size of each region; empty without layout."""
    if not page.has_layout:
        return [""] * len(page)
    width = np.nan_to_num(page.boxes[:, 2])
    names = np.array(["small", "medium", "large"])[np.searchsorted((200, 450), width, "right")]
    tiny = width * np.nan_to_num(page.boxes[:, 3]) < 2500
    sizes: list[str] = np.where(tiny, "tiny", names).tolist()
    return sizes
