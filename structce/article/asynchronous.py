"""Labelling for asyncio: runs in threads, so that the event loop is not blocked."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Generator, Iterable
from contextlib import aclosing
from functools import partial
from pathlib import Path

from structce.article.article import Article
from structce.article.batch import label_files
from structce.article.choice import Favour
from structce.article.one_call import Readable, label
from structce.labelling import PageOutcome
from structce.rendering import Settings


async def label_async(
    source: str | bytes | os.PathLike[str] | Readable,
    *,
    url: str = "",
    model: str | Path | None = None,
    renderer: str = "static",
    network: bool = False,
    favour: Favour = "balance",
    spans: bool = True,
) -> Article:
    """Run :func:`structce.label` in a thread, so that the event loop is not blocked."""
    work = partial(label, source, url=url, model=model, renderer=renderer, network=network)
    return await asyncio.to_thread(work, favour=favour, spans=spans)


async def label_files_async(
    sources: Iterable[str | os.PathLike[str]],
    *,
    model: str | Path | None = None,
    renderer: str = "static",
    workers: int = 1,
    network: bool = False,
    favour: Favour = "balance",
    settings: Settings | None = None,
    spans: bool = True,
) -> AsyncGenerator[PageOutcome[Article], None]:
    """Run :func:`label_files` in a thread, so that the event loop is not blocked."""
    results = label_files(
        sources,
        model=model,
        renderer=renderer,
        workers=workers,
        network=network,
        favour=favour,
        settings=settings,
        spans=spans,
    )
    async with aclosing(_in_thread(results)) as outcomes:
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
