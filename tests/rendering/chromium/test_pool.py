"""Several browsers: what is lost when one of them is, and what a page may take."""

import asyncio
import os
import random
import signal
from concurrent.futures import Future
from pathlib import Path

import psutil
import pytest

from structce.errors import BrowserError, RenderError
from structce.page import Page
from structce.rendering.base import Limits, Settings
from structce.rendering.chromium import ChromiumRenderer
from structce.rendering.chromium.browser import RECYCLE_AFTER, process_memory
from structce.rendering.chromium.session import PageSession
from structce.rendering.document import Document

pytestmark = pytest.mark.browser


def documents(n: int) -> list[Document]:
    return [Document(f"<!doctype html><p>page {i}</p>", name=f"page {i}") for i in range(n)]


def texts(pages: list[Future[Page]]) -> list[tuple[str, ...]]:
    return [page.result().text for page in pages]


def kill(renderer: ChromiumRenderer, chance: random.Random) -> bool:
    """Kill one of the browsers; return whether there was one."""
    pids = renderer.pool.pids
    if not pids:
        return False
    try:
        os.kill(chance.choice(pids), signal.SIGKILL)
    except ProcessLookupError:  # it is gone, and nobody has noticed yet
        return False
    return True


def test_pages_of_two_browsers_come_back_whole_and_each_to_its_own_future() -> None:
    with ChromiumRenderer(workers=2) as renderer:
        pages = [renderer.submit(document) for document in documents(20)]
        assert texts(pages) == [(f"page {i}",) for i in range(20)]
        assert len(renderer.pool.pids) == 2


def test_a_browser_killed_at_five_pages_loses_none_of_them() -> None:
    chance = random.Random(5)
    doomed = {f"page {i}" for i in chance.sample(range(30), 5)}
    with ChromiumRenderer() as renderer:

        async def text(visit: PageSession) -> str:
            if visit.document.name in doomed:
                doomed.remove(visit.document.name)
                kill(renderer, chance)
                await asyncio.Event().wait()
            return str(await visit.evaluate("() => document.body.textContent"))

        pages = [renderer.pool.submit(document, text) for document in documents(30)]
        assert [page.result() for page in pages] == [f"page {i}" for i in range(30)]
        assert renderer.pool.n_lost == 5


def test_two_browsers_killed_between_pages_lose_none() -> None:
    chance = random.Random(5)
    moments = set(chance.sample(range(25), 5))
    n_killed = 0
    with ChromiumRenderer(workers=2) as renderer:
        pages = [renderer.submit(document) for document in documents(30)]
        for i, page in enumerate(pages):
            assert page.result().text == (f"page {i}",)
            n_killed += i in moments and kill(renderer, chance)
    assert n_killed > 0


def test_memory_stays_flat_over_many_pages() -> None:
    with ChromiumRenderer() as renderer:
        held = []
        for document in documents(3 * RECYCLE_AFTER):
            renderer.render(document)
            held.append(process_memory(renderer.pool.pids[0]))
    early, late = max(held[:RECYCLE_AFTER]), max(held[-RECYCLE_AFTER:])
    assert late < 1.25 * early


ENDLESS = "<p>before</p><script>for(;;){}</script>"
GREEDY = """<script>const kept = []; setInterval(() => { for (let i = 0; i < 20; i++)
kept.push(new Uint8Array(1e7).fill(7)); }, 1)</script><p>x</p>"""


@pytest.mark.parametrize(
    ("html", "limits", "message"),
    [
        (ENDLESS, Limits(seconds=2), "bad: not rendered in 2 s, which is the limit"),
        (GREEDY, Limits(memory=700), "bad: 700 MB of memory were not enough"),
    ],
)
def test_a_page_that_takes_too_much_is_an_error_and_the_next_one_is_none(
    html: str, limits: Limits, message: str
) -> None:
    with ChromiumRenderer(settings=Settings(scripts=True, limits=limits)) as renderer:
        pages = [renderer.submit(Document(html, name="bad")), *map(renderer.submit, documents(1))]
        with pytest.raises(RenderError, match=message):
            pages[0].result()
        assert pages[1].result().text == ("page 0",)


def test_a_page_at_which_every_browser_ends_is_an_error_that_names_it() -> None:
    chance = random.Random(1)
    with ChromiumRenderer(settings=Settings(scripts=True)) as renderer:

        async def end(visit: object) -> None:
            kill(renderer, chance)
            await asyncio.Event().wait()

        pool = renderer.pool
        page = pool.submit(Document("<p>x", name="cursed"), end)
        with pytest.raises(RenderError, match=r"cursed: 6 browsers in a row ended on this page"):
            page.result()
        assert texts([renderer.submit(documents(1)[0])]) == [("page 0",)]


def test_a_renderer_that_was_not_entered_says_so() -> None:
    with pytest.raises(BrowserError, match="no browser is open"):
        ChromiumRenderer().render(Document("<p>x"))


def test_no_workers_are_refused() -> None:
    with pytest.raises(BrowserError, match="expected 1 or more, came 0"):
        ChromiumRenderer(workers=0)


def test_a_browser_that_does_not_start_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "chromium-headless-shell"
    broken.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Chromium 1.2.3\n')
    broken.chmod(0o755)
    with pytest.raises(BrowserError, match="chromium-headless-shell did not start"):
        ChromiumRenderer(str(broken)).__enter__()


def runs(pid: int) -> bool:
    try:
        psutil.Process(pid).wait(timeout=10)
    except psutil.NoSuchProcess:
        return False
    except psutil.TimeoutExpired:
        return True
    return False


def test_closing_ends_the_browsers_and_gives_up_what_is_in_flight() -> None:
    with ChromiumRenderer() as renderer:
        pids = renderer.pool.pids
        pages = [renderer.submit(document) for document in documents(200)]
    assert not any(map(runs, pids))
    assert all(page.done() for page in pages)


def test_a_notebook_with_a_loop_of_its_own_can_render() -> None:
    async def cell() -> tuple[str, ...]:
        with ChromiumRenderer() as renderer:
            return renderer.render(documents(1)[0]).text

    assert asyncio.run(cell()) == ("page 0",)


def test_a_picture_after_another_in_the_same_tab_is_of_its_own_page(
    chromium: ChromiumRenderer,
) -> None:
    first = chromium.picture(Document("<body style='background:red'>"))
    second = chromium.picture(Document("<body style='background:blue'>"))
    assert first[:4] == second[:4] == b"\x89PNG"
    assert first != second
