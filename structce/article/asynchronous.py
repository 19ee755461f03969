"""Labelling for asyncio: runs in threads, so that the event loop is not blocked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import aclosing
from functools import wraps
from typing import Any

from structce.article.article import Article
from structce.article.batch import label_files
from structce.article.one_call import label
from structce.article.reader import PageOutcome


@wraps(label, assigned=(), updated=())
async def label_async(*args: Any, **kwargs: Any) -> Article:
    """Run :func:`structce.label` in a thread, so that the event loop is not blocked."""
    return await asyncio.to_thread(label, *args, **kwargs)


@wraps(label_files, assigned=(), updated=())
async def label_files_async(
    *args: Any, **kwargs: Any
) -> AsyncGenerator[PageOutcome[Article], None]:
    """Run :func:`label_files` in a thread, so that the event loop is not blocked."""
    async with aclosing(_in_thread(label_files(*args, **kwargs))) as outcomes:
        async for outcome in outcomes:
            yield outcome


async def _in_thread(
    outcomes: Generator[PageOutcome[Article], None, None],
) -> AsyncGenerator[PageOutcome[Article], None]:
    """Yield from a generator, of which each step and the final ``close`` run in a thread."""
    try:
        while (outcome := await asyncio.to_thread(next, outcomes, None)) is not None:
            yield outcome
    finally:
        await asyncio.to_thread(outcomes.close)
