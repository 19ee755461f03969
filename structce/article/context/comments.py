"""Comments of readers below an article: records with a text, a name and a day, outside its body."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from structce.arrays import Flags
from structce.article.evidence import SURROUNDINGS, Evidence
from structce.article.posts import PostRegions, dated_regions, find_posts, read_posts
from structce.article.values import Post
from structce.language import find_cues

_COMMENT = list(SURROUNDINGS).index("comment")
_SHORTEST = 20  # characters of a line of a comment that is the only one
_LONGEST_NAME = 40
_MOST_OF_ONE = 30  # regions of a comment that is the only one
_LONGEST_HEADING = 60  # characters of a line such as "12 comments" above the first


def read_comments(evidence: Evidence, is_body: Flags) -> tuple[Post, ...]:
    """Return the comments of a page, in its order.

    They are looked for in the parts of the page that are named after comments or, without such
    names, below a line after the text that mentions comments.

    Parameters
    ----------
    is_body : shape (n_regions,)
        Regions of the article's body, which no comment contains.
    """
    within = _places_of_comments(evidence) & ~is_body
    if not within.any():
        return ()
    posts = find_posts(evidence, within) or list(_single_comment(evidence, within))
    inside = (_without_others(post, within) for post in posts)
    return read_posts(evidence, [post for post in inside if post.text])


def _places_of_comments(evidence: Evidence) -> Flags:
    page = evidence.page
    named: Flags = (evidence.surroundings[page.element] >> _COMMENT & 1).astype(bool)
    if named.any():
        return named
    for i in range(min(evidence.end + 1, len(page)), len(page)):
        text = page.text[i]
        if 0 < len(text) <= _LONGEST_HEADING and "comment-cue" in find_cues(text, page.lang):
            return np.arange(len(page)) > i
    return named


def _single_comment(evidence: Evidence, within: Flags) -> Iterator[PostRegions]:
    """Yield the comment of a page that has one, which therefore recurs nowhere."""
    page = evidence.page
    dated = [i for i in dated_regions(evidence) if within[i]]
    if len(dated) != 1:
        return
    first, end = evidence.region_ranges
    for element in page.elements.ancestors(int(page.element[dated[0]])):
        regions = range(int(first[element]), int(end[element]))
        if not within[regions.start : regions.stop].all() or len(regions) > _MOST_OF_ONE:
            return
        others = [i for i in regions if page.text[i] and i not in dated]
        text = [i for i in others if len(page.text[i]) >= _SHORTEST and not evidence.in_link[i]]
        if text:
            names = [i for i in others if i < text[0] and len(page.text[i]) <= _LONGEST_NAME]
            yield PostRegions(tuple(regions), tuple(text), tuple(names[:1]), tuple(dated))
            return


def _without_others(post: PostRegions, within: Flags) -> PostRegions:
    """Return a post without regions outside the places of comments."""
    groups = (post.regions, post.text, post.author, post.date)
    return PostRegions(*(tuple(i for i in group if within[i]) for group in groups))
