"""Stories on several pages: the articles of their pages joined into one.

>>> first = structce.label(html_of_first, url=address, context=True)  # doctest: +SKIP
>>> whole = follow_pages(first, lambda url: structce.label(url, network=True, context=True))
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from structce.addresses import without_fragment
from structce.article.article import Article
from structce.article.blocks import Block, Image, with_inner
from structce.article.structure import body_text
from structce.article.values import Context, Post
from structce.errors import StructceError

MOST_PAGES = 20
"""Greatest number of pages that a story is followed over by default."""

_REPEATED = 40  # characters from which a block at the top of two pages is the same one repeated
_log = logging.getLogger(__name__)


def follow_pages(
    first: Article, read: Callable[[str], Article], *, most: int = MOST_PAGES
) -> Article:
    """Return an article with the pages that continue it.

    Pages are read one after another until the last names no next page, or one that was read
    before. A page that cannot be read ends the story, with a warning in the log. ``read`` returns
    the article at an address, with its context, or raises :class:`StructceError`.
    """
    pages, seen = [first], {without_fragment(first.url)}
    while len(pages) < most and (context := pages[-1].context) and context.next_page:
        address = context.next_page.address
        if without_fragment(address) in seen:
            break
        seen.add(without_fragment(address))
        try:
            pages.append(read(address))
        except StructceError as error:
            _log.warning("%s: the story ends after %d pages: %s", first.url, len(pages), error)
            break
    return join_pages(pages)


def join_pages(pages: Sequence[Article]) -> Article:
    """Return the articles of consecutive pages as one.

    Fields and regions are those of the first page. Text, blocks, posts, comments and items are
    those of all pages; blocks that a page repeats at its top are left out. What comes from a later
    page has no region, span, box or XPath, since these are places on the first page.

    Raises
    ------
    ValueError
        If there is no page.
    """
    if not pages:
        raise ValueError("no pages; expected the article of at least one")
    first, later = pages[0], pages[1:]
    if not later:
        return first
    blocks = (*first.blocks, *unplaced(_further_blocks(first, later)))
    posts = (*first.posts, *(_unplaced_post(post) for page in later for post in page.posts))
    return replace(
        first,
        blocks=blocks,
        text=body_text(blocks),
        posts=posts,
        context=_joined_context(pages),
        further_pages=tuple(page.url for page in later),
    )


def _further_blocks(first: Article, later: Sequence[Article]) -> Iterator[Block]:
    seen = {text for block in first.blocks if (text := body_text([block]))}
    for page in later:
        is_top = True
        for block in page.blocks:
            text = body_text([block])
            is_top = is_top and text in seen
            if not (is_top and len(text) >= _REPEATED):
                yield block
            seen.add(text)


def unplaced(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Return blocks without their places on their page."""
    return tuple(
        replace(
            with_inner(block, unplaced),
            line=tuple(replace(inline, regions=(), xpath="", spans=()) for inline in block.line),
            regions=(),
            xpath="",
            spans=(),
            box=None,
            images=tuple(Image(image.address, image.alt) for image in block.images),
        )
        for block in blocks
    )


def _unplaced_post(post: Post) -> Post:
    author, date = (
        value and replace(value, xpath=None, span=None, box=None, region=None)
        for value in (post.author, post.date)
    )
    return Post(post.text, author, date)


def _joined_context(pages: Sequence[Article]) -> Context | None:
    """Return the first page's context with comments and items of all, and the last's next page."""
    first = pages[0].context
    if first is None:
        return None
    later = [page.context for page in pages[1:] if page.context is not None]
    comments = (_unplaced_post(post) for context in later for post in context.comments)
    items = (replace(item, regions=(), xpath="") for context in later for item in context.items)
    return replace(
        first,
        next_page=later[-1].next_page if later else first.next_page,
        comments=(*first.comments, *comments),
        items=(*first.items, *items),
    )
