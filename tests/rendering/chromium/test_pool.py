"""Several browsers: what is lost when one of them is, and what a page may take."""

import asyncio
import os
import signal

import psutil
import pytest

from structce.errors import RenderError
from structce.rendering.base import Limits, Settings
from structce.rendering.chromium import ChromiumRenderer, browser
from structce.rendering.document import Document

pytestmark = pytest.mark.browser


def documents(n):
    return [Document(f"<!doctype html><p>page {i}</p>", name=f"page {i}") for i in range(n)]


def texts(pages):
    return [page.result().text for page in pages]


def pids(renderer):
    return [each.pid for each in renderer.pool.browsers if each.pid]


def kill(renderer):
    """Kill one of the browsers; return whether there was one."""
    for pid in pids(renderer):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:  # it is gone, and nobody has noticed yet
            continue
        return True
    return False


@pytest.fixture(scope="module")
def pair():
    """Two browsers side by side."""
    with ChromiumRenderer(workers=2) as renderer:
        yield renderer


def test_two_browsers_killed_between_pages_lose_none(pair):
    n_killed = 0
    pages = [pair.submit(document) for document in documents(12)]
    for i, page in enumerate(pages):
        assert page.result().text == (f"page {i}",)
        n_killed += i in (2, 5) and kill(pair)
    assert n_killed > 0


def test_a_browser_killed_at_two_pages_loses_none_of_them(chromium):
    doomed = {"page 1", "page 4"}

    async def text(session):
        if session.document.name in doomed:
            doomed.remove(session.document.name)
            kill(chromium)
            await asyncio.Event().wait()
        return str(await session.evaluate("() => document.body.textContent"))

    pages = [chromium.pool.submit(document, text) for document in documents(6)]
    assert [page.result() for page in pages] == [f"page {i}" for i in range(6)]
    assert not doomed


def test_page_that_ends_every_browser_is_an_error(chromium, monkeypatch):
    async def end(session):
        kill(chromium)
        await asyncio.Event().wait()

    monkeypatch.setattr(browser, "MAX_TRIES", 2)
    page = chromium.pool.submit(Document("<p>x", name="cursed"), end)
    with pytest.raises(RenderError, match=r"cursed: 2 browsers in a row ended on this page"):
        page.result()
    assert texts([chromium.submit(documents(1)[0])]) == [("page 0",)]


@pytest.mark.parametrize("tries", [1, 2])
def test_time_used_up_by_the_page_before_is_granted_once(chromium_with, tries):
    renderer = chromium_with(Settings(limits=Limits(seconds=2)))
    assert texts([renderer.submit(documents(1)[0])]) == [("page 0",)]
    slow = iter(range(tries))

    async def text(session):
        if next(slow, None) is not None:
            await asyncio.Event().wait()
        return str(await session.evaluate("() => document.body.textContent"))

    page = renderer.pool.submit(Document("<p>late", name="late"), text)
    if tries == 1:
        assert page.result() == "late"
    else:
        with pytest.raises(RenderError, match="late: not rendered in 2 s"):
            page.result()


def runs(pid):
    try:
        psutil.Process(pid).wait(timeout=10)
    except psutil.NoSuchProcess:
        return False
    except psutil.TimeoutExpired:
        return True
    return False


def test_closing_ends_the_browsers_and_open_pages():
    with ChromiumRenderer() as renderer:
        running = pids(renderer)
        pages = [renderer.submit(document) for document in documents(50)]
    assert not any(map(runs, running))
    assert all(page.done() for page in pages)


def test_second_picture_in_a_tab_shows_its_own_page(chromium):
    first = chromium.picture(Document("<body style='background:red'>"))
    second = chromium.picture(Document("<body style='background:blue'>"))
    assert first[:4] == second[:4] == b"\x89PNG"
    assert first != second
