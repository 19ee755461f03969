"""Labelling from asyncio: what the package labels, in threads, so that others go on meanwhile."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Generator, Iterable
from contextlib import aclosing
from functools import partial
from pathlib import Path

from structce.article import Article, Favour, Readable, label
from structce.batch import label_files
from structce.labelling_pool import PageOutcome
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
    """Return what :func:`structce.label` returns, from a thread, so that others go on meanwhile."""
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
    """Yield what :func:`label_files` yields, from a thread, so that others go on meanwhile."""
    found = label_files(
        sources,
        model=model,
        renderer=renderer,
        workers=workers,
        network=network,
        favour=favour,
        settings=settings,
        spans=spans,
    )
    async with aclosing(_in_thread(found)) as outcomes:
        async for one in outcomes:
            yield one


async def _in_thread(
    found: Generator[PageOutcome[Article], None, None],
) -> AsyncGenerator[PageOutcome[Article], None]:
    """Yield what a generator yields; each step of it, and its end, is taken in a thread."""
    try:
        while (one := await asyncio.to_thread(next, found, None)) is not None:
            yield one
    finally:
        await asyncio.to_thread(found.close)
