"""The headline on a page, among its breadcrumb, its related links and the bar that repeats it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rapidfuzz import fuzz

from structce.corpora.places.place import NOWHERE, Place
from structce.gold import EXACT, SIMILAR
from structce.text import normalise
from structce.text_index import Span, TextIndex

_HEADLINE = 88.0  # least similarity of a heading with a headline that is not there verbatim
_SITE = re.compile(r"\s[|–—\-•·:»/]{1,2}\s")  # before or behind it a window's title has the site
_MIN_PART = 12  # characters of a window's title without the site
_CLOSE = 1.0  # a place whose score is nearer to the best than this is a rival; our choice
_ASIDE = frozenset({"nav", "footer", "li", "aside"})


def find_title(index: TextIndex, title: str, body: int | None) -> Place:
    """Return where the headline of the page stands.

    Parameters
    ----------
    body
        Place of the first body text, if one was found: the headline is mostly above it.

    Notes
    -----
    The words of the title first; else the title without the name of the site; else a heading that
    is like it. Of several places the one wins that tag, size, position and the neighbourhood of
    the body speak for; the weights are our choice.
    """
    spans = _whole(index, title)
    score = 1.0
    if not spans:
        spans = [span for part in _parts(title) for span in _whole(index, part)]
        score = max((len(span) / len(normalise(title)) for span in spans), default=0.0)
    if spans:
        method = EXACT if score == 1 else SIMILAR
        return _chosen(index, spans, body, method, score)
    ratios = [
        (fuzz.ratio(normalise(title), index.text[s.start : s.end]), s) for s in _headings(index)
    ]
    best = max((ratio for ratio, _ in ratios), default=0.0)
    if best < _HEADLINE:
        return NOWHERE
    return _chosen(index, [s for ratio, s in ratios if ratio == best], body, SIMILAR, best / 100)


def _whole(index: TextIndex, text: str) -> list[Span]:
    return [span for span in index.find(text) if index.regions(span)]


def _parts(title: str) -> Iterator[str]:
    """Yield a title without its first or last part, the longest first."""
    cuts = list(_SITE.finditer(title))
    parts = [title[: cut.start()] for cut in cuts] + [title[cut.end() :] for cut in cuts]
    for part in sorted(parts, key=len, reverse=True):
        if len(normalise(part)) >= max(_MIN_PART, len(normalise(title)) // 2):
            yield part


def _chosen(
    index: TextIndex, spans: Sequence[Span], body: int | None, method: str, score: float
) -> Place:
    scores = {span: _score(index, span, body) for span in spans}
    best = max(spans, key=scores.__getitem__)
    own = index.regions(best)
    close = [s for s in spans if s != best and scores[best] - scores[s] < _CLOSE]
    rivals = {i for span in close for i in index.regions(span)} - set(own)
    return Place(tuple(own), method, score, tuple(sorted(rivals)))


def _score(index: TextIndex, span: Span, body: int | None) -> float:
    page = index.page
    first = index.regions(span)[0]
    tags = {page.elements.tag[i] for i in page.elements.ancestors(int(page.element[first]))}
    score = 4.0 * ("h1" in tags) + 2.0 * ("h2" in tags) + 1.0 * index.fills_block(span)
    score -= 2.0 * bool(tags & _ASIDE) + 1.0 * ("a" in tags)
    score += float(page.styles["font-size"][first]) / 16
    if body is not None:
        score += 2.0 if span.start < body else 0.0
        score -= abs(body - span.end) / max(len(index.text), 1)
    return score


def _headings(index: TextIndex) -> Iterator[Span]:
    """Yield the spans of the page's ``h1`` and ``h2`` elements."""
    page = index.page
    for tag in ("h1", "h2"):
        spans: dict[int, Span] = {}
        for i, element in enumerate(page.element):
            for above in page.elements.ancestors(int(element)):
                if page.elements.tag[above] == tag:
                    start = spans[above].start if above in spans else index.starts[i]
                    spans[above] = Span(start, index.starts[i + 1])
        yield from spans.values()
