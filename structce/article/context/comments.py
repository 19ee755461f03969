"""Comments of readers below an article: records with a text, a name and a day, outside its body."""

from __future__ import annotations

import numpy as np

from structce.arrays import Flags
from structce.article.evidence import SURROUNDINGS, Evidence
from structce.article.posts import PostPlaces, find_posts, read_posts
from structce.article.values import Post
from structce.language import find_cues

_COMMENT = list(SURROUNDINGS).index("comment")
_LONGEST_HEADING = 60  # characters of a line such as "12 comments" above the first


def read_comments(evidence: Evidence, is_body: Flags) -> tuple[Post, ...]:
    """Return the comments of a page, in its order.

    They are looked for in the parts of the page that are named after comments; without such names,
    below the text from a line that speaks of comments.

    Parameters
    ----------
    is_body : shape (n_regions,)
        Regions of the article's body, which no comment contains.
    """
    within = _places_of_comments(evidence) & ~is_body
    if not within.any():
        return ()
    found = (_only(post, within) for post in find_posts(evidence, within))
    return read_posts(evidence, [post for post in found if post.text])


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


def _only(post: PostPlaces, within: Flags) -> PostPlaces:
    """Return a post without regions outside the places of comments."""
    kept = (tuple(i for i in group if within[i]) for group in _groups(post))
    return PostPlaces(*kept)


def _groups(post: PostPlaces) -> tuple[tuple[int, ...], ...]:
    return post.regions, post.text, post.author, post.date
